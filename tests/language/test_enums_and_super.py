"""Enums, super(), objects compared by `is`, objects that are returned, and ranges as arguments."""

from __future__ import annotations

import dataclasses
import enum
from typing import Any

import numpy as np
import pytest
import shapecast
from support.compare import check, jitted, make

X = np.arange(5.0)


class Kind(enum.Enum):
    A = 1
    B = 2.5
    C = "text"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 3


def test_members_are_compared_and_matched() -> None:
    f = make(
        """
        def f(k, x):
            if k is Kind.A:
                return x + 1
            if k == Kind.B:
                return x * k.value
            if k in (Kind.A, Kind.C) and k is not Kind.B and k != Kind.A:
                return k.name, k.value
        """,
        Kind=Kind,
    )
    for kind in Kind:
        check(f, kind, X)
    g = make(
        """
        def g(k, x):
            match k:
                case Kind.A:
                    return x + 1
                case Kind.B | Kind.C:
                    return x * 2
        """,
        Kind=Kind,
    )
    for kind in Kind:
        check(g, kind, X)


def test_members_in_globals_and_attributes() -> None:
    class Model:
        def __init__(self, kind: Kind) -> None:
            self.kind = kind

        def step(self, x: Any) -> Any:
            return x * 2 if self.kind is Kind.A else x + 10

    f = jitted(lambda m, x: m.step(x))
    for kind in (Kind.A, Kind.B, Kind.A):
        np.testing.assert_array_equal(f(Model(kind), X), Model(kind).step(X))
    check(make("def f(x):\n    return x * K.value, K.name, K is Kind.B", K=Kind.B, Kind=Kind), X)
    check(make("def f(x):\n    return x * Kind.B.value, Kind.A == Kind.B", Kind=Kind), X)


def test_integer_members_are_numbers() -> None:
    f = make("def f(k, x):\n    return x[k] if k > Level.LOW else x * k", Level=Level)
    for level in Level:
        check(f, int(level), X)
        np.testing.assert_array_equal(jitted(f)(level, X), f(level, X))


def test_identity_of_objects() -> None:
    class Node:
        def __init__(self, value: float) -> None:
            self.value = value

    a, b = Node(1.0), Node(2.0)
    f = jitted(lambda p, q, x: x * p.value if p is q else x + q.value)
    np.testing.assert_array_equal(f(a, a, X), X)
    np.testing.assert_array_equal(f(a, b, X), X + 2)
    g = jitted(lambda p, q: (p == q, p != q, p is not q))
    assert g(a, b) == (False, True, True)
    assert g(a, a) == (True, False, False)


def test_identity_that_may_differ_between_calls() -> None:
    class Pair:
        def __init__(self, left: Any, right: Any) -> None:
            self.left, self.right = left, right

    class Leaf:
        pass

    leaf = Leaf()
    f = jitted(lambda p: 1 if p.left is p.right else 2)
    assert f(Pair(leaf, leaf)) == 1
    assert f(Pair(leaf, Leaf())) == 2


@dataclasses.dataclass
class Point:
    x: float
    y: float


def test_an_object_that_is_returned_is_the_callers_own() -> None:
    def moved(p, d):
        p.x += d
        return p

    def both(p, q, d):
        p.x, q.x = q.x + d, p.x
        return q, (p, d)

    p, q = Point(1.0, 2.0), Point(3.0, 4.0)
    assert jitted(moved)(p, 2.0) is p
    assert p == Point(3.0, 2.0)
    first, (second, d) = jitted(both)(p, q, 1.0)
    assert first is q and second is p and d == 1.0
    assert (p.x, q.x) == (4.0, 3.0)


def test_an_object_that_an_object_holds_is_returned() -> None:
    class Model:
        def __init__(self) -> None:
            self.point = Point(1.0, 2.0)

        def step(self, d: float) -> Any:
            self.point.x += d
            return self

    model = Model()
    assert jitted(lambda m: m.point)(model) is model.point
    assert jitted(lambda m, d: m.step(d))(model, 1.0) is model
    assert model.point.x == 2.0
    other = Model()
    assert jitted(lambda m, n, c: (m if c else n, c))(model, other, None) == (other, None)


class Base:
    scale = 2.0

    def __init__(self, k: float) -> None:
        self.k = k

    def g(self, x: Any) -> Any:
        return x * self.k

    def h(self, x: Any, more: float = 1.0) -> Any:
        return self.g(x) + more

    @property
    def size(self) -> float:
        return self.k + 1

    @staticmethod
    def plain(x: Any) -> Any:
        return x - 1


class Middle(Base):
    def g(self, x: Any) -> Any:
        return super().g(x) + 10


class Derived(Middle):
    def g(self, x: Any) -> Any:
        return super().g(x) * 2 + super(Middle, self).g(x)

    def h(self, x: Any, more: float = 3.0) -> Any:
        return super().h(x, more=more) + super().size + super().plain(x)

    @property
    def size(self) -> float:
        return super().size * 100


