"""The CPU time of the first call of library functions, by stage.

    PYTHONPATH=build/release/python .venv/bin/python bench/library_first_call.py [NAME...]

Each is compiled in a process of its own, without the disk cache, after a function without
library calls (which starts the compiler). Python's bytecode of the package is there, as pip leaves
it. The stages' times come from a second process, which
writes them (SHAPECAST_DUMP); they are wall time.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

CALLS = {
    "convolve": "np.convolve(a, b)",
    "percentile": "np.percentile(a, 30)",
    "median": "np.median(a)",
    "interp": "np.interp(b, a, a)",
    "quantile": "np.quantile(a, 0.3)",
    "histogram": "np.histogram(a)",
    "cov": "np.cov(A)",
    "corrcoef": "np.corrcoef(A)",
    "gradient": "np.gradient(a)",
    "unique": "np.unique(a)",
}

ONE = """
import sys, time
sys.path.insert(0, {folder!r})
import numpy as np
import called
from shapecast import jit
arguments = np.arange(50.0), np.ones(3), np.arange(36.0).reshape(4, 9) ** 0.5
jit(called.plain)(1.0)
started = time.process_time()
jit(called.f)(*arguments)
print((time.process_time() - started) * 1e3)
"""

GROUPS = {"infer": ["infer"], "LLVM": ["optimised"]}  # all else: the stages between


def run(folder: str, call: str, **environment: str) -> float:
    Path(folder, "called.py").write_text(
        f"import numpy as np\ndef plain(x):\n    return x + 1\ndef f(a, b, A):\n    return {call}\n"
    )
    bytecode = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(Path(folder, "bytecode"))}
    done = subprocess.run(
        [sys.executable, "-c", ONE.format(folder=folder)],
        env={**os.environ, "SHAPECAST_CACHE_DIR": "off", **bytecode, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def stage_times(dump: Path) -> dict[str, float]:
    """Milliseconds by group of stages, of all compilations of `f`."""
    times = dict.fromkeys([*GROUPS, "other stages"], 0.0)
    for file in dump.glob("f-*/*"):
        stage = file.stem.split("-", 1)[1]
        with file.open() as text:
            spent = sum(map(float, re.findall(r"([\d.]+) ms", text.readline())))
        group = next((g for g, stages in GROUPS.items() if stage in stages), "other stages")
        times[group] += spent
    return times


def main() -> None:
    names = sys.argv[1:] or list(CALLS)
    print(f"{'function':12s} {'first call':>12s}   of which (wall)")
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            least = min(run(folder, CALLS[name]) for _ in range(3))
            dump = Path(folder, "dump")
            run(folder, CALLS[name], SHAPECAST_DUMP=str(dump))
            parts = ", ".join(f"{g} {t:.0f}" for g, t in stage_times(dump).items())
        print(f"{name:12s} {least:9.0f} ms   {parts}", flush=True)


if __name__ == "__main__":
    main()
