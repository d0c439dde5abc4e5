"""Cells in a real Jupyter kernel give what they give with plain functions, below the right cell.

Each check sends its cells twice to one kernel, with `jit` and with a `jit` that does nothing, and
compares all that comes back: text in the order in which it was printed, results, errors.
"""

from __future__ import annotations

import itertools
import os
import re
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.manager import start_new_kernel

PREPARED = """
import os, pathlib, sys, time
import numpy as np
stamps = iter(range(1, 1000))

def write(name, text):
    path = pathlib.Path(name)
    path.write_text(IMPORTS + text)
    os.utime(path, (next(stamps) * 10,) * 2)  # autoreload goes by the time of the last change
"""
JITTED = "from shapecast import jit\nIMPORTS = 'import numpy as np\\nfrom shapecast import jit\\n'"
PLAIN = (
    "def jit(f=None, **options):\n    return (lambda f: f) if f is None else f\n"
    "IMPORTS = 'import numpy as np\\njit = lambda f=None, **o: f or (lambda f: f)\\n'"
)

Output = tuple[str, ...]


class Kernel:
    def __init__(self, folder: Path) -> None:
        environment = {**os.environ, "SHAPECAST_CACHE_DIR": str(folder / "cache")}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        self.manager, self.client = start_new_kernel(env=environment, cwd=str(folder))
        self.numbers = itertools.count()
        self.run(PREPARED)
        self.run("sys.path.insert(0, os.getcwd())\n%load_ext autoreload")

    def start(self, cell: str) -> str:
        return str(self.client.execute(textwrap.dedent(cell).strip("\n")))

    def finish(self, started: str) -> list[Output]:
        """What the cell has sent, all of each stream together, since a kernel sends two streams
        in no particular order; of other cells nothing comes.
        """
        sent: list[Output] = []
        streams: dict[str, str] = {}
        while True:
            message = self.client.get_iopub_msg(timeout=50)
            kind, content = message["msg_type"], message["content"]
            if message["parent_header"].get("msg_id") != started:
                # The welcome to the subscription may come late.
                assert kind in ("status", "iopub_welcome"), message
            elif kind == "stream":
                streams[content["name"]] = streams.get(content["name"], "") + content["text"]
            elif kind in ("execute_result", "display_data"):
                sent.append((kind, content["data"]["text/plain"], *content["data"]))
            elif kind == "error":
                sent.append((kind, content["ename"], content["evalue"], plain_traceback(content)))
            elif kind == "status" and content["execution_state"] == "idle":
                return [*sorted(streams.items()), *sent]

    def run(self, cell: str) -> list[Output]:
        return self.finish(self.start(cell))

    def reply(self, request: str) -> Any:
        while True:
            message = self.client.get_shell_msg(timeout=50)
            if message["parent_header"].get("msg_id") == request:
                return message["content"]


def plain_traceback(content: dict[str, Any]) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(content["traceback"]))


def arrows(outputs: list[Output]) -> list[str]:
    """The lines that a traceback points to, each with its number."""
    text = outputs[-1][3]
    return [line.lstrip("-") for line in text.splitlines() if line.startswith("--") and ">" in line]


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    started = Kernel(tmp_path_factory.mktemp("kernel"))
    yield started
    started.client.stop_channels()
    started.manager.shutdown_kernel(now=True)


def outputs(kernel: Kernel, cells: tuple[str, ...], first: str) -> list[list[Output]]:
    name = f"module{next(kernel.numbers)}"
    kernel.run(first)
    return [kernel.run(cell.replace("MODULE", name)) for cell in cells]


def check(kernel: Kernel, *cells: str) -> list[list[Output]]:
    """All but the traceback's text; what the jitted cells gave."""
    found = outputs(kernel, cells, JITTED)
    expected = outputs(kernel, cells, PLAIN)
    for cell, ours, theirs in zip(cells, found, expected, strict=True):
        assert [o[:3] for o in ours] == [o[:3] for o in theirs], cell
    return found


# ------------------------------------------------------------------------------- cells that change


