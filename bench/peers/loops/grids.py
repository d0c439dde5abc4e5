"""Ports of stencils, of weather and flow."""

from __future__ import annotations

import numpy as np

from bench.peers.loops.registry import port, prange, real


@port("jacobi 1-D")
def jacobi_1d(a, b, steps):
    for _ in range(steps):
        for i in prange(1, a.shape[0] - 1):
            b[i] = 0.33333 * (a[i - 1] + a[i] + a[i + 1])
        a, b = b, a
    return a


@port("jacobi 2-D")
def jacobi_2d(a, b, steps):
    for _ in range(steps):
        for i in prange(1, a.shape[0] - 1):
            for j in range(1, a.shape[1] - 1):
                b[i, j] = 0.2 * (a[i, j] + a[i, j - 1] + a[i, j + 1] + a[i + 1, j] + a[i - 1, j])
        a, b = b, a
    return a


@port("heat 3-D")
def heat_3d(a, b, steps):
    for _ in range(steps):
        for i in prange(1, a.shape[0] - 1):
            for j in range(1, a.shape[1] - 1):
                for k in range(1, a.shape[2] - 1):
                    b[i, j, k] = (
                        0.125 * (a[i + 1, j, k] - 2.0 * a[i, j, k] + a[i - 1, j, k])
                        + 0.125 * (a[i, j + 1, k] - 2.0 * a[i, j, k] + a[i, j - 1, k])
                        + 0.125 * (a[i, j, k + 1] - 2.0 * a[i, j, k] + a[i, j, k - 1])
                        + a[i, j, k]
                    )
        a, b = b, a
    return a


@port("wave 2-D")
def wave_2d(before, now, after, steps):
    for _ in range(steps):
        for i in prange(1, now.shape[0] - 1):
            for j in range(1, now.shape[1] - 1):
                around = now[i + 1, j] + now[i - 1, j] + now[i, j + 1] + now[i, j - 1]
                after[i, j] = (
                    2.0 * now[i, j] - before[i, j] + 0.1 * (around - 4.0 * now[i, j])
                )  # fmt: skip
        before, now, after = now, after, before
    return now


@port("fdtd 2-D")
def fdtd_2d(ex, ey, hz, steps):
    n, m = hz.shape
    for t in range(steps):
        for j in range(m):
            ey[0, j] = 0.01 * real(t)
        for i in prange(1, n):
            for j in range(m):
                ey[i, j] -= 0.5 * (hz[i, j] - hz[i - 1, j])
        for i in prange(n):
            for j in range(1, m):
                ex[i, j] -= 0.5 * (hz[i, j] - hz[i, j - 1])
        for i in prange(n - 1):
            for j in range(m - 1):
                hz[i, j] -= 0.7 * (ex[i, j + 1] - ex[i, j] + ey[i + 1, j] - ey[i, j])


@port("laplacian 4th order")
def laplacian_4th_order(a):
    n, m, p = a.shape
    out = np.empty((n - 4, m - 4, p - 4), a.dtype)
    for i in prange(2, n - 2):
        for j in range(2, m - 2):
            for k in range(2, p - 2):
                near = (
                    a[i - 1, j, k] + a[i + 1, j, k] + a[i, j - 1, k]
                    + a[i, j + 1, k] + a[i, j, k - 1] + a[i, j, k + 1]
                )  # fmt: skip
                far = (
                    a[i - 2, j, k] + a[i + 2, j, k] + a[i, j - 2, k]
                    + a[i, j + 2, k] + a[i, j, k - 2] + a[i, j, k + 2]
                )  # fmt: skip
                out[i - 2, j - 2, k - 2] = (
                    1.3333333333333333 * near - 0.08333333333333333 * far - 7.5 * a[i, j, k]
                )
    return out


