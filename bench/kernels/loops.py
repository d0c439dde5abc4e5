"""Loops over scalars: recurrences, triangular loops, conditions on data, recursion."""

from __future__ import annotations

from functools import partial

import numpy as np

from bench.kernel import Kernel, none, square, uniform, vectors


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


def lu(a):
    a = a.copy()
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]
    return a


def cholesky(a):
    a = a.copy()
    n = a.shape[0]
    for i in range(n):
        for j in range(i):
            for k in range(j):
                a[i, j] -= a[i, k] * a[j, k]
            a[i, j] /= a[j, j]
        for k in range(i):
            a[i, i] -= a[i, k] * a[i, k]
        a[i, i] = np.sqrt(a[i, i])
    return a


def forward_substitution(a, b):
    x = b.copy()
    n = len(b)
    for i in range(n):
        for j in range(i):
            x[i] -= a[i, j] * x[j]
        x[i] /= a[i, i]
    return x


def triangular_sums(x):
    n = len(x)
    out = np.zeros((n, n), x.dtype)
    for i in range(n):
        for j in range(i + 1):
            out[i, j] = x[i] * x[j] + abs(x[i] - x[j])
    return out


def durbin(r):
    n = len(r)
    y = np.zeros_like(r)
    z = np.empty_like(r)
    alpha = -r[0]
    beta = r[0] * 0.0 + 1.0
    y[0] = -r[0]
    for k in range(1, n):
        beta *= 1.0 - alpha * alpha
        total = r[k]
        for i in range(k):
            total += r[k - i - 1] * y[i]
        alpha = -total / beta
        for i in range(k):
            z[i] = y[i] + alpha * y[k - i - 1]
        for i in range(k):
            y[i] = z[i]
        y[k] = alpha
    return y


def recurrence(a, b):
    out = np.empty_like(a)
    out[0] = b[0]
    for i in range(1, len(a)):
        out[i] = a[i] * out[i - 1] + b[i]
    return out


def thomas(lower, diagonal, upper, right):
    n = len(diagonal)
    c = np.empty_like(diagonal)
    x = np.empty_like(diagonal)
    c[0] = upper[0] / diagonal[0]
    x[0] = right[0] / diagonal[0]
    for i in range(1, n):
        m = diagonal[i] - lower[i] * c[i - 1]
        c[i] = upper[i] / m
        x[i] = (right[i] - lower[i] * x[i - 1]) / m
    for i in range(n - 2, -1, -1):
        x[i] -= c[i] * x[i + 1]
    return x


def histogram(x, bins):
    counts = np.zeros(bins, np.int64)
    for i in range(len(x)):
        counts[int(x[i] * bins)] += 1
    return counts


def sieve(n):
    prime = np.ones(n, dtype=np.bool_)
    prime[:2] = False
    i = 2
    while i * i < n:
        if prime[i]:
            for j in range(i * i, n, i):
                prime[j] = False
        i += 1
    return prime.sum()


def collatz(n):
    longest = 0
    for start in range(1, n):
        value = start
        length = 1
        while value != 1:
            value = value // 2 if value % 2 == 0 else 3 * value + 1
            length += 1
        longest = max(longest, length)
    return longest


def kalman(measured, q, r):
    out = np.empty_like(measured)
    estimate = measured[0]
    error = measured[0] * 0.0 + 1.0
    for i in range(len(measured)):
        error = error + q
        gain = error / (error + r)
        estimate = estimate + gain * (measured[i] - estimate)
        error = (1.0 - gain) * error
        out[i] = estimate
    return out


