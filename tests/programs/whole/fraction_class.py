"""Our own Fraction class, then Egyptian fractions and harmonic sums."""

from math import gcd


class Rational:
    __slots__ = ("den", "num")

    def __init__(self, num, den=1):
        if den == 0:
            raise ZeroDivisionError("denominator is zero")
        if den < 0:
            num, den = -num, -den
        g = gcd(num, den)
        self.num = num // g
        self.den = den // g

    @classmethod
    def parse(cls, text):
        if "/" in text:
            a, b = text.split("/")
            return cls(int(a), int(b))
        if "." in text:
            whole, frac = text.split(".")
            sign = -1 if whole.startswith("-") else 1
            return cls(sign * (abs(int(whole or 0)) * 10 ** len(frac) + int(frac)), 10 ** len(frac))
        return cls(int(text))

    @staticmethod
    def _coerce(x):
        return x if isinstance(x, Rational) else Rational(x)

    def __add__(self, other):
        o = self._coerce(other)
        return Rational(self.num * o.den + o.num * self.den, self.den * o.den)

    __radd__ = __add__

    def __neg__(self):
        return Rational(-self.num, self.den)

    def __sub__(self, other):
        return self + -self._coerce(other)

    def __rsub__(self, other):
        return -self + other

    def __mul__(self, other):
        o = self._coerce(other)
        return Rational(self.num * o.num, self.den * o.den)

    __rmul__ = __mul__

    def __truediv__(self, other):
        o = self._coerce(other)
        return Rational(self.num * o.den, self.den * o.num)

    def __pow__(self, k):
        if k < 0:
            return Rational(self.den**-k, self.num**-k)
        return Rational(self.num**k, self.den**k)

    def __eq__(self, other):
        o = self._coerce(other)
        return (self.num, self.den) == (o.num, o.den)

    def __lt__(self, other):
        o = self._coerce(other)
        return self.num * o.den < o.num * self.den

    def __le__(self, other):
        return self < other or self == other

    def __hash__(self):
        return hash((self.num, self.den))

    def __float__(self):
        return self.num / self.den

    def __floor__(self):
        return self.num // self.den

    def __repr__(self):
        return f"{self.num}/{self.den}" if self.den != 1 else f"{self.num}"


def egyptian(r):
    whole = r.num // r.den
    parts = []
    r = r - whole
    while r.num:
        d = -(-r.den // r.num)
        parts.append(d)
        r = r - Rational(1, d)
    return whole, parts


def decimal(r, places=60):
    """Decimal expansion with the repeating part in parentheses."""
    sign = "-" if r.num < 0 else ""
    whole, rem = divmod(abs(r.num), r.den)
    seen = {}
    digits = ""
    while rem and rem not in seen and len(digits) < places:
        seen[rem] = len(digits)
        rem *= 10
        digits += str(rem // r.den)
        rem %= r.den
    if rem in seen:
        k = seen[rem]
        digits = f"{digits[:k]}({digits[k:]})"
    return f"{sign}{whole}" + ("." + digits if digits else "")


def harmonic(n):
    return sum(Rational(1, k) for k in range(1, n + 1))


def main(texts, n):
    values = []
    for t in texts:
        try:
            values.append(Rational.parse(t))
        except (ValueError, ZeroDivisionError) as e:
            print(f"bad input {t!r}: {type(e).__name__}")
    total = sum(values)
    product = Rational(1)
    for v in values:
        product = product * v
    ordered = sorted(set(values))
    h = harmonic(n)
    print("sum", total, "product", product, "H", h)
    return {
        "sum": repr(total),
        "product": repr(product),
        "sorted": [repr(v) for v in ordered],
        "decimals": [decimal(v) for v in ordered],
        "egyptian": [egyptian(v) for v in ordered if v.num >= 0],
        "harmonic": (h.num, h.den, float(h)),
        "misc": [
            repr(1 - total),
            repr(2 * product),
            repr((values[0] + 1) ** -2),
            total == 1,
            values[0] <= values[-1],
        ],
    }


ARGS = [
    (["1/2", "1/3", "1/6", "0.5"], 10),
    (["-3/7", "22/7", "4/0", "1.125", "abc", "5/121"], 40),
    (["-0.75", "3", "6/8"], 3),
]
