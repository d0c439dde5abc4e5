"""One case per message: exception type, wording, the user's line with a caret under the guilty
expression, facts.

Each program marks the guilty expression with «…»; the caret line of the message must span exactly
that.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
import shapecast
from shapecast import jit
from support.compare import copy_arguments, full_text, jitted, make

A3, A4 = np.ones(3), np.ones(4)
M34, M45 = np.ones((3, 4)), np.ones((4, 5))
READ_ONLY = np.ones(3)
READ_ONLY.flags.writeable = False


@dataclass
class Case:
    """A program, its arguments, and what the user must read."""

    source: str
    args: tuple
    error: type
    wording: str  # a pattern for the first line
    # Patterns somewhere below: operands with dtype and shape, the call chain.
    facts: tuple[str, ...] = ()
    # Another part of the line that may carry the caret: for stores Python marks the target.
    also: str = ""
    names: dict[str, Any] = field(default_factory=dict)


RUN_TIME = {
    "broadcast": Case(
        "def f(x, y):\n    return «x + y»", (A3, A4), shapecast.ShapeError,
        r"operands could not be broadcast together with shapes \(.+\)",
        (r"x: *float64\[", r"y: *float64\["),
    ),
    "broadcast of an intermediate value": Case(
        "def f(w, x, bias):\n    x = x[1:]\n    return («w * x»).sum(axis=1) + bias", (M34,
        np.ones((4, 7)), 1.0),
        shapecast.ShapeError, "operands could not be broadcast together", (r"w: *float64\[",
        r"x: *float64\["),
    ),
    "broadcast in an inlined function": Case(
        "def g(p, q):\n    return «p * q»\n\ndef f(x, y):\n    return g(x, y) + 1", (A3, A4),
        shapecast.ShapeError,
        "operands could not be broadcast together", (r"in g\b", r"in f\b", r"g\(x, y\)"),
    ),
    "store of another shape": Case(
        "def f(x, y):\n    «x[1:] = y»", (A3, A4), ValueError,
        "could not broadcast input array from shape",
        also="x[1:]",
    ),
    "augmented assignment that would grow": Case(
        "def f(x, y):\n    «x += y»", (A3, M34[:, :3]), ValueError,
        "non-broadcastable output operand with shape",
    ),
    "index": Case(
        "def f(x, i):\n    return «x[i]»", (A3, 7), IndexError,
        "index 7 is out of bounds for axis 0 with size 3",
        (r"x: *float64\[",),
    ),
    "negative index of the second axis": Case(
        "def f(x, i):\n    return «x[0, i]» * 2", (M34, -5), IndexError,
        "index -5 is out of bounds for axis 1 with size 4",
    ),
    "index in a loop": Case(
        "def f(x, n):\n    s = 0.0\n    for i in range(n):\n        s += «x[i]»\n    return s",
        (A3, 9), IndexError,
        "index 3 is out of bounds for axis 0 with size 3",
    ),
    "index of a store": Case(
        "def f(x, i):\n    «x[i] = 1.0»", (A3, 3), IndexError,
        "index 3 is out of bounds for axis 0 with size 3",
        also="x[i]",
    ),
    "index in a function two calls down": Case(
        "def h(a, k):\n    return «a[k]»\n\ndef g(a):\n    return h(a, 10) + 1\n\ndef f(x):\n    "
        "return g(x * 2)", (A3,),
        IndexError, "index 10 is out of bounds for axis 0 with size 3", (r"in h\b", r"in g\b",
        r"in f\b"),
    ),
    "read-only": Case(
        "def f(x):\n    «x[0] = 1»", (READ_ONLY,), ValueError,
        "assignment destination is read-only",
        also="x[0]",
    ),
    "read-only augmented": Case(
        "def f(x):\n    «x += 1»", (READ_ONLY,), ValueError, "read-only",
    ),
    "matmul": Case(
        "def f(x, y):\n    return «x @ y» + 1", (M34, M34), ValueError,
        "matmul: Input operand 1 has a mismatch in its core dimension 0", (r"x: *float64\[",
        r"y: *float64\["),
    ),
    "dot": Case(
        "def f(x, y):\n    return «np.dot(x, y)» + 1", (M34, M34), ValueError,
        r"shapes .* not aligned",
    ),
    "maximum of nothing": Case(
        "def f(x):\n    return 1 + «x.max()»", (np.ones(0),), ValueError,
        "zero-size array to reduction operation maximum which has no identity",
    ),
    "reshape": Case(
        "def f(x, n):\n    return «x.reshape(n, 2)» * 2", (A3, 5), ValueError,
        "cannot reshape array of size 3 into shape",
    ),
    "negative size": Case(
        "def f(n):\n    return «np.zeros(n)» + 1", (-1,), ValueError,
        "negative dimensions are not allowed",
    ),
    "division by zero of Python integers": Case(
        "def f(a, b):\n    return 1 + «a // b»", (1, 0), ZeroDivisionError, "division|modulo",
    ),
    "overflow of Python integers": Case(
        "def f(a):\n    return 1 + «a * a»", (2**40,), OverflowError, "64",
    ),
    "Python integer that does not fit": Case(
        "def f(x, n):\n    return 2 * («x + n»)", (np.ones(3, np.uint8), 300), OverflowError,
        "Python integer 300 out of bounds for uint8",
    ),
    "integer to a negative power": Case(
        "def f(x, n):\n    return 1 + «x ** n»", (np.arange(3), np.array([-1, 0, 1])), ValueError,
        "Integers to negative integer powers are not allowed",
    ),
    "not of an array": Case(
        "def f(x):\n    y = x[1:]\n    return «not y»", (A3,), ValueError,
        "truth value of an array with more than one element is ambiguous",
        (r"  y: float64\[s0 - 1\]   \(line 2: y = x\[1:\]\)",),
    ),
    "truth of an array": Case(
        "def f(x):\n    if «x > 0»:\n        return 1\n    return 2", (A3,), ValueError,
        "truth value of an array with more than one element is ambiguous",
        (r"  x > 0: bool\[",),
    ),
    "slice step zero": Case(
        "def f(x, k):\n    return «x[::k]» + 1", (A3, 0), ValueError, "slice step cannot be zero",
    ),
    "range step zero": Case(
        "def f(k):\n    for i in «range(0, 3, k)»:\n        pass", (0,), ValueError,
        r"range\(\) arg 3 must not be zero",
    ),
    "math domain": Case(
        "import math\ndef f(x):\n    return 1 + «math.sqrt(x)»", (-1.0,), ValueError,
        "domain|nonnegative",
    ),
}  # fmt: skip

COMPILE_TIME = {
    "too many indices": Case(
        "def f(x):\n    return «x[0, 0]» + 1", (A3,), IndexError,
        "too many indices for array: array is 1-dimensional, but 2 were indexed",
        (r"x: *float64\[",),
    ),
    "axis": Case(
        "def f(x):\n    return 1 + «x.sum(axis=2)»", (M34,), np.exceptions.AxisError,
        "axis 2 is out of bounds for array of dimension 2", (r"x: *float64\[",),
    ),
    "no loop for these dtypes": Case(
        "def f(x, y):\n    return 1 + («x & y»)", (A3, A3), TypeError,
        "ufunc 'bitwise_and' not supported for the input types", (r"x: *float64\[",),
    ),
    "cast of an augmented assignment": Case(
        "def f(n, x):\n    «n += x»", (np.arange(3), A3), TypeError,
        "Cannot cast ufunc 'add' output from .*float64.* to .*int64.* with casting rule",
    ),
    "subtract of bools": Case(
        "def f(x):\n    return ~(«x - x»)", (np.ones(3, bool),), TypeError,
        "numpy boolean subtract",
    ),
    "global": Case(
        "def f(x):\n    «global G»\n    G = x", (A3,), shapecast.UnsupportedError, "global",
    ),
    "view of memory": Case(
        "def f(x):\n    d = «memoryview(x)»\n    return d",
        (A3,), shapecast.UnsupportedError, "view",
    ),
    "unknown function of numpy": Case(
        "def f(x):\n    return 1 + «np.loadtxt('a')»", (A3,), shapecast.UnsupportedError, "loadtxt",
    ),
    "unknown method": Case(
        "def f(x):\n    return 1 + «x.tofile('a')»", (A3,), shapecast.UnsupportedError, "tofile",
    ),
    "with": Case(
        "def f(x):\n    with «x» as y:\n        return y", (A3,), TypeError,
        "'numpy.ndarray' object does not support the context manager protocol",
    ),
    "with over what is no object of yours": Case(
        "def f(x):\n    with «open('a')» as y:\n        return x", (A3,),
        shapecast.UnsupportedError, "this 'with' is not supported",
    ),
    "starred call": Case(
        "def f(x):\n    return 1 + «max(*x[x > 0])»", (A3,), shapecast.UnsupportedError, r"\*|star",
    ),
    "fancy index": Case(
        "def f(x, k):\n    return 1 + «x[k]»", (A3, np.array([0.0, 1.0])), IndexError,
        "of integer",
    ),
    "name that is nowhere": Case(
        "def f(x):\n    return x + «nowhere»", (A3,), NameError, "nowhere",
    ),
    "wrong number of values to unpack": Case(
        "def f(x):\n    n, m = «x.shape»\n    return n", (A3,), ValueError,
        "not enough values to unpack",
        also="n, m",
    ),
    "unsupported call in an inlined function": Case(
        "def g(p):\n    return 1 + «np.loadtxt('a')»\n\ndef f(x):\n    return g(x)", (A3,),
        shapecast.UnsupportedError,
        "loadtxt", (r"in g\b", r"in f\b"),
    ),
}  # fmt: skip
CASES = RUN_TIME | COMPILE_TIME


def marked(case: Case) -> tuple[Any, int, str, int, int]:
    """The function, and where its message must point: line, text of the line, columns of the
    marked part.
    """
    lines = case.source.split("\n")
    number = next(k for k, line in enumerate(lines) if "«" in line)
    line = lines[number]
    start, end = line.index("«"), line.index("»") - 1
    clean = line.replace("«", "").replace("»", "")
    indent = len(clean) - len(clean.lstrip())
    f = make(case.source.replace("«", "").replace("»", ""), name="f", **case.names)
    return f, number + 1, clean.strip(), start - indent, end - indent


def raised(case: Case) -> tuple[BaseException, str, Any]:
    f, *location = marked(case)
    with pytest.raises(Exception) as info:
        jitted(f)(*copy_arguments(case.args))
    return info.value, full_text(info.value), (f, *location)


@pytest.mark.parametrize("name", CASES)
def test_message_has_numpys_type_and_wording(name: str) -> None:
    case = CASES[name]
    error, text, _ = raised(case)
    assert isinstance(error, case.error), text
    assert re.search(case.wording, str(error)), text


@pytest.mark.parametrize("name", CASES)
def test_message_shows_file_line_and_caret_under_the_guilty_expression(name: str) -> None:
    _, text, (f, line, shown, start, end) = raised(CASES[name])
    lines = text.splitlines()
    heads = [k for k, t in enumerate(lines) if f'File "{f.__code__.co_filename}", line {line}' in t]
    assert heads, text
    # The location may be shown twice, by our message and by the traceback: one must carry the exact
    # caret.
    found = []
    for k in heads:
        if k + 2 < len(lines) and lines[k + 1].strip() == shown:
            offset = len(lines[k + 1]) - len(lines[k + 1].lstrip())
            if marks := re.search(r"[~^]+", lines[k + 2]):
                found.append((marks.start() - offset, marks.end() - offset))
    whole_line = (start, end) == (0, len(shown))
    allowed = [(start, end)]
    if also := CASES[name].also:
        allowed.append((shown.index(also), shown.index(also) + len(also)))
    assert set(allowed) & set(found) or (whole_line and not found), (
        f"carets {found}, expected {(start, end)} under\n    {shown}\n    "
        f"{' ' * start}{'^' * (end - start)}\n\n{text}"
    )


@pytest.mark.parametrize("name", [n for n, c in CASES.items() if c.facts])
def test_message_shows_operands_and_call_chain(name: str) -> None:
    _, text, _ = raised(CASES[name])
    for fact in CASES[name].facts:
        assert re.search(fact, text), f"{fact!r} not in\n{text}"


def test_unsupported_message_names_a_way_out() -> None:
    for name, case in COMPILE_TIME.items():
        if case.error is shapecast.UnsupportedError:
            error, text, _ = raised(case)
            first = str(error).split("\n")[0]
            # More than the bare name of the construct: what to do instead.
            assert len(first.split()) >= 5, f"{name}: {text}"


def test_shape_error_names_where_an_operand_got_its_shape() -> None:
    """The line that last gave the name its value, where that is not a parameter."""
    case = RUN_TIME["broadcast of an intermediate value"]
    _, text, _ = raised(case)
    assert re.search(r"x: *float64\[.*line 2.*x = x\[1:\]", text), text
    assert re.search(r"w: *float64\[.*parameter", text), text


def test_wrong_arguments_are_pythons_type_error() -> None:
    f = jitted(make("def f(a, b=1, *, c=2):\n    return a + b + c"))
    for args, kwargs in (((), {}), ((1, 2, 3), {}), ((1,), {"d": 1}), ((1,), {"a": 1})):
        with pytest.raises(TypeError) as info:
            f(*args, **kwargs)
        assert "f()" in str(info.value) and "argument" in str(info.value)


def test_error_does_not_show_the_compilers_own_frames() -> None:
    for case in (RUN_TIME["broadcast"], RUN_TIME["index"], COMPILE_TIME["global"]):
        _, text, _ = raised(case)
        assert "/python/shapecast/" not in text, text


def test_errors_of_callees_in_python_have_frames_of_the_program_alone() -> None:
    """Ours are between the jitted function and what it calls."""
    f = jitted(make("def f(x):\n    return x + 1"))
    for arguments, message in (
        ((object(),), "unsupported operand type"),
        (((k for k in [1]),), "cannot be passed to a jitted function"),
    ):
        with pytest.raises((TypeError, shapecast.UnsupportedError), match=message) as info:
            f(*arguments)
        files = [entry.frame.f_globals.get("__name__", "") for entry in info.traceback]
        assert not [name for name in files if name.startswith("shapecast.")]


def test_pythons_own_library_is_named_where_it_is_not_compiled() -> None:
    import functools
    import os

    single = functools.singledispatch(lambda x: x)
    f = jit(lambda x: single(x))
    with pytest.raises(shapecast.UnsupportedError, match=r"singledispatch .*ask isinstance"):
        f(1)
    for function in (lambda x: os.environ.get("HOME"), lambda x: os.getenv("HOME")):
        with pytest.raises(shapecast.UnsupportedError, match=r"Python's own library .*pyfunc"):
            jit(function)(1)
    assert jit(lambda x: os.path.join("a", "b"))(1) == "a/b"


def test_same_error_on_the_second_call_when_the_code_is_cached() -> None:
    for name in ("broadcast", "index", "read-only", "maximum of nothing"):
        f, *_ = marked(RUN_TIME[name])
        texts = []
        for _ in range(3):
            with pytest.raises(RUN_TIME[name].error) as info:
                jitted(f)(*copy_arguments(RUN_TIME[name].args))
            texts.append(str(info.value))
        assert texts[0] == texts[1] == texts[2]


def test_errors_of_files_show_their_lines(tmp_path) -> None:
    """From a real file, run as a program: what a user sees on the terminal."""
    import subprocess
    import sys

    program = tmp_path / "model.py"
    program.write_text(
        textwrap.dedent("""
        import numpy as np
        from shapecast import jit

        @jit
        def score(w, x, bias):
            x = x[1:]
            return (w * x).sum(axis=1) + bias

        score(np.ones((3, 7)), np.ones((5, 7)), 1.0)
        """).lstrip()
    )
    run = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=60)
    assert run.returncode == 1
    assert "ShapeError: operands could not be broadcast together" in run.stderr
    assert f'File "{program}", line 7, in score' in run.stderr
    assert "    return (w * x).sum(axis=1) + bias" in run.stderr
    assert re.search(r"(?m)^ *~*\^~*$", run.stderr), run.stderr
