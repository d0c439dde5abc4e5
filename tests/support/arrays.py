"""Test data: the dtypes served, edge cases, and arrays of every layout."""

from __future__ import annotations

import math

import numpy as np

BOOL = ["bool"]
SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
INTEGERS = SIGNED + UNSIGNED
FLOATS = ["float16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]
DTYPES = BOOL + INTEGERS + FLOATS + COMPLEX


def special_floats(dtype: np.dtype) -> list[float]:
    info = np.finfo(dtype)
    return [
        0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -2.5, 2.0, math.pi / 2, -math.e,
        math.inf, -math.inf, math.nan,
        float(info.max), -float(info.max), float(info.tiny), float(info.smallest_subnormal),
    ]  # fmt: skip


def floats(
    dtype: np.dtype, n: int, rng: np.random.Generator, *, specials: bool = True
) -> np.ndarray:
    """A third near the unit interval, a third of everyday size, a third over the whole range."""
    info = np.finfo(dtype)
    unit = rng.uniform(-1.05, 1.05, n)
    everyday = rng.standard_normal(n) * 10.0 ** rng.uniform(-2, 2, n)
    low, high = np.log10(float(info.tiny)), np.log10(float(info.max))
    wide = rng.choice([-1.0, 1.0], n) * 10.0 ** rng.uniform(low * 0.99, high * 0.99, n)
    if not specials:
        wide = everyday
    data = np.choose(rng.integers(0, 3, n), [unit, everyday, wide])
    if specials:
        bites = special_floats(dtype)
        data[: len(bites)] = bites[:n]
        data = rng.permutation(data)
    with np.errstate(all="ignore"):
        return data.astype(dtype)


def integers(dtype: np.dtype, n: int, rng: np.random.Generator) -> np.ndarray:
    info = np.iinfo(dtype)
    bites = [info.min, info.max, 0, 1, 2, info.max - 1, info.min + 1, info.max // 2, 3, 7]
    if info.min < 0:
        bites += [-1, -2, -7]
    small = rng.integers(max(info.min, -20), 20, n).astype(dtype)
    wide = rng.integers(info.min, info.max, n, dtype=dtype, endpoint=True)
    data = np.where(rng.integers(0, 2, n) == 0, small, wide)
    data[: len(bites)] = np.array(bites[:n], dtype)
    return rng.permutation(data)


def values(dtype: str | np.dtype, n: int, seed: int = 0, domain: str = "any") -> np.ndarray:
    """n values of a dtype. Domains: any, finite, small (0..5), shift (-1..width+2), nonzero,
    positive.
    """
    dtype = np.dtype(dtype)
    # Another seed for another dtype: else equal operands would meet.
    rng = np.random.default_rng([seed, dtype.num])
    if domain == "small":
        data = rng.integers(0, 6, n).astype(dtype)
        return data / dtype.type(2) if dtype.kind in "fc" else data
    if domain == "shift" and dtype.kind in "iu":
        low = -1 if dtype.kind == "i" else 0
        return rng.integers(low, 8 * dtype.itemsize + 3, n).astype(dtype)
    if dtype.kind == "b":
        return rng.integers(0, 2, n).astype(bool)
    if dtype.kind in "iu":
        data = integers(dtype, n, rng)
        if domain == "nonzero":
            data[data == 0] = 3
        elif domain == "finite":
            data = (data % dtype.type(50)).astype(dtype)
        elif domain == "not_min" and dtype.kind == "i":
            data[data == np.iinfo(dtype).min] = 5
        elif domain == "positive":
            data = (data % dtype.type(50) + dtype.type(1)).astype(dtype)
        return data
    if dtype.kind == "c":
        real = np.finfo(dtype).dtype
        data = np.empty(n, dtype)
        data.real = floats(real, n, rng, specials=False)
        data.imag = floats(real, n, rng, specials=False)
        return data
    data = floats(dtype, n, rng, specials=domain == "any")
    if domain == "positive":
        data = (np.abs(data) + dtype.type(0.01)).astype(dtype)
    return data


def filled(shape: tuple[int, ...], dtype: str, seed: int = 0, domain: str = "any") -> np.ndarray:
    return values(dtype, math.prod(shape), seed, domain).reshape(shape)


def _window(data: np.ndarray, room: tuple[int, ...], window: tuple) -> np.ndarray:
    target = np.zeros(room, data.dtype)[window]
    target[...] = data
    return target


def _reorder(data: np.ndarray, axes: tuple[int, ...]) -> np.ndarray:
    stored = np.empty([data.shape[k] for k in axes], data.dtype)
    target = stored.transpose(np.argsort(axes))
    target[...] = data
    return target


def _repeat_axis(data: np.ndarray, axis: int) -> np.ndarray:
    """Stride 0 along one axis, still writeable: np.broadcast_to would be read-only."""
    stored = data.copy()
    steps = list(stored.strides)
    steps[axis] = 0
    return np.lib.stride_tricks.as_strided(stored, stored.shape, steps)


def _unaligned(data: np.ndarray) -> np.ndarray:
    raw = np.zeros(data.nbytes + 1, np.uint8)
    target = np.ndarray(data.shape, data.dtype, buffer=raw, offset=1)
    target[...] = data
    return target


def _read_only(data: np.ndarray) -> np.ndarray:
    target = data.copy()
    target.flags.writeable = False
    return target


# Layouts that any rank has, then those that need an axis.
_ANY_RANK = {
    "c": lambda d: d.copy(),
    "read_only": _read_only,
    "unaligned": _unaligned,
    "swapped": lambda d: d.astype(d.dtype.newbyteorder()),
}
_NEED_AXIS = {
    "f": lambda d: np.asfortranarray(d.copy()),
    "offset": lambda d: _window(d, (d.shape[0] + 1, *d.shape[1:]), (slice(1, None),)),
    "inner": lambda d: _window(
        d, (*d.shape[:-1], d.shape[-1] + 3), (..., slice(1, d.shape[-1] + 1))
    ),
    "strided": lambda d: _window(
        d, tuple(2 * n for n in d.shape), (slice(None, None, 2),) * d.ndim
    ),
    "step3": lambda d: _window(d, (*d.shape[:-1], 3 * d.shape[-1] + 1), (..., slice(1, None, 3))),
    "step5": lambda d: _window(d, (*d.shape[:-1], 5 * d.shape[-1] + 2), (..., slice(2, None, 5))),
    "f_window": lambda d: (
        _window(d.T, tuple(n + 2 for n in reversed(d.shape)), (slice(1, -1),) * d.ndim).T
    ),
    "reversed": lambda d: _window(d, d.shape, (slice(None, None, -1),) * d.ndim),
    "reversed_last": lambda d: _window(d, d.shape, (..., slice(None, None, -1))),
    "rolled": lambda d: _reorder(d, (*range(1, d.ndim), 0)),
    "zero_first": lambda d: _repeat_axis(d, 0),
    "zero_last": lambda d: _repeat_axis(d, -1),
}
LAYOUTS = [*_ANY_RANK, *_NEED_AXIS]
# Layouts whose elements are distinct memory, so that stores through them are defined.
WRITEABLE_LAYOUTS = [k for k in LAYOUTS if k not in ("read_only", "zero_first", "zero_last")]


def lay_out(data: np.ndarray, layout: str) -> np.ndarray:
    """The same values in another layout (repeated along the axis for strides of zero)."""
    if layout in _ANY_RANK:
        return _ANY_RANK[layout](data)
    if data.ndim == 0:
        return data.copy()
    return _NEED_AXIS[layout](data)


# Compiled code works on these in place. Unaligned and byte-swapped arguments are copied in and
# written back, so that views of them are views of the copy, in native byte order (README, limits).
IN_PLACE = [name for name in LAYOUTS if name not in ("unaligned", "swapped")]
