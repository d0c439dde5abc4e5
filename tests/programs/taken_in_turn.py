"""Items that are taken one at a time, and names that are None or unbound."""

import statistics


class Row:
    def __init__(self, n):
        self.items = list(range(n))

    def __iter__(self):
        for i in range(len(self.items)):
            yield self.items[i]


def changed_in_enumerate(n):
    r = Row(n)
    out = []
    for i, v in enumerate(r):
        if i == 0:
            r.items[n - 1] = 100
        out.append(v)
    return out


def changed_in_zip(n):
    r = Row(n)
    out = []
    for a, v in zip(range(n), r):
        if a == 0:
            r.items[n - 1] = 100
        out.append(v)
    return out


def longest(ll):
    return max(ll, key=len)


def largest_and_shortest(ll):
    return (max(ll, key=sum), min(ll, key=len))


def enumerated(n):

    def g():
        for i in range(n):
            yield i

    out = []
    for i, v in enumerate(g()):
        out.append((i, v))
    return out


def logged(n):
    log = []

    def g():
        for i in range(n):
            log.append(i)
            yield i

    for i, v in enumerate(g()):
        log.append(-v)
    return log


def zipped(n):
    log = []

    def g():
        for i in range(n):
            log.append(i)
            yield i

    for i, v in zip(range(2), g()):
        log.append(-v - 10)
    return log


def none_after_an_error(n):

    def g(x):
        if n > 2:
            raise ValueError("x")
        return 1

    try:
        m = g(n)
    except ValueError:
        m = None
    return m


def no_mean(n):
    try:
        m = statistics.mean([])
    except ValueError:
        m = None
    return m


def none_on_both(n):
    if n > 5:
        m = 1
    else:
        try:
            m = int("x")
        except ValueError:
            m = None
    return m


def none_or_unbound(n):
    for i in range(n):
        if i == 1:
            m = None
            break
    return m


def unbound(n):
    if n > 5:
        m = None
    try:
        return m
    except UnboundLocalError:
        return "u"


CASES = [
    (changed_in_enumerate, (3,)),
    (changed_in_zip, (3,)),
    (longest, ([[1, 2], [3], []],)),
    (largest_and_shortest, ([[1, 2], [3], []],)),
    (longest, ([[1, 2], [3], []] * 8,)),
    (enumerated, (3,)),
    (logged, (3,)),
    (zipped, (3,)),
    (none_after_an_error, (3,)),
    (no_mean, (3,)),
    (none_on_both, (3,)),
    (none_or_unbound, (3,)),
    (unbound, (3,)),
]
