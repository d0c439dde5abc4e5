"""Builtins, math and cmath on scalars and tuples, against Python."""

from __future__ import annotations

import cmath
import math

import numpy as np
import pytest
from support.compare import Report, check, jitted, make
from support.ulp import Tolerance


def near(got: np.ndarray, want: np.ndarray) -> str | None:
    """Math functions: a few units in the last place."""
    with np.errstate(all="ignore"):
        close = np.allclose(got, want, rtol=2e-15, atol=1e-300, equal_nan=True)
    return None if close else f"{got!r}, expected {want!r}"


def compare(expressions: dict[str, list], tol: Tolerance = near) -> None:
    """Each expression in x, y, z with each of its cases."""
    with Report("builtins") as report:
        for expression, cases in expressions.items():
            arguments = [c if isinstance(c, tuple) else (c,) for c in cases]
            names = ", ".join("xyzw"[: len(arguments[0])])
            f = make(f"def f({names}):\n    return {expression}", math=math, cmath=cmath)
            for case in arguments:
                with report.case(expression, case):
                    check(f, *case, tol=tol)


INTS = [0, 1, -3, 17, 25, True]
FLOATS = [0.0, -0.0, 2.5, -3.5, 2.675, 0.5, 1e300, math.inf, -math.inf, math.nan]
STRONG = [np.float32(2.5), np.float64(-3.75), np.int8(5), np.int64(15), np.uint16(9)]


def test_round_is_pythons() -> None:
    small = [v for v in FLOATS if v != 1e300]  # its int does not fit 64 bits
    numbers = [*INTS, *small, *STRONG]
    compare(
        {
            "round(x)": [*numbers, 2j],
            "round(x, None)": numbers,
            "round(x, 2)": [*numbers, 1e300],
            "round(x, -1)": [*numbers, 1e300],
            "round(x, y)": [(2.675, 2), (1234, -2), (7, 3)],
            "np.round(x, 1), x.round(2), np.round(x, -1)": [
                np.array([0.25, 1.35, -12.349, np.nan]),
                np.array([[5, 15, -25]]),
                np.arange(3, dtype=np.float32) / 7,
            ],
        }
    )


def test_divmod_and_pow_are_pythons() -> None:
    numbers = (7, -7, 2.5, True, np.int32(7))
    compare(
        {
            "divmod(x, y)": [(a, b) for a in numbers for b in (2, -3, 0, 0.0, 1.5, np.float32(2))],
            "divmod(x, 2)": [np.arange(-3, 3), 2j],
            "pow(x, y)": [(2, 3), (2.0, 3), (2, 0.5), (np.int32(3), 2), (np.arange(3.0), 2)],
            "pow(x, y, z)": [
                *((2, 10, 7), (3, -1, 7), (2, -1, 4), (5, 3, 0), (5, 3, -7), (2.0, 1, 3)),
                *((7, 0, 1), (123456789, 987654321, 10**18 + 9), (-5, 3, 7), (True, 5, 3)),
            ],
        }
    )


def test_sum_and_prod_are_pythons() -> None:
    compare(
        {
            "sum((x, y, 1))": [(1, 2.5), (1, 2), (np.float32(1), 3), (np.arange(3), 1)],
            "sum((x,), y)": [(1, 2.5), (np.arange(3.0), 1)],
            "sum(x)": [
                *(np.arange(5.0), np.zeros(0), np.array([100, 100], np.int8), 5),
                *(np.array([True, True]), np.ones(3, np.float32) / 3, (1, 2.5), ()),
                *(np.arange(6.0).reshape(2, 3), np.arange(10)[::3]),
            ],
            "sum(range(x))": [5, 0],
            "sum([i * x for i in range(4)])": [2, 2.5, np.arange(2)],
            "sum(i * x for i in range(4) if i != 2)": [2, 2.5],
            "sum(x, start=0.5)": [np.arange(3.0)],
            "math.prod((x, 2, 3)), math.prod((), start=x)": [1.5, 2],
            "math.prod(x)": [np.arange(1.0, 5.0), np.arange(1, 4)],
        }
    )


