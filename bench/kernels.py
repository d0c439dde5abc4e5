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


def small_matrices(a, b):
    return a @ b


def small_matrices_loops(a, b):
    out = np.empty_like(a)
    for i in range(a.shape[0]):
        for j in range(3):
            for k in range(3):
                out[i, j, k] = a[i, j, 0] * b[i, 0, k] + a[i, j, 1] * b[i, 1, k]
                out[i, j, k] += a[i, j, 2] * b[i, 2, k]
    return out


# ----------------------------------------------------------------------------------------- programs


def black_scholes(spot, strike, years, rate, volatility):
    def normal_cdf(x):
        k = 1.0 / (1.0 + 0.2316419 * np.abs(x))
        series = k * (
            0.319381530
            + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))
        )
        tail = 0.3989422804014327 * np.exp(-0.5 * x * x) * series
        return np.where(x < 0, tail, 1.0 - tail)

    spread = volatility * np.sqrt(years)
    d1 = (np.log(spot / strike) + (rate + 0.5 * volatility**2) * years) / spread
    discounted = strike * np.exp(-rate * years)
    return spot * normal_cdf(d1) - discounted * normal_cdf(d1 - spread)


def black_scholes_loops(spot, strike, years, rate, volatility):
    out = np.empty_like(spot)
    for i in range(spot.shape[0]):
        spread = volatility * math.sqrt(years[i])
        x = (math.log(spot[i] / strike[i]) + (rate + 0.5 * volatility**2) * years[i]) / spread
        factor = spot[i]
        price = 0.0
        for _ in range(2):
            k = 1.0 / (1.0 + 0.2316419 * abs(x))
            series = k * (
                0.319381530
                + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))
            )
            tail = 0.3989422804014327 * math.exp(-0.5 * x * x) * series
            price += factor * (tail if x < 0 else 1.0 - tail)
            factor = -strike[i] * math.exp(-rate * years[i])
            x -= spread
        out[i] = price
    return out


def complex_chain(a, b, c):
    return (a * b + c) * (a - b) + 2.0 * c


def complex_chain_loops(a, b, c):
    out = np.empty_like(a)
    for i in range(a.shape[0]):
        out[i] = (a[i] * b[i] + c[i]) * (a[i] - b[i]) + 2.0 * c[i]
    return out


def _complex_vectors(n: int, rng: np.random.Generator) -> tuple:
    return tuple(rng.uniform(-1, 1, n) + 1j * rng.uniform(-1, 1, n) for _ in range(3))


def mandelbrot_arrays(cr, ci, limit):
    zr = np.zeros_like(cr)
    zi = np.zeros_like(cr)
    count = np.zeros(cr.shape, np.int64)
    for _ in range(limit):
        r2 = zr * zr
        i2 = zi * zi
        inside = r2 + i2 < 4.0
        count += inside
        zr, zi = np.where(inside, r2 - i2 + cr, zr), np.where(inside, 2.0 * zr * zi + ci, zi)
    return count


def mandelbrot_arrays_loops(cr, ci, limit):
    # Stops at each point's own escape, which whole arrays cannot.
    count = np.zeros(cr.shape, np.int64)
    for i in range(cr.shape[0]):
        for j in range(cr.shape[1]):
            zr = 0.0
            zi = 0.0
            k = 0
            while k < limit and zr * zr + zi * zi < 4.0:
                zr, zi = zr * zr - zi * zi + cr[i, j], 2.0 * zr * zi + ci[i, j]
                k += 1
            count[i, j] = k
    return count


def _plane(n: int, rng: np.random.Generator) -> tuple:
    real, imaginary = np.meshgrid(np.linspace(-2, 1, n), np.linspace(-1.5, 1.5, n))
    return real, imaginary, 50


def life(board, generations):
    for _ in range(generations):
        count = (
            board[:-2, :-2] + board[:-2, 1:-1] + board[:-2, 2:]
            + board[1:-1, :-2] + board[1:-1, 2:]
            + board[2:, :-2] + board[2:, 1:-1] + board[2:, 2:]
        )  # fmt: skip
        board[1:-1, 1:-1] = (count == 3) | ((count == 2) & (board[1:-1, 1:-1] == 1))


def life_loops(board, generations):
    # The number of generations is even: the last one stands in the argument.
    current, following = board, board.copy()
    for _ in range(generations):
        for i in range(1, board.shape[0] - 1):
            for j in range(1, board.shape[1] - 1):
                count = (
                    current[i - 1, j - 1] + current[i - 1, j] + current[i - 1, j + 1]
                    + current[i, j - 1] + current[i, j + 1]
                    + current[i + 1, j - 1] + current[i + 1, j] + current[i + 1, j + 1]
                )  # fmt: skip
                following[i, j] = (count == 3) | ((count == 2) & (current[i, j] == 1))
        current, following = following, current


