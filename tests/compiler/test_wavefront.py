"""np-wavefront: recurrences over two axes are skewed and run several rows at once, with the same
bits; and not where no lag of a few columns respects the dependences.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from shapecast import jit
from support.compare import check

SHAPES = [(0, 5), (1, 1), (2, 9), (3, 3), (5, 4), (6, 5), (7, 12), (9, 9), (12, 23)]


def is_wavefront(f: Callable[..., Any], *arguments: Any) -> bool:
    stages = jit(f).stages(*arguments)
    return str(stages["lifetime"]) != str(stages["wavefront"])


def seidel(a):
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            a[i, j] = (
                a[i - 1, j - 1] + a[i - 1, j] + a[i - 1, j + 1]
                + a[i, j - 1] + a[i, j] + a[i, j + 1]
                + a[i + 1, j - 1] + a[i + 1, j] + a[i + 1, j + 1]
            ) / 9.0  # fmt: skip
    return a


def time_warp(x, y):
    cost = np.full((len(x) + 1, len(y) + 1), np.inf, x.dtype)
    cost[0, 0] = 0.0
    for i in range(len(x)):
        for j in range(len(y)):
            step = min(cost[i, j], cost[i, j + 1], cost[i + 1, j])
            cost[i + 1, j + 1] = abs(x[i] - y[j]) + step
    return cost


def sweeps(a, steps):
    for k in range(steps):
        for i in range(1, a.shape[0]):
            for j in range(1, a.shape[1]):
                weight = 0.5 if a[i - 1, j] > a[i, j - 1] else 0.25
                a[i, j] += weight * a[i - 1, j] + (1.0 - weight) * a[i, j - 1] - k
    return a


def one_row(a, y):
    """The columns' distance is known, the rows' is not: y has none."""
    for i in range(a.shape[0]):
        for j in range(1, min(a.shape[1], len(y) - 1)):
            y[j] = 0.5 * (y[j - 1] + y[j + 1]) + a[i, j]
    return y


def counters(a):
    for i in range(1, a.shape[0]):
        for j in range(1, a.shape[1]):
            a[i, j] = a[i - 1, j] * 0.5 + a[i, j - 1] * 0.25 + i * 100 + j
    return a


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.complex128])
@pytest.mark.parametrize("f", [seidel, counters], ids=lambda f: f.__name__)
def test_in_place_recurrences_are_skewed(f: Any, dtype: Any, rng) -> None:
    for shape in SHAPES:
        a = (rng.random(shape) * 90).astype(dtype)
        if dtype is not np.int64:  # whose quotients are floats: a store that casts, as it is
            assert is_wavefront(f, a)
        check(f, a)
        check(f, np.asfortranarray(a))
        check(f, a.T)
        check(f, a[::-1, ::-1])
        check(f, np.repeat(np.repeat(a, 2, 0), 3, 1)[::2, ::3])


def test_dynamic_programming_is_skewed(rng) -> None:
    for n, m in SHAPES:
        x, y = rng.random(n), rng.random(m)
        assert is_wavefront(time_warp, x, y)
        check(time_warp, x, y)
        check(time_warp, x.astype(np.float32), y.astype(np.float32))


def test_several_sweeps_are_skewed(rng) -> None:
    for shape in SHAPES:
        a = rng.random(shape)
        assert is_wavefront(sweeps, a, 3)
        check(sweeps, a, 3)


def test_a_row_that_all_rows_change(rng) -> None:
    for shape in SHAPES:
        a, y = rng.random(shape), rng.random(shape[1] + 1)
        assert is_wavefront(one_row, a, y)
        check(one_row, a, y)
        check(one_row, a, rng.random(max(shape[1] - 2, 0)))


def test_arguments_that_overlap(rng) -> None:
    def f(a, b):
        for i in range(1, min(a.shape[0], b.shape[0])):
            for j in range(1, min(a.shape[1], b.shape[1])):
                a[i, j] = a[i, j - 1] + b[i - 1, j] * 0.5
        return a

    def on_windows(a):
        return f(a[1:], a[:-1])

    def below(a):
        return f(a[:-1, 1:], a[1:, :-1])

    def itself(a):
        return f(a, a)

    for shape in SHAPES:
        a = rng.random(shape)
        for g in (on_windows, below, itself):
            check(g, a)
        x = rng.random((13, 14))
        want = x.copy()
        f(want[:-1, 1:], want[1:, :-1])
        jit(f)(x[:-1, 1:], x[1:, :-1])
        assert np.array_equal(x, want)


def test_stores_before_an_error_are_those_of_the_scalar_loop(rng) -> None:
    def f(a, columns):
        for i in range(1, a.shape[0]):
            for j in range(1, a.shape[1]):
                a[i, j] = a[i - 1, j] + a[i, columns[j]]
        return a

    a = rng.random((9, 9))
    check(f, a, np.arange(9) - 1)
    check(f, a, np.arange(9)[::-1].copy())
    check(f, a, np.arange(1, 10))  # an IndexError with the same elements changed


def test_loops_that_are_not_skewed(rng) -> None:
    def transposed(a):
        for i in range(1, min(a.shape)):
            for j in range(1, min(a.shape)):
                a[i, j] = a[j, i - 1] + a[i, j - 1]
        return a

    def triangle(a):
        for i in range(1, a.shape[0]):
            for j in range(1, min(i, a.shape[1])):
                a[i, j] = a[i - 1, j] + a[i, j - 1]
        return a

    def far_ahead(a):
        for i in range(1, a.shape[0]):
            for j in range(1, a.shape[1] - 6):
                a[i, j] = a[i - 1, j + 6] + a[i, j - 1]
        return a

    def printing(a):
        for i in range(1, a.shape[0]):
            for j in range(1, a.shape[1]):
                a[i, j] = a[i - 1, j] + a[i, j - 1]
                print(a[i, j])
        return a

    def no_recurrence(a):
        for i in range(1, a.shape[0]):
            for j in range(a.shape[1]):
                a[i, j] = a[i - 1, j] * 0.5
        return a

    a = rng.random((9, 12))
    for f in (transposed, triangle, far_ahead, printing, no_recurrence):
        assert not is_wavefront(f, a), f.__name__
        check(f, a)


# -------------------------------------------------------------------------------- random programs


def random_loop(rng: np.random.Generator) -> str:
    """Stores of two arrays and a row, each from elements at random distances."""

    def near(reach: int) -> str:
        offset = int(rng.integers(-reach, reach + 1))
        return "" if offset == 0 else f" {'+' if offset > 0 else '-'} {abs(offset)}"

    def element(reach: int) -> str:
        kind = rng.random()
        if kind < 0.12:
            return f"y[j{near(2)}]"
        if kind < 0.2:
            return f"z[i{near(2)}]"
        array = "a" if kind < 0.8 else "b"
        return f"{array}[i{near(2)}, j{near(reach)}]"

    lines = ["def f(a, b, y, z):", "    for i in range(2, a.shape[0] - 2):"]
    lines.append("        for j in range(3, a.shape[1] - 3):")
    for _ in range(int(rng.integers(1, 4))):
        reach = int(rng.integers(1, 4))
        terms = [f"0.{rng.integers(1, 4)} * {element(reach)}" for _ in range(rng.integers(1, 5))]
        value = " + ".join(terms)
        if rng.random() < 0.3:
            value = f"({value} if {element(reach)} > 1.0 else {element(reach)})"
        target = element(0) if rng.random() < 0.7 else element(1)
        lines.append(f"            {target} = {value}")
    return "\n".join([*lines, "    return a, b, y, z"])


@pytest.mark.parametrize("seed", range(120))
def test_random_loops_have_the_same_bits(seed: int, tmp_path) -> None:
    rng = np.random.default_rng(9000 + seed)
    text = random_loop(rng)
    (tmp_path / "program.py").write_text(text)
    names: dict[str, Any] = {}
    exec(compile(text, str(tmp_path / "program.py"), "exec"), names)
    shape = tuple(int(n) for n in rng.integers(3, 24, 2))
    arrays = [rng.random(shape) * 3, rng.random(shape), rng.random(shape[1]), rng.random(shape[0])]
    check(names["f"], *arrays)
    if rng.random() < 0.3:
        same = lambda a, y, z: names["f"](a, a, y, z)
        want = [x.copy() for x in (arrays[0], *arrays[2:])]
        same(*want)
        jit(names["f"])(arrays[0], arrays[0], *arrays[2:])
        assert all(
            np.array_equal(x, w) for x, w in zip([arrays[0], *arrays[2:]], want, strict=True)
        )