@port("gray-scott")
def gray_scott(u, v, steps):
    # The number of steps is even: the result is in the arguments.
    p, q = u.copy(), v.copy()
    for _ in range(steps):
        for i in prange(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                c, d = u[i, j], v[i, j]
                lu = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * c
                lv = v[i - 1, j] + v[i + 1, j] + v[i, j - 1] + v[i, j + 1] - 4.0 * d
                reaction = c * d * d
                p[i, j] = c + (0.16 * lu - reaction + 0.035 * (1.0 - c))
                q[i, j] = d + (0.08 * lv + reaction - 0.095 * d)
        u, p = p, u
        v, q = q, v


@port("game of life")
def life(board, generations):
    # The number of generations is even: the result is in the argument.
    now, following = board, board.copy()
    for _ in range(generations):
        for i in prange(1, board.shape[0] - 1):
            for j in range(1, board.shape[1] - 1):
                count = (
                    now[i - 1, j - 1] + now[i - 1, j] + now[i - 1, j + 1]
                    + now[i, j - 1] + now[i, j + 1]
                    + now[i + 1, j - 1] + now[i + 1, j] + now[i + 1, j + 1]
                )  # fmt: skip
                following[i, j] = (count == 3) | ((count == 2) & (now[i, j] == 1))
        now, following = following, now


@port("moving average")
def moving_average(x, width):
    out = np.empty(x.shape[0] - width + 1, x.dtype)
    for i in prange(out.shape[0]):
        total = 0.0
        for k in range(width):
            total += x[i + k]
        out[i] = total / real(width)
    return out


@port("derivative")
def derivative(x, h):
    out = np.empty_like(x)
    n = x.shape[0]
    for i in prange(1, n - 1):
        out[i] = (x[i + 1] - x[i - 1]) / (2.0 * h)
    out[0] = (x[1] - x[0]) / h
    out[n - 1] = (x[n - 1] - x[n - 2]) / h
    return out


@port("horizontal diffusion")
def horizontal_diffusion(x, coefficient):
    n, m, levels = x.shape
    lap = np.empty((n, m, levels), x.dtype)
    out = np.empty((n - 4, m - 4, levels), x.dtype)
    for i in prange(1, n - 1):
        for j in range(1, m - 1):
            for k in range(levels):
                around = x[i + 1, j, k] + x[i - 1, j, k] + x[i, j + 1, k] + x[i, j - 1, k]
                lap[i, j, k] = 4.0 * x[i, j, k] - around
    for i in prange(2, n - 2):
        for j in range(2, m - 2):
            for k in range(levels):
                here, c = lap[i, j, k], x[i, j, k]
                above, below = lap[i + 1, j, k] - here, here - lap[i - 1, j, k]
                right, left = lap[i, j + 1, k] - here, here - lap[i, j - 1, k]
                above = 0.0 if above * (x[i + 1, j, k] - c) > 0.0 else above
                below = 0.0 if below * (c - x[i - 1, j, k]) > 0.0 else below
                right = 0.0 if right * (x[i, j + 1, k] - c) > 0.0 else right
                left = 0.0 if left * (c - x[i, j - 1, k]) > 0.0 else left
                out[i - 2, j - 2, k] = c - coefficient * (above - below + right - left)
    return out


@port("vertical solve")
def vertical_solve(lower, diagonal, upper, right):
    levels, n, m = right.shape
    c = np.empty_like(right)
    x = np.empty_like(right)
    for i in prange(n):
        for j in range(m):
            c[0, i, j] = upper[0, i, j] / diagonal[0, i, j]
            x[0, i, j] = right[0, i, j] / diagonal[0, i, j]
        for k in range(1, levels):
            for j in range(m):
                e = diagonal[k, i, j] - lower[k, i, j] * c[k - 1, i, j]
                c[k, i, j] = upper[k, i, j] / e
                x[k, i, j] = (right[k, i, j] - lower[k, i, j] * x[k - 1, i, j]) / e
        for k in range(levels - 2, -1, -1):
            for j in range(m):
                x[k, i, j] -= c[k, i, j] * x[k + 1, i, j]
    return x


@port("shallow water")
def shallow_water(h, u, v, dt, steps):
    n, m = h.shape
    for _ in range(steps):
        for i in prange(1, n - 1):
            for j in range(1, m - 1):
                u[i, j] -= dt * 9.81 * (h[i, j + 1] - h[i, j - 1])
                v[i, j] -= dt * 9.81 * (h[i + 1, j] - h[i - 1, j])
        for i in prange(1, n - 1):
            for j in range(1, m - 1):
                h[i, j] -= dt * (u[i, j + 1] - u[i, j - 1] + v[i + 1, j] - v[i - 1, j])


@port("pressure poisson")
def pressure_poisson(p, source, dx, dy, steps):
    n, m = p.shape
    xx, yy = dx * dx, dy * dy
    for _ in range(steps):
        q = p.copy()
        for i in prange(1, n - 1):
            for j in range(1, m - 1):
                p[i, j] = (
                    (q[i, j + 1] + q[i, j - 1]) * yy
                    + (q[i + 1, j] + q[i - 1, j]) * xx
                    - source[i, j] * xx * yy
                ) / (2.0 * (xx + yy))
        for i in range(n):
            p[i, m - 1] = p[i, m - 2]
        for j in range(m):
            p[0, j] = p[1, j]
        for i in range(n):
            p[i, 0] = p[i, 1]
        for j in range(m):
            p[n - 1, j] = 0.0


@port("lattice boltzmann")
def lattice_boltzmann(f, omega, steps):
    # The number of steps is even: the result is in the argument.
    _, n, m = f.shape
    following = np.empty_like(f)
    straight, diagonal, rest = 1.0 / 9.0, 1.0 / 36.0, 4.0 / 9.0
    for _ in range(steps):
        for x in prange(n):
            up, down = (x + 1) % n, (x - 1 + n) % n
            for y in range(m):
                right, left = (y + 1) % m, (y - 1 + m) % m
                f0, f1, f2 = f[0, x, y], f[1, x, y], f[2, x, y]
                f3, f4, f5 = f[3, x, y], f[4, x, y], f[5, x, y]
                f6, f7, f8 = f[6, x, y], f[7, x, y], f[8, x, y]
                r = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8
                a = (f1 + f5 + f8 - f3 - f6 - f7) / r
                b = (f2 + f5 + f6 - f4 - f7 - f8) / r
                s = 1.0 - 1.5 * (a * a + b * b)
                u, v, p, q = 3.0 * a, 3.0 * b, 3.0 * (a + b), 3.0 * (b - a)
                following[0, x, y] = f0 + omega * (rest * r * s - f0)
                w = straight * r
                following[1, up, y] = f1 + omega * (w * (s + u + 0.5 * u * u) - f1)
                following[2, x, right] = f2 + omega * (w * (s + v + 0.5 * v * v) - f2)
                following[3, down, y] = f3 + omega * (w * (s - u + 0.5 * u * u) - f3)
                following[4, x, left] = f4 + omega * (w * (s - v + 0.5 * v * v) - f4)
                w = diagonal * r
                following[5, up, right] = f5 + omega * (w * (s + p + 0.5 * p * p) - f5)
                following[6, down, right] = f6 + omega * (w * (s + q + 0.5 * q * q) - f6)
                following[7, down, left] = f7 + omega * (w * (s - p + 0.5 * p * p) - f7)
                following[8, up, left] = f8 + omega * (w * (s - q + 0.5 * q * q) - f8)
        f, following = following, f


@port("burgers")
def burgers(u, v, dt, nu, steps):
    # The number of steps is even: the result is in the arguments.
    p, q = u.copy(), v.copy()
    for _ in range(steps):
        for i in prange(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                c, d = u[i, j], v[i, j]
                p[i, j] = (
                    c - dt * c * (c - u[i, j - 1]) - dt * d * (c - u[i - 1, j])
                    + nu * (u[i, j + 1] + u[i, j - 1] + u[i + 1, j] + u[i - 1, j] - 4.0 * c)
                )  # fmt: skip
                q[i, j] = (
                    d - dt * c * (d - v[i, j - 1]) - dt * d * (d - v[i - 1, j])
                    + nu * (v[i, j + 1] + v[i, j - 1] + v[i + 1, j] + v[i - 1, j] - 4.0 * d)
                )  # fmt: skip
        u, p = p, u
        v, q = q, v


@port("advection by roll")
def advection_by_roll(q, courant, steps):
    now, following = q, np.empty_like(q)
    spare = np.empty_like(q)
    for step in range(steps):
        for i in prange(q.shape[0]):
            # Negative indices wrap around, as np.roll does.
            for j in range(q.shape[1]):
                left = now[i, j - 1 if j > 0 else q.shape[1] - 1]
                above = now[i - 1 if i > 0 else q.shape[0] - 1, j]
                c = now[i, j]
                following[i, j] = c - courant * (c - above) - courant * (c - left)
        now, following = following, spare if step == 0 else now
    return now
