"""Pools of processes made by fork, spawn and forkserver after this one has compiled and computed.

Each child calls what its parent compiled, compiles for other types, and starts threads. Prints the
number of tasks, and ends with 1 at the first wrong result.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import multiprocessing
import sys
import threading
import time
import warnings

import numpy as np
from shapecast import jit

METHODS = ("fork", "spawn", "forkserver")


@jit
def norm(a):
    return np.sqrt((a * a).sum())


@jit
def wide(a):
    return a * 2 + 1


@jit
def product(a):
    return a @ a.T


def task(number: int) -> float:
    a = np.arange(float(number % 7 + 1), dtype=("f8", "f4", "i8")[number % 3])
    assert np.allclose(norm(a), np.sqrt((a * a).sum()))
    big = np.arange(200_000.0)
    assert np.array_equal(wide(big), big * 2 + 1)
    square = np.arange(100.0 * 100).reshape(100, 100)
    assert np.allclose(product(square), square @ square.T)
    new = jit(lambda x: x * 3 + len(x))
    results: list[bool] = []
    threads = [
        threading.Thread(target=lambda: results.append(np.array_equal(new(a), a * 3 + len(a))))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 3, results
    return float(norm(a))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args()
    warnings.simplefilter("ignore", DeprecationWarning)  # fork of a process with threads
    ends, tasks = time.monotonic() + options.seconds, 0
    while tasks == 0 or time.monotonic() < ends:
        for method in METHODS:
            expected = [task(n) for n in range(6)]
            context = multiprocessing.get_context(method)
            with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
                got = list(pool.map(task, range(6), timeout=300))
            tasks += len(got)
            if got != expected:
                print("wrong:", method, got, expected)
                return 1
    print(tasks, "tasks")
    return 0


if __name__ == "__main__":
    sys.exit(main())
