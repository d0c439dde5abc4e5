"""Functions that store check values, counts and targets: NumPy's exceptions, NumPy's results."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import shapecast
from support.compare import Report, check, jitted, make

STORES = [
    "np.fill_diagonal(a, {})", "a.fill({})", "np.put(a, 0, {})", "a[0, 0] = {}", "a[:] = {}",
    "np.place(a, a == 0, {})", "np.putmask(a, a == 0, {})", "a[a == 0] = {}", "a[[0]] = {}",
    "a = np.insert(a, 0, {}, axis=0)", "a = np.insert(a, [0, 1], {}, axis=1)",
    "a = np.full_like(a, {})",
]  # fmt: skip


@pytest.mark.parametrize("value", ["2**40", "300", "-1", "1.5", "np.nan", "np.int64(300)", "True"])
def test_stored_numbers_must_be_in_bounds_of_the_dtype(value: str) -> None:
    with Report(value) as report:
        for dtype in ("i1", "u1", "f4", "?", "i8"):
            for store in STORES:
                f = make(f"def f(a):\n    {store.format(value)}\n    return a")
                with report.case(dtype, store):
                    check(f, np.zeros((3, 3), dtype))


NOTHING = [
    "np.put(a, {}, 1)", "a.put({}, 1)", "np.place(a, a < 0, 1)", "np.putmask(a, a < 0, 1)",
    "np.add.at(a, {}, 1)", "a[{}] = 1", "a[a < 0] = 1", "a[:0] = 1", "a.fill(1)", "a.sort()",
]  # fmt: skip


@pytest.mark.parametrize("store", NOTHING)
def test_read_only_targets_raise_even_where_nothing_is_stored(store: str) -> None:
    f = make(f"def f(a):\n    {store.format('np.array([], int)')}\n    return a")
    for size in (6, 0):
        a = np.arange(float(size))
        check(f, a.copy())
        a.flags.writeable = False
        check(f, a)


@pytest.mark.parametrize(
    "call",
    [
        "np.repeat(a, -1)",
        "np.repeat(a, [-1])",
        "a.repeat(0)",
        "np.repeat(a, 2)",
        "np.tile(a, -1)",
        "np.tile(a, 3)",
    ],
)
def test_counts_below_zero(call: str) -> None:
    f = make(f"def f(a):\n    return {call}")
    check(f, np.zeros(0))
    want = None
    try:
        f(np.ones(3))
    except ValueError as error:
        want = error
    if want is None:
        check(f, np.ones(3))
    else:
        with pytest.raises(ValueError, match="negative"):
            jitted(f)(np.ones(3))


LINES = """
a[np.array(1), ...], a[..., np.array(1)], a[np.array(1)], a[1, ...]
np.take(a, 0, 0, mode="clip"), np.take(a, 7, 0, mode="wrap"), np.take(a, 0, 0)
np.round(i, -1, out=i)
np.round(i, -1, out=a[:4]), np.round(a, 1, out=a), np.round(i, 1, out=i), i.round(0, a[:4])
np.unique(z, return_counts=True)
"""


@pytest.mark.parametrize("line", LINES.strip().splitlines())
def test_special_cases_of_functions_are_numpys(line: str) -> None:
    f = make(f"def f(a, i, z):\n    return {line}")
    check(f, np.arange(6.0).reshape(6), np.array([7, 25, 35, -1]), np.array([0.0, -0.0, 1, -0.0]))


class Odd(int):
    def __add__(self, other: Any) -> int:
        return 77


def test_numbers_with_operators_of_their_own_are_refused() -> None:
    f = make("def f(a, v):\n    return a + v")
    with pytest.raises(shapecast.UnsupportedError, match="overrides operators"):
        jitted(f)(1, Odd(3))


def test_dtypes_of_the_other_byte_order_stay_so() -> None:
    f = make("def f(a):\n    return a.astype(D), np.zeros(3, D), D", D=np.dtype(">i4"))
    got, want = jitted(f)(np.arange(3)), f(np.arange(3))
    assert repr(got) == repr(want)


def test_dates_that_a_loop_carries_past_an_exception() -> None:
    f = make(
        "def f(d):\n    t = d[0]\n    for i in range(1, 3):\n        t = t + d[i]\n    return t"
    )
    dates = np.array(["2020-01-01"] * 3, "M8[D]")
    with pytest.raises(TypeError):
        jitted(f)(dates)
