"""dataclasses.replace, asdict and astuple; lists of named tuples and frozen dataclasses."""

import dataclasses
from collections import namedtuple
from dataclasses import asdict, astuple, dataclass, field, replace
from typing import NamedTuple


@dataclass(frozen=True)
class Place:
    x: int
    y: int = 0


@dataclass
class Measured:
    a: float
    tags: list = field(default_factory=list)
    p: Place = Place(1)


def replaced(n):
    p = Place(n)
    q = replace(p, y=5)
    return q, p, dataclasses.asdict(q), dataclasses.astuple(q)


def of_a_mutable_one(n):
    m = Measured(float(n))
    m.tags.append("a")
    k = replace(m, a=1.0)
    m.a = 9.0
    return k, m, asdict(m), astuple(m), k.tags is m.tags


def unknown_field(n):
    return replace(Place(n), z=3)


def states(n):
    seen = set()
    p = Place(0, 0)
    for i in range(n):
        p = replace(p, x=(p.x * 3 + 1) % 7)
        seen.add(p)
    return len(seen), p


Point = namedtuple("Point", "x y")


class Row(NamedTuple):
    name: str
    v: float

    def dbl(self):
        return self.v * 2


@dataclass(frozen=True)
class Named:
    name: str
    pos: Point


def points(n):
    return [Point(i, i * 2.0) for i in range(n)]


def records(n):
    return [Row("a", i * 1.0) for i in range(n)]


def with_texts(n):
    return [Row(str(i), i * 1.0) for i in range(n)]


def nested(n):
    return [Named("a", Point(i, 1)) for i in range(n)]


def in_tuples(n):
    return [(i, Point(i, 1)) for i in range(n)], sorted([Point(-i, 1) for i in range(n)])


def appended(n):
    out = []
    for i in range(n):
        out.append(Named(str(i), Point(i, i)))
    return out, out[1].pos.x


def none_at_all(n):
    return [Point(i, i) for i in range(n) if i > 100]


CASES = [
    (replaced, (3,)),
    (of_a_mutable_one, (3,)),
    (unknown_field, (3,)),
    (states, (9,)),
    (points, (3,)),
    (records, (3,)),
    (with_texts, (3,)),
    (nested, (3,)),
    (in_tuples, (3,)),
    (appended, (3,)),
    (none_at_all, (3,)),
]
