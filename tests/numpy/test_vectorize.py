"""shapecast.vectorize against np.vectorize and NumPy's own ufuncs."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
import shapecast
from support.compare import case_id


def relu(x: Any, slope: Any) -> Any:
    return x if x > 0 else slope * x


def hypot(x: Any, y: Any) -> Any:
    return math.sqrt(x * x + y * y)


def larger(x: Any, y: Any) -> Any:
    return x if x > y else y


def both(x: Any, y: Any) -> Any:
    return x + y, x * y


fast_relu, fast_hypot = shapecast.vectorize(relu), shapecast.vectorize(hypot)
fast_larger, fast_both = shapecast.vectorize(larger), shapecast.vectorize(both)

X = np.linspace(-2, 2, 12).reshape(3, 4)
SHAPES = [X, X.T.copy().T, X[:, ::-1], X[::2, 1:2], X[0], X[:, :1], X[0, 0], np.zeros((0, 4))]


@pytest.mark.parametrize(("a", "b"), [*itertools.product(SHAPES, repeat=2)], ids=case_id)
def test_arguments_broadcast_as_numpys(a: Any, b: Any) -> None:
    try:
        np.broadcast_shapes(np.shape(a), np.shape(b))
    except ValueError as problem:
        with pytest.raises(ValueError, match=str(problem).split(":")[0][:20]):
            fast_larger(a, b)
        return
    got, want = fast_larger(a, b), np.maximum(a, b)
    assert type(got) is type(want)
    assert got.dtype == want.dtype and np.array_equal(got, want)


@pytest.mark.parametrize("dtype", ["f4", "f8", "i2", "i8", "u1"])
def test_dtypes_are_those_of_the_function(dtype: str) -> None:
    a = np.arange(6).astype(dtype)
    assert fast_larger(a, a[::-1]).dtype == np.dtype(dtype)
    assert fast_relu(a, 2).dtype == (a * 2).dtype  # a Python number is weak
    assert fast_hypot(a, a).dtype == np.float64


def test_python_numbers_give_scalars() -> None:
    assert fast_relu(-2.0, 0.5) == -1.0 and isinstance(fast_relu(-2.0, 0.5), np.float64)


def test_out_where_and_dtype() -> None:
    out = np.full((3, 4), 9.0)
    assert fast_larger(X, 0.0, out=out) is out
    assert np.array_equal(out, np.maximum(X, 0.0))
    out[...] = 9.0
    fast_larger(X, 0.0, out=out, where=X > 1)
    assert np.array_equal(out, np.maximum(X, 0.0, out=np.full((3, 4), 9.0), where=X > 1))
    assert fast_larger(X, X, dtype="f4").dtype == np.float32
    fast_larger(X, 0.0, out)  # positional
    assert np.array_equal(out, np.maximum(X, 0.0))
    with pytest.raises(TypeError, match="Cannot cast ufunc 'larger' output"):
        fast_larger(X, 0.0, out=np.zeros((3, 4), int))
    with pytest.raises(ValueError, match="non-broadcastable output operand"):
        fast_larger(X, 0.0, out=np.zeros(4))
    with pytest.raises(TypeError, match="takes from 2 to 3 positional arguments but 1 were given"):
        fast_larger(X)


def test_functions_of_several_results() -> None:
    total, product = fast_both(X, X[0])
    assert np.array_equal(total, X + X[0]) and np.array_equal(product, X * X[0])


@pytest.mark.parametrize("axis", [0, 1, -1, None])
def test_reduce_and_accumulate(axis: int | None) -> None:
    assert np.array_equal(fast_larger.reduce(X, axis=axis), np.maximum.reduce(X, axis=axis))
    kept = fast_larger.reduce(X, axis=axis, keepdims=True)
    assert np.array_equal(kept, np.maximum.reduce(X, axis=axis, keepdims=True))
    if axis is not None:
        assert np.array_equal(fast_larger.accumulate(X, axis), np.maximum.accumulate(X, axis))
    with pytest.raises(ValueError, match="zero-size array"):
        fast_larger.reduce(np.zeros(0))
    assert fast_larger.reduce(np.zeros(0), initial=3.0) == 3.0


def test_outer_and_at() -> None:
    assert np.array_equal(fast_larger.outer(X, X[0]), np.maximum.outer(X, X[0]))
    add = shapecast.vectorize(lambda x, y: x + y)
    got, want, indices = np.zeros(4), np.zeros(4), np.array([1, 1, 3])
    add.at(got, indices, np.array([1.0, 2.0, 3.0]))
    np.add.at(want, indices, np.array([1.0, 2.0, 3.0]))
    assert np.array_equal(got, want)


@pytest.mark.parametrize(
    ("indices", "values"),
    [
        (slice(0, 2), [5.0, -1.0]),
        ([0, 0], [[5.0, 1.0], [2.0, 7.0]]),
        ((0, [1, 1]), [1.0, 2.0]),
        ([], 1),
    ],
    ids=case_id,
)
def test_at_broadcasts_to_what_is_chosen(indices: Any, values: Any) -> None:
    got, want = np.zeros((2, 2)), np.zeros((2, 2))
    shapecast.vectorize(larger).at(got, indices, values)
    np.maximum.at(want, indices, values)
    assert np.array_equal(got, want)


def test_signatures_of_core_dimensions() -> None:
    product = shapecast.vectorize(lambda a, b: a @ b, signature="(m,n),(n,p)->(m,p)")
    a, b = np.random.default_rng(0).random((2, 1, 3, 4)), np.random.default_rng(1).random((5, 4, 2))
    assert np.allclose(product(a, b), np.matmul(a, b), rtol=1e-15)
    dot = shapecast.vectorize(lambda a, b: (a * b).sum(), signature="(n),(n)->()")
    assert np.allclose(dot(a, a), np.vecdot(a, a), rtol=1e-14)
    assert isinstance(dot(a[0, 0, 0], a[0, 0, 1]), np.float64)
    with pytest.raises(
        ValueError, match=r"mismatch in its core dimension 0.*size 3 is different from 4"
    ):
        product(a, np.zeros((3, 3)))
    with pytest.raises(ValueError, match="does not have enough dimensions"):
        product(a, np.zeros(3))
    with pytest.raises(ValueError, match="not a valid gufunc signature"):
        shapecast.vectorize(lambda a: a, signature="(m->m)")


def test_exceptions_of_the_function_are_raised() -> None:
    plain = shapecast.vectorize(lambda x: math.log(x))
    assert np.allclose(plain(np.array([1.0, 2.0])), np.log([1.0, 2.0]))
    with pytest.raises(ValueError, match=r"math domain error|expected a positive"):
        plain(np.array([1.0, -2.0]))


def test_name_docstring_and_signature_are_the_functions() -> None:
    assert repr(fast_relu) == "<shapecast.vectorize of 'relu'>"
    assert (fast_relu.nin, fast_relu.nout, fast_relu.nargs) == (2, 1, 3)
    fast_larger(X, X)
    assert "dd->d" in fast_larger.types


FACTOR: Any = 2


class Holder:
    factor: Any = 2


HOLDER = Holder()


def scaled(x: Any) -> Any:
    return x * FACTOR


def by_holder(x: Any) -> Any:
    return x * HOLDER.factor


def test_dtypes_of_results_follow_what_the_function_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """int64 stayed, and 2.5 was cut off."""
    factor: Any = 2

    def by_closure(x: Any) -> Any:
        return x * factor

    through = shapecast.vectorize(lambda x: scaled(x))
    x = np.arange(3)
    all_of_them = [shapecast.vectorize(f) for f in (scaled, by_holder, by_closure)] + [through]
    for f in all_of_them:
        assert np.array_equal(f(x), [0, 2, 4]) and f(x).dtype == np.int64
    with monkeypatch.context() as changed:
        changed.setitem(globals(), "FACTOR", 2.5)
        changed.setattr(HOLDER, "factor", 2.5, raising=False)
        factor = 2.5
        for f in all_of_them:
            assert np.array_equal(f(x), [0, 2.5, 5]) and f(x).dtype == np.float64
    factor = 3
    assert np.array_equal(all_of_them[2](x), [0, 3, 6])
    for f in (*all_of_them[:2], through):
        assert np.array_equal(f(x), [0, 2, 4]) and f(x).dtype == np.int64


def test_equal_functions_that_read_other_values_have_dtypes_of_their_own() -> None:
    def made(k: Any) -> Any:
        return shapecast.vectorize(lambda x: x * k)

    x = np.arange(3)
    for k in (2, 2.5, True, 2.0, 2):
        assert made(k)(x).dtype == (x * k).dtype and np.array_equal(made(k)(x), x * k)
