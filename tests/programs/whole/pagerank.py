"""PageRank and HITS on a small web graph."""

from collections import defaultdict


class Graph:
    def __init__(self):
        self.out = {}
        self.inc = defaultdict(set)

    def link(self, src, *targets):
        self.out.setdefault(src, [])
        for t in targets:
            self.out.setdefault(t, [])
            if t not in self.out[src]:
                self.out[src].append(t)
                self.inc[t].add(src)
        return self

    @property
    def pages(self):
        return sorted(self.out)

    def dangling(self):
        return [p for p in self.pages if not self.out[p]]

    @classmethod
    def parse(cls, text):
        g = cls()
        for part in text.split(";"):
            src, _, dst = part.partition(">")
            g.link(src.strip(), *[d.strip() for d in dst.split(",") if d.strip()])
        return g


def pagerank(graph, damping=0.85, tol=1e-10, limit=500):
    n = len(graph.pages)
    rank = dict.fromkeys(graph.pages, 1 / n)
    for iteration in range(1, limit + 1):
        lost = sum(rank[p] for p in graph.dangling())
        base = (1 - damping) / n + damping * lost / n
        new = {}
        for page in graph.pages:
            flow = sum(rank[q] / len(graph.out[q]) for q in sorted(graph.inc[page]))
            new[page] = base + damping * flow
        change = sum(abs(new[p] - rank[p]) for p in rank)
        rank = new
        if change < tol:
            break
    return rank, iteration


def hits(graph, rounds=60):
    hub = {p: 1.0 for p in graph.pages}
    auth = dict(hub)
    for _ in range(rounds):
        auth = {p: sum(hub[q] for q in sorted(graph.inc[p])) for p in graph.pages}
        norm = sum(v * v for v in auth.values()) ** 0.5 or 1.0
        auth = {p: v / norm for p, v in auth.items()}
        hub = {p: sum(auth[q] for q in graph.out[p]) for p in graph.pages}
        norm = sum(v * v for v in hub.values()) ** 0.5 or 1.0
        hub = {p: v / norm for p, v in hub.items()}
    return hub, auth


def surfer(graph, steps, seed, damping=0.85):
    """A random surfer with a little LCG; visit frequencies approximate the rank."""
    state = seed

    def rnd():
        nonlocal state
        state = (1103515245 * state + 12345) % 2**31
        return state / 2**31

    pages = graph.pages
    here = pages[0]
    visits = dict.fromkeys(pages, 0)
    for _ in range(steps):
        visits[here] += 1
        links = graph.out[here]
        if links and rnd() < damping:
            here = links[int(rnd() * len(links))]
        else:
            here = pages[int(rnd() * len(pages))]
    return {p: v / steps for p, v in visits.items()}


def ranking(scores, digits=6):
    return [
        (p, round(s, digits))
        for p, s in sorted(scores.items(), key=lambda kv: (-round(kv[1], 9), kv[0]))
    ]


def main(text, damping, steps):
    g = Graph.parse(text)
    rank, iterations = pagerank(g, damping)
    hub, auth = hits(g)
    visits = surfer(g, steps, seed=7, damping=damping)
    top = ranking(rank)
    print(f"converged after {iterations} iterations")
    for page, score in top:
        print(f"{page:<8}{score:.4f} {'*' * round(score * 60)}  visited {visits[page]:.4f}")
    worst = max(abs(visits[p] - rank[p]) for p in rank)
    return {
        "rank": top,
        "sum": round(sum(rank.values()), 9),
        "hub": ranking(hub, 4)[0],
        "authority": ranking(auth, 4)[0],
        "dangling": g.dangling(),
        "close": worst < 0.03,
        "iterations": iterations,
    }


ARGS = [
    ("a > b, c; b > c; c > a; d > c", 0.85, 4000),
    ("home > about, shop, blog; shop > cart; blog > home, shop; about > home; cart >", 0.85, 5000),
    ("x > y; y > x; z > x, y, w; w > z", 0.5, 3000),
]
