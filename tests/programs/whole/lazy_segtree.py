"""Segment tree with lazy range-add, range-assign and sum/min/max queries, checked by brute force."""

import random
from typing import List, Optional


class LazySegmentTree:
    INF = float("inf")

    def __init__(self, data: List[int]):
        self.n = len(data)
        size = 1
        while size < self.n:
            size *= 2
        self.size = size
        self.sum = [0] * (2 * size)
        self.mn = [self.INF] * (2 * size)
        self.mx = [-self.INF] * (2 * size)
        self.add = [0] * (2 * size)
        self.assign: List[Optional[int]] = [None] * (2 * size)
        for i, v in enumerate(data):
            self.sum[size + i] = self.mn[size + i] = self.mx[size + i] = v
        for i in range(size - 1, 0, -1):
            self._pull(i)

    def _pull(self, i):
        l, r = 2 * i, 2 * i + 1
        self.sum[i] = self.sum[l] + self.sum[r]
        self.mn[i] = min(self.mn[l], self.mn[r])
        self.mx[i] = max(self.mx[l], self.mx[r])

    def _apply(self, i, length, add=0, assign=None):
        if assign is not None:
            self.sum[i] = assign * length
            self.mn[i] = self.mx[i] = assign
            self.assign[i] = assign
            self.add[i] = 0
        if add:
            self.sum[i] += add * length
            self.mn[i] += add
            self.mx[i] += add
            self.add[i] += add

    def _push(self, i, length):
        half = length // 2
        for child in (2 * i, 2 * i + 1):
            self._apply(child, half, self.add[i], self.assign[i])
        self.add[i] = 0
        self.assign[i] = None

    def update(self, lo, hi, *, add=0, assign=None):
        self._update(1, 0, self.size, lo, hi, add, assign)

    def _update(self, i, a, b, lo, hi, add, assign):
        if hi <= a or b <= lo:
            return
        if lo <= a and b <= hi:
            self._apply(i, b - a, add, assign)
            return
        self._push(i, b - a)
        mid = (a + b) // 2
        self._update(2 * i, a, mid, lo, hi, add, assign)
        self._update(2 * i + 1, mid, b, lo, hi, add, assign)
        self._pull(i)

    def query(self, lo, hi):
        return self._query(1, 0, self.size, lo, hi)

    def _query(self, i, a, b, lo, hi):
        if hi <= a or b <= lo:
            return 0, self.INF, -self.INF
        if lo <= a and b <= hi:
            return self.sum[i], self.mn[i], self.mx[i]
        self._push(i, b - a)
        mid = (a + b) // 2
        s1, m1, x1 = self._query(2 * i, a, mid, lo, hi)
        s2, m2, x2 = self._query(2 * i + 1, mid, b, lo, hi)
        return s1 + s2, min(m1, m2), max(x1, x2)


def main(n, ops):
    rng = random.Random(3)
    data = [rng.randint(-50, 50) for _ in range(n)]
    tree = LazySegmentTree(data)
    answers = []
    for _ in range(ops):
        lo, hi = sorted(rng.sample(range(n + 1), 2))
        kind = rng.choice(["add", "assign", "query", "query"])
        v = rng.randint(-10, 10)
        if kind == "add":
            tree.update(lo, hi, add=v)
            data[lo:hi] = [x + v for x in data[lo:hi]]
        elif kind == "assign":
            tree.update(lo, hi, assign=v)
            data[lo:hi] = [v] * (hi - lo)
        else:
            got = tree.query(lo, hi)
            part = data[lo:hi]
            assert got == (sum(part), min(part), max(part)), (got, lo, hi)
            answers.append(got)
    return answers[:5], len(answers), sum(a for a, _, _ in answers)


ARGS = [(60, 120)]