def test_functions_helpers_and_globals_are_those_of_the_last_cell(kernel: Kernel) -> None:
    check(
        kernel,
        "def helper(x):\n    return x + K\n\nK = 2\n\n@jit\ndef f(x):\n    return helper(x) * A",
        "A = np.arange(3)\nf(1)",
        "K = 2.5\nf(1)",
        "A[1] = 100; A = A * 1j\nf(1)",
        "def helper(x):\n    return x - K\n\nf(1)",
        "helper = np.sqrt\nf(4)",
        "helper = jit(lambda x: x * 3)\nf(4)",
        "before = f\n\n@jit\ndef f(x):\n    return x\n\nbefore(4), f(4)",
        "del helper\nbefore(4)",
        "A = {'a': 1.5}\n\n@jit\ndef f(x):\n    return x * A['a']\n\nf(2)",
        "A['a'] = 7\nf(2)",
        "A = {'b': 1}\nf(2)",
    )


def test_a_cell_that_runs_again_is_the_one_that_is_shown(kernel: Kernel) -> None:
    cell = "@jit\ndef f(x):\n    return x {} 3\n\nf(2)"
    check(kernel, *(cell.format(operator) for operator in ("+", "-", "+", "**", "//")))


def test_classes_that_are_defined_again(kernel: Kernel) -> None:
    check(
        kernel,
        """
        import enum
        from collections import namedtuple
        from dataclasses import dataclass

        @dataclass
        class P:
            x: float
            y: float = 2.0

            def size(self):
                return self.x * self.y

        T = namedtuple("T", "a b")

        class E(enum.Enum):
            A = 1
            B = 2

        @jit
        def f(p, t, e):
            return p.size() + t.a, T(t.b, t.a), e is E.A, P(t.a, 7)

        p, t, e = P(3.0), T(1, 2.5), E.A
        f(p, t, e)
        """,
        """
        @dataclass
        class P:
            y: float
            x: float = 12

            def size(self):
                return self.x - self.y

        f(P(3.0), t, e), f(p, t, e)
        """,
        """
        T = namedtuple("T", "b a")

        class E(enum.Enum):
            B = 1
            A = 2

        f(p, T(1, 2.5), E.A), f(p, t, e)
        """,
    )


HELPER = """
K = {k}
def helper(x):
    return x {operator} K
class Box:
    def __init__(self, v):
        self.v = v
    @jit
    def get(self, x):
        return self.v {operator} x
"""
MODULE = """
from MODULEhelper import helper, Box
state = []
@jit{options}
def f(x):
    return helper(x) * {factor}
@jit
def g(box):
    return box.get(2) * {factor}
"""


@pytest.mark.parametrize("mode", ["2", "2 --full"])
def test_autoreload_brings_what_cells_imported_up_to_date(kernel: Kernel, mode: str) -> None:
    def edit(name: str, text: str) -> str:
        return f"write('MODULE{name}.py', '''{text}''')"

    use = "f(3), g(box), g(Box(1)), MODULE.f(1.5), box.get(1)"
    plain = MODULE.format(factor=11, options="").replace("@jit", "")
    check(
        kernel,
        edit("helper", HELPER.format(k=2, operator="+")),
        edit("", MODULE.format(factor=2, options="")),
        f"%autoreload {mode}\nimport MODULE\nfrom MODULE import f, g\n"
        f"from MODULEhelper import Box\nbox = Box(5)\n{use}",
        edit("helper", HELPER.format(k=2, operator="-")),
        use,
        edit("helper", HELPER.format(k=3.5, operator="*")),
        use,
        edit("", MODULE.format(factor=1000, options="")),
        use,
        edit("", MODULE.format(factor=7, options="(static_argnames='x')")),
        use,
        edit("", plain),
        use,
        edit("", MODULE.format(factor=5, options="")),
        use,
        "import importlib\n%autoreload 0\n" + edit("", MODULE.format(factor=-1, options="")),
        use,
        f"importlib.reload(MODULE)\n{use}",
    )


RELOADED = """
from shapecast import jit, vectorize
class Model:
    @jit
    def method(self, x):
        return x * {k}
    @property
    @jit
    def value(self):
        return {k}
    @jit
    @staticmethod
    def fixed(x):
        return x - {k}
@vectorize
def larger(a, b):
    return {k} if a > b else {k} + b
"""


