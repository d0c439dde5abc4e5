"""Graphs: Kruskal, union-find with dunder methods, Tarjan SCC, bipartite, Floyd-Warshall, max flow (Edmonds-Karp)."""

from __future__ import annotations

import math
from collections import defaultdict, deque
from itertools import product
from typing import Generic, Hashable, Iterable, TypeVar

T = TypeVar("T", bound=Hashable)


class DisjointSet(Generic[T]):
    def __init__(self, items: Iterable[T] = ()):
        self.parent: dict[T, T] = {}
        self.size: dict[T, int] = {}
        for x in items:
            self.add(x)

    def add(self, x: T) -> None:
        self.parent.setdefault(x, x)
        self.size.setdefault(x, 1)

    def __getitem__(self, x: T) -> T:
        root = x
        while self.parent[root] != root:
            root = self.parent[root]
        while self.parent[x] != root:
            self.parent[x], x = root, self.parent[x]
        return root

    def union(self, a: T, b: T) -> bool:
        a, b = self[a], self[b]
        if a == b:
            return False
        if self.size[a] < self.size[b]:
            a, b = b, a
        self.parent[b] = a
        self.size[a] += self.size[b]
        return True

    def __len__(self) -> int:
        return sum(1 for x, p in self.parent.items() if x == p)


class NotBipartite(Exception):
    def __init__(self, edge):
        self.edge = edge


class Graph:
    def __init__(self, edges: Iterable[tuple[str, str, int]]):
        self.edges = list(edges)
        self.adj: dict[str, dict[str, int]] = defaultdict(dict)
        for a, b, w in self.edges:
            self.adj[a][b] = w
            self.adj[b]
        self.nodes = sorted(self.adj)

    def kruskal(self):
        ds = DisjointSet(self.nodes)
        return [
            (a, b) for a, b, w in sorted(self.edges, key=lambda e: e[2]) if ds.union(a, b)
        ], len(ds)

    def scc(self):
        index, low, stack, on, out = {}, {}, [], set(), []

        def visit(v):
            index[v] = low[v] = len(index)
            stack.append(v)
            on.add(v)
            for w in self.adj[v]:
                if w not in index:
                    visit(w)
                    low[v] = min(low[v], low[w])
                elif w in on:
                    low[v] = min(low[v], index[w])
            if low[v] == index[v]:
                comp = []
                while True:
                    w = stack.pop()
                    on.discard(w)
                    comp.append(w)
                    if w == v:
                        break
                out.append(sorted(comp))

        for v in self.nodes:
            if v not in index:
                visit(v)
        return out

    def distances(self):
        d = {
            (a, b): 0.0 if a == b else self.adj[a].get(b, math.inf)
            for a, b in product(self.nodes, repeat=2)
        }
        for k, i, j in product(self.nodes, repeat=3):
            if (alt := d[i, k] + d[k, j]) < d[i, j]:
                d[i, j] = alt
        return d

    def two_color(self):
        both = defaultdict(set)
        for a, b, _ in self.edges:
            both[a].add(b)
            both[b].add(a)
        color = {}
        for start in self.nodes:
            if start in color:
                continue
            color[start] = 0
            q = deque([start])
            while q:
                v = q.popleft()
                for w in sorted(both[v]):
                    if w not in color:
                        color[w] = 1 - color[v]
                        q.append(w)
                    elif color[w] == color[v]:
                        raise NotBipartite((v, w))
        return color

    def max_flow(self, s, t):
        cap = defaultdict(int)
        nbr = defaultdict(set)
        for a, b, w in self.edges:
            cap[a, b] += w
            nbr[a].add(b)
            nbr[b].add(a)
        total = 0
        while True:
            prev = {s: None}
            q = deque([s])
            while q and t not in prev:
                v = q.popleft()
                for w in sorted(nbr[v]):
                    if w not in prev and cap[v, w] > 0:
                        prev[w] = v
                        q.append(w)
            if t not in prev:
                return total
            path = [t]
            while (u := prev[path[-1]]) is not None:
                path.append(u)
            path.reverse()
            f = min(cap[e] for e in zip(path, path[1:]))
            for a, b in zip(path, path[1:]):
                cap[a, b] -= f
                cap[b, a] += f
            total += f


def main(edges, others):
    g = Graph(edges)
    tree, parts = g.kruskal()
    d = g.distances()
    far = max((v, k) for k, v in d.items() if v < math.inf)
    colors = []
    for es in (edges, others):
        try:
            colors.append(sorted(Graph(es).two_color().items()))
        except NotBipartite as e:
            colors.append([(*e.edge, -1)[:2]])
    return (
        tree,
        parts,
        g.scc(),
        far,
        colors,
        g.max_flow("a", "f"),
        sum(math.isinf(v) for v in d.values()),
    )


ARGS = [
    (
        [
            ("a", "b", 7),
            ("b", "c", 3),
            ("c", "a", 4),
            ("b", "d", 6),
            ("d", "e", 2),
            ("e", "d", 1),
            ("d", "f", 8),
            ("c", "e", 5),
            ("e", "f", 3),
        ],
        [("p", "q", 1), ("q", "r", 1), ("r", "s", 1), ("s", "p", 1), ("t", "u", 2)],
    )
]
