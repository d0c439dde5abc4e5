"""Gathers, scatters and functions of indices."""

# mypy: disable-error-code="assignment,call-overload"
from __future__ import annotations

from typing import Any

import numpy as np

from .._host_info import does
from . import implements, primitives
from ._shared import axis_of

# NumPy 2.4 requires a safe cast of `out` to the array's dtype.
TAKE_CHECKS = not does(lambda: np.take(np.array([1]), [0], out=np.zeros(1)))


def _as_indices(indices: Any, rule: str) -> Any:
    """Index arrays; those converted from lists are cast: an empty list is not of floats."""
    array = np.asarray(indices)
    if not isinstance(indices, np.ndarray) or array.dtype.kind == "b":
        return array.astype(np.intp)
    unsafe = array.dtype == np.uint64 and rule == "safe"
    if array.dtype.kind == "f" or array.dtype.kind == "c" or unsafe:
        what = "scalar" if array.ndim == 0 else "array data"
        raise TypeError(
            f"Cannot cast {what} from {array.dtype!r} to dtype('int64') according to the "
            f"rule '{rule}'"
        )
    return array.astype(np.intp) if array.dtype == np.uint64 else array


def _check_safe(a: Any, dtype: Any, to: Any) -> None:
    if not np.can_cast(dtype, to, "safe"):
        what = "scalar" if a.ndim == 0 else "array data"
        raise TypeError(f"Cannot cast {what} from {dtype!r} to {to!r} according to the rule 'safe'")


def _values_for(a: Any, values: Any, *, forced: bool) -> Any:
    """In the dtype of the target: arrays must cast safely, others are converted."""
    if not isinstance(values, np.ndarray):
        return np.ravel(np.array(values, a.dtype))
    if not forced:
        _check_safe(values, values.dtype, a.dtype)
    return np.ravel(values).astype(a.dtype)


def _indices(indices: Any, size: int, mode: str) -> Any:
    """Index arrays wrapped or clipped by `mode`. A 0-d one stays an array: it gathers an element,
    and gives no view.
    """
    if mode == "wrap":  # a size may be beyond a narrow dtype
        return np.asarray(indices.astype(np.intp, copy=False) % size)
    if mode == "clip":
        return np.asarray(np.clip(indices.astype(np.intp, copy=False), 0, size - 1))
    if mode != "raise":
        raise ValueError("clipmode must be one of 'clip', 'raise', or 'wrap' (got '" + mode + "')")
    return indices


# ------------------------------------------------------------------------------------ take and put


@implements("numpy.take", "numpy.ndarray.take")
def take(a: Any, indices: Any, axis: Any = None, out: Any = None, mode: str = "raise") -> Any:
    a = np.asarray(a)
    indices = _as_indices(indices, "same_kind")
    if axis is None or a.ndim == 0:
        a = np.ravel(a)
        axis = 0
    axis = axis_of(axis, a.ndim)
    shape = a.shape[:axis] + indices.shape + a.shape[axis + 1 :]
    if out is not None:
        if out.shape != shape:
            raise ValueError("output array does not match result of ndarray.take")
        if TAKE_CHECKS:
            _check_safe(out, out.dtype, a.dtype)  # in this direction, as NumPy does
    unseen = 0 in a.shape[:axis]  # then NumPy checks no index
    if unseen or (a.shape[axis] == 0 and indices.size != 0):
        result = np.zeros(shape, a.dtype)
        if result.size != 0:
            raise IndexError("cannot do a non-empty take from an empty axes.")
        if mode == "raise" and not unseen:
            result = a[primitives.axis_key(axis, indices)]  # raises: no index is in bounds
    else:
        result = a[primitives.axis_key(axis, _indices(indices, a.shape[axis], mode))]
        if a.ndim == 2 and axis == 1:  # indexing gives F order for an F-order `a`
            result = np.ascontiguousarray(result)
    if out is None:
        return result
    out[...] = result
    return out


