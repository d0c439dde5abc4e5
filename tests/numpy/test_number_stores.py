"""One number stored to elements, rows and whole arrays, of every kind, and what does not fit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from shapecast import jit


def element(a: Any, v: Any) -> None:
    a[0, 1] = v


def row(a: Any, v: Any) -> None:
    a[0] = v


def all_of_it(a: Any, v: Any) -> None:
    a[...] = v


def fill(a: Any, v: Any) -> None:
    a.fill(v)


def in_place(a: Any, v: Any) -> None:
    a[0, 1] += v


def in_a_loop(a: Any, v: Any) -> None:
    for i in range(a.shape[0]):
        a[i, 0] = v * a[i, 1]


NUMBERS: list[Any] = [
    *(300.5, 1e30, float("nan"), float("inf"), 200, -1, 2**40, True, 2 + 0j),
    *(np.float64(v) for v in (2.7, -3.0, -128.9, -129.0, 127.9, 300.0, 1e30, np.nan, -np.inf)),
    *(np.float32(1e20), np.float16(300.0), np.int64(200), np.int8(-1), np.uint64(2**63)),
    *(np.array(300.5), np.array(3), np.bool(True), np.complex64(2)),
]
JITTED = {f: jit(f) for f in (element, row, all_of_it, fill, in_place, in_a_loop)}


def outcome(f: Callable[[Any, Any], None], dtype: str, value: Any) -> Any:
    a = np.ones((2, 2), dtype)
    try:
        f(a, value)
    except Exception as error:
        kinds = (OverflowError, ValueError, TypeError)
        return next(k for k in kinds if isinstance(error, k)), a.tobytes()
    return None, a.tobytes()


@pytest.mark.parametrize("dtype", ["i1", "i4", "i8", "u1", "u4", "u8", "?", "f2", "f4", "f8", "c8"])
@pytest.mark.parametrize("store", JITTED, ids=lambda f: f.__name__)
@pytest.mark.filterwarnings("ignore")
def test_a_number_is_stored_as_numpy_stores_it(store: Any, dtype: str) -> None:
    for value in NUMBERS:
        expected, found = (outcome(f, dtype, value) for f in (store, JITTED[store]))
        assert found == expected, f"{value!r} to {dtype}"
