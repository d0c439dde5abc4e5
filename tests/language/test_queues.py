"""Python's heapq and bisect: on dynamic lists and on arrays."""

from __future__ import annotations

import bisect
import heapq
from typing import Any

import numpy as np
import pytest
from support.compare import check, make

NAMES = {"heapq": heapq, "bisect": bisect}


def checked(source: str, *args: Any) -> None:
    check(make(source, **NAMES), *args)


@pytest.mark.parametrize("n", [0, 1, 2, 9, 200])
def test_a_heap_of_numbers(n: int) -> None:
    values = np.random.default_rng(n).integers(0, 50, n)
    checked(
        """
        def f(values):
            heap = []
            for v in values:
                heapq.heappush(heap, v)
            inner = [v for v in heap]
            out = []
            while heap:
                out.append(heapq.heappop(heap))
            return inner, out, len(heap)
        """,
        values,
    )
    checked(
        """
        def f(values):
            heap = [v * 0.5 for v in values]
            heapq.heapify(heap)
            heapq.heappush(heap, 3.0)
            return heapq.heapreplace(heap, 7.5), heapq.heappushpop(heap, 1.0), heap
        """,
        values,
    )


def test_a_heap_of_pairs_finds_shortest_paths() -> None:
    rng = np.random.default_rng(0)
    weights = rng.integers(1, 20, (12, 12)).astype(float)
    weights[rng.random((12, 12)) < 0.6] = np.inf
    checked(
        """
        def f(weights):
            n = weights.shape[0]
            dist = np.full(n, np.inf)
            dist[0] = 0.0
            queue = [(0.0, 0)]
            while len(queue) > 0:
                d, u = heapq.heappop(queue)
                if d > dist[u]:
                    continue
                for v in range(n):
                    other = d + float(weights[u, v])
                    if other < dist[v]:
                        dist[v] = other
                        heapq.heappush(queue, (other, v))
            return dist
        """,
        weights,
    )


def test_an_argument_is_the_heap() -> None:
    checked(
        "def f(heap, v):\n    heapq.heappush(heap, v)\n    return heapq.heappop(heap)", [1, 5, 3], 2
    )
    checked("def f(heap):\n    heapq.heapify(heap)", [5, 4, 3, 2, 1])
    checked("def f(heap):\n    return heapq.heappop(heap)", [])


SEARCHES = """
bisect.bisect(a, v)
bisect.bisect_left(a, v)
bisect.bisect_right(a, v, 1)
bisect.bisect_left(a, v, 1, 3)
bisect.bisect_left(a, v, lo=2)
bisect.bisect(a, -v, key=lambda x: -x)
bisect.bisect(a, v, -1)
"""


@pytest.mark.parametrize("line", SEARCHES.strip().splitlines())
def test_indices_in_sorted_sequences(line: str) -> None:
    for a in (np.array([1.0, 2.0, 2.0, 3.0]), [1.0, 2.0, 2.0, 3.0], (1.0, 2.0, 2.0, 3.0)):
        for v in (2.0, 0.5, 9.0):
            checked(f"def f(a, v):\n    return {line}", a, v)


def test_insertion_keeps_a_list_sorted() -> None:
    checked(
        """
        def f(values):
            kept = []
            for v in values:
                bisect.insort(kept, v)
            bisect.insort_left(kept, 4.0)
            return kept
        """,
        np.array([5.0, 1.0, 4.0, 4.0, 2.0]),
    )