def test_autoreload_updates_methods_and_universal_functions(kernel: Kernel) -> None:
    kernel.run(JITTED)
    kernel.run(f"write('reloaded.py', '''{RELOADED.format(k=2)}''')")
    use = "print(m.method(10), m.value, Model.fixed(5), larger(np.arange(3), 1))"
    kernel.run("%autoreload 2\nfrom reloaded import Model, larger\nm = Model()")
    assert kernel.run(use) == [("stdout", "20 2 3 [3 3 2]\n")]
    kernel.run(f"write('reloaded.py', '''{RELOADED.format(k=3)}''')")
    assert kernel.run(f"{use}\n%autoreload 0") == [("stdout", "30 3 2 [4 4 3]\n")]


def test_autoreload_keeps_options(kernel: Kernel) -> None:
    text = "@jit{}\ndef f(n):\n    return n * 2"
    kernel.run(JITTED)
    kernel.run(f"write('options.py', '''{text.format('')}''')")
    kernel.run("%autoreload 2\nfrom options import f\nf(3)")
    kernel.run(f"write('options.py', '''{text.format('(static_argnames=chr(110))')}''')")
    assert kernel.run("print(f(3), f.signatures())\n%autoreload 0") == [("stdout", "6 ['n: 3']\n")]


def test_scripts_that_run_again(kernel: Kernel) -> None:
    script = "N = 3\n@jit\ndef s(x):\n    return x {} N\nprint(s(1), __name__)"
    check(
        kernel,
        f"write('MODULE.py', '''{script.format('+')}''')\n%run MODULE.py",
        "s(1)",
        "N = 2.5\ns(1)",
        f"write('MODULE.py', '''{script.format('-')}''')\n%run MODULE.py",
        "s(1)",
        "%run -i MODULE.py\nN = 50\ns(1)",
    )


def test_cells_that_changed_after_a_restart_are_not_the_cached_ones(kernel: Kernel) -> None:
    """The folder of a kernel's cells has its number in it; what is cached goes by their content."""
    cell = (
        "K = {}\ndef helper(x):\n    return x * K\n@jit\ndef f(x):\n    return helper(x) + 1\nf(3)"
    )
    kernel.run(JITTED)
    assert kernel.run(cell.format(2))[0][1] == "7"
    kernel.manager.restart_kernel(now=True)
    kernel.client.wait_for_ready(timeout=50)
    kernel.run(PREPARED)
    kernel.run("sys.path.insert(0, os.getcwd())\n%load_ext autoreload")
    check(
        kernel,
        cell.format(3),
        cell.format(2),
        cell.format(2.5),
        cell.format(2).replace("* K", "- K"),
        cell.format(2).replace("+ 1", "+ 1j"),
    )


# ---------------------------------------------------------------------- what is printed, and raised


def test_text_comes_in_order_and_in_its_cell(kernel: Kernel) -> None:
    check(
        kernel,
        """
        import sys, threading

        @jit
        def say(x):
            print("in", x)
            print("sum", x.sum(), end="")
            print("!", x[0], sep="-", flush=True)
            print("error", x, file=sys.stderr)
            return x

        print("before")
        say(np.arange(3))
        """,
        "print('x', end=''); say(np.arange(2)); print('after')",
        "import io, contextlib\nwith contextlib.redirect_stdout(io.StringIO()) as s:\n"
        "    say(np.arange(2.0))\ns.getvalue()",
        "%%capture taken\nsay(np.arange(2.0))",
        "taken.stdout, taken.stderr",
        "go = threading.Event()\n"
        "thread = threading.Thread(target=lambda: (go.wait(), say(np.ones(2)), print('mine')))\n"
        "thread.start()",
        "go.set(); thread.join(); print('joined')",
        "print('later')",
    )


