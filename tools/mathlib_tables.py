"""src/mathlib/tables.h: polynomials and tables of the math functions, computed with mpmath.

A polynomial interpolates its function in Chebyshev's nodes of the interval, which is within a small
factor of the least error. Run `python tools/mathlib_tables.py` after a change.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from mpmath import mp, mpf

mp.prec = 300
_TARGET = Path(__file__).parents[1] / "src" / "mathlib" / "tables.h"
Function = Callable[[mpf], mpf]


class Kind(NamedTuple):
    """A floating-point type: its name, its bits, and those kept where sums must be exact."""

    name: str
    bits: int
    coarse: int  # of multiples of the logarithm: what is below 2**-coarse goes to the low part

    def round(self, x: mpf) -> mpf:
        with mp.workprec(self.bits):
            return +mpf(x)

    def with_bits(self, x: mpf, more: int) -> mpf:
        """The number whose bits, as an integer, are those of x and so many more."""
        number, integer = ("d", "q") if self.name == "double" else ("f", "i")
        (bits,) = struct.unpack(integer, struct.pack(number, float(x)))
        return mpf(struct.unpack(number, struct.pack(integer, bits + more))[0])

    def exponent(self, k: int) -> int:
        """The bits of 2**k's exponent."""
        return k + (1023 if self.name == "double" else 127)

    def exact(self, f: Function, near: mpf) -> mpf:
        """Of the numbers next to `near` that where f is most nearly a number of the type."""
        unit = mpf(2) ** (mp.floor(mp.log(near, 2)) + 1 - self.bits)

        def error(x: mpf) -> mpf:
            return abs(f(x) - self.round(f(x)))

        return min((self.round(near) + k * unit for k in range(-100, 101)), key=error)

    def text(self, x: mpf) -> str:
        return float(self.round(x)).hex() + ("f" if self.name == "float" else "")


KINDS = (Kind("double", 53, 42), Kind("float", 24, 16))


def interpolated(f: Function, low: mpf, high: mpf, count: int) -> list[mpf]:
    """Coefficients, lowest power first, of the polynomial through `count` of Chebyshev's nodes."""
    middle, half = (mpf(low) + high) / 2, (mpf(high) - low) / 2
    nodes = [middle + half * mp.cos(mp.pi * (2 * k + 1) / (2 * count)) for k in range(count)]
    matrix = mp.matrix(count, count)
    for row, x in enumerate(nodes):
        for column in range(count):
            matrix[row, column] = x**column
    return list(mp.lu_solve(matrix, mp.matrix([f(x) for x in nodes])))


def tail(f: Function, terms: int, power: int) -> Function:
    """(f - its first Taylor terms) / x**power, without the division 0 / 0."""
    series = mp.taylor(f, 0, terms + 40)
    start = next(k for k in range(power, len(series)) if series[k] != 0)
    rest = series[start:]
    return lambda x: mp.polyval(rest[::-1], x) * x ** (start - power)


def even(f: Function) -> Function:
    return lambda z: f(mp.sqrt(z))


def pair(kind: Kind, x: mpf, coarse: bool = False) -> tuple[mpf, mpf]:
    unit = mpf(2) ** kind.coarse
    high = mp.nint(x * unit) / unit if coarse else kind.round(x)
    return high, x - high


