"""Two factorisations from the textbook, loops and all, compared with NumPy's own."""

import numpy as np
from _common import compare, size


def lu(a):
    """In place, without pivoting: L below the diagonal, U on and above it."""
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]
    return a


def lu_rows(a):
    """Whole rows at once: what one writes where loops are slow."""
    for k in range(len(a)):
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= a[k + 1 :, k, None] * a[k, k + 1 :]
    return a


def cholesky(a):
    n = a.shape[0]
    l = np.zeros_like(a)  # noqa: E741 - the textbook's name
    for i in range(n):
        for j in range(i + 1):
            s = a[i, j]
            for k in range(j):
                s -= l[i, k] * l[j, k]
            l[i, j] = np.sqrt(s) if i == j else s / l[j, j]
    return l


def positive_definite(n):
    a = np.random.default_rng(2).standard_normal((n, n))
    return a @ a.T + n * np.eye(n)


def main():
    n = size(300)
    a = positive_definite(n)
    packed = compare(lu, lambda: (a.copy(),), reference=lu_rows)
    product = (np.tril(packed, -1) + np.eye(n)) @ np.triu(packed)
    factor = compare(cholesky, lambda: (a,), reference=np.linalg.cholesky, tolerance=1e-10)
    print(
        f"largest error of L U - A {np.abs(product - a).max():.1e}, "
        f"of L L' - A {np.abs(factor @ factor.T - a).max():.1e}"
    )


if __name__ == "__main__":
    main()
