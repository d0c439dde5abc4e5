"""np.random: what NumPy's methods do around its C distributions, which the run time calls.

Numbers are drawn from the generator's own bits, in NumPy's order, so its stream continues where
Python left it. What is not supported here is called out, which gives the same numbers.
"""

# mypy: disable-error-code="assignment"
from __future__ import annotations

from typing import Any

import numpy as np

from . import implements
from ._shared import axis_of
from .primitives import draw, draw_integer, fill, unsupported, writeable

BAD_OUTPUT = (
    "Supplied output array must be contiguous, writable, aligned, and in machine byte-order."
)


# ----------------------------------------------------------------------------------------- numbers


def standard(
    generator: Any, kernel: str, name: str, size: Any, dtype: Any = np.float64, out: Any = None
) -> Any:
    """Draws from a distribution without parameters."""
    dtype = np.dtype(dtype)
    if dtype != np.float64 and dtype != np.float32:
        raise TypeError(f"Unsupported dtype {dtype!r} for {name}")
    if size is None and out is None:
        return draw(f"{kernel}_{dtype.name}", generator, ())
    if out is None:
        out = np.empty(size, dtype)
    else:
        check_output(out, dtype, size)
    to = writeable(out, BAD_OUTPUT)
    fill(f"fill_{kernel}_{dtype.name}", (to,), (generator,), BAD_OUTPUT)
    return out


def check_output(out: Any, dtype: Any, size: Any) -> Any:
    if out.dtype != dtype:
        raise TypeError(
            f"Supplied output array has the wrong type. Expected {dtype.name}, got {out.dtype.name}"
        )
    if size is not None:
        shape = size if isinstance(size, tuple) else (size,)
        if shape != out.shape:
            raise ValueError("size must match out.shape when used together")


