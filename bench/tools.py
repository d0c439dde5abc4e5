"""What it costs to look: coverage of compiled code and `shapecast.profile()`, beside plain runs.

`python -m bench.tools` prints medians of runs in processes of their own: a loop over single numbers
(`loop`) and a stencil on arrays (`arrays`), jitted, with the plugin of coverage.py, as plain Python
under coverage; and inside a profile, with a call of next to nothing (`call`).
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = """
import sys
import time
from contextlib import nullcontext

import numpy as np
import shapecast
from shapecast import jit

@jit
def loop(n):
    longest = 0
    for i in range(1, n):
        k, steps = i, 0
        while k != 1:
            if k % 2 == 0:
                k = k // 2
            else:
                k = 3 * k + 1
            steps += 1
        if steps > longest:
            longest = steps
    return longest

@jit
def arrays(u, n):
    for _ in range(n):
        new = u.copy()
        new[1:-1, 1:-1] = 0.25 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2])
        u = new
    return u

@jit
def call(x):
    return x[0]

def timed(f, *args):
    f(*args)
    times = []
    for _ in range(3):
        start = time.perf_counter()
        f(*args)
        times.append(time.perf_counter() - start)
    return min(times) * 1e3

with shapecast.profile() if "profile" in sys.argv else nullcontext():
    found = [timed(loop, 5000), timed(arrays, np.ones((500, 500)), 20)]
    x = np.ones(3)
    found.append(timed(lambda: [call(x) for _ in range(1000)]))
print(*found)
"""

COVERAGE = ["-m", "coverage", "run", "--branch", "--rcfile=settings"]
PLUGIN = "[run]\nplugins = shapecast.coverage\n[shapecast.coverage]\nplain = "
CASES = {  # settings of coverage, arguments before and after the program, SHAPECAST_DISABLE
    "jitted": ("", [], [], ""),
    "jitted, coverage": (PLUGIN + "false", COVERAGE, [], ""),
    "plain Python": ("", [], [], "1"),
    "plain Python, coverage": (PLUGIN + "true", COVERAGE, [], ""),
    "jitted, profile": ("", [], ["profile"], ""),
}


def run(folder: Path, case: str) -> list[float]:
    settings, before, after, disable = CASES[case]
    (folder / "settings").write_text(settings)
    (folder / "program.py").write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, *before, "program.py", *after],
        cwd=folder,
        env={**os.environ, "SHAPECAST_DISABLE": disable},
        capture_output=True,
        text=True,
        check=True,
    )
    return [float(word) for word in done.stdout.split()]


def main() -> None:
    print(f"{'':24}{'loop':>12}{'arrays':>12}{'call':>12}")
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            runs = [run(Path(folder), case) for _ in range(3)]
            loop, arrays, calls = (statistics.median(times) for times in zip(*runs, strict=True))
            print(f"{case:24}{loop:9.2f} ms{arrays:9.2f} ms{calls:9.2f} us")


if __name__ == "__main__":
    main()
