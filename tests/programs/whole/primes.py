from itertools import count, islice, takewhile
from math import gcd, isqrt


def sieve(n):
    flags = [True] * (n + 1)
    flags[0] = flags[1] = False
    for i in range(2, isqrt(n) + 1):
        if flags[i]:
            flags[i * i :: i] = [False] * len(flags[i * i :: i])
    return [i for i, f in enumerate(flags) if f]


def prime_stream():
    composites = {}
    for n in count(2):
        if n not in composites:
            yield n
            composites[n * n] = [n]
        else:
            for p in composites.pop(n):
                composites.setdefault(n + p, []).append(p)


def factorise(n):
    factors = {}
    d = 2
    while d * d <= n:
        while n % d == 0:
            factors[d] = factors.get(d, 0) + 1
            n //= d
        d += 1
    if n > 1:
        factors[n] = factors.get(n, 0) + 1
    return factors


def totient(n):
    return sum(1 for k in range(1, n + 1) if gcd(k, n) == 1)


def is_prime(n):
    if n < 2:
        return False
    for p in (2, 3, 5, 7, 11, 13):
        if n % p == 0:
            return n == p
    d, r = n - 1, 0
    while d % 2 == 0:
        d //= 2
        r += 1
    for a in (2, 3, 5, 7):
        x = pow(a, d, n)
        if x in (1, n - 1):
            continue
        for _ in range(r - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


def main(limit, n):
    ps = sieve(limit)
    assert list(islice(prime_stream(), 10)) == ps[:10]
    small = list(takewhile(lambda p: p < 30, prime_stream()))
    f = factorise(n)
    print(f"{n} = " + " * ".join(f"{p}^{e}" if e > 1 else str(p) for p, e in f.items()))
    return len(ps), ps[-3:], f, totient(360), [p for p in range(100, 150) if is_prime(p)], small


ARGS = [(5000, 600851475), (50, 97)]
