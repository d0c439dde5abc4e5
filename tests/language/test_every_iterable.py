"""Every builtin that takes an iterable, with every iterable: Python's result, or UnsupportedError
as REFUSED says.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import Any, NamedTuple

import numpy as np
import pytest
from support.compare import Report, check, check_or_refused, make


class Pair(NamedTuple):
    p: Any
    q: Any


ITERABLES = {
    "range": "range(n)", "range down": "range(n, 0, -1)", "array": "a", "rows": "m",
    "empty array": "a[:0]", "string": "'abc'", "string argument": "s", "empty string": "''",
    "tuple": "(3, n, 2)", "tuple of kinds": "(3, 1.5, True)", "tuple of arrays": "(a, a + 1)",
    "list": "[3, n, 2]", "dynamic list": "squares(n)", "dynamic list of tuples": "pairs(n)",
    "comprehension": "[v * 2 for v in range(n)]", "dict": "{'x': n, 'y': 2.5}",
    "items": "{'x': n, 'y': 2}.items()", "zip": "zip(range(n), a)", "enumerate": "enumerate(a)",
    "enumerate string": "enumerate(s)", "reversed": "reversed([1, n, 3])",
    "map": "map(abs, a)", "filter": "filter(lambda v: v > 1, a)",
    "generator": "(v + 1 for v in a)", "shape": "m.shape", "strings": "['b', 'a']",
    "named tuple": "Pair(n, 2)", "flat": "m.flat", "none": "()", "number": "n",
    "argument tuple": "t", "argument list": "l", "argument dict": "d", "slice": "a[1:]",
    "counts": "counts(a)", "its items": "counts(a).items()", "its values": "counts(a).values()",
    "set": "{v * 2 for v in a}", "lists": "ragged(n)", "list of tuples": "listed(n)",
    "own generator": "halves(n)", "instance": "Row(n)", "deque": "deque(a)",
    "Counter": "Counter(a)",
}  # fmt: skip
USES = {
    "for": "r = []\n    for v in X:\n        r.append(v)\n    return r",
    "for else": "k = 0\n    for v in X:\n        k += 1\n    else:\n        k *= 2\n    return k",
    "list": "return list(X)", "tuple": "return tuple(X)", "sum": "return sum(X)",
    "min": "return min(X)", "max": "return max(X, default=7)", "any": "return any(X)",
    "all": "return all(X)", "sorted": "return sorted(X, reverse=True)",
    "enumerate": "return [(i, v) for i, v in enumerate(X, 5)]",
    "zip": "return list(zip(X, range(10)))",
    "zip of one twice": "q = X\n    return list(zip(q, q))",
    "map": "return list(map(lambda v: v, X))", "filter": "return list(filter(None, X))",
    "comprehension": "return [(v, w) for v in X if v for w in range(2)]",
    "dict": "return {i: v for i, v in enumerate(X)}", "generator": "return sum(1 for v in X)",
    "next": "return next(iter(X), None)", "in": "return 1 in X, 'a' not in X",
    "unpack": "p, q, w = X\n    return p, q, w", "unpack rest": "p, *q = X\n    return p, q",
    "star": "return three(*X)", "star in a list": "return [0, *X]",
    "set": "return set(X)", "set and back": "return sorted(set(X))",
    "extend": "r = [0]\n    r.extend(X)\n    return r", "+=": "r = [0]\n    r += X\n    return r",
}  # fmt: skip
HEAD = """
def three(p, q, w=0):
    return p, q, w
def squares(n):
    r = []
    for i in range(n):
        r.append(i * i)
    return r
def pairs(n):
    return [(i, i * 0.5) for i in range(n)]
def counts(a):
    c = {}
    for v in a:
        c[v] = c.get(v, 0) + 1
    return c
def ragged(n):
    return [[j for j in range(i)] for i in range(n)]
def halves(n):
    for i in range(n):
        yield i * 0.5
class Row:
    def __init__(self, n):
        self.n = n
    def __iter__(self):
        for i in range(self.n):
            yield i
def listed(n):
    d = {}
    for i in range(n):
        d[i] = []
        for j in range(n):
            d[i].append((i, j))
    return d[1]
"""

RANGES = {"range", "range down"}
ITERATORS = {"zip", "enumerate", "map", "filter", "generator", "flat"}
IN_MEMORY = {"counts", "its items", "its values", "set", "list of tuples"}
# What each use refuses; every other pair compiles. Most: the number of items is known only at run
# time. "rows": a dynamic list that has one array twice cannot be returned.
REFUSED: dict[str, set[str]] = {
    "tuple": {"rows"}, "sorted": {"tuple of kinds"},
    "zip of one twice": ITERATORS - {"generator"} | {"enumerate string", "reversed"},
    "set": {"tuple of kinds"},
    "set and back": {"tuple of kinds"},
    "in": RANGES,
    "star": {"rows"},
    "star in a list": {"rows"},
    "+=": RANGES | ITERATORS | {"enumerate string", "reversed", "its items", "its values"},
}  # fmt: skip


@pytest.mark.parametrize("use", USES)
def test_every_iterable(use: str) -> None:
    with Report(use) as report:
        for name, iterable in ITERABLES.items():
            if (use, name) == ("star", "number"):  # Python's words name the callee's module
                continue
            body = USES[use].replace("X", iterable)
            names = {"Pair": Pair, "deque": deque, "Counter": Counter}
            f = make(f"{HEAD}def f(n, a, m, s, t, l, d):\n    {body}", **names)
            with report.case(name):
                check_or_refused(
                    f, 3, np.array([2.0, 0.0, 3.0]), np.arange(4.0).reshape(2, 2) + 1, "bca",
                    (2, 0, 5), [1, 4, 0], {"k": 2.0, "j": 1.0},
                    refused=name in REFUSED.get(use, ()),
                )  # fmt: skip


@pytest.mark.parametrize("iterable", ["s", "'abc'", "enumerate(s)", "zip(s, 'xyz')", "reversed(s)"])
def test_strings_are_iterated_like_tuples(iterable: str) -> None:
    loop = f"r = []\n    for v in {iterable}:\n        r.append(v)"
    check(make(f"def f(s):\n    {loop}\n    return tuple(r), list({iterable})"), "bca")
