"""Neighbours on grids of one, two and three dimensions; most in time loops with swaps."""

from __future__ import annotations

from functools import partial

import numpy as np

from bench.kernel import Kernel, grids, steps_for, uniform


def jacobi_1d(a, b, steps):
    for _ in range(steps):
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
        a, b = b, a
    return a


def jacobi_2d(a, b, steps):
    for _ in range(steps):
        b[1:-1, 1:-1] = 0.2 * (
            a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1]
        )
        a, b = b, a
    return a


def heat_3d(a, b, steps):
    for _ in range(steps):
        b[1:-1, 1:-1, 1:-1] = (
            0.125 * (a[2:, 1:-1, 1:-1] - 2.0 * a[1:-1, 1:-1, 1:-1] + a[:-2, 1:-1, 1:-1])
            + 0.125 * (a[1:-1, 2:, 1:-1] - 2.0 * a[1:-1, 1:-1, 1:-1] + a[1:-1, :-2, 1:-1])
            + 0.125 * (a[1:-1, 1:-1, 2:] - 2.0 * a[1:-1, 1:-1, 1:-1] + a[1:-1, 1:-1, :-2])
            + a[1:-1, 1:-1, 1:-1]
        )
        a, b = b, a
    return a


def wave_2d(before, now, after, steps):
    for _ in range(steps):
        after[1:-1, 1:-1] = (
            2.0 * now[1:-1, 1:-1]
            - before[1:-1, 1:-1]
            + 0.1
            * (
                now[2:, 1:-1] + now[:-2, 1:-1] + now[1:-1, 2:] + now[1:-1, :-2]
                - 4.0 * now[1:-1, 1:-1]
            )
        )  # fmt: skip
        before, now, after = now, after, before
    return now


def fdtd_2d(ex, ey, hz, steps):
    for t in range(steps):
        ey[0] = 0.01 * t
        ey[1:] -= 0.5 * (hz[1:] - hz[:-1])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])


def laplacian_4th_order(a):
    c = a[2:-2, 2:-2, 2:-2]
    near = (
        a[1:-3, 2:-2, 2:-2] + a[3:-1, 2:-2, 2:-2] + a[2:-2, 1:-3, 2:-2]
        + a[2:-2, 3:-1, 2:-2] + a[2:-2, 2:-2, 1:-3] + a[2:-2, 2:-2, 3:-1]
    )  # fmt: skip
    far = (
        a[:-4, 2:-2, 2:-2] + a[4:, 2:-2, 2:-2] + a[2:-2, :-4, 2:-2]
        + a[2:-2, 4:, 2:-2] + a[2:-2, 2:-2, :-4] + a[2:-2, 2:-2, 4:]
    )  # fmt: skip
    return 1.3333333333333333 * near - 0.08333333333333333 * far - 7.5 * c


def gray_scott(u, v, steps):
    for _ in range(steps):
        lu = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4.0 * u[1:-1, 1:-1]
        lv = v[:-2, 1:-1] + v[2:, 1:-1] + v[1:-1, :-2] + v[1:-1, 2:] - 4.0 * v[1:-1, 1:-1]
        inner_u, inner_v = u[1:-1, 1:-1], v[1:-1, 1:-1]
        reaction = inner_u * inner_v * inner_v
        inner_u += 0.16 * lu - reaction + 0.035 * (1.0 - inner_u)
        inner_v += 0.08 * lv + reaction - 0.095 * inner_v


def life(board, generations):
    for _ in range(generations):
        count = (
            board[:-2, :-2] + board[:-2, 1:-1] + board[:-2, 2:]
            + board[1:-1, :-2] + board[1:-1, 2:]
            + board[2:, :-2] + board[2:, 1:-1] + board[2:, 2:]
        )  # fmt: skip
        board[1:-1, 1:-1] = (count == 3) | ((count == 2) & (board[1:-1, 1:-1] == 1))


def moving_average(x, width):
    out = np.zeros(len(x) - width + 1, x.dtype)
    for k in range(width):
        out += x[k : len(x) - width + 1 + k]
    return out / width


def derivative(x, h):
    out = np.empty_like(x)
    out[1:-1] = (x[2:] - x[:-2]) / (2.0 * h)
    out[0] = (x[1] - x[0]) / h
    out[-1] = (x[-1] - x[-2]) / h
    return out


def _board(n, rng, dtype):
    return (rng.uniform(0, 1, (n, n)) < 0.4).astype(np.uint8), steps_for(n * n)


def _fields(n, rng, dtype):
    return *uniform(rng, (3, n, n), dtype, 0, 0.1), steps_for(n * n)


def _reagents(n, rng, dtype):
    u = np.ones((n, n), dtype)
    v = np.zeros((n, n), dtype)
    v[n // 3 : 2 * n // 3, n // 3 : 2 * n // 3] = 0.5
    return u, v, steps_for(n * n)


kernel = partial(Kernel, kind="stencil", tolerance=0.0)


def planes(count, flops):
    """Counts of a time loop over so many planes, each read or written once a step."""
    return {
        "items": lambda n: count * n * n * steps_for(n * n),
        "flops": lambda n: flops * n * n * steps_for(n * n),
    }


KERNELS = [
    kernel("jacobi 1-D", plain=jacobi_1d, arguments=grids(1), sizes=(4_000, 400_000, 30_000_000),
           items=lambda n: 2 * n * steps_for(n), flops=lambda n: 3 * n * steps_for(n),
           changes=(0, 1), tiny=100),
    kernel("jacobi 2-D", plain=jacobi_2d, arguments=grids(2), sizes=(100, 800, 5_500),
           changes=(0, 1), **planes(2, 5)),
    kernel("heat 3-D", plain=heat_3d, arguments=grids(3), sizes=(24, 100, 320),
           items=lambda n: 2 * n**3 * steps_for(n**3), flops=lambda n: 15 * n**3 * steps_for(n**3),
           changes=(0, 1), tiny=8),
    kernel("wave 2-D", plain=wave_2d, arguments=grids(2, 3), sizes=(80, 700, 4_500),
           changes=(0, 1, 2), **planes(3, 8)),
    kernel("fdtd 2-D", plain=fdtd_2d, arguments=_fields, sizes=(80, 700, 4_500),
           changes=(0, 1, 2), **planes(8, 11)),
    kernel("laplacian 4th order", plain=laplacian_4th_order,
           arguments=lambda n, rng, dtype: (uniform(rng, (n, n, n), dtype),), sizes=(24, 100, 320),
           items=lambda n: 2 * n**3, flops=lambda n: 15 * n**3, tiny=8),
    kernel("gray-scott", plain=gray_scott, arguments=_reagents, sizes=(80, 700, 4_500),
           changes=(0, 1), **planes(4, 20)),
    kernel("game of life", plain=life, arguments=_board, sizes=(150, 1_500, 10_000),
           dtypes=("uint8",), changes=(0,), **planes(2, 11)),
    kernel("moving average", plain=moving_average,
           arguments=lambda n, rng, dtype: (uniform(rng, n, dtype), 8),
           sizes=(8_000, 500_000, 24_000_000), items=lambda n: 2 * n, flops=lambda n: 9 * n,
           tiny=100),
    kernel("derivative", plain=derivative,
           arguments=lambda n, rng, dtype: (uniform(rng, n, dtype), 0.01),
           sizes=(8_000, 800_000, 40_000_000), items=lambda n: 2 * n, flops=lambda n: 2 * n,
           streaming=True, tiny=100),
]  # fmt: skip
