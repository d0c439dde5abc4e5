"""Classes of one's own: vectors, shapes, stacks, state machines, simulations."""

import abc
import functools
import math
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar

import numpy as np


class Vec:
    __slots__ = ("x", "y")

    def __init__(self, x=0.0, y=0.0):
        self.x = x
        self.y = y

    def __add__(self, o):
        return Vec(self.x + o.x, self.y + o.y)

    def __sub__(self, o):
        return Vec(self.x - o.x, self.y - o.y)

    def __mul__(self, s):
        return Vec(self.x * s, self.y * s)

    __rmul__ = __mul__

    def __neg__(self):
        return Vec(-self.x, -self.y)

    def __abs__(self):
        return math.hypot(self.x, self.y)

    def __eq__(self, o):
        return isinstance(o, Vec) and self.x == o.x and self.y == o.y

    def __hash__(self):
        return hash((self.x, self.y))

    def __getitem__(self, i):
        return self.x if i == 0 else self.y

    def __len__(self):
        return 2

    def __iter__(self):
        yield self.x
        yield self.y

    def __repr__(self):
        return f"Vec({self.x}, {self.y})"

    def __bool__(self):
        return self.x != 0 or self.y != 0

    def __iadd__(self, o):
        self.x += o.x
        self.y += o.y
        return self

    def __lt__(self, o):
        return abs(self) < abs(o)

    @property
    def norm2(self):
        return self.x**2 + self.y**2

    @classmethod
    def unit(cls, angle):
        return cls(math.cos(angle), math.sin(angle))

    @staticmethod
    def dot(a, b):
        return a.x * b.x + a.y * b.y


def vec_ops(n):
    v = Vec()
    w = Vec(1.0, 2.0)
    for i in range(n):
        v = v + w * 0.5 - Vec(0.1, i)
        v += w
    return (
        v.x,
        v.y,
        abs(v),
        v.norm2,
        Vec.dot(v, w),
        v[0],
        v[1],
        len(v),
        bool(v),
        v == w,
        v != w,
        (-v).x,
        (2 * v).y,
        v < w,
    )


def vec_iter(n):
    v = Vec(1.0, n)
    a, b = v
    s = 0
    for c in v:
        s += c
    return a, b, s, sum(v), list(v), tuple(v), max(v)


def vec_cls(t):
    u = Vec.unit(t)
    return u


def vec_print(n):
    v = Vec(1.5, n)
    return f"{v} and {v!r}"


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...
    def describe(self):
        return self.area() * 2


class Circle(Shape):
    PI = 3.14159

    def __init__(self, r):
        self.r = r

    def area(self):
        return self.PI * self.r**2


class Rect(Shape):
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def area(self):
        return self.a * self.b


class Square(Rect):
    def __init__(self, a):
        super().__init__(a, a)

    def area(self):
        return super().area()


def shapes(x):
    total = 0.0
    for s in (Circle(x), Rect(x, 2.0), Square(x)):
        total += s.describe()
    return (
        total,
        isinstance(Square(1.0), Rect),
        isinstance(Circle(1.0), Rect),
        isinstance(Square(2.0), Shape),
    )


class Counter1:
    def __init__(self):
        self.n = 0

    def inc(self, k=1):
        self.n += k
        return self


def chain(n):
    c = Counter1()
    for i in range(n):
        c.inc().inc(i)
    return c.n


class Welford:
    def __init__(self):
        self.n = 0
        self.mean = 0.0
        self.m2 = 0.0

    def push(self, x):
        self.n += 1
        d = x - self.mean
        self.mean += d / self.n
        self.m2 += d * (x - self.mean)

    @property
    def var(self):
        return self.m2 / (self.n - 1) if self.n > 1 else 0.0


def welford(a):
    w = Welford()
    for x in a:
        w.push(x)
    return w.mean, w.var, w.n


class Matrix:
    def __init__(self, data):
        self.data = data

    def __matmul__(self, o):
        return Matrix(self.data @ o.data)

    def T(self):
        return Matrix(self.data.T)

    def __getitem__(self, key):
        return self.data[key]

    def __setitem__(self, key, v):
        self.data[key] = v

    @property
    def shape(self):
        return self.data.shape


def matrix(a):
    m = Matrix(a.copy())
    m[0, 0] = 7.0
    p = m @ m.T()
    return p.data, m[0, 1], p.shape


class LCG:
    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state * 1103515245 + 12345) % 2147483648
        return self.state

    def uniform(self):
        return self.next() / 2147483648


def lcg_pi(n):
    r = LCG(42)
    inside = 0
    for _ in range(n):
        x = r.uniform()
        y = r.uniform()
        if x * x + y * y < 1:
            inside += 1
    return 4 * inside / n, r.state


class Stack:
    def __init__(self):
        self.items = []

    def push(self, x):
        self.items.append(x)

    def pop(self):
        if not self.items:
            raise IndexError("empty stack")
        return self.items.pop()

    def __len__(self):
        return len(self.items)

    def __contains__(self, x):
        return x in self.items


