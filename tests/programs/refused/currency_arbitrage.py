"""Currency graph: best conversions and arbitrage with Bellman-Ford and Floyd-Warshall."""

import math
from typing import Dict, List, NamedTuple


class Edge(NamedTuple):
    src: str
    dst: str
    rate: float

    @property
    def weight(self) -> float:
        return -math.log(self.rate)


class ArbitrageFound(Exception):
    def __init__(self, cycle, profit):
        super().__init__(f"{' -> '.join(cycle)} gains {profit:.4%}")
        self.cycle = cycle
        self.profit = profit


class Unreachable(Exception):
    pass


class Market:
    def __init__(self, spread: float = 0.0):
        self.rates: Dict[tuple, float] = {}
        self.spread = spread

    def quote(self, pair: str, rate: float, both: bool = True):
        a, b = pair.split("/")
        self.rates[a, b] = rate * (1 - self.spread)
        if both:
            self.rates[b, a] = (1 / rate) * (1 - self.spread)

    @property
    def currencies(self) -> List[str]:
        return sorted({c for pair in self.rates for c in pair})

    def edges(self):
        return [Edge(a, b, r) for (a, b), r in sorted(self.rates.items())]

    def value_of(self, path) -> float:
        value = 1.0
        for a, b in zip(path, path[1:]):
            value *= self.rates[a, b]
        return value

    def bellman_ford(self, source: str):
        dist = {c: math.inf for c in self.currencies}
        prev = {c: None for c in self.currencies}
        dist[source] = 0.0
        edges = self.edges()
        last = None
        for _ in range(len(dist)):
            last = None
            for e in edges:
                if dist[e.src] + e.weight < dist[e.dst] - 1e-12:
                    dist[e.dst] = dist[e.src] + e.weight
                    prev[e.dst] = e.src
                    last = e.dst
            if last is None:
                return dist, prev
        # still relaxing: walk back far enough to be inside the cycle
        for _ in range(len(dist)):
            last = prev[last]
        cycle = [last]
        while True:
            cycle.append(prev[cycle[-1]])
            if cycle[-1] == last:
                break
        cycle.reverse()
        k = cycle.index(min(cycle))
        cycle = cycle[k:-1] + cycle[:k] + [cycle[k]]
        raise ArbitrageFound(cycle, self.value_of(cycle) - 1)

    def convert(self, amount: float, a: str, b: str):
        dist, prev = self.bellman_ford(a)
        if math.isinf(dist[b]):
            raise Unreachable(f"no way from {a} to {b}")
        path = [b]
        while path[-1] != a:
            path.append(prev[path[-1]])
        path.reverse()
        return round(amount * self.value_of(path), 4), path

    def floyd_warshall(self):
        names = self.currencies
        best = {
            (a, b): 1.0 if a == b else self.rates.get((a, b), 0.0) for a in names for b in names
        }
        for k in names:
            for i in names:
                for j in names:
                    through = best[i, k] * best[k, j]
                    if through > best[i, j]:
                        best[i, j] = through
        return best


def show_table(best, names):
    print("     " + "".join(f"{n:>10}" for n in names))
    for a in names:
        print(f"{a:<5}" + "".join(f"{best[a, b]:>10.4f}" for b in names))


def main(quotes, spread, wishes):
    market = Market(spread)
    for pair, rate in quotes.items():
        market.quote(pair.strip("!"), rate, both=not pair.endswith("!"))
    answers = []
    for amount, a, b in wishes:
        try:
            got, path = market.convert(amount, a, b)
            answers.append((f"{amount:,.2f} {a} = {got:,.2f} {b}", path))
        except ArbitrageFound as e:
            answers.append((str(e), e.cycle, round(e.profit, 8)))
        except Unreachable as e:
            answers.append((str(e),))
        except KeyError as e:
            answers.append((f"unknown currency {e}",))
        print(*answers[-1])
    best = market.floyd_warshall()
    names = market.currencies
    free_money = any(best[c, c] > 1 + 1e-9 for c in names)
    if not free_money:
        show_table(best, names)
    return (
        answers,
        free_money,
        {b: round(best[names[0], b], 6) for b in names} if not free_money else None,
    )


ARGS = [
    (
        {"EUR/USD": 1.1, "USD/JPY": 150.0, "EUR/GBP": 0.85, "GBP/USD": 1.29},
        0.01,
        [(100, "EUR", "JPY"), (1000, "JPY", "GBP"), (5, "USD", "USD")],
    ),
    ({"EUR/USD": 1.1, "USD/JPY": 150.0, "EUR/JPY": 170.0}, 0.0, [(100, "EUR", "JPY")]),
    (
        {"AAA/BBB": 2.0, "BBB/CCC!": 3.0, "DDD/CCC!": 1.5},
        0.002,
        [(1, "AAA", "CCC"), (1, "CCC", "AAA"), (1, "AAA", "XXX")],
    ),
]
