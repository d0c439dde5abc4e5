"""Shopping cart with discount strategies as dataclasses & callables; mixins with cooperative super(); __call__; __enter__/__exit__ transaction rollback."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from enum import Enum
from typing import Protocol


class Category(Enum):
    BOOK = "book"
    TOY = "toy"
    FOOD = "food"

    @property
    def tax(self) -> float:
        match self:
            case Category.FOOD:
                return 0.05
            case Category.BOOK:
                return 0.0
            case _:
                return 0.2


@dataclass(frozen=True)
class Product:
    sku: str
    name: str
    cents: int
    category: Category

    def __str__(self):
        return f"{self.name} @ {self.cents / 100:.2f}"


@dataclass
class Line:
    product: Product
    qty: int = 1

    @property
    def total(self):
        return self.product.cents * self.qty


class Discount(Protocol):
    def __call__(self, cart: Cart) -> int: ...


@dataclass
class Percent:
    category: Category
    percent: int

    def __call__(self, cart):
        return (
            sum(l.total for l in cart if l.product.category is self.category) * self.percent // 100
        )


@dataclass
class BuyNGetOne:
    sku: str
    n: int = 3

    def __call__(self, cart):
        line = cart.lines.get(self.sku)
        return 0 if line is None else line.qty // self.n * line.product.cents


@dataclass
class Voucher:
    code: str
    cents: int
    minimum: int = 0

    def __call__(self, cart):
        return self.cents if cart.subtotal >= self.minimum else 0


class OutOfStock(Exception):
    def __init__(self, sku, wanted, have):
        super().__init__(f"{sku}: wanted {wanted}, have {have}")
        self.sku, self.short = sku, wanted - have


class Loggable:
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.log = []

    def note(self, fmt, *args):
        self.log.append(fmt.format(*args))


class BaseCart:
    def __init__(self, stock):
        self.stock = stock
        self.lines = {}

    def __iter__(self):
        return iter(self.lines.values())

    def __len__(self):
        return sum(l.qty for l in self)

    @property
    def subtotal(self):
        return sum(l.total for l in self)


class Cart(Loggable, BaseCart):
    def add(self, product, qty=1):
        have = self.stock.get(product.sku, 0)
        if qty > have:
            raise OutOfStock(product.sku, qty, have)
        self.stock[product.sku] = have - qty
        line = self.lines.setdefault(product.sku, Line(product, 0))
        line.qty += qty
        self.note("added {} x {}", qty, product.name)
        return self

    def tax(self):
        return round(sum(l.total * l.product.category.tax for l in self))

    def best(self, discounts):
        return max(((d(self), type(d).__name__) for d in discounts), default=(0, "none"))


class Transaction:
    def __init__(self, cart):
        self.cart = cart

    def __enter__(self):
        self.saved_stock = dict(self.cart.stock)
        self.saved = {k: l.qty for k, l in self.cart.lines.items()}
        return self.cart

    def __exit__(self, exc_type, exc, tb):
        if exc_type is None:
            return False
        self.cart.stock.clear()
        self.cart.stock.update(self.saved_stock)
        for k in list(self.cart.lines):
            if k in self.saved:
                self.cart.lines[k].qty = self.saved[k]
            else:
                del self.cart.lines[k]
        self.cart.note("rolled back: {}", exc)
        return exc_type is OutOfStock


def main(catalog, stock, orders):
    products = {sku: Product(sku, name, cents, Category(cat)) for sku, name, cents, cat in catalog}
    cart = Cart(stock)
    for order in orders:
        with Transaction(cart) as c:
            for sku, qty in order.items():
                c.add(products[sku], qty)
    discounts = [
        Percent(Category.BOOK, 10),
        BuyNGetOne("t1"),
        Voucher("WELCOME", 500, minimum=4000),
    ]
    each = [d(cart) for d in discounts]
    per_cat = defaultdict(int)
    for l in cart:
        per_cat[l.product.category.value] += l.total
    for l in sorted(cart, key=lambda l: -l.total):
        print(f"{l.qty:>3} x {l.product!s:<20}{l.total / 100:>10.2f}")
    return (
        cart.subtotal,
        cart.tax(),
        each,
        cart.best(discounts),
        cart.best([]),
        dict(per_cat),
        cart.log,
        cart.stock,
        len(cart),
    )


ARGS = [
    (
        [("b1", "Novel", 1250, "book"), ("t1", "Robot", 2999, "toy"), ("f1", "Apple", 45, "food")],
        {"b1": 4, "t1": 5, "f1": 30},
        [{"b1": 2, "t1": 3}, {"f1": 10, "t1": 9}, {"f1": 12}, {"b1": 3}],
    )
]
