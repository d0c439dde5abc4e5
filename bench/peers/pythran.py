"""Pythran: the plain source or the port to loops as a C++ module, compiled ahead and kept.

`./dev bench --prepare` compiles all that is not there yet into build/pythran: most of an hour.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from bench.kernel import Kernel
from bench.peers.contestant import Contestant, version_of
from bench.peers.loops import LOOPS
from bench.peers.single import enter, source_in_single

NAME = "pythran"
version = partial(version_of, "pythran")
CACHE = Path(__file__).parents[2] / "build" / "pythran"
FLAGS = ("-O3", "-march=native", "-DUSE_XSIMD")

# Types of the arguments, T for the kernel's dtype, behind the form that is exported. Plain
# expressions are what Pythran fuses and vectorises itself; stencils run faster as loops.
SIGNATURES = {
    "triad": "plain T[], T[]",
    "arithmetic chain": "plain T[], T[], T[]",
    "transcendental chain": "plain T[], T[]",
    "where and clip": "plain T[], T, T",
    "in-place updates": "loops T[], T[], int",
    "black-scholes": "loops T[], T[], T[], T, T",
    "polynomial": "plain T[]",
    "gelu": "plain T[]",
    "powers": "loops T[]",
    "great circle": "plain T[], T[], T[], T[]",
    "complex chain": "plain C[], C[], C[]",
    "mandelbrot by arrays": "loops T[:,:], T[:,:], int",
    "julia": "loops int[:,:], complex, int",
    "sum of squares": "plain T[], T[]",
    "softmax": "loops T[:,:]",
    "layer norm": "loops T[:,:], T[], T[]",
    "cosine similarity": "loops T[:,:], T[:,:]",
    "log-sum-exp": "loops T[:,:]",
    "distance matrix": "loops T[:,:], T[:,:]",
    "outer sum": "loops T[], T[]",
    "n-body": "loops T[:,:], T[:,:], T[], T, int",
    "floyd-warshall": "loops T[:,:]",
    "jacobi 1-D": "loops T[], T[], int",
    "jacobi 2-D": "loops T[:,:], T[:,:], int",
    "heat 3-D": "loops T[:,:,:], T[:,:,:], int",
    "fdtd 2-D": "loops T[:,:], T[:,:], T[:,:], int",
    "laplacian 4th order": "loops T[:,:,:]",
    "moving average": "loops T[], int",
    "horizontal diffusion": "loops T[:,:,:], T",
    "vertical solve": "loops T[:,:,:], T[:,:,:], T[:,:,:], T[:,:,:]",
    "shallow water": "loops T[:,:], T[:,:], T[:,:], T, int",
    "sobel": "loops T[:,:]",
    "convolution 3x3": "loops T[:,:], T[:,:]",
    "separable blur": "loops T[:,:]",
    "seidel 2-D": "plain T[:,:], int",
    "pair count": "plain T[], T[], T",
    "mandelbrot": "plain int[:,:], int",
    "LU": "plain T[:,:]",
    "cholesky": "plain T[:,:]",
    "forward substitution": "plain T[:,:], T[]",
    "triangular sums": "loops T[]",
    "recurrence": "plain T[], T[]",
    "thomas": "plain T[], T[], T[], T[]",
    "collatz": "plain int",
    "levenshtein": "plain int[], int[]",
    "common subsequence": "plain int[], int[]",
    "smith-waterman": "plain int[], int[], int",
    "time warp": "plain T[], T[]",
    "gather": "loops T[], int[]",
    "scatter add": "loops int[], T[], int",
    "sparse product": "loops int[], int[], T[], T[]",
    "insertion sort": "plain T[]",
}


def source(kernel: Kernel, dtype: str) -> str:
    """The module: one function, `kernel`, with its export."""
    form, types = SIGNATURES[kernel.name].split(" ", 1)
    f = LOOPS[kernel.name] if form == "loops" else kernel.plain
    text = source_in_single(f) if dtype == "float32" else textwrap.dedent(inspect.getsource(f))
    text = re.sub(r"\A(@.*\n)*def \w+", "def kernel", text)
    text = text.replace("prange(", "range(").replace("real(", "float(")
    wide = "complex64" if dtype == "float32" else "complex128"
    types = re.sub(r"\bT\b", dtype, types).replace("C[", f"{wide}[")
    return f"import math\nimport numpy as np\n\n# pythran export kernel({types})\n{text}"


def module(kernel: Kernel, dtype: str) -> Path:
    """The compiled module; the name is of everything that it depends on."""
    text = source(kernel, dtype)
    digest = hashlib.sha256(repr((text, FLAGS, version())).encode()).hexdigest()[:16]
    made = CACHE / f"m{digest}.so"
    if not made.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        written = CACHE / f"m{digest}.py"
        written.write_text(text)
        command = [sys.executable, "-m", "pythran.run", *FLAGS, "-o", made, written]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            errors = [line for line in done.stderr.splitlines() if "rror" in line]
            raise RuntimeError((errors or done.stderr.splitlines() or ["no message"])[-1][:200])
    return made


def build(kernel: Kernel, dtype: str) -> Callable[..., Any]:
    path = module(kernel, dtype)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded.kernel


def contestants(kernel: Kernel, dtype: str, threads: int) -> list[Contestant]:
    if kernel.name not in SIGNATURES:
        return []
    make = partial(build, kernel, dtype)
    return [Contestant("pythran", make, enter=partial(enter, dtype=dtype), relaxed=True)]


def prepare() -> None:
    """Compiles all that is not there yet."""
    from bench.kernels import KERNELS

    for name in SIGNATURES:
        for dtype in KERNELS[name].dtypes:
            try:
                print(name, dtype, module(KERNELS[name], dtype).name, flush=True)
            except RuntimeError as error:
                print(name, dtype, "failed:", error, flush=True)
