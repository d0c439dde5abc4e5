"""The methods of ufuncs: np.<ufunc>.reduce and its like call these with the ufunc itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._host_info import does
from . import _on_device, implements, primitives
from ._shared import axes_of, axis_of, kept_axes, last_axes, stored, sum_dtype
from .primitives import assume_in_range, unsupported
from .scans import scanned


def _add_at_nothing() -> None:
    target = np.zeros(1)
    target.flags.writeable = False
    np.add.at(target, np.zeros(0, int), 1)


AT_LOOKS_FIRST = not does(_add_at_nothing)  # checks first that the array is writeable

NOTHING = ...  # an argument that was not passed, where None has a meaning


def identity(ufunc: Any) -> Any:
    """The result of an empty reduction (the identity), or None."""
    if ufunc is np.add or ufunc is np.bitwise_or or ufunc is np.bitwise_xor or ufunc is np.hypot:
        return 0
    if ufunc is np.gcd:
        return 0
    if ufunc is np.multiply:
        return 1
    if ufunc is np.bitwise_and:
        return -1
    if ufunc is np.logical_and:
        return True
    if ufunc is np.logical_or or ufunc is np.logical_xor:
        return False
    if ufunc is np.logaddexp or ufunc is np.logaddexp2:
        return -np.inf
    return None


def reorderable(ufunc: Any) -> Any:
    if ufunc is np.maximum or ufunc is np.minimum or ufunc is np.fmax or ufunc is np.fmin:
        return True
    return identity(ufunc) is not None or ufunc is np.lcm


def working_dtype(ufunc: Any, dtype: Any, given: Any) -> Any:
    """The accumulator dtype of a reduction of that dtype."""
    if given is not None:
        dtype = np.dtype(given)
    elif ufunc is np.add or ufunc is np.multiply:
        dtype = sum_dtype(dtype)
    none = np.empty(0, dtype)
    if given is not None and not logical(ufunc):
        return ufunc(none, none, dtype=given).dtype
    return ufunc(none, none).dtype


def logical(ufunc: Any) -> Any:
    return ufunc is np.logical_and or ufunc is np.logical_or or ufunc is np.logical_xor


def folded(ufunc: Any, a: Any, initial: Any, where: Any) -> Any:
    """The reduction of the last axis, from left to right."""
    rows = np.moveaxis(a, -1, 0)
    n = len(rows)
    if initial is None:
        if n == 0:
            raise ValueError(
                f"zero-size array to reduction operation {ufunc.__name__} which has no identity"
            )
        total = np.array(rows[0])
        start = 1
    else:
        total = np.full(a.shape[:-1], initial, a.dtype)
        start = 0
    if where is not None:
        chosen = np.moveaxis(where, -1, 0)
        for i in range(start, n):
            total[...] = np.where(chosen[i], ufunc(total, rows[i]), total)
    elif total.ndim == 0:
        one = total[()]
        for i in range(start, n):
            one = ufunc(one, rows[i])
        return one
    else:
        for i in range(start, n):
            total[...] = ufunc(total, rows[i])
    return total[()]


def native(ufunc: Any, a: Any, axis: Any, dtype: Any, keepdims: Any) -> Any:
    """By a reduction that is built into the compiler, or None."""
    if ufunc is np.add:
        return np.sum(a, axis=axis, dtype=dtype, keepdims=keepdims)
    if ufunc is np.multiply:
        return np.prod(a, axis=axis, dtype=dtype, keepdims=keepdims)
    if dtype is not None:
        return None
    if ufunc is np.maximum:
        return np.max(a, axis=axis, keepdims=keepdims)
    if ufunc is np.minimum:
        return np.min(a, axis=axis, keepdims=keepdims)
    if ufunc is np.logical_and:
        return np.all(a, axis=axis, keepdims=keepdims)
    if ufunc is np.logical_or:
        return np.any(a, axis=axis, keepdims=keepdims)
    return None


@implements("numpy.ufunc.reduce")
def reduce(
    ufunc: Any,
    array: Any,
    axis: Any = 0,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Any = NOTHING,
    where: Any = None,
) -> Any:
    a = np.asarray(array)
    if a.ndim == 0 and axis is not None and not isinstance(axis, tuple):
        axis_of(axis, 1)
        axis = None
    axes = axes_of(axis, a.ndim)
    if len(axes) > 1 and not reorderable(ufunc):
        raise ValueError(
            f"reduction operation '{ufunc.__name__}' is not reorderable, "
            "so at most one axis may be specified"
        )
    if initial is NOTHING and where is None:
        result = native(ufunc, a, axes, dtype, keepdims)
        if result is not None:
            return stored(out, result)
    if initial is NOTHING:
        initial = identity(ufunc)
        if where is not None and initial is None:
            raise ValueError(
                f"reduction operation '{ufunc.__name__}' does not have an identity, "
                "so to use a where mask one has to specify 'initial'"
            )
    work = working_dtype(ufunc, a.dtype, dtype)
    if logical(ufunc):
        a = a.astype(np.bool_)
    if where is not None:
        where = last_axes(np.broadcast_to(where, a.shape), axes)
    result = folded(ufunc, last_axes(a.astype(work, copy=False), axes), initial, where)
    if keepdims:
        result = kept_axes(result, a.shape, axes)
    return stored(out, result)


@implements("numpy.ufunc.accumulate")
def accumulate(ufunc: Any, array: Any, axis: Any = 0, dtype: Any = None, out: Any = None) -> Any:
    a = np.asarray(array)
    if a.ndim == 0:
        raise TypeError("cannot accumulate on a scalar")
    axis = axis_of(axis, a.ndim)
    work = working_dtype(ufunc, a.dtype, dtype)
    if dtype is None and out is not None:
        work = out.dtype
    if logical(ufunc):
        a = a.astype(np.bool_)
    return stored(out, scanned(ufunc, a, axis, work))


@implements("numpy.ufunc.outer")
def outer(ufunc: Any, A: Any, B: Any, dtype: Any = None, out: Any = None) -> Any:
    A = np.asarray(A)
    B = np.asarray(B)
    left = A.reshape(A.shape + (1,) * B.ndim)
    result = ufunc(left, B) if dtype is None else ufunc(left, B, dtype=dtype)
    return stored(out, result)


@implements("numpy.ufunc.reduceat")
def reduceat(
    ufunc: Any, array: Any, indices: Any, axis: Any = 0, dtype: Any = None, out: Any = None
) -> Any:
    a = np.asarray(array)
    indices = np.asarray(indices)
    if a.ndim == 0:
        raise TypeError("cannot reduceat on a scalar")
    axis = axis_of(axis, a.ndim)
    work = working_dtype(ufunc, a.dtype, dtype)
    if logical(ufunc):
        a = a.astype(np.bool_)
    rows = np.moveaxis(a, axis, 0).astype(work, copy=False)
    n = len(rows)
    count = len(indices)
    for k in range(count):
        if indices[k] < 0 or indices[k] >= n:
            raise IndexError(
                f"index {int(indices[k])} out-of-bounds in {ufunc.__name__}.reduceat [0, {n})"
            )
    result = np.empty((count,) + rows.shape[1:], work)
    for k in range(count):
        first = int(indices[k])
        end = int(indices[k + 1]) if k + 1 < count else n
        if rows.ndim == 1:
            total = rows[first]
            for i in range(first + 1, end):
                total = ufunc(total, rows[i])
            result[k] = total
        else:
            result[k] = rows[first]
            for i in range(first + 1, end):
                result[k] = ufunc(result[k], rows[i])
    return stored(out, np.moveaxis(result, 0, axis))


def _apart(read: Any, written: Any) -> Any:
    """For reading: a copy, as NumPy's, where it shares memory with the array that is stored to."""
    apart = np.broadcast_to(read, read.shape)
    if np.may_share_memory(read, written):
        apart = np.broadcast_to(read.copy(), read.shape)
    return apart


