"""Annotations of arrays: checked at the call, used as facts, shared over arguments."""

from __future__ import annotations

import re
from typing import Any, Optional

import numpy as np
import pytest
import shapecast
from shapecast import jit
from shapecast import typing as types
from support.compare import case_id, make

NAMES = {name: getattr(types, name) for name in types.__all__} | {"Optional": Optional}
z = np.ones


def annotated(parameters: str, body: str = "return None") -> Any:
    return jit(make(f"def f({parameters}):\n    {body}", **NAMES))


FITS = [
    ('x: Float64["n m"]', (z((3, 4)),)),
    ('x: Float64["n m"], y: Float64["m n"]', (z((3, 4)), z((4, 3)))),
    ('x: Float64[np.ndarray, "n m"]', (z((0, 1)),)),
    ('x: Array["n", "2*n+1"]', (z((3, 7), np.int8),)),
    ('x: Array["2*n+1"], y: Float64["n"]', (z(7), z(3))),
    ('x: Array["n*m"], y: Float64["n"], w: Float64["m"]', (z(6), z(3), z(2))),
    ('x: Array["...", "3"]', (z((2, 5, 3)),)),
    ('x: Array["...", "3"], y: Array["..."]', (z(3), z((2, 2)))),
    ('x: Num["*batch n"], y: Num["n *batch"]', (z((2, 3, 4)), z((4, 2, 3)))),
    ('x: Array["_ _"]', (z((2, 3)),)),
    ('x: Float["2 n//2 n"]', (z((2, 2, 5)),)),
    ('x: Int32["n"] = None', ()),
    ('x: Int32["n"] | None', (None,)),
    ('x: Float64[""]', (np.float64(2),)),
    ('x: Float64[""]', (np.array(2.0),)),
    ('x: Bool["n"]', (z(2, bool),)),
    ('x: Float64["n"] | float', (2.5,)),
    ('x: "not a type at all", y: list', (z(2), [1.0])),
    ('x: Array["x s0 n0"], y: Array["n0"]', (z((1, 2, 3)), z(3))),
    ('x: Optional[Float64["n"]]', (None,)),
    ('x: Array["n%m"], y: Array["n"], w: Array["m"]', (z(1), z(7), z(2))),
    ('x: Array["_a _a"]', (z((2, 3)),)),
    ('x: Array["rows=2 n"]', (z((2, 3)),)),
]  # fmt: skip


@pytest.mark.parametrize(("parameters", "arguments"), FITS, ids=case_id)
def test_arguments_that_fit_are_accepted(parameters: str, arguments: tuple[Any, ...]) -> None:
    assert annotated(parameters)(*arguments) is None


MISFITS = [
    ('x: Float64["n m"]', (z(3),), shapecast.ShapeError, "'x'.*it has 1 dimension"),
    ('x: Float64["n"]', (z(3, "f4"),), TypeError, "'x' does not fit Float64.*dtype is float32"),
    ('x: Float64["n"]', (3.0,), TypeError, "it is of class float"),
    ('x: Float64["n"]', (None,), TypeError, "it is of class NoneType"),
    ('x: Float64["n"]', ((1.0, 2.0),), TypeError, "it is of class tuple"),
    ('x: Float["n"]', (z(3, int),), TypeError, "dtype is int64"),
    ('x: Float64["n n"]', (z((3, 4)),), shapecast.ShapeError,
        r"axis 1 has size 4, and n is 3 \(axis 0 of 'x'\)"),
    ('x: Float64["n"], y: Float64["n"]', (z(3), z(4)), shapecast.ShapeError,
        r"'y'.*axis 0 has size 4, and n is 3 \(axis 0 of 'x'\)"),
    ('x: Float64["3"]', (z(4),), shapecast.ShapeError, "axis 0 has size 4"),
    ('x: Float64["2*n"]', (z(3),), shapecast.ShapeError, "axis 0 has size 3, and 2 . n is 2"),
    ('x: Float64["n+4"]', (z(3),), shapecast.ShapeError, "n would be -1"),
    ('x: Float64["n"], y: Float64["2*n"]', (z(3), z(5)), shapecast.ShapeError, "2 . n is 6"),
    ('x: Float64["*b n"], y: Float64["*b"]', (z((2, 3)), z(3)), shapecast.ShapeError,
        r"\*b is \(3,\) here, and \(2,\) before"),
    ('x: Float64["*b n"], y: Float64["*b"]', (z((2, 3)), z((2, 1))), shapecast.ShapeError,
        r"\*b is \(2,1\) here, and \(2,\) before"),
    ('x: Array["...", "3"]', (z(()),), shapecast.ShapeError, "it has 0 dimensions"),
    ('x: Array["n%m"], y: Array["n"], w: Array["m"]', (z(1), z(7), z(0)), shapecast.ShapeError,
        "it divides by 0"),
    ('x: Array["n//m"], y: Array["n"], w: Array["m"]', (z(1), z(7), z(0)), shapecast.ShapeError,
        "it divides by 0"),
    ('x: Optional[Float64["n"]]', (z((2, 2)),), shapecast.ShapeError, "it has 2 dimensions"),
    ('x: Float64["n"]', ([z(2), z(2)],), TypeError, "it is of class list"),
    ('x: Float64["n"]', ((z(2), 1.0),), TypeError, "it is of class tuple"),
    ('x: Array["n*m"]', (z(3),), shapecast.UnsupportedError,
        "the sizes in m . n cannot be solved for"),
]  # fmt: skip


