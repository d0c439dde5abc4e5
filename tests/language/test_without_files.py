"""Functions whose source is in no file: of `python -c`, typed at Python's prompt, read from
standard input, of timeit, and those of test modules, in which pytest writes asserts anew.
"""

from __future__ import annotations

import ast
import code
import os
import pty
import subprocess
import sys
import tempfile
import textwrap
import traceback
import zipfile
from pathlib import Path

import numpy as np
import pytest
from shapecast import UnsupportedError, jit

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


# With it Python reads standard input byte by byte.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}


def run(*arguments: str, text: str | None = None, **environment: str) -> tuple[str, str]:
    done = subprocess.run(
        [sys.executable, *arguments],
        input=text,
        capture_output=True,
        text=True,
        env=ENVIRONMENT | environment,
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
    assert out == "2.0\n" and err == ""


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


def test_a_program_in_a_pipe() -> None:
    out, err = run("-", text=PROGRAM.replace("PLAIN", "0"))
    assert out == "16.0 4 0\n"
    assert "\n           ~~~~~~~~~~~^^^^\n" in err


@pytest.mark.parametrize("rest", [b"", b"@\x14U\x12\n\x7f", b"\n\x0c\x85(\n", b"\xff\x1c'"])
def test_older_bytes_behind_a_program_in_a_pipe(rest: bytes) -> None:
    """As they are behind a program: from one run to the next a pointer has other bytes."""
    lines = PROGRAM.replace("PLAIN", "0")
    out, _ = run(
        "-c",
        f"""
from shapecast import _core
_core._standard_input = lambda: {lines.encode() + rest!r}
exec(compile({lines!r}, "<stdin>", "exec"))
""",
    )
    assert out == "16.0 4 0\n"


LONG = "\n".join(f"name_{k} = {k}" for k in range(400))  # more than the C library's 4 KiB


def test_the_end_of_a_long_program_in_a_pipe() -> None:
    out, err = run("-", text=f"{LONG}\n{PROGRAM.replace('PLAIN', '0')}")
    assert out == "16.0 4 0\n" and "IndexError: index 7 is out of bounds" in err


def test_definitions_that_are_lost_in_a_pipe_are_said_to_be() -> None:
    reason = "the source of 'f' is not available (<stdin>); of a program in a pipe the last 4 KiB"
    head = PROGRAM.partition("g =")[0]
    assert reason in run("-", text=f"{head}\n{LONG}\n{LONG}\nf(np.ones(3), 1)")[1]
    assert reason in run("-", text=f"{head}\nf(np.ones(3), 1)", PYTHONUNBUFFERED="1")[1]


TEXT = """
from shapecast import jit
@jit
def f(x):
    y = x * 2
    return y + 1
"""


class Builder:
    """As generators of code are written: lines, then their function."""

    def __init__(self) -> None:
        self.lines = TEXT.splitlines()

    def build(self) -> dict:
        names: dict = {}
        exec("\n".join(self.lines), names)
        return names


def of_a_global(names: dict) -> None:
    exec(TEXT, names)


def of_a_constant(names: dict) -> None:
    exec("from shapecast import jit\n@jit\ndef f(x):\n    return x * 2 + 1\n", names)


def of_an_f_string(names: dict) -> None:
    by, operation = 2, "+"
    exec(f"from shapecast import jit\n@jit\ndef f(x):\n    return x * {by} {operation} 1\n", names)


def of_format(names: dict) -> None:
    exec(TEXT.replace("1", "{one}").format(one=1), names)


def of_percent(names: dict) -> None:
    exec("from shapecast import jit\nf = jit(lambda x: x %s %d + %d)" % ("*", 2, 1), names)


def of_dedent(names: dict) -> None:
    exec(
        textwrap.dedent("""
        from shapecast import jit
        @jit
        def f(x):
            return x * 2 + 1
        """),
        names,
    )


def of_a_file(names: dict) -> None:
    with tempfile.NamedTemporaryFile("w") as file:
        file.write(TEXT)
        file.flush()
        exec(open(file.name).read(), names)
        exec(Path(file.name).read_text(), names)
        with open(file.name) as read:
            exec(read.read(), names)


def of_compile(names: dict) -> None:
    exec(compile(TEXT, "made by a program", "exec"), names)


def of_a_tree(names: dict) -> None:
    tree = ast.parse(TEXT)
    exec(compile(tree, "<tree>", "exec"), names)


def of_a_console(names: dict) -> None:
    console = code.InteractiveConsole(names)
    for line in [*TEXT.splitlines()[1:], ""]:
        console.push(line)


def of_an_interpreter(names: dict) -> None:
    code.InteractiveInterpreter(names).runsource("import shapecast")
    code.InteractiveInterpreter(names).runsource("f = shapecast.jit(lambda x: x * 2 + 1)")


def of_lines(names: dict) -> None:
    names.update(Builder().build())


def decorated_later(names: dict) -> None:
    exec("def f(x):\n    return x * 2 + 1\n", names)
    names["f"] = jit(names["f"])


def of_eval(names: dict) -> None:
    names["f"] = jit(eval(f"lambda x: x * {2} + 1"))


def with_a_helper(names: dict) -> None:
    exec("def h(x):\n    return x * 2\ndef f(x):\n    return h(x) + 1\n", names)
    names["f"] = jit(names["f"])


WAYS = [
    *(of_a_global, of_a_constant, of_an_f_string, of_format, of_percent, of_dedent, of_a_file),
    *(of_compile, of_a_tree, of_a_console, of_an_interpreter, of_lines, decorated_later, of_eval),
    with_a_helper,
]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_texts_given_to_exec(way) -> None:
    names: dict = {}
    way(names)
    assert names["f"](np.arange(3)).tolist() == [1, 3, 5]
    assert names["f"].signatures() == ["x: int64[s0]"]


def test_errors_are_drawn_in_texts_given_to_exec() -> None:
    names: dict = {"np": np, "jit": jit}
    exec("@jit\ndef f(x):\n    return np.zeros(3)[x] + 1\n", names)
    with pytest.raises(IndexError) as caught:
        names["f"](7)
    shown = "".join(traceback.format_exception(caught.value))
    assert "return np.zeros(3)[x] + 1\n           ~~~~~~~~~~~^^^" in shown


def test_each_function_of_a_template_has_its_own_text() -> None:
    functions = [jit(eval(f"lambda x: x + {k}")) for k in range(4)]
    assert [f(10) for f in functions] == [10, 11, 12, 13]


def test_expressions_with_effects_are_not_evaluated_again() -> None:
    texts = iter([f"f = jit(lambda x: x + {k})" for k in (90001, 90002)])
    names: dict = {"jit": jit}
    exec(next(texts), names)
    with pytest.raises(UnsupportedError, match="the source of '<lambda>' is not available"):
        names["f"](1)
    assert next(texts).endswith("+ 90002)")


def test_a_text_that_is_gone_is_never_guessed() -> None:
    """The texts at hand define other functions of this name."""
    names: dict = {"jit": jit}
    exec("".join(reversed("}10008 + x nruter    \n:)x(f fed\ntij@"[1:])), names)
    other = "@jit\ndef f(x):\n    return x + 2\n"
    with pytest.raises(UnsupportedError, match="is not available"):
        names["f"](1)
    assert "+ 2" in other


def test_zipped_programs(tmp_path: Path) -> None:
    program = PROGRAM.replace("PLAIN", "0")
    with zipfile.ZipFile(tmp_path / "program.zip", "w") as file:
        file.writestr("zipped.py", program.replace("f(np.arange(3.0), 7)", ""))
        file.writestr("__main__.py", "import zipped\n" + program)
    path = str(tmp_path / "program.zip")
    for arguments in ([path], ["-c", f"import runpy; runpy.run_path({path!r}, {{}}, '__main__')"]):
        out, err = run(*arguments)
        assert out == "16.0 4 0\n" * 2, err
        assert "\n           ~~~~~~~~~~~^^^^\n" in err


def test_examples_of_doctest(tmp_path: Path) -> None:
    (tmp_path / "examples.txt").write_text(
        ">>> from shapecast import jit\n>>> @jit\n... def f(x):\n...     return x + 1\n"
        ">>> f(2)\n3\n>>> jit(lambda x: x * 2)(4)\n8\n"
    )
    out, err = run("-m", "doctest", "-v", str(tmp_path / "examples.txt"))
    assert "4 passed" in out or "4 tests" in out, out + err


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
