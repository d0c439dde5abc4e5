"""Vectorised run-time functions, at every length around multiples of vectors: running extremes,
elements selected by masks, searches.
"""

from __future__ import annotations

import numpy as np
import pytest
from shapecast import jit
from support.compare import check

LENGTHS = [0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 127, 129, 200]
DTYPES = "?bBhHiIlLefdFD"


def running_maximum(x):
    return np.maximum.accumulate(x)


def running_minimum(x):
    return np.minimum.accumulate(x)


def picked(x, mask):
    return x[mask]


def positions(line, wanted):
    return np.searchsorted(line, wanted), np.searchsorted(line, wanted, side="right")


def numbers(rng: np.random.Generator, dtype: str, length: int) -> np.ndarray:
    return (rng.normal(size=length) * 40).astype(dtype)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("f", [running_maximum, running_minimum], ids=lambda f: f.__name__)
@pytest.mark.parametrize("dtype", DTYPES)
def test_running_extremes_are_numpys(f, dtype: str, rng) -> None:
    for length in LENGTHS:
        x = numbers(rng, dtype, length)
        check(f, x)
        check(f, x[::-1])
        check(f, np.repeat(x, 2)[::2])
    if dtype in "efd":
        for k in (0, 5, 64, 130, 199):
            x = numbers(rng, dtype, 200)
            x[k] = np.nan
            check(f, x)
        check(f, np.full(50, np.inf, dtype))


def test_running_extremes_along_axes(rng) -> None:
    def f(x):
        return np.maximum.accumulate(x, axis=-1), np.minimum.accumulate(x, axis=0)

    for shape in ((3, 40), (40, 3), (2, 17, 9), (0, 4), (4, 0)):
        check(f, rng.random(shape))
        check(f, np.asfortranarray(rng.random(shape)))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("dtype", DTYPES)
def test_elements_selected_by_masks(dtype: str, rng) -> None:
    for length in LENGTHS:
        x = numbers(rng, dtype, length)
        for share in (0.0, 0.1, 0.5, 0.9, 1.0):
            check(picked, x, rng.random(length) < share)
        odd = rng.integers(0, 3, length, dtype=np.uint8).view(np.bool_)  # bytes other than 0 and 1
        check(picked, x, odd)
    rows = numbers(rng, dtype, 60).reshape(4, 15)
    check(picked, rows, rng.random((4, 15)) < 0.5)
    check(picked, rows[:, ::-1], rng.random((4, 15)) < 0.5)
    check(picked, rows[:, 2:13], rng.random((4, 11)) < 0.5)


@pytest.mark.parametrize("dtype", "?bB")
def test_table_lookups_of_bytes(dtype: str, rng) -> None:
    for size in (256, 300, 255, 3):  # not all bytes are in the last two
        table = rng.integers(0, 2 if dtype == "?" else 100, size).astype(dtype)
        for length in LENGTHS:
            inside = rng.integers(0, min(size, 256), length, dtype=np.uint8)
            check(picked, table, inside)
            check(picked, table, np.repeat(inside, 2)[::-2])
            check(picked, table[::-1], inside)
        image = rng.integers(0, min(size, 256), (9, 70), dtype=np.uint8)
        check(picked, table, image)
        check(picked, table, image.T)
        check(picked, table, image[1:, 3:])
    check(picked, table, np.array([0, 3, 1], np.uint8))  # an IndexError
    check(picked, rng.integers(0, 9, (256, 5)).astype(dtype), np.arange(0, 256, 9, dtype=np.uint8))


@pytest.mark.parametrize("dtype", "bBhHiIlLfd")
def test_searches_are_numpys(dtype: str, rng) -> None:
    for size in (0, 1, 2, 3, 31, 100):
        line = np.sort(numbers(rng, dtype, size))
        for length in (0, 1, 31, 32, 33, 70):
            check(positions, line, numbers(rng, dtype, length))
            check(positions, line, np.repeat(numbers(rng, dtype, length), 3)[::-3])
    if dtype in "fd":
        line = np.sort(np.append(numbers(rng, dtype, 40), [np.nan, np.inf, -np.inf, np.nan]))
        wanted = np.append(numbers(rng, dtype, 40), [np.nan, np.inf, -np.inf, line[7], line[30]])
        check(positions, line.astype(dtype), wanted.astype(dtype))


def set_places(mask):
    return np.nonzero(mask)


@pytest.mark.parametrize("share", [0, 0.002, 0.05, 0.5, 0.98, 1])
@pytest.mark.parametrize("dtype", "dfhD")
def test_masks_of_any_density(dtype: str, share: float, rng) -> None:
    for length in (*LENGTHS, 3000):
        mask, x = rng.random(length) < share, numbers(rng, dtype, length)
        check(picked, x, mask)
        check(set_places, mask)
        mask[: length // 2] = False
        check(picked, x, mask)
        check(picked, x[::-1], mask[::-1])
        check(set_places, mask[::-1])
        check(set_places, mask.reshape(1, -1))


def counted(x, bins):
    return np.histogram(x, bins, (-1.0, 2.0))


def summed(x, bins, weights):
    return np.histogram(x, bins, (-1.0, 2.0), weights=weights)


@pytest.mark.parametrize("dtype", "dfeil")
@pytest.mark.parametrize("bins", [1, 3, 64, 1000])
def test_histograms_of_bins_of_one_width(dtype: str, bins: int, rng) -> None:
    edges = np.linspace(-1, 2, bins + 1)
    beside = np.concatenate([edges, np.nextafter(edges, 9), np.nextafter(edges, -9)])
    check(counted, beside.astype(dtype), bins)
    for length in (*LENGTHS, 511, 512, 513, 3000):
        x = (rng.random(length) * 5 - 2).astype(dtype)
        check(counted, x, bins)
        check(counted, np.repeat(x, 3)[::-3], bins)
    check(summed, x, bins, rng.integers(0, 9, len(x)).astype(np.float64))
    check(summed, x, bins, rng.integers(0, 9, len(x)))


def counted_widely(x):
    return np.histogram(x, 10, (-3e38, 3e38))


def test_histogram_ignores_nan() -> None:
    check(counted, np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 2.0, -1.0, 1e308]), 7)


def test_histogram_of_many_bins(rng) -> None:
    check(counted, rng.random(5000), (1 << 20) + 1)


def test_histogram_of_a_range_wider_than_float32_holds() -> None:
    check(counted_widely, np.array([-1e38, 0, 1e37], np.float32))
    counts, _ = jit(counted_widely)(np.array([-1e38, 1e38, 3e38], np.float32))
    assert counts.sum() == 3  # NumPy: IndexError


@pytest.mark.parametrize("dtype", "fd")
def test_running_extremes_of_zeros_keep_the_last_sign(dtype: str) -> None:
    for length in (5, 80, 700):
        x = np.array([0.0, -0.0] * length, dtype)
        for f in (running_maximum, running_minimum):
            np.testing.assert_array_equal(np.signbit(jit(f)(x)), np.signbit(f(x)))


def weighted_bins(x, weights):
    return np.histogram(x, 40, (0.0, 1.0), weights=weights)


@pytest.mark.parametrize("dtype", "?bilfdFD")
@pytest.mark.parametrize("n", [0, 1, 100, 65_536, 65_537, 150_000])
def test_weights_are_added_in_doubles_block_by_block(n: int, dtype: str, rng) -> None:
    weights = rng.normal(size=n) * 3
    if dtype in "FD":
        weights = weights + 1j * rng.normal(size=n)
    check(weighted_bins, rng.uniform(-0.2, 1.2, n), weights.astype(dtype))
