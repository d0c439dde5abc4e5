"""Python's `fractions.Fraction`, in Python: compiled code makes instances of this class in its
place, and returns real ones (`_to_python`). Their parts have 64 bits; OverflowError beyond.

Divisors are taken out before parts are multiplied, and products that stand below `//` and `%` may
be longer than 64 bits.
"""

from __future__ import annotations

import builtins
import fractions
import math
import operator
import sys
from typing import Any

import numpy as np

from .._host_info import said
from . import primitives

_MODULUS = sys.hash_info.modulus
_HASH_OF_INFINITY = sys.hash_info.inf
_NO_NUMBER = said(lambda: fractions.Fraction([]))  # type: ignore[call-overload]
_NOT_BOTH = said(lambda: fractions.Fraction(1, 2.0))  # type: ignore[call-overload]
_NO_RATIO = said(lambda: math.nan.as_integer_ratio())
_INFINITE = said(lambda: math.inf.as_integer_ratio())
_BY_ZERO = said(lambda: fractions.Fraction(-3) / 0)
_NAMES_SIGN = "-1" in _BY_ZERO
try:
    _HAS_SPACES = fractions.Fraction("1 / 2") > 0
except ValueError:
    _HAS_SPACES = False


class Fraction:
    """A numerator and a denominator without a common divisor; the denominator is positive."""

    _numerator: int
    _denominator: int

    def __init__(self, numerator: Any = 0, denominator: Any = None) -> None:
        top, bottom = reduced(numerator, denominator)
        self._numerator = top
        self._denominator = bottom

    def _to_python(self) -> Any:
        return fractions.Fraction(self._numerator, self._denominator)

    @classmethod
    def from_float(cls, f: Any) -> Any:
        if not isinstance(f, (int, np.integer, float)):
            raise TypeError(
                f"Fraction.from_float() only takes floats, not {f!r} ({type(f).__name__})"
            )
        return Fraction(f)

    @property
    def numerator(self) -> int:
        return self._numerator

    @property
    def denominator(self) -> int:
        return self._denominator

    @property
    def real(self) -> Any:
        return of_parts(self._numerator, self._denominator)

    @property
    def imag(self) -> int:
        return 0

    def conjugate(self) -> Any:
        return of_parts(self._numerator, self._denominator)

    def as_integer_ratio(self) -> tuple[int, int]:
        return self._numerator, self._denominator

    if hasattr(fractions.Fraction, "is_integer"):

        def is_integer(self) -> bool:
            return self._denominator == 1

    def limit_denominator(self, max_denominator: int = 1000000) -> Any:
        if max_denominator < 1:
            raise ValueError("max_denominator should be at least 1")
        if self._denominator <= max_denominator:
            return of_parts(self._numerator, self._denominator)
        p, q, above, below = 0, 1, 1, 0  # p / q, and the convergent after it
        n, d = self._numerator, self._denominator
        while True:
            whole = n // d
            if whole > (max_denominator - q) // max(below, 1) and below > 0:
                break
            p, above = above, p + whole * above
            q, below = below, q + whole * below
            n, d = d, n - whole * d
        times = (max_denominator - q) // below
        p += times * above
        q += times * below
        if d * q <= self._denominator - d * q:
            return of_parts(above, below)
        return of_parts(p, q)

    #  Conversions

    def __repr__(self) -> str:
        return f"Fraction({self._numerator}, {self._denominator})"

    def __str__(self) -> str:
        if self._denominator == 1:
            return f"{self._numerator}"
        return f"{self._numerator}/{self._denominator}"

    if "__format__" in vars(fractions.Fraction):

        def __format__(self, spec: str, /) -> str:
            if spec != "":
                primitives.unsupported(
                    "formats of a Fraction are not supported; write f'{float(x):.3f}'"
                )
            return str(self)

    def __bool__(self) -> bool:
        return self._numerator != 0

    def __int__(self) -> int:
        return truncated(self._numerator, self._denominator)

    def __trunc__(self) -> int:
        return truncated(self._numerator, self._denominator)

    def __floor__(self) -> int:
        return self._numerator // self._denominator

    def __ceil__(self) -> int:
        return -(-self._numerator // self._denominator)

    def __float__(self) -> float:
        return self._numerator / self._denominator

    def __complex__(self) -> complex:
        return complex(float(self))

    def __round__(self, ndigits: Any = None) -> Any:
        n, d = self._numerator, self._denominator
        if ndigits is None:
            return nearest(n, d)
        shift = integer_power(10, abs(ndigits))
        if ndigits > 0:
            scaled = self * shift
            return Fraction(nearest(scaled._numerator, scaled._denominator), shift)
        scaled = self / shift
        return of_parts(nearest(scaled._numerator, scaled._denominator) * shift, 1)

    def __hash__(self) -> int:
        if self._denominator == 1:
            return hash(self._numerator)
        made = _HASH_OF_INFINITY
        if self._denominator % _MODULUS != 0:
            inverse = pow(self._denominator, -1, _MODULUS)
            made = abs(self._numerator) % _MODULUS * inverse % _MODULUS
        if self._numerator < 0:
            made = -made
        return -2 if made == -1 else made

    #  Operators with one operand

    def __pos__(self) -> Any:
        return of_parts(self._numerator, self._denominator)

    def __neg__(self) -> Any:
        return of_parts(-self._numerator, self._denominator)

    def __abs__(self) -> Any:
        return of_parts(abs(self._numerator), self._denominator)

    def __copy__(self) -> Any:
        return self

    #  Sums and products: of two fractions, a fraction; with floats, floats

    def __add__(self, other: Any) -> Any:
        if isinstance(other, (Fraction, int, np.integer)):
            n, d = parts_of(other)
            return added(self._numerator, self._denominator, n, d)
        if isinstance(other, (float, complex)):
            return float(self) + other
        return NotImplemented

    def __radd__(self, other: Any) -> Any:
        return self + other

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, (Fraction, int, np.integer)):
            n, d = parts_of(other)
            return added(self._numerator, self._denominator, -n, d)
        if isinstance(other, (float, complex)):
            return float(self) - other
        return NotImplemented

    def __rsub__(self, other: Any) -> Any:
        if isinstance(other, (int, np.integer)):
            return added(operator.index(other), 1, -self._numerator, self._denominator)
        if isinstance(other, (float, complex)):
            return other - float(self)
        return NotImplemented

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, (Fraction, int, np.integer)):
            n, d = parts_of(other)
            return multiplied(self._numerator, self._denominator, n, d)
        if isinstance(other, (float, complex)):
            return float(self) * other
        return NotImplemented

    def __rmul__(self, other: Any) -> Any:
        return self * other

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, (Fraction, int, np.integer)):
            n, d = parts_of(other)
            return divided(self._numerator, self._denominator, n, d)
        if isinstance(other, (float, complex)):
            return float(self) / other
        return NotImplemented

    def __rtruediv__(self, other: Any) -> Any:
        if isinstance(other, (int, np.integer)):
            return divided(operator.index(other), 1, self._numerator, self._denominator)
        if isinstance(other, (float, complex)):
            return other / float(self)
        return NotImplemented

    def __floordiv__(self, other: Any) -> Any:
        if isinstance(other, (Fraction, int, np.integer)):
            n, d = parts_of(other)
            return quotient(self._numerator, self._denominator, n, d)
        if isinstance(other, float):
            return float(self) // other
        return NotImplemented

    def __rfloordiv__(self, other: Any) -> Any:
        if isinstance(other, (int, np.integer)):
            return quotient(operator.index(other), 1, self._numerator, self._denominator)
        if isinstance(other, float):
            return other // float(self)
        return NotImplemented

    def __mod__(self, other: Any) -> Any:
        if isinstance(other, (Fraction, int, np.integer)):
            n, d = parts_of(other)
            return remainder(self._numerator, self._denominator, n, d)
        if isinstance(other, float):
            return float(self) % other
        return NotImplemented

    def __rmod__(self, other: Any) -> Any:
        if isinstance(other, (int, np.integer)):
            return remainder(operator.index(other), 1, self._numerator, self._denominator)
        if isinstance(other, float):
            return other % float(self)
        return NotImplemented

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self

    def __pow__(self, other: Any) -> Any:
        if isinstance(other, (int, np.integer)):
            return power(self._numerator, self._denominator, operator.index(other))
        if isinstance(other, (float, complex)):
            return float(self) ** other
        if isinstance(other, Fraction):
            if other._denominator != 1:
                return float(self) ** float(other)
            return power(self._numerator, self._denominator, other._numerator)
        return NotImplemented

    def __rpow__(self, other: Any) -> Any:
        if isinstance(other, float):
            return other ** float(self)
        if isinstance(other, (int, np.integer)):
            primitives.unsupported(
                "a Fraction as the exponent of an int, of which an int, a Fraction or a float "
                "comes, is not supported; write x ** int(y) or x ** float(y)"
            )
        return NotImplemented

    #  Comparisons

    def __eq__(self, other: Any) -> Any:
        if isinstance(other, Fraction):
            is_same = self._denominator == other._denominator
            return is_same and self._numerator == other._numerator
        if isinstance(other, (int, np.integer)):
            return self._denominator == 1 and self._numerator == other
        if isinstance(other, float):
            return order_of_float(self._numerator, self._denominator, other) == 0
        if isinstance(other, complex):
            return other.imag == 0 and self == other.real
        return NotImplemented

    def __lt__(self, other: Any) -> Any:
        if isinstance(other, (Fraction, int, np.integer, float)):
            return order(self, other) == -1
        return not_ordered("<", other)

    def __le__(self, other: Any) -> Any:
        if isinstance(other, (Fraction, int, np.integer, float)):
            return order(self, other) <= 0
        return not_ordered("<=", other)

    def __gt__(self, other: Any) -> Any:
        if isinstance(other, (Fraction, int, np.integer, float)):
            return order(self, other) == 1
        return not_ordered(">", other)

    def __ge__(self, other: Any) -> Any:
        if isinstance(other, (Fraction, int, np.integer, float)):
            found = order(self, other)
            return found == 0 or found == 1
        return not_ordered(">=", other)


