"""Linear algebra by loops and slices: factorisations, solvers, eigenvalues."""

import numpy as np
from program import Program


def lu_in_place(a):
    """Doolittle without pivoting: L below the diagonal, U on and above it."""
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]


def lu_pivoted(a):
    n = len(a)
    a = a.copy()
    order = np.arange(n)
    sign = 1
    for k in range(n - 1):
        pivot = k + np.argmax(np.abs(a[k:, k]))
        if pivot != k:
            row = a[k].copy()
            a[k] = a[pivot]
            a[pivot] = row
            order[k], order[pivot] = order[pivot], order[k]
            sign = -sign
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= a[k + 1 :, k, None] * a[k, k + 1 :]
    return a, order, sign


def determinant(a):
    a = a.copy()
    n = a.shape[0]
    det = a.dtype.type(1)
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if abs(a[i, k]) > abs(a[p, k]):
                p = i
        if a[p, k] == 0:
            return a.dtype.type(0)
        if p != k:
            for j in range(n):
                a[k, j], a[p, j] = a[p, j], a[k, j]
            det = -det
        det *= a[k, k]
        for i in range(k + 1, n):
            a[i, k:] -= a[i, k] / a[k, k] * a[k, k:]
    return det


def cholesky(a):
    n = a.shape[0]
    l = np.zeros_like(a)
    for i in range(n):
        for j in range(i + 1):
            s = a[i, j]
            for k in range(j):
                s -= l[i, k] * l[j, k]
            if i == j:
                if s <= 0:
                    raise ValueError("matrix is not positive definite")
                l[i, i] = np.sqrt(s)
            else:
                l[i, j] = s / l[j, j]
    return l


def cholesky_columns(a):
    l = np.tril(a)
    n = len(l)
    for j in range(n):
        l[j, j] = np.sqrt(l[j, j] - (l[j, :j] ** 2).sum())
        for i in range(j + 1, n):
            l[i, j] = (l[i, j] - np.dot(l[i, :j], l[j, :j])) / l[j, j]
    return l


def forward_substitution(l, b):
    x = np.empty_like(b)
    for i in range(len(b)):
        x[i] = (b[i] - l[i, :i] @ x[:i]) / l[i, i]
    return x


def back_substitution(u, b):
    n = len(b)
    x = np.zeros_like(b)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - u[i, i + 1 :] @ x[i + 1 :]) / u[i, i]
    return x


def solve_by_cholesky(a, b):
    l = cholesky_columns(a)
    return back_substitution(l.T, forward_substitution(l, b))


def gauss_jordan_inverse(a):
    n = len(a)
    work = np.hstack([a, np.eye(n, dtype=a.dtype)])
    for k in range(n):
        work[k] /= work[k, k]
        for i in range(n):
            if i != k:
                work[i] -= work[i, k] * work[k]
    return work[:, n:]


def gram_schmidt(a):
    m, n = a.shape
    q = np.zeros((m, n), dtype=a.dtype)
    r = np.zeros((n, n), dtype=a.dtype)
    for j in range(n):
        v = a[:, j].copy()
        for i in range(j):
            r[i, j] = np.dot(q[:, i], a[:, j])
            v -= r[i, j] * q[:, i]
        r[j, j] = np.linalg.norm(v)
        q[:, j] = v / r[j, j]
    return q, r


def modified_gram_schmidt(a):
    q = a.copy()
    n = q.shape[1]
    r = np.zeros((n, n), a.dtype)
    for i in range(n):
        r[i, i] = np.sqrt((q[:, i] ** 2).sum())
        q[:, i] /= r[i, i]
        for j in range(i + 1, n):
            r[i, j] = q[:, i] @ q[:, j]
            q[:, j] -= r[i, j] * q[:, i]
    return q, r


