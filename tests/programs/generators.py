"""Generators, and variables of enclosing functions that inner ones assign."""

import itertools

import numpy as np


def countup(n):
    i = 0
    while i < n:
        yield i
        i += 1


def fib():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b


def primes():
    n = 2
    while True:
        for d in range(2, n):
            if d * d > n:
                yield n
                break
            if n % d == 0:
                break
        else:
            yield n
        n += 1


def pairs(a):
    for i in range(len(a)):
        for j in range(i + 1, len(a)):
            yield i, j, a[i] * a[j]


def two():
    yield 1
    yield 2.5


def nothing():
    return
    yield 1


def chunks(a, k):
    for i in range(0, len(a), k):
        yield a[i : i + k]


def flat(L):
    for x in L:
        yield from x


def evens(g):
    for x in g:
        if x % 2 == 0:
            yield x


def squares(g):
    return (x * x for x in g)


def g1(n):
    s = 0
    for x in countup(n):
        if x == 7:
            break
        s += x
    else:
        s = -s
    return s


def g2(n):
    s = 0
    for x in countup(n):
        s += x
    else:
        s = -s
    return s


def g3(n):
    return sum(countup(n)), list(countup(n)), max(x * x for x in countup(n)), tuple(countup(3))


def g4(n):
    r = []
    for x in fib():
        if x > n:
            return r
        r.append(x)


def g5(n):
    s = 0
    for p in primes():
        if p > n:
            break
        s += p
    return s


def g6(a):
    t = 0.0
    for i, j, v in pairs(a):
        if (i + j) % 2:
            continue
        t += v * (i - j)
    return t


def g7():
    s = 0
    for x in two():
        s += x
    return s


def g8():
    s = 5
    for x in nothing():
        s += x
    return s, list(nothing())


def g9(a):
    return [c.sum() for c in chunks(a, 3)]


def g10(n):
    L = [[1, 2], [3], [4, 5, 6]]
    return list(flat(L)), sum(evens(countup(n)))


def g11(n):
    s = 0
    for i, x in enumerate(countup(n)):
        s += i * x
    return s


def g12(n):
    s = 0
    for a, b in zip(countup(n), range(10)):
        s += a * b
    return s


def g13(n):
    g = countup(n)
    a = next(g)
    return a


def g15(n):
    s = 0
    for a in countup(n):
        for b in countup(a):
            s += a * b
    return s


def g16(n):
    def inner(k):
        for i in range(k):
            yield i * n

    return sum(inner(4))


def g18(n):
    return list(itertools.islice(fib(), 10))


def g19(n):
    return sum(itertools.takewhile(lambda x: x < n, fib()))


def g20(n):
    return next(x for x in fib() if x > n)


def g21(n):
    return countup(n, 3)


class Tree:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        for i in range(self.n):
            yield i * i

    def walk(self, step):
        i = 0
        while i < self.n:
            yield i
            i += step


def g22(n):
    t = Tree(n)
    return sum(t), list(t), [x for x in t.walk(2)]


class Count:
    def __init__(self, n):
        self.n = n
        self.i = 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.i >= self.n:
            raise StopIteration
        self.i += 1
        return self.i


def g23(n):
    s = 0
    for x in Count(n):
        s += x
    return s


def g24(a):
    out = np.zeros(len(a))
    k = 0
    for c in chunks(a, 2):
        out[k] = c.max()
        k += 1
    return out[:k]


def walk(t):
    if t is not None:
        yield from walk(t[0])
        yield t[1]
        yield from walk(t[2])


def g25(n):
    return list(walk(((None, 1, None), 2, (None, n, None))))


def collatz(n):
    while n != 1:
        yield n
        n = n // 2 if n % 2 == 0 else 3 * n + 1
    yield 1


def g26(n):
    best = 0
    arg = 0
    for i in range(1, n):
        L = sum(1 for _ in collatz(i))
        if L > best:
            best = L
            arg = i
    return best, arg


def g27(n):
    seen = {}
    for x in collatz(n):
        seen[x] = seen.get(x, 0) + 1
    return seen


def g28(n):
    for x in countup(n):
        if x * x > 50:
            return x
    return -1


def window(a, k):
    for i in range(len(a) - k + 1):
        yield i, a[i : i + k]


def g29(a):
    best = -1e9
    at = -1
    for i, w in window(a, 3):
        m = w.mean()
        if m > best:
            best = m
            at = i
    return best, at


def nl(n):
    c = 0

    def inc(k):
        nonlocal c
        c += k
        return c

    for i in range(n):
        inc(i)
    return c, inc(5)


def nl2(n):
    total = 0.0
    count = 0

    def add(x):
        nonlocal total, count
        total += x
        count += 1

    for i in range(n):
        add(i * 0.5)
    return total / count


def nl3(n):
    best = []
    calls = 0

    def rec(k, acc):
        nonlocal calls
        calls += 1
        if k == 0:
            return acc
        return rec(k - 1, acc + k)

    return rec(n, 0), calls


def chained(n):
    """A generator of generators, of lists and of ranges."""
    rows = [[k] * k for k in range(n)]
    return (
        sorted(set(itertools.chain.from_iterable((str(v) for v in row) for row in rows))),
        sum(itertools.chain.from_iterable(countup(k) for k in range(n))),
        [x for x in itertools.chain.from_iterable(range(k) for k in range(n))],
        list(itertools.chain.from_iterable(row for row in rows if row)),
    )


CASES = [
    *((chained, (n,)) for n in (1, 4)),
    (g1, (10,)),
    (g1, (5,)),
    (g2, (10,)),
    (g3, (6,)),
    (g4, (100,)),
    (g5, (50,)),
    (g6, (np.arange(6.0),)),
    (g7, ()),
    (g8, ()),
    (g9, (np.arange(10.0),)),
    (g10, (9,)),
    (g11, (6,)),
    (g12, (7,)),
    (g13, (4,)),
    (g15, (7,)),
    (g16, (3,)),
    (g18, (3,)),
    (g19, (100,)),
    (g20, (50,)),
    (g21, (3,)),
    (g22, (7,)),
    (g23, (5,)),
    (g24, (np.array([3.0, 1.0, 4.0, 1.0, 5.0]),)),
    (g25, (3,)),
    (g26, (60,)),
    (g27, (27,)),
    (g28, (20,)),
    (g29, (np.array([1.0, 5.0, 2.0, 8.0, 3.0]),)),
    (nl, (5,)),
    (nl2, (6,)),
    (nl3, (5,)),
]
