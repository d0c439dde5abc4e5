"""A tiny in-memory table: rows as dicts, where/select/group_by/join chained, sorting with mixed keys."""

from __future__ import annotations

import operator
from collections import defaultdict
from itertools import groupby
from typing import Any, Callable, Iterable

OPS = {"=": operator.eq, "<": operator.lt, ">": operator.gt, "!=": operator.ne}


class TableError(Exception):
    pass


class Table:
    def __init__(self, columns: Iterable[str], rows: Iterable[tuple] = ()):
        self.columns = list(columns)
        self.rows = [tuple(r) for r in rows]

    @classmethod
    def from_csv(cls, text: str) -> Table:
        lines = [ln.split(",") for ln in text.strip().splitlines()]
        head, *body = lines
        return cls(head, [tuple(c.strip() for c in r) for r in body])

    def index(self, name: str) -> int:
        try:
            return self.columns.index(name)
        except ValueError:
            raise TableError(f"no column {name!r} in {', '.join(self.columns)}") from None

    def where(self, column: str, op: str, value: str) -> Table:
        i, f = self.index(column), OPS[op]
        return Table(self.columns, [r for r in self.rows if f(r[i], value)])

    def select(self, *names: str) -> Table:
        idx = [self.index(n) for n in names]
        return Table(names, [tuple(r[i] for i in idx) for r in self.rows])

    def order_by(
        self, name: str, *, desc: bool = False, key: Callable[[str], Any] | None = None
    ) -> Table:
        i = self.index(name)
        rows = sorted(
            self.rows, key=(lambda r: key(r[i])) if key else operator.itemgetter(i), reverse=desc
        )
        return Table(self.columns, rows)

    def group_by(
        self, name: str, value: str, agg: Callable[[list[int]], float]
    ) -> dict[str, float]:
        i, j = self.index(name), self.index(value)
        groups = defaultdict(list)
        for r in self.rows:
            groups[r[i]].append(int(r[j]))
        return {k: agg(v) for k, v in sorted(groups.items())}

    def join(self, other: Table, on: str) -> Table:
        i, j = self.index(on), other.index(on)
        lookup = defaultdict(list)
        for r in other.rows:
            lookup[r[j]].append(r[:j] + r[j + 1 :])
        cols = self.columns + [c for c in other.columns if c != on]
        return Table(cols, [r + s for r in self.rows for s in lookup.get(r[i], [])])

    def __len__(self):
        return len(self.rows)

    def __iter__(self):
        return iter(self.rows)

    def __str__(self):
        widths = [
            max(len(c), *(len(r[i]) for r in self.rows)) if self.rows else len(c)
            for i, c in enumerate(self.columns)
        ]
        line = " | ".join(c.ljust(w) for c, w in zip(self.columns, widths))
        out = [line, "-" * len(line)]
        out += [" | ".join(v.ljust(w) for v, w in zip(r, widths)) for r in self.rows]
        return "\n".join(out)


def mean(xs):
    return sum(xs) / len(xs)


def main(people_csv, cities_csv):
    people = Table.from_csv(people_csv)
    cities = Table.from_csv(cities_csv)
    print(people.where("city", "=", "Oslo").select("name", "age"))
    joined = people.join(cities, "city")
    print(joined.order_by("age", desc=True, key=int))
    errors = []
    for col in ("name", "salary"):
        try:
            errors.append(len(people.select(col)))
        except TableError as e:
            errors.append(str(e))
    runs = [(k, len(list(g))) for k, g in groupby(people.order_by("city"), key=lambda r: r[2])]
    return (
        people.group_by("city", "age", mean),
        people.group_by("city", "age", max),
        errors[0],
        errors[1],
        runs,
        [r for r in joined.where("country", "!=", "Norway")],
        len(joined),
    )


ARGS = [
    (
        "name, age, city\nann,31,Oslo\nbob,25,Bergen\ncid,47,Oslo\ndee,19,Paris\neve,88,Rome".replace(
            ", ", ","
        ),
        "city,country\nOslo,Norway\nBergen,Norway\nParis,France",
    )
]
