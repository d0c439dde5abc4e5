"""Threads that compile, run and call Python while the interpreter ends do not disturb its end."""

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys, threading, time
import numpy as np
from shapecast import jit, pyfunc

def make(k):
    space = {"np": np, "time": time}
    text = f'''
def f(x, n):
    total = 0.0
    for i in range(n):
        total += (x * {k} + np.sin(x)).sum()
    return total
'''
    import linecache
    file = f"<made {k}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    exec(compile(text, file, "exec"), space)
    return jit(space["f"])

@jit
def prints(n):
    for i in range(n):
        print("", end="")

def compiling(first):
    for k in range(first, first + 100_000):
        make(k)(np.ones(10), 1)

def running():
    f = make(-1)
    while True:
        f(np.ones(100_000), 50)

def calling():
    while True:
        prints(1000)

for target, arguments in [(compiling, (0,)), (compiling, (10**6,)), (running, ()), (calling, ())]:
    threading.Thread(target=target, args=arguments, daemon=True).start()
time.sleep(float(sys.argv[1]))
"""


@pytest.mark.parametrize("seconds", [0.3, 0.5, 0.71, 0.9])
def test_daemon_threads_may_be_anywhere_when_the_interpreter_ends(
    seconds: float, tmp_path: Path
) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, program, str(seconds)],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0 and not done.stderr, done.stderr


def test_importing_in_a_subinterpreter_is_an_error() -> None:
    name = "_xxsubinterpreters" if sys.version_info < (3, 13) else "_interpreters"
    text = f"""
import {name} as interpreters
new = interpreters.create()
code = '''
try:
    import shapecast
except ImportError as error:
    print(error)
'''
interpreters.run_string(new, code)
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", text],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    # From Python 3.12 on it is Python that says so.
    assert "main interpreter only" in done.stdout or "in subinterpreters" in done.stdout
