"""next() more than once, and what rewritten functions depend on: no stale code, no other next."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import shapecast
from shapecast import jit
from support.compare import check, make


def by_one(n: int) -> Iterator[int]:
    while True:
        yield n
        n += 1


def by_hundred(n: int) -> Iterator[int]:
    while True:
        yield n
        n += 100


def test_the_code_of_a_generator_function_is_replaced() -> None:
    """As autoreload does."""

    def numbers(n: int) -> Iterator[int]:
        raise NotImplementedError

    numbers.__code__ = by_one.__code__
    space: dict[str, Any] = {"numbers": numbers}
    f = make("def f(n):\n    g = numbers(n)\n    return next(g), next(g)", "f", **space)
    compiled = jit(f)
    assert compiled(1) == f(1) == (1, 2)
    numbers.__code__ = by_hundred.__code__
    assert compiled(1) == f(1) == (1, 101)


def test_a_context_manager_of_a_module_is_replaced() -> None:
    @contextmanager
    def first(x: np.ndarray) -> Iterator[np.ndarray]:
        x[0] += 1
        yield x
        x[1] += 1

    @contextmanager
    def second(x: np.ndarray) -> Iterator[np.ndarray]:
        x[0] += 10
        yield x
        x[1] += 10

    module = ModuleType("tools")
    module.changed = first  # type: ignore[attr-defined]
    f = make("def f(x):\n    with tools.changed(x) as y:\n        y[2] = y[0]\n    return x", "f")
    f.__globals__["tools"] = module
    compiled = jit(f)
    np.testing.assert_array_equal(compiled(np.zeros(3)), [1, 1, 1])
    module.changed = second  # type: ignore[attr-defined]
    np.testing.assert_array_equal(compiled(np.zeros(3)), [10, 10, 10])


SHADOWED = {
    "next": (
        "def next(it):\n    return 7\ndef f(x):\n    it = iter(x)\n    return next(it), next(it)"
    ),
    "range": (
        "def range(n):\n    return [5, 6, 7]\ndef g(n):\n    for k in range(n):\n        yield k\n"
        "def f(x):\n    h = g(2)\n    return next(h), next(h), next(h)"
    ),
    "iter": (
        "def iter(x):\n    return (v * 2 for v in x)\n"
        "def f(x):\n    it = iter(x)\n    return next(it)"
    ),
}


@pytest.mark.parametrize("name", SHADOWED)
def test_functions_of_the_programs_with_such_names(name: str) -> None:
    check(make(SHADOWED[name], "f"), (1.0, 2.0))


def odd() -> Iterator[int]:
    for n in itertools.count(1, 2):
        yield n


def inverses(xs: Any) -> Iterator[float]:
    for x in xs:
        try:
            y = 1 // x
        except ZeroDivisionError:
            y = -1
        yield y


def counted(n: int) -> Any:
    g, once = odd(), itertools.count(n)
    return next(g), next(g), next(once)


def caught(n: int) -> Any:
    g = inverses([1, 0, n])
    return next(g), next(g), next(g)


@pytest.mark.parametrize("program", [counted, caught])
def test_statements_of_generators(program: Any) -> None:
    check(program, 4)


def test_an_endless_generator_in_another_is_refused() -> None:
    def f(n: int) -> Any:
        g = doubled(by_one(n))
        return next(g), next(g)

    with pytest.raises(shapecast.UnsupportedError, match="does not end"):
        jit(f)(3)


def doubled(it: Any) -> Iterator[int]:
    for x in it:
        yield 2 * x
