"""What a call has changed of the caller's objects before an exception ends it, the caller sees."""

from __future__ import annotations

import copy
import types
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from shapecast import jit

TOTAL = 0


class Account:
    count = 0

    def __init__(self) -> None:
        self.x = 1
        self.rate = 0.5
        self.name = "a"
        self.items = [1]
        self.rows = [[1, 2], [3]]
        self.table = {"a": 1}
        self.array = np.zeros(3)

    def check(self, k):
        if self.x > k:
            raise ValueError(self.x)


def plain(f: Any) -> Any:
    return types.FunctionType(f.__code__, f.__globals__, f.__name__, f.__defaults__)


def state(v: Any) -> Any:
    return {k: state(x) for k, x in vars(v).items()} if isinstance(v, Account) else v


def same(f: Callable[..., Any], *arguments: Any) -> None:
    """Called three times: each sees what the one before has changed."""
    got, want = copy.deepcopy(arguments), copy.deepcopy(arguments)
    compiled = jit(f)
    for _ in range(3):
        errors = []
        before = TOTAL, Account.count, tagged.calls
        outside = []
        for function, given in ((plain(f), want), (compiled, got)):
            globals()["TOTAL"], Account.count, tagged.calls = before
            try:
                errors.append(repr(function(*given)))
            except Exception as error:
                lost = any("not written back" in n for n in getattr(error, "__notes__", []))
                errors.append((type(error), str(error.args[:1]) if error.args else "", lost))
            outside.append((TOTAL, Account.count, tagged.calls))
        assert errors[0] == errors[1]
        assert outside[0] == outside[1]
        for a, b in zip(got, want, strict=True):
            np.testing.assert_equal(state(a), state(b))


def tagged(k):
    return k


tagged.calls = 0


def attribute(a, k):
    a.x += 1
    a.rate *= 2.0
    fails(k)


def global_name(a, k):
    global TOTAL
    TOTAL += 1
    fails(k)


def of_function(a, k):
    tagged.calls += 1
    fails(k)


def of_class(a, k):
    Account.count += 2
    fails(k)


def text(a, k):
    a.name += "b"
    a.name += str(a.x)
    fails(k)


def array(a, k):
    a.array = a.array + 1.0
    old = a.array
    a.array = old * 2.0
    fails(k)


def held_list(a, k):
    a.items.append(7)
    a.items[0] = 5
    fails(k)


def held_dict(a, k):
    a.table["b"] = k
    fails(k)


def nested(a, k):
    a.rows[1].append(k)
    fails(k)


def fails(k):
    if k == 0:
        raise ValueError("no")
    if k == 1:
        [1, 2][k + 5]
    if k == 2:
        1 // (k - 2)
    if k == 3:
        {1: 2}[k + 9]
    if k == 4:
        (2**62 + k) * (2**62 + k)
    if k == 5:
        np.ones(2)[k]
    if k == 6:
        int("x" * k)
    return k


KINDS = [attribute, global_name, of_function, of_class, text, array, held_list, held_dict, nested]


@pytest.mark.parametrize("k", [0, 1, 2, 3, 5, 6, 7])
@pytest.mark.parametrize("f", KINDS, ids=lambda f: f.__name__)
def test_each_kind_of_change_and_error(f: Any, k: int) -> None:
    same(f, Account(), k)


def appends(v, k):
    v.append(k)
    raise ValueError


def stores(v, k):
    v[0] = k
    fails(k)


def adds(v, k):
    v.add(k)
    fails(k)


def inner(v, k):
    v[0].append(k)
    fails(k)


@pytest.mark.parametrize(
    ("f", "container"),
    [
        (appends, []),
        (appends, [1, 2]),
        (appends, deque([1])),
        (stores, [1, 2]),
        (stores, {}),
        (stores, {0: 5}),
        (adds, set()),
        (adds, {1, 50}),
        (inner, [[1], [2]]),
        (inner, {0: [1]}),
    ],
    ids=lambda v: getattr(v, "__name__", None) or str(v),
)
def test_containers(f: Any, container: Any) -> None:
    same(f, container, 2)


def in_a_loop(a, n):
    for i in range(10):
        a.x += i
        a.rate += 0.5
        if i == n:
            raise ValueError(i)
        a.items.append(i)


def before_the_loop(a, n):
    a.x = 5
    for i in range(10):
        10 // (i - n)
        if i > 2:
            a.rate += 1.0


def after_the_loop(a, n):
    for i in range(n):
        a.rate += i * 0.25
    fails(2)


def in_a_while(a, n):
    k = 0
    while k < 100:
        k += 1
        a.x += k
        a.check(50)
        a.rate = k * 1.0


def in_an_arm(a, n):
    if a.x > n:
        return a.x
    a.x += 1
    if n > 2:
        a.x += 10
        a.items = [a.x, n]
        raise ValueError(a.x)
    return a.x


def sometimes_set(a, n):
    if a.x > n:
        a.late = n
    a.x += 10
    return a.late


def plainly(a, n):
    a.rate = n * 0.5
    a.name = "b"


def twice(a, n):
    a.x = n
    a.x = n * 0.5
    fails(n)
    a.rate = 1.0


def deep(a, n):
    def one():
        a.x += 1
        two()

    def two():
        a.x += 1
        a.check(0)

    one()


def grows(a, n):
    for i in range(50):
        a.items.append(i)
        1 // (i - 40)


@pytest.mark.parametrize(
    "f",
    [
        in_a_loop,
        before_the_loop,
        after_the_loop,
        in_a_while,
        in_an_arm,
        sometimes_set,
        deep,
        grows,
    ],
    ids=lambda f: f.__name__,
)
def test_loops_branches_and_callees(f: Any) -> None:
    same(f, Account(), 4)


@pytest.mark.parametrize(
    ("f", "count"),
    [(after_the_loop, 1), (in_an_arm, 2), (plainly, 0), (twice, 1)],
    ids=lambda v: getattr(v, "__name__", ""),
)
def test_only_changes_before_what_may_raise_are_kept(f: Any, count: int) -> None:
    compiled = jit(f)
    stages = compiled.stages(Account(), 2)
    assert stages["infer"].count("np.keep_changes") == count
