"""np-strip-mine: adjacent loop nests that are strip-mined and interleaved give the same results."""

from __future__ import annotations

import linecache
import random
from collections.abc import Callable, Iterator

import numpy as np
import pytest
import shapecast
from shapecast import _nests


@pytest.fixture(params=[1, 400, 3_000, 1 << 40])
def strip_bytes(request: pytest.FixtureRequest) -> Iterator[int]:
    before = shapecast._core._set_strip_bytes(request.param)
    with shapecast.num_threads(1):
        yield request.param
    shapecast._core._set_strip_bytes(before)


class Chain:
    """Random stencils over two arrays and results of other stencils.

    A field of margin m has 2 * m rows and columns less than the arguments.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.margins = {"a": 0, "b": 0}
        for number in range(self.random.randint(3, 9)):
            self.statement(number)
        made = [name for name in self.margins if name not in "ab"] or ["a"]
        results = self.random.sample(made, min(len(made), self.random.randint(1, 2)))
        self.lines.append(f"return {', '.join(results)}")

    def part(self, margin: int) -> str:
        """Some field, shifted, as large as one of this margin."""
        name = self.random.choice([n for n, m in self.margins.items() if m <= margin])
        spare = margin - self.margins[name]
        shifts = [self.random.randint(-spare, spare) for _ in range(2)]
        cuts = [f"{spare + s} : {name}.shape[{d}] - {spare - s}" for d, s in enumerate(shifts)]
        return f"{name}[{', '.join(cuts)}]" if spare else name

    def expression(self, margin: int) -> str:
        text = self.part(margin)
        for _ in range(self.random.randint(1, 3)):
            other = self.part(margin)
            text = self.random.choice(
                [
                    f"({text} + {other})",
                    f"({text} - 0.5 * {other})",
                    f"np.maximum({text}, {other} * 1.25)",
                    f"np.where({other} > 0.5, {text}, 0.25)",
                    f"({text} - np.roll({other}, {self.random.randint(-2, 2)}, axis=0))",
                    f"({text} * {other}.sum(axis=1)[:, None] * 0.0625)",
                ]
            )
        return text

    def statement(self, number: int) -> None:
        kind = self.random.random()
        if kind < 0.3:
            name = self.random.choice(list(self.margins))
            margin = min(4, self.margins[name] + self.random.randint(0, 2))
            spare = margin - self.margins[name]
            where = f"[{spare}:{-spare}, {spare}:{-spare}]" if spare else "[:]"
            operator = self.random.choice(["=", "+="])
            self.lines.append(f"{name}{where} {operator} 0.5 * {self.expression(margin)}")
            return
        name, margin = f"t{number}", self.random.randint(0, 4)
        copy = self.random.random() < 0.3
        self.lines.append(
            f"{name} = {self.part(margin)}.copy()"
            if copy
            else f"{name} = {self.expression(margin)}"
        )
        self.margins[name] = margin

    def function(self, steps: bool) -> Callable:
        body, result = self.lines[:-1], self.lines[-1]
        if steps:
            body = ["for _ in range(2):", *("    " + line for line in body)]
        text = "\n    ".join(["def chain(a, b):", *body, result]) + "\n"
        name = f"<chain {hash(text)}>"
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
        scope: dict = {"np": np}
        exec(compile(text, name, "exec"), scope)
        return scope["chain"]


@pytest.mark.parametrize("group", range(6))
def test_random_chains_of_stencils_have_the_same_results(group: int, strip_bytes: int) -> None:
    for seed in range(1000 * group, 1000 * group + 5):
        function = Chain(seed).function(steps=seed % 2 == 0)
        jitted = shapecast.jit(function)
        rng = np.random.default_rng(seed)
        for rows, columns in ((9, 10), (40, 11), (23, 9)):
            a, b = rng.random((2, rows, columns))
            mine, theirs = [a.copy(), b.copy()], [a.copy(), b.copy()]
            with np.errstate(all="ignore"):
                want = function(*theirs)
            got = jitted(*mine)
            results = [x if isinstance(x, tuple) else (x,) for x in (got, want)]
            for x, y in zip([*results[0], *mine], [*results[1], *theirs], strict=True):
                assert np.array_equal(x, y, equal_nan=True), "\n".join(Chain(seed).lines)


def blur(image: np.ndarray) -> np.ndarray:
    middle = image[:, 1:-1]  # too costly to be recomputed for each row that reads it
    rows = 3 * image[:, :-2] + 5 * middle + 3 * image[:, 2:] + middle * 7
    return 3 * rows[:-2] + 5 * rows[1:-1] + 3 * rows[2:]


def test_a_temporary_is_contracted_to_a_sliding_window() -> None:
    text = shapecast.jit(blur).stages(np.ones((900, 900)))["strip-mine"]
    assert "np.alloc : <rows0 + 2 x s1 - 2 x f64, C>" in text
    assert text.count("np.alloc") == 2  # and the result


def test_notebooks_name_the_adjacent_nests() -> None:
    f = shapecast.jit(blur)
    f(np.ones((9, 9)))
    assert f._repr_html_().count("for each strip that fits into the cache") == 1
    nests = _nests.describe(f._inspect_variant(0))
    assert sum("strip-mined with the adjacent nests" in nest.text for nest in nests) == 2


@pytest.mark.parametrize("layout", ["C", "F", "strided", "reversed"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.complex128, np.int16])
def test_layouts_and_dtypes(layout: str, dtype: type, strip_bytes: int) -> None:
    base = (np.arange(60 * 44).reshape(60, 44) % 97).astype(dtype)
    image = {
        "C": base,
        "F": np.asfortranarray(base),
        "strided": base[::2, ::3],
        "reversed": base[::-1, ::-1],
    }[layout]
    got, want = shapecast.jit(blur)(image), blur(image)
    assert got.dtype == want.dtype and np.array_equal(got, want)


@pytest.mark.parametrize("rows", range(2, 9))
def test_arrays_of_fewer_rows_than_a_strip(rows: int, strip_bytes: int) -> None:
    image = np.arange(rows * 5.0).reshape(rows, 5)
    assert np.array_equal(shapecast.jit(blur)(image), blur(image))


def relax(u: np.ndarray, v: np.ndarray) -> None:
    for _ in range(3):
        middle = u[1:-1, 1:-1].copy()
        u[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + v[1:-1, :-2] + v[1:-1, 2:])
        v[1:-1, 1:-1] += 0.5 * (middle - u[1:-1, 1:-1]) - 0.125 * u[:-2, 2:]


@pytest.mark.parametrize("shift", [0, 1, 7, None])
def test_arguments_that_overlap(shift: int | None, strip_bytes: int) -> None:
    pools = [np.random.default_rng(3).random((50, 12)) for _ in range(2)]
    pools[1][:] = pools[0]
    for pool, function in zip(pools, (shapecast.jit(relax), relax), strict=True):
        second = pool[25:] if shift is None else pool[shift : shift + 25]
        function(pool[:25], second)
    assert np.array_equal(*pools)


def sums_between(a: np.ndarray, b: np.ndarray) -> tuple:
    rows, most, whole = a.sum(axis=1), a.max(), a.sum()
    scaled = (a * whole).max(axis=1)
    less = (a - most).sum()
    return rows, scaled, less, a.min(axis=1), most


def stores_between(a: np.ndarray, b: np.ndarray) -> tuple:
    b[:] = a * 2
    whole = b.sum()
    a[:] = b + whole
    b += a.max()
    a += 1
    product = (a * b).sum()
    a *= 2
    return whole, product


@pytest.mark.parametrize("program", [sums_between, stores_between])
def test_reductions_and_stores_between_the_nests(
    program: Callable[..., tuple], strip_bytes: int
) -> None:
    for shape in ((7, 9), (40, 50)):
        a = np.random.default_rng(0).normal(size=shape)
        b = 3 * a
        ours, theirs = (a.copy(), b.copy()), (a.copy(), b.copy())
        got, want = shapecast.jit(program)(*ours), program(*theirs)
        for g, w in zip((*got, *ours), (*want, *theirs), strict=True):
            np.testing.assert_allclose(g, w, rtol=1e-12, atol=1e-12)


def test_a_reduction_does_not_separate_the_nests_around_it() -> None:
    def plain(a: np.ndarray) -> tuple:
        return a.sum(axis=1), a.mean(), a.max(axis=1)

    text = shapecast.jit(plain).stages(np.ones((9, 9)))["strip-mine"]
    inside = text[text.index("np.for") :]
    assert inside.count("np.nest ") == 2
    assert text[: text.index("np.for")].count("np.nest ") == 1


def test_a_size_that_is_defined_between_the_nests(strip_bytes: int) -> None:
    """A sum over k numbers is not moved before the definition of k."""

    def plain(a: np.ndarray, k: int) -> tuple:
        whole = np.arange(len(a)).sum()
        rows = a.sum(axis=1)
        numbers = np.arange(abs(k)).sum()
        return whole, rows, numbers, a.max(axis=1)

    a = np.random.default_rng(0).normal(size=(7, 9))
    for got, want in zip(shapecast.jit(plain)(a, -3), plain(a, -3), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-12)


def test_arrays_that_a_while_loop_swaps(strip_bytes: int) -> None:
    """Their sizes have other names in the test of the loop than in its body."""

    def plain(a: np.ndarray, b: np.ndarray, c: np.ndarray, iterations: int) -> tuple:
        while iterations > 0:
            iterations -= 1
            b, c = c, b
            b[:-1] += a
        return b, c

    compiled = shapecast.jit(plain)
    for columns in (1, 4):
        for iterations in (0, 1, 2, 3):
            if columns == 1 and iterations > 1:
                continue  # the rows of `a` do not fit one column
            pools = [np.arange(40).reshape(5, 8) for _ in range(2)]
            for pool, function in zip(pools, (compiled, plain), strict=True):
                first, second = pool[:, :columns].copy(), pool[:, 4:]
                got = function(np.arange(4), first, second, iterations)
                assert [np.shares_memory(x, first) for x in got] == [
                    iterations % 2 == 0,
                    iterations % 2 == 1,
                ]
                pool[:, :columns] = first
            np.testing.assert_array_equal(*pools)
