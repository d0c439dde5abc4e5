"""Business rules: decorators with arguments registering functions, closures with nonlocal, predicates combined with & and |."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial, wraps

RULES = []
CALLS = 0


class Rejected(Exception):
    """An order is refused; carries all reasons."""

    def __init__(self, order_id: int, reasons: list[str]):
        self.order_id = order_id
        self.reasons = reasons
        super().__init__(f"order {order_id}: {'; '.join(reasons)}")


@dataclass
class Order:
    id: int
    customer: str
    total: float
    items: int
    country: str = "NO"
    vip: bool = False


def rule(priority: int, *, reason: str):
    def deco(fn):
        RULES.append((priority, reason, fn))
        return fn

    return deco


@rule(2, reason="too cheap")
def minimum(order):
    return order.total >= 10


@rule(1, reason="no items")
def has_items(order):
    return order.items > 0


@rule(3, reason="cannot ship")
def shippable(order):
    return order.country in {"NO", "SE", "DK"} or order.vip


class Pred:
    def __init__(self, fn, name):
        self.fn, self.name = fn, name

    def __call__(self, o):
        return self.fn(o)

    def __and__(self, other):
        return Pred(lambda o: self(o) and other(o), f"({self.name} and {other.name})")

    def __or__(self, other):
        return Pred(lambda o: self(o) or other(o), f"({self.name} or {other.name})")

    def __invert__(self):
        return Pred(lambda o: not self(o), f"not {self.name}")


def counted(fn):
    calls = 0

    @wraps(fn)
    def wrapper(*args, **kwargs):
        nonlocal calls
        global CALLS
        calls += 1
        CALLS += 1
        return fn(*args, **kwargs)

    return wrapper


@counted
def discount(order: Order, rate: float = 0.1, *, cap: float = 50.0) -> float:
    return min(order.total * rate, cap)


def make_account(balance=0.0):
    history = []

    def deposit(x):
        nonlocal balance
        balance += x
        history.append(x)
        return balance

    def withdraw(x):
        nonlocal balance
        if x > balance:
            raise ValueError(f"insufficient: {balance:.2f} < {x:.2f}")
        balance -= x
        history.append(-x)
        return balance

    return deposit, withdraw, lambda: list(history)


def check(order):
    reasons = [why for _, why, fn in sorted(RULES, key=lambda r: r[0]) if not fn(order)]
    if reasons:
        raise Rejected(order.id, reasons)
    return order


def main(rows):
    global CALLS
    CALLS = 0
    big = Pred(lambda o: o.total > 100, "big")
    vip = Pred(lambda o: o.vip, "vip")
    special = (big & ~vip) | Pred(lambda o: o.items >= 10, "bulk")
    deposit, withdraw, history = make_account(20.0)
    vip_discount = partial(discount, rate=0.25, cap=80.0)
    accepted, refused = [], []
    for i, row in enumerate(rows, start=1):
        o = Order(i, *row)
        try:
            check(o)
        except Rejected as e:
            refused.append((e.order_id, len(e.reasons), str(e)))
            continue
        d = vip_discount(o) if o.vip else discount(o)
        deposit(o.total - d)
        accepted.append((o.id, round(d, 2), special(o)))
    try:
        withdraw(50.0)
        withdraw(5000.0)
    except ValueError as e:
        print(e)
    return accepted, refused, [round(h, 2) for h in history()], special.name, CALLS


ARGS = [
    (
        [
            ("ann", 250.0, 3),
            ("bob", 5.0, 0),
            ("cid", 900.0, 12, "US", True),
            ("dee", 30.0, 11, "US"),
            ("eve", 44.0, 1, "SE"),
        ],
    )
]
