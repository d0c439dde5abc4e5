"""Python's operator and functools: operators as functions, reduce, partial, cached functions."""

from __future__ import annotations

import array
import collections
import dataclasses
import functools
import operator
from typing import Any

import numpy as np
import pytest
import shapecast
from support.compare import check, check_expressions, jitted, make

X = np.arange(5.0)


def checked(source: str, *args: Any, **names: Any) -> None:
    check(make(source, functools=functools, operator=operator, **names), *args)


BINARY = "add sub mul truediv floordiv mod pow lt le gt ge eq ne lshift rshift and_ or_ xor"


@pytest.mark.parametrize("name", BINARY.split())
def test_binary_operators(name: str) -> None:
    source = f"def f(a, b):\n    return operator.{name}(a, b)"
    for a, b in ((7, 2), (np.array([7, -3]), 2), (np.array([7, -3]), np.array([2, 4]))):
        checked(source, a, b)
    if "shift" not in name and not name.endswith("_") and name != "xor":
        checked(source, 1, 0.5)
        checked(source, X, X + 1)


def test_division_by_zero_and_operands_of_the_wrong_kind() -> None:
    checked("def f(a, b):\n    return operator.truediv(a, b)", 1, 0)
    checked("def f(a, b):\n    return operator.add(a, b)", 1, "text")
    checked("def f(a, b):\n    return operator.getitem(a, b)", (1, 2), 5)


def test_unary_operators_items_and_stores() -> None:
    checked(
        """
        def f(a, n):
            one = operator.neg(a), operator.pos(a), operator.abs(a), operator.not_(n)
            two = operator.invert(n), operator.truth(a[0]), operator.getitem(a, 1)
            operator.setitem(a, 2, 9.0)
            three = operator.is_(None, None), operator.is_not(n, None)
            return one, two, three, operator.contains((1, n), 3), operator.iadd(a, 1)
        """,
        X - 2,
        3,
    )


def test_index() -> None:
    source = "def f(a):\n    return operator.index(a), [5, 6, 7][operator.index(a)]"
    for a in (1, True, np.int8(2), np.uint64(0), np.array(1), 1.0, np.float64(1), np.ones(2), "a"):
        checked(source, a)


def test_operators_are_values() -> None:
    checked(
        """
        def f(a, n):
            ops = (operator.add, operator.mul, operator.mod)
            return [op(n, 2) for op in ops], list(map(operator.neg, (1, n))), ops[1](a, n)
        """,
        X,
        3,
    )
    checked("def f(g, a):\n    return g(a, 2)", operator.add, X)


def test_itemgetter() -> None:
    pairs = ((1, 3), (2, 2), (3, 1))
    checked("def f(p):\n    return sorted(p, key=operator.itemgetter(1))", pairs)
    checked("def f(p):\n    return operator.itemgetter(0, 2)(p)", X)
    checked("def f(p):\n    return sorted(p, key=key), key(p)", pairs, key=operator.itemgetter(1))
    item_of = jitted(make("def f(g, a):\n    return g(a)"))
    for k in (1, 2):
        assert item_of(operator.itemgetter(k), X) == X[k]


REDUCED = """
functools.reduce(operator.add, (x, 1, 2.0))
functools.reduce(operator.add, x)
functools.reduce(lambda a, b: a * b, x, 1.5)
functools.reduce(lambda a, b: a * 2 + b, [v for v in x])
functools.reduce(np.maximum, y)
functools.reduce(max, range(n))
functools.reduce(operator.add, ())
functools.reduce(operator.add, (), 5)
functools.reduce(operator.add, (n,))
functools.reduce(operator.add, x[:0])
functools.reduce(operator.add, x[:0], n)
functools.reduce(operator.add, [x, x], n)
functools.reduce(lambda s, p: s + p[0] * p[1][0], zip(x, y), 0.0)
functools.reduce(lambda a, b: a + functools.reduce(operator.add, (b, b)), (1, 2, n))
"""


@pytest.mark.parametrize("line", REDUCED.strip().splitlines())
def test_reduce(line: str) -> None:
    checked(f"def f(x, y, n):\n    return {line}", X, np.arange(12.0).reshape(3, 4), 4)


