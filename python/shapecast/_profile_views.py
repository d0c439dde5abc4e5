"""A profile as text and as HTML: each function's source, with times beside its lines."""

from __future__ import annotations

import functools
import linecache
import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from . import _html
from ._profile_rows import FunctionTimes, LineTimes

_HEAD = ("line", "time", "%", "count", "GB/s", "of memory")
_MOST_FUNCTIONS = 12
_MOST_LETTERS = 80  # of a note


class _Line(NamedTuple):
    number: int
    source: str
    cells: tuple[str, ...]  # of _HEAD, without the first; empty: no time
    notes: tuple[str, ...]  # what ran there
    share: float  # of all time in jitted functions


class _Section(NamedTuple):
    title: str
    note: str
    lines: list[_Line]


@functools.cache
def bandwidth() -> float:
    """Bytes per second that this machine copies from memory to memory (reads and writes), on as
    many threads as jitted functions use; some 50 ms."""
    import time
    from concurrent.futures import ThreadPoolExecutor

    import numpy as np

    from ._threads import get_num_threads

    threads = get_num_threads()
    size = max(1, 64 // threads) << 20
    pairs = [(np.ones(size, np.uint8), np.ones(size, np.uint8)) for _ in range(threads)]
    best = float("inf")
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(4):
            started = time.perf_counter()
            list(pool.map(lambda pair: np.copyto(*pair), pairs))
            best = min(best, time.perf_counter() - started)
    return 2 * size * threads / best


def _time(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= 0.9995 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} us"


def _cells(line: LineTimes, total: float) -> tuple[str, ...]:
    rate = line.bytes / line.moving_seconds if line.moving_seconds else 0.0
    share = f"{100 * line.seconds / total:.1f}" if total else ""
    moved = (f"{rate / 1e9:.3g}", f"{100 * rate / bandwidth():.0f} %") if rate else ("", "")
    return _time(line.seconds), share, f"{line.count or ''}", *moved


def _notes(line: LineTimes) -> tuple[str, ...]:
    """What ran there; with times, where that is several things."""
    times: dict[str, float] = {}
    for row in line.rows:
        if row.kind not in ("start", "line"):
            note = f"{row.kind} {row.what}".strip()
            times[note] = times.get(note, 0.0) + row.seconds
    if len(times) < 2:
        return tuple(map(_short, times))
    return tuple(f"{_short(note)}: {_time(seconds)}" for note, seconds in times.items())


def _short(note: str) -> str:
    return note if len(note) <= _MOST_LETTERS else f"{note[: _MOST_LETTERS - 3]}..."


def _starts(file: str, function: str, functions: Sequence[FunctionTimes]) -> list[int]:
    """The lines where functions of this name are defined in the file."""
    definition = re.compile(rf"\s*(async )?def {re.escape(function.rpartition('.')[2])}\b")
    lines = [k for k, line in enumerate(linecache.getlines(file), 1) if definition.match(line)]
    return lines or sorted({f.line for f in functions if _is_of(f, file, function)})


def _is_of(times: FunctionTimes, file: str, function: str) -> bool:
    return times.file == file and f".{times.name}".endswith(f".{function}")


def _source(file: str, first: int, lines: dict[int, LineTimes]) -> dict[int, str]:
    """The lines of the function, as far as they can be found, and at least those with a time."""
    text = linecache.getlines(file)
    numbers = range(first or min(lines), max(lines) + 1)
    return {k: text[k - 1].rstrip() if k <= len(text) else "" for k in numbers}


def _sections(functions: Sequence[FunctionTimes], times: Sequence[LineTimes]) -> Iterator[_Section]:
    total = sum(f.seconds for f in functions)
    starts: dict[tuple[str, str], list[int]] = {}
    places: dict[tuple[str, str, int], dict[int, LineTimes]] = {}
    for line in times:
        file, function, number = line.frame
        if (file, function) not in starts:
            starts[file, function] = _starts(file, function, functions)
        before = [start for start in starts[file, function] if start <= number]
        places.setdefault((file, function, max(before, default=0)), {})[number] = line
    ordered = sorted(places.items(), key=lambda item: -sum(t.seconds for t in item[1].values()))
    for (file, function, first), lines in ordered:
        shown = [
            _Line(
                number,
                source,
                _cells(lines[number], total) if number in lines else (),
                _notes(lines[number]) if number in lines else (),
                lines[number].seconds / total if number in lines and total else 0.0,
            )
            for number, source in _source(file, first, lines).items()
        ]
        earlier = max((start for start in starts[file, function] if start < first), default=0)
        called = [f for f in functions if _is_of(f, file, function) and earlier < f.line <= first]
        note = _about(called) if called else "inlined in those that call it"
        yield _Section(f"{function}  {file}", note, shown)


def _about(functions: Sequence[FunctionTimes]) -> str:
    calls, seconds = sum(f.calls for f in functions), sum(f.seconds for f in functions)
    return f"{_count(calls, 'call')}, {_time(seconds)}, {_time(seconds / max(calls, 1))} each"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _summary(seconds: float, functions: Sequence[FunctionTimes]) -> str:
    text = f"{_time(seconds)} in all"
    if not functions:
        return f"{text}; no jitted function was called"
    inside = _time(sum(f.seconds for f in functions))
    text += f", {inside} in {_count(len(functions), 'jitted function')}"
    if compiled := sum(f.compiled for f in functions):
        spent = _time(sum(f.compile_seconds for f in functions))
        text += f", {spent} compiling {_count(compiled, 'variant')} for the profile"
    return text


def _rest(sections: Sequence[_Section]) -> str:
    left = len(sections) - _MOST_FUNCTIONS
    return f"and {_count(left, 'function')} more, see lines()" if left > 0 else ""


def text(seconds: float, functions: Sequence[FunctionTimes], times: Sequence[LineTimes]) -> str:
    """A table per function."""
    parts = [_summary(seconds, functions)]
    if any(line.bytes for line in times):
        parts[0] += f"; memory copies at {bandwidth() / 1e9:.3g} GB/s"
    sections = list(_sections(functions, times))
    for section in sections[:_MOST_FUNCTIONS]:
        parts.append(f"\n{section.title}: {section.note}")
        head = "".join(f"{name:>10}" for name in _HEAD[1:])
        parts.append(f"{'line':>5}{head}")
        for line in section.lines:
            cells = "".join(f"{cell:>10}" for cell in line.cells or [""] * (len(_HEAD) - 1))
            parts.append(f"{line.number:5}{cells}  {line.source}".rstrip())
            margin = " " * (5 + 10 * (len(_HEAD) - 1) + 2)
            indent = " " * (len(line.source) - len(line.source.lstrip()))
            parts += [f"{margin}{indent}# {note}" for note in line.notes]
    if rest := _rest(sections):
        parts.append(f"\n{rest}")
    return "\n".join(parts)


def html(seconds: float, functions: Sequence[FunctionTimes], times: Sequence[LineTimes]) -> str:
    """The same for notebooks: lines are the darker, the longer they take."""
    body = f"<div><b>profile</b> <span class=w>{escape(_summary(seconds, functions))}</span></div>"
    sections = list(_sections(functions, times))
    for k, section in enumerate(sections[:_MOST_FUNCTIONS]):
        rows = "".join(_row(line) for line in section.lines)
        head = "".join(f"<th>{escape(name)}</th>" for name in (*_HEAD, "source"))
        body += (
            f"<details{' open' * (k < 3)}><summary><code>{escape(section.title)}</code> "
            f"<span class=w>{escape(section.note)}</span></summary>"
            f"<table><tr>{head}</tr>{rows}</table></details>"
        )
    if rest := _rest(sections):
        body += f"<div class=w>{escape(rest)}</div>"
    return _html.page(body)


def _row(line: _Line) -> str:
    share = line.share
    heat = 0 if share < 0.02 else 1 if share < 0.15 else 2 if share < 0.4 else 3
    cells = [str(line.number), *(line.cells or [""] * (len(_HEAD) - 1))]
    inside = "".join(f"<td class=r>{escape(cell)}</td>" for cell in cells)
    notes = "".join(f"<br><span class=w>{escape(note)}</span>" for note in line.notes)
    marked = f" class=h{heat}" if heat else ""
    return f"<tr>{inside}<td{marked}><code>{escape(line.source)}</code>{notes}</td></tr>"
