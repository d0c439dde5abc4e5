"""Tableau simplex with Bland's rule, raising its own errors for unbounded problems."""

from enum import Enum, auto


class Status(Enum):
    OPTIMAL = auto()
    UNBOUNDED = auto()
    INFEASIBLE = auto()


class Unbounded(Exception):
    pass


class Tableau:
    def __init__(self, c, A, b):
        self.m, self.n = len(A), len(c)
        self.rows = []
        for i, (row, rhs) in enumerate(zip(A, b)):
            slack = [0.0] * self.m
            slack[i] = 1.0
            self.rows.append([float(x) for x in row] + slack + [float(rhs)])
        self.obj = [-float(x) for x in c] + [0.0] * (self.m + 1)
        self.basis = list(range(self.n, self.n + self.m))
        self.pivots = 0

    def entering(self):
        for j, x in enumerate(self.obj[:-1]):
            if x < -1e-9:
                return j
        return None

    def leaving(self, j):
        best = None
        for i, row in enumerate(self.rows):
            if row[j] > 1e-9:
                key = (row[-1] / row[j], self.basis[i])
                if best is None or key < best[0]:
                    best = (key, i)
        if best is None:
            raise Unbounded(f"column {j}")
        return best[1]

    def pivot(self, i, j):
        p = self.rows[i][j]
        self.rows[i] = [x / p for x in self.rows[i]]
        for k, row in enumerate(self.rows):
            if k != i and row[j]:
                f = row[j]
                self.rows[k] = [a - f * b for a, b in zip(row, self.rows[i])]
        f = self.obj[j]
        self.obj = [a - f * b for a, b in zip(self.obj, self.rows[i])]
        self.basis[i] = j
        self.pivots += 1

    def solve(self):
        while (j := self.entering()) is not None:
            self.pivot(self.leaving(j), j)
        x = [0.0] * self.n
        for i, var in enumerate(self.basis):
            if var < self.n:
                x[var] = self.rows[i][-1]
        return self.obj[-1], x


def linprog(c, A, b):
    if any(v < 0 for v in b):
        return Status.INFEASIBLE, None, None
    t = Tableau(c, A, b)
    try:
        value, x = t.solve()
    except Unbounded:
        return Status.UNBOUNDED, None, None
    return Status.OPTIMAL, value, x


def main(problems):
    out = []
    for c, A, b in problems:
        status, value, x = linprog(c, A, b)
        if status is Status.OPTIMAL:
            out.append(f"{status.name}: {value:.4f} at {', '.join(f'{v:g}' for v in x)}")
        else:
            out.append(status.name)
    return out


ARGS = [
    (
        [
            ([3, 5], [[1, 0], [0, 2], [3, 2]], [4, 12, 18]),
            ([1, 1], [[1, -1]], [1]),
            ([1], [[1]], [-1]),
            ([10, 6, 4, 3], [[1, 1, 1, 2], [10, 4, 5, 1], [2, 2, 6, 3]], [100, 600, 300]),
        ],
    )
]
