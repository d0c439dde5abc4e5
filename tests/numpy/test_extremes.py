"""min, max, argmin and argmax of one array, which np-nests computes in one pass."""

from __future__ import annotations

import numpy as np
import pytest
from shapecast import jit
from support.arrays import DTYPES, LAYOUTS, lay_out
from support.compare import Report, check, make
from support.ulp import exact

FORMS = [
    "x.min(), x.max(), x.argmax()",
    "x.argmin(), x.argmax()",
    "x.argmax(), x.max()",
    "x.argmax(), x.argmin(), x.argmax(), x.min()",
    "np.max(x), np.argmin(x), x.sum()",
    "x[1:].max(), x.argmax(), x[1:].argmax()",
]
ALONG_AXES = [
    "x.max(axis=1), x.argmax(axis=1)",
    "x.argmin(axis=-1), x.argmax(axis=-1), x.min(axis=-1)",
    "x.max(axis=0), x.argmax(axis=0)",
    "x.argmin(axis=0), x.argmax(axis=1)",
]
functions = {form: make(f"def f(x):\n    return {form}") for form in (*FORMS, *ALONG_AXES)}


def ties(shape: tuple[int, ...], dtype: str, seed: int) -> np.ndarray:
    """Few different values, so that the first of many equal ones must be found."""
    rng = np.random.default_rng(seed)
    return rng.integers(0, 9, shape).astype(dtype)


def same_but_zero_sign(got: np.ndarray, want: np.ndarray) -> str | None:
    return exact(got + 0, want + 0)


def is_fused(form: str, x: np.ndarray) -> bool:
    return jit(functions[form]).stages(x)["reuse"].count("np.nest [") == 1


@pytest.mark.parametrize("form", FORMS)
def test_extremes_and_their_indices_of_whole_arrays(form: str) -> None:
    with Report(form) as report:
        for number, dtype in enumerate(DTYPES):
            for n in (2, 3, 17, 64, 65, 255, 256, 257, 700, 3000):
                layout = LAYOUTS[(number + n) % len(LAYOUTS)]
                for laid in ("c", layout):
                    x = lay_out(ties((n,), dtype, n), laid)
                    with report.case(dtype, n, laid):
                        check(functions[form], x, tol=same_but_zero_sign)


@pytest.mark.parametrize("form", ALONG_AXES)
def test_extremes_and_their_indices_along_axes(form: str) -> None:
    with Report(form) as report:
        for number, dtype in enumerate(DTYPES):
            for shape in ((1, 1), (3, 5), (7, 64), (4, 300), (300, 2)):
                for layout in ("c", LAYOUTS[number % len(LAYOUTS)], LAYOUTS[number // 2]):
                    x = lay_out(ties(shape, dtype, number), layout)
                    with report.case(dtype, *shape, layout):
                        check(functions[form], x, tol=same_but_zero_sign)


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_nan_is_the_minimum_and_the_maximum(dtype: str) -> None:
    """The index is that of the first NaN; the blocks after it need not be read."""
    for form in FORMS:
        for n, positions in (
            (5, (0,)),
            (5, (4,)),
            (700, (300, 301)),
            (700, (699,)),
            (2000, (0, 1500)),
        ):
            x = ties((n,), dtype, 3)
            x[list(positions)] = np.nan
            check(functions[form], x, tol=exact)


def test_zeros_infinities_and_extreme_integers() -> None:
    for values in ([0.0, -0.0, 0.0], [-np.inf, np.inf, -np.inf], [np.inf] * 3, [-np.inf] * 600):
        for form in FORMS:
            check(functions[form], np.array(values), tol=same_but_zero_sign)
    for dtype in ("int8", "uint8", "int64", "uint64"):
        limits = np.iinfo(dtype)
        for values in ([limits.min] * 300, [limits.max] * 300, [limits.max, limits.min] * 150):
            for form in FORMS:
                check(functions[form], np.array(values, dtype), tol=exact)


def test_empty_arrays_raise() -> None:
    for form in (*FORMS, *ALONG_AXES):
        check(functions[form], np.empty((0, 3) if "axis" in form else 0))


def test_extremes_and_their_indices_take_one_pass() -> None:
    """Of contiguous rows; along columns two passes are faster."""
    x = ties((600,), "float64", 1)
    assert all(is_fused(form, x) for form in FORMS[:4])
    rows = ties((6, 100), "float64", 1)
    assert is_fused(ALONG_AXES[0], rows)
    assert is_fused(ALONG_AXES[1], rows)
    assert not is_fused(ALONG_AXES[2], rows)
    assert not is_fused(ALONG_AXES[0], np.asfortranarray(rows))
    assert not is_fused(FORMS[0], x.astype(complex))


def test_stores_between_the_reductions_are_observed() -> None:
    f = make("def f(x):\n    top = x.max()\n    x[3] = 100.0\n    return top, x.argmax(), x.min()")
    check(f, ties((50,), "float64", 2), tol=exact)
    g = make("def f(x, out):\n    out[:] = x.argmax(axis=1)\n    return x.max(axis=1), out")
    check(g, ties((5, 60), "float32", 2), np.zeros(5, np.int64), tol=exact)
