"""NumPy's functions that are given functions: fromfunction, piecewise, vectorize and the like; and
decorators of inner functions.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
import shapecast
from support.compare import check, jitted, make

X = np.array([-2.0, -0.5, 0.0, 1.5, 3.0])
A = np.arange(24.0).reshape(2, 3, 4)


def double(v: Any) -> Any:
    return v * 2


def checked(source: str, *args: Any, **names: Any) -> None:
    check(make(source, double=double, **names), *args)


def test_fromfunction_is_numpys() -> None:
    checked("def f():\n    return np.fromfunction(lambda i, j: i + j, (3, 3))")
    checked("def f():\n    return np.fromfunction(lambda i, j: i == j, (3, 4), dtype=int)")
    checked("def f(n):\n    return np.fromfunction(lambda i: i * n, (n,), dtype=np.float32)", 4)
    checked("def f(n):\n    return np.fromfunction(lambda i, k: i * k, (n,), k=n)", 4)
    checked("def f(n):\n    return np.fromfunction(double, (n, 2))", 3)
    checked("def f(n):\n    return np.fromfunction(lambda i, j: 1, (n, 2))", 3)


PIECES = """
np.piecewise(x, [x < 0, x >= 0], [-1, 1])
np.piecewise(x, [x < 0, x >= 0], [lambda v: -v, lambda v: v * v])
np.piecewise(x, [x < 0], [lambda v: -v, 7])
np.piecewise(x, [x < 0, x > 2], [double, np.sqrt, 0.5])
np.piecewise(x, x < 0, [lambda v: -v, np.exp])
np.piecewise(x, [x < 0, x >= 0], [lambda v, k: v * k, lambda v, k: v - k], 3)
np.piecewise(x, [x < 0, x >= 0], [lambda v, k: v * k, 2], k=3)
np.piecewise(x, [x > 100], [lambda v: v[5], 1])
np.piecewise(x, [x > 1, x < 0, x < 1], [1, 2])
np.piecewise(x.astype(int), [x < 0, x >= 0], [1.7, 2.9])
"""


@pytest.mark.parametrize("line", PIECES.strip().splitlines())
def test_piecewise_is_numpys(line: str) -> None:
    checked(f"def f(x):\n    return {line}", X)


def test_piecewise_of_a_number() -> None:
    checked("def f(x):\n    return np.piecewise(x, [x < 0, x >= 0], [-1, 1])", np.float64(2.0))


ALONG = """
np.apply_along_axis(np.sum, 0, a)
np.apply_along_axis(lambda r: r[0] * 2 + r[-1], 1, a)
np.apply_along_axis(lambda r: r * 2, 1, a)
np.apply_along_axis(lambda r: r[:2], -1, a)
np.apply_along_axis(lambda r: np.outer(r, r), 1, a)
np.apply_along_axis(lambda r, k, m=1: r.max() * k + m, 2, a, 3, m=4)
np.apply_along_axis(double, 0, a)
np.apply_along_axis(lambda r: int(r[0]), 0, a)
np.apply_along_axis(np.sum, 3, a)
np.apply_along_axis(np.sum, 0, a[:, :0])
np.apply_along_axis(np.sort, 0, a[0, 0])
"""


@pytest.mark.parametrize("line", ALONG.strip().splitlines())
def test_apply_along_axis_is_numpys(line: str) -> None:
    checked(f"def f(a):\n    return {line}", A)


def scalar(v: Any, k: Any = 1) -> Any:
    return v + k if v > 0 else v * k


class TestVectorize:
    """Results have the dtype of the first one; functions are given Python's numbers."""

    def test_a_vectorize_object_created_in_the_function(self) -> None:
        checked("def f(x):\n    return np.vectorize(lambda v: v * 2 if v > 0 else -v)(x)", X)
        checked(
            "def f(x):\n    g = np.vectorize(scalar)\n    return g(x), g(x, 2)", X, scalar=scalar
        )
        checked("def f(x):\n    return np.vectorize(scalar)(x, x[:, None])", X, scalar=scalar)
        checked("def f(x):\n    return np.vectorize(scalar)(x, k=x + 1)", X, scalar=scalar)

    def test_the_first_result_determines_the_dtype(self) -> None:
        checked("def f(x):\n    return np.vectorize(lambda v: int(v))(x)", X)
        checked("def f(x):\n    return np.vectorize(lambda v: v > 0)(x)", X)
        checked("def f(x):\n    return np.vectorize(lambda v: (v, v > 0))(x)", X)
        source = (
            "def f(x):\n    return np.vectorize(lambda v: v if v < 0 else 0, otypes=[float])(x)"
        )
        checked(source, X[::-1].copy())
        checked(source, X[:0])
        checked("def f(x):\n    return np.vectorize(lambda v: v)(x)", X[:0])

    def test_numbers_lists_and_more_axes(self) -> None:
        checked("def f(x):\n    return np.vectorize(scalar)(x)", 2.5, scalar=scalar)
        checked("def f(x):\n    return np.vectorize(scalar)([1, 2, -3])", 2.5, scalar=scalar)
        checked("def f(x):\n    return np.vectorize(scalar)(x)", A[:, ::2], scalar=scalar)
        checked("def f(x):\n    return np.vectorize(scalar)(x)", A.astype(np.int8), scalar=scalar)

    def test_a_vectorize_object_created_outside(self) -> None:
        checked("def f(x):\n    return g(x), g(x, 3)", X, g=np.vectorize(scalar))
        checked("def f(x):\n    return g(x)", X, g=np.vectorize(scalar, otypes=[np.float32]))
        checked("def f(g, x):\n    return g(x)", np.vectorize(scalar), X)

    def test_as_a_decorator_inside(self) -> None:
        checked(
            """
            def f(x, k):
                @np.vectorize
                def g(v):
                    return v * k if v > 0 else -v
                return g(x) + g(1)
            """,
            X,
            3,
        )


@pytest.mark.parametrize("first", range(3))
def test_the_first_value_determines_the_dtype(first: int) -> None:
    f = make("def f(x):\n    return np.vectorize(lambda v: v if v < 0 else 0)(x)")
    check(f, np.roll([1.5, -2.5, 3.0], first))


def test_decorators_of_inner_functions() -> None:
    checked(
        """
        def twice(g):
            return lambda *given: g(*given) * 2
        def more(k):
            def decorated(g):
                def inner(x):
                    return g(x) + k
                return inner
            return decorated
        def f(x, n):
            @twice
            @more(n)
            def g(v):
                return v - 1
            @functools.wraps(g)
            @functools.lru_cache(maxsize=None)
            @functools.cache
            @shapecast.jit
            def h(v):
                return v + 1
            return g(x), g(n), h(n)
        """,
        X,
        5,
        functools=functools,
        shapecast=shapecast,
    )


def test_print_in_vectorize_keeps_numpys_order(capsys: pytest.CaptureFixture) -> None:
    """The first element is computed twice, as NumPy does it."""
    f = make(
        """
        def f(x):
            def g(v):
                print(v, end=" ")
                return v
            return np.vectorize(g)(x)
        """
    )
    f(X)
    want = capsys.readouterr().out
    jitted(f)(X)
    assert capsys.readouterr().out == want
