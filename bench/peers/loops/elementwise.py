"""Ports of element-wise and complex expressions."""

from __future__ import annotations

import math

import numpy as np

from bench.peers.loops.registry import port, prange


@port("copy")
def copy(a):
    out = np.empty_like(a)
    for i in prange(a.shape[0]):
        out[i] = a[i]
    return out


@port("triad")
def triad(a, b):
    out = np.empty_like(a)
    for i in prange(a.shape[0]):
        out[i] = a[i] + 3.0 * b[i]
    return out


@port("arithmetic chain")
def chain(a, b, c):
    out = np.empty_like(a)
    for i in prange(a.shape[0]):
        out[i] = 2.0 * a[i] * b[i] + (a[i] - c[i]) / (b[i] + 1.5) - 0.5 * c[i] * c[i]
    return out


@port("transcendental chain")
def transcendental(a, b):
    out = np.empty_like(a)
    for i in prange(a.shape[0]):
        out[i] = math.exp(-a[i] * a[i]) * math.log1p(b[i]) + math.tanh(a[i] - b[i])
    return out


@port("where and clip")
def select(a, low, high):
    out = np.empty_like(a)
    for i in prange(a.shape[0]):
        v = a[i] * high if a[i] > 0.0 else a[i] * low
        out[i] = min(max(v, low), high) + abs(a[i])
    return out


@port("in-place updates")
def in_place(a, b, n):
    # Loops interchanged: all iterations of one element, then the next.
    for i in prange(a.shape[0]):
        u, v = a[i], b[i]
        for _ in range(n):
            u += 0.5 * v
            u *= 0.6
            v -= 0.1 * (u - 1.0)
        a[i], b[i] = u, v


@port("black-scholes")
def black_scholes(spot, strike, years, rate, volatility):
    out = np.empty_like(spot)
    for i in prange(spot.shape[0]):
        spread = volatility * math.sqrt(years[i])
        x = (math.log(spot[i] / strike[i]) + (rate + 0.5 * volatility * volatility) * years[i]) / (
            spread
        )
        discounted = strike[i] * math.exp(-rate * years[i])
        k = 1.0 / (1.0 + 0.2316419 * abs(x))
        series = k * (
            0.319381530
            + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))
        )
        tail = 0.3989422804014327 * math.exp(-0.5 * x * x) * series
        price = spot[i] * (tail if x < 0.0 else 1.0 - tail)
        x -= spread
        k = 1.0 / (1.0 + 0.2316419 * abs(x))
        series = k * (
            0.319381530
            + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))
        )
        tail = 0.3989422804014327 * math.exp(-0.5 * x * x) * series
        out[i] = price - discounted * (tail if x < 0.0 else 1.0 - tail)
    return out


@port("polynomial")
def polynomial(a):
    out = np.empty_like(a)
    for i in prange(a.shape[0]):
        x = a[i]
        out[i] = (
            ((((((0.1 * x - 0.7) * x + 1.3) * x - 0.2) * x + 2.0) * x - 1.1) * x + 0.4) * x
        ) + 1.0
    return out


@port("gelu")
def gelu(a):
    out = np.empty_like(a)
    for i in prange(a.shape[0]):
        x = a[i]
        out[i] = 0.5 * x * (1.0 + math.tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))
    return out


@port("powers")
def powers(a):
    out = np.empty_like(a)
    for i in prange(a.shape[0]):
        x = a[i]
        out[i] = x * x + math.sqrt(x) - 2.0 * (x * x * x) + x**1.7
    return out


@port("great circle")
def great_circle(latitude_1, longitude_1, latitude_2, longitude_2):
    out = np.empty_like(latitude_1)
    for i in prange(out.shape[0]):
        up = math.sin((latitude_2[i] - latitude_1[i]) / 2.0)
        across = math.sin((longitude_2[i] - longitude_1[i]) / 2.0)
        a = up * up + math.cos(latitude_1[i]) * math.cos(latitude_2[i]) * across * across
        out[i] = 2.0 * math.atan2(math.sqrt(a), math.sqrt(1.0 - a))
    return out


@port("bit hash")
def bit_hash(a):
    # Shifts by a signed number would make Numba's numbers signed.
    out = np.empty_like(a)
    for i in prange(a.shape[0]):
        x = a[i]
        x = x ^ (x << np.uint64(13))
        x = x ^ (x >> np.uint64(7))
        x = x ^ (x << np.uint64(17))
        out[i] = x & np.uint64(1023)
    return out


