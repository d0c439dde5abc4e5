"""Pickles jitted functions like plain ones: by name, or by value for cloudpickle."""

from __future__ import annotations

import functools
import linecache
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from types import CodeType, FunctionType, MethodType
from typing import Any

from . import _core, _source
from ._jit import jit
from ._reads import Reads

_Options = tuple[str | Iterable[str], bool, bool, bool]


def reduced(jitted: _core.Jit[..., Any], options: _Options) -> str | tuple[Any, ...]:
    """For the C type's __reduce__: its options are those of jit."""
    pickler = sys._getframe(1).f_globals
    return reduced_as(jitted, jitted.__wrapped__, (_made_again, options), pickler)


def reduced_as(
    compiled: Any, function: Any, made: tuple[Any, ...], pickler: dict[str, Any]
) -> str | tuple[Any, ...]:
    """What __reduce__ of an object gives that was compiled from the function: `made` has a callable
    that makes it again of (function, options, sources) and the options; `pickler` the globals of
    what asked.
    """
    again, options = made
    found = _found_by_name(function)
    # No argument of __reduce__ identifies cloudpickle (Dask, joblib and Ray have copies of it).
    if "cloudpickle" in pickler.get("__name__", ""):
        is_by_value = _ByValue(pickler)
        if is_by_value.module(function) or all(found is not one for one in (compiled, function)):
            plain = getattr(function, "__wrapped__", function)
            return again, (function, options, _texts(plain, is_by_value))
    if found is function:  # g = jit(f)
        return again, (function, options, {})
    return str(function.__qualname__)


def _made_again(function: FunctionType, options: _Options, texts: dict[str, str]) -> Any:
    static_argnames, fallback, debug, bigint = options
    make = jit(static_argnames=static_argnames, fallback=fallback, debug=debug, bigint=bigint)
    return made_once(make, function, options, texts)


# What came by value, by what it is and reads: each task of a worker brings it again.
_arrived: dict[Any, tuple[Reads, Any]] = {}


def made_once(
    make: Callable[[Any], Any], function: Any, options: Any, texts: dict[str, str]
) -> Any:
    """`make(function)`, or the object that an equal function gave before."""
    carry(texts)
    if not texts or getattr(function, "__annotations__", None) or vars(function):
        return make(function)
    reads = Reads(function)
    if reads.key is None:
        return make(function)
    key = reads.key, options
    before, made = _arrived.get(key, (None, None))
    if before is None or not before.are_unchanged():
        if len(_arrived) > 1000:
            _arrived.clear()
        made = make(function)
        _arrived[key] = reads, made
    return made


def carry(texts: dict[str, str]) -> None:
    """Registers the sources that came with a function."""
    for filename, text in texts.items():
        _source.carry(filename, text)


def _found_by_name(function: Any) -> Any:
    """The attribute of its module with its name."""
    found: Any = sys.modules.get(function.__module__)
    for name in function.__qualname__.split("."):
        found = getattr(found, name, None)
    return found


class _ByValue:
    """What cloudpickle pickles by value: of __main__, without a name, of registered modules."""

    def __init__(self, pickler: dict[str, Any]) -> None:
        cloudpickle = sys.modules.get("cloudpickle.cloudpickle")
        name = "_is_registered_pickle_by_value"
        asked: Any = pickler.get(name) or getattr(cloudpickle, name, None)
        self._is_registered: Callable[[Any], bool] = asked or (lambda module: False)

    def module(self, value: Any) -> bool:
        """Whether all that its module defines is."""
        module = sys.modules.get(value.__module__)
        return value.__module__ == "__main__" or (
            module is not None and self._is_registered(module)
        )

    def __call__(self, value: Any) -> bool:
        if value.__module__ == "builtins":  # not all of them have a name there
            return False
        return self.module(value) or not _found_by_name(value)


def _texts(function: FunctionType, is_by_value: _ByValue) -> dict[str, str]:
    """Sources by file name: of the function, and of what is pickled by value with it.

    Another process does not have the cells of a notebook.
    """
    texts: dict[str, str] = {}
    waiting: list[Any] = [function]
    seen: dict[int, Any] = {}  # keeps bound methods alive: their ids are not used again
    while waiting:
        value = waiting.pop()
        value = value.__wrapped__ if isinstance(value, _core.Jit) else value
        if id(value) in seen:
            continue
        seen[id(value)] = value
        if not isinstance(value, FunctionType | type):
            waiting += _within(value, is_by_value)
        elif value is not function and not is_by_value(value):
            continue
        elif isinstance(value, type):
            waiting += [*vars(value).values(), *value.__bases__]
        else:
            filename = _source.filename_of(value)
            # Interned, so that the pickle of several functions has it once.
            texts[filename] = sys.intern("".join(linecache.getlines(filename, value.__globals__)))
            waiting += _outside(value)
    return texts


def _within(value: Any, is_by_value: _ByValue) -> list[Any]:
    """What may be called through this object, which is no function."""
    if isinstance(value, tuple | list):
        return list(value) if len(value) < 1000 else []  # of data
    if isinstance(value, dict):
        return list(value.values()) if len(value) < 1000 else []
    if isinstance(value, functools.partial):
        return [value.func, *value.args, *value.keywords.values()]
    if isinstance(value, property):
        return [value.fget]
    if isinstance(value, staticmethod | classmethod):
        return [value.__func__]
    if isinstance(value, MethodType):
        return [value.__func__, value.__self__]
    kind = type(value)
    own = getattr(value, "__dict__", None)
    return [kind, *own.values()] if isinstance(own, dict) and is_by_value(kind) else []


def _outside(function: FunctionType) -> Iterator[Any]:
    """The globals and closure variables that it may read."""
    for code in _codes(function.__code__):
        for name in code.co_names:
            if name in function.__globals__:
                yield function.__globals__[name]
    for cell in function.__closure__ or ():
        with suppress(ValueError):  # nothing has been assigned yet
            yield cell.cell_contents


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)
