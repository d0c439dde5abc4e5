"""Products of arrays beyond dot and matmul."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .._host_info import said
from . import implements
from ._shared import axis_of
from .primitives import same_size, unsupported


def axes_pair(axes: Any) -> Any:
    """The axes of both operands that np.tensordot sums over, as tuples."""
    if not isinstance(axes, (tuple, list, range)):
        if np.ndim(axes) > 0:
            unsupported("axes in an array are not compiled; give them as a tuple of integers")
        return tuple(range(-axes, 0)), tuple(range(axes))
    first, second = axes
    return as_axes(first), as_axes(second)


def as_axes(axes: Any) -> Any:
    if isinstance(axes, (tuple, list, range)):
        return tuple(axes)
    if np.ndim(axes) > 0:
        unsupported("axes in an array are not compiled; give them as a tuple of integers")
    return (axes,)


@implements("numpy.tensordot", "numpy.linalg.tensordot")
def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    a = np.asarray(a)
    b = np.asarray(b)
    axes_a, axes_b = axes_pair(axes)
    if len(axes_a) != len(axes_b):
        raise ValueError("shape-mismatch for sum")
    for one, other in zip(axes_a, axes_b):
        if a.shape[one] != b.shape[other]:
            raise ValueError("shape-mismatch for sum")
    axes_a = tuple([axis_of(k, a.ndim) for k in axes_a])
    axes_b = tuple([axis_of(k, b.ndim) for k in axes_b])
    rest_a = tuple(k for k in range(a.ndim) if k not in axes_a)
    rest_b = tuple(k for k in range(b.ndim) if k not in axes_b)
    shape_a = tuple(a.shape[k] for k in rest_a)
    shape_b = tuple(b.shape[k] for k in rest_b)
    inner = math.prod([a.shape[k] for k in axes_a])
    left = a.transpose(rest_a + axes_a).reshape((math.prod(shape_a), inner))
    right = b.transpose(axes_b + rest_b).reshape((inner, math.prod(shape_b)))
    return np.dot(left, right).reshape(shape_a + shape_b)


@implements("numpy.kron")
def kron(a: Any, b: Any) -> Any:
    a = np.asarray(a)
    b = np.asarray(b)
    if a.ndim == 0 or b.ndim == 0:
        return np.multiply(a, b)
    shape_a = (1,) * max(0, b.ndim - a.ndim) + a.shape
    shape_b = (1,) * max(0, a.ndim - b.ndim) + b.shape
    left: Any = ()
    right: Any = ()
    for m, n in zip(shape_a, shape_b):
        left = left + (m, 1)
        right = right + (1, n)
    result = a.reshape(left) * b.reshape(right)
    return result.reshape(tuple([m * n for m, n in zip(shape_a, shape_b)]))


def not_three(m: Any, n: Any) -> Any:
    return ValueError(
        "Both input arrays must be (arrays of) 3-dimensional vectors, "
        f"but they are {m} and {n} dimensional instead."
    )


# Until NumPy 2.5 np.cross took vectors of two numbers.
PAIRS = "incompatible dimensions for cross product\n(dimension must be 2 or 3)"


def is_two(size: Any) -> Any:
    return same_size(size, 2)


def is_never(size: Any) -> Any:
    return False


def not_two_or_three(m: Any, n: Any) -> Any:
    return ValueError(PAIRS)


_takes_pairs = said(lambda: np.cross(np.zeros(4), np.zeros(4))) == PAIRS
is_pair = is_two if _takes_pairs else is_never
no_vectors = not_two_or_three if _takes_pairs else not_three


@implements("numpy.cross")
def cross(
    a: Any, b: Any, axisa: Any = -1, axisb: Any = -1, axisc: Any = -1, axis: Any = None
) -> Any:
    if axis is not None:
        axisa = axis
        axisb = axis
        axisc = axis
    a = np.asarray(a)
    b = np.asarray(b)
    if a.ndim < 1 or b.ndim < 1:
        raise ValueError("At least one array has zero dimension")
    a = np.moveaxis(a, np.lib.array_utils.normalize_axis_index(axisa, a.ndim, "axisa"), 0)
    b = np.moveaxis(b, np.lib.array_utils.normalize_axis_index(axisb, b.ndim, "axisb"), 0)
    dtype = np.promote_types(a.dtype, b.dtype)
    a = a.astype(dtype, copy=False)
    b = b.astype(dtype, copy=False)
    two_a = is_pair(len(a))
    two_b = is_pair(len(b))
    if not ((two_a or same_size(len(a), 3)) and (two_b or same_size(len(b), 3))):
        raise no_vectors(len(a), len(b))
    if two_a and two_b:
        return np.asarray(a[0] * b[1] - a[1] * b[0])
    rank = max(a.ndim, b.ndim)
    axisc = np.lib.array_utils.normalize_axis_index(axisc, rank, "axisc")
    out = np.empty((3,) + np.broadcast_shapes(a.shape[1:], b.shape[1:]), dtype)
    if two_a:
        out[0] = a[1] * b[2]
        out[1] = -(a[0] * b[2])
    elif two_b:
        out[0] = -(a[2] * b[1])
        out[1] = a[2] * b[0]
    else:
        out[0] = a[1] * b[2] - a[2] * b[1]
        out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]
    return np.moveaxis(out, 0, axisc)


@implements("numpy.linalg.cross")
def linalg_cross(x1: Any, x2: Any, /, *, axis: Any = -1) -> Any:
    x1 = np.asarray(x1)
    x2 = np.asarray(x2)
    m = x1.shape[axis_of(axis, x1.ndim)]
    n = x2.shape[axis_of(axis, x2.ndim)]
    if not (same_size(m, 3) and same_size(n, 3)):
        raise not_three(m, n)
    return cross(x1, x2, axis=axis)


def conjugated(a: Any) -> Any:
    return np.conj(a) if np.issubdtype(a.dtype, np.complexfloating) else a


@implements("numpy.vecdot", "numpy.linalg.vecdot")
def vecdot(x1: Any, x2: Any, /, axis: Any = -1) -> Any:
    x1 = np.asarray(x1)
    x2 = np.asarray(x2)
    for number, x in ((0, x1), (1, x2)):
        if x.ndim == 0:
            raise ValueError(
                f"vecdot: Input operand {number} does not have enough dimensions (has 0, gufunc "
                "core with signature (n),(n)->() requires 1)"
            )
    one = np.moveaxis(x1, axis_of(axis, x1.ndim), -1)
    other = np.moveaxis(x2, axis_of(axis, x2.ndim), -1)
    if one.shape[-1] != other.shape[-1]:
        raise ValueError(
            "vecdot: Input operand 1 has a mismatch in its core dimension 0, with gufunc "
            f"signature (n),(n)->() (size {other.shape[-1]} is different from {one.shape[-1]})"
        )
    product = conjugated(one) * other
    return np.sum(product, axis=-1, dtype=product.dtype)


@implements("numpy.matvec")
def matvec(x1: Any, x2: Any, /) -> Any:
    return np.matmul(x1, np.asarray(x2)[..., None])[..., 0]


@implements("numpy.vecmat")
def vecmat(x1: Any, x2: Any, /) -> Any:
    return np.matmul(conjugated(np.asarray(x1))[..., None, :], x2)[..., 0, :]


@implements("numpy.linalg.outer")
def linalg_outer(x1: Any, x2: Any, /) -> Any:
    x1 = np.asarray(x1)
    x2 = np.asarray(x2)
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError(
            "Input arrays must be one-dimensional, but they are "
            f"x1.ndim={x1.ndim} and x2.ndim={x2.ndim}."
        )
    return np.outer(x1, x2)


@implements("numpy.linalg.diagonal")
def last_diagonal(x: Any, /, *, offset: Any = 0) -> Any:
    return np.diagonal(x, offset, -2, -1)
