"""What tools that look at functions find of jitted ones: inspect, pydoc, doctest, unittest.mock."""

from __future__ import annotations

import abc
import dataclasses
import doctest
import functools
import inspect
import pydoc
import sys
import types
import typing
from typing import Any
from unittest import mock

import numpy as np
import pytest
from shapecast import jit


@jit
def scaled(x: np.ndarray, factor: int = 2) -> np.ndarray:
    """Multiplies.

    >>> scaled(3)
    6
    """
    return x * factor


class Model:
    @jit
    def shifted(self, x):
        """Adds.

        >>> Model().shifted(1)
        2
        """
        return x + 1

    @jit
    @staticmethod
    def same(x):
        return x


HERE = sys.modules[__name__]


def test_inspect_finds_source_and_signature() -> None:
    assert inspect.getsource(scaled).startswith("@jit\ndef scaled(")
    assert inspect.getfile(inspect.unwrap(scaled)) == __file__  # type: ignore[arg-type]
    assert str(inspect.signature(Model().shifted)) == "(x)"
    assert str(inspect.signature(scaled.stages)) == "(*args, **kwargs)"
    assert inspect.getfullargspec(scaled).defaults == (2,)
    assert inspect.getmodule(scaled) is HERE
    found = [name for name, _ in inspect.getmembers(Model, inspect.isroutine) if name[0] != "_"]
    assert found == ["same", "shifted"]
    assert not inspect.iscoroutinefunction(scaled) and not inspect.isgeneratorfunction(scaled)


def test_annotations_are_those_of_the_function() -> None:
    hints = {"x": np.ndarray, "factor": int, "return": np.ndarray}
    assert typing.get_type_hints(scaled) == hints
    assert scaled.__annotations__ is scaled.__wrapped__.__annotations__
    function = jit(lambda x: x)
    function.__annotations__ = {"x": int}
    assert function.__wrapped__.__annotations__ == {"x": int}
    has = [hasattr(f, "__type_params__") for f in (scaled, scaled.__wrapped__)]
    assert has[0] == has[1]


def test_it_has_no_code_of_its_own() -> None:
    """IPython's autoreload writes into the memory of objects that have it."""
    assert not hasattr(scaled, "__code__") and not hasattr(scaled, "__closure__")


def test_help_shows_signatures_and_docs() -> None:
    text = pydoc.render_doc(scaled, renderer=pydoc.plaintext)
    assert "scaled(x: np.ndarray, factor: int = 2)" in text.replace("'", "")
    assert "Multiplies." in text
    text = pydoc.render_doc(Model, renderer=pydoc.plaintext)
    assert "shifted(self, x)" in text and "Static methods defined here:" in text


def test_doctest_runs_examples_of_functions_and_methods() -> None:
    found = {test.name: test for test in doctest.DocTestFinder().find(HERE) if test.examples}
    assert {f"{__name__}.{name}" for name in ("scaled", "Model.shifted")} == set(found)
    runner = doctest.DocTestRunner()
    for test in found.values():
        assert runner.run(test).attempted == 1
    assert runner.summarize().failed == 0


def test_autospec_checks_arguments() -> None:
    double = mock.create_autospec(scaled, return_value=5)
    assert double(1) == double(x=1, factor=3) == 5
    for arguments in ((), (1, 2, 3)):
        with pytest.raises(TypeError):
            double(*arguments)
    with mock.patch(f"{__name__}.scaled", autospec=True) as patched:
        scaled(4)
        patched.assert_called_once_with(4)
        with pytest.raises(TypeError, match="unexpected keyword argument 'by'"):
            scaled(4, by=1)
    assert scaled(4) == 8


def test_mocked_methods_take_calls_without_self() -> None:
    for double in (mock.create_autospec(Model)(), mock.create_autospec(Model())):
        double.shifted.return_value = 7
        assert double.shifted(1) == double.shifted(x=1) == 7
    with pytest.raises(TypeError):
        mock.create_autospec(Model()).shifted(1, 2)


def test_call_is_still_what_types_say() -> None:
    assert scaled.__call__(4) == type(scaled).__call__(scaled, 4) == 8
    assert Model.shifted.__call__(Model(), 4) == 5
    assert callable(scaled) and isinstance(scaled, typing.Callable)  # type: ignore[arg-type]


def test_wraps_copies_what_a_function_has() -> None:
    @functools.wraps(scaled)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return scaled(*args, **kwargs)

    assert (wrapper.__name__, wrapper.__module__) == ("scaled", __name__)
    assert inspect.signature(wrapper) == inspect.signature(scaled)
    assert wrapper(3) == 6 and wrapper.__annotations__ == scaled.__annotations__


def test_abstract_methods_in_either_order() -> None:
    class Base(abc.ABC):
        @abc.abstractmethod
        @jit
        def first(self, x): ...

        @jit
        @abc.abstractmethod
        def second(self, x): ...

    assert Base.__abstractmethods__ == {"first", "second"}

    class Concrete(Base):
        @jit
        def first(self, x):
            return x

        @jit
        def second(self, x):
            return x + 1

    assert Concrete().first(1) == 1 and Concrete().second(1) == 2


def test_dispatch_caches_and_partial_methods() -> None:
    @functools.singledispatch
    @jit
    def kind(x):
        return 1

    @kind.register
    @jit
    def _(x: list):
        return 2

    class Cached:
        x = 3

        @functools.cached_property
        @jit
        def twice(self):
            return self.x * 2

        @functools.lru_cache
        @jit
        def more(self, by):
            return self.x + by

        @functools.singledispatchmethod
        @jit
        def of(self, value):
            return self.x + value

        @of.register
        @jit
        def _(self, value: tuple):
            return 0

        fixed = functools.partialmethod(jit(lambda self, a, b: a - b), 10)

    c = Cached()
    assert (kind(1.0), kind([])) == (1, 2)
    assert (c.twice, c.twice, c.more(4), c.of(1), c.of(()), c.fixed(3)) == (6, 6, 7, 4, 0, 7)


def test_dataclasses_have_jitted_methods_and_fields() -> None:
    @dataclasses.dataclass
    class Square:
        side: float
        scale: typing.Callable = scaled

        @jit
        def __post_init__(self):
            self.side = self.side + 1

        @property
        @jit
        def area(self):
            return self.side * self.side

    square = Square(2.0)
    assert square.area == 9 and square.scale(2) == 4
    assert [field.name for field in dataclasses.fields(Square)] == ["side", "scale"]


def test_documenters_reach_the_function() -> None:
    """Sphinx and griffe go along __wrapped__, and look at these."""
    assert inspect.unwrap(scaled) is scaled.__wrapped__
    assert isinstance(scaled.__wrapped__, types.FunctionType)
    assert inspect.isroutine(scaled) and inspect.ismethoddescriptor(scaled)
    assert [
        a.kind for a in inspect.classify_class_attrs(Model) if a.name in ("shifted", "same")
    ] == [
        "static method",
        "method",
    ]
    assert inspect.getdoc(scaled) == inspect.getdoc(scaled.__wrapped__)
