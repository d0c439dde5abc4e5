"""Functions whose source is in no file: of `python -c`, typed at Python's prompt, read from
standard input, of timeit, and those of test modules, in which pytest writes asserts anew.
"""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from shapecast import jit

PROGRAM = """
from dataclasses import dataclass
import numpy as np
from shapecast import jit

scale = 3

@dataclass
class Pair:
    x: float
    y: float

@jit
def f(x, at):
    '''-c is a word too'''
    return (x * scale)[at] + sum(p.x * p.y for p in (Pair(2.0, 1.0), Pair(4.0, 2.0)))

g = jit(lambda x: x + scale)
print(f(np.arange(3.0), 2), g(1), PLAIN)
f(np.arange(3.0), 7)
"""


def run(*arguments: str, text: str | None = None, **environment: str) -> tuple[str, str]:
    done = subprocess.run(
        [sys.executable, *arguments],
        input=text,
        capture_output=True,
        text=True,
        env=os.environ | environment,
    )
    return done.stdout, done.stderr


@pytest.mark.parametrize("flags", [["-c"], ["-X", "utf8", "-Bc"]], ids=" ".join)
def test_functions_of_the_command_line(flags: list[str], tmp_path: Path) -> None:
    for _ in range(2):  # compiled, and from disk
        out, err = run(
            *flags, PROGRAM.replace("PLAIN", "0"), "more", SHAPECAST_CACHE_DIR=str(tmp_path)
        )
        assert out == "16.0 4 0\n"
        assert "IndexError: index 7 is out of bounds for axis 0 with size 3" in err
        assert "\n           ~~~~~~~~~~~^^^^\n" in err
    out, _ = run(
        *flags,
        PROGRAM.replace("scale = 3", "scale = 4").replace("PLAIN", "1"),
        SHAPECAST_CACHE_DIR=str(tmp_path),
    )
    assert out == "18.0 5 1\n"


def test_the_command_line_in_one_argument() -> None:
    out, err = run("-cimport shapecast; print(shapecast.jit(lambda x: x * 2)(4))")
    assert (out, err) == ("8\n", "")


def test_methods_that_dataclass_did_not_write() -> None:
    """What it writes itself is code of no file too."""
    out, err = run(
        "-c",
        """
from dataclasses import dataclass
from shapecast import jit
@dataclass
class Pair:
    x: float
    def __init__(self, x):
        self.x = 2 * x
@jit
def f(x):
    return Pair(x).x
print(f(1.0))
""",
    )
    assert out == "" and "calling the class 'Pair' is not supported" in err


def test_functions_of_timeit() -> None:
    setup = "from shapecast import jit\n@jit\ndef f(x): return x + 1\n"
    out, err = run("-m", "timeit", "-n", "10", "-r", "1", "-s", setup, "f(1)")
    assert err == "" and out.startswith("10 loops, best of 1")
    out, err = run("-c", f"import timeit; print(timeit.timeit('f(1)', {setup!r}, number=3) < 60)")
    assert (out, err) == ("True\n", "")


def test_several_texts_of_timeit_in_one_process() -> None:
    program = """
import timeit
for k in (1, 2):
    setup = f"from shapecast import jit\\n@jit\\ndef f(x): return (x + {k},)[x]\\n"
    print(timeit.timeit("assert f(0) == %d" % k, setup, number=2) < 60)
f = timeit.Timer("f(7)", setup)
f.timeit(1)
"""
    out, err = run("-c", program)
    assert out == "True\nTrue\n"
    assert "return (x + 2,)[x]" in err and "IndexError" in err


def test_standard_input_that_is_a_file(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text(PROGRAM.replace("PLAIN", "0"))
    with program.open() as file:
        done = subprocess.run([sys.executable, "-"], stdin=file, capture_output=True, text=True)
    assert done.stdout == "16.0 4 0\n"
    assert "\n           ~~~~~~~~~~~^^^^\n" in done.stderr


def positive(x: float) -> float:
    assert x > 0, f"not positive: {x}"  # pytest writes more into this line
    return x**0.5


def test_functions_of_test_modules() -> None:
    @jit
    def total(x: np.ndarray) -> float:
        assert x.ndim == 1 and x.sum() < 10
        return positive(x.sum()) + (lambda y: y * 2)(x[0])

    assert total(np.array([4.0, 5.0])) == 11
    assert jit(positive)(4) == 2
    with pytest.raises(AssertionError, match="not positive: -4"):
        total(np.array([-4.0]))
    with pytest.raises(AssertionError):
        total(np.array([40.0]))


def test_standard_input_says_why() -> None:
    out, err = run("-", text=PROGRAM.replace("PLAIN", "0"))
    assert out == ""
    assert "the source of 'f' is not available (<stdin>)" in err
    if sys.version_info < (3, 15):
        assert "read from standard input leaves no text behind; define it in a file" in err


def type_in(lines: list[str]) -> str:
    """What Python's prompt shows for them on a terminal."""
    main, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-q"],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=os.environ | {"TERM": "dumb", "PYTHON_BASIC_REPL": "1", "NO_COLOR": "1"},
        start_new_session=True,
    )
    os.close(terminal)
    shown = b""
    for line in [*lines, "exit()"]:
        while not shown.endswith((b">>> ", b"... ")):
            shown += os.read(main, 4096)
        os.write(main, line.encode() + b"\n")
        shown += os.read(main, 1)
    try:
        while more := os.read(main, 4096):
            shown += more
    except OSError:  # the other side is closed
        pass
    process.wait(timeout=60)
    os.close(main)
    return shown.decode().replace("\r\n", "\n")


def test_functions_typed_at_the_prompt() -> None:
    shown = type_in(
        [
            "import numpy as np",
            "from shapecast import jit",
            "@jit",
            "def f(x):",
            "    return x * 2",
            "",
            "print('first', f(21))",
            "def f(x):",
            "    if x > 0:",
            "        return x * 3",
            "    else:",
            "        return [",
            "-x",
            "        ][0]",
            "",
            "print('second', jit(f)(5), jit(f)(-5))",
            "class A:",
            "    def __init__(self, x):",
            "        self.x = x",
            "    @jit",
            "    def m(self, at):",
            "        return self.x + np.zeros(2)[at]",
            "",
            "print('method', A(3).m(1))",
            "g = jit(lambda x: x + 5)",
            "print('lambda', g(1))",
            "A(3).m(7)",
        ]
    )
    for line in ("first 42", "second 15 5", "method 3.0", "lambda 6"):
        assert f"\n{line}\n" in shown, shown
    assert "IndexError: index 7 is out of bounds for axis 0 with size 2" in shown
    assert "return self.x + np.zeros(2)[at]\n                    ~~~~~~~~~~~^^^^" in shown
