"""PageRank over a list of links: a loop over edges, which NumPy alone does not do fast."""

import numpy as np
from _common import compare, size


def pagerank(source, target, pages, damping, tolerance):
    links = np.zeros(pages)
    for s in source:
        links[s] += 1
    rank = np.full(pages, 1.0 / pages)
    change = 1.0
    while change > tolerance:
        flow = np.zeros(pages)
        for s, t in zip(source, target):  # noqa: B905
            flow[t] += rank[s] / links[s]
        # Pages without links hand their rank to all.
        lost = (rank * (links == 0)).sum()
        new = (1 - damping) / pages + damping * (flow + lost / pages)
        change = np.abs(new - rank).sum()
        rank = new
    return rank


def pagerank_numpy(source, target, pages, damping, tolerance):
    links = np.bincount(source, minlength=pages)
    rank = np.full(pages, 1.0 / pages)
    change = 1.0
    while change > tolerance:
        flow = np.bincount(target, rank[source] / links[source], pages)
        new = (1 - damping) / pages + damping * (flow + rank[links == 0].sum() / pages)
        change = np.abs(new - rank).sum()
        rank = new
    return rank


def main():
    pages = size(20_000)
    rng = np.random.default_rng(9)
    source = rng.integers(0, pages, 8 * pages)
    target = (pages * rng.random(8 * pages) ** 2).astype(np.int64)  # a few pages are popular
    rank = compare(
        pagerank, lambda: (source, target, pages, 0.85, 1e-9), pagerank_numpy, tolerance=1e-12
    )
    print(f"ranks sum to {rank.sum():.9f}; the first page has {rank[0] * pages:.1f} times the mean")


if __name__ == "__main__":
    main()
