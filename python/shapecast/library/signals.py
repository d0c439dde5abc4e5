"""Interpolation, convolution, windows and other functions of sampled signals."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import implements, primitives
from ._shared import axis_of


def interpolated(x: Any, xp: Any, fp: Any, left: Any, right: Any, part: Any = None) -> Any:
    """Values at x, a line of numbers, interpolated between the points; `part` of complex
    ones: "real" or "imag".
    """
    out = np.empty(len(x), np.float64)
    n = len(xp)
    indices = primitives.search_sorted(np.ascontiguousarray(xp), x, True)
    for i in range(len(x)):
        one = x[i]
        if np.isnan(one):
            out[i] = fp[0] if n == 1 else 0.0 if part == "imag" else one
        elif one < xp[0]:
            out[i] = left
        elif one > xp[n - 1]:
            out[i] = right
        else:
            index = primitives.assume_in_range(max(int(indices[i]) - 1, 0), n)
            value = fp[index]
            if index < n - 1 and xp[index] != one:
                rise = fp[index + 1] - fp[index]
                run = xp[index + 1] - xp[index]
                slope = rise / run if part is None else rise * (1.0 / run)  # as NumPy does
                value = slope * (one - xp[index]) + fp[index]
                if np.isnan(value):
                    value = slope * (one - xp[index + 1]) + fp[index + 1]
                    if np.isnan(value) and fp[index] == fp[index + 1]:
                        value = fp[index]
            out[i] = value
    return out


def wrapped(x: Any, xp: Any, fp: Any, period: Any) -> Any:
    """The points of a periodic function in order, one more at either end."""
    xp = xp % period
    order = np.argsort(xp)
    n = len(xp)
    indices = np.empty(n + 2, np.float64)
    values = np.empty(n + 2, fp.dtype)
    for i in range(n):
        k = int(order[i])
        indices[i + 1] = xp[k]
        values[i + 1] = fp[k]
    indices[0] = indices[n] - period
    values[0] = values[n]
    indices[n + 1] = indices[1] + period
    values[n + 1] = values[1]
    return x % period, indices, values


def real_input(x: Any) -> Any:
    if np.issubdtype(x.dtype, np.complexfloating):
        raise TypeError(
            f"Cannot cast array data from dtype('{x.dtype.name}') to dtype('float64') "
            "according to the rule 'safe'"
        )
    return x.astype(np.float64, copy=False)


@implements("numpy.interp")
def interp(
    x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None
) -> Any:
    fp = np.asarray(fp)
    x = real_input(np.asarray(x))
    xp = real_input(np.asarray(xp))
    work = np.complex128 if np.issubdtype(fp.dtype, np.complexfloating) else np.float64
    fp = fp.astype(work, copy=False)
    if period is not None:
        if period == 0:
            raise ValueError("period must be a non-zero value")
        if xp.ndim != 1 or fp.ndim != 1:
            raise ValueError("Data points must be 1-D sequences")
        if len(xp) != len(fp):
            raise ValueError("fp and xp are not of the same length")
        x, xp, fp = wrapped(x, xp, fp, abs(period))
        left = None
        right = None
    if xp.ndim != 1 or fp.ndim != 1:
        raise ValueError("object too deep for desired array")
    if len(xp) == 0:
        raise ValueError("array of sample points is empty")
    if len(xp) != len(fp):
        raise ValueError("fp and xp are not of the same length.")
    first = fp[0] if left is None else left
    last = fp[-1] if right is None else right
    many = np.ravel(x)
    if work is np.float64:
        return interpolated(many, xp, fp, first, last).reshape(x.shape)[()]
    out = np.empty(len(many), work)
    out.real[...] = interpolated(many, xp, fp.real, np.real(first), np.real(last), "real")
    out.imag[...] = interpolated(many, xp, fp.imag, np.imag(first), np.imag(last), "imag")
    return out.reshape(x.shape)[()]


def slid(a: Any, v: Any, out: Any) -> Any:
    """out[i] = sum of a[i + j] * v[j]: eight accumulators at a time, in registers. Returns how
    many sums it computed; less than eight are left.
    """
    whole = len(out) // 8
    for block in range(whole):
        i = block * 8
        t0 = t1 = t2 = t3 = t4 = t5 = t6 = t7 = v.dtype.type(0)
        for j in range(len(v)):
            one = v[j]
            t0 += a[i + j] * one
            t1 += a[i + j + 1] * one
            t2 += a[i + j + 2] * one
            t3 += a[i + j + 3] * one
            t4 += a[i + j + 4] * one
            t5 += a[i + j + 5] * one
            t6 += a[i + j + 6] * one
            t7 += a[i + j + 7] * one
        out[i] = t0
        out[i + 1] = t1
        out[i + 2] = t2
        out[i + 3] = t3
        out[i + 4] = t4
        out[i + 5] = t5
        out[i + 6] = t6
        out[i + 7] = t7
    return whole * 8


def one_by_one(out: Any, a: Any, v: Any, before: Any, first: Any, last: Any) -> Any:
    """out[i] of `correlated` for first <= i < last."""
    dtype = out.dtype
    if dtype != np.bool_:
        primitives.correlate_part(out, a, v, before, first, last)
        return
    for i in range(first, last):
        total = dtype.type(0)
        for j in range(max(before - i, 0), min(len(v), len(a) + before - i)):
            total += a[i - before + j] * v[j]
        out[i] = total


def correlated(a: Any, v: Any, mode: Any) -> Any:
    """The sums of products with `v`, shifted along `a`, which is at least as long."""
    dtype = np.promote_types(a.dtype, v.dtype)
    n = len(a)
    m = len(v)
    # The overhang: so many elements of `v` are outside `a` in the first sum, and in the last.
    before = 0
    count = n - m + 1
    if mode == "full":
        before = m - 1
        count = n + m - 1
    elif mode == "same":
        before = m // 2
        count = n
    work = np.dtype(np.float32) if dtype == np.float16 else dtype  # as NumPy's sums
    a = a.astype(work, copy=False)
    v = v.astype(work, copy=False)
    out = np.empty(count, work)
    done = slid(a, v, out[before : before + n - m + 1])
    one_by_one(out, a, v, before, 0, before)
    one_by_one(out, a, v, before, before + done, count)
    return out.astype(dtype, copy=False)


def checked_mode(mode: Any) -> Any:
    if mode not in ("valid", "same", "full"):
        raise ValueError(f"mode must be one of 'valid', 'same', or 'full' (got '{mode}')")


@implements("numpy.convolve")
def convolve(a: Any, v: Any, mode: Any = "full") -> Any:
    a = np.atleast_1d(a)
    v = np.atleast_1d(v)
    if len(a) == 0:
        raise ValueError("a cannot be empty")
    if len(v) == 0:
        raise ValueError("v cannot be empty")
    checked_mode(mode)
    if a.ndim > 1 or v.ndim > 1:
        raise ValueError("object too deep for desired array")
    if len(v) > len(a):
        a, v = v, a
    # Facts about both from here on: no index below needs a bounds check.
    assert len(v) >= 1
    assert len(a) >= len(v)
    return correlated(a, v[::-1], mode)


@implements("numpy.correlate")
def correlate(a: Any, v: Any, mode: Any = "valid") -> Any:
    a = np.asarray(a)
    v = np.asarray(v)
    checked_mode(mode)
    if a.ndim > 1 or v.ndim > 1:
        raise ValueError("object too deep for desired array")
    if a.ndim < 1 or v.ndim < 1:
        raise ValueError("object of too small depth for desired array")
    if np.issubdtype(v.dtype, np.complexfloating):
        v = np.conj(v)
    if len(a) == 0:
        raise ValueError("first array argument cannot be empty")
    if len(v) == 0:
        raise ValueError("second array argument cannot be empty")
    if len(v) > len(a):
        return correlated(v, a, mode)[::-1]
    return correlated(a, v, mode)


#                                                                                            windows


def window_steps(M: Any) -> Any:
    """1-M, 3-M ... M-1."""
    return np.arange(1 - M, M, 2)


@implements("numpy.bartlett")
def bartlett(M: Any) -> Any:
    if M < 1:
        return np.ones(0)
    if M == 1:
        return np.ones(1)
    n = window_steps(M)
    return np.where(n <= 0, 1 + n / (M - 1), 1 - n / (M - 1))


@implements("numpy.hanning")
def hanning(M: Any) -> Any:
    if M < 1:
        return np.ones(0)
    if M == 1:
        return np.ones(1)
    return 0.5 + 0.5 * np.cos(np.pi * window_steps(M) / (M - 1))


@implements("numpy.hamming")
def hamming(M: Any) -> Any:
    if M < 1:
        return np.ones(0)
    if M == 1:
        return np.ones(1)
    return 0.54 + 0.46 * np.cos(np.pi * window_steps(M) / (M - 1))


@implements("numpy.blackman")
def blackman(M: Any) -> Any:
    if M < 1:
        return np.ones(0)
    if M == 1:
        return np.ones(1)
    n = window_steps(M)
    wide = 0.42 + 0.5 * np.cos(np.pi * n / (M - 1))
    return wide + 0.08 * np.cos(2.0 * np.pi * n / (M - 1))


@implements("numpy.kaiser")
def kaiser(M: Any, beta: Any) -> Any:
    if M == 1:
        return np.ones(1)
    alpha = (M - 1) / 2.0
    n = np.arange(0, M)
    return bessel(beta * np.sqrt(1 - ((n - alpha) / alpha) ** 2.0)) / bessel(np.float64(beta))


#                                                                                  special functions


def chebyshev(x: Any, coefficients: Any) -> Any:
    """The sum of a Chebyshev series by Clenshaw's recurrence."""
    b0 = x * 0.0 + coefficients[0]
    b1 = x * 0.0
    b2 = x * 0.0
    for c in coefficients[1:]:
        b2 = b1
        b1 = b0
        b0 = x * b1 - b2 + c
    return 0.5 * (b0 - b2)


