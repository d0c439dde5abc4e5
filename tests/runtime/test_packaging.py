"""The extension module as others meet it: what it needs, what it exports, what it coexists with."""

import importlib.machinery
import importlib.util
import os
import subprocess
import sys
import textwrap
import zlib
from pathlib import Path

import pytest
from support.compare import instrumented
from support.toolchain import missing, need


def core_path() -> str:
    spec = importlib.util.find_spec("shapecast._core")
    assert spec is not None and spec.origin is not None
    assert spec.origin.endswith(tuple(importlib.machinery.EXTENSION_SUFFIXES))
    return spec.origin


def output_of(tool: str, *args: str) -> str:
    return subprocess.run([need(tool), *args], check=True, capture_output=True, text=True).stdout


def run_python(code: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=300,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.returncode == 0, f"exit {done.returncode}\n{done.stdout}{done.stderr}"


def test_llvm_and_mlir_are_linked_statically() -> None:
    needed = output_of("ldd", core_path())
    assert "libc.so" in needed
    assert "LLVM" not in needed and "MLIR" not in needed


def test_the_module_exports_its_init_function_and_what_gdb_looks_for() -> None:
    lines = output_of("nm", "-D", "--defined-only", core_path()).splitlines()
    gdb = ["__jit_debug_descriptor", "__jit_debug_register_code"]
    assert sorted(line.split()[-1] for line in lines) == ["PyInit__core", *gdb]


def test_the_module_loads_with_glibc_2_34() -> None:
    """Where LLVM's archives were built against glibc 2.36 (Debian 12); others need theirs."""
    symbols = output_of("objdump", "-T", core_path())
    versions = {
        tuple(map(int, word.strip("()").removeprefix("GLIBC_").split(".")))
        for word in symbols.split()
        if word.strip("()").startswith("GLIBC_2.")
    }
    here = tuple(map(int, os.confstr("CS_GNU_LIBC_VERSION").split()[1].split(".")))
    assert max(versions) <= ((2, 34) if here <= (2, 36) else here)
    assert "GLIBCXX" not in symbols


@pytest.mark.skipif(instrumented, reason="with a sanitizer's checks in all of its code")
def test_a_wheel_stays_below_30_megabytes(tmp_path: Path) -> None:
    stripped = tmp_path / "stripped.so"
    output_of("strip", "-o", str(stripped), core_path())  # as scikit-build-core does
    library = Path(core_path()).with_name("captured_library.bin")
    assert sum(len(zlib.compress(f.read_bytes(), 6)) for f in (stripped, library)) < 29_000_000


# Functions are compiled from their source, which a `-c` program has not: they live in a file.
BESIDE = """
import numpy as np

def ours(x):
    return np.sqrt(x) + 1.0

def check_ours():
    from shapecast import jit
    x = np.arange(5.0)
    np.testing.assert_array_equal(jit(ours)(x), np.sqrt(x) + 1.0)

def theirs(x):
    total = 0.0
    for i in range(len(x)):
        total += x[i]
    return total

def check_theirs():
    from numba import njit
    assert njit(theirs)(np.arange(5.0)) == 10.0
"""


@pytest.mark.parametrize(
    "order",
    [
        "import shapecast; import numba; check_ours(); check_theirs(); check_ours()",
        "import numba; import shapecast; check_theirs(); check_ours(); check_theirs()",
        "check_ours(); check_theirs(); check_ours()",
        "check_theirs(); check_ours(); check_theirs()",
    ],
    ids=["import_ours_first", "import_numba_first", "jit_ours_first", "jit_numba_first"],
)
def test_shapecast_and_numba_compile_in_one_process(order: str, tmp_path: Path) -> None:
    if importlib.util.find_spec("numba") is None:
        missing("Numba is not installed")
    (tmp_path / "beside.py").write_text(BESIDE)
    steps = order.replace("; ", "\n")
    run_python(
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\nfrom beside import *\n{steps}\n"
    )


def test_the_package_carries_type_information() -> None:
    assert (Path(core_path()).parent / "py.typed").exists()


def test_the_description_for_an_index_has_no_links_into_the_checkout(tmp_path: Path) -> None:
    make = f"prepare_metadata_for_build_wheel({str(tmp_path)!r})"
    code = f"from scikit_build_core.build import *; {make}"
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    metadata = next(tmp_path.glob("*.dist-info/METADATA")).read_text()
    for python in ("3.11", "3.12", "3.13", "3.14"):
        assert f"Classifier: Programming Language :: Python :: {python}\n" in metadata
    _, description = metadata.split("\n\n", 1)
    assert "@jit" in description and "nearly every function of NumPy" in description
    assert "](" not in description and "<!--" not in description
