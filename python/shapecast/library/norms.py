"""Norms, ranks and other numpy.linalg functions of decompositions, inverses and products."""

# mypy: disable-error-code="assignment,call-overload"
from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.linalg import LinAlgError

from .._host_info import does
from . import implements
from ._shared import axis_of
from .linalg import (
    check_matrices,
    check_matrix,
    check_square,
    inv,
    inverse_or_nan,
    real_dtype,
    result_dtype,
    solve,
    svd,
    work_dtype,
)
from .primitives import unsupported

NOTHING = ...  # an argument that was not passed


# ------------------------------------------------------------------------------------------- norms


@implements("numpy.linalg.norm")
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False) -> Any:
    """Matrix norms by singular values; src/ops/numpy/functions_products.cpp has the others."""
    x = np.asarray(x)
    axes = (0, 1) if axis is None else axis
    if not isinstance(axes, tuple):
        unsupported("an axis must be a constant (it decides the result's rank)")
    row = axis_of(axes[0], x.ndim)
    column = axis_of(axes[1], x.ndim)
    if row == column:
        raise ValueError("Duplicate axes given.")
    values = svd(np.moveaxis(x, (row, column), (-2, -1)), compute_uv=False)
    if ord == "nuc":
        result = np.sum(values, axis=-1)
    elif ord == 2:
        result = np.max(values, axis=-1, initial=0)
    else:
        result = np.min(values, axis=-1)
    if keepdims:
        return np.expand_dims(result, (row, column))
    return result


@implements("numpy.linalg.matrix_norm")
def matrix_norm(x: Any, /, *, keepdims: Any = False, ord: Any = "fro") -> Any:
    return np.linalg.norm(x, ord, (-2, -1), keepdims)


@implements("numpy.linalg.vector_norm")
def vector_norm(x: Any, /, *, axis: Any = None, keepdims: Any = False, ord: Any = 2) -> Any:
    x = np.asarray(x)
    if axis is None:
        result = np.linalg.norm(np.ravel(x), ord, 0)
        return np.reshape(result, (1,) * x.ndim) if keepdims else result
    if not isinstance(axis, tuple):
        return np.linalg.norm(x, ord, axis, keepdims)
    axes = np.lib.array_utils.normalize_axis_tuple(axis, x.ndim)
    rest = tuple(i for i in range(x.ndim) if i not in axes)
    sizes = tuple(x.shape[i] for i in rest)
    flat = x.transpose(axes + rest).reshape((math.prod([x.shape[i] for i in axes]),) + sizes)
    result = np.linalg.norm(flat, ord, 0)
    if keepdims:
        kept = tuple(1 if i in axes else x.shape[i] for i in range(x.ndim))
        return np.reshape(result, kept)
    return result


def singular_values(x: Any) -> Any:
    return svd(x, compute_uv=False)


def singular_values_or_nan(x: Any) -> Any:
    finite = np.isfinite(x).all(axis=(-2, -1))
    values = svd(np.where(finite[..., None, None], x, x.dtype.type(0)), compute_uv=False)
    return np.where(finite[..., None], values, values.dtype.type(np.nan))


def nuclear_norm(x: Any) -> Any:
    return np.linalg.norm(x, "nuc", (-2, -1))


def nuclear_norm_or_nan(x: Any) -> Any:
    return np.sum(singular_values_or_nan(x), axis=-1)


# Before NumPy 2.5 np.linalg.cond raised where there are NaNs.
_knows_nan = does(lambda: np.linalg.cond(np.full((1, 1), np.nan)))
condition_values = singular_values_or_nan if _knows_nan else singular_values
condition_norm = nuclear_norm_or_nan if _knows_nan else nuclear_norm


