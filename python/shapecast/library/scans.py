"""Cumulative sums and products, differences and gradients."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import implements, primitives
from ._shared import axes_of, axis_of, stored, sum_dtype


def scan_line(ufunc: Any, line: Any, out: Any) -> Any:
    """The scan of one line; the accumulator is in a register."""
    is_extreme = ufunc is np.maximum or ufunc is np.minimum
    is_simple = np.issubdtype(line.dtype, np.integer) or line.dtype in (np.float32, np.float64)
    if is_extreme and is_simple:
        primitives.scan_extremes(line, out, ufunc is np.maximum)
    elif (ufunc is np.add or ufunc is np.multiply) and np.issubdtype(line.dtype, np.floating):
        # The first element is not peeled: element-wise nests are fused into such scans (np-scans).
        total = line.dtype.type(-0.0 if ufunc is np.add else 1.0)
        for i in range(len(line)):
            total = ufunc(total, line[i])
            out[i] = total
    elif len(line) > 0:
        total = line[0]
        out[0] = total
        for i in range(1, len(line)):
            total = ufunc(total, line[i])
            out[i] = total


def kernel_of(ufunc: Any, dtype: Any) -> Any:
    """Which kernels of a device scan so, or None."""
    is_whole = np.issubdtype(dtype, np.integer)
    is_float = dtype in (np.float32, np.float64)
    if ufunc is np.logical_or or ufunc is np.logical_and or dtype == np.bool_:
        if ufunc in (np.logical_or, np.add, np.maximum, np.fmax, np.bitwise_or):
            return "bitwise_or"
        if ufunc in (np.logical_and, np.multiply, np.minimum, np.fmin, np.bitwise_and):
            return "bitwise_and"
        return "bitwise_xor" if ufunc in (np.logical_xor, np.bitwise_xor) else None
    if is_whole or is_float or np.issubdtype(dtype, np.complexfloating):
        if ufunc is np.add:
            return "add"
        if ufunc is np.multiply:
            return "multiply"
        if ufunc is np.maximum or (ufunc is np.fmax and is_whole):
            return "maximum"
        if ufunc is np.minimum or (ufunc is np.fmin and is_whole):
            return "minimum"
    if is_float and ufunc is np.fmax:
        return "fmax"
    if is_float and ufunc is np.fmin:
        return "fmin"
    if is_whole and ufunc is np.bitwise_and:
        return "bitwise_and"
    if is_whole and ufunc is np.bitwise_or:
        return "bitwise_or"
    if is_whole and ufunc is np.bitwise_xor:
        return "bitwise_xor"
    return None


def scanned_on_device(kernel: Any, a: Any, axis: Any, dtype: Any) -> Any:
    out = np.empty_like(a, dtype) if a.ndim == 2 else np.empty(a.shape, dtype)
    lines = np.moveaxis(a.astype(dtype, copy=False), axis, -1)
    primitives.fill("device_scan_" + kernel, (np.moveaxis(out, axis, -1),), (lines,))
    return out


def scanned(ufunc: Any, a: Any, axis: Any, dtype: Any) -> Any:
    """ufunc.accumulate: each element is combined with the result before it along the axis."""
    if primitives.is_on_device(a):
        is_half = dtype == np.float16  # in float32, which holds all of it
        kernel = kernel_of(ufunc, np.dtype(np.float32) if is_half else np.dtype(dtype))
        if kernel is not None and is_half:
            return scanned_on_device(kernel, a, axis, np.float32).astype(np.float16)
        if kernel is not None:
            return scanned_on_device(kernel, a, axis, dtype)
    if a.ndim == 1:
        out = np.empty(a.shape, dtype)
        scan_line(ufunc, a.astype(dtype, copy=False), out)
        return out
    if axis == 0:
        out = np.empty_like(a, dtype) if a.ndim == 2 else np.empty(a.shape, dtype)
        rows = a.astype(dtype, copy=False)
        if len(a) > 0:
            out[0] = rows[0]
        for i in range(1, len(a)):
            out[i] = ufunc(out[i - 1], rows[i])
        return out
    if a.ndim == 2:
        out = np.empty_like(a, dtype)
        rows = a.astype(dtype, copy=False)
        for k in range(len(a)):
            scan_line(ufunc, rows[k], out[k])
        return out
    out = np.empty(a.shape, dtype)
    out[...] = a
    outer = math.prod(a.shape[:axis])
    if axis == a.ndim - 1:
        lines = out.reshape((outer, a.shape[-1]))
        for line in lines:
            scan_line(ufunc, line, line)
        return out
    blocks = out.reshape((outer, a.shape[axis], math.prod(a.shape[axis + 1 :])))
    for block in blocks:
        for i in range(1, a.shape[axis]):
            block[i] = ufunc(block[i - 1], block[i])
    return out


def running(ufunc: Any, a: Any, axis: Any, dtype: Any, out: Any) -> Any:
    """np.cumsum and np.cumprod."""
    a = np.asarray(a)
    if axis is None or a.ndim == 0:
        axis = 0 if axis is None else axis_of(axis, 1)
        a = a.ravel()
    axis = axis_of(axis, a.ndim)
    if dtype is None:
        dtype = sum_dtype(a.dtype) if out is None else out.dtype
    if out is not None and out.shape != a.shape:
        raise ValueError("provided out is the wrong size for the accumulation.")
    if a.ndim == 2 and a.flags.fnc:
        return stored(out, scanned(ufunc, a.T, 1 - axis, dtype).T)
    return stored(out, scanned(ufunc, a, axis, dtype))


@implements("numpy.cumsum", "numpy.ndarray.cumsum")
def cumsum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    return running(np.add, a, axis, dtype, out)


@implements("numpy.cumprod", "numpy.ndarray.cumprod")
def cumprod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    return running(np.multiply, a, axis, dtype, out)


@implements("numpy.nancumsum")
def nancumsum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    a = np.asarray(a)
    if np.issubdtype(a.dtype, np.inexact):
        a = np.where(np.isnan(a), a.dtype.type(0), a)
    return running(np.add, a, axis, dtype, out)


@implements("numpy.nancumprod")
def nancumprod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    a = np.asarray(a)
    if np.issubdtype(a.dtype, np.inexact):
        a = np.where(np.isnan(a), a.dtype.type(1), a)
    return running(np.multiply, a, axis, dtype, out)


def cumulative(
    ufunc: Any, x: Any, axis: Any, dtype: Any, out: Any, include_initial: Any, initial: Any
) -> Any:
    x = np.atleast_1d(x)
    if axis is None and x.ndim >= 2:
        raise ValueError(
            "For arrays which have more than one dimension ``axis`` argument is required."
        )
    if isinstance(axis, tuple) and len(axis) == 1 and not include_initial:
        axis = axis[0]
    axis = 0 if axis is None else axis_of(axis, x.ndim)
    if not include_initial:
        return running(ufunc, x, axis, dtype, out)
    if dtype is None:
        dtype = sum_dtype(x.dtype) if out is None else out.dtype
    shape = tuple(x.shape[i] + (1 if i == axis else 0) for i in range(x.ndim))
    result = np.empty(shape, dtype)
    rows = np.moveaxis(result, axis, 0)
    rows[0] = initial
    rows[1:] = np.moveaxis(scanned(ufunc, x, axis, dtype), axis, 0)
    return stored(out, result)


@implements("numpy.cumulative_sum")
def cumulative_sum(
    x: Any,
    /,
    *,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    include_initial: Any = False,
) -> Any:
    return cumulative(np.add, x, axis, dtype, out, include_initial, 0)


@implements("numpy.cumulative_prod")
def cumulative_prod(
    x: Any,
    /,
    *,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    include_initial: Any = False,
) -> Any:
    return cumulative(np.multiply, x, axis, dtype, out, include_initial, 1)


@implements("numpy.ediff1d")
def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    ary = np.ravel(np.asarray(ary))
    if to_begin is None and to_end is None:
        return ary[1:] - ary[:-1]
    begin = 0
    if to_begin is not None:
        to_begin = np.ravel(np.asarray(to_begin))
        if not np.can_cast(to_begin, ary.dtype, casting="same_kind"):
            raise TypeError(
                "dtype of `to_begin` must be compatible "
                "with input `ary` under the `same_kind` rule."
            )
        begin = len(to_begin)
    end = 0
    if to_end is not None:
        to_end = np.ravel(np.asarray(to_end))
        if not np.can_cast(to_end, ary.dtype, casting="same_kind"):
            raise TypeError(
                "dtype of `to_end` must be compatible with input `ary` under the `same_kind` rule."
            )
        end = len(to_end)
    steps = max(len(ary) - 1, 0)
    result = np.empty(steps + begin + end, ary.dtype)
    if to_begin is not None:
        result[:begin] = to_begin
    if to_end is not None:
        result[begin + steps :] = to_end
    result[begin : begin + steps] = ary[1:] - ary[:-1]
    return result


def spacing(given: Any, size: Any) -> Any:
    """A number, or the distances between the coordinates of one axis."""
    given = np.asarray(given)
    if given.ndim == 0:
        return given[()]
    if given.ndim != 1:
        raise ValueError("distances must be either scalars or 1d")
    if len(given) != size:
        raise ValueError("when 1d, distances must match the length of the corresponding dimension")
    if np.issubdtype(given.dtype, np.integer):
        given = given.astype(np.float64)
    return np.diff(given)


def slope(f: Any, h: Any, edge_order: Any, otype: Any) -> Any:
    """The gradient along the first axis."""
    if len(f) < edge_order + 1:
        raise ValueError(
            "Shape of array too small to calculate a numerical gradient, "
            "at least (edge_order + 1) elements are required."
        )
    out = np.empty(f.shape, otype)
    uniform = np.ndim(h) == 0
    if uniform:
        out[1:-1] = (f[2:] - f[:-2]) / (2.0 * h)
        first = h
        last = h
    else:
        column = (-1,) + (1,) * (f.ndim - 1)
        dx1 = h[0:-1].reshape(column)
        dx2 = h[1:].reshape(column)
        # NumPy uses the simple formula where all distances are equal: it rounds differently.
        if len(h) > 0 and (h == h[0]).all():
            out[1:-1] = (f[2:] - f[:-2]) / (2.0 * h[0])
        else:
            a = -(dx2) / (dx1 * (dx1 + dx2))
            b = (dx2 - dx1) / (dx1 * dx2)
            c = dx1 / (dx2 * (dx1 + dx2))
            out[1:-1] = a * f[:-2] + b * f[1:-1] + c * f[2:]
        first = h[0]
        last = h[-1]
    if edge_order == 1:
        out[0] = (f[1] - f[0]) / first
        out[-1] = (f[-1] - f[-2]) / last
    elif uniform:
        out[0] = -1.5 / h * f[0] + 2.0 / h * f[1] + -0.5 / h * f[2]
        out[-1] = 0.5 / h * f[-3] + -2.0 / h * f[-2] + 1.5 / h * f[-1]
    else:
        dx1 = h[0]
        dx2 = h[1]
        out[0] = (
            -(2.0 * dx1 + dx2) / (dx1 * (dx1 + dx2)) * f[0]
            + (dx1 + dx2) / (dx1 * dx2) * f[1]
            + -dx1 / (dx2 * (dx1 + dx2)) * f[2]
        )
        dx1 = h[-2]
        dx2 = h[-1]
        out[-1] = (
            (dx2) / (dx1 * (dx1 + dx2)) * f[-3]
            + -(dx2 + dx1) / (dx1 * dx2) * f[-2]
            + (2.0 * dx2 + dx1) / (dx2 * (dx1 + dx2)) * f[-1]
        )
    return out


@implements("numpy.diff")
def diff(a: Any, n: Any = 1, axis: Any = -1, prepend: Any = None, append: Any = None) -> Any:
    """A difference of high order: in place, since each one is shorter than the one before."""
    if prepend is not None and append is not None:
        first = np.diff(a, 1, axis, prepend, append)
    elif prepend is not None:
        first = np.diff(a, 1, axis, prepend)
    elif append is not None:
        first = np.diff(a, 1, axis, append=append)
    else:
        first = np.diff(a, 1, axis)
    along = axis_of(axis, first.ndim)
    work = np.moveaxis(np.copy(first), along, -1)
    size = work.shape[-1]
    for k in range(1, min(n, size + 1)):
        left = size - k
        if first.dtype == np.bool_:
            work[..., :left] = work[..., 1 : left + 1] != work[..., :left]
        else:
            work[..., :left] = work[..., 1 : left + 1] - work[..., :left]
    return np.copy(np.moveaxis(work[..., : max(size - n + 1, 0)], -1, along))


@implements("numpy.gradient")
def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: Any = 1) -> Any:
    f = np.asarray(f)
    axes = axes_of(axis, f.ndim)
    if len(varargs) == 0:
        distances = (1.0,) * len(axes)
    elif len(varargs) == 1 and np.ndim(varargs[0]) == 0:
        distances = varargs * len(axes)
    elif len(varargs) == len(axes):
        distances = varargs
    else:
        raise TypeError("invalid number of arguments")
    steps = [spacing(h, f.shape[k]) for k, h in zip(axes, distances)]
    if edge_order > 2:
        raise ValueError("'edge_order' greater than 2 not supported")
    if not np.issubdtype(f.dtype, np.inexact):
        otype = np.dtype(np.float64)
        if f.dtype != np.bool_:
            f = f.astype(np.float64)
    else:
        otype = f.dtype
    found = [
        np.moveaxis(slope(np.moveaxis(f, k, 0), h, edge_order, otype), 0, k)
        for k, h in zip(axes, steps)
    ]
    if len(axes) == 1:
        return found[0]
    return tuple(found)
