"""Complex numbers."""

from __future__ import annotations

from functools import partial

import numpy as np

from bench.kernel import Kernel, uniform


def complex_chain(a, b, c):
    return (a * b + c) * (a - b) + 2.0 * c


def impedances(a, b, c):
    return 1.0 / (1.0 / a + 1.0 / b) + c / (a + b)


def phasors(amplitude, phase):
    return np.abs(amplitude * np.exp(1j * phase) + 0.5)


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


def julia(out, c, limit):
    n, m = out.shape
    for i in range(n):
        for j in range(m):
            z = complex(3.0 * j / m - 1.5, 3.0 * i / n - 1.5)
            k = 0
            while k < limit and z.real * z.real + z.imag * z.imag < 4.0:
                z = z * z + c
                k += 1
            out[i, j] = k


def _complex(count):
    def make(n, rng, dtype):
        parts = uniform(rng, (count, 2, n), dtype, 0.2, 1.0)
        return tuple(real + 1j * imaginary for real, imaginary in parts)

    return make


def _plane(n, rng, dtype):
    real, imaginary = np.meshgrid(np.linspace(-2, 1, n), np.linspace(-1.5, 1.5, n))
    return real.astype(dtype), imaginary.astype(dtype), 50


kernel = partial(Kernel, kind="complex", tiny=50)

KERNELS = [
    kernel("complex chain", plain=complex_chain, arguments=_complex(3),
           sizes=(2_000, 200_000, 12_000_000), items=lambda n: 8 * n, flops=lambda n: 20 * n,
           tolerance=1e-14, streaming=True),
    kernel("impedances", plain=impedances, arguments=_complex(3),
           sizes=(2_000, 200_000, 6_000_000), items=lambda n: 8 * n, flops=lambda n: 50 * n,
           tolerance=1e-14),
    kernel("phasors", plain=phasors,
           arguments=lambda n, rng, dtype: tuple(uniform(rng, (2, n), dtype)),
           sizes=(2_000, 200_000, 6_000_000), items=lambda n: 3 * n, flops=lambda n: 10 * n,
           tolerance=1e-14),
    kernel("mandelbrot by arrays", plain=mandelbrot_arrays, arguments=_plane,
           sizes=(60, 400, 2_000), items=lambda n: 3 * n * n, flops=lambda n: 0, tolerance=0.0),
    kernel("julia", plain=julia,
           arguments=lambda n, rng, dtype: (np.zeros((n, n), np.int64), -0.8 + 0.156j, 60),
           sizes=(30, 150, 400), items=lambda n: 0, flops=lambda n: 0, tolerance=0.0,
           dtypes=("float64",), changes=(0,), slow_numpy=True, tiny=12),
]  # fmt: skip
