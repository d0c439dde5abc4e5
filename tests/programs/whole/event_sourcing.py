"""Event sourcing for a warehouse: events as dataclasses, projections with match, snapshots."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Union


@dataclass(frozen=True)
class Received:
    sku: str
    qty: int


@dataclass(frozen=True)
class Shipped:
    sku: str
    qty: int
    order: int


@dataclass(frozen=True)
class Adjusted:
    sku: str
    delta: int
    reason: str = "count"


Event = Union[Received, Shipped, Adjusted]


class OutOfStock(Exception):
    def __init__(self, sku, wanted, available):
        super().__init__(f"{sku}: wanted {wanted}, have {available}")
        self.sku = sku
        self.missing = wanted - available


@dataclass
class Stock:
    levels: dict = field(default_factory=lambda: defaultdict(int))
    version: int = 0

    def apply(self, event: Event):
        match event:
            case Received(sku=sku, qty=qty):
                self.levels[sku] += qty
            case Shipped(sku=sku, qty=qty):
                self.levels[sku] -= qty
            case Adjusted(sku=sku, delta=delta):
                self.levels[sku] += delta
        self.version += 1


class Warehouse:
    def __init__(self):
        self.log = []
        self.stock = Stock()
        self.backorders = []

    def record(self, event):
        self.log.append(event)
        self.stock.apply(event)

    def ship(self, order, sku, qty):
        have = self.stock.levels[sku]
        if have < qty:
            raise OutOfStock(sku, qty, have)
        self.record(Shipped(sku, qty, order))

    def replay(self, upto):
        s = Stock()
        for e in self.log[:upto]:
            s.apply(e)
        return dict(s.levels)


def main(commands):
    w = Warehouse()
    errors = []
    for n, line in enumerate(commands, 1):
        verb, sku, number, *rest = line.split()
        try:
            if verb == "in":
                w.record(Received(sku, int(number)))
            elif verb == "out":
                w.ship(n, sku, int(number))
            elif verb == "fix":
                w.record(Adjusted(sku, int(number), *rest))
            else:
                raise ValueError(f"line {n}: {verb}?")
        except OutOfStock as e:
            w.backorders.append((e.sku, e.missing))
            errors.append(str(e))
        except ValueError as e:
            errors.append(str(e))
    kinds = defaultdict(int)
    for e in w.log:
        kinds[type(e).__name__] += 1
    return {
        "now": dict(w.stock.levels),
        "half": w.replay(len(w.log) // 2),
        "kinds": dict(kinds),
        "errors": errors,
        "back": w.backorders,
        "v": w.stock.version,
        "last": str(w.log[-1]),
    }


ARGS = [
    (
        [
            "in bolt 50",
            "in nut 80",
            "out bolt 20",
            "out nut 90",
            "fix nut -5 damage",
            "out bolt 31",
            "lose nut 3",
            "out nut 75",
            "in bolt x",
            "fix bolt 2",
        ],
    )
]
