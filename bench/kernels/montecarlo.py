"""Random numbers, drawn in the function or before it."""

from __future__ import annotations

from functools import partial

import numpy as np

from bench.kernel import Kernel, none, normal, uniform


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


def pi_by_arrays(draws):
    rng = np.random.default_rng(7)
    x = rng.random(draws)
    y = rng.random(draws)
    return 4.0 * (x * x + y * y < 1.0).sum() / draws


def asian_option(noise, start, strike, drift, spread):
    paths, days = noise.shape
    price = np.full(paths, start, noise.dtype)
    total = np.zeros(paths, noise.dtype)
    for day in range(days):
        price = price * np.exp(drift + spread * noise[:, day])
        total += price
    return np.maximum(total / days - strike, 0.0).mean()


def ising(spins, uniforms, beta):
    n, m = spins.shape
    for i in range(n):
        for j in range(m):
            around = (
                spins[(i + 1) % n, j] + spins[i - 1, j] + spins[i, (j + 1) % m] + spins[i, j - 1]
            )
            if uniforms[i, j] < np.exp(-2.0 * beta * spins[i, j] * around):
                spins[i, j] = -spins[i, j]


def bootstrap(x, picks):
    means = np.empty(len(picks), x.dtype)
    for k in range(len(picks)):
        means[k] = x[picks[k]].mean()
    return means.std()


def _noise(n, rng, dtype):
    return normal(rng, (n, 64), dtype), 100.0, 100.0, 1e-4, 0.02


def _spins(n, rng, dtype):
    return rng.choice([-1.0, 1.0], (n, n)).astype(dtype), uniform(rng, (n, n), dtype, 0, 1), 0.44


def _picks(n, rng, dtype):
    return uniform(rng, n, dtype), rng.integers(0, n, (100, n))


kernel = partial(Kernel, kind="monte carlo", items=none, flops=none, tiny=100)

KERNELS = [
    kernel("monte carlo pi", plain=monte_carlo_pi, arguments=lambda n, rng, dtype: (n,),
           sizes=(1_000, 300_000, 3_000_000), tolerance=0.0, dtypes=("float64",), slow_numpy=True),
    kernel("pi by arrays", plain=pi_by_arrays, arguments=lambda n, rng, dtype: (n,),
           sizes=(4_000, 400_000, 24_000_000), tolerance=0.0, dtypes=("float64",)),
    kernel("random walk", plain=random_walk, arguments=lambda n, rng, dtype: (n,),
           sizes=(1_000, 300_000, 3_000_000), tolerance=0.0, dtypes=("float64",), slow_numpy=True),
    kernel("asian option", plain=asian_option, arguments=_noise, sizes=(100, 10_000, 600_000),
           items=lambda n: 64 * n, flops=lambda n: 320 * n, tolerance=1e-11),
    kernel("ising", plain=ising, arguments=_spins, sizes=(40, 300, 1_000), changes=(0,),
           items=lambda n: 3 * n * n, tolerance=0.0, slow_numpy=True, tiny=12),
    kernel("bootstrap", plain=bootstrap, arguments=_picks, sizes=(200, 10_000, 200_000),
           items=lambda n: 200 * n),
]  # fmt: skip
