"""What the first call of long programs costs, and how that grows with their length.

    ./dev bench --compile-time              all programs, and the growth of each kind of statement
    ./dev bench --compile-time resnet       those whose name contains the word
    ./dev bench --compile-time tests/       those of tests/numpy/programs, and their geometric mean

Each figure is the CPU time of a first call in a process of its own, which has compiled
something else before and finds nothing on disk; results are checked against plain NumPy.
"""

from __future__ import annotations

import importlib
import itertools
import linecache
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bench import models

ROOT = Path(__file__).parent.parent
_numbers = itertools.count()
Program = tuple[Callable[..., Any], tuple[Any, ...]]


# ------------------------------------------------------------------------ programs without calls


def from_source(lines: list[str]) -> Callable[..., Any]:
    """The function `f` of these lines, as if read from a file."""
    text = "\n".join(["import numpy as np", *lines, ""])
    file = f"<program {next(_numbers)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    space: dict[str, Any] = {}
    exec(compile(text, file, "exec"), space)
    return space["f"]


def transformer(layers: int, heads: int = 12) -> Program:
    """Fully unrolled and inlined: every head of every layer has its own lines."""
    norm = "(x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5)"
    lines = ["def f(x, wq, wk, wv, wo, w1, w2):"]
    for layer in range(layers):
        lines.append(f"    h = {norm}")
        for head in range(heads):
            lines += [f"    {v} = h @ w{v}[{layer}, {head}]" for v in "qkv"]
            lines += [
                "    s = q @ k.T / np.sqrt(q.shape[-1])",
                "    e = np.exp(s - s.max(axis=-1, keepdims=True))",
                f"    o{head} = (e / e.sum(axis=-1, keepdims=True)) @ v",
            ]
        joined = ", ".join(f"o{head}" for head in range(heads))
        lines += [
            f"    x = x + np.concatenate([{joined}], axis=-1) @ wo[{layer}]",
            f"    h = {norm}",
            f"    x = x + np.maximum(h @ w1[{layer}], 0) @ w2[{layer}]",
        ]
    random, d = np.random.default_rng(0), 2 * heads
    shapes = [(10, d)] + 3 * [(layers, heads, d, 2)]
    shapes += [(layers, d, d), (layers, d, 4 * d), (layers, 4 * d, d)]
    arguments = tuple(random.normal(size=shape) * 0.3 for shape in shapes)
    return from_source([*lines, "    return x"]), arguments


def rules(count: int) -> Program:
    random = np.random.default_rng(3)
    lines = ["def f(x, y, w):", "    s = 0.0", "    for i in range(len(x)):"]
    for k in range(count):
        low, high = random.uniform(-2, 2, 2)
        lines += [
            f"        if x[i] > {low:.3f} and y[i] < {high:.3f}:",
            f"            s += w[{k}]",
        ]
    arguments = (random.normal(size=500), random.normal(size=500), random.normal(size=count))
    return from_source([*lines, "    return s"]), arguments


# ------------------------------------------------------------------------------------- growth


def repeated(before: str, statements: list[str], count: int) -> Program:
    """`count` statements that each assign `v`, with {k} their number."""
    lines = ["def f(a, b, c, m):", *before.splitlines()]
    for k in range(count):
        for line in statements[k % len(statements)].splitlines():
            lines.append("    " + line.replace("{k}", str(k)))
    random = np.random.default_rng(1)
    arguments = (*random.uniform(1, 2, (3, 400)), random.uniform(0, 0.2, (20, 20)))
    return from_source([*lines, "    return v"]), arguments


START = "    v = a + 1.0"
KINDS: dict[str, tuple[str, list[str]]] = {
    "element-wise": (START, ["v = v * b + {k}.0", "v = np.maximum(v - c, b)"]),
    "views": (START, ["v = v[1:] - v[:-1]", "v = v[::-1] * 0.5"]),
    "stores": (START, ["v[1:-1] = 0.5 * (v[2:] + v[:-2])", "v[{k}:] += 1.0"]),
    "reductions": (START, ["v = v - v.mean()", "v = v / (1.0 + np.abs(v).max())"]),
    "products": ("    v = m + 1.0", ["v = v @ m + m", "v = (m @ v).T"]),
    "branches": (START, ["if v[{k}] > {k}.5:\n    v = v * 0.5\nelse:\n    v = v + b"]),
    "loops": (START, ["for i in range(len(v)):\n    v[i] = v[i] * b[i] + {k}.0"]),
    "reshapes": (START, ["v = (v.reshape(20, -1).T @ m).ravel()", "v = v.reshape(-1, 4).ravel()"]),
    "joins": (START, ["v = np.concatenate([v[:200], v[{k}:]])"]),
    "run-time sizes": (
        "    v = np.unique(a)[:4]",
        ["v = v + np.sort(np.convolve(a, b)[: {k} + 7])[:4]", "v = v * np.unique(b)[:4]"],
    ),
    "scalars": ("    s = 0.5\n    v = a + 1.0", ["s = s * 0.5 + a[{k}]", "v = v + s"]),
}
LENGTHS = (10, 20, 40, 80)
TESTED = "tests/numpy/programs: "


