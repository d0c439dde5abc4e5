"""Running sums that take in the nests around them: NumPy's bits, and which nests those are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from fences import both_fenced
from helpers import check
from shapecast import jit

SIZES = [0, 1, 2, 3, 5, 6, 40, 1000]


def loops(f: Callable[..., Any], *arguments: Any) -> int:
    """How many nests and loops are left."""
    text = str(jit(f).stages(*arguments)["scans"])
    return text.count("np.nest [") + text.count("np.for ")


def halves(x):
    return np.cumsum(x) / 2


def squares(x):
    return np.cumsum(x * x)


def shares(x):
    c = np.cumsum(x)
    return c / len(c), c[-1:]


def difference_of_two(x):
    return np.cumsum(x) - np.cumsum(x * 2.5)


def sums_of_sums(x):
    return np.cumsum(np.cumsum(x))


def steps(x):
    total = np.cumsum(x)
    return total, np.diff(total)


def rolling(x):
    c = np.cumsum(x)
    return (c[5:] - c[:-5]) * 0.2


def rolling_by(x, d):
    c = np.cumsum(x)
    return (c[d:] - c[: len(c) - d]) / d


def rolling_and_whole(x):
    c = np.cumsum(x)
    return c * 2, c[2:] - c[:-2], c[2:] + c[1:-1]


def ahead_and_behind(x):
    c = np.cumsum(x)
    return c[1:] - x[:-1], x[1:] - c[:-1], c[::-1] - c


def products(x):
    p = np.cumprod(1 + x)
    return p - 1


def smoothed(x, share):
    out = np.empty_like(x)
    state = 0.0
    for i in range(len(x)):
        state = share * x[i] + (1 - share) * state
        out[i] = state
    return x - out


def two_states(x, y):
    a, b = np.empty_like(x), np.empty_like(y)
    low = high = 0.0
    for i in range(len(x)):
        low = low * 0.9 + x[i]
        a[i] = low
    for i in range(len(y)):
        high = high * 0.8 + y[i] - low
        b[i] = high
    return a + b


def last_used_later(x):
    c = np.cumsum(x)
    return c / c[-1]


def in_place(x):
    x *= 2
    state = 0.0
    for i in range(len(x)):
        state += x[i]
        x[i] = state
    x += 1


def shifted_in_place(x):
    state = 0.0
    for i in range(len(x)):
        state += x[i]
        x[i] = state
    x[1:] -= x[:-1] * 0.5
    return state


def overwritten(x):
    state = 0.0
    out = np.empty_like(x)
    for i in range(len(x)):
        state += x[i]
        out[i] = state
    first = out[0:].copy()
    out *= 3
    return first, out


def into(out, more, x):
    state = 0.0
    for i in range(len(x)):
        state += x[i]
        out[i] = state
    more[:] = out * 2


def of_rows(a):
    out = np.empty_like(a)
    for k in range(len(a)):
        out[k] = np.cumsum(a[k]) * 2 + 1
    return out


ALL = [
    halves, squares, shares, difference_of_two, sums_of_sums, steps, rolling, rolling_and_whole,
    ahead_and_behind, products,
]  # fmt: skip
LOOPS = [overwritten, in_place, shifted_in_place]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(
    ("f", "dtype"),
    [(f, dtype) for f in ALL for dtype in ("f4", "f8", "i8", "i2", "c16")]
    + [(f, dtype) for f in LOOPS for dtype in ("f4", "f8")],
)
def test_running_sums(f: Callable[..., Any], dtype: str, rng) -> None:
    for n in SIZES:
        x = (rng.normal(size=2 * n) * 5).astype(dtype)
        if n < 5 and f is rolling:
            continue  # an error of NumPy's, below
        for layout in (x[:n].copy(), x[::2], x[n:][::-1]):
            check(f, layout)


def test_errors_stay(rng) -> None:
    for n in (0, 2, 4):
        check(rolling, rng.normal(size=n))
        check(rolling_by, rng.normal(size=n), 5)
    check(last_used_later, np.zeros(0))


@pytest.mark.parametrize("n", SIZES)
def test_arguments_and_states(n: int, rng) -> None:
    x = rng.normal(size=n)
    for d in (1, 2, 5, 40):
        check(rolling_by, x, d)
    check(smoothed, x, 0.3)
    check(smoothed, x.astype("f4"), 0.3)
    check(two_states, x, rng.normal(size=n))
    if n:
        check(last_used_later, x)
    check(of_rows, rng.normal(size=(4, n)))
    check(of_rows, np.asfortranarray(rng.normal(size=(n, 3))))


def test_signs_of_zeros_and_not_numbers() -> None:
    for x in ([-0.0, -0.0], [-0.0, 0.0], [0.0, -0.0], [np.nan, 1.0, -np.inf, np.inf]):
        for f in (squares, halves, products, steps):
            check(f, np.array(x))
            check(f, -np.array(x, "f4"))


def test_arrays_that_overlap(rng) -> None:
    for n in (1, 3, 50):
        x = rng.normal(size=2 * n + 8)
        for a, b, c in (
            (0, 0, 0),
            (0, 1, 0),
            (1, 0, 0),
            (0, 0, 1),
            (1, 1, 0),
            (0, 3, 1),
            (4, 0, 2),
        ):
            check(into, x[a : a + n], x[b : b + n], x[c : c + n])
        check(into, x[:n], x[n : 2 * n], rng.normal(size=n))


def test_what_is_taken_in() -> None:
    x = np.ones(50)
    assert loops(halves, x) == loops(squares, x) == loops(difference_of_two, x) == 1
    assert loops(sums_of_sums, x) == 1
    assert loops(steps, x) == loops(rolling, x) == loops(rolling_by, x, 3) == 2  # two parts
    assert loops(smoothed, x, 0.3) == 1
    assert loops(last_used_later, x) == 2  # it waits for the last one
    assert "np.alloc" not in str(jit(lambda x: np.cumsum(x * x)[-1]).stages(x)["scans"])


def test_nothing_outside_is_touched(rng) -> None:
    for n in (1, 5, 6, 33):
        for f in (halves, steps, rolling, rolling_and_whole, sums_of_sums):
            if n >= 5:
                for arguments in both_fenced(rng.normal(size=n)):
                    check(f, *arguments)
