"""Big Fibonacci numbers computed five ways, and some digit trivia."""

from functools import lru_cache
from itertools import islice


def fib_iter(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@lru_cache(maxsize=None)
def fib_memo(n):
    if n < 2:
        return n
    return fib_memo(n - 1) + fib_memo(n - 2)


def fib_doubling(n):
    def pair(k):
        if k == 0:
            return (0, 1)
        a, b = pair(k >> 1)
        c = a * (2 * b - a)
        d = a * a + b * b
        return (d, c + d) if k & 1 else (c, d)

    return pair(n)[0]


def fib_matrix(n):
    def mul(x, y):
        (a, b), (c, d) = x
        (e, f), (g, h) = y
        return ((a * e + b * g, a * f + b * h), (c * e + d * g, c * f + d * h))

    result = ((1, 0), (0, 1))
    base = ((1, 1), (1, 0))
    while n:
        if n % 2:
            result = mul(result, base)
        base = mul(base, base)
        n //= 2
    return result[0][1]


def fib_gen():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b


def first_with_digits(d):
    limit = 10 ** (d - 1)
    for i, f in enumerate(fib_gen()):
        if f >= limit:
            return i


def pisano(m):
    a, b = 0, 1
    period = 0
    while True:
        a, b = b, (a + b) % m
        period += 1
        if (a, b) == (0, 1):
            return period


def zeckendorf(n):
    fibs = [1, 2]
    while fibs[-1] <= n:
        fibs.append(fibs[-1] + fibs[-2])
    out = []
    for f in reversed(fibs):
        if f <= n:
            out.append(f)
            n -= f
    return out


def digit_sum(n):
    return sum(map(int, str(n)))


def main(n, modulus):
    methods = [fib_iter, fib_doubling, fib_matrix]
    if n <= 300:
        methods.append(fib_memo)
    values = {f.__name__: f(n) for f in methods}
    gen_value = next(islice(fib_gen(), n, None))
    agree = len(set(values.values()) | {gen_value}) == 1
    f = values["fib_iter"]
    text = str(f)
    shown = text if len(text) <= 30 else text[:12] + "..." + text[-12:]
    print(f"F({n}) = {shown} [{len(text)} digits]")
    return {
        "agree": agree,
        "value": f if n < 500 else shown,
        "digits": len(text),
        "digit_sum": digit_sum(f),
        "bits": f.bit_length(),
        "mod": f % modulus,
        "pisano": pisano(modulus),
        "check": f % modulus == fib_iter(n % pisano(modulus)) % modulus,
        "zeckendorf": zeckendorf(n),
        "first": [first_with_digits(d) for d in (1, 2, 10, 100)],
        "methods": sorted(values),
    }


ARGS = [(10, 7), (300, 1000), (5000, 97)]
