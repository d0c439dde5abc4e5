"""Percolation threshold by union-find with path halving and union by size."""

import random
import statistics


class UnionFind:
    def __init__(self, n):
        self.parent = list(range(n))
        self.size = [1] * n
        self.groups = n

    def find(self, x):
        while self.parent[x] != x:
            self.parent[x] = self.parent[self.parent[x]]
            x = self.parent[x]
        return x

    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        if self.size[a] < self.size[b]:
            a, b = b, a
        self.parent[b] = a
        self.size[a] += self.size[b]
        self.groups -= 1
        return True

    def connected(self, a, b):
        return self.find(a) == self.find(b)


class AlreadyOpen(ValueError):
    def __init__(self, row, col):
        super().__init__(f"site ({row}, {col}) is already open")
        self.site = (row, col)


class Percolation:
    def __init__(self, n):
        self.n = n
        self.open_sites = set()
        self.uf = UnionFind(n * n + 2)
        self.top = n * n
        self.bottom = n * n + 1

    def index(self, row, col):
        return row * self.n + col

    def open(self, row, col):
        if (row, col) in self.open_sites:
            raise AlreadyOpen(row, col)
        self.open_sites.add((row, col))
        me = self.index(row, col)
        if row == 0:
            self.uf.union(me, self.top)
        if row == self.n - 1:
            self.uf.union(me, self.bottom)
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            other = (row + dr, col + dc)
            if other in self.open_sites:
                self.uf.union(me, self.index(*other))

    def is_full(self, row, col):
        return (row, col) in self.open_sites and self.uf.connected(self.index(row, col), self.top)

    def percolates(self):
        return self.uf.connected(self.top, self.bottom)

    def __str__(self):
        def symbol(r, c):
            if (r, c) not in self.open_sites:
                return "█"
            return "~" if self.is_full(r, c) else " "

        return "\n".join("".join(symbol(r, c) for c in range(self.n)) for r in range(self.n))

    def largest_cluster(self):
        best = {}
        for r, c in self.open_sites:
            root = self.uf.find(self.index(r, c))
            best[root] = best.get(root, 0) + 1
        return max(best.values(), default=0)


def trial(n, rng, clashes):
    grid = Percolation(n)
    while not grid.percolates():
        try:
            grid.open(rng.randrange(n), rng.randrange(n))
        except AlreadyOpen as e:
            clashes.append(e.site)
    return grid


def main(n, trials, seed):
    rng = random.Random(seed)
    clashes = []
    thresholds = []
    clusters = []
    for _ in range(trials):
        grid = trial(n, rng, clashes)
        thresholds.append(len(grid.open_sites) / (n * n))
        clusters.append(grid.largest_cluster())
    print(grid)
    mean = statistics.mean(thresholds)
    spread = statistics.pstdev(thresholds)
    half = 1.96 * spread / trials**0.5
    print(f"threshold {mean:.4f} ± {half:.4f}")
    full = sum(grid.is_full(r, c) for r, c in grid.open_sites)
    return {
        "mean": round(mean, 9),
        "spread": round(spread, 9),
        "median": statistics.median(thresholds),
        "clusters": clusters[:10],
        "clashes": (len(clashes), clashes[:3]),
        "last": (len(grid.open_sites), full, grid.uf.groups),
        "first_row": str(grid).split("\n")[0],
    }


ARGS = [(5, 10, 1), (12, 12, 99), (25, 4, 2023)]
