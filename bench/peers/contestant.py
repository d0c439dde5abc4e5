"""One way to run a kernel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


def same(arguments: tuple) -> tuple:
    return arguments


@dataclass(frozen=True)
class Contestant:
    name: str
    build: Callable[[], Callable[..., Any]]  # imports and compiles; the first call is apart
    enter: Callable[[tuple], tuple] = same  # NumPy's arguments as its own, outside of what is timed
    # Returns the final values of changed arguments (besides the kernel's result) instead of
    # changing them.
    functional: bool = False
    vain_if: str = ""  # a warning at the first call that says that it fell back to something else
    relaxed: bool = False  # may reorder and contract arithmetic: checked with a wider tolerance


def version_of(package: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return None
