"""Sums of products and order statistics, which run-time functions compute."""

from __future__ import annotations

import numpy as np
import pytest
from support.compare import check, make

DTYPES = ["?", "u1", "i2", "i4", "u8", "i8", "f2", "f4", "f8", "c8", "c16"]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["convolve", "correlate"])
def test_sums_of_products_are_numpys(name: str, dtype: str) -> None:
    f = make(f"def f(a, v, mode):\n    return np.{name}(a, v, mode)")
    for n in (1, 2, 7, 8, 9, 17, 30):
        for m in (1, 3, 8, 20):
            # Small integers: every order of the sums gives the same.
            a, v = (np.arange(n) % 5 - 1).astype(dtype), (np.arange(m) % 4 - 1).astype(dtype)
            for mode in ("full", "same", "valid"):
                check(f, a, v, mode)
                check(f, np.repeat(a, 2)[::2], v[::-1], mode)


def test_half_precision_is_rounded_at_the_end() -> None:
    f = make("def f(a, v):\n    return np.convolve(a, v), np.correlate(a, v, 'same')")
    rng = np.random.default_rng(1)
    check(f, (rng.random(40) * 10).astype("f2"), (rng.random(9) - 0.5).astype("f2"))


@pytest.mark.parametrize("dtype", ["?", "u1", "i2", "u4", "i8", "f2", "f4", "f8"])
def test_order_statistics_are_numpys(dtype: str) -> None:
    f = make("def f(a):\n    return np.median(a), np.median(a, axis=0), np.nanmedian(a, axis=1)")
    g = make(
        "def f(a):\n    return np.percentile(a, 30), np.quantile(a, [0.1, 0.5, 1.0], axis=1), "
        "np.percentile(a, 50, method='nearest')"
    )
    rng = np.random.default_rng(2)
    for shape in ((1, 1), (2, 3), (5, 8), (30, 7)):
        a = (rng.random(shape) * 20 - 5).astype(dtype)
        check(f, a)
        if dtype != "?":
            check(g, a)
        if np.dtype(dtype).kind == "f":
            for value in (np.nan, -np.nan, np.inf, -0.0):
                a.flat[a.size // 2] = value
                check(f, a)
                check(g, a)


@pytest.mark.filterwarnings("ignore")
def test_order_statistics_of_empty_arrays() -> None:
    check(make("def f(a):\n    return np.median(a), np.nanmedian(a)"), np.empty(0))