def test_super_finds_methods_of_the_base_class() -> None:
    f = jitted(lambda o, x: (o.g(x), o.h(x), o.size))
    for o in (Derived(3.0), Middle(2.0), Base(1.0), Derived(4.0)):
        for got, want in zip(f(o, X), (o.g(X), o.h(X), o.size), strict=True):
            np.testing.assert_array_equal(got, want)


def test_a_base_class_that_is_changed_is_seen() -> None:
    class Root:
        def g(self, x: Any) -> Any:
            return x + 1

    class Leaf(Root):
        def g(self, x: Any) -> Any:
            return super().g(x) * 2

    f = jitted(lambda o, x: o.g(x))
    assert f(Leaf(), 1.0) == 4.0
    Root.g = lambda self, x: x + 5  # type: ignore[method-assign]
    assert f(Leaf(), 1.0) == 12.0


RANGES = """
[i * 2 for i in r]
len(r), r[0], r[-1], r[9]
sum(r), max(r)
np.array(r) + 1
list(reversed(r)), tuple(r)
isinstance(r, range)
r
"""


@pytest.mark.parametrize("line", RANGES.strip().splitlines())
def test_ranges_as_arguments(line: str) -> None:
    f = make(f"def f(r):\n    return {line}")
    for r in (range(5), range(2, 20, 3), range(10, 0, -2)):
        check(f, r)


def test_ranges_in_tuples_and_globals() -> None:
    check(
        make("def f(t):\n    s = 0\n    for i in t[0]:\n        s += i * t[1]\n    return s"),
        (range(7), 2),
    )
    check(make("def f(x):\n    return [x * i for i in R], len(R), R[2]", R=range(1, 9, 2)), 3)
    total = jitted(make("def f(r):\n    s = 0\n    for i in r:\n        s += i\n    return s"))
    for n in (10, 100, 1000):
        assert total(range(n)) == sum(range(n))
    assert len(total.signatures()) == 1


def test_a_range_that_an_object_holds() -> None:
    class Holder:
        def __init__(self, r: range) -> None:
            self.r = r

    f = jitted(lambda o: [i for i in o.r] + [len(o.r)])
    for r in (range(4), range(6), range(1, 9, 3)):
        assert f(Holder(r)) == [*r, len(r)]


def test_missing_attributes_of_super_are_attribute_errors() -> None:
    class Root:
        pass

    class Leaf(Root):
        def g(self, x: Any) -> Any:
            return super().nothing(x)

        def h(self, x: Any) -> Any:
            super().__init__()
            return x

    with pytest.raises(AttributeError, match="'super' object has no attribute 'nothing'"):
        jitted(lambda o, x: o.g(x))(Leaf(), 1)
    assert jitted(lambda o, x: o.h(x))(Leaf(), 1) == 1


class Reaches:
    """A missing attribute of super() is read on one path only."""

    def half(self, x):
        return super().nothing(x) if x > 0 else -x


def test_a_missing_attribute_of_super_raises_where_it_is_reached() -> None:
    def f(o, x):
        return o.half(x)

    check(f, Reaches(), -1.0)
    check(f, Reaches(), 1.0)


class Odd(enum.Enum):
    A = 1
    B = 2

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = enum.Enum.__hash__


class Ten(int, enum.Enum):
    """The number is another one than the value."""

    def __new__(cls, value: int) -> Any:
        made = int.__new__(cls, 10 * value)
        made._value_ = value
        return made

    A = 1


class Perm(enum.Flag):
    R = enum.auto()
    W = enum.auto()

    def both(self) -> Any:
        return self | Perm.R

    def __or__(self, other: Any) -> Any:
        return 7


def test_members_with_operators_of_their_own_are_refused_as_values() -> None:
    bodies = ("x = Odd.A if n else Odd.B\n    return x == Odd.B", "return Perm.R | Perm.W")
    for body in (*bodies, "return Ten.A + n"):
        with pytest.raises(shapecast.UnsupportedError, match="as a value"):
            jitted(make(f"def f(n):\n    {body}\n", Odd=Odd, Perm=Perm, Ten=Ten))(1)


def test_numbers_that_are_equal_to_members_are_no_keys_beside_them() -> None:
    body = """
        def f(n):
            d = {}
            for i in range(n):
                d[Level.LOW if i % 2 else Level.HIGH] = i
                d[i] = 7
            return d
        """
    with pytest.raises(shapecast.UnsupportedError, match="keys that may be equal to them"):
        jitted(make(body, Level=Level))(3)


def test_an_int_flag_as_an_index_is_refused() -> None:
    class Bits(enum.IntFlag):
        A = 1

    with pytest.raises(shapecast.UnsupportedError, match=r"write int\(x\)"):
        jitted(make("def f(n):\n    return [n, 1][Bits.A]", Bits=Bits))(1)


def test_a_member_that_changes_its_value_is_seen() -> None:
    class Number(enum.IntEnum):
        A = 1

    f = jitted(make("def f(n):\n    return Number.A.value + n", Number=Number))
    assert f(1) == 2
    Number.A._value_ = 5
    assert f(1) == 6
