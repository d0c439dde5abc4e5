"""np.fft: what numpy/fft/_pocketfft.py does around the C loops of its ufuncs.

The run time calls the loops (src/runtime/ufunc_loops.h); they pad and truncate, and take any
strides. For powers of two of float64 points, 8 to 4 million, they are our own where the processor
has AVX2 (src/runtime/fft.h); all others are NumPy's, with the same bits. Calls for which NumPy
warns are called out.
"""

# mypy: disable-error-code="assignment,attr-defined"
from __future__ import annotations

from typing import Any

import numpy as np

from .._host_info import said
from . import implements
from ._shared import axis_of
from .primitives import loop_dtypes, loop_transform, unsupported

UFUNCS = "numpy.fft._pocketfft_umath."
# "; should be ..."
NORMS = said(lambda: np.fft.fft([1.0], norm="?")).partition("?")[2]  # type: ignore[arg-type]


def used(out: Any) -> Any:
    return out


def forgotten(out: Any) -> Any:
    return None


# Before NumPy 2.5 ifft2, irfft2 and hfft took `out` and did not use it.
_given = np.zeros((1, 1), complex)
unless_forgotten = used if np.fft.ifft2([[1.0]], out=_given) is _given else forgotten


# ---------------------------------------------------------------------------------------- one axis


def backwards(norm: Any) -> Any:
    """The normalisation that this name means for the opposite direction."""
    if norm is None or norm == "backward":
        return "forward"
    if norm == "forward":
        return "backward"
    if norm != "ortho":
        raise bad_norm(norm)
    return norm


def bad_norm(norm: Any) -> Any:
    return ValueError(f'Invalid norm value {norm}; should be "backward", "ortho" or "forward".')


def real_dtype(dtype: Any) -> Any:
    """The dtype of normalisation factors and real results: np.result_type(a.real.dtype, 1.0)."""
    if dtype == np.complex64:
        return np.dtype(np.float32)
    if np.issubdtype(dtype, np.floating):
        return np.dtype(dtype)
    return np.dtype(np.float64)


def complex_dtype(dtype: Any) -> Any:
    """np.result_type(dtype, 1j)."""
    small = dtype == np.complex64 or dtype == np.float32 or dtype == np.float16
    return np.dtype(np.complex64) if small else np.dtype(np.complex128)


def factor_of(norm: Any, n: Any, dtype: Any) -> Any:
    """The factor of a transform of n points; 1 is a Python number, as in NumPy."""
    if norm is None or norm == "backward":
        return 1
    if norm == "ortho":
        return np.reciprocal(np.sqrt(n, dtype=dtype))
    if norm == "forward":
        return np.reciprocal(n, dtype=dtype)
    raise ValueError(f"Invalid norm value {norm}{NORMS}")


def transform(a: Any, n: Any, axis: Any, kind: Any, norm: Any, out: Any) -> Any:
    """`kind`: "fft", "ifft", "rfft" or "irfft"."""
    if n < 1:
        raise ValueError(f"Invalid number of FFT data points ({n}) specified.")
    if kind == "ifft" or kind == "irfft":
        norm = backwards(norm)
    real = real_dtype(a.dtype)
    factor = factor_of(norm, n, real)
    count = n // 2 + 1 if kind == "rfft" else n
    axis = axis_of(axis, a.ndim)
    check_output(out, a.ndim, axis, count)
    dtypes = loop_dtypes(UFUNCS + ("rfft_n_even" if kind == "rfft" else kind), a.dtype, factor)
    if dtypes is None:  # of complex numbers
        if n % 2 == 0:
            raise no_loop("rfft_n_even")
        raise no_loop("rfft_n_odd")
    shape = a.shape[:axis] + (count,) + a.shape[axis + 1 :]
    result = np.empty_like(a, shape=shape, dtype=dtypes[2])
    source = np.moveaxis(a.astype(dtypes[0], copy=False), axis, -1)
    target = np.moveaxis(result, axis, -1)
    if kind != "rfft":
        check_casts(kind, result.dtype, out)
        loop_transform(UFUNCS + kind, target, source, factor)
    elif n % 2 == 0:
        check_casts("rfft_n_even", result.dtype, out)
        loop_transform(UFUNCS + "rfft_n_even", target, source, factor)
    else:
        check_casts("rfft_n_odd", result.dtype, out)
        loop_transform(UFUNCS + "rfft_n_odd", target, source, factor)
    if out is not None:
        out[...] = result.astype(out.dtype, copy=False)
        return out
    return result.astype(real if kind == "irfft" else complex_dtype(a.dtype), copy=False)