def bessel(x: Any) -> Any:
    """The modified Bessel function of order 0, element by element."""
    x = np.abs(x)
    near = np.exp(x) * chebyshev(x / 2.0 - 2, NEAR)
    safe = np.maximum(x, 8.0)
    far = np.exp(safe) * chebyshev(32.0 / safe - 2.0, FAR) / np.sqrt(safe)
    return np.where(x <= 8.0, near, far)


@implements("numpy.i0")
def i0(x: Any) -> Any:
    x = np.asarray(x)
    if np.issubdtype(x.dtype, np.complexfloating):
        raise TypeError("i0 not supported for complex values")
    if not np.issubdtype(x.dtype, np.floating):
        x = x.astype(np.float64)
    return np.asarray(bessel(x)).astype(x.dtype)


@implements("numpy.sinc")
def sinc(x: Any) -> Any:
    x = np.asarray(x)
    if not np.issubdtype(x.dtype, np.inexact):
        x = x.astype(np.float64)
    y = np.pi * x
    if np.issubdtype(x.dtype, np.complexfloating):
        y = np.where(y != 0, y, 1e-20)
    else:
        y = np.where(y != 0, y, np.finfo(x.dtype).eps)
    return np.sin(y) / y


@implements("numpy.unwrap")
def unwrap(p: Any, discont: Any = None, axis: Any = -1, *, period: Any = 6.283185307179586) -> Any:
    p = np.asarray(p)
    axis = axis_of(axis, p.ndim)
    dd = np.diff(p, axis=axis)
    discont = period / 2 if discont is None else discont
    dtype = np.result_type(dd, period)
    if np.issubdtype(dtype, np.integer):
        half = period // 2
        boundary = period % 2 == 0
    else:
        half = period / 2
        boundary = True
    low = -half
    ddmod = np.mod(dd - low, period) + low
    if boundary:
        ddmod = np.where((ddmod == low) & (dd > 0), half, ddmod)
    correct = np.where(np.abs(dd) < discont, 0, ddmod - dd)
    up = np.array(p, dtype=dtype)
    rows = np.moveaxis(up, axis, 0)
    rows[1:] = np.moveaxis(p, axis, 0)[1:] + np.moveaxis(np.cumsum(correct, axis=axis), axis, 0)
    return up


