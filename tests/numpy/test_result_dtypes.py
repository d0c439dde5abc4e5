"""NEP 50: the result dtype of every ufunc for every pair of operand dtypes, through f.infer, which
compiles nothing.
"""

from __future__ import annotations

import itertools
import re
import warnings
from typing import Any

import numpy as np
import pytest
from support.arrays import DTYPES
from support.compare import Report, check, jitted, make
from support.optable import BINARY, UNARY

ARRAYS = [np.ones(1, d) for d in DTYPES]
SCALARS = [np.dtype(d).type(1) for d in DTYPES]
PYTHON = [True, 1, 1.0, 1 + 0j]

unary = {name: make(f"def {name}_of(x):\n    return np.{name}(x)") for name in UNARY}
binary = {name: make(f"def {name}_of(x, y):\n    return np.{name}(x, y)") for name in BINARY}


def shown(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"array {value.dtype}"
    if isinstance(value, np.generic):
        return f"np.{value.dtype.name} scalar"
    return f"Python {type(value).__name__}"


def types_of(result: Any) -> tuple:
    """(dtype, ndim) per result, from real results and from inferred ones alike."""
    if isinstance(result, tuple):
        return tuple(pair for item in result for pair in types_of(item))
    if isinstance(result, (bool, int, float, complex)):
        return ((type(result), 0),)
    dtype = result.dtype if isinstance(result.dtype, type) else np.dtype(result.dtype)
    return ((dtype, result.ndim),)


def assert_inferred(f: Any, *operands: Any) -> None:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            want = types_of(f(*operands))
        except TypeError:
            want = None
    try:
        got = types_of(jitted(f).infer(*operands))
    except TypeError:
        got = None
    assert got == want, f"inferred {got or 'TypeError'}, NumPy gives {want or 'TypeError'}"


@pytest.mark.parametrize("name", UNARY)
def test_unary_result_dtypes(name: str) -> None:
    with Report(f"np.{name}") as report:
        for x in ARRAYS + SCALARS + PYTHON:
            if name == "sign" and x is True:
                continue
            with report.case(shown(x)):
                assert_inferred(unary[name], x)


@pytest.mark.parametrize("name", BINARY)
def test_binary_result_dtypes_of_two_arrays(name: str) -> None:
    with Report(f"np.{name}") as report:
        for x, y in itertools.product(ARRAYS, ARRAYS):
            with report.case(shown(x), ",", shown(y)):
                assert_inferred(binary[name], x, y)


@pytest.mark.parametrize("name", BINARY)
def test_binary_result_dtypes_of_array_and_numpy_scalar(name: str) -> None:
    with Report(f"np.{name}") as report:
        for x, y in [*itertools.product(ARRAYS, SCALARS), *itertools.product(SCALARS, ARRAYS)]:
            with report.case(shown(x), ",", shown(y)):
                assert_inferred(binary[name], x, y)


@pytest.mark.parametrize("name", BINARY)
def test_binary_result_dtypes_of_array_and_python_scalar(name: str) -> None:
    with Report(f"np.{name}") as report:
        for x, y in [*itertools.product(ARRAYS, PYTHON), *itertools.product(PYTHON, ARRAYS)]:
            with report.case(shown(x), ",", shown(y)):
                assert_inferred(binary[name], x, y)


@pytest.mark.parametrize("name", BINARY)
def test_binary_result_dtypes_of_two_scalars(name: str) -> None:
    with Report(f"np.{name}") as report:
        for x, y in itertools.product(SCALARS + PYTHON, PYTHON):
            with report.case(shown(x), ",", shown(y)):
                assert_inferred(binary[name], x, y)
            with report.case(shown(y), ",", shown(x)):
                assert_inferred(binary[name], y, x)


@pytest.mark.parametrize("operator", "+ - * / // % ** << >> & | ^ < <= == !=".split())
def test_operator_result_dtypes_of_scalars_and_arrays(operator: str) -> None:
    """Operators of two Python scalars stay Python's; everything else is the ufunc's."""
    f = make(f"def f(x, y):\n    return x {operator} y")
    with Report(f"x {operator} y") as report:
        for x, y in itertools.product(
            ARRAYS[::3] + SCALARS[::2] + PYTHON, ARRAYS[::4] + SCALARS[::3] + PYTHON
        ):
            with report.case(shown(x), ",", shown(y)):
                assert_inferred(f, x, y)


@pytest.mark.parametrize("name", "sum prod min max mean any all".split())
@pytest.mark.parametrize("axis", ["", ", axis=0"])
def test_reduction_result_dtypes(name: str, axis: str) -> None:
    f = make(f"def f(x):\n    return np.{name}(x{axis})")
    with Report(f"np.{name}(x{axis})") as report:
        for dtype in DTYPES:
            with report.case(dtype):
                assert_inferred(f, np.ones((2, 2), dtype))


@pytest.mark.parametrize("call", ["np.where(c, x, y)", "x @ y", "np.dot(x, y)", "np.clip(x, y, y)"])
def test_other_result_dtypes(call: str) -> None:
    f = make(f"def f(c, x, y):\n    return {call}")
    with Report(call) as report:
        for a, b in itertools.product(DTYPES, DTYPES):
            with report.case(a, b):
                assert_inferred(f, np.ones(2, bool), np.ones(2, a), np.ones(2, b))


@pytest.mark.parametrize(
    "value",
    [255, 256, -1, 0],
)
def test_python_int_out_of_range_of_the_dtype_raises_overflow_error(value: int) -> None:
    """Arithmetic needs the Python int to fit; comparison is exact and clip does not mind."""
    x = np.arange(250, 256, dtype=np.uint8)
    for call in (
        "x + n",
        "n - x",
        "x * n",
        "np.minimum(x, n)",
        "x & n",
        "x < n",
        "x == n",
        "n >= x",
        "x != n",
    ):
        check(make(f"def f(x, n):\n    return {call}"), x, value)
        constant = re.sub(r"\bn\b", f"({value})", call)
        check(make(f"def f(x):\n    return {constant}"), x)
