"""Where versions of Python and NumPy differ, results and messages are those of the running ones."""

from __future__ import annotations

import collections
import math
from collections.abc import Iterator

import numpy as np
import pytest
from shapecast import _core
from shapecast._host_info import does, said, set_host_info
from support.compare import case_id, check, jitted, make

MATRIX = np.array([[2.0, 1.0], [0.0, 3.0]])
LINE = np.array([1.0, 2.0, 3.0])
POINT = collections.namedtuple("POINT", "x y z")
TRUTHS = np.array([True, False, True])

# Each has another result or another message before or after some version from Python 3.11 to
# 3.14, NumPy 2.4 to 2.5.
DIFFERENT = {
    "x % 0.0": (1.0,),
    "x % 0": (1,),
    "divmod(x, 0.0)": (1,),
    "0.0 ** x": (-1.0,),
    "1j / x": (0j,),
    "math.sqrt(x)": (-1,),
    "math.acos(x)": (1e3,),
    "math.log(x, 0)": (2.5,),
    "math.lgamma(x)": (-3,),
    "[i for i in range(x)].index(7)": (3,),
    "{[1]: x}": (3,),
    "1 in x": (3,),
    "max([v for v in x if v > 5])": (LINE,),
    "min([v for v in x if v > 5])": (LINE,),
    "np.finfo(x.dtype).eps": (np.ones(2, np.int8),),
    "np.where(x, 300, y)": (TRUTHS, np.ones(3, np.int8)),
    "np.where(x, y, -1)": (TRUTHS, np.ones(3, np.uint64)),
    "np.meshgrid(x, x, sparse=True, copy=False)": (LINE,),
    "np.cross(x[:2], x[1:])": (LINE,),
    "np.cross(x, x[1:])": (LINE,),
    "np.linalg.eigvals(x)": (MATRIX,),
    "np.linalg.eig(x)[0]": (MATRIX.astype(np.float32),),
    "np.roots(x)": (np.array([1.0, -3.0, 2.0]),),
    "np.linalg.cond(x)": (np.array([[np.nan, 1.0], [1.0, 1.0]]),),
    "np.linalg.cond(x, 'nuc')": (np.array([[np.nan, 1.0], [1.0, 1.0]]),),
    "np.fft.fft(x, norm='?')": (LINE,),
    "np.fft.ifft2(x, out=y)": (MATRIX, np.zeros((2, 2), complex)),
    "np.fft.hfft(x, out=y)": (LINE, np.zeros(4)),
    "np.sort(x, descending=True)": (LINE,),
    "min([])": (),
    "np.unique_counts(x)._replace(top=1)": (LINE,),
    "np.take(x, [0, 1], out=y)": (np.arange(4), np.zeros(2)),
    "x.astype(np.int64)": (np.array([np.nan, 1e300, -1e300]),),  # differs by the processor
}


@pytest.mark.parametrize("call", DIFFERENT)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_results_follow_the_running_versions(call: str) -> None:
    arguments = DIFFERENT[call]
    names = ("x", "y")[: len(arguments)]
    check(make(f"def f({', '.join(names)}):\n    return {call}", math=math), *arguments)


def test_a_store_to_a_missing_imaginary_part_is_numpys() -> None:
    check(make("def f(x):\n    x.imag = 0"), LINE)


def test_read_only_targets_of_at_are_checked_when_numpy_checks_them() -> None:
    x = np.arange(3.0)
    x.flags.writeable = False
    check(make("def f(x):\n    np.add.at(x, np.array([], int), 1)"), x)


@pytest.fixture
def other_messages() -> Iterator[None]:
    messages = {
        "float modulo": "no rest",
        "math.sqrt": "no root of {0:f}",
        "math.log of an int": "no logarithm",
        "integer modulo by zero": "nothing to divide by",
        "{0} is not in list": "list.index(x): x not in list",
        "unhashable type: '{0}'": "'{1}' is no key: '{0}'",
        "argument of type '{0}' is not iterable": "nothing is in '{0}'",
        "data type <class 'numpy.{0}'> not inexact": "{0} has no eps",
        "array does not have imaginary part to set": "all real",
        "{0}() arg is an empty sequence": "{0} is bare",
    }
    _core._set_host_info(
        messages,
        "KeyError",
        where_checks_integers=True,
        unpack_error_has_count=True,
        meshgrid_views_are_tuples=True,
    )
    yield
    set_host_info()


