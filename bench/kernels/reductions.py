"""Sums, minima and maxima, and normalisation by them, over every axis."""

from __future__ import annotations

from functools import partial

import numpy as np

from bench.kernel import Kernel, normal, square, uniform, vectors


def sum_of_squares(a, b):
    return ((a - b) * (a - b)).sum()


def axis_sums(a):
    return a.sum(axis=0), a.sum(axis=1), a.mean(), a.max(axis=1)


def middle_axis(x):
    return x.sum(axis=1), x.min(axis=(0, 2))


def extremes(x):
    return x.min(), x.max(), x.argmax()


def in_range(x, low, high):
    return ((x > low) & (x < high)).sum(), np.any(x > 9.0), np.all(x > -9.0)


def softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def log_sum_exp(x):
    top = x.max(axis=0)
    return top + np.log(np.exp(x - top).sum(axis=0))


def layer_norm(x, gain, bias):
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred * centred).mean(axis=-1, keepdims=True)
    return gain * centred / np.sqrt(variance + 1e-5) + bias


def standardise(x):
    return (x - x.mean(axis=0)) / x.std(axis=0)


def cosine_similarity(a, b):
    return (a * b).sum(axis=1) / np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))


def cross_entropy(logits, labels):
    top = logits.max(axis=1, keepdims=True)
    shifted = logits - top
    normaliser = np.log(np.exp(shifted).sum(axis=1))
    return (normaliser - shifted[np.arange(len(labels)), labels]).mean()


def _rows(width):
    return lambda n, rng, dtype: (normal(rng, (n, width), dtype),)


def _normalised(n, rng, dtype):
    return normal(rng, (n, 256), dtype), *uniform(rng, (2, 256), dtype, 0, 1)


def _labelled(n, rng, dtype):
    return normal(rng, (n, 100), dtype), rng.integers(0, 100, n)


kernel = partial(Kernel, kind="reduction")

KERNELS = [
    kernel("sum of squares", plain=sum_of_squares, arguments=vectors(2),
           sizes=(8_000, 600_000, 32_000_000), items=lambda n: 2 * n, flops=lambda n: 4 * n,
           streaming=True, tiny=100),
    kernel("axis sums", plain=axis_sums, arguments=lambda n, rng, dtype: (square(rng, n, dtype),),
           sizes=(100, 1_000, 7_000), items=lambda n: n * n, flops=lambda n: 4 * n * n,
           streaming=True),
    kernel("middle axis", plain=middle_axis,
           arguments=lambda n, rng, dtype: (normal(rng, (n, 32, 32), dtype),),
           sizes=(16, 1_000, 40_000), items=lambda n: 1024 * n, flops=lambda n: 2048 * n,
           streaming=True),
    kernel("extremes", plain=extremes, arguments=vectors(1), sizes=(8_000, 800_000, 50_000_000),
           items=lambda n: n, flops=lambda n: 3 * n, tolerance=0.0, streaming=True, tiny=100),
    kernel("count in range", plain=in_range,
           arguments=lambda n, rng, dtype: (normal(rng, n, dtype), -0.5, 1.0),
           sizes=(8_000, 800_000, 50_000_000), items=lambda n: n, flops=lambda n: 6 * n,
           tolerance=0.0, streaming=True, tiny=100),
    kernel("softmax", plain=softmax, arguments=_rows(256), sizes=(32, 2_000, 80_000),
           items=lambda n: 512 * n, flops=lambda n: 5 * 256 * n),
    kernel("log-sum-exp", plain=log_sum_exp, arguments=_rows(256), sizes=(32, 2_000, 80_000),
           items=lambda n: 256 * n, flops=lambda n: 4 * 256 * n),
    kernel("layer norm", plain=layer_norm, arguments=_normalised, sizes=(32, 2_000, 80_000),
           items=lambda n: 512 * n, flops=lambda n: 8 * 256 * n),
    kernel("standardise", plain=standardise, arguments=_rows(64), sizes=(100, 8_000, 400_000),
           items=lambda n: 128 * n, flops=lambda n: 6 * 64 * n),
    kernel("cosine similarity", plain=cosine_similarity,
           arguments=lambda n, rng, dtype: tuple(normal(rng, (2, n, 128), dtype)),
           sizes=(32, 2_000, 150_000), items=lambda n: 256 * n, flops=lambda n: 6 * 128 * n,
           streaming=True),
    kernel("cross entropy", plain=cross_entropy, arguments=_labelled, sizes=(80, 5_000, 300_000),
           items=lambda n: 100 * n, flops=lambda n: 400 * n),
]  # fmt: skip
