"""Calls of the C library in a loop, before and after its first poll: `python -m bench.polls` prints
nanoseconds per iteration. A loop polls every 32,768 iterations; what the poll leaves in vector
registers must not slow down the calls after it (src/runtime/poll.cpp).
"""

from __future__ import annotations

import math
import timeit

from shapecast import jit

REPEAT = 20


@jit
def logarithms(n: int) -> float:
    total = 0.0
    for k in range(n):
        total += math.log(k + 1.5)
    return total


if __name__ == "__main__":
    for n in (10_000, 1_000_000):
        logarithms(n)
        best = min(timeit.repeat(lambda n=n: logarithms(n), number=1, repeat=REPEAT))
        print(f"{n:>9} iterations: {best / n * 1e9:.1f} ns")