def test_sorted_min_max_any_all_and_in_are_pythons() -> None:
    compare(
        {
            "sorted((x, y, z))": [(3, 1, 2), (3.0, 1.0, 2.0), (1, 1, 0), (0.0, -0.0, -1.0)],
            "sorted((x, y, z), reverse=True)": [(3, 1, 2), (1.5, 2.5, 1.5)],
            "sorted((x, y))[0]": [(np.float32(2), np.float32(1)), (np.int8(3), np.int8(2))],
            "min((x, 1, 2.5)), max(x, 2), min((x,)), max((x, 2, 1))": [1, 3, 2.5, 0.5],
            "any((x, y)), all((x, y)), any(()), all(())": [(0, 1), (1.5, 2), (0, 0)],
            "any(x), all(x)": [np.array([0, 1]), np.zeros(0), np.ones(3), np.array([np.nan]), 5],
            "any(v > 2 for v in (x, 1, 2)), all([v < 3 for v in (x, 1)])": [3, 1],
            "x in (1, y, 2.5), x not in (1, y), x in ()": [(1, 2), (2.5, 2), (3, np.int8(3))],
            "x in y, x not in y": [(1, np.array([1, 2])), (5, np.array([[1.0, 2.0]]))],
            "x in range(3), x in range(y, 7)": [(1, 2), (3, 3), (9, 1)],
            "'a' in 'cat', '' in 'x', 'ab' not in 'cab'": [1],
        }
    )


def test_functions_of_tuples_are_pythons() -> None:
    compare(
        {
            "(x, 1) < (y, 2), (x, 1) <= (y, 1), (x,) > (y, 0), (x, y) >= (y, x)": [
                *((1, 2), (2, 1), (1, 1), (1.5, 1), (np.float32(1), 1)),
            ],
            "(x, y) == (1, 2), (x, y) != (y, x), (x,) == (x, y), [x] == [y], (x,) == [x]": [
                *((1, 2), (2, 1), (1.0, 2)),
            ],
            "(1, x, 2.5)[1:], (x, y)[::-1], (x, y, 1, 2)[-3:-1], (x, y)[5:], (x, y)[::2]": [(1, 2)],
            "(x, y) + (1,), (x,) * 3, [x] + [y], 2 * (x,), len((x, y)), len(())": [(1, 2.5)],
            "(x, y, 2).index(2), (x, y, 2).count(2)": [(1, 2), (2, 2), (3, 4)],
            "(x, y).index(2)": [(1, 2), (2, 1), (1, 1)],
        }
    )


def test_checks_of_classes_are_pythons() -> None:
    values = [
        *(1, 2.5, True, 2j, np.arange(3.0), (1, 2), "s", None, np.float64(2), np.float32(2)),
        *(np.int8(1), np.uint8(1), np.bool_(True), np.complex128(1j), np.array(2.0)),
    ]
    values = [v for v in values if not isinstance(v, str)]
    classes = (
        "int float bool complex str tuple list np.ndarray np.generic np.integer np.floating "
        "np.number np.float64 np.float32 np.int8 np.bool_ np.complexfloating np.inexact object"
    ).split()
    checks = ", ".join(f"isinstance(x, {c})" for c in classes)
    compare(
        {
            f"({checks})": values,
            "isinstance(x, (int, float, np.integer)), isinstance(x, (np.ndarray, tuple))": values,
            "type(x) is int, type(x) == float, type(x) is not bool, type(x) is np.float64": values,
            "type(x) is np.ndarray, type(x) is tuple, type(x) in (int, float)": values,
            "callable(x), callable(abs), callable(np.sin), callable(int)": [1, np.arange(2)],
            "hasattr(x, 'shape'), hasattr(x, 'real'), hasattr(x, '__len__')": values,
            "type(x)(2), type(x).__name__": [1, 2.5, 2j, np.float32(1)],
        }
    )


