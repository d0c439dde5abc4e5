"""Ports of filters of images."""

from __future__ import annotations

import math

import numpy as np

from bench.peers.loops.registry import port, prange


@port("sobel")
def sobel(image):
    n, m = image.shape
    out = np.empty((n - 2, m - 2), image.dtype)
    for i in prange(n - 2):
        for j in range(m - 2):
            gx = (
                (image[i, j + 2] - image[i, j])
                + 2.0 * (image[i + 1, j + 2] - image[i + 1, j])
                + (image[i + 2, j + 2] - image[i + 2, j])
            )
            gy = (
                (image[i + 2, j] - image[i, j])
                + 2.0 * (image[i + 2, j + 1] - image[i, j + 1])
                + (image[i + 2, j + 2] - image[i, j + 2])
            )
            out[i, j] = math.sqrt(gx * gx + gy * gy)
    return out


@port("convolution 3x3")
def convolution(image, weights):
    out = np.empty((image.shape[0] - 2, image.shape[1] - 2), image.dtype)
    a, b, c = weights[0, 0], weights[0, 1], weights[0, 2]
    d, e, f = weights[1, 0], weights[1, 1], weights[1, 2]
    g, h, k = weights[2, 0], weights[2, 1], weights[2, 2]
    for i in prange(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = (
                a * image[i, j] + b * image[i, j + 1] + c * image[i, j + 2]
                + d * image[i + 1, j] + e * image[i + 1, j + 1] + f * image[i + 1, j + 2]
                + g * image[i + 2, j] + h * image[i + 2, j + 1] + k * image[i + 2, j + 2]
            )  # fmt: skip
    return out


@port("grey")
def grey(image):
    n, m, _ = image.shape
    out = np.empty((n, m), np.uint8)
    for i in prange(n):
        for j in range(m):
            shade = 0.299 * image[i, j, 0] + 0.587 * image[i, j, 1] + 0.114 * image[i, j, 2]
            out[i, j] = np.uint8(min(max(shade + 0.5, 0.0), 255.0))
    return out


@port("separable blur")
def separable_blur(image):
    n, m = image.shape
    out = np.empty((n - 2, m - 2), image.dtype)
    for i in prange(n - 2):
        for j in range(m - 2):
            top = 0.25 * image[i, j] + 0.5 * image[i, j + 1] + 0.25 * image[i, j + 2]
            here = 0.25 * image[i + 1, j] + 0.5 * image[i + 1, j + 1] + 0.25 * image[i + 1, j + 2]
            last = 0.25 * image[i + 2, j] + 0.5 * image[i + 2, j + 1] + 0.25 * image[i + 2, j + 2]
            out[i, j] = 0.25 * top + 0.5 * here + 0.25 * last
    return out


@port("dilate")
def dilate(image):
    n, m = image.shape
    out = np.empty((n - 2, m - 2), image.dtype)
    for i in prange(n - 2):
        for j in range(m - 2):
            top = max(max(image[i, j], image[i, j + 1]), image[i, j + 2])
            here = max(max(image[i + 1, j], image[i + 1, j + 1]), image[i + 1, j + 2])
            last = max(max(image[i + 2, j], image[i + 2, j + 1]), image[i + 2, j + 2])
            out[i, j] = max(max(top, here), last)
    return out


@port("unsharp")
def unsharp(image, amount):
    n, m = image.shape
    out = np.empty_like(image)
    for i in prange(n):
        for j in range(m):
            blurred = image[i, j]
            if 0 < i < n - 1 and 0 < j < m - 1:
                blurred = 0.25 * (
                    image[i - 1, j] + image[i + 1, j] + image[i, j - 1] + image[i, j + 1]
                )
            out[i, j] = min(max(image[i, j] + amount * (image[i, j] - blurred), 0.0), 1.0)
    return out


@port("bilateral")
def bilateral(image, strength):
    out = np.empty((image.shape[0] - 4, image.shape[1] - 4), image.dtype)
    near = np.empty((5, 5), image.dtype)
    for i in range(5):
        for j in range(5):
            near[i, j] = 0.2 * ((i - 2) ** 2 + (j - 2) ** 2)
    for r in prange(out.shape[0]):
        for c in range(out.shape[1]):
            total, weights = 0.0, 0.0
            for i in range(5):
                for j in range(5):
                    shifted = image[r + i, c + j]
                    difference = shifted - image[r + 2, c + 2]
                    w = math.exp(-near[i, j] - strength * difference * difference)
                    total += w * shifted
                    weights += w
            out[r, c] = total / weights
    return out


@port("equalise")
def equalise(image):
    counts = np.zeros(256, np.int64)
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            counts[image[i, j]] += 1
    table = np.empty(256, np.uint8)
    below = 0
    for k in range(256):
        below += counts[k]
        table[k] = np.uint8(255.0 * (below / image.size))
    out = np.empty_like(image)
    for i in prange(image.shape[0]):
        for j in range(image.shape[1]):
            out[i, j] = table[image[i, j]]
    return out
