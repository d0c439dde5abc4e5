"""Masks, gathers and scatters; sorting."""

from __future__ import annotations

from functools import partial

import numpy as np

from bench.kernel import Kernel, none, uniform, vectors


def gather(x, places):
    return x[places] * 2.0 + x[places + 1]


def masked_update(x, low):
    y = x.copy()
    y[x > low] = 0.0
    return y, x[x < low].sum()


def compress(x, low):
    return x[(x > low) & (x < 1.5 * low)] * 2.0


def scatter_add(places, weights, bins):
    out = np.zeros(bins, weights.dtype)
    np.add.at(out, places, weights)
    return out


def sparse_product(starts, columns, values, x):
    out = np.zeros(len(starts) - 1, x.dtype)
    for row in range(len(starts) - 1):
        begin, end = starts[row], starts[row + 1]
        out[row] = (values[begin:end] * x[columns[begin:end]]).sum()
    return out


def largest(x, count):
    order = np.argsort(x)
    return x[order[-count:]]


def sort(x):
    return np.sort(x)


def sort_rows(x):
    return np.sort(x, axis=1)


def distinct(x):
    return np.unique(x)


def places_in(x, edges):
    return np.searchsorted(edges, x)


def merge_sort(a):
    n = a.shape[0]
    if n < 2:
        return a
    left, right = merge_sort(a[: n // 2]), merge_sort(a[n // 2 :])
    out = np.empty_like(a)
    i = j = 0
    for k in range(n):
        if j == right.shape[0] or (i < left.shape[0] and left[i] <= right[j]):
            out[k] = left[i]
            i += 1
        else:
            out[k] = right[j]
            j += 1
    return out


def insertion_sort(a):
    a = a.copy()
    for i in range(1, len(a)):
        value = a[i]
        j = i - 1
        while j >= 0 and a[j] > value:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = value
    return a


def _places(n, rng, dtype):
    return uniform(rng, n, dtype), rng.integers(0, n - 1, n)


def _weighted(n, rng, dtype):
    return rng.integers(0, 1000, n), uniform(rng, n, dtype), 1000


def _sparse(n, rng, dtype):
    starts = 12 * np.arange(n + 1)
    return starts, rng.integers(0, n, 12 * n), uniform(rng, 12 * n, dtype), uniform(rng, n, dtype)


def _edges(n, rng, dtype):
    return uniform(rng, n, dtype), np.sort(uniform(rng, 1000, dtype))


kernel = partial(Kernel, kind="indexing", tiny=100, flops=none)
sorting = partial(Kernel, kind="sorting", tiny=100, flops=none, items=none, tolerance=0.0)

KERNELS = [
    kernel("gather", plain=gather, arguments=_places, sizes=(2_000, 300_000, 16_000_000),
           items=lambda n: 3 * n, tolerance=0.0),
    kernel("masked update", plain=masked_update,
           arguments=lambda n, rng, dtype: (uniform(rng, n, dtype, 0, 1), 0.5),
           sizes=(4_000, 600_000, 24_000_000), items=lambda n: 2 * n),
    kernel("compress", plain=compress,
           arguments=lambda n, rng, dtype: (uniform(rng, n, dtype, 0, 1), 0.5),
           sizes=(4_000, 600_000, 32_000_000), items=lambda n: 1.25 * n, tolerance=0.0),
    kernel("scatter add", plain=scatter_add, arguments=_weighted,
           sizes=(2_000, 300_000, 16_000_000), items=lambda n: 2 * n),
    kernel("sparse product", plain=sparse_product, arguments=_sparse,
           sizes=(200, 20_000, 300_000), items=lambda n: 26 * n),
    sorting("largest by argsort", plain=largest,
            arguments=lambda n, rng, dtype: (uniform(rng, n, dtype, 0, 1), 10),
            sizes=(1_000, 300_000, 8_000_000)),
    sorting("sort", plain=sort, arguments=vectors(1), sizes=(1_000, 300_000, 16_000_000)),
    sorting("sort of rows", plain=sort_rows,
            arguments=lambda n, rng, dtype: (uniform(rng, (n, 32), dtype),),
            sizes=(30, 10_000, 500_000), tiny=8),
    sorting("unique", plain=distinct,
            arguments=lambda n, rng, dtype: (rng.integers(0, max(1, n // 2), n),),
            sizes=(1_000, 300_000, 8_000_000), dtypes=("int64",)),
    sorting("searchsorted", plain=places_in, arguments=_edges,
            sizes=(1_000, 300_000, 16_000_000)),
    sorting("merge sort", plain=merge_sort, arguments=vectors(1), sizes=(1_000, 100_000, 1_000_000),
            slow_numpy=True),
    sorting("insertion sort", plain=insertion_sort, arguments=vectors(1), sizes=(50, 1_000, 5_000),
            slow_numpy=True, tiny=30),
]  # fmt: skip