@implements("numpy.put", "numpy.ndarray.put")
def put(a: Any, ind: Any, v: Any, mode: str = "raise") -> Any:
    if isinstance(a, np.generic):
        a = np.array(a)  # NumPy stores to a copy, too
    if not isinstance(a, np.ndarray):
        raise TypeError(f"argument 1 must be numpy.ndarray, not {type(a)}")
    a = primitives.writeable(a, "put: output array is read-only")
    indices = np.ravel(_indices(_as_indices(ind, "safe"), a.size, mode)).copy()  # it may be `a`
    values = _values_for(a, v, forced=True)
    if a.size == 0 and len(indices) != 0:
        raise IndexError("cannot replace elements of an empty array")
    if len(values) == 0:
        return
    flat = a.reshape(-1) if primitives.is_contiguous(a) else np.ravel(a)
    k = 0
    for i in range(len(indices)):  # elements before an out-of-bounds index are stored
        flat[indices[i]] = values[k]
        k += 1
        if k == len(values):
            k = 0
    if not primitives.is_contiguous(a):
        a[...] = flat.reshape(a.shape)


@implements("numpy.place")
def place(arr: Any, mask: Any, vals: Any) -> Any:
    if not isinstance(arr, np.ndarray):
        raise TypeError(f"place() argument 1 must be numpy.ndarray, not {type(arr)}")
    values = _values_for(arr, vals, forced=False)
    wanted = np.asarray(mask).astype(np.bool_).reshape(arr.shape)
    count = np.count_nonzero(wanted)
    arr = primitives.writeable(arr, "WRITEBACKIFCOPY base is read-only")
    if count == 0:
        return
    if len(values) == 0:
        raise ValueError("Cannot insert from an empty array!")
    arr[wanted] = values[np.arange(count) % len(values)]


@implements("numpy.putmask")
def putmask(a: Any, mask: Any, values: Any) -> Any:
    if not isinstance(a, np.ndarray):
        raise TypeError("putmask: first argument must be an array")
    a = primitives.writeable(a, "putmask: output array is read-only")
    wanted = np.asarray(mask).astype(np.bool_)
    if wanted.size != a.size:
        raise ValueError("putmask: mask and data must be the same size")
    given = _values_for(a, values, forced=False)
    if len(given) == 0:
        return
    spread = given[np.arange(a.size) % len(given)].reshape(a.shape)
    a[wanted.reshape(a.shape)] = spread[wanted.reshape(a.shape)]


@implements("numpy.compress")
def compress(condition: Any, a: Any, axis: Any = None, out: Any = None) -> Any:
    a = np.asarray(a)
    condition = np.asarray(condition)
    if condition.ndim != 1:
        raise ValueError("condition must be a 1-d array")
    return np.take(a, np.flatnonzero(condition), axis, out)


@implements("numpy.ndarray.compress")
def _compress_method(a: Any, condition: Any, axis: Any = None, out: Any = None) -> Any:
    return np.compress(condition, a, axis, out)


@implements("numpy.extract")
def extract(condition: Any, arr: Any) -> Any:
    return np.take(np.ravel(np.asarray(arr)), np.flatnonzero(condition))


# ------------------------------------------------------------------------------- choose and select


@implements("numpy.choose")
def choose(a: Any, choices: Any, out: Any = None, mode: str = "raise") -> Any:
    which = _as_indices(np.asarray(a), "safe")
    count = len(choices)
    np.broadcast_shapes(*[np.shape(choice) for choice in choices], which.shape)
    if mode == "raise":
        if np.any((which < 0) | (which >= count)):
            raise ValueError("invalid entry in choice array")
    else:
        which = _indices(which, count, mode)
    result = np.asarray(choices[0])
    for k in range(1, count):
        result = np.where(which == k, choices[k], result)
    result = result + np.zeros(which.shape, result.dtype) if count == 1 else result
    if out is None:
        return result[()] if result.ndim == 0 else result
    out[...] = result
    return out


@implements("numpy.ndarray.choose")
def _choose_method(a: Any, choices: Any, out: Any = None, mode: str = "raise") -> Any:
    return np.choose(a, choices, out, mode)


@implements("numpy.select")
def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if len(condlist) == 0:
        raise ValueError("select with an empty condition list is not possible")
    dtype = np.result_type(*choicelist, default)
    wanted = np.broadcast_shapes(*[np.shape(condition) for condition in condlist])
    given = np.broadcast_shapes(*[np.shape(choice) for choice in choicelist], np.shape(default))
    np.broadcast_shapes(wanted, given)
    for k in range(len(condlist)):
        if np.asarray(condlist[k]).dtype.kind != "b":
            raise TypeError(f"invalid entry {k} in condlist: should be boolean ndarray")
    # Python's numbers are weak: the default as an int64 with uint64 would promote to float64.
    result = np.asarray(default).astype(dtype)
    for k in range(len(condlist) - 1, -1, -1):
        own = np.asarray(choicelist[k]).dtype  # a Python int with unsigned ones is not supported
        if not np.can_cast(own, dtype, "same_kind"):
            raise TypeError(
                f"Cannot cast array data from {own!r} to {dtype!r} according to the rule "
                "'same_kind'"
            )
        result = np.where(condlist[k], choicelist[k], result)
    return result