def polynomials(kind: Kind) -> Iterable[tuple[str, list[mpf]]]:
    wide = kind.name == "double"

    def fit(f: Function, low: mpf, high: mpf, doubles: int, floats: int) -> list[mpf]:
        return interpolated(f, mpf(low), mpf(high), doubles if wide else floats)

    eighth = (mp.pi / 4 * 1.01) ** 2
    yield "sinTail", fit(even(tail(mp.sin, 60, 3)), eighth / 1000, eighth, 6, 4)
    yield "cosTail", fit(even(tail(mp.cos, 60, 4)), eighth / 1000, eighth, 6, 3)
    yield "sinhTail", fit(even(tail(mp.sinh, 60, 3)), mpf(1) / 1000, mpf(1), 7, 4)
    yield "cotTail", fit(even(cot_tail), eighth / 1000, eighth, 9, 4)
    yield "asinTail", fit(asin_tail, mpf(1) / 10**6, mpf(1) / 4, 13, 6)
    first, last = ((x - ERFC_CENTRE) / (x + ERFC_CENTRE) for x in (mpf(1) / 2, mpf(28)))
    yield "erfcTail", fit(erfc_tail, first, last, 23, 11)
    yield "erfTail", fit(erf_tail, mpf(1) / 10**9, mpf(1) / 4, 9, 5)
    yield "gammaTail", fit(gamma_tail, -mpf(1) / 2, mpf(1) / 2, 18, 8)
    small = mpf("0.147")  # what these are for is below: smallLog in logarithm.h
    yield "atanhTail", fit(even(tail(mp.atanh, 100, 3)), small**2 / 4000, small**2 / 4, 6, 3)
    yield "asinhTail", fit(even(tail(mp.asinh, 100, 3)), small**2 / 1000, small**2, 8, 4)
    above = mp.cosh(small) - 1
    yield "acoshTail", fit(acosh_tail, above / 10**4, above, 7, 3)
    yield "stirling", fit(stirling, mpf(1) / 10**8, mpf(1) / 80, 7, 3)


ERFC_CENTRE = mpf("3.5")


def gamma_tail(t: mpf) -> mpf:
    """log gamma(2 + t) without its first two terms, over t**3"""
    series = [(-1) ** k * (mp.zeta(k) - 1) / k for k in range(3, 90)]
    return mp.polyval(series[::-1], t)


def stirling(w: mpf) -> mpf:
    """x times what Stirling's formula leaves of log gamma(x), for w = 1 / x**2."""
    x = 1 / mp.sqrt(w)
    return x * (mp.loggamma(x) - (x - mpf(1) / 2) * mp.log(x) + x - mp.log(2 * mp.pi) / 2)


def erfc_factor(q: mpf) -> mpf:
    """erfc(x) e^(x^2) (1 + 2 x) for q = (x - 3.5) / (x + 3.5)."""
    x = ERFC_CENTRE * (1 + q) / (1 - q)
    return mp.erfc(x) * mp.exp(x * x) * (1 + 2 * x)


def erfc_tail(q: mpf) -> mpf:
    return (erfc_factor(q) - erfc_factor(mpf(0))) / q


def erf_tail(z: mpf) -> mpf:
    s = mp.sqrt(z)
    return mp.erf(s) / s - 1


def cot_tail(r: mpf) -> mpf:
    """1 - r**2 / 3 - r cot r, over r**4"""
    return (1 - r**2 / 3 - r * mp.cot(r)) / r**4


def asin_tail(z: mpf) -> mpf:
    s = mp.sqrt(z)
    return (mp.asin(s) - s) / s**3


def acosh_tail(e: mpf) -> mpf:
    root = mp.sqrt(2 * e)
    return (mp.acosh(1 + e) - root) / (root * e)


class Powers(NamedTuple):
    """How many powers of 2 an octave has, and how long the polynomials between them are."""

    kind: Kind
    entries: int
    exp: int
    expm1: int
    exp2: int

    def numbers(self) -> Iterable[tuple[str, mpf]]:
        ln2, ln10 = mp.log(2), mp.log(10)
        for name, per_unit in (("exp", ln2), ("exp10", ln2 / ln10)):
            high, low = pair(self.kind, per_unit / self.entries)
            yield name + "Inverse", self.entries / per_unit
            yield name + "StepHi", high
            yield name + "StepLo", low

    def polynomials(self) -> Iterable[tuple[str, list[mpf]]]:
        reach = mpf(1) / (2 * self.entries)
        step = mp.log(2) * reach * 1.001
        yield "expTail", interpolated(tail(mp.exp, 40, 2), -step, step, self.exp)
        yield "expm1Tail", interpolated(tail(mp.exp, 40, 2), -step, step, self.expm1)
        exp2 = tail(lambda x: mpf(2) ** x, 40, 2)
        yield "exp2Tail", interpolated(exp2, -reach, reach, self.exp2)

    def tables(self) -> Iterable[tuple[str, list[mpf]]]:
        powers = [pair(self.kind, mpf(2) ** (mpf(j) / self.entries)) for j in range(self.entries)]
        octave = (1 << self.kind.bits - 1) // self.entries
        yield "power", [self.kind.with_bits(p[0], -j * octave) for j, p in enumerate(powers)]
        yield "powerRest", [p[1] / p[0] for p in powers]


