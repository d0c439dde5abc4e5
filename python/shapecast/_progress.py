"""Notices of compilations: slow ones, on a terminal or in a notebook, and unsupported branches."""

from __future__ import annotations

import re
import sys
import warnings
from types import FunctionType


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