def test_tracebacks_point_to_the_lines_of_the_cell(kernel: Kernel) -> None:
    cells = (
        "one = 1\n\n\n@jit\ndef g(x,\n      y):\n    z = x + one\n\n    # comment\n"
        "    return z[5] + y\n@jit\ndef h(x):\n    total = 1\n    return g(x, total)",
        "two = 2\nh(np.arange(3))",
        "@jit\ndef f(x):\n    if x > 1:\n        raise ValueError(f'no {x}')\n    return x\n\nf(2)",
        "write('MODULE.py', '''\n\n@jit\ndef f(x):\n    y = x + 1\n    return y[7]\n''')\n"
        "import MODULE as made\nmade.f(np.ones(2))",
        "f(1, 2)",
    )
    found = check(kernel, *cells)
    expected = outputs(kernel, cells, PLAIN)
    for cell, ours, theirs in zip(cells[1:], found[1:], expected[1:], strict=True):
        assert arrows(ours) == arrows(theirs), cell
    assert "    return z[5] + y\n           ~^^^" in found[1][-1][3]
    assert "in g()\n" in found[1][-1][3]


def test_a_slow_compilation_says_so_once(kernel: Kernel) -> None:
    kernel.run(JITTED)
    lines = [f"    x{k} = np.sort(np.convolve(a, b)[:{k + 5}])[:4]" for k in range(150)]
    total = " + ".join(f"x{k}" for k in range(150))
    cell = "\n".join(["@jit", "def slow(a, b):", *lines, f"    return {total}"])
    kernel.run(cell)
    first, second = (kernel.run("slow(np.arange(200.0), np.ones(3))") for _ in range(2))
    assert [o[0] for o in first] == ["stderr", "execute_result"]
    assert first[0][1].startswith("shapecast: ") and len(first[0][1].splitlines()) == 1
    assert "slow(a: float64[s0], b: float64[s1])" in first[0][1]
    assert second == first[1:]


# --------------------------------------------------------------------------------------- interrupts


LOOP = """
@jit
def loop(n):
    total = 0.0
    for i in range(n):
        total += i * 0.5
    return total
loop(10)
@jit
def nest(x, n):
    for _ in range(n):
        x = x * 0.5 + np.sin(x)
    return x
nest(np.ones(3), 2)
def calls(n):
    for i in range(n):
        jit(lambda x: x + 1)(i)
"""


@pytest.mark.parametrize("call", ["loop(10**13)", "nest(np.ones(10**6), 10**9)", "calls(10**9)"])
def test_interrupts_end_a_cell_and_the_next_one_runs(kernel: Kernel, call: str) -> None:
    kernel.run(JITTED)
    kernel.run(LOOP)
    started = kernel.start(call)
    time.sleep(0.4)
    kernel.manager.interrupt_kernel()
    assert kernel.finish(started)[-1][1] == "KeyboardInterrupt"
    assert kernel.run("loop(10)")[0][1] == "22.5"


# ------------------------------------------------------------------------------- what notebooks add


def test_magics_and_caches_of_results(kernel: Kernel) -> None:
    check(
        kernel,
        "@jit\ndef f(x):\n    'Adds one.'\n    return x + 1\n\n@jit\ndef same(x):\n    return x",
        "%timeit -q -n 5 -r 2 f(2)\n%prun -q f(2)",
        "%%timeit -q -n 5 -r 2\nf(3.5)",
        "f.__doc__, f.__name__, f.__module__, f.__qualname__",
        "import inspect\nprint(inspect.getsource(f), inspect.signature(f))",
        "a = np.arange(3)\nsame(a)",
        "_ is a",
        "_ is True",
        "@jit\ndef change(x, y):\n    x += y\n    y[:] = x[::-1]\n\nchange(a, a)\na",
        "same(a)[1:]",
        "_[0] = 77\na",
        "del f\nf(1)",
    )


def test_completion_and_help(kernel: Kernel) -> None:
    kernel.run(JITTED)
    kernel.run("@jit\ndef helpful(some, thing=3):\n    'Says more.'\n    return some")
    found = kernel.reply(kernel.client.complete("helpful.", 8))["matches"]
    assert {"explain", "stages", "compile"} <= {name.removeprefix("helpful.") for name in found}
    shown = kernel.reply(kernel.client.inspect("helpful", 3))["data"]["text/plain"]
    assert "helpful(some, thing=3)" in re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert "Says more." in shown
    view = kernel.run("helpful(1.5)\nhelpful")[0]
    assert view[1] == "<jit helpful>" and "text/html" in view