@pytest.mark.usefixtures("other_messages")
@pytest.mark.parametrize(
    ("body", "argument", "message"),
    [
        ("return x % 0.0", 1.0, "no rest"),
        ("return math.sqrt(x)", -2.5, r"no root of -2\.5\n"),
        ("return math.sqrt(x)", -4, r"no root of -4\.0\n"),
        ("return math.log(x)", 0, "no logarithm\n"),
        ("return math.log(x)", 0.0, "math domain error"),
        ("return x % 0", 3, "nothing to divide by"),
        ("return [i for i in range(x)].index(7)", 3, "list.index"),
        ("return {[1]: x}", 3, "'list' is no key: 'list'"),
        ("return {(1, [2]): x}", 3, "'tuple' is no key: 'list'"),
        ("return {1: x}[1, (2, [3])]", 3, "'tuple' is no key: 'list'"),
        ("return math.log(x > 5)", 3, "no logarithm\\n"),
        ("a, b = POINT(x, x, x)", 3, r"\(expected 2\)"),
        ("a, b = {1: x, 2: x, 3: x}", 3, r"\(expected 2, got 3\)"),
        ("return 1 in x", 3, "nothing is in 'int'"),
        ("a, b = (x, x, x)", 3, r"\(expected 2, got 3\)"),
        ("a, b = [i for i in range(x)]", 3, r"\(expected 2, got 3\)"),
        ("a, b = x", LINE, r"\(expected 2\)"),
        ("return np.finfo(np.int16).eps", 1.0, "int16 has no eps"),
        ("x.imag = 0", LINE, "all real"),
        ("return min([])", 1.0, "min is bare"),
        ("return np.unique_counts(x)._replace(top=x)", LINE, "unexpected field names"),
        ("return np.where(True, 300, x)", np.ones(1, np.int8), "300 out of bounds for int8"),
    ],
    ids=case_id,
)
def test_messages_are_those_of_the_running_versions(
    body: str, argument: object, message: str
) -> None:
    f = jitted(make(f"def f(x):\n    {body}", math=math, POINT=POINT))
    with pytest.raises(Exception, match=message):
        f(argument)


def test_python_and_numpy_are_probed() -> None:
    assert said(lambda: {}["a"]) == "'a'"
    assert does(lambda: 1) and not does(lambda: 1 // 0)
    with pytest.raises(AssertionError, match="nothing was raised"):
        said(lambda: 1)


# As NumPy has them on 64-bit ARM, one number at a time.
OUT_OF_RANGE = [np.nan, np.inf, -np.inf, 3e9, -3e9, 1e300, 300.75, -1.5]
SATURATED = {
    "int64": [0, 2**63 - 1, -(2**63), 3 * 10**9, -3 * 10**9, 2**63 - 1, 300, -1],
    "int32": [0, 2**31 - 1, -(2**31), 2**31 - 1, -(2**31), 2**31 - 1, 300, -1],
    "int8": [0, -1, 0, -1, 0, -1, 44, -1],
    "uint8": [0, 255, 0, 0, 0, 255, 44, 0],
    "uint32": [0, 2**32 - 1, 0, 3 * 10**9, 0, 2**32 - 1, 300, 0],
    "uint64": [0, 2**64 - 1, 0, 3 * 10**9, 0, 2**64 - 1, 300, 0],
}


@pytest.fixture
def saturating_casts() -> Iterator[None]:
    _core._set_host_info({}, "ValueError", casts_saturate=True)
    yield
    set_host_info()


@pytest.mark.usefixtures("saturating_casts")
@pytest.mark.parametrize("dtype", SATURATED)
def test_casts_saturate_where_numpys_do(dtype: str) -> None:
    cast = jitted(make(f"def cast(x):\n    return x.astype(np.{dtype})"))
    assert cast(np.array(OUT_OF_RANGE)).tolist() == SATURATED[dtype]
