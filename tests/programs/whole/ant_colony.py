"""TSP: nearest neighbour, 2-opt, simulated annealing, with NumPy distance matrix and random."""

import math
import random
from dataclasses import dataclass

import numpy as np


@dataclass
class Result:
    name: str
    length: float
    tour: list
    evaluations: int = 0

    def __lt__(self, other):
        return self.length < other.length

    def __str__(self):
        return f"{self.name:<18}{self.length:9.4f} after {self.evaluations:>6,}"


def distance_matrix(xy):
    diff = xy[:, None, :] - xy[None, :, :]
    return np.sqrt((diff**2).sum(axis=-1))


def tour_length(tour, d):
    return sum(d[a, b] for a, b in zip(tour, tour[1:] + tour[:1]))


def nearest_neighbour(d, start=0):
    n = len(d)
    left = set(range(n)) - {start}
    tour = [start]
    while left:
        here = tour[-1]
        nxt = min(left, key=lambda j: d[here, j])
        left.remove(nxt)
        tour.append(nxt)
    return Result("nearest", float(tour_length(tour, d)), tour, n)


def two_opt(tour, d):
    tour = tour[:]
    n = len(tour)
    evals = 0
    improved = True
    while improved:
        improved = False
        for i in range(1, n - 1):
            for j in range(i + 1, n):
                a, b = tour[i - 1], tour[i]
                c, e = tour[j], tour[(j + 1) % n]
                evals += 1
                if d[a, c] + d[b, e] + 1e-12 < d[a, b] + d[c, e]:
                    tour[i : j + 1] = reversed(tour[i : j + 1])
                    improved = True
    return Result("two-opt", float(tour_length(tour, d)), tour, evals)


def anneal(d, rng, steps, t0=1.0, cooling=0.999):
    n = len(d)
    tour = list(range(n))
    rng.shuffle(tour)
    cur = best = tour_length(tour, d)
    best_tour = tour.copy()
    t = t0
    for _ in range(steps):
        i, j = sorted(rng.sample(range(n), 2))
        cand = tour[:i] + tour[i : j + 1][::-1] + tour[j + 1 :]
        length = tour_length(cand, d)
        if length < cur or rng.random() < math.exp((cur - length) / t):
            tour, cur = cand, length
            if cur < best:
                best, best_tour = cur, tour
        t *= cooling
    return Result("annealing", float(best), best_tour, steps)


def mst_bound(d):
    n = d.shape[0]
    in_tree = np.zeros(n, dtype=bool)
    dist = np.full(n, np.inf)
    dist[0] = 0.0
    total = 0.0
    for _ in range(n):
        k = int(np.argmin(np.where(in_tree, np.inf, dist)))
        in_tree[k] = True
        total += dist[k]
        dist = np.minimum(dist, d[k])
    return total


def main(n, seed, steps):
    rng = random.Random(seed)
    xy = np.array([[rng.random(), rng.random()] for _ in range(n)])
    d = distance_matrix(xy)
    nn = min(nearest_neighbour(d, s) for s in range(n))
    results = [nn, two_opt(nn.tour, d), anneal(d, rng, steps)]
    results.append(two_opt(results[-1].tour, d))
    for r in sorted(results):
        print(r)
    bound = mst_bound(d)
    best = min(results)
    k = best.tour.index(0)
    canon = best.tour[k:] + best.tour[:k]
    return (
        [round(r.length, 9) for r in results],
        round(float(bound), 9),
        all(r.length >= bound for r in results),
        canon,
        sorted(canon) == list(range(n)),
    )


ARGS = [(18, 5, 400)]
