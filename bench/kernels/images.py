"""Filters of images."""

from __future__ import annotations

from functools import partial

import numpy as np

from bench.kernel import Kernel, square, uniform


def sobel(image):
    across = image[:, 2:] - image[:, :-2]
    along = image[2:] - image[:-2]
    gx = across[:-2] + 2 * across[1:-1] + across[2:]
    gy = along[:, :-2] + 2 * along[:, 1:-1] + along[:, 2:]
    return np.sqrt(gx * gx + gy * gy)


def convolution(image, weights):
    height, width = image.shape[0] - 2, image.shape[1] - 2
    out = np.zeros((height, width), image.dtype)
    for i in range(3):
        for j in range(3):
            out += weights[i, j] * image[i : i + height, j : j + width]
    return out


def grey(image):
    shades = 0.299 * image[:, :, 0] + 0.587 * image[:, :, 1] + 0.114 * image[:, :, 2]
    return np.clip(shades + 0.5, 0.0, 255.0).astype(np.uint8)


def separable_blur(image):
    rows = 0.25 * image[:, :-2] + 0.5 * image[:, 1:-1] + 0.25 * image[:, 2:]
    return 0.25 * rows[:-2] + 0.5 * rows[1:-1] + 0.25 * rows[2:]


def dilate(image):
    rows = np.maximum(np.maximum(image[:, :-2], image[:, 1:-1]), image[:, 2:])
    return np.maximum(np.maximum(rows[:-2], rows[1:-1]), rows[2:])


def unsharp(image, amount):
    blurred = image.copy()
    blurred[1:-1, 1:-1] = 0.25 * (image[:-2, 1:-1] + image[2:, 1:-1] + image[1:-1, :-2]
                                  + image[1:-1, 2:])  # fmt: skip
    return np.clip(image + amount * (image - blurred), 0.0, 1.0)


def bilateral(image, strength):
    height, width = image.shape[0] - 4, image.shape[1] - 4
    centre = image[2:-2, 2:-2]
    total = np.zeros_like(centre)
    weights = np.zeros_like(centre)
    for i in range(5):
        for j in range(5):
            shifted = image[i : i + height, j : j + width]
            difference = shifted - centre
            w = np.exp(-0.2 * ((i - 2) ** 2 + (j - 2) ** 2) - strength * difference * difference)
            total += w * shifted
            weights += w
    return total / weights


def equalise(image):
    counts = np.bincount(image.ravel(), minlength=256)
    share = np.cumsum(counts) / image.size
    return (255.0 * share).astype(np.uint8)[image]


def _image(n, rng, dtype):
    return (square(rng, n, dtype),)


def _bytes(n, rng, dtype):
    return (rng.integers(0, 256, (n, n), dtype=np.uint8),)


def _colours(n, rng, dtype):
    return (rng.integers(0, 256, (n, n, 3), dtype=np.uint8),)


kernel = partial(Kernel, kind="image", sizes=(100, 900, 6_000), arguments=_image)

KERNELS = [
    kernel("sobel", plain=sobel, items=lambda n: 2 * n * n, flops=lambda n: 12 * n * n,
           tolerance=0.0),
    kernel("convolution 3x3", plain=convolution,
           arguments=lambda n, rng, dtype: (square(rng, n, dtype),
                                            uniform(rng, (3, 3), dtype, -1, 1)),
           items=lambda n: 2 * n * n, flops=lambda n: 17 * n * n, tolerance=0.0),
    kernel("grey", plain=grey, arguments=_colours, sizes=(150, 1_500, 7_000),
           items=lambda n: 4 * n * n, flops=lambda n: 8 * n * n, tolerance=0.0, dtypes=("uint8",)),
    kernel("separable blur", plain=separable_blur, items=lambda n: 2 * n * n,
           flops=lambda n: 10 * n * n, tolerance=0.0),
    kernel("dilate", plain=dilate, arguments=_bytes, sizes=(200, 2_000, 18_000),
           items=lambda n: 2 * n * n, flops=lambda n: 4 * n * n, tolerance=0.0, dtypes=("uint8",)),
    kernel("unsharp", plain=unsharp,
           arguments=lambda n, rng, dtype: (square(rng, n, dtype), 0.7),
           items=lambda n: 2 * n * n, flops=lambda n: 9 * n * n, tolerance=0.0),
    kernel("bilateral", plain=bilateral,
           arguments=lambda n, rng, dtype: (square(rng, n, dtype), 4.0),
           sizes=(60, 400, 2_500), items=lambda n: 2 * n * n, flops=lambda n: 200 * n * n,
           tolerance=1e-14),
    kernel("equalise", plain=equalise, arguments=_bytes, sizes=(200, 2_000, 8_000),
           items=lambda n: 3 * n * n, flops=lambda n: n * n, tolerance=0.0, dtypes=("uint8",)),
]  # fmt: skip
