"""Named tuples and plain dataclasses: created, read, changed and returned in compiled code."""

from __future__ import annotations

import collections
from dataclasses import FrozenInstanceError, dataclass, field, make_dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest
from shapecast import UnsupportedError, jit
from support.compare import case_id, check, jitted, make
from support.pictures import picture

V = np.array([0.5, 1.5, -2.0, 4.0])
Pair = collections.namedtuple("Pair", ["left", "right"], defaults=[2])


class Point(NamedTuple):
    x: np.ndarray
    y: float = 1.0

    def length(self):
        return self.x


@dataclass
class State:
    pos: np.ndarray
    vel: np.ndarray
    time: float = 0.0


@dataclass(frozen=True)
class Fixed:
    a: int
    b: str = "text"


@dataclass
class Inherited(State):
    mass: float = 2.0


def named(v, s):
    p = Point(v, y=s)
    q = Pair(p.x * 2)
    x, y = p
    return p, q, q.right, q[0], len(p), x is not None, isinstance(p, Point), isinstance(q, Point), y


def test_named_tuples_are_created_and_read():
    check(named, V, 3.0)


def reads_fields(p, v):
    a, b = p
    r = p._replace(right=b + 1)
    return p.left * v, r, r._asdict(), p == (a, b), p + (1,), p[1:], p


@pytest.mark.parametrize("p", [Pair(1.5, 2), Pair(V, V), Pair((1, V), [2])], ids=case_id)
def test_named_tuples_are_arguments(p):
    if isinstance(p.right, list):
        with pytest.raises(TypeError):
            jitted(reads_fields)(p, V)
        return
    if p.left is V:
        with pytest.raises(ValueError):
            (V == V + 1).__bool__()
        check(lambda p, v: (p.left * v, p._replace(right=v), p), p, V)
        return
    if isinstance(p.left, float):
        check(reads_fields, p, V)


def nested_argument(t):
    return t[0].left + t[1]["p"].x, t


def test_named_tuples_in_tuples_and_dicts():
    check(nested_argument, (Pair(1, 2), {"p": Point(V, 2.0)}))


def test_named_tuples_of_two_classes_are_two_cache_keys():
    def f(p):
        return p

    g = jit(f)
    assert type(g(Pair(1, 2.0))) is Pair
    assert type(g(Point(1, 2.0))) is Point
    assert type(g((1, 2.0))) is tuple


def creates(v, s):
    a = State(v * 2, v)
    b = State(pos=v, vel=a.pos, time=s)
    c = Fixed(1)
    d = Inherited(v, v, 1.0, mass=s)
    b.time += 2
    a.vel = a.vel + 1
    alias = b
    alias.pos = alias.pos * 3
    return a, b, c, d, c == Fixed(1, "text"), c != Fixed(2), isinstance(d, State), (Fixed(s, "q"),)


def test_dataclasses_are_created_changed_and_returned():
    check(creates, V, 3)


def step(state, dt):
    state.vel = state.vel - state.pos * dt
    state.pos = state.pos + state.vel * dt
    state.time += dt
    return state


def simulated(v, n):
    state = State(v, np.zeros_like(v))
    for _ in range(n):
        step(state, 0.1)
    return state


@pytest.mark.parametrize("n", [0, 1, 20])
def test_a_dataclass_is_carried_through_loops_and_calls(n):
    check(simulated, V, n)


def chosen(v, s):
    if v[0] > s:
        p = Point(v, 1.0)
    else:
        p = Point(v * 2, 3.0)
    return p, p.y


@pytest.mark.parametrize("s", [0.0, 9.0])
def test_a_branch_chooses_between_two(s):
    check(chosen, V, s)


def several(v):
    return tuple(map(Pair, (1, 2), (v, 3))), [Point(v[i], i) for i in range(2)]


def test_a_class_is_a_value_that_can_be_called():
    check(several, V)


