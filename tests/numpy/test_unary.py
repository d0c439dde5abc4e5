"""Every unary ufunc on every dtype it has a loop for, over shapes and layouts."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from support.arrays import COMPLEX, DTYPES, LAYOUTS, filled, lay_out
from support.compare import Report, check, make
from support.optable import UNARY, aliases, cases, loop, tolerance

SHAPES = [(67,), (5, 9), (3, 4, 5), (1,), (1, 7), (0,), (3, 0), (2, 1, 3, 2)]
COMBINATIONS = list(itertools.product(SHAPES, LAYOUTS))
CASES = cases(UNARY)

functions = {name: make(f"def {name}_of(x):\n    return np.{name}(x)") for name in UNARY}


@pytest.mark.parametrize(("name", "dtype"), [pytest.param(n, d, id=f"{n}-{d}") for n, d in CASES])
def test_unary_ufunc_matches_numpy(name: str, dtype: str, full: bool) -> None:
    number = CASES.index((name, dtype))
    # 39 is coprime to the number of combinations: over all ufuncs every one is used.
    picked = (
        COMBINATIONS
        if full
        else [COMBINATIONS[(number * 2 + k) * 39 % len(COMBINATIONS)] for k in range(2)]
    )
    with Report(f"np.{name} on {dtype}") as report:
        for shape, layout in [((131,), "c"), ((), "c"), *picked]:
            x = lay_out(filled(shape, dtype, seed=math.prod(shape)), layout)
            with report.case(dtype, list(shape), layout):
                check(functions[name], x, tol=tolerance(name, x))


def test_combinations_of_shape_and_layout_are_all_used() -> None:
    assert math.gcd(39, len(COMBINATIONS)) == 1


def special_complex(dtype: str) -> np.ndarray:
    parts = [0.0, -0.0, 1.0, -1.0, 0.5, 1e3, -1e3, math.inf, -math.inf, math.nan]
    grid = np.empty((len(parts), len(parts)), dtype)
    grid.real = np.array(parts)[:, None]
    grid.imag = np.array(parts)
    return grid


@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize("name", [n for n in UNARY if loop(n, "complex128")])
def test_unary_ufunc_of_complex_infinities_nans_and_zeros(name: str, dtype: str) -> None:
    x = special_complex(dtype)
    check(functions[name], x, tol=tolerance(name, x))


@pytest.mark.parametrize("name", [n for n, u in UNARY.items() if u.nout == 1])
def test_unary_ufunc_of_numpy_and_python_scalars(name: str) -> None:
    with Report(f"np.{name} on scalars") as report:
        for dtype in DTYPES:
            if loop(name, dtype) and np.dtype(dtype).kind in "bifc":
                for value in (np.dtype(dtype).type(1), np.dtype(dtype).type(0)):
                    with report.case(repr(value)):
                        check(functions[name], value, tol=tolerance(name, value))
        for value in (True, 3, -2, 0.75, -0.0, 0.5 - 2j):
            if (name == "sign" and isinstance(value, bool)) or not loop(name, type(value)):
                continue
            with report.case(repr(value)):
                check(functions[name], value, tol=tolerance(name, np.asarray(value)))


@pytest.mark.parametrize("name", [n for n, full_name in aliases().items() if full_name in UNARY])
def test_alias_of_a_unary_ufunc(name: str) -> None:
    f = make(f"def f(x):\n    return np.{name}(x)")
    x = filled((9,), "int64" if "bitwise" in name else "float64")
    check(f, x, tol=tolerance(aliases()[name], x))


def test_unary_operators_and_builtins() -> None:
    f = make("""
        def f(x, n):
            return -x, +x, abs(x), ~n, abs(n), -n
    """)
    for layout in LAYOUTS:
        check(
            f, lay_out(filled((4, 5), "float64"), layout), lay_out(filled((4, 5), "int32"), layout)
        )


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    "name", ["exp", "log", "sin", "cos", "tanh", "arctan", "expm1", "log1p", "cbrt"]
)
def test_math_function_gives_the_same_bits_at_every_index(name: str, dtype: str) -> None:
    """Vector lanes and the remainder of a loop must not differ, or results depend on an element's
    index.
    """
    from support.compare import jitted

    for value in (0.3, 1.7, 12.5):
        results = jitted(functions[name])(np.full(37, value, dtype))
        assert len({r.tobytes() for r in results}) == 1, f"np.{name} of {dtype} {value}"


@pytest.mark.parametrize("name", ["exp", "sin", "log1p", "arctan2", "cbrt"])
def test_math_function_gives_the_same_bits_beside_other_dtypes(name: str) -> None:
    """The dtypes of a loop decide how many lanes it has; no element's value may depend on it."""
    from support.compare import jitted

    value = np.linspace(0.1, 9.7, 150).astype(np.float32)
    operands = (value, value[::-1].copy()) if name == "arctan2" else (value,)
    results = jitted(make(bits_source(name, len(operands))))(
        *operands, np.zeros(150, np.int8), np.zeros(150), np.zeros(150, np.float32)
    )
    assert len({np.asarray(r, np.float32).tobytes() for r in results}) == 1


def bits_source(name: str, operands: int) -> str:
    x = ", ".join(f"x{k}" for k in range(operands))
    return f"""
        def f({x}, small, wide, same):
            alone = np.{name}({x})
            beside_small = (np.{name}({x}) + small).astype(np.float32)
            beside_wide = np.{name}({x}) + wide
            as_bytes = small.astype(np.float32) + np.{name}({x})
            return alone, beside_small, beside_wide, as_bytes, np.{name}({x}) + same
    """


def test_folded_expressions_are_numpys() -> None:
    """f(f(x)) is computed once where f is idempotent: the complex sign is not."""
    z = np.array([3 - 4j, 0j, complex("nan+1j"), complex("inf+infj")])
    x = np.array([-2.5, 0.5, -0.0, np.nan, -np.inf])
    for name in ("sign", "absolute", "positive", "rint"):
        check(make(f"def f(x):\n    return np.{name}(np.{name}(x))"), z)
    for name in ("sign", "absolute", "fabs", "floor", "ceil", "trunc", "rint", "positive"):
        check(make(f"def f(x):\n    return np.{name}(np.{name}(x))"), x)