def convolution(image, weights):
    height, width = image.shape[0] - 2, image.shape[1] - 2
    out = np.zeros((height, width))
    for i in range(3):
        for j in range(3):
            out += weights[i, j] * image[i : i + height, j : j + width]
    return out


def convolution_loops(image, weights):
    out = np.empty((image.shape[0] - 2, image.shape[1] - 2))
    a, b, c = weights[0, 0], weights[0, 1], weights[0, 2]
    d, e, f = weights[1, 0], weights[1, 1], weights[1, 2]
    g, h, k = weights[2, 0], weights[2, 1], weights[2, 2]
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = (
                a * image[i, j] + b * image[i, j + 1] + c * image[i, j + 2]
                + d * image[i + 1, j] + e * image[i + 1, j + 1] + f * image[i + 1, j + 2]
                + g * image[i + 2, j] + h * image[i + 2, j + 1] + k * image[i + 2, j + 2]
            )  # fmt: skip
    return out


def moving_average(x, width):
    out = np.zeros(len(x) - width + 1)
    for k in range(width):
        out += x[k : len(x) - width + 1 + k]
    return out / width


def moving_average_loops(x, width):
    out = np.empty(x.shape[0] - width + 1)
    for i in range(out.shape[0]):
        total = 0.0
        for k in range(width):
            total += x[i + k]
        out[i] = total / width
    return out


def layer_norm(x, gain, bias):
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred * centred).mean(axis=-1, keepdims=True)
    return gain * centred / np.sqrt(variance + 1e-5) + bias


def layer_norm_loops(x, gain, bias):
    out = np.empty_like(x)
    n, m = x.shape
    for i in range(n):
        total = 0.0
        for j in range(m):
            total += x[i, j]
        mean = total / m
        squares = 0.0
        for j in range(m):
            squares += (x[i, j] - mean) * (x[i, j] - mean)
        deviation = math.sqrt(squares / m + 1e-5)
        for j in range(m):
            out[i, j] = gain[j] * (x[i, j] - mean) / deviation + bias[j]
    return out


def distances_float32_loops(x, y):
    out = np.empty((x.shape[0], y.shape[0]), np.float32)
    for i in range(x.shape[0]):
        for j in range(y.shape[0]):
            total = np.float32(0)
            for k in range(x.shape[1]):
                total += (x[i, k] - y[j, k]) * (x[i, k] - y[j, k])
            out[i, j] = math.sqrt(total)
    return out


def n_body(position, velocity, mass, dt, steps):
    for _ in range(steps):
        delta = position[None, :, :] - position[:, None, :]
        distance2 = (delta * delta).sum(axis=2) + 0.01
        strength = mass / (distance2 * np.sqrt(distance2))
        velocity += dt * (strength[:, :, None] * delta).sum(axis=1)
        position += dt * velocity


def n_body_loops(position, velocity, mass, dt, steps):
    n = position.shape[0]
    for _ in range(steps):
        for i in range(n):
            ax = ay = az = 0.0
            for j in range(n):
                dx = position[j, 0] - position[i, 0]
                dy = position[j, 1] - position[i, 1]
                dz = position[j, 2] - position[i, 2]
                distance2 = dx * dx + dy * dy + dz * dz + 0.01
                strength = mass[j] / (distance2 * math.sqrt(distance2))
                ax += strength * dx
                ay += strength * dy
                az += strength * dz
            velocity[i, 0] += dt * ax
            velocity[i, 1] += dt * ay
            velocity[i, 2] += dt * az
        for i in range(n):
            for k in range(3):
                position[i, k] += dt * velocity[i, k]


def _bodies(n: int, rng: np.random.Generator) -> tuple:
    # So short a step that thousands of calls leave the bodies about where they are.
    return rng.standard_normal((n, 3)), np.zeros((n, 3)), np.full(n, 1.0 / n), 1e-6, 4


def floyd_warshall(distance):
    for k in range(len(distance)):
        distance = np.minimum(distance, distance[:, k, None] + distance[None, k, :])
    return distance


def floyd_warshall_loops(distance):
    distance = distance.copy()
    n = distance.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                distance[i, j] = min(distance[i, j], distance[i, k] + distance[k, j])
    return distance


def lu(a):
    a = a.copy()
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]
    return a


