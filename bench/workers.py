"""Four tasks on two fresh workers: what a jitted function costs there beside a plain one.

`python -m bench.workers` prints the time from the start of a pool to the last result, and the parts
that are shapecast's in each worker: its import, the first call, whose code is found on disk, and a
later one; then what a task costs that brings a function by value again (with cloudpickle).
`--pools 20` repeats more often; wall times are medians of interleaved runs.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

FUNCTION = """
    steps = np.sqrt(x * x + 1.0)
    return (steps - x.mean()).sum()
"""

PLAIN = f"""
import numpy as np

def work(x):{FUNCTION}
"""

JITTED = f"""
import numpy as np
import time
start = time.perf_counter(), time.process_time()
from shapecast import jit
imported = time.perf_counter() - start[0], time.process_time() - start[1]

@jit
def work(x):{FUNCTION}
"""

# A main program of its own, as spawned workers import it.
MAIN = """
import json, resource, sys, time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
import numpy as np
import tasks

def prepare(shared):
    global barrier
    barrier = shared

def timed(x):
    start = time.perf_counter(), time.process_time()
    result = tasks.work(x)
    times = time.perf_counter() - start[0], time.process_time() - start[1]
    barrier.wait()  # each worker gets two tasks
    return float(result), times, getattr(tasks, "imported", (0.0, 0.0))

if __name__ == "__main__":
    x = np.linspace(0.0, 1.0, 100_000)
    tasks.work(x)
    start = time.perf_counter()
    context = get_context(sys.argv[1])
    with ProcessPoolExecutor(2, context, prepare, (context.Barrier(2),)) as pool:
        done = list(pool.map(timed, [x] * 4))
        wall = time.perf_counter() - start
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(json.dumps([wall, used.ru_utime + used.ru_stime, done]))
"""

# What each task of a worker does with a function that came by value.
BY_VALUE = """
import pickle, time
import cloudpickle
import numpy as np
import shapecast
from shapecast import jit

def made(k, kind):
    return kind(lambda x: x * k + 1.0)

x, array = np.ones(3), np.ones(3)
for name, kind in (("jit", jit), ("vectorize", shapecast.vectorize)):
    for k, reads in ((2.0, "a number"), (array, "an array")):
        if k is array and name == "vectorize":
            continue
        data, times = cloudpickle.dumps(made(k, kind)), []
        for _ in range(200):
            start = time.perf_counter()
            pickle.loads(data)(x)
            times.append(1e3 * (time.perf_counter() - start))
        print(f"  {name} that reads {reads:9} {sorted(times)[100]:7.3f} {min(times):7.3f}")
"""

METHODS = ("fork", "spawn", "forkserver")


def run(folder: Path, method: str) -> tuple[float, float, list]:
    paths = [str(folder), *(path for path in sys.path if path)]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(paths),
        "SHAPECAST_CACHE_DIR": str(folder.parent / "cache"),
        "PYTHONPYCACHEPREFIX": str(folder.parent / "bytecode"),  # as installed packages have it
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "main.py", method]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    wall, cpu, tasks = json.loads(done.stdout)
    return wall, cpu, tasks


def by_value(cache: str) -> str:
    paths = os.pathsep.join(path for path in sys.path if path)
    environment = {**os.environ, "PYTHONPATH": paths, "SHAPECAST_CACHE_DIR": cache}
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "main.py").write_text(BY_VALUE)
        command = [sys.executable, str(Path(folder) / "main.py")]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.rstrip()


def measured(method: str, pools: int, folder: Path) -> str:
    walls: dict[str, list[float]] = {"plain": [], "jitted": []}
    parts: dict[str, list[float]] = {}
    for k in range(pools + 1):  # the first one fills the caches
        for name, values in walls.items():
            wall, cpu, tasks = run(folder / name, method)
            if k == 0:
                continue
            values.append(1e3 * wall)
            parts.setdefault(f"{name} all CPU", []).append(1e3 * cpu)
            imports = max(tasks, key=lambda task: task[2][1])[2]
            calls = sorted(task[1] for task in tasks)
            for part, (real, cpu) in (
                ("import", imports),
                ("first call", calls[-1]),
                ("later call", calls[0]),
            ):
                parts.setdefault(f"{name} {part} wall", []).append(1e3 * real)
                parts.setdefault(f"{name} {part} CPU", []).append(1e3 * cpu)
    middle = {name: statistics.median(values) for name, values in (walls | parts).items()}
    least = {name: min(values) for name, values in (walls | parts).items()}
    lines = [f"{method}: four tasks on two fresh workers, ms (median; least)"]
    for name in ("plain", "jitted"):
        lines.append(f"  {name:8} {middle[name]:7.1f} {least[name]:7.1f}")
    more = statistics.median(
        jitted - plain for plain, jitted in zip(walls["plain"], walls["jitted"], strict=True)
    )
    lines.append(f"  more     {more:7.1f} {least['jitted'] - least['plain']:7.1f}")
    for key, shown in (("plain", "plain"), ("jitted", "jitted")):
        whole = f"{key} all CPU"
        lines.append(
            f"  {shown + ', CPU of all workers':27} {middle[whole]:7.1f} {least[whole]:7.1f}"
        )
    for part in ("import", "first call", "later call"):
        for clock in ("wall", "CPU"):
            key = f"jitted {part} {clock}"
            lines.append(f"    {part + ', ' + clock:18} {middle[key]:7.2f} {least[key]:7.2f}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pools", type=int, default=7, help="pools of each kind and method")
    parser.add_argument("methods", nargs="*", default=METHODS, help="fork, spawn, forkserver")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        for name, text in (("plain", PLAIN), ("jitted", JITTED)):
            folder = Path(place) / name
            folder.mkdir()
            (folder / "tasks.py").write_text(text)
            (folder / "main.py").write_text(MAIN)
        for method in given.methods:
            print(measured(method, given.pools, Path(place)), flush=True)
        for name, cache in (("on", str(Path(place) / "cache")), ("off", "off")):
            print(f"unpickled by cloudpickle and called, cache {name}, ms (median; least)")
            print(by_value(cache), flush=True)


if __name__ == "__main__":
    main()
