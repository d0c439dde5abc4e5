"""@ matmul dot for one and two dimensions: dtypes, layouts, sizes, mixtures, errors."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from arrays import DTYPES, LAYOUTS, lay_out
from helpers import Report, check, make
from ulp import Tolerance, exact, within_absolute

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
@pytest.mark.parametrize("shapes", [((3,), (4,)), ((3, 4), (3,)), ((3,), (4, 2)), ((3, 4), (3, 4))])
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


def test_augmented_matmul() -> None:
    f = make("def f(a, b):\n    a @= b")
    check(f, small((4, 4), "float64", 1), small((4, 4), "float64", 2), tol=within_absolute(1e-12))
