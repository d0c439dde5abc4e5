"""Continued fractions: expansions, convergents, square roots, Pell, Stern-Brocot."""

from fractions import Fraction
from math import isqrt


def cf_of_fraction(fr):
    a, b = fr.numerator, fr.denominator
    while b:
        q, r = divmod(a, b)
        yield q
        a, b = b, r


def cf_of_sqrt(n):
    """First term and the repeating block for sqrt(n)."""
    a0 = isqrt(n)
    if a0 * a0 == n:
        return a0, []
    block = []
    m, d, a = 0, 1, a0
    while a != 2 * a0:
        m = d * a - m
        d = (n - m * m) // d
        a = (a0 + m) // d
        block.append(a)
    return a0, block


def cycle_terms(a0, block):
    yield a0
    while block:
        yield from block


def cf_of_e():
    yield 2
    k = 1
    while True:
        yield 1
        yield 2 * k
        yield 1
        k += 1


def convergents(terms):
    h0, h1 = 0, 1
    k0, k1 = 1, 0
    for a in terms:
        h0, h1 = h1, a * h1 + h0
        k0, k1 = k1, a * k1 + k0
        yield Fraction(h1, k1)


def pell(n):
    """Smallest x, y with x^2 - n y^2 = 1."""
    for c in convergents(cycle_terms(*cf_of_sqrt(n))):
        x, y = c.numerator, c.denominator
        if x * x - n * y * y == 1:
            return x, y
    return None


def stern_brocot(fr):
    path = []
    lo, hi = (0, 1), (1, 0)
    while True:
        mid = (lo[0] + hi[0], lo[1] + hi[1])
        m = Fraction(*mid)
        if m == fr:
            return "".join(path)
        if fr < m:
            path.append("L")
            hi = mid
        else:
            path.append("R")
            lo = mid


def take(n, iterable):
    out = []
    for i, x in enumerate(iterable):
        if i == n:
            break
        out.append(x)
    return out


def main(num, den, roots):
    fr = Fraction(num, den)
    terms = list(cf_of_fraction(fr))
    convs = list(convergents(terms))
    print(fr, "=", terms)
    table = {}
    for n in roots:
        a0, block = cf_of_sqrt(n)
        table[n] = (a0, block, pell(n))
        shown = f"[{a0}; ({', '.join(map(str, block))})]" if block else f"[{a0}]"
        print(f"sqrt({n}) = {shown}  pell: {table[n][2]}")
    e_conv = take(10, convergents(cf_of_e()))
    return {
        "terms": terms,
        "convergents": [str(c) for c in convs],
        "exact": convs[-1] == fr,
        "errors": [float(abs(c - fr)) for c in convs[:-1]],
        "path": stern_brocot(abs(fr)),
        "roots": table,
        "e": (str(e_conv[-1]), float(e_conv[-1])),
    }


ARGS = [
    (355, 113, [2, 3, 4, 7]),
    (649, 200, [13, 61, 109]),
    (-43, 19, [94, 9]),
]
