"""Counting into bins, and searching sorted arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _on_device, implements, primitives
from ._on_device import add_in_order, beside, bins_between, counts_of, zeros_beside
from .primitives import is_on_device

builtin_range = range  # a parameter of NumPy's has that name


def comes_before(a: Any, b: Any) -> Any:
    """a < b in NumPy's sort order: NaNs are last."""
    if np.issubdtype(b.dtype, np.inexact):
        return a < b or (b != b and a == a)
    return a < b


def lower_bound(a: Any, one: Any) -> Any:
    """The first index at which inserting `one` keeps the line sorted."""
    low = 0
    high = len(a)
    while low < high:
        middle = (low + high) // 2
        if comes_before(a[middle], one):
            low = middle + 1
        else:
            high = middle
    return low


def upper_bound(a: Any, one: Any) -> Any:
    """The last index at which inserting `one` keeps the line sorted."""
    low = 0
    high = len(a)
    while low < high:
        middle = (low + high) // 2
        if comes_before(one, a[middle]):
            high = middle
        else:
            low = middle + 1
    return low


@implements("numpy.searchsorted", "numpy.ndarray.searchsorted")
def searchsorted(a: Any, v: Any, side: Any = "left", sorter: Any = None) -> Any:
    a = np.asarray(a)
    if side not in ("left", "right"):
        raise ValueError(f"search side must be 'left' or 'right' (got '{side}')")
    if a.ndim != 1:
        raise ValueError("object too deep for desired array")
    common = np.result_type(a, v)
    v = np.asarray(v)
    if sorter is not None:
        sorter = np.asarray(sorter)
        if len(sorter) != len(a):
            raise ValueError("sorter.size must equal a.size")
        line = np.empty(len(a), common)
        for i in range(len(a)):
            k = int(sorter[i])
            if k < 0 or k >= len(a):
                raise ValueError("Sorter index out of range.")
            line[i] = a[k]
        a = line
    else:
        a = a.astype(common, copy=False)
    many = np.ravel(v).astype(common, copy=False)
    if is_on_device(many) or is_on_device(a):
        many = beside(a, many)
        indices = primitives.search_sorted(beside(many, a), many, side == "right")
        return indices.reshape(v.shape)[()]
    if common != np.float16 and not np.issubdtype(common, np.complexfloating):
        indices = primitives.search_sorted(np.ascontiguousarray(a), many, side == "right")
        return indices.reshape(v.shape)[()]
    found = np.empty(len(many), np.intp)
    for i in range(len(many)):
        found[i] = lower_bound(a, many[i]) if side == "left" else upper_bound(a, many[i])
    return found.reshape(v.shape)[()]


@implements("numpy.digitize")
def digitize(x: Any, bins: Any, right: Any = False) -> Any:
    x = np.asarray(x)
    bins = np.asarray(bins)
    if np.issubdtype(x.dtype, np.complexfloating):
        raise TypeError("x may not be complex")
    if bins.ndim != 1:
        raise ValueError("object of too small depth for desired array")
    side = "left" if right else "right"
    if (bins[1:] >= bins[:-1]).all():
        return searchsorted(bins, x, side)
    if np.issubdtype(bins.dtype, np.floating):
        # NaNs are neither: the first bins that differ decide, then none may be the other way.
        k = np.argmax(bins[1:] != bins[:-1])
        if bins[k] < bins[k + 1] and not (bins[1:] < bins[:-1]).any():
            return searchsorted(bins, x, side)
        if bins[k] < bins[k + 1] or (bins[1:] > bins[:-1]).any():
            raise ValueError("bins must be monotonically increasing or decreasing")
    elif not (bins[1:] <= bins[:-1]).all():
        raise ValueError("bins must be monotonically increasing or decreasing")
    return len(bins) - searchsorted(bins[::-1], x, side)


