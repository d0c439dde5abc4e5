"""Corner cases of the rules that random calls do not reach, each compared with NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import shapecast
from compiler.shapes.rows import ERRORS
from numpy import zeros
from shapecast import shape_rules as sr

BIG = 2**62


def required(call: Callable[[sr.Scope], Any], **values: int) -> Any:
    """The result for symbols, which are then required to be these numbers."""
    scope = sr.Scope()
    result = call(scope)
    for name, value in values.items():
        scope.require(name, "==", value)
    return scope.shape(result)


def raises() -> None:
    raise ValueError


# Our call, and NumPy's; or `raises`, of what NumPy has no function for.
CORNERS: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "reduce along the axis 0 of a scalar": (lambda: sr.reduce((), 0), lambda: np.sum(zeros(()), 0)),
    "reduce along the axis -1 of a scalar": (
        lambda: sr.reduce((), -1, keepdims=True),
        lambda: np.max(zeros(()), -1, keepdims=True),
    ),
    "reduce along the axes (0,) of a scalar": (
        lambda: sr.reduce((), (0,)),
        lambda: np.sum(zeros(()), (0,)),
    ),
    "scan along the axis 0 of a scalar": (lambda: sr.scan((), 0), lambda: np.cumsum(zeros(()), 0)),
    "squeeze the axis 0 of a scalar": (lambda: sr.squeeze((), 0), lambda: np.squeeze(zeros(()), 0)),
    "squeeze the axes (0,) of a scalar": (
        lambda: sr.squeeze((), (0,)),
        lambda: np.squeeze(zeros(()), (0,)),
    ),
    "take from a scalar": (lambda: sr.take((), (3,)), lambda: np.take(zeros(()), [0, 0, 0], 0)),
    "take from an empty axis": (lambda: sr.take((0,), (3,)), lambda: np.take(zeros(0), [0, 0, 0])),
    "take nothing from an empty axis": (
        lambda: sr.take((0, 2), (0,)),
        lambda: np.take(zeros((0, 2)), np.zeros(0, int), 0),
    ),
    "reshape to -2": (lambda: sr.reshape((4,), (-2,)), lambda: zeros(4).reshape(-2)),
    "reshape to 3, -7": (lambda: sr.reshape((2, 3), (3, -7)), lambda: zeros((2, 3)).reshape(3, -7)),
    "reshape to -1, -2": (lambda: sr.reshape((4,), (-1, -2)), lambda: zeros(4).reshape(-1, -2)),
    "reshape to -2, -2": (lambda: sr.reshape((4,), (-2, -2)), lambda: zeros(4).reshape(-2, -2)),
    "reshape of unknown rank to -1, -1": (lambda: sr.reshape(None, (-1, -1)), raises),
    "reshape to a number": (lambda: sr.reshape((2, 3), 6), lambda: zeros((2, 3)).reshape(6)),
    "reshape of an empty array": (
        lambda: sr.reshape((0, 3), (-1, 3)),
        lambda: zeros((0, 3)).reshape(-1, 3),
    ),
    "reshape of an empty array to 0 and -1": (
        lambda: sr.reshape((0, 3), (0, -1)),
        lambda: zeros((0, 3)).reshape(0, -1),
    ),
    "broadcast to a negative size": (
        lambda: sr.broadcast_to((1,), (-1,)),
        lambda: np.broadcast_to(zeros(1), (-1,)),
    ),
    "broadcast a scalar to a negative size": (
        lambda: sr.broadcast_to((), (-1,)),
        lambda: np.broadcast_to(zeros(()), (-1,)),
    ),
    "broadcast nothing": (lambda: sr.broadcast(), lambda: zeros(np.broadcast_shapes())),
    "tile an empty array a negative number of times": (
        lambda: sr.tile((0,), (-1,)),
        lambda: np.tile(zeros(0), -1),
    ),
    "tile with a number": (lambda: sr.tile((2, 3), 2), lambda: np.tile(zeros((2, 3)), 2)),
    "index with a NumPy integer": (
        lambda: sr.index((3, 2), np.int64(-3)),
        lambda: zeros((3, 2))[np.int64(-3)],
    ),
    "index out of bounds with a NumPy integer": (
        lambda: sr.index((3, 2), np.int64(-4)),
        lambda: zeros((3, 2))[np.int64(-4)],
    ),
    "index that may be negative": (
        lambda: required(lambda s: sr.index(("n",), "a - b", scope=s), n=3, a=0, b=3),
        lambda: zeros(3)[-3],
    ),
    "index before the array": (
        lambda: required(lambda s: sr.index(("n",), "a - b", scope=s), n=3, a=0, b=10),
        lambda: zeros(3)[-10],
    ),
    "index after the array": (
        lambda: required(lambda s: sr.index(("n",), "a - b", scope=s), n=3, a=10, b=0),
        lambda: zeros(3)[10],
    ),
    "index with True": (lambda: sr.index((3,), True), raises),
    "index with two ellipses": (
        lambda: sr.index((3, 2), (..., ...)),
        lambda: zeros((3, 2))[..., ...],
    ),
    "index with a step of 0": (lambda: sr.index((3,), np.s_[::0]), lambda: zeros(3)[::0]),
    "axis that is a NumPy integer": (
        lambda: sr.reduce((3, 2), np.int64(-1)),
        lambda: np.sum(zeros((3, 2)), np.int64(-1)),
    ),
    "compress to more than there are": (
        lambda: sr.compress((3,), 0, 5),
        lambda: np.compress([True] * 5, zeros(3), 0),
    ),
    "compress to fewer than none": (lambda: sr.compress((3,), 0, -1), raises),
    "compress to a symbol that is more": (
        lambda: required(lambda s: sr.compress((3,), 0, "k", scope=s), k=4),
        lambda: np.compress([True] * 4, zeros(3), 0),
    ),
    "conv with an empty window": (lambda: sr.conv((1, 1, 3), (1, 1, 0)), raises),
    "conv_transpose with an empty window": (
        lambda: sr.conv_transpose((1, 1, 3), (1, 1, 0)),
        raises,
    ),
    "conv_transpose to a negative size": (
        lambda: sr.conv_transpose((1, 1, 3), (1, 1, 2), output_shape=(-3,)),
        raises,
    ),
    "conv_transpose with a negative output padding": (
        lambda: sr.conv_transpose((1, 1, 3), (1, 1, 2), output_padding=-1),
        raises,
    ),
    "resize with a negative scale": (lambda: sr.resize((3,), (-1,)), raises),
    "resize with a scale that is no number": (lambda: sr.resize((3,), (float("nan"),)), raises),
    "concat to more than 2**63": (lambda: sr.concat([(BIG,), (BIG,)]), raises),
    "flatten to more than 2**63": (lambda: sr.flatten((BIG, 4), 0), raises),
    "tile to more than 2**63": (lambda: sr.tile((BIG,), (4,)), raises),
    "pad to more than 2**63": (lambda: sr.pad((BIG,), (BIG,), (0,)), raises),
    "arange of more than 2**63": (lambda: sr.arange(-(2**63), 2**63 - 1), raises),
    "split into no parts": (lambda: sr.split((4,), 0), lambda: np.split(zeros(4), 0)),
    "split into -2 parts": (lambda: sr.split((4,), -2), lambda: np.split(zeros(4), -2)),
    "concat of nothing": (lambda: sr.concat([]), lambda: np.concatenate([])),
    "stack of nothing": (lambda: sr.stack([]), lambda: np.stack([])),
    "expand_dims twice at one axis": (
        lambda: sr.expand_dims((3,), (0, 0)),
        lambda: np.expand_dims(zeros(3), (0, 0)),
    ),
    "linspace of -1": (lambda: sr.linspace(-1), lambda: np.linspace(0, 1, -1)),
}


def outcome(call: Callable[[], Any]) -> Any:
    try:
        result = call()
    except ERRORS:
        return "raises"
    return result if isinstance(result, tuple) else result.shape


@pytest.mark.parametrize("name", CORNERS)
def test_corner_is_numpys(name: str) -> None:
    ours, numpys = CORNERS[name]
    assert outcome(ours) == outcome(numpys)


def test_rule_that_raises_leaves_no_facts_behind() -> None:
    scope = sr.Scope()
    with pytest.raises(shapecast.ShapeError):
        sr.merge(("a", 3), ("b", 4), scope=scope)
    assert scope.facts == []
    assert scope.equal("a", "b") is None


def test_size_is_a_number_where_its_bounds_meet() -> None:
    scope = sr.Scope()
    scope.require("n", ">=", 1)
    scope.require(2, ">=", "n")
    assert scope.bounds("(n + 1) // 2") == (1, 1)
    assert scope.equal("(n + 1) // 2", 1) is True
    assert scope.size("(n + 1) // 2") == 1


def test_a_relation_that_always_holds_adds_no_fact() -> None:
    scope = sr.Scope()
    sr.index(("n + 1",), "n", scope=scope)
    sr.merge(("n", 2), ("n", 2), scope=scope)
    assert scope.facts == []


def test_fact_of_an_index_names_index() -> None:
    scope = sr.Scope()
    sr.index(("n",), 2, scope=scope)
    (fact,) = scope.facts
    assert fact.startswith("n >= 3 because of index (test_rule_corners.py:")


def test_broadcast_of_many_unknown_sizes_stays_small() -> None:
    scope = sr.Scope()
    (size,) = sr.broadcast(*((f"s{k}",) for k in range(6)), scope=scope)
    assert len(str(size)) < 1000
