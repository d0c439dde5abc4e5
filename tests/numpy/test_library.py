"""Functions of the library (python/shapecast/library) against NumPy: a table of calls.

A row is an expression over the operands below. Each is run for float64 and three more dtypes (with
--full: for all), every time in another layout, and compared with plain NumPy: values, dtypes,
shapes, what is written, exceptions with their words.
"""

from __future__ import annotations

import dis
import inspect
import operator
import re

import numpy as np
import pytest
import shapecast
from shapecast.library import find, functions
from support.arrays import filled, lay_out
from support.compare import Report, compare, make
from support.ulp import Tolerance, exact, near

DTYPES = ["float64", "int32", "float32", "complex128", "bool", "uint8", "float16", "int64"]
LAYOUTS = ["c", "f", "strided", "reversed", "rolled", "offset", "read_only", "inner"]

# name: shape; small halves or whole numbers, so that most sums are exact
OPERANDS = {
    "v": (7,), "w": (7,), "u": (3,), "A": (4, 5), "B": (4, 5), "Q": (4, 4), "T": (2, 3, 4),
    "n0": (), "e": (0,), "E": (0, 3), "one": (1,), "long": (40,),
}  # fmt: skip
FIXED = {
    "x": np.array([0.0, 0.5, 1.5, 2.0, 3.5, 5.0, 5.5]),  # ascending
    "i": np.array([2, 0, 5, 2, 6]),
    "m": np.array([True, False, True, True, False, True, False]),
    "out7": np.zeros(7), "out5": np.zeros(5), "out45": np.zeros((4, 5)),
    "nans": np.array([1.0, np.nan, 3.0, -2.0, np.nan, 0.5, 2.0]),
    "N": np.array([[1.0, np.nan, 3.0], [np.nan, np.nan, np.nan], [4.0, -1.0, 2.0]]),
    "k": 1,
}  # fmt: skip


def operand(name: str, dtype: str, layout: str, seed: int) -> object:
    if name in FIXED:
        return FIXED[name]
    data = filled(OPERANDS[name], dtype, seed, "small")
    return lay_out(data, layout)


def check_call(call: str, tolerance: Tolerance, dtypes: list[str], number: int) -> None:
    bare = re.sub("'[^']*'", "", call)
    names = [n for n in [*OPERANDS, *FIXED] if re.search(rf"\b{n}\b", bare)]
    body = call if "\n" in call or call.startswith("return") else f"return {call}"
    f = make(f"def f({', '.join(names)}):\n    " + body.replace("\n", "\n    "))
    varies = any(n in OPERANDS for n in names)
    with Report(call) as report:
        for k, dtype in enumerate(dtypes if varies else ["float64"]):
            layout = LAYOUTS[(number + 3 * k) % len(LAYOUTS)]
            with report.case(dtype, layout):
                operands = [operand(n, dtype, layout, j) for j, n in enumerate(names)]
                compare(f, *operands, tol=tolerance)


def some_dtypes(full: bool, number: int) -> list[str]:
    rest = DTYPES[1:]
    turned = [rest[(number + j) % len(rest)] for j in range(len(rest))]
    return ["float64", *(turned if full else turned[:2])]


