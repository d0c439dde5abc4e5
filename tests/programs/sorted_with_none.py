"""Lists of which items may be None: sorted, compared, and narrowed by a test that raises."""

import heapq

import numpy as np


class Customer:
    def __init__(self, started):
        self.started = started

    @property
    def waited(self):
        return None if self.started is None else self.started * 2.0


def grown(n, b):
    waits = []
    for i in range(n):
        waits.append(None if i == b else float(n - i))
    return sorted(waits), sorted(waits, reverse=True)


def of_attributes(n, b):
    customers = [Customer(None if i == b else float(-i)) for i in range(n)]
    waits = [c.waited for c in customers]
    return sorted(waits), max(waits), min(waits)


def in_place(n, b):
    w = [None if i == b else i * 7 % 5 for i in range(n)]
    w.sort(reverse=True)
    return w, [x for x in w if x is not None]


def by_key(n, b):
    w = [None if i == b else i * 7 % 5 for i in range(n)]
    return sorted(w, key=lambda x: -1 if x is None else x)


def tuples(n, b):
    w = [(i % 3, None if i == b else i) for i in range(n)]
    return sorted(w), w[0] < w[-1] if n > 3 else None


def compared(n, b):
    x = (n, None if n == b else n)
    y = (n, None if n == b + 1 else n + 1)
    return x == y, x != y, x < y


def checked(v):
    if v is None:
        raise TypeError("missing")
    return v


def as_array(n, b):
    w = [None if i == b else i * 7 % 5 for i in range(n)]
    return np.array([checked(x) for x in w])


def appended(n, b):
    w = [None if i == b else i * 7 % 5 for i in range(n)]
    y = []
    for x in w:
        if x is None:
            raise TypeError("missing")
        y.append(x)
    return sum(y), np.array(y)


SIZES = [(5, -1), (5, 0), (1, 0), (7, 3), (0, 0)]
SOME = SIZES[:-1]


class Node:
    def __init__(self, name):
        self.name = name


def nearest(distances, is_counted):
    """Items of a heap are compared up to the first that differs, or raise as Python's."""
    heap = []
    for k, d in enumerate(distances):
        node = Node(str(k)) if k % 2 else None
        heapq.heappush(heap, (d, k if is_counted else 0, None if node else k, node))
    found = []
    while heap:
        distance, _, item, node = heapq.heappop(heap)
        found.append((distance, item, node.name if node is not None else "-"))
    return found


CASES = [
    *((nearest, ([3, 1, 3, 2], counted)) for counted in (True, False)),
    (nearest, ([3, 1, 2], False)),
    *((grown, arguments) for arguments in SIZES),
    *((of_attributes, arguments) for arguments in [(5, -1), (7, -1), (2, 1)]),
    *((in_place, arguments) for arguments in SIZES),
    *((by_key, arguments) for arguments in SIZES),
    *((tuples, arguments) for arguments in [(5, -1), (7, 2), (7, 6), (1, 0)]),
    *((compared, arguments) for arguments in [(5, 2), (5, 1)]),
    *((as_array, arguments) for arguments in SOME),
    *((appended, arguments) for arguments in SOME),
]
