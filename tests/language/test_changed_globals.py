"""Global lists, dicts, sets and those of `collections`, and those of closures, that a function
changes: as Python leaves them, also where an exception ends the call."""

from __future__ import annotations

import copy
import types
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from typing import Any

import pytest
from shapecast import jit
from support.pictures import picture

MEMO: dict[int, int] = {}
COUNTS = {"calls": 0, "errors": 0}
LOG: list[float] = []
SEEN: set[int] = set()
GRID = [[0] * 5 for _ in range(4)]
GRAPH: dict[int, list[int]] = {1: [2, 3], 2: [4], 3: [4], 4: []}
GROUPS: defaultdict[int, list[int]] = defaultdict(list)
TALLY: Counter[str] = Counter()
QUEUE = deque([1, 2, 3], maxlen=5)
RECENT: OrderedDict[str, int] = OrderedDict(a=1)
TABLE: dict[str, list[int]] = {"a": [1], "b": []}
LONG = list(range(1000))
STATES: list[Any] = [
    MEMO,
    COUNTS,
    LOG,
    SEEN,
    GRID,
    GRAPH,
    GROUPS,
    TALLY,
    QUEUE,
    RECENT,
    TABLE,
    LONG,
]


def fib(n):
    if n < 2:
        return n
    if n not in MEMO:
        MEMO[n] = fib(n - 1) + fib(n - 2)
    return MEMO[n]


def counted(values):
    COUNTS["calls"] += 1
    for i, x in enumerate(values):
        if x < 0:
            COUNTS["errors"] += 1
            raise ValueError(f"item {i} is {x}")
    return sum(values)


def logged(n):
    for i in range(n):
        LOG.append(i * 0.5)
    return len(LOG)


def first_seen(values):
    new = []
    for v in values:
        if v not in SEEN:
            SEEN.add(v)
            new.append(v)
    return new


def mark(i, j, v):
    GRID[i][j] = v
    return sum(sum(row) for row in GRID)


def reached(start):
    seen = []
    stack = [start]
    while stack:
        u = stack.pop()
        if u not in seen:
            seen.append(u)
            for w in GRAPH[u]:
                stack.append(w)
    return seen


def group(values):
    for x in values:
        GROUPS[x % 3].append(x)
    return len(GROUPS)


def tally(words):
    for w in words:
        TALLY[w] += 1
    return TALLY["a"]


def rotate(k):
    for _ in range(k):
        QUEUE.append(QUEUE.popleft() * 2)
    return QUEUE[0]


def touch(name, v):
    RECENT[name] = v
    RECENT.move_to_end("a")
    return list(RECENT)


def put(name, v):
    TABLE[name].append(v)
    return len(TABLE[name])


def of_long(k):
    LONG[0] = k
    return sum(LONG[:k])


def store(table, k, v):
    table[k] = v


def by_a_helper(k):
    store(MEMO, k, k * k)
    alias = LOG
    alias.append(0.25)
    return len(MEMO) + len(alias)


def then_raises(k):
    LOG.append(1.0)
    GRID[k][0] = 9
    return LOG[k + 1000]


CASES: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (fib, (30,)),
    (counted, ([1, 2],)),
    (counted, ([1, -2],)),
    (logged, (3,)),
    (first_seen, ([3, 1, 3],)),
    (mark, (1, 2, 7)),
    (mark, (9, 2, 7)),
    (reached, (1,)),
    (reached, (8,)),
    (group, ([1, 2, 3, 4],)),
    (tally, (["a", "b", "a"],)),
    (rotate, (4,)),
    (touch, ("c", 3)),
    (put, ("a", 5)),
    (put, ("z", 5)),
    (of_long, (10,)),
    (by_a_helper, (3,)),
    (then_raises, (1,)),
]


def refill(container: Any, items: Any) -> None:
    container.clear()
    container.extend(items) if isinstance(container, list | deque) else container.update(items)


def seen_of(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    try:
        result = function(*copy.deepcopy(arguments))
    except Exception as error:
        result = type(error), str(error)
    return picture((result, STATES))


@pytest.mark.parametrize(("function", "arguments"), CASES, ids=lambda v: getattr(v, "__name__", ""))
def test_globals_are_as_python_leaves_them(
    function: Callable[..., Any], arguments: tuple[Any, ...]
) -> None:
    plain = types.FunctionType(function.__code__, globals(), function.__name__)
    compiled = jit(function)
    start = copy.deepcopy(STATES)
    try:
        for _ in range(3):  # each call sees what the one before has changed
            before = copy.deepcopy(STATES)
            expected = seen_of(plain, arguments)
            for container, items in zip(STATES, before, strict=True):
                refill(container, items)
            assert seen_of(compiled, arguments) == expected
    finally:
        for container, items in zip(STATES, start, strict=True):
            refill(container, items)


def test_a_closures_dict() -> None:
    def counter() -> tuple[Any, dict[int, int]]:
        counts: dict[int, int] = {}

        @jit
        def count(x):
            counts[x] = counts.get(x, 0) + 1
            return counts[x]

        return count, counts

    count, counts = counter()
    assert [count(3), count(3), count(4)] == [1, 2, 1]
    assert counts == {3: 2, 4: 1}


def test_a_global_that_is_rebound_or_changed_between_calls() -> None:
    names: dict[str, Any] = {"table": {}}
    exec("def f(k):\n    table[k] = len(table)\n    return table[k]", names)
    f = jit(names["f"])
    assert [f(5), f(6)] == [0, 1]
    names["table"][7] = 10
    assert f(8) == 3
    names["table"] = {1: 1, 2: 2}
    assert f(9) == 2
    assert names["table"] == {1: 1, 2: 2, 9: 2}
    names["table"] = {"a": 1}
    assert f("b") == 1
    assert names["table"] == {"a": 1, "b": 1}


def test_two_functions_share_a_global() -> None:
    shared: list[int] = []

    @jit
    def push(v):
        shared.append(v)

    @jit
    def pop():
        return shared.pop()

    push(1)
    push(2)
    assert pop() == 2
    assert shared == [1]
    assert pop() == 1
    with pytest.raises(IndexError):
        pop()
    assert shared == []