POWERS = (
    Powers(KINDS[0], 16, exp=5, expm1=6, exp2=5),
    Powers(KINDS[0], 4, exp=8, expm1=8, exp2=7),
    Powers(KINDS[1], 16, exp=2, expm1=3, exp2=3),
    Powers(KINDS[1], 4, exp=4, expm1=4, exp2=4),
)


class Intervals(NamedTuple):
    """Of log's mantissas: how many there are, and how long the polynomials within them."""

    kind: Kind
    entries: int
    below: int  # how much of the octave before belongs to the first, in 256ths
    tail: int
    long_tail: int

    def inverse(self, j: int) -> mpf:
        """About 1 / z in the middle of the interval j. Of 16 only next to 1 of so few bits that z
        times it, less 1, is exact; of 4 everywhere.
        """
        if self.entries == 4:
            return mpf((16, 13, 11, 9)[j]) / 16
        known = {0: mpf(1), 1: mpf(15) / 16, 15: mpf(33) / 64}
        middle = 1 + (j + mpf(1) / 2) / 16 - mpf(self.below) / 256
        return known.get(j, mp.nint(512 / middle) / 512)

    def long_inverses(self) -> list[mpf]:
        """Of 5 bits after the point, with which z times it, less 1, is exact everywhere."""
        return [mp.nint(32 * self.inverse(j)) / 32 for j in range(self.entries)]

    def long_reach(self) -> tuple[mpf, mpf]:
        """Of z times the long inverse, less 1."""
        rests = []
        for j, inverse in enumerate(self.long_inverses()):
            for end in (j, j + 1):  # the first interval begins in the octave before
                z = 1 + mpf(end) / self.entries - mpf(self.below) / 256
                rests.append((z if z >= 1 else (1 + z) / 2) * inverse - 1)
        return min(rests), max(rests)

    def numbers(self) -> Iterable[tuple[str, mpf]]:
        yield "below", mpf(self.below)

    def polynomials(self) -> Iterable[tuple[str, list[mpf]]]:
        low, high = ("-0.0318", "0.0352") if self.entries == 16 else ("-0.1114", "0.0958")
        log1p = tail(lambda x: mp.log(1 + x), 60, 3)
        if self.entries == 4:
            rest = tail(lambda x: mp.log(1 + x), 60, 2)
            yield "curve", interpolated(rest, mpf(low), mpf(high), self.tail + 1)
        else:
            yield "tail", interpolated(log1p, mpf(low), mpf(high), self.tail)
            fourth = tail(lambda x: mp.log(1 + x), 60, 4)
            yield "longTail", interpolated(fourth, *self.long_reach(), self.long_tail)

    def tables(self) -> Iterable[tuple[str, list[mpf]]]:
        inverses = [self.inverse(j) for j in range(self.entries)]
        yield "inverse", inverses
        for name, base in (("log", mp.e), ("log2", mpf(2)), ("log10", mpf(10))):
            logs = [pair(self.kind, -mp.log(c) / mp.log(base), coarse=True) for c in inverses]
            yield name + "Hi", [p[0] for p in logs]
            yield name + "Lo", [p[1] for p in logs]
        if self.entries == 16:
            inverses = self.long_inverses()
            logs = [pair(self.kind, -mp.log(c), coarse=True) for c in inverses]
            yield "longInverse", inverses
            yield "longLogHi", [p[0] for p in logs]
            yield "longLogLo", [p[1] for p in logs]


INTERVALS = (
    Intervals(KINDS[0], 16, below=7, tail=8, long_tail=11),
    Intervals(KINDS[0], 4, below=40, tail=12, long_tail=0),
    Intervals(KINDS[1], 16, below=7, tail=3, long_tail=3),
    Intervals(KINDS[1], 4, below=40, tail=5, long_tail=0),
)


