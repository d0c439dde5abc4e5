"""np.pad in all its modes."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import implements
from .primitives import assume_at_least
from .quantiles import median

NOTHING = ...  # an argument that was not passed

MODES = (
    "constant", "edge", "linear_ramp", "maximum", "mean", "median", "minimum", "reflect",
    "symmetric", "wrap", "empty",
)  # fmt: skip


def pairs_of(given: Any, rank: Any) -> Any:
    """(before, after) for each axis, from a number, a pair, or pairs."""
    if given is None:
        return tuple([(None, None) for _ in range(rank)])
    if not isinstance(given, (tuple, list)):
        if np.ndim(given) == 0:
            return tuple([(given, given) for _ in range(rank)])
        if np.ndim(given) == 1:
            if len(given) == 1:
                return tuple([(given[0], given[0]) for _ in range(rank)])
            return tuple([(given[0], given[1]) for _ in range(rank)])
        return tuple([(given[k, 0], given[k, 1]) for k in range(rank)])
    if len(given) == 1:
        return pairs_of_one(given[0], rank)
    if isinstance(given[0], (tuple, list)):
        if len(given) != rank:
            raise ValueError(
                "operands could not be broadcast together with remapped shapes "
                f"[original->remapped]: ({len(given)},2)  and requested shape ({rank},2)"
            )
        return tuple([(one[0], one[-1]) for one in given])
    if len(given) != 2:
        raise ValueError(
            "operands could not be broadcast together with remapped shapes "
            f"[original->remapped]: ({len(given)},)  and requested shape ({rank},2)"
        )
    return tuple([(given[0], given[1]) for _ in range(rank)])


def pairs_of_one(one: Any, rank: Any) -> Any:
    if isinstance(one, (tuple, list)):
        return tuple([(one[0], one[-1]) for _ in range(rank)])
    return tuple([(one, one) for _ in range(rank)])


def check_widths(widths: Any) -> Any:
    for before, after in widths:
        if not (isinstance(before, (int, np.integer)) and isinstance(after, (int, np.integer))):
            raise TypeError("`pad_width` must be of integral type.")
        if before < 0 or after < 0:
            raise ValueError("index can't contain negative values")


def check_given(mode: Any, name: Any, value: Any, modes: Any) -> Any:
    if value is not NOTHING and mode not in modes:
        raise ValueError(f"unsupported keyword arguments for mode '{mode}': " + "{'" + name + "'}")


def rounded(value: Any, dtype: Any) -> Any:
    """A statistic as the array stores it."""
    if np.issubdtype(dtype, np.integer):
        return np.round(value).astype(dtype)
    return value.astype(dtype)


def statistic(part: Any, mode: Any) -> Any:
    """Of the first axis."""
    if mode == "maximum":
        return np.max(part, axis=0)
    if mode == "minimum":
        return np.min(part, axis=0)
    if mode == "mean":
        return np.mean(part, axis=0)
    return median(part, 0)


def fill_statistics(rows: Any, before: Any, size: Any, mode: Any, lengths: Any) -> Any:
    left = size if lengths[0] is None else min(int(lengths[0]), size)
    right = size if lengths[1] is None else min(int(lengths[1]), size)
    if (left == 0 or right == 0) and mode in ("maximum", "minimum"):
        raise ValueError("stat_length of 0 yields no value for padding")
    end = before + size
    first = rounded(np.asarray(statistic(rows[before : before + left], mode)), rows.dtype)
    last = rounded(np.asarray(statistic(rows[end - right : end], mode)), rows.dtype)
    rows[:before] = first
    rows[end:] = last


def fill_mirrored(rows: Any, before: Any, size: Any, after: Any, inner: Any, odd: Any) -> Any:
    """'reflect' (the edge occurs once, `inner` 1) and 'symmetric' (twice, 0)."""
    if size == 1 and inner == 1:
        rows[:before] = rows[before]
        rows[before + 1 :] = rows[before]
        return
    left = before
    end = before + size
    total = before + size + after
    while left > 0 or end < total:
        # As many whole periods as fit of what is stored already.
        if inner == 1:
            chunk = (end - left - 1) // (size - 1) * (size - 1)
        else:
            chunk = (end - left) // size * size
        if left > 0:
            count = min(chunk, left)
            for k in range(count):
                source = rows[left + inner + k]
                if odd:
                    rows[left - 1 - k] = 2 * rows[left] - source
                else:
                    rows[left - 1 - k] = source
            left -= count
        if end < total:
            count = min(chunk, total - end)
            edge = end - 1
            for k in range(count):
                source = rows[edge - inner - k]
                if odd:
                    rows[end + k] = 2 * rows[edge] - source
                else:
                    rows[end + k] = source
            end += count


def fill_ramp(rows: Any, before: Any, size: Any, after: Any, ends: Any) -> Any:
    """From the edge to the end value in equal steps."""
    end = before + size
    first = np.array(rows[before]).astype(np.float64)
    last = np.array(rows[end - 1]).astype(np.float64)
    for k in range(before):
        rows[k] = ramp_at(k, ends[0], first, before, rows.dtype)
    for k in range(after):
        rows[end + after - 1 - k] = ramp_at(k, ends[1], last, after, rows.dtype)


def ramp_at(k: Any, start: Any, stop: Any, count: Any, dtype: Any) -> Any:
    """The k-th value, with np.linspace's rounding, for arrays of stops."""
    delta = stop - start
    step = delta / count
    if (step == 0).any():
        return whole(k / count * delta + start, dtype)
    return whole(k * step + start, dtype)


