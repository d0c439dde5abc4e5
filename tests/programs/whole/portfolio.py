"""Finance: loans, bonds, IRR by Newton/bisection, a portfolio with operator overloading."""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from functools import reduce, total_ordering


class CurrencyMismatch(TypeError):
    def __init__(self, left, right):
        self.left, self.right = left, right
        super().__init__(f"cannot mix {left} and {right}")


@total_ordering
@dataclass(frozen=True)
class Money:
    cents: int
    currency: str = "EUR"

    @classmethod
    def of(cls, amount: float, currency: str = "EUR") -> Money:
        return cls(round(amount * 100), currency)

    def _check(self, other: Money) -> None:
        if self.currency != other.currency:
            raise CurrencyMismatch(self.currency, other.currency)

    def __add__(self, other: Money) -> Money:
        self._check(other)
        return Money(self.cents + other.cents, self.currency)

    def __sub__(self, other: Money) -> Money:
        self._check(other)
        return Money(self.cents - other.cents, self.currency)

    def __mul__(self, k: float) -> Money:
        return Money(round(self.cents * k), self.currency)

    __rmul__ = __mul__

    def __neg__(self) -> Money:
        return Money(-self.cents, self.currency)

    def __lt__(self, other: Money) -> bool:
        self._check(other)
        return self.cents < other.cents

    def __bool__(self) -> bool:
        return self.cents != 0

    def __format__(self, spec: str) -> str:
        text = f"{self.cents / 100:,.2f} {self.currency}"
        return format(text, spec)

    def split(self, n: int) -> list[Money]:
        q, r = divmod(self.cents, n)
        return [Money(q + (i < r), self.currency) for i in range(n)]


def npv(rate: float, flows: list[float]) -> float:
    return sum(c / (1 + rate) ** t for t, c in enumerate(flows))


def irr(
    flows: list[float], lo: float = -0.99, hi: float = 10.0, tol: float = 1e-10
) -> float | None:
    flo, fhi = npv(lo, flows), npv(hi, flows)
    if flo * fhi > 0:
        return None
    while hi - lo > tol:
        mid = (lo + hi) / 2
        fm = npv(mid, flows)
        if flo * fm <= 0:
            hi, fhi = mid, fm
        else:
            lo, flo = mid, fm
    return (lo + hi) / 2


def amortize(principal: Money, annual: float, months: int):
    r = annual / 12
    pay = principal * (r / (1 - (1 + r) ** -months)) if r else principal * (1 / months)
    balance = principal
    for m in range(1, months + 1):
        interest = balance * r
        part = min(pay - interest, balance)
        if m == months:
            part = balance
        balance = balance - part
        yield m, part, interest, balance


def main(loan, rate, months, flows, parts):
    table = list(amortize(Money.of(loan), rate, months))
    total_interest = reduce(operator.add, (row[2] for row in table), Money(0))
    for m, part, interest, balance in table[:: max(1, months // 4)]:
        print(f"{m:3d} {part:>14} {interest:>12} {balance:>16}")
    rates = [irr(f) for f in flows]
    split = Money.of(100.0).split(parts)
    try:
        bad = Money(1) + Money(1, "USD")
    except CurrencyMismatch as e:
        bad = (e.left, e.right, str(e))
    biggest = max(row[1] for row in table)
    return (
        total_interest.cents,
        [None if r is None else round(r, 8) for r in rates],
        [s.cents for s in split],
        bad,
        biggest.cents,
        bool(Money(0)),
        (2 * Money(150) >= Money(300)),
        math.isclose(sum(s.cents for s in split), 10000),
        (-Money(5)).cents,
        len({Money(1), Money(1), Money(2)}),
    )


ARGS = [
    (
        12000.0,
        0.06,
        24,
        [[-100.0, 39.0, 59.0, 55.0, 20.0], [10.0, 20.0], [-1000.0, 300.0, 420.0, 680.0]],
        7,
    )
]
