"""`profile`: where the time of jitted functions goes, per line and loop nest."""

from __future__ import annotations

import json
import os
import threading
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import ContextDecorator
from typing import Any

from . import _core, _source
from ._profile_rows import Frame, FunctionTimes, LineTimes, Row

_lock = threading.Lock()
_depth = 0

# Kind, text and frames (file, function, line, columns; outermost first) of a row, and its
# nanoseconds, count and bytes.
_RawRow = tuple[str, str, list[tuple[Any, ...]], int, int, int]


class Profile(ContextDecorator):
    """The times of jitted functions that are called within it: see `profile`.

    Can be printed, shown in a notebook, and read while its block runs.

    Attributes:
        seconds: Time in the block, so far; compiling included.

    Examples:
        >>> @jit
        ... def ramp(n):
        ...     x = np.zeros(n)
        ...     for i in range(n):
        ...         x[i] = i * i
        ...     return x
        >>> with shapecast.profile() as p:
        ...     y = ramp(1000)
        >>> longest = max(p.lines(), key=lambda line: line.seconds)
        >>> longest.frame.function
        'ramp'
    """

    def __init__(self) -> None:
        self._counts: Counter[tuple[Any, ...]] = Counter()
        self._functions: dict[int, _core.Jit[..., Any]] = {}
        self._before: Counter[tuple[Any, ...]] = Counter()
        self._started: float | None = None
        self._seconds = 0.0

    def __enter__(self) -> Profile:
        if self._started is not None:
            raise RuntimeError("this profile is running; make another with shapecast.profile()")
        _switch(1)
        self._before, _ = _read()
        self._started = time.perf_counter()
        return self

    def __exit__(self, *exception: object) -> None:
        if self._started is None:
            raise RuntimeError("this profile is not running: use it with `with`, or as a decorator")
        try:
            self._counts, self._functions = self._now()
            self._seconds = self.seconds
        finally:
            self._started = None
            _switch(-1)

    @property
    def seconds(self) -> float:
        running = 0.0 if self._started is None else time.perf_counter() - self._started
        return self._seconds + running

    def _now(self) -> tuple[Counter[tuple[Any, ...]], dict[int, _core.Jit[..., Any]]]:
        if self._started is None:
            return self._counts, self._functions
        counts, functions = _read()
        counts.subtract(self._before)
        counts.update(self._counts)
        called = {key[0] for key, n in counts.items() if n}
        kept = {number: f for number, f in functions.items() if number in called}
        return counts, self._functions | kept

    def rows(self) -> tuple[Row, ...]:
        """What was measured, the longest first."""
        counts, functions = self._now()
        found: dict[tuple[Any, ...], list[int]] = {}
        for key, n in counts.items():
            if len(key) == 5:
                function, kind, what, stack, quantity = key
                found.setdefault((function, kind, what, stack), [0, 0, 0])[quantity] += n
        rows = [
            Row(_name(functions[number]), kind, what, stack, values[0] / 1e9, *values[1:])
            for (number, kind, what, stack), values in found.items()
            if any(values)
        ]
        return tuple(sorted(rows, key=lambda row: -row.seconds))

    def functions(self) -> tuple[FunctionTimes, ...]:
        """The functions that were called, the one with most time first."""
        counts, functions = self._now()
        times: Counter[int] = Counter()
        for key, n in counts.items():
            if len(key) == 5 and key[4] == 0:
                times[key[0]] += n
        found = []
        for number, function in functions.items():
            plain: Any = function.__wrapped__
            of = (counts[number, what] for what in ("calls", "compiled", "compiling"))
            calls, compiled, compiling = of
            found.append(
                FunctionTimes(
                    _name(function),
                    _source.filename_of(plain),
                    plain.__code__.co_firstlineno,
                    calls,
                    times[number] / 1e9,
                    compiled,
                    compiling / 1e9,
                )
            )
        return tuple(sorted(found, key=lambda function: -function.seconds))

    def lines(self) -> tuple[LineTimes, ...]:
        """The lines in which time was spent, by file and number."""
        rows: dict[Frame, list[Row]] = {}
        own: dict[Frame, list[Row]] = {}
        counts: dict[Frame, Counter[tuple[Any, ...]]] = {}  # of each thing that begins within it
        for row in self.rows():
            for frame, k in {frame: k for k, frame in enumerate(row.stack, 1)}.items():
                rows.setdefault(frame, []).append(row)
                begun = counts.setdefault(frame, Counter())
                if row.kind not in ("line", "start"):
                    begun[row.kind, row.what, row.stack[k:]] += row.count
            if row.stack:
                own.setdefault(row.stack[-1], []).append(row)
        return tuple(
            LineTimes(
                frame,
                sum(row.seconds for row in of),
                max(counts[frame].values(), default=0),
                sum(row.bytes for row in of),
                sum(row.seconds for row in of if row.bytes),
                tuple(own.get(frame, ())),
            )
            for frame, of in sorted(rows.items())
        )

    def speedscope(self) -> dict[str, Any]:
        """The stacks and their times in the format of speedscope, a viewer of flame graphs."""
        names: dict[tuple[str, str, int], int] = {}
        profiles = []
        rows = self.rows()
        for function in dict.fromkeys(row.function for row in rows):
            samples, weights = [], []
            for row in rows:
                if row.function == function:
                    stack = [(f"{f.function}:{f.line}", f.file, f.line) for f in row.stack]
                    leaf = f"{row.kind} {row.what}".strip()
                    stack.append((leaf, *(stack[-1][1:] if stack else ("", 0))))
                    samples.append([names.setdefault(frame, len(names)) for frame in stack])
                    weights.append(row.seconds)
            profiles.append(
                {
                    "type": "sampled",
                    "name": function,
                    "unit": "seconds",
                    "startValue": 0,
                    "endValue": sum(weights),
                    "samples": samples,
                    "weights": weights,
                }
            )
        return {
            "$schema": "https://www.speedscope.app/file-format-schema.json",
            "exporter": f"shapecast {_core.__version__}",
            "name": "shapecast",
            "activeProfileIndex": 0,
            "shared": {"frames": [{"name": n, "file": f, "line": k} for n, f, k in names]},
            "profiles": profiles,
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes `speedscope()` to a file, which speedscope opens."""
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.speedscope(), file)

    def __str__(self) -> str:
        from ._profile_views import text

        return text(self.seconds, self.functions(), self.lines())

    def __repr__(self) -> str:
        called = len(self.functions())
        return f"<profile: {self.seconds:.3g} s, {called} jitted function{'s' * (called != 1)}>"

    def _repr_html_(self) -> str:
        from ._profile_views import html

        return html(self.seconds, self.functions(), self.lines())


def profile() -> Profile:
    """Measures where the time of jitted functions goes: per line, loop nest and call.

    Within it, and in functions that it decorates, jitted functions run code that reads the clock
    before each nest, call and loop, some 50 ns each time; it is compiled for profiles, and no other
    call runs it. It holds for all threads. Arrays on a device: each launch is waited for.

    Returns:
        A `Profile`: print it, show it in a notebook, or `save` it as a flame graph.

    Raises:
        RuntimeError: The same profile is entered again within itself.

    Examples:
        >>> @jit
        ... def norm(x):
        ...     return np.sqrt((x * x).sum())
        >>> with shapecast.profile() as p:
        ...     for _ in range(3):
        ...         y = norm(np.ones(1000))
        >>> [f.name for f in p.functions()], p.functions()[0].calls
        (['norm'], 3)
        >>> sorted({row.kind for row in p.rows()})
        ['line', 'nest', 'start']
    """
    return Profile()


def _switch(step: int) -> None:
    global _depth
    with _lock:
        _depth += step
        if _depth == (step > 0):
            _core._set_profiling(_depth > 0)


def _name(function: _core.Jit[..., Any]) -> str:
    return function.__wrapped__.__qualname__


def _read() -> tuple[Counter[tuple[Any, ...]], dict[int, _core.Jit[..., Any]]]:
    """All that the core has counted since profiling began."""
    counts: Counter[tuple[Any, ...]] = Counter()
    functions = {id(function): function for function in _core._profiled_functions()}
    for number, function in functions.items():
        for milliseconds, calls, rows in function._times():
            counts[number, "calls"] += calls
            counts[number, "compiled"] += milliseconds > 0
            counts[number, "compiling"] += round(milliseconds * 1e6)
            _add(counts, number, rows)
    return counts, functions


def _add(counts: Counter[tuple[Any, ...]], number: int, rows: Iterable[_RawRow]) -> None:
    for kind, what, frames, *quantities in rows:
        stack = tuple(Frame(file, function, line) for file, function, line, *_ in frames)
        for k, quantity in enumerate(quantities):
            counts[number, kind, what, stack, k] += quantity