def test_reduce_of_a_run_time_length_compiles_once() -> None:
    total = jitted(
        make(
            "def f(x):\n    return functools.reduce(lambda a, b: a * 0.5 + b, x, 0.0)",
            functools=functools,
        )
    )
    for n in (40, 41, 100):
        x = np.arange(float(n))
        assert total(x) == functools.reduce(lambda a, b: a * 0.5 + b, x, 0.0)
    assert len(total.signatures()) == 1


def scaled(a: Any, b: Any, c: Any = 1) -> Any:
    return a + b * c


def test_a_partial_created_inside() -> None:
    checked(
        """
        def f(x):
            p = functools.partial(scaled, 3)
            q = functools.partial(p, c=2)
            return p(x), p(x, c=5), q(x), q(x, c=9), functools.partial(scaled, c=2)(x, 1)
        """,
        X,
        scaled=scaled,
    )
    checked("def f(x):\n    return functools.partial(scaled, 3)(x, 1, 2, 3)", X, scaled=scaled)
    checked("def f(x):\n    return functools.partial(lambda a, b: a - b, b=2)(x)", X)


def test_a_global_partial() -> None:
    p = functools.partial(scaled, 3, c=4)
    checked("def f(x):\n    return p(x), p(x, c=1), [y for y in map(p, (1, 2))]", X, p=p)
    checked("def f(p, x):\n    return p(x), p(x, c=1)", p, X)
    checked("def f(x):\n    return p(x)", X, p=functools.partial(np.sum, axis=0))
    checked("def f(p, x):\n    return p(x)", functools.partial(np.add, X), X)


def test_arguments_of_a_partial_are_read_at_each_call() -> None:
    called = jitted(make("def f(p, x):\n    return p(x)"))
    for value in (1.0, 2.0, 3.0):
        np.testing.assert_array_equal(called(functools.partial(scaled, value), X), value + X)
    assert len(called.signatures()) == 1
    np.testing.assert_array_equal(called(functools.partial(np.multiply, 2.0), X), 2 * X)


@functools.lru_cache
def cached(a: float, b: int = 1) -> float:
    return a * 2 + b


def test_cached_functions() -> None:
    checked("def f(x):\n    return cached(x) + cached(x, b=2)", 3.0, cached=cached)
    checked("def f(g, x):\n    return g(x)", cached, 3.0)
    checked("def f(g, x):\n    return g(x)", functools.cache(jitted(lambda v: v + 1)), 3.0)


BEST = """
min(p, key=lambda v: v[1])
max(p, key=lambda v: v[1])
max((x[0], 2, n), key=lambda v: -v)
max(3, n, 7, key=lambda v: abs(v - 5))
min(x, key=lambda v: abs(v - 2.2))
min((), default=n)
max([v for v in x if v > 100], default=-1.0)
max((), key=lambda v: -v, default=None)
min((), key=abs)
min(n, 2, default=3)
max(x, default=7.0)
max(range(n), key=lambda i: x[i] * (3 - i))
min(zip(x, x), key=lambda v: -v[0])
"""


def test_least_and_greatest_by_key_and_default() -> None:
    check_expressions(BEST, {"p": ((1, 3), (2, 2), (3, 1)), "x": X, "n": 4})


NEXT = """
next(iter((n, 2)))
next(iter(x))
next(iter(()), n)
next(iter(x[:0]))
next(iter(()))
next(zip(x, x))
next(reversed(x))
next(i for i in range(len(x)) if x[i] > 2)
next((v for v in x if v > 100), -1.0)
next((i * j for i in range(n) for j in range(n) if i * j > 5), None)
next(v for v in (1, n, 2.5) if v > 2)
next(v for v in x if v > 100)
next(x)
next([1, 2])
list(iter(x)), tuple(iter((1, n)))
"""


def test_next_with_and_without_a_default() -> None:
    check_expressions(NEXT, {"x": X, "n": 4})


def test_next_evaluates_nothing_after_the_first_item() -> None:
    check(make("def f(x, n):\n    return next(1 / (3 - i) for i in range(n) if x[i] > 0)"), X, 50)
    check(make("def f(x):\n    return next(10 // (2 - v) for v in (1, 2, x))"), 3)


