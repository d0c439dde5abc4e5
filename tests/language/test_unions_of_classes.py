"""isinstance with unions, tuples in tuples, abstract classes and classes in Python."""

from __future__ import annotations

import abc
import collections.abc
import numbers
import typing

import numpy as np
import pytest
import shapecast
from support.compare import check, jitted, make


class Base:
    def __init__(self) -> None:
        self.x = 1.0


class Derived(Base):
    pass


class Apart:
    pass


class Point(typing.NamedTuple):
    x: float
    y: float


class Celsius(float):
    pass


NAMES = {
    "abc": collections.abc, "numbers": numbers, "typing": typing, "Base": Base,
    "Derived": Derived, "Apart": Apart, "Point": Point, "Number": int | float,
    "Old": typing.Union[int, float], "Opt": typing.Optional[float],
}  # fmt: skip
CLASSES = """
int | float
int | float | complex
Number
Number | str
Old
Opt
int | None
None | str
int | np.ndarray | list
np.floating | np.integer
Base
Base | None
Apart | int
(Derived, Apart)
((Base, Apart), int)
(int, (float, str))
(int | float, str)
Point | tuple
Point | Base
numbers.Number
numbers.Real
numbers.Integral
numbers.Complex
(numbers.Real, np.ndarray)
numbers.Real | np.ndarray
abc.Sequence
abc.Iterable
abc.Hashable
abc.Sized
abc.Callable
abc.Mapping
typing.Sequence
"""
VALUES = [
    1, 2.5, True, 1j, "a", None, [1], (1.5,), {"a": 1}, np.ones(2), np.float32(1), np.int8(1),
    np.bool_(True), np.complex64(1), np.float64(1), Point(1.0, 2.0), Base(), Derived(), Apart(),
]  # fmt: skip


@pytest.mark.parametrize("classes", CLASSES.strip().splitlines())
def test_isinstance_is_pythons(classes: str) -> None:
    f = make(f"def f(x):\n    return isinstance(x, {classes})\n", "f", **NAMES)
    for value in VALUES:
        assert jitted(f)(value) is f(value), value


def test_a_union_of_classes_is_no_value() -> None:
    for text in ("int | float", "str(int | None)"):
        f = make(f"def f(x):\n    return {text}\n", "f", **NAMES)
        with pytest.raises(shapecast.UnsupportedError, match="argument of isinstance only"):
            jitted(f)(2.5)
    for text in ("len(Number)", "isinstance(x, [int, float])"):
        check(make(f"def f(x):\n    return {text}\n", "f", **NAMES), 2.5)


class Shaped(typing.Protocol):
    shape: tuple[int, ...]


class Any_(type):
    def __instancecheck__(cls, other: object) -> bool:
        return True


class Everything(metaclass=Any_):
    pass


class Own(abc.ABC):
    pass


@pytest.mark.parametrize(
    "classes",
    ["Shaped", "(Shaped, int)", "Everything", "Own", "typing.Optional[str]", "int | list[int]"],
)
def test_classes_with_an_instancecheck_of_their_own_are_refused(classes: str) -> None:
    names = {"Shaped": Shaped, "Everything": Everything, "Own": Own, "typing": typing}
    f = make(f"def f(x):\n    return isinstance(x, {classes})\n", "f", **names)
    with pytest.raises(shapecast.UnsupportedError):
        jitted(f)("a")


@pytest.mark.parametrize(
    "classes", ["type", "np.dtype", "bytes", "type(None)", "int | None", "abc.Callable"]
)
def test_isinstance_of_other_values(classes: str) -> None:
    f = make(f"def f(x):\n    return isinstance(x, {classes})\n", "f", **NAMES)
    for value in (1, 2.5, None, np.ones(2), "a", slice(1, 2), len):
        opaque = callable(value) or isinstance(value, slice)
        if opaque and classes in ("type", "np.dtype", "abc.Callable"):
            with pytest.raises(shapecast.UnsupportedError, match="only passes on"):
                jitted(f)(value)
        else:
            assert jitted(f)(value) is f(value), value


def test_values_of_either_class() -> None:
    f = make(
        "def f(n):\n    x = None if n < 0 else 1.5\n"
        "    return isinstance(x, float | None), isinstance(x, None | int), isinstance(x, float)\n",
        "f",
    )
    for n in (-1, 1):
        assert jitted(f)(n) == f(n)


def test_a_second_argument_that_is_no_class_is_a_type_error() -> None:
    for wrong in ("int | 3", "3", "None", "(int, 3)"):
        f = make(f"def f(x):\n    return isinstance(x, {wrong})\n", "f")
        with pytest.raises(TypeError) as mine:
            jitted(f)(2.5)
        with pytest.raises(TypeError) as pythons:
            f(2.5)
        assert str(mine.value) == str(pythons.value)


def test_classes_that_derive_from_numbers_are_refused() -> None:
    f = make("def f(x):\n    return isinstance(x, Celsius)\n", "f", Celsius=Celsius)
    for value in (Celsius(2.0), 2.0):
        with pytest.raises(shapecast.UnsupportedError, match="'Celsius' are treated as"):
            jitted(f)(value)


def test_the_class_of_a_value() -> None:
    f = make("def f(x, y):\n    return isinstance(x, y.__class__), x.__class__ is float\n", "f")
    for x, y in ((1.0, 2.0), (1, None), (None, None), (np.ones(2), np.zeros(1)), ((1,), (2, 3))):
        assert jitted(f)(x, y) == f(x, y)


def test_a_class_created_inside_is_refused() -> None:
    f = make("def f(x):\n    return type('A', (), {}) is None\n", "f")
    with pytest.raises(shapecast.UnsupportedError, match="make the class outside"):
        jitted(f)(2.0)
