"""Notices of compilations: slow ones, on a terminal or in a notebook, and unsupported branches."""

from __future__ import annotations

import ast
import os
import re
import sys
import warnings
from types import FunctionType

from ._errors import PerformanceWarning
from ._source import SourceError, find


def is_watched() -> bool:
    """Whether stderr is a terminal or a notebook's."""
    stream = sys.stderr
    if stream is None:
        return False
    if type(stream).__module__.startswith("ipykernel"):
        return True
    try:
        return stream.isatty()
    except (AttributeError, ValueError):  # closed, or no file at all
        return False


def announce(text: str) -> None:
    if is_watched():
        print(f"shapecast: {text}", file=sys.stderr, flush=True)


def warn_of_refusal(function: FunctionType, file: str, line: int, message: str) -> None:
    """A branch of the function is compiled as an error; the warning has its line."""
    warnings.warn_explicit(
        f"shapecast compiles {function.__qualname__}() without this line, which raises "
        f"UnsupportedError when it is reached: {message}",
        RuntimeWarning,
        file,
        line,
        module=function.__module__ or "<unknown>",  # None would suppress the warning
        registry=function.__globals__.setdefault("__warningregistry__", {}),
    )


def warn_of_keys(function: FunctionType, signatures: list[str]) -> None:
    """The function has got all kinds of arguments that it keeps code for."""
    kinds: dict[str, dict[str, None]] = {}  # by parameter, in order
    for signature in signatures:
        for name, kind in re.findall(r"(\w+): (.*?)(?=, \w+: |$)", signature):
            kinds.setdefault(name, {})[kind] = None
    name = max(kinds, key=lambda name: len(kinds[name]), default="")
    shown = ", ".join(list(kinds.get(name, ()))[:3])
    warnings.warn(
        f"shapecast: {function.__qualname__}() is called with more kinds of arguments than the "
        f"{len(signatures)} that it keeps code for, and compiles anew at each; the parameter "
        f"{name!r} has been {shown}, ... Values that vary are not for static_argnames, texts, or "
        "lengths of tuples and lists: pass numbers and arrays (f.explain() lists all kinds)",
        RuntimeWarning,
        stacklevel=2,
    )


def warn_of_call_outs(function: FunctionType, called: list[str]) -> None:
    """What the code calls in Python, as "numpy.polyfit (line 5)"."""
    if not _is_wanted():
        return
    loops = _loops(function)
    code = function.__code__
    for text in called:
        name, line = re.fullmatch(r"(.*?)(?: \(line (\d+)\))?", text).groups()  # type: ignore[union-attr]
        name = re.sub(r"^shapecast\.library\.regular_expressions\..*", "the module re", name)
        number = int(line or code.co_firstlineno)
        in_loop = any(first <= number <= last for first, last in loops)
        warnings.warn_explicit(
            f"shapecast: {function.__qualname__}() calls {name} in Python"
            + (", at each iteration of a loop" if in_loop else ""),
            PerformanceWarning,
            code.co_filename,
            number,
            module=function.__module__ or "<unknown>",
            registry=function.__globals__.setdefault("__warningregistry__", {}),
        )


def _is_wanted() -> bool:
    """Not by a filter of all warnings. No filter of ours: it would end with the block that imports
    us, such as pytest's for each module.
    """
    if os.environ.get("SHAPECAST_WARN", "0") not in ("", "0"):
        return True
    filters = [row for row in warnings.filters if row[2] is PerformanceWarning]
    return any(action != "ignore" for action, *_ in filters)


_LOOPS = (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _loops(function: FunctionType) -> list[tuple[int, int]]:
    """First and last lines of the function's loops."""
    try:
        tree = find(function).node
    except SourceError:
        return []
    found = []
    for node in ast.walk(tree):
        if isinstance(node, _LOOPS):
            body = node.body if isinstance(node, ast.For) else [node]  # its iterable: once
            found.append((body[0].lineno, body[-1].end_lineno or node.lineno))
    return found
