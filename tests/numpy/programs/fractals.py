"""Fractals: escape times, Newton's basins, iterated maps."""

import numpy as np
from program import COMPLEX, FLOATS, Program

ROOTS = np.array([1.0, -0.5 + 0.8660254037844386j, -0.5 - 0.8660254037844386j])


def escape_time(c, limit):
    z = 0j
    for k in range(limit):
        z = z * z + c
        if abs(z) > 2:
            return k
    return limit


def mandelbrot(xs, ys, limit):
    image = np.zeros((len(ys), len(xs)), dtype=np.int64)
    for i, y in enumerate(ys):
        for j, x in enumerate(xs):
            image[i, j] = escape_time(complex(x, y), limit)
    return image


def escape_time_real(cr, ci, limit):
    zr = zi = 0.0
    for k in range(limit):
        zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
        if zr * zr + zi * zi > 4.0:
            return k
    return limit


def mandelbrot_real(xs, ys, limit):
    image = np.empty((len(ys), len(xs)), dtype=np.int64)
    for i in range(len(ys)):
        for j in range(len(xs)):
            image[i, j] = escape_time_real(xs[j], ys[i], limit)
    return image


def mandelbrot_by_where(c, limit):
    z = np.zeros_like(c)
    count = np.zeros(c.shape, dtype=int)
    for _ in range(limit):
        inside = z.real**2 + z.imag**2 <= 4
        z = np.where(inside, z * z + c, z)
        count += inside
    return count


def mandelbrot_by_mask(c, limit):
    z = np.zeros_like(c)
    count = np.full(c.shape, limit)
    for k in range(limit):
        active = count == limit
        z[active] = z[active] ** 2 + c[active]
        escaped = active & (np.abs(z) > 2)
        count[escaped] = k
    return count


def julia(width, height, cx, cy, limit):
    out = np.empty((height, width), dtype=np.uint8)

    def iterate(zx, zy):
        n = 0
        while zx * zx + zy * zy < 4 and n < limit:
            zx, zy = zx * zx - zy * zy + cx, 2 * zx * zy + cy
            n += 1
        return n

    for row in range(height):
        y = -1.5 + 3.0 * row / (height - 1)
        for col in range(width):
            x = -1.5 + 3.0 * col / (width - 1)
            out[row, col] = iterate(x, y)
    return out


def newton_fractal(z, steps):
    """Which root of z^3 = 1 Newton's method finds, for each start."""
    z = z.copy()
    for _ in range(steps):
        z = z - (z**3 - 1) / (3 * z**2)
    basin = np.zeros(z.shape, dtype=np.int8)
    for k, root in enumerate(ROOTS):
        basin = np.where(np.abs(z - root) < 1e-3, k + 1, basin)
    return basin, z


def newton_step(z):
    return z - (z * z * z - 1) / (3 * z * z)


def newton_scalar(starts, tolerance):
    steps = np.zeros(len(starts), dtype=int)
    for i in range(len(starts)):
        z = starts[i]
        for k in range(50):
            new = newton_step(z)
            if abs(new - z) < tolerance:
                break
            z = new
        steps[i] = k
    return steps


def bifurcation(rates, x0, skip, keep):
    x = np.full_like(rates, x0)
    orbit = np.empty((keep, len(rates)), dtype=rates.dtype)
    for _ in range(skip):
        x = rates * x * (1 - x)
    for i in range(keep):
        x = rates * x * (1 - x)
        orbit[i] = x
    return orbit


def burning_ship(xs, ys, limit):
    image = np.zeros((len(ys), len(xs)), np.int32)
    for i in range(len(ys)):
        for j in range(len(xs)):
            zx = zy = xs[0] * 0
            for k in range(limit):
                zx, zy = zx * zx - zy * zy + xs[j], abs(2 * zx * zy) + ys[i]
                if zx * zx + zy * zy > 4:
                    image[i, j] = k
                    break
            else:
                image[i, j] = -1
    return image


def plane(n, t):
    y, x = np.mgrid[-1.5 : 1.5 : n * 1j, -2.0 : 1.0 : n * 1j]
    return (x + 1j * y).astype(t)


def axes(n, t):
    return np.linspace(-2, 1, n).astype(t), np.linspace(-1.5, 1.5, n).astype(t)


PROGRAMS = [
    Program(mandelbrot, lambda n, t, rng: (*axes(n, t), 30), (7, 24), FLOATS),
    Program(mandelbrot_real, lambda n, t, rng: (*axes(n, t), 30), (7, 24), FLOATS),
    Program(mandelbrot_by_where, lambda n, t, rng: (plane(n, t), 20), (7, 24), COMPLEX),
    Program(mandelbrot_by_mask, lambda n, t, rng: (plane(n, t), 20), (7, 24), COMPLEX),
    Program(julia, lambda n, t, rng: (n, n + 3, t(-0.8), t(0.156), 40), (7, 24)),
    Program(
        newton_fractal, lambda n, t, rng: (plane(n, t) + t(0.01), 30), (6, 21), COMPLEX, eps=8192
    ),
    Program(newton_scalar, lambda n, t, rng: (plane(n, t)[0], 1e-3), (6, 21), COMPLEX),
    Program(
        bifurcation, lambda n, t, rng: (np.linspace(2.5, 4, n).astype(t), 0.3, 50, 10), (9, 100)
    ),
    Program(burning_ship, lambda n, t, rng: (*axes(n, t), 25), (7, 24)),
]
