"""What the examples on clusters share: a function as it is and compiled, on the same workers."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

from _common import difference  # before NumPy: one thread for its products
from shapecast import jit

WORKERS = min(4, len(os.sched_getaffinity(0)))


def compare(
    name: str,
    f: Callable[..., Any],
    on_cluster: Callable[[Callable[..., Any]], Any],
    tolerance: float = 0.0,
) -> Any:
    """Calls `on_cluster` with f, and with f compiled, prints one line of times, and returns the
    compiled one's result. The first calls, which compile on every worker, are not counted.
    """
    compiled = jit(f)
    times: dict[Any, float] = {}
    results: dict[Any, Any] = {}
    for function in (f, compiled):
        results[function] = on_cluster(function)
    for function in (f, compiled):
        start = time.perf_counter()
        on_cluster(function)
        times[function] = time.perf_counter() - start
    off = difference(results[compiled], results[f])
    verdict = "equal" if off == 0 else f"within {off:.1e}" if off <= tolerance else "WRONG"
    slow, fast = times[f], times[compiled]
    print(
        f"{name}: plain {slow * 1e3:.0f} ms, jit {fast * 1e3:.0f} ms on {WORKERS} workers, "
        f"{slow / fast:.1f} x, {verdict}"
    )
    if verdict == "WRONG":
        raise SystemExit(f"largest difference {off:.1e}, allowed {tolerance:.1e}")
    return results[compiled]
