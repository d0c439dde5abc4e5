"""A small in-memory query engine: rows as dicts, fluent API, aggregates, joins."""

from collections import defaultdict
from operator import itemgetter
from typing import Any, Callable, Dict, Iterable, List

Row = Dict[str, Any]


class Query:
    def __init__(self, rows: Iterable[Row]):
        self._rows = rows

    def where(self, predicate: Callable[[Row], bool]) -> "Query":
        return Query(r for r in self._rows if predicate(r))

    def select(self, *columns: str, **computed: Callable[[Row], Any]) -> "Query":
        def build():
            for r in self._rows:
                row = {c: r[c] for c in columns}
                for name, f in computed.items():
                    row[name] = f(r)
                yield row

        return Query(build())

    def order_by(self, *columns: str, reverse: bool = False) -> "Query":
        return Query(sorted(self._rows, key=itemgetter(*columns), reverse=reverse))

    def join(self, other: List[Row], on: str) -> "Query":
        index = defaultdict(list)
        for o in other:
            index[o[on]].append(o)
        return Query({**r, **o} for r in self._rows for o in index.get(r[on], ()))

    def group_by(self, column: str, **aggregates) -> "Query":
        groups: Dict[Any, List[Row]] = defaultdict(list)
        for r in self._rows:
            groups[r[column]].append(r)
        return Query(
            {column: key, **{name: agg(rows) for name, agg in aggregates.items()}}
            for key, rows in groups.items()
        )

    def limit(self, n: int) -> "Query":
        return Query(r for _, r in zip(range(n), self._rows))

    def to_list(self) -> List[Row]:
        return list(self._rows)


def total(column):
    return lambda rows: sum(r[column] for r in rows)


def mean(column):
    return lambda rows: round(sum(r[column] for r in rows) / len(rows), 2)


def count(rows):
    return len(rows)


def main(sales, products):
    by_region = (
        Query(sales)
        .where(lambda r: r["qty"] > 1)
        .group_by("region", n=count, qty=total("qty"), avg=mean("qty"))
        .order_by("region")
        .to_list()
    )
    revenue = (
        Query(sales)
        .join(products, on="product")
        .select("region", "product", revenue=lambda r: r["qty"] * r["price"])
        .order_by("revenue", "product", reverse=True)
        .limit(3)
        .to_list()
    )
    return by_region, revenue


ARGS = [
    (
        [
            {"region": r, "product": p, "qty": q}
            for r, p, q in [
                ("north", "tea", 5),
                ("south", "tea", 1),
                ("north", "mug", 3),
                ("east", "pot", 2),
                ("south", "mug", 7),
                ("east", "tea", 4),
            ]
        ],
        [
            {"product": "tea", "price": 3.5},
            {"product": "mug", "price": 8.0},
            {"product": "pot", "price": 21.25},
        ],
    )
]