# ------------------------------------------------------------------------------------ along an axis


def _key_along(indices: Any, shape: Any, axis: int) -> Any:
    """`indices` along one axis, and all indices of the others."""
    key = ()
    for k in range(len(shape)):
        if k == axis:
            key += (indices,)
        else:
            every = np.arange(shape[k])
            key += (every.reshape((1,) * k + (-1,) + (1,) * (len(shape) - k - 1)),)
    return key


def _checked_along(a: Any, indices: Any, axis: Any) -> Any:
    axis = axis_of(axis, a.ndim)
    if indices.dtype.kind != "i" and indices.dtype.kind != "u":
        raise IndexError("`indices` must be an integer array")
    if a.ndim != indices.ndim:
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    return axis


@implements("numpy.take_along_axis")
def take_along_axis(arr: Any, indices: Any, axis: Any = -1) -> Any:
    if axis is None:
        if indices.ndim != 1:
            raise ValueError("when axis=None, `indices` must have a single dimension.")
        return np.ravel(arr)[indices]
    axis = _checked_along(arr, indices, axis)
    return arr[_key_along(indices, arr.shape, axis)]


@implements("numpy.put_along_axis")
def put_along_axis(arr: Any, indices: Any, values: Any, axis: Any) -> Any:
    if axis is None:
        if indices.ndim != 1:
            raise ValueError("when axis=None, `indices` must have a single dimension.")
        np.put(arr, indices, values)
    else:
        axis = _checked_along(arr, indices, axis)
        arr[_key_along(indices, arr.shape, axis)] = values


# ----------------------------------------------------------------------------- functions of indices


@implements("numpy.argwhere")
def argwhere(a: Any) -> Any:
    a = np.asarray(a)
    if a.ndim == 0:
        return np.zeros((int(bool(a)), 0), np.intp)
    return np.stack(np.nonzero(a), axis=1)


@implements("numpy.indices")
def indices(dimensions: Any, dtype: Any = int, sparse: bool = False) -> Any:
    dimensions = primitives.items_of(dimensions, "a shape")
    rank = len(dimensions)
    grids = ()
    for k in range(rank):
        line = np.arange(dimensions[k]).astype(dtype)
        grids += (line.reshape((1,) * k + (-1,) + (1,) * (rank - k - 1)),)
    if sparse:
        return grids
    result = np.empty((rank, *dimensions), dtype)
    for k in range(rank):
        result[k] = grids[k]
    return result


def _grid(line: Any, k: int, rank: int) -> Any:
    line = np.asarray(line)
    if line.ndim != 1:
        raise ValueError("Cross index must be 1 dimensional")
    if line.dtype.kind == "b":
        line = np.flatnonzero(line)
    elif line.dtype.kind == "f" and line.size == 0:
        line = line.astype(np.intp)
    return line.reshape((1,) * k + (-1,) + (1,) * (rank - k - 1))


@implements("numpy.ix_")
def ix_(*args: Any) -> Any:
    return tuple(_grid(args[k], k, len(args)) for k in range(len(args)))


@implements("numpy.tril_indices")
def tril_indices(n: int, k: int = 0, m: Any = None) -> Any:
    rows, columns = np.nonzero(np.tri(n, m, k=k, dtype=bool))
    return rows.copy(), columns.copy()


@implements("numpy.triu_indices")
def triu_indices(n: int, k: int = 0, m: Any = None) -> Any:
    rows, columns = np.nonzero(~np.tri(n, m, k=k - 1, dtype=bool))
    return rows.copy(), columns.copy()


@implements("numpy.tril_indices_from")
def tril_indices_from(arr: Any, k: int = 0) -> Any:
    if arr.ndim != 2:
        raise ValueError("input array must be 2-d")
    return np.tril_indices(arr.shape[-2], k=k, m=arr.shape[-1])


