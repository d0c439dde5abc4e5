"""Medians, quantiles and percentiles, with and without NaNs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import implements
from ._order import nth, without_nans
from ._shared import axes_of, float_dtype, kept_axes, last_axes, stored
from .primitives import holds_nan, is_on_device, sort, unsupported

METHODS = (
    "'inverted_cdf', 'averaged_inverted_cdf', 'closest_observation', "
    "'interpolated_inverted_cdf', 'hazen', 'weibull', 'linear', 'median_unbiased', "
    "'normal_unbiased', 'lower', 'higher', 'midpoint', 'nearest'"
)


def lines_of(a: Any, axes: Any) -> Any:
    """A fresh array of lines, each with the elements of one result."""
    gathered = last_axes(a, axes)
    fresh = np.empty((math.prod(gathered.shape[:-1]), gathered.shape[-1]), a.dtype)
    fresh.reshape(gathered.shape)[...] = gathered
    return fresh


def kept_shape(a: Any, axes: Any) -> Any:
    return tuple(a.shape[i] for i in range(a.ndim) if i not in axes)


def has_nan(line: Any) -> Any:
    return np.issubdtype(line.dtype, np.inexact) and holds_nan(line) == 1


def mean_of_two(low: Any, high: Any) -> Any:
    """The sum begins with 0.0, as NumPy's: two of -0.0 give 0.0."""
    if low.dtype == np.float16:
        total = np.float32(0) + np.float32(low) + np.float32(high)
        return (total / np.float32(2)).astype(np.float16)
    if np.issubdtype(low.dtype, np.inexact):
        return (low.dtype.type(0) + low + high) / low.dtype.type(2)
    return (np.float64(low) + np.float64(high)) / 2.0


def middle(line: Any) -> Any:
    """The median of a line without NaNs, which it reorders."""
    half = len(line) // 2
    high = nth(line, half)
    low = high
    if len(line) % 2 == 0:
        low = nth(line[:half], half - 1)
        return mean_of_two(low, high)
    return float_dtype(line.dtype).type(0) + float_dtype(line.dtype).type(high)