def whole(value: Any, dtype: Any) -> Any:
    if np.issubdtype(dtype, np.integer):
        return np.floor(value).astype(dtype)
    return value.astype(dtype)


def fill_axis(
    rows: Any, before: Any, size: Any, after: Any, mode: Any, values: Any, ends: Any,
    lengths: Any, odd: Any,
) -> Any:  # fmt: skip
    """Fills the borders along the first axis."""
    if mode == "constant":
        rows[:before] = values[0]
        rows[before + size :] = values[1]
    elif mode == "edge":
        rows[:before] = rows[before]
        rows[before + size :] = rows[before + size - 1]
    elif mode == "linear_ramp":
        fill_ramp(rows, before, size, after, ends)
    elif mode == "reflect":
        fill_mirrored(rows, before, size, after, 1, odd)
    elif mode == "symmetric":
        fill_mirrored(rows, before, size, after, 0, odd)
    elif mode == "wrap":
        for k in range(before):
            rows[before - 1 - k] = rows[before + size - 1 - k % size]
        for k in range(after):
            rows[before + size + k] = rows[before + k % size]
    elif mode != "empty":
        fill_statistics(rows, before, size, mode, lengths)


@implements("numpy.pad")
def pad(
    array: Any,
    pad_width: Any,
    mode: Any = "constant",
    *,
    constant_values: Any = NOTHING,
    end_values: Any = NOTHING,
    stat_length: Any = NOTHING,
    reflect_type: Any = NOTHING,
) -> Any:
    a = np.asarray(array)
    widths = pairs_of(pad_width, a.ndim)
    check_widths(widths)
    if mode not in MODES:
        raise ValueError(f"mode '{mode}' is not supported")
    check_given(mode, "constant_values", constant_values, ("constant",))
    check_given(mode, "end_values", end_values, ("linear_ramp",))
    check_given(mode, "stat_length", stat_length, ("maximum", "mean", "median", "minimum"))
    check_given(mode, "reflect_type", reflect_type, ("reflect", "symmetric"))
    values = pairs_of(0 if constant_values is NOTHING else constant_values, a.ndim)
    ends = pairs_of(0 if end_values is NOTHING else end_values, a.ndim)
    lengths = pairs_of(None if stat_length is NOTHING else stat_length, a.ndim)
    odd = False if reflect_type is NOTHING else reflect_type == "odd"
    axes = tuple(range(a.ndim))
    shape = tuple([a.shape[k] + int(widths[k][0]) + int(widths[k][1]) for k in axes])
    padded = np.empty_like(a, order="A", shape=shape)
    inside = tuple([slice(int(widths[k][0]), int(widths[k][0]) + a.shape[k]) for k in axes])
    padded[inside] = a
    for k in axes:
        before = int(widths[k][0])
        after = int(widths[k][1])
        size = a.shape[k]
        if mode == "constant":
            assume_at_least(size, before + after)  # so windows of the result have an interior
        if mode not in ("constant", "empty") and size == 0 and before + after > 0:
            raise ValueError(
                f"can't extend empty axis {k} using modes other than 'constant' or 'empty'"
            )
        # The padding of earlier axes is padded too, that of later axes is not there yet.
        region = padded[(slice(None),) * (k + 1) + inside[k + 1 :]]
        if size > 0 or mode == "constant":
            rows = np.moveaxis(region, k, 0)
            fill_axis(rows, before, size, after, mode, values[k], ends[k], lengths[k], odd)
    return padded
