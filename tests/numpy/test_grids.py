"""np.mgrid, ogrid, r_, c_, s_ and index_exp; sorted(key=...) and filter."""

from __future__ import annotations

import numpy as np
import pytest
from shapecast import UnsupportedError
from support.compare import check, jitted, make

X = np.arange(6.0)
Y = np.arange(4, dtype=np.float32)
A = np.arange(6).reshape(2, 3)

EXPRESSIONS = [
    "np.mgrid[0:5]", "np.mgrid[0:5, 0:3]", "np.mgrid[0:1:5j, -1:1:3j]", "np.mgrid[0:2:0.5]",
    "np.mgrid[0:n, 1:n + 2:2]", "np.mgrid[2:n:3j]", "np.mgrid[1:4,]", "np.mgrid[:n, :1.5]",
    "np.ogrid[0:5, 0:3]", "np.ogrid[-1:1:4j]", "np.ogrid[0:2:.5, 0:3]", "np.ogrid[-1:1:3j, :n]",
    "np.r_[x, 1, 2.5, x]", "np.r_[y, 1.5]", "np.r_[0:5, 9]", "np.r_[0:1:4j, x]", "np.r_[n]",
    "np.r_[y, x]", "np.r_[1, 2, 3]", "np.r_[True, 2]", "np.r_[x[:n], 0, x[n:]]",
    "np.r_[[1, 2], (3, 4.5)]", "np.r_[y[0], 1, y]", "np.r_[a, a]", "np.r_[5:0:-1]",
    "np.r_[a.astype(np.int8)[0], 300]",
    "np.c_[x, x]", "np.c_[a, a]", "np.c_[x[:2], a]", "np.c_[x, x * 2, np.ones(6)]", "np.c_[1, 2]",
    "np.c_[0:3, y[:3]]", "a[np.s_[0, 1:]]", "a[np.s_[:, ::2]]", "a[np.index_exp[1]]",
    "x[np.s_[n:]]", "np.index_exp[1, 2]",
    "sorted((3, 1, 2), key=lambda v: -v)", "sorted([3.5, n, 2], key=lambda v: -v)",
    "sorted([(1, 2), (0, 5), (3, 1)], key=lambda t: t[1])",
    "sorted(['b', 'a'], key=lambda s: 1 if s == 'a' else 2)",
    "sorted([i * i % 5 for i in range(n + 3)], key=lambda v: -v)",
    "sorted([(i, i * i % 5) for i in range(n + 3)], key=lambda t: t[1], reverse=True)",
    "sorted([(i, i * i % 5) for i in range(n + 3)], key=lambda t: t[1])",
    "list(filter(lambda v: v > 2, x))", "[v for v in filter(None, (0, 1, 2))]",
    "list(filter(lambda v: v > 1, (0, 1, 2)))", "sum(filter(lambda v: v > 1, list(range(n))))",
    "list(map(lambda v: v * 2, x))", "tuple(map(lambda v, w: v * w, x, x[1:]))",
    "max(map(lambda v: v * 2, x))", "slice(1, n, 2).stop", "range(2, n).start",
]  # fmt: skip


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_grid_objects_are_numpys(expression: str) -> None:
    for n in (3, 5):
        check(make(f"def f(x, y, a, n):\n    return {expression}"), X, Y, A, n)


def test_directives_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="directive"):
        jitted(make("def f(x):\n    return np.r_['0,2', x]"))(X)


def test_fields_of_records() -> None:
    records = np.array([(1.5, 2), (3.5, 4)], dtype=[("x", "f8"), ("k", "i4")])
    check(make("def f(r):\n    return r['x'].sum(), r['k'][1], len(r)"), records)
    f = make("def f(r):\n    r['x'][0] = 5\n    r['k'] += 1")
    given = records.copy()
    jitted(f)(given)
    f(records)
    assert given.tobytes() == records.tobytes()
