"""Dicts, sets and lists of lists, of keys and lengths known only at run time: jitted, by Numba
(where it is installed and takes the same source) and as plain Python.

`python -m bench.containers` prints medians in milliseconds, and how many times as long as jitted
the others take; with names (`python -m bench.containers counting`) these rows.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import shapecast


def counting(a: Any) -> int:
    counts: Any = {}
    for v in a:
        if v in counts:
            counts[v] += 1
        else:
            counts[v] = 1
    return len(counts)


def memo(n: int) -> int:
    lengths = {1: 1}
    best = 0
    for i in range(2, n):
        k, steps = i, 0
        while k not in lengths:
            k = k // 2 if k % 2 == 0 else 3 * k + 1
            steps += 1
        lengths[i] = lengths[k] + steps
        best = max(best, lengths[i])
    return best


def distinct(a: Any) -> int:
    seen = set()
    for v in a:
        seen.add(v)
    return len(seen)


def flood(g: Any) -> int:
    h, w = g.shape
    seen = set()
    for i in range(h):
        for j in range(w):
            if g[i, j] and (i, j) not in seen:
                seen.add((i, j))
                todo = [(i, j)]
                while len(todo) > 0:
                    y, x = todo.pop()
                    for a, b in ((y, x + 1), (y + 1, x), (y, x - 1), (y - 1, x)):
                        if 0 <= a < h and 0 <= b < w and g[a, b] and (a, b) not in seen:
                            seen.add((a, b))
                            todo.append((a, b))
    return len(seen)


def breadth_first(n: int, us: Any, vs: Any) -> int:
    adjacent = [[0] for _ in range(n)]
    for i in range(len(us)):
        adjacent[us[i]].append(vs[i])
        adjacent[vs[i]].append(us[i])
    distance = {0: 0}
    todo = [0]
    while len(todo) > 0:
        u = todo.pop()
        for v in adjacent[u]:
            if v not in distance:
                distance[v] = distance[u] + 1
                todo.append(v)
    return len(distance)


def triangle(n: int) -> int:
    rows = [[1]]
    for _ in range(n):
        before = rows[-1]
        row = [1]
        for j in range(len(before) - 1):
            row.append((before[j] + before[j + 1]) % 1000003)
        row.append(1)
        rows.append(row)
    return rows[n][n // 2]


def sparse(n: int, rows: Any, columns: Any, values: Any) -> float:
    sums: Any = {}
    for i in range(len(rows)):
        key = rows[i] * n + columns[i]
        sums[key] = sums.get(key, 0.0) + values[i]
    total = 0.0
    for value in sums.values():
        total += value * value
    return total


def programs() -> dict[str, tuple[Callable[..., Any], tuple[Any, ...]]]:
    rng = np.random.default_rng(0)
    few, many = rng.integers(0, 1000, 10**6), rng.integers(0, 10**6, 10**6)
    edges = rng.integers(0, 10**5, (2, 3 * 10**5))
    cells = rng.integers(0, 2000, (2, 10**6))
    return {
        "counting": (counting, (few,)),
        "counting many": (counting, (many,)),
        "memo": (memo, (10**6,)),
        "distinct": (distinct, (many,)),
        "flood": (flood, ((rng.random((1000, 1000)) > 0.4).astype(np.int64),)),
        "breadth first": (breadth_first, (10**5, edges[0], edges[1])),
        "triangle": (triangle, (1500,)),
        "sparse": (sparse, (2000, cells[0], cells[1], rng.random(10**6))),
    }


def median(f: Callable[..., Any], args: tuple[Any, ...], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        f(*args)
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e3


def by_numba(f: Callable[..., Any], args: tuple[Any, ...], expected: Any) -> float | None:
    try:
        import numba
    except ImportError:
        return None
    try:
        compiled = numba.njit(f)
        found = compiled(*args)
    except (numba.core.errors.NumbaError, numba.core.errors.UnsupportedBytecodeError):
        return None
    assert found == expected
    return median(compiled, args, 5)


def compare(programs: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]]) -> None:
    print(f"{'ms':16}{'jitted':>10}{'Numba':>10}{'Python':>10}{'ratios':>16}")
    for name, (f, args) in programs.items():
        if len(sys.argv) > 1 and name not in sys.argv[1:]:
            continue
        expected = f(*args)
        jitted = shapecast.jit(f)
        assert jitted(*args) == expected
        ours, numbas, plain = (
            median(jitted, args, 5),
            by_numba(f, args, expected),
            median(f, args, 1),
        )
        ratio = f"{numbas / ours:.1f}" if numbas else "-"
        shown = f"{numbas:.1f}" if numbas else "-"
        print(f"{name:16}{ours:10.1f}{shown:>10}{plain:10.0f}{ratio:>8}{plain / ours:8.1f}")


if __name__ == "__main__":
    compare(programs())
