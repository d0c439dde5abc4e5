"""The kernels that are measured: plain NumPy source, the fastest honest Numba port, and how their
arguments are made.

`numba` is None where Numba compiles the plain source as it stands and a port by hand is not
faster; else a function with explicit loops, the way Numba is meant to be used. Both forms are
measured where both exist; the table shows the faster. No fastmath, no parallel: every contestant
computes what NumPy computes, on one thread.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Kernel:
    """One row of the table."""

    name: str
    kind: str  # group: element-wise, stencil, reduction, scalar, broadcast, product
    plain: Callable[..., Any]
    port: Callable[..., Any] | None  # explicit loops for Numba
    arguments: Callable[[int, np.random.Generator], tuple]
    sizes: tuple[int, int]  # in cache, and from memory (or simply larger)
    # Largest relative difference from NumPy: 0 where every contestant must give NumPy's bits.
    tolerance: float = 1e-12
    slow_numpy: bool = False  # scalar loops: NumPy runs once, as Python


# ------------------------------------------------------------------------------------- element-wise


def chain(a, b, c):
    return 2.0 * a * b + (a - c) / (b + 1.5) - 0.5 * c * c


def chain_loops(a, b, c):
    out = np.empty_like(a)
    for i in range(a.shape[0]):
        out[i] = 2.0 * a[i] * b[i] + (a[i] - c[i]) / (b[i] + 1.5) - 0.5 * c[i] * c[i]
    return out


def transcendental(a, b):
    return np.exp(-a * a) * np.log1p(b) + np.tanh(a - b)


def transcendental_loops(a, b):
    out = np.empty_like(a)
    for i in range(a.shape[0]):
        out[i] = math.exp(-a[i] * a[i]) * math.log1p(b[i]) + math.tanh(a[i] - b[i])
    return out


def select(a, low, high):
    scaled = np.where(a > 0, a * high, a * low)
    return np.minimum(np.maximum(scaled, low), high) + np.abs(a)


def select_loops(a, low, high):
    out = np.empty_like(a)
    for i in range(a.shape[0]):
        v = a[i] * high if a[i] > 0 else a[i] * low
        out[i] = min(max(v, low), high) + abs(a[i])
    return out


def in_place(a, b, n):
    for _ in range(n):
        a += 0.5 * b
        a *= 0.999
        b -= 0.01 * a


def in_place_loops(a, b, n):
    for _ in range(n):
        for i in range(a.shape[0]):
            a[i] += 0.5 * b[i]
            a[i] *= 0.999
            b[i] -= 0.01 * a[i]


def _vectors(count: int) -> Callable[[int, np.random.Generator], tuple]:
    return lambda n, rng: tuple(rng.uniform(0.1, 2.0, n) for _ in range(count))


# ----------------------------------------------------------------------------------------- stencils


def jacobi_1d(a, b, steps):
    for _ in range(steps):
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
        a, b = b, a
    return a


def jacobi_1d_loops(a, b, steps):
    for _ in range(steps):
        for i in range(1, a.shape[0] - 1):
            b[i] = 0.33333 * (a[i - 1] + a[i] + a[i + 1])
        a, b = b, a
    return a


def jacobi_2d(a, b, steps):
    for _ in range(steps):
        b[1:-1, 1:-1] = 0.2 * (
            a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1]
        )
        a, b = b, a
    return a


def jacobi_2d_loops(a, b, steps):
    for _ in range(steps):
        for i in range(1, a.shape[0] - 1):
            for j in range(1, a.shape[1] - 1):
                b[i, j] = 0.2 * (a[i, j] + a[i, j - 1] + a[i, j + 1] + a[i + 1, j] + a[i - 1, j])
        a, b = b, a
    return a


def heat_3d(a, b, steps):
    for _ in range(steps):
        b[1:-1, 1:-1, 1:-1] = (
            0.125 * (a[2:, 1:-1, 1:-1] - 2.0 * a[1:-1, 1:-1, 1:-1] + a[:-2, 1:-1, 1:-1])
            + 0.125 * (a[1:-1, 2:, 1:-1] - 2.0 * a[1:-1, 1:-1, 1:-1] + a[1:-1, :-2, 1:-1])
            + 0.125 * (a[1:-1, 1:-1, 2:] - 2.0 * a[1:-1, 1:-1, 1:-1] + a[1:-1, 1:-1, :-2])
            + a[1:-1, 1:-1, 1:-1]
        )
        a, b = b, a
    return a


def heat_3d_loops(a, b, steps):
    for _ in range(steps):
        for i in range(1, a.shape[0] - 1):
            for j in range(1, a.shape[1] - 1):
                for k in range(1, a.shape[2] - 1):
                    b[i, j, k] = (
                        0.125 * (a[i + 1, j, k] - 2.0 * a[i, j, k] + a[i - 1, j, k])
                        + 0.125 * (a[i, j + 1, k] - 2.0 * a[i, j, k] + a[i, j - 1, k])
                        + 0.125 * (a[i, j, k + 1] - 2.0 * a[i, j, k] + a[i, j, k - 1])
                        + a[i, j, k]
                    )
        a, b = b, a
    return a


def sobel(image):
    across = image[:, 2:] - image[:, :-2]
    along = image[2:] - image[:-2]
    gx = across[:-2] + 2 * across[1:-1] + across[2:]
    gy = along[:, :-2] + 2 * along[:, 1:-1] + along[:, 2:]
    return np.sqrt(gx * gx + gy * gy)


def sobel_loops(image):
    n, m = image.shape
    out = np.empty((n - 2, m - 2))
    for i in range(n - 2):
        for j in range(m - 2):
            gx = (
                (image[i, j + 2] - image[i, j])
                + 2 * (image[i + 1, j + 2] - image[i + 1, j])
                + (image[i + 2, j + 2] - image[i + 2, j])
            )
            gy = (
                (image[i + 2, j] - image[i, j])
                + 2 * (image[i + 2, j + 1] - image[i, j + 1])
                + (image[i + 2, j + 2] - image[i, j + 2])
            )
            out[i, j] = math.sqrt(gx * gx + gy * gy)
    return out


def _grids(rank: int, steps: int) -> Callable[[int, np.random.Generator], tuple]:
    def make(n: int, rng: np.random.Generator) -> tuple:
        a = rng.uniform(0, 1, (n,) * rank)
        return a, a.copy(), steps

    return make


# --------------------------------------------------------------------------------------- reductions


def sum_of_squares(a, b):
    return ((a - b) * (a - b)).sum()


def sum_of_squares_loops(a, b):
    total = 0.0
    for i in range(a.shape[0]):
        total += (a[i] - b[i]) * (a[i] - b[i])
    return total


def axis_sums(a):
    return a.sum(axis=0), a.sum(axis=1), a.mean(), a.max(axis=1)


def axis_sums_loops(a):
    n, m = a.shape
    columns, rows, largest = np.zeros(m), np.zeros(n), np.empty(n)
    total = 0.0
    for i in range(n):
        top = a[i, 0]
        row = 0.0
        for j in range(m):
            columns[j] += a[i, j]
            row += a[i, j]
            top = max(top, a[i, j])
        rows[i] = row
        largest[i] = top
        total += row
    return columns, rows, total / a.size, largest


def softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def softmax_loops(x):
    out = np.empty_like(x)
    for i in range(x.shape[0]):
        top = x[i, 0]
        for j in range(x.shape[1]):
            top = max(top, x[i, j])
        total = 0.0
        for j in range(x.shape[1]):
            out[i, j] = math.exp(x[i, j] - top)
            total += out[i, j]
        for j in range(x.shape[1]):
            out[i, j] /= total
    return out


# ------------------------------------------------------------------------------------- scalar loops


def seidel_2d(a, steps):
    n, m = a.shape
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                a[i, j] = (
                    a[i - 1, j - 1] + a[i - 1, j] + a[i - 1, j + 1]
                    + a[i, j - 1] + a[i, j] + a[i, j + 1]
                    + a[i + 1, j - 1] + a[i + 1, j] + a[i + 1, j + 1]
                ) / 9.0  # fmt: skip


def pair_count(x, y, radius):
    count = 0
    for i in range(len(x)):
        for j in range(len(x)):
            if (x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2 < radius * radius:
                count += 1
    return count


def mandelbrot(out, limit):
    n, m = out.shape
    for i in range(n):
        for j in range(m):
            cr = -2.0 + 3.0 * j / m
            ci = -1.5 + 3.0 * i / n
            zr = 0.0
            zi = 0.0
            k = 0
            while k < limit and zr * zr + zi * zi < 4.0:
                zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
                k += 1
            out[i, j] = k


# --------------------------------------------------------------------------- broadcasting, products


def distances(x, y):
    return np.sqrt(((x[:, None, :] - y[None, :, :]) ** 2).sum(axis=2))


def distances_loops(x, y):
    out = np.empty((x.shape[0], y.shape[0]))
    for i in range(x.shape[0]):
        for j in range(y.shape[0]):
            total = 0.0
            for k in range(x.shape[1]):
                total += (x[i, k] - y[j, k]) ** 2
            out[i, j] = math.sqrt(total)
    return out


def outer_sum(a, b):
    return a[:, None] * b[None, :] + a[:, None] - b


def outer_sum_loops(a, b):
    out = np.empty((a.shape[0], b.shape[0]))
    for i in range(a.shape[0]):
        for j in range(b.shape[0]):
            out[i, j] = a[i] * b[j] + a[i] - b[j]
    return out


def two_layers(x, w1, b1, w2, b2):
    hidden = np.maximum(x @ w1 + b1, 0.0)
    return hidden @ w2 + b2


def _layers(n: int, rng: np.random.Generator) -> tuple:
    return (
        rng.standard_normal((n, 64)),
        rng.standard_normal((64, 128)),
        rng.standard_normal(128),
        rng.standard_normal((128, 16)),
        rng.standard_normal(16),
    )


KERNELS = [
    Kernel("arithmetic chain", "element-wise", chain, chain_loops, _vectors(3), (4_000, 1_000_000),
    0.0),
    Kernel("transcendental chain", "element-wise", transcendental, transcendental_loops,
    _vectors(2),
           (4_000, 300_000), 1e-13),
    Kernel("where and clip", "element-wise", select, select_loops,
           lambda n, rng: (rng.standard_normal(n), -0.7, 1.3), (8_000, 1_000_000), 0.0),
    Kernel("in-place updates", "element-wise", in_place, in_place_loops,
           lambda n, rng: (rng.uniform(0, 1, n), rng.uniform(0, 1, n), 10), (4_000, 500_000), 0.0),
    Kernel("jacobi 1-D", "stencil", jacobi_1d, jacobi_1d_loops, _grids(1, 100), (2_000, 400_000),
    0.0),
    Kernel("jacobi 2-D", "stencil", jacobi_2d, jacobi_2d_loops, _grids(2, 20), (100, 1_000), 0.0),
    Kernel("heat 3-D", "stencil", heat_3d, heat_3d_loops, _grids(3, 10), (24, 100), 0.0),
    Kernel("sobel", "stencil", sobel, sobel_loops, lambda n, rng: (rng.uniform(0, 1, (n, n)),),
    (100, 1_000), 0.0),
    Kernel("sum of squares", "reduction", sum_of_squares, sum_of_squares_loops, _vectors(2),
    (4_000, 1_000_000)),
    Kernel("axis sums", "reduction", axis_sums, axis_sums_loops, lambda n, rng: (rng.uniform(0, 1,
    (n, n)),),
           (100, 1_000)),
    Kernel("softmax", "reduction", softmax, softmax_loops,
           lambda n, rng: (rng.standard_normal((n, 256)),), (32, 2_000)),
    Kernel("seidel 2-D", "scalar loops", seidel_2d, None, lambda n, rng: (rng.uniform(0, 1, (n,
    n)), 2),
           (60, 400), 0.0, slow_numpy=True),
    Kernel("pair count", "scalar loops", pair_count, None,
           lambda n, rng: (rng.uniform(0, 1, n), rng.uniform(0, 1, n), 0.1), (200, 1_500), 0.0,
           slow_numpy=True),
    Kernel("mandelbrot", "scalar loops", mandelbrot, None,
           lambda n, rng: (np.zeros((n, n), np.int64), 100), (40, 200), 0.0, slow_numpy=True),
    Kernel("distance matrix", "broadcasting", distances, distances_loops,
           lambda n, rng: (rng.uniform(0, 1, (n, 3)), rng.uniform(0, 1, (n, 3))), (60, 1_000),
           1e-13),
    Kernel("outer sum", "broadcasting", outer_sum, outer_sum_loops,
           lambda n, rng: (rng.uniform(0, 1, n), rng.uniform(0, 1, n)), (60, 1_000), 0.0),
    Kernel("two-layer network", "products", two_layers, None, _layers, (50, 1_000), 1e-10),
]  # fmt: skip


# ------------------------------------------------------ what a call costs, and what a compile costs


def add(a, b):
    return a + b


def first_element(a):
    return a[0]


def source_of(operations: int, tag: int) -> str:
    """A function of that many element-wise operations, another one for each tag."""
    steps = ["v + a", "v * b", "v - c", "v * a", "np.maximum(v, b)"]
    lines = [f"    v = a + {tag}.0"]
    lines += [f"    v = {steps[k % len(steps)]}" for k in range(operations - 1)]
    return "\n".join(["def f(a, b, c):", *lines, "    return v", ""])
