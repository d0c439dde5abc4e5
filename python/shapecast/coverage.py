"""A plugin of coverage.py: `[run] plugins = shapecast.coverage`.

Compiled code notes the lines that it executes, and the steps between them; they are added to what
coverage measures of Python whenever its data are read. With the option `plain` jitted functions run
as plain Python instead. It works with all of coverage's cores.
"""

from __future__ import annotations

import sys
from typing import Any

from . import _core, _disabling, _lines, _source

_joined: set[int] = set()  # instances of Coverage, by id


def coverage_init(registry: Any, options: dict[str, Any]) -> None:
    """coverage.py calls it before it starts to measure."""
    if str(options.get("plain", "false")).lower() in ("true", "1", "yes", "on"):
        _disabling.disable()
        return
    _core._turn_disk_cache_off()  # code from there counts nothing
    _source.count_lines = _count


def _count(definition: _source.Definition, code: Any) -> None:
    measuring = sys.modules["coverage"].Coverage.current()
    if measuring is None:
        return
    _lines.count(definition, code)
    if id(measuring) not in _joined:
        _joined.add(id(measuring))
        _join(measuring)


def _join(measuring: Any) -> None:
    """From now on its data have the lines of compiled code, whoever asks for them."""
    get_data = measuring.get_data

    def with_compiled_code() -> Any:
        data = get_data()
        _add(measuring, data)
        return data

    measuring.get_data = with_compiled_code


def _add(measuring: Any, data: Any) -> None:
    arcs: dict[str, set[tuple[int, int]]] = {}
    for table in _lines.tables:
        place = measuring._should_trace(table.filename, None)
        if place.trace and (found := table.arcs()):
            arcs.setdefault(place.canonical_filename, set()).update(found)
    if not arcs:
        return
    if measuring.get_option("run:branch"):
        data.add_arcs(arcs)
    else:
        data.add_lines({name: {b for _, b in steps if b > 0} for name, steps in arcs.items()})