@implements("numpy.triu_indices_from")
def triu_indices_from(arr: Any, k: int = 0) -> Any:
    if arr.ndim != 2:
        raise ValueError("input array must be 2-d")
    return np.triu_indices(arr.shape[-2], k=k, m=arr.shape[-1])


@implements("numpy.diag_indices")
def diag_indices(n: int, ndim: int = 2) -> Any:
    return (np.arange(n),) * ndim


@implements("numpy.diag_indices_from")
def diag_indices_from(arr: Any) -> Any:
    if not arr.ndim >= 2:
        raise ValueError("input array must be at least 2-d")
    for k in range(1, arr.ndim):
        if arr.shape[k] != arr.shape[0]:
            raise ValueError("All dimensions of input must be of equal length")
    return np.diag_indices(arr.shape[0], arr.ndim)


@implements("numpy.mask_indices")
def mask_indices(n: int, mask_func: Any, k: Any = 0) -> Any:
    return np.nonzero(mask_func(np.ones((n, n), int), k) != 0)


def _as_counts(indices: Any) -> Any:
    array = np.asarray(indices)
    if array.dtype.kind not in "biu":
        raise TypeError("only int indices permitted")
    return array.astype(np.intp)  # sizes may be beyond a narrow dtype


@implements("numpy.ravel_multi_index")
def ravel_multi_index(multi_index: Any, dims: Any, mode: Any = "raise", order: str = "C") -> Any:
    dims = primitives.items_of(dims, "a shape")
    rank = len(dims)
    if len(multi_index) != rank:
        raise ValueError(f"parameter multi_index must be a sequence of length {rank}")
    result = np.asarray(0)
    for step in range(rank):
        k = step if order == "C" else rank - 1 - step
        index = _as_counts(multi_index[k])
        how = mode[k] if isinstance(mode, tuple) else mode
        if how == "raise":
            if np.any((index < 0) | (index >= dims[k])):
                raise ValueError("invalid entry in coordinates array")
        else:
            index = _indices(index, dims[k], how)
        result = result * dims[k] + index
    return result


@implements("numpy.unravel_index")
def unravel_index(indices: Any, shape: Any, order: str = "C") -> Any:
    one = isinstance(shape, (int, np.integer))
    sizes = (shape,) if one else primitives.items_of(shape, "a shape")
    rest = _as_counts(indices)
    total = 1
    for size in sizes:
        total *= size
    bad = (rest < 0) | (rest >= total)
    if np.any(bad):
        raise ValueError(f"index {rest[bad][0]} is out of bounds for array with size {total}")
    rank = len(sizes)
    coordinates = np.empty((*rest.shape, rank), np.intp)
    for step in range(rank):
        k = rank - 1 - step if order == "C" else step
        coordinates[..., k] = rest % sizes[k]
        rest = rest // sizes[k]
    if coordinates.ndim == 1:
        return tuple(coordinates[k] for k in range(rank))
    return tuple(coordinates[..., k] for k in range(rank))


# ---------------------------------------------------------------------------------------- diagonals


def _fill_indices(a: Any, indices: Any, values: Any) -> None:
    """Stores the values, repeated cyclically."""
    if len(values) != 0:
        a[indices] = values[np.arange(len(indices[0])) % len(values)]


@implements("numpy.fill_diagonal")
def fill_diagonal(a: Any, val: Any, wrap: bool = False) -> Any:
    if a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    values = _values_for(a, val, forced=True)
    a = primitives.writeable(a, "underlying array is read-only")
    if a.ndim > 2:
        for k in range(1, a.ndim):
            if a.shape[k] != a.shape[0]:
                raise ValueError("All dimensions of input must be of equal length")
        index = np.arange(a.shape[0])
        _fill_indices(a, (index,) * a.ndim, values)
        return
    rows, columns = a.shape
    count = min(rows, columns)
    if wrap and rows > columns:
        count = (rows * columns + columns) // (columns + 1)
    index = np.arange(count) * (columns + 1)
    _fill_indices(a, (index // columns, index % columns), values)


@implements("numpy.diagflat")
def diagflat(v: Any, k: int = 0) -> Any:
    flat = np.ravel(np.asarray(v))
    size = len(flat) + abs(k)
    result = np.zeros((size, size), flat.dtype)
    index = np.arange(len(flat))
    result[index + max(-k, 0), index + max(k, 0)] = flat
    return result
