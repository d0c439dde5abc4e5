"""Jitted functions as plain Python: shapecast.disabled(), SHAPECAST_DISABLE, for debuggers."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import numpy as np
import pytest
import shapecast
from shapecast import jit, prange, to_device, vectorize

from support import cuda


@jit
def line_of_the_caller(x):
    for i in prange(len(x)):
        x[i] += sys._getframe(0).f_lineno > 0
    return x, {1, 2}, [k for k in x if k]  # sets and frames are Python's alone


@jit
def helper(x):
    return x + 1


@jit
def calls(x):
    return helper(x) * 2


@vectorize
def larger(a, b):
    return a if a > b else b


def test_within_it_functions_are_plain() -> None:
    x = np.zeros(3)
    with pytest.raises(shapecast.UnsupportedError):
        line_of_the_caller(x)
    with shapecast.disabled():
        result = line_of_the_caller(x)
    assert result[0] is x and result[1] == {1, 2} and result[2] == [1, 1, 1]
    with pytest.raises(shapecast.UnsupportedError):
        line_of_the_caller(x)


def test_it_nests_decorates_and_ends_with_an_exception() -> None:
    assert calls(np.ones(2)).tolist() == [4, 4]

    @shapecast.disabled()
    def inner() -> None:
        with shapecast.disabled():
            assert calls(np.ones(2)).tolist() == [4, 4]
        line_of_the_caller(np.zeros(1))
        raise KeyError

    for _ in range(2):
        with pytest.raises(KeyError):
            inner()
        assert not shapecast._core._is_disabled()


def test_compiling_and_inspecting_go_on() -> None:
    f = jit(lambda x: x + 1)
    with shapecast.disabled():
        assert f(np.ones(2)).tolist() == [2, 2] and f.signatures() == []
        assert f.compile(np.ones(2)) == "x: float64[s0]"
        assert str(f.infer(np.ones(2))) == "float64[s0]"
        assert "float64" in str(f.explain())


def test_vectorize_runs_its_function_for_each_element() -> None:
    seen = []

    def trace(frame, event, _):
        if frame.f_code is larger.__wrapped__.__code__:
            seen.append(frame.f_locals["a"])

    larger(np.array([1.0, 5.0]), 2.0)
    previous = sys.gettrace()
    sys.settrace(trace)
    try:
        with shapecast.disabled():
            assert larger(np.array([1.0, 5.0]), 2.0).tolist() == [2, 5]
    finally:
        sys.settrace(previous)
    assert seen == [1.0, 5.0]


def test_methods_generators_and_keywords() -> None:
    class Model:
        scale = 3

        @jit
        def run(self, x, *rest, offset=0, **more):
            return x * self.scale + offset, rest, more

    with shapecast.disabled():
        assert Model().run(2, 4, offset=1, k=5) == (7, (4,), {"k": 5})


def test_it_holds_for_all_threads() -> None:
    results = []
    with shapecast.disabled():
        thread = threading.Thread(target=lambda: results.append(line_of_the_caller(np.zeros(2))))
        thread.start()
        thread.join()
    assert len(results) == 1


def test_arrays_on_a_device_are_copied_to_the_host() -> None:
    cuda.start()
    x = to_device(np.arange(3.0))
    with shapecast.disabled():
        y = calls(x)
        assert isinstance(y, shapecast.DeviceArray) and np.asarray(y).tolist() == [2, 4, 6]
        x += y
        assert np.asarray(x).tolist() == [2, 5, 8] and np.asarray(x.copy()).tolist() == [2, 5, 8]


def test_stores_of_ufuncs_reach_arrays_on_a_device() -> None:
    cuda.start()
    x = to_device(np.array([0.0, 3.0, 5.0]))
    quotient, rest = to_device(np.zeros(3)), to_device(np.zeros(3))
    with shapecast.disabled():
        assert np.divmod(x, 2, out=(quotient, rest))[1] is rest
        assert np.multiply(x, 9, out=x, where=np.array([False, True, False])) is x
        np.add.at(x, np.array([0, 0]), 1.5)
        assert all(isinstance(part, shapecast.DeviceArray) for part in np.divmod(x, 2))
    assert np.asarray(quotient).tolist() == [0, 1, 2] and np.asarray(rest).tolist() == [0, 1, 1]
    assert np.asarray(x).tolist() == [3, 27, 5]


@pytest.mark.parametrize(("value", "lines"), [("1", 2), ("0", 0), ("", 0)])
def test_the_environment_variable(tmp_path: Path, value: str, lines: int) -> None:
    (tmp_path / "program.py").write_text(
        textwrap.dedent("""
        import sys
        import numpy as np
        from shapecast import jit

        @jit
        def f(x):
            y = x + 1
            return y * 2

        seen = []
        def trace(frame, event, argument):
            if frame.f_code is f.py_func.__code__:
                seen.append(event)
            return trace

        sys.settrace(trace)
        assert f(np.ones(2)).tolist() == [4, 4]
        sys.settrace(None)
        print(seen.count("line"))
        """)
    )
    done = subprocess.run(
        [sys.executable, tmp_path / "program.py"],
        env={**os.environ, "SHAPECAST_DISABLE": value},
        capture_output=True,
        text=True,
    )
    assert (done.stdout.strip(), done.stderr) == (str(lines), "")