# Name, the program, and the target in seconds.
PROGRAMS: dict[str, tuple[Callable[[], Program], float | None]] = {
    "resnet18 by im2col": (lambda: (models.resnet, models.resnet_arguments()), 3.0),
    "resnet18 by sliding windows": (
        lambda: (models.sliding_resnet, models.resnet_arguments()),
        3.0,
    ),
    "gpt2, heads split": (lambda: (models.gpt2, models.gpt2_arguments()), 5.0),
    "gpt2, heads reshaped": (lambda: (models.reshaped_gpt2, models.gpt2_arguments()), 5.0),
    "gpt2, heads split, 3 layers": (lambda: (models.gpt2, models.gpt2_arguments(3)), None),
    "transformer of 3 layers": (lambda: transformer(3), None),
    "transformer of 6 layers": (lambda: transformer(6), None),
    "transformer of 12 layers": (lambda: transformer(12), 1.0),
    "75 rules": (lambda: rules(75), None),
    "150 rules": (lambda: rules(150), 0.4),
}
for _count in (1, 2, 3, 4, 6):
    PROGRAMS[f"{_count} convolutions"] = (
        lambda count=_count: (models.convs, models.convs_arguments(count)),
        None,
    )
for _kind, (_before, _statements) in KINDS.items():
    for _length in LENGTHS:
        PROGRAMS[f"{_kind}, {_length} statements"] = (
            lambda before=_before, statements=_statements, length=_length: repeated(
                before, statements, length
            ),
            None,
        )


def tested(name: str) -> Program:
    """A program of tests/numpy/programs in float64, or its first dtype, at its smaller size."""
    program = next(p for p in tested_programs() if p.function.__name__ == name)
    dtype = np.float64 if np.float64 in program.dtypes else program.dtypes[0]
    return program.function, program.arguments(program.sizes[0], dtype, np.random.default_rng(0))


def tested_programs() -> list[Any]:
    folder = ROOT / "tests" / "numpy" / "programs"
    sys.path[:0] = [str(folder), str(folder.parent)]
    modules = [importlib.import_module(file.stem) for file in sorted(folder.glob("[!t]*.py"))]
    del sys.path[:2]
    return [p for module in modules for p in getattr(module, "PROGRAMS", ())]


def first_call(name: str) -> float:
    """CPU seconds of this process."""
    import shapecast

    shapecast.jit(lambda x: x + 1.0)(np.ones(3))  # the compiler itself has started
    is_tested = name.startswith(TESTED)
    function, arguments = tested(name.removeprefix(TESTED)) if is_tested else PROGRAMS[name][0]()
    expected = None if is_tested else function(*arguments)
    jitted = shapecast.jit(function)
    start = time.process_time()
    result = jitted(*arguments)
    seconds = time.process_time() - start
    if not is_tested:  # those are checked by their tests
        np.testing.assert_allclose(result, expected, rtol=1e-3, atol=1e-4)
    return seconds


def measured(name: str, repeats: int) -> float | str:
    """The minimum over some processes, or why there is none."""
    environment = {**os.environ, "SHAPECAST_CACHE_DIR": "off"}
    least = float("inf")
    for _ in range(repeats):
        done = subprocess.run(
            [sys.executable, "-m", "bench.compile_time", name],
            capture_output=True, text=True, cwd=ROOT, env=environment,
        )  # fmt: skip
        if done.returncode:
            return done.stderr.strip().splitlines()[-1][:200] if done.stderr else "failed"
        least = min(least, float(done.stdout.splitlines()[-1]))
    return least


def show(word: str = "") -> None:
    found: dict[str, float | str] = {}
    for name, (_, aim) in PROGRAMS.items():
        if word not in name:
            continue
        found[name] = measured(name, 3)
        shown = found[name] if isinstance(found[name], str) else f"{found[name]:7.3f} s"
        print(f"{name:30} {shown}" + (f"  (aim: {aim} s)" if aim else ""), flush=True)
    for kind in KINDS:
        row = [found.get(f"{kind}, {length} statements") for length in LENGTHS]
        seconds = [x for x in row if isinstance(x, float)]
        if len(seconds) == len(LENGTHS):
            print(f"{kind:30} twice the length: {seconds[-1] / seconds[-2]:.2f} x the time")
    show_tested(word)


def show_tested(word: str) -> None:
    """The programs of tests/numpy/programs; one by one only where they are asked for."""
    names = [TESTED + p.function.__name__ for p in tested_programs()]
    found = {name: measured(name, 1) for name in names if word in name}
    for name, seconds in found.items():
        if word or isinstance(seconds, str):
            shown = seconds if isinstance(seconds, str) else f"{seconds * 1e3:5.0f} ms"
            print(f"{name:50} {shown}")
    milliseconds = [x * 1e3 for x in found.values() if isinstance(x, float)]
    if milliseconds:
        mean = np.exp(np.mean(np.log(milliseconds)))
        print(f"{TESTED}{len(milliseconds)}, geometric mean {mean:.1f} ms  (aim: 20 ms)")


if __name__ == "__main__":
    try:
        print(first_call(sys.argv[1]))
    except Exception as error:
        sys.exit(f"{type(error).__name__}: {error}".splitlines()[0])