def _checked(index: Any, size: Any) -> Any:
    """An index that was checked before, with negative ones wrapped."""
    number = int(index)
    return assume_in_range(number + size if number < 0 else number, size)


@implements("numpy.ufunc.at")
def at(ufunc: Any, a: Any, indices: Any, b: Any = NOTHING) -> Any:
    """Unbuffered: a repeated index counts each time."""
    found: Any
    if not isinstance(a, np.ndarray):
        raise TypeError("first operand must be array")
    if AT_LOOKS_FIRST:
        a = primitives.writeable(a, "array to perform in place operation on is read-only")
    for item in indices if isinstance(indices, tuple) else (indices,):
        if item is None or item is ... or isinstance(item, slice):
            unsupported("ufunc.at with slices")
        if np.asarray(item).dtype == np.bool_:
            unsupported("ufunc.at with a mask")
    a[indices]  # raises what indices raise, before anything is stored
    if isinstance(indices, tuple) and len(indices) != 1:
        found = np.broadcast_arrays(*indices)
        inner = a.shape[len(indices) :]
    else:
        found = [np.asarray(indices[0] if isinstance(indices, tuple) else indices)]
        inner = a.shape[1:]
    if b is not NOTHING:
        full = found[0].shape + inner
        given = np.shape(b)
        trailing = full[max(0, len(full) - len(given)) :]
        fits = tuple([m == 1 or m == n for m, n in zip(given, trailing, strict=False)])
        if len(given) > len(full) or not all(fits):
            raise ValueError("array is not broadcastable to correct shape")
        if primitives.is_on_device(a) and found[0].ndim > 0 and a.ndim <= 6:
            kernel, dtype = _on_device.kernel_of_at(ufunc, a.dtype, np.asarray(b).dtype)
            if kernel is not None:
                key = indices if isinstance(indices, tuple) else (indices,)
                _on_device.at(kernel, dtype, a, key, b)
                return
    one = found[0]
    many = _apart(one, a) if one.ndim == 1 and len(found) == 1 else one.flatten()
    others = [index.flatten() for index in found[1:]]
    if b is not NOTHING:
        operands = _apart(np.broadcast_to(b, full), a)
        flat = operands if one.ndim == 1 else operands.reshape((len(many),) + inner)
    for i in range(len(many)):
        key = (_checked(many[i], a.shape[0]),) + tuple(
            [_checked(index[i], a.shape[k + 1]) for k, index in enumerate(others)]
        )
        result = ufunc(a[key]) if b is NOTHING else ufunc(a[key], flat[i])
        a[key] = result.astype(a.dtype)  # whatever the types
