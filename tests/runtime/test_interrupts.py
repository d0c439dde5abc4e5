"""Ctrl-C ends compiled code of every kind: KeyboardInterrupt within a tenth of a second."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from shapecast import jit
from support.compare import instrumented, make

# Each defines f and a call of it that takes minutes; with a short call first, so that it is known.
PROGRAMS = {
    "scalar for": """
def f(n):
    total = 0.0
    for i in range(n):
        total += i * 0.5
    return total
f(10)
call = lambda: f(10**12)
""",
    "scalar for, first call": """
def f(n, step):
    total = 0
    for i in range(n, 0, step):
        total ^= i
    return total
call = lambda: f(10**13, -3)
""",
    "nested for": """
def f(n):
    total = 0.0
    for i in range(n):
        for j in range(10):
            for k in range(j):
                total += i * 0.5 - j
    return total
f(10)
call = lambda: f(10**11)
""",
    "while": """
def f(n):
    k, x = 0, 1.5
    while k < n:
        x = x * 0.999 + 0.1
        k += 1
    return x
f(10)
call = lambda: f(10**12)
""",
    "while around while": """
def f(n):
    k, x = 0, 1.5
    while k < n:
        j = 0
        while j < 5:
            x = x * 0.999 + 0.1
            j += 1
        k += 1
    return x
f(10)
call = lambda: f(10**12)
""",
    "small nests in a loop": """
def f(a, n):
    for _ in range(n):
        a[1:-1] = 0.25 * (a[:-2] + 2 * a[1:-1] + a[2:])
    return a
f(np.ones(50), 10)
call = lambda: f(np.ones(50), 10**11)
""",
    "temporaries in a loop": """
def f(a, n):
    for _ in range(n):
        b = a * 2
        b[0] = 3
        a = b - a[::-1]
    return a
f(np.ones(1000), 10)
call = lambda: f(np.ones(1000), 10**11)
""",
    "one huge nest": """
def f(x, out):
    out[:] = np.sin(x * 3) ** 1.7 / np.cos(x)
x = np.ones(2 * 10**7)
f(x[:5], x[5:10])
call = lambda: [f(x, x) for _ in range(100)]
""",
    "one huge sum": """
def f(x):
    return np.sin(np.broadcast_to(x, (10**6, 10**5))).sum()
call = lambda: f(np.float64(0.5))
""",
    "huge sum of a line": """
def f(x):
    return np.cos(np.broadcast_to(x, (10**11,))).sum(), 1
call = lambda: f(np.float64(0.5))
""",
    "huge maximum of a line": """
def f(x):
    return np.cos(np.broadcast_to(x, (10**11,))).max()
call = lambda: f(np.float64(0.5))
""",
    "huge argmax": """
def f(x):
    return np.cos(np.broadcast_to(x, (10**11,))).argmax()
call = lambda: f(np.float64(0.5))
""",
    "huge integer sum": """
def f(x):
    return (np.broadcast_to(x, (10**14,)) // 3).sum()
call = lambda: f(np.int64(7))
""",
    "sum over rows": """
def f(x):
    return np.cos(np.broadcast_to(x, (10**8, 3000))).sum(axis=0)
call = lambda: f(np.ones(3000))
""",
    "recursion": """
def f(n):
    if n < 2:
        return n
    return f(n - 1) + f(n - 2)
f(5)
call = lambda: f(70)
""",
    "recursion with arrays": """
def f(a, n):
    if n < 2:
        return a
    return f(a * 0.5, n - 1)[1:] + f(a[1:], n - 2)[0]
f(np.ones(9), 5)
call = lambda: f(np.ones(99), 70)
""",
    "products in a loop": """
def f(a, n):
    b = a
    for _ in range(n):
        b = a @ b
    return b
f(np.eye(4), 2)
call = lambda: f(np.eye(100), 10**9)
""",
}

RUN = """
import os, signal, threading, time
import numpy as np
from shapecast import _core, jit
{program}
signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs ignore it
def interrupt():
    global sent
    time.sleep(0.3)
    sent = time.perf_counter()
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    call()
except KeyboardInterrupt:
    print(time.perf_counter() - sent)
assert _core.live_allocations() == 0
"""


@pytest.mark.parametrize("name", PROGRAMS)
def test_interrupt_ends(name: str, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(RUN.format(program=PROGRAMS[name].replace("def f(", "@jit\ndef f(")))
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    print(name, done.stdout)  # shown with -s; about 0.04 s on an idle machine
    assert float(done.stdout) < 1  # machines that run tests are busy with other things too


def test_handlers_that_do_not_raise_run_and_the_loop_continues() -> None:
    import signal

    f = jit(make("def f(n):\n    t = 0\n    for i in range(n):\n        t ^= i % 7\n    return t"))
    f(3)
    seen: list[float] = []
    previous = signal.signal(signal.SIGALRM, lambda *_: seen.append(f(1000)))
    signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
    try:
        assert f(7 * 2 * 10**7) == 0
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    assert seen and set(seen) == {f(1000)}


def test_stores_before_an_interrupt_stay_and_buffers_are_freed() -> None:
    import signal

    f = jit(
        make("""
        def f(a, n):
            t = a * 2
            a[0] = 7.0
            for i in range(n):
                t[1] += i
            return t
    """)
    )
    a = np.ones(100)
    f(a.copy(), 3)
    previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(KeyboardInterrupt):
            f(a, 10**12)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    assert a[0] == 7.0


WHILE_COMPILING = """
import signal, sys, threading, time, _thread
import numpy as np
from shapecast import jit
signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs ignore it
def body(rng, x):
    while True:
        x[0] += np.histogram(x, 3, (0.0, 1.0))[0][0] * 0.0 + np.cumsum(x)[0] * 0.0 + rng.random()
for milliseconds in sys.argv[1:]:
    arguments = np.random.default_rng(1), np.ones(5)  # not later: NumPy loses interrupts there
    f = jit(type(body)(body.__code__, dict(globals())))
    def interrupt():
        time.sleep(float(milliseconds) / 1000)
        _thread.interrupt_main()
    try:
        threading.Thread(target=interrupt).start()
        f(*arguments)
    except KeyboardInterrupt:
        print("interrupted")
"""


@pytest.mark.parametrize("first", [5, 15, 25, 35, 50, 70, 90, 120, 160])
def test_interrupts_while_compiling_are_not_lost(first: int, tmp_path: Path) -> None:
    """Wherever in the compiler's Python code they arrive, none is swallowed."""
    program = tmp_path / "program.py"
    program.write_text(WHILE_COMPILING)
    moments = [str(first + 11 * k) for k in range(6)]
    done = subprocess.run(
        [sys.executable, program, *moments],
        capture_output=True,
        text=True,
        timeout=600 if instrumented else 60,
    )
    assert done.stdout.split() == ["interrupted"] * len(moments), done.stderr


WHILE_CLASSIFIED = """
import os, signal
import numpy as np
from shapecast import jit
signal.signal(signal.SIGINT, signal.default_int_handler)
class Asked(type):
    def __getattr__(cls, name):
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(10):
            pass
        raise AttributeError(name)
class Argument(metaclass=Asked):
    value = 3
@jit
def f(x, c):
    return x + 1
try:
    f(np.ones(3), Argument)
    for _ in range(1000):  # else it comes here
        pass
except KeyboardInterrupt:
    print("interrupted")
"""


def test_an_interrupt_while_arguments_are_classified(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(WHILE_CLASSIFIED)
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["interrupted"], done.stderr
