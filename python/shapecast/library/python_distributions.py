"""What Python's random.py does with random numbers, which a source gives: an instance of Random
(random_objects.py), or the generator that Python's functions share, for which None stands.

Numbers are drawn as by Python's random.py, in the same order.
"""

from __future__ import annotations

import bisect
import itertools
import math
import operator
import sys
from typing import Any

import numpy as np

from .primitives import beyond_64_bits, draw, draw_integer

PYTHONS_OWN = 1  # runtime/python_random.h
MOST_BITS = 63
NEW_WORDS = sys.version_info >= (3, 12)
NEWER_WORDS = sys.version_info >= (3, 14)


def random(source: Any) -> Any:
    return draw("python_random", PYTHONS_OWN, ()) if source is None else source.random()


def getrandbits(source: Any, k: Any) -> Any:
    k = operator.index(k)
    if k < 0:
        raise ValueError(
            "Cannot convert negative int" if NEWER_WORDS else "number of bits must be non-negative"
        )
    if k > MOST_BITS:
        return beyond_64_bits()
    return bits(source, k) if k > 0 else 0


def bits(source: Any, k: Any) -> Any:
    if source is None:
        return int(draw_integer("python_bits", PYTHONS_OWN, (k,)))
    return source._bits(k)


def below(source: Any, n: Any) -> Any:
    """One of range(n), which is not empty."""
    if source is None:
        return int(draw_integer("python_below", PYTHONS_OWN, (n,)))
    return source._randbelow(n)


def gauss(source: Any, mu: Any, sigma: Any) -> Any:
    z = draw("python_gauss", PYTHONS_OWN, ()) if source is None else source._gauss()
    return mu + z * sigma


def randrange(source: Any, start: Any, stop: Any, step: Any) -> Any:
    start = operator.index(start)
    if stop is None:
        if step != 1:
            raise TypeError("Missing a non-None stop argument")
        if start <= 0:
            raise ValueError("empty range for randrange()")
        return below(source, start)
    stop = operator.index(stop)
    step = operator.index(step)
    width = stop - start
    if step == 1:
        if width <= 0:
            if NEW_WORDS:
                raise ValueError(f"empty range in randrange({start}, {stop})")
            raise ValueError(f"empty range for randrange() ({start}, {stop}, {width})")
        return start + below(source, width)
    if step == 0:
        raise ValueError("zero step for randrange()")
    n = (width + step - 1) // step if step > 0 else (width + step + 1) // step
    if n <= 0:
        if NEW_WORDS:
            raise ValueError(f"empty range in randrange({start}, {stop}, {step})")
        raise ValueError("empty range for randrange()")
    return start + step * below(source, n)


def randint(source: Any, a: Any, b: Any) -> Any:
    if NEWER_WORDS:
        a = operator.index(a)
        b = operator.index(b)
        if b < a:
            raise ValueError(f"empty range in randint({a}, {b})")
        return a + below(source, b - a + 1)
    return randrange(source, a, b + 1, 1)


def choice(source: Any, seq: Any) -> Any:
    if len(seq) == 0:
        raise IndexError("Cannot choose from an empty sequence")
    return seq[below(source, len(seq))]


def shuffle(source: Any, x: Any) -> Any:
    for i in range(len(x) - 1, 0, -1):
        j = below(source, i + 1)
        x[i], x[j] = x[j], x[i]


def sample(source: Any, population: Any, k: Any, counts: Any) -> Any:
    if isinstance(population, (set, dict)):
        raise TypeError("Population must be a sequence.  For dicts or sets, use sorted(d).")
    n = len(population)
    if counts is not None:
        sums = list(itertools.accumulate(counts))
        if len(sums) != n:
            raise ValueError("The number of counts does not match the population")
        total = counted(sums.pop())
        return [population[bisect.bisect(sums, at)] for at in different(source, total, k)]
    return [population[index] for index in different(source, n, k)]


