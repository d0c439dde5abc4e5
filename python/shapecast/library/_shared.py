"""What several functions of the library start or end with."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def axis_of(axis: Any, ndim: Any) -> Any:
    """One axis, counted from 0; AxisError where there is none."""
    return np.lib.array_utils.normalize_axis_index(axis, ndim)


def axes_of(axis: Any, ndim: Any) -> Any:
    """The axes of a reduction, as a tuple counted from 0."""
    if axis is None:
        return tuple(range(ndim))
    return np.lib.array_utils.normalize_axis_tuple(axis, ndim)


def ranked(a: Any, rank: Any) -> Any:
    """An array of so many axes: those in front are new, of size 1."""
    a = np.asarray(a)
    return a.reshape((1,) * (rank - a.ndim) + a.shape)


def sum_dtype(dtype: Any) -> Any:
    """The accumulator dtype of sums and products: small integers are widened."""
    if np.issubdtype(dtype, np.unsignedinteger):
        return np.dtype(np.uint64)
    if np.issubdtype(dtype, np.integer) or dtype == np.bool_:
        return np.dtype(np.int64)
    return np.dtype(dtype)


def stored(out: Any, result: Any) -> Any:
    """The result, or `out` with the result stored, if given."""
    if out is None:
        return result
    np.copyto(out, result, casting="same_kind")
    return out


def last_axes(a: Any, axes: Any) -> Any:
    """The array with these axes merged into one, the last."""
    kept = tuple(i for i in range(a.ndim) if i not in axes)
    moved = a.transpose(kept + axes)
    sizes = tuple(a.shape[i] for i in kept)
    return moved.reshape(sizes + (math.prod([a.shape[i] for i in axes]),))


def kept_axes(result: Any, shape: Any, axes: Any) -> Any:
    """A reduction's result as keepdims=True gives it."""
    sizes = tuple(1 if i in axes else shape[i] for i in range(len(shape)))
    return np.reshape(result, sizes)


def float_dtype(dtype: Any) -> Any:
    """The dtype in which numbers of that dtype are divided."""
    if np.issubdtype(dtype, np.inexact):
        return np.dtype(dtype)
    return np.dtype(np.float64)


def pool(items: Any) -> Any:
    """A sequence that can be indexed."""
    return items if isinstance(items, (tuple, list, range, np.ndarray)) else [i for i in items]
