"""Single operations beside NumPy, over dtypes and layouts: what kernels do not ask for, and users
write all the same.

`python -m bench.operations [WORD]` prints the rows of operations that contain the word as JSON:
minimum seconds of NumPy and of shapecast, or what went wrong. One process; a row takes 90 ms.
"""

from __future__ import annotations

import json
import linecache
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from bench.measure import difference, flat, interleaved, short

SIDE = 500  # 2 MB of float64: beyond L2
TOLERANCE = {"float32": 1e-4}
FLOATS = ("float64", "float32")
INTS = ("int64", "int32", "uint8")
ALL = (*FLOATS, *INTS, "bool", "complex128")
REAL = (*FLOATS, *INTS, "bool")

# Of a matrix `a`, another one `b` of its layout, and a vector `v` of its columns.
OPERATIONS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("a + b", "a * 3", "a + v", "a == b", "np.where(a == b, a, v)"), ALL),
    **dict.fromkeys(("a < b", "np.maximum(a, b)", "np.clip(a, v[0], v[1])"), REAL),
    **dict.fromkeys(("a / b", "np.sqrt(a)", "np.abs(a)", "np.isnan(a)", "np.square(a)"),
                    (*FLOATS, "int64", "complex128")),
    **dict.fromkeys(("a // b", "a // 3", "a % b", "a % 3"), (*FLOATS, *INTS)),
    **dict.fromkeys(("np.exp(a)", "np.sin(a)", "np.log(a)", "np.tanh(a)", "a ** 3", "a ** b",
                     "np.floor(a)", "np.round(a, 2)", "np.sign(a)"), FLOATS),
    **dict.fromkeys(("a & b", "a << 2", "~a"), INTS),
    **dict.fromkeys(("np.logical_not(a)", "a.any()", "a.all()", "a.any(axis=0)", "a.all(axis=1)",
                     "np.count_nonzero(a)", "np.count_nonzero(a, axis=0)"),
                    (*FLOATS, *INTS, "bool")),
    **dict.fromkeys(("a.sum()", "a.sum(axis=0)", "a.sum(axis=1)", "a.mean()", "a.mean(axis=0)"),
                    ALL),
    **dict.fromkeys(("a.min()", "a.max(axis=0)", "a.max(axis=1)", "a.argmax()", "a.argmin(axis=0)",
                     "a.argmax(axis=1)"), REAL),
    **dict.fromkeys(("a.prod(axis=1)", "a.std(axis=0)", "a.var()", "np.linalg.norm(a)"), FLOATS),
    **dict.fromkeys(("a.cumsum(axis=0)", "a.cumsum(axis=1)", "a.cumsum()", "np.diff(a, axis=0)",
                     "np.diff(a, axis=1)"), (*FLOATS, *INTS)),
    **dict.fromkeys(("a.copy()", "a.T.copy()", "a.ravel()", "a.astype(np.float32)",
                     "a.astype(np.int32)", "a.astype(np.uint8)", "a.astype(np.float64)",
                     "a.astype(np.bool_)"), REAL),
    **dict.fromkeys(("np.concatenate((a, b))", "np.concatenate((a, b), axis=1)", "np.roll(a, 3)",
                     "np.roll(a, 3, axis=1)", "np.flip(a).copy()", "np.repeat(a, 3, axis=1)",
                     "np.tile(a, (2, 2))", "np.stack((a, b))", "np.stack((a, b), axis=2)",
                     "np.pad(a, 2)", "np.triu(a)", "np.rot90(a).copy()"), ("float64", "uint8")),
    **dict.fromkeys(("a[a > v[0]]", "a[I]", "a[:, I]", "np.take(a, I, axis=1)", "np.nonzero(a)",
                     "np.sort(a, axis=1)", "np.sort(a, axis=0)", "np.argsort(a, axis=1)",
                     "np.unique(a)", "np.searchsorted(v, a)", "np.median(a, axis=1)"),
                    (*FLOATS, "int64", "uint8")),
    **dict.fromkeys(("a @ b", "a @ v", "v @ a", "np.dot(v, v)", "np.outer(v, v)"),
                    (*FLOATS, "int64")),
}  # fmt: skip

LAYOUTS: dict[str, Callable[[Any], np.ndarray]] = {
    "C": lambda make: make(SIDE, SIDE),
    "Fortran": lambda make: make(SIDE, SIDE).T,
    "columns of 2": lambda make: make(SIDE, 2 * SIDE)[:, ::2],
    "columns of 5": lambda make: make(SIDE, 5 * SIDE)[:, ::5],
    "rows of 2": lambda make: make(2 * SIDE, SIDE)[::2],
    "reversed": lambda make: make(SIDE, SIDE)[::-1, ::-1],
    "window": lambda make: make(SIDE + 2, SIDE + 2)[1:-1, 1:-1],
}


def maker(dtype: str) -> Callable[..., np.ndarray]:
    rng = np.random.default_rng(3)

    def make(*shape: int) -> np.ndarray:
        if dtype == "bool":
            return rng.random(shape) > 0.5
        if np.dtype(dtype).kind in "iu":
            return rng.integers(1, 100, shape).astype(dtype)
        values = rng.uniform(0.5, 3.0, shape)
        return (values + (1j * values[::-1] if dtype == "complex128" else 0)).astype(dtype)

    return make


def function_of(expression: str, tag: int) -> Callable[..., Any]:
    text = f"import numpy as np\ndef f(a, b, v, I):\n    return {expression}  # {tag}\n"
    file = f"<operation {tag}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    space: dict[str, Any] = {}
    exec(compile(text, file, "exec"), space)
    return space["f"]


def row_of(plain: Callable, compiled: Callable, given: tuple, dtype: str) -> dict[str, Any]:
    try:
        off = difference(flat(compiled(*given)), flat(plain(*given)))
    except Exception as error:
        return {"failure": short(error)}
    if off > TOLERANCE.get(dtype, 1e-10):
        return {"failure": f"wrong: off by {off:.1e}"}
    calls = {"numpy": lambda: plain(*given), "shapecast": lambda: compiled(*given)}
    seconds: dict[str, float] = {}
    for attempt in range(4):  # near 1, and below, everyone's minimum time of all attempts
        turns = 5 if attempt == 0 else 9
        for who, figures in interleaved(calls, turns, 0.0015).items():
            seconds[who] = min(seconds.get(who, np.inf), figures["seconds"])
        if seconds["numpy"] > 1.1 * seconds["shapecast"]:
            break
    return seconds


def rows(word: str) -> Iterator[dict[str, Any]]:
    import shapecast

    for tag, (expression, dtypes) in enumerate(OPERATIONS.items()):
        if word not in expression:
            continue
        plain = function_of(expression, tag)
        compiled = shapecast.jit(plain)
        for dtype in dtypes:
            make = maker(dtype)
            places = np.random.default_rng(4).integers(0, SIDE, SIDE)
            for layout, lay_out in LAYOUTS.items():
                given = (lay_out(make), lay_out(make), np.sort(make(SIDE)), places)
                about = {"operation": expression, "dtype": dtype, "layout": layout}
                yield about | row_of(plain, compiled, given, dtype)


def main() -> None:
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    warnings.simplefilter("ignore")
    with np.errstate(all="ignore"):
        print(json.dumps(list(rows(sys.argv[1] if len(sys.argv) > 1 else ""))))


if __name__ == "__main__":
    main()
