"""time.perf_counter() and the like, and warnings.warn: called in Python, in program order."""

from __future__ import annotations

import time
import warnings
from typing import Any

import numpy as np
import pytest
import shapecast
from support.compare import jitted, make

NAMES = {"time": time, "warnings": warnings}


@pytest.mark.parametrize("clock", ["time", "perf_counter", "monotonic", "process_time"])
def test_clocks_are_read_at_each_call(clock: str) -> None:
    f = jitted(
        make(
            f"""
            def f(x):
                start = time.{clock}()
                before = time.{clock}_ns()
                for i in range(200):
                    x[:] = np.sqrt(x + i)
                return time.{clock}() - start, time.{clock}_ns() - before
            """,
            **NAMES,
        )
    )
    f(np.ones(10))
    now = getattr(time, clock)()
    seconds, nanoseconds = f(np.ones(10_000))
    assert type(seconds) is float and type(nanoseconds) is int
    assert 0 < seconds <= getattr(time, clock)() - now + 1e-3
    assert abs(nanoseconds - seconds * 1e9) < 1e8


def test_sleep_is_not_called_while_compiling() -> None:
    f = jitted(make("def f(s):\n    time.sleep(s)", **NAMES))
    start = time.perf_counter()
    assert f(0.02) is None
    assert 0.02 <= time.perf_counter() - start < 2


def seen(f: Any, *args: Any) -> list[tuple[Any, ...]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        f(*args)
    return [(str(w.message), w.category, w.filename, w.lineno) for w in caught]


def test_warnings_report_their_line() -> None:
    f = make(
        """
        def f(x, n):
            warnings.warn("plain")
            for i in range(n):
                if x[i] < 0:
                    warnings.warn(f"item {i} is {x[i]}", RuntimeWarning)
            warnings.warn("named", category=DeprecationWarning, stacklevel=1)
            warnings.warn(UserWarning("an object"))
            warnings.warn("the caller's", stacklevel=2)
        """,
        **NAMES,
    )
    x = np.array([1.0, -2.0, 3.0, -4.0])
    want = seen(f, x, 4)
    assert len(want) == 6
    assert seen(jitted(f), x, 4) == want


def test_a_warning_that_is_an_error_is_raised_there() -> None:
    f = jitted(make("def f(x):\n    warnings.warn('bad')\n    x[0] = 5", **NAMES))
    x = np.zeros(2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="bad"):
            f(x)
    assert x[0] == 0


def test_prints_and_warnings_keep_their_order(capsys: pytest.CaptureFixture) -> None:
    f = jitted(
        make(
            """
            def f(n):
                for i in range(n):
                    print("print", i)
                    warnings.warn(f"warn {i}")
            """,
            **NAMES,
        )
    )
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = lambda message, *_: print(message)  # type: ignore[assignment]
        f(2)
    assert capsys.readouterr().out.split("\n")[:-1] == ["print 0", "warn 0", "print 1", "warn 1"]


def test_unsupported_arguments_of_warn_are_refused() -> None:
    f = jitted(make("def f(n):\n    warnings.warn('a', source=n)", **NAMES))
    with pytest.raises(shapecast.UnsupportedError, match=r"warnings\.warn takes"):
        f(2)
