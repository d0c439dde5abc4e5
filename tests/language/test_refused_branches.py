"""What cannot be compiled in a branch is an error when it is reached; a warning says so."""

from __future__ import annotations

import pickle
import textwrap
import warnings
from typing import Any

import numpy as np
import pytest
import shapecast
from support.compare import make, named_programs

WARNING = "without this line"

# Each is refused, in capture or when types are known.
REFUSED = """
breakpoint()
y = vars()
y = len(vars())
y = open('/dev/null').read()
import pdb; pdb.set_trace()
y = eval('x')
y = type('A', (), {})()
with open('/dev/null') as file: y = 2
y = memoryview(x)
y = {1j * x: 1.0}; z = y[3]
y = sorted([3, 1], key=dir)
y = (i for i in range(3)).__sizeof__()
"""
FORMS = {
    "if": "if x > 5:\n        {}\n    return x + 1",
    "else": "if x <= 5:\n        x = x + 1\n    else:\n        {}\n    return x",
    "in a loop": "for i in range(3):\n        if x > 5 + i:\n            {}\n    return x + 1",
    "nested": "if x > 5:\n        if x > 6:\n            {}\n        return 1.5\n    return x + 1",
    "in a try": "try:\n        if x > 5:\n            {}\n    except Exception:\n"
    "        return 0.0\n    return x + 1",
    "handler": "try:\n        x = x + 1\n    except ValueError:\n        {}\n    return x",
    "in a callee": "def inner(x):\n        if x > 5:\n            {}\n        return x\n"
    "    return inner(x) + 1",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("refused", REFUSED.strip().splitlines())
def test_a_branch_is_refused_when_it_is_reached(form: str, refused: str) -> None:
    width = max(len(line) - len(line.lstrip()) for line in FORMS[form].splitlines() if "{}" in line)
    lines = refused.replace("; ", "\n" + " " * width) if "with" not in refused else refused
    f = make(f"def f(x):\n    {FORMS[form].format(lines)}\n", "f")
    with pytest.warns(RuntimeWarning, match=WARNING):
        assert shapecast.jit(f)(1.0) == 2.0
    if "x > 5" in FORMS[form] or "else" in FORMS[form]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with pytest.raises(shapecast.UnsupportedError) as error:
                shapecast.jit(f)(9.0)
        assert "^" in "".join(error.value.__notes__)


def test_the_warning_names_the_line_and_comes_once() -> None:
    f = make("def f(x):\n    if x > 5:\n        breakpoint()\n    return x\n", "f")
    jitted = shapecast.jit(f)
    with pytest.warns(RuntimeWarning, match=WARNING) as seen:
        assert [jitted(x) for x in (1.0, 1, np.float32(1))] == [1.0, 1, 1]
    assert len(seen) == 1
    assert seen[0].lineno == 3
    assert seen[0].filename == f.__code__.co_filename
    assert "is not supported, raises when it is reached" in str(jitted.explain())


def test_a_warning_that_is_an_error() -> None:
    f = make("def f(x):\n    if x > 5:\n        breakpoint()\n    return x\n", "f")
    jitted = shapecast.jit(f)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(2):
            with pytest.raises(RuntimeWarning, match=WARNING):
                jitted(1.0)
    with pytest.warns(RuntimeWarning, match=WARNING):
        assert jitted(1.0) == 1.0


def test_a_line_that_is_always_reached_is_refused_at_the_call() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for body in (
            "breakpoint()\n    return x",
            "for i in range(3):\n        breakpoint()\n    return x",
            "if x > 5:\n        return 1.0\n    breakpoint()\n    return x",
            "if True:\n        breakpoint()\n    return x",
        ):
            f = make(f"def f(x):\n    {body}\n", "f")
            with pytest.raises(shapecast.UnsupportedError):
                shapecast.jit(f)(1.0)


def test_a_branch_that_is_never_taken_says_nothing() -> None:
    f = make(
        "def f(x, debug=False):\n    if debug:\n        breakpoint()\n"
        "    if x is None:\n        return {1, 2}\n    return x\n",
        "f",
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert shapecast.jit(static_argnames="debug")(f)(1.0) == 1.0


def test_any_number_of_refused_lines() -> None:
    """Those that capture finds cost nothing; each that inference finds restarts it."""
    for refused, most in (("import no_such_module", 60), ("y = sorted([3, 1], key=dir)", 16)):
        for count in (most, most + 1):
            lines = "".join(f"    if x > {k + 5}:\n        {refused}\n" for k in range(count))
            jitted = shapecast.jit(make(f"def f(x):\n{lines}    return x\n", "f"))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                if count > 16 and "dir" in refused:
                    with pytest.raises(shapecast.UnsupportedError):
                        jitted(1.0)
                else:
                    assert jitted(1.0) == 1.0


def test_effects_before_a_refused_line_stay() -> None:
    f = make("def f(a):\n    a[0] = 1\n    if a[1] > 5:\n        breakpoint()\n    a[0] = 2\n", "f")
    jitted = shapecast.jit(f)
    a = np.array([0.0, 9.0])
    with pytest.warns(RuntimeWarning, match=WARNING), pytest.raises(shapecast.UnsupportedError):
        jitted(a)
    assert a[0] == 1
    a[1] = 0
    jitted(a)
    assert a[0] == 2


def test_each_signature_for_itself() -> None:
    f = make(
        "def f(x, n):\n    if n > 5:\n        x.remove(1)\n        return 2\n    return n\n", "f"
    )

    class Own:
        def remove(self, k: int) -> None:
            pass

    jitted = shapecast.jit(f)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert jitted([1, 2], 1) == 1
    assert jitted(Own(), 9) == 2


@pytest.mark.parametrize("refused", ["len(vars())", "sorted([3, 1], key=dir)[1]"])
def test_fallback_runs_all_in_python(refused: str) -> None:
    f = make(f"def f(a):\n    a[0] += 1\n    if a[1] > 5:\n        return {refused}\n", "f")
    jitted = shapecast.jit(fallback=True)(f)
    a = np.array([0.0, 9.0])
    with pytest.warns(RuntimeWarning, match="as plain Python"):
        assert jitted(a) == f(a.copy())
    assert a[0] == 1.0


def test_what_the_refusal_depends_on_is_guarded() -> None:
    """Another helper, container or method may be compiled."""
    source = (
        "def f(x):\n    if x > 5:\n        return helper(x) + table[3] + thing.m(x)\n    return x\n"
    )
    refused = make("def helper(x):\n    return len(vars())\n", "helper")

    class Thing:
        def m(self, x: float) -> float:
            return x

    f = make(source, "f", helper=refused, table={1: {2.0}}, thing=Thing())
    space: Any = f.__globals__
    jitted = shapecast.jit(f)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert jitted(1.0) == 1.0
        with pytest.raises(shapecast.UnsupportedError):
            jitted(9.0)
        space["helper"] = make("def helper(x):\n    return x * 10\n", "helper")
        with pytest.raises(shapecast.UnsupportedError):
            jitted(9.0)
    space["table"] = [0.0, 1.0, 2.0, 3.0]
    assert jitted(9.0) == 102.0
    space["helper"].__code__ = make("def helper(x):\n    return x * 20\n", "helper").__code__
    assert jitted(9.0) == 192.0


def test_finally_that_jumps_does_not_swallow_it() -> None:
    for end in ("return y", "y = y + 1"):
        text = f"""
            def f(x):
                y = 0.0
                try:
                    if x > 5:
                        y = sorted([3, 1], key=dir)[0]
                finally:
                    {end}
                return y
        """
        f = make(text, "f")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert shapecast.jit(f)(1.0) == f(1.0)
            with pytest.raises(shapecast.UnsupportedError):
                shapecast.jit(f)(9.0)


@pytest.mark.parametrize(
    "expression",
    [
        "len(vars()) if x > 5 else 1.0",
        "1.0 if x < 5 else sorted([3, 1], key=dir)[0]",
        "x > 5 and len(vars()) > 0 or 1.0",
        "[len(vars()) if x > 5 + k else 1.0 for k in range(3)][0]",
        "(x > 5 and (z := len(vars())) > 2) or 1.0",
    ],
)
def test_arms_of_expressions(expression: str) -> None:
    f = make(f"def f(x):\n    y = {expression}\n    return y\n", "f")
    with pytest.warns(RuntimeWarning, match=WARNING):
        assert shapecast.jit(f)(1.0) == 1.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(shapecast.UnsupportedError):
            shapecast.jit(f)(9.0)


ARMS = """
## else
if x < 5:
    return 1.0
else:
    y = sorted([3, 1], key=dir)
return y
## elif
if x < 5:
    return 1.0
elif len(vars()) > 3:
    return 2.0
return 0.0
## continue
for i in range(3):
    if x < 5:
        continue
    else:
        y = sorted([3, 1], key=dir)
    y = 3
return 1.0
"""


@pytest.mark.parametrize("name", named_programs(ARMS))
def test_arms_beside_one_that_leaves(name: str) -> None:
    body = textwrap.indent(named_programs(ARMS)[name], "    ")
    f = make(f"def f(x):\n{body}", "f")
    with pytest.warns(RuntimeWarning, match=WARNING):
        assert shapecast.jit(f)(1.0) == 1.0


def test_errors_of_the_program_are_its_own() -> None:
    text = """
        def f(x):
            try:
                if x > 5:
                    raise shapecast.UnsupportedError('own')
            except NotImplementedError:
                return -1.0
            return x
    """
    f = make(text, "f", shapecast=shapecast)
    assert shapecast.jit(f)(9.0) == -1.0 and shapecast.jit(f)(1.0) == 1.0


def test_in_a_ufunc() -> None:
    f = make(
        "def f(x):\n    if x > 5:\n        return len(vars()) * 1.0\n    return x * 1.0\n", "f"
    )
    with pytest.warns(RuntimeWarning, match=WARNING):
        assert shapecast.vectorize(f)(np.ones(3)).tolist() == [1.0] * 3


def test_the_error_can_be_pickled() -> None:
    f = make("def f(x):\n    if x > 5:\n        breakpoint()\n    return x\n", "f")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(shapecast.UnsupportedError) as error:
            shapecast.jit(f)(9.0)
    again = pickle.loads(pickle.dumps(error.value))
    assert type(again) is shapecast.UnsupportedError and str(again) == str(error.value)


def test_handlers_of_this_very_error() -> None:
    f = make(
        "def f(x):\n    try:\n        if x > 5:\n            breakpoint()\n"
        "    except shapecast.UnsupportedError:\n        return -1.0\n    return x\n",
        "f",
        shapecast=shapecast,
    )
    with pytest.warns(RuntimeWarning, match=WARNING):
        assert shapecast.jit(f)(9.0) == -1.0
