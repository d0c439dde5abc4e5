"""What has no such attribute or method is Python's AttributeError in a program that compiles."""

import numpy as np
import pytest
from support.compare import case_id, check, make

POINT = np.zeros(3, [("a", int)])
WITHOUT = {
    "number": (3, 2.5, 1j, True, np.int8(3), np.float64(2.5), np.bool_(True), None),
    "list": ([1, 2], [1, 2.5], ["a"], [np.arange(2)]),
    "tuple": ((1, 2), ("a", 1)),
    "dict": ({"a": 1}, {1: np.arange(2)}),
    "str": ("abc",),
    "array": (np.arange(3), np.zeros((2, 2), "f4"), POINT, POINT[0], np.datetime64("2020")),
    "range": (range(3), slice(1, 2)),
}


@pytest.mark.parametrize("kind", WITHOUT)
@pytest.mark.parametrize("use", ["x.foo", "x.foo()", "x.apend(1)", "x.length"])
def test_misspelt_attributes_are_attribute_errors(kind: str, use: str) -> None:
    f = make(f"def f(x):\n    return {use}")
    for value in WITHOUT[kind]:
        check(f, value)


@pytest.mark.parametrize(
    ("method", "values"),
    [
        ("append(1)", ((1, 2), np.arange(3), 3)),
        ("add(1)", ([1],)),
        ("sort()", ((1, 2),)),
        ("has_key(1)", ({1: 2},)),
        ("upper()", (3, [1])),
        ("bit_length()", (1.5, 1j, np.int64(3))),
        ("is_integer()", (1j, True, 3, np.bool_(True), np.complex128(1))),  # int's from 3.12 on
        ("push(1)", (np.arange(3),)),
    ],
    ids=case_id,
)
def test_attributes_of_other_classes_are_attribute_errors(method: str, values: tuple) -> None:
    f = make(f"def f(x):\n    return x.{method}")
    for value in values:
        check(f, value)


def test_an_attribute_error_can_be_caught() -> None:
    f = make("""
        def f(x):
            try:
                return x.magnitude
            except AttributeError:
                return x
    """)
    check(f, 3)
    check(f, np.arange(3))


def test_dynamic_lists_have_no_methods_of_sets() -> None:
    check(make("def f(n):\n    return [i for i in range(n)].add(3)"), 3)


NAMES = ["shape", "real", "__len__", "append", "upper", "keys", "start", "count", "is_integer",
    "bit_length", "__array_interface__", "__name__", "__class__", "foo", "T",
    "_fields"]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_hasattr_is_as_in_python(name: str) -> None:
    f = make(f"def f(x):\n    return hasattr(x, {name!r})")
    for values in WITHOUT.values():
        for value in values:
            if not (isinstance(value, np.ndarray | np.void | np.datetime64) and value is not None):
                check(f, value)
    check(f, np.arange(3))


@pytest.mark.parametrize("method", ["conjugate()", "numerator", "denominator", "real", "imag"])
def test_attributes_of_numbers(method: str) -> None:
    f = make(f"def f(x):\n    return x.{method}")
    for value in (3, -3, True, 2.5, -0.0, complex(1, -0.0), complex(0, 2)):
        check(f, value)


def test_bit_count_of_numbers() -> None:
    f = make("def f(n):\n    return n.bit_count()")
    for n in (0, 1, -1, 255, -256, 2**62, 2**63 - 1, -(2**63) + 1, True):
        check(f, n)
    for dtype in (np.int8, np.uint8, np.int64, np.uint64):
        check(f, dtype(100))
    check(f, np.uint64(2**64 - 1))
    check(f, 2.5)
