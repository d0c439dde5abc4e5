"""Arrays in containers in memory: whose memory they are, and that it is freed."""

from __future__ import annotations

import gc
from collections import defaultdict
from typing import Any

import numpy as np
import pytest
import shapecast
from programs import arrays
from shapecast import UnsupportedError, _core, jit

X = np.arange(12.0).reshape(4, 3)


def test_views_of_arguments_are_views() -> None:
    @jit
    def rows(x: np.ndarray, n: int) -> Any:
        found = {}
        for i in range(n):
            found[i] = x[i]
        return found

    x = X.copy()
    found = rows(x, 3)
    found[1][:] = -1
    assert (x[1] == -1).all() and all(row.base is x for row in found.values())


def test_one_array_in_two_places_is_one() -> None:
    @jit
    def twice(x: np.ndarray, n: int) -> Any:
        groups = defaultdict(list)
        for i in range(n):
            y = x[i] * 2
            groups[i % 2].append(y)
            groups[5].append(y)
            groups[7].append(y[1:])
        return groups, y

    groups, last = twice(X, 4)
    assert groups[5][3] is last and groups[5][1] is groups[1][0]
    groups[5][0][2] = 77
    assert groups[0][0][2] == 77 and groups[7][0][1] == 77


@pytest.mark.parametrize("layout", ["C", "F", "reversed", "column"])
@pytest.mark.parametrize("dtype", [np.float64, np.int64, np.int8, np.bool_, np.complex64])
def test_layouts_and_dtypes(layout: str, dtype: Any) -> None:
    x = (np.arange(96).reshape(6, 16) % 5).astype(dtype)
    if layout == "column":
        x = np.ascontiguousarray(np.repeat(x, 2, axis=1))[:, ::2]
    elif layout == "reversed":
        x = x[::-1, ::-1]
    else:
        x = np.array(x, order=layout)  # type: ignore[call-overload]

    def parts(x: np.ndarray, n: int) -> Any:
        found: dict[Any, Any] = {}
        for i in range(n):
            found[i] = x[i]
            found[-i - 1] = x[:, i]
        return found, found[0][1:].copy(), found[-1].sum()

    wanted, got = parts(x, 5), jit(parts)(x, 5)
    for k, row in wanted[0].items():
        np.testing.assert_array_equal(got[0][k], row, strict=True)
        assert got[0][k].strides == row.strides and np.shares_memory(got[0][k], row)
    np.testing.assert_array_equal(got[1], wanted[1], strict=True)
    assert got[2] == wanted[2]


def test_read_only_arrays_stay_so() -> None:
    x = X.copy()
    x.flags.writeable = False
    found = jit(arrays.rows_by_name)(x)
    assert not found["b"].flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        jit(arrays.rows_changed_by_name)(x)


def test_an_empty_list_has_no_shape() -> None:
    @jit
    def means(x: np.ndarray, least: float) -> Any:
        kept = []
        for row in x:
            if row[0] > least:
                kept.append(row[: int(row[0])])
        return np.array(kept)

    assert means(X[1:2], 2.0).shape == (1, 3)
    with pytest.raises(UnsupportedError, match="empty"):
        means(X, 1000.0)


@pytest.mark.parametrize(
    ("program", "arguments"), arrays.CASES, ids=[p.__name__ for p, _ in arrays.CASES]
)
def test_no_buffer_is_left(program: Any, arguments: Any) -> None:
    f = shapecast.jit(program)
    for _ in range(2):
        gc.collect()
        before = _core.live_allocations()
        try:
            result = f(*arguments)
        except ValueError:
            result = None
        del result
        gc.collect()
        assert _core.live_allocations() == before
