"""@ matmul dot inner outer vdot norm: dtypes, layouts, sizes, stacks, mixtures, errors."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import shapecast
from support.arrays import COMPLEX, DTYPES, LAYOUTS, lay_out
from support.compare import Report, case_id, check, make
from support.ulp import Tolerance, exact, within, within_absolute

FORMS = ["x @ y", "np.matmul(x, y)", "np.dot(x, y)", "x.dot(y)"]
functions = [make(f"def f(x, y):\n    return {form}") for form in FORMS]
RANKS = [((6,), (6,)), ((5, 6), (6,)), ((6,), (6, 4)), ((5, 6), (6, 4))]


def tolerance(x: np.ndarray, y: np.ndarray) -> Tolerance:
    """4 eps log2(n) sum |x| |y|."""
    result = np.result_type(x, y)
    if result.kind not in "fc":
        return exact
    wide = np.complex128 if result.kind == "c" else np.float64
    bound = np.abs(x).astype(wide) @ np.abs(y).astype(wide)
    return within_absolute(4 * np.finfo(result).eps * np.log2(max(2, x.shape[-1])) * np.abs(bound))


def small(shape: tuple[int, ...], dtype: str, seed: int) -> np.ndarray:
    data = np.random.default_rng(seed).uniform(-2, 2, shape)
    if np.dtype(dtype).kind in "iu":
        data = np.random.default_rng(seed).integers(0, 100, shape)
    if np.dtype(dtype).kind == "c":
        data = data + 1j * np.random.default_rng(seed + 1).uniform(-2, 2, shape)
    return (data > 0 if dtype == "bool" else data).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("ranks", RANKS, ids=["1x1", "2x1", "1x2", "2x2"])
def test_product_matches_numpy(ranks: tuple, dtype: str, full: bool) -> None:
    number = RANKS.index(ranks) * len(DTYPES) + DTYPES.index(dtype)
    pairs = list(itertools.product(LAYOUTS, LAYOUTS))
    picked = (
        pairs
        if full
        else [
            ("c", "c"),
            ("f", "c"),
            *(pairs[(number * 3 + k) * 11 % len(pairs)] for k in range(3)),
        ]
    )
    with Report(f"product of {dtype} {ranks}") as report:
        for k, (left, right) in enumerate(picked):
            x, y = (
                lay_out(small(ranks[0], dtype, 1), left),
                lay_out(small(ranks[1], dtype, 2), right),
            )
            with report.case(dtype, FORMS[(number + k) % 4], left, right):
                check(functions[(number + k) % 4], x, y, tol=tolerance(x, y))


@pytest.mark.parametrize("form", FORMS)
def test_product_at_many_sizes(form: str) -> None:
    f = functions[FORMS.index(form)]
    with Report(form) as report:
        for m, k, n in (
            (1, 1, 1),
            (2, 3, 4),
            (1, 7, 1),
            (0, 3, 2),
            (3, 0, 2),
            (3, 2, 0),
            (64, 64, 64),
            (33, 100, 17),
            (200, 3, 150),
        ):
            for dtype in ("float64", "float32"):
                x, y = small((m, k), dtype, 3), small((k, n), dtype, 4)
                with report.case(dtype, m, k, n):
                    check(f, x, y, tol=tolerance(x, y))
        for n in (0, 1, 2, 5, 1000):
            x, y = small((n,), "float64", 5), small((n,), "float64", 6)
            with report.case("vectors of", n):
                check(f, x, y, tol=tolerance(x, y))


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_products_with_few_columns(dtype: str) -> None:
    """Rows of the result are one to four vectors, whole or not, or from 32 rows on a half to an
    eighth of one, where a vector has several terms of each sum. Sums of 512 terms are partial sums.
    """
    f = functions[0]
    # All rows that may be left over, all columns, and what is long enough for threads.
    sizes = [(m, 5 + m % 3, n) for m, n in itertools.product(range(4, 26), range(2, 18))]
    sizes += [(m, k, n) for m in (5, 30) for k in (4, 511, 513, 1100) for n in (2, 3, 8, 13, 16)]
    sizes += [(m, k, n) for m in range(32, 41) for k in (4, 8, 11, 64) for n in range(2, 9)]
    sizes += [(35, k, n) for k in (5, 6, 7, 9, 15, 511, 513, 1029) for n in range(2, 9)]
    sizes += [(300, 100, n) for n in (2, 3, 8, 16)]
    with Report(f"few columns of {dtype}") as report:
        for number, (m, k, n) in enumerate(sizes):
            left, right = LAYOUTS[number % len(LAYOUTS)], LAYOUTS[number // 2 % len(LAYOUTS)]
            for layouts in (("c", "c"), (left, right)):
                x, y = (
                    lay_out(small(shape, dtype, seed), layout)
                    for shape, seed, layout in zip(((m, k), (k, n)), (3, 4), layouts, strict=True)
                )
                with report.case(dtype, m, k, n, *layouts):
                    check(f, x, y, tol=tolerance(x, y))


def test_products_with_few_columns_of_non_numbers() -> None:
    """Elements beside the columns have no effect: nan, infinities, and the surrounding memory."""
    f = make("def f(x, around, columns):\n    return x @ around[:, 3 : 3 + columns]")
    for n, dtype in itertools.product(range(2, 17), ("float64", "float32")):
        for rows in (9, 34):
            x, around = small((rows, 6), dtype, 3), np.full((6, 22), np.nan, dtype)
            around[:, 3 : 3 + n] = small((6, n), dtype, 4)
            check(f, x, around, n, tol=within_absolute(1e-5))
            around[2, 4], x[3, 1] = np.inf, np.nan
            check(f, x, around, n, tol=within_absolute(1e-5))


def test_threads_share_rows_of_products_with_few_columns() -> None:
    f = functions[0]
    for columns in (3, 12):
        x, y = small((1000, 600), "float32", 3), small((600, columns), "float32", 4)
        with shapecast.num_threads(1):
            alone = f(x, y)
        with shapecast.num_threads(3):
            np.testing.assert_array_equal(f(x, y), alone, strict=True)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("int32", "float64"),
        ("float32", "float64"),
        ("bool", "int8"),
        ("uint64", "int64"),
        ("complex64", "float64"),
        ("float16", "int16"),
    ],
)
def test_product_of_mixed_dtypes(left: str, right: str) -> None:
    x, y = small((5, 6), left, 1), small((6, 4), right, 2)
    check(functions[0], x, y, tol=tolerance(x, y))
    check(functions[2], y.T, x.T, tol=tolerance(y.T, x.T))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "shapes", [((3,), (4,)), ((3, 4), (3,)), ((3,), (4, 2)), ((3, 4), (3, 4))], ids=case_id
)
def test_product_of_shapes_that_do_not_fit(form: str, shapes: tuple) -> None:
    check(functions[FORMS.index(form)], np.ones(shapes[0]), np.ones(shapes[1]))


def test_matmul_of_scalars_is_an_error_and_dot_is_not() -> None:
    check(functions[0], np.ones(3), 2.0)
    check(functions[2], np.ones(3), 2.0)
    check(functions[2], np.float32(3), np.ones((2, 2)))


@pytest.mark.parametrize(
    "body",
    [
        "x @ y + b", "(x + 1.0) @ y", "x.T @ x", "x @ x.T", "x[1:] @ y[:, ::2]",
        "np.maximum(x @ y + b, 0.0)",
        "(x @ y).sum(axis=0)", "x @ (y @ y.T)", "x[0] @ y", "y.T @ x[0]", "x[0] @ x[1]",
        "2.0 * (x @ y) - b",
        "x @ np.ones(6)", "(x @ y)[0]", "x @ y[:, 0]",
    ],
)  # fmt: skip
def test_products_inside_expressions(body: str) -> None:
    f = make(f"def f(x, y, b):\n    return {body}")
    x, y, b = small((5, 6), "float64", 1), small((6, 4), "float64", 2), small((4,), "float64", 3)
    check(f, x, y, b, tol=within_absolute(1e-12))


def test_product_stored_into_its_own_operand() -> None:
    f = make("def f(a, b):\n    a[:] = a @ b\n    return a")
    a, b = small((6, 6), "float64", 1), small((6, 6), "float64", 2)
    check(f, a, b, tol=within_absolute(1e-12))
    check(f, a, a, tol=within_absolute(1e-12))
    check(f, a, a.T, tol=within_absolute(1e-12))


def test_augmented_matmul_stores_into_its_target() -> None:
    f = make("def f(a, b):\n    a @= b")
    check(f, small((4, 4), "float64", 1), small((4, 4), "float64", 2), tol=within_absolute(1e-12))


# ------------------------------------------------------------------------------- stacks of matrices

STACKS = [
    ((2, 3, 4), (4, 5)), ((2, 3, 4), (2, 4, 5)), ((3, 4), (2, 4, 5)), ((2, 3, 4), (4,)),
    ((4,), (2, 4, 5)), ((2, 1, 3, 4), (3, 4, 2)), ((1, 3, 4), (5, 4, 2)), ((0, 3, 4), (4, 2)),
    ((2, 3, 0), (2, 0, 3)), ((2, 2, 3, 4), (4,)), ((6,), (2, 3, 6, 1)), ((2, 1, 4), (2, 4, 1)),
]  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES)
def test_stacked_products_are_numpys(dtype: str, full: bool) -> None:
    number = DTYPES.index(dtype)
    f = functions[number % 2]
    with Report(f"stacks of {dtype}") as report:
        for k in range(len(STACKS) if full else 4):
            shapes = STACKS[(number * 5 + k * 3) % len(STACKS)]
            left, right = LAYOUTS[(number + k * 5) % 14], LAYOUTS[(number * 3 + k) % 14]
            x = lay_out(small(shapes[0], dtype, 1), left)
            y = lay_out(small(shapes[1], dtype, 2), right)
            with report.case(shapes, left, right):
                check(f, x, y, tol=tolerance(x, y))


@pytest.mark.parametrize("form", ["np.dot(x, y)", "x.dot(y)", "np.inner(x, y)"])
def test_dot_and_inner_of_every_rank(form: str, full: bool) -> None:
    f = make(f"def f(x, y):\n    return {form}")
    rights = [(4,), (4, 5), (2, 4, 3), (2, 2, 4, 3)]
    pairs = list(itertools.product([(4,), (3, 4), (2, 3, 4)], rights))
    with Report(form) as report:
        for k, (left, right) in enumerate(pairs):
            dtype = DTYPES[(k * 5 + len(form)) % 14]
            if "inner" in form:
                right = (*right[:-2], right[-1], right[-2]) if len(right) > 1 else right
            x = lay_out(small(left, dtype, 1), LAYOUTS[k % 14])
            y = lay_out(small(right, dtype, 2), LAYOUTS[(k * 5 + 2) % 14])
            with report.case(dtype, left, right):
                wide = within_absolute(1e-2 if dtype == "float16" else 1e-5)
                check(f, x, y, tol=wide if x.dtype.kind in "fc" else exact)


def test_results_of_stacked_products_in_expressions() -> None:
    f = make("""
        def f(x, y, v):
            s = (x @ y).sum(axis=0) + x[0] @ y
            t = np.dot(x, y.T.T) * 2 - (x + 1.0) @ y
            return s, t, x @ v, (v @ x.swapaxes(1, 2))[1:], np.matmul(x[::-1], y) / 3
    """)
    x, y, v = small((3, 2, 4), "float64", 1), small((4, 5), "float64", 2), small((4,), "float64", 3)
    check(f, x, y, v, tol=within_absolute(1e-12))
    check(f, np.asfortranarray(x), y, v, tol=within_absolute(1e-12))


@pytest.mark.parametrize("dtype", DTYPES)
def test_outer_and_vdot(dtype: str) -> None:
    f = make("def f(x, y):\n    return np.outer(x, y), np.outer(y, 2), np.outer(x[0], [1, 2])")
    g = make("def g(x, y):\n    return np.vdot(x, y)")
    number = DTYPES.index(dtype)
    for k, shape in enumerate([(6,), (2, 3), (1, 6)]):
        x = lay_out(small(shape, dtype, 1), LAYOUTS[(number + k * 3) % 14])
        y = lay_out(small((6,), dtype, 2), LAYOUTS[(number * 3 + k) % 14])
        if k:
            check(f, x, y, tol=within(4) if dtype in COMPLEX else exact)
        check(g, x, y, tol=tolerance(x.ravel(), y) if dtype != "float16" else within_absolute(0.1))


def test_products_of_numbers_and_lists() -> None:
    f = make("""
        def f(x, n):
            return (np.dot(n, x), np.inner(x, n), np.vdot(n, 3), np.dot([1, 2], [3, 4]),
                    np.inner(x, [1, 2, 3]), np.outer(n, n), np.dot(2, 3), np.matmul([1, 2], [3, 4]))
    """)
    check(f, np.arange(3.0), 4)
    check(f, np.arange(3), np.float32(4))


@pytest.mark.parametrize(
    "form",
    [
        "np.dot(z, y)", "np.inner(x, y)", "np.inner(x[0], y[0])", "np.vdot(x, y)", "z @ y",
        "z @ np.ones((5, 4, 2))", "z @ 2", "np.matmul(2, z)", "z @ x[0]",
        "x[0] @ np.ones((2, 3, 2))",
        "np.dot(z, np.ones((2, 5, 3)))",
    ],
)  # fmt: skip
def test_product_error_is_numpys(form: str) -> None:
    f = make(f"def f(x, y, z):\n    return {form}")
    check(f, np.ones((3, 2)), np.ones((3, 4)), np.ones((2, 3, 4)))


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128", "int16", "float16"])
def test_norms_are_numpys(dtype: str) -> None:
    rng = np.random.default_rng(3)
    x = (rng.standard_normal((4, 5)) * 4).astype(dtype)
    if dtype == "complex128":
        x = x + 1j * rng.standard_normal((4, 5))
    tol = within_absolute({"float16": 0.2, "float32": 1e-4}.get(dtype, 1e-12))
    calls = [
        "x", "x, axis=0", "x, axis=1, keepdims=True", "x, 'fro'", "x, 1", "x, np.inf", "x, -1",
        "x, -np.inf", "x[0], np.inf", "x[0], 3", "x[0], 1", "x[0], 0", "x[0], -np.inf", "x[0], 2",
        "x, None, (0, 1)", "x, keepdims=True", "x - 1", "x[0], 0.5", "x, 1, (1, 0), True",
        "x, 2, axis=-1", "x.T", "x[:, 1]",
    ]  # fmt: skip
    for group in (calls[:8], calls[8:15], calls[15:]):
        rows = ", ".join(f"np.linalg.norm({call})" for call in group)
        check(make(f"def f(x):\n    return {rows}"), x, tol=tol)


@pytest.mark.parametrize("call", ["x, 'no'", "x[0], 'fro'", "x, 3", "x[None], 1", "x, axis=2"])
def test_norm_error_is_numpys(call: str) -> None:
    check(make(f"def f(x):\n    return np.linalg.norm({call})"), np.ones((3, 4)))


def test_norm_by_singular_values_is_numpys() -> None:
    f = shapecast.jit(make("def f(x):\n    return np.linalg.norm(x, 2)"))
    assert f(np.eye(2) * 3) == 3 and "calls Python" not in f.explain()


@pytest.mark.parametrize("dtype", ["f", "d", "F", "D"])
@pytest.mark.parametrize("shape", [(40, 30), (17, 65), (200, 100), (3, 900)], ids=case_id)
def test_a_matrix_times_its_transpose_has_numpys_bits(dtype: str, shape: tuple[int, int]) -> None:
    def by_transpose(x):
        return x @ x.T

    def transpose_by(x):
        return np.dot(x.T, x)

    def covariance(x):
        return np.cov(x)

    x = np.random.default_rng(1).normal(size=shape).astype(dtype)
    for f in (by_transpose, transpose_by, covariance):
        found, wanted = shapecast.jit(f)(x), f(x)
        if min(wanted.shape) > 16:  # narrower products do not call BLAS
            assert np.array_equal(found, wanted), f.__name__
        else:
            assert np.allclose(found, wanted, rtol=1e-5), f.__name__
