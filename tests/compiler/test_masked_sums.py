"""np-masked-sums: x[mask].sum() has NumPy's bits, without storing x[mask]."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from shapecast import jit
from support.compare import check
from support.fences import both_fenced

SIZES = [0, 1, 7, 8, 9, 127, 128, 129, 255, 256, 257, 1000, 5000, 100_003]


def total(x, mask):
    return x[mask].sum()


def above(x, low):
    return x[x > low].sum(), x[x < -low].mean()


def of_sizes(x, low):
    kept = x[x > low]
    return kept.sum(), len(kept)


def by_rows(x, mask):
    sums = np.zeros(len(x), x.dtype)
    for i in range(len(x)):
        sums[i] = x[i][mask[i]].sum()
    return sums


def also_kept(x, mask):
    kept = x[mask]
    return kept.sum(), kept


def changed_between(x, mask):
    kept = x[mask]
    x[:] = 0
    mask[:] = False
    return kept.sum()


def numbers(shape: Any, dtype: str) -> np.ndarray:
    return np.random.default_rng(7).standard_normal(shape).astype(dtype)


def masks(shape: Any) -> list[np.ndarray]:
    rng = np.random.default_rng(8)
    return [np.zeros(shape, bool), np.ones(shape, bool)] + [
        rng.random(shape) < part for part in (0.01, 0.5, 0.95)
    ]


def is_fused(f: Callable[..., Any], *arguments: Any) -> bool:
    return "masked_sum_float" in str(jit(f).stages(*arguments)["masked-sums"])


@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("n", SIZES)
def test_masked_sums_of_any_size(n: int, dtype: str) -> None:
    x = numbers(n, dtype)
    for mask in masks(n):
        check(total, x, mask)
    check(above, x, 0.5)
    check(of_sizes, x, 0.25)
    assert is_fused(total, x, x > 0)


@pytest.mark.parametrize("dtype", ["f2", "i4", "u1", "c16", "?"])
def test_masked_sums_of_other_dtypes(dtype: str) -> None:
    for mask in masks(1000):
        check(total, (numbers(1000, "f8") * 100).astype(dtype), mask)


def test_masked_sums_of_any_layout() -> None:
    x = numbers((60, 90), "f8")
    for mask in masks((60, 90)):
        check(total, x, mask)
        check(total, x.T, mask.T)
        check(total, x[::2, ::-3], mask[::2, ::-3])
        check(total, x[:, :50], np.ascontiguousarray(mask[:, :50]))
        check(by_rows, x, mask)
        check(total, x, mask[:, 0])
    assert is_fused(total, x, x > 0)


def test_masked_sums_of_special_values() -> None:
    for value in (-0.0, np.inf, np.nan, 1e308, 5e-324):
        x = np.full(300, value)
        for mask in masks(300):
            check(total, x, mask)
    bytes_as_bools = np.random.default_rng(1).integers(0, 4, 5000).astype("u1").view("?")
    check(total, numbers(5000, "f8"), bytes_as_bools)


def test_x_of_mask_with_other_uses_is_stored() -> None:
    for mask in masks(500):
        check(also_kept, numbers(500, "f8"), mask)
        check(changed_between, numbers(500, "f8"), mask)


def test_nothing_beyond_the_array_is_read() -> None:
    f = jit(total)
    for n in (1, 8, 15, 16, 17, 130, 1000):
        for mask in masks(n):
            for x, m in both_fenced(numbers(n, "f8"), mask):
                assert f(x, m) == total(x, m)
            for x, m in both_fenced(numbers(n, "f4"), mask):
                assert f(x, m) == total(x, m)
