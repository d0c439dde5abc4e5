class UnionFind:
    def __init__(self, items):
        self.parent = {x: x for x in items}
        self.rank = {x: 0 for x in items}
        self.count = len(self.parent)

    def find(self, x):
        while self.parent[x] != x:
            self.parent[x] = self.parent[self.parent[x]]
            x = self.parent[x]
        return x

    def union(self, a, b):
        ra, rb = self.find(a), self.find(b)
        if ra == rb:
            return False
        if self.rank[ra] < self.rank[rb]:
            ra, rb = rb, ra
        self.parent[rb] = ra
        if self.rank[ra] == self.rank[rb]:
            self.rank[ra] += 1
        self.count -= 1
        return True

    def __contains__(self, x):
        return x in self.parent


def kruskal(nodes, edges):
    uf = UnionFind(nodes)
    tree, total = [], 0
    for w, u, v in sorted(edges):
        if uf.union(u, v):
            tree.append((u, v))
            total += w
    return total, tree, uf.count


def main(n, seed):
    nodes = list(range(n))
    edges = []
    x = seed
    for i in range(n):
        for j in range(i + 1, n):
            x = (1103515245 * x + 12345) % 2**31
            if x % 3 == 0:
                edges.append((x % 100, i, j))
    total, tree, comps = kruskal(nodes, edges)
    print(f"MST weight {total}, {len(tree)} edges, {comps} component(s)")
    return {"total": total, "tree": tree, "components": comps}


ARGS = [(40, 42), (5, 7)]
