"""Functions whose kernels the tests run, assemble and count: each with its arguments."""

from __future__ import annotations

import numpy as np

CASES = {}


def case(*arguments):
    """Registers a function that stores into its arguments or returns one scalar."""

    def register(function):
        CASES[function.__name__] = (function, arguments)
        return function

    return register


def numbers(shape, dtype="f8", low=-50):
    generator = np.random.default_rng(sum(np.atleast_1d(shape)) + 7)
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return generator.integers(0, 2, shape).astype(dtype)
    if dtype.kind in "iu":
        return generator.integers(max(low, 0) if dtype.kind == "u" else low, 50, shape, dtype)
    values = generator.normal(size=shape) * 4
    if dtype.kind == "c":
        values = values + 1j * generator.normal(size=shape)
    return values.astype(dtype)


def nans(shape, dtype="f8"):
    values = numbers(shape, dtype)
    values[..., 3] = np.nan
    return values


@case(numbers(1000, "f4"), numbers(1000, "f4"), 2.5, np.empty(1000, "f4"))
def axpy(x, y, a, out):
    out[:] = a * x + y


@case(numbers((7, 33)), numbers(33), numbers((7, 1)), np.empty((7, 33)))
def broadcasting(x, row, column, out):
    out[:] = (x - row) / column


