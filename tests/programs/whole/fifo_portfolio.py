from collections import defaultdict, deque
from dataclasses import dataclass


class InsufficientShares(Exception):
    def __init__(self, symbol, wanted, held):
        super().__init__(f"cannot sell {wanted} {symbol}, only {held} held")
        self.symbol = symbol
        self.wanted = wanted


@dataclass
class Lot:
    qty: int
    price: float


class Portfolio:
    def __init__(self):
        self.lots = defaultdict(deque)
        self.realised = defaultdict(float)

    def buy(self, symbol, qty, price):
        self.lots[symbol].append(Lot(qty, price))

    def held(self, symbol):
        return sum(lot.qty for lot in self.lots[symbol])

    def sell(self, symbol, qty, price):
        if qty > self.held(symbol):
            raise InsufficientShares(symbol, qty, self.held(symbol))
        remaining = qty
        while remaining > 0:
            lot = self.lots[symbol][0]
            take = min(lot.qty, remaining)
            self.realised[symbol] += take * (price - lot.price)
            lot.qty -= take
            remaining -= take
            if lot.qty == 0:
                self.lots[symbol].popleft()


def main(transactions):
    p = Portfolio()
    errors = 0
    for action, symbol, qty, price in transactions:
        try:
            if action == "buy":
                p.buy(symbol, qty, price)
            else:
                p.sell(symbol, qty, price)
        except InsufficientShares as e:
            errors += 1
            print("skipped:", e)
    for s, gain in p.realised.items():
        print(f"{s:6s} {gain:+10.2f}  ({p.held(s)} left)")
    return dict(p.realised), errors


ARGS = [
    (
        [
            ("buy", "ABC", 10, 100.0),
            ("buy", "ABC", 10, 110.0),
            ("sell", "ABC", 15, 120.0),
            ("sell", "XYZ", 1, 5.0),
            ("buy", "XYZ", 4, 2.5),
            ("sell", "XYZ", 2, 2.0),
        ],
    ),
    ([("buy", "Q", 1, 1.0)],),
]
