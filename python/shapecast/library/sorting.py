"""Sorting, and sets as sorted arrays."""

# mypy: disable-error-code="assignment,call-overload"
from __future__ import annotations

from typing import Any

import numpy as np

from . import implements, primitives
from ._shared import axis_of

_STABLE = ("stable", "mergesort", "s", "S", "m", "M")


def _check_order(order: Any) -> None:
    if order is not None:
        raise ValueError("Cannot specify order when the array has no fields.")


def _check_partition(kind: Any, order: Any) -> None:
    if kind != "introselect":
        raise ValueError("select kind must be 'introselect' (got '" + kind + "')")
    _check_order(order)


def _is_stable(kind: Any, stable: Any) -> bool:
    if kind is not None and stable is not None:
        raise ValueError(
            "`kind` and `stable` parameters can't be provided at the same time. "
            "Use only one of them."
        )
    if kind is None:
        return bool(stable)
    if kind not in (*_STABLE, "quicksort", "heapsort", "q", "Q", "h", "H"):
        raise ValueError(
            "sort kind must be one of 'quick', 'heap', or 'stable' (got '" + kind + "')"
        )
    return kind in _STABLE


def _with_last(a: Any, axis: Any) -> Any:
    """That axis moved to the end; its AxisError does not mention np.moveaxis."""
    return np.moveaxis(a, axis_of(axis, a.ndim), -1)


@implements("numpy.sort")
def sort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Any:
    if axis is None:
        a = np.ravel(np.asarray(a))
        axis = 0
    ordered = _is_stable(kind, stable)
    _check_order(order)
    result = np.array(a)
    primitives.sort(_with_last(result, axis), ordered)
    return result


@implements("numpy.ndarray.sort")
def sort_in_place(
    a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None
) -> Any:
    ordered = _is_stable(kind, stable)
    _check_order(order)
    a = primitives.writeable(a, "sort array is read-only")
    primitives.sort(_with_last(a, axis), ordered)


@implements("numpy.sort_complex")
def sort_complex(a: Any) -> Any:
    result = np.sort(a)
    if result.dtype.kind == "c":
        return result
    if result.dtype.itemsize <= 2 and result.dtype.kind != "f":
        return result.astype(np.complex64)
    return result.astype(np.complex128)


@implements("numpy.argsort", "numpy.ndarray.argsort")
def argsort(
    a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None
) -> Any:
    ordered = _is_stable(kind, stable)
    _check_order(order)
    a = np.atleast_1d(a)
    if axis is None:
        a = np.ravel(a)
        axis = 0
    return np.moveaxis(primitives.argsort(_with_last(a, axis), ordered), -1, axis)


def _sorted_kth(kth: Any, a: Any, axis: Any) -> Any:
    size = a.shape[axis_of(axis, a.ndim)]
    if type(kth) is int:
        if a.size != 0 and (kth < -size or kth >= size):
            raise ValueError(f"kth(={kth}) out of bounds ({size})")
        return np.full(1, kth + size if kth < 0 else kth)
    indices = np.ravel(np.array(kth))
    for i in range(len(indices)):
        if a.size != 0 and (indices[i] < -size or indices[i] >= size):
            raise ValueError(f"kth(={indices[i]}) out of bounds ({size})")
    return np.sort(np.where(indices < 0, indices + size, indices).astype(np.int64))


def _partition(a: Any, kth: Any, axis: Any) -> None:
    ranks = _sorted_kth(kth, a, axis)
    if primitives.is_on_device(a):
        primitives.sort(_with_last(a, axis), False)
    else:
        primitives.partition(_with_last(a, axis), ranks)


@implements("numpy.partition")
def partition(
    a: Any, kth: Any, axis: Any = -1, kind: str = "introselect", order: Any = None
) -> Any:
    _check_partition(kind, order)
    if axis is None:
        a = np.ravel(np.asarray(a))
        axis = 0
    result = np.array(a)
    _partition(result, kth, axis)
    return result


@implements("numpy.ndarray.partition")
def partition_in_place(
    a: Any, kth: Any, axis: Any = -1, kind: str = "introselect", order: Any = None
) -> Any:
    _check_partition(kind, order)
    a = primitives.writeable(a, "partition array is read-only")
    _partition(a, kth, axis)


