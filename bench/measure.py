"""Measures one kernel in this process: contestants are checked against NumPy, then interleaved.

`python -m bench.measure JSON` prints, after lines `@contestant` that report its progress, the row
as JSON. run.py starts it, one process a row, so that nobody inherits another kernel's heap, caches
or crash.
"""

from __future__ import annotations

import copy
import gc
import json
import math
import os
import resource
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.kernel import Kernel
from bench.kernels import KERNELS
from bench.peers import PEERS, Contestant

# Peers may be off by this much (what is relaxed, hundred times more): their own math, their order
# of sums. What shapecast may be off is the kernel's.
PEER_TOLERANCE = {"float64": 1e-10, "float32": 1e-4}


@dataclass(frozen=True)
class Task:
    """What a row is of, and how thoroughly."""

    kernel: str
    size: int  # which of the kernel's three
    dtype: str
    threads: int
    repeats: int = 15
    target: float = 0.02  # seconds of one sample
    peers: tuple[str, ...] = ()
    brief: bool = False  # only the first contestant of each peer
    without: tuple[str, ...] = ()  # contestants that are left out


# ------------------------------------------------------------------------------------- comparing


def flat(value: Any) -> list[Any]:
    if isinstance(value, (tuple, list)):
        return [item for part in value for item in flat(part)]
    return [] if value is None else [np.asarray(value)]


def difference(got: list[Any], want: list[Any]) -> float:
    """Largest difference relative to the largest number; inf where shapes or NaNs differ."""
    if len(got) != len(want):
        return math.inf
    worst = 0.0
    for g, w in zip(got, want, strict=True):
        if g.shape != w.shape:
            return math.inf
        wide = np.complex128 if np.iscomplexobj(w) or np.iscomplexobj(g) else np.float64
        g, w = g.astype(wide, copy=False), w.astype(wide, copy=False)
        if w.size == 0 or np.array_equal(g, w, equal_nan=True):
            continue
        off = float(np.max(np.abs(g - w)) / max(float(np.max(np.abs(w))), 1e-300))
        worst = max(worst, math.inf if math.isnan(off) else off)
    return worst


def outcome(kernel: Kernel, result: Any, arguments: tuple, functional: bool = False) -> list[Any]:
    """All that a call gives: what it returns, and the final values of what it changes."""
    return flat(result) + ([] if functional else [flat(arguments[k])[0] for k in kernel.changes])


def tolerance(kernel: Kernel, dtype: str, contestant: Contestant) -> float:
    if contestant.name == "shapecast":
        return kernel.tolerance_for(dtype)
    allowed = max(kernel.tolerance_for(dtype), PEER_TOLERANCE.get(dtype, 0.0))
    return allowed * 100 if contestant.relaxed else allowed


# ---------------------------------------------------------------------------------------- timing


def calibrated(call: Callable[[], object], target: float) -> int:
    """How many calls last about the target time."""
    count = 1
    while True:
        start = time.perf_counter()
        for _ in range(count):
            call()
        spent = time.perf_counter() - start
        if spent > target / 4 or count > 1_000_000:
            return max(1, round(count * target / max(spent, 1e-9)))
        count *= 4


def interleaved(
    calls: dict[str, Callable[[], object]], repeats: int, target: float
) -> dict[str, dict[str, float]]:
    """Minimum and median seconds of one call, contestants interleaved, so that other load on the
    machine affects all. Who is five times slower than the fastest is out after five samples."""
    counts = {name: calibrated(call, target) for name, call in calls.items()}
    times: dict[str, list[float]] = {name: [] for name in calls}
    gc.collect()
    gc.disable()
    try:
        for sample in range(repeats):
            fastest = min((min(t) for t in times.values() if t), default=0.0)
            for name, call in calls.items():
                count = counts[name]
                if sample >= 5 and min(times[name]) > 5 * fastest:
                    continue
                start = time.perf_counter()
                for _ in range(count):
                    call()
                times[name].append((time.perf_counter() - start) / count)
    finally:
        gc.enable()
    return {
        name: {"seconds": min(t), "median": float(np.median(t)), "turns": len(t)}
        for name, t in times.items()
    }


# ----------------------------------------------------------------------------------- contestants


