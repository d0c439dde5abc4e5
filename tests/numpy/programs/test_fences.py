"""Nothing beyond an array is read or written: arrays that end, or begin, beside an inaccessible
page, for all code that works on several elements at once.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
import shapecast
from shapecast import jit
from support.fences import both_fenced

from bench.kernels import KERNELS

SIZES = [1, 3, 7, 8, 15, 16, 17, 31, 33, 64, 100]


def call(f: Any, arguments: list[Any]) -> None:
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        f(*arguments)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", sorted(KERNELS))
def test_bench_kernels_access_nothing_out_of_bounds(name: str, threads: int) -> None:
    kernel = KERNELS[name]
    f = jit(kernel.plain)
    with shapecast.num_threads(threads):
        for n in (5, 8, 13, 16, 33, 37):
            for dtype in kernel.dtypes:
                try:
                    given = kernel.make(n, dtype)
                except (ValueError, IndexError, ZeroDivisionError):
                    continue  # too small for its arguments
                for arguments in both_fenced(*given):
                    try:
                        call(f, arguments)
                    except (ValueError, IndexError, ZeroDivisionError):
                        pass  # too small for the kernel


def selects(x, indices, mask):
    return x[indices], x[mask], x[mask].sum(), np.take(x, indices), np.nonzero(mask)[0]


def searches(x, indices):
    s = np.sort(x)
    return np.searchsorted(s, x), np.interp(x, s, x), np.digitize(x, s), s[indices]


def scans(x):
    return np.cumsum(x), np.maximum.accumulate(x), np.minimum.accumulate(x[::-1]), np.diff(x)


def truths(x, rows):
    return (x > 0.5).any(), (x > -1.0).all(), (rows > 0.5).any(axis=1), (rows > 2).all(axis=0)


def tables(table, x):
    return table[x], np.bincount(x), np.argsort(x), np.unique(x)


def of_one_axis(x, y, n):
    return x.sum(), x.max(), x.argmin(), np.dot(x, y), (x * y).mean(), np.exp(x) + n


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int32, np.int16, np.uint8])
def test_library_kernels_access_nothing_out_of_bounds(n: int, dtype: Any, rng) -> None:
    x = (rng.random(n) * 20).astype(dtype)
    indices = rng.integers(-n, n, n)
    for arguments in both_fenced(x, indices, rng.random(n) < 0.4):
        call(jit(selects), arguments)
    for arguments in both_fenced(x, indices):
        call(jit(searches), arguments)
    for arguments in both_fenced(x):
        call(jit(scans), arguments)
    for arguments in both_fenced(x, x.reshape(1, -1).repeat(3, axis=0)):
        call(jit(truths), arguments)
    for arguments in both_fenced(x, x[::-1].copy(), 3):
        call(jit(of_one_axis), arguments)
    for arguments in both_fenced(
        np.arange(256).astype(dtype), (rng.random(n) * 20).astype(np.uint8)
    ):
        call(jit(tables), arguments)
