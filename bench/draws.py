"""What a number of np.random costs that a scalar loop draws: nanoseconds, beside NumPy and Numba.

`python -m bench.draws` prints a line for each distribution; Numba's numbers are others.
"""

from __future__ import annotations

import linecache
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import shapecast

CALLS = (
    "rand()", "uniform(1.0, 2.0)", "randint(0, 10)", "normal()", "normal(1.0, 2.0)",
    "standard_normal()", "randn()", "lognormal(0.0, 0.5)", "exponential(2.0)",
    "standard_exponential()", "standard_gamma(2.5)", "gamma(0.5, 2.0)", "beta(2.0, 3.0)",
    "chisquare(3.0)", "weibull(2.0)", "weibull(1.5)", "poisson(2.0)",
    "poisson(50.0)", "binomial(20, 0.3)",
)  # fmt: skip


def loop(call: str) -> Callable[[int], float]:
    """Sums so many numbers."""
    text = (
        "def f(n):\n    total = 0.0\n    for _ in range(n):\n"
        f"        total += np.random.{call}\n    return total\n"
    )
    file = f"<bench {call}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    space: dict[str, Any] = {"np": np}
    exec(compile(text, file, "exec"), space)
    return space["f"]


def nanoseconds(f: Callable[[int], float], count: int) -> float:
    f(10)
    best = float("inf")
    for _ in range(5):
        started = time.process_time()
        f(count)
        best = min(best, time.process_time() - started)
    return best / count * 1e9


def main() -> None:
    try:
        from numba import njit
    except ImportError:
        njit = None
    print(f"{'ns a number':24} {'numpy':>8} {'shapecast':>10} {'numba':>8}")
    for call in CALLS:
        f = loop(call)
        row = [nanoseconds(f, 20_000), nanoseconds(shapecast.jit(f), 200_000)]
        text = f"{call:24} {row[0]:8.0f} {row[1]:10.1f}"
        print(text + (f" {nanoseconds(njit(f), 200_000):8.1f}" if njit else ""), flush=True)


if __name__ == "__main__":
    main()
