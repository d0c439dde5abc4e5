"""Compiling before the first call: `f.compile`, and `compile_many` in other processes."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from shapecast import DeviceError, ShapeError, UnsupportedError, compile_many, jit, pyfunc, spec
from shapecast.typing import Array, Float64, Int32
from support.compare import case_id, jitted, make

X, Y = np.arange(12.0).reshape(3, 4), np.arange(4.0)


@pytest.mark.parametrize(
    ("source", "specs", "arguments"),
    [
        ("def f(x, y):\n    return x * 2 + y", (X, Y), (X, Y)),
        ("def f(x, y):\n    return x * 2 + y", (spec("float64", 2), spec("float64", 1)), (X, Y)),
        ("def f(x, y):\n    return x @ y", (("n", "m"), ("m",)), (X, Y)),
        ("def f(x, y):\n    return x @ y", (spec("f8", (3, "m")), ("m",)), (X, Y)),
        ("def f(x, y):\n    return x[1:] - y", (("n + 1",), ("n",)), (Y, X[0, 1:])),
        ("def f(x, k):\n    return x * k", (spec("f4", 1), 2.5), (Y.astype("f4"), 0.5)),
        ("def f(x, k):\n    return x * k", (("n",), np.dtype("int16")), (Y, np.int16(3))),
        ("def f(x, axis):\n    return x.sum(axis=axis)", (("n", "m"), 1), (X, 1)),
        ("def f(x, how):\n    return x + 1 if how == 'up' else x", (("n",), "up"), (Y, "up")),
        ("def f(p):\n    return p[0] + p[1] * p[2]", ((("n",), ("n",), 2),), ((Y, Y.copy(), 2),)),
        ("def f(d):\n    return d['a'] + 1", ({"a": Y},), ({"a": Y},)),
        ("def f(x):\n    return x + 1", (spec("f8", 0),), (np.array(1.0),)),
        ("def f(x):\n    return x.T + 1", (X[:, ::2],), (X[:, ::2],)),
    ],
    ids=case_id,
)
def test_calls_that_fit_the_spec_use_the_compiled_variant(
    source: str, specs: tuple[Any, ...], arguments: tuple[Any, ...]
) -> None:
    plain = make(source)
    f = jit(plain)
    text = f.compile(*specs)
    assert f.signatures() == [text]
    assert f.compile(*specs) == text
    np.testing.assert_array_equal(f(*arguments), plain(*arguments))
    assert f.signatures() == [text], f.explain()


def test_compile_does_not_run_the_function() -> None:
    calls: list[float] = []
    watched = pyfunc(lambda x: calls.append(x) or x, result=float)
    f = jit(make("def f(x):\n    x[0] = g(5.0)\n    print('ran')\n    return x", g=watched))
    x = np.zeros(3)
    f.compile(x)
    assert not x.any()
    assert not calls
    f(x)
    assert x[0] == 5.0
    assert calls == [5.0]
    assert len(f.signatures()) == 1


def test_keywords_and_defaults() -> None:
    f = jit(make("def f(x, k=2, *, scale=1.5):\n    return x * k * scale"))
    f.compile(("n",))
    f.compile(("n",), scale=np.dtype("float32"))
    assert len(f.signatures()) == 2
    f(Y)
    f(Y, 3)
    f(Y, scale=np.float32(2))
    assert len(f.signatures()) == 2


def test_annotations_are_specs_where_none_is_passed() -> None:
    plain = make(
        "def f(x: Float64['n m'], w: Float64['m'], k: Int32['_'], t=2.0):\n"
        "    return x @ w * t + k.sum()",
        Float64=Float64, Int32=Int32,
    )  # fmt: skip
    f = jit(plain)
    text = f.compile()
    assert text == f.compile(Float64["a b"], w=Float64["b"])
    k = np.arange(3, dtype=np.int32)
    np.testing.assert_array_equal(f(X, Y, k), plain(X, Y, k))
    assert f.signatures() == [text]


def test_annotations_of_more_than_one_type() -> None:
    f = jit(make("def f(x: Array['...']):\n    return x", Array=Array))
    with pytest.raises(TypeError, match="more than one type"):
        f.compile()
    assert "float32" in str(f.compile(spec("float32", 2)))


def test_methods() -> None:
    class Model:
        def __init__(self) -> None:
            self.w = np.arange(4.0)

        @jit
        def step(self, x: np.ndarray) -> np.ndarray:
            return x * self.w

    model = Model()
    Model.step.compile(model, spec("f8", (4,)))
    assert compile_many([(model.step, spec("f8", (4,)))], processes=1) == Model.step.signatures()
    np.testing.assert_array_equal(model.step(Y), Y * Y)
    assert len(Model.step.signatures()) == 1


def test_errors_are_those_of_a_call() -> None:
    f = jitted(make("def f(x):\n    return open(x)"))
    with pytest.raises(UnsupportedError, match="calling an object"):
        f.compile(("n",))
    f = jitted(make("def f(x, y=2):\n    return x + y"))
    with pytest.raises(TypeError, match=r"f\(\) missing 1 required positional argument: 'x'"):
        f.compile()
    with pytest.raises(DeviceError, match=r"there is no cuda:77|NVIDIA GPU and its driver"):
        f.compile(spec("f8", 1, device="cuda:77"))
    with pytest.raises(ValueError, match=r"n - 20 is negative \(-11\)"):
        f.compile(("n - 20",))


def test_a_function_with_a_fallback_warns_once() -> None:
    f = jit(make("def f(x):\n    return [open, x][1]"), fallback=True)
    g = jit(make("def g(x):\n    return open(x)"), fallback=True)
    with pytest.warns(RuntimeWarning, match="runs g"):
        assert g.compile(("n",)) is None
    assert g.compile(("n",)) is None
    with pytest.warns(RuntimeWarning, match="runs f"):
        assert f(Y) is Y


def test_many_in_this_process() -> None:
    f, g = jit(make("def f(x):\n    return x + 1")), jit(make("def g(x, n):\n    return x * n"))
    got = compile_many([(f, ("n",)), (g, ("n",), 2), (f, spec("f4", 2))], processes=1)
    assert got == [f.signatures()[0], g.signatures()[0], f.signatures()[1]]
    assert compile_many([]) == []
    with pytest.raises(ValueError, match="at least 1"):
        compile_many([], processes=0)
    with pytest.raises(TypeError, match=r"\(jitted function, \*specs\)"):
        compile_many([(len, ("n",))])


@pytest.mark.parametrize("processes", [1, 2])
def test_all_are_compiled_before_the_first_error_is_raised(processes: int) -> None:
    f, bad = jit(make("def f(x):\n    return x + 1")), jit(make("def b(x):\n    return open(x)"))
    tasks = [(f, ("n",)), (bad, ("n",)), (f, ("n", "m")), (bad, 1.0)]
    with pytest.raises(UnsupportedError, match="calling an object") as caught:
        compile_many(tasks, processes=processes)
    assert caught.value.__notes__[-1].startswith("task 3 failed too: UnsupportedError: ")
    assert len(f.signatures()) == 2


PROGRAM = """
    import os
    import numpy as np
    from shapecast import compile_many, jit
    from shapecast._core import cache_statistics

    factor = 3.0

    def made(k):
        @jit
        def scaled(x):
            return x * factor + k
        return scaled

    functions = [made(float(k)) for k in range(6)]

    @jit
    def own(x, y):
        return x @ y

    print("once")
    tasks = [(f, ("n",)) for f in functions] + [(own, ("n", "m"), ("m",))]
    texts = compile_many(tasks, processes=3)
    print(cache_statistics()["direct"], cache_statistics()["compiled"], len(texts))
    assert [texts[k] == f.signatures()[0] for k, f in enumerate(functions)]
    x = np.arange(4.0)
    for k, f in enumerate(functions):
        np.testing.assert_array_equal(f(x), x * 3 + k)
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        print("no children left")
"""


def run(program: str, cache: Path | str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "SHAPECAST_CACHE_DIR": str(cache)}
    return subprocess.run(
        [sys.executable, "-W", "error", program], capture_output=True, text=True, env=environment
    )


def test_other_processes_compile_functions_of_a_script(tmp_path: Path) -> None:
    """Without `if __name__ == "__main__"`."""
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(PROGRAM))
    done = run(str(program), tmp_path / "cache")
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["once", "7 0 7", "no children left"]


def test_without_a_cache_this_process_compiles(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(PROGRAM))
    done = run(str(program), "off")
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["once", "0 7 7", "no children left"]


def test_a_helper_that_dies_costs_nothing_but_time(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    text = textwrap.dedent(PROGRAM).replace(
        'print("once")',
        "from shapecast import _compile\n"
        "_compile._Helpers._work = lambda *_: os._exit(1)\n"
        'print("once")',
    )
    program.write_text(text)
    done = run(str(program), tmp_path / "cache")
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["once", "0 7 7", "no children left"]


def test_a_progress_bar_on_request(capfd: pytest.CaptureFixture[str]) -> None:
    f = jit(make("def f(x):\n    return x + 1"))
    compile_many([(f, ("n",))])
    assert capfd.readouterr().err == ""
    compile_many([(f, ("n",)), (f, ("n", "m"))], progress=True)
    assert "2/2" in capfd.readouterr().err


def test_sizes_that_do_not_fit() -> None:
    f = jit(make("def f(x, y):\n    return x + y"))
    for _ in range(2):
        with pytest.raises(ShapeError, match=r"with shapes \(9,\) \(4,\)"):
            f.compile(("n",), spec("f8", (4,)))
    f.compile(("n",), ("n",))
    f.compile(("n",), spec("f8", 1))
    assert len(f.signatures()) == 2
