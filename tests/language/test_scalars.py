"""Python scalars keep Python's arithmetic: 64-bit with OverflowError, ZeroDivisionError, exact
types.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from support.compare import Report, check, jitted, make

BIG = 2**63 - 1


@pytest.mark.parametrize(
    "expression", ["a + b", "a - b", "a * b", "-a", "a * a", "abs(a)", "a << b"]
)
def test_integer_overflow_raises_instead_of_wrapping(expression: str) -> None:
    """Python continues with a big integer; compiled code has 64 bits, and raises."""
    f = make(f"def f(a, b):\n    return {expression}")
    with Report(expression) as report:
        for a in (BIG, -BIG - 1, BIG // 2, 3, -3, 2**32):
            for b in (BIG, -BIG - 1, 1, 2, -1, 0) if "<<" not in expression else (0, 1, 62, 63, 64):
                with report.case(a, b):
                    want = f(a, b)
                    if -BIG - 1 <= want <= BIG:
                        check(f, a, b)
                    else:
                        with pytest.raises(OverflowError):
                            jitted(f)(a, b)


def test_sum_of_python_integers_in_a_loop_overflows_loudly() -> None:
    f = jitted(
        make("def f(n):\n    x = 1\n    for i in range(n):\n        x = x * 3\n    return x")
    )
    assert f(39) == 3**39
    with pytest.raises(OverflowError):
        f(41)


def test_argument_beyond_128_bits_is_an_error() -> None:
    f = jitted(make("def f(n):\n    return n + 1"))
    with pytest.raises(OverflowError, match="does not fit into 128 bits"):
        f(2**127)
    assert f(2**70) == 2**70 + 1


@pytest.mark.parametrize("expression", ["a / b", "a // b", "a % b"])
def test_division_of_python_scalars_by_zero_raises(expression: str) -> None:
    f = make(f"def f(a, b):\n    return {expression}")
    for a, b in (
        (1, 0),
        (1.5, 0.0),
        (0, 0),
        (1.5, 0),
        (3, -0.0),
        (7, 2),
        (-7, 2),
        (7.5, -2.0),
        (True, True),
    ):
        check(f, a, b)


def test_division_of_numpy_scalars_by_zero_does_not_raise() -> None:
    f = make("def f(a, b):\n    return a / b, a // b, a % b")
    for dtype in (np.int32, np.int64, np.uint8, np.float32, np.float64):
        check(f, dtype(5), dtype(0))
        check(f, dtype(0), dtype(0))


@pytest.mark.parametrize(
    ("a", "b"),
    [(7, 3), (-7, 3), (7, -3), (-7, -3), (0, 5), (-1, 2**40), (BIG, 10), (-BIG - 1, 10), (5, BIG)],
)
def test_floor_division_and_modulo_of_integers(a: int, b: int) -> None:
    check(make("def f(a, b):\n    return a // b, a % b, a / b"), a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (7.5, 2.0),
        (-7.5, 2.0),
        (7.5, -2.0),
        (-0.0, 3.0),
        (1e308, 1e-5),
        (math.inf, 2.0),
        (2.0, math.inf),
        (-2.0, math.inf),
        (math.nan, 1.0),
        (6.0, 0.1),
    ],
)
def test_floor_division_and_modulo_of_floats(a: float, b: float) -> None:
    check(make("def f(a, b):\n    return a // b, a % b, a / b"), a, b)


def test_power_of_python_integers_changes_type_with_the_sign_of_the_exponent() -> None:
    f = make("def f(a, b):\n    return a ** b")
    for a, b in ((2, 10), (2, 0), (2, -1), (10, -3), (0, 0), (-3, 3), (3, 39), (2, 62)):
        check(f, a, b)
    with pytest.raises(OverflowError):
        jitted(f)(2, 64)
    check(f, 0, -1)


def test_power_of_python_floats() -> None:
    from support.ulp import within

    f = make("def f(a, b):\n    return a ** b")
    for a, b in ((2.0, 0.5), (2.0, -1), (0.5, 3), (9.0, 0.5), (2, 0.5), (4.0, 2.0), (-8.0, 3.0)):
        check(f, a, b, tol=within(4))
    check(f, 0.0, -1.0)


def test_negative_float_to_a_fraction_is_complex_in_python() -> None:
    """The type of the result depends on the value: UnsupportedError, never a NaN."""
    from support.compare import check_or_refused
    from support.ulp import within

    f = make("def f(a, b):\n    return a ** b")
    check(f, 8.0, 1 / 3, tol=within(4))
    check_or_refused(f, -8.0, 1 / 3, refused=True)


def test_int_float_and_bool_of_numbers() -> None:
    f = make("def f(x):\n    return int(x), float(x), bool(x)")
    for x in (2.9, -2.9, 0.0, -0.0, 7, True, np.float32(3.5), np.int8(-4), np.array(2.5), 2.0**62):
        check(f, x)


@pytest.mark.parametrize("value", [math.nan, math.inf, 1e300])
def test_int_of_nan_and_infinity_raises(value: float) -> None:
    f = make("def f(x):\n    return int(x)")
    if value == 1e300:
        with pytest.raises(OverflowError):
            jitted(f)(value)
    else:
        check(f, value)


def test_types_of_results_are_pythons() -> None:
    f = make(
        "def f(n, x, b):\n    return n, x, b, n + b, n * x, n / n, b and n, not n, n > x, -b, "
        "+b, ~n, n // x, b + b"
    )
    check(f, 3, 2.5, True)


def test_weak_scalars_follow_nep_50() -> None:
    f = make("def f(a, n, x):\n    return a + n, a * x, n * x * a, n + a[0], x + a[0], a + (n + x)")
    with Report("weak scalars") as report:
        for dtype in (
            "int8",
            "uint8",
            "int64",
            "float16",
            "float32",
            "float64",
            "complex64",
            "bool",
        ):
            with report.case(dtype):
                check(f, np.ones(3, dtype), 3, 0.5)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint32", "int64"])
def test_a_python_integer_beyond_the_dtype_raises_overflow_error(dtype: str) -> None:
    f = make("def f(a, n):\n    return a + n")
    info = np.iinfo(dtype)
    a = np.ones(3, dtype)
    for n in (info.max, info.min):
        check(f, a, int(n))
    for n in (int(info.max) + 1, int(info.min) - 1):
        if -BIG - 1 <= n <= BIG:
            check(f, a, n)


def test_complex_scalars() -> None:
    from support.ulp import within

    f = make(
        "def f(z, x):\n    return z * x, z + 1, z * z, z / (z + 1), abs(z), -z, z.real, z.imag, "
        "z == x"
    )
    check(f, 1 + 2j, 0.5, tol=within(4))
    check(f, np.complex64(1 + 2j), 2, tol=within(4))


def test_numpy_integer_scalars_wrap() -> None:
    f = make("def f(a, b):\n    return a + b, a * b, a - b - b")
    check(f, np.int8(127), np.int8(1))
    check(f, np.uint8(255), np.uint8(2))
    check(f, np.int64(BIG), np.int64(1))
    check(f, np.uint16(0), 1)


def test_zero_dimensional_results_are_scalars() -> None:
    f = make("def f(a, b):\n    return a + 1, np.sqrt(b), a * b, a > b, -a, a[()], np.add(a, 1)")
    check(f, np.array(2), np.array(4.0))


@pytest.mark.parametrize(
    "value", [None, "ab", [1.0], (1, 2), {1: 2}, range(3), 1 + 2j], ids=lambda v: type(v).__name__
)
@pytest.mark.parametrize(
    "call", ["math.sqrt(x)", "math.floor(x)", "math.hypot(x, 1)", "math.log(x)", "math.isnan(x)",
             "math.atan2(1, x)", "int(x)", "float(x)"],
)  # fmt: skip
def test_errors_of_conversions_name_the_class_as_python_does(call: str, value: object) -> None:
    if isinstance(value, str) and not call.startswith("math"):
        return  # a string is parsed
    check(make(f"def f(x):\n    return {call}", math=math), value)
