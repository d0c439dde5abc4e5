"""Matrix products, small and large, and the linear algebra and networks made of them."""

from __future__ import annotations

from functools import partial

import numpy as np

from bench.kernel import Kernel, none, normal, square, uniform


def product(a, b):
    return a @ b


def matrix_vector(a, x, y):
    return 1.5 * (a @ x) + 0.5 * y


def atax(a, x):
    return (a @ x) @ a


def attention(q, k, v):
    scores = q @ k.T / np.sqrt(q.shape[1]).astype(q.dtype)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return (weights / weights.sum(axis=1, keepdims=True)) @ v


def two_layers(x, w1, b1, w2, b2):
    hidden = np.maximum(x @ w1 + b1, 0.0)
    return hidden @ w2 + b2


def conjugate_gradient(a, b, steps):
    x = np.zeros_like(b)
    r = b - a @ x
    p = r.copy()
    rr = r @ r
    for _ in range(steps):
        ap = a @ p
        alpha = rr / (p @ ap)
        x += alpha * p
        r -= alpha * ap
        following = r @ r
        p = r + (following / rr) * p
        rr = following
    return x


def gauss_seidel(a, b, x, sweeps):
    for _ in range(sweeps):
        for i in range(len(b)):
            x[i] += (b[i] - a[i] @ x) / a[i, i]


def covariance(x):
    centred = x - x.mean(axis=0)
    return centred.T @ centred / (len(x) - 1.0)


def small_systems(matrices, rights):
    out = np.empty_like(rights)
    for i in range(len(matrices)):
        out[i] = np.linalg.solve(matrices[i], rights[i])
    return out


def least_squares(a, b):
    return np.linalg.solve(a.T @ a, a.T @ b)


def spectrum(a):
    return np.linalg.eigvalsh(a + a.T)


def rotate_points(rotations, points):
    out = np.empty_like(points)
    for i in range(len(points)):
        out[i] = rotations[i] @ points[i]
    return out


def _layers(n, rng, dtype):
    shapes = ((n, 64), (64, 128), 128, (128, 16), 16)
    return tuple(normal(rng, shape, dtype) for shape in shapes)


def _dominant(n, rng, dtype):
    return square(rng, n, dtype) + n * np.eye(n, dtype=dtype)


def _definite(n, rng, dtype):
    a = rng.uniform(0, 1, (n, n))
    return (a + a.T + 2 * n * np.eye(n)).astype(dtype), uniform(rng, n, dtype), 10


def _systems(n, rng, dtype):
    matrices = uniform(rng, (n, 4, 4), dtype, 0, 1) + 4 * np.eye(4, dtype=dtype)
    return matrices, uniform(rng, (n, 4), dtype, 0, 1)


def _sweeps(n, rng, dtype):
    return _dominant(n, rng, dtype), uniform(rng, n, dtype, 0, 1), np.zeros(n, dtype), 3


kernel = partial(Kernel, kind="products", tolerance=1e-11)

KERNELS = [
    kernel("matrix product", plain=product,
           arguments=lambda n, rng, dtype: tuple(normal(rng, (2, n, n), dtype)),
           sizes=(32, 400, 2_000), items=lambda n: 3 * n * n, flops=lambda n: 2 * n**3),
    kernel("small matrices", plain=product,
           arguments=lambda n, rng, dtype: tuple(normal(rng, (2, n, 3, 3), dtype)),
           sizes=(100, 20_000, 1_000_000), items=lambda n: 27 * n, flops=lambda n: 45 * n),
    kernel("matrix vector", plain=matrix_vector,
           arguments=lambda n, rng, dtype: (normal(rng, (n, n), dtype),
                                            *normal(rng, (2, n), dtype)),
           sizes=(60, 1_000, 7_000), items=lambda n: n * n, flops=lambda n: 2 * n * n,
           streaming=True),
    kernel("atax", plain=atax,
           arguments=lambda n, rng, dtype: (normal(rng, (n, n), dtype), normal(rng, n, dtype)),
           sizes=(60, 1_000, 6_000), items=lambda n: 2 * n * n, flops=lambda n: 4 * n * n),
    kernel("attention", plain=attention,
           arguments=lambda n, rng, dtype: tuple(normal(rng, (3, n, 64), dtype)),
           sizes=(32, 400, 3_000), items=lambda n: 256 * n, flops=lambda n: 262 * n * n),
    kernel("two-layer network", plain=two_layers, arguments=_layers, sizes=(50, 1_000, 100_000),
           items=lambda n: 80 * n, flops=lambda n: 2 * 64 * 128 * n + 2 * 128 * 16 * n),
    kernel("conjugate gradient", plain=conjugate_gradient, arguments=_definite,
           sizes=(60, 800, 5_000), items=lambda n: 10 * n * n, flops=lambda n: 20 * n * n,
           tolerance=1e-10),
    kernel("gauss-seidel", plain=gauss_seidel, arguments=_sweeps, sizes=(60, 700, 5_000),
           items=lambda n: 3 * n * n, flops=lambda n: 6 * n * n, changes=(2,)),
    kernel("covariance", plain=covariance,
           arguments=lambda n, rng, dtype: (normal(rng, (n, 32), dtype),),
           sizes=(60, 20_000, 1_000_000), items=lambda n: 32 * n, flops=lambda n: 2048 * n),
    kernel("4x4 systems", plain=small_systems, arguments=_systems, sizes=(100, 5_000, 100_000),
           items=lambda n: 24 * n, flops=lambda n: 80 * n),
    kernel("rotated points", plain=rotate_points,
           arguments=lambda n, rng, dtype: (normal(rng, (n, 3, 3), dtype),
                                            normal(rng, (n, 3), dtype)),
           sizes=(100, 10_000, 500_000), items=lambda n: 15 * n, flops=lambda n: 15 * n),
    kernel("least squares", plain=least_squares,
           arguments=lambda n, rng, dtype: (uniform(rng, (n, 8), dtype, 0, 1),
                                            uniform(rng, n, dtype, 0, 1)),
           sizes=(100, 50_000, 4_000_000), items=lambda n: 9 * n, flops=lambda n: 144 * n,
           tolerance=1e-10),
    kernel("eigenvalues", plain=spectrum,
           arguments=lambda n, rng, dtype: (square(rng, n, dtype),), sizes=(8, 100, 400),
           items=none, flops=none, tolerance=1e-10),
]  # fmt: skip
