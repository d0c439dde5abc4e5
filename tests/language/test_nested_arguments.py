"""Tuples and lists of arrays and numbers as arguments, and *args of the jitted function."""

from __future__ import annotations

import numpy as np
import pytest
import shapecast
from support.arrays import filled
from support.compare import check, make

X, Y = np.array([1.0, 4.0, 9.0]), np.array([2.0, -1.0, 0.5])

NETWORK = """
def f(x, layers):
    for weights, bias in layers:
        x = np.maximum(x @ weights + bias, 0.0)
    return x
"""


def test_a_tuple_of_tuples_of_arrays() -> None:
    layers = tuple((filled((3, 3), "float64", k), filled((3,), "float64", k)) for k in range(3))
    x = filled((2, 3), "float64")
    f = shapecast.jit(make(NETWORK))
    small = tuple((w.clip(-1, 1), b.clip(-1, 1)) for w, b in layers)
    np.testing.assert_allclose(
        f(x.clip(-1, 1), small), make(NETWORK)(x.clip(-1, 1), small), rtol=1e-12
    )


@pytest.mark.parametrize("make_sequence", [tuple, list])
def test_items_of_all_kinds(make_sequence: type) -> None:
    f = make("""
        def f(p, k):
            a, n, flag, text = p
            s = 0.0
            for item in p[:2]:
                s = s + item
            return s * k, n + 1, flag, len(p), text == "yes", p[1] is None
    """)
    for items in [(X, 2, True, "yes"), (X, 2.5, False, "no"), (np.float32(3), 7, True, "yes")]:
        check(f, make_sequence(items), 3)


def test_a_list_of_numbers_becomes_an_array() -> None:
    f = make("def f(x, w):\n    return x * np.array(w), sum(w), max(w), len(w)")
    check(f, X, [1.0, 2.0, 3.0])
    check(f, X, [1, 2, 3])
    check(f, X, (1, 2, 3))
    check(make("def f(w):\n    return [2 * v for v in w], w[-1], w"), [1, 2.5])


def test_arrays_in_tuples_are_seen_and_stored_to() -> None:
    f = make("""
        def f(state, dt):
            position, velocity = state
            position += dt * velocity
            velocity[0] = position[-1]
            return state[0], position[1:]
    """)
    check(f, (X, Y), 0.5)
    check(f, [X, Y], 0.5)
    shared = X.copy()
    check(f, (shared, shared), 0.5)
    check(f, (shared[1:], shared[:-1]), 0.5)


REST = """
def f(first, *rest, scale=1.0):
    total = first * scale
    for item in rest:
        total = total + item
    return total, len(rest), rest[::-1]
"""


def test_variadic_arguments() -> None:
    f = make(REST)
    for rest in [(), (Y,), (1, Y, 2.5), (X, X, X, X)]:
        check(f, X, *rest)
        check(f, X, *rest, scale=2)
    check(f, 1, 2, 3)
    check(make("def f(*a):\n    return a"), 1, 2.5, X)
    check(make("def f(*a):\n    return a"))
    check(make("def f(*a):\n    return max(*a), np.maximum(*a[:2])"), 1, 2.5, 2)


def test_arguments_that_do_not_bind_are_type_errors() -> None:
    f = make(REST)
    check(f)
    check(f, X, scale=1, first=2)
    check(f, X, other=1)
    check(f, scale=2, first=X)


def test_numbers_in_variadic_arguments_are_no_part_of_the_cache_key() -> None:
    f = shapecast.jit(make(REST))
    for k in range(5):
        assert f(1.5, k, k + 1)[0] == 1.5 + k + k + 1
    assert len(f.signatures()) == 1
    f(1.5, 2)
    assert len(f.signatures()) == 2
    assert "rest[0]: int" in f.signatures()[0]
    assert f.explain().count("new key") == 2


def test_inspection_works_with_items() -> None:
    f = shapecast.jit(make(NETWORK))
    layers = ((np.eye(9), np.ones(9)),)
    assert "np.gemm" in f.stages(np.ones((2, 9)), layers)["nests"]
    specs = ((shapecast.spec(np.float64, 2), shapecast.spec(np.float64, 1)),)
    assert f.infer(shapecast.spec(np.float64, 2), specs).dtype == np.float64
    assert f.remarks(np.ones((2, 3)), layers) is not None


def test_errors_name_the_item() -> None:
    f = shapecast.jit(make("def f(p):\n    return p[0] + 1"))
    with pytest.raises(shapecast.UnsupportedError, match=r"argument 'p\[1\]' of f\(\)"):
        f((X, type("Mine", (list,), {})()))
    with pytest.raises(shapecast.UnsupportedError, match=r"more than 4096 items"):
        f([1.0, 2] * 2500)
    assert f([1.0] * 1000) == 2.0
    with pytest.raises(IndexError):
        shapecast.jit(make("def f(p):\n    return p[2]"))([X, X])


def test_a_value_that_must_be_static_is_requested() -> None:
    f = make("def f(p):\n    return np.zeros((2, 3)).sum(axis=p[1]) + p[0]")
    for axis in (0, 1):
        check(f, [1.0, axis])