def no_loop(ufunc: Any) -> Any:
    return TypeError(
        f"ufunc '{ufunc}' not supported for the input types, and the inputs could not be safely "
        "coerced to any supported types according to the casting rule ''safe''"
    )


def check_output(out: Any, ndim: Any, axis: Any, count: Any) -> Any:
    if out is not None:
        if not isinstance(out, np.ndarray):
            raise TypeError("return arrays must be of ArrayType")
        if out.ndim != ndim or out.shape[axis] != count:
            raise ValueError("output array has wrong shape.")


def check_casts(ufunc: Any, dtype: Any, out: Any) -> Any:
    if out is not None and not np.can_cast(dtype, out.dtype, "same_kind"):
        raise TypeError(
            f"Cannot cast ufunc '{ufunc}' output from dtype('{dtype.name}') to "
            f"dtype('{out.dtype.name}') with casting rule 'same_kind'"
        )


def size_along(a: Any, axis: Any) -> Any:
    if axis is None:
        raise TypeError("tuple indices must be integers or slices, not NoneType")
    return a.shape[axis]


@implements("numpy.fft.fft")
def fft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None, out: Any = None) -> Any:
    a = np.asarray(a)
    return transform(a, size_along(a, axis) if n is None else n, axis, "fft", norm, out)


@implements("numpy.fft.ifft")
def ifft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None, out: Any = None) -> Any:
    a = np.asarray(a)
    return transform(a, size_along(a, axis) if n is None else n, axis, "ifft", norm, out)


@implements("numpy.fft.rfft")
def rfft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None, out: Any = None) -> Any:
    a = np.asarray(a)
    return transform(a, size_along(a, axis) if n is None else n, axis, "rfft", norm, out)


@implements("numpy.fft.irfft")
def irfft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None, out: Any = None) -> Any:
    a = np.asarray(a)
    n = (size_along(a, axis) - 1) * 2 if n is None else n
    return transform(a, n, axis, "irfft", norm, out)


@implements("numpy.fft.hfft")
def hfft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None, out: Any = None) -> Any:
    a = np.asarray(a)
    n = (size_along(a, axis) - 1) * 2 if n is None else n
    return transform(np.conjugate(a), n, axis, "irfft", backwards(norm), unless_forgotten(out))


@implements("numpy.fft.ihfft")
def ihfft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None, out: Any = None) -> Any:
    a = np.asarray(a)
    n = size_along(a, axis) if n is None else n
    result = transform(a, n, axis, "rfft", backwards(norm), out)
    return np.conjugate(result) if out is None else np.conjugate(result, out=out)


# ------------------------------------------------------------------------------------ several axes


def axes_and_sizes(a: Any, s: Any, axes: Any, invreal: Any) -> Any:
    """NumPy's _cook_nd_args."""
    if s is not None and axes is None:
        raise unsupported("s without axes is not compiled: NumPy warns")
    if isinstance(axes, (int, np.integer)):
        if s is not None:
            raise TypeError("object of type 'int' has no len()")
        taken(a, axes)
        raise TypeError("'numpy.int64' object is not iterable")
    if axes is None:
        kept_axes = tuple(range(-a.ndim, 0))
        sizes = a.shape
    elif s is None:
        kept_axes = tuple(axes)
        sizes = tuple([taken(a, k) for k in kept_axes])
    else:
        kept_axes = tuple(axes)
        sizes = tuple(s)
        if len(sizes) != len(kept_axes):
            raise ValueError("Shape and axes have different lengths.")
    if invreal and s is None:
        sizes = sizes[:-1] + ((a.shape[kept_axes[-1]] - 1) * 2,)
    if any([n is None for n in sizes]):
        raise unsupported("None in s is not compiled: NumPy warns")
    return kept_axes, sizes


def taken(a: Any, axis: Any) -> Any:
    """np.take(a.shape, axis)"""
    if axis < -a.ndim or axis >= a.ndim:
        raise IndexError(f"index {axis} is out of bounds for axis 0 with size {a.ndim}")
    return a.shape[axis]


def points(a: Any, n: Any, axis: Any) -> Any:
    """With -1 replaced by the size of the axis."""
    return a.shape[axis] if n == -1 else n


def along_axes(a: Any, s: Any, axes: Any, kind: Any, norm: Any, out: Any) -> Any:
    a = np.asarray(a)
    kept_axes, sizes = axes_and_sizes(a, s, axes, False)
    sizes = tuple([points(a, n, k) for n, k in zip(sizes, kept_axes)])
    for i in range(len(kept_axes) - 1, -1, -1):
        a = transform(a, sizes[i], kept_axes[i], kind, norm, out)
    return a


