"""Dynamic programming, lists and stacks."""

from __future__ import annotations

from functools import partial

import numpy as np

from bench.kernel import Kernel, none, uniform


def levenshtein(a, b):
    previous = np.arange(len(b) + 1)
    current = np.zeros(len(b) + 1, np.int64)
    for i in range(len(a)):
        current[0] = i + 1
        for j in range(len(b)):
            change = previous[j] + (a[i] != b[j])
            current[j + 1] = min(change, min(previous[j + 1], current[j]) + 1)
        previous, current = current, previous
    return previous[-1]


def common_subsequence(a, b):
    best = np.zeros((len(a) + 1, len(b) + 1), np.int64)
    for i in range(len(a)):
        for j in range(len(b)):
            if a[i] == b[j]:
                best[i + 1, j + 1] = best[i, j] + 1
            else:
                best[i + 1, j + 1] = max(best[i, j + 1], best[i + 1, j])
    return best[-1, -1]


def smith_waterman(a, b, gap):
    score = np.zeros((len(a) + 1, len(b) + 1), np.int64)
    highest = 0
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            match = 2 if a[i - 1] == b[j - 1] else -1
            best = max(0, score[i - 1, j - 1] + match)
            best = max(best, score[i - 1, j] - gap, score[i, j - 1] - gap)
            score[i, j] = best
            highest = max(highest, best)
    return highest


def time_warp(x, y):
    cost = np.full((len(x) + 1, len(y) + 1), np.inf, x.dtype)
    cost[0, 0] = 0.0
    for i in range(len(x)):
        for j in range(len(y)):
            step = min(cost[i, j], cost[i, j + 1], cost[i + 1, j])
            cost[i + 1, j + 1] = abs(x[i] - y[j]) + step
    return cost[-1, -1]


def viterbi(start, moves, emitted):
    score = start + emitted[0]
    back = np.zeros(emitted.shape, np.int64)
    for t in range(1, len(emitted)):
        options = score[:, None] + moves
        back[t] = options.argmax(axis=0)
        score = options.max(axis=0) + emitted[t]
    path = np.zeros(len(emitted), np.int64)
    path[-1] = score.argmax()
    for t in range(len(emitted) - 1, 0, -1):
        path[t - 1] = back[t, path[t]]
    return path


def knapsack(weights, values, capacity):
    best = [0] * (capacity + 1)
    for k in range(len(weights)):
        for room in range(capacity, weights[k] - 1, -1):
            best[room] = max(best[room], best[room - weights[k]] + values[k])
    return best[capacity]


def peaks(x, threshold):
    found = []
    for i in range(1, len(x) - 1):
        if x[i] > threshold and x[i - 1] < x[i] >= x[i + 1]:
            found.append(i)
    return np.array(found)


def flood_fill(image):
    image = image.copy()
    stack = [(0, 0)]
    filled = 0
    while len(stack) > 0:
        r, c = stack.pop()
        if 0 <= r < image.shape[0] and 0 <= c < image.shape[1] and image[r, c] == 0:
            image[r, c] = 1
            filled += 1
            stack.append((r + 1, c))
            stack.append((r - 1, c))
            stack.append((r, c + 1))
            stack.append((r, c - 1))
    return filled


def _letters(n, rng, dtype):
    return rng.integers(0, 4, n), rng.integers(0, 4, n)


def _states(n, rng, dtype):
    return uniform(rng, 16, dtype), uniform(rng, (16, 16), dtype), uniform(rng, (n, 16), dtype)


def _things(n, rng, dtype):
    return rng.integers(1, 20, 20), rng.integers(1, 30, 20), n


kernel = partial(Kernel, kind="dynamic programming", slow_numpy=True, tolerance=0.0,
                 dtypes=("int64",), items=none, flops=lambda n: 4 * n * n)  # fmt: skip

KERNELS = [
    kernel("levenshtein", plain=levenshtein, arguments=_letters, sizes=(60, 600, 2_000)),
    kernel("common subsequence", plain=common_subsequence, arguments=_letters,
           sizes=(60, 600, 2_000)),
    kernel("smith-waterman", plain=smith_waterman,
           arguments=lambda n, rng, dtype: (*_letters(n, rng, dtype), 1), sizes=(60, 500, 1_500)),
    kernel("time warp", plain=time_warp,
           arguments=lambda n, rng, dtype: tuple(uniform(rng, (2, n), dtype)),
           sizes=(60, 500, 1_500), dtypes=("float64", "float32")),
    kernel("viterbi", plain=viterbi, arguments=_states, sizes=(50, 2_000, 50_000),
           flops=lambda n: 512 * n, dtypes=("float64", "float32"), slow_numpy=False),
    kernel("knapsack", plain=knapsack, arguments=_things, sizes=(500, 20_000, 200_000),
           flops=lambda n: 40 * n),
    kernel("peaks", plain=peaks,
           arguments=lambda n, rng, dtype: (uniform(rng, n, dtype, 0, 1), 0.5),
           sizes=(1_000, 300_000, 10_000_000), flops=lambda n: 3 * n,
           dtypes=("float64", "float32")),
    kernel("flood fill", plain=flood_fill,
           arguments=lambda n, rng, dtype: (np.zeros((n, n), dtype=np.int64),),
           sizes=(20, 250, 800), flops=none),
]  # fmt: skip