@implements("numpy.linalg.cond")
def cond(x: Any, p: Any = None) -> Any:
    x = np.asarray(x)
    if x.ndim < 2:
        check_matrices(x)
    if x.shape[-1] == 0 or x.shape[-2] == 0:
        raise LinAlgError("cond is not defined on empty arrays")
    if p is None or p == 2 or p == -2:
        values = condition_values(x)
        result = values[..., 0] / values[..., -1]
        if p == -2:
            result = values[..., -1] / values[..., 0]
    else:
        check_square(x)
        dtype = result_dtype(x)
        inverse = inverse_or_nan(x, work_dtype(dtype))
        if p == "nuc":
            result = condition_norm(x) * condition_norm(inverse)
        else:
            result = np.linalg.norm(x, p, (-2, -1)) * np.linalg.norm(inverse, p, (-2, -1))
        result = result.astype(real_dtype(dtype), copy=False)
    lost = np.isnan(result) & ~np.isnan(x).any(axis=(-2, -1))
    return np.where(lost, result.dtype.type(np.inf), result)[()]


# ------------------------------------------------------------------------------------------- ranks


@implements("numpy.linalg.matrix_rank")
def matrix_rank(A: Any, tol: Any = None, hermitian: Any = False, *, rtol: Any = None) -> Any:
    if rtol is not None and tol is not None:
        raise ValueError("`tol` and `rtol` can't be both set.")
    A = np.asarray(A)
    if A.ndim < 2:
        return int(not np.all(A == 0))
    values = svd(A, compute_uv=False, hermitian=hermitian)
    if tol is not None:
        limit = np.asarray(tol)[..., None]
    else:
        largest = np.max(values, axis=-1, keepdims=True, initial=0)
        if rtol is None:
            limit = largest * (max(A.shape[-2], A.shape[-1]) * np.finfo(values.dtype).eps)
        else:
            limit = largest * np.asarray(rtol)[..., None]
    return np.count_nonzero(values > limit, axis=-1)


@implements("numpy.linalg.pinv")
def pinv(a: Any, rcond: Any = None, hermitian: Any = False, *, rtol: Any = NOTHING) -> Any:
    a = np.asarray(a)
    if rcond is not None and rtol is not NOTHING:
        raise ValueError("`rtol` and `rcond` can't be both set.")
    check_matrices(a)
    part = 1e-15
    if rcond is not None:
        part = rcond
    elif rtol is None:
        part = max(a.shape[-2], a.shape[-1]) * np.finfo(a.dtype).eps
    elif rtol is not NOTHING:
        part = rtol
    u, values, vh = svd(np.conjugate(a), full_matrices=False, hermitian=hermitian)
    large = values > np.asarray(part)[..., None] * np.max(values, axis=-1, keepdims=True, initial=0)
    values = np.where(large, 1 / values, values.dtype.type(0))
    return np.matmul(np.swapaxes(vh, -1, -2), values[..., None] * np.swapaxes(u, -1, -2))


# ---------------------------------------------------------------------------------------- products


@implements("numpy.linalg.matrix_power")
def matrix_power(a: Any, n: Any) -> Any:
    a = np.asarray(a)
    check_square(a)
    if not isinstance(n, (int, np.integer)):
        raise TypeError("exponent must be an integer")
    if n == 0:
        result = np.empty_like(a)
        result[...] = np.eye(a.shape[-2], dtype=a.dtype)
        return result
    if n < 0:
        return power(inv(a), -n)
    return power(a, n)


def power(a: Any, n: Any) -> Any:
    """By repeated squaring, in NumPy's order."""
    if n == 1:
        return a
    if n == 2:
        return np.matmul(a, a)
    if n == 3:
        return np.matmul(np.matmul(a, a), a)
    square = np.matmul(a, a)
    rest = n // 2
    while rest % 2 == 0:
        square = np.matmul(square, square)
        rest //= 2
    result = np.matmul(a, square) if n % 2 else square
    rest //= 2
    while rest > 0:
        square = np.matmul(square, square)
        if rest % 2:
            result = np.matmul(result, square)
        rest //= 2
    return result


