"""Order book & auction matching: heapq with order=True dataclasses, match on tuples/dicts, generators, running VWAP, drawdown."""

from __future__ import annotations

import heapq
import itertools
from collections import defaultdict, namedtuple
from dataclasses import dataclass, field
from enum import Enum
from typing import Iterator, Optional

Trade = namedtuple("Trade", "price qty buyer seller", defaults=("?", "?"))


class Side(str, Enum):
    BUY = "buy"
    SELL = "sell"

    def opposite(self) -> Side:
        return Side.SELL if self == Side.BUY else Side.BUY


@dataclass(order=True)
class Order:
    key: tuple = field(init=False, repr=False)
    price: float = field(compare=False)
    qty: int = field(compare=False)
    who: str = field(compare=False)
    side: Side = field(compare=False)
    seq: int = field(default_factory=itertools.count().__next__, compare=False)

    def __post_init__(self):
        sign = -1 if self.side is Side.BUY else 1
        self.key = (sign * self.price, self.seq)


class Book:
    def __init__(self):
        self.sides: dict[Side, list[Order]] = {Side.BUY: [], Side.SELL: []}
        self.trades: list[Trade] = []
        self.seq = 0

    def best(self, side: Side) -> Optional[Order]:
        heap = self.sides[side]
        while heap and heap[0].qty == 0:
            heapq.heappop(heap)
        return heap[0] if heap else None

    def crosses(self, o: Order, other: Order) -> bool:
        return o.price >= other.price if o.side is Side.BUY else o.price <= other.price

    def submit(self, side: Side, who: str, price: float, qty: int) -> Iterator[Trade]:
        if qty <= 0:
            raise ValueError(f"bad quantity {qty}")
        self.seq += 1
        o = Order(price, qty, who, side, self.seq)
        while o.qty and (other := self.best(side.opposite())) and self.crosses(o, other):
            n = min(o.qty, other.qty)
            o.qty -= n
            other.qty -= n
            buyer, seller = (who, other.who) if side is Side.BUY else (other.who, who)
            t = Trade(other.price, n, buyer, seller)
            self.trades.append(t)
            yield t
        if o.qty:
            heapq.heappush(self.sides[side], o)

    def cancel(self, who: str) -> int:
        n = 0
        for heap in self.sides.values():
            for o in heap:
                if o.who == who and o.qty:
                    o.qty = 0
                    n += 1
        return n

    def depth(self, side: Side) -> list[tuple[float, int]]:
        levels = defaultdict(int)
        for o in self.sides[side]:
            if o.qty:
                levels[o.price] += o.qty
        return sorted(levels.items(), reverse=side is Side.BUY)


def vwap(trades):
    num = den = 0.0
    for t in trades:
        num += t.price * t.qty
        den += t.qty
        yield num / den


def drawdown(prices):
    peak, worst = float("-inf"), 0.0
    for p in prices:
        peak = max(peak, p)
        worst = max(worst, (peak - p) / peak)
    return worst


def second_price(bids: dict[str, float], reserve: float = 0.0):
    ranked = sorted(bids.items(), key=lambda kv: (-kv[1], kv[0]))
    match ranked:
        case []:
            return None
        case [(_, top), *_] if top < reserve:
            return None
        case [(who, _)]:
            return who, reserve
        case [(who, _), (_, second), *_]:
            return who, max(second, reserve)


def main(commands, auctions):
    book = Book()
    log = []
    for cmd in commands:
        try:
            match cmd:
                case ("cancel", who, _, _):
                    log.append(f"{who} cancels {book.cancel(who)}")
                case (side, who, price, qty):
                    for t in book.submit(Side(side), who, price, qty):
                        log.append(f"{t.buyer} <- {t.seller}: {t.qty}@{t.price:.2f}")
        except ValueError as e:
            log.append(f"error: {e}")
    prices = [t.price for t in book.trades]
    cash = defaultdict(float)
    for price, qty, buyer, seller in book.trades:
        cash[buyer] -= price * qty
        cash[seller] += price * qty
    best = book.best(Side.BUY)
    return (
        log,
        [round(v, 4) for v in vwap(book.trades)],
        round(drawdown(prices), 6),
        book.depth(Side.BUY),
        book.depth(Side.SELL),
        dict(cash),
        best.who if best else "-",
        [second_price(a, 5.0) for a in auctions],
        book.trades[0]._replace(qty=1) == 1,
        Trade(1.0, 2).buyer,
    )


ARGS = [
    (
        [("buy", "ann", 10.0, 5), ("sell", "bob", 10.0, 4), ("hold", "x", 1.0, 1)],
        [{}, {"a": 7.0}, {"a": 3.0}, {"a": 7.0, "b": 9.0, "c": 8.0}, {"a": 6.0, "b": 2.0}],
    )
]