EXACT: dict[str, list[str]] = {
    "of functions": [
        "np.fromfunction(lambda i, j: i * j - 1, (3, 4))", "np.vectorize(lambda t: t * 2)(A)",
        "np.piecewise(v, [v < 0, v >= 1], [lambda t: t * t, 2])",
        "np.piecewise(A, [A > 0], [lambda t: t + 1, np.sqrt])",
        "np.apply_along_axis(lambda r: r[::-1], 0, A)", "np.apply_along_axis(np.max, 1, A)",
    ],
    "scans": [
        "np.cumsum(v)", "v.cumsum()", "np.cumsum(A)", "np.cumsum(A, 0)", "A.cumsum(axis=1)",
        "np.cumsum(T, 1)", "np.cumsum(T, -1)", "np.cumsum(A, k)", "np.cumsum(n0)",
        "np.cumsum(n0, 0)", "np.cumsum(e)", "np.cumsum(E, 0)", "np.cumsum(E, 1)", "np.cumsum(A, 2)",
        "np.cumsum([1, 2, 3])", "np.cumsum(A, axis=1, dtype=np.float64)",
        "np.cumsum(x, out=out7), out7", "np.cumsum(x, out=out5)", "v.cumprod()",
        "np.cumprod(A, axis=0)", "np.cumprod(T, axis=(1))", "np.cumulative_sum(v)",
        "np.cumulative_sum(A)", "np.cumulative_sum(A, axis=1, include_initial=True)",
        "np.cumulative_prod(A, axis=0, include_initial=True)", "np.cumulative_prod(v)",
        "np.nancumsum(nans)", "np.nancumprod(nans)", "np.nancumsum(N, 1)", "np.nancumsum(v)",
    ],
    "differences": [
        "np.ediff1d(v)", "np.ediff1d(v, to_begin=v[0], to_end=v[1:3])", "np.ediff1d(A)",
        "np.ediff1d(x, 1j)", "np.ediff1d(e, to_end=e)",
    ],
    "ufunc methods": [
        "np.add.reduce(A)", "np.add.reduce(A, 1)", "np.add.reduce(A, axis=None, keepdims=True)",
        "np.multiply.reduce(v)", "np.maximum.reduce(A, axis=0)", "np.maximum.reduce(e)",
        "np.logical_and.reduce(A, axis=-1)", "np.logical_or.reduce(A, axis=1)",
        "np.logical_xor.reduce(A)", "np.logical_xor.reduce(e)", "np.add.reduce(n0)",
        "np.minimum.reduce(A, (0, 1))", "np.fmax.reduce(v)", "np.add.reduce(v, initial=2)",
        "np.multiply.reduce(A, axis=1, where=(A != 0))", "np.add.accumulate(A, axis=1)",
        "np.multiply.accumulate(v)", "np.maximum.accumulate(A)", "np.minimum.accumulate(T, 1)",
        "np.logical_or.accumulate(v)", "np.add.outer(v, u)", "np.multiply.outer(A, u)",
        "np.maximum.outer(u, n0)", "np.less.outer(u, v)", "np.add.reduceat(v, [0, 3, 1, 5])",
        "np.multiply.reduceat(A, [0, 2, 1], axis=1)", "np.maximum.reduceat(A, [0, 3])",
        "np.add.reduceat(v, [0, 9])", "np.add.accumulate(n0)",
        "w = v.copy()\nnp.add.at(w, i, v[0])\nreturn w",
        "w = v.copy()\nnp.maximum.at(w, i, v[:5])\nreturn w",
        "w = x.copy()\nnp.negative.at(w, i)\nreturn w",
        "w = x.copy()\nnp.subtract.at(w, [0, 0, 3], 1.5)\nreturn w",
        "w = A.copy()\nnp.add.at(w, ([0, 0, 1], [1, 1, 2]), A[0, 0])\nreturn w",
        "w = A.copy()\nnp.add.at(w, [0, 0, 3], A[1])\nreturn w",
        "np.add.reduce(x, out=out5[:1][0:1].reshape(()))", "np.add.reduce(A, 5)",
    ],
    "ufunc methods of numbers": [
        "np.subtract.reduce(x)", "np.subtract.accumulate(x)", "np.divide.reduce(x[1:])",
        "np.hypot.reduce(x)", "np.bitwise_or.reduce(i)", "np.bitwise_xor.accumulate(i)",
        "np.bitwise_and.reduce(i)", "np.gcd.reduce(i)", "np.gcd.accumulate(i)",
        "np.subtract.reduce(np.ones((2, 2)), axis=(0, 1))", "np.bitwise_and.reduce(i[:0])",
        "np.fmin.reduce(N, axis=1)", "np.lcm.reduce(i + 1)",
    ],
    "indices": [
        "np.searchsorted(x, v)", "np.searchsorted(x, A, side='right')", "np.searchsorted(x, 2.2)",
        "x.searchsorted(v, 'right')", "np.searchsorted(x, nans)",
        "np.searchsorted(x[::-1], v, sorter=[6, 5, 4, 3, 2, 1, 0])",
        "np.searchsorted(x, v, sorter=i)", "np.searchsorted(x, v, side='middle')",
        "np.searchsorted(x, n0)", "np.searchsorted(i[:0], i)", "np.digitize(v, x)",
        "np.digitize(A, x, right=True)", "np.digitize(v, x[::-1])", "np.digitize(v, i)",
        "np.digitize(v, x[::-1], True)", "np.digitize(2.0, x)",
        "np.digitize(v, np.array([0.0, 1.0, np.nan]))", "np.digitize(v, np.array([np.nan, 1.0]))",
        "np.digitize(v, np.array([np.nan, 0.0, 1.0]))", "np.digitize(v, np.full(3, np.nan))",
    ],
    "counts": [
        "np.bincount(i)", "np.bincount(i, minlength=9)", "np.bincount(i, weights=x[:5])",
        "np.bincount(v)", "np.bincount(i - 1)", "np.bincount(i, w[:5])", "np.bincount(i, x)",
        "np.bincount(i.astype(np.uint64), x[:5])", "np.bincount((i - 9).astype(np.uint64))",
        "np.histogram(x, [0.0, 2.5, 9.0], weights=x > 2)",
        "np.bincount(A)", "np.bincount(e)", "np.bincount(m)", "np.bincount(i, minlength=-1)",
        "np.bincount(i[:0], minlength=3)", "np.histogram(x)", "np.histogram(v)",
        "np.histogram(A, 4)", "np.histogram(x, bins=5, range=(1, 4.5))", "np.histogram(x, 0)",
        "np.histogram(v, bins=[0, 1, 2, 5])", "np.histogram(x, bins=x)",
        "np.histogram(x, bins=x, weights=x)", "np.histogram(x, 3, weights=v)",
        "np.histogram(x, 4, density=True)", "np.histogram(x[:0])",
        "np.histogram(x, 3, range=(2, 1))",
        "np.histogram(nans)", "np.histogram(x[:1])", "np.histogram(x, [2, 1])",
        "np.histogram(np.ones((3, 3)), 3)", "np.histogram(x, 2.5)", "np.histogram(x, 3, weights=i)",
        *[f"np.histogram(x, bins='{m}')" for m in ("sqrt", "sturges", "rice", "scott", "fd",
                                                   "auto", "other")],
        "np.histogram_bin_edges(A, 7)", "np.histogram_bin_edges(x, 'auto', range=(0, 4))",
        "np.histogram2d(x, x[::-1], 3)", "np.histogram2d(x, x, bins=[2, x], density=True)",
        "np.histogram2d(x, x, 2, weights=x, range=[[0, 4], [1, 5]])",
    ],
    "questions": [
        "np.isreal(v)", "np.isreal(A * 1j)", "np.iscomplex(v)", "np.iscomplex(2j)",
        "np.isposinf(1 / v)", "np.isneginf(x)", "np.isneginf(-1 / x)", "np.nan_to_num(nans)",
        "np.nan_to_num(1 / x, posinf=5)", "np.nan_to_num(v)", "np.nan_to_num(1 / (v - 1))",
        "np.nan_to_num(nans, copy=False, nan=2), nans", "np.nan_to_num(np.nan)",
        "np.common_type(v, A)", "np.array_equiv(A, A[0])", "np.array_equiv(v, u)",
        "np.trim_zeros(v)", "np.trim_zeros(x * (x < 3), 'b')", "np.asarray_chkfinite(v)",
        "np.trim_zeros(np.stack([v * 0, v * 0, v]))", "np.trim_zeros(v[:, None] * v, 'F', axis=1)",
        "np.trim_zeros(np.stack([v * 0, v * 0]), axis=-1)", "np.trim_zeros(v[None], axis=(0, 2))",
        "np.trim_zeros(v[2:3].reshape(1, 1, 1), 'B')",
        "np.asarray_chkfinite(nans)", "np.isscalar(v[0]), np.isscalar(v), np.isscalar('a')",
        "np.can_cast(v.dtype, np.float32), np.can_cast(v, 'i8', 'same_kind')",
        "np.can_cast(1, 'f4')",
        "np.issubdtype(v.dtype, np.floating), np.issubdtype(np.int8, np.integer)",
        "np.isdtype(v.dtype, 'integral'), np.isdtype(v.dtype, ('bool', np.float64))",
        "np.broadcast_shapes((2, 1), (1, 3)), np.broadcast_shapes(A.shape, v.shape[:1])",
        "np.isdtype(v.dtype, 'number')",
    ],
    "cutting": [
        "np.split(v, [2, 4])", "np.split(A, 2)", "np.split(A, 2, axis=1)", "np.split(v, 7)",
        "np.array_split(v, 3)", "np.array_split(A, 3, axis=-1)", "np.array_split(v, 0)",
        "np.hsplit(A, 5)", "np.hsplit(v, [1])", "np.vsplit(A, 2)", "np.vsplit(v, 2)",
        "np.dsplit(T, 2)", "np.split(A, [1, 3], 1)", "np.split(v, [-2, 20])", "np.unstack(u)",
        "np.unstack(A, axis=1)", "np.unstack(n0)", "a, b = np.split(A, k + 1)\nreturn a + b",
    ],
    "putting together": [
        "np.concatenate(T)", "np.concatenate(T, axis=1)", "np.concatenate(A, axis=None)",
        "np.concatenate(v)", "np.vstack(A)", "np.hstack(A)", "np.hstack(T)", "np.vstack(v)",
        "np.stack(A)", "np.stack(T, axis=1)", "np.column_stack(A)", "np.dstack(T)",
        "np.block([v, w])", "np.block([[A], [B]])", "np.block([[Q, A], [A, Q]])", "np.block(v)",
        "np.block([[[A]], [[B]]])", "np.block([A[0], 2])", "np.block((v, w))",
        "np.insert(v, 1, 9)", "np.insert(v, [1, 3], 9)", "np.insert(A, 1, 0, axis=1)",
        "np.insert(A, 1, A[0], axis=0)", "np.insert(v, [3], [1, 2, 1])", "np.insert(v, 9, 1)",
        "np.insert(A, [0, 2, 2], A[:, :3], axis=1)", "np.insert(v, -2, v[:2])",
        "np.insert(v, [1, 3, 9], 1)", "np.delete(v, 1)", "np.delete(v, [0, 2, -1])",
        "np.delete(A, 1, axis=0)", "np.delete(A, 1)", "np.delete(v, slice(1, 6, 2))",
        "np.delete(v, m)", "np.delete(v, 7)", "np.delete(v, [1, 8])", "np.delete(v, [])",
        "np.delete(A, i[:2], axis=1)", "np.delete(v, m[:3])", "np.delete(v, k)",
        "np.resize(v, (3, 4))", "np.resize(A, 5)", "np.resize(e, 3)", "np.resize(v, -1)",
        "np.repeat(v, [1, 2, 0, 1, 3, 0, 2])", "np.repeat(A, i[:4], axis=0)", "np.repeat(v, i)",
        "np.repeat(A, [2], axis=1)", "np.repeat(v, [1, 1, -1, 1, 1, 1, 1])", "np.repeat(v, x)",
        "np.matrix_transpose(T)", "np.matrix_transpose(v)",
    ],
    "windows": [
        "np.lib.stride_tricks.sliding_window_view(v, 3)",
        "np.lib.stride_tricks.sliding_window_view(A, (2, 2))",
        "np.lib.stride_tricks.sliding_window_view(A, 2, axis=1)",
        "np.lib.stride_tricks.sliding_window_view(v, 3).sum(axis=-1)",
        "np.lib.stride_tricks.sliding_window_view(v, k + 1).copy()",
        "np.lib.stride_tricks.sliding_window_view(v, 8)",
        "np.lib.stride_tricks.sliding_window_view(v, (2, 2), (0, 0))",
        "np.lib.stride_tricks.sliding_window_view(A, 2)",
        "w = v.copy()\ns = np.lib.stride_tricks.sliding_window_view(w, 2)\n"
        "w[1:] = s[:, 0] + s[:, 1]\nreturn w",
    ],
    "padding": [
        *[f"np.pad({a}, mode='{m}')" for a in ("v, 2", "A, ((1, 2), (0, 3))", "u, (0, 7)",
                                               "T, 1") for m in (
            "constant", "edge", "linear_ramp", "maximum", "minimum", "median", "reflect",
            "symmetric", "wrap")],
        "np.pad(v, (k, 2), constant_values=(3, 4))", "np.pad(A, 1, constant_values=v[0])",
        "np.pad(A, ((1, 1), (2, 2)), constant_values=((1, 2), (3, 4)))", "np.pad(x, 2, 'mean')",
        "np.pad(v, 3, 'reflect', reflect_type='odd')", "np.pad(A, 1, 'maximum', stat_length=2)",
        "np.pad(u, 9, 'symmetric', reflect_type='odd')", "np.pad(v, -1)", "np.pad(v, 1.5)",
        "np.pad(x, (3, 2), 'linear_ramp', end_values=(5, -4))", "np.pad(e, 2)",
        "np.pad(one, 2, 'reflect')",
        "np.pad(e, 1, 'edge')", "np.pad(v, 1, 'other')", "np.pad(v, 1, 'edge', constant_values=1)",
        "np.pad(v, 2, 'empty')[2:-2]", "np.pad(i, 2, 'linear_ramp', end_values=9)",
        "np.pad(E, ((1, 0), (0, 2)))", "np.pad(A, ((1, 1), (2, 2), (3, 3)))",
    ],
}  # fmt: skip

