"""docs/user/accuracy.md: error and time of each math function beside NumPy's and libmvec's.

`./dev accuracy` writes it, with an optimised build. Samples have a fixed seed; times are the least
of many rounds, each of which runs all three, so that a busy machine slows all of them.
"""

from __future__ import annotations

import ctypes
import functools
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["SHAPECAST_CACHE_DIR"] = "off"

import numpy as np
import shapecast

_ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(_ROOT / "tests"), str(_ROOT)]

from support.compare import make  # noqa: E402
from support.math_reference import FUNCTIONS, REAL, edges, largest_error, samples  # noqa: E402

from bench.machine import cpu_facts  # noqa: E402

_SAMPLES = 4000
_SIZE = 8192

_HEAD = """# Math functions: accuracy and time

The functions of `src/mathlib` in compiled loops; `./dev accuracy` writes this page. Errors are the
largest, in units of the last place, of {samples} samples (seed 1), and for functions of one number
of the edge cases, against mpmath with 200 bits; `at` is where ours is largest. The functions for
AVX2 and SSE4.2, and `erf`, `erfc` and `exp10`, which NumPy does not have, are compared in
`tests/compiler/cpp/mathlib.cpp`. Times are nanoseconds an element of contiguous arrays of {size}
numbers (`np.f(x, out=o)`, and `o[:] = np.f(x)` compiled), the fastest of many interleaved rounds.
libmvec is glibc's vector library, which loops called before; its functions are called directly.

{machine}.
"""


def _run(name: str) -> Any:
    parameters = "x, y" if FUNCTIONS[name].arguments == 2 else "x"
    return shapecast.jit(make(f"def f({parameters}, o):\n    o[:] = np.{name}({parameters})"))


_C_NAMES = {"power": "pow", "arctan2": "atan2"}


def _c_name(name: str) -> str:
    return _C_NAMES.get(name, name.replace("arc", "a"))


@functools.cache
def _libmvec() -> ctypes.CDLL | None:
    """Loops over libmvec's functions of the widest vectors, compiled here; none where it is not."""
    width, letter = (64, "e") if cpu_facts()["vector"] == "avx512f" else (32, "d")
    source = "typedef double Doubles __attribute__((vector_size(WIDTH), aligned(8)));\n"
    source += "typedef float Floats __attribute__((vector_size(WIDTH), aligned(4)));\n"
    for name, function in FUNCTIONS.items():
        for suffix, vector, lanes in (("", "Doubles", width // 8), ("f", "Floats", width // 4)):
            two = function.arguments == 2
            body = f"_ZGV{letter}N{lanes}{'vv' if two else 'v'}_{_c_name(name)}{suffix}"
            source += f"""
{vector} {body}({vector}{f", {vector}" if two else ""});
void {name}{suffix}(long n, const {vector} *x, const {vector} *y, {vector} *o) {{
    for (long i = 0; i < n / {lanes}; ++i)
        o[i] = {body}(x[i]{", y[i]" if two else ""});
}}"""
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "loops.so"
        flags = [
            "-O2",
            "-march=native",
            f"-DWIDTH={width}",
            "-w",
            "-shared",
            "-fPIC",
            "-x",
            "c",
            "-",
        ]
        command = ["clang-22", *flags, "-o", str(library), "-lmvec", "-lm"]
        try:
            subprocess.run(command, input=source, text=True, check=True)
            return ctypes.CDLL(str(library))
        except (OSError, subprocess.CalledProcessError):
            return None


def _libmvec_call(
    name: str, arguments: tuple[np.ndarray, ...], out: np.ndarray
) -> Callable[[], Any]:
    library = _libmvec()
    if library is None:
        return lambda: None
    function = getattr(library, name + ("f" if out.dtype == np.float32 else ""))
    x, y = arguments[0], arguments[-1]
    operands = [ctypes.c_void_p(a.ctypes.data) for a in (x, y, out)]
    return lambda: function(ctypes.c_long(out.size), *operands)


def _calls(
    name: str, arguments: tuple[np.ndarray, ...], out: np.ndarray
) -> tuple[Callable[[], Any], ...]:
    """Ours, NumPy's, libmvec's."""
    run, ufunc = _run(name), getattr(np, name)
    return (
        lambda: run(*arguments, out),
        lambda: ufunc(*arguments, out=out),
        _libmvec_call(name, arguments, out),
    )


def _errors(name: str, dtype: type) -> tuple[list[float], tuple[float, ...]]:
    arguments = samples(name, dtype, _SAMPLES, seed=1)
    if len(arguments) == 1:
        arguments = (np.concatenate([*arguments, *edges(name, dtype)]),)
    room = -arguments[0].size % 16
    arguments = tuple(np.concatenate([a, a[:room]]) for a in arguments)
    found, place = [], ()
    for number, call in enumerate(_calls(name, arguments, out := np.empty_like(arguments[0]))):
        with np.errstate(all="ignore"):
            call()
        error, at = largest_error(name, arguments, out)
        found.append(error)
        place = at if number == 0 else place
    return found, place


def _times(name: str, dtype: type) -> list[float]:
    rng = np.random.default_rng(2)
    low, high = (1.05, 1.95) if name == "arccosh" else (0.05, 0.95)
    if not name.startswith("arc") or name == "arctan2":
        high *= 10
    arguments = tuple(
        rng.uniform(low, high, _SIZE).astype(dtype) for _ in range(FUNCTIONS[name].arguments)
    )
    calls = _calls(name, arguments, np.empty_like(arguments[0]))
    least = [float("inf")] * len(calls)
    for _ in range(600):
        for k, call in enumerate(calls):
            start = time.perf_counter_ns()
            call()
            least[k] = min(least[k], time.perf_counter_ns() - start)
    return [t / _SIZE for t in least]


def _row(name: str, dtype: type) -> str:
    errors, place = _errors(name, dtype)
    times = _times(name, dtype)
    ulps = [f"{e:.2f}" if e < 1000 else "other" for e in errors]
    seconds = [f"{t:.2f}" for t in times]
    if _libmvec() is None:
        ulps[2] = seconds[2] = ""
    at = ", ".join(f"{p:.9g}" for p in place)
    cells = [name, ulps[0], at, *ulps[1:], *seconds, f"{times[1] / times[0]:.2f} x"]
    return f"| {' | '.join(cells)} |"


def page() -> str:
    """The text of docs/user/accuracy.md."""
    facts = cpu_facts()
    versions = f"Python {platform.python_version()}, NumPy {np.__version__}"
    machine = f"{facts['cpu']} {facts['vector']}; {versions}"
    lines = [_HEAD.format(samples=_SAMPLES, size=_SIZE, machine=machine)]
    for dtype in REAL:
        lines += [f"## {dtype.__name__}", ""]
        lines.append("| | ULP | at | NumPy | libmvec | ns | NumPy | libmvec | vs NumPy |")
        lines.append("|---|---:|---|---:|---:|---:|---:|---:|---:|")
        lines += [*(_row(name, dtype) for name in FUNCTIONS), ""]
    return "\n".join(lines)


if __name__ == "__main__":
    (_ROOT / "docs" / "user" / "accuracy.md").write_text(page())
