"""Interval arithmetic with directed slack, and a branch and prune root isolator."""

from dataclasses import dataclass
from functools import total_ordering
from typing import Callable, List, Tuple


@total_ordering
@dataclass(frozen=True, eq=False)
class Interval:
    lo: float
    hi: float

    def __post_init__(self):
        if self.lo > self.hi:
            raise ValueError(f"empty interval [{self.lo}, {self.hi}]")

    @classmethod
    def point(cls, x):
        return cls(x, x)

    def __add__(self, o):
        o = lift(o)
        return Interval(self.lo + o.lo, self.hi + o.hi)

    def __sub__(self, o):
        o = lift(o)
        return Interval(self.lo - o.hi, self.hi - o.lo)

    def __mul__(self, o):
        o = lift(o)
        p = [self.lo * o.lo, self.lo * o.hi, self.hi * o.lo, self.hi * o.hi]
        return Interval(min(p), max(p))

    def __truediv__(self, o):
        o = lift(o)
        if 0 in o:
            raise ZeroDivisionError(f"{o} contains zero")
        return self * Interval(1 / o.hi, 1 / o.lo)

    def __pow__(self, n: int):
        a, b = self.lo**n, self.hi**n
        if n % 2:
            return Interval(a, b)
        return Interval(0.0 if 0 in self else min(a, b), max(a, b))

    __radd__ = __add__
    __rmul__ = __mul__

    def __contains__(self, x):
        return self.lo <= x <= self.hi

    def __eq__(self, o):
        return (self.lo, self.hi) == (o.lo, o.hi)

    def __lt__(self, o):
        return self.hi < o.lo

    def __and__(self, o):
        lo, hi = max(self.lo, o.lo), min(self.hi, o.hi)
        return Interval(lo, hi) if lo <= hi else None

    @property
    def width(self):
        return self.hi - self.lo

    @property
    def mid(self):
        return 0.5 * (self.lo + self.hi)

    def halves(self):
        return Interval(self.lo, self.mid), Interval(self.mid, self.hi)

    def __str__(self):
        return f"[{self.lo:.4f}, {self.hi:.4f}]"


def lift(x):
    return x if isinstance(x, Interval) else Interval.point(float(x))


def isolate(f: Callable, box: Interval, tol: float) -> Tuple[List[Interval], int]:
    found, stack, visits = [], [box], 0
    while stack:
        x = stack.pop()
        visits += 1
        if 0.0 not in f(x):
            continue
        if x.width < tol:
            if found and (found[-1] & x) is not None:
                found[-1] = Interval(min(found[-1].lo, x.lo), max(found[-1].hi, x.hi))
            else:
                found.append(x)
            continue
        left, right = x.halves()
        stack += [right, left]
    return found, visits


def cubic(x):
    return x**3 - 3 * x + 1


def quartic(x):
    return (x**2 - 2) * (x**2 - 5.5) + 0.25


def main(tol):
    out = []
    for f in (cubic, quartic):
        roots, visits = isolate(f, Interval(-4.0, 4.0), tol)
        out.append((f.__name__, [str(r) for r in roots], visits))
    a, b = Interval(1.0, 2.0), Interval(-1.0, 3.0)
    errors = []
    for g in (lambda: a / b, lambda: Interval(2.0, 1.0)):
        try:
            errors.append(str(g()))
        except (ZeroDivisionError, ValueError) as e:
            errors.append(f"{type(e).__name__}: {e}")
    return out, str(a / Interval(2.0, 4.0)), a < Interval(2.5, 3.0), a >= b, errors, str(a & b)


ARGS = [(1e-3,)]
