"""fractions.Fraction: made, computed with, compared, kept in containers, given out."""

import copy
import fractions
import functools
import math
import numbers
from fractions import Fraction

HALF = Fraction(1, 2)


def made(n):
    return (
        Fraction(n),
        Fraction(n, 4),
        Fraction(-n, 6),
        Fraction(n, -6),
        Fraction(),
        Fraction(True),
        Fraction(Fraction(n, 9)),
        Fraction(Fraction(n, 9), 3),
        Fraction(Fraction(n, 9), Fraction(2, n)),
        Fraction(n, Fraction(2, 3)),
        Fraction(numerator=n, denominator=12),
        fractions.Fraction(n, 10),
    )


def of_floats(n):
    return (
        Fraction(0.5),
        Fraction(n / 8),
        Fraction(0.1),
        Fraction(-2.75),
        Fraction(1e15 * n),
        Fraction(0.0),
    )


def of_texts(n):
    words = ["3/4", "-1.25", " +7 ", "1e-3", ".5", "5.", "1_000/3", "-.5E3", "10/4", "0", "1e+2"]
    return [Fraction(w) for w in words], Fraction(str(n)), Fraction(f"{n}/8")


def no_text(n):
    found = []
    for word in ["", "/3", "1/", ".", "1.5e", "1/2e3", "a", "1.2.3", "--1", "1__0", "1/0", "3"]:
        try:
            found.append(str(Fraction(word)))
        except ValueError as e:
            found.append(str(e))
        except ZeroDivisionError as e:
            found.append(str(e))
    return found, n


def by_zero(n):
    return Fraction(n, n - 3)


def by_zero_fraction(n):
    return Fraction(n, 2) / (n - 3)


def negative_by_zero_fraction(n):
    return Fraction(-n, 2) / Fraction(n - 3)


def floor_by_zero(n):
    return Fraction(n, 2) // (n - 3)


def modulo_zero(n):
    return Fraction(n, 2) % Fraction(n - 3)


def power_of_zero(n):
    return Fraction(n - 3) ** (-n)


def not_a_number(n):
    return Fraction(math.nan if n == 3 else 1.5)


def infinite(n):
    return Fraction(math.inf if n == 3 else 1.5)


def not_of_floats(n):
    return Fraction(n, 2.0)


def not_of_none(n):
    return Fraction(None) if n == 3 else Fraction(n)


def parts(n):
    x = Fraction(6 * n, 8)
    return x.numerator, x.denominator, x.as_integer_ratio(), x.real, x.imag, x.conjugate()


def arithmetic(n):
    x, y = Fraction(n, 4), Fraction(-5, 6)
    return x + y, x - y, x * y, x / y, x // y, x % y, divmod(x, y), -x, +x, abs(y)


