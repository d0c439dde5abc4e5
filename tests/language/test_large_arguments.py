"""Lists, tuples and dicts of any number of arrays and numbers are arguments."""

from __future__ import annotations

import numpy as np
import pytest
import shapecast
from support.compare import check, jitted, make

SUM = """
def f(items):
    total = 0.0
    for item in items:
        total += item.sum()
    return total
"""


def arrays(count: int, ragged: bool = False) -> list[np.ndarray]:
    return [np.arange(1.0 + (k % 7 if ragged else 3)) + k for k in range(count)]


@pytest.mark.parametrize("ragged", [False, True])
@pytest.mark.parametrize("count", [48, 49, 65, 200])
def test_a_list_of_many_arrays(count: int, ragged: bool) -> None:
    f = make(SUM)
    check(f, arrays(count, ragged))
    check(f, tuple(arrays(count, ragged)))
    check(f, arrays(count, ragged))  # as the calls before


def test_a_thousand_arrays() -> None:
    check(make(SUM), arrays(1000, ragged=True))


def test_dicts_of_many_numbers_and_arrays() -> None:
    numbers = {f"k{k}": float(k) for k in range(60)}
    check(make("def f(d):\n    return d['k3'] + d['k59']"), numbers)
    check(
        make("def f(d):\n    t = 0.0\n    for v in d.values():\n        t += v\n    return t"),
        numbers,
    )
    layers = {f"w{k}": {"w": np.full((2, k % 3 + 1), 1.5), "b": float(k)} for k in range(70)}
    check(
        make("""
        def f(layers):
            total = 0.0
            for name in layers:
                total += layers[name]['w'].sum() * layers[name]['b']
            return total
        """),
        layers,
    )


def test_lists_in_lists_of_many_arrays_are_changed_in_place() -> None:
    f = make("""
    def f(rows):
        for row in rows:
            for item in row:
                item *= 2
        rows[3][4] = rows[0][0]
        return rows[-1][-1]
    """)
    check(f, [arrays(12, ragged=True) for _ in range(9)])


def test_many_arrays_that_share_memory() -> None:
    f = make("""
    def f(items):
        for k in range(len(items)):
            items[k][0] = k
        return items[5] + items[6]
    """)
    base = np.zeros(100)
    apart = [base[3 * k : 3 * k + 3] for k in range(33)]
    check(f, apart)
    over = [base[k : k + 3] for k in range(60)]
    check(f, over)
    check(f, [base[:3]] * 50)
    check(f, apart)
    compiled = jitted(f)
    for items in ([np.zeros(3) for _ in range(60)], over, [np.zeros(3) for _ in range(60)]):
        plain = [item.copy() for item in items]
        if items is over:
            base_copy = base.copy()
            plain = [base_copy[k : k + 3] for k in range(60)]
        np.testing.assert_array_equal(compiled(items), f(plain))
        for got, want in zip(items, plain, strict=True):
            np.testing.assert_array_equal(got, want)


def test_many_parameters_of_which_some_are_static() -> None:
    names = [f"p{k}" for k in range(150)]
    text = f"def f({', '.join(names)}):\n    return np.ones((2, 3)).sum(axis=p140) + p3 + p149"
    f = shapecast.jit(make(text))
    given = [float(k) for k in range(150)]
    for axis in (0, 1, 0):
        given[140] = axis  # type: ignore[call-overload]
        np.testing.assert_array_equal(f(*given), make(text)(*given))
    static = shapecast.jit(make(text), static_argnames=["p140", "p3"])
    np.testing.assert_array_equal(static(*given), make(text)(*given))
    assert "p3: 3.0" in static.signatures()[0]
    assert "p4: float" in static.signatures()[0]


def test_many_keywords_and_many_positional_arguments() -> None:
    f = make(
        "def f(*args, **kwargs):\n    return args[60] + kwargs['k55'] + len(args) + len(kwargs)"
    )
    check(f, *arrays(61), **{f"k{k}": k for k in range(56)})


def test_globals_beside_many_arguments() -> None:
    names = {f"G{k}": np.arange(3.0) + k for k in range(60)}
    body = " + ".join(names)
    f = make(f"def f(x):\n    return x + {body}", **names)
    check(f, np.ones(3))


def test_too_many_items_are_refused_with_a_way_out() -> None:
    f = shapecast.jit(make(SUM))
    with pytest.raises(shapecast.UnsupportedError, match=r"more than 4096 items.*np\.stack"):
        f([np.ones(1)] * 5000)
    assert f(arrays(3)) == 6.0 + 10.0 + 14.0