CLOSE: dict[str, list[str]] = {
    "slopes": [
        "np.gradient(v)", "np.gradient(A)", "np.gradient(A, axis=1)", "np.gradient(v, 0.5)",
        "np.gradient(v, x)", "np.gradient(v, edge_order=2)", "np.gradient(v, x, edge_order=2)",
        "np.gradient(A, 2.0, [0.0, 1.0, 3.0, 4.0, 4.5])", "np.gradient(T, axis=(0, 2))",
        "np.gradient(one)", "np.gradient(v, u)", "np.gradient(A, 1, 2, 3)",
    ],
    "ufunc methods, rounded": [
        "np.logaddexp.reduce(x)", "np.logaddexp.accumulate(x)", "np.hypot.accumulate(x)",
    ],
    "quantiles": [
        "np.median(v)", "np.median(A)", "np.median(A, axis=0)", "np.median(A, axis=(1,))",
        "np.median(T, axis=(0, 2))", "np.median(A, keepdims=True)", "np.median(e)",
        "np.median(E, axis=0)", "np.median(nans)", "np.nanmedian(nans)", "np.nanmedian(N, axis=1)",
        "np.median(long)", "np.median(T, -1, keepdims=True)", "np.nanmedian(A, axis=0)",
        "np.quantile(v, 0.3)", "np.quantile(A, 0.75, axis=1)", "np.quantile(x, [0.1, 0.5, 1.0])",
        "np.percentile(v, 30)", "np.percentile(A, [25, 50, 75], axis=0)", "np.quantile(x, u / 3)",
        "np.percentile(x, 101)", "np.quantile(x, 0.5, keepdims=True)", "np.nanpercentile(N, 50)",
        "np.nanquantile(nans, 0.25)", "np.quantile(nans, 0.25)",
        "np.nanquantile(N, [0.2, 0.7], axis=1)", "np.quantile(long, x / 6)",
        "np.quantile(x, np.float32(0.3))", "np.quantile(x[:0], 0.3)", "np.quantile(x, 1)",
        *[f"np.quantile(v, 0.35, method='{m}')" for m in (
            "inverted_cdf", "averaged_inverted_cdf", "closest_observation", "hazen", "weibull",
            "interpolated_inverted_cdf", "median_unbiased", "normal_unbiased", "lower", "higher",
            "midpoint", "nearest", "none")],
        *[f"np.percentile(A, [0, 12, 50, 100], axis=1, method='{m}')" for m in (
            "inverted_cdf", "averaged_inverted_cdf", "closest_observation", "hazen", "midpoint")],
    ],
    "products": [
        "np.tensordot(A, B.T)", "np.tensordot(A, B, axes=([0, 1], [0, 1]))",
        "np.tensordot(A, A.T, 1)", "np.tensordot(A, A.T, (range(1, 2), range(1)))",
        "np.tensordot(A, A.T, range(1, -1, -1))", "np.tensordot(A, A.T, ('a', 'b'))",
        "np.tensordot(A, A.T, (None, 0))",
        "np.tensordot(v, u, 0)", "np.tensordot(A, B, axes=(1, 1))", "np.tensordot(A, B, axes=1)",
        "np.tensordot(T, T, axes=((0, 2), (0, 2)))", "np.tensordot(A, A, axes=([0], [0, 1]))",
        "np.kron(A, u)", "np.kron(u, A)", "np.kron(T, Q)", "np.kron(v, n0)",
        "np.cross(u, u[::-1])", "np.cross(v[:2], w[:2])", "np.cross(T[:, :, :3], u)",
        "np.cross(T, T[::-1], axis=1)", "np.cross(v, w)", "np.cross(u, w[:2])",
        "np.cross(T, T + T, axisa=1, axisb=1, axisc=0)", "np.linalg.cross(u, w[:3])",
        "np.linalg.cross(u, w[:2])", "np.vecdot(A, B)", "np.vecdot(v, w)",
        "np.vecdot(A, B, axis=0)", "np.matvec(A, v[:5])", "np.vecmat(v[:4], A)", "np.vecdot(v, u)",
    ],
    "einsum": [
        *[f"np.einsum('{s}', {o})" for s, o in [
            ("ij,kj->ik", "A, B"), ("ij,jk", "A, B.T"), ("ii", "Q"), ("ii->i", "Q.copy() * 2"),
            ("ij->ji", "A"), ("ij->", "A"), ("ij->j", "A"), ("i,i", "v, w"), ("i,j->ij", "v, u"),
            ("ij,ij->i", "A, B"), ("ijk,kl->ijl", "T, Q"), ("...j,jk->...k", "T, Q"),
            ("...ij,...jk", "T, Q"), ("bij,bkj->bik", "T, T"), ("i...->...", "T"),
            ("ij,j,i->", "A, A[0], A[:, 1]"), ("ij,jk,kl->il", "A, B.T, Q"), ("ba", "A"),
            ("ij , jk -> ik", "A, B.T"), ("i,ij->j", "one, A"), ("ijj->i", "T[:, :, :3]"),
            ("abc,abd->cd", "T, T"), ("ijk,jil->kl", "T, T.transpose(1, 0, 2)"),
            ("ij,ij->ij", "A, B"), ("i,->i", "v, n0"), ("ij,k->ik", "A, v"),
            ("i1", "A"), ("ijk", "A"), ("i", "A"), ("ij->ii", "A"), ("ij->k", "A"),
            ("ij,jk", "A"), ("ij", "A, A"), ("...", "A"), ("i...", "A"), ("...->", "A"),
            ("ij,ij,ij->", "A, B, A"), ("ea,fb,abcd,gc,hd->efgh",
                                       "Q, Q, np.multiply.outer(Q, Q), Q, Q"),
            ("i...,i...", "T, T"), ("ij,...j->i...", "A, B"),
        ]],
        "np.einsum(A, [0, 1], B, [2, 1], [0, 2])", "np.einsum(A, [0, 1])",
        "np.einsum(T, [0, ..., 1], [..., 1])", "np.einsum('ij->i', A, dtype='f8')",
        "np.einsum('ij,ij->j', A, B, optimize=True)", "np.einsum('ij->j', x[None], out=out7), out7",
        "np.einsum('i->', i, dtype='i2')",
    ],
    "signals": [
        "np.interp(v, x, x[::-1])", "np.interp(2.2, x, nans)", "np.interp(A, x, x * x, -1, 7.5)",
        "np.interp(v, x, x[:5])", "np.interp(v, x[:0], x[:0])", "np.interp(v, x, x + 1j * x)",
        "np.interp(nans, x, x)", "np.interp(v, x[:1], x[:1])", "np.interp(3.0, [1, 2], [3, 4])",
        "np.convolve(v, u)", "np.convolve(u, v)", "np.convolve(v, u, 'same')",
        "np.convolve(v, u, mode='valid')", "np.convolve(long, v)", "np.convolve(v, e)",
        "np.convolve(v, 2)", "np.correlate(v, u)", "np.correlate(u, v, 'full')",
        "np.correlate(v, v * 2, 'same')", "np.correlate(v, u, 'other')", "np.convolve(long, long)",
        "np.bartlett(7)", "np.hanning(6)", "np.hamming(7)", "np.blackman(6)", "np.kaiser(7, 2.0)",
        "np.hanning(k)", "np.bartlett(0)", "np.i0(x)", "np.i0(A)", "np.sinc(x)", "np.sinc(v)",
        "np.unwrap(x * 3)", "np.unwrap(A * 2.0, axis=0)", "np.unwrap(x, period=3)", "np.unwrap(i)",
        "np.unwrap(i * 3, period=4)", "np.unwrap(x * 3, discont=4.0)",
    ],
    "without NaNs": [
        *[f"np.{f}({a})" for f in ("nansum", "nanprod", "nanmean", "nanvar", "nanstd", "nanmin",
                                   "nanmax") for a in ("nans", "N, axis=1", "v", "A, 0",
                                                       "N, keepdims=True")],
        "np.nansum(A, dtype='f8')", "np.nanmean(A, 1, dtype='c16')", "np.nansum(nans, initial=2)",
        "np.nansum(N, axis=0, where=(N > 0))", "np.nanmean(N, where=(N > 0))",
        "np.nanvar(N, ddof=1)", "np.nanstd(A, axis=(0, 1), ddof=1)", "np.nanmin(e)",
        "np.nanmax(T, (0, 2))", "np.nanargmin(nans)", "np.nanargmax(N[::2], axis=1)",
        "np.nanargmax(N, axis=1)", "np.nanargmin(A, 0)", "np.nanmean(x, dtype=int)",
        "np.nansum(N, 0, out=out5[:3]), out5",
    ],
    "averages": [
        "np.average(v)", "np.average(A, axis=0)", "np.average(x, weights=x)",
        "np.average(A, axis=1, weights=A)", "np.average(A, axis=1, weights=x[:5])",
        "np.average(A, weights=x)", "np.average(A, 1, x[:5], returned=True)",
        "np.average(v, returned=True)", "np.average(A, 0, x[1:5], keepdims=True)",
        "np.average(x, weights=x * 0)", "np.average(A, 1, x[:4])", "np.average(v, weights=i)",
        "np.cov(v)", "np.cov(A)", "np.cov(v, w)", "np.cov(A, rowvar=False)", "np.cov(A, bias=True)",
        "np.cov(A, ddof=0)", "np.cov(A, fweights=[1, 2, 0, 1, 3])", "np.cov(A, aweights=x[:5])",
        "np.cov(A, fweights=[1, 2, 0, 1, 3], aweights=x[:5])", "np.corrcoef(A)",
        "np.corrcoef(v, w)", "np.corrcoef(x)", "np.cov(T)", "np.cov(A, B)",
        "np.cov(A, fweights=x[:5])", "np.corrcoef(x, i)",
    ],
    "polynomials": [
        "np.polyval(v, w)", "np.polyval(u, A)", "np.polyval([1, 2, 3], 2.5)", "np.polyadd(v, u)",
        "np.polysub(u, v)", "np.polymul(u, w)", "np.polyder(v)", "np.polyder(v, 2)",
        "np.polyint(v)", "np.polyint(x, 2, [1, 2])", "np.polyint(v, k=3)", "np.polyder(v, -1)",
        "np.vander(v)", "np.vander(u, 4)", "np.vander(v, 3, increasing=True)", "np.vander(A)",
        "np.logspace(0, 2, 5)", "np.logspace(0, 2, 5, base=2.0)", "np.geomspace(1, 100, 5)",
        "np.geomspace(-2.0, -32, 4, endpoint=False)", "np.geomspace(1, 0)",
        "np.geomspace(1, 256, num=9, dtype='f4')", "np.logspace(x[1], x[2], 4, endpoint=False)",
        "np.logspace(0, A, 3, axis=1)", "np.logspace(A, v[:, None], 3, axis=-1)",
        "np.logspace(0, 2, 3, base=u[:3] + 2)", "np.logspace(0, A, 3, base=2.5, axis=2)",
        "np.geomspace(np.abs(A) + 1, 5, 4, axis=1)", "np.geomspace(-np.abs(v) - 1, -9, 3, axis=-1)",
        "np.geomspace(1, A * 0, 3)", "np.geomspace(2j, 5 + v, 3)", "np.geomspace(1, 256, 1)",
    ],
}  # fmt: skip


