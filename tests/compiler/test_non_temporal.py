"""Non-temporal stores: the same values, nothing beside the target written, whole lines or not."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
import shapecast
from shapecast import jit
from support.compare import make
from support.fences import fenced


@pytest.fixture(autouse=True)
def always_non_temporal() -> Iterator[None]:
    before = shapecast._core._set_non_temporal_bytes(0)
    yield
    shapecast._core._set_non_temporal_bytes(before)


def expression(a, b):
    return a * 2 + b


def into(a, b, out):
    out[:] = a * 2 + b


def three(a, b, scale):
    return a + b, a - b, scale * a


def rows(a, out):
    out[1:-1, 1:-1] = a[1:-1, 2:] + a[1:-1, :-2]


def narrow(a):
    return (a.astype(np.float32) * 0.5).astype(np.float32)


DTYPES = ["float64", "float32", "int64", "int32", "int16", "uint8"]


def numbers(rng: np.random.Generator, shape: int | tuple[int, ...], dtype: str) -> np.ndarray:
    return rng.integers(0, 50, shape).astype(dtype)


def is_non_temporal(f, *args) -> bool:
    return "nontemporal" in f.stages(*args)["loops"]


@pytest.mark.parametrize("dtype", DTYPES)
def test_results_of_any_length_are_numpys(rng: np.random.Generator, dtype: str) -> None:
    f = jit(expression)
    for n in [*range(200), 32_767, 32_768, 100_003]:
        a, b = numbers(rng, n, dtype), numbers(rng, n, dtype)
        np.testing.assert_array_equal(f(a, b), expression(a, b), strict=True)


@pytest.mark.parametrize("dtype", DTYPES)
def test_targets_of_any_alignment_in_a_cache_line(rng: np.random.Generator, dtype: str) -> None:
    f = jit(into)
    whole = np.zeros(400, dtype)
    for begin in range(70):
        for n in (0, 1, 15, 64, 131):
            a, b = numbers(rng, n, dtype), numbers(rng, n, dtype)
            whole[:] = 99
            f(a, b, whole[begin : begin + n])
            want = np.full(400, 99, dtype)
            into(a, b, want[begin : begin + n])
            np.testing.assert_array_equal(whole, want)


@pytest.mark.parametrize("at_end", [True, False])
def test_nothing_beside_a_target_is_written(rng: np.random.Generator, at_end: bool) -> None:
    f = jit(into)
    for dtype in ("float64", "float32", "uint8"):
        for n in (1, 7, 8, 9, 63, 64, 65, 200, 1000):
            a, b = (fenced(numbers(rng, n, dtype), at_end) for _ in range(2))
            out = fenced(np.zeros(n, dtype), at_end)
            f(a, b, out)
            np.testing.assert_array_equal(out, a * 2 + b)


def test_several_results_of_different_alignments(rng: np.random.Generator) -> None:
    def store(a, b, x, y):
        x[:] = a + b
        y[:] = a - b

    f = jit(store)
    for first in range(9):
        for second in range(9):
            a, b = rng.normal(size=(2, 77))
            x, y = np.zeros(90), np.zeros(90)
            f(a, b, x[first : first + 77], y[second : second + 77])
            np.testing.assert_array_equal(x[first : first + 77], a + b)
            np.testing.assert_array_equal(y[second : second + 77], a - b)
            assert not x[:first].any() and not x[first + 77 :].any()
            assert not y[:second].any() and not y[second + 77 :].any()


def test_three_results_of_one_nest(rng: np.random.Generator) -> None:
    a, b = rng.normal(size=(2, 5_001))
    f = jit(three)
    for got, want in zip(f(a, b, 3.0), three(a, b, 3.0), strict=True):
        np.testing.assert_array_equal(got, want)


def test_non_temporal_stores_of_rows_of_windows(rng: np.random.Generator) -> None:
    for n in range(2, 40):
        a = rng.normal(size=(6, n))
        got, want = np.zeros((6, n)), np.zeros((6, n))
        jit(rows)(a, got)
        rows(a, want)
        np.testing.assert_array_equal(got, want)


def test_operands_of_other_widths(rng: np.random.Generator) -> None:
    f = jit(narrow)
    for dtype in ("int8", "int16", "float64"):
        a = numbers(rng, 1_003, dtype)
        np.testing.assert_array_equal(f(a), narrow(a), strict=True)


def test_strided_and_reversed_operands(rng: np.random.Generator) -> None:
    a, b = rng.normal(size=(2, 400))
    f = jit(expression)
    for x, y in ((a[::2], b[::2]), (a[::-1], b), (a[5:], b[5:]), (np.broadcast_to(a[0], 400), b)):
        np.testing.assert_array_equal(f(x, y), expression(x, y))


def test_targets_that_are_read_are_stored_temporally(rng: np.random.Generator) -> None:
    def grow(a, b):
        a += b

    a, b = rng.normal(size=(2, 1_000))
    want = a + b
    f = jit(grow)
    assert not is_non_temporal(f, a, b)
    f(a, b)
    np.testing.assert_array_equal(a, want)


def test_other_threads_see_non_temporal_stores(rng: np.random.Generator) -> None:
    def twice(a):
        t = a * 2.0
        return t[::-1] + a  # of other threads' parts of t

    a = rng.normal(size=200_000)
    f = jit(twice)
    with shapecast.num_threads(3):
        for _ in range(20):
            np.testing.assert_array_equal(f(a), twice(a))


def test_explain_names_non_temporal_stores(rng: np.random.Generator) -> None:
    f = jit(expression)
    f(*rng.normal(size=(2, 1_000)))
    assert "non-temporal stores where it is large" in f._repr_html_()


def test_small_arrays_have_no_non_temporal_loop(rng: np.random.Generator) -> None:
    shapecast._core._set_non_temporal_bytes(1 << 30)
    a, b = rng.normal(size=(2, 1_000))
    assert not is_non_temporal(jit(expression), a, b)
    shapecast._core._set_non_temporal_bytes(0)
    assert is_non_temporal(jit(expression), a, b)


REDUCTIONS = [
    "a.min()", "a.argmax()", "a.sum()", "(a * a).sum()", "(a > 3).any()", "(a > 99).any()",
    "a.sum(axis=0)", "a.max(axis=0)", "a.sum(axis=1)", "a.max(axis=1)", "a.argmin(axis=1)",
    "a.mean(axis=0)", "(a - b).max(axis=0)", "(a * b).sum(axis=0)", "(a * b).sum()",
]  # fmt: skip


@pytest.mark.parametrize("expression", REDUCTIONS)
@pytest.mark.parametrize("at_end", [True, False])
def test_reductions_prefetch_within_the_arrays(
    rng: np.random.Generator, expression: str, at_end: bool
) -> None:
    """Of every length of rows and of columns around the blocks, with a fence behind or before."""
    plain = make(f"def f(a, b):\n    return {expression}")
    f = jit(plain)
    for dtype in ("float64", "float32", "uint8"):
        for shape in ((1, 3), (9, 31), (7, 255), (6, 256), (5, 257), (9, 2049), (2, 70_000)):
            a, b = numbers(rng, shape, dtype), numbers(rng, shape, dtype)
            want = plain(a, b)
            got = f(fenced(a, at_end), fenced(b, at_end))
            np.testing.assert_allclose(got, want, rtol=1e-5)
            assert np.asarray(got).dtype == np.asarray(want).dtype
    a, b = np.ones((2, 30, 400))  # sums of integers are plain loops
    assert "np.prefetched" in f.stages(a, b)["loops"]


def test_strided_reductions_are_not_prefetched(rng: np.random.Generator) -> None:
    f = jit(lambda a: a.min())
    a = numbers(rng, (50, 60), "float64")
    assert f(a[:, ::3]) == a[:, ::3].min()
    assert "np.prefetched" not in f.stages(a[:, ::3])["loops"]
    assert f(a) == a.min()
    assert "prefetched where it is large" in f._repr_html_()
