"""Says on stderr that a compilation takes long, where somebody is looking."""

from __future__ import annotations

import sys


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