@implements("numpy.argpartition", "numpy.ndarray.argpartition")
def argpartition(
    a: Any, kth: Any, axis: Any = -1, kind: str = "introselect", order: Any = None
) -> Any:
    _check_partition(kind, order)
    a = np.asarray(a)
    if axis is None:
        a = np.ravel(np.asarray(a))
        axis = 0
    _sorted_kth(kth, a, axis)
    return np.argsort(a, axis)  # a sort is a valid partition


@implements("numpy.lexsort")
def lexsort(keys: Any, axis: int = -1) -> Any:
    if len(keys) == 0:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    first = np.asarray(keys[0])
    for k in range(1, len(keys)):
        if np.shape(keys[k]) != first.shape:
            raise ValueError("all keys need to be the same shape")
    if first.ndim == 0 and axis in (0, -1):
        return np.intp(0)
    axis = axis_of(axis, first.ndim)
    indices = np.argsort(np.moveaxis(first, axis, -1), kind="stable")
    for k in range(1, len(keys)):
        key = np.moveaxis(np.asarray(keys[k]), axis, -1)
        inner = np.argsort(np.take_along_axis(key, indices, -1), kind="stable")
        indices = np.take_along_axis(indices, inner, -1)
    return np.moveaxis(indices, -1, axis)


# -------------------------------------------------------------------------------------------- sets


def _first_of_equals(sorted_values: Any, equal_nan: bool = True) -> Any:
    """A mask of the first occurrences of each value."""
    first = np.empty(len(sorted_values), dtype=np.bool_)
    first[:1] = True
    first[1:] = sorted_values[1:] != sorted_values[:-1]
    if equal_nan and sorted_values.dtype.kind in "fc":
        nan = np.isnan(sorted_values)
        first[1:] &= ~(nan[1:] & nan[:-1])
    return first


@implements("numpy.unique")
def unique(
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: Any = None,
    *,
    equal_nan: bool = True,
    sorted: bool = True,
) -> Any:
    a = np.asarray(ar)
    if axis is not None:
        return _unique_rows(a, return_index, return_inverse, return_counts, axis)
    flat = np.ravel(np.asarray(a))
    if not (return_index or return_inverse or return_counts):
        values = np.sort(flat)
        return values[_first_of_equals(values, equal_nan)]
    if return_index or return_inverse:
        order = np.argsort(flat, kind="stable")
        values = flat[order]
    else:
        values = np.sort(flat)
    first = _first_of_equals(values, equal_nan)
    result = (values[first],)
    if return_index:
        result += (order[first],)
    if return_inverse:
        if primitives.is_on_device(flat) and equal_nan and _is_searched_by_kernels(flat):
            inverse = np.searchsorted(result[0], flat)
        else:
            inverse = np.empty(len(flat), dtype=np.intp)
            inverse[order] = _running_count(first)
        result += (inverse.reshape(a.shape),)
    if return_counts:
        result += (_counts(first),)
    return result


def _is_searched_by_kernels(line: Any) -> Any:
    """Whether np.searchsorted is a kernel, if the array is on a device."""
    return line.dtype.kind != "c" and line.dtype != np.float16


def _running_count(first: Any) -> Any:
    numbers = np.empty(len(first), dtype=np.intp)
    number = -1
    for i in range(len(first)):
        number += int(first[i])
        numbers[i] = number
    return numbers


def _counts(first: Any) -> Any:
    starts = np.flatnonzero(first)
    counts = np.empty(len(starts), dtype=np.intp)
    counts[:-1] = starts[1:] - starts[:-1]
    counts[-1:] = len(first) - starts[-1:]
    return counts


