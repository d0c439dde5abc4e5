"""Ports of loops over scalars whose iterations are independent, of indexing, and of the library."""

from __future__ import annotations

import math

import numpy as np

from bench.peers.loops.registry import port, prange


@port("pair count")
def pair_count(x, y, radius):
    count = 0
    for i in prange(x.shape[0]):
        for j in range(x.shape[0]):
            dx, dy = x[i] - x[j], y[i] - y[j]
            count += dx * dx + dy * dy < radius * radius
    return count


@port("mandelbrot")
def mandelbrot(out, limit):
    n, m = out.shape
    for i in prange(n):
        for j in range(m):
            cr = -2.0 + 3.0 * j / m
            ci = -1.5 + 3.0 * i / n
            zr = 0.0
            zi = 0.0
            k = 0
            while k < limit and zr * zr + zi * zi < 4.0:
                zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
                k += 1
            out[i, j] = k


@port("LU")
def lu(a):
    a = a.copy()
    n = a.shape[0]
    for k in range(n):
        for i in prange(k + 1, n):
            factor = a[i, k] / a[k, k]
            a[i, k] = factor
            for j in range(k + 1, n):
                a[i, j] -= factor * a[k, j]
    return a


@port("triangular sums")
def triangular_sums(x):
    n = x.shape[0]
    out = np.zeros((n, n), x.dtype)
    for i in prange(n):
        for j in range(i + 1):
            out[i, j] = x[i] * x[j] + abs(x[i] - x[j])
    return out


@port("collatz")
def collatz(n):
    longest = 0
    for start in prange(1, n):
        value = start
        length = 1
        while value != 1:
            # A shift: // of signed numbers costs Numba a branch.
            value = value >> 1 if value & 1 == 0 else 3 * value + 1
            length += 1
        longest = max(longest, length)
    return longest


@port("viterbi")
def viterbi(start, moves, emitted):
    length, states = emitted.shape
    score = start + emitted[0]
    following = np.empty_like(score)
    back = np.zeros((length, states), np.int64)
    for t in range(1, length):
        for j in range(states):
            best, place = score[0] + moves[0, j], 0
            for i in range(1, states):
                option = score[i] + moves[i, j]
                if option > best:
                    best, place = option, i
            back[t, j] = place
            following[j] = best + emitted[t, j]
        score, following = following, score
    path = np.zeros(length, np.int64)
    path[length - 1] = np.argmax(score)
    for t in range(length - 1, 0, -1):
        path[t - 1] = back[t, path[t]]
    return path


@port("gather")
def gather(x, places):
    out = np.empty(places.shape[0], x.dtype)
    for i in prange(places.shape[0]):
        out[i] = x[places[i]] * 2.0 + x[places[i] + 1]
    return out


@port("masked update")
def masked_update(x, low):
    y = np.empty_like(x)
    total = np.float64(0)
    for i in prange(x.shape[0]):
        v = x[i]
        y[i] = 0.0 if v > low else v
        total += v if v < low else 0.0
    return y, total


@port("compress")
def compress(x, low):
    kept = np.empty_like(x)
    count = 0
    for i in range(x.shape[0]):
        kept[count] = x[i] * 2.0
        count += (x[i] > low) & (x[i] < 1.5 * low)
    return kept[:count].copy()


@port("scatter add")
def scatter_add(places, weights, bins):
    out = np.zeros(bins, weights.dtype)
    for i in range(places.shape[0]):
        out[places[i]] += weights[i]
    return out


@port("sparse product")
def sparse_product(starts, columns, values, x):
    out = np.zeros(starts.shape[0] - 1, x.dtype)
    for row in prange(out.shape[0]):
        total = 0.0
        for k in range(starts[row], starts[row + 1]):
            total += values[k] * x[columns[k]]
        out[row] = total
    return out


@port("running statistics")
def running_statistics(x):
    n = x.shape[0]
    # Differences of the sums, rounded as they are.
    differences, highest = np.empty(n - 1, x.dtype), np.empty_like(x)
    total, top = x[0], x[0]
    highest[0] = top
    for i in range(1, n):
        following = total + x[i]
        differences[i - 1] = following - total
        total = following
        top = max(top, x[i])
        highest[i] = top
    return total, differences, highest


@port("np.histogram")
def counts(x):
    out = np.zeros(64, np.int64)
    for i in range(x.shape[0]):
        if 0.0 <= x[i] <= 1.0:
            out[min(int(x[i] * 64.0), 63)] += 1
    return out


@port("log likelihood")
def log_likelihood(counts, rate):
    total, log_rate = 0.0, math.log(rate)
    for i in range(counts.shape[0]):
        total += counts[i] * log_rate - rate - math.lgamma(counts[i] + 1.0)
    return total


@port("erf and gammaln")
def error_functions(x):
    out = np.empty_like(x)
    for i in prange(x.shape[0]):
        out[i] = math.erf(x[i]) * 0.5 + math.lgamma(x[i] + 1.0)
    return out


@port("median of rows")
def median_of_rows(x):
    out = np.empty(x.shape[0], x.dtype)
    for i in prange(x.shape[0]):
        out[i] = np.median(x[i])
    return out