@implements("numpy.bincount")
def bincount(x: Any, /, weights: Any = None, minlength: Any = 0) -> Any:
    is_array = isinstance(x, np.ndarray)
    x = np.asarray(x)
    if x.size == 0 and not is_array:  # an empty list does not become a float array
        x = x.astype(np.intp)
    if x.ndim == 0:
        raise ValueError("object of too small depth for desired array")
    if x.ndim > 1:
        raise ValueError("object too deep for desired array")
    if x.dtype == np.uint64:  # the one dtype that NumPy casts although values may not fit
        x = x.astype(np.intp)
    if not np.can_cast(x.dtype, np.intp):
        raise TypeError(
            f"Cannot cast array data from dtype('{x.dtype.name}') to dtype('int64') "
            "according to the rule 'safe'"
        )
    if minlength < 0:
        raise ValueError("'minlength' must not be negative")
    size = 0
    if len(x) > 0:
        if np.issubdtype(x.dtype, np.signedinteger) and x.min() < 0:
            raise ValueError("'list' argument must have no negative elements")
        size = int(x.max()) + 1
    size = max(size, int(minlength))
    if weights is None:
        if is_on_device(x):
            return counts_of(x, size)
        counts = np.zeros(size, np.intp)
        for one in x:
            counts[int(one)] += 1
        return counts
    weights = np.asarray(weights)
    if not np.can_cast(weights.dtype, np.float64):
        raise TypeError(
            f"Cannot cast array data from dtype('{weights.dtype.name}') to dtype('float64') "
            "according to the rule 'safe'"
        )
    if weights.shape != x.shape:
        raise ValueError("The weights and list don't have the same length.")
    if is_on_device(x):
        sums = zeros_beside(x, size, np.float64)
        add_in_order(sums, x, weights.astype(np.float64))
        return sums
    counts = np.zeros(size, np.float64)
    for i in range(len(x)):
        counts[int(x[i])] += weights[i]
    return counts


def extremes_of(a: Any) -> Any:
    if is_on_device(a) or (a.dtype != np.float64 and a.dtype != np.float32):
        return a.min(), a.max()
    ends = np.empty(2, a.dtype)
    primitives.extremes(ends, a)
    return ends[0], ends[1]


def outer_edges(a: Any, range: Any) -> Any:
    """The outer edges, in the bins' dtype; moved apart where they are equal."""
    if range is not None:
        first, last = range
        first = first + 0.0
        last = last + 0.0
        if first > last:
            raise ValueError("max must be larger than min in range parameter.")
        if not (np.isfinite(first) and np.isfinite(last)):
            raise ValueError(f"supplied range of [{range[0]}, {range[1]}] is not finite")
    else:
        if not np.issubdtype(a.dtype, np.inexact):
            a = a.astype(np.float64)
        first = a.dtype.type(0)
        last = a.dtype.type(1)
        if a.size > 0:
            first, last = extremes_of(a)
            if not (np.isfinite(first) and np.isfinite(last)):
                raise ValueError(f"autodetected range of [{first}, {last}] is not finite")
    if first == last:
        first = first - 0.5
        last = last + 0.5
    return first, last


def width_of(a: Any, method: Any) -> Any:
    """The width of a bin by one of the estimators."""
    if method == "sqrt":
        return np.ptp(a) / np.sqrt(a.size)
    if method == "sturges":
        return np.ptp(a) / (np.log2(a.size) + 1.0)
    if method == "rice":
        return np.ptp(a) / (2.0 * a.size ** (1.0 / 3))
    if method == "scott":
        return (24.0 * np.pi**0.5 / a.size) ** (1.0 / 3.0) * np.std(a)
    if method == "fd":
        quarters = np.percentile(a, [75, 25])
        return 2.0 * (quarters[0] - quarters[1]) * a.size ** (-1.0 / 3.0)
    if method == "auto":
        wide = np.maximum(width_of(a, "fd"), width_of(a, "sqrt") / 2)
        return np.minimum(wide, width_of(a, "sturges"))
    raise ValueError(f"{method!r} is not a valid estimator for `bins`")


def between(a: Any, first: Any, last: Any) -> Any:
    kept = np.empty(np.count_nonzero((a >= first) & (a <= last)), a.dtype)
    index = 0
    for one in a:
        if one >= first and one <= last:
            kept[index] = one
            index += 1
    return kept


def estimated_bins(a: Any, method: Any, range: Any, weights: Any) -> Any:
    if weights is not None:
        raise TypeError(
            "Automated estimation of the number of bins is not supported for weighted data"
        )
    first, last = outer_edges(a, range)
    if range is not None:
        if is_on_device(a):
            a = a[(a >= first) & (a <= last)]
        else:
            a = between(a, first, last)
    if a.size == 0:
        return 1
    width = float(width_of(a, method))
    if width == 0:
        return 1
    if np.issubdtype(a.dtype, np.integer):
        width = max(width, 1.0)
    return int(np.ceil((last - first) / width))


