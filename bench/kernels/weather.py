"""Weather and fluids: diffusion with limiters, columns solved, waves, pressure, lattices."""

from __future__ import annotations

from functools import partial

import numpy as np

from bench.kernel import Kernel, grids, steps_for, uniform

# The nine directions of a lattice Boltzmann cell and their weights.
CX = (0, 1, 0, -1, 0, 1, -1, -1, 1)
CY = (0, 0, 1, 0, -1, 1, 1, -1, -1)
WEIGHTS = (4 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 36, 1 / 36, 1 / 36, 1 / 36)


def horizontal_diffusion(x, coefficient):
    lap = 4.0 * x[1:-1, 1:-1] - (x[2:, 1:-1] + x[:-2, 1:-1] + x[1:-1, 2:] + x[1:-1, :-2])
    flux = lap[1:, 1:-1] - lap[:-1, 1:-1]
    along = np.where(flux * (x[2:-1, 2:-2] - x[1:-2, 2:-2]) > 0.0, 0.0, flux)
    flux = lap[1:-1, 1:] - lap[1:-1, :-1]
    across = np.where(flux * (x[2:-2, 2:-1] - x[2:-2, 1:-2]) > 0.0, 0.0, flux)
    spread = along[1:] - along[:-1] + across[:, 1:] - across[:, :-1]
    return x[2:-2, 2:-2] - coefficient * spread


def vertical_solve(lower, diagonal, upper, right):
    levels = right.shape[0]
    c = np.empty_like(right)
    x = np.empty_like(right)
    c[0] = upper[0] / diagonal[0]
    x[0] = right[0] / diagonal[0]
    for k in range(1, levels):
        m = diagonal[k] - lower[k] * c[k - 1]
        c[k] = upper[k] / m
        x[k] = (right[k] - lower[k] * x[k - 1]) / m
    for k in range(levels - 2, -1, -1):
        x[k] -= c[k] * x[k + 1]
    return x


def shallow_water(h, u, v, dt, steps):
    for _ in range(steps):
        u[1:-1, 1:-1] -= dt * 9.81 * (h[1:-1, 2:] - h[1:-1, :-2])
        v[1:-1, 1:-1] -= dt * 9.81 * (h[2:, 1:-1] - h[:-2, 1:-1])
        h[1:-1, 1:-1] -= dt * (u[1:-1, 2:] - u[1:-1, :-2] + v[2:, 1:-1] - v[:-2, 1:-1])


def pressure_poisson(p, source, dx, dy, steps):
    for _ in range(steps):
        q = p.copy()
        p[1:-1, 1:-1] = (
            (q[1:-1, 2:] + q[1:-1, :-2]) * dy**2
            + (q[2:, 1:-1] + q[:-2, 1:-1]) * dx**2
            - source[1:-1, 1:-1] * dx**2 * dy**2
        ) / (2.0 * (dx**2 + dy**2))
        p[:, -1] = p[:, -2]
        p[0, :] = p[1, :]
        p[:, 0] = p[:, 1]
        p[-1, :] = 0.0


def lattice_boltzmann(f, omega, steps):
    for _ in range(steps):
        density = f.sum(axis=0)
        ux = (f[1] + f[5] + f[8] - f[3] - f[6] - f[7]) / density
        uy = (f[2] + f[5] + f[6] - f[4] - f[7] - f[8]) / density
        square = 1.5 * (ux * ux + uy * uy)
        for i in range(9):
            cu = 3.0 * (CX[i] * ux + CY[i] * uy)
            equilibrium = WEIGHTS[i] * density * (1.0 + cu + 0.5 * cu * cu - square)
            relaxed = f[i] + omega * (equilibrium - f[i])
            f[i] = np.roll(np.roll(relaxed, CX[i], axis=0), CY[i], axis=1)


