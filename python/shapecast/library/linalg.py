"""Linear systems and decompositions: what numpy/linalg/_linalg.py does around LAPACK.

Everything is computed in float64 or complex128, on stacks of matrices, as in NumPy.
"""

# mypy: disable-error-code="assignment,call-overload"
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.linalg import LinAlgError
from numpy.linalg._linalg import EighResult, EigResult, QRResult, SlogdetResult, SVDResult

from . import implements
from ._shared import float_dtype
from .primitives import lapack, speculate, unsupported

SINGULAR = "Singular matrix"
NO_EIGENVALUES = "Eigenvalues did not converge"
NO_SVD = "SVD did not converge"
BAD_QR = "Incorrect argument found while performing QR factorization"


# ------------------------------------------------------------------------------------------ dtypes


def result_dtype(a: Any) -> Any:
    """The result dtype for `a`; TypeError for float16."""
    dtype = float_dtype(a.dtype)
    if dtype == np.float16:
        raise TypeError(f"array type {a.dtype.name} is unsupported in linalg")
    return dtype


def real_dtype(dtype: Any) -> Any:
    if dtype == np.complex64:
        return np.dtype(np.float32)
    return np.dtype(np.float64) if dtype == np.complex128 else np.dtype(dtype)


def work_dtype(dtype: Any) -> Any:
    """The dtype of the computation."""
    if np.issubdtype(dtype, np.complexfloating):
        return np.dtype(np.complex128)
    return np.dtype(np.float64)


def cast(a: Any, dtype: Any) -> Any:
    """An array of that dtype; a number where `a` has no axes."""
    return a.astype(dtype, copy=False)[()]


# ------------------------------------------------------------------------------------------ checks


def check_matrices(a: Any) -> Any:
    if a.ndim < 2:
        raise LinAlgError(
            f"{a.ndim}-dimensional array given. Array must be at least two-dimensional"
        )


def check_square(a: Any) -> Any:
    check_matrices(a)
    if a.shape[-2] != a.shape[-1]:
        raise LinAlgError("Last 2 dimensions of the array must be square")


def check_matrix(a: Any) -> Any:
    if a.ndim != 2:
        raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be two-dimensional")


# ----------------------------------------------------------------------------------------- systems


@implements("numpy.linalg.inv")
def inv(a: Any) -> Any:
    a = np.asarray(a)
    check_square(a)
    dtype = result_dtype(a)
    work = work_dtype(dtype)
    result = np.empty(a.shape, work)
    lapack("inv", (result,), (a.astype(work, copy=False), 0), SINGULAR)
    return result.astype(dtype, copy=False)


def inverse_or_nan(a: Any, work: Any) -> Any:
    """Inverses; NaNs for singular matrices."""
    result = np.empty(a.shape, work)
    lapack("inv", (result,), (a.astype(work, copy=False), 1), SINGULAR)
    return result


@implements("numpy.linalg.solve")
def solve(a: Any, b: Any) -> Any:
    a = np.asarray(a)
    check_square(a)
    b = np.asarray(b)
    dtype = np.promote_types(result_dtype(a), result_dtype(b))
    if b.ndim == 0:
        raise ValueError(
            "solve: Input operand 1 does not have enough dimensions "
            "(has 0, gufunc core with signature (m,m),(m,n)->(m,n) requires 2)"
        )
    name, signature = ("solve1", "(m)->(m)") if b.ndim == 1 else ("solve", "(m,n)->(m,n)")
    right = b[:, None] if b.ndim == 1 else b
    if right.shape[-2] != a.shape[-1]:
        raise ValueError(
            f"{name}: Input operand 1 has a mismatch in its core dimension 0, with gufunc "
            f"signature (m,m),{signature} "
            f"(size {right.shape[-2]} is different from {a.shape[-1]})"
        )
    result = solution(a, right, work_dtype(dtype)).astype(dtype, copy=False)
    return result[..., 0] if b.ndim == 1 else result


def solution(a: Any, b: Any, work: Any) -> Any:
    stack = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    result = np.empty(stack + b.shape[-2:], work)
    left = np.broadcast_to(a.astype(work, copy=False), stack + a.shape[-2:])
    right = np.broadcast_to(b.astype(work, copy=False), stack + b.shape[-2:])
    lapack("solve", (result,), (left, right), SINGULAR)
    return result


@implements("numpy.linalg.det")
def det(a: Any) -> Any:
    a = np.asarray(a)
    check_square(a)
    dtype = result_dtype(a)
    work = work_dtype(dtype)
    result = np.empty(a.shape[:-2], work)
    lapack("det", (result,), (a.astype(work, copy=False),), SINGULAR)
    return cast(result, dtype)