def _unique_rows(
    a: Any, return_index: bool, return_inverse: bool, return_counts: bool, axis: int
) -> Any:
    rows = np.moveaxis(a, axis_of(axis, a.ndim), 0)
    flat = rows.reshape(rows.shape[0], -1)
    order = np.arange(flat.shape[0])
    for i in range(flat.shape[1] - 1, -1, -1):
        order = order[np.argsort(flat[order, i], kind="stable")]
    ordered = flat[order]
    first = np.empty(len(order), dtype=np.bool_)
    first[:1] = True
    first[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    values = np.moveaxis(rows[order[first]], 0, axis)
    if not (return_index or return_inverse or return_counts):
        return values
    result = (values,)
    if return_index:
        result += (order[first],)
    if return_inverse:
        inverse = np.empty(len(order), dtype=np.intp)
        inverse[order] = _running_count(first)
        result += (inverse,)
    if return_counts:
        result += (_counts(first),)
    return result


@implements("numpy.unique_values")
def unique_values(x: Any) -> Any:
    return np.unique(x, equal_nan=False)


@implements("numpy.isin")
def isin(
    element: Any,
    test_elements: Any,
    assume_unique: bool = False,
    invert: bool = False,
    *,
    kind: Any = None,
) -> Any:
    if kind not in (None, "sort", "table"):
        raise ValueError(f"Invalid kind: '{kind}'. Please use None, 'sort' or 'table'.")
    element = np.asarray(element)
    wanted = np.ravel(np.asarray(test_elements))
    flat = np.ravel(element)
    if kind == "table" and not (wanted.dtype.kind in "uib" and flat.dtype.kind in "uib"):
        raise ValueError(
            "The 'table' method is only supported for boolean or integer arrays. "
            "Please select 'sort' or None for kind."
        )
    if wanted.dtype != flat.dtype:
        common = np.result_type(flat, wanted)
        wanted = wanted.astype(common)
        flat = flat.astype(common)
    found = np.full(len(flat), invert)
    if len(wanted) == 0:
        return found.reshape(element.shape)
    if primitives.is_on_device(flat) and _is_searched_by_kernels(flat):
        wanted = np.sort(wanted)
        places = np.minimum(np.searchsorted(wanted, flat), len(wanted) - 1)
        return ((wanted[places] == flat) != invert).reshape(element.shape)
    if wanted.dtype.kind == "i":
        low = int(wanted.min())
        high = int(wanted.max())
        if high < low + 6 * (len(wanted) + len(flat)) and abs(low) < 2**60:
            _find_in_table(flat, wanted, low, high, found, invert)
            return found.reshape(element.shape)
    _find_in_sorted(flat, np.sort(wanted), found, invert)
    return found.reshape(element.shape)


def _find_in_table(flat: Any, wanted: Any, low: int, high: int, found: Any, invert: bool) -> None:
    known = np.zeros(high - low + 1, dtype=np.bool_)
    known[wanted.astype(np.int64) - low] = True
    for i in range(len(flat)):
        value = int(flat[i])
        if low <= value <= high:
            found[i] = known[value - low] != invert


def _find_in_sorted(flat: Any, wanted: Any, found: Any, invert: bool) -> None:
    count = len(wanted)
    for i in range(len(flat)):
        value = flat[i]
        low = 0
        high = count
        while low < high:
            middle = (low + high) // 2
            if wanted[middle] < value:
                low = middle + 1
            else:
                high = middle
        found[i] = (low < count and wanted[min(low, count - 1)] == value) != invert


@implements("numpy.union1d")
def union1d(ar1: Any, ar2: Any) -> Any:
    return np.unique(np.concatenate((np.ravel(np.asarray(ar1)), np.ravel(np.asarray(ar2)))))


@implements("numpy.setdiff1d")
def setdiff1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    values = np.ravel(np.asarray(ar1)) if assume_unique else np.unique(ar1)
    return values[np.isin(values, ar2, invert=True)]


@implements("numpy.setxor1d")
def setxor1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    one = np.ravel(np.asarray(ar1)) if assume_unique else np.unique(ar1)
    other = np.ravel(np.asarray(ar2)) if assume_unique else np.unique(ar2)
    values = np.sort(np.concatenate((one, other)))
    first = _first_of_equals(values, False)
    alone = first.copy()
    alone[:-1] &= first[1:]
    return values[alone]


@implements("numpy.intersect1d")
def intersect1d(
    ar1: Any, ar2: Any, assume_unique: bool = False, return_indices: bool = False
) -> Any:
    one = np.ravel(np.asarray(ar1))
    other = np.ravel(np.asarray(ar2))
    if not return_indices:
        if not assume_unique:
            one = np.unique(one)
            other = np.unique(other)
        values = np.sort(np.concatenate((one, other)))
        return values[:-1][values[1:] == values[:-1]]
    indices_one = np.arange(len(one))
    indices_other = np.arange(len(other))
    if not assume_unique:
        one, indices_one = np.unique(one, return_index=True)
        other, indices_other = np.unique(other, return_index=True)
    both = np.concatenate((one, other))
    order = np.argsort(both, kind="stable")
    values = both[order]
    twice = values[1:] == values[:-1]
    return (
        values[:-1][twice],
        indices_one[order[:-1][twice]],
        indices_other[order[1:][twice] - len(one)],
    )
