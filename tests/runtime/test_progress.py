"""What is reported of a compilation on stderr, and how Ctrl-C ends one."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import textwrap
import warnings
from pathlib import Path

import numpy as np
import pytest
import shapecast
from shapecast import jit
from support.compare import make

# Takes seconds to compile: 30 calls with other kinds of arguments each.
SLOW = """
import numpy as np
from shapecast import jit
lines = [f"    x{k} = np.sort(np.convolve(a, b)[:{k + 5}])[:4] + {k}" for k in range(50)]
total = " + ".join(f"x{k}" for k in range(50))
text = "\\n".join(["def slow(a, b):", *lines, "    return " + total])
path = FOLDER + "/slow_program.py"
open(path, "w").write("import numpy as np\\n" + text + "\\n")
import importlib.util
spec = importlib.util.spec_from_file_location("slow_program", path)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
f = jit(module.slow)
call = lambda: f(np.arange(200.0), np.ones(3))
"""


def program(text: str, folder: Path) -> Path:
    path = folder / "program.py"
    path.write_text(f"FOLDER = {str(folder)!r}\n" + textwrap.dedent(text))
    return path


def environment(**values: str) -> dict[str, str]:
    return {**os.environ, "SHAPECAST_CACHE_DIR": "off", **values}


def on_terminal(path: Path) -> str:
    """What it writes to stderr, a terminal."""
    leader, follower = pty.openpty()
    running = subprocess.Popen([sys.executable, str(path)], stderr=follower, env=environment())
    os.close(follower)
    written = b""
    try:
        while part := os.read(leader, 4096):
            written += part
    except OSError:  # the other end is closed
        pass
    os.close(leader)
    assert running.wait() == 0
    return written.decode()


def test_a_slow_compilation_says_so_once_on_a_terminal(tmp_path: Path) -> None:
    path = program(SLOW + "call(); call()\n", tmp_path)
    said = on_terminal(path).splitlines()
    assert len(said) == 1, said
    assert said[0].startswith("shapecast: ")
    assert "slow(a: float64[s0], b: float64[s1])" in said[0]
    assert "SHAPECAST_LOG=compile" in said[0]
    done = subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, env=environment(), check=True
    )
    assert done.stderr == ""


def test_brief_compilations_say_nothing(tmp_path: Path) -> None:
    text = """
    from slow import f
    f(1.0)
    """
    (tmp_path / "slow.py").write_text(
        "from shapecast import jit\n@jit\ndef f(x):\n    return x + 1\n"
    )
    assert on_terminal(program(text, tmp_path)) == ""


def test_the_log_names_every_compilation_with_reason_and_time(tmp_path: Path) -> None:
    (tmp_path / "logged.py").write_text(
        textwrap.dedent("""
        from shapecast import jit
        K = 2
        @jit
        def f(x):
            return x * K
        @jit
        def g(x):
            return memoryview(x)
        """)
    )
    text = """
    import logged
    logged.f(1.0); logged.f(2.0); logged.f(3)
    logged.K = 2.5
    logged.f(1.0)
    try:
        logged.g(1.0)
    except Exception:
        pass
    """
    path = program(text, tmp_path)
    run = [sys.executable, str(path)]
    done = subprocess.run(
        run, capture_output=True, text=True, env=environment(SHAPECAST_LOG="compile"), check=True
    )
    lines = done.stderr.splitlines()
    assert all(line.startswith("shapecast: ") for line in lines)
    assert [line for line in lines if line.startswith("shapecast: f: x: float: new key, ")]
    assert [line for line in lines if line.startswith("shapecast: f: x: int: new key, ")]
    assert all(line.endswith(" ms") for line in lines if "new key" in line)
    assert [line for line in lines if "compiled again" in line and "changed" in line]
    assert [line for line in lines if line.startswith("shapecast: g: ") and "not compiled" in line]
    silent = subprocess.run(run, capture_output=True, text=True, env=environment(), check=True)
    assert silent.stderr == ""


def test_ctrl_c_ends_a_compilation(tmp_path: Path) -> None:
    text = """
    import signal, sys
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        call()
    except KeyboardInterrupt:
        print("ended")
    else:
        print("was too fast")
    h = jit(module.slow)
    try:
        h(np.arange(9.0), "no array")
    except Exception as error:
        print(type(error).__name__)
    g = jit(np_sum)
    print(g(np.ones(3)))
    """
    helper = "def np_sum(x):\n    return x.sum()\n"
    path = program(SLOW + helper + textwrap.dedent(text), tmp_path)
    done = subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, env=environment(), check=True
    )
    first, second, third = done.stdout.splitlines()
    assert first == "ended"
    assert "Error" in second
    assert third == "3.0"


@pytest.mark.parametrize("seconds", [0.1, 0.2, 0.3])
def test_an_interrupted_compilation_can_be_repeated(seconds: float) -> None:
    lines = [f"    x = np.sort(np.convolve(x, np.ones(3)))[:{k + 5}] + {k}" for k in range(60)]
    f = jit(make("def f(x):\n" + "\n".join(lines) + "\n    return x"))
    x = np.arange(50.0)
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        with pytest.raises(KeyboardInterrupt):
            f(x)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    np.testing.assert_array_equal(f(x), f.__wrapped__(x))


# ------------------------------------------------------------------------------- kinds of arguments


def test_a_warning_names_the_parameter_that_has_too_many_kinds() -> None:
    @jit(static_argnames="n")
    def scaled(x, n):
        return x * n

    x = np.ones(2)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for n in range(66):
            assert scaled(x, n)[0] == n
    assert [w.category for w in caught] == [RuntimeWarning] and caught[0].filename == __file__
    text = str(caught[0].message)
    assert "scaled() is called with more kinds of arguments than the 64" in text
    assert "the parameter 'n' has been 0, 1, 2, ..." in text


def test_that_warning_as_an_error_leaves_the_function_usable() -> None:
    f = jit(lambda x, n: x + len(n), static_argnames="n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for n in range(64):
            assert f(1, "a" * n) == n + 1
        with pytest.raises(RuntimeWarning, match="'n' has been"):
            f(1, "a" * 64)
        assert f(1, "a" * 64) == 65 and f(1, "") == 1


@jit
def fits(xs, y):
    first = np.polyfit(xs[0], y, 1)[0]
    for x in xs:
        first += np.polyfit(x, y, 1)[0]
    return first + sum(np.polyval(np.polyfit(x, y, 1), 0.0) for x in xs)


def performance_warnings(action: str, category: type[Warning]) -> list[tuple[str, int]]:
    function = jit(fits.__wrapped__)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter(action, category)  # type: ignore[arg-type]
        function(np.arange(8.0).reshape(2, 4), np.ones(4))
    first = fits.__wrapped__.__code__.co_firstlineno
    assert all(w.category is shapecast.PerformanceWarning for w in caught)
    assert all(w.filename == __file__ for w in caught)
    return [(str(w.message).partition(") ")[2], w.lineno - first) for w in caught]


def test_calls_of_python_are_warned_of_where_it_is_asked_for() -> None:
    text = "calls numpy.polyfit in Python"
    loop = f"{text}, at each iteration of a loop"
    assert performance_warnings("always", shapecast.PerformanceWarning) == [
        (text, 2),
        (loop, 4),
        (loop, 5),
    ]
    for action, category in [
        ("ignore", shapecast.PerformanceWarning),
        ("always", Warning),
        ("always", UserWarning),
    ]:
        assert performance_warnings(action, category) == []


def test_a_filter_makes_them_errors_until_it_is_gone() -> None:
    function = jit(fits.__wrapped__)
    arguments = np.arange(8.0).reshape(2, 4), np.ones(4)
    with warnings.catch_warnings():
        warnings.simplefilter("error", shapecast.PerformanceWarning)
        for _ in range(2):
            with pytest.raises(shapecast.PerformanceWarning, match=r"calls numpy\.polyfit"):
                function(*arguments)
    assert function(*arguments) == pytest.approx(fits.__wrapped__(*arguments))


def test_the_environment_asks_for_them_too(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(
        "import numpy as np\nfrom shapecast import jit\n@jit\ndef f(x):\n"
        "    return np.polyfit(x, x, 1)\nf(np.arange(4.0))\nf(np.arange(4.0))\n"
    )
    for value, count in (("1", 1), ("0", 0)):
        environment = {**os.environ, "SHAPECAST_WARN": value}
        command = [sys.executable, tmp_path / "program.py"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        assert done.returncode == 0
        assert done.stderr.count("program.py:5: PerformanceWarning: shapecast: f() calls") == count