def with_ints(n):
    x = Fraction(n, 4)
    return (
        (x + 2, x - 2, x * 2, x / 2, x // 2, x % 2, divmod(x, 2)),
        (2 + x, 2 - x, 2 * x, 2 / x, 2 // x, 2 % x),
        (x + True, True * x),
    )


def with_floats(n):
    x = Fraction(n, 4)
    return (
        (x + 0.1, x - 0.1, x * 0.1, x / 0.1, x // 0.1, x % 0.1, x**0.5),
        (0.1 + x, 0.1 - x, 0.1 * x, 0.1 / x, 0.1 // x, 0.1 % x, 2.5**x),
    )


def with_complex(n):
    x = Fraction(n, 4)
    return x + 1j, 1j * x, x / 2j, complex(x), x == 0.75 + 0j


def powers(n):
    x = Fraction(-2, n)
    return x**0, x**1, x**3, x**-1, x**-3, x**n, x ** (-n), pow(x, 2)


def root(n):
    return Fraction(n, 4) ** Fraction(1, 2)


def whole_exponent(n):
    return Fraction(n, 4) ** Fraction(n)


def copies(n):
    x = Fraction(n, 4)
    return copy.copy(x), copy.deepcopy([x, x + 1])


def texts_of_percent(n):
    return "%s and %s" % (Fraction(n, 3), n), "%r of %d" % (Fraction(n), n)


def in_literals(n):
    return Fraction(n, n) in [1, 2], 1 in [Fraction(n, n)], Fraction(n, 2) in (3.5, 1.5)


def of_two_kinds(n):
    """Items and variables that are ints or fractions."""
    found = [Fraction(n, 2) if k % 2 else k for k in range(n)]
    total = 0
    for k in range(n):
        total = total + Fraction(1, 2) if k % 2 else total
    return found, total, sum([Fraction(n, 2), 3])


def reduced(n):
    return functools.reduce(lambda a, b: a * b, [Fraction(k, k + 1) for k in range(1, n)])


def by_pattern(n):
    match Fraction(n, 4):
        case Fraction(numerator=top, denominator=4):
            return top
    return 0


def assigned(n):
    x = Fraction(1)
    for k in range(1, 8):
        x += Fraction(1, k)
        x *= 3
        x -= n
        x /= 2
    return x


def compared(n):
    x, y = Fraction(n, 4), Fraction(3, 4)
    found = [x == y, x != y, x < y, x <= y, x > y, x >= y]
    for k in (0, 1, n):
        found += [x == k, x != k, x < k, x <= k, x > k, x >= k, k == x, k < x, k >= x]
    for f in (0.75, 1.75, 0.1, -1e300, 1e-300, 1e300, math.inf, -math.inf, math.nan):
        found += [x == f, x != f, x < f, x <= f, x > f, x >= f, f == x, f < x, f >= x]
    return found, x == "a", x != None, x is None  # noqa: E711


def close_to_floats(n):
    x, third = Fraction(1, 10), Fraction(n, 9)
    return (
        (x == 0.1, x < 0.1, x > 0.1, Fraction(0.1) == 0.1, Fraction(-1, 10) > -0.1),
        (third < n / 9, third > n / 9, Fraction(1, 2**60) < 1e-18, Fraction(1, 2**60) > 1e-300),
    )


def large(n):
    """Whose products have more than 64 bits."""
    x, y = Fraction(2**61 - 1, 2**60 + n), Fraction(2**61 - 3, 2**60 + n)
    z = Fraction(2**61 - 1, 3)
    return (
        (x < y, x > y, x == y, x >= y),
        (z * Fraction(3, 2**61 - 1), z / z, Fraction(2**40, 3) * Fraction(3, 2**39)),
        Fraction(2**61 + 1, 15) - Fraction(2**61 - 1, 21),
        (float(x), float(z), x < 2.0, int(x), round(z)),
    )


def conversions(n):
    values = [
        Fraction(n, 2),
        Fraction(-n, 2),
        Fraction(7 * n, 10),
        Fraction(-8 * n, 3),
        Fraction(n),
    ]
    return [
        (bool(x), int(x), float(x), round(x), math.floor(x), math.ceil(x), math.trunc(x))
        for x in values
    ]


def rounded(n):
    x = Fraction(1000 * n, 7)
    return round(x, 2), round(x, 0), round(x, -2), round(Fraction(5, 2)), round(Fraction(7, 2))


def functions_of_math(n):
    x = Fraction(n, 4)
    return math.sqrt(x), math.isclose(x, n / 4), math.hypot(x, 1), math.isfinite(x)


def not_of_fractions(n):
    """Functions that are replaced for fractions do what they did for others."""
    return math.floor(n / 2), math.ceil(n / 2), math.trunc(-n / 2), divmod(n, 2), divmod(n / 4, 2)


def truth(n):
    return [bool(Fraction(n - k)) for k in (3, 7)], not Fraction(n - 3), 1 if Fraction(n - 3) else 0


def texts(n):
    x = Fraction(n, 4)
    return str(x), repr(x), f"{x}", f"{x!r} and {x!s}", str(Fraction(n)), f"{[x]}"


def printed(n):
    print(Fraction(n, 4), Fraction(n), [Fraction(1, n)], {n: Fraction(n, 2)})


def close(n):
    x = Fraction(math.pi)
    found = [x.limit_denominator(k) for k in (1, 7, 10, 100, 1000, n)]
    return (
        found,
        Fraction(n, 7).limit_denominator(),
        x.limit_denominator(),
        Fraction(-n, 9).limit_denominator(4),
    )


def not_close(n):
    return Fraction(1, n).limit_denominator(n - 3)


def of_class_methods(n):
    return Fraction.from_float(n / 8), Fraction.from_float(n)


def hashes(n):
    return (
        [hash(Fraction(n, k)) for k in range(1, 12)],
        hash(Fraction(-n, 7)),
        hash(Fraction(n / 3)),
    )


def hash_of_large(n):
    return hash(Fraction(-(2**61), 2**61 - 1)), hash(Fraction(2**62, 5)), hash(Fraction(n, 2**62))


def summed(n):
    halves = [Fraction(n, k) for k in range(1, 6)]
    return sum(halves), sum(halves, Fraction(1)), sum([h * 2 for h in halves]), math.prod(halves)


def harmonic(n):
    return sum(Fraction(1, k) for k in range(1, n + 1))


def total(n):
    found = Fraction(0)
    for k in range(1, n + 1):
        found += Fraction(1, k * k)
    return found


def total_from_int(n):
    found = 0
    for k in range(1, n + 1):
        found += Fraction(1, k * k)
    return found


def extremes(n):
    found = [Fraction(n, k) - k for k in range(1, 6)]
    return max(found), min(found), sorted(found), max(found[0], found[1]), max(found, key=abs)


def best(n):
    found = None
    for k in range(1, n + 1):
        x = Fraction(k % 4, k)
        if found is None or x > found:
            found = x
    return found


def not_ordered(n):
    return Fraction(n, 2) < (None if n > 0 else Fraction(n))


def sorted_in_place(n):
    found = [Fraction(k * n % 7, k + 1) for k in range(6)]
    found.sort(reverse=True)
    return found, Fraction(0) in found, found.index(Fraction(0)), found.count(0)


def in_containers(n):
    x = Fraction(n, 4)
    return [x, x + 1], (x, [x]), {"a": x, "b": [x, -x]}, {1: (x, 2)}, [[x], [x, x]], [(x, n)]


def keys(n):
    seen = {Fraction(n, 4): "a", Fraction(1, 2): "b"}
    seen[Fraction(2 * n, 8)] = "c"
    seen[Fraction(n)] = "d"
    return seen, seen[Fraction(n, 4)], Fraction(1, 3) in seen, len(seen)


def counted(n):
    found = {}
    for a in range(1, n + 1):
        for b in range(1, n + 1):
            x = Fraction(a, b)
            found[x] = found.get(x, 0) + 1
    return found


def in_sets(n):
    found = set()
    for a in range(1, n + 1):
        for b in range(a, n + 1):
            found.add(Fraction(a, b))
    return len(found), sorted(found)


class Line:
    def __init__(self, slope, height):
        self.slope = slope
        self.height = height

    def at(self, x):
        return self.slope * x + self.height

    def meets(self, other):
        x = (other.height - self.height) / (self.slope - other.slope)
        return x, self.at(x)


def attributes(n):
    line = Line(Fraction(n, 2), Fraction(1))
    line.height += Fraction(1, 3)
    return line.at(2), line.meets(Line(Fraction(1, 5), Fraction(0))), line.slope


def parameters(n):
    def mean(items):
        return sum(items) / len(items)

    def root(x, steps=4):
        guess = Fraction(1)
        for _ in range(steps):
            guess = (guess + x / guess) / 2
        return guess

    return mean([Fraction(k, n) for k in range(4)]), root(Fraction(n))


def bernoulli(n):
    row = [Fraction(0)] * (n + 1)
    for m in range(n + 1):
        row[m] = Fraction(1, m + 1)
        for j in range(m, 0, -1):
            row[j - 1] = j * (row[j - 1] - row[j])
    return row[0]


def egyptian(n):
    x = Fraction(n, 11)
    found = []
    while x > 0:
        k = math.ceil(1 / x)
        found.append(k)
        x -= Fraction(1, k)
    return found


def by_kind(n):
    found = []
    for x in (Fraction(n, 2), n, n / 2):
        if isinstance(x, Fraction):
            found.append("fraction")
        elif isinstance(x, (int, Fraction)):
            found.append("int")
        else:
            found.append(type(x).__name__)
    return found, type(Fraction(n)).__name__, isinstance(Fraction(n), numbers.Rational)


def mapped(n):
    return list(map(Fraction, [n, 2, 3])), [Fraction(a, b) for a, b in zip([1, n], [n, 2])]


def imported(n):
    from fractions import Fraction as Ratio

    return Ratio(n, 6) + Ratio(1, 3)


def constants(n):
    return n * HALF, HALF + Fraction(n, 3), HALF.numerator, HALF


def read_only(n):
    x = Fraction(n, 4)
    x.numerator = 3
    return x


def too_long(n):
    x = Fraction(1, 3)
    for _ in range(n):
        x *= Fraction(5, 7)
    return x


def sums_from_starts(n):
    """A start that is in memory is no list."""
    starts = {k: Fraction(k, 7) for k in range(n)}
    items = [Fraction(k, 3) for k in range(n)]
    return sum(items, starts[n - 1]), sum((x * x for x in items), starts[0])


CASES = [
    (f, (n,))
    for f in (
        sums_from_starts,
        made,
        of_floats,
        of_texts,
        no_text,
        by_zero,
        by_zero_fraction,
        negative_by_zero_fraction,
        floor_by_zero,
        modulo_zero,
        power_of_zero,
        not_a_number,
        infinite,
        not_of_floats,
        not_of_none,
        parts,
        arithmetic,
        with_ints,
        with_floats,
        with_complex,
        powers,
        root,
        whole_exponent,
        copies,
        texts_of_percent,
        in_literals,
        of_two_kinds,
        reduced,
        by_pattern,
        assigned,
        compared,
        close_to_floats,
        large,
        conversions,
        rounded,
        functions_of_math,
        not_of_fractions,
        truth,
        texts,
        printed,
        close,
        not_close,
        of_class_methods,
        hashes,
        hash_of_large,
        summed,
        harmonic,
        total,
        total_from_int,
        extremes,
        best,
        not_ordered,
        sorted_in_place,
        in_containers,
        keys,
        counted,
        in_sets,
        attributes,
        parameters,
        bernoulli,
        egyptian,
        by_kind,
        mapped,
        imported,
        constants,
        read_only,
        too_long,
    )
    for n in (3, 7)
]
