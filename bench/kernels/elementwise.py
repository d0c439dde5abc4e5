"""Expressions over whole arrays."""

from __future__ import annotations

from functools import partial

import numpy as np

from bench.kernel import Kernel, normal, uniform, vectors


def copy(a):
    return a.copy()


def triad(a, b):
    return a + 3.0 * b


def chain(a, b, c):
    return 2.0 * a * b + (a - c) / (b + 1.5) - 0.5 * c * c


def transcendental(a, b):
    return np.exp(-a * a) * np.log1p(b) + np.tanh(a - b)


def select(a, low, high):
    scaled = np.where(a > 0, a * high, a * low)
    return np.minimum(np.maximum(scaled, low), high) + np.abs(a)


def in_place(a, b, n):
    # Converges to a = 1: many calls on the same arrays lead neither to infinity nor to denormals.
    for _ in range(n):
        a += 0.5 * b
        a *= 0.6
        b -= 0.1 * (a - 1.0)


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


def polynomial(x):
    return ((((((0.1 * x - 0.7) * x + 1.3) * x - 0.2) * x + 2.0) * x - 1.1) * x + 0.4) * x + 1.0


def gelu(x):
    return 0.5 * x * (1.0 + np.tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))


def powers(x):
    return x**2 + x**0.5 - 2.0 * x**3 + x**1.7


def great_circle(latitude_1, longitude_1, latitude_2, longitude_2):
    a = (
        np.sin((latitude_2 - latitude_1) / 2.0) ** 2
        + np.cos(latitude_1) * np.cos(latitude_2) * np.sin((longitude_2 - longitude_1) / 2.0) ** 2
    )
    return 2.0 * np.arctan2(np.sqrt(a), np.sqrt(1.0 - a))


def bit_hash(x):
    x = x ^ (x << 13)
    x = x ^ (x >> 7)
    x = x ^ (x << 17)
    return x & 1023


def to_physical(raw, gain, offset):
    return np.maximum(raw.astype(np.float32) * gain + offset, 0.0)


def rotate(x, y, z, angle):
    c, s = np.cos(angle), np.sin(angle)
    return c * x - s * y, s * x + c * y, z * 1.0


def _options(n, rng, dtype):
    spot, strike = uniform(rng, (2, n), dtype, 80, 120)
    return spot, strike, uniform(rng, n, dtype, 0.1, 2), 0.03, 0.2


def _hashed(n, rng, dtype):
    return (rng.integers(0, 2**63, n, dtype=np.uint64),)


def _raw(n, rng, dtype):
    return rng.integers(-2000, 2000, n).astype(np.int16), 0.25, 17.5


kernel = partial(Kernel, kind="element-wise", tiny=100)
STREAM = (4_000, 400_000, 24_000_000)

KERNELS = [
    kernel("copy", plain=copy, arguments=vectors(1), sizes=(8_000, 800_000, 40_000_000),
           items=lambda n: 2 * n, flops=lambda n: 0, tolerance=0.0, streaming=True),
    kernel("triad", plain=triad, arguments=vectors(2), sizes=STREAM,
           items=lambda n: 3 * n, flops=lambda n: 2 * n, tolerance=0.0, streaming=True),
    kernel("arithmetic chain", plain=chain, arguments=vectors(3), sizes=STREAM,
           items=lambda n: 4 * n, flops=lambda n: 9 * n, tolerance=0.0, streaming=True),
    kernel("transcendental chain", plain=transcendental, arguments=vectors(2),
           sizes=(4_000, 300_000, 12_000_000), items=lambda n: 3 * n, flops=lambda n: 7 * n,
           tolerance=1e-13),
    kernel("where and clip", plain=select,
           arguments=lambda n, rng, dtype: (normal(rng, n, dtype), -0.7, 1.3),
           sizes=(8_000, 600_000, 40_000_000), items=lambda n: 2 * n, flops=lambda n: 7 * n,
           tolerance=0.0, streaming=True),
    kernel("in-place updates", plain=in_place,
           arguments=lambda n, rng, dtype: (*uniform(rng, (2, n), dtype, 0, 1), 10),
           sizes=(4_000, 500_000, 24_000_000), items=lambda n: 4 * n, flops=lambda n: 60 * n,
           tolerance=0.0, changes=(0, 1)),
    kernel("black-scholes", plain=black_scholes, arguments=_options,
           sizes=(4_000, 300_000, 12_000_000), items=lambda n: 4 * n, flops=lambda n: 45 * n,
           tolerance=1e-11),
    kernel("polynomial", plain=polynomial, arguments=vectors(1, -1.0, 1.0),
           sizes=(8_000, 800_000, 40_000_000), items=lambda n: 2 * n, flops=lambda n: 14 * n,
           tolerance=0.0, streaming=True),
    kernel("gelu", plain=gelu, arguments=vectors(1, -3.0, 3.0), sizes=(4_000, 400_000, 24_000_000),
           items=lambda n: 2 * n, flops=lambda n: 9 * n, tolerance=1e-14),
    kernel("powers", plain=powers, arguments=vectors(1), sizes=(4_000, 300_000, 12_000_000),
           items=lambda n: 2 * n, flops=lambda n: 8 * n, tolerance=1e-14),
    kernel("great circle", plain=great_circle, arguments=vectors(4, -1.5, 1.5),
           sizes=(2_000, 200_000, 8_000_000), items=lambda n: 5 * n, flops=lambda n: 18 * n,
           tolerance=1e-13),
    kernel("bit hash", plain=bit_hash, arguments=_hashed, sizes=(8_000, 600_000, 40_000_000),
           items=lambda n: 2 * n, flops=lambda n: 7 * n, tolerance=0.0, dtypes=("uint64",),
           streaming=True),
    kernel("raw to physical", plain=to_physical, arguments=_raw,
           sizes=(16_000, 1_000_000, 60_000_000), items=lambda n: 3 * n, flops=lambda n: 3 * n,
           tolerance=0.0, dtypes=("int16",), streaming=True),
    kernel("rotation", plain=rotate,
           arguments=lambda n, rng, dtype: (*uniform(rng, (3, n), dtype), 0.3), sizes=STREAM,
           items=lambda n: 6 * n, flops=lambda n: 7 * n, tolerance=0.0, streaming=True),
]  # fmt: skip
