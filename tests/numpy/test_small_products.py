"""Products whose sides are about 8 or less: loops instead of calls of BLAS."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import shapecast
from support.arrays import COMPLEX, DTYPES, FLOATS, LAYOUTS, filled, lay_out
from support.compare import Report, case_id, check, compare, make, optimised, pairwise
from support.ulp import Tolerance, exact, within_absolute

SIDES = [0, 1, 2, 3, 4, 5, 7, 8, 9]
RANKS = {
    "v @ v": lambda m, k, n: ((k,), (k,)),
    "M @ v": lambda m, k, n: ((m, k), (k,)),
    "v @ M": lambda m, k, n: ((k,), (k, n)),
    "M @ M": lambda m, k, n: ((m, k), (k, n)),
    "S @ v": lambda m, k, n: ((3, m, k), (k,)),
    "v @ S": lambda m, k, n: ((k,), (3, k, n)),
    "S @ M": lambda m, k, n: ((3, m, k), (k, n)),
    "M @ S": lambda m, k, n: ((m, k), (3, k, n)),
    "S @ S": lambda m, k, n: ((3, m, k), (3, k, n)),
    "S @ one": lambda m, k, n: ((3, m, k), (1, k, n)),
    "broadcast": lambda m, k, n: ((2, 1, m, k), (3, k, n)),
}


def fresh():
    """A function without compiled variants: none of its guards has failed yet."""
    return make("def f(x, y):\n    return x @ y")


def data(shape: tuple[int, ...], dtype: str, seed: int) -> np.ndarray:
    if np.dtype(dtype).kind in "biu":
        return filled(shape, dtype, seed)  # up to the bounds: sums wrap
    values = np.random.default_rng(seed).uniform(-2, 2, (2, *shape))
    return (values[0] + 1j * values[1] if dtype in COMPLEX else values[0]).astype(dtype)


def tolerance(x: np.ndarray, y: np.ndarray) -> Tolerance:
    """4 eps log2(n) sum |x| |y|."""
    if x.dtype.kind not in "fc":
        return exact
    wide = np.complex128 if x.dtype.kind == "c" else np.float64
    bound = np.abs(np.abs(x).astype(wide) @ np.abs(y).astype(wide))
    return within_absolute(4 * np.finfo(x.dtype).eps * np.log2(max(2, x.shape[-1])) * bound)


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_side_rank_and_layout(dtype: str, full: bool) -> None:
    factors = {"m": SIDES, "k": SIDES, "n": SIDES, "rank": list(RANKS)}
    rows = pairwise({**factors, "left": LAYOUTS, "right": LAYOUTS})
    number = DTYPES.index(dtype)
    with Report(f"small products of {dtype}") as report:
        for row in rows if full else rows[number % 7 :: 7]:
            left, right = RANKS[row["rank"]](row["m"], row["k"], row["n"])
            x = lay_out(data(left, dtype, 1), row["left"])
            y = lay_out(data(right, dtype, 2), row["right"])
            with report.case(*row.values()):
                check(fresh(), x, y, tol=tolerance(x, y))


@pytest.mark.parametrize("dtype", ["float64", "int16", "complex64", "float16"])
def test_one_function_for_sizes_that_change(dtype: str) -> None:
    f = fresh()
    with Report("sizes that change") as report:
        for m, k, n in [(9, 9, 9), *itertools.permutations([2, 3, 8, 0], 3), (3, 12, 3)]:
            for shape in ((m, k), (5, m, k)):
                x, y = data(shape, dtype, 1), data((*shape[:-2], k, n), dtype, 2)
                with report.case(m, k, n):
                    check(f, x, y, tol=tolerance(x, y))


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128", "int32"])
def test_sizes_known_at_run_time_only(dtype: str) -> None:
    f = make("""
        def f(x, y, sides):
            m, k, n = int(sides[0]), int(sides[1]), int(sides[2])
            a, b = x[:m, :k], y[:k, :n]
            return a @ b, a @ b[:, 0], a[0] @ b, a[0] @ b[:, 0], x[None, :m, :k] @ y[:k, :n]
    """)
    x, y = data((10, 10), dtype, 1), data((10, 10), dtype, 2)
    with Report("sides at run time") as report:
        for sides in itertools.product([1, 2, 3, 4, 8, 9], repeat=3):
            for layout in ("c", "f", "reversed"):
                a, b = lay_out(x, layout), lay_out(y, layout)
                eps = np.finfo(dtype).eps if x.dtype.kind in "fc" else 0
                with report.case(*sides, layout):
                    check(f, a, b, np.array(sides), tol=within_absolute(400 * eps))


def same_kinds(got: np.ndarray, want: np.ndarray) -> str | None:
    """NaN where there is NaN, the same infinities, and zeros of the same sign."""
    if not np.array_equal(np.isnan(got), np.isnan(want)):
        return f"NaN at other indices: {got}, expected {want}"
    special = np.isinf(want) | (want == 0)
    return exact(np.where(special, got, 1), np.where(special, want, 1))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("side", [1, 2, 3, 4, 8])
def test_nan_infinities_and_signs_of_zero(dtype: str, side: int) -> None:
    rng = np.random.default_rng(side)
    f = fresh()
    for shape in ((side, side), (40, side, side)):
        choices = np.array([0.0, -0.0, 1.0, -2.0, np.inf, -np.inf, np.nan], dtype)
        weights = [0.3, 0.3, 0.2, 0.1, 0.04, 0.03, 0.03]
        x, y = rng.choice(choices, shape, p=weights), rng.choice(choices, shape, p=weights)
        check(f, x, y, tol=same_kinds)
        check(f, np.where(np.isfinite(x), -0.0, x).astype(dtype), np.abs(y), tol=same_kinds)


def test_integers_wrap_and_truths_do_not_add() -> None:
    for dtype in ("int8", "uint16", "int32", "uint64"):
        largest = np.full((3, 3), np.iinfo(dtype).max, dtype)
        check(fresh(), largest, largest)
    check(fresh(), np.ones((3, 3), bool), np.ones((3, 3), bool))


@pytest.mark.parametrize(
    "body",
    [
        "np.sin(x @ y) + x", "x @ y @ x.T", "(x @ y)[1:, ::2].sum(axis=0)", "x @ (y + 1.0) - 2.0",
        "x @ np.sqrt(np.abs(y))", "np.dot(x, y[0]) * 2", "np.inner(x, y)", "x[0] @ y @ x[1]",
        "np.vdot(x, y)", "np.matmul(x, y, out=z)", "x @ y @ x @ y",
        "np.array([[1.0, 0.0, 2.0]] * 3) @ x",
    ],
)  # fmt: skip
def test_small_products_in_expressions(body: str) -> None:
    f = make(f"def f(x, y, z):\n    return {body}")
    x, y, z = (data((3, 3), "float64", seed) for seed in (1, 2, 3))
    check(f, x, y, z, tol=within_absolute(1e-13))
    check(f, x, np.asfortranarray(y), z.T, tol=within_absolute(1e-13))


@pytest.mark.parametrize(
    "body",
    [
        "for i in range(len(p)):\n        p[i] = r @ p[i]",
        "for i in range(len(p)):\n        p[i] = p[i] @ r",
        "for i in range(len(p)):\n        p[i] = r @ p[i - 1]",
        "p[:] = p @ r", "p[:] = p[::-1] @ r.T", "p[:, :2] = p @ r[:, :2]",
        "r[:] = r @ r", "r @= r", "r[:] = r.T @ r", "r[:2, :2] = r[1:, 1:] @ r[:2, :2]",
        "np.matmul(r, r, out=r)", "np.matmul(p, r, out=p)",
        "s[:] = s @ s[::-1]", "s[1:] = s[:-1] @ s[1:]", "s[:] = s.swapaxes(1, 2) @ r",
    ],
    ids=case_id,
)  # fmt: skip
def test_stores_into_operands(body: str) -> None:
    f = make(f"def f(p, r, s):\n    {body}")
    arguments = (data((6, 3), "float64", 1), data((3, 3), "float64", 2), data((4, 3, 3), "f8", 3))
    check(f, *arguments, tol=within_absolute(1e-12))


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex64", "int8", "bool", "float16"])
def test_stacks_by_one_matrix_at_sizes_of_every_way(dtype: str) -> None:
    """All rows at once, or matrix by matrix; sums by 1, 8, 16 or 64 columns."""
    with Report(f"stacks by one matrix of {dtype}") as report:
        for m, k, n in (
            (9, 16, 16),
            (2, 16, 17),
            (12, 9, 65),
            (64, 64, 64),
            (70, 9, 1),
            (9, 3, 130),
        ):
            f = fresh()
            for count in (5, 0):
                x, y = data((count, m, k), dtype, 1), data((k, n), dtype, 2)
                with report.case(count, m, k, n):
                    check(f, x, y, tol=tolerance(x, y))
                    check(f, x, y[:, 0], tol=tolerance(x, y[:, 0]))


def test_results_are_in_c_order() -> None:
    f = fresh()
    for k in (3, 9):
        x = np.asfortranarray(data((k, k), "float64", 1))
        assert shapecast.jit(f)(x, x).flags.c_contiguous
        assert shapecast.jit(f)(x.T, x.T).flags.c_contiguous


@pytest.mark.parametrize(
    ("left", "right"),
    [((3, 3), (2, 3)), ((2, 3, 3), (4, 3, 3)), ((3,), (2,)), ((2, 3, 3), (2,)), ((8, 9), (8, 9))],
    ids=case_id,
)
def test_shapes_that_do_not_fit_are_numpys_error(left: tuple, right: tuple) -> None:
    f = fresh()
    assert compare(f, np.ones(left), np.ones(right)).error is not None


def test_small_products_call_nothing_and_others_do() -> None:
    rotate = make("""
        def rotate(r, p):
            for i in range(len(p)):
                p[i] = r @ p[i]
    """)

    def code(f, *arguments: np.ndarray) -> str:
        return optimised(shapecast.jit(f).stages(*arguments))

    small, large, long = np.ones((3, 3)), np.ones((9, 9)), np.ones((1000, 3))
    assert "sc_gemm" not in code(fresh(), small, small)
    assert "sc_gemm" not in code(fresh(), np.ones((50, 8, 8)), np.ones((50, 8, 8)))
    assert "sc_gemm" not in code(fresh(), long, small)
    assert "sc_gemm" in code(fresh(), large, large)
    assert "sc_gemm" in code(fresh(), small, long.T)
    text = code(rotate, small, long)
    assert "sc_gemm" not in text
    assert "sc_alloc" not in text
