import heapq
from dataclasses import dataclass
from enum import Enum


class Side(Enum):
    BUY = "buy"
    SELL = "sell"


@dataclass
class Order:
    id: int
    side: Side
    price: float
    qty: int


@dataclass(frozen=True)
class Trade:
    buyer: int
    seller: int
    price: float
    qty: int


class OrderBook:
    def __init__(self):
        self.bids = []
        self.asks = []
        self.trades = []

    def submit(self, order):
        if order.qty <= 0:
            raise ValueError(f"bad quantity {order.qty}")
        if order.side == Side.BUY:
            heapq.heappush(self.bids, (-order.price, order.id, order))
        else:
            heapq.heappush(self.asks, (order.price, order.id, order))
        self.match()

    def match(self):
        while self.bids and self.asks:
            bid, ask = self.bids[0][2], self.asks[0][2]
            if bid.price < ask.price:
                break
            qty = min(bid.qty, ask.qty)
            price = ask.price if ask.id < bid.id else bid.price
            self.trades.append(Trade(bid.id, ask.id, price, qty))
            bid.qty -= qty
            ask.qty -= qty
            if bid.qty == 0:
                heapq.heappop(self.bids)
            if ask.qty == 0:
                heapq.heappop(self.asks)


def main(orders):
    book = OrderBook()
    for i, (side, price, qty) in enumerate(orders):
        book.submit(Order(i, Side(side), price, qty))
    for t in book.trades:
        print(f"{t.qty} @ {t.price:.2f}  ({t.buyer} <- {t.seller})")
    volume = sum(t.qty for t in book.trades)
    return book.trades, volume, len(book.bids), len(book.asks)


ARGS = [
    (
        [
            ("buy", 10.0, 5),
            ("sell", 10.5, 3),
            ("sell", 9.5, 4),
            ("buy", 11.0, 6),
            ("sell", 10.0, 10),
        ],
    ),
    ([("buy", 10.0, 0)],),
]