def edges_of(a: Any, bins: Any, range: Any, weights: Any) -> Any:
    """The edges, and their number where all bins are of one width."""
    if isinstance(bins, str):
        count = estimated_bins(a, bins, range, weights)
    elif np.ndim(bins) == 1:
        edges = np.asarray(bins)
        if (edges[:-1] > edges[1:]).any():
            raise ValueError("`bins` must increase monotonically, when an array")
        return edges, None
    elif np.ndim(bins) != 0:
        raise ValueError("`bins` must be 1d, when an array")
    elif not isinstance(bins, (int, np.integer)):
        raise TypeError("`bins` must be an integer, a string, or an array")
    else:
        count = int(bins)
        if count < 1:
            raise ValueError("`bins` must be positive, when an integer")
    first, last = outer_edges(a, range)
    bin_type = np.result_type(first, last, a)
    edges = np.linspace(first, last, count + 1, endpoint=True, dtype=bin_type)
    if bin_type != np.float64 and range is None and a.size == 0:  # from Python's 0 and 1
        edges = np.linspace(0.0, 1.0, count + 1, endpoint=True, dtype=bin_type)
    if (edges[:-1] >= edges[1:]).any():
        raise ValueError(f"Too many bins for data range. Cannot create {count} finite-sized bins.")
    return edges, count


def uniform_bin(one: Any, edges: Any, count: Any) -> Any:
    """The bin of a number within the edges, corrected by one for rounding, as in NumPy."""
    share = (one - edges[0]) / (edges[-1] - edges[0])
    index = min(int(share * count), count - 1)
    if one < edges[index]:
        index -= 1
    if one >= edges[index + 1] and index != count - 1:
        index += 1
    return index


def count_uniform(a: Any, edges: Any, count: Any, weights: Any) -> Any:
    """The counts, or sums of weights, of bins of equal width."""
    if edges.dtype != np.float64 and edges.dtype != np.float32:
        bins = np.empty(len(a), np.intp)
        counts = np.zeros(count + 1, np.intp)
        for i in builtin_range(len(a)):
            one = a[i].astype(edges.dtype)
            inside = one >= edges[0] and one <= edges[-1]
            bins[i] = uniform_bin(one, edges, count) if inside else count
            counts[bins[i]] += 1
        return counts[:-1].copy() if weights is None else sums_in_blocks(bins, weights, count)
    numbers = a.astype(edges.dtype, copy=False)
    edges = beside(a, edges)
    if weights is None and is_on_device(a):
        return _on_device.uniform_counts(numbers, edges)
    if weights is None:
        counts = np.empty(count, np.intp)
        primitives.count_uniform(counts, numbers, edges)
        return counts
    return sums_in_blocks(primitives.uniform_bins(numbers, edges), weights, count)


def sums_in_blocks(bins: Any, weights: Any, count: Any) -> Any:
    """The weights in each bin, as NumPy adds them: in doubles, and blocks of them in the weights'
    dtype, unless that is complex."""
    is_complex = np.issubdtype(weights.dtype, np.complexfloating)
    wide = np.complex128 if is_complex else np.float64
    sums = np.zeros(count, weights.dtype)
    for start in builtin_range(0, len(bins), 65536):
        if is_on_device(bins):
            some = zeros_beside(bins, count + 1, wide)
            block = slice(start, start + 65536)
            add_in_order(some, bins[block], weights[block].astype(wide))
            more = some[:-1] if is_complex else some[:-1].astype(weights.dtype)
            sums[:] = sums + more
            continue
        some = np.zeros(count + 1, wide)
        for i in builtin_range(start, min(start + 65536, len(bins))):
            some[primitives.assume_in_range(bins[i], count + 1)] += weights[i]
        more = some[:-1] if is_complex else some[:-1].astype(weights.dtype)
        sums[:] = sums + more
    return sums


def between_edges(a: Any, edges: Any, weights: Any) -> Any:
    """The counts, or sums of weights, of bins between any edges."""
    dtype = np.dtype(np.intp) if weights is None else weights.dtype
    if is_on_device(a) and len(edges) > 1:
        bins = bins_between(a, edges)
        if weights is None:
            return counts_of(bins, len(edges) - 1)
        sums = zeros_beside(a, len(edges) - 1, dtype)
        add_in_order(sums, bins, weights)
        return sums
    counts = np.zeros(len(edges) - 1, dtype)
    for i in builtin_range(len(a) if len(edges) > 1 else 0):
        if a[i] >= edges[0] and a[i] <= edges[-1]:
            index = min(upper_bound(edges, a[i]) - 1, len(counts) - 1)
            counts[index] += 1 if weights is None else weights[i]
    return counts


