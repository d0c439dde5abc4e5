"""Iterators and generators of which next() takes items, one after another."""

import itertools

import numpy as np


def count(start, step=1):
    k = start
    while True:
        yield k
        k += step


def pairs(xs):
    for i in range(len(xs)):
        for j in range(i):
            if xs[i] == xs[j]:
                continue
            yield xs[i], xs[j]


def lcg(seed):
    while True:
        seed = (seed * 1103515245 + 12345) % 2**31
        yield seed / 2**31


def primes():
    found = []
    n = 2
    while True:
        if all(n % p for p in found):
            found.append(n)
            yield n
        n += 1


def chunks(x, n):
    for i in range(0, len(x), n):
        yield x[i : i + n]


def tree(k):
    yield k
    yield from range(k)
    if k > 2:
        return
    yield -1


def gen_next(n):
    g = count(3)
    a = next(g)
    b = next(g)
    out = []
    for _ in range(n):
        out.append(next(g))
    return a, b, out


def iter_first(xs):
    it = iter(xs)
    best = next(it)
    for x in it:
        if x > best:
            best = x
    return best


def two_of(xs):
    p = pairs(xs)
    first = next(p)
    second = next(p, None)
    rest = [a * 10 + b for a, b in p]
    return first, second, rest, next(p, (0, 0))


def random_numbers(n):
    r = lcg(42)
    return [next(r) for _ in range(n)], next(r)


def first_primes(n):
    p = primes()
    return [next(p) for _ in range(n)]


def weighted_chunks(x, n):
    c = chunks(x, n)
    t = 0.0
    while True:
        part = next(c, None)
        if part is None:
            break
        t = t * 2 + part.sum()
    return t


def walk_tree(n):
    g = tree(n)
    out = [next(g)]
    for x in g:
        out.append(x)
    return out


def summed_until_stop(n):
    g = tree(n)
    t = 0
    try:
        while True:
            t += next(g)
    except StopIteration:
        t += 1000
    return t


def exhausted(n):
    g = iter(range(n))
    t = 0
    while True:
        t += next(g)
    return t


def zipped(a, b):
    z = zip(a, b)
    x, y = next(z)
    return x, y, [p * q for p, q in z]


def keys(d):
    it = iter(d)
    return next(it), next(it), next(it, "end")


def inner(n):
    def fib():
        a, b = 0, 1
        while True:
            yield a
            a, b = b, a + b

    g = fib()
    return [next(g) for _ in range(n)], next(g)


def two_gens(n):
    a = count(0)
    b = count(100, 5)
    return [next(a) + next(b) for _ in range(n)]


def flat(xs):
    def walk(l):
        for row in l:
            for v in row:
                yield v

    g = walk(xs)
    return next(g), next(g), next(g), next(g, -1), next(g, -2)


def merge(a, b):
    ia, ib = iter(sorted(a)), iter(sorted(b))
    x, y = next(ia, None), next(ib, None)
    out = []
    while x is not None or y is not None:
        if y is None or (x is not None and x <= y):
            out.append(x)
            x = next(ia, None)
        else:
            out.append(y)
            y = next(ib, None)
    return out


def default(n=3, m=4):
    while True:
        yield n * m
        n += 1


def defaults(n):
    g = default()
    next(g)
    h = default(m=n)
    return next(g), next(h), next(h)


def taken_inside(n):
    g = default(n)

    def take():
        return next(g)

    return take() + take()


def one_of_two(n):
    g = default(n) if n > 2 else default(0)
    next(g)
    return next(g)


def numbered(words):
    number = itertools.count(1)
    colour = itertools.cycle(["red", "green"])
    return [(next(number), next(colour), w) for w in words]


def tokens(text):
    i = 0
    while i < len(text):
        if text[i].isdigit():
            j = i
            while j < len(text) and text[j].isdigit():
                j += 1
            yield text[i:j]
            i = j
        else:
            if text[i] != " ":
                yield text[i]
            i += 1


def parse_sum(text):
    """A recursive descent needs the next token, one at a time."""
    stream = tokens(text)
    total = int(next(stream))
    sign = next(stream, "")
    while sign:
        value = int(next(stream))
        total = total + value if sign == "+" else total - value
        sign = next(stream, "")
    return total


CASES = [
    (gen_next, (10,)),
    (iter_first, ([3, 1, 2],)),
    (iter_first, (np.array([3.0, 1, 2]),)),
    (iter_first, ("hello",)),
    (iter_first, ((4, 5),)),
    (two_of, ([1, 2, 1, 3],)),
    (random_numbers, (5,)),
    (first_primes, (6,)),
    (
        weighted_chunks,
        (
            np.arange(7.0),
            3,
        ),
    ),
    (walk_tree, (4,)),
    (walk_tree, (2,)),
    (summed_until_stop, (3,)),
    (exhausted, (3,)),
    (
        zipped,
        (
            [1, 2, 3],
            [4, 5, 6],
        ),
    ),
    (keys, ({"a": 1, "b": 2},)),
    (inner, (5,)),
    (two_gens, (10,)),
    (flat, ([[1, 2], [3], []],)),
    (
        merge,
        (
            [5, 3, 8],
            [1, 9],
        ),
    ),
    (defaults, (5,)),
    (taken_inside, (5,)),
    (one_of_two, (5,)),
    (one_of_two, (1,)),
    (numbered, (["a", "b", "c"],)),
    (parse_sum, ("12 + 30 - 4",)),
]
