import heapq
from collections import defaultdict


class Graph:
    def __init__(self):
        self.adj = defaultdict(list)

    def add_edge(self, u, v, w):
        self.adj[u].append((v, w))
        self.adj[v].append((u, w))


def dijkstra(graph, source):
    dist = {source: 0}
    prev = {}
    heap = [(0, source)]
    visited = set()
    while heap:
        d, u = heapq.heappop(heap)
        if u in visited:
            continue
        visited.add(u)
        for v, w in graph.adj[u]:
            nd = d + w
            if v not in dist or nd < dist[v]:
                dist[v] = nd
                prev[v] = u
                heapq.heappush(heap, (nd, v))
    return dist, prev


def path_to(prev, target):
    path = [target]
    while path[-1] in prev:
        path.append(prev[path[-1]])
    return path[::-1]


def main(edges, source, target):
    g = Graph()
    for u, v, w in edges:
        g.add_edge(u, v, w)
    dist, prev = dijkstra(g, source)
    if target not in dist:
        raise KeyError(f"no route from {source} to {target}")
    route = path_to(prev, target)
    print(" -> ".join(route), f"({dist[target]} km)")
    return dist[target], route, sorted(dist.items(), key=lambda kv: (kv[1], kv[0]))


ARGS = [
    (
        [
            ("A", "B", 7),
            ("A", "C", 9),
            ("A", "F", 14),
            ("B", "C", 10),
            ("B", "D", 15),
            ("C", "D", 11),
            ("C", "F", 2),
            ("D", "E", 6),
            ("E", "F", 9),
        ],
        "A",
        "E",
    ),
    ([("Paris", "Lyon", 465), ("Lyon", "Nice", 470), ("Oslo", "Bergen", 460)], "Paris", "Oslo"),
]
