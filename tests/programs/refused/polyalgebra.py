"""Polynomials over Fractions and ints with operator overloading; Horner; derivative; gcd; rational roots; Newton; Lagrange."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import reduce
from itertools import zip_longest


class Poly:
    __slots__ = ("c",)

    def __init__(self, *coeffs):
        c = list(coeffs)
        while len(c) > 1 and c[-1] == 0:
            c.pop()
        self.c = tuple(c) or (0,)

    @property
    def degree(self):
        return len(self.c) - 1

    def __call__(self, x):
        return reduce(lambda acc, k: acc * x + k, reversed(self.c), 0)

    def __add__(self, o):
        return Poly(*(a + b for a, b in zip_longest(self.c, o.c, fillvalue=0)))

    def __neg__(self):
        return Poly(*(-a for a in self.c))

    def __sub__(self, o):
        return self + -o

    def __mul__(self, o):
        if isinstance(o, int):
            return Poly(*(a * o for a in self.c))
        out = [0] * (len(self.c) + len(o.c) - 1)
        for i, a in enumerate(self.c):
            for j, b in enumerate(o.c):
                out[i + j] += a * b
        return Poly(*out)

    __rmul__ = __mul__

    def __pow__(self, n):
        out = Poly(1)
        for _ in range(n):
            out = out * self
        return out

    def __eq__(self, o):
        return isinstance(o, Poly) and self.c == o.c

    def __hash__(self):
        return hash(self.c)

    def __str__(self):
        terms = []
        for k, a in reversed(list(enumerate(self.c))):
            if a == 0 and self.degree > 0:
                continue
            x = "" if k == 0 else "x" if k == 1 else f"x^{k}"
            coeff = f"{abs(a)}" if abs(a) != 1 or k == 0 else ""
            sign = "-" if a < 0 else "+"
            terms.append(f"{sign} {coeff}{x}")
        s = " ".join(terms)
        return s[2:] if s.startswith("+") else "-" + s[2:]

    def deriv(self):
        return Poly(*(k * a for k, a in enumerate(self.c) if k))

    def rational_roots(self):
        roots = []
        lead, const = abs(self.c[-1]), abs(self.c[0])
        divs = lambda n: [d for d in range(1, n + 1) if n % d == 0]
        seen = set()
        for p in divs(const):
            for q in divs(lead):
                for s in (1, -1):
                    r = Fraction(s * p, q)
                    if r not in seen and self(r) == 0:
                        seen.add(r)
                        roots.append(r)
        return sorted(roots)


def newton(p, x, tol=1e-12, limit=100):
    d = p.deriv()
    for n in range(limit):
        fx = p(x)
        if abs(fx) < tol:
            return x, n
        slope = d(x)
        if slope == 0:
            raise ZeroDivisionError(f"flat at {x:.3f}")
        x -= fx / slope
    raise ArithmeticError("no convergence")


def lagrange(points):
    def basis(i):
        def at(x):
            out = 1.0
            for j, (xj, _) in enumerate(points):
                if j != i:
                    out *= (x - xj) / (points[i][0] - xj)
            return out

        return at

    fs = [basis(i) for i in range(len(points))]
    return lambda x: sum(y * f(x) for f, (_, y) in zip(fs, points))


def continued_fraction(x, n):
    out = []
    for _ in range(n):
        a = math.floor(x)
        out.append(a)
        if math.isclose(x, a):
            break
        x = 1 / (x - a)
    return out


def main(k, x0, points):
    x = Poly(0, 1)
    p = (x - Poly(2)) * (2 * x + Poly(3)) * (x * x + Poly(1))
    q = (x + Poly(1)) ** k
    out = [str(p), str(q), str(-p + q), str(p.deriv()), str(Poly(0))]
    res = []
    for start in (x0, 0.0, -4.0):
        try:
            r, n = newton(p, start)
            res.append((round(r, 9), n))
        except ArithmeticError as e:
            res.append((0.0, str(e)))
    f = lagrange(points)
    roots = p.rational_roots()
    return (
        out,
        res,
        [(r.numerator, r.denominator) for r in roots],
        [round(f(t / 2), 9) for t in range(6)],
        continued_fraction(math.sqrt(7), 8),
        p == p * 1,
        len({p, q, p}),
        p(3),
    )


ARGS = [(4, 5.0, [(0.0, 1.0), (1.0, 3.0), (2.0, 2.0), (3.0, 5.0)])]
