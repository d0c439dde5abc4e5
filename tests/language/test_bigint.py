"""jit(bigint=True): calls in which an integer leaves 64 bits start again in Python."""

from __future__ import annotations

import contextlib
import copy
import io
import pickle
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from shapecast import jit, pyfunc
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


def test_what_is_printed_is_printed_once(capsys: pytest.CaptureFixture[str]) -> None:
    @jit(bigint=True)
    def shown(n: int, a: np.ndarray) -> int:
        print("begin", n, a, sep=":")
        a[0] = n
        print("then", a, file=sys.stderr)
        if n < 0:
            raise ValueError("negative")
        return n**40

    for n in (2, 10, -1, 10):
        expected, found = np.ones(2), np.ones(2)
        with contextlib.suppress(ValueError):
            shown.__wrapped__(n, expected)
        plain = capsys.readouterr()
        if n < 0:
            with pytest.raises(ValueError, match="negative"):
                shown(n, found)
        else:
            assert shown(n, found) == n**40
        assert capsys.readouterr() == plain
        assert (found == expected).all()


def test_printed_before_python_is_called(capsys: pytest.CaptureFixture[str]) -> None:
    @pyfunc
    def told(n: int) -> int:
        print("told", n)
        return n

    @jit(bigint=True)
    def shown(n: int) -> int:
        print("before")
        m = told(n)
        print("after")
        return m**40

    assert shown(2) == 2**40
    assert capsys.readouterr().out.endswith("before\ntold 2\nafter\n")  # the probe printed, too
    with pytest.raises(OverflowError, match="does not fit in 64 bits") as caught:
        shown(10)
    assert "cannot start again in Python" in "".join(caught.value.__notes__)
    assert capsys.readouterr().out == "before\ntold 10\nafter\n"


def test_a_stream_that_fails() -> None:
    class Closed(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError("closed")

    @jit(bigint=True)
    def shown(a: np.ndarray) -> int:
        print("text")
        a[0] = 2
        return 5

    a = np.ones(2)
    with contextlib.redirect_stdout(Closed()), pytest.raises(OSError, match="closed"):
        shown(a)
    assert a[0] == 2
    assert shown(a) == 5


def test_what_was_drawn_is_not_drawn_again() -> None:
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