class Ratios(NamedTuple):
    """Those whose arcs are known, from 0 on, and how long the polynomial between them is."""

    kind: Kind
    entries: int
    tail: int

    def numbers(self) -> Iterable[tuple[str, mpf]]:
        return ()

    def polynomials(self) -> Iterable[tuple[str, list[mpf]]]:
        # The largest ratio is 1, beyond the last by more than by half.
        angle = (mpf(1) / mpf("6.99")) ** 2
        yield "tail", interpolated(even(tail(mp.atan, 100, 3)), angle / 1000, angle, self.tail)

    def tables(self) -> Iterable[tuple[str, list[mpf]]]:
        arcs = [pair(self.kind, mp.atan(mpf(j) / self.entries)) for j in range(self.entries)]
        yield "hi", [p[0] for p in arcs]
        yield "lo", [p[1] for p in arcs]


class Octaves(NamedTuple):
    """Ratios one a part of an octave, between two powers of 2, and one on each side, found by the
    bits of exponent and mantissa. Their arcs are numbers of the type, but for a hundredth.
    """

    kind: Kind
    entries: int
    parts: int  # of an octave
    first: int  # exponents: of the interval next to 0's,
    last: int  # of that up to infinity
    tail: int

    def numbers(self) -> Iterable[tuple[str, mpf]]:
        """Beyond which ratios belong to the first and the last interval."""
        first, last = mpf(2) ** self.first, mpf(2) ** self.last
        yield "least", first - first / 2 / self.parts
        yield "most", last

    def intervals(self) -> Iterable[tuple[int, mpf, mpf]]:
        """Of all but the first: the number, that of the first being 0, and the ends' arcs."""
        count = (self.last - self.first) * self.parts + 1
        ends = [
            mp.atan(
                mpf(2) ** (self.first + k // self.parts) * (1 + mpf(k % self.parts) / self.parts)
            )
            for k in range(count)
        ]
        return [(k + 1, low, high) for k, (low, high) in enumerate(pairwise([*ends, mp.pi / 2]))]

    def polynomials(self) -> Iterable[tuple[str, list[mpf]]]:
        z = max(mpf(2) ** self.first, *(mp.tan((b - a) / 2) for _, a, b in self.intervals())) ** 2
        yield "tail", interpolated(even(tail(mp.atan, 100, 3)), z / 1000, z, self.tail)

    def tables(self) -> Iterable[tuple[str, list[mpf]]]:
        ratios, arcs = [mpf(0)] * self.entries, [mpf(0)] * self.entries
        before = (self.kind.exponent(self.first) * self.parts - 1) % self.entries
        for k, low, high in self.intervals():
            ratio = self.kind.exact(mp.atan, mp.tan((low + high) / 2))
            place = (before + k) % self.entries
            ratios[place], arcs[place] = ratio, mp.atan(ratio)
        yield "ratio", ratios
        yield "arc", arcs


RATIOS = (
    Octaves(KINDS[0], 16, parts=2, first=-3, last=2, tail=6),
    Ratios(KINDS[0], 4, tail=7),
    Octaves(KINDS[1], 32, parts=4, first=-4, last=3, tail=2),
    Ratios(KINDS[1], 4, tail=3),
)


class Cubes(NamedTuple):
    """What leads to a number next to the cube root of s, from 1 to 8: known ones (32 entries), a
    line in each quarter of an octave (16), a polynomial of the inverse root (4); and how long the
    polynomial of what is left is, which is below `reach`.
    """

    kind: Kind
    entries: int
    tail: int
    reach: str

    @property
    def half(self) -> mpf:
        """Of the last place of numbers from 1 to 2 whose cubes are exact."""
        return mpf(2) ** (-17 if self.kind.name == "double" else -8)

    def numbers(self) -> Iterable[tuple[str, mpf]]:
        if self.entries == 4:
            yield "half", self.half

    def polynomials(self) -> Iterable[tuple[str, list[mpf]]]:
        def root(r: mpf) -> mpf:  # of s, by what it has more than the cube, over the cube or over s
            return mp.cbrt(1 + r) if self.entries == 32 else 1 / mp.cbrt(1 - r)

        reach = mpf(self.reach)
        yield "tail", interpolated(tail(root, 60, 1), -reach, reach, self.tail)
        if self.entries == 4:
            yield "guess", interpolated(lambda x: 1 / mp.cbrt(x), mpf(1), mpf(2), 4)

    def tables(self) -> Iterable[tuple[str, list[mpf]]]:
        if self.entries == 4:
            yield "factor", [1 / mp.cbrt(mpf(2) ** (j % 3)) for j in range(4)]
            return
        roots, starts, slopes = ([mpf(1)] * self.entries for _ in range(3))
        parts = self.entries // 4
        for k in range(3 * parts):  # at their bits of exponent and mantissa
            place = (parts * self.kind.exponent(0) + k) % self.entries
            octave = mpf(2) ** (k // parts)
            low = octave * (1 + mpf(k % parts) / parts)
            high = low + octave / parts
            roots[place] = mp.nint(mp.cbrt((low + high) / 2) * 128) / 128
            start, slopes[place] = interpolated(mp.cbrt, low, high, 2)
            starts[place] = start + self.half
        if self.entries == 16:
            yield from (("start", starts), ("slope", slopes))
        else:
            yield "root", roots
            yield "cube", [y**3 for y in roots]
            yield "inverse", [1 / y**3 for y in roots]


CUBES = (
    Cubes(KINDS[0], 16, tail=5, reach="0.0022"),
    Cubes(KINDS[0], 4, tail=5, reach="0.0022"),
    Cubes(KINDS[1], 32, tail=4, reach="0.066"),
    Cubes(KINDS[1], 4, tail=3, reach="0.0145"),
)


def step_logs(kind: Kind) -> Iterable[tuple[str, list[mpf]]]:
    """Of 1 + j / 16."""
    logs = [pair(kind, mp.log(1 + mpf(j) / 16), coarse=True) for j in range(16)]
    yield "stepLogHi", [p[0] for p in logs]
    yield "stepLogLo", [p[1] for p in logs]


def tanh_interval(kind: Kind, j: int) -> tuple[mpf, mpf]:
    """The ends of interval j: [0, 1/4), [1/4, 3/8), [3/8, 1/2), [1/2, 3/4) ..."""
    if j == 0:
        return mpf(0), mpf(1) / 4
    octave, upper = divmod(j - 1, 2)
    unit = mpf(2) ** (octave - 3)
    return unit * (2 + upper), unit * (3 + upper)


def tanh_tables(kind: Kind) -> Iterable[tuple[str, list[mpf]]]:
    """By the interval: its middle, the value there as hi + lo, the slope, higher coefficients."""
    count = 15 if kind.name == "double" else 6
    rows = []
    for j in range(16):
        low, high = tanh_interval(kind, j)
        middle = mpf(0) if j == 0 else (low + high) / 2
        value = mp.tanh(middle)
        slope = 1 - value**2

        def rest(d: mpf, m: mpf = middle, v: mpf = value, s: mpf = slope) -> mpf:
            return (mp.tanh(m + d) - v - s * d) / d**2 if abs(d) > 1e-20 else -v * s

        higher = interpolated(rest, low - middle, high - middle, count)
        rows.append([middle, *pair(kind, value), slope, *higher])
    for k, name in enumerate(("tanhMiddle", "tanhHi", "tanhLo", "tanhSlope")):
        yield name, [row[k] for row in rows]
    yield "tanhHigher", [row[4 + k] for k in range(count) for row in rows]


def numbers(kind: Kind) -> Iterable[tuple[str, mpf]]:
    ln2, ln10 = mp.log(2), mp.log(10)
    for name, x in (("ln2", ln2), ("log10of2", ln2 / ln10)):
        high, low = pair(kind, x, coarse=True)
        yield name + "Coarse", high
        yield name + "Rest", low
    for name, x in (("log2e", 1 / ln2), ("log10e", 1 / ln10), ("ln2", ln2), ("ln10", ln10)):
        high, low = pair(kind, x)
        yield name + "Hi", high
        if name != "ln2":
            yield name + "Lo", low
    high, low = pair(kind, erfc_factor(mpf(0)))
    yield "erfcHi", high
    yield "erfcLo", low
    high, low = pair(kind, mpf(1) / 3)
    yield "thirdHi", high
    yield "thirdLo", low
    high, low = pair(kind, 1 - mp.euler)
    yield "gammaSlopeHi", high
    yield "gammaSlopeLo", low
    high, low = pair(kind, (mp.zeta(2) - 1) / 2)
    yield "gammaBendHi", high
    yield "gammaBendLo", low
    high, low = pair(kind, (mp.log(2 * mp.pi) - 1) / 2)
    yield "stirlingHi", high
    yield "stirlingLo", low
    rest = mp.pi / 2
    yield "twoOverPi", 1 / rest
    for part in ("halfPi0", "halfPi1", "halfPi2"):
        high = kind.round(rest)
        yield part, high
        rest -= high


def listing(kind: Kind, values: list[mpf]) -> str:
    lines, line = [], "       "
    for value in values:
        word = f" {kind.text(value)},"
        if len(line) + len(word) > 98:
            lines.append(line)
            line = "       "
        line += word
    return "\n".join([*lines, line])


Named = Iterable[tuple[str, list[mpf]]]


def members(
    kind: Kind, width: int, numbers: Iterable[tuple[str, mpf]], polynomials: Named, tables: Named
) -> Iterable[str]:
    """The text of a struct; tables of more than `width` numbers are rows of as many."""
    for name, value in numbers:
        yield f"    static constexpr {kind.name} {name} = {kind.text(value)};"
    for name, values in polynomials:
        yield f"    static constexpr {kind.name} {name}[{len(values)}] = {{"
        yield from (listing(kind, values), "    };")
    for name, values in tables:  # looked up as whole vectors
        rows = [listing(kind, values[k : k + width]) for k in range(0, len(values), width)]
        size = f"[{len(values)}]" if len(rows) == 1 else f"[{len(rows)}][{width}]"
        yield f"    alignas(64) static constexpr {kind.name} {name}{size} = {{"
        yield from rows if len(rows) == 1 else [f"        {{\n{row}\n        }}," for row in rows]
        yield "    };"


def header() -> str:
    lines = [
        "// Polynomials (lowest power first) and tables. Generated by tools/mathlib_tables.py.",
        "// clang-format off",
        "#pragma once",
        "",
        "#include <stdint.h>",
        "",
        "namespace shapecast::mathlib {",
        "",
        "template <class T> struct Tables;",
        "// exp's, with so many powers of 2 an octave.",
        "template <class T, int powers> struct PowerTables;",
        "// log's, with so many intervals of mantissas.",
        "template <class T, int intervals> struct LogTables;",
        "// atan's, of so many ratios.",
        "template <class T, int ratios> struct ArcTables;",
        "// cbrt's.",
        "template <class T, int entries> struct CubeTables;",
    ]
    for kind in KINDS:
        lines += ["", f"template <> struct Tables<{kind.name}> {{"]
        looked_up = (*step_logs(kind), *tanh_tables(kind))
        lines += [*members(kind, 16, numbers(kind), polynomials(kind), looked_up), "};"]
    families = (
        ("PowerTables", POWERS),
        ("LogTables", INTERVALS),
        ("ArcTables", RATIOS),
        ("CubeTables", CUBES),
    )
    for name, several in families:
        for t in several:
            lines += ["", f"template <> struct {name}<{t.kind.name}, {t.entries}> {{"]
            lines += [*members(t.kind, t.entries, t.numbers(), t.polynomials(), t.tables()), "};"]
    mp.prec = 1400
    words = [int(mp.floor(2 / mp.pi * mpf(2) ** (64 * (k + 1)))) % 2**64 for k in range(20)]
    lines += [
        "",
        "// The bits of 2 / pi after the point.",
        "constexpr uint64_t twoOverPiBits[20] = {",
    ]
    for k in range(0, 20, 4):
        lines.append("    " + " ".join(f"{word:#018x}," for word in words[k : k + 4]))
    lines += ["};", "", "} // namespace shapecast::mathlib", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    _TARGET.write_text(header())