@implements("numpy.fft.fftn")
def fftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None, out: Any = None) -> Any:
    return along_axes(a, s, axes, "fft", norm, out)


@implements("numpy.fft.ifftn")
def ifftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None, out: Any = None) -> Any:
    return along_axes(a, s, axes, "ifft", norm, out)


@implements("numpy.fft.fft2")
def fft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None, out: Any = None) -> Any:
    return along_axes(a, s, axes, "fft", norm, out)


@implements("numpy.fft.ifft2")
def ifft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None, out: Any = None) -> Any:
    return along_axes(a, s, axes, "ifft", norm, unless_forgotten(out))


def real_forward(a: Any, s: Any, axes: Any, norm: Any, out: Any) -> Any:
    a = np.asarray(a)
    kept_axes, sizes = axes_and_sizes(a, s, axes, False)
    if len(kept_axes) == 0:
        raise IndexError("list index out of range")
    sizes = tuple([points(a, n, k) for n, k in zip(sizes, kept_axes)])
    a = transform(a, sizes[-1], kept_axes[-1], "rfft", norm, out)
    for i in range(len(kept_axes) - 2, -1, -1):
        a = transform(a, sizes[i], kept_axes[i], "fft", norm, out)
    return a


def real_inverse(a: Any, s: Any, axes: Any, norm: Any, out: Any) -> Any:
    a = np.asarray(a)
    kept_axes, sizes = axes_and_sizes(a, s, axes, True)
    sizes = tuple([points(a, n, k) for n, k in zip(sizes, kept_axes)])
    for i in range(len(kept_axes) - 1):
        a = transform(a, sizes[i], kept_axes[i], "ifft", norm, None)
    return transform(a, sizes[-1], kept_axes[-1], "irfft", norm, out)


@implements("numpy.fft.rfftn")
def rfftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None, out: Any = None) -> Any:
    return real_forward(a, s, axes, norm, out)


@implements("numpy.fft.rfft2")
def rfft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None, out: Any = None) -> Any:
    return real_forward(a, s, axes, norm, out)


@implements("numpy.fft.irfftn")
def irfftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None, out: Any = None) -> Any:
    return real_inverse(a, s, axes, norm, out)


@implements("numpy.fft.irfft2")
def irfft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None, out: Any = None) -> Any:
    return real_inverse(a, s, axes, norm, unless_forgotten(out))


# ------------------------------------------------------------------------------------- frequencies


def check_count(n: Any) -> Any:
    if not isinstance(n, (int, np.integer)):
        raise ValueError("n should be an integer")


def check_device(device: Any) -> Any:
    if device is not None and device != "cpu":
        raise ValueError(f'Device not understood. Only "cpu" is allowed, but received: {device}')


@implements("numpy.fft.fftfreq")
def fftfreq(n: Any, d: Any = 1.0, device: Any = None) -> Any:
    check_count(n)
    val = 1.0 / (n * d)
    check_device(device)
    results = np.empty(n, int)
    middle = (n - 1) // 2 + 1
    results[:middle] = np.arange(0, middle, dtype=int)
    results[middle:] = np.arange(-(n // 2), 0, dtype=int)
    return results * val


@implements("numpy.fft.rfftfreq")
def rfftfreq(n: Any, d: Any = 1.0, device: Any = None) -> Any:
    check_count(n)
    val = 1.0 / (n * d)
    check_device(device)
    return np.arange(0, n // 2 + 1, dtype=int) * val


@implements("numpy.fft.fftshift")
def fftshift(x: Any, axes: Any = None) -> Any:
    x = np.asarray(x)
    if axes is None:
        return np.roll(x, tuple([n // 2 for n in x.shape]), tuple(range(x.ndim)))
    if isinstance(axes, (int, np.integer)):
        return np.roll(x, x.shape[axes] // 2, axes)
    return np.roll(x, tuple([x.shape[k] // 2 for k in axes]), axes)


@implements("numpy.fft.ifftshift")
def ifftshift(x: Any, axes: Any = None) -> Any:
    x = np.asarray(x)
    if axes is None:
        return np.roll(x, tuple([-(n // 2) for n in x.shape]), tuple(range(x.ndim)))
    if isinstance(axes, (int, np.integer)):
        return np.roll(x, -(x.shape[axes] // 2), axes)
    return np.roll(x, tuple([-(x.shape[k] // 2) for k in axes]), axes)
