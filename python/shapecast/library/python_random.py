"""Python's random: its functions of the shared generator's bits.

Numbers are drawn as by Python's random.py, in the same order, so the generator's stream continues
where Python left it.
"""

from __future__ import annotations

import bisect
import itertools
import math
import operator
import sys
from typing import Any

import numpy as np

from . import implements
from .primitives import draw, draw_integer, unsupported

PYTHONS_OWN = 1  # runtime/python_random.h
MOST_BITS = 63
NEW_WORDS = sys.version_info >= (3, 12)
NEWER_WORDS = sys.version_info >= (3, 14)


@implements("random.random")
def random() -> Any:
    return draw("python_random", PYTHONS_OWN, ())


@implements("random.getrandbits")
def getrandbits(k: Any, /) -> Any:
    k = operator.index(k)
    if k < 0:
        raise ValueError(
            "Cannot convert negative int" if NEWER_WORDS else "number of bits must be non-negative"
        )
    if k > MOST_BITS:
        unsupported("more than 63 random bits")
    return int(draw_integer("python_bits", PYTHONS_OWN, (k,))) if k > 0 else 0


def below(n: Any) -> Any:
    return int(draw_integer("python_below", PYTHONS_OWN, (n,)))


@implements("random.gauss")
def gauss(mu: Any = 0.0, sigma: Any = 1.0) -> Any:
    return mu + draw("python_gauss", PYTHONS_OWN, ()) * sigma


@implements("random.randrange")
def randrange(start: Any, stop: Any = None, step: Any = 1) -> Any:
    start = operator.index(start)
    if stop is None:
        if step != 1:
            raise TypeError("Missing a non-None stop argument")
        if start <= 0:
            raise ValueError("empty range for randrange()")
        return below(start)
    stop = operator.index(stop)
    step = operator.index(step)
    width = stop - start
    if step == 1:
        if width <= 0:
            if NEW_WORDS:
                raise ValueError(f"empty range in randrange({start}, {stop})")
            raise ValueError(f"empty range for randrange() ({start}, {stop}, {width})")
        return start + below(width)
    if step == 0:
        raise ValueError("zero step for randrange()")
    n = (width + step - 1) // step if step > 0 else (width + step + 1) // step
    if n <= 0:
        if NEW_WORDS:
            raise ValueError(f"empty range in randrange({start}, {stop}, {step})")
        raise ValueError("empty range for randrange()")
    return start + step * below(n)


@implements("random.randint")
def randint(a: Any, b: Any) -> Any:
    if NEWER_WORDS:
        a = operator.index(a)
        b = operator.index(b)
        if b < a:
            raise ValueError(f"empty range in randint({a}, {b})")
        return a + below(b - a + 1)
    return randrange(a, b + 1)


@implements("random.choice")
def choice(seq: Any) -> Any:
    if len(seq) == 0:
        raise IndexError("Cannot choose from an empty sequence")
    return seq[below(len(seq))]


@implements("random.shuffle")
def shuffle(x: Any) -> Any:
    for i in range(len(x) - 1, 0, -1):
        j = below(i + 1)
        x[i], x[j] = x[j], x[i]


@implements("random.sample")
def sample(population: Any, k: Any, *, counts: Any = None) -> Any:
    if counts is not None:
        unsupported("random.sample with counts")
    n = len(population)
    if k < 0 or k > n:
        raise ValueError("Sample larger than population or is negative")
    return [population[index] for index in different(n, k)]


def different(n: Any, k: Any) -> Any:
    """k of range(n): swapped in a list of all, or redrawn if repeated, as Python does."""
    indices = np.empty(k, np.int64)
    most = 21 if k <= 5 else 21 + 4 ** int(np.ceil(np.log(k * 3) / np.log(4)))
    if n <= most:
        pool = np.arange(n)
        for i in range(k):
            j = below(n - i)
            indices[i] = pool[j]
            pool[j] = pool[n - i - 1]
        return indices
    taken = np.zeros(n, np.bool_)
    for i in range(k):
        j = below(n)
        while taken[j]:
            j = below(n)
        taken[j] = True
        indices[i] = j
    return indices


@implements("random.choices")
def choices(population: Any, weights: Any = None, *, cum_weights: Any = None, k: Any = 1) -> Any:
    n = len(population)
    if cum_weights is None:
        if weights is None:
            return [population[math.floor(random() * float(n))] for _ in range(k)]
        return weighted(population, list(itertools.accumulate(weights)), k)
    if weights is not None:
        raise TypeError("Cannot specify both weights and cumulative weights")
    return weighted(population, cum_weights, k)


