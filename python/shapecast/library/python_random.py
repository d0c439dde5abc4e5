"""Python's random: its functions of the shared generator's bits.

The generator's stream continues where Python left it.
"""

from __future__ import annotations

from typing import Any

from . import implements, python_distributions


@implements("random.random")
def random() -> Any:
    return python_distributions.random(None)


@implements("random.getrandbits")
def getrandbits(k: Any, /) -> Any:
    return python_distributions.getrandbits(None, k)


@implements("random.gauss")
def gauss(mu: Any = 0.0, sigma: Any = 1.0) -> Any:
    return python_distributions.gauss(None, mu, sigma)


@implements("random.randrange")
def randrange(start: Any, stop: Any = None, step: Any = 1) -> Any:
    return python_distributions.randrange(None, start, stop, step)


@implements("random.randint")
def randint(a: Any, b: Any) -> Any:
    return python_distributions.randint(None, a, b)


@implements("random.choice")
def choice(seq: Any) -> Any:
    return python_distributions.choice(None, seq)


@implements("random.shuffle")
def shuffle(x: Any) -> Any:
    return python_distributions.shuffle(None, x)


@implements("random.sample")
def sample(population: Any, k: Any, *, counts: Any = None) -> Any:
    return python_distributions.sample(None, population, k, counts)


@implements("random.choices")
def choices(population: Any, weights: Any = None, *, cum_weights: Any = None, k: Any = 1) -> Any:
    return python_distributions.choices(None, population, weights, cum_weights, k)


@implements("random.uniform")
def uniform(a: Any, b: Any) -> Any:
    return python_distributions.uniform(None, a, b)


@implements("random.triangular")
def triangular(low: Any = 0.0, high: Any = 1.0, mode: Any = None) -> Any:
    return python_distributions.triangular(None, low, high, mode)


@implements("random.normalvariate")
def normalvariate(mu: Any = 0.0, sigma: Any = 1.0) -> Any:
    return python_distributions.normalvariate(None, mu, sigma)


@implements("random.lognormvariate")
def lognormvariate(mu: Any, sigma: Any) -> Any:
    return python_distributions.lognormvariate(None, mu, sigma)


@implements("random.expovariate")
def expovariate(lambd: Any = 1.0) -> Any:
    return python_distributions.expovariate(None, lambd)


@implements("random.vonmisesvariate")
def vonmisesvariate(mu: Any, kappa: Any) -> Any:
    return python_distributions.vonmisesvariate(None, mu, kappa)


@implements("random.gammavariate")
def gammavariate(alpha: Any, beta: Any) -> Any:
    return python_distributions.gammavariate(None, alpha, beta)


@implements("random.betavariate")
def betavariate(alpha: Any, beta: Any) -> Any:
    return python_distributions.betavariate(None, alpha, beta)


@implements("random.paretovariate")
def paretovariate(alpha: Any) -> Any:
    return python_distributions.paretovariate(None, alpha)


@implements("random.weibullvariate")
def weibullvariate(alpha: Any, beta: Any) -> Any:
    return python_distributions.weibullvariate(None, alpha, beta)
