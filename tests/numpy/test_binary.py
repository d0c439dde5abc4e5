"""Every binary ufunc: same and mixed dtypes, shapes that broadcast, layouts, scalars, operators."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from support.arrays import COMPLEX, DTYPES, LAYOUTS, filled, lay_out
from support.compare import Report, check, make, pairwise
from support.optable import BINARY, aliases, cases, loop, second_domain, tolerance
from support.ulp import Tolerance

SHAPES = [
    ((67,), (67,)), ((5, 9), (5, 9)), ((5, 9), (9,)), ((5, 1), (1, 9)), ((7,), ()), ((), (7,)),
    ((3, 4, 5), (4, 1)), ((5, 9), (5, 1)), ((1,), (4,)), ((0,), (1,)), ((3, 0), (3, 1)), ((), ()),
    ((2, 3, 4), (2, 3, 4)),
]  # fmt: skip
COMBINATIONS = pairwise({"shapes": SHAPES, "left": LAYOUTS, "right": LAYOUTS})
CASES = cases(BINARY)
MIXED = [(a, b) for a, b in itertools.product(DTYPES, DTYPES) if a != b]

functions = {name: make(f"def {name}_of(x, y):\n    return np.{name}(x, y)") for name in BINARY}


def operands(
    name: str, shapes: tuple, dtypes: tuple[str, str], layouts: tuple[str, str] = ("c", "c")
) -> tuple[np.ndarray, np.ndarray]:
    first = "not_min" if name in ("gcd", "lcm") else "any"
    x = filled(shapes[0], dtypes[0], math.prod(shapes[0]), first)
    y = filled(shapes[1], dtypes[1], 1 + math.prod(shapes[1]), second_domain(name, dtypes[1]))
    return lay_out(x, layouts[0]), lay_out(y, layouts[1])


def unsigned_zero(tol: Tolerance) -> Tolerance:
    return lambda got, want: tol(got + 0, want + 0)


@pytest.mark.parametrize(("name", "dtype"), [pytest.param(n, d, id=f"{n}-{d}") for n, d in CASES])
def test_binary_ufunc_matches_numpy(name: str, dtype: str, full: bool) -> None:
    number, count = CASES.index((name, dtype)), len(COMBINATIONS)
    picked = COMBINATIONS if full else [COMBINATIONS[(number * 2 + k) % count] for k in range(2)]
    with Report(f"np.{name} on {dtype}") as report:
        x, y = operands(name, ((151,), (151,)), (dtype, dtype))
        with report.case(dtype, "[151] c c"):
            check(functions[name], x, y, tol=tolerance(name, x, y))
        for row in picked:
            x, y = operands(name, row["shapes"], (dtype, dtype), (row["left"], row["right"]))
            tol = tolerance(name, x, y)
            if name == "power" and (0 in y.strides[-1:] or y.shape[-1:] == (1,)):
                tol = unsigned_zero(tol)  # NumPy takes the root for 0.5: of -0.0 too
            with report.case(dtype, *row["shapes"], row["left"], row["right"]):
                check(functions[name], x, y, tol=tol)


@pytest.mark.parametrize("name", BINARY)
def test_binary_ufunc_of_mixed_dtypes(name: str, full: bool) -> None:
    possible = [pair for pair in MIXED if loop(name, *pair)]
    if name == "ldexp":
        possible = [
            (f, i) for f in ("float16", "float32", "float64") for i in ("int32", "int64", "int8")
        ]
    # The casts of add are tested for all pairs, of the others for every eleventh, starting at
    # different ones.
    start = list(BINARY).index(name) % 11
    step = 1 if full or name == "add" else 11
    with Report(f"np.{name} on mixed dtypes") as report:
        for dtypes in possible[start if step > 1 else 0 :: step]:
            x, y = operands(name, ((37,), (37,)), dtypes)
            with report.case(*dtypes):
                check(functions[name], x, y, tol=tolerance(name, x, y))


@pytest.mark.parametrize("name", BINARY)
def test_binary_ufunc_of_array_and_scalar(name: str, full: bool) -> None:
    """One operand is a NumPy scalar (strong) or a Python scalar (weak), on either side."""
    scalars = [np.int8(3), np.uint16(2), np.int64(1), np.float32(1.5), np.float64(2.0),
        np.complex64(1 + 1j),
               True, 2, 1.5, 0.5j]  # fmt: skip
    start = list(BINARY).index(name)
    with Report(f"np.{name} of array and scalar") as report:
        for k, (dtype, scalar) in enumerate(itertools.product(DTYPES, scalars)):
            if not full and (k + start) % 9:
                continue
            array = filled((11,), dtype, 3, second_domain(name, dtype))
            if name in ("power", "float_power"):
                array = filled((11,), dtype, 3, "small")
            for x, y in ((array, scalar), (scalar, array)):
                with report.case(
                    *(v.dtype if isinstance(v, np.ndarray) else repr(v) for v in (x, y))
                ):
                    # A weak scalar takes part in the reference with the dtype NEP 50 gives it.
                    strong = [
                        np.asarray(v, np.result_type(array, scalar))
                        if v is scalar and not isinstance(v, np.generic)
                        else v
                        for v in (x, y)
                    ]
                    check(functions[name], x, y, tol=tolerance(name, *map(np.asarray, strong)))


OPERATORS = {
    "+": "add", "-": "subtract", "*": "multiply", "/": "divide", "//": "floor_divide",
    "%": "remainder",
    "**": "power", "<<": "left_shift", ">>": "right_shift", "&": "bitwise_and", "|": "bitwise_or",
    "^": "bitwise_xor", "<": "less", "<=": "less_equal", ">": "greater", ">=": "greater_equal",
    "==": "equal", "!=": "not_equal",
}  # fmt: skip


@pytest.mark.parametrize("operator", OPERATORS)
def test_operator_is_its_ufunc(operator: str) -> None:
    name = OPERATORS[operator]
    both = make(f"def both(x, y):\n    return x {operator} y")
    constant_right = make(f"def constant_right(x):\n    return x {operator} 2")
    constant_left = make(f"def constant_left(x):\n    return 2 {operator} x")
    with Report(f"x {operator} y") as report:
        for dtype in (
            "bool",
            "int8",
            "uint8",
            "int32",
            "int64",
            "uint64",
            "float32",
            "float64",
            "complex128",
        ):
            x, y = operands(name, ((17,), (17,)), (dtype, dtype))
            two = np.full((), 2, np.result_type(x, 2))
            with report.case(dtype, "both"):
                check(both, x, y, tol=tolerance(name, x, y))
            with report.case(dtype, "constant right"):
                check(constant_right, x, tol=tolerance(name, x, two))
            with report.case(dtype, "constant left"):
                check(constant_left, y, tol=tolerance(name, two, y))


@pytest.mark.parametrize(
    "operator", [o for o in OPERATORS if o[0] not in "<>=!" or o in ("<<", ">>")]
)
def test_augmented_operator_changes_the_argument(operator: str) -> None:
    name = OPERATORS[operator]
    f = make(f"def f(x, y):\n    x {operator}= y")
    g = make(f"def g(x):\n    x {operator}= 2\n    return x")
    with Report(f"x {operator}= y") as report:
        for dtype in ("bool", "int16", "uint8", "int64", "float32", "float64", "complex64"):
            x, y = operands(name, ((3, 6), (6,)), (dtype, dtype))
            with report.case(dtype, "array"):
                check(f, x, y, tol=tolerance(name, x, y))
            with report.case(dtype, "constant"):
                check(g, x, tol=tolerance(name, x, np.full((), 2, np.result_type(x, 2))))
        for left, right in (
            ("float32", "float64"),
            ("int64", "float64"),
            ("int8", "int64"),
            ("uint8", "int8"),
        ):
            x, y = operands(name, ((9,), (9,)), (left, right))
            with report.case(left, operator, right):
                check(f, x, y, tol=tolerance(name, x, y))


@pytest.mark.parametrize("exponent", ["2", "3", "0", "1", "-1", "0.5", "-2.0", "2.0", "-0.5"])
def test_power_with_a_constant_exponent(exponent: str) -> None:
    f = make(f"def f(x):\n    return x ** {exponent}")
    with Report(f"x ** {exponent}") as report:
        for dtype in (
            "int8",
            "int64",
            "uint16",
            "float16",
            "float32",
            "float64",
            "complex64",
            "complex128",
        ):
            x = filled((40,), dtype)
            power = np.full((), float(exponent), np.result_type(x, eval(exponent)))
            with report.case(dtype):
                check(f, x, tol=tolerance("power", x, power))


@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize(
    "name", ["add", "subtract", "multiply", "divide", "equal", "less", "maximum"]
)
def test_binary_ufunc_of_complex_infinities_nans_and_zeros(name: str, dtype: str) -> None:
    parts = [0.0, -0.0, 1.0, -2.0, math.inf, -math.inf, math.nan]
    x = np.array([complex(a, b) for a in parts for b in parts], dtype)
    check(functions[name], x[:, None], x, tol=tolerance(name, x[:, None], x))


@pytest.mark.parametrize("name", [n for n, full_name in aliases().items() if full_name in BINARY])
def test_alias_of_a_binary_ufunc(name: str) -> None:
    f = make(f"def f(x, y):\n    return np.{name}(x, y)")
    full_name = aliases()[name]
    x, y = operands(full_name, ((9,), (9,)), ("int64", "int64"))
    check(f, x, y, tol=tolerance(full_name, x, y))
