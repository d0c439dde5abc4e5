"""Latency to the first result: compiling, importing, new processes; memory and size on disk.

`python -m bench.latency quick|full` prints them as JSON. On a busy machine the CPU time
(`busy`) is more reliable than wall time.
"""

from __future__ import annotations

import json
import linecache
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bench.measure import short

ROOT = Path(__file__).parent.parent

# ---------------------------------------------------------------------- functions never seen before


def operations(count: int) -> str:
    steps = ["v + a", "v * b", "v - c", "v * a", "np.maximum(v, b)"]
    lines = [f"    v = {steps[k % len(steps)]}" for k in range(count - 1)]
    return "\n".join(["def f(a, b, c):", "    v = a + {tag}", *lines, "    return v"])


SCALAR_LOOP = """
def f(a, b, c):
    total = {tag}
    for i in range(len(a)):
        if a[i] > b[i]:
            total += a[i] * c[i]
    return total
"""

SOFTMAX = """
def f(a, b, c):
    x = a.reshape(10, -1) * {tag}
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
"""


def nested_calls(depth: int) -> str:
    parts = ["def f0(a, b):\n    return a * {tag} + b\n"]
    parts += [f"def f{k}(a, b):\n    return f{k - 1}(a, b) + {k}.0\n" for k in range(1, depth)]
    return "\n".join([*parts, f"def f(a, b, c):\n    return f{depth - 1}(a, b) * c"])


def long_function(lines: int) -> str:
    """Expressions, slices, reductions, branches and loops, as programs of that length have them."""
    block = [
        "    u = a * {tag} + v",
        "    v = np.sqrt(np.abs(u - b)) + c",
        "    w = u[1:] - u[:-1]",
        "    v[1:] += 0.5 * w",
        "    s = v.sum() / len(v)",
        "    if s > 1.0:",
        "        v = v / s",
        "    for i in range(3):",
        "        v[i] = v[i] + i * s",
        "    v = np.where(v > s, v, s)",
    ]
    body = [block[k % len(block)] for k in range(lines - 3)]
    return "\n".join(["def f(a, b, c):", "    v = a.copy()", *body, "    return v"])


# Name, source, and the target in milliseconds.
FIRST_CALLS: list[tuple[str, str, float | None]] = [
    ("1 operation", operations(1), 8),
    ("10 operations", operations(10), 12),
    ("100 operations", operations(100), 30),
    ("scalar loop", SCALAR_LOOP, 12),
    ("10 nested calls", nested_calls(10), 15),
    ("softmax", SOFTMAX, None),
    ("200 lines", long_function(200), None),
]


def from_source(source: str, tag: int) -> Callable[..., Any]:
    """The function `f` of a text that no compiler has seen, as if read from a file."""
    text = "import numpy as np\n" + source.replace("{tag}", f"{tag}.0")
    file = f"<bench {tag}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    space: dict[str, Any] = {}
    exec(compile(text, file, "exec"), space)
    return space["f"]


def compilers(form: str) -> dict[str, tuple[Callable[..., Any], int]]:
    """Who compiles, and how often the first call is repeated."""
    import shapecast

    found = {"shapecast": (shapecast.jit, 5 if form == "quick" else 15)}
    if form != "quick":
        try:
            from numba import njit

            found["numba"] = (njit, 2)  # seconds each
        except ImportError:
            pass
    return found


def compiled_whole(jit: Callable[..., Any], f: Callable[..., Any]) -> Callable[..., Any]:
    """Numba wants each function that is called compiled as well."""
    space = f.__globals__
    for name in [n for n in space if n.startswith("f") and n[1:].isdigit()]:
        if getattr(jit, "__module__", "").startswith("numba"):
            space[name] = jit(space[name])
    return jit(f)


def first_calls(form: str) -> list[dict[str, Any]]:
    """Milliseconds from jit(f) to the first result, in a process that has compiled before."""
    arguments = tuple(np.random.default_rng(2).uniform(1, 2, (3, 1000)))
    rows = []
    tag = 0
    for name, source, aim in FIRST_CALLS:
        row: dict[str, Any] = {"name": name, "aim": aim, "ms": {}, "busy": {}, "notes": []}
        for who, (jit, repeats) in compilers(form).items():
            times, busy = [], []
            for _ in range(repeats + 1):
                tag += 1
                f = from_source(source, tag)
                start, worked = time.perf_counter(), time.process_time()
                try:
                    compiled_whole(jit, f)(*arguments)
                except Exception as error:
                    row["notes"].append(f"{who}: {short(error)}")
                    break
                times.append((time.perf_counter() - start) * 1e3)
                busy.append((time.process_time() - worked) * 1e3)
            if len(times) > 1:  # the first warms up
                row["ms"][who], row["busy"][who] = min(times[1:]), min(busy[1:])
        rows.append(row)
    return rows


