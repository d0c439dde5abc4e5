"""Capture: which source belongs to a function object, decorators, notebooks, the REPL, stale
files.
"""

from __future__ import annotations

import importlib
import linecache
import os
import subprocess
import sys
import textwrap
import types
import warnings
from pathlib import Path

import numpy as np
import pytest
import shapecast
from shapecast import jit
from support.compare import case_id, check, full_text, jitted, make, without_source

X = np.array([1.0, 4.0, 9.0])


def load(path: Path, source: str) -> types.ModuleType:
    """Writes and imports a module."""
    path.write_text(textwrap.dedent(source))
    linecache.checkcache(str(path))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# -------------------------------------------------------------------------------------- decorators


def test_jit_as_call_decorator_and_decorator_with_arguments() -> None:
    def f(x):
        return x * 2

    @jit
    def g(x):
        return x * 2

    @jit()
    def h(x):
        return x * 2

    for function in (jit(f), g, h, jit()(f)):
        assert np.array_equal(function(X), X * 2)


def test_jit_object_looks_like_its_function() -> None:
    @jit
    def named(x: float, *, y: int = 2) -> float:
        """What it does."""
        return x * y

    import inspect

    assert named.__name__ == "named"
    assert named.__qualname__.endswith("named")
    assert named.__doc__ == "What it does."
    assert named.__module__ == __name__
    assert named.__wrapped__(2.0) == 4.0
    assert list(inspect.signature(named).parameters) == ["x", "y"]
    assert "named" in repr(named)


def test_jit_of_a_jitted_function_is_fine() -> None:
    @jit
    def f(x):
        return x + 1

    assert np.array_equal(jit(f)(X), X + 1)


@pytest.mark.parametrize("thing", [3, "text", len, np.sin, int, X], ids=case_id)
def test_jit_of_what_is_no_function_is_a_clear_error(thing: object) -> None:
    with pytest.raises((TypeError, shapecast.UnsupportedError)):
        jit(thing)(X)


def top_level(x):
    return x * 3


def test_nothing_is_captured_or_compiled_before_the_first_call() -> None:
    f = jit(make("def f(x):\n    global G\n    G = x"))
    assert f.signatures() == []
    with pytest.raises(shapecast.UnsupportedError):
        f(X)


# ---------------------------------------------------------------------------------- lambdas, layout


def test_lambda() -> None:
    f = lambda x: x * 2 + 1
    check(f, X)


def test_two_lambdas_on_one_line_are_distinguished() -> None:
    f, g = (lambda x: x + 1), (lambda x: x - 1)
    check(f, X)
    check(g, X)


def test_two_lambdas_of_equal_bytecode_on_one_line_differ_by_their_constants() -> None:
    pair = [lambda x: x * 2, lambda x: x * 3]
    for f in pair:
        check(f, X)


def test_equal_lambdas_with_other_names_on_one_line() -> None:
    pair = [lambda x: x * len((1, 2)), lambda x: x * abs((-1))]
    for f in pair:
        check(f, X)


def test_lambdas_over_several_lines() -> None:
    table = {
        "a": lambda x: (
            x
            + 1
        ), "b": lambda x:
            x * 5,
    }  # fmt: skip
    for f in table.values():
        check(f, X)


def test_lambda_inside_a_lambda() -> None:
    f = lambda x: (lambda y: y * 2)(x) + 1
    check(f, X)


def test_nested_functions_with_equal_names() -> None:
    def one():
        def f(x):
            return x + 1

        return f

    def two():
        def f(x):
            return x + 2

        return f

    check(one(), X)
    check(two(), X)


if X.size > 100:

    def chosen(x):
        return x * 100

else:

    def chosen(x):
        return x * 7


def test_function_defined_in_both_arms_of_a_branch() -> None:
    check(chosen, X)


def redefined(x):
    return x + 1


first_definition = redefined


def redefined(x):
    return x + 2


