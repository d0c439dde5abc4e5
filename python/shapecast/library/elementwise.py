"""Element-wise predicates, and functions that replace some elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import implements
from ._shared import stored
from .primitives import unsupported


@implements("numpy.isreal")
def isreal(x: Any) -> Any:
    return np.imag(x) == 0


@implements("numpy.iscomplex")
def iscomplex(x: Any) -> Any:
    x = np.asarray(x)
    if np.issubdtype(x.dtype, np.complexfloating):
        return (x.imag != 0)[()]
    return np.zeros(x.shape, np.bool_)[()]


def check_ordered(x: Any) -> Any:
    if np.issubdtype(np.asarray(x).dtype, np.complexfloating):
        raise TypeError(
            "This operation is not supported for complex128 values because it would be ambiguous."
            if np.asarray(x).dtype == np.complex128
            else "This operation is not supported for complex64 values because it would be "
            "ambiguous."
        )


@implements("numpy.isposinf")
def isposinf(x: Any, out: Any = None) -> Any:
    check_ordered(x)
    return stored(out, np.isinf(x) & ~np.signbit(x))


@implements("numpy.isneginf")
def isneginf(x: Any, out: Any = None) -> Any:
    check_ordered(x)
    return stored(out, np.isinf(x) & np.signbit(x))


def finite_numbers(x: Any, nan: Any, posinf: Any, neginf: Any) -> Any:
    limits = np.finfo(x.dtype)
    high = limits.max if posinf is None else posinf
    low = limits.min if neginf is None else neginf
    infinite = np.isinf(x)
    kept = np.where(np.isnan(x), np.asarray(nan).astype(x.dtype), x)
    kept = np.where(infinite & (x > 0), np.asarray(high).astype(x.dtype), kept)
    return np.where(infinite & (x < 0), np.asarray(low).astype(x.dtype), kept)


@implements("numpy.nan_to_num")
def nan_to_num(
    x: Any, copy: Any = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None
) -> Any:
    given = np.asarray(x)
    if not np.issubdtype(given.dtype, np.inexact):
        return given[()] if given.ndim == 0 else (np.array(given) if copy else given)
    result = np.array(given) if copy else given
    if np.issubdtype(given.dtype, np.complexfloating):
        result.real[...] = finite_numbers(given.real, nan, posinf, neginf)
        result.imag[...] = finite_numbers(given.imag, nan, posinf, neginf)
    else:
        result[...] = finite_numbers(given, nan, posinf, neginf)
    return result[()] if given.ndim == 0 else result


def type_of(dtype: Any) -> Any:
    return type(np.empty(1, dtype)[0])


@implements("numpy.common_type")
def common_type(*arrays: Any) -> Any:
    kind = np.dtype(np.float16)
    for a in arrays:
        if a.dtype == np.bool_:
            raise TypeError("can't get common type for non-numeric array")
        if np.issubdtype(a.dtype, np.integer):
            kind = np.promote_types(kind, np.float64)
        else:
            kind = np.promote_types(kind, a.dtype)
    return type_of(kind)


@implements("numpy.array_equiv")
def array_equiv(a1: Any, a2: Any) -> Any:
    a1 = np.asarray(a1)
    a2 = np.asarray(a2)
    for m, n in zip(a1.shape[::-1], a2.shape[::-1]):
        if m != n and m != 1 and n != 1:
            return False
    return bool((a1 == a2).all())


def _edges(hit: Any, trim: Any, anything: Any) -> Any:
    """The slice of an axis that is kept: after its leading zeros, and before its trailing ones."""
    first = 0
    end = len(hit) if anything else 0
    if "f" in trim or "F" in trim:
        while first < end and not hit[first]:
            first += 1
    if "b" in trim or "B" in trim:
        while end > first and not hit[end - 1]:
            end -= 1
    return first, end


@implements("numpy.trim_zeros")
def trim_zeros(filt: Any, trim: Any = "fb", axis: Any = None) -> Any:
    a = np.asarray(filt)
    if trim not in ("fb", "bf", "f", "b", "FB", "BF", "F", "B", "Fb", "fB", "Bf", "bF"):
        raise ValueError(f"unexpected character(s) in `trim`: {trim!r}")
    axes = tuple(range(a.ndim)) if axis is None else axis
    axes = np.lib.array_utils.normalize_axis_tuple(axes, a.ndim, argname="axis")
    if len(axes) == 0:
        return filt
    hit = a != 0
    anything = hit.any()
    keys: tuple[Any, ...] = ()
    for k in range(a.ndim):
        if k in axes:
            others = tuple(other for other in range(a.ndim) if other != k)
            first, end = _edges(np.any(hit, axis=others), trim, anything)
            keys = (*keys, slice(first, end))
        else:
            keys = (*keys, slice(None))
    return a[keys]


@implements("numpy.asarray_chkfinite")
def asarray_chkfinite(a: Any, dtype: Any = None, order: Any = None) -> Any:
    if order is not None:
        unsupported("order= of np.asarray_chkfinite is not compiled yet")
    a = np.asarray(a, dtype=dtype)
    if np.issubdtype(a.dtype, np.inexact) and not np.isfinite(a).all():
        raise ValueError("array must not contain infs or NaNs")
    return a
