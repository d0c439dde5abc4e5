"""Functions of long programs share their code among calls: results, errors and their tracebacks are
those of Python, whichever call it was.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from shapecast import jit
from support.compare import make
from support.pictures import seen

# Of two kinds, so that loops over them are unrolled: the program becomes a long one.
MIXED = (1, 2.5) * 32
PADDING = """
def padding(n):
    total = 0.0
    for k in MIXED:
        total += (k * n + 1) * (k - n) + (n + 2) * (n + 3) - (k + 4) * (n + 5) + (k - 6) * (n - 7)
        total -= (k * n - 8) * (k + n) + (n + 9) * (n - 1) + (k - 2) * (n + 3) - (k + 4) * (n - 5)
        total += (k + n * 6) * (n - 7) - (n + 8) * (k + 9)
    return total
"""
TRACED = (
    PADDING
    + """
def check(v, d):
    total = 0
    for i in range(v):
        total += i * 3 % 7
        if total > 100:
            total -= 50
    if v > d:
        raise ValueError(f"too big {v}")
    for i in range(d):
        total = total ^ (i << 1)
        total = total + i if total % 2 else total - i
    return total // (d - 5) + total % 3 - (total & 7) + (total | 1)

def left(v):
    return check(v, 4) + 1

def inner(v):
    try:
        w = 10 // v
    except KeyError:
        w = 3
    return w

def rec(n):
    if n == 0:
        return 10 // n
    return rec(n - 1) + 1

def again(n):
    try:
        return rec(n)
    except ZeroDivisionError as e:
        if n > 1:
            raise
        return len(str(e))
"""
)
BODIES = {
    "shared": "return check(a, 10) + left(b) + check(c, 20) + check(c, 5) + left(a) + left(c)",
    "in a try": "return inner(a) + inner(b) + inner(c)",
    "recursive": "x = check(a, 30) + check(b, 30)\n    return x + rec(c)",
    "raised again": "x = check(a, 30) + check(b, 30)\n    return x + again(c)",
    "caught": """try:
        x = check(a, 10) + check(b, 4)
    except ValueError as e:
        x = len(str(e))
    return x + check(c, 20)""",
}


def lines_of(call: Callable[..., Any], arguments: tuple[int, ...]) -> Any:
    try:
        return call(*arguments)
    except (ValueError, ZeroDivisionError) as error:
        frames = traceback.extract_tb(error.__traceback__)
        return type(error), str(error), [(f.name, f.lineno) for f in frames[1:]]


@pytest.mark.parametrize("name", BODIES)
def test_tracebacks_have_each_call(name: str) -> None:
    f = make(
        TRACED + f"\ndef f(a, b, c):\n    q = padding(a + b * c)\n    {BODIES[name]}\n", MIXED=MIXED
    )
    compiled = jit(f)
    if name == "shared":
        assert compiled.stages(1, 2, 3)["infer"].count("np.call @py.check") > 3
    for arguments in [
        (1, 2, 3),
        (11, 2, 3),
        (1, 9, 3),
        (1, 2, 21),
        (1, 2, 6),
        (1, 1, 0),
        (0, 1, 1),
    ]:
        a, b, c = arguments
        given = (a, b, min(c, 6) if "recursive" in name or "again" in name else c)
        assert lines_of(compiled, given) == lines_of(f, given), given


def test_a_deep_recursion_has_its_inner_calls_and_the_outermost() -> None:
    f = make(TRACED + "\ndef f(n):\n    return rec(n)\n", MIXED=MIXED)
    _, _, expected = lines_of(f, (30,))
    _, _, lines = lines_of(jit(f), (30,))
    assert lines == [expected[0], *expected[-8:]]


class Account:
    def __init__(self, owner: str, balance: int) -> None:
        self.owner, self.balance, self.log = owner, balance, [balance]

    def change(self, amount: int, kind: str) -> int:
        if amount > 1000:
            raise ValueError(f"{self.owner}: {amount}")
        self.balance += amount if kind == "in" else -amount
        self.log.append(self.balance)
        for step in range(3):
            if self.balance % 7 == step:
                self.log.append(-step)
        return self.balance


def summed(values: list[int], scale: int) -> tuple[int, list[int]]:
    total, kept = 0, []
    for i, v in enumerate(values):
        total += v * scale
        if total % 3 == 0:
            kept.append(total)
        if i > 10:
            break
    return total, kept


def scaled(x: np.ndarray, k: float) -> np.ndarray:
    y = x * k
    y = np.where(y > 1, y - 1, y)
    for _ in range(2):
        y = y + x * 0.5
    return y * (x > 0) + np.minimum(y, k) - np.maximum(x, k) + np.abs(y - x)


padding = make(PADDING, MIXED=MIXED)


def accounts(n: int) -> Any:
    size = padding(n)
    a, b = Account("a", n), Account("b", 2 * n)
    for i in range(4):
        a.change(i, "in")
        b.change(i * n, "out")
    first, second = summed(a.log, 2), summed(b.log, -1)
    try:
        b.change(n * 300, "in")
    except ValueError as e:
        return first, second, str(e), a.log, b.balance, size
    return first, second, a.log, b.log, summed([1, 2, n], 3), summed([], 1)


def arrays(n: int) -> Any:
    x = np.arange(padding(n) * 0 + n)
    return scaled(x, 2.0), scaled(x + 1, 3.0), scaled(np.ones((2, n)), 0.5), summed([n, n], 2)


def unrolled(n: int) -> Any:
    texts = [", ".join([str(v) for v in summed(row, k)[1]]) for row, k in TABLE]
    return [summed([n, k], k) for k in range(1, 9)], texts, padding(n)


TABLE = [([1, 2, 3], 1), ([3, 3], 2), ([], 3), ([9, 1], 4), ([2], 5), ([6, 6, 6, 6], 1)]


@pytest.mark.parametrize("program", [accounts, arrays, unrolled])
def test_shared_code_does_what_inlined_code_does(program: Callable[..., Any]) -> None:
    compiled = jit(program)
    calls = compiled.stages(3)["infer"].count("np.call @py.")
    assert (calls > 3) == (program is unrolled)
    for n in (0, 3, 5, 7):
        assert seen(compiled, (n,)) == seen(program, (n,))


def endless(a: int) -> Any:
    while True:
        yield a
        a += 3


def doubled(terms: Any) -> Any:
    for term in terms:
        yield term * 2


def first_above(n: int) -> int | None:
    for term in doubled(endless(n)):
        if term > 100:
            return term
    return None


def of_a_value(n: int) -> Any:
    find = [first_above, endless][0]
    return find(n)


def in_a_list(numbers: list[int]) -> Any:
    return [first_above(n) for n in numbers]


@pytest.mark.parametrize(("program", "argument"), [(of_a_value, 5), (in_a_list, [2, 3, 400])])
def test_endless_generators_of_functions_that_are_values(
    program: Callable[..., Any], argument: Any
) -> None:
    assert seen(jit(program), (argument,)) == seen(program, (argument,))
