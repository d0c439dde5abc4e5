"""Optional variables (None on one path): a test for None narrows them; elsewhere an operation
raises what None raises, where it is None.
"""

from __future__ import annotations

import numpy as np
import pytest
from support.compare import case_id, check, make

V = np.array([2.5, 0.5, 4.5, 1.5])

PROGRAMS = [
    """
    best = None
    for i in range(len(a)):
        if best is None or a[i] < best:
            best = a[i]
    return best
    """,
    """
    best, place = None, None
    for i in range(len(a)):
        if best is None or a[i] > best:
            best, place = a[i], i
    return best, place
    """,
    """
    r = None
    for i in range(len(a)):
        if r is not None and r > k:
            break
        r = a[i]
    return r
    """,
    """
    r = None
    for x in a:
        if r is not None:
            r = r + 1
        else:
            r = x
    return r
    """,
    """
    x = None
    while x is None or x < 5:
        x = 0 if x is None else x + 1
    return x
    """,
    """
    last, total = None, 0.0
    for x in a:
        if last is not None:
            total += abs(x - last)
        last = x
    return total
    """,
    """
    m = None
    for x in a:
        m = x if m is None else max(m, x)
    return m
    """,
    """
    r = None
    if a[0] > k:
        r = a
    if r is None:
        return 0.0
    return r[0] + r.sum()
    """,
    "k = k or None\n    return a[:k], a[k:]",
    "return a[:-k or None]",
    "return a[1 : -1 + k or None]",
    "n = None if k > 1 else 3\n    return a[:n]",
    "n = None\n    if a[0] > k:\n        n = 2\n    a[:n] = 0\n    return a",
    "n = None\n    if a[0] > k:\n        n = 2\n    a[:n] += 1\n    return a",
    "s = slice(None, k or None)\n    return a[s]",
    "r = None\n    if a[0] > k:\n        r = a[1]\n    return r + 1",
    "r = None\n    if a[0] > k:\n        r = a[1]\n    a[1] = 9\n    return r < 1",
    "r = None\n    if a[0] > k:\n        r = a[1]\n    return -r",
    "r = None\n    if a[0] > k:\n        r = a\n    return r[0]",
    "r = None\n    if a[0] > k:\n        r = a\n    return r.sum()",
    "r = None\n    if a[0] > k:\n        r = a\n    return r.size",
    "r = None\n    if a[0] > k:\n        r = 1\n    return r == None, r is None, r == 1, str(r)",
    "r = None\n    if a[0] > k:\n        r = 1\n    return (r or 5) + 1",
    "r = None\n    if a[0] > k:\n        r = 1\n    return [r, 2][0] is None, isinstance(r, int)",
]


@pytest.mark.parametrize("body", PROGRAMS, ids=case_id)
def test_optional_variables_do_what_pythons_do(body: str) -> None:
    f = make(f"def f(a, k):\n    {body.strip()}")
    for k in (0, 1, 2, 3):
        check(f, V, k)
        check(f, V[1:2], k)
