"""Profilers that Python calls (cProfile, sys.setprofile) see jitted functions as plain ones."""

from __future__ import annotations

import cProfile
import gc
import pstats
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
import shapecast
from shapecast import jit


@jit
def kernel(x, rounds=3):
    for i in range(rounds):
        x = np.sqrt(x + i)
    return x


class Model:
    @jit
    def method(self, x, *, factor):
        return kernel(x) * factor

    @staticmethod
    @jit
    def checked(x):
        if x < 0:
            raise ValueError("negative")
        return x


def rows(work: Callable[[], object]) -> dict[tuple[str, int, str], tuple[Any, ...]]:
    """cProfile's rows: calls and seconds by file, line and name."""
    profile = cProfile.Profile()
    profile.enable()
    try:
        work()
    finally:
        profile.disable()
    return pstats.Stats(profile).stats  # type: ignore[attr-defined]


def label(jitted: Any) -> tuple[str, int, str]:
    code = jitted.__wrapped__.__code__
    return code.co_filename, code.co_firstlineno, code.co_name


needs_events = pytest.mark.skipif(
    sys.version_info[:2] == (3, 12), reason="3.12 does not tell C that cProfile is on"
)


@needs_events
def test_cprofile_lists_name_line_calls_and_time() -> None:
    x = np.ones(200_000)
    kernel(x), Model().method(x, factor=2.0)

    def work() -> None:
        for _ in range(3):
            kernel(x, 50)
        Model().method(x, factor=2.0)

    found = rows(work)
    calls, _, own, total, callers = found[label(kernel)]
    assert calls == 3 and 0 < own <= total
    assert own > 0.9 * sum(row[2] for name, row in found.items() if name[2] == "kernel") > 0
    assert [name for _, _, name in callers] == ["work"]
    assert found[label(Model.method)][0] == 1  # kernel is inlined in it
    names = [name for _, _, name in found]
    assert not [name for name in names if "Jit" in name or name == "<lambda>"]


@needs_events
def test_plain_and_jitted_have_the_same_rows() -> None:
    kernel(np.ones(3))
    jitted = rows(lambda: kernel(np.ones(3)))
    with shapecast.disabled():
        plain = rows(lambda: kernel(np.ones(3)))
    assert jitted[label(kernel)][0] == plain[label(kernel)][0] == 1


Events = list[tuple[str, str, int]]


@contextmanager
def profiled(raising: type[Exception] | None = None) -> Iterator[Events]:
    seen: Events = []

    def profile(frame: Any, event: str, _: Any) -> None:
        if event in ("call", "return") and frame.f_code.co_filename == __file__:
            seen.append((event, frame.f_code.co_name, frame.f_lineno))
            if raising and frame.f_code.co_name == "kernel":
                raise raising

    sys.setprofile(profile)
    try:
        yield seen
    finally:
        sys.setprofile(None)


def test_setprofile_sees_calls_and_returns() -> None:
    x = np.ones(3)
    kernel(x)
    with profiled() as seen:
        kernel(x)
        kernel(x, rounds=2)
    line = label(kernel)[1]
    calls = [("call", "kernel", line), ("return", "kernel", line)]
    assert [event for event in seen if event[1] == "kernel"] == calls * 2


def test_results_and_errors_are_the_same() -> None:
    with profiled():
        assert kernel(np.zeros(2), 2).tolist() == [1, 1]
        assert Model.checked(3) == 3
        with pytest.raises(ValueError, match="negative"):
            Model.checked(-3)
        with pytest.raises(TypeError, match=r"kernel\(\) missing 1 required positional argument"):
            kernel()


def test_a_profiler_that_raises_leaves_the_next_call_alone() -> None:
    kernel(np.ones(2))
    with pytest.raises(KeyError), profiled(KeyError):
        kernel(np.ones(2))
    with profiled() as seen:
        assert kernel(np.zeros(2), 1).tolist() == [0, 0]
    assert [event for event, name, _ in seen if name == "kernel"] == ["call", "return"]


def test_other_threads_are_not_profiled() -> None:
    kernel(np.ones(2))
    with profiled() as seen:
        thread = threading.Thread(target=kernel, args=(np.ones(2),))
        thread.start()
        thread.join()
    assert not [event for event in seen if event[1] == "kernel"]


def test_profiled_functions_are_freed() -> None:
    def profiled_once() -> weakref.ref[Any]:
        function = jit(lambda x: x + 1)
        with profiled():
            function(1)
        return weakref.ref(function)

    reference = profiled_once()
    gc.collect()
    assert reference() is None


@pytest.mark.skipif(sys.version_info < (3, 13), reason="no sys.monitoring for C before 3.13")
def test_monitoring_sees_starts_and_returns() -> None:
    monitoring: Any = getattr(sys, "monitoring", None)
    kernel(np.ones(2))
    tool, seen = monitoring.PROFILER_ID, []
    monitoring.use_tool_id(tool, "test")
    try:
        events = monitoring.events
        monitoring.register_callback(tool, events.PY_START, lambda code, _: seen.append(code))
        monitoring.set_events(tool, events.PY_START)
        kernel(np.ones(2))
        monitoring.set_events(tool, 0)
    finally:
        monitoring.free_tool_id(tool)
    assert label(kernel) in [(c.co_filename, c.co_firstlineno, c.co_name) for c in seen]
