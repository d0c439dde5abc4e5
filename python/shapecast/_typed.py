"""The source of functions that are in no file: of `python -c`, of timeit, typed at a prompt.

From Python 3.13 on Python keeps it; before, the command line and the history of the prompt have it.
These are candidates only: _source.py compares their bytecode with the function's.
"""

from __future__ import annotations

import ast
import inspect
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from types import CodeType, FrameType, FunctionType
from typing import Any

from . import _core

_MAX_HISTORY = 2_000  # lines of the history that are searched
_MAX_LINES_AFTER = 8  # of them in a buffer that may have older contents at its end


def texts(function: FunctionType) -> Iterator[list[str]]:
    """Texts that may define it, the most likely first."""
    filename = function.__code__.co_filename
    yield from _loaded(function.__globals__)
    if not filename.startswith("<"):
        return
    with suppress(OSError, TypeError, IndexError):
        yield inspect.findsource(function)[0]
    if filename == "<string>":
        yield from _commands()
    elif filename == "<timeit-src>":
        yield from _timed()
    elif filename in ("<stdin>", "<console>"):
        yield from _read(function.__code__)
        yield from _history(function.__code__.co_name)


def _loaded(names: dict[str, Any]) -> Iterator[list[str]]:
    """Of a program in a zip file that runpy runs, whose __name__ is not its loader's."""
    spec = names.get("__spec__")
    get_source = getattr(getattr(spec, "loader", None), "get_source", None)
    if spec is not None and get_source is not None:
        with suppress(ImportError, OSError):
            yield (get_source(spec.name) or "").splitlines(keepends=True)


def _commands() -> Iterator[list[str]]:
    for argument in sys.orig_argv[1:]:
        yield argument.splitlines(keepends=True)
        if argument.startswith("-") and "c" in argument:  # python -Ic"..."
            yield argument.partition("c")[2].splitlines(keepends=True)


def _timed() -> Iterator[list[str]]:
    """The source of `python -m timeit` and timeit.timeit."""
    frame: FrameType | None = sys._getframe()
    while frame := frame.f_back if frame else None:
        timer = frame.f_locals.get("self")
        if type(timer).__name__ == "Timer":
            yield getattr(timer, "src", "").splitlines(keepends=True)


def _read(code: CodeType) -> Iterator[list[str]]:
    """Standard input: a file, or of a pipe what the C library still has, which is 4 KiB."""
    with suppress(OSError, UnicodeDecodeError):
        status = os.fstat(0)
        if stat.S_ISREG(status.st_mode):
            yield os.pread(0, status.st_size, 0).decode().splitlines(keepends=True)
            return
    lines = _core._standard_input().decode(errors="replace").splitlines(keepends=True)
    # What follows the last line may be anything, for instance a pointer of which a byte is b"\n".
    for stop in range(len(lines), max(0, len(lines) - _MAX_LINES_AFTER), -1):
        with suppress(SyntaxError, ValueError):
            ast.parse("".join(lines[:stop]))
            yield lines[:stop]
            break
    # Of a longer program its end, then what was read before that: single definitions are whole.
    for start, line in enumerate(lines):
        if line.startswith(("@", f"def {code.co_name}")):
            stop = start + 1
            while stop < len(lines) and not (
                f"def {code.co_name}" in "".join(lines[start:stop])
                and lines[stop][0] not in " \t\n)"
            ):
                stop += 1
            yield ["\n"] * (code.co_firstlineno - 1) + lines[start:stop]


def _history(name: str) -> Iterator[list[str]]:
    """Statements of the history that may hold a function of this name, the latest first."""
    readline = sys.modules.get("readline")
    if readline is None:
        return
    last = readline.get_current_history_length()
    lines = [
        readline.get_history_item(k) or "" for k in range(max(1, last - _MAX_HISTORY + 1), last + 1)
    ]
    word = "lambda" if name == "<lambda>" else name
    for start in reversed(range(len(lines))):
        if not lines[start] or lines[start][0] in " \t)]}":
            continue
        # Later lines may belong to the statement: `else:`, a decorator's function.
        for stop in range(start + 1, min(len(lines), start + 500) + 1):
            at_margin = stop == len(lines) or not lines[stop].startswith((" ", "\t"))
            if at_margin and any(word in line for line in lines[start:stop]):
                block = "\n".join(lines[start:stop])
                if _is_statement(block):
                    yield block.splitlines(keepends=True)
                    break


def _is_statement(text: str) -> bool:
    try:
        compile(text, "<history>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True