def flat_input(a: Any, weights: Any) -> Any:
    a = np.asarray(a)
    if a.dtype == np.bool_:
        a = a.astype(np.uint8)
    if weights is not None:
        weights = np.asarray(weights)
        if weights.shape != a.shape:
            raise ValueError("weights should have the same shape as a.")
        weights = np.ravel(weights)
    return np.ravel(a), weights


@implements("numpy.histogram_bin_edges")
def histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Any:
    a, weights = flat_input(a, weights)
    return edges_of(a, bins, range, weights)[0]


@implements("numpy.histogram")
def histogram(
    a: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> Any:
    a, weights = flat_input(a, weights)
    edges, count = edges_of(a, bins, range, weights)
    if count is not None:
        counts = count_uniform(a, edges, count, weights)
    else:
        if weights is not None and weights.dtype == np.bool_ and len(a) > 0:
            raise TypeError(  # NumPy adds int64 counts in place to bools
                "Cannot cast ufunc 'add' output from dtype('int64') to dtype('bool') "
                "with casting rule 'same_kind'"
            )
        counts = between_edges(a, edges, weights)
    if density:
        return counts / np.diff(edges).astype(np.float64) / counts.sum(), edges
    return counts, edges


def bins_of_two(bins: Any) -> Any:
    """histogram2d's bins, as one entry for each axis."""
    if isinstance(bins, (tuple, list)) and len(bins) == 2:
        return bins
    return (bins, bins)


@implements("numpy.histogram2d")
def histogram2d(
    x: Any,
    y: Any,
    bins: Any = 10,
    range: Any = None,
    density: Any = None,
    weights: Any = None,
) -> Any:
    if len(x) != len(y):
        raise ValueError("x and y must have the same length.")
    x = np.asarray(x)
    y = np.asarray(y)
    two = bins_of_two(bins)
    ranges = (None, None) if range is None else range
    rows = axis_edges(x, two[0], ranges[0])
    columns = axis_edges(y, two[1], ranges[1])
    if is_on_device(x):
        counts = counts_of_two(x, y, rows, columns, weights)
    else:
        counts = loop_of_two(x, y, rows, columns, weights)
    if density:
        total = counts.sum()
        counts = counts / np.diff(rows)[:, None]
        counts = counts / np.diff(columns)
        counts /= total
    return counts, rows, columns


def counts_of_two(x: Any, y: Any, rows: Any, columns: Any, weights: Any) -> Any:
    """The counts on a device: of the bins numbered row by row."""
    height = len(rows) - 1
    width = len(columns) - 1
    row = bins_between(x, rows)
    column = bins_between(beside(x, y), columns)
    outside = (row == height) | (column == width)
    bins = np.where(outside, height * width, row * width + column)
    if weights is None:
        counts = counts_of(bins, height * width).astype(np.float64)
    else:
        counts = zeros_beside(x, height * width, np.float64)
        add_in_order(counts, bins, np.asarray(weights).astype(np.float64))
    return counts.reshape((height, width))


def loop_of_two(x: Any, y: Any, rows: Any, columns: Any, weights: Any) -> Any:
    counts = np.zeros((len(rows) - 1, len(columns) - 1))
    for i in builtin_range(len(x)):
        if x[i] >= rows[0] and x[i] <= rows[-1] and y[i] >= columns[0] and y[i] <= columns[-1]:
            row = min(upper_bound(rows, x[i]) - 1, len(rows) - 2)
            column = min(upper_bound(columns, y[i]) - 1, len(columns) - 2)
            counts[row, column] += 1.0 if weights is None else np.asarray(weights)[i]
    return counts


def axis_edges(a: Any, bins: Any, range: Any) -> Any:
    if np.ndim(bins) == 1:
        edges = np.asarray(bins)
        if (edges[:-1] > edges[1:]).any():
            raise ValueError("`bins[0]` must be monotonically increasing, when an array")
        return edges
    if bins < 1:
        raise ValueError("`bins[0]` must be positive, when an integer")
    first, last = outer_edges(a, range)
    return np.linspace(first, last, int(bins) + 1)
