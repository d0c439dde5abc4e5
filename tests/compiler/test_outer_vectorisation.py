"""Outer-loop vectorisation with divergence masks: the bits of the scalar loop, and which loops are
vectorised.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from shapecast import jit
from support.compare import check, make, optimised

from bench.kernels.loops import collatz

COUNTS = [0, 1, 2, 15, 16, 17, 40]


def is_outer_vectorised(f: Callable[..., Any], *arguments: Any) -> bool:
    return "outer_vector" in str(jit(f).stages(*arguments)["outer-vectorise"])


def check_vectorised(f: Callable[..., Any], *arguments: Any) -> None:
    assert is_outer_vectorised(f, *arguments)
    check(f, *arguments)


def mandelbrot(out, limit):
    n, m = out.shape
    for i in range(n):
        for j in range(m):
            cr = -2.0 + 3.0 * j / m
            ci = -1.5 + 3.0 * i / n
            zr = zi = 0.0
            k = 0
            while k < limit and zr * zr + zi * zi < 4.0:
                zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
                k += 1
            out[i, j] = k


def julia(out, c, limit):
    n, m = out.shape
    for i in range(n):
        for j in range(m):
            z = complex(3.0 * j / m - 1.5, 3.0 * i / n - 1.5)
            k = 0
            while k < limit and z.real * z.real + z.imag * z.imag < 4.0:
                z = z * z + c
                k += 1
            out[i, j] = k


def escape_by_break(out, limit):
    n, m = out.shape
    for i in range(n):
        for j in range(m):
            c = complex(3.0 * j / m - 2.0, 3.0 * i / n - 1.5)
            z = 0j
            last = -1
            for k in range(limit):
                z = z * z + c
                if z.real * z.real + z.imag * z.imag > 4.0:
                    break
                last = k
            out[i, j] = last


def square_roots(a, out):
    for i in range(min(len(a), len(out))):
        x = a[i]
        k = 0
        while abs(x * x - a[i]) > 1e-6 * a[i] and k < 60:
            x = 0.5 * (x + a[i] / x)
            k += 1
        out[i] = x


def to_complex(a, out):
    for i in range(len(out)):
        z = a[i]
        while z.real * z.real + z.imag * z.imag > 1.0:
            z = z * 0.5
        out[i] = z


def loops_in_loops(a, out):
    for i in range(min(len(a), len(out))):
        x = a[i]
        total = 0.0
        while x > 1.0:
            y = x
            while y > 0.5:
                y = y * 0.5 - 0.01
                total = total + y
            for _ in range(5):
                total = total + 0.25
                if total > 30.0:
                    break
            x = x - 1.25
        out[i] = total


def loops_in_branches(a, out):
    for i in range(min(len(a), len(out))):
        x = a[i]
        if x > 2.0:
            while x > 2.0:
                x = x * 0.75
        elif x < 1.0:
            while x < 1.0:
                x = x + 0.3
        else:
            x = -x
        out[i] = x


def stops_in_the_middle(a, out):
    for i in range(min(len(a), len(out))):
        x = a[i]
        k = 0
        while True:
            x = x * 1.5
            if x > 50.0 or x != x:
                break
            k += 1
        out[i] = x + k


def several_results(a, out, near):
    for i in range(min(len(a), min(len(out), len(near)))):
        x, k = a[i], 0
        while x > 1.0:
            x, k = x / 3.0, k + 1
        out[i] = x
        near[i] = k > 2


def fixed_elements(a, out):
    for i in range(min(len(a), len(out))):
        x = a[i]
        while x > a[0]:
            x = x - a[0] - 0.25
        out[i] = x


@pytest.mark.parametrize("rows", [0, 1, 3])
@pytest.mark.parametrize("columns", COUNTS)
def test_escape_times_are_vectorised(rows: int, columns: int) -> None:
    out = np.full((rows, columns), -7)
    check_vectorised(mandelbrot, out, 50)
    check_vectorised(julia, out, -0.4 + 0.6j, 50)
    check_vectorised(escape_by_break, out, 30)
    check_vectorised(escape_by_break, out, 0)
    check_vectorised(mandelbrot, out.astype(np.float32), 20)
    check(mandelbrot, out.astype(np.uint8), 20)  # a store may raise


ONE_AXIS = [
    square_roots,
    loops_in_loops,
    loops_in_branches,
    stops_in_the_middle,
    fixed_elements,
]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("f", ONE_AXIS, ids=lambda f: f.__name__)
def test_loops_over_one_axis(f: Any, dtype: Any, rng) -> None:
    for count in COUNTS:
        a = (rng.random(count) * 9 + 0.1).astype(dtype)
        out = np.full(count, 99, dtype)
        if count == 0 and f is fixed_elements:
            continue
        check_vectorised(f, a, out)
        check(f, a, np.full(2 * count, 99, dtype)[::2])
        check(f, a[::-1], out[::-1])
        check(f, np.repeat(a, 3)[::3], out)
        check(f, a, np.full(count // 2, 99, dtype))  # fewer results


@pytest.mark.parametrize(
    "f", [square_roots, loops_in_branches, stops_in_the_middle], ids=lambda f: f.__name__
)
def test_in_place_and_overlapping_arguments(f: Any, rng) -> None:
    a = rng.random(40) * 9 + 0.1

    def itself(a):
        f(a, a)
        return a

    def shifted(a):
        f(a[1:], a[:-1])
        return a

    def ahead(a):
        f(a[:-1], a[1:])
        return a

    for g in (itself, shifted, ahead):
        check(g, a.copy())


def test_nan_ends_no_loop_early(rng) -> None:
    a = rng.random(40) * 9
    a[[3, 17, 39]] = np.nan
    a[[4, 20]] = np.inf
    out = np.zeros(40)
    check_vectorised(loops_in_branches, np.where(np.isinf(a), 5.0, a), out)
    check_vectorised(stops_in_the_middle, a, out)


def test_loops_over_complex_numbers_are_vectorised(rng) -> None:
    a = rng.normal(size=35) * 4 + 1j * rng.normal(size=35)
    check_vectorised(to_complex, a, np.zeros_like(a))
    check_vectorised(to_complex, a.astype(np.complex64), np.zeros(35, np.complex64))


def test_loops_with_several_results_are_vectorised(rng) -> None:
    a = rng.random(37) * 100
    check_vectorised(several_results, a, np.zeros(37), np.zeros(37, bool))


def test_loops_over_integers(rng) -> None:
    def divisors(a, out):
        for i in range(min(len(a), len(out))):
            x = a[i]
            steps = 0
            while x != 0:
                x = x >> 1
                steps += 1
            out[i] = steps

    for dtype in (np.int64, np.uint8, np.int32):
        check_vectorised(divisors, rng.integers(0, 120, 41).astype(dtype), np.zeros(41, np.int64))


def test_trip_counts_of_inner_loops(rng) -> None:
    def f(a, out):
        for i in range(min(len(a), len(out))):
            x = a[i]
            last = 0
            for k in range(9):
                if x > 4.0:
                    break
                for j in range(3):
                    x = x + 0.1 * j + 0.2 * k
                last = 2 * k + i % 2
            out[i] = x + last + i

    check_vectorised(f, rng.random(37) * 5, np.zeros(37))


# ---------------------------------------------------------------------------- not vectorised


def test_loops_that_are_not_vectorised(rng) -> None:
    def loop_carried(a, out):
        for i in range(1, len(out)):
            x = out[i - 1]
            while x < 3.0:
                x = x + a[0]
            out[i] = x

    def stores_inside(a, out):
        for i in range(len(out)):
            while out[i] < 3.0:
                out[i] += a[0]

    def math_function(a, out):
        for i in range(len(out)):
            x = 0.1
            while x < 3.0:
                x = math.exp(x)
            out[i] = x

    def may_raise(a, out):
        for i in range(len(out)):
            x = 1.0
            while x < 3.0:
                x = x + 1.0 / float(a[i])
            out[i] = x

    def out_of_bounds(a, out):
        for i in range(len(out)):
            x = 1.0
            while x < 3.0:
                x = x + a[i + 1]
            out[i] = x

    def carries(a, out):
        x = 0.0
        for i in range(len(out)):
            while x < a[i]:
                x = x + 0.3
            out[i] = x

    a, out = rng.random(21) + 0.5, np.zeros(20)
    for f in (loop_carried, stores_inside, out_of_bounds, carries):
        assert not is_outer_vectorised(f, a, out), f.__name__
    for f in (loop_carried, stores_inside, math_function, out_of_bounds, carries):
        check(f, a, out)
    check(out_of_bounds, a[:-1], out)  # an IndexError, as in Python


def test_a_load_out_of_bounds_in_inactive_iterations_is_not_executed(rng) -> None:
    def f(a, b, out):
        for i in range(min(len(a), len(out))):
            x = a[i]
            if i < len(b):
                while x > b[i]:
                    x = x - b[i] - 0.5
            out[i] = x

    a = rng.random(40) * 9
    check(f, a, rng.random(7) + 0.1, np.zeros(40))
    check(f, a, rng.random(0), np.zeros(40))


# ------------------------------------------------------------------------------ recurrences


def longest_collatz(n):
    longest, where, mean, seen = 0, -1, 0.0, 1j
    for start in range(1, n):
        value, length = start, 1
        while value != 1:
            value = value // 2 if value % 2 == 0 else 3 * value + 1
            length += 1
        if length > longest:
            longest = length
            where = start
        mean += (length - mean) / start  # a recurrence
        seen = seen * 1j + length if where > 3 else -seen
    return longest, where, mean, seen


def sum_of_steps(a, out):
    total, most = 0, -math.inf
    for i in range(min(len(a), len(out))):
        x, k = a[i], 0
        while x > 0.5:
            x, k = x * 0.75, k + 1
        out[i] = x
        total += k
        most = max(most, float(x))
    return total, most


@pytest.mark.parametrize("n", [*COUNTS, 33, 1000])
def test_recurrences_are_scalar(n: int, rng) -> None:
    check_vectorised(collatz, n)
    check_vectorised(longest_collatz, n)
    a = rng.random(n) * 9
    check_vectorised(sum_of_steps, a, np.zeros(n))
    check_vectorised(sum_of_steps, a.astype(np.float32), np.zeros(n, np.float32)[::-1])


# ------------------------------------------------------------------- operations that raise


def divides(a, out):
    total = 0
    for i in range(min(len(a), len(out))):
        x, k = 1.0, 0
        while x < 3.0:
            x = x + 1.0 / float(a[i])
            k += 1
        total += k
        out[i] += x
    return total


def grows(a, out):
    for i in range(min(len(a), len(out))):
        x, k = int(a[i]), 0
        while k < 70 and x > 1:
            x = x * 3 - 1
            k += 1
            if x % 64 == 0:
                break
        out[i] += x % 2 + k


@pytest.mark.parametrize("at", [None, 0, 1, 15, 16, 20, 39])
def test_the_iterations_before_one_that_raises_are_complete(at: int | None, rng) -> None:
    a = rng.random(40) + 0.5
    if at is not None:
        a[at] = 0.0
    out, expected = np.ones(40), np.ones(40)
    assert is_outer_vectorised(divides, a, out)
    if at is None:
        assert jit(divides)(a, out) == divides(a, expected)
    else:
        for f, target in ((jit(divides), out), (divides, expected)):
            with pytest.raises(ZeroDivisionError):
                f(a, target)
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("at", [0, 15, 16, 39])
def test_numbers_beyond_64_bits(at: int) -> None:
    a = np.ones(40, np.int64)
    out = np.ones(40)
    assert is_outer_vectorised(grows, a, out)
    a[at] = 5
    with pytest.raises(OverflowError, match="64 bits"):
        jit(grows)(a, out)
    np.testing.assert_array_equal(out, np.r_[np.full(at, 2.0), np.ones(40 - at)])


@pytest.mark.parametrize("constant", [7, -7, 0, 1, -1, 1 << 20])
@pytest.mark.parametrize("step", ["C - v", "v - C", "C + v", "v + C", "C * v", "v * C"])
def test_a_constant_on_either_side(step: str, constant: int) -> None:
    f = make(f"""
        def f(n):
            out = np.zeros(n, np.int64)
            for start in range(n):
                v, k = start - 20, 0
                while k < 2 and v < start + 50:
                    v = {step.replace("C", f"({constant})")}
                    k += 1
                out[start] = v * 8 + k
            return out
    """)
    check_vectorised(f, 50)
    assert "16 x i64" in optimised(jit(f).stages(50))


@pytest.mark.parametrize("factor", [3, 10, -3, 1 << 40])
@pytest.mark.parametrize("side", [1, -1])
def test_products_by_a_constant_up_to_64_bits(factor: int, side: int) -> None:
    f = make(f"""
        def f(first, n):
            out = np.zeros(n, np.int64)
            for start in range(n):
                v, k = first + start, 0
                while k < 1 and v != 1:
                    v = {factor} * v
                    k += 1
                out[start] = v
            return out
    """)
    last = side * ((2**63 - 1) // abs(factor))
    g, outcomes = jit(f), set()
    for first in (last - 60 * side, last - 10 * side, last, last + 30 * side):
        fits = all(-(2**63) <= factor * v < 2**63 for v in range(first - 10, first + 10))
        outcomes.add(fits)
        if fits:
            np.testing.assert_array_equal(g(first - 10, 20), f(first - 10, 20))
        else:
            for either in (f, g):  # Python's message and ours differ
                with pytest.raises(OverflowError):
                    either(first - 10, 20)
    assert outcomes == {True, False}


def test_numbers_of_almost_64_bits() -> None:
    def doubled(a, out):
        for i in range(min(len(a), len(out))):
            x = int(a[i])
            while 0 < x < 2**61:
                x = 2 * x
            while -(2**61) < x < 0:
                x = x * 2 - x + x
            out[i] = x + x if x < 0 else x - 1 + x

    a = np.array([3, 2**61 - 1, 2**62, -(2**62), 1, -1, 2**60 + 1, -(2**61) - 7] * 5)
    check_vectorised(doubled, a, np.zeros(40, np.int64))


# -------------------------------------------------------------------------------- random programs


class Writer:
    """Writes a function of one array whose iterations run random loops over numbers."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.lines: list[str] = []
        self.counters = 0

    def pick(self, *items: str) -> str:
        return items[int(self.rng.integers(len(items)))]

    def number(self) -> str:
        return self.pick("x", "y", "a[i]", "a[0]", "0.5", "1.25", "-2.0", "w", "float(i)")

    def expression(self, depth: int = 0) -> str:
        if depth > 2 or self.rng.random() < 0.3:
            return self.number()
        left, right = self.expression(depth + 1), self.expression(depth + 1)
        return self.pick(
            f"({left} + {right})",
            f"({left} - {right})",
            f"({left} * {right})",
            f"({left} / 3.0)",
            f"({left} / float({self.pick('k', 'k + 1')}))",
            f"min({left}, {right})",
            f"({left} if {self.condition()} else {right})",
            f"abs({left})",
            f"(-{left})",
        )

    def condition(self) -> str:
        test = f"{self.number()} {self.pick('<', '>', '<=', '!=')} {self.number()}"
        return self.pick(test, test, f"({test} and {self.number()} > 0.0)", f"not {test}")

    def block(self, indent: int, depth: int) -> None:
        for _ in range(int(self.rng.integers(1, 4))):
            self.statement(indent, depth)

    def statement(self, indent: int, depth: int) -> None:
        add = lambda text, more=0: self.lines.append(" " * 4 * (indent + more) + text)
        kind = self.rng.random()
        if depth >= 3 or kind < 0.5:
            add(f"{self.pick('x', 'y', 'w')} = {self.expression()}")
        elif kind < 0.65:
            add(f"if {self.condition()}:")
            self.block(indent + 1, depth + 1)
            if self.rng.random() < 0.5:
                add("else:")
                self.block(indent + 1, depth + 1)
        else:
            self.counters += 1
            count = f"k{self.counters}"
            add(f"{count} = 0")
            add(f"while {count} < {int(self.rng.integers(1, 9))} and {self.condition()}:")
            add(f"{count} += 1", 1)
            self.block(indent + 1, depth + 1)
            if self.rng.random() < 0.4:
                add(f"if {self.condition()}:", 1)
                add("break", 2)

    def tail(self) -> None:
        """The recurrence: `total`, `best` and `count`."""
        for _ in range(int(self.rng.integers(4))):
            own = self.pick("x", "y", "w", "float(k)", "total", "best", "a[i]")
            change = self.pick(
                f"total = total * 0.5 + {own}",
                f"total -= {own}",
                f"best = max(best, {own})",
                f"count += {self.pick('k', '1', 'k * i', 'k // 2')}",
                "count = count ^ k",
            )
            if self.rng.random() < 0.4:
                self.lines.append(f"        if {own} {self.pick('<', '>')} total:")
                change = "    " + change
            self.lines.append("        " + change)

    def function(self) -> str:
        self.lines = ["def f(a, out):", "    total, best, count = 0.0, -1.0, 0"]
        self.lines += ["    for i in range(min(len(a), len(out))):"]
        self.lines += ["        x, y, w = a[i], 1.0, 0.25"]
        self.lines += ["        k = 0", "        while k < 7 and x < 6.0:", "            k += 1"]
        self.lines += ["            x = x * 1.5 + 0.1"]
        self.block(2, 0)
        self.tail()
        self.lines += ["        out[i] = x + y * w", "    return total, best, count"]
        return "\n".join(self.lines)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("seed", range(60))
def test_random_programs_have_the_bits_of_the_scalar_loop(seed: int, tmp_path, monkeypatch) -> None:
    rng = np.random.default_rng(7000 + seed)
    text = Writer(rng).function()
    (tmp_path / "program.py").write_text(text)
    names: dict[str, Any] = {}
    exec(compile(text, str(tmp_path / "program.py"), "exec"), names)
    a = rng.normal(size=int(rng.integers(1, 40))) * 3
    check(names["f"], a, np.zeros(len(a)))