def counted(total: Any) -> Any:
    if not isinstance(total, int):
        raise TypeError("Counts must be integers")
    if total <= 0:
        raise ValueError("Total of counts must be greater than zero")
    return total


def different(source: Any, n: Any, k: Any) -> Any:
    """k of range(n): swapped in a list of all, or redrawn if repeated, as Python does."""
    if k < 0 or k > n:
        raise ValueError("Sample larger than population or is negative")
    indices = np.empty(k, np.int64)
    most = 21 if k <= 5 else 21 + 4 ** int(np.ceil(np.log(k * 3) / np.log(4)))
    if n <= most:
        pool = np.arange(n)
        for i in range(k):
            j = below(source, n - i)
            indices[i] = pool[j]
            pool[j] = pool[n - i - 1]
        return indices
    taken: Any = set()
    for i in range(k):
        j = below(source, n)
        while j in taken:
            j = below(source, n)
        taken.add(j)
        indices[i] = j
    return indices


def choices(source: Any, population: Any, weights: Any, cum_weights: Any, k: Any) -> Any:
    n = len(population)
    if cum_weights is None:
        if weights is None:
            return [population[math.floor(random(source) * float(n))] for _ in range(k)]
        return weighted(source, population, list(itertools.accumulate(weights)), k)
    if weights is not None:
        raise TypeError("Cannot specify both weights and cumulative weights")
    return weighted(source, population, cum_weights, k)


def weighted(source: Any, population: Any, sums: Any, k: Any) -> Any:
    n = len(population)
    if len(sums) != n:
        raise ValueError("The number of weights does not match the population")
    total = sums[-1] + 0.0
    if total <= 0.0:
        raise ValueError("Total of weights must be greater than zero")
    if not math.isfinite(total):
        raise ValueError("Total of weights must be finite")
    return [population[bisect.bisect(sums, random(source) * total, 0, n - 1)] for _ in range(k)]


# ------------------------------------------------------------------------------------------- reals

TWOPI = 2.0 * math.pi
NORMAL = 4.0 * math.exp(-0.5) / math.sqrt(2.0)
LOG4 = math.log(4.0)
GAMMA = 1.0 + math.log(4.5)


def uniform(source: Any, a: Any, b: Any) -> Any:
    return a + (b - a) * random(source)


def triangular(source: Any, low: Any, high: Any, mode: Any) -> Any:
    u = random(source)
    if mode is not None and high == low:
        return low
    c = 0.5 if mode is None else (mode - low) / (high - low)
    if u > c:
        return high + (low - high) * math.sqrt((1.0 - u) * (1.0 - c))
    return low + (high - low) * math.sqrt(u * c)


def normalvariate(source: Any, mu: Any, sigma: Any) -> Any:
    while True:
        u1 = random(source)
        u2 = 1.0 - random(source)
        z = NORMAL * (u1 - 0.5) / u2
        if z * z / 4.0 <= -math.log(u2):
            break
    return mu + z * sigma


def lognormvariate(source: Any, mu: Any, sigma: Any) -> Any:
    return math.exp(normalvariate(source, mu, sigma))


def expovariate(source: Any, lambd: Any) -> Any:
    return -math.log(1.0 - random(source)) / lambd


def vonmisesvariate(source: Any, mu: Any, kappa: Any) -> Any:
    if kappa <= 1e-6:
        return TWOPI * random(source)
    s = 0.5 / kappa
    r = s + math.sqrt(1.0 + s * s)
    while True:
        z = math.cos(math.pi * random(source))
        d = z / (r + z)
        u = random(source)
        if u < 1.0 - d * d or u <= (1.0 - d) * math.exp(d):
            break
    q = 1.0 / r
    f = (q + z) / (1.0 + q * z)
    if random(source) > 0.5:
        return (mu + math.acos(f)) % TWOPI
    return (mu - math.acos(f)) % TWOPI


