"""Shop inventory with custom exceptions."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Dict, List, Optional


class InventoryError(Exception):
    """Base class for all stock problems."""


class UnknownItem(InventoryError):
    def __init__(self, sku):
        super().__init__(f"no such item: {sku}")
        self.sku = sku


class OutOfStock(InventoryError):
    def __init__(self, sku, wanted, available):
        super().__init__(f"{sku}: wanted {wanted}, only {available} left")
        self.sku = sku
        self.wanted = wanted
        self.available = available

    @property
    def missing(self):
        return self.wanted - self.available


@dataclass
class Item:
    sku: str
    name: str
    price_cents: int
    quantity: int = 0
    tags: List[str] = field(default_factory=list)

    def value(self) -> int:
        return self.price_cents * self.quantity


class Inventory:
    def __init__(self, reorder_level: int = 5):
        self._items: Dict[str, Item] = {}
        self.reorder_level = reorder_level
        self.history = []
        self.backorders = defaultdict(int)

    def __contains__(self, sku):
        return sku in self._items

    def __len__(self):
        return len(self._items)

    def __getitem__(self, sku) -> Item:
        try:
            return self._items[sku]
        except KeyError:
            raise UnknownItem(sku) from None

    def add(self, item: Item) -> None:
        if item.sku in self:
            self[item.sku].quantity += item.quantity
        else:
            self._items[item.sku] = item
        self.history.append(("add", item.sku, item.quantity))

    def remove(self, sku: str, qty: int) -> int:
        item = self[sku]
        if qty <= 0:
            raise ValueError("quantity must be positive")
        if qty > item.quantity:
            raise OutOfStock(sku, qty, item.quantity)
        item.quantity -= qty
        self.history.append(("remove", sku, qty))
        return qty * item.price_cents

    def low_stock(self) -> List[str]:
        return sorted(i.name for i in self._items.values() if i.quantity < self.reorder_level)

    def by_tag(self) -> Dict[str, List[str]]:
        groups = defaultdict(list)
        for item in self._items.values():
            for tag in item.tags:
                groups[tag].append(item.sku)
        return {tag: sorted(skus) for tag, skus in sorted(groups.items())}

    def total(self) -> int:
        return sum(item.value() for item in self._items.values())


def money(cents: int) -> str:
    return f"${cents // 100:,}.{cents % 100:02d}"


def main(orders, discount: Optional[int] = None):
    inv = Inventory(reorder_level=4)
    inv.add(Item("A1", "anvil", 12999, 3, ["heavy", "metal"]))
    inv.add(Item("R2", "rocket skates", 49950, 2, ["fast"]))
    inv.add(Item("B3", "bird seed", 299, 120, ["food"]))
    inv.add(Item("D4", "dynamite", 1525, 40, ["fast", "loud"]))
    inv.add(Item("B3", "bird seed", 299, 30))
    revenue = 0
    problems = []
    for sku, qty in orders:
        try:
            price = inv.remove(sku, qty)
        except OutOfStock as e:
            inv.backorders[e.sku] += e.missing
            problems.append(str(e))
        except UnknownItem as e:
            problems.append(f"skip {e.sku}")
        except ValueError as e:
            problems.append(f"invalid: {e}")
        else:
            if discount:
                price = price * (100 - discount) // 100
            revenue += price
            print(f"sold {qty:>3} x {inv[sku].name:<14} {money(price):>12}")
    print("revenue", money(revenue), "stock", money(inv.total()))
    return {
        "revenue": money(revenue),
        "stock": money(inv.total()),
        "low": inv.low_stock(),
        "tags": inv.by_tag(),
        "backorders": dict(inv.backorders),
        "problems": problems,
        "moves": len(inv.history),
    }


ARGS = [
    ([("A1", 2), ("B3", 50), ("R2", 1)],),
    ([("R2", 5), ("ZZ", 1), ("D4", 38), ("A1", -1), ("R2", 3)], 15),
]
