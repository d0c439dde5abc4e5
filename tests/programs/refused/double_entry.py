"""Double entry book-keeping with Decimal-free cents, account tree, trial balance and statements."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date
from enum import Enum
from typing import Iterable


class Type(Enum):
    ASSET = "A"
    LIABILITY = "L"
    EQUITY = "E"
    INCOME = "I"
    EXPENSE = "X"

    @property
    def debit_normal(self) -> bool:
        return self in (Type.ASSET, Type.EXPENSE)


@dataclass
class Account:
    code: str
    name: str
    type: Type
    balance: int = 0

    def post(self, amount: int) -> None:
        self.balance += amount if self.type.debit_normal else -amount


@dataclass
class Entry:
    day: date
    text: str
    lines: list[tuple[str, int]] = field(default_factory=list)

    @property
    def balanced(self) -> bool:
        return sum(a for _, a in self.lines) == 0


class LedgerError(Exception):
    def __init__(self, entry: Entry, why: str):
        self.entry = entry
        super().__init__(f"{entry.text}: {why}")


def cents(text: str) -> int:
    whole, _, frac = text.replace(",", "").partition(".")
    sign = -1 if whole.startswith("-") else 1
    return sign * (abs(int(whole)) * 100 + int(frac.ljust(2, "0") or 0))


def money(n: int) -> str:
    return f"{'-' if n < 0 else ''}{abs(n) // 100:,}.{abs(n) % 100:02d}"


class Ledger:
    def __init__(self, accounts: Iterable[Account]):
        self.accounts = {a.code: a for a in accounts}
        self.entries: list[Entry] = []

    def post(self, day: date, text: str, **lines: str) -> None:
        entry = Entry(day, text, [(k.lstrip("a"), cents(v)) for k, v in lines.items()])
        if not entry.balanced:
            raise LedgerError(entry, f"off by {money(sum(a for _, a in entry.lines))}")
        for code, amount in entry.lines:
            if code not in self.accounts:
                raise LedgerError(entry, f"no account {code}")
        for code, amount in entry.lines:
            self.accounts[code].post(amount)
        self.entries.append(entry)

    def totals(self) -> dict[str, int]:
        out = defaultdict(int)
        for a in self.accounts.values():
            out[a.type.name] += a.balance
        return dict(out)

    def statement(self) -> list[str]:
        return [
            f"{a.code} {a.name:<12}{money(a.balance):>12}"
            for a in sorted(self.accounts.values(), key=lambda a: a.code)
        ]


def main(year):
    book = Ledger(
        [
            Account("100", "Cash", Type.ASSET),
            Account("150", "Stock", Type.ASSET),
            Account("200", "Loan", Type.LIABILITY),
            Account("300", "Capital", Type.EQUITY),
            Account("400", "Sales", Type.INCOME),
            Account("500", "Costs", Type.EXPENSE),
        ]
    )
    problems = []
    for month, text, lines in [
        (1, "start", {"a100": "10,000.00", "a300": "-10000"}),
        (2, "loan", {"a100": "2500.5", "a200": "-2500.50"}),
        (3, "goods", {"a150": "1,234.56", "a100": "-1234.56"}),
        (4, "typo", {"a100": "10", "a400": "-9.99"}),
        (5, "sale", {"a100": "1999.99", "a400": "-1999.99"}),
        (5, "cogs", {"a500": "800", "a150": "-800"}),
        (6, "ghost", {"a999": "1", "a100": "-1"}),
    ]:
        try:
            book.post(date(year, month, 1), text, **lines)
        except LedgerError as e:
            problems.append(str(e))
    t = book.totals()
    days = [(b.day - a.day).days for a, b in zip(book.entries, book.entries[1:])]
    return (
        t,
        book.statement(),
        problems,
        t["ASSET"] == t["LIABILITY"] + t["EQUITY"] + t["INCOME"] - t["EXPENSE"],
        days,
    )


ARGS = [(2024,)]