@pytest.fixture(autouse=True)
def no_callouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """No call of the table may be a callout."""

    def probe(text: str) -> str:
        return ""  # refused

    monkeypatch.setattr("shapecast._callouts.probe", probe)


@pytest.mark.parametrize("title", [*EXACT, *CLOSE])
def test_library_functions_are_numpys(title: str, full: bool) -> None:
    rows = EXACT.get(title) or CLOSE[title]
    with Report(title) as report:
        for number, call in enumerate(rows):
            with report.case(call):
                check_call(call, exact if title in EXACT else near,
                           some_dtypes(full, number), number)  # fmt: skip


# What NumPy takes as **kwargs, or ufuncs beyond their own.
OTHER_SIGNATURES = {
    "einsum", "pad", "matvec", "vecdot", "vecmat", "cross", "tensordot", "concat", "concatenate",
    "stack", "vstack", "hstack", "row_stack",
}  # fmt: skip


# Keywords of later versions: a call with one is NumPy's own.
LEFT_TO_NUMPY = {"sort": {"descending"}, "argsort": {"descending"}}


def test_keywords_are_numpys() -> None:
    find("")
    for name, function in functions().items():
        short = name.removeprefix("numpy.")
        if short == name:
            continue
        if short.startswith(("ufunc.", "ndarray.")) or short.split(".")[-1] in OTHER_SIGNATURES:
            continue
        try:
            wanted = inspect.signature(operator.attrgetter(short)(np))
        except (AttributeError, TypeError, ValueError):  # of another version; none; a C function
            continue
        mine = inspect.signature(function)
        theirs = [k for k in wanted.parameters if k not in LEFT_TO_NUMPY.get(short, ())]
        assert list(mine.parameters) == theirs, name


