"""Functions of the library (python/shapecast/library) against NumPy: a table of calls.

A row is an expression over the operands below. Each is run for float64 and three more dtypes (with
--full: for all), every time in another layout, and compared with plain NumPy: values, dtypes,
shapes, what is written, exceptions with their words.
"""

from __future__ import annotations

import re

import numpy as np
import pytest
from arrays import filled, lay_out
from helpers import Report, compare, make
from ulp import Tolerance, equal_bits, exact

DTYPES = ["float64", "int32", "float32", "complex128", "bool", "uint8", "float16", "int64"]
LAYOUTS = ["c", "f", "strided", "reversed", "rolled", "offset", "read_only", "unaligned"]

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


def near(got: np.ndarray, want: np.ndarray) -> str | None:
    """For sums in another order and chains of roundings: of the largest number's last places."""
    if want.dtype.kind not in "fc" or equal_bits(got, want).all():
        return exact(got, want)
    wide = want.astype(np.clongdouble)
    top = np.max(np.abs(wide[np.isfinite(wide)]), initial=0)
    room = 64 * float(np.finfo(want.dtype).eps) * max(float(top), 1.0)
    with np.errstate(all="ignore"):
        far = ~(np.abs(got.astype(np.clongdouble) - wide) <= room) & ~equal_bits(got, want)
    return f"{got!r}\nexpected {want!r}" if far.any() else None


def operand(name: str, dtype: str, layout: str, seed: int) -> object:
    if name in FIXED:
        return FIXED[name]
    data = filled(OPERANDS[name], dtype, seed, "small")
    return lay_out(data, layout)


def check_call(call: str, tolerance: Tolerance, dtypes: list[str], number: int) -> None:
    names = [n for n in [*OPERANDS, *FIXED] if re.search(rf"\b{n}\b", call)]
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
    return ["float64", *(turned if full else turned[:3])]


EXACT: dict[str, list[str]] = {
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
    "places": [
        "np.searchsorted(x, v)", "np.searchsorted(x, A, side='right')", "np.searchsorted(x, 2.2)",
        "x.searchsorted(v, 'right')", "np.searchsorted(x, nans)", "np.searchsorted(x[::-1], v, sorter=[6, 5, 4, 3, 2, 1, 0])",
        "np.searchsorted(x, v, sorter=i)", "np.searchsorted(x, v, side='middle')",
        "np.searchsorted(x, n0)", "np.searchsorted(i[:0], i)", "np.digitize(v, x)",
        "np.digitize(A, x, right=True)", "np.digitize(v, x[::-1])", "np.digitize(v, i)",
        "np.digitize(v, x[::-1], True)", "np.digitize(2.0, x)",
    ],
    "counts": [
        "np.bincount(i)", "np.bincount(i, minlength=9)", "np.bincount(i, weights=x[:5])",
        "np.bincount(v)", "np.bincount(i - 1)", "np.bincount(i, w[:5])", "np.bincount(i, x)",
        "np.bincount(A)", "np.bincount(e)", "np.bincount(m)", "np.bincount(i, minlength=-1)",
        "np.bincount(i[:0], minlength=3)", "np.histogram(x)", "np.histogram(v)",
        "np.histogram(A, 4)", "np.histogram(x, bins=5, range=(1, 4.5))", "np.histogram(x, 0)",
        "np.histogram(v, bins=[0, 1, 2, 5])", "np.histogram(x, bins=x)",
        "np.histogram(x, bins=x, weights=x)", "np.histogram(x, 3, weights=v)",
        "np.histogram(x, 4, density=True)", "np.histogram(x[:0])", "np.histogram(x, 3, range=(2, 1))",
        "np.histogram(nans)", "np.histogram(x[:1])", "np.histogram(x, [2, 1])",
        "np.histogram(np.ones((3, 3)), 3)", "np.histogram(x, 2.5)", "np.histogram(x, 3, weights=i)",
        *[f"np.histogram(x, bins='{m}')" for m in ("sqrt", "sturges", "rice", "scott", "fd",
                                                   "auto", "other")],
        "np.histogram_bin_edges(A, 7)", "np.histogram_bin_edges(x, 'auto', range=(0, 4))",
        "np.histogram2d(x, x[::-1], 3)", "np.histogram2d(x, x, bins=[2, x], density=True)",
        "np.histogram2d(x, x, 2, weights=x, range=[[0, 4], [1, 5]])",
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
}  # fmt: skip


@pytest.mark.parametrize("title", [*EXACT, *CLOSE])
def test_calls(title: str, full: bool) -> None:
    rows = EXACT.get(title) or CLOSE[title]
    with Report(title) as report:
        for number, call in enumerate(rows):
            with report.case(call):
                check_call(call, exact if title in EXACT else near,
                           some_dtypes(full, number), number)  # fmt: skip
