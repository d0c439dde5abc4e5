"""Assignment problem, with potentials (Kuhn-Munkres), plus a brute force check."""

from itertools import permutations
from math import inf
from typing import List, Sequence, Tuple

Matrix = Sequence[Sequence[int]]


def hungarian(cost: Matrix) -> Tuple[int, List[int]]:
    n, m = len(cost), len(cost[0])
    assert n <= m, "more workers than jobs"
    u = [0] * (n + 1)
    v = [0] * (m + 1)
    p = [0] * (m + 1)
    way = [0] * (m + 1)
    for i in range(1, n + 1):
        p[0] = i
        j0 = 0
        minv = [inf] * (m + 1)
        used = [False] * (m + 1)
        while True:
            used[j0] = True
            i0, delta, j1 = p[j0], inf, -1
            for j in range(1, m + 1):
                if used[j]:
                    continue
                cur = cost[i0 - 1][j - 1] - u[i0] - v[j]
                if cur < minv[j]:
                    minv[j], way[j] = cur, j0
                if minv[j] < delta:
                    delta, j1 = minv[j], j
            for j in range(m + 1):
                if used[j]:
                    u[p[j]] += delta
                    v[j] -= delta
                else:
                    minv[j] -= delta
            j0 = j1
            if p[j0] == 0:
                break
        while j0:
            p[j0] = p[way[j0]]
            j0 = way[j0]
    rows = [-1] * n
    for j in range(1, m + 1):
        if p[j]:
            rows[p[j] - 1] = j - 1
    return sum(cost[i][j] for i, j in enumerate(rows)), rows


def brute(cost: Matrix) -> int:
    n = len(cost)
    return min(sum(cost[i][j] for i, j in enumerate(perm)) for perm in permutations(range(n)))


def make(n: int, seed: int) -> List[List[int]]:
    state = seed
    rows = []
    for _ in range(n):
        row = []
        for _ in range(n):
            state = (state * 48271) % 2147483647
            row.append(state % 90 + 10)
        rows.append(row)
    return rows


def main(sizes):
    out = []
    for n in sizes:
        cost = make(n, 17 + n)
        total, rows = hungarian(cost)
        if n <= 5:
            assert total == brute(cost), f"{total} is not optimal"
        out.append({"n": n, "total": total, "rows": rows})
    try:
        hungarian([[1], [2]])
    except AssertionError as error:
        out.append({"error": str(error)})
    return out


ARGS = [([3, 4, 5, 12],)]
