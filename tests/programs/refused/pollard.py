"""Integer factorisation: Miller-Rabin, Pollard rho, divisors, totient, with lru_cache and Counter."""

from collections import Counter
from functools import lru_cache
from itertools import product
from math import gcd, isqrt, prod
from typing import Iterator

SMALL = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)


@lru_cache(maxsize=None)
def is_prime(n: int) -> bool:
    if n < 2:
        return False
    for p in SMALL:
        if n % p == 0:
            return n == p
    d, s = n - 1, 0
    while d % 2 == 0:
        d, s = d // 2, s + 1
    for a in (2, 3, 5, 7):
        x = pow(a, d, n)
        if x in (1, n - 1):
            continue
        for _ in range(s - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


def rho(n: int) -> int:
    if n % 2 == 0:
        return 2
    for c in range(1, 50):
        f = lambda x: (x * x + c) % n
        x = y = 2
        d = 1
        while d == 1:
            x = f(x)
            y = f(f(y))
            d = gcd(abs(x - y), n)
        if d != n:
            return d
    raise RuntimeError("rho failed")


def factor(n: int) -> Iterator[int]:
    if n == 1:
        return
    if is_prime(n):
        yield n
        return
    r = isqrt(n)
    d = r if r * r == n else rho(n)
    yield from factor(d)
    yield from factor(n // d)


def divisors(f: Counter) -> list[int]:
    powers = [[p**e for e in range(k + 1)] for p, k in f.items()]
    return sorted(prod(combo) for combo in product(*powers))


def totient(f: Counter) -> int:
    return prod((p - 1) * p ** (k - 1) for p, k in f.items())


def main(numbers):
    rows = {}
    for n in numbers:
        f = Counter(factor(n))
        text = " * ".join(f"{p}^{k}" if k > 1 else str(p) for p, k in sorted(f.items()))
        divs = divisors(f)
        rows[n] = (text, len(divs), divs[-2] if len(divs) > 1 else None, totient(f))
    perfect = [n for n in range(2, 500) if sum(divisors(Counter(factor(n)))) == 2 * n]
    return rows, perfect, is_prime.cache_info().misses > 0


ARGS = [([360, 9973, 1048576, 99400891, 600851475143, 1000003 * 1009],)]
