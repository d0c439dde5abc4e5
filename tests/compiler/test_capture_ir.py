"""Captured IR: its form, its meaning (run by captured.py), the source it comes from, its errors."""

from __future__ import annotations

import contextlib
import io
import linecache
import math
import re
import subprocess
import textwrap
import traceback
from typing import Any

import numpy as np
import pytest
import shapecast
from fuzz.jumps import Maker
from shapecast._core import _capture_text as capture
from shapecast._errors import Frame, UnsupportedError, format_user_error
from support.captured import Program
from support.compare import without_source
from support.toolchain import shapecast_opt

FACTOR, TABLE, STEP = 2.5, (1.0, 2, -3), np.float32(0.5)


def make(source: str, **names: Any) -> Any:
    """The last function of a text whose source only linecache knows."""
    source = textwrap.dedent(source).lstrip("\n")
    file = f"<capture test {len(linecache.cache)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    space: dict[str, Any] = {"np": np, "math": math, **names}
    exec(compile(source, file, "exec"), space)
    return space[re.findall(r"^def (\w+)", source, re.MULTILINE)[-1]]


def flat(text: str) -> str:
    """The ops without their types."""
    return re.sub(r" : \(?[^\n{]*?(?=( \{)?\n)", "", text)


def lines(text: str) -> list[str]:
    return [line.strip() for line in flat(text).splitlines()]


# -------------------------------------------------------------------------------------------- form


def test_first_example_has_the_form_of_the_design() -> None:
    f = make("""
        def foo(x):
            return np.sqrt(x)

        def main():
            x = 20.0
            b = foo(x)
            print(b)
    """)
    text = capture(f)
    assert "%0 = np.const 2.000000e+01 : !np.pyfloat" in text
    assert "%1 = np.call @py.foo(%0) : (!np.pyfloat) -> tensor<*x!np.any>" in text
    assert "np.print %1 : tensor<*x!np.any>" in text
    assert "np.func private @py.foo(%arg0: tensor<*x!np.any>) -> tensor<*x!np.any>" in text
    assert "%0 = np.call @numpy.sqrt(%arg0) : (tensor<*x!np.any>) -> tensor<*x!np.any>" in text


def test_every_value_but_constants_is_any() -> None:
    for seed in range(20):
        for line in capture(program(seed)).splitlines():
            got = re.search(r"np\.(\w+).*-> \(?([^{]*?)\)?( \{)?$", line)
            if got and got[1] != "func":
                assert set(got[2].split(", ")) <= {"tensor<*x!np.any>", ""}, line


def test_loop_carries_only_what_is_assigned_and_live() -> None:
    text = capture(
        make("""
        def f(x, n):
            total = 0.0
            for i in range(n):
                t = x[i] * 2
                total += t
            return total
    """)
    )
    assert re.search(r"np\.foreach %\w+ iter\(%\w+\) :", text), text
    assert "unbound" not in text


def test_constant_flags_are_omitted() -> None:
    text = capture(
        make("""
        def f(x, n):
            for i in range(n):
                if x[i] > 0:
                    continue
                x[i] = 1
    """)
    )
    assert "while" not in text and "true" not in text


def test_code_after_an_early_return_moves_into_the_other_branch() -> None:
    text = capture(
        make("""
        def f(x, y=None):
            if y is None:
                return x
            z = x * y
            return z + 1
    """)
    )
    assert lines(text)[2:-1] == [
        '%0 = np.const #np.py<"none", "">',
        '%1 = np.pyop "is"(%arg1, %0)',
        "%2 = np.truth %1",
        "%3 = np.if %2 {",
        "np.yield %arg0",
        "} else {",
        "%4 = np.call @shapecast.rest()",
        '%5 = np.pyop "mul"(%arg0, %arg1)',
        "%6 = np.const 1",
        '%7 = np.pyop "add"(%5, %6)',
        "np.yield %7",
        "}",
        "np.return %3",
        "}",
    ]


def test_tuples_in_subscripts_are_expanded_and_evaluated_once() -> None:
    text = lines(
        capture(
            make("""
        def f(x, i):
            x[i, 1:] += 1
            return x[..., None, ::-1]
    """)
        )
    )
    got = [line for line in text if re.search(r"item|inplace|slice", line)]
    assert got == [
        "%3 = np.slice %0, %1, %2",
        "%4 = np.getitem %arg0[%arg1, %3]",
        '%6 = np.inplace "add" %4, %5',
        "np.setitem %arg0[%arg1, %3] = %6 augmented",
        "%12 = np.slice %9, %10, %11",
        "%13 = np.getitem %arg0[%7, %8, %12]",
    ]


def test_names_of_numpy_under_any_import_name() -> None:
    import math as m

    import numpy.linalg as la
    from numpy import sqrt as s

    xp = np

    def f(x):
        return (
            s(x), xp.abs(x), la.norm(x), m.sin(x), np.zeros(3), np.add.reduce(x), np.random.rand(2),
            np.float32(x), np.int_(x), np.bool_(x), len(x), int(x),
        )  # fmt: skip

    assert re.findall(r"np\.call @([\w.]+)", capture(f)) == [
        "numpy.sqrt", "numpy.absolute", "numpy.linalg.norm", "math.sin", "numpy.zeros",
        "numpy.add.reduce", "numpy.random.rand", "numpy.float32", "numpy.int64", "numpy.bool",
        "builtins.len", "builtins.int",
    ]  # fmt: skip


