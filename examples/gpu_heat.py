"""Heat on the GPU: the function of heat.py, unchanged; only its arrays are elsewhere.

A time step is one kernel. Nothing is copied between steps, and the two arrays swap by name.
"""

import numpy as np
from _common import size, write_png
from _gpu import on_gpu
from heat import heat


def sparks(n):
    """Cold iron, with drops of molten metal on it."""
    rng = np.random.default_rng(4)
    y, x = np.mgrid[0 : 1 : n * 1j, 0 : 1 : n * 1j]
    u = np.zeros((n, n))
    for _ in range(40):
        at_x, at_y, radius = rng.random(), rng.random(), 0.02 + 0.06 * rng.random() ** 3
        u[(x - at_x) ** 2 + (y - at_y) ** 2 < radius**2] += 1 - 5 * radius
    return u


def glow(u):
    """Black over red and yellow to white."""
    t = u / u.max()
    return (255 * np.clip(np.stack([2.5 * t, 2.5 * t - 0.8, 3 * t - 2], axis=2), 0, 1)).astype("u1")


def main():
    n = size(800)
    u = on_gpu(heat, sparks(n), 0.2, 500 if n >= 800 else 20, tolerance=1e-11)
    print(f"picture: {write_png('gpu_heat', glow(u))}")


if __name__ == "__main__":
    main()
