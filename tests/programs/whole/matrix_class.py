class Matrix:
    def __init__(self, rows):
        self.rows = [list(r) for r in rows]
        self.n = len(self.rows)
        self.m = len(self.rows[0])
        if any(len(r) != self.m for r in self.rows):
            raise ValueError("ragged rows")

    @classmethod
    def identity(cls, n):
        return cls([[1.0 if i == j else 0.0 for j in range(n)] for i in range(n)])

    def __getitem__(self, ij):
        i, j = ij
        return self.rows[i][j]

    def __setitem__(self, ij, v):
        i, j = ij
        self.rows[i][j] = v

    def __matmul__(self, other):
        if self.m != other.n:
            raise ValueError(f"shapes ({self.n}, {self.m}) and ({other.n}, {other.m}) do not match")
        return Matrix(
            [
                [sum(self[i, k] * other[k, j] for k in range(self.m)) for j in range(other.m)]
                for i in range(self.n)
            ]
        )

    def __add__(self, other):
        return Matrix([[a + b for a, b in zip(r, s)] for r, s in zip(self.rows, other.rows)])

    def __pow__(self, k):
        result = Matrix.identity(self.n)
        base = self
        while k:
            if k & 1:
                result = result @ base
            base = base @ base
            k >>= 1
        return result

    @property
    def T(self):
        return Matrix(zip(*self.rows))

    def det(self):
        a = [r[:] for r in self.rows]
        d = 1.0
        for c in range(self.n):
            p = max(range(c, self.n), key=lambda r: abs(a[r][c]))
            if a[p][c] == 0:
                return 0.0
            if p != c:
                a[c], a[p] = a[p], a[c]
                d = -d
            d *= a[c][c]
            for r in range(c + 1, self.n):
                f = a[r][c] / a[c][c]
                for k in range(c, self.n):
                    a[r][k] -= f * a[c][k]
        return d

    def __str__(self):
        return "\n".join(" ".join(f"{x:8.3f}" for x in r) for r in self.rows)


def main(rows, k, other):
    m = Matrix(rows)
    p = m**k
    print(p)
    q = (m @ m.T) + Matrix.identity(m.n)
    print(q.det())
    return p.rows, m.det(), (m @ Matrix(other)).rows


ARGS = [
    ([[2.0, 1.0, 0.5], [1.0, 3.0, 1.0], [0.0, 1.0, 4.0]], 5, [[1.0], [2.0], [3.0]]),
    ([[1.0, 1.0], [1.0, 0.0]], 10, [[1.0, 2.0]]),
]
