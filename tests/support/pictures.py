"""What can be seen of a value: types, contents, and which parts of it are one object."""

from __future__ import annotations

import contextlib
import copy
import io
import re
from collections import deque
from collections.abc import Callable
from random import Random
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np

_WHOLE = (re.Match, re.Pattern)
_WHOLE += (int, float, complex, str, bytes, type(None), np.generic, type)
_WHOLE += (ModuleType, FunctionType, BuiltinFunctionType)  # nothing inside them is looked at


def picture(value: Any, identities: bool = True) -> Any:
    """Nested tuples: equal for values that a program cannot tell from one another. Without
    `identities` two equal lists are as good as one under two names.
    """
    numbers: dict[int, int] = {}
    kept: list[Any] = []  # so that no id is used twice

    def of(one: Any) -> Any:
        name = type(one).__name__
        if isinstance(one, np.ndarray):
            return name, one.dtype.str, one.shape, tuple(map(of, one.ravel().tolist()))
        if isinstance(one, tuple):
            return name, tuple(map(of, one))
        if isinstance(one, _WHOLE):
            return name, repr(one)
        if id(one) in numbers:
            return "again", numbers[id(one)]
        numbers[id(one)] = len(numbers)
        kept.append(one)
        inside = parts(one, name)
        if not identities:
            del numbers[id(one)]  # only what holds itself is met again
        return inside

    def parts(one: Any, name: str) -> Any:
        if isinstance(one, bytearray):
            return name, repr(one)
        if isinstance(one, Random):
            return name, repr(one.getstate())
        if isinstance(one, (list, deque)):
            return name, tuple(map(of, one))
        if isinstance(one, (set, frozenset)):
            return name, tuple(sorted(repr(picture(item, identities=False)) for item in one))
        if isinstance(one, dict):
            return name, tuple((of(k), of(v)) for k, v in one.items())
        slots = [s for c in type(one).__mro__ for s in getattr(c, "__slots__", ())]
        held = {s: getattr(one, s) for s in slots if hasattr(one, s)} | getattr(one, "__dict__", {})
        return name, tuple((k, of(held[k])) for k in sorted(held))

    return of(value)


def outcome(f: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """The result and what is left of the arguments, or the error."""
    given = copy.deepcopy(arguments)
    try:
        result = f(*given)
    except Exception as error:
        return type(error).__name__, str(error).split("\n")[0], picture(given)
    return picture((result, given))


def seen(f: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """What becomes of a call, and what it prints: to the standard output, and to that of errors."""
    out, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        found = outcome(f, arguments)
    return found, out.getvalue(), errors.getvalue()