def test_parameters_and_defaults_are_attributes_of_the_function() -> None:
    text = capture(
        make("""
        def g(a, /, b, c=(1, 2.5), *, d=None, e="x"):
            return a

        def f(x):
            return g(x, 1, e="y")
    """)
    )
    assert 'np.call @py.g(%arg0, %0, %1) kw ["e"]' in text
    assert (
        'arg_names = ["a", "b", "c", "d", "e"], '
        'defaults = [[1, 2.500000e+00], #np.py<"none", "">, #np.py<"str", "x">], '
        "kwonly = 2 : i64, posonly = 1 : i64"
    ) in text


def test_two_functions_of_one_name_get_two_symbols() -> None:
    g = make("def g(x):\n    return x + 1")
    h = make("def g(x):\n    return x * 2")
    text = capture(make("def f(x):\n    return g(x) + h(x)", g=g, h=h))
    assert "@py.g(" in text and "@py.g_1(" in text


def test_recursion_is_captured_as_a_call_of_itself() -> None:
    text = capture(make("def f(n):\n    return n if n < 2 else f(n - 1)"))
    assert text.count("np.func") == 1 and "np.call @py.f(" in text


def test_locations_are_the_function_and_pythons_columns() -> None:
    text = capture(make("def f(x):\n    return 1 + x * 2"), locations=True)
    where = dict(re.findall(r"(#loc\d+) = loc\((.*)\)", text))
    line = next(line for line in text.splitlines() if '"mul"' in line)
    location = where[re.search(r"loc\((#loc\d+)\)$", line)[1]]
    name, inner = re.fullmatch(r'"(\w+)"\((#loc\d+)\)', location).groups()
    assert name == "f"
    assert where[inner].endswith(":2:15 to :20")


