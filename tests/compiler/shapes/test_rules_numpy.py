"""Every shape rule against NumPy: with numbers, with symbols for some or all of them, in graphs.

What a rule says of symbols must hold for all their values. So its result, with numbers substituted,
is NumPy's, and where NumPy raises, the rule does, or the scope when the numbers are added as facts.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiler.shapes import window_cases  # noqa: F401 (its cases join the others)
from compiler.shapes.cases import GENERATORS, SIZES, Case, Generator, a_shape, array
from compiler.shapes.graphs import Graph, random_graph
from compiler.shapes.rows import ERRORS
from shapecast import shape_rules as sr

RAISED = "raises"


def attempt(call: Callable[[], Any]) -> Any:
    """The result; RAISED where arrays do not fit. Other exceptions are bugs."""
    try:
        return call()
    except ERRORS:
        return RAISED


class Symbols:
    """Names for sizes, expressions of names, and the values of the names."""

    def __init__(self, rng: random.Random, named: float, shared: bool, compound: float = 0) -> None:
        self.rng, self.named, self.shared, self.compound = rng, named, shared, compound
        self.values: dict[str, int] = {}

    def of(self, number: int, signed: bool = False) -> int | str:
        if (number < 0 and not signed) or self.rng.random() >= self.named:
            return number
        if self.rng.random() < self.compound:
            return self.expression(number)
        return self.name(number) if number >= 0 else number

    def name(self, number: int) -> str:
        equal = [name for name, value in self.values.items() if value == number]
        if self.shared and equal:
            return self.rng.choice(equal)
        name = f"s{len(self.values)}"
        self.values[name] = number
        return name

    def expression(self, number: int) -> str:
        """Of names, of this value."""
        few, some = self.rng.randint(0, 3), self.rng.randint(1, 3)
        forms = [lambda: f"{self.name(max(number, 0) + few)} - {self.name(max(-number, 0) + few)}"]
        if number >= 0:
            forms += [
                lambda: f"{self.name(number + few)} - {few}",
                lambda: f"{self.name(number * some + few % some)} // {some}",
                lambda: f"{self.name(number + (number + some) * few)} % {number + some}",
                lambda: f"max({self.name(number)}, {self.name(max(0, number - few))})",
                lambda: f"min({self.name(number)}, {self.name(number + few)})",
            ]
        if number >= few:
            forms.append(lambda: f"{self.name(number - few)} + {few}")
            forms.append(lambda: f"{self.name(number - few)} + {self.name(few)}")
        if number >= 0 and number % some == 0:
            forms.append(lambda: f"{some} * {self.name(number // some)}")
            forms.append(lambda: f"{self.name(number // some)} * {self.name(some)}")
        return self.rng.choice(forms)()

    @staticmethod
    def number(size: Any, values: dict[str, int]) -> int:
        return size if isinstance(size, int) else size.evaluate(values)

    def substitute(self, size: Any) -> int:
        return self.number(size, self.values)


def each_size(result: Any, function: Callable[[Any], Any]) -> Any:
    """Of a shape, or of each shape of a list."""
    if isinstance(result, list):
        return [each_size(shape, function) for shape in result]
    return None if result is None else tuple(map(function, result))


def check_numbers(case: Case) -> None:
    wanted = attempt(lambda: case.numpy(*case.shapes))
    result = attempt(lambda: case.rule(sr.Scope(), *case.shapes))
    assert result == wanted, (case, result, wanted)


def check_symbols(case: Case, symbols: Symbols) -> None:
    wanted = attempt(lambda: case.numpy(*case.shapes))
    symbols.compound *= not case.plain
    shapes = [tuple(symbols.of(size, case.signed) for size in shape) for shape in case.shapes]
    scope = sr.Scope()
    context = (case, shapes, symbols.values, wanted)
    result = attempt(lambda: case.rule(scope, *shapes))
    if result == RAISED:
        assert wanted == RAISED, context
        return
    if wanted != RAISED and result is not None:
        assert each_size(result, symbols.substitute) == wanted, (context, result)
    known = add_facts(scope, symbols.values)
    assert (known == RAISED) == (wanted == RAISED), (context, result, scope.facts)
    if wanted != RAISED:
        if result is not None:
            assert each_size(result, scope.size) == wanted, (context, result)
        assert case.rule(scope, *shapes) == wanted, context


def add_facts(scope: sr.Scope, values: dict[str, int]) -> Any:
    def require() -> None:
        for name, value in values.items():
            scope.require(name, "==", value)

    return attempt(require)


@pytest.mark.parametrize("make", GENERATORS, ids=lambda make: make.__name__)
def test_rule_is_numpys(make: Generator) -> None:
    rng = random.Random(f"{make.__name__} numbers")
    for _ in range(500):
        check_numbers(make(rng))


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize(
    ("named", "compound"), [(1.0, 0), (0.5, 0), (0.6, 0.5)], ids=["all", "half", "expressions"]
)
@pytest.mark.parametrize("make", GENERATORS, ids=lambda make: make.__name__)
def test_rule_over_symbols_is_numpys(
    make: Generator, named: float, compound: float, shared: bool
) -> None:
    rng = random.Random(f"{make.__name__} {named} {shared}")
    for _ in range(120):
        check_symbols(make(rng), Symbols(rng, named, shared, compound))


def test_einsum_of_any_text_is_numpys() -> None:
    rng = random.Random("einsum")
    parts = ("a", "b", "i", "A", "...", ",", "->", " ", "-", ">", ".", "1")
    for _ in range(3000):
        equation = "".join(rng.choice(parts) for _ in range(rng.randint(0, 7)))
        count = equation.partition("->")[0].count(",") + 1
        shapes = tuple(a_shape(rng, 0, 3) for _ in range(count))
        check_numbers(
            Case(
                f"einsum {equation!r}",
                lambda s, *shapes: sr.einsum(equation, *shapes, scope=s),
                lambda *shapes: np.einsum(equation, *map(array, shapes)).shape,
                shapes,
            )
        )


GRAPHS, BLOCK = 300, 25


def check_graph(graph: Graph, values: dict[str, int], told_first: set[str]) -> bool:
    """Asserts that inference and NumPy agree for these sizes; whether the graph runs.

    The values of some symbols are facts before the inference, those of the others after it.
    """
    scope = sr.Scope()
    wanted = attempt(lambda: graph.run(values))
    early = {name: value for name, value in values.items() if name in told_first}
    assert add_facts(scope, early) is None
    shapes = attempt(lambda: graph.infer(scope))
    about = f"{graph}\nwith {values}, {told_first} first, gives {wanted}, inferred {shapes}"
    if shapes == RAISED:
        assert wanted == RAISED, about
        return False
    if wanted != RAISED:
        evaluated = [tuple(Symbols.number(size, values) for size in shape) for shape in shapes]
        assert evaluated == wanted, about
        sizes = list(dict.fromkeys(size for shape in shapes for size in shape))
        check_answers(scope, sizes, values, about)
    known = add_facts(scope, values)
    assert (known == RAISED) == (wanted == RAISED), f"{about}\n{scope.facts}"
    if wanted != RAISED:
        assert [scope.shape(shape) for shape in shapes] == wanted, about
    return wanted != RAISED


def check_answers(scope: sr.Scope, sizes: list[Any], values: dict[str, int], about: str) -> None:
    """What the scope proves of sizes is true of their values."""
    numbers = [Symbols.number(size, values) for size in sizes]
    for size, number in zip(sizes, numbers):
        low, high = scope.bounds(size)
        assert low <= number <= high, (about, size)
        assert Symbols.number(scope.size(size), values) == number, (about, size)
    pairs = list(itertools.product(zip(sizes, numbers), repeat=2))
    for (a, x), (b, y) in pairs[:: max(1, len(pairs) // 30)]:
        assert scope.equal(a, b) in (x == y, None), (about, a, b)
        assert scope.greater_equal(a, b) in (x >= y, None), (about, a, b)


def other_sizes(rng: random.Random, values: dict[str, int]) -> dict[str, int]:
    """Some of them others, or all that are equal another one."""
    if rng.random() < 0.5:
        return {
            name: rng.choice(SIZES) if rng.random() < 0.3 else value
            for name, value in values.items()
        }
    new = {value: rng.choice((value, *SIZES)) for value in set(values.values())}
    return {name: new[value] for name, value in values.items()}


@pytest.mark.parametrize("block", range(GRAPHS // BLOCK))
def test_graph_inferred_over_symbols_is_numpys(block: int, pytestconfig: pytest.Config) -> None:
    count, runs = BLOCK * (20 if pytestconfig.getoption("--full") else 1), 0
    for k in range(count):
        rng = random.Random(f"graph {block} {k}")
        symbols = Symbols(rng, rng.choice((1.0, 0.7)), shared=rng.random() < 0.5)
        symbols.compound = rng.choice((0, 0, 0.3))
        graph = random_graph(rng, symbols.of)
        graph.values.update(symbols.values)
        runs += check_graph(graph, symbols.values, set())
        for _ in range(5):
            values = other_sizes(rng, symbols.values)
            check_graph(graph, values, {name for name in values if rng.random() < 0.2})
    assert runs > count // 2