def of_parts(numerator: int, denominator: int) -> Any:
    """The fraction of two numbers that have no common divisor."""
    made = Fraction()
    made._numerator = numerator
    made._denominator = denominator
    return made


#  What fractions are made of


def reduced(numerator: Any, denominator: Any) -> Any:
    """The parts of Fraction(numerator, denominator)."""
    if denominator is None:
        if isinstance(numerator, float):
            return ratio_of_float(numerator)
        if isinstance(numerator, str):
            return ratio_of_text(numerator)
        if isinstance(numerator, (Fraction, int, np.integer)):
            return checked(numerator)
        raise TypeError(_NO_NUMBER)
    is_first = isinstance(numerator, (Fraction, int, np.integer))
    if not is_first or not isinstance(denominator, (Fraction, int, np.integer)):
        raise TypeError(_NOT_BOTH)
    a, b = checked(numerator)
    c, d = checked(denominator)
    return without_divisors(a * d, b * c)


def checked(number: Any) -> Any:
    if isinstance(number, np.integer):
        primitives.unsupported("a Fraction of NumPy's numbers is not supported; write int(x)")
    return parts_of(number)


def parts_of(number: Any) -> Any:
    if isinstance(number, Fraction):
        return number._numerator, number._denominator
    return operator.index(number), 1


