"""Arrays in lists, dicts and objects, and items by next(): jitted, by Numba (where it takes the
same source) and as plain Python.

`python -m bench.arrays_in_containers` prints medians in milliseconds, and how many times as long as
jitted the others take; with names (`python -m bench.arrays_in_containers k-means`) these rows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from bench.containers import compare


def group_rows(x: Any, labels: Any) -> Any:
    groups = defaultdict(list)
    for row, label in zip(x, labels, strict=False):
        groups[int(label)].append(row)
    return round(sum(np.mean(v, axis=0)[0] for v in groups.values()), 6)


def group_sums(x: Any, labels: Any) -> Any:
    sums: Any = {}
    for i in range(len(labels)):
        k = labels[i]
        if k not in sums:
            sums[k] = np.zeros(x.shape[1])
        sums[k] += x[i]
    return round(sum(v[1] for v in sums.values()), 6)


def k_means(points: Any, k: int) -> Any:
    centers = [points[i] for i in range(k)]
    for _ in range(3):
        clusters: Any = [[] for _ in range(k)]
        for p in points:
            j = min(range(k), key=lambda c: np.sum((p - centers[c]) ** 2))
            clusters[j].append(p)
        centers = [np.mean(c, axis=0) if c else centers[i] for i, c in enumerate(clusters)]
    return round(np.array(centers).sum(), 6)


def boxes(points: Any, leaf: int) -> Any:
    """A k-d tree: boxes of points, split at the median."""
    todo = [(points, 0)]
    leaves = []
    while todo:
        part, axis = todo.pop()
        if len(part) <= leaf:
            leaves.append(part)
            continue
        order = np.argsort(part[:, axis], kind="stable")
        half = len(part) // 2
        todo.append((part[order[:half]], (axis + 1) % part.shape[1]))
        todo.append((part[order[half:]], (axis + 1) % part.shape[1]))
    return round(np.concatenate(leaves)[:, 0].sum(), 6)


class Body:
    def __init__(self, position: Any, velocity: Any) -> None:
        self.position = position
        self.velocity = velocity

    def step(self, dt: float) -> None:
        self.position = self.position + dt * self.velocity


def bodies(x: Any, steps: int) -> Any:
    every = []
    for row in x:
        every.append(Body(row, row * 0.5))
    for _ in range(steps):
        for b in every:
            b.step(0.01)
    return round(sum(b.position.sum() for b in every), 6)


def uniform(seed: int) -> Iterator[float]:
    while True:
        seed = (seed * 1103515245 + 12345) % 2**31
        yield seed / 2**31


def random_walk(n: int) -> float:
    stream = uniform(42)
    at = 0.0
    for _ in range(n):
        at += next(stream) - 0.5
    return round(at, 6)


def programs() -> dict[str, tuple[Callable[..., Any], tuple[Any, ...]]]:
    rng = np.random.default_rng(0)
    x, labels = rng.random((50_000, 3)), rng.integers(0, 100, 50_000)
    return {
        "group rows": (group_rows, (x, labels)),
        "group sums": (group_sums, (x, labels)),
        "k-means": (k_means, (rng.random((2000, 2)), 8)),
        "boxes": (boxes, (rng.random((20_000, 2)), 16)),
        "bodies": (bodies, (rng.random((100, 3)), 500)),
        "random walk": (random_walk, (1_000_000,)),
    }


if __name__ == "__main__":
    compare(programs())
