"""The plugin of pytest: modes, same_as_numpy, no_compilation."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

PREPARED = """
import unittest
from dataclasses import dataclass
import numpy as np
import pytest
from shapecast import jit, _core
"""

Run = Callable[..., tuple[dict[str, str], str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """The outcome of each test of a file, by name, and the whole output."""

    def run(program: str, *options: str) -> tuple[dict[str, str], str]:
        (tmp_path / "test_it.py").write_text(PREPARED + textwrap.dedent(program))
        found = [] if "-p" in options else ["-p", "pytest_shapecast"]
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", *found, *options],
            cwd=tmp_path,
            env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
            capture_output=True,
            text=True,
        )
        lines = re.findall(r"^test_it\.py::(\S+) (\w+)", done.stdout, re.MULTILINE)
        return dict(lines), done.stdout + done.stderr

    return run


MODES = """
    @pytest.fixture
    def which():
        return "plain" if _core._is_disabled() else "jitted"

    def test_function(which):
        assert which == "jitted"

    @pytest.mark.parametrize("k", [1, 2])
    def test_of_parameters(k, which):
        assert which == "jitted"

    class TestClass:
        def test_method(self, which):
            assert which == "jitted"

    class Old(unittest.TestCase):
        def test_old(self):
            assert not _core._is_disabled()
"""
NAMES = [
    "test_function",
    "test_of_parameters[1]",
    "test_of_parameters[2]",
    "TestClass::test_method",
]


def test_without_options_it_does_nothing(run: Run) -> None:
    found, text = run(MODES)
    assert found == dict.fromkeys([*NAMES, "Old::test_old"], "PASSED"), text


def test_off(run: Run) -> None:
    found, text = run(MODES, "--shapecast=off")
    assert found == dict.fromkeys([*NAMES, "Old::test_old"], "FAILED"), text


def test_both(run: Run) -> None:
    found, text = run(MODES, "--shapecast=both")
    outcomes = {"jitted": "PASSED", "plain": "FAILED"}
    expected = {"Old::test_old": "PASSED"}  # unittest has no parameters
    for mode, outcome in outcomes.items():
        for name in ("test_function[{}]", "TestClass::test_method[{}]"):
            expected[name.format(mode)] = outcome
        for k in (1, 2):
            expected[f"test_of_parameters[{mode}-{k}]"] = outcome
    assert found == expected, text


def test_it_imports_nothing_until_it_is_asked(run: Run) -> None:
    program = """
    import sys
    sys.exit(any(name in sys.modules for name in ("numpy", "shapecast")))
    """
    code = "import sys, pytest_shapecast\n" + textwrap.dedent(program)
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


SAME = """
    @dataclass
    class State:
        x: np.ndarray
        n: int

    class Slots:
        __slots__ = ("x", "n")

        def __init__(self, x, n):
            self.x, self.n = x, n

    def equal(x, scale=2.0):
        x += 1
        return x.sum() * scale, {"x": x}, [None, "text", 3]

    def moves(state):
        state.x += state.n
        return state

    def raises(x):
        x[0] = 5
        raise ValueError("no")

    @jit
    def wrong(x):
        return x.sum()

    class Differs:
        __wrapped__ = None
        def __init__(self, plain, jitted):
            self.plain, self.jitted = plain, jitted
        def __call__(self, *args):
            return (self.plain if _core._is_disabled() else self.jitted)(*args)

    def test_equal(same_as_numpy):
        x = np.ones(3)
        total, _, _ = same_as_numpy(equal, x, scale=3.0)
        assert total == 18 and x.tolist() == [1, 1, 1]
        same_as_numpy(jit(equal), x)

    def test_object(same_as_numpy):
        same_as_numpy(moves, State(np.ones(2), 3))
        same_as_numpy(Differs(lambda x: Slots(x, 1), lambda x: Slots(x, 1)), np.ones(2))

    def test_raises(same_as_numpy):
        with pytest.raises(ValueError, match="no"):
            same_as_numpy(raises, np.ones(2))

    @pytest.mark.parametrize(("plain", "jitted", "text"), [
        (lambda x: x, lambda x: x + 1e-3, "Not equal to tolerance"),
        (lambda x: x, lambda x: x.astype("f4"), "float32.3., and as plain Python float64.3."),
        (lambda x: 1, lambda x: 1.0, "float, and as plain Python int"),
        (lambda x: [1], lambda x: [1, 2], "2 items, and as plain Python 1"),
        (lambda x: {"a": 1}, lambda x: {"b": 1}, "keys"),
        (lambda x: x.fill(1), lambda x: None, "arguments after the call"),
        (lambda x: 1 / 0, lambda x: None, "raises nothing; as plain Python ZeroDivisionError"),
        (lambda x: None, lambda x: 1 / 0, "raises ZeroDivisionError.*as plain Python nothing"),
        (lambda x: x[9], lambda x: 1 / 0, "raises ZeroDivisionError.*as plain Python IndexError"),
        (lambda x: State(x, 1), lambda x: State(x, 2), r"\\.n: 2, and as plain Python 1"),
        (lambda x: Slots(x, 1), lambda x: Slots(x, 2), r"\\.n: 2, and as plain Python 1"),
    ], ids=list("abcdefghijk"))
    def test_differs(same_as_numpy, plain, jitted, text):
        with pytest.raises(AssertionError, match=text):
            same_as_numpy(Differs(plain, jitted), np.zeros(3))

    def test_near(same_as_numpy):
        same_as_numpy(Differs(lambda x: x, lambda x: x + 1e-9), np.ones(3))
        same_as_numpy(Differs(lambda x: x, lambda x: x + 1e-3), np.ones(3), atol=1e-2)
"""


@pytest.mark.parametrize("option", ["--shapecast=on", "--shapecast=both"])
def test_same_as_numpy(run: Run, option: str) -> None:
    found, _ = run(SAME, option)
    plain = [name for name in found if "plain" in name]
    assert len(found) - len(plain) == 15
    assert {found[name] for name in found if name not in plain} == {"PASSED"}


def test_no_compilation(run: Run) -> None:
    found, text = run(
        """
        @jit
        def f(x):
            return x + 1

        def test_sizes(no_compilation):
            f(np.ones(3))
            with no_compilation():
                f(np.ones(300))

        def test_dtypes(no_compilation):
            with no_compilation():
                f(np.ones(3, "f4"))

        def test_error(no_compilation):
            with pytest.raises(ZeroDivisionError), no_compilation():
                1 / 0
        """
    )
    assert found == {"test_sizes": "PASSED", "test_dtypes": "FAILED", "test_error": "PASSED"}, text
    assert "1 variant of jitted functions compiled or loaded from disk" in text
