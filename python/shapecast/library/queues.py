"""Python's `heapq` and `bisect`: on lists, and on arrays where nothing is inserted."""

from __future__ import annotations

from typing import Any

from . import implements
from ._shared import pool


def sift_down(heap: Any, start: int, index: int) -> None:
    """Sifts the item at `index` up until its parent is not greater."""
    item = heap[index]
    while index > start:
        parent = (index - 1) >> 1
        if not item < heap[parent]:
            break
        heap[index] = heap[parent]
        index = parent
    heap[index] = item


def sift_up(heap: Any, index: int) -> None:
    """Moves smaller children up, from `index` to a leaf; then sifts the item up from there."""
    end = len(heap)
    start = index
    item = heap[index]
    child = 2 * index + 1
    while child < end:
        if child + 1 < end and not heap[child] < heap[child + 1]:
            child += 1
        heap[index] = heap[child]
        index = child
        child = 2 * index + 1
    heap[index] = item
    sift_down(heap, start, index)


@implements("heapq.heappush")
def heappush(heap: Any, item: Any, /) -> None:
    heap.append(item)
    sift_down(heap, 0, len(heap) - 1)


@implements("heapq.heappop")
def heappop(heap: Any, /) -> Any:
    if len(heap) == 0:
        raise IndexError("index out of range")
    last = heap.pop()
    if len(heap) == 0:
        return last
    least = heap[0]
    heap[0] = last
    sift_up(heap, 0)
    return least


@implements("heapq.heapify")
def heapify(heap: Any, /) -> None:
    for index in range(len(heap) // 2 - 1, -1, -1):
        sift_up(heap, index)


@implements("heapq.heapreplace")
def heapreplace(heap: Any, item: Any, /) -> Any:
    if len(heap) == 0:
        raise IndexError("index out of range")
    least = heap[0]
    heap[0] = item
    sift_up(heap, 0)
    return least


@implements("heapq.heappushpop")
def heappushpop(heap: Any, item: Any, /) -> Any:
    if len(heap) > 0 and heap[0] < item:
        least = heap[0]
        heap[0] = item
        sift_up(heap, 0)
        return least
    return item


@implements("heapq.nlargest")
def nlargest(n: int, iterable: Any, key: Any = None) -> Any:
    return first_of(sorted(iterable, key=key, reverse=True), n)


@implements("heapq.nsmallest")
def nsmallest(n: int, iterable: Any, key: Any = None) -> Any:
    return first_of(sorted(iterable, key=key), n)


def first_of(ordered: Any, n: int) -> Any:
    return ordered if len(ordered) == 0 else ordered[: max(n, 0)]


@implements("heapq.merge")
def merge(*iterables: Any, key: Any = None, reverse: bool = False) -> Any:
    merged: Any = []
    is_first = True
    for items in iterables:  # a tuple: fully unrolled
        merged = pool(items) if is_first else merged_pair(merged, pool(items), key, reverse)
        is_first = False
    return iter(merged)


def merged_pair(items: Any, others: Any, key: Any, reverse: bool) -> Any:
    """By their first items alone, as Python does: none of the two needs to be in order."""
    keys = items if key is None else [key(item) for item in items]
    other_keys = others if key is None else [key(item) for item in others]
    result: Any = []
    at = 0
    for k in range(len(others)):
        while at < len(items) and not (
            keys[at] < other_keys[k] if reverse else other_keys[k] < keys[at]
        ):
            result.append(items[at])
            at += 1
        result.append(others[k])
    for k in range(at, len(items)):
        result.append(items[k])
    return result


@implements("bisect.bisect_right", "bisect.bisect")
def bisect_right(a: Any, x: Any, lo: int = 0, hi: Any = None, *, key: Any = None) -> int:
    if lo < 0:
        raise ValueError("lo must be non-negative")
    high = len(a) if hi is None else hi
    while lo < high:
        middle = (lo + high) // 2
        if x < (a[middle] if key is None else key(a[middle])):
            high = middle
        else:
            lo = middle + 1
    return lo


@implements("bisect.bisect_left")
def bisect_left(a: Any, x: Any, lo: int = 0, hi: Any = None, *, key: Any = None) -> int:
    if lo < 0:
        raise ValueError("lo must be non-negative")
    high = len(a) if hi is None else hi
    while lo < high:
        middle = (lo + high) // 2
        if (a[middle] if key is None else key(a[middle])) < x:
            lo = middle + 1
        else:
            high = middle
    return lo


@implements("bisect.insort_right", "bisect.insort")
def insort_right(a: Any, x: Any, lo: int = 0, hi: Any = None, *, key: Any = None) -> None:
    a.insert(bisect_right(a, x if key is None else key(x), lo, hi, key=key), x)


@implements("bisect.insort_left")
def insort_left(a: Any, x: Any, lo: int = 0, hi: Any = None, *, key: Any = None) -> None:
    a.insert(bisect_left(a, x if key is None else key(x), lo, hi, key=key), x)
