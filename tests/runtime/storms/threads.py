"""64 threads call jitted functions, compile new ones, edit globals and raise, all at once.

What a call gives must be what plain Python could give with one of the values that each global and
helper has had. Prints how many calls were compiled_anew, and ends with 1 at the first wrong one.
"""

from __future__ import annotations

import argparse
import gc
import random
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import numpy as np
from shapecast import jit

sys.path.insert(0, str(Path(__file__).parents[2]))

from support.compare import make

FACTORS = (2.0, 3.0, 5.0)
SHIFTS = (0.0, 10.0, 100.0)

K = FACTORS[0]


def double(x):
    return x + x


def triple(x):
    return x * 3


HELPERS = (double, triple)
helper = double


class Model:
    def __init__(self):
        self.shift = SHIFTS[0]
        self.weights = np.arange(4.0)

    def apply(self, x):
        return x + self.shift


model = Model()


@jit
def scaled(x):
    return helper(x) * K + model.apply(0.0)


@jit
def summed(a, n):
    total = 0.0
    for i in range(n):
        total += a[i % len(a)]
    return total


@jit
def raises(a, i):
    return a[i]


@jit
def caught(a, i):
    try:
        return a[i]
    except IndexError:
        return -1.0


@jit
def dynamic_list(n):
    found = []
    for i in range(n):
        if i % 3 == 0:
            found.append(i * 0.5)
    return found


def compiled_anew(seed: int):
    """A new function, which is compiled, called and dropped."""
    return jit(make(f"def f(a, n):\n    return (a * {seed} + n).sum()"))


def possible(x: float) -> set[float]:
    return {(h(x)) * k + s for h in HELPERS for k in FACTORS for s in SHIFTS}


class Storm:
    def __init__(self, seconds: float) -> None:
        self.ends = time.monotonic() + seconds
        self.counted: Counter[str] = Counter()
        self.lock = threading.Lock()
        self.wrong: list[str] = []

    def run(self, number: int) -> None:
        rng = random.Random(number)
        counted: Counter[str] = Counter()
        try:
            while time.monotonic() < self.ends and not self.wrong:
                self.step(rng, counted)
        except BaseException as error:
            self.wrong.append(f"thread {number}: {type(error).__name__}: {error}")
        with self.lock:
            self.counted += counted

    def step(self, rng: random.Random, counted: Counter[str]) -> None:
        global K, helper
        kind = rng.choices(
            (
                "scaled",
                "summed",
                "raises",
                "caught",
                "dynamic_list",
                "edit",
                "compiled_anew",
                "collect",
                "threads",
            ),
            (30, 20, 15, 15, 10, 4, 2, 0.2, 5),
        )[0]
        counted[kind] += 1
        if kind == "scaled":
            x = rng.choice((1.5, 2.5, np.float32(1.0), 7))
            if float(scaled(x)) not in possible(float(x)):
                self.wrong.append(f"scaled({x!r})")
        elif kind == "summed":
            a = np.arange(float(rng.randint(1, 20)), dtype=rng.choice((np.float64, np.float32)))
            n = rng.randint(0, 50)
            if summed(a, n) != sum(float(a[i % len(a)]) for i in range(n)):
                self.wrong.append(f"summed({a!r}, {n})")
        elif kind == "raises":
            n = rng.randint(1, 9)
            try:
                raises(np.arange(float(n)), n)
                self.wrong.append("no IndexError")
            except IndexError as error:
                if (
                    str(error).splitlines()[0]
                    != f"index {n} is out of bounds for axis 0 with size {n}"
                ):
                    self.wrong.append(str(error))
        elif kind == "caught":
            n, i = rng.randint(1, 9), rng.randint(0, 12)
            if caught(np.arange(float(n)), i) != (i if i < n else -1.0):
                self.wrong.append(f"caught({n}, {i})")
        elif kind == "dynamic_list":
            n = rng.randint(0, 40)
            if dynamic_list(n) != [i * 0.5 for i in range(n) if i % 3 == 0]:
                self.wrong.append(f"dynamic_list({n})")
        elif kind == "edit":
            K = rng.choice(FACTORS)
            helper = rng.choice(HELPERS)
            model.shift = rng.choice(SHIFTS)
        elif kind == "compiled_anew":
            seed = rng.randint(1, 6)
            f = compiled_anew(seed)
            if f(np.ones(3), 2) != 3 * seed + 6:
                self.wrong.append(f"compiled_anew({seed})")
        elif kind == "collect":
            gc.collect()
        else:
            a = np.arange(50_000.0)
            if not np.array_equal(parallel(a), a * 2 + 1):
                self.wrong.append("parallel")


@jit
def parallel(a):
    return a * 2 + 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args()
    sys.setswitchinterval(1e-4)
    storm = Storm(options.seconds)
    threads = [threading.Thread(target=storm.run, args=(n,)) for n in range(options.threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(f"{sum(storm.counted.values())} steps of {options.threads} threads:", dict(storm.counted))
    for line in storm.wrong[:10]:
        print("wrong:", line)
    return bool(storm.wrong)


if __name__ == "__main__":
    sys.exit(main())
