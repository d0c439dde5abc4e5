"""Notices of compilations: slow ones, on a terminal or in a notebook, and unsupported branches."""

from __future__ import annotations

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
