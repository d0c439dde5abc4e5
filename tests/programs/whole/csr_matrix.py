"""A CSR sparse matrix class over NumPy arrays, with conjugate gradients on a 2-D Laplacian."""

from __future__ import annotations

from collections import defaultdict
from typing import Dict, Iterable, Tuple

import numpy as np


class CSR:
    def __init__(self, shape: Tuple[int, int], data, indices, indptr):
        self.shape = shape
        self.data = np.asarray(data, dtype=float)
        self.indices = np.asarray(indices, dtype=np.int64)
        self.indptr = np.asarray(indptr, dtype=np.int64)

    @classmethod
    def from_triplets(cls, shape, triplets: Iterable[Tuple[int, int, float]]) -> CSR:
        rows: Dict[int, Dict[int, float]] = defaultdict(lambda: defaultdict(float))
        for i, j, v in triplets:
            rows[i][j] += v
        data, indices, indptr = [], [], [0]
        for i in range(shape[0]):
            for j, v in sorted(rows[i].items()):
                if v != 0:
                    data.append(v)
                    indices.append(j)
            indptr.append(len(data))
        return cls(shape, data, indices, indptr)

    @property
    def nnz(self) -> int:
        return len(self.data)

    def __matmul__(self, x: np.ndarray) -> np.ndarray:
        if x.shape[0] != self.shape[1]:
            raise ValueError(f"shapes {self.shape} and {x.shape}")
        out = np.zeros(self.shape[0])
        for i in range(self.shape[0]):
            a, b = self.indptr[i], self.indptr[i + 1]
            for k in range(a, b):
                out[i] += self.data[k] * x[self.indices[k]]
        return out

    def transpose(self) -> CSR:
        return CSR.from_triplets(self.shape[::-1], ((j, i, v) for i, j, v in self.triplets()))

    T = property(transpose)

    def triplets(self):
        for i in range(self.shape[0]):
            for k in range(self.indptr[i], self.indptr[i + 1]):
                yield i, int(self.indices[k]), float(self.data[k])

    def diagonal(self) -> np.ndarray:
        d = np.zeros(min(self.shape))
        for i, j, v in self.triplets():
            if i == j:
                d[i] = v
        return d

    def todense(self):
        m = np.zeros(self.shape)
        for i, j, v in self.triplets():
            m[i, j] = v
        return m

    def __repr__(self):
        return f"<CSR {self.shape[0]}x{self.shape[1]} nnz={self.nnz}>"


def laplacian(n: int) -> CSR:
    def entries():
        for r in range(n):
            for c in range(n):
                k = r * n + c
                yield k, k, 4.0
                for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                    if 0 <= r + dr < n and 0 <= c + dc < n:
                        yield k, (r + dr) * n + c + dc, -1.0

    return CSR.from_triplets((n * n, n * n), entries())


def cg(a: CSR, b, tol=1e-10):
    x = np.zeros_like(b)
    inv = 1.0 / a.diagonal()
    r = b - a @ x
    z = inv * r
    p, rz, steps = z.copy(), r @ z, 0
    while np.sqrt(r @ r) > tol and steps < 200:
        q = a @ p
        alpha = rz / (p @ q)
        x += alpha * p
        r -= alpha * q
        z = inv * r
        new = r @ z
        p = z + (new / rz) * p
        rz = new
        steps += 1
    return x, steps


def main(n):
    a = laplacian(n)
    b = np.linspace(-1, 1, n * n)
    x, steps = cg(a, b)
    try:
        a @ np.ones(3)
    except ValueError as e:
        error = str(e)
    return (
        repr(a),
        steps,
        bool(np.allclose(a.todense() @ x, b)),
        bool((a.T.todense() == a.todense()).all()),
        error,
        float(x.sum()),
    )


ARGS = [(7,)]
