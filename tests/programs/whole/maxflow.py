from collections import deque


class FlowNetwork:
    def __init__(self, n):
        self.n = n
        self.capacity = [[0] * n for _ in range(n)]
        self.adj = [[] for _ in range(n)]

    def add_edge(self, u, v, cap):
        if cap < 0:
            raise ValueError("negative capacity")
        self.capacity[u][v] += cap
        self.adj[u].append(v)
        self.adj[v].append(u)

    def bfs(self, s, t, parent):
        seen = [False] * self.n
        seen[s] = True
        q = deque([s])
        while q:
            u = q.popleft()
            for v in self.adj[u]:
                if not seen[v] and self.capacity[u][v] > 0:
                    seen[v] = True
                    parent[v] = u
                    if v == t:
                        return True
                    q.append(v)
        return False

    def max_flow(self, s, t):
        flow = 0
        parent = [-1] * self.n
        while self.bfs(s, t, parent):
            path_flow = float("inf")
            v = t
            while v != s:
                u = parent[v]
                path_flow = min(path_flow, self.capacity[u][v])
                v = u
            v = t
            while v != s:
                u = parent[v]
                self.capacity[u][v] -= path_flow
                self.capacity[v][u] += path_flow
                v = u
            flow += path_flow
        return flow


def main(n, edges):
    net = FlowNetwork(n)
    for u, v, c in edges:
        net.add_edge(u, v, c)
    f = net.max_flow(0, n - 1)
    print("max flow:", f)
    return f, net.capacity


ARGS = [
    (
        6,
        [
            (0, 1, 16),
            (0, 2, 13),
            (1, 2, 10),
            (2, 1, 4),
            (1, 3, 12),
            (3, 2, 9),
            (2, 4, 14),
            (4, 3, 7),
            (3, 5, 20),
            (4, 5, 4),
        ],
    ),
    (3, [(0, 1, 5), (1, 2, -1)]),
]
