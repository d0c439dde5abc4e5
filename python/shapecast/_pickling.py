"""Pickles jitted functions like plain ones: by name, or by value for cloudpickle."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from types import CodeType, FunctionType
from typing import Any

from . import _core, _source
from ._jit import jit

_Options = tuple[str | Iterable[str], bool, bool]


def reduced(jitted: _core.Jit[..., Any], options: _Options) -> str | tuple[Any, ...]:
    """For the C type's __reduce__: static_argnames, fallback and debug are its options."""
    function: Any = jitted.__wrapped__
    found = _found_by_name(function)
    if found is function:  # g = jit(f)
        return _made_again, (function, options, {})
    # No argument of __reduce__ identifies cloudpickle (Dask, joblib and Ray have copies of it).
    is_cloudpickle = "cloudpickle" in sys._getframe(1).f_globals.get("__name__", "")
    if is_cloudpickle and (found is not jitted or function.__module__ == "__main__"):
        return _made_again, (function, options, _texts(function))
    return jitted.__qualname__


def _made_again(function: FunctionType, options: _Options, texts: dict[str, str]) -> Any:
    for filename, text in texts.items():
        _source.carry(filename, text)
    static_argnames, fallback, debug = options
    return jit(static_argnames=static_argnames, fallback=fallback, debug=debug)(function)


def _found_by_name(function: Any) -> Any:
    """The attribute of its module with its name."""
    found: Any = sys.modules.get(function.__module__)
    for name in function.__qualname__.split("."):
        found = getattr(found, name, None)
    return found


def _texts(function: FunctionType) -> dict[str, str]:
    """Sources by file name: of the function, and of what is pickled by value with it.

    Another process does not have the cells of a notebook.
    """
    texts: dict[str, str] = {}
    waiting: list[Any] = [function]
    seen: set[int] = set()
    while waiting:
        value = waiting.pop()
        value = value.__wrapped__ if isinstance(value, _core.Jit) else value
        if id(value) in seen or not isinstance(value, FunctionType | type):
            continue
        seen.add(id(value))
        if value is not function and value.__module__ != "__main__" and _found_by_name(value):
            continue
        if isinstance(value, type):
            waiting += vars(value).values()
            continue
        filename = _source.filename_of(value)
        # Interned, so that the pickle of several functions has it once.
        texts[filename] = sys.intern("".join(linecache.getlines(filename, value.__globals__)))
        waiting += _outside(value)
    return texts


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
