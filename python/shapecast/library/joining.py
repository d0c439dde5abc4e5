"""Splitting and joining arrays, inserting and deleting."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import implements
from ._shared import axis_of, ranked
from .primitives import items_of, same_size, unsupported, windows


def along(axis: Any, key: Any) -> Any:
    """An index with `key` for one axis, and all elements of those before it."""
    return (slice(None),) * axis + (key,)


def cut(a: Any, axis: Any, bounds: Any) -> Any:
    """The slices between the bounds, as views."""
    return [a[along(axis, slice(bounds[k], bounds[k + 1]))] for k in range(len(bounds) - 1)]


def is_number(value: Any) -> Any:
    return isinstance(value, (int, np.integer))


def bounds_of(indices: Any) -> Any:
    """The bounds of the slices of a split at indices."""
    bounds = items_of(indices, "a number of parts")
    for bound in bounds:
        if not is_number(bound):
            raise TypeError("slice indices must be integers or None or have an __index__ method")
    return (0,) + bounds + (None,)


@implements("numpy.array_split")
def array_split(ary: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    a = np.asarray(ary)
    if axis >= a.ndim or axis < -a.ndim:
        raise IndexError("tuple index out of range")
    axis = axis_of(axis, a.ndim)
    if not is_number(indices_or_sections):
        return cut(a, axis, bounds_of(indices_or_sections))
    if indices_or_sections <= 0:
        raise ValueError("number sections must be larger than 0.")
    each = a.shape[axis] // indices_or_sections
    longer = a.shape[axis] % indices_or_sections
    bounds = [k * each + min(k, longer) for k in range(indices_or_sections + 1)]
    return cut(a, axis, bounds)


@implements("numpy.split")
def split(ary: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    a = np.asarray(ary)
    if axis >= a.ndim or axis < -a.ndim:
        raise IndexError("tuple index out of range")
    axis = axis_of(axis, a.ndim)
    if not is_number(indices_or_sections):
        return cut(a, axis, bounds_of(indices_or_sections))
    if a.shape[axis] % indices_or_sections != 0:
        raise ValueError("array split does not result in an equal division")
    each = a.shape[axis] // indices_or_sections
    return cut(a, axis, [k * each for k in range(indices_or_sections + 1)])


@implements("numpy.hsplit")
def hsplit(ary: Any, indices_or_sections: Any) -> Any:
    if np.ndim(ary) == 0:
        raise ValueError("hsplit only works on arrays of 1 or more dimensions")
    return split(ary, indices_or_sections, 1 if np.ndim(ary) > 1 else 0)


@implements("numpy.vsplit")
def vsplit(ary: Any, indices_or_sections: Any) -> Any:
    if np.ndim(ary) < 2:
        raise ValueError("vsplit only works on arrays of 2 or more dimensions")
    return split(ary, indices_or_sections, 0)


@implements("numpy.dsplit")
def dsplit(ary: Any, indices_or_sections: Any) -> Any:
    if np.ndim(ary) < 3:
        raise ValueError("dsplit only works on arrays of 3 or more dimensions")
    return split(ary, indices_or_sections, 2)


def known_size(size: Any, most: Any) -> Any:
    """A size as a constant, up to a limit."""
    found = -1
    for k in tuple(range(most + 1)):
        if found < 0 and same_size(size, k):
            found = k
    if found < 0:
        unsupported("a tuple of more arrays than 16, or of a number computed in the function")
    return found


@implements("numpy.unstack")
def unstack(x: Any, /, *, axis: Any = 0) -> Any:
    x = np.asarray(x)
    if x.ndim == 0:
        raise ValueError("Input array must be at least 1-d.")
    rows = np.moveaxis(x, axis, 0)
    return tuple([rows[k] for k in range(known_size(len(rows), 16))])


#                                                                                 joining sequences


def rows_as_tuple(arrays: Any) -> Any:
    """The rows of an array, where a function wants a sequence of arrays."""
    if isinstance(arrays, (tuple, list)):
        return arrays
    if arrays.ndim == 0:
        raise TypeError("iteration over a 0-d array")
    return tuple([arrays[k, ...] for k in range(known_size(len(arrays), 16))])


@implements("numpy.concatenate", "numpy.concat")
def concatenate(arrays: Any, /, axis: Any = 0) -> Any:
    if isinstance(arrays, (tuple, list)):
        return np.concatenate(arrays, axis=axis)
    arrays = np.asarray(arrays)
    if arrays.ndim == 1:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    if axis is None:
        return np.ravel(arrays).copy()
    axis = axis_of(axis, arrays.ndim - 1)
    moved = np.moveaxis(arrays, 0, axis)
    sizes = moved.shape[:axis] + (moved.shape[axis] * moved.shape[axis + 1],)
    return np.array(moved).reshape(sizes + moved.shape[axis + 2 :])


@implements("numpy.vstack", "numpy.row_stack")
def vstack(tup: Any) -> Any:
    if isinstance(tup, (tuple, list)):
        return np.vstack(tup)
    if tup.ndim == 1:
        return np.array(tup[:, None])
    return concatenate(tup if tup.ndim > 2 else tup[:, None], 0)


@implements("numpy.hstack")
def hstack(tup: Any) -> Any:
    if isinstance(tup, (tuple, list)):
        return np.hstack(tup)
    if tup.ndim == 1:
        return np.array(tup)
    return concatenate(tup, 0 if tup.ndim == 2 else 1)


@implements("numpy.stack")
def stack(arrays: Any, axis: Any = 0) -> Any:
    if isinstance(arrays, (tuple, list)):
        return np.stack(arrays, axis)
    return np.array(np.moveaxis(arrays, 0, axis_of(axis, arrays.ndim)))


@implements("numpy.column_stack")
def column_stack(tup: Any) -> Any:
    if isinstance(tup, (tuple, list)):
        return np.column_stack(tup)
    if tup.ndim < 3:
        return np.array(tup.reshape((len(tup), -1)).T)
    return concatenate(tup, 1)


@implements("numpy.dstack")
def dstack(tup: Any) -> Any:
    return np.dstack(rows_as_tuple(tup))


#                                                                                              block


def depth_of(arrays: Any) -> Any:
    """The nesting depth of lists."""
    if not isinstance(arrays, list):
        return 0
    if len(arrays) == 0:
        raise ValueError("List at arrays cannot be empty")
    return depth_of_first(arrays[0])


def depth_of_first(one: Any) -> Any:
    if not isinstance(one, list):
        return 1
    if not isinstance(one[0], list):
        return 2
    if not isinstance(one[0][0], list):
        return 3
    return 4


def deepest_rank(arrays: Any) -> Any:
    if not isinstance(arrays, list):
        return np.ndim(arrays)
    rank = 0
    for one in tuple(arrays):
        if not isinstance(one, list):
            rank = max(rank, np.ndim(one))
        else:
            for two in tuple(one):
                if not isinstance(two, list):
                    rank = max(rank, np.ndim(two))
                else:
                    for three in tuple(two):
                        rank = max(rank, np.ndim(three))
    return rank


@implements("numpy.block")
def block(arrays: Any) -> Any:
    if isinstance(arrays, tuple):
        raise TypeError(
            "arrays is a tuple. Only lists can be used to arrange blocks, and np.block does "
            "not allow implicit conversion from tuple to ndarray."
        )
    depth = depth_of(arrays)
    rank = max(deepest_rank(arrays), depth)
    if depth == 0:
        return np.array(arrays)
    if depth == 1:
        return np.concatenate([ranked(a, rank) for a in arrays], axis=-1)
    if depth == 2:
        rows = [np.concatenate([ranked(a, rank) for a in row], axis=-1) for row in arrays]
        return np.concatenate(rows, axis=-2)
    if depth == 3:
        planes = [
            np.concatenate(
                [np.concatenate([ranked(a, rank) for a in row], axis=-1) for row in plane],
                axis=-2,
            )
            for plane in arrays
        ]
        return np.concatenate(planes, axis=-3)
    return unsupported("np.block of lists in more than three levels is not compiled yet")


#                                                                             inserting and deleting


def flat_axis(a: Any, axis: Any) -> Any:
    """The array and the axis that np.insert, np.delete and np.append work on."""
    if axis is None:
        return np.ravel(a), 0
    return a, axis_of(axis, a.ndim)


def index_within(index: Any, size: Any, axis: Any) -> Any:
    if index < -size or index > size:
        raise IndexError(f"index {index} is out of bounds for axis {axis} with size {size}")
    return index + size if index < 0 else index


def values_in(dtype: Any, values: Any) -> Any:
    """Arrays are cast unsafely; each Python number must fit the dtype."""
    return values.astype(dtype) if isinstance(values, np.ndarray) else np.array(values, dtype)


def insert_at(a: Any, index: Any, values: Any, axis: Any, single: Any) -> Any:
    """Inserts all the values at one index."""
    n = a.shape[axis]
    index = index_within(index, n, axis)
    values = values_in(a.dtype, values)
    values = values.reshape((1,) * (a.ndim - values.ndim) + values.shape)
    if single:
        values = np.moveaxis(values, 0, axis)
    more = values.shape[axis]
    new = np.empty_like(a, order="A", shape=a.shape[:axis] + (n + more,) + a.shape[axis + 1 :])
    new[along(axis, slice(None, index))] = a[along(axis, slice(None, index))]
    new[along(axis, slice(index, index + more))] = values
    new[along(axis, slice(index + more, None))] = a[along(axis, slice(index, None))]
    return new


@implements("numpy.insert")
def insert(arr: Any, obj: Any, values: Any, axis: Any = None) -> Any:
    a, axis = flat_axis(np.asarray(arr), axis)
    n = a.shape[axis]
    if isinstance(obj, slice):
        unsupported("np.insert at a slice is not compiled yet; give it an array of indices")
    indices = np.asarray(obj)
    if indices.dtype == np.bool_:
        unsupported("np.insert at a mask is not compiled yet; give it an array of indices")
    if indices.ndim > 1:
        raise ValueError("index array argument obj to insert must be one dimensional or scalar")
    if indices.ndim == 0:
        return insert_at(a, int(indices), values, axis, True)
    if same_size(len(indices), 1):
        return insert_at(a, int(indices[0]), values, axis, False)
    count = len(indices)
    rows = np.moveaxis(a, axis, 0)
    new = np.empty_like(a, order="A", shape=a.shape[:axis] + (n + count,) + a.shape[axis + 1 :])
    given = values_in(a.dtype, values)
    given = np.broadcast_to(given, a.shape[:axis] + (count,) + a.shape[axis + 1 :])
    target = np.moveaxis(new, axis, 0)
    sources = np.moveaxis(given, axis, 0)
    taken = np.full(n + count, -1)
    for k in range(count):
        index = int(indices[k])
        if index < 0:
            index += n
        before = 0
        for j in range(count):  # those inserted before it
            other = int(indices[j])
            other = other + n if other < 0 else other
            if other < index or (other == index and j < k):
                before += 1
        if index + before < 0 or index + before >= n + count:
            raise IndexError(
                f"index {index + before} is out of bounds for axis 0 with size {n + count}"
            )
        taken[index + before] = k
    old = 0
    for k in range(n + count):
        if taken[k] >= 0:
            target[k] = sources[int(taken[k])]
        else:
            target[k] = rows[old]
            old += 1
    return new


def delete_at(a: Any, index: Any, axis: Any) -> Any:
    n = a.shape[axis]
    if index < -n or index >= n:
        raise IndexError(f"index {index} is out of bounds for axis {axis} with size {n}")
    index = index + n if index < 0 else index
    new = np.empty_like(a, order="A", shape=a.shape[:axis] + (n - 1,) + a.shape[axis + 1 :])
    new[along(axis, slice(None, index))] = a[along(axis, slice(None, index))]
    new[along(axis, slice(index, None))] = a[along(axis, slice(index + 1, None))]
    return new


def without(a: Any, deleted: Any, axis: Any) -> Any:
    """The elements along the axis where the mask `deleted` is False."""
    kept = len(deleted) - np.count_nonzero(deleted)
    shape = a.shape[:axis] + (kept,) + a.shape[axis + 1 :]
    # In the memory order that NumPy's indexing gives.
    new = np.empty(shape, a.dtype, "F" if a.ndim == 2 and axis == 1 else "C")
    target = np.moveaxis(new, axis, 0)
    rows = np.moveaxis(a, axis, 0)
    index = 0
    for k in range(len(deleted)):
        if not deleted[k]:
            target[index] = rows[k]
            index += 1
    return new


@implements("numpy.delete")
def delete(arr: Any, obj: Any, axis: Any = None) -> Any:
    a, axis = flat_axis(np.asarray(arr), axis)
    n = a.shape[axis]
    if isinstance(obj, (int, np.integer)):
        return delete_at(a, int(obj), axis)
    deleted = np.zeros(n, np.bool_)
    if isinstance(obj, slice):
        deleted[obj] = True
        return without(a, deleted, axis)
    indices = np.asarray(obj)
    if indices.dtype == np.bool_:
        if indices.shape != (n,):
            raise ValueError(
                "boolean array argument obj to delete must be one dimensional and match the "
                f"axis length of {n}"
            )
        return without(a, indices, axis)
    if isinstance(obj, (list, tuple)) and len(obj) == 0:
        return np.array(a)
    if not np.issubdtype(indices.dtype, np.integer):
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    for one in np.ravel(indices):
        index = int(one)
        if index < -n or index >= n:
            raise IndexError(f"index {index} is out of bounds for axis 0 with size {n}")
        deleted[index] = True
    return without(a, deleted, axis)


@implements("numpy.resize")
def resize(a: Any, new_shape: Any) -> Any:
    shape = (new_shape,) if is_number(new_shape) else tuple(new_shape)
    for size in shape:
        if size < 0:
            raise ValueError("all elements of `new_shape` must be non-negative")
    flat = np.ravel(np.asarray(a))
    total = math.prod(shape)
    n = len(flat)
    out = np.zeros(total, flat.dtype)
    if n > 0:
        for first in range(0, total, n):
            count = min(n, total - first)
            out[first : first + count] = flat[:count]
    return out.reshape(shape)


@implements("numpy.repeat")
def repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    """With one repeat count for each element."""
    a = np.asarray(a)
    counts = np.asarray(repeats)
    if not np.can_cast(counts.dtype, np.intp):
        raise TypeError(
            f"Cannot cast array data from dtype('{counts.dtype.name}') to dtype('int64') "
            "according to the rule 'safe'"
        )
    if axis is None:
        a = np.ravel(a)
        axis = 0
    axis = axis_of(axis, a.ndim)
    if counts.ndim > 1:
        raise ValueError("object too deep for desired array")
    n = a.shape[axis]
    counts = np.atleast_1d(counts)
    if len(counts) != n and len(counts) != 1:
        raise ValueError(
            f"operands could not be broadcast together with shape ({n},) ({len(counts)},)"
        )
    one = len(counts) == 1
    if not one and (counts < 0).any():
        raise ValueError("repeats may not contain negative values.")
    total = int(counts[0]) * n if one else int(counts.sum())
    new = np.empty(a.shape[:axis] + (total,) + a.shape[axis + 1 :], a.dtype)
    target = np.moveaxis(new, axis, 0)
    rows = np.moveaxis(a, axis, 0)
    index = 0
    for k in range(n):
        count = int(counts[0 if one else k])
        target[index : index + count] = rows[k]
        index += count
    return new


@implements("numpy.lib.stride_tricks.sliding_window_view")
def sliding_window_view(
    x: Any,
    window_shape: Any,
    axis: Any = None,
    *,
    subok: Any = False,
    writeable: Any = False,
) -> Any:
    x = np.asarray(x)
    sizes = (window_shape,) if is_number(window_shape) else tuple(window_shape)
    for size in sizes:
        if size < 0:
            raise ValueError("`window_shape` cannot contain negative values")
    if axis is None:
        axes = tuple(range(x.ndim))
        if len(sizes) != len(axes):
            raise ValueError(
                "Since axis is `None`, must provide window_shape for all dimensions of `x`; "
                f"got {len(sizes)} window_shape elements and `x.ndim` is {x.ndim}."
            )
    else:
        axes = np.lib.array_utils.normalize_axis_tuple(axis, x.ndim, "axis", True)
        if len(sizes) != len(axes):
            raise ValueError(
                "Must provide matching length window_shape and axis; "
                f"got {len(sizes)} window_shape elements and {len(axes)} axes elements."
            )
    if writeable:
        shape, strides = x.shape, x.strides
        for k in tuple(range(len(axes))):
            i = axes[k]
            if shape[i] < sizes[k]:
                raise ValueError("window shape cannot be larger than input array shape")
            shape = shape[:i] + (shape[i] - sizes[k] + 1,) + shape[i + 1 :] + (sizes[k],)
            strides = (*strides, strides[i])
        return np.lib.stride_tricks.as_strided(x, shape, strides)
    for k in tuple(range(len(axes))):
        x = windows(x, axes[k], sizes[k])
    return x


@implements("numpy.matrix_transpose", "numpy.linalg.matrix_transpose")
def matrix_transpose(x: Any, /) -> Any:
    x = np.asarray(x)
    if x.ndim < 2:
        raise ValueError(f"Input array must be at least 2-dimensional, but it is {x.ndim}")
    return np.swapaxes(x, -1, -2)
