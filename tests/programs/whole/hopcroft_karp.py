"""Maximum bipartite matching, applicants and vacancies by name."""

from collections import deque
from dataclasses import dataclass, field


@dataclass
class Bipartite:
    edges: dict[str, list[str]]
    match_left: dict[str, str] = field(default_factory=dict)
    match_right: dict[str, str] = field(default_factory=dict)
    phases: int = 0

    def _bfs(self):
        self.level = {}
        queue = deque()
        for u in self.edges:
            if u not in self.match_left:
                self.level[u] = 0
                queue.append(u)
        found = False
        while queue:
            u = queue.popleft()
            for v in self.edges[u]:
                w = self.match_right.get(v)
                if w is None:
                    found = True
                elif w not in self.level:
                    self.level[w] = self.level[u] + 1
                    queue.append(w)
        return found

    def _dfs(self, u):
        for v in self.edges[u]:
            w = self.match_right.get(v)
            if w is None or (self.level.get(w) == self.level[u] + 1 and self._dfs(w)):
                self.match_left[u] = v
                self.match_right[v] = u
                return True
        self.level.pop(u, None)
        self.level[u] = -10
        return False

    def solve(self):
        while self._bfs():
            self.phases += 1
            for u in self.edges:
                if u not in self.match_left:
                    self._dfs(u)
        return len(self.match_left)


def main(lines, n):
    edges = {}
    for line in lines.strip().splitlines():
        who, _, jobs = line.partition(":")
        edges[who.strip()] = [j.strip() for j in jobs.split(",")]
    g = Bipartite(edges)
    count = g.solve()
    big = Bipartite({f"a{i}": [f"b{(i * k + 3) % n}" for k in (1, 3, 7)] for i in range(n)})
    total = big.solve()
    left_out = sorted(set(edges) - set(g.match_left))
    return count, sorted(g.match_left.items()), left_out, total, big.phases


ARGS = [
    (
        """
ann: cook, driver
bob: cook
cid: driver, clerk
dee: clerk
eve: cook, clerk
fay: pilot, driver
""",
        60,
    )
]
