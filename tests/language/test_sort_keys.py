"""key=, reverse= and default= of sorted, list.sort, min and max."""

from __future__ import annotations

import numpy as np
import pytest
from support.compare import check, make

G = np.array([5, 3, 9, 1, 4, 7, 3])
F = np.array([2.5, -1.0, 3.0, -0.0, 0.0, np.inf])

KEYS = [
    "lambda v: -v", "lambda v: (v % 3, -v)", "lambda v: (v % 3,)", "lambda v: [v % 3, v]",
    "lambda v: (v % 3, (v % 2, -v))", "lambda v: v > 4", "lambda v: (v > 4, f[v % 3])", "abs",
    "lambda v: ()", "lambda v: v % 2 == 0", "lambda v, k=3: v % k", "None",
]  # fmt: skip
ITEMS = {
    "array": "g", "range": "range(len(g))", "tuple": "(3, 1, 2)", "list": "[3, n, 2]",
    "dynamic list": "[int(v) for v in g if v > 1]", "map": "map(abs, g - 4)", "empty": "g[:0]",
    "reversed": "reversed(g)",
}  # fmt: skip


@pytest.mark.parametrize("items", ITEMS.values(), ids=ITEMS)
def test_sorted_by_any_key(items: str) -> None:
    for key in KEYS:
        body = f"return sorted({items}, key={key}), sorted({items}, key={key}, reverse=True)"
        check(make(f"def f(g, f, n):\n    {body}"), G, F, 7)


@pytest.mark.parametrize("items", ITEMS.values(), ids=ITEMS)
def test_min_and_max_by_any_key(items: str) -> None:
    for key in KEYS:
        body = f"return [e({items}, key={key}) for e in (min, max)]"
        check(make(f"def f(g, f, n):\n    {body}"), G, F, 7)


@pytest.mark.parametrize(
    "arguments", ["", "reverse=True", "key=lambda t: -t[1]", "key=lambda t: (t[0] % 3, t[1])"]
)
def test_lists_of_pairs_are_sorted_in_place(arguments: str) -> None:
    for pairs in (
        "[(int(v), i) for i, v in enumerate(g)]",
        "[(2, 1.0), (n, 5.0), (2, 0.5)]",
        "[p for p in zip(g, g * 0.5)]",
    ):
        body = f"l = {pairs}\n    m = l\n    l.sort({arguments})\n    return l, len(m)"
        check(make(f"def f(g, n):\n    {body}"), G, 1)


LINES = """
sorted([(2, 1.0), (1, 5.0), (2, 0.5)])
sorted([(2, 'a'), (1, 'b')]), sorted(["b", "a", "cc"], key=len), sorted("hello"), min("hello")
sorted({"b": 2, "a": 1}), sorted({"b": 2, "a": 1}.items(), key=lambda kv: kv[1])
sorted(enumerate(g), key=lambda p: (-p[1], p[0])), sorted(zip(g, range(10)))
sorted((v, i) for i, v in enumerate(g))
sorted(f), sorted(f, key=lambda v: (v > 0, -v)), sorted(f, key=lambda v: v == 0)
min(enumerate(g), key=lambda p: p[1]), max(zip(g, -g)), max((3, 'a'), (2, 'b'))
min(g[:0], default=0), max([], default=3), max([v for v in g if v > 100], default=-1)
min([v for v in g if v > 100])
min([])
sorted(g * 1j, key=lambda v: v)
sorted(range(len(f)), key=lambda i: (f[i] > 0, f[i]), reverse=True)
sorted(g, key=lambda v: 1 / (int(v) - 3))
sorted([g[:3], g[3:6]], key=lambda a: a.sum())
sorted(5)
sorted(g, key=lambda v: f[v])
"""


@pytest.mark.parametrize("line", LINES.strip().splitlines())
def test_special_cases_of_keys_and_defaults(line: str) -> None:
    check(make(f"def f(g, f):\n    return {line}"), G, F)