def gauss_seidel(a, b, x, sweeps):
    for _ in range(sweeps):
        for i in range(len(b)):
            x[i] += (b[i] - a[i] @ x) / a[i, i]


def gauss_seidel_loops(a, b, x, sweeps):
    n = b.shape[0]
    for _ in range(sweeps):
        for i in range(n):
            total = 0.0
            for j in range(n):
                total += a[i, j] * x[j]
            x[i] += (b[i] - total) / a[i, i]


def _dominant(n: int, rng: np.random.Generator) -> np.ndarray:
    return rng.uniform(0, 1, (n, n)) + n * np.eye(n)


def levenshtein(a, b):
    previous = np.arange(len(b) + 1)
    current = np.zeros(len(b) + 1, np.int64)
    for i in range(len(a)):
        current[0] = i + 1
        for j in range(len(b)):
            change = previous[j] + (a[i] != b[j])
            current[j + 1] = min(change, min(previous[j + 1], current[j]) + 1)
        previous, current = current, previous
    return previous[-1]


def recurrence(a, b):
    out = np.empty_like(a)
    out[0] = b[0]
    for i in range(1, len(a)):
        out[i] = a[i] * out[i - 1] + b[i]
    return out


def histogram(x, bins):
    counts = np.zeros(bins, np.int64)
    for i in range(len(x)):
        counts[int(x[i] * bins)] += 1
    return counts


def thomas(lower, diagonal, upper, right):
    n = len(diagonal)
    c = np.empty(n)
    x = np.empty(n)
    c[0] = upper[0] / diagonal[0]
    x[0] = right[0] / diagonal[0]
    for i in range(1, n):
        m = diagonal[i] - lower[i] * c[i - 1]
        c[i] = upper[i] / m
        x[i] = (right[i] - lower[i] * x[i - 1]) / m
    for i in range(n - 2, -1, -1):
        x[i] -= c[i] * x[i + 1]
    return x


# ---------------------------------------------------------------------------------------- recursion


