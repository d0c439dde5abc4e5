"""Strides that are known at compile time, those that are not, and copies between them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from shapecast import jit
from support.compare import Report, check, jitted, make
from support.fences import both_fenced

# Of a matrix: views of every step that code is specialised for, and of some others.
STEPS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    **{f"columns by {s}": lambda a, s=s: a[:, ::s] for s in (-3, -2, -1, 2, 3, 4, 5)},
    "rows by 2": lambda a: a[::2],
    "both by -1": lambda a: a[::-1, ::-1],
    "window": lambda a: a[1:-1, 1:-1],
    "transposed window": lambda a: a[1:-1, 1:-1].T,
    "transposed, by 2": lambda a: a[:, ::2].T,
    "transposed, by -1": lambda a: a[:, ::-1].T,
    "one row": lambda a: a[1:2, ::2],
    "one column": lambda a: a[:, 1:2],
    "broadcast": lambda a: np.broadcast_to(a[:, :1], a.shape),
    "broadcast rows": lambda a: np.broadcast_to(a[:1, ::2], (3, a[:, ::2].shape[1])),
}
EXPRESSIONS = [
    "a + a", "np.isnan(a)", "a * 2 > 3", "np.sqrt(abs(a))", "a.sum()", "a.sum(axis=0)",
    "a.sum(axis=1)", "a.min()", "a.max(axis=0)", "a.max(axis=1)", "a.argmax(axis=1)",
    "a.argmin()", "(a > 0).any(axis=1)", "(a > 9).any()", "np.count_nonzero(a, axis=1)",
    "np.count_nonzero(a)", "a.copy()", "a.T.copy()", "a.ravel()", "a.cumsum(axis=1)",
    "a.astype(np.int32)", "np.concatenate((a, a))", "a[:, ::-1] + a", "a[1:] - a[:-1]",
]  # fmt: skip


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expressions_over_every_step(expression: str) -> None:
    f = make(f"def f(a):\n    return {expression}")
    rng = np.random.default_rng(1)
    with Report(expression) as report:
        for dtype, (name, view) in itertools.product(
            ("float64", "float32", "int64", "int32", "uint8", "bool", "complex128"), STEPS.items()
        ):
            if (dtype == "bool" and "-" in expression) or (
                dtype == "complex128" and "int32" in expression
            ):
                continue
            for shape in ((6, 9), (9, 300)):
                a = view((rng.standard_normal(shape) * 3).astype(dtype))
                with report.case(dtype, name, shape):
                    if "sum" in expression and a.dtype.kind in "fc":
                        np.testing.assert_allclose(jitted(f)(a), f(a), rtol=2e-5, atol=1e-4)
                    else:
                        check(f, a)


@pytest.mark.parametrize("name", [n for n in STEPS if "one" not in n and "broadcast" not in n])
def test_results_have_numpys_strides(name: str) -> None:
    f = make(
        "def f(a):\n    return a + 1, -a, np.concatenate((a, a)), a.astype(np.int32), a * a[0]"
    )
    a = STEPS[name](np.arange(63.0).reshape(7, 9))
    for got, want in zip(jit(f)(a), f(a), strict=True):
        np.testing.assert_array_equal(got, want, strict=True)
        assert got.strides == want.strides


def test_signatures_show_the_step() -> None:
    f = jit(make("def f(a):\n    return a + 1"))
    a = np.arange(60.0).reshape(6, 10)
    for view, text in (
        (a[:, ::-1], "strided by -1"), (a[:, ::2], "strided by 2"), (a[:, ::5], "strided"),
        (a[:, ::7], "strided"), (a[:3, ::2], "strided by 2"),
        (a[1:, 1:].T, "strided, first axis by 1"),
    ):  # fmt: skip
        np.testing.assert_array_equal(f(view), view + 1)
        assert f"a: float64[s0, s1] {text}" in f.signatures()
    assert len(f.signatures()) == 4


def test_views_of_fields_and_of_complex_parts() -> None:
    f = make("def f(x):\n    return x * 2, x.sum(), x.max()")
    z = np.arange(70) + 1j * np.arange(70)[::-1]
    points = np.zeros(65, [("x", "f8"), ("y", "f8"), ("z", "f8")])
    points["y"] = np.arange(65)
    for x in (z.real, z.imag, z.imag[::-1], points["y"], points["y"][::-1]):
        check(f, x)


@pytest.mark.parametrize(
    "value",
    ["a[:, [0, 2]]", "a[:, a[0] > 3]", "np.take(a, [0, 2], axis=1)", "a.take([1], axis=0)",
     "np.compress(a[0] > 3, a, axis=1)", "np.delete(a, [0, 2], axis=0)", "np.pad(a, 1)",
     "np.delete(a, [0, 2], axis=1)", "np.delete(a, 1, axis=1)", "np.insert(a, 1, 0, axis=0)",
     "np.cumsum(a, axis=0)", "np.cumprod(a, axis=1)", "np.concatenate((a, a), axis=1)"],
)  # fmt: skip
def test_results_of_fortran_matrices_have_numpys_strides(value: str) -> None:
    f = make(f"def f(a):\n    return {value}")
    a = np.asfortranarray(np.arange(54.0).reshape(6, 9))
    windows = [a] if any(n in value for n in ("pad", "delete(a, 1", "insert")) else [a, a[1:, 1:]]
    for b in windows:
        got, want = jit(f)(b), f(b)
        np.testing.assert_array_equal(got, want, strict=True)
        assert got.strides == want.strides


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "uint16", "uint8", "bool"])
def test_vectors_of_pairs_read_nothing_beyond_the_array(dtype: str) -> None:
    """The memory ends with the last element, or begins with the first one."""
    functions = [
        make(f"def f(a, b):\n    return {e}")
        for e in (
            "a == b",
            "a.max()",
            "a.any(), a.all()",
            "np.count_nonzero(a)",
            "a + b",
            "a.min()",
        )
    ]
    for count in (1, 2, 3, 7, 8, 9, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 600):
        data = np.arange(2 * count - 1).astype(dtype)
        for memory, f, step in itertools.product(both_fenced(data), functions, (2, -2, -1)):
            a = memory[0][::step]
            for got, want in zip(
                np.atleast_1d(jitted(f)(a, a)), np.atleast_1d(f(a, a)), strict=True
            ):
                np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("dtype", ["uint8", "float16", "float32", "float64", "complex128"])
def test_transposed_copies_of_every_size(dtype: str) -> None:
    """Blocks of every size, and their remainders; nothing is read or written out of bounds."""
    f = make("def f(a, out):\n    out[...] = a.T\n    return a.T.copy(), np.stack((a.T, a.T))")
    sizes = (1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 70)
    compiled = jit(f)
    for rows, columns in (*itertools.product(sizes, sizes), (1100, 3), (3, 1100)):
        data = (np.arange(rows * columns) % 251).astype(dtype).reshape(rows, columns)
        for memory in both_fenced(data, np.zeros((columns, rows), dtype)):
            a, out = memory
            for got in (compiled(a, out)[0], out, compiled(a, out)[1][1]):
                np.testing.assert_array_equal(got, data.T)
        wide = np.zeros((rows + 3, columns + 5), dtype)
        wide[2:-1, 2:-3] = data
        target = np.zeros((columns + 2, rows + 4), dtype)
        compiled(wide[2:-1, 2:-3], target[1:-1, 2:-2])
        np.testing.assert_array_equal(target[1:-1, 2:-2], data.T)
        target[1:-1, 2:-2] = 0
        assert not target.any()


@pytest.mark.parametrize("dtype", ["uint8", "float32", "complex128", "bool"])
def test_long_contiguous_runs_are_memory_copies(dtype: str) -> None:
    f = make(
        "def f(a, out):\n    out[1:-1] = a\n"
        "    return a.copy(), np.concatenate((a, a)), np.stack((a, a), 1)"
    )
    for count in (127, 128, 2047, 2048, 2049, 5000, 70_000):
        a = (np.arange(count) % 2).astype(dtype)
        check(f, a, np.zeros(count + 2, dtype))
        for memory in both_fenced(a, np.zeros(count + 2, dtype)):
            jitted(f)(*memory)
            np.testing.assert_array_equal(memory[1][1:-1], a)
    g = make(
        "def g(a):\n    b = np.empty((7, 9000), a.dtype)\n"
        "    b[:, 3:-3] = a[1:, 5:8999]\n    return b[:, 3:-3]"
    )
    check(g, (np.arange(8 * 9000) % 2).astype(dtype).reshape(8, 9000))


@pytest.mark.parametrize("value", ["0", "0.0", "-0.0", "1", "False", "0j"])
def test_long_runs_of_zeros(value: str) -> None:
    """From 1 MB on zeros are the C library's: no other value is, a negative zero neither."""
    f = make(f"def f(b):\n    b[1:-1, 2:-2] = {value}\n    return np.zeros(b.shape), b * 1")
    for dtype, shape in itertools.product(("float64", "float32", "uint8"), ((7, 9), (1200, 1300))):
        if value != "0j":
            b = np.full(shape, 3, dtype)
            check(f, b)
            assert np.array_equal(np.signbit(jitted(f)(b)[1]), np.signbit(f(b)[1]))
    check(f, np.full((700, 300), 1 + 1j))


def test_counts_of_long_rows() -> None:
    """Words of 16 bits hold what 32,768 elements count."""
    f = make("def f(a):\n    return np.count_nonzero(a, axis=1), np.count_nonzero(a[:, 1:])")
    for count in (63, 64, 32_768, 32_769, 65_537, 200_003):
        check(f, np.ones((3, count), bool))
        check(f, (np.arange(3 * count) % 3).astype(np.uint8).reshape(3, count))


@pytest.mark.parametrize("dtype", ["int64", "int32", "uint8", "int16", "bool", "float32"])
def test_extremes_of_all_lengths(dtype: str) -> None:
    f: Any = make("def f(a):\n    return a.min(axis=1), a.max(axis=1), a[:, ::2].max(axis=1)")
    rng = np.random.default_rng(2)
    with Report(dtype) as report:
        for count in (1, 2, 7, 8, 31, 33, 63, 64, 65, 127, 129, 255, 257, 511, 515, 1030):
            a = rng.integers(0, 120, (3, count)).astype(dtype)
            with report.case(count):
                check(f, a)
