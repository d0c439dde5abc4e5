"""Frozen dataclasses, and instances as keys whose classes define __eq__ and __hash__."""

import math
from dataclasses import dataclass, field


@dataclass(frozen=True)
class V:
    x: float
    y: float

    def __add__(s, o):
        return V(s.x + o.x, s.y + o.y)

    def __mul__(s, k):
        return V(s.x * k, s.y * k)

    __rmul__ = __mul__

    def __neg__(s):
        return V(-s.x, -s.y)

    def norm(s):
        return math.hypot(s.x, s.y)

    @property
    def sq(s):
        return s.x * s.x + s.y * s.y


def vectors(n):
    p = V(0.0, 0.0)
    for i in range(n):
        p = p + 2 * V(1.0, float(i))
    return p, p.norm(), -p, p.sq


def vectors_seen(n):
    seen = set()
    p = V(0.0, 0.0)
    for i in range(n):
        p = p + V(1.0, 0.0)
        seen.add(p)
    return len(seen), V(1.0, 0.0) in seen


@dataclass(frozen=True)
class W:
    x: int
    y: int = 0

    def __post_init__(s):
        if s.x < 0:
            raise ValueError("neg")


def checked(n):
    return W(n), W(n, 2).y


def rejected(n):
    return W(-n)


@dataclass(frozen=True)
class U:
    x: int
    z: int = field(init=False)

    def __post_init__(s):
        object.__setattr__(s, "z", s.x * 2)


def derived_field(n):
    return U(n).z, U(n)


def assigned_after_post_init(n):
    w = W(n)
    w.x = 3
    return w


def assigned(n):
    v = V(1.0, 2.0)
    v.x = 3.0
    return v


@dataclass(frozen=True)
class L:
    items: list

    def __len__(s):
        return len(s.items)

    def __getitem__(s, i):
        return s.items[i]

    def __iter__(s):
        return iter(s.items)

    def __contains__(s, x):
        return x in s.items

    def __bool__(s):
        return len(s.items) > 0

    def __call__(s, x):
        return s.items[0] * x


def with_special_methods(n):
    l = L([1, 2, n])
    return len(l), l[0], sum(l), 2 in l, bool(l), l(3)


@dataclass(frozen=True, order=True)
class Ordered:
    pri: int
    name: str = field(compare=False)


def ordered(n):
    q = [Ordered(3, "a"), Ordered(1, "b"), Ordered(n, "c")]
    q.sort()
    return [o.name for o in q], Ordered(1, "x") == Ordered(1, "y")


@dataclass(frozen=True)
class E:
    k: int

    def __eq__(s, o):
        return s.k % 3 == o.k % 3

    def __hash__(s):
        return hash(s.k % 3)


def equal_by_remainder(n):
    return len({E(i) for i in range(n)})


class K:
    def __init__(s, a, b):
        s.a = a
        s.b = b

    def __eq__(s, o):
        return isinstance(o, K) and (s.a, s.b) == (o.a, o.b)

    def __hash__(s):
        return hash((s.a, s.b))


def equal_by_two(n):
    d = {}
    for i in range(n):
        d[K(i % 3, i % 2)] = i
    return len(d), d[K(0, 0)]


@dataclass(frozen=True, slots=True)
class S:
    x: int

    def __add__(s, o):
        return S(s.x + o.x)


def slotted(n):
    return S(1) + S(n)


@dataclass
class M:
    x: int
    y: int

    def __hash__(s):
        return s.x * 31 + s.y


def own_hash(n):
    s = set()
    for i in range(n):
        s.add(M(i % 3, 0))
    return len(s)


@dataclass(unsafe_hash=True)
class Q:
    x: int


def unsafe_hash(n):
    return len({Q(i % 4) for i in range(n)})


class Pair:
    def __init__(s, a, b):
        s.a = a
        s.b = b

    def __eq__(s, o):
        return isinstance(o, Pair) and (s.a, s.b) == (o.a, o.b)

    def __hash__(s):
        return hash((s.a, s.b))


def counted(n):
    d = {}
    for i in range(n):
        d[Pair(i % 3, 0)] = i
    return len(d)


