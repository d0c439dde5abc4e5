"""What programs of strangers found: events in heaps, tables, errors, cached functions."""

import functools
import heapq
from collections import Counter, defaultdict, deque
from enum import Enum
from functools import cache, lru_cache


def triangle(n):
    a = [[0] * n for _ in range(n)]
    for l in range(2, n):
        for i in range(n - l):
            for k in range(i, i + l):
                a[i][i + l] = k
    return a


def set_in_error(n):
    raise ValueError({1, n})


def texts_in_error(n):
    raise ValueError({"a", str(n)})


def dict_in_error(n):
    d = {}
    for i in range(n):
        d[i] = str(i)
    raise KeyError(d)


def lists_in_error(n):
    l = [[i] for i in range(n)]
    l[0].append(5)
    raise ValueError(l, "x")


def error_as_text(n):
    try:
        raise ValueError({1, n})
    except ValueError as e:
        return str(e)


def cause(n):
    try:
        dict_in_error(n)
    except KeyError as e:
        raise RuntimeError("no") from e


class Event:
    def __init__(self, p):
        self.p = p


def decided_by_first(a, b):
    return (a, Event(1)) < (b, Event(2))


def events(n):
    h = []
    for i in range(n):
        heapq.heappush(h, (i * 7 % 5, i, Event(i)))
    return [heapq.heappop(h)[2].p for _ in range(n)]


def sorted_events(n):
    return sorted([(3, Event(1)), (1, Event(2)), (n, Event(3))])[0][1].p


def sorted_in_place(n):
    xs = [(i * 7 % 5, Event(i)) for i in range(n)]
    xs.sort()
    return [o.p for _, o in xs]


class Letter(Enum):
    A = 1
    B = 2


def member_by_name(s):
    return Letter[s] is Letter.A, Letter[s].value


def mixed_tuples(n):
    return (
        (1, None) < (n, None),
        (1, "a") < (n, "b"),
        (1, 2) < (1, 2.5),
        (n, Event(1)) == (n, Event(1)),
    )


def no_order(a, b):
    return (a, Event(1)) < (b, Event(2))


@cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def fibonacci(n):
    return fib(n)


@lru_cache(maxsize=None)
def lcs(i, j):
    if i == 0 or j == 0:
        return 0
    if A[i - 1] == B[j - 1]:
        return lcs(i - 1, j - 1) + 1
    return max(lcs(i - 1, j), lcs(i, j - 1))


A = "abcbdabxyzabcbdab"
B = "bdcabaxzybdcaba"


def subsequence(n):
    return lcs(len(A), len(B))


@functools.lru_cache(maxsize=1000)
def collatz(n):
    return 1 if n == 1 else 1 + collatz(n // 2 if n % 2 == 0 else 3 * n + 1)


def collatz_lengths(n):
    return max(range(1, n), key=collatz), max(collatz(i) for i in range(1, n))


@cache
@cache
def h(n):
    return n * 2


def not_recursive(n):
    return h(n) + h(n)


def in_a_sum(n):
    x = 5
    return fib(n) + x


class Caller:
    def m(self, n):
        return fib(n)


def in_a_method(n):
    return Caller().m(n)


class Counted:
    def __init__(s):
        s.v = 0


def counters(s):
    d = defaultdict(Counter)
    for c in s:
        d[c][c] += 1
    return d


def queues(s):
    d = defaultdict(deque)
    for c in s:
        d[c].append(1)
    return [d]


def instances(s):
    d = defaultdict(Counted)
    for c in s:
        d[c].v += 1
    return d


def builtin_factories(s):
    return {"a": defaultdict(list), "b": defaultdict(int)}


def sets(n):
    xs = [defaultdict(set) for _ in range(n)]
    xs[0][1].add(2)
    return xs


CASES = [
    (triangle, (6,)),
    (triangle, (27,)),
    (set_in_error, (2,)),
    (texts_in_error, (2,)),
    (dict_in_error, (2,)),
    (lists_in_error, (2,)),
    (error_as_text, (2,)),
    (cause, (2,)),
    (decided_by_first, (1, 2)),
    (events, (5,)),
    (sorted_events, (2,)),
    (sorted_in_place, (5,)),
    (member_by_name, ("A",)),
    (member_by_name, ("Z",)),
    (mixed_tuples, (2,)),
    (no_order, (1, 1)),
    (fibonacci, (30,)),
    (subsequence, (1,)),
    (collatz_lengths, (300,)),
    (not_recursive, (4,)),
    (in_a_sum, (20,)),
    (in_a_method, (20,)),
    (counters, ("abca",)),
    (queues, ("abca",)),
    (instances, ("abca",)),
    (builtin_factories, ("abca",)),
    (sets, (2,)),
]
