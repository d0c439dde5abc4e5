"""Arrays of different ranks in one expression."""

from __future__ import annotations

from functools import partial

import numpy as np

from bench.kernel import Kernel, normal, square, uniform, vectors


def distances(x, y):
    return np.sqrt(((x[:, None, :] - y[None, :, :]) ** 2).sum(axis=2))


def outer_sum(a, b):
    return a[:, None] * b[None, :] + a[:, None] - b


def radial_kernel(x, gamma):
    squares = (x * x).sum(axis=1)
    return np.exp(-gamma * (squares[:, None] + squares[None, :] - 2.0 * (x @ x.T)))


def n_body(position, velocity, mass, dt, steps):
    for _ in range(steps):
        delta = position[None, :, :] - position[:, None, :]
        distance2 = (delta * delta).sum(axis=2) + 0.01
        strength = mass / (distance2 * np.sqrt(distance2))
        velocity += dt * (strength[:, :, None] * delta).sum(axis=1)
        position += dt * velocity


def floyd_warshall(distance):
    for k in range(len(distance)):
        distance = np.minimum(distance, distance[:, k, None] + distance[None, k, :])
    return distance


def _bodies(n, rng, dtype):
    # The step is so short that thousands of calls hardly move the bodies.
    velocity, mass = np.zeros((n, 3), dtype), np.full(n, 1.0 / n, dtype)
    return normal(rng, (n, 3), dtype), velocity, mass, 1e-6, 4


kernel = partial(Kernel, kind="broadcasting")

KERNELS = [
    kernel("distance matrix", plain=distances,
           arguments=lambda n, rng, dtype: tuple(uniform(rng, (2, n, 3), dtype, 0, 1)),
           sizes=(60, 700, 4_000), items=lambda n: n * n, flops=lambda n: 9 * n * n,
           tolerance=1e-13),
    kernel("outer sum", plain=outer_sum, arguments=vectors(2), sizes=(100, 1_000, 6_000),
           items=lambda n: n * n, flops=lambda n: 3 * n * n, tolerance=0.0, streaming=True),
    kernel("radial kernel", plain=radial_kernel,
           arguments=lambda n, rng, dtype: (normal(rng, (n, 16), dtype), 0.1),
           sizes=(60, 700, 4_000), items=lambda n: n * n, flops=lambda n: 37 * n * n),
    kernel("n-body", plain=n_body, arguments=_bodies, sizes=(40, 400, 1_500),
           items=lambda n: 12 * n, flops=lambda n: 80 * n * n, changes=(0, 1)),
    kernel("floyd-warshall", plain=floyd_warshall,
           arguments=lambda n, rng, dtype: (square(rng, n, dtype),), sizes=(40, 250, 800),
           items=lambda n: 2 * n * n, flops=lambda n: 2 * n**3, tolerance=0.0),
]  # fmt: skip
