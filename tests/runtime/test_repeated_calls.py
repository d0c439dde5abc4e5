"""The inline cache: calls like the one before take the fast path, and no others do."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from shapecast import jit
from support.compare import make

MIX = "def f(a, b):\n    c = a * 2\n    a[...] = c + b\n    return c - b"


def unaligned(a: np.ndarray) -> np.ndarray:
    raw = np.empty(a.nbytes + 1, np.uint8)
    view = raw[1:].view(a.dtype).reshape(a.shape)
    view[...] = a
    return view


BASE = np.arange(1.0, 13.0)
ARRAYS: dict[str, Callable[[], np.ndarray]] = {
    "usual": lambda: BASE[:6].copy(),
    "longer": lambda: BASE.copy(),
    "strided": lambda: BASE.copy()[::2],
    "backwards": lambda: BASE[:6].copy()[::-1],
    "float32": lambda: BASE[:6].astype(np.float32),
    "int64": lambda: BASE[:6].astype(np.int64),
    "byte-swapped": lambda: BASE[:6].astype(">f8"),
    "unaligned": lambda: unaligned(BASE[:6]),
    "2-d": lambda: np.tile(BASE[:6], (2, 1)),
    "2-d, Fortran order": lambda: np.asfortranarray(np.tile(BASE[:6], (2, 1))),
    "empty": lambda: BASE[:0].copy(),
    "one": lambda: BASE[:1].copy(),
    "0-d": lambda: np.array(3.0),
}


def outcome(f: Callable[..., Any], *args: Any) -> Any:
    try:
        return f(*args)
    except ValueError:  # a ShapeError is one
        return ValueError


def same(f: Callable[..., Any], g: Callable[..., Any], *args: Any) -> None:
    """f and g of copies: the same result and the same changes."""
    first, second = copy.deepcopy(args), copy.deepcopy(args)
    want, got = outcome(f, *first), outcome(g, *second)
    assert type(got) is type(want)
    if isinstance(want, np.ndarray):
        assert (got.dtype, got.flags.c_contiguous) == (want.dtype, want.flags.c_contiguous)
    np.testing.assert_array_equal(got, want)
    for a, b in zip(first, second, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("other", ARRAYS)
def test_arrays_of_another_dtype_or_layout_between_usual_ones(other: str) -> None:
    plain = make(MIX)
    f = jit(plain)
    for a, b in (("usual", other), (other, "usual"), (other, other)):
        for pair in [("usual", "usual")] * 3 + [(a, b)] * 3 + [("usual", "usual")]:
            same(plain, f, *(ARRAYS[kind]() for kind in pair))


def test_arrays_that_begin_to_overlap() -> None:
    plain = make("def f(a, b, c):\n    a[...] = b + c\n    b[...] = a * c\n    return a + b")
    f = jit(plain)

    def windows(starts: tuple[int, ...]) -> tuple[np.ndarray, ...]:
        memory = np.arange(1.0, 31.0)
        return tuple(memory[start : start + 6] for start in starts)

    apart = (0, 10, 20)
    for starts in itertools.product((0, 3, 10), (0, 3, 10), (0, 10, 20)):
        for now in (apart, apart, apart, starts, starts, starts, apart):
            first, second = windows(now), windows(now)
            np.testing.assert_array_equal(f(*second), plain(*first))
            np.testing.assert_array_equal(second[0].base, first[0].base)


def test_one_array_twice_and_then_two() -> None:
    plain = make("def f(a, b):\n    a[1:] = b[:-1]\n    b[1:] += a[1:]\n    return a")
    f = jit(plain)
    for twice in (True, True, True, False, False, True, False):
        x, y = np.arange(8.0), np.arange(8.0)
        other_x, other_y = np.arange(8.0) + 1, np.arange(8.0) + 1
        got = f(x, x if twice else other_x)
        plain(y, y if twice else other_y)
        assert got is x
        np.testing.assert_array_equal(x, y)
        np.testing.assert_array_equal(other_x, other_y)


def test_an_array_that_becomes_read_only() -> None:
    plain = make("def f(a):\n    a[0] = 5.0\n    return a")
    f, a = jit(plain), np.zeros(4)
    for _ in range(3):
        f(a)
    a.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        f(a)
    assert f(np.zeros(4))[0] == 5.0


def test_read_only_arrays_of_which_one_is_written_to_through_another() -> None:
    plain = make("def f(a, b, c):\n    c[...] = a + b\n    c[...] += a\n    return a * 2")
    f, g = jit(plain), plain
    for together in (True, True, True, False, False, True):
        got, want = np.arange(4.0), np.arange(4.0)
        results = []
        for memory, function in ((got, f), (want, g)):
            a, b = memory[:], memory[:]
            a.flags.writeable = b.flags.writeable = False
            results.append(function(a, b if together else np.ones(4), memory[:]))
        np.testing.assert_array_equal(results[0], results[1])
        np.testing.assert_array_equal(got, want)


@pytest.mark.filterwarnings("ignore:overflow")
def test_numbers_of_another_class_between() -> None:
    class IntSubclass(int):
        pass

    plain = make("def f(x, n):\n    return x * n + n")
    f = jit(plain)
    numbers = [
        2, 2, 2, 2.5, True, 1 + 2j, IntSubclass(3), -(2**62), np.float64(2.5), np.float64(3.5),
        np.float32(2.5), np.int64(3), np.uint64(3), np.int8(-3), np.uint8(250), np.bool_(True),
        np.complex64(1 + 1j), np.complex128(2j), np.float16(0.5),
    ]  # fmt: skip
    for number in numbers:
        for n in (2, 2, 2, number, number, number, 2):
            for x in (np.arange(3.0), np.float64(1.5), 1):
                want, got = plain(x, n), f(x, n)
                assert type(got) is type(want)
                np.testing.assert_array_equal(got, want)
    with pytest.raises(OverflowError):
        f(np.arange(3.0), 2**130)
    np.testing.assert_array_equal(f(np.arange(3.0), 2), [2.0, 4.0, 6.0])


def test_static_arguments_between_calls() -> None:
    plain = make("def f(x, axis):\n    return x.sum(axis=axis)")
    f, x = jit(plain), np.arange(6.0).reshape(2, 3)
    for axis in (0, 0, 0, 1, 1, None, None, None, (0, 1), 0, -1, 1):
        np.testing.assert_array_equal(f(x, axis), plain(x, axis))
    words = jit(make("def f(x, how):\n    return x + 1 if how == 'up' else x - 1"))
    for how in ("up", "up", "up", "down", "".join(["u", "p"]), "up"):
        np.testing.assert_array_equal(words(x, how), x + (1 if how == "up" else -1))


def test_a_size_that_a_guard_rejects() -> None:
    plain = make("def f(x, y):\n    return x + y")
    f = jit(plain)
    for sizes in [(3, 3)] * 3 + [(3, 1), (1, 3), (3, 1), (4, 4), (1, 1), (3, 2), (3, 3)]:
        same(plain, f, *(np.arange(float(size)) for size in sizes))


def test_a_global_that_changes_between_calls() -> None:
    space = make("k = 2.0\ndef f(x):\n    return x * k", "f")
    f, x = jit(space), np.arange(3.0)
    for k in (2.0, 2.0, 2.0, 3.0, 3.0, 4.0, np.arange(3.0), 2.0):
        space.__globals__["k"] = k
        np.testing.assert_array_equal(f(x), x * k)


def test_a_subclass_between_calls() -> None:
    class Mine(np.ndarray):
        pass

    plain = make("def f(x):\n    return x + 1")
    f, x = jit(plain), np.arange(3.0)
    for _ in range(3):
        f(x)
    got = f(x.view(Mine))
    assert type(got) is Mine
    np.testing.assert_array_equal(got, x + 1)
    np.testing.assert_array_equal(f(x), x + 1)


def test_results_that_depend_on_values() -> None:
    plain = make("def f(a):\n    return np.linalg.eigvals(a)")
    f = jit(plain)
    real, turning = np.diag([1.0, 2.0]), np.array([[0.0, 1.0], [-1.0, 0.0]])
    for a in (real, real, real, turning, turning, real, turning, turning, turning, real):
        got, want = f(a), plain(a)
        assert got.dtype == want.dtype
        np.testing.assert_allclose(np.sort_complex(got), np.sort_complex(want))