@pytest.mark.parametrize(("parameters", "arguments", "error", "message"), MISFITS, ids=case_id)
def test_arguments_that_do_not_fit_raise_at_the_annotation(
    parameters: str, arguments: tuple[Any, ...], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message) as raised:
        annotated(parameters)(*arguments)
    notes = "\n".join(getattr(raised.value, "__notes__", []))
    name = re.findall(r"argument '(\w+)'", str(raised.value))[0]
    line = notes.splitlines()[-2]
    caret = notes.splitlines()[-1]
    start = line.index(parameters[parameters.index(f"{name}:")])  # where the parameter is declared
    assert "^" in caret and caret.index("^") >= start


def test_nothing_is_written_before_the_check() -> None:
    f = annotated('x: Float64["n"], y: Float64["n"]', "x[:] = 0.0")
    x = z(3)
    for _ in range(3):
        with pytest.raises(shapecast.ShapeError):
            f(x, z(4))
    assert np.all(x == 1)
    f(x, z(3))
    assert np.all(x == 0)


def test_annotations_add_facts_about_shapes() -> None:
    f = annotated('x: Float64["n m"], y: Float64["m"]', "return x + y")
    assert f.infer(("a", "b"), ("c",)).shape == ("a", "b")
    signature = f.signature_of(("a", "b"), ("c",))
    assert signature.parameters["y"].shape == ("b",)
    assert not any("or one of them is 1" in text for text in signature.requirements)


def test_one_variant_serves_all_sizes_that_a_name_equates() -> None:
    f = annotated('x: Float64["n m"], y: Float64["m"]', "return x + y")
    for n, m in ((2, 3), (1, 1), (0, 4), (4, 1)):
        np.testing.assert_array_equal(f(z((n, m)), z(m)), z((n, m)) + z(m))
    assert len(f.signatures()) == 1


def test_annotations_of_an_inlined_function_are_not_checked() -> None:
    inner = make('def inner(x: Float64["3"]):\n    return x + 1', **NAMES)
    f = jit(make("def f(x):\n    return inner(x)", inner=inner))
    np.testing.assert_array_equal(f(z(4)), z(4) + 1)


def test_annotations_of_methods_beside_nested_arguments() -> None:
    source = """
    class Model:
        def __init__(self, w):
            self.w = w
        @jit
        def apply(self, pair, x: Float64["n"]):
            return self.w @ x + pair[0]
    """
    model = make(source, "Model", jit=jit, **NAMES)(z((2, 3)))
    np.testing.assert_array_equal(model.apply((1.0, 2), z(3)), np.full(2, 4.0))
    with pytest.raises(TypeError, match="'x' does not fit Float64"):
        model.apply((1.0, 2), z(3, int))


class _Foreign:
    """What jaxtyping's annotations look like."""

    dim_str = "n 2"
    dtypes = ("float32", "float64")
    __name__ = "Float[ndarray, 'n 2']"


def test_jaxtypings_own_annotations_are_read() -> None:
    f = jit(make("def f(x: T):\n    return x", T=_Foreign()))
    assert f(z((3, 2))).shape == (3, 2)
    with pytest.raises(shapecast.ShapeError, match="axis 1 has size 3"):
        f(z((3, 3)))


def test_malformed_annotations_are_errors() -> None:
    with pytest.raises(TypeError, match="takes the dimensions as text"):
        types.Float64[1.5]
    with pytest.raises(ValueError, match="not a size: 'n\\+'"):
        annotated('x: Float64["n+"]')(z(3))
    with pytest.raises(ValueError, match=r"parameter 'x' of f\(\).*without blanks"):
        annotated('x: Float64["n + 1"]')(z(3))
    with pytest.raises(ValueError, match="'#n' is not supported"):
        annotated('x: Float64["#n"]')(z(3))
    with pytest.raises(ValueError, match="more than one"):
        annotated('x: Float64["... *b"]')(z(3))
