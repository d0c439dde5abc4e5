"""What a function reads outside itself: globals, closure variables, attributes of theirs."""

from __future__ import annotations

import types
from collections.abc import Hashable, Iterator, Mapping
from typing import Any

import numpy as np

from . import _core

_MISSING = object()
_NEVER_CHANGED = ("numpy", "builtins", "math", "cmath", "operator")
_PLAIN = (bool, int, float, complex, str, bytes, type(None), np.generic)


class Reads:
    """The values that a function and all that it calls may read now, and where they are.

    `key` is equal for functions of equal code that read equal values, in one process; None: some
    value has no such key.
    """

    key: Hashable | None

    def __init__(self, function: Any) -> None:
        self._places: list[tuple[Mapping[str, Any], str, Any]] = []
        self._cells: list[tuple[Any, Any]] = []
        self._seen: dict[int, Any] = {}
        self._keys: list[Hashable] = []
        waiting = [function]
        while waiting:
            value = waiting.pop()
            value = value.__wrapped__ if isinstance(value, _core.Jit) else value
            if id(value) in self._seen:
                self._keys.append(list(self._seen).index(id(value)))
                continue
            self._seen[id(value)] = value
            self._keys.append(_key_of(value))
            if isinstance(value, types.FunctionType):
                waiting += self._of_function(value)
        self.key = None if _MISSING in self._keys else tuple(self._keys)

    def are_unchanged(self) -> bool:
        return all(names.get(name, _MISSING) is value for names, name, value in self._places) and (
            all(_contents(cell) is value for cell, value in self._cells)
        )

    def _of_function(self, function: types.FunctionType) -> list[Any]:
        names = [name for code in _codes(function.__code__) for name in code.co_names]
        found = []
        for name in names:
            found += self._at(function.__globals__, name)
        for cell in function.__closure__ or ():
            value = _contents(cell)
            self._cells.append((cell, value))
            found.append(value)
        self._keys.append(tuple(function.__kwdefaults__ or ()))
        found += [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
        # Attributes: each name that the code has, of each object that it may read one of.
        for value in list(found):
            spaces = list(_spaces(value))
            for name in names:
                if any(name in space for space in spaces):  # later perhaps in another one
                    found += [one for space in spaces for one in self._at(space, name)]
        return found

    def _at(self, space: Mapping[str, Any], name: str) -> list[Any]:
        value = space.get(name, _MISSING)
        self._places.append((space, name, value))
        self._keys.append((name, value is not _MISSING))
        return [] if value is _MISSING else [value]


def _contents(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # nothing has been assigned yet
        return _MISSING


def _spaces(value: Any) -> Iterator[Mapping[str, Any]]:
    """Where its attributes are; none of what NumPy and Python define."""
    name = getattr(value, "__name__" if isinstance(value, types.ModuleType) else "__module__", "")
    if isinstance(value, types.FunctionType) or str(name).partition(".")[0] in _NEVER_CHANGED:
        return
    own = getattr(value, "__dict__", None)
    if own is not None:
        yield own
    kinds = value.__mro__ if isinstance(value, type) else type(value).__mro__
    for kind in kinds:
        if kind.__module__.partition(".")[0] not in _NEVER_CHANGED:
            yield kind.__dict__


def _key_of(value: Any) -> Hashable:
    if isinstance(value, types.FunctionType):
        return value.__code__, value.__qualname__, value.__module__, len(value.__defaults__ or ())
    if isinstance(value, types.ModuleType):
        return "module", value.__name__
    if isinstance(value, _PLAIN):
        return type(value), value, str(value)  # -0.0 is not 0.0
    if isinstance(value, np.ufunc | types.BuiltinFunctionType | type):
        return value
    return _MISSING


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)
