"""iter(), zip() and so on whose items are taken in several places, and classes whose __next__ calls
next().
"""

from itertools import chain


class S:
    def __init__(self, n):
        self.n = n


class C:
    def __init__(self):
        self.a = []


def chain_of_expressions(n):
    cs = [C() for _ in range(n)]
    for i in range(2 * n):
        cs[i % n].a.append(S(str(i)))
    placed = set(chain.from_iterable((s.n for s in c.a) for c in cs))
    return sorted(placed)


def chain_of_lists(n):
    cs = [[i, i + 1] for i in range(n)]
    return list(chain.from_iterable((s * 2 for s in c) for c in cs))


def an_expression(n):
    g = (x * x for x in range(n))
    return next(g), next(g), list(g)


def pairs_of_one(n):
    it = iter(range(n))
    return list(zip(it, it))


def first_and_sum(n):
    it = iter([1, 2, 3, n])
    first = next(it)
    return first, sum(it)


class W:
    def __init__(self, items):
        self.it = iter(items)

    def pop(self):
        return next(self.it)


def in_an_attribute(n):
    w = W([1, 2, n])
    return w.pop(), w.pop()


def take(k, it):
    return [next(it) for _ in range(k)]


def passed_on(n):
    it = iter(range(n))
    return take(2, it), take(3, it)


def in_its_own_loop(n):
    ws = iter("a b c d".split())
    out = {}
    for w in ws:
        out[w] = next(ws)
    return out


class Twice:
    def __init__(self, it):
        self.it = iter(it)

    def __iter__(self):
        return self

    def __next__(self):
        return next(self.it) * 2


class Pairs:
    def __init__(self, it):
        self.it = iter(it)

    def __iter__(self):
        return self

    def __next__(self):
        a = next(self.it)
        b = next(self.it)
        return a, b


class Skip:
    def __init__(self, it):
        self.it = iter(it)

    def __iter__(self):
        return self

    def __next__(self):
        while True:
            x = next(self.it)
            if x % 2:
                return x


class Peek:
    def __init__(self, it):
        self.it = iter(it)
        self.buf = []

    def __iter__(self):
        return self

    def peek(self):
        if not self.buf:
            self.buf.append(next(self.it))
        return self.buf[0]

    def __next__(self):
        if self.buf:
            return self.buf.pop()
        return next(self.it)


class Safe:
    def __init__(self, it):
        self.it = iter(it)
        self.done = False

    def __iter__(self):
        return self

    def __next__(self):
        if self.done:
            raise StopIteration
        try:
            return next(self.it)
        except StopIteration:
            self.done = True
            return -1


def gen(n):
    for i in range(n):
        yield i * i


def doubled(n):
    return list(Twice(range(n)))


def by_twos(n):
    return list(Pairs(range(n)))


def skipping(n):
    return list(Skip(gen(n)))


def peeking(n):
    p = Peek([1, 2, n])
    out = [p.peek(), p.peek()]
    for x in p:
        out.append(x)
    return out


def one_more(n):
    return list(Safe(range(n)))


def one_over_another(n):
    return list(Twice(Twice(range(n)))), sum(Skip(Twice(gen(n))))


def by_next(n):
    t = Twice(gen(n))
    return next(t), next(t), next(t, None), next(t, None)


class Nested:
    """Whose items are those of others of its class."""

    def __init__(self, n):
        self.n = n
        self.i = 0
        self.inner = None
        self.is_fresh = True

    def __iter__(self):
        return self

    def __next__(self):
        if self.n == 0:
            if self.is_fresh:
                self.is_fresh = False
                return 5
            raise StopIteration
        while self.i < self.n:
            if self.is_fresh:
                self.inner = Nested(self.n - 1)
                self.is_fresh = False
            for x in self.inner:
                return x * 10 + self.i
            self.i += 1
            self.is_fresh = True
        raise StopIteration


def of_its_own_class(n):
    return list(Nested(n))


CASES = [
    (of_its_own_class, (3,)),
    (chain_of_expressions, (2,)),
    (chain_of_lists, (3,)),
    (an_expression, (5,)),
    (pairs_of_one, (6,)),
    (first_and_sum, (9,)),
    (in_an_attribute, (7,)),
    (passed_on, (9,)),
    (in_its_own_loop, (1,)),
    (doubled, (4,)),
    (by_twos, (5,)),
    (skipping, (6,)),
    (peeking, (7,)),
    (one_more, (3,)),
    (one_over_another, (4,)),
    (by_next, (3,)),
]