def burgers(u, v, dt, nu, steps):
    for _ in range(steps):
        un, vn = u.copy(), v.copy()
        c, d = un[1:-1, 1:-1], vn[1:-1, 1:-1]
        u[1:-1, 1:-1] = (
            c - dt * c * (c - un[1:-1, :-2]) - dt * d * (c - un[:-2, 1:-1])
            + nu * (un[1:-1, 2:] + un[1:-1, :-2] + un[2:, 1:-1] + un[:-2, 1:-1] - 4.0 * c)
        )  # fmt: skip
        v[1:-1, 1:-1] = (
            d - dt * c * (d - vn[1:-1, :-2]) - dt * d * (d - vn[:-2, 1:-1])
            + nu * (vn[1:-1, 2:] + vn[1:-1, :-2] + vn[2:, 1:-1] + vn[:-2, 1:-1] - 4.0 * d)
        )  # fmt: skip


def advection_by_roll(q, courant, steps):
    for _ in range(steps):
        q = q - courant * (q - np.roll(q, 1, axis=0)) - courant * (q - np.roll(q, 1, axis=1))
    return q


def _levels(n, rng, dtype):
    lower, upper, right = uniform(rng, (3, 40, n, n), dtype, 0.0, 1.0)
    return lower, uniform(rng, (40, n, n), dtype, 3.0, 4.0), upper, right


def _water(n, rng, dtype):
    # The step is so short that thousands of calls stay bounded.
    h = uniform(rng, (n, n), dtype, 0.9, 1.1)
    return h, np.zeros((n, n), dtype), np.zeros((n, n), dtype), 1e-4, steps_for(n * n)


def _pressure(n, rng, dtype):
    p, source = uniform(rng, (2, n, n), dtype, 0.0, 1.0)
    return p, source, 0.1, 0.2, steps_for(n * n)


def _lattice(n, rng, dtype):
    weights = np.array(WEIGHTS, dtype)[:, None, None]
    return weights * uniform(rng, (9, n, n), dtype, 0.9, 1.1), 1.1, max(2, steps_for(9 * n * n))


def _flow(n, rng, dtype):
    return *uniform(rng, (2, n, n), dtype, 0.0, 1.0), 0.05, 0.02, steps_for(n * n)


def _courant(n, rng, dtype):
    grid, _, steps = grids(2)(n, rng, dtype)
    return grid, 0.2, steps


kernel = partial(Kernel, kind="weather and flow")

KERNELS = [
    kernel("horizontal diffusion", plain=horizontal_diffusion,
           arguments=lambda n, rng, dtype: (uniform(rng, (n, n, 40), dtype), 0.025),
           sizes=(20, 100, 900), items=lambda n: 80 * n * n, flops=lambda n: 40 * 20 * n * n,
           tolerance=0.0),
    kernel("vertical solve", plain=vertical_solve, arguments=_levels, sizes=(12, 100, 600),
           items=lambda n: 40 * 8 * n * n, flops=lambda n: 40 * 8 * n * n, tolerance=0.0, tiny=6),
    kernel("shallow water", plain=shallow_water, arguments=_water, sizes=(80, 700, 4_500),
           items=lambda n: 9 * n * n * steps_for(n * n),
           flops=lambda n: 11 * n * n * steps_for(n * n), tolerance=0.0, changes=(0, 1, 2)),
    kernel("pressure poisson", plain=pressure_poisson, arguments=_pressure, sizes=(100, 800, 5_500),
           items=lambda n: 3 * n * n * steps_for(n * n),
           flops=lambda n: 8 * n * n * steps_for(n * n), tolerance=1e-15, changes=(0,)),
    kernel("lattice boltzmann", plain=lattice_boltzmann, arguments=_lattice, sizes=(40, 300, 2_000),
           items=lambda n: 18 * n * n * max(2, steps_for(9 * n * n)),
           flops=lambda n: 130 * n * n * max(2, steps_for(9 * n * n)), tolerance=1e-13,
           changes=(0,)),
    kernel("burgers", plain=burgers, arguments=_flow, sizes=(80, 700, 4_500),
           items=lambda n: 4 * n * n * steps_for(n * n),
           flops=lambda n: 26 * n * n * steps_for(n * n), tolerance=0.0, changes=(0, 1)),
    kernel("advection by roll", plain=advection_by_roll, arguments=_courant,
           sizes=(100, 800, 5_500), items=lambda n: 2 * n * n * steps_for(n * n),
           flops=lambda n: 6 * n * n * steps_for(n * n), tolerance=0.0),
]  # fmt: skip
