"""x[indices] inside larger expressions, which are one loop: values, errors, and stores in
between.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.compare import case_id, check

RNG = np.random.default_rng(0)
X = RNG.integers(-9, 9, 50).astype(float)  # sums are exact
DTYPES = [np.int8, np.uint8, np.int32, np.uint16, np.int64, np.uint64]


def shifted(x, i):
    return x[i] * 2.0 + x[i + 1]


def alone(x, i):
    return x[i]


def summed(x, i):
    return (x[i] * x[i]).sum(), x[i].max(initial=0.0), np.where(x[i] > 0, i, -1)


def stored_between(x, i):
    y = x[i]
    x[:] = 7
    return y + x[i], y


def in_place(x, i):
    x[: len(i)] = x[i] + 1
    return x


def index_changed(x, i):
    y = x[i]
    i[:] = 0
    return y * 2, x[i] * 2


def in_a_loop(x, i):
    total = x * 0
    for k in range(3):
        total += x[i[k : k + 20]].sum()
        x = x[i]
        i = i[: len(x)] % len(x)
    return total, x


def twice(x, i):
    return x[i][i[::2] % 7]


def of_an_expression(x, i):
    return (x * 2 - 1)[i] + (x + i[0])[i]


PROGRAMS = (shifted, alone, summed, stored_between, in_place, index_changed, twice,
            of_an_expression)  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_indices_of_any_dtype(program: Any, dtype: Any) -> None:
    low = -49 if np.dtype(dtype).kind == "i" else 0
    i = RNG.integers(low, 49, 30).astype(dtype)
    for x in (X, X[::-1], np.repeat(X, 3)[::3], X.astype(np.float32), X.astype(complex)[::-2][:25]):
        # some indices are out of bounds of 25 elements
        if not (program is summed and x.dtype.kind == "c"):
            check(program, x.copy() if program is in_place else x, i)
            check(program, x, i[::-2])
    check(program, X.copy(), np.broadcast_to(i[:1], 5))


@pytest.mark.parametrize("dtype", DTYPES)
def test_gathers_in_loops(dtype: Any) -> None:
    check(in_a_loop, X, RNG.integers(0, 50, 50).astype(dtype))


@pytest.mark.parametrize("shape", [(5, 6), (1, 30), (2, 3, 5), (0, 4)], ids=case_id)
def test_indices_of_any_shape(shape: tuple[int, ...]) -> None:
    i = RNG.integers(-50, 50, shape)
    check(alone, X, i)
    check(alone, X, np.asfortranarray(i))
    check(alone, X, i.T)


@pytest.mark.parametrize("bad", [50, -51, 2**40, -(2**62)])
@pytest.mark.parametrize("program", [alone, shifted, summed, in_a_loop], ids=lambda f: f.__name__)
def test_the_error_names_the_first_index_out_of_bounds(program: Any, bad: int) -> None:
    i = np.arange(30)
    i[[7, 12]] = bad, -77
    check(program, X, i)


def test_gathers_from_empty_arrays() -> None:
    for program in (alone, shifted):
        check(program, X[:0], np.arange(0))
        check(program, X[:0], np.arange(1))
        check(program, X, np.arange(0))


def test_several_gathers_in_one_expression() -> None:
    def f(a, i, k):
        return (a[i, k] - a[k, i]).sum(), a[i, k] * 2, a[i + 1, k[:1]]

    a = RNG.integers(-9, 9, (6, 6)).astype(float)
    i, k = RNG.integers(-6, 5, (2, 4, 5))
    for x in (a, a.T, a[::-1, ::-1]):
        check(f, x, i, k)
        check(f, x, i, k[:1])
    check(f, a, i + 6, k)
    check(f, a, i, k - 6)


def sparse(starts, columns, values, x):
    out = np.zeros(len(starts) - 1)
    for row in range(len(starts) - 1):
        begin, end = starts[row], starts[row + 1]
        out[row] = (values[begin:end] * x[columns[begin:end]]).sum()
    return out


def test_rows_of_a_sparse_matrix() -> None:
    starts = np.array([0, 3, 3, 8, 10])
    columns, values = RNG.integers(0, 20, 10), RNG.integers(-9, 9, 10).astype(float)
    x = RNG.integers(-9, 9, 20).astype(float)
    check(sparse, starts, columns, values, x)
    check(sparse, starts, columns + 15, values, x)  # out of bounds
    check(sparse, starts, columns[:7], values, x)  # rows of two lengths


@pytest.mark.parametrize("ufunc", [np.add, np.multiply, np.maximum, np.subtract])
def test_ufunc_at_of_what_shares_memory(ufunc: Any) -> None:
    def f(a, i, b):
        ufunc.at(a, i, b)
        return a

    base = np.arange(40.0)
    for b in (base[3:13], base[10:0:-1], np.float32(2), 3, RNG.random(10), RNG.random(1)):
        x = base.copy()
        if isinstance(b, np.ndarray) and b.base is base:
            b = x[3:13]
        check(f, x, np.arange(10)[::-1], b)
        check(f, x, np.full(10, -3), b)
    k = np.arange(10)
    check(f, k, k[::-1], 2)
    check(f, k, k, k)
    check(f, base.copy(), np.array([3, 40]), 1.0)
    check(f, base.reshape(8, 5).copy(), np.array([[1, 1], [-1, 2]]), np.ones((2, 5)))
    check(f, base.reshape(8, 5).copy(), (np.array([1, 1]), np.array([0, -1])), 2.0)