# What has no effect on the values: hints, and layouts that follow from the operands.
WITHOUT_EFFECT = {
    "einsum": {"order", "optimize"}, "index_exp": {"several"}, "isin": {"assume_unique"},
    "sliding_window_view": {"subok"}, "unique": {"sorted"}, "vectorize": {"doc"},
    "lru_cache": {"typed"}, "wraps": {"wrapped", "assigned", "updated"}, "r_": {"several"},
    "c_": {"several"}, "forgotten": {"out"},
    "median": {"overwrite_input"}, "nanmedian": {"overwrite_input"},
    "quantile": {"overwrite_input"}, "nanquantile": {"overwrite_input"},
    "percentile": {"overwrite_input"}, "nanpercentile": {"overwrite_input"},
}  # fmt: skip


def test_no_argument_is_ignored() -> None:
    """A parameter that a function of the library takes and never reads would be a wrong result."""
    find("")
    for name, function in functions().items():
        code = function.__code__
        loaded = {i.argval for i in dis.get_instructions(code) if "LOAD" in i.opname}
        pairs = {part for value in loaded if isinstance(value, tuple) for part in value}
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        ignored = set(names) - loaded - pairs - set(code.co_cellvars)
        assert ignored <= WITHOUT_EFFECT.get(function.__name__, set()), name


def test_unknown_keywords_raise() -> None:
    f = shapecast.jit(make("def f(x):\n    return np.vecdot(x, x, order='C')"))
    with pytest.raises(shapecast.UnsupportedError):
        f(np.ones(3))


def test_a_read_only_array_is_not_sorted() -> None:
    x = np.array([3.0, 1.0, 2.0])
    x.flags.writeable = False
    for call in ("x.sort()", "x.partition(1)"):
        compare(make(f"def f(x):\n    {call}"), x)