def shapecast_contestant(kernel: Kernel) -> Contestant:
    def build() -> Callable[..., Any]:
        import shapecast

        return shapecast.jit(kernel.plain)

    return Contestant("shapecast", build)


def everyone(kernel: Kernel, task: Task, row: dict[str, Any]) -> list[Contestant]:
    found = [shapecast_contestant(kernel)]
    for name in task.peers:
        peer = PEERS[name]
        contestants = peer.contestants(kernel, task.dtype, task.threads)
        if contestants and peer.version() is None:
            row["contestants"][name] = {"status": "not installed"}
        elif contestants:
            found += contestants[:1] if task.brief else contestants
        else:
            row["contestants"][name] = {"status": "no port"}
    for contestant in found:
        if contestant.name in task.without:
            row["contestants"][contestant.name] = {"status": "left out"}
    return [c for c in found if c.name not in task.without]


def short(error: BaseException) -> str:
    """Its first informative line: Numba's first ones give only the step that failed."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith("Failed in nopython")]
    return f"{type(error).__name__}: {(telling or lines or [''])[0][:140]}"


def first_call(
    contestant: Contestant, kernel: Kernel, dtype: str, given: tuple, want: list[Any]
) -> tuple[Callable[..., Any] | None, dict[str, Any]]:
    """Builds it, calls it once on a copy of the arguments, and compares what it gives."""
    try:
        f = contestant.build()
        arguments = contestant.enter(copy.deepcopy(given))
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            start = time.perf_counter()
            result = f(*arguments)
            spent = time.perf_counter() - start
        said = " ".join(str(w.message) for w in heard)
        got = outcome(kernel, result, arguments, contestant.functional)
    except Exception as error:
        return None, {"status": f"failed: {short(error)}"}
    if contestant.vain_if and contestant.vain_if in said:
        return None, {"status": "nothing found to do at once"}
    off = difference(got, want)
    about = {"first call ms": spent * 1e3, "difference": off}
    if off > tolerance(kernel, dtype, contestant):
        return None, {"status": f"wrong: off by {off:.1e}", **about}
    if contestant.name == "shapecast" and [g.dtype for g in got] != [w.dtype for w in want]:
        return None, {"status": "wrong: another dtype", **about}
    return f, {"status": "ok", **about}


def run(task: Task) -> dict[str, Any]:
    kernel = KERNELS[task.kernel]
    n = kernel.sizes[task.size]
    given = kernel.make(n, task.dtype)
    row: dict[str, Any] = {"n": n, "contestants": {}}

    print("@numpy", flush=True)
    own = copy.deepcopy(given)
    start = time.perf_counter()
    result = kernel.plain(*own)
    once = time.perf_counter() - start
    want = copy.deepcopy(outcome(kernel, result, own))
    row["working set"] = sum(a.nbytes for a in flat(given)) + sum(a.nbytes for a in flat(result))
    del own, result

    calls: dict[str, Callable[[], object]] = {}
    if not kernel.slow_numpy:
        calls["numpy"] = lambda: kernel.plain(*given)
    for contestant in everyone(kernel, task, row):
        print(f"@{contestant.name}", flush=True)
        f, about = first_call(contestant, kernel, task.dtype, given, want)
        row["contestants"][contestant.name] = about
        if f is not None:
            # Everyone runs on the same arrays, in place ones on and on: all of them converge or
            # stay bounded.
            entered = contestant.enter(given)
            calls[contestant.name] = lambda f=f, entered=entered: f(*entered)
    del want
    gc.collect()

    print("@timing", flush=True)
    row["contestants"]["numpy"] = {"status": "ok"}
    for name, figures in interleaved(calls, task.repeats, task.target).items():
        row["contestants"][name] |= figures
    row["peak MB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    if kernel.slow_numpy:
        row["contestants"]["numpy"] |= {"seconds": once, "median": once, "turns": 1}
    return row


def main() -> None:
    task = Task(**json.loads(sys.argv[1]))
    if task.threads == 1:
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    warnings.simplefilter("ignore")
    with np.errstate(all="ignore"):
        print(json.dumps(run(task)))


if __name__ == "__main__":
    main()
