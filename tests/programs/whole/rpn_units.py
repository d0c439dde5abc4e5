"""Physical quantities with units: operator overloading on mixed types, __r*__, NotImplemented, UnitError; a conversion graph."""

from __future__ import annotations

import math
from collections import deque
from fractions import Fraction

BASE = ("m", "kg", "s")


class UnitError(TypeError):
    def __init__(self, op: str, a: str, b: str):
        self.op = op
        super().__init__(f"cannot {op} {a} and {b}")


class Quantity:
    __slots__ = ("dim", "value")

    def __init__(self, value: float, dim: tuple[int, int, int] = (0, 0, 0)):
        self.value = float(value)
        self.dim = dim

    @property
    def unit(self) -> str:
        num = "*".join(f"{n}^{p}" if p != 1 else n for n, p in zip(BASE, self.dim) if p > 0)
        den = "*".join(f"{n}^{-p}" if p != -1 else n for n, p in zip(BASE, self.dim) if p < 0)
        if den:
            return f"{num or 1}/{den}"
        return num or "1"

    def _same(self, other: Quantity, op: str) -> None:
        if self.dim != other.dim:
            raise UnitError(op, self.unit, other.unit)

    def __add__(self, other):
        if not isinstance(other, Quantity):
            other = Quantity(other)
        self._same(other, "add")
        return Quantity(self.value + other.value, self.dim)

    __radd__ = __add__

    def __sub__(self, other):
        return self + other * -1

    def __mul__(self, other):
        if isinstance(other, Quantity):
            return Quantity(
                self.value * other.value, tuple(a + b for a, b in zip(self.dim, other.dim))
            )
        return Quantity(self.value * other, self.dim)

    __rmul__ = __mul__

    def __pow__(self, n: int):
        return Quantity(self.value**n, tuple(d * n for d in self.dim))

    def __truediv__(self, other):
        if isinstance(other, Quantity):
            return self * other**-1
        return Quantity(self.value / other, self.dim)

    def __rtruediv__(self, other):
        return Quantity(other / self.value, tuple(-d for d in self.dim))

    def __lt__(self, other):
        self._same(other, "compare")
        return self.value < other.value

    def __eq__(self, other):
        return (
            isinstance(other, Quantity)
            and self.dim == other.dim
            and math.isclose(self.value, other.value)
        )

    def __abs__(self):
        return Quantity(abs(self.value), self.dim)

    def __float__(self):
        if any(self.dim):
            raise UnitError("convert", self.unit, "float")
        return self.value

    def __format__(self, spec):
        return f"{self.value:{spec or 'g'}} {self.unit}"

    def __str__(self):
        return format(self, "")


M, KG, S = Quantity(1, (1, 0, 0)), Quantity(1, (0, 1, 0)), Quantity(1, (0, 0, 1))
KM, HOUR = 1000 * M, 3600 * S
NEWTON = KG * M / S**2


class Converter:
    def __init__(self, table):
        self.edges: dict[str, list[tuple[str, float]]] = {}
        for a, b, k in table:
            self.edges.setdefault(a, []).append((b, k))
            self.edges.setdefault(b, []).append((a, 1 / k))

    def factor(self, src: str, dst: str) -> tuple[float, list[str]]:
        if src not in self.edges:
            raise KeyError(src)
        q = deque([(src, 1.0, [src])])
        seen = {src}
        while q:
            u, k, path = q.popleft()
            if u == dst:
                return k, path
            for v, w in self.edges[u]:
                if v not in seen:
                    seen.add(v)
                    q.append((v, k * w, path + [v]))
        raise LookupError(f"no way from {src} to {dst}")


def main(mass, height, table, asks):
    g = 9.81 * M / S**2
    energy = mass * KG * g * (height * M)
    speed = Quantity(math.sqrt(2 * g.value * height), (1, 0, -1))
    kinetic = 0.5 * (mass * KG) * speed**2
    limit = 50 * KM / HOUR
    out = [
        str(energy),
        f"{speed:.2f}",
        f"{limit:8.3f}",
        str(NEWTON * (2 * M)),
        str(1 / S),
        str(abs(-3 * M)),
        f"{speed / limit:.1%}",
    ]
    errs = []
    for f in (lambda: M + S, lambda: KG < M, lambda: float(limit), lambda: M - 3):
        try:
            errs.append(str(f()))
        except UnitError as e:
            errs.append(f"{e.op}: {e}")
    c = Converter(table)
    conv = []
    for a, b in asks:
        try:
            k, path = c.factor(a, b)
            conv.append((round(k, 6), ">".join(path)))
        except KeyError as e:
            conv.append((0.0, f"unknown {e}"))
        except LookupError as e:
            conv.append((-1.0, str(e)))
    total = sum([1 * M, 2 * M, 3 * M], 0 * M)
    frac = Fraction(1, 3) + Fraction(1, 6)
    return (
        out,
        errs,
        conv,
        kinetic == energy,
        total.value,
        float(speed / speed),
        max([limit, speed]).value,
        str(frac),
        (frac.numerator, frac.denominator),
    )


ARGS = [
    (
        2.0,
        10.0,
        [
            ("mile", "km", 1.609344),
            ("km", "m", 1000.0),
            ("m", "ft", 3.28084),
            ("lb", "kg", 0.45359237),
        ],
        [("mile", "ft"), ("ft", "mile"), ("kg", "m"), ("stone", "kg")],
    )
]