def test_classes_choose_the_branch_before_it_is_typed() -> None:
    f = make("""
        def f(x, n=None):
            if isinstance(x, np.ndarray):
                total = x.sum()
            elif isinstance(x, (tuple, list)):
                total = 0
                for item in x:
                    total += item
            elif type(x) is bool or n is not None:
                return "flag"
            elif isinstance(x, (int, np.integer)):
                total = x << 2
            elif hasattr(x, "imag"):
                total = x.imag
            else:
                raise TypeError(f"not {x}")
            return total
    """)
    for x in (np.arange(3.0), (1, 2.5), True, 3, np.int16(3), 2.5, 2j, np.float32(2)):
        check(f, x)
    check(f, 2, 3)


def test_conversions_of_numbers_are_pythons() -> None:
    compare(
        {
            "complex(x, y)": [(1, 2.5), (1j, 2j), (True, np.float32(2)), (0.0, -0.0)],
            "complex(x), complex()": [1, 2.5, 1j, np.float64(2), np.complex64(1j)],
            "float('inf'), float('-1.5e3'), int(' 12 '), float('nan'), x": [1],
            "abs(x), int(x), float(x), bool(x)": [*INTS, 2.5, *STRONG, math.nan],
        }
    )


def test_integer_functions_of_math_are_pythons() -> None:
    compare(
        {
            "math.gcd(x, 12, 18), math.gcd(), math.gcd(x), math.lcm(x, 4, 6), math.lcm()": [6, -9],
            "math.gcd(x, 2)": [2.5, np.int8(6)],
            "math.factorial(x)": [0, 5, 20, -1, 2.5, np.int16(4)],
            "math.comb(x, y)": [(5, 2), (5, 7), (60, 30), (-1, 2), (5, -1), (62, 31)],
            "math.perm(x, y), math.perm(5), math.perm(x, None)": [(5, 2), (5, 7), (-1, 2), (3, 0)],
            "math.isqrt(x), math.trunc(x), math.floor(x), math.ceil(x)": [16, 0, True],
        }
    )


def test_float_functions_of_math_are_pythons() -> None:
    pairs = [(a, b) for a in (1.5, -2.0, 0.0, math.inf, math.nan) for b in (2.0, -0.5, 3)]
    compare(
        {
            "math.hypot(x, y, z), math.hypot(x), math.hypot()": [(3.0, 4.0, 12.0), (1, 2, 3)],
            "math.dist((x, y), (1, 2)), math.dist((x,), (y,))": [(3, 4), (1.5, 2)],
            "math.dist((x, y), (1,))": [(3, 4)],
            "math.fsum((x, 1e100, 1.0, -1e100)), math.fsum(())": [1e-3, math.inf, math.nan],
            "math.fsum((x, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1))": [0.1],
            "math.fsum((x, y))": [(1e308, 1e308), (math.inf, -math.inf), (1.0, 2.0**-53)],
            "math.isclose(x, y), math.isclose(x, y, rel_tol=0.1), math.isclose(x, y, abs_tol=1)": [
                *((1.0, 1.0 + 1e-10), (1.0, 1.05), (math.inf, math.inf), (math.inf, 1.0)),
                *((math.nan, 1.0), (1, 2)),
            ],
            "math.isclose(x, 1.0, rel_tol=-1.0)": [1.0],
            "math.frexp(x), math.modf(x), math.ulp(x)": [*FLOATS, 3, np.float32(2.5)],
            "math.ldexp(x, y)": [(1.5, 3), (1.0, 5000), (1, -2000), (1.5, 2.5), (math.inf, 3)],
            "math.copysign(x, y), math.nextafter(x, y), math.atan2(x, y)": pairs,
            "math.fmod(x, y)": pairs,
            "math.remainder(x, y)": pairs,
            "math.log(x, 10), math.log(x), math.log2(x), math.log10(x)": [5, 100.0, 0.0, -1.0],
            "math.cbrt(x), math.exp2(x), math.degrees(x), math.expm1(x)": [2.5, -1, 5000.0],
        }
    )


