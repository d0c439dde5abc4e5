"""`disabled`: jitted functions as plain Python, for debuggers, coverage and comparisons."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from . import _core

_lock = threading.Lock()
_depth = 0


@contextmanager
def disabled() -> Iterator[None]:
    """Within it, and in functions that it decorates, jitted functions run as plain Python.

    So a debugger stops in them, coverage counts their lines, and results can be compared. It holds
    for all threads, and for `vectorize`; `compile`, `infer` and `explain` work as always. The
    environment variable SHAPECAST_DISABLE=1 does so for a whole process.

    Examples:
        >>> @jit
        ... def lines(x):
        ...     print(f"x is {x!r}")
        ...     return x + 1
        >>> with shapecast.disabled():
        ...     lines(np.arange(2))
        x is array([0, 1])
        array([1, 2])
    """
    _enter(1)
    try:
        yield
    finally:
        _enter(-1)


def _enter(step: int) -> None:
    global _depth
    with _lock:
        _depth += step
        _core._set_disabled(_depth > 0)


def disable() -> None:
    """For the rest of the process."""
    _enter(1)


if os.environ.get("SHAPECAST_DISABLE", "0") not in ("", "0"):
    disable()
