"""`f(*items)` of a length known only at run time, to `*args`, defaults and built-in functions."""

import math
from itertools import chain


def g_rest(a, *rest):
    t = a
    for r in rest:
        t += r
    return (t, len(rest), rest)


def f_rest(n):
    xs = [i * 2 for i in range(n)]
    return g_rest(1, *xs)


def h_rest(s):
    parts = [p.strip() for p in s.split(",") if p.strip()]

    def link(src, *targets):
        return src + ":" + "|".join(targets)

    return link("a", *parts)


def m_rest(n):
    xs = []
    for i in range(n):
        xs.append(i)
    return (max(*xs), min(0, *xs))


def total_given(*xs):
    return sum(xs)


def spread_given(n):
    xs = []
    for i in range(n):
        xs.append(i * 1.5)
    return (total_given(*xs), total_given(1.0, 2.0, *xs), max(*xs), min(*xs, key=lambda v: -v))


def scaled_given(k, *xs):
    return ([k * x for x in xs], xs[0], xs[-1], len(xs), xs[1:])


def firsts_given(n):
    xs = [i + 10 for i in range(n)]
    return (scaled_given(*xs), scaled_given(2, *xs), scaled_given(2, 3, *xs))


def chained_given(*xs):
    return total_given(*xs) + len(xs)


def chain_given(n):
    xs = [i for i in range(n)]
    return (chained_given(*xs), chained_given(5, *xs))


class BagGiven:
    def __init__(self):
        self.items = []

    def add(self, *more):
        for m in more:
            self.items.append(m)
        return self


def bags_given(n):
    xs = [i * i for i in range(n)]
    return BagGiven().add(1, *xs).add(*xs).items


def few_given(a, b, *rest):
    return a + b + len(rest)


def tooFew_given(n):
    xs = [i for i in range(n)]
    try:
        return few_given(*xs)
    except TypeError:
        return -1


def oneMax_given(n):
    xs = [i for i in range(n)]
    try:
        return max(*xs)
    except TypeError:
        return -1


def swapped_given(n):

    def pair(*xs):
        return (xs[1], xs[0])

    xs = [(i, i + 1) for i in range(n)]
    return pair(*xs)


TABLE = {
    "sqrt": math.sqrt,
    "abs": abs,
    "max": max,
    "floor": math.floor,
    "hyp": lambda a, b: math.hypot(a, b),
    "add": lambda a, b=10, *, c=1: a + b + c,
}


def from_table(name, n):
    return TABLE[name](*[float(i) + 0.5 for i in range(n)])


def described(kind, items, *, plus=0):
    """Each number of arguments is a call of its own, of which one or two raise."""

    def shown(first, second=None, third="-"):
        return f"{first} {second} {third}"

    function = shown if kind else (lambda *all: str(len(all)))
    found = [float(i) for i in items]
    return function(*found, plus) if plus else function("a", *found)


def heads(n):
    """A starred variable of a comprehension."""
    rows = [(k, k + 1, k + 2, (k, "x")) for k in range(n)]
    lists = [[k] * (k + 1) for k in range(n)]
    return (
        [first for first, *_ in rows],
        {last: middle for _, *middle, (last, _) in rows},
        sorted({len(rest) for _, *rest in lists}),
        sum(a + sum(rest) for a, *rest in lists),
        [(k, rest) for k, (a, *rest) in enumerate(lists) if rest],
    )


def too_short(n):
    try:
        return [a for a, _, *_ in [[k] * k for k in range(n)]]
    except ValueError as error:
        return str(error)


def of_iterators(n):
    xs, ys = [k * 3 % 5 for k in range(n)], [k * 2 for k in range(n)]
    rows = [[k, k + 1] for k in range(n)]
    return (
        max(*map(lambda v: v * v, xs)),
        list(chain(*zip(xs, ys))),
        sum(chain(*rows)),
        g_rest(*zip(xs, ys)) if n < 0 else 0,
        min(7, *reversed(ys)),
    )


def one_too_many(n):
    items, pair = [n], (1, 2)
    try:
        items.append(*pair)
    except TypeError as error:
        return str(error)


def all_used(n):
    """No argument is left out."""
    replace, given = "abcabc".replace, ("b", "c", n)
    return replace(*given), "{} {} {} {} {} {} {} {}".format(*range(8)), "a-b-c".split(*("-", n))


CASES = [
    *((f, (1,)) for f in (one_too_many, all_used)),
    *((of_iterators, (n,)) for n in (2, 5)),
    *((heads, (n,)) for n in (1, 4)),
    *((too_short, (n,)) for n in (0, 3)),
    *((from_table, (name, n)) for name in TABLE for n in range(5)),
    *((described, (kind, list(range(n)))) for kind in (True, False) for n in range(5)),
    *[(f_rest, (3,)), (f_rest, (4,)), (m_rest, (3,)), (m_rest, (5,))],
    *[
        (spread_given, (3,)),
        (spread_given, (5,)),
        (firsts_given, (3,)),
        (firsts_given, (4,)),
        (chain_given, (4,)),
        (bags_given, (3,)),
        (tooFew_given, (1,)),
        (tooFew_given, (2,)),
        (tooFew_given, (5,)),
        (oneMax_given, (1,)),
        (oneMax_given, (2,)),
        (swapped_given, (3,)),
    ],
]
