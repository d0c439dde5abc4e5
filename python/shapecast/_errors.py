"""Exceptions of shapecast: NumPy's message, and the user's source line with a caret."""

from __future__ import annotations

import ast
import builtins
import dataclasses
import functools
import linecache
import re
from collections.abc import Sequence
from types import CodeType
from typing import Any, NamedTuple

import numpy as np
from numpy._core import _exceptions

from ._operands import describe, first_line_of_function, operator_columns


class UnsupportedError(NotImplementedError):
    """The function uses something that shapecast does not support.

    Raised by the first call of its types; in a branch, when control reaches the line. `str(error)`
    is the message; the line with a caret is a note (`error.__notes__`).

    Examples:
        >>> @jit
        ... def read(path):
        ...     with open(path) as file:
        ...         return file.read()
        >>> try:
        ...     read("numbers.txt")
        ... except shapecast.UnsupportedError as error:
        ...     print(error)
        this 'with' is not supported; enter the context around the call of the jitted function
    """


class RefusedInBranch(UnsupportedError):
    """An unsupported statement in a branch, raised when it runs; `except Exception` skips it."""

    def __reduce__(self) -> tuple[type[Exception], tuple[object, ...]]:
        return UnsupportedError, self.args


class PerformanceWarning(UserWarning):
    """Compiled code calls a function in Python. There are none unless they are asked for.

    `SHAPECAST_WARN=1` in the environment asks for them, and so does a filter of this very category:
    `warnings.simplefilter("error", shapecast.PerformanceWarning)`. The line is that of the call.

    Examples:
        >>> import warnings
        >>> @jit
        ... def fit(x, y):
        ...     return np.polyfit(x, y, 1)
        >>> with warnings.catch_warnings(record=True) as caught:
        ...     warnings.simplefilter("always", shapecast.PerformanceWarning)
        ...     line = fit(np.arange(4.0), np.ones(4))
        >>> print(caught[0].message)
        shapecast: fit() calls numpy.polyfit in Python
    """


class ShapeError(ValueError):
    """Sizes do not match, where NumPy raises ValueError; or an argument's size its annotation.

    Examples:
        >>> @jit
        ... def add(a, b):
        ...     return a + b
        >>> try:
        ...     add(np.ones(3), np.ones(4))
        ... except shapecast.ShapeError as error:
        ...     print(str(error).strip())
        operands could not be broadcast together with shapes (3,) (4,)
    """


class Frame(NamedTuple):
    """A location in the user's source: 1-based lines, 0-based byte columns, as in Python's ast."""

    file: str
    function: str
    line: int
    column: int
    end_line: int
    end_column: int


class DeviceError(RuntimeError):
    """A device or its driver reports an error, or there is none: the text is the driver's.

    Errors of kernels come when somebody waits for them, as everywhere in CUDA: maybe later.

    Examples:
        >>> issubclass(shapecast.DeviceError, RuntimeError)
        True
    """


class InternalError(RuntimeError):
    """A compiler bug: please report it, with the program.

    Examples:
        >>> issubclass(shapecast.InternalError, RuntimeError)
        True
    """


_PUBLIC: tuple[type[Exception], ...] = (
    *(UnsupportedError, RefusedInBranch, ShapeError, DeviceError, InternalError),
    PerformanceWarning,
)
for _class in _PUBLIC:
    _class.__module__ = "shapecast"
RefusedInBranch.__name__ = RefusedInBranch.__qualname__ = UnsupportedError.__name__

# Looked up before the exceptions of Python and NumPy.
_OWN: dict[str, type[Exception]] = {
    "UnsupportedError": UnsupportedError,
    "RefusedInBranch": RefusedInBranch,
    "ShapeError": ShapeError,
    "DeviceError": DeviceError,
    "InternalError": InternalError,
    "FrozenInstanceError": dataclasses.FrozenInstanceError,
}


@functools.cache
def exception_type(name: str) -> type[Exception]:
    """The class for "ValueError", "numpy.exceptions.AxisError" or "shapecast.UnsupportedError"."""
    prefix, _, short = name.rpartition(".")
    if prefix.startswith("numpy._core"):
        return _ufunc_error(short)
    modules = (builtins, np.exceptions, np.linalg)
    for found in (_OWN.get(short), *(getattr(module, short, None) for module in modules)):
        if isinstance(found, type) and issubclass(found, Exception):
            return found
    return RuntimeError


@functools.cache
def _ufunc_error(short: str) -> type[Exception]:
    """NumPy's private UFuncTypeErrors take a ufunc and dtypes: a subclass that takes the text."""
    base = getattr(_exceptions, short, None)
    if not (isinstance(base, type) and issubclass(base, TypeError)):
        return TypeError
    methods = {
        "__init__": lambda self, text: TypeError.__init__(self, text),
        "__str__": TypeError.__str__,
        "__reduce__": lambda self: (_remade, (short, self.args)),
        "__module__": base.__module__,
        "__qualname__": base.__qualname__,
    }
    return type(base.__name__, (base,), methods)  # tracebacks show all of them as UFuncTypeError


def _remade(short: str, args: tuple[str, ...]) -> Exception:
    return _ufunc_error(short)(*args)


_AXIS = re.compile(r"(?:(\w+): )?axis (-?\d+) is out of bounds for array of dimension (\d+)")


_LITERAL = "\x1f"  # precedes a literal that replaces the text


