"""Simulated annealing for the travelling salesman with 2-opt moves."""

import math
import random
from itertools import pairwise
from typing import Callable, Iterable

Point = tuple[float, float]


def distance(a: Point, b: Point) -> float:
    return math.hypot(a[0] - b[0], a[1] - b[1])


def tour_length(points: list[Point], tour: list[int]) -> float:
    return sum(distance(points[i], points[j]) for i, j in pairwise(tour + tour[:1]))


def geometric(start: float, rate: float) -> Iterable[float]:
    t = start
    while t > 1e-3:
        yield t
        t *= rate


class Annealer:
    def __init__(self, points, rng, schedule: Callable[[], Iterable[float]]):
        self.points = points
        self.rng = rng
        self.schedule = schedule
        self.accepted = self.rejected = 0

    def delta(self, tour, i, j):
        n = len(tour)
        p = self.points
        a, b = p[tour[i - 1]], p[tour[i]]
        c, d = p[tour[j]], p[tour[(j + 1) % n]]
        return distance(a, c) + distance(b, d) - distance(a, b) - distance(c, d)

    def run(self, moves):
        n = len(self.points)
        tour = list(range(n))
        self.rng.shuffle(tour)
        current = best = tour_length(self.points, tour)
        best_tour = tour[:]
        for t in self.schedule():
            for _ in range(moves):
                i, j = sorted(self.rng.sample(range(n), 2))
                if i == 0 and j == n - 1:
                    continue
                d = self.delta(tour, i, j)
                if d < 0 or self.rng.random() < math.exp(-d / t):
                    tour[i : j + 1] = tour[i : j + 1][::-1]
                    current += d
                    self.accepted += 1
                    if current < best - 1e-9:
                        best, best_tour = current, tour.copy()
                else:
                    self.rejected += 1
        return best, best_tour


def main(n, seed):
    rng = random.Random(seed)
    points = [(rng.random() * 10, rng.random() * 10) for _ in range(n)]
    annealer = Annealer(points, rng, lambda: geometric(5.0, 0.85))
    best, tour = annealer.run(20)
    k = tour.index(0)
    tour = tour[k:] + tour[:k]
    assert math.isclose(best, tour_length(points, tour), rel_tol=1e-9)
    return round(best, 8), tour, annealer.accepted, annealer.rejected


ARGS = [(12, 11)]