# The coefficients of the Cephes library, as NumPy has them.
# fmt: off
NEAR = (
    -4.4153416464793395e-18, 3.3307945188222384e-17, -2.431279846547955e-16, 1.715391285555133e-15,
    -1.1685332877993451e-14, 7.676185498604936e-14, -4.856446783111929e-13, 2.95505266312964e-12,
    -1.726826291441556e-11, 9.675809035373237e-11, -5.189795601635263e-10, 2.6598237246823866e-09,
    -1.300025009986248e-08, 6.046995022541919e-08, -2.670793853940612e-07, 1.1173875391201037e-06,
    -4.4167383584587505e-06, 1.6448448070728896e-05, -5.754195010082104e-05, 0.00018850288509584165,
    -0.0005763755745385824, 0.0016394756169413357, -0.004324309995050576, 0.010546460394594998,
    -0.02373741480589947, 0.04930528423967071, -0.09490109704804764, 0.17162090152220877,
    -0.3046826723431984, 0.6767952744094761,
)
FAR = (
    -7.233180487874754e-18, -4.830504485944182e-18, 4.46562142029676e-17, 3.461222867697461e-17,
    -2.8276239805165836e-16, -3.425485619677219e-16, 1.7725601330565263e-15, 3.8116806693526224e-15,
    -9.554846698828307e-15, -4.150569347287222e-14, 1.54008621752141e-14, 3.8527783827421426e-13,
    7.180124451383666e-13, -1.7941785315068062e-12, -1.3215811840447713e-11,
    -3.1499165279632416e-11,
    1.1889147107846439e-11, 4.94060238822497e-10, 3.3962320257083865e-09, 2.266668990498178e-08,
    2.0489185894690638e-07, 2.8913705208347567e-06, 6.889758346916825e-05, 0.0033691164782556943,
    0.8044904110141088,
)
# fmt: on