def test_earlier_and_later_definition_under_one_name() -> None:
    check(first_definition, X)
    check(redefined, X)


def decorated_by(g):
    def decorate(f):
        return f

    return decorate


@decorated_by(lambda x: x * 1000)
@jit
@decorated_by(lambda x: x * 2000)
def many_decorators(
    x,
    y=(
        2
    ),
):  # fmt: skip
    # a comment first
    return (
        x *
        y
    )  # fmt: skip


def test_decorators_and_odd_layout() -> None:
    assert np.array_equal(many_decorators(X), X * 2)


def test_source_with_tabs_continuations_semicolons_and_unicode() -> None:
    f = make(
        "def f(x):\n"
        "\t# größer\n"
        "\ta = x + \\\n"
        "\t\t1; b = a * 2\n"
        "\tλ, größe = b, 'ü'\n"
        "\tif λ[0] > 0: return λ; \n"
        "\treturn a\n"
    )
    check(f, X)


def test_indented_function_in_a_class_and_in_a_function() -> None:
    class Holder:
        class Inner:
            @staticmethod
            def f(x):
                return x * 5

    check(Holder.Inner.f, X)


# ------------------------------------------------------------------------------ sources of the text


def test_notebook_cells_are_read_from_linecache() -> None:
    """IPython's way: a file name that does not exist, source registered under it, cells redefining
    names.
    """
    space: dict = {"np": np, "__name__": "__main__"}

    def cell(number: int, source: str) -> None:
        file = f"/tmp/ipykernel_1/{number}.py"
        lines = textwrap.dedent(source).splitlines(True)
        linecache.cache[file] = (sum(map(len, lines)), None, lines, file)
        exec(compile("".join(lines), file, "exec"), space)

    cell(1, "def helper(x):\n    return x + 1\n")
    cell(2, "def f(x):\n    return helper(x) * 2\n")
    f = jit(space["f"])
    assert np.array_equal(f(X), (X + 1) * 2)
    cell(3, "def helper(x):\n    return x + 10\n")
    assert np.array_equal(f(X), (X + 10) * 2)


def test_function_without_source_is_unsupported_and_says_so() -> None:
    with pytest.raises(shapecast.UnsupportedError, match="source"):
        jit(without_source())(X)


def test_repl_gives_the_result_or_says_that_there_is_no_source() -> None:
    """Before Python 3.13 the plain REPL keeps no source."""
    session = textwrap.dedent("""
        import numpy as np, shapecast
        @shapecast.jit
        def f(x):
            return x + 1

        try:
            print("value", f(np.ones(2)))
        except shapecast.UnsupportedError as e:
            print("unsupported:", "source" in str(e) and "file" in str(e))

    """)
    run = subprocess.run(
        [sys.executable, "-i", "-q"], input=session, capture_output=True, text=True, timeout=60
    )
    assert "value [2. 2.]" in run.stdout or "unsupported: True" in run.stdout, (
        run.stdout + run.stderr
    )


def test_program_given_with_minus_c_says_that_there_is_no_source() -> None:
    program = "import numpy as np, shapecast\ndef f(x): return x + 1\nshapecast.jit(f)(np.ones(2))"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60
    )
    assert "UnsupportedError" in run.stderr or run.returncode == 0, run.stderr


def test_stale_source_never_compiles_the_wrong_function(tmp_path: Path) -> None:
    path = tmp_path / "stale.py"
    module = load(path, "def f(x):\n    return x + 1\n")
    path.write_text("def f(x):\n    return x + 2\n")
    os.utime(path, (1, 1))
    linecache.checkcache(str(path))
    with pytest.raises(shapecast.UnsupportedError, match=r"chang|stale|source"):
        jit(module.f)(X)