def from_argument(state, dt):
    return State(state.pos + state.vel * dt, state.vel, state.time + dt)


def test_a_dataclass_from_one_that_is_an_argument():
    got = jit(from_argument)(State(V, V * 2, 1.0), 0.5)
    want = from_argument(State(V, V * 2, 1.0), 0.5)
    assert type(got) is State and got.time == want.time
    assert (got.pos == want.pos).all() and (got.vel == want.vel).all()


def too_few(v):
    return Point()


def too_many(v):
    return State(v, v, 1.0, 2)


def unknown(v):
    return Pair(1, 2, middle=3)


def no_such_field(v):
    return Pair(1)._replace(top=1)


@pytest.mark.parametrize("f", [too_few, too_many, unknown, no_such_field])
def test_errors_are_pythons(f):
    check(f, V)


@dataclass
class Checked:
    x: float

    def __post_init__(self):
        self.x = 2 * self.x


@dataclass
class Listed:
    x: list = field(default_factory=list)


def makes_checked(v):
    return Checked(v)


def makes_listed(v):
    return Listed().x


def freezes(v):
    f = Fixed(1)
    f.a = 2
    return f


def new_attribute(v):
    s = State(v, v)
    s.other = 1
    return s


def method(v):
    return Point(v).length()


@pytest.mark.parametrize("f", [makes_checked, makes_listed, method])
def test_methods_and_what_a_constructor_does(f):
    assert picture(jit(f)(V)) == picture(f(V))


def test_an_attribute_that_is_new_is_refused():
    with pytest.raises(UnsupportedError):
        jit(new_attribute)(V)


def test_a_frozen_instance_is_not_changed():
    for function in (freezes, jit(freezes)):
        with pytest.raises(FrozenInstanceError, match="cannot assign to field 'a'"):
            function(V)


def test_a_class_derived_from_a_named_tuple_is_one() -> None:
    base = collections.namedtuple("base", "a b")

    class Derived(base):
        def total(self):
            return self.a + self.b

    class Unlike(base):
        def __len__(self):
            return 7

    def f(pair):
        return pair[0] + pair[1], pair

    check(f, base(1.0, 2.0))
    check(f, Derived(1.0, 2.0))
    check(lambda pair: pair.total(), Derived(1.0, 2.0))
    with pytest.raises(UnsupportedError, match="Unlike"):
        jit(f)(Unlike(1.0, 2.0))


class Vector(NamedTuple):
    x: float
    y: float

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __rmul__(self, scale):
        return Vector(self.x * scale, self.y * scale)

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __abs__(self):
        return self.x

    def __lt__(self, other):
        return self.x > other.x

    def __contains__(self, item):
        return True

    def __bool__(self):
        return False


@dataclass
class Own:
    x: float
    note: float = field(default=0.0, compare=False)

    def __sub__(self, other):
        return Own(self.x - other.x)

    def __getitem__(self, key):
        return self.x

    def __call__(self, y):
        return self.x + y

    def __float__(self):
        return 1.0


@pytest.mark.parametrize("kind", [Vector, Own])
@pytest.mark.parametrize(
    ("use", "method"),
    [("p + p", "__add__"), ("p + (1,)", "__add__"), ("2 * p", "__rmul__"), ("-p", "__neg__"),
     ("abs(p)", "__abs__"), ("p < p", "__lt__"), ("p > p", "__lt__"), ("max(p, q)", "__lt__"),
     ("5 in p", "__contains__"), ("not p", "__bool__"),
     ("1 if p else 2", "__bool__"), ("p == p", "__eq__"), ("[p] != [q]", "__eq__"),
     ("p - p", "__sub__"), ("p[0]", "__getitem__"), ("[v for v in p]", "__getitem__"),
     ("5 in p", "__getitem__"), ("p(1)", "__call__"), ("float(p)", "__float__")],
)  # fmt: skip
def test_overloaded_operators_are_never_those_of_tuple(kind, use, method):
    f = make(f"def f(v, w):\n    p, q = kind(v, w), kind(w, v)\n    return {use}", kind=kind)
    endless = use in ("[v for v in p]", "5 in p") and kind is Own  # in plain Python
    of_tuple = use in ("max(p, q)", "p > p") and kind is Vector  # which comes before __lt__
    if endless or of_tuple or (use == "[p] != [q]" and kind is Own):
        with pytest.raises(UnsupportedError, match=f"{kind.__name__}.__"):
            jit(f)(1.0, 2.0)
    elif kind.__dict__.get(method) or (kind, method) == (Own, "__eq__"):
        check(f, 1.0, 2.0)