def weighted(population: Any, sums: Any, k: Any) -> Any:
    n = len(population)
    if len(sums) != n:
        raise ValueError("The number of weights does not match the population")
    total = sums[-1] + 0.0
    if total <= 0.0:
        raise ValueError("Total of weights must be greater than zero")
    if not math.isfinite(total):
        raise ValueError("Total of weights must be finite")
    return [population[bisect.bisect(sums, random() * total, 0, n - 1)] for _ in range(k)]


# ------------------------------------------------------------------------------------------- reals

TWOPI = 2.0 * math.pi
NORMAL = 4.0 * math.exp(-0.5) / math.sqrt(2.0)
LOG4 = math.log(4.0)
GAMMA = 1.0 + math.log(4.5)


@implements("random.uniform")
def uniform(a: Any, b: Any) -> Any:
    return a + (b - a) * random()


@implements("random.triangular")
def triangular(low: Any = 0.0, high: Any = 1.0, mode: Any = None) -> Any:
    u = random()
    if mode is not None and high == low:
        return low
    c = 0.5 if mode is None else (mode - low) / (high - low)
    if u > c:
        return high + (low - high) * math.sqrt((1.0 - u) * (1.0 - c))
    return low + (high - low) * math.sqrt(u * c)


@implements("random.normalvariate")
def normalvariate(mu: Any = 0.0, sigma: Any = 1.0) -> Any:
    while True:
        u1 = random()
        u2 = 1.0 - random()
        z = NORMAL * (u1 - 0.5) / u2
        if z * z / 4.0 <= -math.log(u2):
            break
    return mu + z * sigma


@implements("random.lognormvariate")
def lognormvariate(mu: Any = 0.0, sigma: Any = 1.0) -> Any:
    return math.exp(normalvariate(mu, sigma))


@implements("random.expovariate")
def expovariate(lambd: Any = 1.0) -> Any:
    return -math.log(1.0 - random()) / lambd


@implements("random.vonmisesvariate")
def vonmisesvariate(mu: Any, kappa: Any) -> Any:
    if kappa <= 1e-6:
        return TWOPI * random()
    s = 0.5 / kappa
    r = s + math.sqrt(1.0 + s * s)
    while True:
        z = math.cos(math.pi * random())
        d = z / (r + z)
        u = random()
        if u < 1.0 - d * d or u <= (1.0 - d) * math.exp(d):
            break
    q = 1.0 / r
    f = (q + z) / (1.0 + q * z)
    if random() > 0.5:
        return (mu + math.acos(f)) % TWOPI
    return (mu - math.acos(f)) % TWOPI


@implements("random.gammavariate")
def gammavariate(alpha: Any, beta: Any) -> Any:
    if alpha <= 0.0 or beta <= 0.0:
        raise ValueError("gammavariate: alpha and beta must be > 0.0")
    if alpha > 1.0:
        return gamma_above_one(alpha) * beta
    if alpha == 1.0:
        return -math.log(1.0 - random()) * beta
    while True:
        b = (math.e + alpha) / math.e
        p = b * random()
        x = p ** (1.0 / alpha) if p <= 1.0 else -math.log((b - p) / alpha)
        u = random()
        if p > 1.0:
            if u <= x ** (alpha - 1.0):
                break
        elif u <= math.exp(-x):
            break
    return x * beta


def gamma_above_one(alpha: Any) -> Any:
    root = math.sqrt(2.0 * alpha - 1.0)
    while True:
        u1 = random()
        if not 1e-7 < u1 < 0.9999999:
            continue
        u2 = 1.0 - random()
        v = math.log(u1 / (1.0 - u1)) / root
        x = alpha * math.exp(v)
        z = u1 * u1 * u2
        r = (alpha - LOG4) + (alpha + root) * v - x
        if r + GAMMA - 4.5 * z >= 0.0 or r >= math.log(z):
            break
    return x


@implements("random.betavariate")
def betavariate(alpha: Any, beta: Any) -> Any:
    y = gammavariate(alpha, 1.0)
    return y / (y + gammavariate(beta, 1.0)) if y else 0.0


@implements("random.paretovariate")
def paretovariate(alpha: Any) -> Any:
    return (1.0 - random()) ** (-1.0 / alpha)


@implements("random.weibullvariate")
def weibullvariate(alpha: Any, beta: Any) -> Any:
    return alpha * (-math.log(1.0 - random())) ** (1.0 / beta)
