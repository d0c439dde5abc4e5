"""Unit conversion through a graph of known factors, with dimensional checks."""

import re
from dataclasses import dataclass
from fractions import Fraction


class UnitError(Exception):
    pass


class UnknownUnit(UnitError):
    pass


class DimensionMismatch(UnitError):
    pass


DEFINITIONS = """
# name = factor base
cm = 1/100 m
km = 1000 m
in = 254/100 cm
ft = 12 in
mile = 5280 ft
min = 60 s
h = 60 min
day = 24 h
g = 1/1000 kg
lb = 45359237/100000 g
oz = 1/16 lb
l = 1000 cm^3
N = 1 kg*m/s^2
J = 1 N*m
W = 1 J/s
kWh = 1000 W*h
mph = 1 mile/h
"""


@dataclass(frozen=True)
class Quantity:
    value: Fraction
    dims: tuple = ()

    @staticmethod
    def _combine(a, b, sign):
        dims = dict(a)
        for base, power in b:
            dims[base] = dims.get(base, 0) + sign * power
        return tuple(sorted((b, p) for b, p in dims.items() if p))

    def __mul__(self, other):
        return Quantity(self.value * other.value, self._combine(self.dims, other.dims, 1))

    def __truediv__(self, other):
        return Quantity(self.value / other.value, self._combine(self.dims, other.dims, -1))

    def __pow__(self, n):
        return Quantity(self.value**n, tuple((b, p * n) for b, p in self.dims))

    def __str__(self):
        text = "*".join(b if p == 1 else f"{b}^{p}" for b, p in self.dims)
        return f"{float(self.value):g} {text}".rstrip()


class Registry:
    pattern = re.compile(r"([*/]?)\s*([A-Za-z]+)(?:\^(-?\d+))?")

    def __init__(self, text):
        self.units = {b: Quantity(Fraction(1), ((b, 1),)) for b in ("m", "s", "kg")}
        for number, line in enumerate(text.splitlines(), 1):
            line = line.split("#")[0].strip()
            if not line:
                continue
            name, _, rest = line.partition("=")
            factor, unit = rest.split()
            name = name.strip()
            assert name not in self.units, f"line {number}: {name} again"
            self.units[name] = Quantity(Fraction(factor)) * self.parse(unit)

    def parse(self, text):
        result = Quantity(Fraction(1))
        for match in self.pattern.finditer(text):
            op, name, power = match.groups()
            if name not in self.units:
                raise UnknownUnit(f"unit {name!r} is not defined")
            unit = self.units[name]
            if power:
                unit = unit ** int(power)
            result = result / unit if op == "/" else result * unit
        return result

    def convert(self, amount, source, target):
        a, b = self.parse(source), self.parse(target)
        if a.dims != b.dims:
            raise DimensionMismatch(f"{source} is {a}, but {target} is {b}")
        return Fraction(amount) * a.value / b.value


def mixed(value, limit=100):
    near = value.limit_denominator(limit)
    whole, rest = divmod(near.numerator, near.denominator)
    sign = "" if near == value else "~"
    if not rest:
        return f"{sign}{whole}"
    return (
        f"{sign}{whole} {rest}/{near.denominator}" if whole else f"{sign}{rest}/{near.denominator}"
    )


def main(requests):
    registry = Registry(DEFINITIONS)
    answers, failures = {}, []
    for request in requests:
        amount, source, _, target = request.split()
        try:
            value = registry.convert(amount, source, target)
        except UnitError as e:
            failures.append((type(e).__name__, str(e)))
        else:
            answers[request] = str(value)
            print(f"{amount} {source} = {mixed(value)} {target} ({float(value):.6g})")
    for kind, text in failures:
        print(f"{kind}: {text}")
    by_dims = {}
    for name, q in registry.units.items():
        by_dims.setdefault(q.dims, []).append(name)
    families = sorted(
        (sorted(v) for v in by_dims.values() if len(v) > 1), key=lambda v: (-len(v), v)
    )
    return answers, failures, families


ARGS = [
    (["3 ft to in", "1 mile to km", "2.5 lb to kg", "60 mph to m/s", "1 kg to m"],),
    (
        [
            "1 kWh to J",
            "7/2 h to min",
            "5 l to ft^3",
            "9 parsec to m",
            "10 N*s to kg*m/s",
            "1 W to N",
        ],
    ),
]