def fft(x):
    n = x.shape[0]
    if n == 1:
        return x
    even = fft(x[::2])
    odd = np.exp(-2j * np.pi * np.arange(n // 2) / n) * fft(x[1::2])
    return np.concatenate((even + odd, even - odd))


def merge_sort(a):
    n = a.shape[0]
    if n < 2:
        return a
    left, right = merge_sort(a[: n // 2]), merge_sort(a[n // 2 :])
    out = np.empty(n)
    i = j = 0
    for k in range(n):
        if j == right.shape[0] or (i < left.shape[0] and left[i] <= right[j]):
            out[k] = left[i]
            i += 1
        else:
            out[k] = right[j]
            j += 1
    return out


def _tridiagonal(n: int, rng: np.random.Generator) -> tuple:
    lower, upper, right = rng.uniform(0, 1, (3, n))
    return lower, rng.uniform(3, 4, n), upper, right


def _options(n: int, rng: np.random.Generator) -> tuple:
    return rng.uniform(80, 120, n), rng.uniform(80, 120, n), rng.uniform(0.1, 2, n), 0.03, 0.2


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
    Kernel("black-scholes", "element-wise", black_scholes, black_scholes_loops, _options,
           (4_000, 300_000), 1e-11),
    Kernel("complex chain", "element-wise", complex_chain, complex_chain_loops, _complex_vectors,
           (2_000, 300_000), 1e-14),
    Kernel("mandelbrot by arrays", "element-wise", mandelbrot_arrays, mandelbrot_arrays_loops,
           _plane, (60, 400), 0.0),
    Kernel("jacobi 1-D", "stencil", jacobi_1d, jacobi_1d_loops, _grids(1, 100), (2_000, 400_000),
    0.0),
    Kernel("jacobi 2-D", "stencil", jacobi_2d, jacobi_2d_loops, _grids(2, 20), (100, 1_000), 0.0),
    Kernel("heat 3-D", "stencil", heat_3d, heat_3d_loops, _grids(3, 10), (24, 100), 0.0),
    Kernel("sobel", "stencil", sobel, sobel_loops, lambda n, rng: (rng.uniform(0, 1, (n, n)),),
    (100, 1_000), 0.0),
    Kernel("game of life", "stencil", life, life_loops,
           lambda n, rng: ((rng.uniform(0, 1, (n, n)) < 0.4).astype(np.uint8), 10),
           (100, 1_000), 0.0),
    Kernel("convolution 3x3", "stencil", convolution, convolution_loops,
           lambda n, rng: (rng.uniform(0, 1, (n, n)), rng.uniform(-1, 1, (3, 3))),
           (100, 1_000), 0.0),
    Kernel("moving average", "stencil", moving_average, moving_average_loops,
           lambda n, rng: (rng.uniform(0, 1, n), 8), (4_000, 500_000), 0.0),
    Kernel("sum of squares", "reduction", sum_of_squares, sum_of_squares_loops, _vectors(2),
    (4_000, 1_000_000)),
    Kernel("axis sums", "reduction", axis_sums, axis_sums_loops, lambda n, rng: (rng.uniform(0, 1,
    (n, n)),),
           (100, 1_000)),
    Kernel("softmax", "reduction", softmax, softmax_loops,
           lambda n, rng: (rng.standard_normal((n, 256)),), (32, 2_000)),
    Kernel("layer norm", "reduction", layer_norm, layer_norm_loops,
           lambda n, rng: (rng.standard_normal((n, 256)), *rng.uniform(0, 1, (2, 256))),
           (32, 2_000)),
    Kernel("seidel 2-D", "scalar loops", seidel_2d, None, lambda n, rng: (rng.uniform(0, 1, (n,
    n)), 2),
           (60, 400), 0.0, slow_numpy=True),
    Kernel("pair count", "scalar loops", pair_count, None,
           lambda n, rng: (rng.uniform(0, 1, n), rng.uniform(0, 1, n), 0.1), (200, 1_500), 0.0,
           slow_numpy=True),
    Kernel("mandelbrot", "scalar loops", mandelbrot, None,
           lambda n, rng: (np.zeros((n, n), np.int64), 100), (40, 200), 0.0, slow_numpy=True),
    Kernel("LU", "scalar loops", lu, None, lambda n, rng: (_dominant(n, rng),), (30, 150), 0.0,
           slow_numpy=True),
    Kernel("levenshtein", "scalar loops", levenshtein, None,
           lambda n, rng: (rng.integers(0, 4, n), rng.integers(0, 4, n)), (60, 800), 0.0,
           slow_numpy=True),
    Kernel("recurrence", "scalar loops", recurrence, None,
           lambda n, rng: (rng.uniform(-1, 1, n), rng.uniform(0, 1, n)), (2_000, 300_000), 0.0,
           slow_numpy=True),
    Kernel("histogram", "scalar loops", histogram, None, lambda n, rng: (rng.uniform(0, 1, n), 64),
           (2_000, 300_000), 0.0, slow_numpy=True),
    Kernel("thomas", "scalar loops", thomas, None, _tridiagonal, (2_000, 300_000), 0.0,
           slow_numpy=True),
    Kernel("distance matrix", "broadcasting", distances, distances_loops,
           lambda n, rng: (rng.uniform(0, 1, (n, 3)), rng.uniform(0, 1, (n, 3))), (60, 1_000),
           1e-13),
    Kernel("outer sum", "broadcasting", outer_sum, outer_sum_loops,
           lambda n, rng: (rng.uniform(0, 1, n), rng.uniform(0, 1, n)), (60, 1_000), 0.0),
    Kernel("n-body", "broadcasting", n_body, n_body_loops, _bodies, (40, 400)),
    Kernel("distances float32", "broadcasting", distances, distances_float32_loops,
           lambda n, rng: tuple(rng.uniform(0, 1, (2, n, 3)).astype(np.float32)),
           (60, 1_000), 1e-6),
    Kernel("floyd-warshall", "broadcasting", floyd_warshall, floyd_warshall_loops,
           lambda n, rng: (rng.uniform(0, 1, (n, n)),), (40, 250), 0.0),
    Kernel("two-layer network", "products", two_layers, None, _layers, (50, 1_000), 1e-10),
    Kernel("small matrices", "products", small_matrices, small_matrices_loops,
           lambda n, rng: tuple(rng.standard_normal((2, n, 3, 3))), (100, 10_000)),
    Kernel("gauss-seidel", "products", gauss_seidel, gauss_seidel_loops,
           lambda n, rng: (_dominant(n, rng), rng.uniform(0, 1, n), np.zeros(n), 3), (60, 800)),
    Kernel("fft by halves", "recursion", fft, None,
           lambda n, rng: (rng.standard_normal(n) + 1j * rng.standard_normal(n),),
           (1_024, 65_536), 1e-10, slow_numpy=True),
    Kernel("merge sort", "recursion", merge_sort, None,
           lambda n, rng: (rng.uniform(0, 1, n),), (1_000, 100_000), 0.0, slow_numpy=True),
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
