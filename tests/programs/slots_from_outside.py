"""Instances with slots from outside the function."""

from dataclasses import dataclass


class Q:
    __slots__ = ("v", "w")

    def __init__(self, v):
        self.v = v

    def __mul__(self, o):
        if isinstance(o, Q):
            return Q(self.v * o.v)
        return Q(self.v * o)

    __rmul__ = __mul__

    def bump(self):
        self.v += 1.0
        return self


M = Q(2.0)
ALL = [Q(1.0), Q(2.0)]


def operators(x):
    g = x * M
    return g.v, (M * M).v


def compared(n):
    best = ALL[0]
    for q in ALL:
        if q.v > best.v:
            best = q
    return best.v, best is ALL[1]


def changed(n):
    M.v = float(n)
    M.bump()
    return M.v


@dataclass(frozen=True, slots=True)
class C:
    r: int
    c: int

    def __add__(self, o):
        return C(self.r + o.r, self.c + o.c)


START = C(0, 0)


def frozen(n):
    at = START
    for i in range(n):
        at = at + C(1, i)
    return at, at == C(n, 3)


def of_an_argument(q):
    p = q
    for i in range(3):
        p = p * 2.0
    return p.v, q.v


CASES = [
    (operators, (3.0,)),
    (compared, (1,)),
    (changed, (1,)),
    (frozen, (3,)),
    (of_an_argument, (Q(1.5),)),
]
