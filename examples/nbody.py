"""Gravity between bodies, leapfrog in time: forces by broadcasting, positions in place."""

import numpy as np
from _common import compare, size


def accelerations(position, mass, softening):
    delta = position[None, :, :] - position[:, None, :]
    distance2 = (delta * delta).sum(axis=2) + softening * softening
    strength = mass / (distance2 * np.sqrt(distance2))
    return (strength[:, :, None] * delta).sum(axis=1)


def nbody(position, velocity, mass, dt, steps):
    acceleration = accelerations(position, mass, 0.05)
    for _ in range(steps):
        velocity += 0.5 * dt * acceleration
        position += dt * velocity
        acceleration = accelerations(position, mass, 0.05)
        velocity += 0.5 * dt * acceleration
    return position, velocity


def energy(position, velocity, mass):
    kinetic = 0.5 * (mass[:, None] * velocity**2).sum()
    delta = position[None] - position[:, None]
    distance = np.sqrt((delta**2).sum(axis=2) + 0.05**2)
    pairs = np.triu(mass[:, None] * mass / distance, 1)
    return kinetic - pairs.sum()


def bodies(n):
    rng = np.random.default_rng(7)
    return rng.standard_normal((n, 3)), 0.3 * rng.standard_normal((n, 3)), np.full(n, 1.0 / n)


def main():
    n = size(300)
    position, velocity = compare(nbody, lambda: (*bodies(n), 0.005, 20), tolerance=1e-12)
    before, after = energy(*bodies(n)), energy(position, velocity, bodies(n)[2])
    print(f"energy before {before:.6f}, after {after:.6f}")


if __name__ == "__main__":
    main()
