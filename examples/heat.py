"""Heat spreads over a plate: one slice expression a step, two arrays that swap."""

import numpy as np
from _common import compare, size


def step(u, new, k):
    new[1:-1, 1:-1] = u[1:-1, 1:-1] + k * (
        u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]
    )


def heat(u, k, steps):
    new = u.copy()
    for _ in range(steps):
        step(u, new, k)
        u, new = new, u
    return u


def plate(n):
    """Cold, with a hot edge and a hot spot."""
    u = np.zeros((n, n))
    u[0] = 100.0
    u[n // 2 : n // 2 + n // 8, n // 4 : n // 2] = 60.0
    return u


def main():
    n = size(800)
    u = compare(heat, lambda: (plate(n), 0.2, 50))
    print(f"mean temperature after 50 steps: {u.mean():.3f}")


if __name__ == "__main__":
    main()