def _key(node: ast.expr) -> Any:
    """The value of a literal in which `np.int64(7)` is a NumPy scalar."""
    if isinstance(node, ast.Tuple):
        return tuple(_key(item) for item in node.elts)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return getattr(np, node.func.attr)(_key(node.args[0]))
    return ast.literal_eval(node)


def _exception(kind: type[Exception], message: str) -> Exception:
    """An exception of this class with this message; an AxisError also gets its numbers, a KeyError
    its key.
    """
    if kind is np.exceptions.AxisError and (found := _AXIS.fullmatch(message)):
        return np.exceptions.AxisError(int(found[2]), int(found[3]), found[1])
    if message.startswith(_LITERAL):  # a key
        return kind(_key(ast.parse(message[1:], mode="eval").body))
    try:
        return kind(message)
    except TypeError:
        return RuntimeError(message)


def _caret(line: str, start: int, end: int, strong: tuple[int, int] | None) -> str:
    """The line and below it a mark under the byte columns [start, end), without the indentation.

    `strong`: the columns of an operator, which gets ^ while the rest gets ~, as in Python.
    """
    data = line.rstrip("\r\n").encode()
    text = data.decode()
    indent = len(text) - len(text.lstrip())
    first = len(data[:start].decode(errors="replace"))
    last = max(len(data[:end].decode(errors="replace")), first + 1)
    last = min(last, max(len(text.rstrip()), first + 1))
    marks = "^" * (last - first)
    if strong:
        left, right = (len(data[:k].decode(errors="replace")) - first for k in strong)
        marks = "~" * left + "^" * (right - left) + "~" * (last - first - right)
    return f"    {text.strip()}\n    {' ' * (first - indent)}{marks}"


def _draw(frame: Frame) -> str:
    where = f'  File "{frame.file}", line {frame.line}, in {frame.function}'
    line = linecache.getline(frame.file, frame.line)
    if not line.strip():
        return where
    end = frame.end_column if frame.end_line == frame.line else len(line.rstrip().encode())
    drawn = _caret(line, frame.column, end, operator_columns(frame))
    return where + "\n" + drawn


def draw_frames(frames: Sequence[Frame], notes: Sequence[str] = (), of_truth: bool = False) -> str:
    """The call chain, outermost call first, each with its source line, then the notes.

    A note that begins with "{0}" is about operand 0 of the innermost expression; `of_truth`: about
    the expression.
    """
    if frames:
        notes = describe(frames[-1], list(notes), of_truth)
    return "\n".join([*map(_draw, frames), *(f"  {note}" for note in notes)])


def _state_of_source(file: str) -> object:
    """Changes when linecache has read the file again."""
    entry = linecache.cache.get(file)
    return entry and entry[:2]  # size and time


@functools.lru_cache(maxsize=512)
def _drawn(
    frames: tuple[tuple[str, str, int, int, int, int], ...],
    notes: tuple[str, ...],
    states: tuple[object, ...],
    of_truth: bool,
) -> str:
    """draw_frames, cached: an error that a loop catches is drawn once."""
    return draw_frames([Frame(*frame) for frame in frames], notes, of_truth)


_NOTHING = (lambda: None).__code__  # the code of traceback entries for compiled frames


def _all_on_line(offset: int) -> bytes:
    """A co_linetable for _NOTHING, `offset` lines below its first line (see CPython's
    Objects/locations.md: one entry, without columns; the lowest bit of the number is its sign)."""
    number = -offset << 1 | 1 if offset < 0 else offset << 1
    digits = []
    while number >= 64:
        digits.append(number & 63 | 64)
        number >>= 6
    return bytes([0x80 | 13 << 3 | len(_NOTHING.co_code) // 2 - 1, *digits, number])


@functools.lru_cache(maxsize=512)
def _code(location: tuple[str, str, int, int, int, int], _state_of_source: object) -> CodeType:
    frame = Frame(*location)
    first = first_line_of_function(frame) or frame.line
    return _NOTHING.replace(
        co_filename=frame.file,
        co_name=frame.function,
        co_qualname=frame.function,
        co_firstlineno=first,
        co_linetable=_all_on_line(frame.line - first),
    )


def code_at(location: tuple[str, str, int, int, int, int]) -> CodeType:
    """For a traceback entry. It has the function's first line, from which notebooks count."""
    return _code(location, _state_of_source(location[0]))


def format_user_error(
    exception: str, message: str, frames: Sequence[Frame], notes: Sequence[str] = ()
) -> str:
    """The whole error as text: exception and message, locations, notes."""
    text = draw_frames(frames, notes)
    return f"{exception}: {message}\n{text}" if text else f"{exception}: {message}"


def make_user_error(
    exception: str, message: str, frames: Sequence[Frame], notes: Sequence[str] = ()
) -> Exception:
    """An exception whose str() is the message; source lines are a note, which tracebacks print."""
    kind = exception_type(exception)
    if issubclass(kind, UnsupportedError):
        from ._array_libraries import advice  # not for the import of the package

        if found := advice(message):
            message += f"; {found}"
    error = _exception(kind, message)
    states = tuple(_state_of_source(frame[0]) for frame in frames)
    text = _drawn(tuple(frames), tuple(notes), states, "truth value" in message)
    if text:
        error.add_note(text)
    return error


def raise_user_error(
    exception: str, message: str, frames: Sequence[Frame], notes: Sequence[str] = ()
) -> None:
    """Raises what make_user_error makes."""
    raise make_user_error(exception, message, frames, notes) from None