def gammavariate(source: Any, alpha: Any, beta: Any) -> Any:
    if alpha <= 0.0 or beta <= 0.0:
        raise ValueError("gammavariate: alpha and beta must be > 0.0")
    if alpha > 1.0:
        return gamma_above_one(source, alpha) * beta
    if alpha == 1.0:
        return -math.log(1.0 - random(source)) * beta
    while True:
        b = (math.e + alpha) / math.e
        p = b * random(source)
        x = p ** (1.0 / alpha) if p <= 1.0 else -math.log((b - p) / alpha)
        u = random(source)
        if p > 1.0:
            if u <= x ** (alpha - 1.0):
                break
        elif u <= math.exp(-x):
            break
    return x * beta


def gamma_above_one(source: Any, alpha: Any) -> Any:
    root = math.sqrt(2.0 * alpha - 1.0)
    while True:
        u1 = random(source)
        if not 1e-7 < u1 < 0.9999999:
            continue
        u2 = 1.0 - random(source)
        v = math.log(u1 / (1.0 - u1)) / root
        x = alpha * math.exp(v)
        z = u1 * u1 * u2
        r = (alpha - LOG4) + (alpha + root) * v - x
        if r + GAMMA - 4.5 * z >= 0.0 or r >= math.log(z):
            break
    return x


def betavariate(source: Any, alpha: Any, beta: Any) -> Any:
    y = gammavariate(source, alpha, 1.0)
    return y / (y + gammavariate(source, beta, 1.0)) if y else 0.0


def paretovariate(source: Any, alpha: Any) -> Any:
    return (1.0 - random(source)) ** (-1.0 / alpha)


def weibullvariate(source: Any, alpha: Any, beta: Any) -> Any:
    return alpha * (-math.log(1.0 - random(source))) ** (1.0 / beta)


# ------------------------------------------------------------------------------------ whole numbers


def binomialvariate(source: Any, n: Any, p: Any) -> Any:
    if n < 0:
        raise ValueError("n must be non-negative")
    if p <= 0.0 or p >= 1.0:
        if p == 0.0:
            return 0
        if p == 1.0:
            return n
        raise ValueError("p must be in the range 0.0 <= p <= 1.0")
    if n == 1:
        return int(random(source) < p)
    if p > 0.5:
        return n - binomial(source, n, 1.0 - p)
    return binomial(source, n, p)


def binomial(source: Any, n: Any, p: Any) -> Any:
    """Of p up to 0.5."""
    if n * p >= 10.0:
        return binomial_of_many(source, n, p)
    found = 0
    at = 0
    scale = math.log2(1.0 - p)
    if scale == 0.0:
        return found
    while True:
        at += math.floor(math.log2(random(source)) / scale) + 1
        if at > n:
            return found
        found += 1


def binomial_of_many(source: Any, n: Any, p: Any) -> Any:
    """By transformed rejection (W. Hoermann, 1993)."""
    spq = math.sqrt(n * p * (1.0 - p))
    b = 1.15 + 2.53 * spq
    a = -0.0873 + 0.0248 * b + 0.01 * p
    c = n * p + 0.5
    vr = 0.92 - 4.2 / b
    alpha = (2.83 + 5.1 / b) * spq
    lpq = math.log(p / (1.0 - p))
    m = math.floor((n + 1) * p)
    h = math.lgamma(m + 1) + math.lgamma(n - m + 1)
    while True:
        u = random(source) - 0.5
        us = 0.5 - math.fabs(u)
        k = math.floor((2.0 * a / us + b) * u + c)
        if k < 0 or k > n:
            continue
        v = random(source)
        if us >= 0.07 and v <= vr:
            return k
        v *= alpha / (a / (us * us) + b)
        if math.log(v) <= h - math.lgamma(k + 1) - math.lgamma(n - k + 1) + (k - m) * lpq:
            return k
