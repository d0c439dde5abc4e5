"""A plugin of coverage.py: `[run] plugins = shapecast.coverage`.

Compiled code notes the lines that it executes, and the steps between them; coverage adds them to
its data whenever it adds what it has measured of Python. With the option `plain` jitted functions
run as plain Python instead. It works with all of coverage's cores.
"""

from __future__ import annotations

import functools
import sys
from types import SimpleNamespace
from typing import Any

from . import _core, _disabling, _lines, _source


def coverage_init(registry: Any, options: dict[str, Any]) -> None:
    """coverage.py calls it before it starts to measure."""
    if str(options.get("plain", "false")).lower() in ("true", "1", "yes", "on"):
        _disabling.disable()
        return
    _core._turn_disk_cache_off()  # code from there counts nothing
    _source.count_lines = _lines.count
    join()


@functools.cache
def join() -> None:
    """From now on what coverage measures has the lines of compiled code, in each process, data file
    and context."""
    collector = sys.modules["coverage.collector"].Collector
    start, stop, flush_data = collector.start, collector.stop, collector.flush_data

    def started(self: Any) -> None:
        if not self._collectors:  # before it nobody measured
            _lines.take()
        start(self)

    def stopped(self: Any) -> None:
        _add(self)
        stop(self)

    def flushed(self: Any) -> bool:
        found = flush_data(self)
        measures = self._collectors[-1:] == [self]
        return (measures and _add(self)) or found

    collector.start, collector.stop, collector.flush_data = started, stopped, flushed


def _add(collector: Any) -> bool:
    """Adds what compiled code has executed since the last time; whether it is anything."""
    found: dict[str, set[tuple[int, int]]] = {}
    for table, steps in _lines.take():
        frame = SimpleNamespace(f_globals=table.names)
        place = collector.should_trace(table.filename, frame)
        if place.trace:
            found.setdefault(place.source_filename, set()).update(steps)
    if not found:
        return False
    if collector.branch:
        collector.covdata.add_arcs(collector.mapped_file_dict(found))
    else:
        lines = {file: {b for _, b in steps if b > 0} for file, steps in found.items()}
        collector.covdata.add_lines(collector.mapped_file_dict(lines))
    return True
