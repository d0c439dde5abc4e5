"""Ports of reductions, products and Monte Carlo. Sums of long arrays are kept in float64."""

from __future__ import annotations

import math

import numpy as np

from bench.peers.loops.registry import port, prange, real


@port("sum of squares")
def sum_of_squares(a, b):
    total = np.float64(0)
    for i in prange(a.shape[0]):
        total += (a[i] - b[i]) * (a[i] - b[i])
    return total


@port("axis sums")
def axis_sums(a):
    n, m = a.shape
    columns, rows, largest = np.zeros(m, a.dtype), np.zeros(n, a.dtype), np.empty(n, a.dtype)
    total = np.float64(0)
    for i in range(n):
        top = a[i, 0]
        row = 0.0
        for j in range(m):
            columns[j] += a[i, j]
            row += a[i, j]
            top = max(top, a[i, j])
        rows[i] = row
        largest[i] = top
        total += row
    return columns, rows, total / a.size, largest


@port("middle axis")
def middle_axis(x):
    n, m, p = x.shape
    sums = np.zeros((n, p), x.dtype)
    least = x[0, :, 0].copy()
    for i in range(n):
        for j in range(m):
            low = least[j]
            for k in range(p):
                sums[i, k] += x[i, j, k]
                low = min(low, x[i, j, k])
            least[j] = low
    return sums, least


@port("extremes")
def extremes(x):
    low, high, place = x[0], x[0], 0
    for i in range(x.shape[0]):
        low = min(low, x[i])
        if x[i] > high:
            high, place = x[i], i
    return low, high, place


@port("count in range")
def in_range(x, low, high):
    count, above, inside = 0, 0, 0
    for i in prange(x.shape[0]):
        count += (x[i] > low) & (x[i] < high)
        above += x[i] > 9.0
        inside += x[i] > -9.0
    return count, above > 0, inside == x.shape[0]


@port("softmax")
def softmax(x):
    out = np.empty_like(x)
    for i in prange(x.shape[0]):
        top = x[i, 0]
        for j in range(x.shape[1]):
            top = max(top, x[i, j])
        total = 0.0
        for j in range(x.shape[1]):
            out[i, j] = math.exp(x[i, j] - top)
            total += out[i, j]
        for j in range(x.shape[1]):
            out[i, j] /= total
    return out


@port("log-sum-exp")
def log_sum_exp(x):
    n, m = x.shape
    top = x[0].copy()
    total = np.zeros(m, x.dtype)
    for i in range(n):
        for j in range(m):
            top[j] = max(top[j], x[i, j])
    for i in range(n):
        for j in range(m):
            total[j] += math.exp(x[i, j] - top[j])
    for j in range(m):
        total[j] = top[j] + math.log(total[j])
    return total


@port("layer norm")
def layer_norm(x, gain, bias):
    out = np.empty_like(x)
    n, m = x.shape
    for i in prange(n):
        total = 0.0
        for j in range(m):
            total += x[i, j]
        mean = total / real(m)
        squares = 0.0
        for j in range(m):
            squares += (x[i, j] - mean) * (x[i, j] - mean)
        deviation = math.sqrt(squares / real(m) + 1e-5)
        for j in range(m):
            out[i, j] = gain[j] * (x[i, j] - mean) / deviation + bias[j]
    return out


@port("standardise")
def standardise(x):
    n, m = x.shape
    mean, deviation, out = np.zeros(m, x.dtype), np.zeros(m, x.dtype), np.empty_like(x)
    for i in range(n):
        for j in range(m):
            mean[j] += x[i, j]
    for j in range(m):
        mean[j] /= real(n)
    for i in range(n):
        for j in range(m):
            deviation[j] += (x[i, j] - mean[j]) * (x[i, j] - mean[j])
    for j in range(m):
        deviation[j] = math.sqrt(deviation[j] / real(n))
    for i in prange(n):
        for j in range(m):
            out[i, j] = (x[i, j] - mean[j]) / deviation[j]
    return out


@port("cosine similarity")
def cosine_similarity(a, b):
    out = np.empty(a.shape[0], a.dtype)
    for i in prange(a.shape[0]):
        ab, aa, bb = 0.0, 0.0, 0.0
        for j in range(a.shape[1]):
            ab += a[i, j] * b[i, j]
            aa += a[i, j] * a[i, j]
            bb += b[i, j] * b[i, j]
        out[i] = ab / math.sqrt(aa * bb)
    return out