# --------------------------------------------------------------------------------- fresh processes


def printed(program: str, repeats: int = 1, **environment: str) -> float | None:
    """The minimum number that a program prints over its runs; None where it fails."""
    values = []
    for _ in range(repeats):
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT,
            env={**os.environ, **environment},
        )  # fmt: skip
        if done.returncode:
            return None
        values.append(float(done.stdout.splitlines()[-1]))
    return min(values)


def imports(repeats: int) -> dict[str, float | None]:
    """Milliseconds of an import beyond NumPy's."""
    program = (
        "import time, {0}\nstart = time.perf_counter()\nimport {1}\n"
        "print((time.perf_counter() - start) * 1e3)"
    )
    return {
        "shapecast": printed(program.format("numpy", "shapecast"), repeats),
        "numba": printed(program.format("numpy", "numba"), min(repeats, 3)),
        "numpy itself": printed(program.format("sys", "numpy"), repeats),
    }


STARTS = {
    "shapecast": "shapecast.jit",
    "numba": "numba.njit(cache=True)",
}


def process_starts(repeats: int) -> dict[str, Any]:
    """The first call of a process, import apart: of the first process that runs the program, and of
    a later one, which may find on disk what the first one left there."""
    found: dict[str, Any] = {}
    for who, jit in STARTS.items():
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "program.py"
            script.write_text(
                f"import time, numpy as np, {who}\nx = np.ones(1000)\n"
                f"start = time.perf_counter()\n@{jit}\ndef f(x):\n"
                "    return np.exp(-x * x) * 2.0 + np.sqrt(x)\n"
                "f(x)\nprint((time.perf_counter() - start) * 1e3)\n"
            )
            program = f"import runpy; runpy.run_path({str(script)!r})"
            cache = {"SHAPECAST_CACHE_DIR": f"{folder}/cache"}
            first, later = printed(program, **cache), printed(program, repeats, **cache)
            found[who] = {"first process": first, "later process": later}
    return found


PEAK = """
import numpy as np
def peak():  # of this program alone: getrusage would count what its parent had before
    lines = open("/proc/self/status").read().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmHWM"))) / 1024
{0}
"""
CHAIN = """
def f(a, b, c):
    return 2.0 * a * b + (a - c) / (b + 1.5) - 0.5 * c * c
a, b, c = np.ones((3, 4_000_000))
{0}
before = peak()
r = f(a, b, c)
print(peak() - before)
"""


def memory() -> dict[str, float | None]:
    """Peak MB of processes, and of a chain of nine operations beyond three arguments of 32 MB."""
    source = ROOT / "build" / "bench_memory.py"
    source.parent.mkdir(exist_ok=True)
    warm = "import shapecast\nf = shapecast.jit(f)\nf(a[:9], b[:9], c[:9])"
    found = {"numpy imported": printed(PEAK.format("print(peak())"))}
    found["shapecast imported"] = printed(PEAK.format("import shapecast\nprint(peak())"))
    for name, before in (("numpy", ""), ("shapecast", warm)):
        source.write_text(PEAK.format(CHAIN.format(before)))
        run = f"import runpy; runpy.run_path({str(source)!r})"
        found[f"chain in {name}, beyond arguments"] = printed(run)
    source.unlink()
    return found


def sizes() -> dict[str, Any]:
    """Megabytes on disk: the newest wheel, and the module as it was built."""
    import shapecast

    wheels = sorted((ROOT / "dist").glob("shapecast-*.whl"), key=lambda p: p.stat().st_mtime)
    core = Path(shapecast._core.__file__)
    return {
        "wheel MB": wheels[-1].stat().st_size / 1e6 if wheels else None,
        "module MB": core.stat().st_size / 1e6,
        "note": "" if wheels else "no wheel: ./dev wheels makes one",
    }


def main() -> None:
    form = sys.argv[1]
    repeats = 3 if form == "quick" else 9
    # First calls keep to one core; so do the processes that are started here.
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    print(
        json.dumps(
            {
                "first calls": first_calls(form),
                "import": imports(repeats),
                "start": process_starts(repeats),
                "memory": memory(),
                "size": sizes(),
            }
        )
    )


if __name__ == "__main__":
    main()
