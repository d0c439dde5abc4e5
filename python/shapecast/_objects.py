"""Python objects that compiled code creates: strings, exceptions, lists, records."""

from __future__ import annotations

import ast
import functools
import importlib
import json
import logging
import re
import sys
import warnings
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from . import _core, _errors

_caught: dict[
    int, BaseException
] = {}  # of all running calls, see bindings/call/caught_exceptions.cpp
# What has no dotted name, by number: "record:3:Point", "ufunc:0:f", "pyfunc:2:price".
records: list[type] = []  # named tuples and dataclasses that compiled code creates
ufuncs: list[np.ufunc] = []  # those that are no attribute of NumPy or scipy.special
pyfuncs: list[Any] = []  # see `pyfunc`
_NUMBERED: dict[str, list[Any]] = {"record": records, "ufunc": ufuncs, "pyfunc": pyfuncs}

# Not reloaded.
_PERMANENT: tuple[str, ...] = ("numpy.", "scipy.", "operator.", "builtins.", "method:")
_PERMANENT += ("shapecast._objects.", "shapecast.library.")


def named(path: str) -> Any:
    """The object of a dotted name: "builtins.str.upper", "numpy.linalg.LinAlgError", "int"."""
    return _permanent(path) if path.startswith(_PERMANENT) else _found(path)


@functools.cache
def _permanent(path: str) -> Any:
    return _found(path)


def dtype_of(text: str) -> np.dtype[Any]:
    """The dtype whose `str` is the text: "<M8[D]", "[('a', '<f8'), ('b', '<i4')]"."""
    return np.dtype(ast.literal_eval(text) if text[0] in "[{(" else text)


def _found(path: str) -> Any:
    if path.startswith("dtype "):
        return dtype_of(path.removeprefix("dtype "))
    if path.startswith("module "):
        return importlib.import_module(path.removeprefix("module "))
    if path in ("NoneType", "function"):
        return _VALUES[path]
    if path.startswith("method:"):
        name = path.removeprefix("method:")
        return lambda this, *given, **named: getattr(this, name)(*given, **named)
    if ":" in path:
        kind, number, *_ = path.split(":")
        return _NUMBERED[kind][int(number.partition(";")[0])]  # of a member: "record:5;Side;BUY;i1"
    module, *names = path.split(".") if "." in path else ("builtins", path)
    original = _core.original(".".join((module, *names[:-1])), names[-1])
    if original is not None:  # even if a program has replaced it since
        return original
    found: Any = sys.modules.get(module) or importlib.import_module(module)
    for name in names:
        try:
            found = getattr(found, name)
        except AttributeError:  # a module that is not imported yet
            module = f"{module}.{name}"
            found = importlib.import_module(module)
        else:
            module = f"{module}.{name}"
    return found


def called(path: str, arguments: tuple[Any, ...]) -> Any:
    """The result of a call; names after the path are keywords, of the last arguments."""
    path, *keywords = path.split(" ")
    if path == "join":
        return "".join(arguments)
    first = len(arguments) - len(keywords)
    return named(path)(*arguments[:first], **dict(zip(keywords, arguments[first:], strict=True)))


def warned(
    message: Any, category: type[Warning], stacklevel: int, file: str, line: int, module: str
) -> None:
    """warnings.warn at that line, for which there is no Python frame."""
    if stacklevel > 1:
        warnings.warn(message, category, stacklevel + 1)  # past this frame and called()'s
        return
    names = vars(sys.modules[module]) if module in sys.modules else {}
    registry = names.setdefault("__warningregistry__", {})
    warnings.warn_explicit(message, category, file, line, module, registry)


@functools.lru_cache(maxsize=256)
def _call_at(file: str, line: int, function: str) -> CodeType:
    """Code that calls `call(*given, **named)` from a frame of that function at that line."""
    code = compile("call(*given, **named)", file, "eval")
    return code.replace(co_name=function, co_firstlineno=line)


def logged(
    logger: str | None, method: str, file: str, line: int, function: str, module: str,
    /, *given: Any, **named: Any,
) -> None:  # fmt: skip
    """logging.info(...), or that of a logger; log records have that line, for which there is no
    Python frame.
    """
    call = getattr(logging if logger is None else logging.getLogger(logger), method)
    if named.get("stacklevel", 1) > 1:
        named["stacklevel"] += 2  # past this frame and called()'s
    names = vars(sys.modules[module]) if module in sys.modules else {}
    eval(_call_at(file, line, function), names, {"call": call, "given": given, "named": named})