@pytest.mark.parametrize("seed", range(5))
def test_text_parses_back_and_prints_the_same(seed: int) -> None:
    opt = shapecast_opt()
    empty = make("def f(x):\n    for v in x:\n        pass\n    while x:\n        continue")
    for f in (everything, empty, program(seed)):
        text = capture(f)
        done = subprocess.run([opt], input=text, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip() == text.strip()


# ----------------------------------------------------------------------------------------- meaning


def helper(x, k=2, *, shift=0.5):
    return x * k + shift


def everything(x, n):
    """All kinds of statements and expressions."""
    a = b = x[1:] * FACTOR
    a[0] = 99
    (c, d), e = (n, -n), [1, 2.5]
    c, d = d, c
    x[0], x[1] = x[1], x[0]
    x[0] += 10
    n **= 2
    t: float = 1.5
    s = 0.0
    for i, v in enumerate(x):
        if (v > 5 and i < 3) or not v:
            s += v
        elif 0 < v < 4:
            s -= v if i else -v
    while n > 0:
        n -= 3
    print(s)
    print()
    return (
        a, b, c, d, e[1], n, s, t, helper(x), helper(shift=1, x=x), TABLE[-1], STEP, np.float64(n),
        x.astype(np.float32).dtype, x.sum(axis=0, keepdims=True), np.pi, -1, 1e-5, 2j, x.T.shape,
        math.sqrt(4), np.where(x > 1, x, 0), ~3, +n, x[None, ..., ::-1], "text", None, max(n, 1),
    )  # fmt: skip


def outcome(f: Any, *args: Any) -> tuple[Any, str]:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            result = repr(f(*args))
        except (UnboundLocalError, TypeError, ValueError) as error:
            result = f"{type(error).__name__}: {error}"
    return result, out.getvalue()


def test_every_kind_of_statement_and_expression_means_what_it_means_in_python() -> None:
    x = np.array([1.0, 4.0, 9.0, 0.0])
    assert outcome(Program(capture(everything)), x.copy(), 5) == outcome(everything, x.copy(), 5)


def program(seed: int) -> Any:
    return make(Maker(seed).make())


@pytest.mark.parametrize("part", range(4))
def test_random_jumps_mean_what_they_mean_in_python(part: int) -> None:
    for seed in range(part * 100, part * 100 + 100):
        f = program(seed)
        captured = Program(capture(f))
        for args in ((0, 1), (3, 2), (2, -1), (5, 4)):
            assert outcome(captured, *args) == outcome(f, *args), Maker(seed).make()


# ------------------------------------------------------------------------------------------ source


def test_lambdas_on_one_line_are_told_apart() -> None:
    f, g, h = (lambda x: x + 1), (lambda x: x + 2), (lambda x: x + 1)
    assert [Program(capture(k))(1) for k in (f, g, h)] == [2, 3, 2]
    columns = [re.findall(r":(\d+) to ", capture(k, locations=True)) for k in (f, h)]
    assert columns[0] != columns[1]


def test_methods_nested_functions_and_decorated_ones() -> None:
    def decorate(f):
        return f

    class Holder:
        @staticmethod
        @decorate
        def f(x, y=lambda q: q):
            return x * 5

    assert Program(capture(Holder.f))(2, None) == 10


def test_function_without_source_says_so() -> None:
    with pytest.raises(UnsupportedError, match=r"source of 'f' is not available"):
        capture(without_source())


def test_changed_source_is_refused(tmp_path) -> None:
    path = tmp_path / "changed.py"
    path.write_text("def f(x):\n    return x + 1\n")
    space: dict[str, Any] = {}
    exec(compile(path.read_text(), str(path), "exec"), space)
    for text in ("def f(x):\n    return x + 1.0\n", "def f(x):\n    return -x\n", "x = 3\n", "def"):
        path.write_text(text)
        linecache.checkcache(str(path))
        with pytest.raises(UnsupportedError, match=r"has changed"):
            capture(space["f"])
    path.write_text("\n\ndef f(x):\n    return x + 1\n")
    linecache.checkcache(str(path))
    assert Program(capture(space["f"]))(1) == 2


# ------------------------------------------------------------------------------------------ errors

UNSUPPORTED = {
    "with": "def f(x):\n    with «open('a')»:\n        pass",
    "bare raise": "def f(x):\n    «raise»",
    "object as a value": "def f(x):\n    return len((«open», x))",
    "global": "def f(x):\n    «global y»",
    "big integer": "def f(x):\n    return x + «340282366920938463463374607431768211456»",
}


@pytest.mark.parametrize("name", UNSUPPORTED)
def test_unsupported_construct_has_a_message_a_way_out_and_a_caret(name: str) -> None:
    marked = UNSUPPORTED[name].splitlines()
    number, line = next((k, t) for k, t in enumerate(marked, 1) if "«" in t)
    start, end = line.index("«"), line.index("»") - 1
    shown = line.replace("«", "").replace("»", "")
    f = make("\n".join(marked).replace("«", "").replace("»", ""))
    with pytest.raises(UnsupportedError) as info:
        capture(f)
    assert "not supported; " in str(info.value)
    indent = len(shown) - len(shown.lstrip())
    assert info.value.__notes__ == [
        f'  File "{f.__code__.co_filename}", line {number}, in f\n'
        f"    {shown.strip()}\n    {' ' * (start - indent)}{'^' * (end - start)}"
    ]


def test_error_in_a_called_function_shows_the_chain() -> None:
    f = make("""
        def g(y):
            return (999999999999999999999999999999999999999999, y)

        def f(x):
            return 1 + g(x)
    """)
    with pytest.raises(UnsupportedError) as info:
        capture(f)
    file = f.__code__.co_filename
    assert info.value.__notes__ == [
        f'  File "{file}", line 5, in f\n    return 1 + g(x)\n               ^^^^\n'
        f'  File "{file}", line 2, in g\n'
        f"    return (999999999999999999999999999999999999999999, y)\n            {'^' * 42}"
    ]
    shown = "".join(traceback.format_exception_only(info.value))
    assert shown.startswith("shapecast.UnsupportedError: an integer beyond 128 bits ")


def test_unknown_names_are_pythons_errors() -> None:
    f = make("def f(x):\n    x[0] = 7\n    return nowhere(x)")
    x = np.zeros(2)
    with pytest.raises(NameError, match="name 'nowhere' is not defined"):
        shapecast.jit(f)(x)
    assert x[0] == 7
    f = make("def f(x):\n    x[0] = 8\n    return np.nothing(x)")
    with pytest.raises(AttributeError, match="module 'numpy' has no attribute 'nothing'"):
        shapecast.jit(f)(x)
    assert x[0] == 8


def test_the_caret_is_at_the_right_column_after_wide_characters() -> None:
    large = 10**39
    with pytest.raises(UnsupportedError) as info:
        capture(make(f"def f(größe):\n    é = 'ü'; return (größe, {large})"))
    assert info.value.__notes__[0].splitlines()[1:] == [
        f"    é = 'ü'; return (größe, {large})",
        " " * 28 + "^" * 40,
    ]


def test_notes_name_the_operands_and_where_they_come_from() -> None:
    f = make("""
        def f(w, x, bias):
            x = x[1:]
            return (w * x).sum(axis=1) + bias
    """)
    file = f.__code__.co_filename
    notes = ["{0}: float64[3, n]", "{1}: float64[m]", "more"]
    text = format_user_error("ValueError", "wrong", [Frame(file, "f", 3, 12, 3, 17)], notes)
    assert text.splitlines() == [
        "ValueError: wrong",
        f'  File "{file}", line 3, in f',
        "    return (w * x).sum(axis=1) + bias",
        "            ~~^~~",
        "  w: float64[3, n]   (parameter)",
        "  x: float64[m]   (line 2: x = x[1:])",
        "  more",
    ]
    text = format_user_error("ValueError", "wrong", [Frame(file, "f", 3, 11, 3, 30)], notes[:1])
    assert text.endswith("\n  w * x: float64[3, n]")
