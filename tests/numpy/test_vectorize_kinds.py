"""shapecast.vectorize with arrays that are not NumPy's own: __array_ufunc__ (NEP 13),
__array_wrap__; and `axes`, `axis` and `keepdims` of signatures.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import shapecast


@shapecast.vectorize
def relu(x: Any, slope: Any) -> Any:
    return x if x > 0 else slope * x


@shapecast.vectorize
def larger(a: Any, b: Any) -> Any:
    return a if a > b else b


@shapecast.vectorize
def both(x: Any, y: Any) -> Any:
    return x + y, x * y


@shapecast.vectorize(signature="(n)->()")
def total(x: Any) -> Any:
    return x.sum()


@shapecast.vectorize(signature="(n),(n)->()")
def dot(a: Any, b: Any) -> Any:
    return (a * b).sum()


@shapecast.vectorize(signature="(m,n),(n)->(m)")
def product(a: Any, x: Any) -> Any:
    return a @ x


class Meters(np.lib.mixins.NDArrayOperatorsMixin):
    """Records what it is asked."""

    def __init__(self, values: Any) -> None:
        self.values = np.asarray(values)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **named: Any) -> Any:
        plain = [x.values if isinstance(x, Meters) else x for x in inputs]
        if "out" in named:
            named["out"] = tuple(x.values if isinstance(x, Meters) else x for x in named["out"])
        return type(self)(getattr(ufunc, method)(*plain, **named))


class Longer(Meters):
    pass


class Refuses:
    def __array_ufunc__(self, *_: Any, **__: Any) -> Any:
        return NotImplemented


class Answers:
    def __array_ufunc__(self, *_: Any, **__: Any) -> Any:
        return 42


class Never:
    __array_ufunc__ = None


class Named(np.ndarray):
    pass


X = np.linspace(-2, 2, 12).reshape(3, 4)


def test_a_class_with_array_ufunc_computes_the_result() -> None:
    got = relu(Meters(X), 0.5)
    assert type(got) is Meters and np.array_equal(got.values, relu(X, 0.5))
    assert type(relu(X, Meters(X))) is Meters
    assert type(both(Meters(X), 1.0)) is Meters  # one that is asked once for all results
    out = Meters(np.zeros(X.shape))
    relu(X, 0.5, out=out)
    assert np.array_equal(out.values, relu(X, 0.5))
    for method, wanted in (("reduce", X.max(0)), ("accumulate", np.maximum.accumulate(X))):
        found = getattr(larger, method)(Meters(X))
        assert type(found) is Meters and np.array_equal(found.values, wanted)
    assert np.array_equal(larger.outer(Meters(X[0]), X[1]).values, np.maximum.outer(X[0], X[1]))


def test_subclasses_are_asked_before_their_bases() -> None:
    assert type(relu(Meters(X), Longer(X))) is Longer
    assert type(np.add(Meters(X), Longer(X))) is Longer  # as NumPy does


@pytest.mark.parametrize("f", [np.maximum, larger], ids=["numpy", "vectorize"])
def test_who_refuses_gets_numpys_errors(f: Any) -> None:
    with pytest.raises(TypeError, match="returned NotImplemented from __array_ufunc__"):
        f(Refuses(), 1.0)
    with pytest.raises(TypeError, match="operand 'Never' does not support ufuncs"):
        f(Never(), 1.0)
    assert f(Refuses(), Answers()) == f(1.0, Answers()) == 42


def test_keywords_reach_the_override_only_where_they_are_given() -> None:
    asked: list[dict[str, Any]] = []

    class Asks:
        def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **named: Any) -> Any:
            asked.append(named)
            return 0

    larger(Asks(), 1.0)
    larger(Asks(), 1.0, dtype="f4", where=np.array([True]))
    larger.reduce(Asks(), axis=1)
    assert asked[0] == {} and set(asked[1]) == {"dtype", "where"}
    assert asked[2]["axis"] == 1


def test_subclasses_of_ndarray_give_arrays_of_their_class() -> None:
    assert type(relu(X.view(Named), 0.5)) is type(np.add(X.view(Named), 0.5)) is Named
    assert all(type(result) is Named for result in both(X.view(Named), 1.0))
    assert type(total(X.view(Named))) is Named
    assert type(relu(X, 0.5)) is np.ndarray and type(relu(1.0, 0.5)) is np.float64


def test_masked_elements_stay_masked() -> None:
    x = np.ma.array(X, mask=X > 1.5)
    got, want = (
        larger(x, np.ma.array(X * 2, mask=X < -1.5)),
        np.ma.maximum(x, np.ma.array(X * 2, mask=X < -1.5)),
    )
    assert isinstance(got, np.ma.MaskedArray)
    assert np.array_equal(got.mask, want.mask) and np.ma.allequal(got, want)
    assert all(np.array_equal(result.mask, x.mask) for result in both(x, 1.0))
    assert larger(np.ma.masked, 1.0) is np.ma.masked
    with pytest.raises(TypeError, match=r"takes no masked array: pass x\.compressed\(\)"):
        larger.reduce(x)


def test_masks_of_outer_and_out_and_methods_that_have_none() -> None:
    x, out = np.ma.array([1.0, 5.0, 3.0], mask=[0, 1, 0]), np.ma.zeros(3)
    outer = larger.outer(x, [2.0, 4.0])
    assert outer.mask.tolist() == [[False] * 2, [True] * 2, [False] * 2]
    assert larger(x, 2.0, out=out) is out
    assert out.mask.tolist() == [False, True, False] and out.tolist() == [2.0, None, 3.0]
    for call in (lambda: larger.accumulate(x), lambda: larger.at(x, [0], 2.0)):
        with pytest.raises(TypeError, match="takes no masked array"):
            call()


def test_a_masked_element_masks_all_that_is_computed_from_it() -> None:
    x = np.ma.array(X, mask=X > 1.5)
    got = total(x)
    assert got.mask.tolist() == [False, False, True] and got[0] == X[0].sum()
    rows = product(np.ma.array(np.ones((2, 3, 4)), mask=np.arange(24).reshape(2, 3, 4) == 0), X[0])
    assert rows.mask.tolist() == [[True] * 3, [False] * 3]


@pytest.mark.parametrize("axis", [0, 1, -1, -2])
@pytest.mark.parametrize("keepdims", [False, True])
def test_axis_and_keepdims_are_numpys(axis: int, keepdims: bool) -> None:
    y = np.random.default_rng(0).random((3, 4))
    want = np.sum(y, axis=axis, keepdims=keepdims)
    got = total(y, axis=axis, keepdims=keepdims)
    assert got.shape == want.shape and np.allclose(got, want, rtol=1e-14)
    out = np.zeros(want.shape)
    assert total(y, axis=axis, keepdims=keepdims, out=out) is out
    assert np.array_equal(out, got)
    assert np.allclose(dot(y, y, axis=axis), np.vecdot(y, y, axis=axis), rtol=1e-14)


def test_axes_are_numpys() -> None:
    a, x = np.random.default_rng(0).random((4, 2, 3)), np.random.default_rng(1).random((4, 5))
    for axes in ([(2, 0), (0,), (0,)], [(1, 0), (0,), (-1,)], [(-1, -3), 0, 1]):
        moved = product(a[:, :, :], x[:, 0], axes=axes)
        want = np.matvec(a, x[:, 0], axes=axes) if hasattr(np, "matvec") else moved
        assert moved.shape == want.shape and np.allclose(moved, want, rtol=1e-14)
    assert np.allclose(dot(x, x, axes=[0, 0]), (x * x).sum(0), rtol=1e-14)
    with pytest.raises(TypeError, match="cannot specify both 'axis' and 'axes'"):
        dot(x, x, axis=0, axes=[0, 0])
    with pytest.raises(TypeError, match="unexpected keyword argument 'axs'"):
        dot(x, x, axs=0)
    with pytest.raises(TypeError, match="only with a signature"):
        larger(x, x, axis=0)
    with pytest.raises(TypeError, match="does not support keepdims"):
        product(a, x[:3, 0], keepdims=True)
    with pytest.raises(ValueError, match="an entry for all inputs and outputs"):
        product(a, x[:3, 0], axes=[(0, 1)])


def test_a_combiner_is_of_two_results_to_numbers() -> None:
    made = shapecast.vectorize(lambda x: x.sum(), signature="(n)->()", combine=lambda a, b: a + b)
    assert np.allclose(made(X), X.sum(axis=1))
    with pytest.raises(ValueError, match="one core dimension, to numbers"):
        shapecast.vectorize(lambda x: x, combine=lambda a, b: a)
    with pytest.raises(ValueError, match="one core dimension, to numbers"):
        shapecast.vectorize(lambda x: x, signature="(n)->(n)", combine=lambda a, b: a)
    with pytest.raises(ValueError, match="a function of two numbers"):
        shapecast.vectorize(lambda x: x.sum(), signature="(n)->()", combine=lambda a: a)