def medians_on_device(lines: Any, skip_nans: Any) -> Any:
    """Of all lines at once: kernels sort them, NaNs last, and take the middle."""
    work = float_dtype(lines.dtype)
    n = lines.shape[1]
    if n == 0:
        return np.full(len(lines), np.nan, work)
    sort(lines, False)
    if skip_nans:
        counts = (lines == lines).sum(axis=1)
        high = np.take_along_axis(lines, (np.minimum(counts // 2, n - 1))[:, None], 1)[:, 0]
        low = np.take_along_axis(lines, (np.maximum(counts - 1, 0) // 2)[:, None], 1)[:, 0]
        is_one = counts % 2 == 1
    else:
        high = lines[:, n // 2]
        low = lines[:, (n - 1) // 2]
        is_one = n % 2 == 1
    wide = np.float32 if work == np.float16 else work
    first = wide(0) + low.astype(wide)
    result = np.where(is_one, first, (first + high.astype(wide)) / wide(2)).astype(work)
    if not skip_nans and np.issubdtype(lines.dtype, np.inexact):
        last = lines[:, n - 1]
        result = np.where(last == last, result, last)
    return result


def medians(a: Any, axis: Any, out: Any, keepdims: Any, skip_nans: Any) -> Any:
    a = np.asarray(a)
    axes = axes_of(axis, a.ndim)
    lines = lines_of(a, axes)
    if is_on_device(lines):
        result = medians_on_device(lines, skip_nans)
    else:
        result = medians_of(lines, skip_nans)
    result = result.reshape(kept_shape(a, axes))[()]
    if keepdims:
        result = kept_axes(result, a.shape, axes)
    return stored(out, result)


def medians_of(lines: Any, skip_nans: Any) -> Any:
    result = np.empty(len(lines), float_dtype(lines.dtype))
    for i in range(len(lines)):
        line = lines[i]
        n = len(line)
        if skip_nans:
            n = without_nans(line)
            result[i] = np.nan
            if n > 0:
                result[i] = middle(line[:n])
        elif n == 0:
            result[i] = np.nan
        elif has_nan(line):
            result[i] = np.nan
        else:
            result[i] = middle(line)
    return result


@implements("numpy.median")
def median(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False, keepdims: Any = False
) -> Any:
    return medians(a, axis, out, keepdims, False)


@implements("numpy.nanmedian")
def nanmedian(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False, keepdims: Any = False
) -> Any:
    a = np.asarray(a)
    return medians(a, axis, out, keepdims, np.issubdtype(a.dtype, np.inexact))


def rounded_up(n: Any, q: Any, half: Any) -> Any:
    """The index for a discrete method: n q - 1 - half."""
    index = n * q - 1 - half
    before = np.floor(index)
    stays = index - before == 0
    if half != 0:
        stays = stays and before % 2 == 1
    return max(int(before if stays else before + 1), 0)


def virtual_index(n: Any, q: Any, alpha: Any, beta: Any) -> Any:
    return n * q + (alpha + q * (1 - alpha - beta)) - 1


def takes_one(method: Any, q: Any) -> Any:
    """The discrete methods, which give one of the values."""
    if method in ("inverted_cdf", "closest_observation", "lower", "higher", "nearest"):
        return True
    return method == "linear" and np.issubdtype(q.dtype, np.integer)


def place_of(n: Any, q: Any, method: Any) -> Any:
    if method == "inverted_cdf":
        return rounded_up(n, q, 0)
    if method == "closest_observation":
        return rounded_up(n, q, 0.5)
    if method == "lower":
        return int(np.floor((n - 1) * q))
    if method == "higher":
        return int(np.ceil((n - 1) * q))
    if method == "nearest":
        return int(np.round((n - 1) * q))
    return int((n - 1) * q)


def index_of(n: Any, q: Any, method: Any) -> Any:
    """The fractional index of the quantile."""
    if method == "linear":
        return (n - 1) * q
    if method == "averaged_inverted_cdf":
        return n * q - 1
    if method == "interpolated_inverted_cdf":
        return virtual_index(n, q, 0, 1)
    if method == "hazen":
        return virtual_index(n, q, 0.5, 0.5)
    if method == "weibull":
        return virtual_index(n, q, 0, 0)
    if method == "median_unbiased":
        return virtual_index(n, q, 1 / 3.0, 1 / 3.0)
    if method == "normal_unbiased":
        return virtual_index(n, q, 3 / 8.0, 3 / 8.0)
    if method == "midpoint":
        return 0.5 * (np.floor((n - 1) * q) + np.ceil((n - 1) * q))
    raise ValueError(f"{method!r} is not a valid method. Use one of: dict_keys([{METHODS}])")


def share_of(index: Any, before: Any, method: Any) -> Any:
    """The weight of the next value."""
    share = index - before
    if method == "averaged_inverted_cdf":
        return type(share)(0.5 if share == 0 else 1.0)
    if method == "midpoint":
        return type(share)(0.0 if index % 1 == 0 else 0.5)
    return share


def blended(low: Any, high: Any, share: Any) -> Any:
    """NumPy's interpolation, from the nearer end."""
    step = high - low
    return high - step * (1 - share) if share >= 0.5 else low + step * share


def quantile_of(line: Any, q: Any, method: Any, weak: Any, in_order: Any) -> Any:
    """One quantile of a line without NaNs, which it reorders."""
    n = len(line)
    if takes_one(method, q):
        discrete = place_of(n, q, method)
        return line[discrete] if in_order else nth(line, discrete)
    index = index_of(n, q, method)
    before = np.floor(index)
    first = int(before)
    after = first + 1
    if index >= n - 1:
        before = before * 0 - 1
        first = n - 1
        after = n - 1
    elif index < 0:
        before = before * 0
        first = 0
        after = 0
    share = share_of(index, before, method)
    low = line[first] if in_order else nth(line, first)
    high = low
    if after > first:
        high = line[after] if in_order else nth(line[after:], 0)
    if weak:
        return blended(low, high, float(share))
    return blended(low, high, share)


def quantile_dtype(a: Any, q: Any, method: Any, weak: Any) -> Any:
    if takes_one(method, q):
        return a.dtype
    if weak:
        return np.result_type(a.dtype, 0.0)
    return np.result_type(a.dtype, float_dtype(q.dtype))


def check_not_empty(dtype: Any, q: Any, method: Any) -> None:
    """Raises NumPy's exceptions for lines without elements."""
    looks_for_nan = np.issubdtype(dtype, np.inexact)  # NaNs are sorted last
    if not looks_for_nan and takes_one(method, q):
        raise IndexError("cannot do a non-empty take from an empty axes.")
    if not looks_for_nan and index_of(0, q[0], method) < 0:
        raise IndexError("index 0 is out of bounds for axis 0 with size 0")
    raise IndexError("index -1 is out of bounds for axis 0 with size 0")


def one_quantile(a: Any, q: Any, method: Any, weak: Any, skip_nans: Any) -> Any:
    """One quantile of all elements."""
    line = np.empty(max(a.size, 1), a.dtype)
    line[: a.size] = np.ravel(a)
    n = a.size
    if np.issubdtype(a.dtype, np.inexact):
        if skip_nans:
            n = without_nans(line[:n])
        if n == 0 or (not skip_nans and has_nan(line)):
            line[0] = np.nan
            n = 1
    return quantile_of(line[:n], q, method, weak, False)


def quantiles(
    a: Any, q: Any, axis: Any, out: Any, method: Any, keepdims: Any, weak: Any, skip_nans: Any
) -> Any:
    axes = axes_of(axis, a.ndim)
    many = np.ravel(q)
    n = math.prod([a.shape[i] for i in axes])
    if n == 0 and not skip_nans:
        check_not_empty(a.dtype, many, method)
    on_device = is_on_device(a)
    if q.ndim == 0 and len(axes) == a.ndim and not keepdims and not on_device:
        return stored(out, one_quantile(a, q[()], method, weak, skip_nans))
    lines = lines_of(a, axes)
    work = quantile_dtype(a, many, method, weak)
    if on_device and skip_nans:
        result = nanquantiles_on_device(lines, many, method, weak, work)
    elif on_device:
        result = quantiles_on_device(lines, many, method, weak, work)
    else:
        result = quantiles_of(lines, many, method, weak, skip_nans, work, q.ndim > 0)
    kept = kept_shape(a, axes)
    if keepdims:
        kept = tuple(1 if i in axes else a.shape[i] for i in range(a.ndim))
    return stored(out, result.reshape(q.shape + kept)[()])


def quantiles_on_device(lines: Any, many: Any, method: Any, weak: Any, work: Any) -> Any:
    """Of all lines at once, which kernels sort: NaNs last."""
    sort(lines, False)
    result = np.empty((len(many), len(lines)), work)
    for k in range(len(many)):
        result[k] = quantile_of(lines.T, many[k], method, weak, True)
    if np.issubdtype(lines.dtype, np.inexact):
        last = lines[:, lines.shape[1] - 1]
        result = np.where(last == last, result, work.type(np.nan))
    return result


def nanquantiles_on_device(lines: Any, many: Any, method: Any, weak: Any, work: Any) -> Any:
    """Of lines that kernels sort, NaNs last: a thread a line."""
    result = np.full((len(many), len(lines)), np.nan, work)
    if lines.shape[1] == 0:
        return result
    sort(lines, False)
    counts = (lines == lines).sum(axis=1)
    for k in range(len(many)):
        q = many[k]
        for i in range(len(lines)):
            n = int(counts[i])
            if n > 0:
                result[k, i] = quantile_of(lines[i, :n], q, method, weak, True)
    return result


def quantiles_of(
    lines: Any, many: Any, method: Any, weak: Any, skip_nans: Any, work: Any, has_many: Any
) -> Any:
    n = lines.shape[1]
    result = np.empty((len(many), len(lines)), work)
    sorts = has_many and len(many) > 6
    for i in range(len(lines)):
        line = lines[i]
        count = without_nans(line) if skip_nans else n
        if count == 0 or (not skip_nans and has_nan(line)):
            result[:, i] = np.nan if np.issubdtype(work, np.inexact) else 0
        elif sorts:
            line[:count] = np.sort(line[:count])
            for k in range(len(many)):
                result[k, i] = quantile_of(line[:count], many[k], method, weak, True)
        else:
            for k in range(len(many)):
                result[k, i] = quantile_of(line[:count], many[k], method, weak, False)
    return result


def checked_input(a: Any, weights: Any) -> Any:
    a = np.asarray(a)
    if np.issubdtype(a.dtype, np.complexfloating):
        raise TypeError("a must be an array of real numbers")
    if weights is not None:
        unsupported("weights= of quantiles is not compiled yet")
    return a


def checked_shares(q: Any, message: Any) -> Any:
    if q.ndim > 2:
        raise ValueError("q must be a scalar or 1d")
    if not ((q >= 0) & (q <= 1)).all():
        raise ValueError(message)
    return q


def is_weak(q: Any) -> Any:
    return type(q) is int or type(q) is float


@implements("numpy.quantile")
def quantile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = False,
    method: Any = "linear",
    keepdims: Any = False,
    *,
    weights: Any = None,
) -> Any:
    a = checked_input(a, weights)
    shares = checked_shares(np.asarray(q), "Quantiles must be in the range [0, 1]")
    return quantiles(a, shares, axis, out, method, keepdims, is_weak(q), False)


@implements("numpy.percentile")
def percentile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = False,
    method: Any = "linear",
    keepdims: Any = False,
    *,
    weights: Any = None,
) -> Any:
    a = checked_input(a, weights)
    shares = np.asarray(np.true_divide(np.asarray(q), 100))
    shares = checked_shares(shares, "Percentiles must be in the range [0, 100]")
    return quantiles(a, shares, axis, out, method, keepdims, is_weak(q), False)


@implements("numpy.nanquantile")
def nanquantile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = False,
    method: Any = "linear",
    keepdims: Any = False,
    *,
    weights: Any = None,
) -> Any:
    a = checked_input(a, weights)
    shares = checked_shares(np.asarray(q), "Quantiles must be in the range [0, 1]")
    skips = np.issubdtype(a.dtype, np.inexact)
    return quantiles(a, shares, axis, out, method, keepdims, is_weak(q), skips)


@implements("numpy.nanpercentile")
def nanpercentile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = False,
    method: Any = "linear",
    keepdims: Any = False,
    *,
    weights: Any = None,
) -> Any:
    a = checked_input(a, weights)
    shares = np.asarray(np.true_divide(np.asarray(q), 100))
    shares = checked_shares(shares, "Percentiles must be in the range [0, 100]")
    skips = np.issubdtype(a.dtype, np.inexact)
    return quantiles(a, shares, axis, out, method, keepdims, is_weak(q), skips)