@implements("numpy.linalg.slogdet")
def slogdet(a: Any) -> Any:
    a = np.asarray(a)
    check_square(a)
    dtype = result_dtype(a)
    work = work_dtype(dtype)
    sign = np.empty(a.shape[:-2], work)
    logarithm = np.empty(a.shape[:-2], np.float64)
    lapack("slogdet", (sign, logarithm), (a.astype(work, copy=False),), SINGULAR)
    return SlogdetResult(cast(sign, dtype), cast(logarithm, real_dtype(dtype)))


@implements("numpy.linalg.cholesky")
def cholesky(a: Any, /, *, upper: Any = False) -> Any:
    a = np.asarray(a)
    check_square(a)
    dtype = result_dtype(a)
    work = work_dtype(dtype)
    result = np.empty(a.shape, work)
    half = 1 if upper else 0
    lapack(
        "cholesky", (result,), (a.astype(work, copy=False), half), "Matrix is not positive definite"
    )
    return result.astype(dtype, copy=False)


# ---------------------------------------------------------------------------------------------- QR


@implements("numpy.linalg.qr")
def qr(a: Any, mode: str = "reduced") -> Any:
    if mode in ("f", "full", "e", "economic"):
        unsupported("modes of np.linalg.qr that NumPy warns of")
    if mode not in ("reduced", "complete", "r", "raw"):
        raise ValueError(f"Unrecognized mode '{mode}'")
    a = np.asarray(a)
    check_matrices(a)
    dtype = result_dtype(a)
    work = work_dtype(dtype)
    rows = a.shape[-2]
    few = min(rows, a.shape[-1])
    both = np.empty(a.shape, work)  # R above the diagonal, Q's reflectors below
    factors = np.empty(a.shape[:-2] + (few,), work)
    lapack("qr", (both, factors), (a.astype(work, copy=False),), BAD_QR)
    if mode == "r":
        return np.triu(both[..., :few, :]).astype(dtype, copy=False)
    if mode == "raw":
        return np.swapaxes(both, -1, -2).astype(dtype, copy=False), factors.astype(
            dtype, copy=False
        )
    columns = rows if mode == "complete" else few
    q = np.empty(a.shape[:-2] + (rows, columns), work)
    lapack("q", (q,), (both, factors), BAD_QR)
    r = np.triu(both[..., :columns, :])
    return QRResult(q.astype(dtype, copy=False), r.astype(dtype, copy=False))


# ------------------------------------------------------------------------------------- eigenvalues


