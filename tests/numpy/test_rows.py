"""Unroll-and-jam over rows, fused counts of several conditions, and reductions of short rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import shapecast
from shapecast import jit
from support.compare import Report, check, make
from support.fences import both_fenced

# Stencils whose rows share loads and computations; the last two only seem to.
STENCILS = {
    "dilate": "np.maximum(np.maximum(r[:-2], r[1:-1]), r[2:])",
    "column": "a[:-2] + a[1:-1] * 2 + a[2:]",
    "blur": "0.25 * a[:-2] + 0.5 * a[1:-1] + 0.25 * a[2:]",
    "box": "a[:-2, :-2] + a[:-2, 2:] + a[1:-1, :-2] + a[2:, :-2] + a[2:, 2:] + a[1:-1, 2:]",
    "rows by 2": "a[:-4:2] + a[2:-2:2] + a[4::2]",
    "more than": "(a[:-2] > a[1:-1]) & (a[1:-1] > a[2:])",
    "of two": "a[:-2] - a[2:] + (b[:-2] - b[2:]) + a[1:-1]",
    "far apart": "a[:-5] - a[5:] + (b[:-5] - b[5:])",
    "rows of one": "a[:-2] + a[2:3] + a[1:-1]",
}
# Of windows, since whole rows are one loop with the adjacent ones.
WINDOWS = "a, b = a[:, 1:], b[:, 1:]"
ROWS = "r = np.maximum(np.maximum(a[:, :-2], a[:, 1:-1]), a[:, 2:])"


def stencil(name: str) -> Callable[..., Any]:
    rows = ROWS if "r[" in STENCILS[name] else "pass"
    return make(f"def f(a, b):\n    {WINDOWS}\n    {rows}\n    return {STENCILS[name]}")


@pytest.mark.parametrize("name", STENCILS)
def test_jammed_stencils_are_numpys(name: str) -> None:
    f = stencil(name)
    g, rng = jit(f), np.random.default_rng(3)
    with Report(name) as report:
        for dtype in ("float64", "float32", "uint8", "int16", "complex64"):
            if dtype == "complex64" and name in ("dilate", "more than"):
                continue
            for rows in (5, 6, 7, 8, 9, 10, 13, 30):
                for columns in (3, 7, 8, 9, 15, 16, 17, 31, 33, 66, 130):
                    a, b = ((rng.standard_normal((2, rows, columns)) * 50).astype(dtype)).copy()
                    with report.case(dtype, rows, columns):
                        np.testing.assert_array_equal(g(a, b), f(a, b), strict=True)


@pytest.mark.parametrize("name", ["dilate", "box", "more than"])
def test_nothing_beyond_the_arrays_is_accessed(name: str) -> None:
    f = stencil(name)
    g, rng = jit(f), np.random.default_rng(4)
    for dtype in ("float64", "uint8"):
        for shape in ((6, 8), (7, 66), (9, 130), (12, 67)):
            values = (rng.standard_normal(shape) * 50).astype(dtype)
            for (fenced,) in both_fenced(values):
                np.testing.assert_array_equal(g(fenced, fenced), f(values, values), strict=True)


def test_layouts_and_targets() -> None:
    def into(out, a):
        out[1:-1] = a[:-2] + 2 * a[1:-1] + a[2:]
        return out

    def itself(a):
        a[1:-1] = a[:-2] + 2 * a[1:-1] + a[2:]
        return a

    def batches(a):
        return a[:, :-2] + 2 * a[:, 1:-1] + a[:, 2:]

    rng = np.random.default_rng(5)
    a = rng.standard_normal((22, 40))
    for view in (a, a[::-1], a[:, ::-1], a[::2], a[:, ::2], np.asfortranarray(a), a[1:-1, 1:-1],
                 np.broadcast_to(a[:1], a.shape), a[:, 3:4]):  # fmt: skip
        check(into, np.zeros(view.shape), view)
        check(into, np.zeros(view.shape, order="F"), view)
        check(itself, view.copy())
    base = rng.standard_normal((40, 40))
    check(lambda c: into(c[:20], c[10:30]), base)
    check(batches, rng.standard_normal((3, 9, 20)))


COUNTS = [
    "((a > 0) & (a < 2)).sum(), np.any(a > 2), np.all(a > -2)",
    "(a > 0).sum(), (a < 1).sum()",
    "np.count_nonzero(a > 0), np.all(a < 100)",
    "(a > 0).sum(axis=1), (a > 2).any(axis=1)",
    "(a > 0).sum(axis=1)",
    "np.any(a > 2), (a > 0).sum(), np.all(a == a)",
    "(a > 0).sum(dtype=np.int32), np.any(a < -2)",
    "np.any(a > 1e9), np.all(a > 1e9), (a > 1e9).sum()",
]


@pytest.mark.parametrize("expression", COUNTS)
def test_fused_counts_of_several_conditions(expression: str) -> None:
    f = make(f"def f(a):\n    return {expression}")
    rng = np.random.default_rng(6)
    with Report(expression) as report:
        for dtype in ("float64", "float32", "float16", "int64", "int16", "int8"):
            for shape in ((1, 0), (1, 1), (3, 63), (2, 70), (1, 70_000), (3, 40_001)):
                a = (rng.standard_normal(shape) * 3).astype(dtype)
                for view in (a, a[:, ::-1], a[0], a[:, ::2]):
                    if view.ndim == 1 and "axis" in expression:
                        continue
                    with report.case(dtype, view.shape, view.strides):
                        check(f, view)
    ones = np.ones((2, 70_000), np.float32)  # more than 16 bits hold, in one row
    check(f, ones)


@pytest.mark.parametrize("combine", ["min", "max", "any", "all", "sum", "prod", "mean"])
def test_reductions_of_short_rows_are_numpys(combine: str) -> None:
    source = "def f(a):\n    return a.{0}(axis=(0, 2)), a.{0}(axis=(0, 2), keepdims=True)"
    rng = np.random.default_rng(7)
    for dtype in ("float64", "int64", "uint8", "bool", "complex128"):
        if dtype == "complex128" and combine in ("min", "max"):
            continue
        f = make(source.format(combine))
        g = jit(f)  # one variant for short rows and long ones, whichever comes first
        for shape in ((5, 3, 8), (2, 40, 300), (1, 1, 1), (70, 3, 2)):
            a = (rng.standard_normal(shape) * 3).astype(dtype)
            if dtype == "float64":
                a[rng.random(shape) < 0.02] = np.nan
            for got, want in zip(g(a), f(a), strict=True):
                np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-12)
                assert got.dtype == want.dtype
    deep = make(f"def f(a):\n    return a.{combine}(axis=(0, 2, 4)), a.{combine}(axis=(1, 3, 4))")
    a = rng.standard_normal((3, 4, 2, 5, 6))
    for got, want in zip(jit(deep)(a), deep(a), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-12)


@pytest.mark.default_mode
def test_which_rows_are_jammed() -> None:
    """Four rows of a stencil over three rows load six; rows far apart share no loads."""
    a = np.ones((30, 30))
    loads = {}
    for name in ("column", "far apart", "dilate"):
        lines = jit(stencil(name)).stages(a, a)["loops"].splitlines()
        loads[name] = sum("llvm.load" in line and "vector<8xf64>" in line for line in lines)
    assert loads == {"column": 6, "far apart": 0, "dilate": 18}
    zeros = jit(make("def f(a):\n    a[1:-1, 1:] = 0.0\n    return a")).stages(a)["loops"]
    assert "vector<8xf64>" not in zeros  # nothing is read


GATHERS = {
    "x[indices] * 2": True, "x[indices].sum()": True, "x[indices[::-1]] + 1": True,
    "(x[indices] * y).max()": True, "total": True, "x + y": False, "add.at": False,
}  # fmt: skip


@pytest.mark.parametrize("name", GATHERS)
def test_loops_that_gather_prefetch_their_contiguous_loads(name: str) -> None:
    """Contiguous loads are prefetched in loops that also gather, and only there."""
    body = {
        "total": "    total = 0.0\n    for k in range(len(indices)):\n"
                 "        total += x[indices[k]]\n    return total",
        "add.at": "    out = np.zeros(9)\n    np.add.at(out, indices, y)\n    return out",
    }.get(name, f"    return {name}")  # fmt: skip
    f = make(f"def f(x, y, indices):\n{body}")
    rng = np.random.default_rng(8)
    for count in (0, 1, 7, 100, 70_000):
        x, y = rng.standard_normal((2, max(count, 9)))
        indices = rng.integers(0, 9, max(count, 9))
        if count == 0 and name != "(x[indices] * y).max()":
            x, y, indices = x[:9], y[:0], indices[:0]
            y = x if name == "x + y" else y
        np.testing.assert_allclose(jit(f)(x, y, indices), f(x, y, indices), rtol=1e-12)
    text = jit(f).stages(x, y, indices)["llvm"]
    assert ("call void @llvm.prefetch" in text) == GATHERS[name]


@pytest.mark.parametrize("expression", ["a.argmax(axis=1)", "a.argmin(axis=1)", "a.argmax()"])
def test_argmax_of_bools(expression: str) -> None:
    """Searches that end in the first vectors, in later ones, or nowhere."""
    f = make(f"def f(a):\n    return {expression}")
    g, rng = jit(f), np.random.default_rng(9)
    for columns in (1, 2, 63, 64, 65, 255, 256, 257, 319, 320, 511, 512, 600, 40_000):
        for density in (0.0, 1.5 / columns, 0.01, 0.5, 1.0):
            a = rng.random((5, columns)) < density
            for view in (a, a[:, ::-1], a[:, ::3], np.asfortranarray(a), a.copy()[1:, 1:]):
                if view.size:
                    check(f, view)
        for k in {0, columns // 2, columns - 1}:
            a = np.zeros((3, columns), bool)
            a[:, k] = True
            (fenced,), _ = both_fenced(a)
            np.testing.assert_array_equal(g(fenced), f(a), strict=True)


COMBINED = [
    "(a[:-2, 1:] + 2 * a[1:-1, 1:] + a[2:, 1:])[..., None].sum(axis=2)",
    "(a[:, ::2] + a[:, ::2])[:, None].max(axis=1)", "a[:, ::2][:, None].sum(axis=1)",
    "(a + 1)[:, None].sum(axis=1)", "a[:, None].sum(axis=1)", "a.T[None].min(axis=0)",
    "a[None].prod(axis=0)", "(a > 1)[:, None].any(axis=1)", "a[:, :1].argmax(axis=1)",
    "np.zeros((40, 50))[None].max(axis=0) + a", "(a[:, :1] * 2).sum(axis=1)",
]  # fmt: skip


@pytest.mark.parametrize("expression", COMBINED)
@pytest.mark.parametrize("non_temporal", [False, True])
def test_reductions_over_one_element(expression: str, non_temporal: bool) -> None:
    """A reduction over one element has no loop; its combined value is still what is stored."""
    f = make(f"def f(a):\n    return {expression}")
    before = shapecast._core._set_non_temporal_bytes(0 if non_temporal else 1 << 60)
    try:
        g = jit(f)
        for dtype in ("float64", "float32", "int64", "uint8"):
            (fenced,), _ = both_fenced(np.arange(2000).reshape(40, 50).astype(dtype))
            np.testing.assert_array_equal(g(fenced), f(fenced), strict=True)
    finally:
        shapecast._core._set_non_temporal_bytes(before)
