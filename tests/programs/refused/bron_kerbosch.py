"""Graph analysis: maximal cliques, k-core, triangle count, colouring, bridges."""

from collections import defaultdict
from itertools import combinations
from typing import Dict, Iterator, List, Set


class Graph:
    def __init__(self, edges=()):
        self.adj: Dict[str, Set[str]] = defaultdict(set)
        for u, v in edges:
            self.add(u, v)

    def add(self, u, v):
        self.adj[u].add(v)
        self.adj[v].add(u)

    def __len__(self):
        return len(self.adj)

    def __iter__(self):
        return iter(sorted(self.adj))

    def __getitem__(self, u) -> Set[str]:
        return self.adj[u]

    def cliques(self) -> Iterator[List[str]]:
        def expand(r, p, x):
            if not p and not x:
                yield sorted(r)
                return
            pivot = max(sorted(p | x), key=lambda u: len(self.adj[u] & p))
            for v in sorted(p - self.adj[pivot]):
                yield from expand(r | {v}, p & self.adj[v], x & self.adj[v])
                p = p - {v}
                x = x | {v}

        yield from expand(set(), set(self.adj), set())

    def core_numbers(self) -> Dict[str, int]:
        degree = {u: len(self.adj[u]) for u in self.adj}
        core, k = {}, 0
        while degree:
            u = min(degree, key=lambda w: (degree[w], w))
            k = max(k, degree.pop(u))
            core[u] = k
            for v in self.adj[u]:
                if v in degree:
                    degree[v] -= 1
        return core

    def triangles(self) -> int:
        return (
            sum(w in self.adj[v] for u in self for v, w in combinations(sorted(self.adj[u]), 2))
            // 3
        )

    def colour(self) -> Dict[str, int]:
        colours: Dict[str, int] = {}
        for u in sorted(self.adj, key=lambda u: (-len(self.adj[u]), u)):
            used = {colours[v] for v in self.adj[u] if v in colours}
            colours[u] = next(c for c in range(len(self)) if c not in used)
        return colours

    def bridges(self) -> List[tuple]:
        order: Dict[str, int] = {}
        low: Dict[str, int] = {}
        found = []

        def visit(u, parent):
            order[u] = low[u] = len(order)
            for v in sorted(self.adj[u]):
                if v == parent:
                    continue
                if v in order:
                    low[u] = min(low[u], order[v])
                else:
                    visit(v, u)
                    low[u] = min(low[u], low[v])
                    if low[v] > order[u]:
                        found.append(tuple(sorted((u, v))))

        for u in self:
            if u not in order:
                visit(u, None)
        return sorted(found)


def main(text):
    g = Graph(pair.split("-") for pair in text.split())
    cliques = sorted(g.cliques(), key=lambda c: (-len(c), c))
    core = g.core_numbers()
    colours = g.colour()
    proper = all(colours[u] != colours[v] for u in g for v in g[u])
    return (
        len(g),
        cliques[:4],
        len(cliques),
        dict(sorted(core.items())),
        g.triangles(),
        max(colours.values()) + 1,
        proper,
        g.bridges(),
    )


ARGS = [
    (
        "ann-bob ann-cid bob-cid cid-dee dee-eve eve-fay fay-dee dee-gus gus-hal gus-ivy hal-ivy ivy-jon ann-dee bob-dee",
    )
]
