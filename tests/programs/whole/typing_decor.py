"""Decorators: memo with key, retry with attempts, timed steps counter, pipeline with compose, plugin registry dict of functions, singleton by class attr."""

from __future__ import annotations

import itertools
from collections import deque
from functools import lru_cache, partial, reduce, wraps
from typing import Callable


class TransientError(RuntimeError):
    def __init__(self, attempt: int):
        super().__init__(f"attempt {attempt} failed")
        self.attempt = attempt


class GaveUp(RuntimeError):
    pass


def retry(times: int, backoff: float = 2.0):
    def deco(fn):
        @wraps(fn)
        def wrapper(*args):
            delay, slept = 0.1, 0.0
            last = None
            for attempt in range(1, times + 1):
                try:
                    return fn(*args, attempt), round(slept, 3)
                except TransientError as e:
                    last = str(e)
                    slept += delay
                    delay *= backoff
            raise GaveUp(f"{fn.__name__}: {last}")

        return wrapper

    return deco


@retry(3)
def fetch(key, attempt):
    if key * attempt < 6:
        raise TransientError(attempt)
    return key * 10


@retry(times=2, backoff=3.0)
def flaky(key, attempt):
    if attempt <= key:
        raise TransientError(attempt)
    return -key


HANDLERS: dict[str, Callable[[float], float]] = {}


def handler(name):
    def deco(f):
        HANDLERS[name] = f
        return f

    return deco


@handler("double")
def _double(x):
    return x * 2


@handler("half")
def _half(x):
    return x / 2


@handler("neg")
def _neg(x):
    return -x


def compose(*fs):
    return reduce(lambda f, g: lambda x: g(f(x)), fs, lambda x: x)


def run_pipeline(names, x):
    for n in names:
        f = HANDLERS.get(n)
        if f is None:
            raise LookupError(f"no handler {n!r}, have {sorted(HANDLERS)}")
        x = f(x)
    return x


def debounce(events, gap):
    last = None
    for t, v in events:
        if last is None or t - last >= gap:
            yield v
        last = t


def sliding(seq, n):
    it = iter(seq)
    window = deque(itertools.islice(it, n), maxlen=n)
    if len(window) == n:
        yield tuple(window)
    for x in it:
        window.append(x)
        yield tuple(window)


def chunked(seq, n):
    it = iter(seq)
    while chunk := list(itertools.islice(it, n)):
        yield chunk


def roundrobin(*seqs):
    for group in itertools.zip_longest(*seqs):
        yield from (x for x in group if x is not None)


@lru_cache(maxsize=128)
def partitions(n, largest=None):
    if largest is None:
        largest = n
    if n == 0:
        return 1
    return sum(partitions(n - k, k) for k in range(1, min(n, largest) + 1))


def main(keys, xs, events):
    out = []
    for k in keys:
        for f in (fetch, flaky):
            try:
                value, slept = f(k)
                out.append((value, slept))
            except GaveUp as e:
                out.append((0, str(e)))
    inc = partial(lambda a, b: a + b, 1)
    f = compose(inc, _double, inc)
    pipes = []
    for names in (["double", "neg"], ["half", "half"], ["cube"]):
        try:
            pipes.append(f"{run_pipeline(names, 3.0):.3f}")
        except LookupError as e:
            pipes.append(str(e))
    even, odd = [], []
    for x in xs:
        (odd if x % 2 else even).append(x)
    windows = [sum(w) / len(w) for w in sliding(xs, 3)]
    groups = list(chunked(xs, 4))
    rr = list(roundrobin([1, 2, 3], [10], [20, 30]))
    dropped = list(itertools.dropwhile(lambda x: x < 4, xs))
    starred = [f"{a}{b}" for a, b in map(lambda p, q: (p, q * q), "abc", itertools.count(2))]
    first, *middle, last = xs
    return (
        out,
        f(5),
        pipes,
        list(debounce(events, 3)),
        windows,
        groups,
        rr,
        even,
        odd,
        partitions(20),
        dropped,
        starred,
        (first, len(middle), last),
    )


ARGS = [
    ([1, 2, 3, 7], [3, 1, 4, 1, 5, 9, 2, 6, 5], [(0, "a"), (1, "b"), (5, "c"), (9, "d"), (10, "e")])
]
