"""Signals whose handlers raise in the middle of calls, of compiling and of what comes between.

A timer goes off at random times; what its handler raises must arrive, what ran to its end must be
right, and after the storm everything must work. Prints the number of calls and of interruptions.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
from shapecast import jit

sys.path.insert(0, str(Path(__file__).parents[2]))

from support.compare import make


class Interruption(Exception):
    pass


armed = False


def interrupt(number, frame):
    if armed:
        raise Interruption


@jit
def long_loop(a, n):
    total = 0.0
    for _ in range(n):
        for i in range(len(a)):
            total += a[i] * 0.5
    return total


@jit
def with_lists(n):
    found = []
    for i in range(n):
        found.append((i, i * 0.5))
    return len(found)


@jit
def with_python(a):
    total = 0.0
    for i in range(50):
        total += float(np.linalg.cond(a)) * 0 + i
    return total


@jit
def caught(a, n):
    hits = 0
    for i in range(n):
        try:
            a[i % 20]
        except IndexError:
            hits += 1
    return hits


def compiled_anew(seed: int) -> bool:
    f = jit(make(f"def f(a):\n    return np.sort(a * {seed}).cumsum()[-1]"))
    return f(np.ones(4)) == 4 * seed


CALLS = {
    "long loop": lambda: long_loop(np.ones(1000), 2000) == 1e6,
    "lists": lambda: with_lists(100_000) == 100_000,
    "python": lambda: with_python(np.eye(3)) == 1225.0,
    "caught": lambda: caught(np.ones(10), 2000) == 1000,
    "compiling": lambda: compiled_anew(random.randint(1, 5)),
    "short": lambda: all(long_loop(np.ones(3), 1) == 1.5 for _ in range(500)),
}


def main() -> int:
    global armed
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    random.seed(options.seed)
    signal.signal(signal.SIGALRM, interrupt)
    for name, call in CALLS.items():
        assert call(), name
    counted: Counter[str] = Counter()
    ends = time.monotonic() + options.seconds
    while time.monotonic() < ends:
        name = random.choice(list(CALLS))
        try:
            try:
                armed = True
                signal.setitimer(signal.ITIMER_REAL, random.expovariate(1 / 0.004) + 1e-6)
                right = CALLS[name]()
            finally:
                armed = False
        except Interruption:
            counted["interruptions"] += 1
            continue
        counted["whole calls"] += 1
        if not right:
            print("wrong:", name)
            return 1
    signal.setitimer(signal.ITIMER_REAL, 0)
    for name, call in CALLS.items():
        if not call():
            print("wrong afterwards:", name)
            return 1
    print(dict(counted))
    return 0


if __name__ == "__main__":
    sys.exit(main())