def householder(a):
    r = a.copy()
    m, n = r.shape
    q = np.eye(m, dtype=a.dtype)
    for k in range(min(m - 1, n)):
        x = r[k:, k].copy()
        alpha = -np.sign(x[0]) * np.sqrt((x * x).sum())
        x[0] -= alpha
        x /= np.sqrt((x * x).sum())
        r[k:, k:] -= 2 * np.outer(x, x @ r[k:, k:])
        q[:, k:] -= 2 * np.outer(q[:, k:] @ x, x)
    return q, r


def conjugate_gradient(a, b, tolerance, limit):
    x = np.zeros_like(b)
    r = b - a @ x
    p = r.copy()
    rr = r @ r
    for k in range(limit):
        ap = a @ p
        alpha = rr / (p @ ap)
        x += alpha * p
        r -= alpha * ap
        new = r @ r
        if np.sqrt(new) < tolerance:
            return x, k + 1
        p = r + new / rr * p
        rr = new
    return x, limit


def power_iteration(a, steps):
    v = np.ones(a.shape[0], dtype=a.dtype)
    eigenvalue = 0.0
    for _ in range(steps):
        w = a @ v
        eigenvalue = v @ w / (v @ v)
        v = w / np.abs(w).max()
    return eigenvalue, v


def jacobi_eigenvalues(a, sweeps):
    """Cyclic Jacobi rotations of a symmetric matrix."""
    a = a.copy()
    n = a.shape[0]
    for _ in range(sweeps):
        for p in range(n - 1):
            for q in range(p + 1, n):
                if a[p, q] == 0:
                    continue
                theta = (a[q, q] - a[p, p]) / (2 * a[p, q])
                t = 1 / (abs(theta) + np.sqrt(theta * theta + 1))
                if theta < 0:
                    t = -t
                c = 1 / np.sqrt(t * t + 1)
                s = t * c
                rows_p, rows_q = a[p].copy(), a[q].copy()
                a[p], a[q] = c * rows_p - s * rows_q, s * rows_p + c * rows_q
                cols_p, cols_q = a[:, p].copy(), a[:, q].copy()
                a[:, p], a[:, q] = c * cols_p - s * cols_q, s * cols_p + c * cols_q
    return np.sort(np.diag(a))


def thomas(lower, diagonal, upper, rhs):
    n = len(diagonal)
    c = np.zeros(n - 1, dtype=diagonal.dtype)
    d = np.zeros(n, dtype=diagonal.dtype)
    c[0] = upper[0] / diagonal[0]
    d[0] = rhs[0] / diagonal[0]
    for i in range(1, n):
        m = diagonal[i] - lower[i - 1] * c[i - 1]
        if i < n - 1:
            c[i] = upper[i] / m
        d[i] = (rhs[i] - lower[i - 1] * d[i - 1]) / m
    x = d
    for i in reversed(range(n - 1)):
        x[i] -= c[i] * x[i + 1]
    return x


def jacobi_method(a, b, tolerance=1e-4, limit=100):
    d = np.diag(a)
    r = a - np.diag(d)
    x = np.zeros_like(b)
    for k in range(limit):
        new = (b - r @ x) / d
        if np.max(np.abs(new - x)) < tolerance:
            return new, k
        x = new
    return x, limit


def gauss_seidel(a, b, sweeps):
    x = np.zeros(len(b), dtype=b.dtype)
    residuals = []
    for _ in range(sweeps):
        for i in range(len(b)):
            s = b[i]
            for j in range(len(b)):
                if j != i:
                    s -= a[i, j] * x[j]
            x[i] = s / a[i, i]
        residuals.append(np.abs(a @ x - b).max())
    return x, residuals


def matmul_by_loops(a, b):
    n, k = a.shape
    k2, m = b.shape
    assert k == k2
    c = np.zeros((n, m), a.dtype)
    for i in range(n):
        for j in range(m):
            for p in range(k):
                c[i, j] += a[i, p] * b[p, j]
    return c


