"""Named tuples with members of their own: derived classes, as arguments, in lists."""

from collections import namedtuple
from typing import NamedTuple


class Point(namedtuple("Point", "x y")):
    __slots__ = ()

    def __sub__(self, other):
        return Point(self.x - other.x, self.y - other.y)

    @property
    def norm2(self):
        return self.x**2 + self.y**2

    @classmethod
    def origin(cls):
        return cls(0, 0)

    @staticmethod
    def scale():
        return 3

    def __repr__(self):
        return f"P({self.x}, {self.y})"


class Far(Point):
    __slots__ = ()

    def scaled(self, k):
        return self._replace(x=self.x * k)


class Base(NamedTuple):
    a: int
    b: float = 2.0

    def total(self):
        return self.a + self.b


class Derived(Base):
    def twice(self):
        return 2 * self.total()

    def __str__(self):
        return f"<{self.a}>"


def made(pairs):
    points = [Point(*pair) for pair in pairs]
    index = {p: k for k, p in enumerate(points)}
    return (
        (points[1] - points[0]).x,
        points,
        max(points),
        sorted(points, key=lambda p: p.norm2),
        index[Point(3, 4)],
        index[3, 4],
        Point.origin(),
        repr(points[0]),
        points[0] == (1, 2),
    )


def derived_twice(n):
    far = Far(n, 2).scaled(4)
    return far, type(far).__name__, far.norm2, isinstance(far, Point), far - Point(1, 1)


def of_typing(n):
    one = Derived(n)
    a, b = one
    return one.twice(), one, str(one), f"{one}", a + b, len(one), one[0], one._asdict()


class Reversed(NamedTuple):
    a: int
    b: int

    def __lt__(self, other):
        return self.b < other.b


def sorted_by_its_class(n):
    xs = [Reversed(k, n - k) for k in range(n)]
    ys = sorted(xs, reverse=True)
    xs.sort()
    return xs, ys, sorted(xs, key=lambda x: x), min(xs)


def of_an_argument(p):
    return p.norm2, p - Point(1, 1), p, p.scale()


def unnamed(p):
    return p.twice(), p.total(), p.a


def of_items(ps):
    return [p.norm2 for p in ps], [p.x for p in ps if p.norm2 > 5]


def in_a_dict(d):
    return {k: p.total() for k, p in d.items()}


def among_others(p, n, *rest):
    return p.total() + n + sum(r.total() for r in rest)


CASES = [
    (made, ([(1, 2), (3, 4), (7, 8)],)),
    (derived_twice, (3,)),
    (of_typing, (3,)),
    (sorted_by_its_class, (5,)),
    (of_an_argument, (Point(3, 4),)),
    (of_an_argument, (Far(3.5, 4),)),
    (unnamed, (Derived(3),)),
    (of_items, ([Point(3, 4), Point(1, 2)],)),
    (of_items, ([Far(3, 4)],)),
    (in_a_dict, ({"a": Base(1), "b": Base(2, 0.5)},)),
    (among_others, (Base(1), 2, Base(3), Derived(4))),
]
