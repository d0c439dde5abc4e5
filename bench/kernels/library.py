"""Functions of the library: running and sorted statistics, transforms, SciPy's functions."""

from __future__ import annotations

from functools import partial

import numpy as np
import scipy.special as special

from bench.kernel import Kernel, none, uniform, vectors


def running_statistics(x):
    total = np.cumsum(x)
    return total[-1], np.diff(total), np.maximum.accumulate(x)


def quartiles(x):
    return np.percentile(x, [25.0, 50.0, 75.0])


def median_of_rows(x):
    return np.median(x, axis=1)


def interpolate(x, xs, ys):
    return np.interp(x, xs, ys)


def counts(x):
    return np.histogram(x, 64, (0.0, 1.0))[0]


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


def _line(n, rng, dtype):
    xs = np.sort(uniform(rng, 1000, dtype, 0, 1))
    return uniform(rng, n, dtype, 0, 1), xs, np.sin(xs)


kernel = partial(Kernel, kind="library", items=none, flops=none, tiny=100)
in_double = partial(kernel, dtypes=("float64",))

KERNELS = [
    kernel("running statistics", plain=running_statistics, arguments=vectors(1),
           sizes=(2_000, 300_000, 16_000_000), items=lambda n: 4 * n),
    kernel("quartiles", plain=quartiles, arguments=vectors(1), sizes=(1_000, 300_000, 8_000_000)),
    kernel("median of rows", plain=median_of_rows,
           arguments=lambda n, rng, dtype: (uniform(rng, (n, 25), dtype),),
           sizes=(60, 10_000, 500_000), tolerance=0.0),
    kernel("interp", plain=interpolate, arguments=_line, sizes=(1_000, 300_000, 8_000_000)),
    kernel("np.histogram", plain=counts, arguments=vectors(1), sizes=(1_000, 300_000, 16_000_000),
           tolerance=0.0),
    in_double("spectral heat", plain=spectral_heat,
              arguments=lambda n, rng, dtype: (rng.uniform(0, 1, n), 20, 1e-4),
              sizes=(128, 16_384, 524_288), tiny=64),
    in_double("filter of rows", plain=filter_rows,
              arguments=lambda n, rng, dtype: (rng.uniform(0, 1, (n, 64)), 10),
              sizes=(100, 5_000, 100_000), tolerance=1e-14, tiny=10),
    in_double("log likelihood", plain=log_likelihood,
              arguments=lambda n, rng, dtype: (rng.poisson(5.0, n).astype(float), 4.5),
              sizes=(1_000, 200_000, 3_000_000), slow_numpy=True),
    kernel("erf and gammaln", plain=error_functions, arguments=vectors(1),
           sizes=(1_000, 200_000, 8_000_000), items=lambda n: 2 * n),
]  # fmt: skip
