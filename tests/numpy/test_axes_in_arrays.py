"""Axes, shapes, counts and indices that are arrays, ranges and tuples of arrays: NumPy's results,
or UnsupportedError where the axes are known only at run time.
"""

from __future__ import annotations

import re

import numpy as np
import pytest
from shapecast import UnsupportedError, jit
from support.compare import (
    Report,
    check,
    check_expressions,
    check_or_refused,
    check_statements,
    make,
)

ARGUMENTS = {
    "x": np.arange(12.0).reshape(3, 4),
    "v": np.arange(10.0),
    "c": np.arange(24.0).reshape(2, 3, 4),
    "t": np.zeros((1, 3, 1)),
    "p": np.array([2, 5]),
    "q": np.array([0, 1]),
    "r": np.array([2, 0, 1]),
    "s": np.array([1, 2], np.int8),
    "n": np.array(1),
    "w": np.array([[1, 1], [2, 2]]),
}

COMPILED = """
    x[range(2)]
    x[range(1), range(2)]
    x[:, range(0, 4, 2)]
    v[range(0)]
    x[tuple(s)]
    c[tuple(q)]
    x.item(tuple(s))
    np.tile(x, p)
    np.tile(x, tuple(p))
    np.split(v, p)
    np.split(v, list(p))
    np.split(v, range(2, 8, 2))
    np.split(v, np.cumsum(p)[:-1])
    np.array_split(v, p)
    np.array_split(x, s, axis=1)
    np.hsplit(x, s)
    np.vsplit(x, s)
    np.dsplit(c, s)
    np.roll(x, s, axis=(0, 1))
    np.roll(x, tuple(s), axis=(0, 1))
    np.roll(v, s)
    np.roll(x, n, axis=0)
    np.broadcast_to(np.arange(5.0), p)
    np.reshape(v, p)
    v.reshape(tuple(p))
    np.zeros(p)
    np.ones(tuple(p))
    np.full(p, 1.5)
    np.resize(v, p)
    np.indices(p)
    np.indices(tuple(p))
    np.unravel_index(5, p)
    np.unravel_index(5, tuple(p))
    np.ravel_multi_index(s, p)
    np.ravel_multi_index(tuple(s), tuple(p))
    np.pad(x, w)
    [i for i in np.ndindex(tuple(p))]
    [i for i in np.ndindex(*p)]
    np.tile(x, w[0])
    x.sum(axis=q)
    np.expand_dims(x, q)
    np.split(v, p * 1.0)
    x[tuple(p * 1.0)]
"""

# Axes that are known only at run time, and on which the result's rank or layout depends.
REFUSED = """
    x.sum(axis=tuple(q))
    np.squeeze(t, axis=tuple(p))
    np.expand_dims(x, axis=tuple(q))
    np.expand_dims(x, axis=list(q))
    np.flip(x, tuple(q))
    np.flip(x, q)
    np.moveaxis(c, q, s)
    np.transpose(c, r)
    c.transpose(r)
    np.transpose(c, tuple(r))
    np.rot90(x, 1, q)
    np.tensordot(x, x, axes=w)
    np.linalg.norm(x, axis=tuple(q))
    np.median(x, axis=tuple(q))
    np.count_nonzero(x, axis=tuple(q))
    np.diff(x, axis=n)
    np.fft.fft2(x, axes=q)
    np.split(v, np.flatnonzero(np.diff(p)) + 1)
"""


def test_sequence_arguments_may_be_arrays_or_ranges():
    check_expressions(COMPILED, ARGUMENTS)


def test_axes_known_only_at_run_time_are_not_supported():
    with Report("lines") as report:
        for line in REFUSED.strip().splitlines():
            used = [n for n in ARGUMENTS if re.search(rf"(?<![\w.]){n}\b(?!=)", line)]
            with report.case(line):
                f = make(f"def f({', '.join(used)}):\n    return {line.strip()}")
                check_or_refused(f, *(ARGUMENTS[name] for name in used), refused=True)


def test_stores_at_indices_in_a_range_or_a_tuple_reach_the_array():
    check_statements(
        """
        v[range(2)] = 7
        v[range(3, 1, -1)] *= 2
        v[range(0)] = 5
        x[range(2), range(1, 3)] += 1
        x[tuple(s)] = 9
        x[tuple(s)] += 9
        """,
        ARGUMENTS,
    )


@pytest.mark.parametrize("operation", ["=", "+=", "*="])
def test_stores_at_indices_in_a_dynamic_list(operation):
    f = make(f"""
        def f(v):
            picked = []
            for i in range(len(v)):
                if v[i] > 2:
                    picked.append(i)
            v[picked] {operation} 10
            return v
    """)
    check(f, ARGUMENTS["v"].copy())


def test_axes_in_a_tuple_of_unknown_length_are_not_an_array() -> None:
    """NumPy raises TypeError for an array of axes only; a program's `except` must not see one."""
    f = make(
        """
        def f(x, axes):
            try:
                y = np.expand_dims(x, tuple(axes))
            except TypeError:
                return 1
            return y.ndim
        """
    )
    x, axes = np.ones(3), np.array([0, 2])
    assert f(x, axes) == 3
    with pytest.raises(UnsupportedError, match="known only at run time"):
        jit(f)(x, axes)
