"""A particle filter localising a robot in a corridor with doors; NumPy arrays in a class."""

from dataclasses import dataclass

import numpy as np


@dataclass
class World:
    length: float
    doors: np.ndarray
    sigma: float = 0.4

    def sense(self, x):
        """Probability of seeing a door at each position."""
        d = np.abs(np.asarray(x)[..., None] - self.doors).min(axis=-1)
        return 0.05 + 0.9 * np.exp(-0.5 * (d / self.sigma) ** 2)


class LCG:
    def __init__(self, seed):
        self.state = np.uint64(seed)

    def uniform(self, n):
        out = np.empty(n)
        s = int(self.state)
        for i in range(n):
            s = (s * 1664525 + 1013904223) & 0xFFFFFFFF
            out[i] = s / 2**32
        self.state = np.uint64(s)
        return out

    def normal(self, n):
        u, v = self.uniform(n), self.uniform(n)
        return np.sqrt(-2 * np.log(1 - u)) * np.cos(2 * np.pi * v)


class ParticleFilter:
    def __init__(self, world, n, rng):
        self.world, self.rng = world, rng
        self.x = rng.uniform(n) * world.length
        self.w = np.full(n, 1 / n)
        self.resampled = 0

    def predict(self, step, noise=0.1):
        self.x = np.mod(self.x + step + noise * self.rng.normal(len(self.x)), self.world.length)

    def update(self, saw_door):
        p = self.world.sense(self.x)
        self.w *= p if saw_door else 1 - p
        total = self.w.sum()
        if total <= 0:
            raise FloatingPointError("all weights vanished")
        self.w /= total

    @property
    def effective(self):
        return 1.0 / np.sum(self.w**2)

    def resample(self):
        n = len(self.w)
        positions = (np.arange(n) + self.rng.uniform(1)[0]) / n
        index = np.minimum(np.searchsorted(np.cumsum(self.w), positions), n - 1)
        self.x = self.x[index]
        self.w[:] = 1 / n
        self.resampled += 1

    def estimate(self):
        angle = 2 * np.pi * self.x / self.world.length
        z = np.sum(self.w * np.exp(1j * angle))
        return float(np.angle(z) / (2 * np.pi) * self.world.length % self.world.length), float(
            abs(z)
        )


def main(n, moves):
    world = World(20.0, np.array([2.0, 5.0, 6.5, 14.0]))
    f = ParticleFilter(world, n, LCG(12345))
    truth, log = 1.0, []
    for step in moves:
        truth = (truth + step) % world.length
        f.predict(step)
        f.update(bool(world.sense(truth) > 0.5))
        if f.effective < n / 2:
            f.resample()
        mean, sharp = f.estimate()
        log.append((round(truth, 3), round(mean, 6), round(sharp, 6)))
    hist, edges = np.histogram(f.x, bins=5, range=(0, 20))
    return log, f.resampled, hist.tolist(), [float(e) for e in edges]


ARGS = [(200, [1.0, 1.5, 1.5, 1.5, 2.0, 3.0, 2.5, 1.0, 2.0])]
