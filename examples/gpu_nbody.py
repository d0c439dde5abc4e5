"""A galaxy of bodies on the GPU, all pairs in every step: the function of nbody.py, unchanged.

The arrays of all pairs' differences are never stored: the kernels that sum up forces compute them.
"""

import numpy as np
from _common import size, write_png
from _gpu import on_gpu
from nbody import energy, nbody


def disc(n):
    """Bodies that circle around a heavy one."""
    rng = np.random.default_rng(7)
    radius, angle = 0.2 + np.sqrt(rng.random(n)), rng.uniform(0, 2 * np.pi, n)
    east, north = np.cos(angle), np.sin(angle)
    position = np.stack([radius * east, radius * north, 0.02 * rng.standard_normal(n)], axis=1)
    speed = np.sqrt(1 / radius)
    velocity = np.stack([-speed * north, speed * east, np.zeros(n)], axis=1)
    mass = np.full(n, 0.1 / n)
    position[0], velocity[0], mass[0] = 0, 0, 1
    return position, velocity, mass


def sky(position, pixels):
    """Each body a small round light: blue, and white where many are."""
    axis = np.linspace(-1.4, 1.4, pixels)
    across = np.exp(-((axis - position[:, :1]) ** 2) / 1e-4)
    down = np.exp(-((axis - position[:, 1:2]) ** 2) / 1e-4)
    light = 1 - np.exp(-(down.T @ across))
    return (255 * np.stack([light**2, light**1.3, light**0.7], axis=2)).astype(np.uint8)


def main():
    n = size(1000)
    before = disc(n)
    position, velocity = on_gpu(nbody, *before, 0.01, 100 if n >= 1000 else 5, tolerance=1e-9)
    print(f"energy before {energy(*before):.6f}, after {energy(position, velocity, before[2]):.6f}")
    print(f"picture: {write_png('gpu_nbody', sky(position, 400))}")


if __name__ == "__main__":
    main()
