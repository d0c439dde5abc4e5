"""cache_info() and cache_clear() of functions with functools.cache or lru_cache."""

import functools
from functools import cache, lru_cache


def fibonacci(n):
    @cache
    def fib(k):
        return k if k < 2 else fib(k - 1) + fib(k - 2)

    r = fib(n)
    info = fib.cache_info()
    return r, info.hits, info.misses, info.currsize, info.maxsize, info


def limited(xs):
    @functools.lru_cache(maxsize=3)
    def square(k):
        return k * k

    total = 0
    for x in xs:
        total += square(x)
    print(square.cache_info())
    return total, square.cache_info()


def limited_recursion(n):
    @lru_cache(2)
    def steps(k):
        if k < 2:
            return 1
        return steps(k - 1) + steps(k - 2)

    return steps(n), steps.cache_info(), steps(n), steps.cache_info()


def cleared(n):
    @lru_cache
    def double(k):
        return 2 * k

    a = double(n) + double(n)
    before = double.cache_info()
    double.cache_clear()
    b = double(n)
    return a, before, b, double.cache_info()


def default_limit(n):
    @lru_cache()
    def half(k):
        return k // 2

    for k in range(n):
        half(k)
    for k in range(n):
        half(k)
    return half.cache_info()


def without_limit(n):
    @lru_cache(maxsize=None)
    def half(k):
        return k / 2

    return sum(half(k % 3) for k in range(n)), half.cache_info()


def nothing_kept(n):
    @lru_cache(maxsize=0)
    def half(k):
        return k / 2

    half(n)
    half(n)
    return half.cache_info()


def unpacked(a, b):
    @cache
    def distance(i, j):
        if i == 0 or j == 0:
            return i + j
        if a[i - 1] == b[j - 1]:
            return distance(i - 1, j - 1)
        return 1 + min(distance(i - 1, j), distance(i, j - 1), distance(i - 1, j - 1))

    d = distance(len(a), len(b))
    hits, misses, maxsize, currsize = distance.cache_info()
    return d, hits, misses, maxsize is None, currsize, f"{hits / (hits + misses):.3f}"


def rounds(n):
    @cache
    def fib(k):
        return k if k < 2 else fib(k - 1) + fib(k - 2)

    misses = []
    for k in range(n):
        fib.cache_clear()
        fib(k)
        misses.append(fib.cache_info().misses)
    return misses


def raising(n):
    @cache
    def inverse(k):
        if k == 0:
            raise ValueError("zero")
        return 1 / k

    failed = 0
    for k in (n, 0, n, 0):
        try:
            inverse(k)
        except ValueError:
            failed += 1
    return failed, inverse.cache_info()


@cache
def triple(k):
    return 3 * k


@lru_cache(maxsize=None)
def climbed(k):
    return 1 if k < 2 else climbed(k - 1) + climbed(k - 2)


def cleared_outside(n):
    triple.cache_clear()
    climbed.cache_clear()
    return triple(n), climbed(n)


CASES = [
    *((fibonacci, (n,)) for n in (0, 1, 20)),
    *((limited, (x,)) for x in ([1, 2, 3, 1, 4, 2, 5, 1, 1], [], [7, 7])),
    (limited_recursion, (10,)),
    (cleared, (3,)),
    (default_limit, (100,)),
    (default_limit, (130,)),
    (without_limit, (10,)),
    (nothing_kept, (3,)),
    (unpacked, ("kitten", "sitting")),
    (rounds, (5,)),
    (raising, (2,)),
    (cleared_outside, (6,)),
]
