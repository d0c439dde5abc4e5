"""Functions of whole arrays that run-time functions compute: quantiles, np.histogram, np.cov and
np.corrcoef, to the last bit (src/runtime/select.cpp, centre_rows.cpp).
"""

from __future__ import annotations

import os
import warnings
from typing import Any

import numpy as np
import pytest
from shapecast import jit
from support.compare import assert_same_value, make, run
from support.ulp import Tolerance, exact

METHODS = (
    "inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf",
    "hazen", "weibull", "linear", "median_unbiased", "normal_unbiased", "lower", "higher",
    "midpoint", "nearest",
)  # fmt: skip
SHARES: list[Any] = [
    0, 1, 0.5, 0.3, np.float32(0.25), np.float64(0.9), np.int64(1), np.array(0.3),
    np.array([0.1, 0.9]), np.array([0, 1]), [0.2, 0.7], np.float16(0.4), -1.0, np.nan, 1.5,
]  # fmt: skip


# Compiled code has kernels of its own for products of up to 8 terms and of few rows in Fortran
# order. With AVX-512 they have the bits of OpenBLAS, without it not.
HAS_AVX512 = np._core._multiarray_umath.__cpu_features__.get("AVX512F", False)  # type: ignore[attr-defined]
OWN_KERNELS_ARE_EXACT = HAS_AVX512 and "OPENBLAS_CORETYPE" not in os.environ  # NumPy's has others


def as_own_kernels(got: np.ndarray, want: np.ndarray) -> str | None:
    """As `exact` where the processor has AVX-512; else each sum within 1e-13 of the largest."""
    if OWN_KERNELS_ARE_EXACT or got.dtype != want.dtype or got.shape != want.shape:
        return exact(got, want)
    bound = 1e-13 * float(np.nanmax(np.abs(want), initial=0.0))
    with np.errstate(invalid="ignore"):
        alike = np.allclose(got, want, 0, bound, equal_nan=True)
    return None if alike else exact(got, want)


def same(f: Any, g: Any, *arguments: Any, tolerance: Tolerance = exact) -> None:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        want = run(f, arguments, {})
    got = run(g, arguments, {})
    if want.error is not None:
        assert type(got.error) is type(want.error), (arguments, got, want)
    else:
        assert got.error is None, (arguments, got.error)
        assert_same_value(got.value, want.value, tolerance)


def lines(rng: np.random.Generator) -> list[np.ndarray]:
    made = [(rng.normal(size=n) * 9).astype(d) for n in (1, 2, 7, 100) for d in ("f4", "f8", "f2")]
    made += [rng.integers(0, 9, n).astype(d) for n in (0, 1, 5, 30) for d in ("i1", "u8", "i8")]
    made += [rng.normal(size=(3, 4)), rng.normal(size=(3, 4)).T, rng.normal(size=(6, 4))[::2]]
    return [*made, np.zeros(0), np.array([1, np.nan, 2.0]), np.full(2, np.nan)]


@pytest.mark.parametrize("name", ["quantile", "nanquantile", "percentile", "nanpercentile"])
def test_quantiles_have_numpys_bits(name: str, rng: np.random.Generator) -> None:
    f = make(f"def f(a, q):\n    return np.{name}(a, q)")
    g = jit(f)
    by = 100 if "percent" in name else 1
    for a in lines(rng):
        for q in SHARES:
            if a.size or not name.startswith("nan"):  # NumPy gives one NaN for any q of nothing
                same(f, g, a, q if by == 1 else np.multiply(q, by) if type(q) is list else q * by)


@pytest.mark.parametrize("name", ["quantile", "nanquantile"])
@pytest.mark.parametrize("method", METHODS)
def test_methods_of_quantiles_have_numpys_bits(
    method: str, name: str, rng: np.random.Generator
) -> None:
    f = make(f"def f(a, q):\n    return np.{name}(a, q, method={method!r})")
    g = jit(f)
    for a in (rng.normal(size=9), rng.normal(size=8).astype("f4"), rng.integers(0, 9, 7),
              np.array([3.0, np.nan, 1.0]), rng.normal(size=(3, 5))):  # fmt: skip
        for q in (0, 0.3, 1.0, np.array([0.2, 0.5]), np.float32(0.7)):
            same(f, g, a, q)


@pytest.mark.parametrize("keywords", ["", ", rowvar=False", ", bias=True"])
@pytest.mark.parametrize("name", ["cov", "corrcoef"])
@pytest.mark.parametrize("n", [1, 2, 3, 8, 17, 128, 200, 300])
def test_covariances_have_numpys_bits(
    n: int, name: str, keywords: str, rng: np.random.Generator
) -> None:
    if name == "corrcoef" and "bias" in keywords:
        keywords = ", x[::-1]"
    f = make(f"def f(x):\n    return np.{name}(x{keywords})")
    g = jit(f)
    for rows in (1, 2, 5, 30):
        x = rng.normal(size=(rows, n))
        for y in (x, x.astype("f4"), (x * 9).astype(int), np.asfortranarray(x), x[:, ::-1], x[0]):
            before = y.copy()
            terms = len(y) if "rowvar" in keywords else y.shape[-1]
            own = terms <= 8 or y.flags.f_contiguous
            same(f, g, y, tolerance=as_own_kernels if own else exact)
            np.testing.assert_array_equal(y, before)


@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "i4", "u1", "?"])
def test_histograms_have_numpys_bits(dtype: str, rng: np.random.Generator) -> None:
    f = make("def f(x, n):\n    return np.histogram(x, bins=n)")
    g = jit(f)
    for n in (0, 1, 2, 15, 16, 17, 33, 1000):
        x = (rng.normal(size=2 * n) * 20).astype(dtype)
        for y in (x, x[::2], x[::-1]):
            same(f, g, y, 7)
    for special in (np.nan, np.inf, -np.inf):
        for k in (0, 3, 16, 29):
            if dtype[0] == "f":
                x = np.arange(30.0).astype(dtype)
                x[k] = special
                same(f, g, x, 5)