def test_operators_of_an_argument_are_looked_up_on_its_class():
    check(make("def f(p):\n    return p + p, -p, 2 * p"), Vector(1.0, 2.0))
    check(make("def f(p):\n    return p == p, p * 2, len(p), p[0], p.x"), Vector(1.0, 2.0))


def test_an_operator_that_a_class_gets_later():
    class Late(NamedTuple):
        x: float

    f = jit(make("def f(p):\n    return p + p"))
    assert f(Late(1.0)) == (1.0, 1.0)
    Late.__add__ = lambda self, other: 3  # type: ignore[method-assign]
    assert f(Late(1.0)) == 3


@dataclass(order=True)
class Ordered:
    key: float
    other: float = 0.0


@dataclass(order=True)
class Later(Ordered):
    pass


def test_a_dataclass_with_order_compares_as_its_fields():
    f = make("""
        def f(x, y):
            p, q = Ordered(x, 2.0), Ordered(y, 1.0)
            return p < q, p <= q, p > q, p >= q, p == q, max(p, q), sorted([q, p])
    """, Ordered=Ordered)  # fmt: skip
    for y in (0.0, 1.0, 2.0, np.nan):
        check(f, 1.0, y)
    check(make("def f(x):\n    return A(x) < B(x)", A=Ordered, B=Later), 1.0)
    check(make("def f(x):\n    return A(x) < x", A=Ordered), 1.0)


def defaults_replaced(kind: str) -> tuple[Any, Any]:
    """A class of three fields, and its function that has the defaults."""
    if kind == "namedtuple":
        record: Any = collections.namedtuple("Made", "x y z", defaults=(3.0,))
        return record, record.__new__
    if kind == "NamedTuple":
        record = NamedTuple("Made", [("x", float), ("y", float), ("z", float)])
        return record, record.__new__
    members = [("x", float), ("y", float, 2.0), ("z", list, field(default_factory=list))]
    record = make_dataclass("Made", members)
    return record, record.__init__


@pytest.mark.parametrize("kind", ["namedtuple", "NamedTuple", "dataclass"])
def test_replaced_defaults_are_seen(kind: str) -> None:
    """`Node.__new__.__defaults__ = (None, None)`: before the first call, and between calls."""
    record, maker = defaults_replaced(kind)
    f = make("def f(a):\n    p = Made(a, 5.0)\n    return p.x, p.y, p.z", Made=record)
    g = make("def g(a):\n    p = Made(a)\n    return p.x, p.y, p.z", Made=record)
    for defaults in [(7.0, 8.0), (70.0,), (1, 2.0, 3.0), (9, (1, 2)), None, (7.0, 8.0)]:
        maker.__defaults__ = defaults
        check(f, 1.0)
        check(g, 1.0)


def test_a_replaced_new_is_refused() -> None:
    record: Any = collections.namedtuple("Made", "x y")
    f = jitted(make("def f(a):\n    return Made(a, 1.0).y", Made=record))
    assert f(2.0) == 1.0
    record.__new__ = lambda cls, x, y: tuple.__new__(cls, (x, y + 1))
    with pytest.raises(UnsupportedError, match="Made"):
        f(2.0)
