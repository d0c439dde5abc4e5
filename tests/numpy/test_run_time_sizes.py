"""Sizes that are 0 or 1 at run time only: code compiled for other sizes is right for them, or
another variant is.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import shapecast
from support.compare import check, make

BODIES = {
    "broadcast": "return x + y, x * y[:, None], np.maximum(x, y).sum()",
    "stores that broadcast": "x[...] = y; x[:, :] += y[0]; return x",
    "slices": "return x[1:], x[:-1], x[::2], x[1:-1, ::-1], y[2:], y[-1:], x[:1] + y",
    "differences": "return x[1:] - x[:-1], y[1:] * y[:-1]",
    "stores to slices": "x[1:] = x[:-1]; x[:, 1:] = y[:-1]; return x",
    "reductions": "return x.sum(axis=0), x.mean(axis=1).shape, x.sum(), (x + y).any(axis=1)",
    "extremes": "return x.max(axis=0), x.argmin(axis=1)",
    "products": "return x @ y, x.T @ x, y @ y",
    "reshape": "return x.reshape(-1), x.T.reshape(x.shape), x.ravel() + 1, y[None, :, None]",
    "joining": "return np.concatenate([x, x]), np.stack([y, y]), np.hstack([x, x[:, :1]])",
    "values of sizes": "n, m = x.shape; return np.zeros((n, m + 1)), np.tile(x, (2, 1)), n * m",
    "broadcast_to": "return np.broadcast_to(y, x.shape) + 1, np.broadcast_to(x[:, :1], x.shape)",
    "loops over rows": "t = 0.0\n    for row in x:\n        t += row.sum()\n    return t",
    "loops by index": (
        "t = 0.0\n    for i in range(1, x.shape[0]):\n        for j in range(x.shape[1]):\n"
        "            t += x[i, j] - x[i - 1, j] * y[j]\n    return t"
    ),
    "shrinking in a loop": "while x.shape[0] > 1:\n        x = x[1:] + x[:-1]\n    return x",
}


@pytest.mark.parametrize("name", BODIES)
def test_code_for_other_sizes_is_right(name: str) -> None:
    f = make(f"def f(x, y):\n    {BODIES[name]}")
    sizes = [(5, 7), (5, 5), *itertools.product((0, 1, 2), repeat=2), (4, 6), (1, 7)]
    for (n, m), k in itertools.product(sizes, (None, 1)):
        x = np.arange(1.0, n * m + 1).reshape(n, m)
        check(f, x, np.arange(float(m if k is None else k)) + 0.5)


def test_the_general_variant_takes_all_sizes() -> None:
    """A guard that fails again and again is dropped: compilation ends."""
    plain = make("def f(x, y, z):\n    return ((x + y) * z + x[:3]).sum()")
    f = shapecast.jit(plain)
    fitting = 0
    for n, m, k in itertools.product((0, 1, 2, 3, 5), repeat=3):
        arguments = [np.arange(float(size)) for size in (n, m, k)]
        try:
            expected = plain(*arguments)
        except ValueError:
            with pytest.raises(ValueError):
                f(*arguments)
            continue
        assert f(*arguments) == expected
        fitting += 1
    assert fitting > 20
    assert len(f.signatures()) <= 8
    assert "no longer assumed" in str(f.explain())


DIVIDED = {
    "said first": "assert len(x) % 4 == 0\n    return x.reshape(len(x) // 4, 4).sum(axis=1)",
    "said by hand": "n = len(x)\n    assert 4 * (n // 4) == n\n    return x.reshape(-1, 4) * 2",
    "refused": "if x.size % 3:\n        raise ValueError('thirds')\n    return x.reshape(3, -1)",
    "halves": "assert x.size % 2 == 0\n    return x[::2] * x[1::2]",
    "cut": "x = x[:x.size // 2 * 2]\n    return x[::2] + x[1::2], x.reshape(-1, 2)",
    "odd": "assert x.size % 4 == 3\n    return x[3::4] + x[:x.size - 3:4], x[1:].reshape(2, -1)",
    "in an arm": "if x.size % 6 == 0:\n        x = x.reshape(-1, 2, 3).sum(axis=2).ravel()\n"
    "    return x + 1",
    "by a size": "k = y.size\n    if k == 0 or x.size % k:\n        return x\n"
    "    return (x.reshape(x.size // k, k) + y).ravel()",
}


@pytest.mark.parametrize("name", DIVIDED)
def test_divisors_of_sizes_are_inferred_and_guarded(name: str) -> None:
    f = make(f"def f(x, y):\n    {DIVIDED[name]}")
    for n, k in itertools.product((12, 0, 1, 2, 3, 4, 6, 7, 8, 15, 24), (3, 0, 2)):
        check(f, np.arange(n) * 1.5, np.ones(k))
