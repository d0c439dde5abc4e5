"""np-parallel: which loops of the program threads share, with the results of one thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import shapecast
from shapecast import jit, prange
from support.compare import check


@pytest.fixture(autouse=True)
def share_all_loops() -> Iterator[None]:
    before = shapecast._core._set_min_parallel_work(0)
    with shapecast.num_threads(4):
        yield
    shapecast._core._set_min_parallel_work(before)


def is_shared(f: Callable[..., Any], *arguments: Any) -> bool:
    return "multithreaded" in str(jit(f).stages(*arguments)["parallel"])


def product(a, b):
    c = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]
    return c


def mandelbrot(a, b):
    n = len(a)
    counts = np.zeros((n, n), np.int64)
    for i in range(n):
        for j in range(n):
            c = complex(-2 + 3 * i / n, -1.5 + 3 * j / n)
            z = 0j
            while abs(z) < 2 and counts[i, j] < 30:
                z = z * z + c
                counts[i, j] += 1
    return counts


def softmax_of_rows(a, b):
    out = np.empty_like(a)
    for i in range(a.shape[0]):
        e = np.sqrt(np.abs(a[i] - a[i].max()) + 1)
        out[i] = e / e.sum()
    return out


def into_argument(a, b):
    for i in range(len(a)):
        a[i] = b[i] * i + a[i]
    return a


def backwards(a, b):
    for i in range(len(a) - 1, -1, -1):
        a[i] += b[i]
    return a


def every_third(a, b):
    for i in range(1, len(a), 3):
        a[i] = 0
        a[i] += b[i, ::-1]
    return a


def columns(a, b):
    for j in range(a.shape[1]):
        a[:, j] = np.cumsum(b[:, j])
    return a


def blocks_of_rows(a, b):
    for i in range(0, len(a) - 3, 4):
        a[i : i + 4] = b[i : i + 4].sum(axis=0)
    return a


def triangle(a, b):
    out = np.zeros(len(a))
    for i in range(len(a)):
        for j in range(i):
            out[i] += a[i, j] * b[j, i]
    return out


def time_steps(a, b):
    for _ in range(5):
        for i in range(1, len(a) - 1):
            for j in range(1, a.shape[1] - 1):
                b[i, j] = (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1]) / 4
        a, b = b, a
    return a


def in_the_cache(a, b):
    x = a + b
    for _ in range(6):
        x = np.sqrt(np.abs(x)) * b + x
    return x


SHARED = [
    product,
    mandelbrot,
    softmax_of_rows,
    into_argument,
    backwards,
    every_third,
    columns,
    blocks_of_rows,
    triangle,
    time_steps,
    in_the_cache,
]


def carried(a, b):
    for i in range(1, len(a)):
        a[i] += a[i - 1]
    return a


def total(a, b):
    s = 0.0
    for i in range(len(a)):
        s += a[i, 0]
    return s


def ahead(a, b):
    for i in range(len(a) - 1):
        a[i] = a[i + 1] + 1
    return a


def same_element(a, b):
    for i in range(len(a)):
        a[i // 2] = b[i]
    return a


def mirrored(a, b):
    for i in range(len(a)):
        a[i] = a[len(a) - 1 - i]
    return a


def blocks_that_meet(a, b):
    for i in range(0, len(a) - 4, 3):
        a[i : i + 4] += b[i : i + 4]
    return a


def turned(a, b):
    for i in range(min(a.shape)):
        a[i, :] += a[:, i].sum()
    return a


def first_that(a, b):
    for i in range(len(a)):
        a[i] += 1
        if a[i, 0] > 50:
            break
    return a


def last_one(a, b):
    for i in range(len(a)):
        row = a[i] * 2
        b[i] = row
    return row


NOT_SHARED = [
    carried,
    total,
    ahead,
    same_element,
    mirrored,
    blocks_that_meet,
    turned,
    first_that,
]


@pytest.mark.parametrize("f", [*SHARED, *NOT_SHARED, last_one])
def test_results_are_those_of_one_thread(f, rng) -> None:
    for shape in [(40, 40), (7, 33), (5, 5), (1, 2)]:
        for dtype in (np.float64, np.float32, np.int64):
            if f in (softmax_of_rows, in_the_cache) and dtype is np.int64:
                continue
            a, b = (20 * rng.random((2, *shape))).astype(dtype)
            if f is product:
                b = b.T.copy()
            if f is triangle and shape[0] != shape[1]:
                continue
            if f is mandelbrot or dtype is not np.int64:
                check(f, a, b)
            check(f, a[::-1], b[:, ::-1] if f is not product else b)


@pytest.mark.parametrize("f", SHARED)
def test_loops_without_loop_carried_dependence_are_shared(f) -> None:
    a = np.ones((40, 40))
    assert is_shared(f, a, a.copy())


@pytest.mark.parametrize("f", NOT_SHARED)
def test_loops_with_loop_carried_dependence_are_not_shared(f) -> None:
    a = np.ones((40, 40))
    assert not is_shared(f, a, a.copy())


def test_arguments_that_overlap(rng) -> None:
    """Whether two arguments share memory is known at the call."""
    x = rng.random((50, 20))
    for a, b in [(x, x), (x[1:], x[:-1]), (x[:-1], x[1:]), (x[:25], x[25:])]:
        wanted = x.copy()
        offset = (a.__array_interface__["data"][0] - x.__array_interface__["data"][0]) // 160
        other = (b.__array_interface__["data"][0] - x.__array_interface__["data"][0]) // 160
        plain_a = wanted[offset : offset + len(a)]
        plain_b = wanted[other : other + len(b)]
        into_argument(plain_a, plain_b)
        before = x.copy()
        jit(into_argument)(a, b)
        assert np.array_equal(x, wanted)
        x[:] = before


def test_the_error_of_the_first_iteration_is_raised() -> None:
    @jit
    def f(a, indices):
        out = np.zeros(len(a))
        for i in range(len(a)):
            for _ in range(200):
                out[i] += a[indices[i]]
        return out

    a = np.arange(300.0)
    indices = np.arange(300)
    assert np.array_equal(f(a, indices), a * 200)
    indices[[7, 150, 299]] = [1007, 1150, 1299]
    for _ in range(20):
        with pytest.raises(IndexError, match="index 1007 is out of bounds"):
            f(a, indices)


def test_an_argument_is_as_it_would_be_after_an_error() -> None:
    def f(a, indices):
        for i in range(len(a)):
            a[i] = 2 * a[indices[i]]

    indices = np.arange(300)
    indices[120] = 300
    a, wanted = np.arange(300.0), np.arange(300.0)
    for function, array in ((f, wanted), (jit(f), a)):
        with pytest.raises(IndexError):
            function(array, indices)
    assert np.array_equal(a, wanted)


def test_memory_errors_release_the_buffers_of_iterations(rng) -> None:
    @jit
    def f(a, sizes):
        out = np.zeros(len(a))
        for i in range(len(a)):
            mine = np.ones(sizes[i]) * a[i]
            out[i] = np.sort(mine)[0] + mine.sum()
        return out

    a = rng.random(100)
    sizes = np.full(100, 5)
    assert np.allclose(f(a, sizes), 6 * a)
    sizes[50] = -1
    with pytest.raises(ValueError):
        f(a, sizes)


# ---------------------------------------------------------------------------------------- prange


def scattered(a, indices):
    out = np.zeros(len(a))
    for i in prange(len(a)):
        out[indices[i]] = a[i] * 2
    return out


def test_prange_is_range() -> None:
    assert prange(5) == range(5)
    assert prange(2, 9, 3) == range(2, 9, 3)
    with pytest.raises(TypeError):
        prange(1.5)


def test_prange_is_shared_without_proof(rng) -> None:
    a, indices = rng.random(1000), rng.permutation(1000)
    assert is_shared(scattered, a, indices)
    check(scattered, a, indices)
    wrong = indices.copy()
    wrong[5] = 1000
    with pytest.raises(IndexError, match="index 1000 is out of bounds for axis 0 with size 1000"):
        jit(scattered)(a, wrong)


def test_prange_with_recurrences_or_print_is_not_shared(rng) -> None:
    def total(a):
        s = 0.0
        for i in shapecast.prange(len(a)):
            s += a[i]
        return s

    def printing(a):
        for i in prange(3):
            print(i, a[i])

    a = rng.random(100)
    assert not is_shared(total, a)
    assert not is_shared(printing, a)
    check(total, a)
    check(printing, a)


def test_prange_with_bounds(rng) -> None:
    def f(a, indices):
        for i in prange(len(a) - 1, 10, -2):
            a[indices[i]] += i
        return a

    check(f, rng.random(101), rng.permutation(101))