def is_upper(half: Any) -> int:
    if half not in ("L", "U", "l", "u"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    return 1 if half in ("U", "u") else 0


@implements("numpy.linalg.eigvalsh")
def eigvalsh(a: Any, UPLO: Any = "L") -> Any:
    upper = is_upper(UPLO)
    a = np.asarray(a)
    check_square(a)
    dtype = result_dtype(a)
    values = np.empty(a.shape[:-1], np.float64)
    lapack("eigvalsh", (values,), (a.astype(work_dtype(dtype), copy=False), upper), NO_EIGENVALUES)
    return values.astype(real_dtype(dtype), copy=False)


@implements("numpy.linalg.eigh")
def eigh(a: Any, UPLO: Any = "L") -> Any:
    upper = is_upper(UPLO)
    a = np.asarray(a)
    check_square(a)
    dtype = result_dtype(a)
    work = work_dtype(dtype)
    values = np.empty(a.shape[:-1], np.float64)
    vectors = np.empty(a.shape, work)
    lapack("eigh", (values, vectors), (a.astype(work, copy=False), upper), NO_EIGENVALUES)
    return EighResult(
        values.astype(real_dtype(dtype), copy=False), vectors.astype(dtype, copy=False)
    )


def check_finite_square(a: Any) -> Any:
    check_matrices(a)
    check_square(a)
    if not np.isfinite(a).all():
        raise LinAlgError("Array must not contain infs or NaNs")


def are_real_where_possible(a: Any, values: Any) -> Any:
    """For real matrices, the values decide whether the results are real."""
    if np.issubdtype(a.dtype, np.complexfloating):
        return False
    return speculate((values.imag == 0).all(), "eigenvalues are real")


def are_never_real(a: Any, values: Any) -> Any:
    return False


# Until NumPy 2.5 they were.
are_real = (
    are_never_real
    if np.issubdtype(np.linalg.eigvals(np.ones((1, 1))).dtype, np.complexfloating)
    else are_real_where_possible
)


def complex_dtype(dtype: Any) -> Any:
    single = dtype == np.float32 or dtype == np.complex64
    return np.dtype(np.complex64) if single else np.dtype(np.complex128)


@implements("numpy.linalg.eigvals")
def eigvals(a: Any) -> Any:
    a = np.asarray(a)
    check_finite_square(a)
    dtype = result_dtype(a)
    values = np.empty(a.shape[:-1], np.complex128)
    lapack("eigvals", (values,), (a.astype(work_dtype(dtype), copy=False),), NO_EIGENVALUES)
    if are_real(a, values):
        return values.real.astype(dtype, copy=False)
    return values.astype(complex_dtype(dtype), copy=False)


@implements("numpy.linalg.eig")
def eig(a: Any) -> Any:
    a = np.asarray(a)
    check_finite_square(a)
    dtype = result_dtype(a)
    values = np.empty(a.shape[:-1], np.complex128)
    vectors = np.empty(a.shape, np.complex128)
    lapack("eig", (values, vectors), (a.astype(work_dtype(dtype), copy=False),), NO_EIGENVALUES)
    if are_real(a, values):
        return EigResult(
            values.real.astype(dtype, copy=False), vectors.real.astype(dtype, copy=False)
        )
    result = complex_dtype(dtype)
    return EigResult(values.astype(result, copy=False), vectors.astype(result, copy=False))


# --------------------------------------------------------------------------------- singular values


@implements("numpy.linalg.svd")
def svd(a: Any, full_matrices: Any = True, compute_uv: Any = True, hermitian: Any = False) -> Any:
    a = np.asarray(a)
    if hermitian:
        if not compute_uv:
            return np.sort(np.abs(eigvalsh(a)))[..., ::-1]
        return svd_hermitian(a)
    check_matrices(a)
    dtype = result_dtype(a)
    work = work_dtype(dtype)
    rows = a.shape[-2]
    columns = a.shape[-1]
    few = min(rows, columns)
    values = np.empty(a.shape[:-2] + (few,), np.float64)
    if not compute_uv:
        lapack("svdvals", (values,), (a.astype(work, copy=False),), NO_SVD)
        return values.astype(real_dtype(dtype), copy=False)
    u = np.empty(a.shape[:-1] + (rows if full_matrices else few,), work)
    vh = np.empty(a.shape[:-2] + (columns if full_matrices else few, columns), work)
    full = 1 if full_matrices else 0
    lapack("svd", (u, values, vh), (a.astype(work, copy=False), full), NO_SVD)
    return SVDResult(
        u.astype(dtype, copy=False),
        values.astype(real_dtype(dtype), copy=False),
        vh.astype(dtype, copy=False),
    )


def svd_hermitian(a: Any) -> Any:
    """Eigenvalues by magnitude; their signs go into vh."""
    values, vectors = eigh(a)
    sign = np.copysign(values.dtype.type(1.0), values)
    values = np.abs(values)
    order = np.argsort(values)[..., ::-1]
    sign = np.take_along_axis(sign, order, axis=-1)
    values = np.take_along_axis(values, order, axis=-1)
    u = np.take_along_axis(vectors, np.broadcast_to(order[..., None, :], vectors.shape), axis=-1)
    vh = np.conjugate(np.swapaxes(u * sign[..., None, :], -1, -2))
    return SVDResult(u, values, vh)


@implements("numpy.linalg.svdvals")
def svdvals(x: Any, /) -> Any:
    return svd(x, compute_uv=False)


# ----------------------------------------------------------------------------------- least squares


@implements("numpy.linalg.lstsq")
def lstsq(a: Any, b: Any, rcond: Any = None) -> Any:
    a = np.asarray(a)
    b = np.asarray(b)
    right = b[:, None] if b.ndim == 1 else b
    check_matrix(a)
    check_matrix(right)
    rows = a.shape[0]
    columns = a.shape[1]
    if rows != right.shape[0]:
        raise LinAlgError("Incompatible dimensions")
    dtype = np.promote_types(result_dtype(a), result_dtype(b))
    work = work_dtype(dtype)
    limit = np.empty((), np.float64)
    limit[()] = np.finfo(np.float64).eps * max(columns, rows) if rcond is None else rcond
    right = right.astype(work)
    sides = right.shape[1]
    if sides == 0:  # LAPACK requires at least one
        right = np.zeros((rows, 1), work)
    x = np.empty((columns, right.shape[1]), work)
    residuals = np.empty(right.shape[1:], np.float64)
    values = np.empty((min(rows, columns),), np.float64)
    rank = lapack(
        "lstsq",
        (x, residuals, values),
        (a.astype(work, copy=False), right, limit),
        "SVD did not converge in Linear Least Squares",
    )
    x = x[:, :sides]
    kept = sides if rank == columns and rows > columns else 0
    real = real_dtype(dtype)
    solution = x[:, 0] if b.ndim == 1 else x
    return (
        solution.astype(dtype),
        residuals[:kept].astype(real, copy=False),
        np.int32(rank),
        values.astype(real, copy=False),
    )
