"""Functions as values: lambdas, inner functions, functions passed on, `*` in calls, `:=`, `del`."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapecast
from support.compare import check, jitted, make
from support.ulp import within

X = np.array([1.0, 2.0, 3.0])

PROGRAMS = {
    "lambda": ("def f(x):\n    g = lambda y: y * 2\n    return g(x)", X),
    "lambda called at once": ("def f(x):\n    return (lambda y, z=2: y * z)(x)", X),
    "defaults": (
        """
        def f(x):
            g = lambda y, k=x + 1, *, m=2: y * k * m
            return g(x), g(x, 3), g(x, m=5), g(y=x, k=1)
        """,
        X,
    ),
    "inner function": (
        """
        def f(x):
            k = 3.0
            def g(y):
                return y * k
            return g(x)
        """,
        X,
    ),
    "a variable assigned later is seen": (
        """
        def f(x):
            def g(y):
                return y * k
            k = 3.0
            a = g(x)
            k = 4
            return a + g(x)
        """,
        X,
    ),
    "a loop variable is seen": (
        """
        def f(x):
            s = 0.0
            def g(y):
                return y * i + x
            for i in range(5):
                s += g(2.0)
            return s
        """,
        3.0,
    ),
    "an unassigned variable": (
        """
        def f(x):
            def g(y):
                return y * x
            if x > 100:
                h = g
            return h(x)
        """,
        3.0,
    ),
    "functions around functions": (
        """
        def f(x):
            a = 2.0
            def g(y):
                b = y * a
                def h(z):
                    return z + b + a
                return h(b)
            return g(x)
        """,
        X,
    ),
    "in a tuple": (
        """
        def f(x):
            total = x * 0
            for g in (np.square, lambda y: y * 2, abs):
                total = total + g(x)
            return total
        """,
        X,
    ),
    "returned": (
        """
        def compose(a, b):
            return lambda x: a(b(x))
        def f(x):
            return compose(np.square, np.sqrt)(x), compose(lambda y: y + x, abs)(x)
        """,
        X,
    ),
    "a fold": (
        """
        def fold(op, items, first):
            value = first
            for item in items:
                value = op(value, item)
            return value
        def f(x):
            return fold(lambda a, b: a * 0.5 + b, x, 0.0), fold(max, x, 0.0)
        """,
        X,
    ),
    "defined in both arms": (
        """
        def f(x, c):
            if c:
                def g(y):
                    return y + 1
            else:
                def g(y):
                    return y + 2
            return g(x)
        """,
        1.0,
        True,
    ),
    "stars": (
        """
        def g(a, b, c=3):
            return a - b * c
        def f(x):
            t = (x, 2)
            return g(*t), g(1, *t), g(*(x,) * 2), max(*t, 7)
        """,
        3.0,
    ),
    "any number of parameters": (
        """
        def g(a, *rest, k=2):
            total = a * k
            for item in rest:
                total += item
            return total, len(rest)
        def f(x):
            return g(x, 1, 2), g(x), g(x, 4, k=5), g(*(x, x))
        """,
        3.0,
    ),
    "walrus": (
        "def f(x):\n    if (y := x * 2) > 3:\n        return y\n    return x + y",
        1.0,
    ),
    "walrus in a while": (
        "def f(n):\n    s = 0\n    while (n := n - 1) > 0:\n        s += n\n    return s, n",
        6,
    ),
    "del": ("def f(x):\n    y = x * 2\n    del y\n    return y", 2.0),
    "not a function": ("def f(x):\n    return x(3)", 1.0),
    "mutation through an inner function": (
        """
        def f(a):
            def put(i, value):
                a[i] = value
            for i in range(a.size):
                put(i, i * 2.0)
            return a
        """,
        X.copy(),
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_functions_as_values(name: str) -> None:
    source, *args = PROGRAMS[name]
    check(make(source, "f"), *args)


def test_functions_of_numpy_and_math_are_values() -> None:
    f = make(
        """
        def apply(g, x):
            return g(x)
        def f(x, c):
            g = np.sin if c else np.cos
            return g(x), apply(np.sqrt, x), apply(math.sqrt, 4.0), apply(lambda z: z * x, x)
        """,
        "f",
        math=math,
    )
    for c in (True, False):
        check(f, X, c, tol=within(4))


def test_a_flag_that_chooses_a_function_is_part_of_the_cache_key() -> None:
    f = make("def f(x, c):\n    g = (lambda y: y) if c else (lambda y: y.sum())\n    return g(x)")
    check(f, X, True)
    check(f, X, False)
    assert len(jitted(f).signatures()) == 2


def test_a_variable_assigned_after_an_unnamed_function_is_refused() -> None:
    f = make("""
        def f(x):
            k = 1.0
            t = (lambda y: y * k, 0)
            k = 2.0
            return t[0](x) + k
    """)
    with pytest.raises(shapecast.UnsupportedError, match="'k' is assigned again"):
        jitted(f)(2.0)


def test_global_arrays_are_hidden_arguments() -> None:
    f = make(
        """
        W = np.arange(3.0)
        def g(x):
            return x * W + W.sum()
        def f(x):
            W[0] += 1
            return g(x) * W, W
        """,
        "f",
    )
    space = f.__globals__
    for value in (np.arange(3.0), np.arange(4.0)[1:], np.ones(3, np.float32), np.ones((2, 3))):
        space["W"] = value.copy()
        want = f(X)
        after = space["W"]
        space["W"] = value.copy()
        got = jitted(f)(X)
        assert got[1] is space["W"]
        assert np.array_equal(space["W"], after)
        assert got[0].dtype == want[0].dtype
        assert np.array_equal(got[0], want[0])
    assert len(jitted(f).signatures()) == 3  # float64 twice is one


def test_an_array_in_a_closure_is_a_hidden_argument() -> None:
    def maker():
        w = np.arange(3.0)

        def f(x):
            return x * w

        def change(value):
            nonlocal w
            w = value

        return f, change

    f, change = maker()
    g = shapecast.jit(f)
    assert np.array_equal(g(X), f(X))
    change(np.ones(3))
    assert np.array_equal(g(X), X)
    change(2.5)
    assert np.array_equal(g(X), X * 2.5)
    change(np.ones((2, 3)))
    assert g(X).shape == (2, 3)


def test_a_global_number_that_changes_becomes_an_argument() -> None:
    f = make("K = 0.5\ndef f(x):\n    return x + K", name="f")
    for k in (0.5, 1.5, 2.5, 3.5, 7.25):
        f.__globals__["K"] = k
        check(f, X)
    compiled = [line for line in jitted(f).explain().splitlines() if " ms" in line]
    assert len(compiled) == 2, compiled


def test_positional_only_parameters() -> None:
    f = make(
        "def g(a, /, b=2, **others):\n    return a + b + others.get('a', 0)\n"
        "def h(a, b, /):\n    return a - b\n"
        "def f(x):\n    return g(x, a=3), g(x, b=4), h(x, 1)",
        name="f",
    )
    check(f, 5)
    for call in ("h(a=x, b=1)", "h(x, b=1)", "h(x, 1, c=2, a=4)"):
        check(make(f"def h(a, b, /):\n    return a - b\ndef f(x):\n    return {call}", name="f"), 5)


def test_calls_that_do_not_fit_raise_where_they_are_reached() -> None:
    f = make(
        "def g(a, *, k=1):\n    return a * k\n"
        "def f(x, how):\n"
        "    if how == 1:\n        return g(1, 2, 3)\n"
        "    if how == 2:\n        return g(missing, x)\n"
        "    if how == 3:\n        return g(x, l=1)\n"
        "    if how == 4:\n        h = lambda a, b: a\n        return h(x)\n"
        "    if how == 5:\n        return [g(x, x) for _ in range(0)]\n"
        "    if how == 6:\n"
        "        try:\n            return g()\n"
        "        except TypeError:\n            return 0.0\n"
        "    return x",
        name="f",
    )
    for how in range(7):
        check(f, 2.0, how)


@pytest.mark.parametrize(
    "statement", ["raise ValueError(y := x)", "assert x > 9, (y := x)"], ids=["raise", "assert"]
)
def test_walrus_in_what_is_raised_is_refused(statement: str) -> None:
    f = make(f"def f(x):\n    {statement}\n    return x")
    with pytest.raises(
        shapecast.UnsupportedError, match="':=' in a 'raise' or the message of an 'assert'"
    ):
        jitted(f)(1)