def stack(n):
    s = Stack()
    for i in range(n):
        s.push(i * i)
    t = 0
    while len(s):
        t = (t * 31 + s.pop()) % 1000
    return t


def stack_err(n):
    s = Stack()
    for i in range(n):
        s.push(i)
    for i in range(n + 1):
        s.pop()
    return 1


class UnionFind:
    def __init__(self, n):
        self.parent = list(range(n))
        self.size = [1] * n
        self.count = n

    def find(self, x):
        while self.parent[x] != x:
            self.parent[x] = self.parent[self.parent[x]]
            x = self.parent[x]
        return x

    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        if self.size[a] < self.size[b]:
            a, b = b, a
        self.parent[b] = a
        self.size[a] += self.size[b]
        self.count -= 1
        return True


def kruskal(n):
    uf = UnionFind(n)
    cost = 0
    for i in range(n):
        for j in (i * 7 % n, i * 3 % n, (i + 1) % n):
            if uf.union(i, j):
                cost += i ^ j
    return cost, uf.count, uf.find(3)


class Heap:
    def __init__(self):
        self.h = []

    def push(self, x):
        self.h.append(x)
        i = len(self.h) - 1
        while i and self.h[i] < self.h[(i - 1) // 2]:
            self.h[i], self.h[(i - 1) // 2] = self.h[(i - 1) // 2], self.h[i]
            i = (i - 1) // 2

    def pop(self):
        top = self.h[0]
        last = self.h.pop()
        if self.h:
            self.h[0] = last
            i = 0
            n = len(self.h)
            while True:
                c = 2 * i + 1
                if c >= n:
                    break
                if c + 1 < n and self.h[c + 1] < self.h[c]:
                    c += 1
                if self.h[i] <= self.h[c]:
                    break
                self.h[i], self.h[c] = self.h[c], self.h[i]
                i = c
        return top


def heap(n):
    h = Heap()
    for i in range(n):
        h.push(i * 37 % 101)
    return [h.pop() for _ in range(n)]


@dataclass
class Body:
    m: float
    pos: np.ndarray
    vel: np.ndarray = None
    tags: list = field(default_factory=list)

    def __post_init__(self):
        if self.vel is None:
            self.vel = np.zeros(3)

    def step(self, f, dt):
        self.vel = self.vel + f / self.m * dt
        self.pos = self.pos + self.vel * dt


def bodies(p):
    b = Body(2.0, p)
    for i in range(10):
        b.step(np.ones(3), 0.1)
    b.tags.append(3)
    return b.pos, b.vel, b.tags


@dataclass(order=True)
class Card:
    rank: int
    suit: int = 0

    def next(self):
        return Card(self.rank + 1, self.suit)


def cards(n):
    c = Card(3, n)
    d = c.next()
    return c < d, c == Card(3, n), d, max(c, d).rank


@dataclass(frozen=True)
class P3:
    x: float
    y: float

    def scaled(self, s):
        return P3(self.x * s, self.y * s)

    def __add__(self, o):
        return P3(self.x + o.x, self.y + o.y)


def frozen(n):
    p = P3(1.0, 2.0)
    for i in range(n):
        p = p + P3(0.5, i).scaled(2.0)
    return p


class Pair(NamedTuple):
    a: float
    b: float

    def total(self):
        return self.a + self.b


def namedt(x):
    p = Pair(x, 2.0)
    return p.total(), p._replace(a=5.0).total()


@functools.total_ordering
class Version:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __eq__(self, o):
        return (self.a, self.b) == (o.a, o.b)

    def __lt__(self, o):
        return (self.a, self.b) < (o.a, o.b)


def versions(n):
    v, w = Version(1, n), Version(1, 3)
    return v < w, v <= w, v > w, v >= w, v == w


class Poly:
    def __init__(self, *coef):
        self.coef = coef

    def __call__(self, x):
        r = 0.0
        for c in self.coef:
            r = r * x + c
        return r


def poly(x):
    p = Poly(1.0, 2.0, 3.0)
    return p(x), p(x) + p(2.0)


class Base:
    kind = "base"

    def __init__(self, x):
        self.x = x
        self.setup()

    def setup(self):
        self.y = self.x * 2

    def who(self):
        return self.kind


class Derived(Base):
    kind = "derived"

    def setup(self):
        super().setup()
        self.z = self.y + 1


def template(x):
    d = Derived(x)
    return d.z, d.y, d.who(), d.__class__ is Derived, type(d) is Base


class Grid:
    def __init__(self, n):
        self.n = n
        self.u = np.zeros((n, n))
        self.u[0] = 1.0

    def step(self):
        u = self.u
        new = u.copy()
        new[1:-1, 1:-1] = 0.25 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2])
        self.u = new

    def run(self, k):
        for _ in range(k):
            self.step()
        return self


def grid(n):
    return Grid(n).run(20).u.sum()


class Cached:
    def __init__(self, a):
        self.a = a

    @functools.cached_property
    def total(self):
        return self.a.sum()


