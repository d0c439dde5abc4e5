"""Calendar arithmetic by hand: intervals, recurrence, merging, free slots, ISO-like parsing, zeller."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum, unique
from functools import total_ordering
from itertools import islice, takewhile


@unique
class Weekday(IntEnum):
    MON = 0
    TUE = 1
    WED = 2
    THU = 3
    FRI = 4
    SAT = 5
    SUN = 6

    @property
    def weekend(self):
        return self in (Weekday.SAT, Weekday.SUN)


DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]


def leap(y):
    return y % 4 == 0 and (y % 100 != 0 or y % 400 == 0)


@total_ordering
class Date:
    __slots__ = ("d", "m", "y")

    def __init__(self, y, m, d):
        if not 1 <= m <= 12:
            raise ValueError(f"month {m} out of range")
        if not 1 <= d <= DAYS[m - 1] + (m == 2 and leap(y)):
            raise ValueError(f"day {d} out of range for {y}-{m:02}")
        self.y, self.m, self.d = y, m, d

    @classmethod
    def parse(cls, s):
        m = re.fullmatch(r"(\d{4})-(\d{1,2})-(\d{1,2})", s)
        if not m:
            raise ValueError(f"cannot parse {s!r}")
        return cls(*map(int, m.groups()))

    @classmethod
    def from_ordinal(cls, n):
        y = 1
        while n > 365 + leap(y):
            n -= 365 + leap(y)
            y += 1
        m = 1
        while n > (k := DAYS[m - 1] + (m == 2 and leap(y))):
            n -= k
            m += 1
        return cls(y, m, n)

    @property
    def ordinal(self):
        y = self.y - 1
        return (
            y * 365
            + y // 4
            - y // 100
            + y // 400
            + sum(DAYS[: self.m - 1])
            + (self.m > 2 and leap(self.y))
            + self.d
        )

    @property
    def weekday(self):
        return Weekday((self.ordinal - 1) % 7)

    def __eq__(self, o):
        return (self.y, self.m, self.d) == (o.y, o.m, o.d)

    def __lt__(self, o):
        return (self.y, self.m, self.d) < (o.y, o.m, o.d)

    def __hash__(self):
        return hash((self.y, self.m, self.d))

    def __add__(self, days):
        return Date.from_ordinal(self.ordinal + days)

    def __sub__(self, o):
        return self.ordinal - o.ordinal

    def __str__(self):
        return f"{self.y:04d}-{self.m:02d}-{self.d:02d}"


def every(start, step, *, skip_weekends=False):
    d = start
    while True:
        if not (skip_weekends and d.weekday.weekend):
            yield d
        d = d + step


@dataclass(order=True)
class Span:
    start: int
    stop: int

    def __post_init__(self):
        if self.stop <= self.start:
            raise ValueError("empty span")

    def __str__(self):
        return "{:02d}:{:02d}-{:02d}:{:02d}".format(*divmod(self.start, 60), *divmod(self.stop, 60))


def parse_span(s):
    a, b = ((int(h) * 60 + int(m)) for h, m in (t.split(":") for t in s.split("-")))
    return Span(a, b)


def merge(spans):
    out = []
    for s in sorted(spans):
        if out and s.start <= out[-1].stop:
            out[-1].stop = max(out[-1].stop, s.stop)
        else:
            out.append(Span(s.start, s.stop))
    return out


def free(spans, day=(8 * 60, 18 * 60)):
    lo, hi = day
    for s in merge(spans):
        if s.start > lo:
            yield Span(lo, min(s.start, hi))
        lo = max(lo, s.stop)
    if lo < hi:
        yield Span(lo, hi)


def month_grid(y, m):
    first = Date(y, m, 1)
    n = DAYS[m - 1] + (m == 2 and leap(y))
    cells = ["  "] * first.weekday + [f"{d:2d}" for d in range(1, n + 1)]
    return [" ".join(cells[i : i + 7]) for i in range(0, len(cells), 7)]


def main(start, dates, spans):
    s = Date.parse(start)
    work = [str(d) for d in islice(every(s, 1, skip_weekends=True), 5)]
    fortnights = [str(d) for d in takewhile(lambda d: d < Date(s.y + 1, 1, 1), every(s, 45))]
    errs, good = [], set()
    for text in dates:
        try:
            good.add(Date.parse(text))
        except ValueError as e:
            errs.append(str(e))
    names = [f"{d}:{d.weekday.name}" for d in sorted(good)]
    busy = list(map(parse_span, spans))
    print("\n".join(month_grid(s.y, s.m)))
    return (
        work,
        fortnights,
        errs,
        names,
        [str(x) for x in merge(busy)],
        [str(x) for x in free(busy)],
        max(good) - min(good),
        str(s + 1000),
    )


ARGS = [
    (
        "2024-02-27",
        ["2024-02-29", "2023-02-29", "1999-12-31", "2000-1-1", "2024-13-01", "nope", "2000-01-01"],
        ["09:00-10:30", "13:15-14:00", "10:00-11:00", "17:30-19:00"],
    )
]
