"""Counting, and sums in a given order, of arrays on a device: kernels of src/kernels."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import primitives


def beside(a: Any, b: Any) -> Any:
    """The array `b`, on the device of `a`."""
    if primitives.is_on_device(a) and not primitives.is_on_device(b):
        moved = np.empty_like(a, b.dtype, shape=b.shape)
        moved[...] = b
        return moved
    return b


def zeros_beside(a: Any, size: Any, dtype: Any) -> Any:
    return np.zeros_like(a, dtype, shape=(size,))


def counts_of(bins: Any, size: Any) -> Any:
    """How often each of range(size) is among the integers of a line."""
    counts = zeros_beside(bins, size, np.intp)
    primitives.fill("device_count_bins", (counts,), (bins,))
    return counts


def add_in_order(sums: Any, bins: Any, weights: Any) -> None:
    """sums[bin] += weight, one after the other. What is no bin is skipped."""
    order = primitives.argsort(bins, True)
    bins = bins.astype(np.int64, copy=False)
    primitives.fill("device_at_add", (sums,), (bins, order, beside(bins, weights)))


def uniform_counts(numbers: Any, edges: Any) -> Any:
    """The count of numbers in each bin, between equidistant edges of the same dtype."""
    counts = zeros_beside(numbers, len(edges) - 1, np.intp)
    primitives.fill("device_count_numbers", (counts,), (numbers, beside(numbers, edges)))
    return counts


def bins_between(numbers: Any, edges: Any) -> Any:
    """The bin of each number: the number of bins where it is in none."""
    edges = beside(numbers, edges)
    last = len(edges) - 2
    bins = np.minimum(np.searchsorted(edges, numbers, "right") - 1, last)
    inside = (numbers >= edges[:1]) & (numbers <= edges[-1:])
    return np.where(inside, bins, last + 1)


def kernel_of_at(ufunc: Any, a: Any, b: Any) -> Any:
    """Which kernel does ufunc.at of arrays of these dtypes, and the dtype that it has b in; None:
    the host does it."""
    work = np.result_type(a, b)
    wraps = np.issubdtype(a, np.integer) and np.issubdtype(work, np.integer)
    is_wide = a == np.float32 and work == np.float64
    if np.issubdtype(work, np.inexact) and (work == a or is_wide):
        if ufunc is np.add:
            return "add", work
        if ufunc is np.subtract:
            return "subtract", work
        if ufunc is np.multiply:
            return "multiply", work
    if wraps:
        if ufunc is np.add:
            return "add", a
        if ufunc is np.subtract:
            return "subtract", a
        if ufunc is np.multiply:
            return "multiply", a
        if ufunc is np.bitwise_and:
            return "bitwise_and", a
        if ufunc is np.bitwise_or:
            return "bitwise_or", a
        if ufunc is np.bitwise_xor:
            return "bitwise_xor", a
    if (work == a and a != np.bool_) or is_wide:
        if ufunc is np.maximum:
            return "maximum", work
        if ufunc is np.minimum:
            return "minimum", work
    return None, None


def places_of(a: Any, indices: Any) -> Any:
    """The numbers of the rows of `a` that index arrays mean, which were checked before."""
    first = beside(a, np.asarray(indices[0]).astype(np.int64))
    places = np.where(first < 0, first + a.shape[0], first)
    for k, index in enumerate(indices[1:]):
        more = beside(a, np.asarray(index).astype(np.int64))
        size = a.shape[k + 1]
        places = places * size + np.where(more < 0, more + size, more)
    return places


def at(kernel: Any, dtype: Any, a: Any, indices: Any, b: Any) -> None:
    """ufunc.at, where indices are as many as the first axes of `a`."""
    found = places_of(a, indices)
    places = np.ravel(found)
    rows = np.empty_like(a, dtype, shape=found.shape + a.shape[len(indices) :])
    rows[...] = b  # a copy, so that it may overlap what is stored
    line = rows.reshape(places.shape + a.shape[len(indices) :])
    if np.issubdtype(dtype, np.integer) and dtype.itemsize >= 4 and kernel in ("add", "subtract"):
        primitives.fill(
            "device_sum_at", (a,), (places, np.negative(line) if kernel == "subtract" else line)
        )
    else:
        order = primitives.argsort(places, True)
        primitives.fill("device_at_" + kernel, (a,), (places, order, line))