def cached(a):
    c = Cached(a)
    return c.total + c.total


class Temp:
    def __init__(self, c):
        self._c = c

    @property
    def f(self):
        return self._c * 9 / 5 + 32

    @f.setter
    def f(self, v):
        self._c = (v - 32) * 5 / 9


def temp(x):
    t = Temp(x)
    a = t.f
    t.f = 100.0
    return a, t._c


def ret_obj(x):
    v = Vec(x, 1.0)
    return v, [v, v], {"a": v}


def same(x):
    v = Vec(x, 1.0)
    w = v
    w.x = 9.0
    return v.x, v is w, v is Vec(x, 1.0)


class Node:
    def __init__(self, v, nxt=None):
        self.v = v
        self.next = nxt


def linked(n):
    head = Node(1, Node(2, Node(n)))
    return head.next.next.v


def linked_list(n):
    head = None
    for i in range(n):
        head = Node(i, head)
    s = 0
    k = head
    while k is not None:
        s = s * 3 % 1000 + k.v
        k = k.next
    return s


class Particle:
    def __init__(self, x, v):
        self.x = x
        self.v = v

    def move(self, dt):
        self.x += self.v * dt

    def bounce(self):
        if self.x > 1 or self.x < 0:
            self.v = -self.v


def particles(n):
    ps = [Particle(0.1 * i % 1, 0.3 * i - 1) for i in range(n)]
    for _ in range(50):
        for p in ps:
            p.move(0.01)
            p.bounce()
    return sum(p.x for p in ps)


def particles_append(n):
    ps = []
    for i in range(n):
        ps.append(Particle(0.1 * i % 1, 0.3 * i - 1))
    for _ in range(50):
        for p in ps:
            p.move(0.01)
            p.bounce()
    return sum(p.x for p in ps)


def in_dict(n):
    d = {}
    for i in range(n):
        d[i * 7] = Particle(i * 1.0, 1.0)
    for k in d:
        d[k].move(0.5)
    return sum(p.x for p in d.values())


T = TypeVar("T")


class Box(Generic[T]):
    def __init__(self, v: T):
        self.v = v

    def get(self) -> T:
        return self.v


def box(x):
    return Box(x).get() + Box(2).get()


class State:
    def __init__(self):
        self.mode = "idle"
        self.n = 0

    def go(self):
        if self.mode == "idle":
            self.mode = "run"
        elif self.mode == "run":
            self.n += 1


def fsm(k):
    s = State()
    for _ in range(k):
        s.go()
    return s.mode, s.n


def cond(x):
    v = Vec(1.0, 2.0) if x > 0 else Vec(3.0, 4.0)
    return v.x + v.y


def cond2(x):
    v = Vec(1.0, 2.0)
    if x > 0:
        v = Vec(5.0, 1.0)
    v.x += 1.0
    return v.x


def lst(n):
    return [Vec(i, i + 1).norm2 for i in range(n)]


def sorted_objs(n):
    ps = [Vec(float(i * 7 % 5), 1.0) for i in range(5)]
    return [p.x for p in sorted(ps, key=lambda p: p.x)], min(ps, key=lambda p: abs(p)).x


class Vector:
    def __init__(self, x):
        self.x = x

    def __add__(self, other):
        return Vector(self.x + other.x)

    def __radd__(self, other):
        if other == 0:
            return self
        return NotImplemented


def summed(n):
    made = [Vector(float(i)) for i in range(n)]
    grown = []
    for i in range(n):
        grown.append(Vector(i))
    return sum(made).x, sum(grown).x, sum(grown, Vector(5)).x, sum(Vector(0.5) for _ in range(n)).x


CASES = [
    (vec_ops, (5,)),
    (vec_iter, (3.0,)),
    (vec_cls, (0.3,)),
    (vec_print, (2.5,)),
    (shapes, (2.0,)),
    (chain, (10,)),
    (welford, (np.arange(10.0) ** 2,)),
    (matrix, (np.arange(6.0).reshape(2, 3),)),
    (lcg_pi, (1000,)),
    (stack, (20,)),
    (stack_err, (3,)),
    (kruskal, (50,)),
    (heap, (40,)),
    (bodies, (np.zeros(3),)),
    (cards, (2,)),
    (frozen, (4,)),
    (namedt, (1.5,)),
    (versions, (2,)),
    (poly, (2.0,)),
    (template, (3,)),
    (grid, (12,)),
    (cached, (np.arange(4.0),)),
    (temp, (20.0,)),
    (ret_obj, (2.0,)),
    (same, (2.0,)),
    (linked, (5,)),
    (linked_list, (20,)),
    (particles, (5,)),
    (particles, (100,)),
    (particles_append, (100,)),
    (in_dict, (20,)),
    (box, (1.5,)),
    (fsm, (5,)),
    (cond, (1,)),
    (cond2, (1,)),
    (lst, (100,)),
    (sorted_objs, (3,)),
    (summed, (4,)),
    (summed, (1,)),
]
