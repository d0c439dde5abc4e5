"""The key of a KeyError, where it is an instance of a class with __eq__, or a flag."""

from __future__ import annotations

import enum
from typing import Any

import pytest
from support.compare import check, make


class Point:
    def __init__(self, x: int) -> None:
        self.x = x

    def __eq__(self, other: Any) -> bool:
        return self.x == other.x

    def __hash__(self) -> int:
        return hash(self.x)

    def __repr__(self) -> str:
        return f"Point({self.x})"


class Bits(enum.Flag):
    A = 1
    B = 2


MADE = "d = {}\n    for i in range(n):\n        d[Point(i)] = i"


@pytest.mark.parametrize(
    "body",
    [
        "d = {Point(1): 'a'}\n    return d[Point(n)]",
        f"{MADE}\n    return d[Point(n)]",
        f"{MADE}\n    return d.pop(Point(n))",
        f"{MADE}\n    del d[Point(n)]",
        f"{MADE}\n    return d[Point(n - 1)], d.pop(Point(0)), len(d)",
        f"{MADE}\n    del d[Point(0)]\n    return len(d), d.pop(Point(n), 7)",
        "s = {Point(i) for i in range(n)}\n    s.remove(Point(n))",
        "d = {Bits.A: 1}\n    return d[Bits(n)]",
    ],
)
def test_the_key_is_shown(body: str) -> None:
    f = make(f"def f(n):\n    {body}\n", Point=Point, Bits=Bits)
    for n in (2, 3):
        check(f, n)


def test_a_caught_one_has_it() -> None:
    body = """
        def f(n):
            d = {Point(1): "a"}
            try:
                return d[Point(n)]
            except KeyError as error:
                return str(error), repr(error)
        """
    f = make(body, Point=Point)
    check(f, 1)
    check(f, 4)
