"""Elements at given places, which the loops that take them check themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import shapecast
from fences import both_fenced
from helpers import check
from shapecast import jit

SIZES = [0, 1, 7, 8, 9, 12, 64, 100, 1000, 20_011]


def picked(x, places):
    return x[places]


def neighbours(x, places):
    return x[places] * 2 + x[places + 1] - x[places - 1]


def total(x, places):
    return x[places].sum()


def extremes(x, places):
    return x[places].max(), x[places].min(), np.abs(x[places]).mean()


def pairs(x, rows, columns):
    return x[rows, columns] + 1


def of_rows(x, places):
    sums = np.zeros(len(places), x.dtype)
    for k in range(len(places)):
        sums[k] = x[places[k]].sum()
    return sums


def sparse(starts, columns, values, x):
    out = np.zeros(len(starts) - 1, x.dtype)
    for row in range(len(starts) - 1):
        begin, end = starts[row], starts[row + 1]
        out[row] = (values[begin:end] * x[columns[begin:end]]).sum()
    return out


def caught(x, places):
    made = np.zeros(len(places), x.dtype)
    try:
        made = x[places] * 2
    except IndexError:
        return made - 1
    return made


def stored_before(x, places):
    """What stands in x when it raises is what NumPy leaves there."""
    x[0] = 7
    y = x[places] + x[places * 2]
    x[0] = 8
    return y


def in_place(x, places):
    x[:] = x[places] + 1
    return x


def kept(x, places, out):
    out[:] = x[places] + 1  # the caller sees it: stays as it was


PROGRAMS = [picked, neighbours, total, in_place, stored_before, caught]


def numbers(shape: Any, dtype: str = "f8") -> np.ndarray:
    return (np.random.default_rng(7).standard_normal(shape) * 50).astype(dtype)


def places_in(n: int, shape: Any, dtype: str = "i8") -> np.ndarray:
    low = -n if np.dtype(dtype).kind == "i" else 0
    high = min(n, np.iinfo(dtype).max)
    return (
        np.random.default_rng(8).integers(max(low, np.iinfo(dtype).min), high, shape).astype(dtype)
    )


def is_one_pass(f: Callable[..., Any], *arguments: Any) -> bool:
    stages = jit(f).stages(*arguments)
    return str(stages["strips"]) != str(stages["gathers"])


def test_which_nests_check() -> None:
    x, places = numbers(100), places_in(50, 100)
    assert all(is_one_pass(f, x, places) for f in (picked, neighbours, total, stored_before))
    assert is_one_pass(of_rows, x, places_in(50, (4, 9)))
    assert is_one_pass(pairs, numbers((9, 9)), places_in(9, 20), places_in(9, 20))
    assert not is_one_pass(kept, x, places, x.copy())


@pytest.mark.parametrize("dtype", ["f8", "f4", "i4", "u1", "c16", "?", "f2"])
@pytest.mark.parametrize("n", SIZES)
def test_sizes(n: int, dtype: str) -> None:
    x, places = numbers(max(n, 3), dtype), places_in(max(n, 3), n)
    check(picked, x, places)
    check(of_rows, x, places_in(max(n, 3), (3, n)))
    if dtype != "?":
        check(extremes, x, places_in(max(n, 3), n + 1))
        check(neighbours, x, places_in(max(n, 3) // 2, n))
    check(total, x, places)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"])
def test_dtypes_of_places(dtype: str) -> None:
    x = numbers(200)
    for places in (places_in(100, 300, dtype), np.array([199], dtype) if dtype != "i1" else None):
        if places is not None:
            check(picked, x, places)
            check(total, x, places)


@pytest.mark.parametrize("f", PROGRAMS)
@pytest.mark.parametrize("n", [1, 5, 8, 1000])
def test_places_that_do_not_exist(f: Callable[..., Any], n: int) -> None:
    for bad in (n, -n - 1, n + 3, 2**62, -(2**63), 2**63 - 1):
        for at in {0, n // 2, n - 1}:
            places = places_in(n, n)
            places[at] = bad
            check(f, numbers(n), places)
    for least in (-n, n - 1):  # these exist
        check(f, numbers(n), np.full(n, least))


@pytest.mark.parametrize("f", [picked, total, neighbours, of_rows, extremes])
def test_nothing_to_take_from(f: Callable[..., Any]) -> None:
    empty = np.zeros(0)
    shape = (3, 4) if f is of_rows else 4
    for places in (np.zeros(shape, int), np.full(shape, -1), np.full(shape, 3)):
        check(f, empty, places)
    if f is not extremes:
        check(f, empty, np.zeros((3, 0) if f is of_rows else 0, int))


def test_two_axes() -> None:
    for shape in ((7, 9), (7, 0), (0, 9)):
        x = numbers(shape)
        for rows, columns in [
            (places_in(7, 50), places_in(9, 50)),
            (np.full(50, 7), places_in(9, 50)),
            (places_in(7, 50), np.full(50, 9)),
            (np.full(50, -8), np.full(50, 9)),
            (np.zeros(0, int), np.zeros(0, int)),
        ]:
            check(pairs, x, rows, columns)
    check(pairs, numbers((7, 9)).T, places_in(9, (4, 5)), places_in(7, (4, 5)))
    check(pairs, numbers((7, 9)), places_in(7, (4, 1)), places_in(9, 5))


def test_layouts() -> None:
    x, places = numbers(300), places_in(100, 300)
    for f in (picked, total, neighbours):
        check(f, x[::3], places[::2])
        check(f, x[::-1], places[::-1])
        check(f, x[::-2], places[150:])
        check(f, x[100:], places.reshape(20, 15))
        check(f, x, places.reshape(20, 15).T)
        check(f, x, places.reshape(20, 15)[:, ::2])
        check(f, x, places[:1].reshape(()))


def test_rows_of_few() -> None:
    counts = np.array([0, 1, 3, 8, 12, 0, 17, 200])
    starts = np.concatenate([[0], np.cumsum(counts)])
    columns, values = places_in(50, starts[-1]), numbers(starts[-1])
    for dtype in ("f8", "f4"):
        check(sparse, starts, columns, values.astype(dtype), numbers(50, dtype))
    for at in (0, 5, 100, starts[-1] - 1):
        wrong = columns.copy()
        wrong[at] = 50
        check(sparse, starts, wrong, values, numbers(50))


@pytest.mark.parametrize("threads", [1, 2])
def test_on_threads(threads: int) -> None:
    n = 200_000
    x, places = numbers(n), places_in(n // 2, n)
    with shapecast.num_threads(threads):
        for f in (picked, neighbours, total):
            check(f, x, places)
            for at in (0, n // 2 - 1, n - 1):
                wrong = places.copy()
                wrong[at] = n + 5
                check(f, x, wrong)


def chained(x, places):
    return x[places[places]] + 1


def counted(x, places):
    return x[np.arange(len(places)) * 3 % len(x)] - x[places]


BLOCK = 1024  # of places that are looked at before their elements are taken


@pytest.mark.parametrize("f", [picked, neighbours, total, extremes, chained, counted])
@pytest.mark.parametrize("n", [BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 7])
def test_blocks(f: Callable[..., Any], n: int) -> None:
    x = numbers(n)
    places = np.random.default_rng(3).integers(1, n - 1, n)
    check(f, x, places)
    check(f, x.astype("f4"), places.astype("u2"))
    check(f, x[::-1], places[::-1])
    for start in range(0, n, BLOCK):
        for value in (-1, -n, n - 1, n, -n - 1, 2**62):
            for at in {start, min(start + BLOCK, n) - 1}:
                mixed = places.copy()
                mixed[at] = value
                check(f, x, mixed)


def test_blocks_of_two_axes() -> None:
    rows, columns = places_in(40, 3000) % 40, places_in(50, 3000) % 50
    for at, value in ((0, -40), (1500, 39), (2999, 40), (1024, -41)):
        mixed = rows.copy()
        mixed[at] = value
        check(pairs, numbers((40, 50)), mixed, columns)
        check(pairs, numbers((50, 40)).T, mixed, columns)


def test_what_the_caller_sees_stays() -> None:
    x, out = numbers(20), np.zeros(20)
    places = places_in(20, 20)
    places[13] = 20
    with pytest.raises(IndexError, match="index 20 is out of bounds for axis 0 with size 20"):
        jit(kept)(x, places, out)
    assert not out.any()


@pytest.mark.parametrize("f", [picked, neighbours, total, extremes])
def test_fences(f: Callable[..., Any]) -> None:
    for n in (1, 7, 8, 9, 33):
        for bad in (False, True):
            places = places_in(n, n)
            if f is neighbours:
                places = np.zeros(n, int)
            if n % 2:
                places = np.abs(places)
            if bad:
                places[n // 2] = n + 2**40
            for arguments in both_fenced(numbers(n), places):
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
def test_sums_of_rows_of_all_lengths(dtype: Any, rng) -> None:
    """Short ones stand in the loop; those with a negative place are the nest's function."""
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
        for place in (0, starts[-1] // 2, starts[-1] - 1):
            with_wrong = columns.copy()
            with_wrong[place] = wrong
            check(sparse, starts, with_wrong, values, x)  # an IndexError


def scattered(places, values, n):
    out = np.zeros(n, values.dtype)
    np.add.at(out, places, values)
    return out


def scattered_in_turns(places, values, n):
    out, most = np.ones(n), np.zeros(n)
    for k in range(3):
        np.multiply.at(out, places + k * 0, values)
        np.maximum.at(most, places, values)
        np.negative.at(out, places)
    return out, most


def scattered_into(out, places, values):
    np.add.at(out, places, values)


def scattered_and_caught(places, values, n):
    out = np.zeros(n)
    try:
        np.add.at(out, places, values)
    except IndexError:
        out += 100
    return out


def scattered_and_seen(places, values, n):
    out = np.zeros(n)
    seen = [out]
    try:
        np.add.at(out, places, values)
    except IndexError:
        pass
    return seen[0]


@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.uint8, np.int8])
def test_stores_at_places_that_the_loop_checks(dtype: Any, rng) -> None:
    values = rng.normal(size=200)
    places = rng.integers(0 if dtype == np.uint8 else -30, 30, 200).astype(dtype)
    for f in (scattered, scattered_in_turns, scattered_and_caught, scattered_and_seen):
        check(f, places, values, 30)
        check(f, places[::-2], values[::2], 30)
        check(f, places[:0], values[:0], 30)
        check(f, places[:0], values[:0], 0)
        check(f, places, values, 29)  # an IndexError
        check(f, places[:0], values, 30)  # a ValueError, where not empty
        check(f, places[:3], values, 30)
        check(f, places, values, 0)
        for place in (0, 100, 199):
            wrong = places.copy()
            wrong[place] = 77
            check(f, wrong, values, 30)
            check(f, wrong[: place + 1], values, 30)  # the IndexError comes first
    out = np.ones(30)
    wrong = places.copy()
    wrong[150] = 30
    check(scattered_into, out, places, values)
    check(scattered_into, out, wrong, values)
    check(scattered_into, values[:30], places, values)  # overlapping
    check(scattered, places, np.float64(2), 30)


def test_the_loop_checks_places_of_new_arrays_only(rng) -> None:
    places, values = rng.integers(0, 30, 20), rng.normal(size=20)
    loops = str(jit(scattered).stages(places, values, 30)["gathers"])
    assert loops.count("check_places") == 1  # where the shapes do not fit
    assert "wrap(place0" in loops
    assert "wrap(place0" not in str(
        jit(scattered_into).stages(np.zeros(30), places, values)["gathers"]
    )
    assert "wrap(place0" not in str(jit(scattered_and_caught).stages(places, values, 30)["gathers"])
