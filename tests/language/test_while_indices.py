"""Monotonic integers of while loops as indices: their known bounds must hide no error and no
negative index.
"""

from __future__ import annotations

import numpy as np
import pytest
from support.compare import case_id, check, make

BODIES = [
    # insertion sort
    """
    for i in range(1, len(a)):
        v = a[i]
        j = i - 1
        while j >= 0 and a[j] > v:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = v
    return a
    """,
    # down past the start: negative indices count from the end, and end at last
    "j = k\n    while a[j] < 100:\n        a[j] += 1\n        j -= 1\n    return a, j",
    "j = k\n    while a[j] < 100:\n        a[j] += 1\n        j -= 3\n    return a, j",
    "j = k\n    while j < 20 and a[j] < 100:\n        a[j] += 1\n        j += 1\n    return a, j",
    # two directions
    "i, j = 0, len(a) - 1\n    while i < j:\n        a[i], a[j] = a[j], a[i]\n        i += 1\n"
    "        j -= 1\n    return a",
    "i, j = 0, len(a) - 1\n    while i <= j:\n        m = (i + j) // 2\n        if a[m] < 4:\n"
    "            i = m + 1\n        else:\n            j = m - 1\n    return i, j, a[i]",
    # monotonic but for one branch
    "j, n = k, 0\n    while n < 30:\n        j = j + 1 if n % 3 else j - 2\n        n += 1\n"
    "        a[j % 10] += n\n    return a, j, a[j]",
    "j, n = k, 0\n    while n < 30 and a[j] < 90:\n        j = 0 if j > 5 else j + 1\n"
    "        n += 1\n        a[j] += n\n    return a, j",
    # conditions of several parts
    "j = k\n    while j >= 0 and j < len(a) and a[j] != 3:\n        j -= 1\n    return j",
    "j = k\n    while (j >= 0 and a[j] > 2) or j > 7:\n        j -= 1\n    return j, a[j]",
    "j = k\n    while not (j < 0 or a[j] < 2):\n        j -= 1\n    return j, a[j]",
    # a stack, and a loop in a loop
    "s = np.zeros(30, int)\n    top, n = 0, 0\n    while n < len(a):\n        while top > 0 and "
    "a[s[top - 1]] >= a[n]:\n            top -= 1\n        s[top] = n\n        top += 1\n"
    "        n += 1\n    return s, top",
    "i = 0\n    while i < len(a):\n        j = i\n        while j < len(a) and a[j] == a[i]:\n"
    "            j += 1\n        a[i] = j - i\n        i = j\n    return a",
    "i = 5\n    while i:\n        i -= 1\n        a[i - 7] += i\n    return a",
]


@pytest.mark.parametrize("k", [-12, -10, -1, 0, 3, 9, 10], ids="k={}".format)
@pytest.mark.parametrize("body", BODIES, ids=case_id)
def test_monotonic_integers_as_indices(body: str, k: int) -> None:
    f = make(f"def f(a, k):\n    {body.strip()}\n")
    check(f, np.array([5, 1, 4, 1, 5, 9, 2, 6, 5, 3]), k)
    check(f, np.arange(10.0), k)
    check(f, np.array([3, 3, 3, 1]), k)
