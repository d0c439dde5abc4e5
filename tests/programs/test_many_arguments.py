"""Programs on strings and containers, called with many of them: from some call on these are in
memory, and one variant does for all.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import shapecast
from programs import given, strings
from support.compare import jitted
from support.pictures import outcome

CASES = [
    pytest.param(program, arguments, id=f"{module.__name__}.{program.__name__}")
    for module in (given, strings)
    for program, arguments in module.CASES
]


def changed(value: Any, chance: random.Random) -> Any:
    """An argument like it: other characters, items left out, or more of them."""
    if isinstance(value, str) and value:
        letters = list(value)
        kind = chance.randrange(3)
        if kind == 0:
            letters.insert(chance.randrange(len(letters) + 1), chance.choice("abc 12=\n漢é"))
        elif kind == 1:
            letters += letters[: chance.randrange(len(letters) + 1)]
        else:
            chance.shuffle(letters)
        return "".join(letters)
    if type(value) is list:
        items = [changed(item, chance) for item in value]
        return (
            [*items, copy.deepcopy(chance.choice(items))]
            if items and chance.random() < 0.5
            else items
        )
    if type(value) is tuple:
        return tuple(changed(item, chance) for item in value)
    if type(value) is dict:
        items = list(value.items())
        kept = items[:-1] if chance.random() < 0.3 else items
        return {key: changed(item, chance) for key, item in kept}
    if type(value) is int and value > 3:
        return value + chance.randrange(-1, 2)
    return value


@pytest.mark.parametrize(("program", "arguments"), CASES)
def test_calls_with_many_arguments(program: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    chance = random.Random(1)
    compiled = jitted(program)
    for _ in range(14):
        assert outcome(compiled, arguments) == outcome(program, arguments)
        arguments = changed(arguments, chance)


def add_to_both(table: Any, line: Any, word: str) -> Any:
    line.append(word)
    return len(table["k0"]), table["k0"][-1]


def test_a_container_in_two_arguments() -> None:
    compiled = jitted(add_to_both)
    apart = {f"k{k}": ["a"] for k in range(60)}
    assert compiled(apart, ["z"], "q") == (1, "a")  # in memory from here on
    assert compiled(apart, apart["k0"], "q") == (2, "q")
    assert apart["k0"] == ["a", "q"]


def test_what_is_the_callers_stays_the_same_object() -> None:
    table = {k: [k] for k in range(60)}
    inner = table[7]

    def add(table: Any, k: int) -> Any:
        table[k].append(5)
        return table, table[k]

    returned, found = jitted(add)(table, 7)
    assert returned is table
    assert found is inner
    assert inner == [7, 5]


def test_changes_before_an_error_stay() -> None:
    def change(table: Any, k: int) -> None:
        table[k] = k
        raise ValueError("no")

    table = {k: k for k in range(60)}
    with pytest.raises(ValueError, match="no"):
        jitted(change)(table, 100)
    assert table[100] == 100


def test_one_variant_does_for_all() -> None:
    words = shapecast.jit(given.word_count)
    search = shapecast.jit(given.bfs)
    for n in range(20):
        text = " ".join(f"w{k}" for k in range(n + 1))
        assert words(text) == given.word_count(text)
        graph = {str(k): [str(k + 1)] for k in range(n)} | {str(n): []}
        assert search(graph, str(n // 2)) == given.bfs(graph, str(n // 2))
    assert words.signatures() == ["text: str"]
    assert search.signatures() == ["graph: dict[str, list[str]], s: str"]


def test_what_needs_constants_keeps_them() -> None:
    compiled = shapecast.jit(lambda table, k, kind: (table[k], np.zeros(2, dtype=kind).dtype))
    kinds = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "float32", "float64"]
    for k, kind in enumerate(kinds * 2):
        table = {i: [i] for i in range(60 + k)}
        assert compiled(table, k, kind) == ([k], np.dtype(kind))
    assert len(compiled.signatures()) == len(kinds)


def test_a_large_int_is_not_in_memory() -> None:
    f = jitted(lambda table, k: table[k])
    assert f(dict.fromkeys(range(60), 2**70), 3) == 2**70
    with pytest.raises((OverflowError, shapecast.UnsupportedError)) as caught:
        f(dict.fromkeys(range(60), 2**130), 3)
    assert "int too big to convert" not in str(caught.value)
