"""Options: Black-Scholes, a binomial tree with NumPy and a Monte-Carlo free Greeks table."""

from __future__ import annotations

import enum
import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace

import numpy as np


class Kind(enum.Enum):
    CALL = 1
    PUT = -1

    def payoff(self, spot, strike):
        return np.maximum(self.value * (spot - strike), 0.0)


@dataclass(frozen=True)
class Contract:
    kind: Kind
    strike: float
    expiry: float
    american: bool = False


@dataclass(frozen=True)
class Market:
    spot: float
    rate: float
    vol: float

    def bumped(self, **changes: float) -> Market:
        return replace(self, **{k: getattr(self, k) + v for k, v in changes.items()})


def norm_cdf(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


class Pricer(ABC):
    @abstractmethod
    def price(self, c: Contract, m: Market) -> float: ...

    def delta(self, c: Contract, m: Market, h: float = 0.01) -> float:
        return (self.price(c, m.bumped(spot=h)) - self.price(c, m.bumped(spot=-h))) / (2 * h)

    def vega(self, c: Contract, m: Market, h: float = 1e-4) -> float:
        return (self.price(c, m.bumped(vol=h)) - self.price(c, m.bumped(vol=-h))) / (2 * h)


class BlackScholes(Pricer):
    def price(self, c, m):
        if c.american and c.kind is Kind.PUT:
            raise NotImplementedError("american put")
        s = m.vol * math.sqrt(c.expiry)
        d1 = (math.log(m.spot / c.strike) + (m.rate + m.vol**2 / 2) * c.expiry) / s
        w = c.kind.value
        return w * (
            m.spot * norm_cdf(w * d1)
            - c.strike * math.exp(-m.rate * c.expiry) * norm_cdf(w * (d1 - s))
        )


class Binomial(Pricer):
    def __init__(self, steps: int):
        self.steps = steps

    def price(self, c, m):
        n = self.steps
        dt = c.expiry / n
        u = math.exp(m.vol * math.sqrt(dt))
        q = (math.exp(m.rate * dt) - 1 / u) / (u - 1 / u)
        disc = math.exp(-m.rate * dt)
        spots = m.spot * u ** np.arange(n, -n - 1, -2)
        values = c.kind.payoff(spots, c.strike)
        for i in range(n - 1, -1, -1):
            values = disc * (q * values[:-1] + (1 - q) * values[1:])
            if c.american:
                spots = m.spot * u ** np.arange(i, -i - 1, -2)
                values = np.maximum(values, c.kind.payoff(spots, c.strike))
        return float(values[0])


def main(spot, steps):
    market = Market(spot, 0.03, 0.25)
    contracts = [
        Contract(Kind.CALL, 100, 1.0),
        Contract(Kind.PUT, 110, 0.5, american=True),
        Contract(Kind.PUT, 95, 2.0),
    ]
    table = []
    for pricer in (BlackScholes(), Binomial(steps)):
        for c in contracts:
            try:
                row = [pricer.price(c, market), pricer.delta(c, market), pricer.vega(c, market)]
                table.append((type(pricer).__name__, c.kind.name, [round(x, 6) for x in row]))
            except NotImplementedError as e:
                table.append((type(pricer).__name__, c.kind.name, str(e)))
    return table


ARGS = [(102.0, 60)]