def logs(
    logger: str, method: str, file: str, line: int, function: str, module: str, level: int, /
) -> bool:
    return bool(logging.getLogger(logger).isEnabledFor(level))


def listed(words: str, length: int, *columns: Any) -> Any:
    """The list (or tuple) of `length` items, whose components are the columns. `words` encode how
    items are composed: see describeItem in ops/builder/dynamic_list.cpp.
    """
    kind, *rest, _ = words.split("\x1f")
    parts = iter(columns)
    word = iter(rest)

    def items() -> list[Any]:
        form = next(word)
        if form[0] == "r":
            number, *names = form.removeprefix("rrecord:").split(" ")
            columns_of = [items() for _ in names]
            filled = zip(*columns_of, strict=True) if names else [()] * length
            return [_record(records[int(number)], names, values) for values in filled]
        if form[0] in "tl":
            several = [items() for _ in range(int(form[1:]))]
            rows = zip(*several, strict=True) if several else [()] * length
            return list(rows) if form[0] == "t" else [list(row) for row in rows]
        if form[0] in "nk":
            return [form[1:] if form[0] == "k" else None] * length
        column = next(parts)
        if form == "a":
            if not isinstance(column, np.ndarray):  # on a device: rows are views
                return [column[k] for k in range(length)]
            return [np.array(row) for row in column]
        numbers: list[Any] = list(column) if form[:2] in ("s", "?s") else column.tolist()
        if form[0] != "?":
            return numbers
        flags, other = next(parts), form[2:]
        python = column if other == "" else next(parts) if other == "*" else None
        otherwise = [ast.literal_eval(other)] * length if python is None else python.tolist()
        return [a if flag else b for flag, a, b in zip(flags, otherwise, numbers, strict=True)]

    result = items()
    return result if kind == "l" else tuple(result)


def _record(cls: Any, names: list[str], values: Any) -> Any:
    if issubclass(cls, tuple):
        return tuple.__new__(cls, values)
    made = object.__new__(cls)
    for name, value in zip(names, values, strict=True):
        object.__setattr__(made, name, value)
    return made


_VALUES: dict[str, type] = {
    one.__name__: one
    for one in (bool, int, float, complex, str, list, tuple, dict, range, slice, type(None))
}
_VALUES |= {"function": FunctionType, "numpy.ndarray": np.ndarray}
_VALUES |= {f"numpy.{np.dtype(code).name}": np.dtype(code).type for code in "?bhilBHILefdFD"}


def classes_of_values(classinfo: Any) -> list[str] | str | None:
    """The classes of compiled code's values that are instances of `classinfo` (the second argument
    of isinstance), or why that is not known; None: compiled code decides it itself. The first
    item, OF_VALUES, excludes objects that are opaque to compiled code.
    """
    if classinfo is object or (isinstance(classinfo, type) and issubclass(classinfo, np.generic)):
        return None
    classinfo = getattr(classinfo, "__origin__", classinfo) if _is_alias(classinfo) else classinfo
    if not isinstance(classinfo, type):
        found = [OF_VALUES]
        if not getattr(classinfo, "__args__", ()):
            return "the second argument of isinstance is not a class"
        for one in getattr(classinfo, "__args__", ()):
            inner = classes_of_values(one)
            if isinstance(inner, str):
                return inner
            numpys = "numpy." * (one.__module__ == "numpy")
            found += [numpys + one.__name__] if inner is None else inner
        return found
    is_builtin = not classinfo.__flags__ & _HEAP_TYPE
    if classinfo in _PLAIN or (is_builtin and classinfo not in (type, np.dtype)):
        return None
    if issubclass(classinfo, tuple(_VALUES.values())):
        return (
            f"values of the class '{classinfo.__name__}' are treated as those of its base class, "
            "and cannot be distinguished from them"
        )
    own_check = getattr(type(classinfo), "__instancecheck__", None)
    is_own = own_check is not getattr(type, "__instancecheck__", 0)
    if is_own and classinfo.__module__ not in ("numbers", "collections.abc"):
        return f"the class '{classinfo.__name__}' defines __instancecheck__, which is not supported"
    found = [name for name, one in _VALUES.items() if issubclass(one, classinfo)]
    if classinfo.__module__ == "numbers":
        found += _fractions_of(classinfo)
    return [OF_VALUES, *found]