def without_divisors(n: int, d: int) -> Any:
    if d == 0:
        raise ZeroDivisionError(f"Fraction({n}, 0)")
    divisor = math.gcd(n, d)
    if d < 0:
        divisor = -divisor
    return n // divisor, d // divisor


def ratio_of_float(x: float) -> Any:
    if math.isnan(x):
        raise ValueError(_NO_RATIO)
    if math.isinf(x):
        raise OverflowError(_INFINITE)
    fraction, exponent = math.frexp(x)
    top = int(math.ldexp(fraction, 53))
    exponent -= 53
    while exponent < 0 and top % 2 == 0:
        top //= 2
        exponent += 1
        if top == 0:
            exponent = 0
    if exponent < 0:
        return top, integer_power(2, -exponent)
    return top * integer_power(2, exponent), 1


def ratio_of_text(text: str) -> Any:
    """Of "3/4", "-1.25", "1e-3"."""
    s = text.strip()
    start = 1 if s[:1] == "-" or s[:1] == "+" else 0
    end = after_digits(s, start)
    top = digits_of(s[start:end])
    bottom = 1
    found = end > start
    slash = after_spaces(s, end)
    if found and s[slash : slash + 1] == "/":
        start = after_spaces(s, slash + 1)
        end = after_digits(s, start)
        bottom = digits_of(s[start:end])
        found = end > start
    else:
        if s[end : end + 1] == ".":
            start = end + 1
            end = after_digits(s, start)
            found = found or end > start
            scale = integer_power(10, len(s[start:end].replace("_", "")))
            top = top * scale + digits_of(s[start:end])
            bottom = scale
        if found and s[end : end + 1].lower() == "e":
            sign = s[end + 1 : end + 2]
            start = end + 2 if sign == "-" or sign == "+" else end + 1
            end = after_digits(s, start)
            found = end > start
            scale = integer_power(10, digits_of(s[start:end]))
            if sign == "-":
                bottom *= scale
            else:
                top *= scale
    if not found or end < len(s):
        raise ValueError(f"Invalid literal for Fraction: {text!r}")
    return without_divisors(-top if s[:1] == "-" else top, bottom)