def test_a_loop_over_an_iterator_after_next() -> None:
    f = make(
        """
        def f(x):
            it = iter(x)
            s = next(it)
            for v in it:
                s += v
            return s
        """
    )
    check(f, X)


def test_an_iterator_that_is_passed_on_is_gone_on_with() -> None:
    f = make(
        """
        def f(x):
            it = iter(x)
            s = next(it)
            return s, sum(it)
        """
    )
    check(f, X)


CALLABLES = [
    lambda: (functools.partial(np.add, np.ones(3)), X[:3]),
    lambda: (functools.partial(scaled, 3, c=4), X),
    lambda: (functools.partial(np.sum, axis=0), X),
    lambda: (functools.partial(lambda a, b: int(a + b[0]), 3), X),
    lambda: (functools.partial(functools.partial(scaled, 3), c=4.5), X),
    lambda: (operator.itemgetter(1), X),
    lambda: (operator.itemgetter(0, 2), X),
    lambda: (operator.itemgetter(slice(1, 3)), X),
    lambda: (operator.methodcaller("sum"), X),
    lambda: (operator.methodcaller("cumsum"), X),
    lambda: (operator.methodcaller("argmax"), X),
    lambda: (operator.attrgetter("size"), X),
    lambda: (operator.attrgetter("T"), X),
]
LISTS = [
    collections.deque([1, 2]),
    collections.deque([1.5, 2.0]),
    collections.deque([X]),
    array.array("d", [1, 2]),
    array.array("i", [1, 2]),
    np.array([1, "a", None], object),
    np.array([1.5, 2.5], object),
]


@pytest.mark.parametrize("backwards", [False, True], ids=["forwards", "backwards"])
def test_the_first_object_of_a_class_does_not_determine_later_ones(backwards: bool) -> None:
    """Once all objects of a class had the type of the first one in the process."""

    def call(g: Any, x: Any) -> Any:
        return g(x)

    def first(q: Any) -> Any:
        return q[0]

    of_callers, of_lists = shapecast.jit(call), shapecast.jit(first)
    for create in CALLABLES[:: -1 if backwards else 1]:
        np.testing.assert_array_equal(of_callers(*create()), call(*create()), strict=True)
    for things in LISTS[:: -1 if backwards else 1]:
        np.testing.assert_array_equal(of_lists(things), things[0], strict=True)


def test_objects_that_contain_themselves() -> None:
    q: Any = collections.deque([1.5])
    q.append(q)
    assert shapecast.jit(lambda q: q[0] * 2)(q) == 3.0


class Scaled:
    def __init__(self, k: float) -> None:
        self.k = k

    def __call__(self, x: Any) -> Any:
        return x * self.k

    def __add__(self, other: Any) -> Any:
        return self.k + other

    def __eq__(self, other: object) -> bool:
        return self.k == other

    def __hash__(self) -> int:
        return 1

    def __len__(self) -> int:
        return 7


@dataclasses.dataclass
class Shifted:
    k: float

    def __call__(self, x: Any) -> Any:
        return x + self.k


tripled, shifted = Scaled(3.0), Shifted(4.0)


def test_callable_objects_are_functions() -> None:
    def f(x):
        def twice(g):
            return lambda v: g(g(v))

        pick = tripled if x > 0 else shifted
        return twice(tripled)(x), list(map(shifted, [x, 2.0])), sum(g(x) for g in (tripled, pick))

    for x in (2.0, -1.0):
        assert jitted(f)(x) == f(x)


@pytest.mark.parametrize(
    "use",
    ["tripled + x", "tripled == 3.0", "tripled != x", "len(tripled)", "1 if tripled else 2",
     "not tripled", "shifted == Shifted(4.0)", "tripled in (x, 3.0)"],
)  # fmt: skip
def test_operators_of_callable_objects_are_refused(use: str) -> None:
    """They were those of a function: `tripled == 3.0` was False."""
    f = make(f"def f(x):\n    return {use}", tripled=tripled, shifted=shifted, Shifted=Shifted)
    with pytest.raises(shapecast.UnsupportedError, match=r"an operator that calls \w+\.__\w+__"):
        jitted(f)(2.0)


def test_a_callable_object_without_operators_has_those_of_objects() -> None:
    checked("def f(x):\n    return shifted + x", 2.0, shifted=shifted)
