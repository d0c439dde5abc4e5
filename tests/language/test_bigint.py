"""jit(bigint=True): calls in which an integer leaves 64 bits start again in Python."""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from shapecast import jit
from support.pictures import outcome


def factorial(n: int) -> int:
    result = 1
    for k in range(2, n + 1):
        result *= k
    return result


def fibonacci(n: int) -> list[int]:
    found = [0, 1]
    while len(found) < n:
        found.append(found[-1] + found[-2])
    return found


def power(base: int, exponent: int) -> int:
    return base**exponent


bigger = jit(bigint=True)(power)


def recursive(n: int) -> int:
    return 1 if n < 2 else n * recursive(n - 1)


def splitmix(seed: int, n: int) -> list[int]:
    mask = 0xFFFFFFFFFFFFFFFF
    state = seed
    found = []
    for _ in range(n):
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        found.append(z ^ (z >> 31))
    return found


def stores(x: np.ndarray, n: int) -> int:
    total = 1
    for i in range(len(x)):
        x[i] += i
        total *= n
    return total


def changes(items: list[int], table: dict[str, int], n: int) -> int:
    total = 1
    for k in range(30):
        items.append(k)
        table["k" + str(k % 3)] = table.get("k" + str(k % 3), 0) + k
        total *= n
    return total


@dataclass
class Counter:
    count: int = 0


def counts(counter: Counter, n: int) -> int:
    total = 1
    for _ in range(30):
        counter.count += 1
        total *= n
    return total


CASES = [
    (factorial, (5,)),
    (factorial, (50,)),
    (fibonacci, (20,)),
    (fibonacci, (150,)),
    (power, (3, 200)),
    (power, (3, 2)),
    (recursive, (40,)),
    (splitmix, (42, 5)),
    (factorial, (10**20 // 10**19,)),
    (power, (10**30, 3)),
    (stores, (np.arange(40), 7)),
    (stores, (np.arange(80)[::2], 7)),
    (stores, (np.arange(4), 7)),
    (changes, ([1], {"k0": 5}, 9)),
    (changes, ([1], {"k0": 5}, 1)),
    (counts, (Counter(2), 9)),
]


@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_integers_of_any_size(function: Any, arguments: tuple[Any, ...]) -> None:
    compiled = jit(bigint=True)(function)
    expected = outcome(function, arguments)
    for _ in range(2):
        assert outcome(compiled, arguments) == expected


TOTAL = 0
TABLE = np.zeros(3)


def test_globals_are_changed_once() -> None:
    @jit(bigint=True)
    def change(n: int) -> int:
        global TOTAL
        result = 1
        for _ in range(30):
            TOTAL += 1
            TABLE[1] += 1
            result *= n
        return result

    before = TOTAL, TABLE[1]
    assert change(10) == 10**30
    assert (TOTAL, TABLE[1]) == (before[0] + 30, before[1] + 30)


def test_what_can_be_seen_is_not_done_again(capsys: pytest.CaptureFixture[str]) -> None:
    @jit(bigint=True)
    def shown(n: int) -> int:
        print("once")
        return n**40

    with pytest.raises(OverflowError, match="does not fit in 64 bits") as caught:
        shown(10)
    assert "cannot start again in Python" in "".join(caught.value.__notes__)
    assert capsys.readouterr().out == "once\n"
    assert shown(2) == 2**40

    rng = np.random.default_rng(1)

    @jit(bigint=True)
    def drawn(n: int) -> float:
        return rng.random() * n**40

    with pytest.raises(OverflowError):
        drawn(10)
    assert rng.random() == np.random.default_rng(1).random(2)[1]


def test_without_the_option_the_error_names_it() -> None:
    with pytest.raises(OverflowError, match="does not fit in 64 bits") as caught:
        jit(factorial)(50)
    assert "bigint=True" in "".join(getattr(caught.value, "__notes__", []))


def test_other_errors_stay() -> None:
    @jit(bigint=True)
    def store(x: np.ndarray, n: int) -> None:
        x[0] = 1
        x[n] = 2

    x = np.zeros(2)
    with pytest.raises(IndexError):
        store(x, 5)
    assert x[0] == 1


def test_the_option_travels() -> None:
    for again in (pickle.loads(pickle.dumps(jit(bigint=True)(power))), copy.deepcopy(bigger)):
        assert isinstance(again, type(bigger)) and again(10, 40) == 10**40
    with pytest.raises(OverflowError):
        pickle.loads(pickle.dumps(jit(power)))(10, 40)
