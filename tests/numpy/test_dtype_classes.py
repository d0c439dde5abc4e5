"""np.int8(x) and the other scalar classes; dtypes as values; those that are not supported."""

from __future__ import annotations

import numpy as np
import pytest
from support.arrays import DTYPES
from support.compare import Report, check, check_or_refused, jitted, make

GIVEN = [
    0, 1, -1, 127, 128, 255, 256, -129, 300, 70000, 2**31, 2**40, -(2**63), True, 1.5, 300.5,
    -0.5, -1.5, 1e30, float("nan"), float("inf"), 1e300, 2j, np.float64(300.5),
    np.int64(300), np.int64(-1),
    np.float32(2.5), np.complex128(3 + 1j), np.array(300), np.array([1, 300]), np.arange(3.0),
]  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_conversion_is_in_bounds_or_overflows(dtype: str) -> None:
    f = make(f"def f(x):\n    return np.{dtype}(x)")
    with Report(f"np.{dtype}(...)") as report:
        for x in GIVEN:
            if dtype == "uint64" and isinstance(x, float) and x > 2**63:
                continue  # beyond 64-bit Python ints
            with report.case(repr(x)):
                check(f, x)
        check(make(f"def f():\n    return np.{dtype}()"))
        check(make(f"def f(x):\n    return np.{dtype}((1, x))"), 2)


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_constant_out_of_bounds_raises_only_where_it_is_executed(dtype: str) -> None:
    for constant in ("300", "-1", "300.5", "None", "2**40"):
        f = make(f"def f(run):\n    if run:\n        return np.{dtype}({constant})\n    return 1")
        check(f, False)
        f = make(f"def f():\n    return np.{dtype}({constant})")
        # NumPy's complex(None) is nan; np.float64(None) alone is supported.
        check_or_refused(f, refused=constant == "None" and dtype.startswith("complex"))


def test_classes_and_dtypes_differ() -> None:
    check(
        make("def f(x):\n    return np.float64, x.dtype, np.dtype('f8'), np.dtype(np.int8)"),
        np.ones(2),
    )
    f = make(
        "def f(x, t):\n    return x.dtype == t, t == np.float64, x.astype(t), x.dtype.type(2), t"
    )
    check(f, np.ones(2), np.float64)
    check(f, np.ones(2), np.dtype("f8"))
    check(
        make("def f(x):\n    return np.float64 is np.float64, type(x[0]) is np.float64"), np.ones(2)
    )


@pytest.mark.parametrize("text", [">f8", "U3", "S", "O", "M8[ns]", "f8,i4", "V4", "datetime64"])
def test_arrays_of_other_dtypes_are_passed_to_python(text: str) -> None:
    f = make(f"def f():\n    return np.zeros(3, {text!r})")
    got = jitted(f)()
    assert got.dtype == f().dtype and got.shape == (3,) and got.tobytes() == f().tobytes()


def test_an_invalid_dtype_is_numpys_error() -> None:
    check(make("def f():\n    return np.zeros(3, 'nothing')"))


def test_methods_of_numbers() -> None:
    whole = make("def f(x):\n    return x.is_integer()")
    for x in (2.0, 2.5, float("inf"), float("nan"), np.float64(3), np.float32(2.5), np.int64(3)):
        check(whole, x)
    bits = make("def f(n):\n    return n.bit_length()")
    for n in (0, 1, -1, 255, 256, -1024, 2**62, 2**63 - 1, True):
        check(bits, n)
