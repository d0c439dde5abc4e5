"""Forward mode differentiation with dual numbers, Newton's method and a small jet of functions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import reduce


@dataclass(frozen=True)
class Dual:
    re: float
    du: float = 0.0

    @staticmethod
    def of(x) -> Dual:
        return x if isinstance(x, Dual) else Dual(float(x))

    def __add__(self, o):
        o = Dual.of(o)
        return Dual(self.re + o.re, self.du + o.du)

    __radd__ = __add__

    def __neg__(self):
        return Dual(-self.re, -self.du)

    def __sub__(self, o):
        return self + -Dual.of(o)

    def __rsub__(self, o):
        return Dual.of(o) - self

    def __mul__(self, o):
        o = Dual.of(o)
        return Dual(self.re * o.re, self.re * o.du + self.du * o.re)

    __rmul__ = __mul__

    def __truediv__(self, o):
        o = Dual.of(o)
        return Dual(self.re / o.re, (self.du * o.re - self.re * o.du) / o.re**2)

    def __rtruediv__(self, o):
        return Dual.of(o) / self

    def __pow__(self, k):
        return Dual(self.re**k, k * self.re ** (k - 1) * self.du)

    def __lt__(self, o):
        return self.re < Dual.of(o).re

    def __repr__(self):
        return f"{self.re:.6f}{self.du:+.6f}e"


def sin(x):
    return Dual(math.sin(x.re), math.cos(x.re) * x.du) if isinstance(x, Dual) else math.sin(x)


def exp(x):
    if isinstance(x, Dual):
        e = math.exp(x.re)
        return Dual(e, e * x.du)
    return math.exp(x)


def horner(coeffs):
    return lambda x: reduce(lambda acc, c: acc * x + c, coeffs, 0)


def derivative(f):
    def df(x):
        return f(Dual(x, 1.0)).du

    return df


def newton(f, x, tol=1e-12, limit=50):
    for k in range(limit):
        y = f(Dual(x, 1.0))
        if abs(y.re) < tol:
            return x, k
        x -= y.re / y.du
    raise ArithmeticError(f"no root near {x:.3f}")


def main(points):
    functions = {
        "cubic": horner([1, 0, -2, -5]),
        "mix": lambda x: sin(x) * exp(-x / 2) + 1 / (1 + x * x),
        "shift": lambda x: exp(x) - 3,
        "none": lambda x: x * x + 1,
    }
    table = {}
    for name, f in functions.items():
        df = derivative(f)
        row = [round(df(p), 10) for p in points]
        try:
            root, steps = newton(f, 2.0)
            table[name] = (row, round(root, 10), steps)
        except ArithmeticError as e:
            table[name] = (row, str(e), -1)
    return table, repr(functions["mix"](Dual(0.5, 1.0)))


ARGS = [([0.0, 0.5, 1.0, 2.5],)]
