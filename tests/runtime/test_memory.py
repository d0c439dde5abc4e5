"""Memory: no more at its peak than NumPy needs; loops and calls reuse freed buffers."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from shapecast import _core, jit
from support.compare import instrumented, make

N = 400_000  # elements: 3.2 MB, so that a MiB is little
SIDE = 600

PROGRAMS: dict[str, tuple[Any, ...]] = {
    "chain": ("def f(x, y):\n    return np.sqrt(x * x + y * y) - 0.5 * x", N, N),
    "chain of names": (
        """
        def f(x, y):
            a = x + y
            b = a * 2
            c = np.sin(b)
            return c - a[::-1]
        """,
        N, N,
    ),
    "temporary is used again": ("def f(x):\n    t = x * 2\n    t += 1\n    return t * t[::-1]", N),
    "sum": ("def f(x):\n    return (x * 2 + 1).sum()", N),
    "variance": ("def f(x):\n    return x.std() + np.ptp(x)", N),
    "softmax": (
        """
        def f(x):
            e = np.exp(x - x.max(axis=1, keepdims=True))
            return e / e.sum(axis=1, keepdims=True)
        """,
        (SIDE, SIDE),
    ),
    "loop with temporaries": (
        """
        def f(x):
            for k in range(20):
                t = x * 0.5
                x = np.sqrt(t + k) - t[::-1]
            return x
        """,
        N,
    ),
    "loop with temporaries of all sizes": (
        """
        def f(x):
            total = 0.0
            for k in range(1, 40):
                t = x[: x.shape[0] - k * 5000]
                u = t - t[::-1]
                u[0] = k
                total += u.sum() + u[0]
            return total
        """,
        N,
    ),
    "stencil with swap": (
        """
        def f(a):
            b = a.copy()
            for _ in range(10):
                b[1:-1, 1:-1] = 0.25 * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])
                a, b = b, a
            return a
        """,
        (SIDE, SIDE),
    ),
    "overlapping stores": (
        """
        def f(x):
            y = x.copy()
            for _ in range(3):
                y[1:] = y[:-1] + y[1:]
                y[:-1] = y[1:] * 0.5
                y[:] = y[::-1]
            return y
        """,
        N,
    ),
    "store of a mirror": ("def f(x):\n    x[:] = x[::-1] + x\n    return x[0]", N),
    "transposed store": ("def f(x):\n    x[:] = x.T\n    return x[0, 0]", (SIDE, SIDE)),
    "products": ("def f(a):\n    return a @ a @ a @ a", (SIDE, SIDE)),
    "product of transposes": ("def f(a):\n    return (a.T @ a + a).T @ a[::2].T", (SIDE, SIDE)),
    "concatenation": (
        "def f(x, y):\n    return np.concatenate((x, y * 2, x[::3])) + 1", N, N,
    ),
    "stacks": ("def f(x, y):\n    return np.stack((x, y, x + y)).sum(axis=0)", N, N),
    "early return": (
        """
        def f(x):
            a = x * 2
            for k in range(10):
                b = a + k
                if b[0] > 5.0:
                    return b
                a = b * a
            return a
        """,
        N,
    ),
    "error after temporaries": (
        """
        def f(x, i):
            for k in range(10):
                y = x * k
                z = y - y[::-1]
                z[i + k] = 1.0
            return z
        """,
        N, N - 3,
    ),
    "branches": (
        """
        def f(x):
            if x[0] > 100.0:
                y = x * 2
                z = y + y[::-1]
            else:
                y = x + 3
                z = y * y[::-1]
            w = z - 1
            return w / 2
        """,
        N,
    ),
    "views returned": ("def f(x):\n    y = x * 2\n    return y[::2], y[1::2]", N),
    "reshape of a transpose": (
        "def f(a):\n    return (a.T.reshape(-1) * 2).reshape(a.shape)", (SIDE, SIDE),
    ),
}  # fmt: skip


def arguments(sizes: tuple[Any, ...]) -> list[Any]:
    """Numbers below N / 2 are not sizes."""
    rng = np.random.default_rng(5)
    return [size if isinstance(size, int) and size != N else rng.random(size) for size in sizes]


def run(function: Callable[..., Any], values: list[Any]) -> Any:
    try:
        return function(*values)
    except IndexError:
        return None


def peaks(function: Callable[..., Any], values: list[Any]) -> int:
    """Bytes that the call needed at its peak beyond what there was before, results included."""
    gc.collect()
    _core._drop_kept_blocks()
    before = _core._memory_use()[0]
    tracemalloc.start()
    result = run(function, values)
    python = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return python + _core._memory_use()[1] - before


@pytest.mark.parametrize("name", PROGRAMS)
def test_peak_memory_is_at_most_numpys(name: str) -> None:
    source, *sizes = PROGRAMS[name]
    plain = make(source, "f")
    f = jit(plain)
    run(f, arguments(sizes))  # compiles
    ours, numpys = peaks(f, arguments(sizes)), peaks(plain, arguments(sizes))
    print(f"{name}: {ours / 2**20:.2f} MiB, NumPy {numpys / 2**20:.2f} MiB")
    assert ours <= 1.1 * numpys + 2**20


recycles = pytest.mark.skipif(instrumented, reason="AddressSanitizer: each buffer is a block")


@recycles
@pytest.mark.parametrize("size", [100, 5_000, N])
def test_loops_reuse_their_buffers(size: int) -> None:
    source, _ = PROGRAMS["loop with temporaries"]
    f = jit(make(source.replace("range(20)", "range(n)").replace("f(x)", "f(x, n)"), "f"))
    x = np.random.default_rng(1).random(size)
    f(x, 2)

    def allocations(trip_count: int) -> int:
        _core._drop_kept_blocks()
        before = _core._memory_use()[2]
        f(x, trip_count)
        return _core._memory_use()[2] - before

    assert allocations(3) == allocations(1000 if size < N else 50)


@recycles
def test_calls_reuse_freed_results() -> None:
    f = jit(make("def f(x):\n    return x * 2 + 1"))
    x = np.ones(N)
    f(x)
    before = _core._memory_use()[2]
    for _ in range(20):
        f(x)
    assert _core._memory_use()[2] == before
