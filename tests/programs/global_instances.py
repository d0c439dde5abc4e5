"""Instances of classes outside of the functions, as values: tables of them, looked up at run time,
sorted, compared, changed; a linked list; the best of them.
"""

from dataclasses import dataclass, field
from enum import Enum


class Kind(Enum):
    FOOD = 1
    TOOL = 2


@dataclass
class Product:
    name: str
    price: float
    kind: Kind = Kind.FOOD
    tags: list = field(default_factory=list)

    def total(self, n):
        return self.price * n


class Shape:
    def __init__(self, size):
        self.size = size

    def area(self):
        return 0


class Square(Shape):
    def area(self):
        return self.size**2


class Circle(Shape):
    def area(self):
        return 3 * self.size**2


class Node:
    def __init__(self, value, after=None):
        self.value = value
        self.after = after


class Counter:
    def __init__(self):
        self.hits = 0

    def hit(self, n):
        self.hits += n
        return self.hits


PRODUCTS = [Product("pear", 1.5), Product("saw", 9.5, Kind.TOOL, ["steel"]), Product("fig", 0.5)]
BY_NAME = {product.name: product for product in PRODUCTS}
SHAPES = [Square(2), Circle(1), Square(3)]
FIRST = PRODUCTS[0]
HEAD = Node(1, Node(2, Node(3)))
PAGE = {"title": "Shop", "items": [Product("a", 1.0), Product("b", 3.0)], "owner": Square(3)}
COUNTERS = {"a": Counter(), "b": Counter()}


def ordered(cart):
    counts = {}
    for name in cart.split():
        counts[name] = counts.get(name, 0) + 1
    return sum(BY_NAME[name].total(n) for name, n in counts.items() if name in BY_NAME)


def priced(name):
    return BY_NAME[name].price if name in BY_NAME else None


def missing(name):
    return BY_NAME[name].price


def numbered(n):
    product = PRODUCTS[n % 3]
    return product.name, product.total(3), product.tags, product.kind is Kind.TOOL


def best():
    found = None
    for product in PRODUCTS:
        if found is None or product.price > found.price:
            found = product
    return found.name, max(PRODUCTS, key=lambda p: p.price).name


def in_order():
    cheap = sorted(BY_NAME.values(), key=lambda p: p.price)
    return [p.name for p in cheap if p.kind is Kind.FOOD], cheap[0].name


def chosen(n):
    product = FIRST if n > 3 else PRODUCTS[1]
    return product.name, product.total(2), product is FIRST, product is PRODUCTS[1]


def biggest(n):
    big = max(SHAPES, key=lambda shape: shape.area())
    return type(big).__name__, big.area(), [shape.area() for shape in SHAPES], SHAPES[n].area()


def walked():
    total, node = 0, HEAD
    while node is not None:
        total, node = total + node.value, node.after
    return total


def rendered(**page):
    return page["title"] + str(len(page["items"])), page["owner"].area()


def pages(n):
    names = [product.name for product in PAGE["items"]]
    return PAGE["title"], names, PAGE["owner"].area() + n, rendered(**PAGE)


def counted(names):
    """Changes them, and takes it back: the next run begins as this one."""
    seen = [COUNTERS[name].hit(2) for name in names.split()]
    after = {name: counter.hits for name, counter in COUNTERS.items()}
    for name in names.split():
        COUNTERS[name].hits -= 2
    return seen, after


CASES = [
    *((ordered, (cart,)) for cart in ("pear saw pear", "fig", "", "nothing fig")),
    *((priced, (name,)) for name in ("saw", "none")),
    *((missing, (name,)) for name in ("fig", "none")),
    *((numbered, (n,)) for n in (0, 4)),
    (best, ()),
    (in_order, ()),
    *((chosen, (n,)) for n in (1, 5)),
    *((biggest, (n,)) for n in (0, 1)),
    (walked, ()),
    (pages, (2,)),
    *((counted, (names,)) for names in ("a", "a b a", "")),
]
