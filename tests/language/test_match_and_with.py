"""`match`, `with np.errstate`, imports inside a function: they are rewritten before capture."""

from __future__ import annotations

import numpy as np
import pytest
from shapecast import UnsupportedError, jit
from support.compare import case_id, check, make

V = np.array([1.0, -2.0, 4.0])


def of_numbers(s):
    match s:
        case 1:
            return 10
        case 2 | 3:
            return 20
        case -4:
            return 30.0
        case _:
            return 40


@pytest.mark.parametrize("s", [1, 2, 3, -4, 5, 2.0, True])
def test_a_number_chooses_the_case(s):
    check(of_numbers, s)


def of_text(v, text):
    match text:
        case "double":
            scale = 2
        case "half" | "semi":
            scale = 0.5
        case None:
            scale = 3
        case _:
            raise ValueError(text)
    return v * scale


@pytest.mark.parametrize("text", ["double", "semi", None, "other"])
def test_text_and_none_choose_the_case(text):
    check(of_text, V, text)


def of_tuples(t):
    match t:
        case ():
            return 0
        case (1, x):
            return x
        case [a, (b, c)]:
            return a + b * c
        case (first, *middle, last):
            return first, middle, last
        case x:
            return x


@pytest.mark.parametrize(
    "t", [(), (1, 7), (2, (3, 4)), (1, 2, 3, 4), [5, 6], 8, 2.5, [1]], ids=case_id
)
def test_tuples_are_unpacked(t):
    check(of_tuples, t)


def guarded(s, v):
    match s, v.shape:
        case x, (n,) if x > n:
            kind = 1
        case x, _ if x == 0:
            return -1, x
        case _:
            kind = 3
    return kind, x


@pytest.mark.parametrize("s", [5, 0, 2, -1])
def test_a_guard_sees_what_was_captured_and_the_name_stays(s):
    check(guarded, s, V)


def by_class(x):
    match x:
        case bool():
            return "bool"
        case int(n) if n > 3:
            return n
        case int() | float():
            return -1
        case str(s):
            return s
        case np.ndarray(ndim=2):
            return "matrix"
        case np.ndarray(shape=(n,)):
            return n
    return None


@pytest.mark.parametrize(
    "x", [True, 1, 7, 2.5, "text", V, np.ones((2, 3)), None, (1,)], ids=case_id
)
def test_classes_and_attributes(x):
    check(by_class, x)


def in_loop(v, limit):
    total = 0.0
    for i in range(len(v)):
        match i % 3:
            case 0:
                continue
            case 1 as k if v[i] > limit:
                total += k
                break
            case k:
                total += v[i] * k
    else:
        total = -total
    return total


@pytest.mark.parametrize("limit", [-3.0, 10.0])
def test_a_case_jumps_as_an_if_does(limit):
    check(in_loop, np.arange(8.0), limit)


def alternatives(t):
    match t:
        case (1, x, _) | (2, _, x):
            return x
    return -1


@pytest.mark.parametrize("t", [(1, 5, 6), (2, 5, 6), (3, 5, 6)], ids=case_id)
def test_alternatives_capture_from_their_own_positions(t):
    check(alternatives, t)


class Point:
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y


def positional_class(p, v):
    match p:
        case Point(x, y):
            return v * x + y
    return v


def rest_of_mapping(v):
    match v:
        case {"a": x, **rest}:
            return x, rest
    return v


def too_many(p, v):
    match p:
        case Point(x, y, z):
            return v * x + y + z
    return v


def test_positional_patterns_are_attributes():
    check(positional_class, Point(1, 2), V)


@pytest.mark.parametrize(
    ("f", "arguments"),
    [(too_many, (Point(1, 2), V)), (rest_of_mapping, (V,))],
    ids=case_id,
)
def test_other_patterns_are_refused(f, arguments):
    with pytest.raises(UnsupportedError, match="pattern is not supported"):
        jit(f)(*arguments)


# ------------------------------------------------------------------------------------------- with


def ignored(v, w):
    with np.errstate(divide="ignore", invalid="ignore"):
        x = v / w
    with np.errstate(all="warn"), np.errstate(over="ignore"):
        for _ in range(3):
            x = x * x
        return x, np.log(v)


def test_errstate_without_effect_is_accepted():
    with np.errstate(all="ignore"):
        check(ignored, V, np.array([0.0, 1.0, 2.0]))


@pytest.mark.parametrize(
    "context", ["np.errstate(invalid='raise')", "np.errstate(all='call')", "np.errstate(all=mode)"]
)
def test_errstate_that_would_have_an_effect_is_refused(context):
    f = make(f"def f(v, mode):\n    with {context}:\n        return np.sqrt(v)\n")
    with pytest.raises(UnsupportedError, match="'ignore' and 'warn' only"):
        jit(f)(V, "raise")


@pytest.mark.parametrize("context", ["np.printoptions(precision=2)", "open('/dev/null') as f"])
def test_other_contexts_are_refused(context):
    f = make(f"def f(v):\n    with {context}:\n        return np.sqrt(v)\n")
    with pytest.raises(UnsupportedError, match="with"):
        jit(f)(V)


# ----------------------------------------------------------------------------------------- imports


def imports(v):
    import math
    from math import pi, sqrt

    import numpy.linalg as la

    return math.sin(v[0]) + sqrt(v[2]) * pi, la.norm(v)


def test_imports_inside_a_function_are_seen():
    check(imports, V)


def import_in_branch(v, flag):
    if flag:
        import math as m
    else:
        import cmath as m
    return m.sqrt(v[0])


def test_a_name_that_two_imports_assign_is_refused():
    with pytest.raises(UnsupportedError, match="import"):
        jit(import_in_branch)(V, True)
