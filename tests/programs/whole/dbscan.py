"""DBSCAN with a grid index, plus silhouette-like scores; points as arrays, labels as dicts."""

import random
from collections import Counter, defaultdict, deque
from itertools import product
from math import dist, floor

NOISE = -1


class GridIndex:
    def __init__(self, points, eps):
        self.points, self.eps = points, eps
        self.cells = defaultdict(list)
        for i, p in enumerate(points):
            self.cells[self.key(p)].append(i)

    def key(self, p):
        return tuple(floor(c / self.eps) for c in p)

    def near(self, i):
        p = self.points[i]
        kx, ky = self.key(p)
        return [
            j
            for dx, dy in product((-1, 0, 1), repeat=2)
            for j in self.cells.get((kx + dx, ky + dy), [])
            if dist(p, self.points[j]) <= self.eps
        ]


def dbscan(points, eps, min_points):
    index = GridIndex(points, eps)
    labels = {}
    cluster = 0
    for i in range(len(points)):
        if i in labels:
            continue
        seeds = index.near(i)
        if len(seeds) < min_points:
            labels[i] = NOISE
            continue
        labels[i] = cluster
        queue = deque(seeds)
        while queue:
            j = queue.popleft()
            if labels.get(j, NOISE) == NOISE:
                fresh = j not in labels
                labels[j] = cluster
                if fresh and len(more := index.near(j)) >= min_points:
                    queue.extend(more)
        cluster += 1
    return [labels[i] for i in range(len(points))]


def centroids(points, labels):
    groups = defaultdict(list)
    for p, l in zip(points, labels):
        if l != NOISE:
            groups[l].append(p)
    return {
        l: tuple(round(sum(axis) / len(axis), 6) for axis in zip(*ps))
        for l, ps in sorted(groups.items())
    }


def main(per_cluster, seed):
    rng = random.Random(seed)
    points = []
    for cx, cy in [(0, 0), (6, 1), (3, 6)]:
        points += [(rng.gauss(cx, 0.7), rng.gauss(cy, 0.7)) for _ in range(per_cluster)]
    points += [(rng.uniform(-3, 9), rng.uniform(-3, 9)) for _ in range(8)]
    results = {}
    for eps in (0.5, 0.8, 1.2):
        labels = dbscan(points, eps, 4)
        sizes = Counter(labels)
        noise = sizes.pop(NOISE, 0)
        results[eps] = (sizes.most_common(3), noise, centroids(points, labels))
    return results


ARGS = [(25, 9)]
