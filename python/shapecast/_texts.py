"""Texts on the stack that may define a function: what `exec`, `compile` and consoles were given.

Their callers often still have the text, as a variable, a constant, a syntax tree or an attribute;
or it can be computed once more from the expression that is being called, where that has no effects.
These are candidates only: _source.py compares their bytecode with the function's.
"""

from __future__ import annotations

import ast
import linecache
import sys
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

_MAX_FRAMES = 100
_MAX_ITEMS = 10_000  # of a list of lines
_OWN = __name__.rpartition(".")[0] + "."


def candidates(name: str) -> Iterator[str]:
    """Texts that define a function of this name, from the innermost frame on."""
    word = "lambda" if name == "<lambda>" else f"def {name}"
    seen: set[str] = set()
    frame: FrameType | None = sys._getframe(1)
    for _ in range(_MAX_FRAMES):
        if frame is None:
            return
        if not frame.f_globals.get("__name__", "").startswith(_OWN):
            for text in _texts_of(frame):
                if word in text and text not in seen:
                    seen.add(text)
                    yield text
                    if text[:1].isspace() and (flat := textwrap.dedent(text)) not in seen:
                        seen.add(flat)
                        yield flat
        frame = frame.f_back


def _texts_of(frame: FrameType) -> Iterator[str]:
    for constant in frame.f_code.co_consts:
        yield from _texts_in(constant)
    for value in list(frame.f_locals.values()):
        yield from _texts_in(value)
        for attribute in _attributes(value):  # self.text
            yield from _texts_in(attribute)
    yield from _computed(frame)


def _attributes(value: Any) -> list[Any]:
    if issubclass(type(value), (ModuleType, type)):
        return []
    try:
        return list(vars(value).values())
    except Exception:  # it has none, or is a proxy of something that is not there
        return []


def _texts_in(value: Any) -> Iterator[str]:
    if type(value) is str:
        yield value
    elif type(value) is bytes:
        with suppress(UnicodeDecodeError):
            yield value.decode()
    elif type(value) in (list, tuple) and value and len(value) <= _MAX_ITEMS:
        if all(type(line) is str for line in value):
            yield "".join(value)
            yield "\n".join(value)
            yield from value
    elif type(value) is dict and len(value) <= _MAX_ITEMS:
        yield from (text for text in list(value.values()) if type(text) is str)
    elif issubclass(type(value), ast.Module):
        yield ast.unparse(value)


def _computed(frame: FrameType) -> Iterator[str]:
    """Values of the parts of the call that the frame is in: of `exec(template.format(name))`."""
    tree = _current_call(frame)
    if tree is None:
        return
    known = _Known(frame)
    for node in ast.walk(tree):
        if isinstance(node, ast.expr):
            try:
                value = known.value(node)
            except Exception:  # it has effects perhaps, or cannot be computed any more
                continue
            yield from _texts_in(value)


def _current_call(frame: FrameType) -> ast.expr | None:
    positions = list(frame.f_code.co_positions())
    at = frame.f_lasti // 2
    if not 0 <= at < len(positions):
        return None
    first, last, start, end = positions[at]
    if first is None or last is None or start is None or end is None:
        return None
    lines = linecache.getlines(frame.f_code.co_filename, frame.f_globals)[first - 1 : last]
    if len(lines) != last - first + 1:
        return None
    encoded = [line.encode() for line in lines]
    encoded[-1] = encoded[-1][:end]
    encoded[0] = encoded[0][start:]
    try:
        return ast.parse(b"".join(encoded).strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return None


_FUNCTIONS = (
    *(abs, bool, float, int, len, list, max, min, repr, round, sorted, str, sum, tuple),
    *(textwrap.dedent, textwrap.indent, Path),
)
_PLAIN = (str, bytes, int, float, bool, type(None))
_OPERATIONS: dict[type[ast.operator], Any] = {
    ast.Add: lambda a, b: a + b,
    ast.Mod: lambda a, b: a % b,
    ast.Mult: lambda a, b: a * b,
}


class _Known:
    """Values of expressions of plain texts, numbers and containers of them, without effects."""

    def __init__(self, frame: FrameType) -> None:
        self.names = [frame.f_locals, frame.f_globals, frame.f_builtins]

    def value(self, node: ast.expr) -> Any:
        """Raises where it is something else."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return self.named(node.id)
        if isinstance(node, ast.JoinedStr):
            return "".join(map(self.formatted, node.values))
        if isinstance(node, ast.BinOp):
            sides = self.value(node.left), self.value(node.right)
            _require(map(_is_plain, sides))
            return _OPERATIONS[type(node.op)](*sides)
        if isinstance(node, ast.Subscript):
            container, index = self.value(node.value), self.value(node.slice)
            _require([type(container) in (list, tuple, dict, str), _is_plain(index)])
            return container[index]
        if isinstance(node, ast.Attribute):  # the object's own
            return vars(self.value(node.value))[node.attr]
        if isinstance(node, (ast.Tuple, ast.List)):
            items = [self.value(item) for item in node.elts]
            return items if isinstance(node, ast.List) else tuple(items)
        if isinstance(node, ast.Dict) and None not in node.keys:
            keys = [self.value(key) for key in node.keys if key is not None]
            return dict(zip(keys, map(self.value, node.values), strict=True))
        if isinstance(node, ast.Call):
            return self.called(node)
        raise TypeError

    def named(self, name: str) -> Any:
        return next(names[name] for names in self.names if name in names)

    def formatted(self, node: ast.expr) -> str:
        if isinstance(node, ast.FormattedValue):
            value = self.value(node.value)
            _require([_is_plain(value)])
            shown = {-1: value, ord("s"): str, ord("r"): repr, ord("a"): ascii}[node.conversion]
            value = shown(value) if node.conversion != -1 else value
            return format(value, self.value(node.format_spec) if node.format_spec else "")
        return str(self.value(node))

    def called(self, node: ast.Call) -> Any:
        function = node.func
        arguments = [self.value(argument) for argument in node.args]
        keywords = {k.arg: self.value(k.value) for k in node.keywords if k.arg is not None}
        _require([len(keywords) == len(node.keywords)])
        _require(map(_is_plain, (*arguments, *keywords.values())))
        if isinstance(function, ast.Attribute):
            receiver = self.value(function.value)
            if function.attr in ("read", "read_text"):
                return _read_again(receiver)
            if type(receiver) is str:
                return getattr(receiver, function.attr)(*arguments, **keywords)
            called = getattr(receiver, function.attr)
        else:
            called = self.value(function)
        if called is open:
            return Path(arguments[0])
        _require([any(called is known for known in _FUNCTIONS)])
        return called(*arguments, **keywords)


def _read_again(file: Any) -> str:
    path = file if isinstance(file, Path) else Path(file.name)
    _require([path.is_file()])  # a pipe would wait
    return path.read_text()


def _is_plain(value: Any) -> bool:
    if type(value) in (list, tuple):
        return all(map(_is_plain, value))
    if type(value) is dict:
        return all(map(_is_plain, (*value, *value.values())))
    return type(value) in _PLAIN or isinstance(value, Path)


def _require(conditions: Iterable[bool]) -> None:
    if not all(conditions):
        raise TypeError