def after_digits(s: str, start: int) -> int:
    """Where digits end that begin there, with single underscores between them."""
    at = start
    while is_digit(s[at : at + 1]) or (
        at > start and s[at : at + 1] == "_" and is_digit(s[at + 1 : at + 2])
    ):
        at += 1
    return at


def after_spaces(s: str, start: int) -> int:
    at = start
    while _HAS_SPACES and s[at : at + 1].isspace():
        at += 1
    return at


def is_digit(c: str) -> bool:
    return c != "" and "0" <= c <= "9"


def digits_of(s: str) -> int:
    return int(s.replace("_", "")) if s != "" else 0


#  Arithmetic of parts, which have no common divisors


def added(na: int, da: int, nb: int, db: int) -> Any:
    common = math.gcd(da, db)
    a, b = da // common, db // common
    divisor = math.gcd((na * b + nb * a) % common, common)
    return of_parts((na * b + nb * a) // divisor, a * (db // divisor))


def multiplied(na: int, da: int, nb: int, db: int) -> Any:
    first = math.gcd(na, db)
    second = math.gcd(nb, da)
    return of_parts((na // first) * (nb // second), (da // second) * (db // first))


def divided(na: int, da: int, nb: int, db: int) -> Any:
    if nb == 0:
        shown = f"Fraction({db}, 0)"
        if _NAMES_SIGN:
            shown = f"Fraction({(na > 0) - (na < 0)}, 0)"
        raise ZeroDivisionError(shown)
    if nb < 0:
        return multiplied(na, da, -db, -nb)
    return multiplied(na, da, db, nb)


def quotient(na: int, da: int, nb: int, db: int) -> int:
    common = math.gcd(da, db)
    return (na * (db // common)) // ((da // common) * nb)


def remainder(na: int, da: int, nb: int, db: int) -> Any:
    common = math.gcd(da, db)
    rest = (na * (db // common)) % ((da // common) * nb)
    return Fraction(rest, (da // common) * db)


def power(n: int, d: int, exponent: int) -> Any:
    if exponent >= 0:
        return of_parts(integer_power(n, exponent), integer_power(d, exponent))
    top, bottom = integer_power(d, -exponent), integer_power(n, -exponent)
    if bottom == 0:
        raise ZeroDivisionError(f"Fraction({top}, 0)")
    if bottom < 0:
        return of_parts(-top, -bottom)
    return of_parts(top, bottom)


def integer_power(base: int, exponent: int) -> int:
    """base ** exponent, which is not negative; OverflowError beyond 64 bits."""
    made = 1
    square = base
    rest = exponent
    while rest > 0:
        if rest % 2 == 1:
            made *= square
        rest //= 2
        if rest > 0:
            square *= square
    return made


def truncated(n: int, d: int) -> int:
    return -(-n // d) if n < 0 else n // d


def nearest(n: int, d: int) -> int:
    """The quotient, rounded; the even one of two that are equally near."""
    floor, rest = n // d, n % d
    if rest > d - rest or (rest == d - rest and floor % 2 == 1):
        return floor + 1
    return floor


#  Comparisons: -1, 0 or 1, and 2 with a NaN


def not_ordered(operation: str, other: Any) -> Any:
    """None raises here: it may be checked before, as in `best is None or x < best`."""
    if other is None:
        raise TypeError(
            f"'{operation}' not supported between instances of 'Fraction' and 'NoneType'"
        )
    return NotImplemented


def order(a: Any, b: Any) -> int:
    n, d = a._numerator, a._denominator
    if isinstance(b, float):
        return order_of_float(n, d, b)
    m, e = parts_of(b)
    return order_of_ratios(n, d, m, e)


def order_of_ratios(n: int, d: int, m: int, e: int) -> int:
    """By their continued fractions: products may be too long."""
    before = -1
    while d != 0 and e != 0:
        a, b = n // d, m // e
        if a != b:
            return before if a < b else -before
        n, d = d, n - a * d
        m, e = e, m - b * e
        before = -before
    if d == 0 and e == 0:
        return 0
    return before if d != 0 else -before


def order_of_float(n: int, d: int, x: float) -> int:
    if math.isnan(x):
        return 2
    mine, theirs = (n > 0) - (n < 0), (x > 0.0) - (x < 0.0)
    if mine != theirs:
        return -1 if mine < theirs else 1
    return mine * order_of_sizes(abs(n), d, abs(x))


def order_of_sizes(n: int, d: int, x: float) -> int:
    if x >= 9223372036854775808.0:
        return -1
    whole = int(x)
    if n // d != whole:
        return -1 if n // d < whole else 1
    rest = n % d
    part = x - whole  # without an error, as what follows: digit after digit
    while rest > 0 and part > 0.0:
        part *= 2.0
        has_bit = rest >= d - rest
        rest = rest - (d - rest) if has_bit else rest + rest
        if has_bit != (part >= 1.0):
            return 1 if has_bit else -1
        if part >= 1.0:
            part -= 1.0
    return 1 if rest > 0 else 0 if part == 0.0 else -1


#  Functions of Python: _replaced.py puts these in their place


def floor(x: Any, /) -> Any:
    return x.__floor__() if isinstance(x, Fraction) else math.floor(x)


def ceil(x: Any, /) -> Any:
    return x.__ceil__() if isinstance(x, Fraction) else math.ceil(x)


def trunc(x: Any, /) -> Any:
    return x.__trunc__() if isinstance(x, Fraction) else math.trunc(x)


def divmod(x: Any, y: Any, /) -> Any:
    return (x // y, x % y) if isinstance(y, Fraction) else builtins.divmod(x, y)


def number(x: Any) -> Any:
    """An argument of a function that takes floats."""
    return float(x) if isinstance(x, Fraction) else x


REPLACED: dict[Any, type] = {fractions.Fraction: Fraction}
