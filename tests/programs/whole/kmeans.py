"""Plain Python k-means with k-means++ seeding and silhouette score."""

import math
import random
from collections import namedtuple

Point = namedtuple("Point", "x y")


def dist2(a, b):
    return (a.x - b.x) ** 2 + (a.y - b.y) ** 2


def centroid(points):
    n = len(points)
    return Point(sum(p.x for p in points) / n, sum(p.y for p in points) / n)


class EmptyCluster(Exception):
    pass


class KMeans:
    def __init__(self, k, seed=0, max_iter=50):
        self.k = k
        self.rng = random.Random(seed)
        self.max_iter = max_iter
        self.centres = []
        self.labels = []
        self.iterations = 0

    def _seed(self, points):
        """k-means++: pick new centres far away from the existing ones."""
        centres = [self.rng.choice(points)]
        while len(centres) < self.k:
            weights = [min(dist2(p, c) for c in centres) for p in points]
            total = sum(weights)
            if total == 0:
                raise EmptyCluster(f"only {len(set(points))} distinct points for k={self.k}")
            r = self.rng.random() * total
            for p, w in zip(points, weights):
                r -= w
                if r <= 0:
                    centres.append(p)
                    break
            else:
                centres.append(points[-1])
        return centres

    def nearest(self, p):
        return min(range(self.k), key=lambda i: dist2(p, self.centres[i]))

    def fit(self, points):
        self.centres = self._seed(points)
        for self.iterations in range(1, self.max_iter + 1):
            labels = [self.nearest(p) for p in points]
            if labels == self.labels:
                break
            self.labels = labels
            for i in range(self.k):
                members = [p for p, lab in zip(points, labels) if lab == i]
                if members:
                    self.centres[i] = centroid(members)
        return self

    def inertia(self, points):
        return sum(dist2(p, self.centres[lab]) for p, lab in zip(points, self.labels))


def silhouette(points, labels):
    clusters = {}
    for p, lab in zip(points, labels):
        clusters.setdefault(lab, []).append(p)
    if len(clusters) < 2:
        return 0.0
    total = 0.0
    for p, lab in zip(points, labels):
        mean = {
            c: sum(math.sqrt(dist2(p, q)) for q in ps) / max(1, len(ps) - (c == lab))
            for c, ps in clusters.items()
        }
        a = mean.pop(lab)
        b = min(mean.values())
        total += (b - a) / max(a, b) if max(a, b) else 0.0
    return total / len(points)


def make_blobs(centres, per, spread, seed):
    rng = random.Random(seed)
    pts = [
        Point(rng.gauss(cx, spread), rng.gauss(cy, spread))
        for cx, cy in centres
        for _ in range(per)
    ]
    rng.shuffle(pts)
    return pts


def plot(points, labels, width=40, height=12):
    x0, x1 = min(p.x for p in points), max(p.x for p in points)
    y0, y1 = min(p.y for p in points), max(p.y for p in points)
    grid = [["."] * width for _ in range(height)]
    for p, lab in zip(points, labels):
        col = int((p.x - x0) / (x1 - x0) * (width - 1))
        row = int((y1 - p.y) / (y1 - y0) * (height - 1))
        grid[row][col] = "ABCDEFGH"[lab]
    return ["".join(r) for r in grid]


def main(centres, per, ks, seed):
    points = make_blobs(centres, per, 0.6, seed)
    scores = {}
    models = {}
    for k in ks:
        model = models[k] = KMeans(k, seed).fit(points)
        scores[k] = (
            round(model.inertia(points), 6),
            round(silhouette(points, model.labels), 6),
            model.iterations,
        )
        print(f"k={k} inertia={scores[k][0]:.2f} silhouette={scores[k][1]:.3f}")
    best = max(scores, key=lambda k: scores[k][1])
    model = models[best]
    picture = plot(points, model.labels)
    print("\n".join(picture))
    try:
        KMeans(3).fit([Point(1, 1), Point(1, 1), Point(2, 2)])
        problem = None
    except EmptyCluster as e:
        problem = str(e)
    found = sorted((round(c.x, 4), round(c.y, 4)) for c in model.centres)
    sizes = sorted(model.labels.count(i) for i in range(best))
    return scores, best, found, sizes, picture[0], problem


ARGS = [
    ([(0, 0), (5, 5)], 20, (2, 3), 1),
    ([(0, 0), (6, 0), (3, 5)], 18, (2, 3, 4), 5),
]
