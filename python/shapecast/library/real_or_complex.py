"""Functions whose dtype depends on values: what numpy/lib/_scimath_impl.py and _polynomial_impl.py
do. See `primitives.speculate`.
"""

# mypy: disable-error-code="assignment"
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.linalg import eigvals

from . import implements
from .primitives import speculate


def is_complex(x: Any) -> Any:
    return np.issubdtype(x.dtype, np.complexfloating)


def to_complex(x: Any) -> Any:
    small = x.dtype.itemsize == 1 or (x.dtype.itemsize == 2 and x.dtype != np.float16)
    return x.astype(np.complex64 if small or x.dtype == np.float32 else np.complex128)


def complex_below_zero(x: Any, name: str = "no x below 0") -> Any:
    x = np.asarray(x)
    if is_complex(x) or speculate(not (x < 0).any(), name):
        return x
    return to_complex(x)


def float_below_zero(x: Any, name: str) -> Any:
    x = np.asarray(x)
    if is_complex(x) or np.issubdtype(x.dtype, np.floating) or speculate(not (x < 0).any(), name):
        return x
    return x * 1.0


def complex_beyond_one(x: Any) -> Any:
    x = np.asarray(x)
    if is_complex(x) or speculate(not (np.abs(x) > 1).any(), "no x beyond 1"):
        return x
    return to_complex(x)


@implements("numpy.lib.scimath.sqrt")
def sqrt(x: Any) -> Any:
    return np.sqrt(complex_below_zero(x))


@implements("numpy.lib.scimath.log")
def log(x: Any) -> Any:
    return np.log(complex_below_zero(x))


@implements("numpy.lib.scimath.log2")
def log2(x: Any) -> Any:
    return np.log2(complex_below_zero(x))


@implements("numpy.lib.scimath.log10")
def log10(x: Any) -> Any:
    return np.log10(complex_below_zero(x))


@implements("numpy.lib.scimath.logn")
def logn(n: Any, x: Any) -> Any:
    x = complex_below_zero(x)
    n = complex_below_zero(n, "no n below 0")
    return np.log(x) / np.log(n)


@implements("numpy.lib.scimath.power")
def power(x: Any, p: Any) -> Any:
    x = complex_below_zero(x)
    p = float_below_zero(p, "no p below 0")
    return np.power(x, p)


@implements("numpy.lib.scimath.arccos")
def arccos(x: Any) -> Any:
    return np.arccos(complex_beyond_one(x))


@implements("numpy.lib.scimath.arcsin")
def arcsin(x: Any) -> Any:
    return np.arcsin(complex_beyond_one(x))


@implements("numpy.lib.scimath.arctanh")
def arctanh(x: Any) -> Any:
    return np.arctanh(complex_beyond_one(x))


@implements("numpy.real_if_close")
def real_if_close(a: Any, tol: Any = 100) -> Any:
    a = np.asarray(a)
    if not is_complex(a):
        return a
    if tol > 1:
        tol = np.finfo(a.dtype).eps * tol
    if speculate((np.abs(a.imag) < tol).all(), "imaginary parts are close to 0"):
        return a.real
    return a


def narrowed(found: Any, matrix: Any) -> Any:
    """As NumPy 2.5; before, its eigvals decided."""
    if is_complex(matrix) or not is_complex(found):
        return found
    if speculate((found.imag == 0).all(), "roots are real"):
        return found.real
    return found


@implements("numpy.roots")
def roots(p: Any) -> Any:
    p = np.atleast_1d(p)
    if p.ndim != 1:
        raise ValueError("Input must be a rank-1 array.")
    indices = np.flatnonzero(p)
    if speculate(len(indices) > 1, "more than one coefficient"):
        first, last = indices[0], indices[-1]
        c = p[int(first) : int(last) + 1]
        if not np.issubdtype(c.dtype, np.inexact):
            c = c.astype(np.float64)
        companion = np.diag(np.ones(len(c) - 2, c.dtype), -1)
        companion[0, :] = -c[1:] / c[0]
        found = narrowed(eigvals(companion), companion)
        return np.hstack((found, np.zeros(len(p) - last - 1, found.dtype)))
    if len(indices) == 0:
        return np.zeros(0)
    return np.zeros(len(p) - indices[-1] - 1)
