"""Kernels of what is more than expressions and loops: lists, index arrays, the functions of the
library, linear algebra and random numbers. See kernels.py.
"""

from __future__ import annotations

import numpy as np
import scipy.special as special
from kernels import Kernel, _vectors

# ------------------------------------------------------------------------------------------- lists


def knapsack(weights, values, capacity):
    best = [0] * (capacity + 1)
    for k in range(len(weights)):
        for room in range(capacity, weights[k] - 1, -1):
            best[room] = max(best[room], best[room - weights[k]] + values[k])
    return best[capacity]


def peaks(x, threshold):
    found = []
    for i in range(1, len(x) - 1):
        if x[i] > threshold and x[i - 1] < x[i] >= x[i + 1]:
            found.append(i)
    return np.array(found)


def flood_fill(image):
    image = image.copy()
    stack = [(0, 0)]
    filled = 0
    while len(stack) > 0:
        r, c = stack.pop()
        if 0 <= r < image.shape[0] and 0 <= c < image.shape[1] and image[r, c] == 0:
            image[r, c] = 1
            filled += 1
            stack.append((r + 1, c))
            stack.append((r - 1, c))
            stack.append((r, c + 1))
            stack.append((r, c - 1))
    return filled


# -------------------------------------------------------------------------- index arrays and masks


def gather(x, places):
    return x[places] * 2.0 + x[places + 1]


def masked_update(x, low):
    y = x.copy()
    y[x > low] = 0.0
    return y, x[x < low].sum()


def largest(x, count):
    order = np.argsort(x)
    return x[order[-count:]]


# ------------------------------------------------------------------------------------- the library


def running_statistics(x):
    total = np.cumsum(x)
    return total[-1], np.diff(total), np.maximum.accumulate(x)


def quartiles(x):
    return np.percentile(x, [25.0, 50.0, 75.0])


def interpolate(x, xs, ys):
    return np.interp(x, xs, ys)


def counts(x):
    return np.histogram(x, 64, (0.0, 1.0))[0]


def distinct(x):
    return np.unique(x)


# -------------------------------------------------------------------------------- linear algebra


def small_systems(matrices, rights):
    out = np.empty_like(rights)
    for i in range(len(matrices)):
        out[i] = np.linalg.solve(matrices[i], rights[i])
    return out


def least_squares(a, b):
    return np.linalg.solve(a.T @ a, a.T @ b)


def spectrum(a):
    return np.linalg.eigvalsh(a + a.T)


# ------------------------------------------------------- Fourier transforms, SciPy's functions


def spectral_heat(u, steps, dt):
    k = np.fft.fftfreq(len(u), 1 / len(u))
    decay = np.exp(-dt * k * k)
    for _ in range(steps):
        u = np.fft.ifft(np.fft.fft(u) * decay).real
    return u


def filter_rows(rows, kept):
    out = np.empty_like(rows)
    for i in range(len(rows)):
        s = np.fft.rfft(rows[i])
        s[kept:] = 0.0
        out[i] = np.fft.irfft(s, rows.shape[1])
    return out


def log_likelihood(counts, rate):
    total = 0.0
    for k in counts:
        total += k * np.log(rate) - rate - special.gammaln(k + 1.0)
    return total


def error_functions(x):
    return special.erf(x) * 0.5 + special.gammaln(x + 1.0)


# ------------------------------------------------------------------------------- random numbers


def monte_carlo_pi(draws):
    rng = np.random.default_rng(7)
    inside = 0
    for _ in range(draws):
        x, y = rng.random(), rng.random()
        inside += x * x + y * y < 1.0
    return 4.0 * inside / draws


def random_walk(steps):
    rng = np.random.default_rng(7)
    place = 0.0
    highest = 0.0
    for _ in range(steps):
        place += rng.normal()
        highest = max(highest, place)
    return highest


def _systems(n: int, rng: np.random.Generator) -> tuple:
    matrices = rng.uniform(0, 1, (n, 4, 4)) + 4 * np.eye(4)
    return matrices, rng.uniform(0, 1, (n, 4))


def _line(n: int, rng: np.random.Generator) -> tuple:
    xs = np.sort(rng.uniform(0, 1, 1000))
    return rng.uniform(0, 1, n), xs, np.sin(xs)


LIBRARY_KERNELS = [
    Kernel("knapsack", "lists", knapsack, None,
           lambda n, rng: (rng.integers(1, 20, 20), rng.integers(1, 30, 20), n),
           (500, 20_000), 0.0, slow_numpy=True),
    Kernel("peaks", "lists", peaks, None, lambda n, rng: (rng.uniform(0, 1, n), 0.5),
           (1_000, 300_000), 0.0, slow_numpy=True),
    Kernel("flood fill", "lists", flood_fill, None,
           lambda n, rng: (np.zeros((n, n), dtype=np.int64),), (20, 400), 0.0, slow_numpy=True),
    Kernel("gather", "indexing", gather, None,
           lambda n, rng: (rng.uniform(0, 1, n), rng.integers(0, n - 1, n)),
           (1_000, 1_000_000), 0.0),
    Kernel("masked update", "indexing", masked_update, None,
           lambda n, rng: (rng.uniform(0, 1, n), 0.5), (1_000, 1_000_000)),
    Kernel("largest by argsort", "indexing", largest, None,
           lambda n, rng: (rng.uniform(0, 1, n), 10), (1_000, 300_000), 0.0),
    Kernel("running statistics", "library", running_statistics, None, _vectors(1),
           (1_000, 1_000_000)),
    Kernel("quartiles", "library", quartiles, None, _vectors(1), (1_000, 300_000)),
    Kernel("interp", "library", interpolate, None, _line, (1_000, 300_000)),
    Kernel("np.histogram", "library", counts, None, _vectors(1), (1_000, 1_000_000), 0.0),
    Kernel("unique", "library", distinct, None,
           lambda n, rng: (rng.integers(0, n // 2, n),), (1_000, 300_000), 0.0),
    Kernel("4x4 systems", "linear algebra", small_systems, None, _systems, (100, 10_000)),
    Kernel("least squares", "linear algebra", least_squares, None,
           lambda n, rng: (rng.uniform(0, 1, (n, 8)), rng.uniform(0, 1, n)),
           (100, 100_000), 1e-10),
    Kernel("eigenvalues", "linear algebra", spectrum, None,
           lambda n, rng: (rng.uniform(0, 1, (n, n)),), (8, 100), 1e-10),
    Kernel("spectral heat", "fft", spectral_heat, None,
           lambda n, rng: (rng.uniform(0, 1, n), 50, 1e-4), (128, 16_384)),
    Kernel("filter of rows", "fft", filter_rows, None,
           lambda n, rng: (rng.uniform(0, 1, (n, 64)), 10), (100, 10_000), 0.0),
    Kernel("log likelihood", "special", log_likelihood, None,
           lambda n, rng: (rng.poisson(5.0, n).astype(float), 4.5),
           (1_000, 300_000), slow_numpy=True),
    Kernel("erf and gammaln", "special", error_functions, None, _vectors(1), (1_000, 300_000)),
    Kernel("monte carlo pi", "random", monte_carlo_pi, None, lambda n, rng: (n,),
           (1_000, 1_000_000), 0.0, slow_numpy=True),
    Kernel("random walk", "random", random_walk, None, lambda n, rng: (n,),
           (1_000, 1_000_000), 0.0, slow_numpy=True),
]  # fmt: skip
