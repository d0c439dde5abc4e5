"""Physical quantities with dimension tracking (tuples of exponents), parsing and conversion."""

from __future__ import annotations

from dataclasses import dataclass
from math import isclose
from typing import ClassVar


class DimensionError(TypeError):
    pass


@dataclass(frozen=True)
class Dim:
    length: int = 0
    mass: int = 0
    time: int = 0

    def __mul__(self, o: Dim) -> Dim:
        return Dim(self.length + o.length, self.mass + o.mass, self.time + o.time)

    def __truediv__(self, o: Dim) -> Dim:
        return Dim(self.length - o.length, self.mass - o.mass, self.time - o.time)

    def __pow__(self, n: int) -> Dim:
        return Dim(self.length * n, self.mass * n, self.time * n)

    def __str__(self):
        parts = [
            f"{s}{e if e != 1 else ''}"
            for s, e in (("m", self.length), ("kg", self.mass), ("s", self.time))
            if e
        ]
        return " ".join(parts) or "1"


@dataclass(frozen=True)
class Quantity:
    value: float
    dim: Dim
    UNITS: ClassVar[dict[str, tuple[float, Dim]]] = {}

    @classmethod
    def parse(cls, text: str) -> Quantity:
        number, *units = text.replace("*", " ").split()
        q = cls(float(number), Dim())
        sign = 1
        for u in units:
            if u == "/":
                sign = -1
                continue
            name, _, power = u.partition("^")
            if name not in cls.UNITS:
                raise KeyError(name)
            factor, dim = cls.UNITS[name]
            n = sign * int(power or 1)
            q = cls(q.value * factor**n, q.dim * dim**n)
        return q

    def _check(self, o: Quantity, what: str):
        if self.dim != o.dim:
            raise DimensionError(f"cannot {what} [{self.dim}] and [{o.dim}]")

    def __add__(self, o):
        self._check(o, "add")
        return Quantity(self.value + o.value, self.dim)

    def __sub__(self, o):
        self._check(o, "subtract")
        return Quantity(self.value - o.value, self.dim)

    def __mul__(self, o):
        if isinstance(o, (int, float)):
            return Quantity(self.value * o, self.dim)
        return Quantity(self.value * o.value, self.dim * o.dim)

    def __truediv__(self, o):
        return Quantity(self.value / o.value, self.dim / o.dim)

    def __lt__(self, o):
        self._check(o, "compare")
        return self.value < o.value

    def to(self, unit: str) -> float:
        factor, dim = self.UNITS[unit]
        self._check(Quantity(1.0, dim), "convert")
        return self.value / factor

    def __str__(self):
        return f"{self.value:.6g} {self.dim}"


Quantity.UNITS.update(
    {
        "m": (1.0, Dim(length=1)),
        "km": (1000.0, Dim(length=1)),
        "mi": (1609.344, Dim(length=1)),
        "kg": (1.0, Dim(mass=1)),
        "g": (1e-3, Dim(mass=1)),
        "s": (1.0, Dim(time=1)),
        "h": (3600.0, Dim(time=1)),
        "N": (1.0, Dim(1, 1, -2)),
        "J": (1.0, Dim(2, 1, -2)),
    }
)


def main(texts, sums):
    parsed = {}
    for t in texts:
        try:
            parsed[t] = str(Quantity.parse(t))
        except KeyError as e:
            parsed[t] = f"unknown unit {e}"
    results = []
    for a, op, b in sums:
        x, y = Quantity.parse(a), Quantity.parse(b)
        try:
            z = x + y if op == "+" else x - y if op == "-" else x * y if op == "*" else x / y
            results.append(str(z))
        except DimensionError as e:
            results.append(str(e))
    speed = Quantity.parse("90 km / h")
    far = max(
        [Quantity.parse("5 km"), Quantity.parse("3 mi"), Quantity.parse("4900 m")],
        key=lambda q: q.value,
    )
    return (
        parsed,
        results,
        isclose(speed.value, 25.0),
        far.to("mi"),
        min(far, Quantity.parse("1 mi")).to("km"),
    )


ARGS = [
    (
        ["3 km", "2 kg * m / s^2", "5 parsec", "7"],
        [
            ("1 km", "+", "1 mi"),
            ("1 kg", "+", "1 s"),
            ("3 N", "*", "2 m"),
            ("100 m", "/", "9.58 s"),
            ("1 h", "-", "60 s"),
            ("1 J", "-", "1 N"),
        ],
    )
]