@implements("numpy.random._generator.Generator.random")
def random(self: Any, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
    return standard(self, "standard_uniform", "random", size, dtype, out)


@implements("numpy.random._generator.Generator.standard_normal")
def standard_normal(self: Any, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
    return standard(self, "standard_normal", "standard_normal", size, dtype, out)


@implements("numpy.random._generator.Generator.standard_exponential")
def standard_exponential(
    self: Any, size: Any = None, dtype: Any = np.float64, method: Any = "zig", out: Any = None
) -> Any:
    kernel = "standard_exponential" if method == "zig" else "standard_exponential_inv"
    return standard(self, kernel, "standard_exponential", size, dtype, out)


@implements("numpy.random._generator.Generator.standard_cauchy")
def standard_cauchy(self: Any, size: Any = None) -> Any:
    return standard(self, "standard_cauchy", "standard_cauchy", size)


# -------------------------------------------------------------------------------------- parameters


def parameter(x: Any) -> Any:
    """A float, or an array of them."""
    if np.ndim(x) == 0:
        return float(x)
    x = np.asarray(x)
    if np.issubdtype(x.dtype, np.complexfloating):
        raise TypeError(
            f"Cannot cast array data from dtype('{x.dtype.name}') to dtype('float64') "
            "according to the rule 'safe'"
        )
    return x.astype(np.float64, copy=False)


def check_not_negative(x: Any, name: str) -> Any:
    if np.any(np.logical_and(np.logical_not(np.isnan(x)), np.signbit(x))):
        raise ValueError(f"{name} < 0")


def check_positive(x: Any, name: str) -> Any:
    if np.any(np.less_equal(x, 0)):
        raise ValueError(f"{name} <= 0")


def is_number(parameters: Any) -> bool:
    return all([np.ndim(x) == 0 for x in parameters])


def real(generator: Any, kernel: str, parameters: Any, size: Any) -> Any:
    """Draws from a distribution of floats; the parameters are checked."""
    if is_number(parameters):
        if size is None:
            return draw(kernel, generator, parameters)
        out = np.empty(size)
        fill(f"fill_{kernel}", (out,), (generator, *parameters))
        return out
    return each(generator, kernel, parameters, size, np.float64)


def integral(generator: Any, kernel: str, parameters: Any, size: Any) -> Any:
    """Draws from a distribution of integers."""
    if is_number(parameters):
        if size is None:
            return int(draw_integer(kernel, generator, parameters))
        out = np.empty(size, np.int64)
        fill(f"fill_{kernel}", (out,), (generator, *parameters))
        return out
    return each(generator, kernel, parameters, size, np.int64)


def each(generator: Any, kernel: str, parameters: Any, size: Any, dtype: Any) -> Any:
    arrays = [np.asarray(x) for x in parameters]
    shapes = [x.shape for x in arrays]
    shape = np.broadcast_shapes(*shapes)
    out = np.empty(shape if size is None else size, dtype)
    if size is not None:
        shape = np.broadcast_shapes(out.shape, *shapes)
        if shape != out.shape:
            raise ValueError(
                f"Output size {out.shape} is not compatible with broadcast "
                f"dimensions of inputs {shape}."
            )
    fill(f"each_{kernel}", (out,), (generator, *[np.broadcast_to(x, shape) for x in arrays]))
    return out


# ------------------------------------------------------------------------------------------- reals


@implements("numpy.random._generator.Generator.uniform")
def uniform(self: Any, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
    low = parameter(low)
    span = np.subtract(parameter(high), low)
    if is_number((low, span)):
        span = float(span)
        if not np.isfinite(span):
            raise OverflowError("high - low range exceeds valid bounds")
    elif not np.all(np.isfinite(span)):
        raise OverflowError("Range exceeds valid bounds")
    check_not_negative(span, "high - low")
    return real(self, "uniform", (low, span), size)


@implements("numpy.random._generator.Generator.normal")
def normal(self: Any, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    loc = parameter(loc)
    scale = parameter(scale)
    check_not_negative(scale, "scale")
    return real(self, "normal", (loc, scale), size)


@implements("numpy.random._generator.Generator.exponential")
def exponential(self: Any, scale: Any = 1.0, size: Any = None) -> Any:
    scale = parameter(scale)
    check_not_negative(scale, "scale")
    return real(self, "exponential", (scale,), size)


# ---------------------------------------------------------------------------------------- integers


@implements("numpy.random._generator.Generator.integers")
def integers(
    self: Any,
    low: Any,
    high: Any = None,
    size: Any = None,
    dtype: Any = np.int64,
    endpoint: Any = False,
) -> Any:
    return bounded(self, low, high, size, dtype, endpoint, 0)


def bounded(
    generator: Any, low: Any, high: Any, size: Any, dtype: Any, closed: Any, masked: Any
) -> Any:
    """`masked`: numbers out of the range are rejected and redrawn."""
    if high is None:
        high = low
        low = 0
    kind = np.dtype(dtype)
    if not is_number((low, high)):
        return each_bounded(generator, low, high, size, kind, closed, masked)
    low = bound(low)
    high = bound(high)
    if size is not None:
        out = np.empty(size, kind)
        if out.size > 0:
            last = last_of(low, high, kind, closed)
            fill(f"fill_integers_{kind.name}", (out,), (generator, low, last, masked))
        return out
    last = last_of(low, high, kind, closed)
    value = draw_integer(f"integers_{kind.name}", generator, (low, last, masked))
    if dtype is int:
        return int(value)
    return bool(value) if dtype is bool else kind.type(value)


def bound(x: Any) -> Any:
    if np.asarray(x).dtype == np.uint64:
        unsupported("bounds of 64 bits without a sign")
    return int(x)


def each_bounded(
    generator: Any, low: Any, high: Any, size: Any, dtype: Any, closed: Any, masked: Any
) -> Any:
    low = np.asarray(low)
    high = np.asarray(high)
    if dtype != np.int64 or not np.can_cast(low, np.int64) or not np.can_cast(high, np.int64):
        unsupported("bounds that are arrays of other numbers than integers")
    low = low.astype(np.int64, copy=False)
    last = high.astype(np.int64, copy=False) - (0 if closed else 1)
    if np.any(low > last):
        if not np.any(low):
            raise ValueError("high < 0" if closed else "high <= 0")
        raise ValueError("low > high" if closed else "low >= high")
    kernel = "integers_masked" if masked else "integers"
    return each(generator, kernel, (low, last), size, np.int64)


def last_of(low: Any, high: Any, dtype: Any, closed: Any) -> Any:
    """The largest number, when the range is there."""
    if not np.issubdtype(dtype, np.integer) and dtype != np.bool_:
        raise TypeError(f"Unsupported dtype {dtype!r} for integers")
    last = high if closed else high - 1
    if dtype.kind != "i" and low < 0:
        raise ValueError(f"low is out of bounds for {dtype.name}")
    if dtype.itemsize < 8:
        bits = 1 if dtype.kind == "b" else 8 * dtype.itemsize - (1 if dtype.kind == "i" else 0)
        if dtype.kind == "i" and low < -(1 << bits):
            raise ValueError(f"low is out of bounds for {dtype.name}")
        if last >= 1 << bits:
            raise ValueError(f"high is out of bounds for {dtype.name}")
    if low > last:
        if low == 0:
            raise ValueError("high < 0" if closed else "high <= 0")
        raise ValueError("low > high" if closed else "low >= high")
    return last


# ------------------------------------------------------------------------------------ permutations


CHOICE_ERRORS = (
    "a must be a positive integer unless no samples are taken",
    "a cannot be empty unless no samples are taken",
    "p must be 1-dimensional",
    "a and p must have same size",
    "Probabilities contain NaN",
    "Probabilities are not non-negative",
    "Probabilities do not sum to 1. See Notes section of docstring for more information.",
)


@implements("numpy.random._generator.Generator.choice")
def choice(
    self: Any,
    a: Any,
    size: Any = None,
    replace: Any = True,
    p: Any = None,
    axis: Any = 0,
    shuffle: Any = True,
) -> Any:
    count = population(a, axis, size, CHOICE_ERRORS)
    if p is not None:
        if not replace:
            unsupported("choice with probabilities and without replacement")
        indices = weighted(self, count, size, p, CHOICE_ERRORS)
    elif replace:
        indices = integers(self, 0, count, size)
    else:
        indices = different(self, count, size, shuffle)
    return picked(a, indices, axis)


def population(a: Any, axis: Any, size: Any, errors: Any) -> Any:
    if np.ndim(a) != 0:
        count = np.asarray(a).shape[axis]
        if count == 0 and (size is None or np.prod(size) != 0):
            raise ValueError(errors[1])
        return count
    if not np.issubdtype(np.asarray(a).dtype, np.integer):
        raise ValueError(f"a must be a sequence or an integer, not {type(a)}")
    if a <= 0 and (size is None or np.prod(size) != 0):
        raise ValueError(errors[0])
    return int(a)


def picked(a: Any, indices: Any, axis: Any) -> Any:
    if np.ndim(a) == 0:
        return indices if isinstance(indices, np.ndarray) else int(indices)
    if isinstance(indices, np.ndarray) and indices.ndim == 0:
        unsupported("choice with size=()")
    return np.take(np.asarray(a), indices, axis)


def weighted(generator: Any, count: Any, size: Any, p: Any, errors: Any) -> Any:
    p = np.asarray(p)
    tolerance = float(np.sqrt(np.finfo(np.float64).eps))
    if np.issubdtype(p.dtype, np.floating):
        tolerance = max(tolerance, float(np.sqrt(np.finfo(p.dtype).eps)))
    p = parameter(p)
    if p.ndim != 1:
        raise ValueError(errors[2])
    if p.size != count:
        raise ValueError(errors[3])
    total = kahan_sum(p)
    if np.isnan(total):
        raise ValueError(errors[4])
    if np.any(p < 0):
        raise ValueError(errors[5])
    if abs(total - 1.0) > tolerance:
        raise ValueError(errors[6])
    reached = np.cumsum(p)
    reached /= reached[-1]
    return np.searchsorted(reached, random(generator, size), side="right")


def kahan_sum(p: Any) -> Any:
    total = p[0]
    lost = 0.0
    for i in range(1, len(p)):
        y = p[i] - lost
        t = total + y
        lost = (t - total) - y
        total = t
    return total


def different(generator: Any, count: Any, size: Any, shuffle: Any) -> Any:
    """Distinct indices below `count`."""
    number = 1 if size is None else int(np.prod(size))
    if number > count:
        raise ValueError("Cannot take a larger sample than population when replace is False")
    if number < 0:
        raise ValueError("negative dimensions are not allowed")
    indices = np.empty(number, np.int64)
    if count > 10000 and number > count // (50 if shuffle else 20):
        order = np.arange(count)
        fill("fill_shuffle_indices", (order,), (generator, max(count - number, 1)))
        indices[:] = order[count - number :]
    else:
        table = np.full(power_above(int(1.2 * number)), -1)
        fill("fill_sample", (indices, table), (generator, count))
        if shuffle:
            fill("fill_shuffle_indices", (indices,), (generator, 1))
    return indices[0] if size is None else np.reshape(indices, size)


def power_above(number: int) -> int:
    power = 1
    while power <= number:
        power *= 2
    return power


@implements("numpy.random._generator.Generator.shuffle")
def shuffle(self: Any, x: Any, axis: Any = 0) -> Any:
    if not isinstance(x, np.ndarray):
        unsupported("shuffling what is not an array")
    if x.ndim == 0:
        raise TypeError("len() of unsized object")
    x = writeable(x, "array is read-only")
    axis = axis_of(axis, x.ndim)
    if x.ndim == 1:
        fill("fill_shuffle", (x,), (self,))
    elif x.size > 0:
        x[...] = np.take(x, order_of(self, x.shape[axis]), axis)


@implements("numpy.random._generator.Generator.permutation")
def permutation(self: Any, x: Any, axis: Any = 0) -> Any:
    if np.ndim(x) == 0:
        if not np.issubdtype(np.asarray(x).dtype, np.integer):
            axis_of(axis, 0)
        return order_of(self, x)
    a = np.asarray(x)
    axis = axis_of(axis, a.ndim)
    if a.ndim > 1:
        return np.take(a, order_of(self, a.shape[axis]), axis)
    a = np.array(a)
    fill("fill_shuffle", (a,), (self,))
    return a


def order_of(generator: Any, count: Any) -> Any:
    order = np.arange(count)
    fill("fill_shuffle", (order,), (generator,))
    return order
