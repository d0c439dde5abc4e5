"""A plugin of coverage.py: `[run] plugins = shapecast.coverage`.

Compiled code has no lines to count, so jitted functions run as plain Python in a process that
coverage measures. It registers nothing with coverage, and works with all of its cores.
"""

from __future__ import annotations

from typing import Any

from ._disabling import disable


def coverage_init(registry: Any, options: Any) -> None:
    """coverage.py calls it before it starts to measure."""
    disable()