def matrix_power(a, exponent):
    result = np.eye(len(a), dtype=a.dtype)
    while exponent > 0:
        if exponent % 2 == 1:
            result = result @ a
        a = a @ a
        exponent //= 2
    return result


def sparse_times_vector(data, indices, pointers, x):
    y = np.zeros(len(pointers) - 1, dtype=data.dtype)
    for row in range(len(y)):
        for k in range(pointers[row], pointers[row + 1]):
            y[row] += data[k] * x[indices[k]]
    return y


def vandermonde(x, degree):
    v = np.ones((len(x), degree + 1), dtype=x.dtype)
    for k in range(1, degree + 1):
        v[:, k] = v[:, k - 1] * x
    return v


def dominant(n, t, rng):
    """A symmetric positive definite matrix that needs no pivoting."""
    a = rng.standard_normal((n, n))
    return (a + a.T + 4 * n * np.eye(n)).astype(t)


def csr(n, t, rng):
    dense = rng.random((n, n)) * (rng.random((n, n)) < 0.3)
    rows, columns = np.nonzero(dense)
    pointers = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=n))])
    return dense[rows, columns].astype(t), columns, pointers, rng.random(n).astype(t)


PROGRAMS = [
    Program(lu_in_place, lambda n, t, rng: (dominant(n, t, rng),), (3, 12)),
    Program(lu_pivoted, lambda n, t, rng: (rng.standard_normal((n, n)).astype(t),), (3, 15)),
    Program(determinant, lambda n, t, rng: (rng.standard_normal((n, n)).astype(t),), (3, 9)),
    Program(cholesky, lambda n, t, rng: (dominant(n, t, rng),), (3, 12)),
    Program(cholesky_columns, lambda n, t, rng: (dominant(n, t, rng),), (3, 20), eps=64),
    Program(
        solve_by_cholesky,
        lambda n, t, rng: (dominant(n, t, rng), rng.random(n).astype(t)),
        (3, 20),
        eps=64,
    ),
    Program(gauss_jordan_inverse, lambda n, t, rng: (dominant(n, t, rng),), (3, 12)),
    Program(gram_schmidt, lambda n, t, rng: (dominant(n, t, rng),), (3, 12), eps=256),
    Program(modified_gram_schmidt, lambda n, t, rng: (dominant(n, t, rng),), (3, 12), eps=256),
    Program(householder, lambda n, t, rng: (dominant(n, t, rng),), (3, 12), eps=256),
    Program(
        conjugate_gradient,
        lambda n, t, rng: (dominant(n, t, rng), rng.random(n).astype(t), 1e-4, 50),
        (3, 25),
        eps=256,
    ),
    Program(power_iteration, lambda n, t, rng: (dominant(n, t, rng), 12), (3, 25), eps=256),
    Program(jacobi_eigenvalues, lambda n, t, rng: (dominant(n, t, rng), 4), (3, 8)),
    Program(
        thomas,
        lambda n, t, rng: (
            rng.random(n - 1).astype(t),
            4 + rng.random(n).astype(t),
            rng.random(n - 1).astype(t),
            rng.random(n).astype(t),
        ),
        (3, 40),
    ),
    Program(
        jacobi_method,
        lambda n, t, rng: (dominant(n, t, rng), rng.random(n).astype(t)),
        (3, 20),
        eps=64,
    ),
    Program(
        gauss_seidel,
        lambda n, t, rng: (dominant(n, t, rng), rng.random(n).astype(t), 5),
        (3, 20),
        eps=64,
    ),
    Program(
        matmul_by_loops,
        lambda n, t, rng: (rng.random((n, n + 1)).astype(t), rng.random((n + 1, 4)).astype(t)),
        (3, 12),
    ),
    Program(matrix_power, lambda n, t, rng: (dominant(n, t, rng) / t(4 * n), 13), (3, 12), eps=256),
    Program(sparse_times_vector, csr, (5, 40)),
    Program(vandermonde, lambda n, t, rng: (rng.random(n).astype(t), 6), (3, 30)),
]