@port("cross entropy")
def cross_entropy(logits, labels):
    total = np.float64(0)
    n, m = logits.shape
    for i in prange(n):
        top = logits[i, 0]
        for j in range(m):
            top = max(top, logits[i, j])
        row = 0.0
        for j in range(m):
            row += math.exp(logits[i, j] - top)
        total += math.log(row) - (logits[i, labels[i]] - top)
    return total / n


@port("small matrices")
def small_matrices(a, b):
    out = np.empty_like(a)
    for i in prange(a.shape[0]):
        for j in range(3):
            for k in range(3):
                first = a[i, j, 0] * b[i, 0, k] + a[i, j, 1] * b[i, 1, k]
                out[i, j, k] = first + a[i, j, 2] * b[i, 2, k]
    return out


@port("rotated points")
def rotate_points(rotations, points):
    out = np.empty_like(points)
    for i in prange(points.shape[0]):
        for j in range(3):
            first = rotations[i, j, 0] * points[i, 0] + rotations[i, j, 1] * points[i, 1]
            out[i, j] = first + rotations[i, j, 2] * points[i, 2]
    return out


@port("4x4 systems")
def small_systems(matrices, rights):
    # Elimination with pivots by hand: a call of LAPACK costs more than the system.
    out = rights.copy()
    for s in prange(matrices.shape[0]):
        a = matrices[s].copy()
        for k in range(4):
            pivot = k
            for i in range(k + 1, 4):
                if abs(a[i, k]) > abs(a[pivot, k]):
                    pivot = i
            for j in range(4):
                a[k, j], a[pivot, j] = a[pivot, j], a[k, j]
            out[s, k], out[s, pivot] = out[s, pivot], out[s, k]
            for i in range(k + 1, 4):
                factor = a[i, k] / a[k, k]
                for j in range(k + 1, 4):
                    a[i, j] -= factor * a[k, j]
                out[s, i] -= factor * out[s, k]
        for k in range(3, -1, -1):
            for j in range(k + 1, 4):
                out[s, k] -= a[k, j] * out[s, j]
            out[s, k] /= a[k, k]
    return out


@port("gauss-seidel")
def gauss_seidel(a, b, x, sweeps):
    n = b.shape[0]
    for _ in range(sweeps):
        for i in range(n):
            total = 0.0
            for j in range(n):
                total += a[i, j] * x[j]
            x[i] += (b[i] - total) / a[i, i]


@port("asian option")
def asian_option(noise, start, strike, drift, spread):
    paths, days = noise.shape
    payoff = np.float64(0)
    for i in prange(paths):
        price, total = real(start), 0.0
        for day in range(days):
            price *= math.exp(drift + spread * noise[i, day])
            total += price
        payoff += max(total / real(days) - strike, 0.0)
    return payoff / paths


@port("bootstrap")
def bootstrap(x, picks):
    means = np.empty(picks.shape[0], x.dtype)
    for k in prange(picks.shape[0]):
        total = np.float64(0)
        for i in range(picks.shape[1]):
            total += x[picks[k, i]]
        means[k] = total / picks.shape[1]
    return means.std()


@port("sort of rows")
def sort_rows(x):
    out = np.empty_like(x)
    for i in prange(x.shape[0]):
        out[i] = np.sort(x[i])
    return out


@port("attention")
def attention(q, k, v):
    scores = np.dot(q, k.T.copy())
    scale = 1.0 / math.sqrt(real(q.shape[1]))
    for i in prange(scores.shape[0]):
        top = scores[i, 0]
        for j in range(scores.shape[1]):
            top = max(top, scores[i, j])
        total = 0.0
        for j in range(scores.shape[1]):
            scores[i, j] = math.exp((scores[i, j] - top) * scale)
            total += scores[i, j]
        for j in range(scores.shape[1]):
            scores[i, j] /= total
    return np.dot(scores, v)


@port("covariance")
def covariance(x):
    n, m = x.shape
    mean, centred = np.zeros(m, x.dtype), np.empty_like(x)
    for i in range(n):
        for j in range(m):
            mean[j] += x[i, j]
    for i in prange(n):
        for j in range(m):
            centred[i, j] = x[i, j] - mean[j] / real(n)
    return np.dot(centred.T, centred) / real(n - 1)
