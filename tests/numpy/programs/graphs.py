"""Graphs as matrices and arrays: shortest paths, ranks, components, trees."""

import numpy as np
from program import FLOATS, INTEGERS, Program


def floyd_warshall(distance):
    n = distance.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                through = distance[i, k] + distance[k, j]
                if through < distance[i, j]:
                    distance[i, j] = through


def floyd_warshall_rows(distance):
    d = distance.copy()
    for k in range(len(d)):
        d = np.minimum(d, d[:, k, None] + d[None, k, :])
    return d


def floyd_warshall_paths(weights):
    n = len(weights)
    dist = weights.copy()
    following = np.tile(np.arange(n), (n, 1))
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if dist[i, k] + dist[k, j] < dist[i, j]:
                    dist[i, j] = dist[i, k] + dist[k, j]
                    following[i, j] = following[i, k]
    return dist, following


def pagerank(links, damping=0.85, tolerance=1e-6):
    n = links.shape[0]
    out = links.sum(axis=1)
    matrix = np.where(out[:, None] > 0, links / np.maximum(out, 1)[:, None], 1.0 / n)
    rank = np.full(n, 1.0 / n)
    while True:
        new = (1 - damping) / n + damping * (matrix.T @ rank)
        if np.abs(new - rank).sum() < tolerance:
            return new
        rank = new


def pagerank_by_edges(source, target, n, damping, steps):
    degree = np.zeros(n)
    for s in source:
        degree[s] += 1
    rank = np.ones(n) / n
    for _ in range(steps):
        flow = np.zeros(n)
        for s, t in zip(source, target):
            flow[t] += rank[s] / degree[s]
        rank = (1 - damping) / n + damping * flow
    return rank


def dijkstra(weights, start):
    n = weights.shape[0]
    distance = np.full(n, np.inf, dtype=weights.dtype)
    done = np.zeros(n, dtype=bool)
    parent = -np.ones(n, dtype=np.int64)
    distance[start] = 0
    for _ in range(n):
        best = -1
        for v in range(n):
            if not done[v] and (best == -1 or distance[v] < distance[best]):
                best = v
        if best == -1 or distance[best] == np.inf:
            break
        done[best] = True
        for v in range(n):
            candidate = distance[best] + weights[best, v]
            if not done[v] and candidate < distance[v]:
                distance[v] = candidate
                parent[v] = best
    return distance, parent


def prim(weights):
    n = len(weights)
    in_tree = np.zeros(n, dtype=bool)
    key = weights[0].copy()
    in_tree[0] = True
    total = 0
    for _ in range(n - 1):
        masked = np.where(in_tree, np.inf, key)
        v = masked.argmin()
        total += key[v]
        in_tree[v] = True
        key = np.minimum(key, weights[v])
    return total


def find(parent, x):
    while parent[x] != x:
        parent[x] = parent[parent[x]]
        x = parent[x]
    return x


def count_components(edges, n):
    parent = np.arange(n)
    count = n
    for a, b in edges:
        ra, rb = find(parent, a), find(parent, b)
        if ra != rb:
            parent[ra] = rb
            count -= 1
    return count


def breadth_first(adjacency, start):
    n = len(adjacency)
    level = np.full(n, -1)
    queue = np.empty(n, dtype=np.int64)
    head, tail = 0, 1
    queue[0] = start
    level[start] = 0
    while head < tail:
        v = queue[head]
        head += 1
        for w in range(n):
            if adjacency[v, w] and level[w] < 0:
                level[w] = level[v] + 1
                queue[tail] = w
                tail += 1
    return level


def reachable(adjacency):
    reach = adjacency.astype(bool)
    n = len(reach)
    for k in range(n):
        for i in range(n):
            if reach[i, k]:
                reach[i] |= reach[k]
    return reach


def triangles(adjacency):
    n = adjacency.shape[0]
    count = 0
    for i in range(n):
        for j in range(i + 1, n):
            if not adjacency[i, j]:
                continue
            for k in range(j + 1, n):
                if adjacency[i, k] and adjacency[j, k]:
                    count += 1
    return count


def bellman_ford(source, target, weight, n, start):
    """Distances, or None where a cycle of negative length exists."""
    distance = np.full(n, np.inf)
    distance[start] = 0.0
    for _ in range(n - 1):
        changed = False
        for u, v, w in zip(source, target, weight):
            if distance[u] + w < distance[v]:
                distance[v] = distance[u] + w
                changed = True
        if not changed:
            break
    for e in range(len(source)):
        if distance[source[e]] + weight[e] < distance[target[e]]:
            return None
    return distance


def tour_two_opt(x, y):
    n = len(x)
    tour = np.arange(n)

    def dist(a, b):
        return np.sqrt((x[a] - x[b]) ** 2 + (y[a] - y[b]) ** 2)

    improved = True
    while improved:
        improved = False
        for i in range(1, n - 1):
            for j in range(i + 1, n):
                a, b = tour[i - 1], tour[i]
                c, d = tour[j], tour[(j + 1) % n]
                if dist(a, c) + dist(b, d) < dist(a, b) + dist(c, d) - 1e-6:
                    tour[i : j + 1] = tour[i : j + 1][::-1]
                    improved = True
    return tour


def lengths(n, t, rng):
    w = rng.integers(1, 50, (n, n)).astype(t)
    w = np.where(rng.random((n, n)) < 0.4, t(10_000), w)
    np.fill_diagonal(w, 0)
    return w.astype(t)


def edges(n, t, rng):
    return rng.integers(0, n, 4 * n).astype(t), rng.integers(0, n, 4 * n).astype(t)


PROGRAMS = [
    Program(floyd_warshall, lambda n, t, rng: (lengths(n, t, rng),), (4, 15), FLOATS + INTEGERS),
    Program(floyd_warshall_rows, lambda n, t, rng: (lengths(n, t, rng),), (4, 20), FLOATS),
    Program(floyd_warshall_paths, lambda n, t, rng: (lengths(n, t, rng),), (4, 12), INTEGERS),
    Program(pagerank, lambda n, t, rng: ((rng.random((n, n)) < 0.3).astype(t),), (5, 30), eps=1024),
    Program(
        pagerank_by_edges, lambda n, t, rng: (*edges(n, t, rng), n, 0.85, 6), (5, 30), INTEGERS
    ),
    Program(dijkstra, lambda n, t, rng: (lengths(n, t, rng), 0), (4, 20)),
    Program(prim, lambda n, t, rng: (lengths(n, t, rng),), (4, 20)),
    Program(
        count_components,
        lambda n, t, rng: (rng.integers(0, n, (n // 2, 2)).astype(t), n),
        (6, 60),
        INTEGERS,
    ),
    Program(
        breadth_first,
        lambda n, t, rng: ((rng.random((n, n)) < 0.15).astype(t), 0),
        (6, 30),
        INTEGERS,
    ),
    Program(
        reachable, lambda n, t, rng: ((rng.random((n, n)) < 0.1).astype(t),), (6, 30), INTEGERS
    ),
    Program(
        triangles, lambda n, t, rng: ((rng.random((n, n)) < 0.4).astype(t),), (6, 25), INTEGERS
    ),
    Program(
        bellman_ford,
        lambda n, t, rng: (*edges(n, t, rng), rng.integers(1, 20, 4 * n).astype(t), n, 0),
        (5, 30),
        INTEGERS,
    ),
    Program(tour_two_opt, lambda n, t, rng: tuple(rng.random((2, n)).astype(t)), (6, 25)),
]
