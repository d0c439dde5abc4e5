class Poly:
    """Polynomial with coefficients from low to high degree."""

    def __init__(self, coeffs=()):
        c = list(coeffs)
        while c and c[-1] == 0:
            c.pop()
        self.c = c

    @classmethod
    def from_roots(cls, *roots):
        p = cls([1])
        for r in roots:
            p = p * cls([-r, 1])
        return p

    @property
    def degree(self):
        return len(self.c) - 1

    def __getitem__(self, i):
        return self.c[i] if 0 <= i < len(self.c) else 0

    def __bool__(self):
        return bool(self.c)

    def __eq__(self, other):
        return isinstance(other, Poly) and self.c == other.c

    def __call__(self, x):
        acc = 0
        for a in reversed(self.c):
            acc = acc * x + a
        return acc

    def __add__(self, other):
        n = max(len(self.c), len(other.c))
        return Poly(self[i] + other[i] for i in range(n))

    def __neg__(self):
        return Poly(-a for a in self.c)

    def __sub__(self, other):
        return self + (-other)

    def __mul__(self, other):
        if isinstance(other, (int, float)):
            return Poly(a * other for a in self.c)
        out = [0] * max(0, len(self.c) + len(other.c) - 1)
        for i, a in enumerate(self.c):
            for j, b in enumerate(other.c):
                out[i + j] += a * b
        return Poly(out)

    __rmul__ = __mul__

    def __pow__(self, n):
        result = Poly([1])
        for _ in range(n):
            result *= self
        return result

    def __divmod__(self, other):
        if not other:
            raise ZeroDivisionError("polynomial division by zero")
        quotient = [0] * max(0, self.degree - other.degree + 1)
        rem = list(self.c)
        lead = other.c[-1]
        for k in reversed(range(len(quotient))):
            q = rem[k + other.degree] / lead
            if q == int(q):
                q = int(q)
            quotient[k] = q
            for i, b in enumerate(other.c):
                rem[k + i] -= q * b
        return Poly(quotient), Poly(rem)

    def __floordiv__(self, other):
        return divmod(self, other)[0]

    def __mod__(self, other):
        return divmod(self, other)[1]

    def derivative(self):
        return Poly(i * a for i, a in enumerate(self.c) if i)

    def compose(self, other):
        acc = Poly()
        for a in reversed(self.c):
            acc = acc * other + Poly([a])
        return acc

    def __str__(self):
        if not self:
            return "0"
        out = ""
        for i in range(self.degree, -1, -1):
            a = self[i]
            if a == 0:
                continue
            sign = ("-" if a < 0 else "") if not out else (" - " if a < 0 else " + ")
            mag = abs(a)
            body = "" if mag == 1 and i > 0 else f"{mag:g}"
            var = {0: "", 1: "x"}.get(i, f"x^{i}")
            out += sign + body + var
        return out


def integer_roots(p):
    p0 = p[0]
    if p0 == 0:
        return [0] + integer_roots(p // Poly([0, 1])) if p.degree > 0 else []
    roots = []
    for d in range(1, abs(p0) + 1):
        if p0 % d == 0:
            for cand in (d, -d):
                while p.degree > 0 and p(cand) == 0:
                    roots.append(cand)
                    p = p // Poly([-cand, 1])
    return roots


def main(a, b):
    p, q = Poly(a), Poly(b)
    print("p =", p)
    print("q =", q)
    results = {
        "sum": p + q,
        "diff": p - q,
        "prod": p * q,
        "comp": p.compose(q),
        "deriv": p.derivative(),
        "cube": q**3,
        "scaled": 3 * p,
    }
    for name, val in results.items():
        print(f"{name:>7}: {val}")
    out = {k: str(v) for k, v in results.items()}
    try:
        quo, rem = divmod(p, q)
        out["division"] = (str(quo), str(rem), quo * q + rem == p)
    except ZeroDivisionError as e:
        out["division"] = str(e)
    out["roots"] = sorted(integer_roots(p))
    out["values"] = [p(x) for x in range(-2, 3)]
    out["rebuilt"] = str(Poly.from_roots(*out["roots"]))
    return out


ARGS = [
    ([-6, 11, -6, 1], [-1, 1]),
    ([0, 0, 4, -5, 1], [2, 0, 1]),
    ([12, -7, 1], []),
    ([5], [1, 2]),
]
