"""Polynomials as arrays of coefficients, the highest power first; ranges in ratio."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import implements
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
    y = np.linspace(start, stop, num, endpoint=endpoint)
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
    if start == 0 or stop == 0:
        raise ValueError("Geometric sequence cannot include zero")
    first = np.asarray(start) + 0.0
    last = np.asarray(stop) + 0.0
    if np.iscomplexobj(first) or np.iscomplexobj(last):
        sign = first / np.abs(first)
    else:
        sign = np.sign(first)
    low = np.log10(first / sign)
    high = np.log10(last / sign)
    y = logspace(low, high, num, endpoint)
    if num > 0:
        y[0] = np.real(first / sign) if not np.iscomplexobj(y) else first / sign
        if num > 1 and endpoint:
            y[-1] = np.real(last / sign) if not np.iscomplexobj(y) else last / sign
    found = y * sign
    return found if dtype is None else found.astype(dtype)
