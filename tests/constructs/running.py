"""Runs a row plain and jitted, and says what becomes of it."""

from __future__ import annotations

import cmath
import contextlib
import io
import os
import random
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from unittest import mock

import shapecast
from constructs.rows import Row
from support.compare import make
from support.pictures import outcome

# The first calls are compiled for their very texts and containers. After a few with others those
# of the caller are in memory (docs/internals/inference.md, "Arguments in memory").
_OTHERS = range(1, 10)
_CONTAINERS = (list, dict, set)


class State(NamedTuple):
    """compiled, called (some of it by the interpreter), constant (compiled, unless texts or
    containers are known only at run time), or refused; and why.
    """

    kind: str
    why: str = ""


@contextlib.contextmanager
def _surroundings() -> Iterator[io.StringIO]:
    """What is printed; input() reads a line, breakpoint() does nothing."""
    printed = io.StringIO()
    with (
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(printed),
        mock.patch.object(sys, "stdin", io.StringIO("first\nsecond\n")),
        mock.patch.dict(os.environ, {"PYTHONBREAKPOINT": "0"}),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        yield printed


def _made(source: str) -> Callable[..., Any]:
    return make(source, "f", __name__=__name__)  # dataclasses look their module up


def _seen(f: Callable[..., Any], row: Row) -> list[Any]:
    """Of two calls the results, the arguments after them and what they print, or the errors."""
    random.seed(1)
    with _surroundings() as printed:
        outcomes = [outcome(f, tuple(row.arguments.values())) for _ in range(2)]
    return [*outcomes, printed.getvalue(), random.random()]


def _refusal(seen: list[Any]) -> str:
    return next((one[1] for one in seen[:2] if one[0] == "UnsupportedError"), "")


def state_of(row: Row) -> State:
    """AssertionError where the jitted function does other than the plain one."""
    expected = _seen(_made(row.source), row)
    function = shapecast.jit(_made(row.source))
    seen = _seen(function, row)
    if why := _refusal(seen):
        return State("refused", why)
    _assert_same(seen, expected, row)
    notes = str(function.explain())
    if any(isinstance(value, (str, *_CONTAINERS)) for value in row.arguments.values()):
        why, more = _in_memory(row, expected)
        if why:
            return State("constant", why)
        notes += more
    # print is Python's own, which the notes do not say.
    return State("called" if "calls Python: " in notes or expected[2] else "compiled")


def _in_memory(row: Row, expected: list[Any]) -> tuple[str, str]:
    """Why the row is not compiled where texts and containers are known only at run time, or "";
    and what explain() says.
    """
    early = r"def f(\1, early=False):\n    if early:\n        return None"
    source = re.sub(r"^def f\((.*)\):$", early, row.source, flags=re.M)
    function = shapecast.jit(static_argnames=["early"])(_made(source))
    for k in (*_OTHERS, *_OTHERS):  # containers are in memory first, then texts
        with _surroundings(), contextlib.suppress(shapecast.UnsupportedError):
            function(*(_other(value, k) for value in row.arguments.values()), early=True)
    seen = _seen(function, row)
    if why := _refusal(seen):
        return why, ""
    _assert_same(seen, expected, row)
    notes = str(function.explain())
    if "arguments are known item by item" not in notes:
        return "", notes
    return re.findall("not compiled, shapecast.UnsupportedError: (.*)", notes)[0], notes


def _other(value: Any, k: int) -> Any:
    """An argument that is known by itself as value is, another one for each k."""
    if isinstance(value, str):
        return "x" * k
    return ["x"] * k if isinstance(value, _CONTAINERS) else value


def _assert_same(seen: list[Any], expected: list[Any], row: Row) -> None:
    close = "math." in row.source
    assert _alike(seen, expected, close), f"{seen}\nexpected {expected}\n{row.source}"


def _alike(one: Any, other: Any, close: bool) -> bool:
    """Equal; close: but for the last places of floats."""
    if one == other:
        return True
    if not close or type(one) is not type(other):
        return False
    if isinstance(one, str):
        with contextlib.suppress(ValueError):
            return cmath.isclose(complex(one), complex(other), rel_tol=4e-15)
        return False
    return len(one) == len(other) and all(map(_alike, one, other, [close] * len(one)))
