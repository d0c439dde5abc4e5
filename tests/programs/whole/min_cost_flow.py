"""Successive shortest paths with edge objects and Bellman-Ford (SPFA)."""

from collections import deque, namedtuple

Result = namedtuple("Result", "flow cost paths")


class Edge:
    __slots__ = "cap", "cost", "flow", "rev", "to"

    def __init__(self, to, cap, cost):
        self.to, self.cap, self.cost = to, cap, cost
        self.flow = 0
        self.rev = None

    @property
    def residual(self):
        return self.cap - self.flow


class Network:
    def __init__(self, n):
        self.adj = [[] for _ in range(n)]

    def add(self, u, v, cap, cost):
        forward, backward = Edge(v, cap, cost), Edge(u, 0, -cost)
        forward.rev, backward.rev = backward, forward
        self.adj[u].append(forward)
        self.adj[v].append(backward)
        return forward

    def shortest(self, s, t):
        dist = [None] * len(self.adj)
        via = [None] * len(self.adj)
        dist[s] = 0
        queue, queued = deque([s]), {s}
        while queue:
            u = queue.popleft()
            queued.discard(u)
            for e in self.adj[u]:
                if e.residual > 0 and (dist[e.to] is None or dist[u] + e.cost < dist[e.to]):
                    dist[e.to] = dist[u] + e.cost
                    via[e.to] = e
                    if e.to not in queued:
                        queued.add(e.to)
                        queue.append(e.to)
        return dist[t], via

    def solve(self, s, t, limit=10**9):
        flow = cost = 0
        paths = []
        while flow < limit:
            d, via = self.shortest(s, t)
            if d is None:
                break
            push, v = limit - flow, t
            nodes = [t]
            while v != s:
                push = min(push, via[v].residual)
                v = via[v].rev.to
                nodes.append(v)
            v = t
            while v != s:
                via[v].flow += push
                via[v].rev.flow -= push
                v = via[v].rev.to
            flow += push
            cost += push * d
            paths.append((push, d, nodes[::-1]))
        return Result(flow, cost, paths)


def main(supply, demand, prices):
    n = len(supply) + len(demand) + 2
    s, t = n - 2, n - 1
    net = Network(n)
    for i, amount in enumerate(supply):
        net.add(s, i, amount, 0)
    for j, amount in enumerate(demand):
        net.add(len(supply) + j, t, amount, 0)
    lanes = {}
    for i, row in enumerate(prices):
        for j, price in enumerate(row):
            lanes[i, j] = net.add(i, len(supply) + j, 10**6, price)
    result = net.solve(s, t)
    shipped = {key: e.flow for key, e in lanes.items() if e.flow}
    return result.flow, result.cost, len(result.paths), result.paths[-1], shipped


ARGS = [
    (
        [20, 30, 25, 15],
        [10, 25, 20, 12, 18],
        [[8, 6, 10, 9, 4], [9, 12, 13, 7, 6], [14, 9, 16, 5, 3], [2, 8, 7, 6, 11]],
    )
]