@case(numbers((40, 12), "i4"), numbers((40, 12), "i4"), np.empty((40, 12), "i8"))
def integers(x, y, out):
    out[:] = (x // y) * 3 + (x % y) - (x << 2) + np.abs(y)


@case(numbers(300, "u1"), numbers(300, "i2"), np.empty(300, "i2"))
def mixed_integers(x, y, out):
    out[:] = np.minimum(x, 7) + np.where(x > y, y, x)


@case(numbers(257), np.empty(257))
def rounding(x, out):
    out[:] = (
        np.floor(x) + np.ceil(x * 3) - np.rint(x) + np.trunc(x) + np.sqrt(np.abs(x)) + np.sign(x)
    )


@case(numbers((20, 30)), np.empty((20, 30)))
def rolls(u, out):
    out[:] = np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - 4 * u


@case(numbers((20, 30)), numbers((20, 30)), np.empty((40, 30)))
def joined(x, y, out):
    out[:] = np.concatenate([x, y]) * 2 + 1


@case(nans(64), numbers(64), np.empty(64))
def extremes_with_nan(x, y, out):
    out[:] = np.maximum(x, y) + np.clip(y, -1.0, 1.0)


@case(numbers((20, 30))[::2, 1:-1], numbers((28, 10)), np.empty((56, 10))[::2])
def strided(x, y, out):
    out[:, ::-1] = x.T * 2 + y


@case(numbers((5, 6, 8))[:, ::2], np.empty((8, 3, 5)))
def transposed(x, out):
    out[:] = np.transpose(x, (2, 1, 0)) + 1


@case(numbers(50, "c16"), numbers(50, "c8"), np.empty(50, "c16"), np.empty(50, "f4"))
def complexes(x, y, out, part):
    out[:] = x * y + 2j
    part[:] = y.imag


@case(numbers(64, "?"), numbers(64, "?"), np.empty(64, "?"))
def truths(x, y, out):
    out[:] = (x & ~y) | (x ^ y)


@case(numbers(100, "f2"), np.empty(100, "f2"))
def halves(x, out):
    out[:] = x * 2 + 0.5


@case(numbers(400))
def shifted(x):
    x[1:] = x[:-1] * 2


@case(numbers(41))
def reversed_in_place(x):
    x[:] = x[::-1]


@case(numbers((30, 30)))
def first_row_into_all(x):
    x[:] = x[0] + x[:, :1]


@case(numbers((9, 300)), np.empty(9))
def row_sums(x, out):
    out[:] = x.sum(axis=1)


@case(numbers((300, 40)), np.empty(40))
def column_sums(x, out):
    out[:] = x.sum(axis=0)


@case(numbers((6, 70, 4)), np.empty((6, 4)), np.empty((70,)))
def middle_and_outer_sums(x, middle, outer):
    middle[:] = x.sum(axis=1)
    outer[:] = (x * x).sum(axis=(0, 2))


@case(numbers((50, 3)), np.empty(50))
def short_rows(x, out):
    out[:] = x.reshape(-1, 3).max(axis=1)


@case(nans((8, 500), "f4"), np.empty(8, "f4"), np.empty(500, "f4"))
def extremes(x, rows, columns):
    rows[:] = x.max(axis=1)
    columns[:] = x.min(axis=0)


@case(numbers((12, 100), "i1"), np.empty(12, "?"), np.empty(12, "i8"), np.empty(12, "i8"))
def integer_rows(x, some, total, product):
    some[:] = (x > 48).any(axis=1)
    total[:] = x.sum(axis=1)
    product[:] = (x | 1).prod(axis=1)


@case(numbers((4, 600), "c16"), np.empty(4, "c16"))
def complex_rows(x, out):
    out[:] = x.sum(axis=1)


@case(numbers((20, 400), "f2"), np.empty(20, "f2"))
def half_rows(x, out):
    out[:] = x.max(axis=1)


@case(numbers((20, 60)), np.empty((20, 60)))
def normalised(x, out):
    centred = x - x.mean(axis=1, keepdims=True)
    out[:] = centred / np.sqrt((centred * centred).sum(axis=1, keepdims=True))


@case(numbers((6, 900), "i4"), np.empty(6, "i8"), np.empty(900, "i8"))
def positions(x, rows, columns):
    rows[:] = x.argmax(axis=1)
    columns[:] = x.argmin(axis=0)


@case(nans((6, 900)), np.empty(6, "i8"))
def positions_of_nan(x, out):
    out[:] = np.argmin(x, axis=1)


@case(numbers(9000, "i1"))
def first_of_equal(x):
    return x.argmax()


@case(np.full(600, -np.inf))
def position_of_infinity(x):
    return x.argmax()


@case(numbers(5000, "c8"))
def complex_position(x):
    return x.argmin()


@case(numbers(10_000))
def total(x):
    return x.sum()


@case(numbers(3))
def total_of_few(x):
    return x.sum()


@case(numbers((90, 70), "f4")[:, ::3])
def total_strided(x):
    return (x * x).sum()


@case(nans(5000))
def largest(x):
    return x.max()


@case(numbers(5000, "c16"))
def complex_total(x):
    return x.sum()


@case(numbers(5000, "i4"))
def integer_total(x):
    return x.sum()


@case(numbers(3000, "u1"))
def every(x):
    return (x < 50).all()


@case(numbers(0))
def total_of_nothing(x):
    return x.sum()


@case(numbers((0, 5)), np.empty(5), np.empty((0, 5)))
def nothing(x, sums, out):
    sums[:] = x.sum(axis=0)
    out[:] = x + 1


@case(numbers((5, 0)), np.empty(5))
def rows_of_nothing(x, out):
    out[:] = x.sum(axis=1)


@case(numbers(700), 3, np.empty(700))
def counted(x, n, out):
    out[:] = np.arange(700) * n + x
    out[n:] = out[n:] + np.ones(700 - 3)[: 700 - n]


@case(numbers((12, 90), "f4"), np.empty((12, 90), "f4"))
def softmax(x, out):
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    out[:] = powers / powers.sum(axis=1, keepdims=True)


def copies(arguments):
    """Equal arrays in new memory of the same strides."""
    fresh = []
    for a in arguments:
        if isinstance(a, np.ndarray):
            base = a.base if a.base is not None else a
            memory = base.copy(order="K")
            offset = a.__array_interface__["data"][0] - base.__array_interface__["data"][0]
            a = np.ndarray(a.shape, a.dtype, memory, offset, a.strides)
        fresh.append(a)
    return tuple(fresh)
