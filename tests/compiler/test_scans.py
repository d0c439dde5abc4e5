"""np-scans: element-wise nests fused into running sums have NumPy's bits; which nests are fused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from shapecast import jit
from support.compare import check, make
from support.fences import both_fenced

SIZES = [0, 1, 2, 3, 5, 6, 40, 1000]


def loops(f: Callable[..., Any], *arguments: Any) -> int:
    """The number of nests and loops after np-scans."""
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
def test_running_sums_are_numpys(f: Callable[..., Any], dtype: str, rng) -> None:
    for n in SIZES:
        x = (rng.normal(size=2 * n) * 5).astype(dtype)
        if n < 5 and f is rolling:
            continue  # an error of NumPy's, below
        for layout in (x[:n].copy(), x[::2], x[n:][::-1]):
            check(f, layout)


def test_errors_are_raised_as_before(rng) -> None:
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


def scaled(x, by):
    return np.cumsum(x) * by, np.cumsum(x * by), np.cumsum(x)[::-1] - by


def of_columns(a):
    c = np.cumsum(a[:, 0])
    return c * a[:, 1], c - np.diagonal(a)[0], np.cumsum(np.diagonal(a) * 2)


def over_its_last(x):
    c = np.cumsum(x)
    return c * c[-1:], c - c[:1]


def test_broadcast_and_strided_operands(rng) -> None:
    for n in (1, 2, 3, 40):
        x, wide = rng.normal(size=n), rng.normal(size=(n, 3))
        for by in (
            rng.normal(size=1), np.array(3.0), 2.5, wide[:, 1], wide[::-1, 2], x[::-1],
            np.broadcast_to(3.0, n), rng.integers(0, 9, 1), x > 0,
        ):  # fmt: skip
            check(scaled, x, by)
            check(scaled, wide[:, 0], by)
        check(of_columns, rng.normal(size=(n, n + 2)))
        check(of_columns, np.asfortranarray(rng.normal(size=(n, n + 2))))
        check(over_its_last, x)


def random_program(rng: np.random.Generator) -> str:
    def pick(*items: str) -> str:
        return items[int(rng.integers(len(items)))]

    def operand(leaves: tuple[str, ...], depth: int = 2) -> str:
        if depth == 0 or rng.random() < 0.4:
            return pick(*leaves)
        left, right = operand(leaves, depth - 1), operand(leaves, depth - 1)
        return pick(f"({left} + {right})", f"({left} * {right})", f"np.minimum({left}, {right})")

    leaves = ("x", "y", "z", "one", "s", "0.5", "x[::-1]", "w[:, 1]", "p", "c", "c[::-1]", "c[:1]")
    lines = ["def f(x, y, z, one, s, w):", "    p, c = x * 1, y + 0"]
    lines += [f"    p = {operand(leaves)} * 1" for _ in range(int(rng.integers(0, 3)))]
    lines += [f"    {pick('p', 'c')}[:] = {operand(leaves)}"]
    for k in range(int(rng.integers(1, 4))):
        if rng.random() < 0.5:
            lines += [
                f"    {pick('p', 'c')} = np.cum{pick('sum', 'sum', 'prod')}({operand(leaves)} + x)"
            ]
        else:
            target = pick("p", "c", "x", "y")
            lines += [f"    t{k} = 0.0", "    for i in range(len(x)):"]
            lines += [f"        t{k} = t{k} * 0.5 + {pick('x', 'y', 'p', 'c')}[i]"]
            lines += [f"        {target}[i] = t{k}", f"    s = s + t{k}" * int(rng.integers(2))]
        for _ in range(int(rng.integers(0, 3))):
            target = pick("p", "c", "x", "y")
            one = f"{target}[:] = {operand(leaves)}"
            ahead = (
                f"{target}[1:] {pick('+=', '=')} {pick('c', 'p', 'x')}[{pick('1:', ':-1')}] * 0.5"
            )
            lines += ["    " + pick(one, ahead, f"q = {operand(leaves)} * 1", f"s = {target}[-1]")]
    return "\n".join([*lines, "    return p, c, s, np.diff(c), c[2:] - p[:-2]"])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("seed", range(80))
def test_random_programs_have_numpys_bits(seed: int) -> None:
    rng = np.random.default_rng(900 + seed)
    f = make(random_program(rng))
    n = int(rng.integers(2, 40))
    x, y, z, one = rng.random(n + 3), rng.random(n), rng.random(n), rng.random(1)
    check(f, x[:n], y, z, one, 0.75, rng.random((n, 2)))
    check(f, x[:n], x[1 : n + 1], z, one, 0.75, rng.random((n, 2)))
    check(f, x[3:][:n], x[:n], x[:n][::-1], one, 0.75, rng.random((n, 2)))


def test_which_nests_are_fused() -> None:
    x = np.ones(50)
    assert loops(halves, x) == loops(squares, x) == loops(difference_of_two, x) == 1
    assert loops(sums_of_sums, x) == 1
    assert loops(steps, x) == loops(rolling, x) == loops(rolling_by, x, 3) == 2  # two parts
    assert loops(smoothed, x, 0.3) == 1
    assert loops(last_used_later, x) == 2  # it needs the last one first
    assert "np.alloc" not in str(jit(lambda x: np.cumsum(x * x)[-1]).stages(x)["scans"])


def test_nothing_beyond_the_arrays_is_accessed(rng) -> None:
    for n in (1, 5, 6, 33):
        for f in (halves, steps, rolling, rolling_and_whole, sums_of_sums):
            if n >= 5:
                for arguments in both_fenced(rng.normal(size=n)):
                    check(f, *arguments)
