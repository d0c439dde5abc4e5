"""Gaussian elimination over exact fractions: solve, determinant, inverse, rank."""

from fractions import Fraction
from itertools import permutations


class SingularMatrix(ArithmeticError):
    def __init__(self, rank, size):
        super().__init__(f"matrix is singular (rank {rank} of {size})")
        self.rank = rank


def to_fractions(rows):
    return [[Fraction(v) for v in row] for row in rows]


def row_reduce(rows, ncols):
    """Reduce in place to reduced row echelon form; returns (pivots, det_factor)."""
    det = Fraction(1)
    pivots = []
    r = 0
    for c in range(ncols):
        pivot = next((i for i in range(r, len(rows)) if rows[i][c] != 0), None)
        if pivot is None:
            continue
        if pivot != r:
            rows[r], rows[pivot] = rows[pivot], rows[r]
            det = -det
        p = rows[r][c]
        det *= p
        rows[r] = [v / p for v in rows[r]]
        for i in range(len(rows)):
            if i != r and rows[i][c]:
                f = rows[i][c]
                rows[i] = [a - f * b for a, b in zip(rows[i], rows[r])]
        pivots.append(c)
        r += 1
        if r == len(rows):
            break
    return pivots, det


def determinant(m):
    rows = to_fractions(m)
    pivots, det = row_reduce(rows, len(m))
    return det if len(pivots) == len(m) else Fraction(0)


def leibniz(m):
    """The definition, for checking."""
    n = len(m)
    total = 0
    for perm in permutations(range(n)):
        inversions = sum(perm[i] > perm[j] for i in range(n) for j in range(i + 1, n))
        term = -1 if inversions & 1 else 1
        for i, j in enumerate(perm):
            term *= m[i][j]
        total += term
    return total


def inverse(m):
    n = len(m)
    rows = [
        row + [Fraction(int(i == j)) for j in range(n)] for i, row in enumerate(to_fractions(m))
    ]
    pivots, _ = row_reduce(rows, n)
    if len(pivots) < n:
        raise SingularMatrix(len(pivots), n)
    return [row[n:] for row in rows]


def solve(m, b):
    n = len(m[0])
    rows = [row + [Fraction(v)] for row, v in zip(to_fractions(m), b)]
    pivots, _ = row_reduce(rows, n)
    for row in rows:
        if row[-1] and not any(row[:-1]):
            return None
    x = [Fraction(0)] * n
    for r, c in enumerate(pivots):
        x[c] = rows[r][-1]
    free = [c for c in range(n) if c not in pivots]
    return x, free


def matmul(a, b):
    return [[sum(x * y for x, y in zip(row, col)) for col in zip(*b)] for row in a]


def show(rows):
    text = [[str(v) for v in row] for row in rows]
    widths = [max(map(len, col)) for col in zip(*text)]
    return ["[ " + "  ".join(v.rjust(w) for v, w in zip(row, widths)) + " ]" for row in text]


def main(matrix, rhs):
    det = determinant(matrix)
    result = {"det": str(det)}
    if len(matrix) <= 4:
        result["leibniz"] = leibniz(matrix) == det
    try:
        inv = inverse(matrix)
    except SingularMatrix as e:
        result["inverse"] = str(e)
        result["rank"] = e.rank
    else:
        result["inverse"] = show(inv)
        product = matmul(to_fractions(matrix), inv)
        result["identity"] = all(
            v == (i == j) for i, row in enumerate(product) for j, v in enumerate(row)
        )
        result["rank"] = len(matrix)
    answer = solve(matrix, rhs)
    if answer is None:
        result["solution"] = "inconsistent"
    else:
        xs, free = answer
        result["solution"] = [str(x) for x in xs]
        result["free"] = free
        result["floats"] = [float(x) for x in xs]
    for k, v in result.items():
        print(k, "=", v)
    return result


HILBERT = [[Fraction(1, i + j + 1) for j in range(6)] for i in range(6)]

ARGS = [
    ([[2, 1, -1], [-3, -1, 2], [-2, 1, 2]], [8, -11, -3]),
    ([[1, 2, 3], [4, 5, 6], [7, 8, 9]], [6, 15, 24]),
    ([[0, 2], [0, 4]], [1, 3]),
    (HILBERT, [1, 0, 0, 0, 0, 1]),
]
