"""The Python functions that a call runs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


def python_frames(call: Callable[[], object]) -> list[str]:
    """Their names, without the function that stands for a jitted one while a profiler is on
    (python/shapecast/_profilers.py), which the first of two calls makes.
    """
    ran: list[str] = []

    def note(frame: Any, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_freevars != ("jitted",):
            ran.append(frame.f_code.co_qualname)

    def profiled() -> None:
        sys.setprofile(note)
        try:
            call()
        finally:
            sys.setprofile(None)

    profiled()
    ran.clear()
    profiled()
    return [name for name in ran if name != getattr(call, "__qualname__", None)]
