"""Lists and tuples of a length known only at run time, compared with others."""

from __future__ import annotations

import pytest
from support.compare import check, make

MAKES = {
    "sorted": "a = sorted(set(xs))",
    "loop": "a = [x for x in xs if x > 2]",
    "tuples": "a = [(x, x + 1) for x in xs if x > 2]",
    "texts": "a = []\n    for x in xs:\n        a.append(str(x))",
}
COMPARED = [
    "tuple(a) == (3, 4)",
    "(3, 4) != tuple(a)",
    "tuple(a) == ((3, 4),)",
    "tuple(a) == ('3', '4')",
    "tuple(a) in [(3, 4), (4,)]",
    "a in ([3], [3, 4])",
    "tuple(a) == (3.0, 4)",
    "tuple(a) == 'x'",
    "tuple(a) == None",
    "tuple(a) != 3",
    "tuple(a) == [3, 4]",
    "a == (3, 4)",
    "tuple(a) == range(3)",
    "(1, tuple(a)) == (1, (3, 4))",
    "{'k': tuple(a)} == {'k': (3, 4)}",
    "a == [3, 4]",
    "a == [(3, 4), (5, 6)]",
    "[] == a",
]


@pytest.mark.parametrize("made", MAKES.values(), ids=MAKES)
@pytest.mark.parametrize("compared", COMPARED)
def test_equality(made: str, compared: str) -> None:
    f = make(f"def f(xs):\n    {made}\n    return {compared}\n")
    for xs in ([3, 4], [4, 3, 5], [], [3]):
        check(f, xs)


@pytest.mark.parametrize("operator", ["<", "<=", ">", ">="])
def test_order(operator: str) -> None:
    body = "a = sorted(set(xs))\n    t = tuple(a)"
    others = ["(3, 4)", "(3,)", "()", "(3, 4, 5)", "(3.5,)", "(100, 'x')"]
    compared = ", ".join(f"t {operator} {other}, {other} {operator} t" for other in others)
    f = make(
        f"def f(xs):\n    {body}\n    return {compared}, a {operator} [3, 4], [3] {operator} a\n"
    )
    for xs in ([3, 4], [4, 3, 5], [], [3], [7]):
        check(f, xs)
    g = make(f"def g(xs):\n    {body}\n    return t {operator} ('x', 1)\n")
    check(g, [])
    check(g, [1])  # a TypeError


def test_two_of_them() -> None:
    body = (
        "a, b = sorted(set(xs)), sorted(set(ys))\n    return a == b, a != b, tuple(a) == tuple(b)"
    )
    f = make(f"def f(xs, ys):\n    {body}\n")
    for ys in ([1, 2], [2, 1, 3], [], [5]):
        check(f, [1, 2], ys)
