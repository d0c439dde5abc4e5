"""Vending machine driven by a table of (state, event) -> handler."""

from enum import Enum, auto


class State(Enum):
    IDLE = auto()
    HAS_MONEY = auto()
    DISPENSING = auto()
    MAINTENANCE = auto()


COINS = (200, 100, 50, 20, 10, 5)


class VendingError(Exception):
    pass


class SoldOut(VendingError):
    pass


class NotEnoughMoney(VendingError):
    def __init__(self, missing):
        super().__init__(f"please insert {missing} more")
        self.missing = missing


class VendingMachine:
    def __init__(self, stock, prices, float_):
        self.stock = dict(stock)
        self.prices = prices
        self.bank = {coin: float_ for coin in COINS}
        self.inserted = []
        self.state = State.IDLE
        self.output = []
        self.table = {
            (State.IDLE, "coin"): self.on_coin,
            (State.HAS_MONEY, "coin"): self.on_coin,
            (State.HAS_MONEY, "select"): self.on_select,
            (State.HAS_MONEY, "cancel"): self.on_cancel,
            (State.IDLE, "service"): self.on_service,
            (State.MAINTENANCE, "service"): self.on_service,
            (State.MAINTENANCE, "refill"): self.on_refill,
        }

    @property
    def credit(self):
        return sum(self.inserted)

    def say(self, text):
        self.output.append(f"[{self.state.name}] {text}")

    def on_coin(self, value):
        coin = int(value)
        if coin not in COINS:
            self.say(f"rejected {coin}")
            return self.state
        self.inserted.append(coin)
        self.bank[coin] += 1
        self.say(f"credit {self.credit}")
        return State.HAS_MONEY

    def on_select(self, item):
        price = self.prices[item]
        if self.stock.get(item, 0) == 0:
            raise SoldOut(item + " is sold out")
        if self.credit < price:
            raise NotEnoughMoney(price - self.credit)
        change = self.make_change(self.credit - price)
        if change is None:
            raise VendingError("exact change only")
        self.stock[item] -= 1
        self.inserted.clear()
        self.say(
            f"enjoy your {item}" + (f", change {'+'.join(map(str, change))}" if change else "")
        )
        return State.IDLE

    def make_change(self, amount):
        used = {}
        for coin in COINS:
            n = min(amount // coin, self.bank[coin])
            if n:
                used[coin] = n
                amount -= coin * n
        if amount:
            return None
        coins = []
        for coin, n in used.items():
            self.bank[coin] -= n
            coins += [coin] * n
        return coins

    def on_cancel(self, _):
        for coin in self.inserted:
            self.bank[coin] -= 1
        self.say("returned " + str(self.inserted))
        self.inserted = []
        return State.IDLE

    def on_service(self, _):
        return State.IDLE if self.state is State.MAINTENANCE else State.MAINTENANCE

    def on_refill(self, what):
        item, _, count = what.partition("=")
        self.stock[item] = self.stock.get(item, 0) + int(count or "1")
        return self.state

    def handle(self, line):
        event, *rest = line.split()
        argument = rest[0] if rest else ""
        handler = self.table.get((self.state, event))
        if handler is None:
            self.say(f"cannot {event} now")
            return
        try:
            self.state = handler(argument)
        except NotEnoughMoney as e:
            self.say(f"{e} ({e.missing} cents)")
        except VendingError as e:
            self.say(str(e))
        except KeyError:
            self.say(f"no such item: {argument}")


def main(script):
    machine = VendingMachine({"cola": 1, "chips": 2}, {"cola": 150, "chips": 85, "gum": 30}, 1)
    for line in script.strip().splitlines():
        machine.handle(line.strip())
    for text in machine.output:
        print(text)
    left = {k: v for k, v in machine.stock.items() if v}
    return machine.state.name, left, sum(c * n for c, n in machine.bank.items()), machine.credit


ARGS = [
    ("coin 100\ncoin 3\nselect cola\ncoin 100\nselect cola\nselect chips\ncoin 50\ncancel\n",),
    (
        "service\nrefill gum=2\nrefill tea\ncoin 5\nservice\ncoin 200\nselect cola\ncoin 200\n"
        "select cola\nselect gum\nselect pie\n",
    ),
]
