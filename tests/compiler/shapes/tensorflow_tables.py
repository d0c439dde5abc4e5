"""Rows of conformance/tf_shape_vectors.txt that need more than the file says."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from compiler.shapes.rows import ERRORS, Differs, MorePrecise
from numpy import zeros
from shapecast import shape_rules as sr

# NumPy gives another result: these rows are run with NumPy's.
DIFFERS = {
    "Select | [];[1];?": Differs(
        "numpy.where broadcasts: the unknown array may be larger",
        "?",
        lambda: np.where(True, zeros(1), zeros((3, 1))),
        (3, 1),
    ),
    "Select | ?;[1,2];?": Differs(
        "numpy.where broadcasts: the unknown arrays may be larger",
        "?",
        lambda: np.where(zeros((3, 1, 1), bool), zeros((1, 2)), 0.0),
        (3, 1, 2),
    ),
    "Select | [1];[];?": Differs(
        "numpy.where broadcasts a scalar",
        "?",
        lambda: np.where(zeros(1, bool), zeros(()), zeros(())),
        (1,),
    ),
    "Select | [?];[?,?,3];[1,2,?]": Differs(
        "numpy.where broadcasts: a size of 1 need not be the other one",
        "[?,2,3]",
        lambda: np.where(zeros(3, bool), zeros((4, 2, 3)), zeros((1, 2, 3))),
        (4, 2, 3),
    ),
    "Select | [2];[?,?,3];[?,2,?]": Differs(
        "numpy.where broadcasts: a vector of conditions is along the last axis",
        'ERR "2 3"',
        lambda: np.where(zeros(2, bool), zeros((2, 2, 3)), zeros((2, 2, 3))),
        ValueError,
    ),
    "Range {1,-1,3} |": Differs(
        "numpy.arange is empty where it does not reach its end",
        "[0]",
        lambda: np.arange(1, -1, 3),
        (0,),
    ),
    "Range {1,4,-1} |": Differs(
        "numpy.arange is empty where it does not reach its end",
        "[0]",
        lambda: np.arange(1, 4, -1),
        (0,),
    ),
    "BatchMatMul | [?,?,?,?];?": Differs(
        "numpy.matmul broadcasts stacks: the unknown array may have more axes, or be a vector",
        "?",
        lambda: np.matmul(zeros((1, 2, 3, 4)), zeros(4)),
        (1, 2, 3),
    ),
    "Einsum abc->aabbcc | [?,?,?]": Differs(
        "numpy.einsum takes each label of the output once",
        "ERR",
        lambda: np.einsum("abc->aabbcc", zeros((1, 2, 3))),
        ValueError,
    ),
    "Einsum aaa,b->abbb | [?,?,?];[?]": Differs(
        "numpy.einsum takes each label of the output once",
        "ERR",
        lambda: np.einsum("aaa,b->abbb", zeros((2, 2, 2)), zeros(3)),
        ValueError,
    ),
    "Einsum ab,ab->a | [1,2];[2,1]": Differs(
        "numpy.einsum broadcasts a size of 1 across operands",
        "[2]",
        lambda: np.einsum("ab,ab->a", zeros((1, 2)), zeros((2, 1))),
        (2,),
    ),
    "Concat axis? | ?;?;?;?;[1,2,3];?;[3,2,1];?": Differs(
        "whichever the axis is, numpy.concatenate finds another one that differs",
        'ERR "1 3"',
        lambda: np.concatenate([zeros((1, 2, 3)), zeros((3, 2, 1))], 0),
        ValueError,
    ),
    "Reshape {-1,-1,2} | [8];[3]": Differs(
        "numpy.reshape finds one size only",
        "ERR",
        lambda: zeros(8).reshape(-1, -1, 2),
        ValueError,
    ),
    "Reshape {0,-1} | [0,2];[1]": Differs(
        "numpy.reshape finds no size beside one of 0",
        "ERR",
        lambda: zeros((0, 2)).reshape(0, -1),
        ValueError,
    ),
    "OneHot {axis=-2} | ?;?;?;?": Differs(
        "a new axis may be counted from the end, as in numpy.expand_dims",
        "[?,?,?]",  # the adapter takes indices of two dimensions
        lambda: np.expand_dims(zeros((3, 4)), -2),
        (3, 1, 4),
    ),
    "Slice {b=0,1,2,6 s=-1..} | [2,3,4,5]": Differs(
        "a slice is clamped into its axis",
        "[2,2,2,0]",
        lambda: zeros((2, 3, 4, 5))[0:, 1:, 2:, 6:],
        (2, 2, 2, 0),
    ),
    "Slice {s has -2} | [2,3,4,5]": Differs(
        "a slice that ends before it begins is empty, and -2 counts from the end",
        "[0,1,2,3]",
        lambda: zeros((2, 3, 4, 5))[0:-2, 0:-2, 0:-2, 0:-2],
        (0, 1, 2, 3),
    ),
    "BiasAdd | [3];[3]": Differs(
        "an addition, of whatever rank",
        "[3]",
        lambda: zeros(3) + zeros(3),
        (3,),
    ),
    "MakeShapeFromShapeTensor | {-2}": Differs(
        "numpy.reshape finds the size that is negative, whichever number it is",
        "[?]",
        lambda: zeros(4).reshape(-2),
        (4,),
    ),
}

MORE_PRECISE = {
    "Sum {axes unknown, keep_dims=0} | [2,4,5];[2]": MorePrecise(
        "[?]", "no axis is summed twice: of three, two axes leave one"
    ),
    "GatherV2 axis? | [1,2,3];[3];[]": MorePrecise(
        "[?,?,3]", "the last size is 3 whichever axis is replaced: 3 indices, or the array's own"
    ),
    "Split num2 axis? | ?;[1,4]": MorePrecise(
        "[1,2];[1,2]", "an axis of size 1 has no two equal parts, so it is the other one"
    ),
}

# Numbers of TensorFlow's message that ours lacks, and why.
_RANKS = "NumPy's message names the axis and the rank that it does not fit"
_NUMPYS = "NumPy's message names no sizes"
NOT_NAMED: dict[str, tuple[tuple[str, ...], str]] = {
    "AddN | ?;[1,2];?;[1,2,3]": (("1",), "the index of an operand, no size"),
    "BroadcastTo | [2,2];[1]": (("1", "2"), _NUMPYS),
    "Range {1,1,0} |": (("0",), "a relation, no size"),
    "LinSpace {num=-1} |": (("0", "-1"), _NUMPYS),
    "BatchMatMulV2 | [];?": (("2",), "NumPy's matmul takes vectors: one dimension is enough"),
    "Pack | [1,2,3];?;[1,4]": (("3", "2"), _NUMPYS),
    "GatherV2 {1} | [1];[1,2];[]": (("2",), _RANKS),
    "Concat {1} | [100];[10,?]": (("2",), _RANKS),
    "Reshape {1,2,3} | [3,4];[3]": (("6",), "NumPy's message names the shape, not its product"),
    "Reshape {} | [1,2];[0]": (("1",), "NumPy's message names the shape, not its product"),
    "Transpose | [1,2,3];[2]": (("3", "2"), _NUMPYS),
}


def _relax_of_one_shape_twice() -> None:
    scope = sr.Scope()
    shape = scope.shape((None, 3))
    assert sr.relax(shape, shape, scope=scope) == shape


def _merge_prefix() -> None:
    scope = sr.Scope()
    shape, prefix = scope.shape((1, None, 3)), scope.shape((None, 2))
    sr.merge(shape[:2], prefix, scope=scope)
    assert scope.shape(shape) == (1, 2, 3)
    assert scope.shape(prefix) == (1, 2)


def _products() -> None:
    scope = sr.Scope()
    x, y = scope.size(None), scope.size(None)
    assert scope.size(0 * x) == 0
    assert scope.equal(1 * x, x) is True
    product = scope.size(x * y)
    assert not isinstance(product, int)
    assert product.symbols == x.symbols | y.symbols


def _minimum_with_zero() -> None:
    scope = sr.Scope()
    assert scope.size("min(0, x)") == 0


def _negative_difference() -> None:
    scope = sr.Scope()
    scope.require("y", ">=", "x + 1")
    for size in (scope.size("3 - 5"), scope.size("x") - scope.size("y")):
        with pytest.raises(ValueError, match="negative"):
            sr.full((size,), scope=scope)


def _overflow() -> None:
    with pytest.raises(ERRORS):
        sr.concat([(2**62,), (2**62,)])
    with pytest.raises(ERRORS):
        sr.flatten((2**62, 4), 0)


def _uneven_division() -> None:
    with pytest.raises(ERRORS, match="7 by 2"):
        sr.split((7,), 2)


# The primitives that are no operations, by hand.
PRIMITIVES: dict[str, Callable[[], None]] = {
    "Relax | same handle": _relax_of_one_shape_twice,
    "MergePrefix | s=[1,?,3] prefix=[?,2]": _merge_prefix,
    "DimMul | 0*?": _products,
    "DimMin | min(0,?)": _minimum_with_zero,
    "DimSub | result<0": _negative_difference,
    "DimAdd/DimMul | overflow": _overflow,
    "DimDivide evenly | 7/2": _uneven_division,
}