def _fractions_of(kind: type) -> list[str]:
    """Our Fraction, where Python's is an instance of the abstract class of numbers."""
    from .library.exact_fractions import REPLACED

    ours = [made for original, made in REPLACED.items() if issubclass(original, kind)]
    records.extend(one for one in ours if one not in records)
    return [f"record:{records.index(one)}" for one in ours]


def has_values(cls: type) -> bool:
    """Whether numbers, arrays, containers or such are instances of it: numbers.Real."""
    return any(issubclass(one, cls) for one in _VALUES.values())


OF_VALUES = "of values"
_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE
_PLAIN = {*_VALUES.values(), type(None)} - {FunctionType}


def _is_alias(classinfo: Any) -> bool:
    """typing.Sequence, not typing.Union[int, float]."""
    return type(classinfo).__name__ == "_SpecialGenericAlias"


def class_of(error: BaseException, classes: str) -> int:
    """Which handler matches, from 1; 0: none. See catchError (caught_exceptions.h)."""
    for k, names in enumerate(classes.split(";"), 1):
        if isinstance(error, _caught_by(names, type(error))):
            return k
    return 0


def _caught_by(names: str, kind: type[BaseException]) -> tuple[type[BaseException], ...]:
    """The classes of a handler. `except Exception` does not catch UnsupportedError of a branch."""
    classes = tuple(map(named, names.split()))
    if not issubclass(kind, _errors.RefusedInBranch):
        return classes
    return tuple(one for one in classes if issubclass(one, _errors.UnsupportedError))


def class_of_name(exception: str, classes: str) -> int | None:
    """The same for an exception of compiled code, by the name of its class; None where one of the
    names may be bound to another class later.
    """
    if not all(name.startswith(_PERMANENT) for name in re.split("[; ]", classes)):
        return None
    kind = _errors.exception_type(exception)
    for k, names in enumerate(classes.split(";"), 1):
        if issubclass(kind, _caught_by(names, kind)):
            return k
    return 0


def caught(number: int, classes: str) -> BaseException:
    """The exception of that number; `classes`, of its handler, is for inference."""
    return _core._caught_error(number)


def attribute_length(error: BaseException, name: str) -> int:
    return len(getattr(error, name))


def attribute_item(error: BaseException, name: str, index: int) -> Any:
    return getattr(error, name)[index]


def attribute_form(error: BaseException, name: str, forms: str) -> int:
    """Which of these types, in JSON as in _callouts.py, it is of; if of none, the last."""
    value = getattr(error, name)
    described = json.loads(forms)
    for k, form in enumerate(described):
        kind = next(iter(form), "")
        is_it = (
            value is None
            if not form
            else type(value).__name__ == form[kind]
            if kind == "python"
            else type(value).__name__ == {"many": "list"}.get(kind, kind)
        )
        if is_it:
            return k
    return len(described) - 1


def raised(exception: Any, *causes: Any) -> BaseException:
    """The exception of a raise statement, with its cause if one is given."""
    made: BaseException = exception() if isinstance(exception, type) else exception
    for cause in causes:
        made.__cause__ = cause() if isinstance(cause, type) else cause
    return made


def instance(form: str, *values: Any) -> Any:
    """The instance of a class in Python that compiled code returns: its __init__ ran there."""
    number, *names = form.split(" ")
    made: Any = object.__new__(records[int(number)])
    for name, value in zip(names, values, strict=True):
        object.__setattr__(made, name, value)
    convert = getattr(made, "_to_python", None)  # of library/collections.py
    return made if convert is None else convert()


def original_of(found: Any) -> Any:
    """Python's class, of one in our library that stands for it; else the object itself."""
    module = getattr(found, "__module__", "")
    if isinstance(found, type) and module.startswith("shapecast.library."):
        for original, ours in getattr(sys.modules[module], "REPLACED", {}).items():
            if ours is found:
                return original
    return found


def class_named(path: str) -> Any:
    """A class that compiled code returns, as the factory of a defaultdict, say."""
    return original_of(named(path))


def first(items: list[Any]) -> Any:
    """An attribute that compiled code has in memory, as the item of a list."""
    return items[0]


def contained(form: str, words: Any) -> Any:
    """The list, dict or set in memory that compiled code returns, of which `words` is the handle:
    see src/bindings/call/containers.h.
    """
    return _core._container(form, words)
