"""The machine, and its roofline ceilings, which the kernels are compared with.

`python -m bench.machine THREADS` prints the ceilings as JSON. Bytes are counted as STREAM does:
what is read and what is written, not what a cache reads before it writes.
"""

from __future__ import annotations

import json
import os
import platform
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

LEVELS = ("L1/L2", "L3", "DRAM")


def cpu_facts() -> dict[str, Any]:
    facts: dict[str, Any] = {"cpu": platform.machine(), "vector": "", "cores": cores()}
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return facts
    if found := re.search(r"^model name\s*: (.*)$", text, re.M):
        facts["cpu"] = found[1]
    flags = re.search(r"^flags\s*: (.*)$", text, re.M)
    known = flags[1].split() if flags else []
    facts["vector"] = next((v for v in ("avx512f", "avx2") if v in known), "")
    return facts


def cores() -> int:
    return len(os.sched_getaffinity(0))


def cache_bytes() -> dict[str, int]:
    """Bytes of the largest L2 and L3 that one core sees, with usual sizes where the system does
    not say."""
    sizes = {2: 1 << 20, 3: 32 << 20}
    for folder in Path("/sys/devices/system/cpu/cpu0/cache").glob("index*"):
        try:
            level = int((folder / "level").read_text())
            number = (folder / "size").read_text().strip()
        except (OSError, ValueError):
            continue
        if level in sizes and number.endswith("K"):
            sizes[level] = int(number[:-1]) << 10
    return {"L2": sizes[2], "L3": sizes[3]}


def level_of(working_set: int, caches: dict[str, int]) -> str:
    if working_set <= caches["L2"]:
        return LEVELS[0]
    return LEVELS[1] if working_set <= caches["L3"] else LEVELS[2]


def facts() -> dict[str, Any]:
    import shapecast

    from bench.peers import PEERS

    core = Path(shapecast._core.__file__).resolve()
    return {
        **cpu_facts(),
        "caches": cache_bytes(),
        "load": os.getloadavg()[0],  # tells a reader how far to trust the figures
        "python": platform.python_version(),
        "numpy": np.__version__,
        "shapecast": getattr(shapecast, "__version__", "unknown"),
        "build": next((k for k in ("release", "dev", "asan") if k in core.parts), "wheel"),
        "peers": {name: peer.version() or "not installed" for name, peer in PEERS.items()},
    }


# -------------------------------------------------------------------------------------- ceilings


def best_seconds(call: Callable[[], object], limit: float = 0.4) -> float:
    """Minimum time of one call; as many calls as there is time for, at least three."""
    call()
    best, begun, count = float("inf"), time.perf_counter(), 0
    while count < 3 or time.perf_counter() - begun < limit:
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
        count += 1
    return best


def repeated_streams() -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Copy and triad `times` over, without calls in between: in small caches they would count."""

    def copy(to, a, times):
        for _ in range(times):
            to[:] = a

    def triad(to, a, b, times):
        for _ in range(times):
            to[:] = a + 3.0 * b

    return copy, triad


def streams(threads: int) -> Iterator[tuple[str, Callable[..., Any], Callable[..., Any]]]:
    """Candidates for the fastest copy and triad: the best one is the ceiling."""
    import shapecast

    copy, triad = repeated_streams()
    yield "numpy", copy, triad
    if threads == 1:
        yield "shapecast", shapecast.jit(copy), shapecast.jit(triad)
    try:
        from numba import njit, prange
    except ImportError:
        return

    @njit(parallel=threads > 1)
    def copy_loops(to, a, times):
        for _ in range(times):
            for i in prange(a.shape[0]):
                to[i] = a[i]

    @njit(parallel=threads > 1, fastmath=True)
    def triad_loops(to, a, b, times):
        for _ in range(times):
            for i in prange(a.shape[0]):
                to[i] = a[i] + 3.0 * b[i]

    yield "numba", copy_loops, triad_loops


def bandwidth(threads: int) -> dict[str, dict[str, float]]:
    """GB/s of copy and triad by level, the best candidate's."""
    caches = cache_bytes()
    together = {
        "L1/L2": caches["L2"] // 2 * threads,
        "L3": max(2 * caches["L2"] * threads, min(caches["L3"] // 4, 16 << 20)),
        "DRAM": min(max(2 * caches["L3"], 400 << 20), 1200 << 20),
    }
    found: dict[str, dict[str, float]] = {}
    for level, total in together.items():
        n = total // 24
        to, a, b = np.zeros(n), np.ones(n), np.ones(n)
        times = max(1, (20 << 20) // total)
        best = {"copy": 0.0, "triad": 0.0}
        for _, copy, triad in streams(threads):
            spent = best_seconds(lambda copy=copy: copy(to, a, times))
            best["copy"] = max(best["copy"], 16 * n * times / spent / 1e9)
            spent = best_seconds(lambda triad=triad: triad(to, a, b, times))
            best["triad"] = max(best["triad"], 24 * n * times / spent / 1e9)
        found[level] = best
    return found


def flops() -> dict[str, float]:
    """GFLOP/s of a matrix product by the BLAS of NumPy, with the threads it has."""
    found = {}
    for dtype in ("float64", "float32"):
        a = np.random.default_rng(0).random((1024, 1024)).astype(dtype)
        to = np.empty_like(a)
        found[dtype] = 2 * 1024**3 / best_seconds(lambda a=a, to=to: np.matmul(a, a, out=to)) / 1e9
    return found


def roof_seconds(
    items: float, flop: float, dtype: str, level: str, ceilings: dict[str, Any]
) -> float | None:
    """The roofline minimum time on this machine: by the best bandwidth of that level, or by the
    arithmetic; None for kernels that count neither."""
    wide = np.dtype(dtype).itemsize
    speed = max(ceilings["bandwidth"][level].values()) * 1e9
    peak = ceilings["flops"]["float32" if wide < 8 else "float64"] * 1e9
    bound = max(items * wide / speed, flop / peak)
    return bound or None


def main() -> None:
    threads = int(sys.argv[1])
    if threads == 1:
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    print(json.dumps({"bandwidth": bandwidth(threads), "flops": flops()}))


if __name__ == "__main__":
    main()
