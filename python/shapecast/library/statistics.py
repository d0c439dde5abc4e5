"""Sums, extremes and moments without NaNs; averages and covariances."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import implements
from ._shared import axes_of, stored
from .primitives import centre_rows, is_contiguous

NOTHING = ...  # an argument that was not passed


def inexact(a: Any) -> Any:
    return np.issubdtype(a.dtype, np.inexact)


def replaced(a: Any, value: Any, where: Any) -> Any:
    """The array with `value` for its NaNs, and where the mask is false."""
    if inexact(a):
        kept = ~np.isnan(a) if where is None else ~np.isnan(a) & where
        return np.where(kept, a, a.dtype.type(value))
    if where is None:
        return a
    return np.where(where, a, a.dtype.type(value))


def counted(a: Any, where: Any) -> Any:
    """A mask of the elements that count."""
    kept = ~np.isnan(a)
    return kept if where is None else kept & where


def check_inexact(a: Any, dtype: Any, out: Any) -> Any:
    if dtype is not None and not np.issubdtype(dtype, np.inexact):
        raise TypeError("If a is inexact, then dtype must be inexact")
    if out is not None and not np.issubdtype(out.dtype, np.inexact):
        raise TypeError("If a is inexact, then out must be inexact")


@implements("numpy.nansum")
def nansum(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Any = NOTHING,
    where: Any = None,
) -> Any:
    total = np.sum(replaced(np.asarray(a), 0, where), axis=axis, dtype=dtype, keepdims=keepdims)
    return stored(out, total if initial is NOTHING else total + initial)


@implements("numpy.nanprod")
def nanprod(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Any = NOTHING,
    where: Any = None,
) -> Any:
    total = np.prod(replaced(np.asarray(a), 1, where), axis=axis, dtype=dtype, keepdims=keepdims)
    return stored(out, total if initial is NOTHING else total * initial)


@implements("numpy.nanmean")
def nanmean(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    *,
    where: Any = None,
) -> Any:
    a = np.asarray(a)
    if not inexact(a):
        if where is None:
            return stored(out, np.mean(a, axis=axis, dtype=dtype, keepdims=keepdims))
        work = np.dtype(np.float64) if dtype is None else np.dtype(dtype)
        chosen = np.broadcast_to(where, a.shape)
        total = np.sum(np.where(chosen, a, 0), axis=axis, dtype=work, keepdims=keepdims)
        return stored(out, total / np.sum(chosen, axis=axis, keepdims=keepdims))
    check_inexact(a, dtype, out)
    count = np.sum(counted(a, where), axis=axis, dtype=np.intp, keepdims=keepdims)
    total = np.sum(replaced(a, 0, where), axis=axis, dtype=dtype, keepdims=keepdims)
    return stored(out, np.true_divide(total, count).astype(total.dtype))


@implements("numpy.nanvar")
def nanvar(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = False,
    *,
    where: Any = None,
    mean: Any = None,
    correction: Any = None,
) -> Any:
    a = np.asarray(a)
    if correction is not None:
        if ddof != 0:
            raise ValueError("ddof and correction can't be provided simultaneously.")
        ddof = correction
    if not inexact(a):
        if where is None and mean is None:
            return stored(out, np.var(a, axis=axis, dtype=dtype, ddof=ddof, keepdims=keepdims))
        a = a.astype(np.float64)
    check_inexact(a, dtype, out)
    kept = counted(a, where)
    plain = replaced(a, 0, where)
    count = np.sum(kept, axis=axis, dtype=np.intp, keepdims=True)
    if mean is None:
        total = np.sum(plain, axis=axis, dtype=dtype, keepdims=True)
        mean = np.true_divide(total, count).astype(total.dtype)
    off = np.where(kept, plain - mean, a.dtype.type(0))
    if np.issubdtype(a.dtype, np.complexfloating):
        squares = (off * np.conj(off)).real
    else:
        squares = off * off
    total = np.sum(squares, axis=axis, dtype=dtype, keepdims=keepdims)
    freedom = np.sum(kept, axis=axis, dtype=np.intp, keepdims=keepdims) - ddof
    result = np.true_divide(total, freedom).astype(total.dtype)
    return stored(out, np.where(freedom <= 0, total.dtype.type(np.nan), result)[()])


@implements("numpy.nanstd")
def nanstd(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = False,
    *,
    where: Any = None,
    mean: Any = None,
    correction: Any = None,
) -> Any:
    found = nanvar(
        a, axis, dtype, None, ddof, keepdims, where=where, mean=mean, correction=correction
    )
    return stored(out, np.sqrt(found))


def extreme(
    ufunc: Any, a: Any, axis: Any, out: Any, keepdims: Any, initial: Any, where: Any
) -> Any:
    """np.nanmin by np.fmin, np.nanmax by np.fmax."""
    a = np.asarray(a)
    axes = axes_of(axis, a.ndim)
    if where is not None or np.issubdtype(a.dtype, np.complexfloating):
        if initial is NOTHING:
            found = ufunc.reduce(a, axis=axes, keepdims=keepdims, where=where)
        else:
            found = ufunc.reduce(a, axis=axes, keepdims=keepdims, initial=initial, where=where)
        return stored(out, found)
    if initial is NOTHING and math.prod([a.shape[k] for k in axes]) == 0:
        raise ValueError(
            f"zero-size array to reduction operation {ufunc.__name__} which has no identity"
        )
    far = np.inf if ufunc is np.fmin else -np.inf
    plain = replaced(a, far, None) if inexact(a) else a
    if ufunc is np.fmin:
        found = np.min(plain, axis=axes, keepdims=keepdims)
    else:
        found = np.max(plain, axis=axes, keepdims=keepdims)
    if inexact(a):
        none = np.all(np.isnan(a), axis=axes, keepdims=keepdims)
        found = np.where(none, a.dtype.type(np.nan), found)[()]
    if initial is not NOTHING:
        found = ufunc(found, initial)
    return stored(out, found)


@implements("numpy.nanmin")
def nanmin(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Any = NOTHING,
    where: Any = None,
) -> Any:
    return extreme(np.fmin, a, axis, out, keepdims, initial, where)


@implements("numpy.nanmax")
def nanmax(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Any = NOTHING,
    where: Any = None,
) -> Any:
    return extreme(np.fmax, a, axis, out, keepdims, initial, where)


def check_some(a: Any, axis: Any) -> Any:
    if inexact(a) and a.size > 0 and np.any(np.all(np.isnan(a), axis=axis)):
        raise ValueError("All-NaN slice encountered")


@implements("numpy.nanargmin")
def nanargmin(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
    a = np.asarray(a)
    check_some(a, axis)
    return stored(out, np.argmin(replaced(a, np.inf, None), axis=axis, keepdims=keepdims))


@implements("numpy.nanargmax")
def nanargmax(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
    a = np.asarray(a)
    check_some(a, axis)
    return stored(out, np.argmax(replaced(a, -np.inf, None), axis=axis, keepdims=keepdims))


#                                                                              averages, covariances


def weights_along(weights: Any, a: Any, axis: Any) -> Any:
    """The weights, as they broadcast against the array."""
    weights = np.asarray(weights)
    if weights.ndim == a.ndim and (weights.ndim > 1 or axis is None or len(axis) != 1):
        if weights.shape == a.shape:
            return weights
        if axis is None:
            raise TypeError("Axis must be specified when shapes of a and weights differ.")
    if axis is None:
        raise TypeError("Axis must be specified when shapes of a and weights differ.")
    if weights.shape != tuple([a.shape[k] for k in axis]):
        raise ValueError(
            "Shape of weights must be consistent with shape of a along specified axis."
        )
    order = tuple(sorted(range(len(axis)), key=lambda k: axis[k])) if len(axis) > 1 else (0,)
    sizes = tuple([a.shape[k] if k in axis else 1 for k in range(a.ndim)])
    return weights.transpose(order).reshape(sizes)


@implements("numpy.average")
def average(
    a: Any, axis: Any = None, weights: Any = None, returned: Any = False, *, keepdims: Any = False
) -> Any:
    a = np.asarray(a)
    if axis is not None:
        axis = np.lib.array_utils.normalize_axis_tuple(axis, a.ndim, "axis")
    if weights is None:
        found = np.mean(a, axis=axis, keepdims=keepdims)
        scale = found.dtype.type(a.size / np.asarray(found).size)  # raises if it is empty
    else:
        weights = weights_along(weights, a, axis)
        dtype = np.result_type(a.dtype, weights.dtype)
        if not inexact(a):
            dtype = np.result_type(dtype, np.float64)
        scale = np.sum(weights, axis=axis, dtype=dtype, keepdims=keepdims)
        if np.any(scale == 0.0):
            raise ZeroDivisionError("Weights sum to zero, can't be normalized")
        product = np.multiply(a, weights, dtype=dtype)
        found = np.sum(product, axis=axis, keepdims=keepdims) / scale
    if not returned:
        return found
    if np.ndim(found) > 0:
        return found, np.array(np.broadcast_to(scale, np.shape(found)))
    return found, scale


def sample_weights(weights: Any, count: Any, name: Any) -> Any:
    weights = np.asarray(weights).astype(np.float64)
    if name == "fweights" and not np.all(weights == np.round(weights)):
        raise TypeError("fweights must be integer")
    if weights.ndim > 1:
        raise RuntimeError(f"cannot handle multidimensional {name}")
    if weights.shape[0] != count:
        raise RuntimeError(f"incompatible numbers of samples and {name}")
    if np.any(weights < 0):
        raise ValueError(f"{name} cannot be negative")
    return weights


def variables(m: Any, dtype: Any, rowvar: Any) -> Any:
    """The variables as rows."""
    rows = np.atleast_2d(np.asarray(m, dtype=dtype))
    return rows.T if not rowvar and m.ndim != 1 else rows


def centred(X: Any) -> Any:
    """Without the means of its rows."""
    if X.dtype == np.float64 and is_contiguous(X):
        result = np.empty_like(X)
        centre_rows(result, X)
        return result
    return X - np.mean(X, axis=1)[:, None]


@implements("numpy.cov")
def cov(
    m: Any,
    y: Any = None,
    rowvar: Any = True,
    bias: Any = False,
    ddof: Any = None,
    fweights: Any = None,
    aweights: Any = None,
    *,
    dtype: Any = None,
) -> Any:
    if ddof is not None and ddof != int(ddof):
        raise ValueError("ddof must be integer")
    m = np.asarray(m)
    if m.ndim > 2:
        raise ValueError("m has more than 2 dimensions")
    if dtype is None:
        dtype = np.result_type(m, np.float64)
        if y is not None:
            dtype = np.result_type(m, np.asarray(y), np.float64)
    X = variables(m, dtype, rowvar)
    if y is not None:
        y = np.asarray(y)
        if y.ndim > 2:
            raise ValueError("y has more than 2 dimensions")
        X = np.concatenate((X, variables(y, dtype, rowvar)), axis=0)
    if ddof is None:
        ddof = 1 if bias == 0 else 0
    count = X.shape[1]
    if fweights is None and aweights is None:
        factor = float(count - ddof)
        X = centred(X)
        product = np.dot(X, np.conj(X.T) if np.iscomplexobj(X) else X.T)
    else:
        weights = np.ones(count)
        if fweights is not None:
            weights = sample_weights(fweights, count, "fweights")
        if aweights is not None:
            relative = sample_weights(aweights, count, "aweights")
            weights = weights * relative
        mean, sums = average(X, 1, weights, True)
        factor = sums[0].real
        if ddof != 0 and aweights is None:
            factor = factor - ddof
        elif ddof != 0:
            factor = factor - ddof * np.sum(weights * relative) / factor
        X = X - mean[:, None]
        weighted = (X * weights).T
        product = np.dot(X, np.conj(weighted) if np.iscomplexobj(X) else weighted)
    factor = max(factor, 0.0)
    return np.squeeze(product * np.true_divide(1, factor))


@implements("numpy.corrcoef")
def corrcoef(x: Any, y: Any = None, rowvar: Any = True, *, dtype: Any = None) -> Any:
    c = cov(x, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return c / c
    stddev = np.empty(len(c), c.real.dtype)
    stddev[...] = np.sqrt(np.diagonal(c).real)  # once, for both
    c = c / stddev[:, None] / stddev[None, :]
    if np.iscomplexobj(c):
        c.real[...] = np.clip(c.real, -1, 1)
        c.imag[...] = np.clip(c.imag, -1, 1)
        return c
    return np.clip(c, -1, 1)
