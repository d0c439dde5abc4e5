"""Polynomials as arrays of coefficients, the highest power first; ranges in ratio."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import implements
from ._shared import ranked
from .signals import convolve


@implements("numpy.polyval")
def polyval(p: Any, x: Any) -> Any:
    p = np.asarray(p)
    x = np.asarray(x)
    y = np.zeros(x.shape, x.dtype).astype(np.result_type(p.dtype, x.dtype))
    for k in range(len(p)):
        y = y * x + p[k]
    return y[()]


def longer(a: Any, size: Any) -> Any:
    """Padded with leading zeros."""
    wide = np.zeros(size, a.dtype)
    wide[size - len(a) :] = a
    return wide


@implements("numpy.polyadd")
def polyadd(a1: Any, a2: Any) -> Any:
    a1 = np.atleast_1d(a1)
    a2 = np.atleast_1d(a2)
    size = max(len(a1), len(a2))
    return longer(a1, size) + longer(a2, size)


@implements("numpy.polysub")
def polysub(a1: Any, a2: Any) -> Any:
    a1 = np.atleast_1d(a1)
    a2 = np.atleast_1d(a2)
    size = max(len(a1), len(a2))
    return longer(a1, size) - longer(a2, size)


@implements("numpy.polymul")
def polymul(a1: Any, a2: Any) -> Any:
    a1 = np.atleast_1d(a1)
    a2 = np.atleast_1d(a2)
    return convolve(without_leading_zeros(a1), without_leading_zeros(a2))


def without_leading_zeros(a: Any) -> Any:
    """As in np.poly1d: at least one coefficient."""
    first = 0
    while first < len(a) - 1 and a[first] == 0:
        first += 1
    return a[first:]


@implements("numpy.polyder")
def polyder(p: Any, m: Any = 1) -> Any:
    if m < 0:
        raise ValueError("Order of derivative must be positive (see polyint)")
    p = np.asarray(p)
    for _ in tuple(range(m)):
        p = p[:-1] * np.arange(len(p) - 1, 0, -1)
    return p


@implements("numpy.polyint")
def polyint(p: Any, m: Any = 1, k: Any = None) -> Any:
    if m < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    constants = (0.0,) * m
    if k is not None:
        constants = tuple(k) if isinstance(k, (tuple, list)) else (k,) * m
        if len(constants) < m:
            raise ValueError("k must be a scalar or a rank-1 array of length 1 or >m.")
    p = np.asarray(p)
    for j in tuple(range(m)):
        steps = np.true_divide(p, np.arange(len(p), 0, -1))
        wide = np.zeros(len(p) + 1, np.result_type(steps.dtype, constants[j]))
        wide[:-1] = steps
        wide[-1] = constants[j]
        p = wide
    return p


@implements("numpy.vander")
def vander(x: Any, N: Any = None, increasing: Any = False) -> Any:
    x = np.asarray(x)
    if x.ndim != 1:
        raise ValueError("x must be a one-dimensional array or sequence.")
    if N is None:
        N = len(x)
    v = np.empty((len(x), N), np.promote_types(x.dtype, np.int64))
    powers = v if increasing else v[:, ::-1]
    if N > 0:
        powers[:, 0] = 1
    for k in range(1, N):
        powers[:, k] = powers[:, k - 1] * x
    return v


@implements("numpy.logspace")
def logspace(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: Any = True,
    base: Any = 10.0,
    dtype: Any = None,
    axis: Any = 0,
) -> Any:
    if np.ndim(base) > 0:
        rank = max(np.ndim(start), np.ndim(stop), np.ndim(base))
        start = ranked(start, rank)
        stop = ranked(stop, rank)
        base = np.expand_dims(ranked(base, rank), axis)
    y = np.linspace(start, stop, num, endpoint=endpoint, axis=axis)
    found = np.power(base, y)
    return found if dtype is None else found.astype(dtype)


@implements("numpy.geomspace")
def geomspace(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: Any = True,
    dtype: Any = None,
    axis: Any = 0,
) -> Any:
    first = np.asarray(start)
    last = np.asarray(stop)
    if np.any(first == 0) or np.any(last == 0):
        raise ValueError("Geometric sequence cannot include zero")
    computed = np.result_type(first, last, 1.0, np.zeros((), dtype))
    first = first.astype(computed)
    # Rotated to positive real numbers and back, for negative and complex ones.
    sign = np.sign(first)
    first = first / sign
    last = last.astype(computed) / sign
    found = logspace(np.log10(first), np.log10(last), num, endpoint, dtype=computed)
    if num > 0:  # 10**log10(x) is not always x
        found[0] = first
        if num > 1 and endpoint:
            found[-1] = last
    found = found * sign
    if axis != 0:
        found = np.moveaxis(found, 0, axis)
    return found if dtype is None else found.astype(dtype)
