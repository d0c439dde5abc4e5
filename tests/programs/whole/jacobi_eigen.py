"""Jacobi eigenvalues, Gram-Schmidt QR iterations and power iteration in NumPy loops."""

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


def jacobi(a: Matrix, sweeps: int = 30, tol: float = 1e-12):
    a = a.copy()
    n = len(a)
    v = np.eye(n)
    for sweep in range(sweeps):
        off = np.sqrt((a[~np.eye(n, dtype=bool)] ** 2).sum())
        if off < tol:
            break
        for p in range(n - 1):
            for q in range(p + 1, n):
                if abs(a[p, q]) < 1e-15:
                    continue
                theta = (a[q, q] - a[p, p]) / (2 * a[p, q])
                t = (1.0 if theta >= 0 else -1.0) / (abs(theta) + np.hypot(theta, 1))
                c = 1 / np.sqrt(t * t + 1)
                s = t * c
                rp, rq = a[p].copy(), a[q].copy()
                a[p], a[q] = c * rp - s * rq, s * rp + c * rq
                cp, cq = a[:, p].copy(), a[:, q].copy()
                a[:, p], a[:, q] = c * cp - s * cq, s * cp + c * cq
                vp, vq = v[:, p].copy(), v[:, q].copy()
                v[:, p], v[:, q] = c * vp - s * vq, s * vp + c * vq
    order = np.argsort(np.diag(a))[::-1]
    return np.diag(a)[order], v[:, order], sweep


def gram_schmidt(a: Matrix) -> tuple[Matrix, Matrix]:
    n = a.shape[1]
    q, r = np.zeros_like(a), np.zeros((n, n))
    for j in range(n):
        w = a[:, j].astype(float)
        for i in range(j):
            r[i, j] = q[:, i] @ w
            w = w - r[i, j] * q[:, i]
        r[j, j] = np.linalg.norm(w)
        if r[j, j] < 1e-14:
            raise np.linalg.LinAlgError("dependent columns")
        q[:, j] = w / r[j, j]
    return q, r


def power(a: Matrix, iterations: int):
    x = np.ones(len(a)) / np.sqrt(len(a))
    history = []
    for _ in range(iterations):
        y = a @ x
        x = y / np.linalg.norm(y)
        history.append(float(x @ a @ x))
    return history


def main(n):
    i = np.arange(n)
    a = 1.0 / (1 + np.abs(i[:, None] - i)) + np.diag(i * 0.5)
    values, vectors, sweeps = jacobi(a)
    q, r = gram_schmidt(a)
    residual = np.abs(a @ vectors - vectors * values).max()
    try:
        gram_schmidt(np.ones((3, 3)))
        message = ""
    except np.linalg.LinAlgError as e:
        message = str(e)
    h = power(a, 20)
    return (
        [round(float(x), 10) for x in values],
        bool(residual < 1e-10),
        sweeps,
        bool(np.allclose(q @ r, a)),
        bool(np.allclose(q.T @ q, np.eye(n))),
        message,
        round(h[-1], 8),
        abs(np.trace(a) - values.sum()) < 1e-10,
    )


ARGS = [(7,)]