def fft(x):
    n = x.shape[0]
    if n == 1:
        return x
    even = fft(x[::2])
    odd = np.exp(-2j * np.pi * np.arange(n // 2) / n) * fft(x[1::2])
    return np.concatenate((even + odd, even - odd))


def _dominant(n, rng, dtype):
    return square(rng, n, dtype) + n * np.eye(n, dtype=dtype)


def _tridiagonal(n, rng, dtype):
    lower, upper, right = uniform(rng, (3, n), dtype, 0, 1)
    return lower, uniform(rng, n, dtype, 3, 4), upper, right


def _definite(n, rng, dtype):
    a = rng.uniform(0, 1, (n, n))
    return ((a + a.T + 2 * n * np.eye(n)).astype(dtype),)


def _counts(n, rng, dtype):
    return (n,)


kernel = partial(Kernel, kind="scalar loops", slow_numpy=True, tolerance=0.0)

KERNELS = [
    kernel("seidel 2-D", plain=seidel_2d,
           arguments=lambda n, rng, dtype: (square(rng, n, dtype), 2), sizes=(60, 400, 1_200),
           items=lambda n: 4 * n * n, flops=lambda n: 18 * n * n, changes=(0,)),
    kernel("pair count", plain=pair_count,
           arguments=lambda n, rng, dtype: (*uniform(rng, (2, n), dtype, 0, 1), 0.1),
           sizes=(200, 1_000, 2_500), items=lambda n: 2 * n, flops=lambda n: 6 * n * n),
    kernel("mandelbrot", plain=mandelbrot,
           arguments=lambda n, rng, dtype: (np.zeros((n, n), np.int64), 100), sizes=(40, 200, 500),
           items=none, flops=none, dtypes=("float64",), changes=(0,)),
    kernel("LU", plain=lu, arguments=lambda n, rng, dtype: (_dominant(n, rng, dtype),),
           sizes=(30, 120, 300), items=lambda n: 2 * n * n, flops=lambda n: 2 * n**3 / 3),
    kernel("cholesky", plain=cholesky, arguments=_definite, sizes=(30, 150, 350),
           items=lambda n: 2 * n * n, flops=lambda n: n**3 / 3),
    kernel("forward substitution", plain=forward_substitution,
           arguments=lambda n, rng, dtype: (_dominant(n, rng, dtype), uniform(rng, n, dtype)),
           sizes=(60, 500, 3_000), items=lambda n: n * n / 2, flops=lambda n: n * n),
    kernel("triangular sums", plain=triangular_sums, arguments=vectors(1), sizes=(60, 500, 2_500),
           items=lambda n: n * n, flops=lambda n: 2 * n * n),
    kernel("durbin", plain=durbin, arguments=vectors(1, 0.0, 0.01), sizes=(60, 500, 2_000),
           items=lambda n: 2 * n, flops=lambda n: 2 * n * n, tolerance=1e-12),
    kernel("recurrence", plain=recurrence,
           arguments=lambda n, rng, dtype: (uniform(rng, n, dtype, -1, 1), uniform(rng, n, dtype)),
           sizes=(2_000, 300_000, 16_000_000), items=lambda n: 3 * n, flops=lambda n: 2 * n),
    kernel("thomas", plain=thomas, arguments=_tridiagonal, sizes=(2_000, 200_000, 5_000_000),
           items=lambda n: 8 * n, flops=lambda n: 8 * n),
    kernel("histogram", plain=histogram,
           arguments=lambda n, rng, dtype: (uniform(rng, n, dtype, 0, 1), 64),
           sizes=(2_000, 300_000, 16_000_000), items=lambda n: n, flops=lambda n: n),
    kernel("sieve", plain=sieve, arguments=_counts, sizes=(10_000, 1_000_000, 20_000_000),
           items=none, flops=none, dtypes=("int64",), tiny=100),
    kernel("collatz", plain=collatz, arguments=_counts, sizes=(1_000, 30_000, 200_000),
           items=none, flops=none, dtypes=("int64",)),
    kernel("kalman", plain=kalman,
           arguments=lambda n, rng, dtype: (uniform(rng, n, dtype), 1e-3, 0.1),
           sizes=(2_000, 200_000, 8_000_000), items=lambda n: 2 * n, flops=lambda n: 7 * n),
    kernel("fft by halves", plain=fft,
           arguments=lambda n, rng, dtype: (rng.standard_normal(n) + 1j * rng.standard_normal(n),),
           sizes=(1_024, 65_536, 1_048_576), items=lambda n: 4 * n,
           flops=lambda n: 5 * n * np.log2(max(n, 2)), tolerance=1e-10, dtypes=("float64",),
           tiny=32),
]  # fmt: skip