@pytest.mark.parametrize(
    "name",
    "exp cosh sinh cos sin tanh tan sqrt acos asin acosh asinh atan atanh log log10 phase polar "
    "isfinite isinf isnan".split(),
)
def test_functions_of_cmath_are_pythons(name: str) -> None:
    inf, nan = math.inf, math.nan
    numbers = [
        *(0j, 1 + 2j, -1.5 + 0.5j, 1j, -1j, 1 + 0j, -1 + 0j, 2, 2.5, -3.0, True),
        *(complex(-1, -0.0), complex(-2, 0.0), complex(2, -0.0), 800 + 1j, 1 + 800j),
        *(complex(inf, 1), complex(1, inf), complex(nan, 1), complex(-inf, inf), complex(inf, inf)),
        *(np.complex64(1 + 1j), np.float32(2), np.complex128(-2 - 0j)),
    ]
    compare({f"cmath.{name}(x)": numbers})


def test_functions_of_cmath_of_two_arguments_are_pythons() -> None:
    inf = math.inf
    compare(
        {
            "cmath.rect(x, y)": [(1, 2.5), (0, 1.0), (2.0, inf), (0.0, inf), (math.nan, 1.0)],
            "cmath.log(x, 2), cmath.pi, cmath.inf, cmath.infj": [2j, 0j, 3],
            "cmath.log(x, y)": [(2j, 1), (2j, 0), (3, 1j)],
        }
    )


def test_wrong_arguments_name_the_function_as_python_does() -> None:
    for call in (
        "g()",
        "g(1)",
        "g(1, 2, 3, 4)",
        "g(1, 2, c=3, d=4)",
        "g(1, 2, 3, k=1, a=2)",
        "h(1, 2)",
        "h()",
        "k(1)",
        "inner(1, 2)",
        "inner()",
    ):
        f = make(
            f"""
            def g(a, b, c=1, *, k=0): return a
            def h(a): return a
            def k(a, b, c): return a
            def f(x):
                def inner(y): return y + x
                return {call}
            """,
            "f",
        )
        check(f, 1)


@pytest.mark.parametrize("x", [-(2.0**63), 2.0**63 - 1024, 1.9, -1.9, -0.0])
def test_floats_that_fit_become_ints(x: float) -> None:
    check(make("def f(x):\n    return int(x[0])"), np.array([x]))


@pytest.mark.parametrize(
    ("x", "error", "text"),
    [(2.0**63, OverflowError, "does not fit in 64 bits"),
     (-(2.0**63) - 2048, OverflowError, "does not fit in 64 bits"),
     (np.inf, OverflowError, "cannot convert float infinity to integer"),
     (-np.inf, OverflowError, "cannot convert float infinity to integer"),
     (np.nan, ValueError, "cannot convert float NaN to integer")],
)  # fmt: skip
def test_floats_that_do_not_fit_raise_with_the_reason(
    x: float, error: type[Exception], text: str
) -> None:
    f = jitted(make("def f(x):\n    return int(x[0])"))
    with pytest.raises(error, match=text):
        f(np.array([x]))


@pytest.mark.parametrize(
    "call",
    ["math.sqrt()", "math.sqrt(1, 2)", "math.sqrt(x=1)", "math.floor()", "math.atan2(1)",
     "math.atan2(1, 2, 3)", "math.log()", "math.log(1, 2, 3)", "math.pow(2)", "math.exp(*v)",
     "math.ldexp(1)", "math.factorial()", "max()", "min()", "math.isnan(1, 2)"],
)  # fmt: skip
def test_arguments_of_the_wrong_number_are_type_errors(call: str) -> None:
    f = make(f"def f(v):\n    return {call}", math=math)
    with pytest.raises(TypeError):
        f((1, 2))
    with pytest.raises(TypeError):
        jitted(f)((1, 2))


@pytest.mark.parametrize(
    "call",
    ["int('ff', 16)", "int('-0b101', 2)", "int(' 777 ', base=8)", "int('0xFF', 16)", "int('z', 36)",
     "int(12, 8)", "int('1', 1)", "int('+11', 3)", "np.arange(stop=3)", "np.arange(stop=n, step=2)",
     "np.arange(1, stop=n)", "np.arange()", "'ab' * 1.5", "'ab' * None",
     "'ab' * 'c'", "2.5 * 'ab'", "'ab' * [1]", "'ab' * 2", "True * 'ab'"],
)  # fmt: skip
def test_constructors_and_products_of_strings_are_pythons(call: str) -> None:
    check(make(f"def f(n):\n    return {call}"), 5)