@port("raw to physical")
def to_physical(raw, gain, offset):
    out = np.empty(raw.shape[0], np.float32)
    g, o = np.float32(gain), np.float32(offset)
    for i in prange(raw.shape[0]):
        out[i] = max(np.float32(raw[i]) * g + o, np.float32(0))
    return out


@port("rotation")
def rotate(x, y, z, angle):
    u, v, w = np.empty_like(x), np.empty_like(y), np.empty_like(z)
    c, s = math.cos(angle), math.sin(angle)
    for i in prange(x.shape[0]):
        u[i] = c * x[i] - s * y[i]
        v[i] = s * x[i] + c * y[i]
        w[i] = z[i] * 1.0
    return u, v, w


@port("complex chain")
def complex_chain(a, b, c):
    out = np.empty_like(a)
    for i in prange(a.shape[0]):
        out[i] = (a[i] * b[i] + c[i]) * (a[i] - b[i]) + 2.0 * c[i]
    return out


@port("impedances")
def impedances(a, b, c):
    out = np.empty_like(a)
    for i in prange(a.shape[0]):
        out[i] = 1.0 / (1.0 / a[i] + 1.0 / b[i]) + c[i] / (a[i] + b[i])
    return out


@port("phasors")
def phasors(amplitude, phase):
    out = np.empty_like(phase)
    for i in prange(phase.shape[0]):
        x = amplitude[i] * math.cos(phase[i]) + 0.5
        y = amplitude[i] * math.sin(phase[i])
        out[i] = math.sqrt(x * x + y * y)
    return out


@port("mandelbrot by arrays")
def mandelbrot_arrays(cr, ci, limit):
    # Stops at each point's own escape, which whole arrays cannot.
    count = np.zeros(cr.shape, np.int64)
    for i in prange(cr.shape[0]):
        for j in range(cr.shape[1]):
            zr = cr[i, j] * 0.0
            zi = zr
            k = 0
            while k < limit and zr * zr + zi * zi < 4.0:
                zr, zi = zr * zr - zi * zi + cr[i, j], 2.0 * zr * zi + ci[i, j]
                k += 1
            count[i, j] = k
    return count


@port("julia")
def julia(out, c, limit):
    n, m = out.shape
    for i in prange(n):
        for j in range(m):
            x, y = 3.0 * j / m - 1.5, 3.0 * i / n - 1.5
            k = 0
            while k < limit and x * x + y * y < 4.0:
                x, y = x * x - y * y + c.real, x * y + y * x + c.imag
                k += 1
            out[i, j] = k


@port("outer sum")
def outer_sum(a, b):
    out = np.empty((a.shape[0], b.shape[0]), a.dtype)
    for i in prange(a.shape[0]):
        for j in range(b.shape[0]):
            out[i, j] = a[i] * b[j] + a[i] - b[j]
    return out


@port("distance matrix")
def distances(x, y):
    out = np.empty((x.shape[0], y.shape[0]), x.dtype)
    for i in prange(x.shape[0]):
        for j in range(y.shape[0]):
            total = 0.0
            for k in range(x.shape[1]):
                total += (x[i, k] - y[j, k]) * (x[i, k] - y[j, k])
            out[i, j] = math.sqrt(total)
    return out


@port("radial kernel")
def radial_kernel(x, gamma):
    n, m = x.shape
    out = np.empty((n, n), x.dtype)
    for i in prange(n):
        for j in range(n):
            total = 0.0
            for k in range(m):
                total += (x[i, k] - x[j, k]) * (x[i, k] - x[j, k])
            out[i, j] = math.exp(-gamma * total)
    return out


@port("n-body")
def n_body(position, velocity, mass, dt, steps):
    n = position.shape[0]
    for _ in range(steps):
        for i in prange(n):
            ax, ay, az = 0.0, 0.0, 0.0
            for j in range(n):
                dx = position[j, 0] - position[i, 0]
                dy = position[j, 1] - position[i, 1]
                dz = position[j, 2] - position[i, 2]
                distance2 = dx * dx + dy * dy + dz * dz + 0.01
                strength = mass[j] / (distance2 * math.sqrt(distance2))
                ax += strength * dx
                ay += strength * dy
                az += strength * dz
            velocity[i, 0] += dt * ax
            velocity[i, 1] += dt * ay
            velocity[i, 2] += dt * az
        for i in range(n):
            for k in range(3):
                position[i, k] += dt * velocity[i, k]


@port("floyd-warshall")
def floyd_warshall(distance):
    distance = distance.copy()
    n = distance.shape[0]
    for k in range(n):
        for i in prange(n):
            for j in range(n):
                distance[i, j] = min(distance[i, j], distance[i, k] + distance[k, j])
    return distance
