"""Type checkers know what users call: the stubs say what is there, jit keeps a function's types."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
import shapecast
from support.toolchain import missing

ROOT = Path(shapecast.__file__).parents[1]
PROGRAM = """
    from typing import Any, assert_type

    import numpy as np
    from numpy.typing import NDArray
    from shapecast import ShapeError, UnsupportedError, jit, spec, vectorize

    Array = NDArray[np.float64]


    @jit
    def scaled(x: Array, factor: float = 2.0) -> Array:
        return x * factor


    @jit(static_argnames="axis")
    def total(x: Array, *, axis: int) -> Array:
        return np.asarray(x.sum(axis=axis))


    class Model:
        @jit
        def shifted(self, x: Array, by: float) -> Array:
            return x + by


    @jit
    def parts(x: Array) -> tuple[Array, float]:
        return x, 1.0


    @jit
    def cleared(x: Array) -> None:
        x[:] = 0


    @vectorize
    def larger(a: float, b: float) -> float:
        return a if a > b else b


    def inferred(x: Array) -> list[str | int]:
        first, _ = assert_type(parts.infer(("n",)), tuple[Any, ...])
        print(first.dtype, assert_type(cleared.infer(("n",)), None))
        print(larger(x, 2.0).shape, larger.reduce(x), larger.types[0].upper(), larger.nin + 1)
        return [*scaled.infer(("n", 3)).shape, Model.shifted.infer(Model(), x, 1.0).device]


    def use(x: Array) -> list[str]:
        assert_type(scaled(x, factor=3.0), Array)
        assert_type(total(x, axis=0), Array)
        assert_type(Model().shifted(x, 1.0), Array)
        assert_type(scaled.__wrapped__(x), Array)
        try:
            scaled(x)
        except (ShapeError, UnsupportedError) as error:
            return [str(error)]
        text: str = scaled.explain() + scaled.stages(spec("float64", 1))["nests"]
        return [*scaled.signatures(), *scaled.remarks(x), text, scaled._repr_html_()]
"""


def mypy(*arguments: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        cwd=ROOT,
    )
    if "No module named mypy" in done.stderr:
        missing("mypy is not installed")
    return done


def check(tmp_path: Path, source: str) -> str:
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(source))
    cache = str(tmp_path / "cache")
    return mypy("mypy", "--strict", "--cache-dir", cache, str(program)).stdout


def test_a_users_program_passes_mypy_strict(tmp_path: Path) -> None:
    assert "Success" in (out := check(tmp_path, PROGRAM)), out


def test_wrong_calls_of_a_jitted_function_are_found(tmp_path: Path) -> None:
    wrong = """
        scaled("text")
        scaled(np.ones(3), factr=1.0)
        total(np.ones((2, 2)))
        Model().shifted(np.ones(3))
        scaled(np.ones(3)).splat()
        scaled.infer(("n",)).sizes
        larger.reduced(np.ones(3))
    """
    out = check(tmp_path, textwrap.dedent(PROGRAM) + textwrap.dedent(wrong))
    assert "Found 7 errors" in out, out


def test_the_stub_says_what_the_module_has_and_nothing_else(tmp_path: Path) -> None:
    known = tmp_path / "known.txt"  # they have pybind11's metaclass
    names = ("Dim", "ShapeScope", "Device")
    known.write_text("".join(f"shapecast._core.{name}\n" for name in names))
    done = mypy("mypy.stubtest", "shapecast._core", "--allowlist", str(known))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("of", [shapecast._core, shapecast._core.Jit], ids=["module", "Jit"])
def test_every_public_name_is_in_the_stub(of: object) -> None:
    stub = Path(shapecast.__file__).with_name("_core.pyi").read_text()
    # The module's private names are for tests.
    hidden = "_" if of is shapecast._core else "__"
    names = [name for name in dir(of) if not name.startswith(hidden)]
    assert len(names) >= 3
    assert not [
        name for name in names if f"def {name}(" not in stub and f"class {name}" not in stub
    ]


def test_the_package_exports_what_its_all_says() -> None:
    modules = {"library", "shape_rules", "typing"}  # imported by who wants them
    public = {name for name in vars(shapecast) if not name.startswith("_")} - modules
    lazy = {"Profile", "compile_many", "profile", "pyfunc", "ship", "vectorize"}
    assert public | lazy | {"__version__"} == set(shapecast.__all__)
    assert all(callable(getattr(shapecast, name)) for name in lazy)
