"""Every shape rule against NumPy: with numbers, with symbols for some or all of them, in graphs.

What a rule says of symbols must hold for whatever they stand for. So with numbers put in its result
is NumPy's, and where NumPy raises it raises itself, or the scope does when it is told the numbers.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

import pytest
from shapecast import shape_rules as sr
from shapes import window_cases
from shapes.cases import GENERATORS, Case, Generator, Numbers
from shapes.rows import ERRORS

RAISED = "raises"
assert window_cases


def attempt(call: Callable[[], Any]) -> Any:
    """The result; RAISED where arrays do not fit. Other exceptions are mistakes."""
    try:
        return call()
    except ERRORS:
        return RAISED


class Symbols:
    """Names for sizes, and the numbers that they stand for."""

    def __init__(self, rng: random.Random, named: float, shared: bool) -> None:
        self.rng, self.named, self.shared = rng, named, shared
        self.values: dict[str, int] = {}

    def of(self, number: int) -> int | str:
        if number < 0 or self.rng.random() >= self.named:
            return number
        equal = [name for name, value in self.values.items() if value == number]
        if self.shared and equal:
            return equal[0]
        name = f"s{len(self.values)}"
        self.values[name] = number
        return name

    def put_in(self, size: Any) -> int:
        return size if isinstance(size, int) else size.evaluate(self.values)


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
    shapes = [tuple(map(symbols.of, shape)) for shape in case.shapes]
    scope = sr.Scope()
    told = (case, shapes, symbols.values, wanted)
    result = attempt(lambda: case.rule(scope, *shapes))
    if result == RAISED:
        assert wanted == RAISED, (told, attempt_message(case, shapes))
        return
    if wanted != RAISED and result is not None:
        assert each_size(result, symbols.put_in) == wanted, (told, result)
    known = tell(scope, symbols.values)
    assert (known == RAISED) == (wanted == RAISED), (told, result, scope.facts)
    if wanted != RAISED:
        if result is not None:
            assert each_size(result, scope.size) == wanted, (told, result)
        assert case.rule(scope, *shapes) == wanted, told


def attempt_message(case: Case, shapes: list[Any]) -> str:
    try:
        return str(case.rule(sr.Scope(), *shapes))
    except Exception as error:
        return f"{error} {getattr(error, '__notes__', '')}"


def tell(scope: sr.Scope, values: dict[str, int]) -> Any:
    def require() -> None:
        for name, value in values.items():
            scope.require(name, "==", value)

    return attempt(require)


@pytest.mark.parametrize("make", GENERATORS, ids=lambda make: make.__name__)
def test_rule_is_numpys(make: Generator) -> None:
    rng = random.Random(f"{make.__name__} numbers")
    for _ in range(1000):
        check_numbers(make(rng))


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("named", [1.0, 0.5])
@pytest.mark.parametrize("make", GENERATORS, ids=lambda make: make.__name__)
def test_rule_over_symbols_is_numpys(make: Generator, named: float, shared: bool) -> None:
    rng = random.Random(f"{make.__name__} {named} {shared}")
    for _ in range(400):
        check_symbols(make(rng), Symbols(rng, named, shared))