def contained(n):
    d = {}
    for i in range(n):
        d[Pair(i % 3, 0)] = i
    return Pair(0, 0) in d


def got(n):
    d = {}
    for i in range(n):
        d[Pair(i % 3, 0)] = i
    k = Pair(0, 0)
    return d.get(k, -1)


def hashes(n):
    return (
        Pair(n, 1) == Pair(n, 1),
        hash(Pair(n, 1)),
        hash((n, 1)),
        hash("abc" + str(n)),
        hash(2.5 * n),
        hash((n, (2.0, "a"))),
        hash(True),
    )


class First:
    def __init__(s, a, b):
        s.a = a
        s.b = b

    def __eq__(s, o):
        return s.a == o.a

    def __hash__(s):
        return s.a


def items(n):
    d = {}
    for i in range(n):
        d[First(i % 3, 0)] = i
    return len(d), d[First(0, 0)], First(7, 1) in d


class Unhashable:
    def __init__(s, a):
        s.a = a

    def __eq__(s, o):
        return s.a == o.a


def unhashable_key(n):
    return {Unhashable(n): 1}


def unhashable_item(n):
    s = set()
    for i in range(n):
        s.add(Unhashable(i))
    return s


def deleted_and_popped(n):
    d = {First(i % 4, i): i for i in range(n)}
    del d[First(1, 0)]
    d.pop(First(2, 5))
    d.pop(First(99, 0), None)
    x = d.setdefault(First(0, 9), 77)
    y = d.setdefault(First(5, 9), 78)
    return sorted(k.a for k in d), [k.b for k in d], x, y, list(d.values())


def united(n):
    s = {First(i % 4, i) for i in range(n)}
    s.discard(First(1, 1))
    s.add(First(3, 99))
    t = {First(2, 2), First(7, 7)}
    return sorted(j.b for j in s), len(s | t), len(s & t)


def tuple_keys(words):
    d = {}
    for i, w in enumerate(words):
        k = (w, i % 2)
        d[k] = d.get(k, 0) + 1
    return d, hash(k) == hash((words[-1], (len(words) - 1) % 2))


class ByFirst:
    def __init__(s, a, b):
        s.a = a
        s.b = b

    def __eq__(s, o):
        return s.a == o.a

    def __hash__(s):
        return s.a


class Plain:
    def __init__(s, a):
        s.a = a


def comprehension(n):
    d = {ByFirst(i % 4, i): i for i in range(n)}
    return len(d)


def deleted(n):
    d = {}
    for i in range(n):
        d[ByFirst(i % 4, i)] = i
    del d[ByFirst(1, 0)]
    return len(d)


def popped(n):
    d = {}
    for i in range(n):
        d[ByFirst(i % 4, i)] = i
    d.pop(ByFirst(2, 5))
    d.pop(ByFirst(99, 0), None)
    return len(d)


def by_identity(n):
    d = {Plain(i): i for i in range(n)}
    return len(d)


def display(n):
    d = {ByFirst(1, 2): n}
    return d[ByFirst(1, 9)]


def display_twice(n):
    return {ByFirst(1, 2): n, ByFirst(1, 3): 4}[ByFirst(1, 5)]


CASES = [
    (vectors, (4,)),
    (vectors_seen, (4,)),
    (checked, (4,)),
    (rejected, (4,)),
    (derived_field, (4,)),
    (assigned_after_post_init, (4,)),
    (assigned, (4,)),
    (with_special_methods, (4,)),
    (ordered, (4,)),
    (equal_by_remainder, (4,)),
    (equal_by_two, (4,)),
    (slotted, (4,)),
    (own_hash, (4,)),
    (unsafe_hash, (4,)),
    (counted, (10,)),
    (contained, (10,)),
    (got, (10,)),
    (hashes, (10,)),
    (items, (10,)),
    (unhashable_key, (3,)),
    (unhashable_item, (3,)),
    (deleted_and_popped, (10,)),
    (united, (10,)),
    (tuple_keys, (["a", "b", "a", "b", "a"],)),
    (comprehension, (9,)),
    (deleted, (9,)),
    (popped, (9,)),
    (by_identity, (9,)),
    (display, (9,)),
    (display_twice, (9,)),
]
