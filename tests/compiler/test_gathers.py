"""Gathers and scatters: the loops check their indices themselves (np-gathers, np-scatters)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import shapecast
from shapecast import jit
from support.compare import check
from support.fences import both_fenced

SIZES = [0, 1, 7, 8, 9, 12, 64, 100, 1000, 20_011]


def picked(x, indices):
    return x[indices]


def neighbours(x, indices):
    return x[indices] * 2 + x[indices + 1] - x[indices - 1]


def total(x, indices):
    return x[indices].sum()


def extremes(x, indices):
    return x[indices].max(), x[indices].min(), np.abs(x[indices]).mean()


def pairs(x, rows, columns):
    return x[rows, columns] + 1


def of_rows(x, indices):
    sums = np.zeros(len(indices), x.dtype)
    for k in range(len(indices)):
        sums[k] = x[indices[k]].sum()
    return sums


def sparse(starts, columns, values, x):
    out = np.zeros(len(starts) - 1, x.dtype)
    for row in range(len(starts) - 1):
        begin, end = starts[row], starts[row + 1]
        out[row] = (values[begin:end] * x[columns[begin:end]]).sum()
    return out


def caught(x, indices):
    made = np.zeros(len(indices), x.dtype)
    try:
        made = x[indices] * 2
    except IndexError:
        return made - 1
    return made


def stored_before(x, indices):
    """After an error x has the elements that NumPy leaves in it."""
    x[0] = 7
    y = x[indices] + x[indices * 2]
    x[0] = 8
    return y


def in_place(x, indices):
    x[:] = x[indices] + 1
    return x


def kept(x, indices, out):
    out[:] = x[indices] + 1  # observable by the caller: checked before the nest


PROGRAMS = [picked, neighbours, total, in_place, stored_before, caught]


def numbers(shape: Any, dtype: str = "f8") -> np.ndarray:
    return (np.random.default_rng(7).standard_normal(shape) * 50).astype(dtype)


def indices_in(n: int, shape: Any, dtype: str = "i8") -> np.ndarray:
    low = -n if np.dtype(dtype).kind == "i" else 0
    high = min(n, np.iinfo(dtype).max)
    return (
        np.random.default_rng(8).integers(max(low, np.iinfo(dtype).min), high, shape).astype(dtype)
    )


def is_one_pass(f: Callable[..., Any], *arguments: Any) -> bool:
    stages = jit(f).stages(*arguments)
    return str(stages["scans"]) != str(stages["gathers"])


def test_nests_that_store_to_new_arrays_check_their_indices() -> None:
    x, indices = numbers(100), indices_in(50, 100)
    assert all(is_one_pass(f, x, indices) for f in (picked, neighbours, total, stored_before))
    assert is_one_pass(of_rows, x, indices_in(50, (4, 9)))
    assert is_one_pass(pairs, numbers((9, 9)), indices_in(9, 20), indices_in(9, 20))
    assert not is_one_pass(kept, x, indices, x.copy())


@pytest.mark.parametrize("dtype", ["f8", "f4", "i4", "u1", "c16", "?", "f2"])
@pytest.mark.parametrize("n", SIZES)
def test_gathers_of_any_size_are_numpys(n: int, dtype: str) -> None:
    x, indices = numbers(max(n, 3), dtype), indices_in(max(n, 3), n)
    check(picked, x, indices)
    check(of_rows, x, indices_in(max(n, 3), (3, n)))
    if dtype != "?":
        check(extremes, x, indices_in(max(n, 3), n + 1))
        check(neighbours, x, indices_in(max(n, 3) // 2, n))
    check(total, x, indices)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"])
def test_indices_of_any_dtype(dtype: str) -> None:
    x = numbers(200)
    for indices in (indices_in(100, 300, dtype), np.array([199], dtype) if dtype != "i1" else None):
        if indices is not None:
            check(picked, x, indices)
            check(total, x, indices)


@pytest.mark.parametrize("f", PROGRAMS)
@pytest.mark.parametrize("n", [1, 5, 8, 1000])
def test_an_index_out_of_bounds_raises_wherever_it_is(f: Callable[..., Any], n: int) -> None:
    for bad in (n, -n - 1, n + 3, 2**62, -(2**63), 2**63 - 1):
        for at in {0, n // 2, n - 1}:
            indices = indices_in(n, n)
            indices[at] = bad
            check(f, numbers(n), indices)
    for least in (-n, n - 1):  # these exist
        check(f, numbers(n), np.full(n, least))


@pytest.mark.parametrize("f", [picked, total, neighbours, of_rows, extremes])
def test_gathers_from_an_empty_array(f: Callable[..., Any]) -> None:
    empty = np.zeros(0)
    shape = (3, 4) if f is of_rows else 4
    for indices in (np.zeros(shape, int), np.full(shape, -1), np.full(shape, 3)):
        check(f, empty, indices)
    if f is not extremes:
        check(f, empty, np.zeros((3, 0) if f is of_rows else 0, int))


def test_gathers_over_two_axes() -> None:
    for shape in ((7, 9), (7, 0), (0, 9)):
        x = numbers(shape)
        for rows, columns in [
            (indices_in(7, 50), indices_in(9, 50)),
            (np.full(50, 7), indices_in(9, 50)),
            (indices_in(7, 50), np.full(50, 9)),
            (np.full(50, -8), np.full(50, 9)),
            (np.zeros(0, int), np.zeros(0, int)),
        ]:
            check(pairs, x, rows, columns)
    check(pairs, numbers((7, 9)).T, indices_in(9, (4, 5)), indices_in(7, (4, 5)))
    check(pairs, numbers((7, 9)), indices_in(7, (4, 1)), indices_in(9, 5))


def test_gathers_of_any_layout() -> None:
    x, indices = numbers(300), indices_in(100, 300)
    for f in (picked, total, neighbours):
        check(f, x[::3], indices[::2])
        check(f, x[::-1], indices[::-1])
        check(f, x[::-2], indices[150:])
        check(f, x[100:], indices.reshape(20, 15))
        check(f, x, indices.reshape(20, 15).T)
        check(f, x, indices.reshape(20, 15)[:, ::2])
        check(f, x, indices[:1].reshape(()))


def test_gathers_of_short_rows() -> None:
    counts = np.array([0, 1, 3, 8, 12, 0, 17, 200])
    starts = np.concatenate([[0], np.cumsum(counts)])
    columns, values = indices_in(50, starts[-1]), numbers(starts[-1])
    for dtype in ("f8", "f4"):
        check(sparse, starts, columns, values.astype(dtype), numbers(50, dtype))
    for at in (0, 5, 100, starts[-1] - 1):
        wrong = columns.copy()
        wrong[at] = 50
        check(sparse, starts, wrong, values, numbers(50))


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_gather_the_same_elements_and_raise_the_same_errors(threads: int) -> None:
    n = 200_000
    x, indices = numbers(n), indices_in(n // 2, n)
    with shapecast.num_threads(threads):
        for f in (picked, neighbours, total):
            check(f, x, indices)
            for at in (0, n // 2 - 1, n - 1):
                wrong = indices.copy()
                wrong[at] = n + 5
                check(f, x, wrong)


def chained(x, indices):
    return x[indices[indices]] + 1


def counted(x, indices):
    return x[np.arange(len(indices)) * 3 % len(x)] - x[indices]


BLOCK = 1024  # of indices that are checked before their elements are gathered


@pytest.mark.parametrize("f", [picked, neighbours, total, extremes, chained, counted])
@pytest.mark.parametrize("n", [BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 7])
def test_gathers_in_blocks_of_checked_indices(f: Callable[..., Any], n: int) -> None:
    x = numbers(n)
    indices = np.random.default_rng(3).integers(1, n - 1, n)
    check(f, x, indices)
    check(f, x.astype("f4"), indices.astype("u2"))
    check(f, x[::-1], indices[::-1])
    for start in range(0, n, BLOCK):
        for value in (-1, -n, n - 1, n, -n - 1, 2**62):
            for at in {start, min(start + BLOCK, n) - 1}:
                mixed = indices.copy()
                mixed[at] = value
                check(f, x, mixed)


def test_gathers_in_blocks_over_two_axes() -> None:
    rows, columns = indices_in(40, 3000) % 40, indices_in(50, 3000) % 50
    for at, value in ((0, -40), (1500, 39), (2999, 40), (1024, -41)):
        mixed = rows.copy()
        mixed[at] = value
        check(pairs, numbers((40, 50)), mixed, columns)
        check(pairs, numbers((50, 40)).T, mixed, columns)


def test_an_argument_is_unchanged_after_an_error() -> None:
    x, out = numbers(20), np.zeros(20)
    indices = indices_in(20, 20)
    indices[13] = 20
    with pytest.raises(IndexError, match="index 20 is out of bounds for axis 0 with size 20"):
        jit(kept)(x, indices, out)
    assert not out.any()


@pytest.mark.parametrize("f", [picked, neighbours, total, extremes])
def test_gathers_access_nothing_beyond_the_arrays(f: Callable[..., Any]) -> None:
    for n in (1, 7, 8, 9, 33):
        for bad in (False, True):
            indices = indices_in(n, n)
            if f is neighbours:
                indices = np.zeros(n, int)
            if n % 2:
                indices = np.abs(indices)
            if bad:
                indices[n // 2] = n + 2**40
            for arguments in both_fenced(numbers(n), indices):
                try:
                    jit(f)(*arguments)
                except IndexError:
                    assert bad or n == 1
                else:
                    assert not bad


LENGTHS = [0, 1, 3, 7, 8, 9, 12, 16, 31, 120, 127, 128, 129, 130, 300]  # a leaf is 128


def row_norms(starts, values):
    out = np.zeros(len(starts) - 1, values.dtype)
    for row in range(len(starts) - 1):
        out[row] = (values[starts[row] : starts[row + 1]] * values[0]).sum()
    return out


def row_means(starts, values):
    found = []
    for row in range(len(starts) - 1):
        found.append(values[starts[row] : starts[row + 1]].mean())
    return found


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.complex128, np.int64])
def test_sums_of_gathered_rows_of_all_lengths(dtype: Any, rng) -> None:
    """Short rows are summed in line; those with a negative index by the outlined nest."""
    starts = np.concatenate([[0], np.cumsum(rng.permutation(np.repeat(LENGTHS, 2)))])
    values = (rng.normal(size=starts[-1]) * 100).astype(dtype)
    x = (rng.normal(size=40) * 100).astype(dtype)
    check(row_norms, starts, values)
    check(row_means, starts[np.concatenate([[True], np.diff(starts) > 0])], values)
    columns = rng.integers(0, 40, starts[-1])
    check(sparse, starts, columns, values, x)
    columns[::37] -= 40
    check(sparse, starts, columns, values, x)
    for wrong in (40, -41, 2**62, -(2**63)):
        for k_wrong in (0, starts[-1] // 2, starts[-1] - 1):
            with_wrong = columns.copy()
            with_wrong[k_wrong] = wrong
            check(sparse, starts, with_wrong, values, x)  # an IndexError


def scattered(indices, values, n):
    out = np.zeros(n, values.dtype)
    np.add.at(out, indices, values)
    return out


def scattered_in_a_loop(indices, values, n):
    out, most = np.ones(n), np.zeros(n)
    for k in range(3):
        np.multiply.at(out, indices + k * 0, values)
        np.maximum.at(most, indices, values)
        np.negative.at(out, indices)
    return out, most


def scattered_into(out, indices, values):
    np.add.at(out, indices, values)


def scattered_and_caught(indices, values, n):
    out = np.zeros(n)
    try:
        np.add.at(out, indices, values)
    except IndexError:
        out += 100
    return out


def scattered_and_observed(indices, values, n):
    out = np.zeros(n)
    seen = [out]
    try:
        np.add.at(out, indices, values)
    except IndexError:
        pass
    return seen[0]


@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.uint8, np.int8])
def test_scatters_of_any_dtype_and_their_errors(dtype: Any, rng) -> None:
    values = rng.normal(size=200)
    indices = rng.integers(0 if dtype == np.uint8 else -30, 30, 200).astype(dtype)
    for f in (scattered, scattered_in_a_loop, scattered_and_caught, scattered_and_observed):
        check(f, indices, values, 30)
        check(f, indices[::-2], values[::2], 30)
        check(f, indices[:0], values[:0], 30)
        check(f, indices[:0], values[:0], 0)
        check(f, indices, values, 29)  # an IndexError
        check(f, indices[:0], values, 30)  # a ValueError, where not empty
        check(f, indices[:3], values, 30)
        check(f, indices, values, 0)
        for k_wrong in (0, 100, 199):
            wrong = indices.copy()
            wrong[k_wrong] = 77
            check(f, wrong, values, 30)
            check(f, wrong[: k_wrong + 1], values, 30)  # the IndexError comes first
    out = np.ones(30)
    wrong = indices.copy()
    wrong[150] = 30
    check(scattered_into, out, indices, values)
    check(scattered_into, out, wrong, values)
    check(scattered_into, values[:30], indices, values)  # overlapping
    check(scattered, indices, np.float64(2), 30)


def test_only_scatters_into_new_arrays_check_in_the_loop(rng) -> None:
    indices, values = rng.integers(0, 30, 20), rng.normal(size=20)
    loops = str(jit(scattered).stages(indices, values, 30)["scatters"])
    assert loops.count("check_indices") == 1  # where the shapes do not fit
    assert "wrap(index0" in loops
    assert "wrap(index0" not in str(
        jit(scattered_into).stages(np.zeros(30), indices, values)["scatters"]
    )
    assert "wrap(index0" not in str(
        jit(scattered_and_caught).stages(indices, values, 30)["scatters"]
    )