def test_stale_source_with_lines_moved_never_compiles_the_wrong_function(tmp_path: Path) -> None:
    path = tmp_path / "moved.py"
    module = load(path, "def f(x):\n    return x + 1\n\ndef g(x):\n    return x * 2\n")
    path.write_text("\n\ndef g(x):\n    return x * 5\ndef f(x):\n    return x + 1\n")
    os.utime(path, (1, 1))
    linecache.checkcache(str(path))
    assert np.array_equal(jit(module.f)(X), X + 1)  # its text is the same
    with pytest.raises(shapecast.UnsupportedError, match=r"the source of 'g' .* has changed"):
        jit(module.g)(X)


def test_captured_function_keeps_its_meaning_when_its_file_changes(tmp_path: Path) -> None:
    """Captured once: new signatures compile from what was captured."""
    path = tmp_path / "kept.py"
    module = load(path, "def f(x):\n    return x + 1\n")
    f = jit(module.f)
    assert np.array_equal(f(X), X + 1)
    path.write_text("def f(x):\n    return x + 2\n")
    os.utime(path, (1, 1))
    linecache.checkcache(str(path))
    assert np.array_equal(f(X.astype(np.float32)), X + 1)


def test_code_replaced_under_a_jitted_function_is_seen() -> None:
    def f(x):
        return x + 1

    def g(x):
        return x + 2

    compiled = jit(f)
    assert np.array_equal(compiled(X), X + 1)
    f.__code__ = g.__code__
    assert np.array_equal(compiled(X), X + 2)


def test_defaults_replaced_under_a_jitted_function_are_seen() -> None:
    def f(x, k=1):
        return x * k

    compiled = jit(f)
    assert np.array_equal(compiled(X), X)
    f.__defaults__ = (5,)
    assert np.array_equal(compiled(X), X * 5)


# -------------------------------------------------------------------------------------- unsupported

UNSUPPORTED = {
    "yield": (
        "def f(x):\n    def g():\n        while (y := (yield x)):\n            pass\n"
        "    return list(g())"
    ),
    "await": "async def f(x):\n    return await x",
    "class": "def f(x):\n    class A:\n        v = x\n    return x",
    "import": "def f(x):\n    import no_such_module\n    return x",
    "global": "def f(x):\n    global counter\n    counter = 1\n    return x",
    "with": "def f(x):\n    with open('a') as g:\n        return x",
    "complex numbers as keys known at run time": (
        "def f(x):\n    return {1j * k: k for k in range(len(x))}"
    ),
    "unknown numpy function": "def f(x):\n    return np.loadtxt('a')",
    "unknown object": "def f(x):\n    return open('/dev/null')",
    "match": "def f(x):\n    match x:\n        case {**rest}:\n            return x",
}


@pytest.mark.parametrize("construct", UNSUPPORTED)
def test_unsupported_construct_is_named_with_file_line_and_caret(construct: str) -> None:
    f = make(UNSUPPORTED[construct], name="f")
    with pytest.raises(shapecast.UnsupportedError) as info:
        jitted(f)(X)
    text = full_text(info.value)
    assert f'File "{f.__code__.co_filename}", line ' in text
    assert "^" in text


def test_unsupported_function_fails_on_every_call_and_does_not_poison_others() -> None:
    f = jitted(make("def f(x):\n    global G\n    G = x"))
    for _ in range(3):
        with pytest.raises(shapecast.UnsupportedError):
            f(X)
    check(top_level, X)


@pytest.mark.parametrize(
    "value", [object(), {1, 2}, iter([1]), np.zeros(2, "f4,i4")], ids=lambda v: type(v).__name__
)
def test_an_operation_that_an_object_does_not_support_is_pythons_error(value: object) -> None:
    f = jitted(make("def f(x):\n    return x + x"))
    with pytest.raises(TypeError, match=r"unsupported operand|did not contain a loop"):
        f(value)


def test_fallback_runs_an_unsupported_function_as_python_with_one_warning() -> None:
    f = jit(make("def f(x):\n    return sorted(v for v in x if dir(v))", name="f"), fallback=True)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        results = [f(X), f(X)]
    assert results == [[1.0, 4.0, 9.0]] * 2
    assert len(seen) == 1