def test_coroutines_and_threads(kernel: Kernel) -> None:
    check(
        kernel,
        """
        import asyncio
        from concurrent.futures import ThreadPoolExecutor

        @jit
        def f(x, k=1):
            if k == 3:
                raise ValueError(f"no {k}")
            return x + k

        async def later(x):
            await asyncio.sleep(0)
            return f(x)

        await asyncio.gather(*[later(k) for k in (1, 2.5, 3j)])
        """,
        "await asyncio.to_thread(f, 5)",
        "with ThreadPoolExecutor(4) as pool:\n"
        "    futures = [pool.submit(f, np.ones(2), k) for k in range(5)]\n"
        "[str(t.exception()) if t.exception() else t.result() for t in futures]",
        "await asyncio.to_thread(f, 5, 3)",
    )


def test_functions_of_cells_in_other_processes(kernel: Kernel) -> None:
    """Forked ones have the functions of the cells, started ones those of modules."""
    check(
        kernel,
        "write('MODULE.py', '@jit\\ndef work(k):\\n    return np.arange(k).sum() * 2\\n')\n"
        "import MODULE\nfrom concurrent.futures import ProcessPoolExecutor\n"
        "from multiprocessing import get_context\n"
        "@jit\ndef own(k):\n    return np.ones(k) * 3\n",
        "own(2)\nwith get_context('fork').Pool(2) as pool:\n"
        "    made = pool.map(own, range(3)), pool.map(MODULE.work, range(3))\nmade",
        "with ProcessPoolExecutor(1, mp_context=get_context('spawn')) as pool:\n"
        "    made = list(pool.map(MODULE.work, range(3)))\nmade",
        "import cloudpickle\nmade = cloudpickle.loads(cloudpickle.dumps(own))\n"
        "made(2), made is own",
        "import copy, pickle\ncopy.copy(own) is own, pickle.loads(pickle.dumps(own)) is own",
    )


# ------------------------------------------------------------------------------------ %%shapecast


def test_the_cell_magic_jits_functions_and_says_what_became_of_them(kernel: Kernel) -> None:
    kernel.run("%load_ext shapecast")
    (stream,) = kernel.run(
        """
        %%shapecast
        import functools
        from shapecast import jit

        def plus(x):
            def inner(y):
                return y + 1
            return inner(x)

        def frames(x):
            return sys._getframe(0).f_lineno

        def waits(x):
            return x

        @jit(static_argnames="n")
        def power(x, n):
            return x ** n

        @functools.cache
        def cached(n):
            return n + 1

        class Plain:
            def method(self):
                return 1

        print(plus(np.arange(2)), frames(1), power(2.0, n=2), cached(3), Plain().method())
        """
    )
    lines = stream[1].splitlines()
    assert lines[0] == "[1 2] 10 4.0 4 1"
    assert re.fullmatch(r"plus\(x: int64\[s0\]\): compiled in \d+ ms", lines[1])
    assert lines[2].startswith("frames: plain Python: ")
    assert lines[3] == "waits: compiled at its first call"
    assert re.fullmatch(r"power\(x: float, n: 2\): compiled in \d+ ms", lines[4])
    assert re.fullmatch(r"cached\(n: int\): compiled in \d+ ms", lines[5]) and len(lines) == 6
    (shown,) = kernel.run("type(plus).__name__, type(cached).__name__, type(Plain.method).__name__")
    assert shown[1] == "('Jit', '_lru_cache_wrapper', 'function')"


def test_the_cell_magic_can_be_strict_and_shows_errors_once(kernel: Kernel) -> None:
    kernel.run("%load_ext shapecast")
    for line, kind in (
        ("%%shapecast strict\ndef f(x):\n    return sys._getframe(0)\nf(1)", "UnsupportedError"),
        ("%%shapecast\ndef f(x):\n    return x / 0\nf(1)", "ZeroDivisionError"),
        ("%%shapecast\ndef f(x:\n    return x\nf(1)", "SyntaxError"),
        ("%%shapecast fast\n1", "ValueError"),
    ):
        sent = kernel.run(line)
        assert [o[0] for o in sent] == ["error"] and sent[0][1] == kind, sent
    kernel.run("%unload_ext shapecast")
    assert "not found" in str(kernel.run("%%shapecast\n1"))
