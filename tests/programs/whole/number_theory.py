"""Miller-Rabin plus Pollard rho factoring and a few multiplicative functions."""

from functools import reduce
from math import gcd


def is_prime(n):
    if n < 2:
        return False
    for p in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        if n % p == 0:
            return n == p
    s = ((n - 1) & -(n - 1)).bit_length() - 1
    d = (n - 1) >> s
    for a in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        x = pow(a, d, n)
        if x == 1 or x == n - 1:
            continue
        for _ in range(s - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


def pollard(n):
    if n % 2 == 0:
        return 2
    c = 1
    while True:
        x = y = 2
        d = 1
        while d == 1:
            x = (x * x + c) % n
            y = (y * y + c) % n
            y = (y * y + c) % n
            d = gcd(abs(x - y), n)
        if d != n:
            return d
        c += 1


def factor(n):
    """dict prime -> exponent"""
    if n == 0:
        raise ValueError("zero has no factorisation")
    stack, result = [n], {}
    while stack:
        m = stack.pop()
        if m == 1:
            continue
        if is_prime(m):
            result[m] = result.get(m, 0) + 1
        else:
            d = pollard(m)
            stack += [d, m // d]
    return dict(sorted(result.items()))


def phi(n):
    return reduce(lambda acc, p: acc // p * (p - 1), factor(n), n)


def sigma(n):
    total = 1
    for p, k in factor(n).items():
        total *= (p ** (k + 1) - 1) // (p - 1)
    return total


def mobius(n):
    f = factor(n)
    return 0 if any(k > 1 for k in f.values()) else (-1) ** len(f)


def divisors(n):
    divs = [1]
    for p, k in factor(n).items():
        divs = [d * p**e for d in divs for e in range(k + 1)]
    return sorted(divs)


def classify(n):
    s = sigma(n) - n
    if s == n:
        return "perfect"
    return "abundant" if s > n else "deficient"


SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def pretty(n):
    parts = []
    for p, k in factor(n).items():
        parts.append(str(p) + (str(k).translate(SUPERSCRIPT) if k > 1 else ""))
    return " × ".join(parts) or "1"


def main(numbers):
    rows = []
    for n in numbers:
        try:
            text = pretty(n)
        except ValueError as e:
            rows.append((n, str(e)))
            continue
        ds = divisors(n)
        rows.append((n, text, phi(n), sigma(n), mobius(n), len(ds), classify(n)))
        print(f"{n} = {text}   phi={phi(n)} divisors={ds[:8]}{'...' if len(ds) > 8 else ''}")
    kinds = {}
    for row in rows:
        if len(row) > 2:
            kinds.setdefault(row[-1], []).append(row[0])
    return rows, kinds


ARGS = [
    ([1, 6, 12, 28, 97, 360, 8128, 0],),
    ([2**31 - 1, 600851475143, 10**9 + 6, 1234567890],),
    ([1000003 * 1000033, 3**20, 2**61 - 1],),
]