@implements("numpy.linalg.multi_dot")
def multi_dot(arrays: Any, *, out: Any = None) -> Any:
    count = len(arrays)
    if count < 2:
        raise ValueError("Expecting at least two arrays.")
    if count == 2:
        return np.dot(arrays[0], arrays[1], out=out)
    first = np.asarray(arrays[0])
    last = np.asarray(arrays[-1])
    left = np.atleast_2d(first) if first.ndim == 1 else first
    right = np.atleast_2d(last).T if last.ndim == 1 else last
    matrices = (left,) + tuple([np.asarray(a) for a in arrays[1:-1]]) + (right,)
    for a in matrices:
        check_matrix(a)
    result = best_product(matrices)
    if first.ndim == 1 and last.ndim == 1:
        result = result[0, 0]
    elif first.ndim == 1 or last.ndim == 1:
        result = np.ravel(result)
    if out is None:
        return result
    out[...] = result
    return out


def best_product(matrices: Any) -> Any:
    """In the order with the fewest multiplications, chosen by the sizes at run time."""
    if len(matrices) == 3:
        return product_of_three(*matrices)
    if len(matrices) == 4:
        return product_of_four(*matrices)
    unsupported("np.linalg.multi_dot of more than four arrays")


def product_of_three(a: Any, b: Any, c: Any) -> Any:
    if cost_of_three(a, b, c, True) < cost_of_three(a, b, c, False):
        return np.dot(np.dot(a, b), c)
    return np.dot(a, np.dot(b, c))


def cost_of_three(a: Any, b: Any, c: Any, left: bool) -> Any:
    """(ab)c or a(bc), whichever is cheaper."""
    if left:
        return a.shape[0] * c.shape[0] * (a.shape[1] + c.shape[1])
    return a.shape[1] * c.shape[1] * (a.shape[0] + c.shape[0])


def product_of_four(a: Any, b: Any, c: Any, d: Any) -> Any:
    rows = a.shape[0]
    columns = d.shape[1]
    inner = min(cost_of_three(b, c, d, True), cost_of_three(b, c, d, False))
    first = inner + rows * b.shape[0] * columns
    middle = rows * c.shape[0] * (b.shape[0] + columns) + c.shape[0] * d.shape[0] * columns
    inner = min(cost_of_three(a, b, c, True), cost_of_three(a, b, c, False))
    last = inner + rows * d.shape[0] * columns
    if last < first and last < middle:
        return np.dot(product_of_three(a, b, c), d)
    if middle < first:
        return np.dot(np.dot(a, b), np.dot(c, d))
    return np.dot(a, product_of_three(b, c, d))


@implements("numpy.linalg.tensorinv")
def tensorinv(a: Any, ind: Any = 2) -> Any:
    a = np.asarray(a)
    if ind <= 0:
        raise ValueError("Invalid ind argument.")
    size = math.prod(a.shape[ind:])
    return inv(a.reshape(size, -1)).reshape(a.shape[ind:] + a.shape[:ind])


@implements("numpy.linalg.tensorsolve")
def tensorsolve(a: Any, b: Any, axes: Any = None) -> Any:
    a = np.asarray(a)
    b = np.asarray(b)
    if axes is not None:
        moved = tuple([axis_of(k, a.ndim) for k in axes])
        a = a.transpose(tuple(k for k in range(a.ndim) if k not in moved) + moved)
    shape = a.shape[b.ndim - a.ndim :]
    size = math.prod(shape)
    if a.size != size**2:
        raise LinAlgError(
            "Input arrays must satisfy the requirement "
            "            prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim])"
        )
    return solve(a.reshape(size, size), np.ravel(b)).reshape(shape)


@implements("numpy.linalg.matmul")
def matmul(x1: Any, x2: Any, /) -> Any:
    return np.matmul(x1, x2)


@implements("numpy.linalg.trace")
def trace(x: Any, /, *, offset: Any = 0, dtype: Any = None) -> Any:
    return np.trace(x, offset, -2, -1, dtype)
