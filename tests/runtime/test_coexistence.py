"""In one process with another user of LLVM, in both orders; and what importing costs and loads."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import textwrap

import pytest
from support.toolchain import missing

OURS = """
    import shapecast
    @shapecast.jit
    def ours(x):
        return np.sqrt(x * x + 1).sum()
    assert ours(x) == want
"""
NUMBAS = """
    import numba
    @numba.njit
    def theirs(x):
        return np.sqrt(x * x + 1).sum()
    assert abs(theirs(x) - want) < 1e-9
"""
START = """
    import numpy as np
    x = np.arange(100.0)
    want = np.sqrt(x * x + 1).sum()
"""


def run(*parts: str, path) -> None:
    program = path / "program.py"
    program.write_text("\n".join(map(textwrap.dedent, parts)))
    done = subprocess.run(
        [sys.executable, str(program)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("first", ["shapecast", "numba"])
def test_jits_beside_numba_in_either_order(first: str, tmp_path) -> None:
    if importlib.util.find_spec("numba") is None:
        missing("Numba is not installed")
    order = (OURS, NUMBAS) if first == "shapecast" else (NUMBAS, OURS)
    again = "assert ours(x * 2) > 0 and theirs(x * 2) > 0\nassert ours(x.astype(np.float32)) > 0\n"
    run(START, *order, again, path=tmp_path)


def test_interpreter_ends_cleanly_with_compiled_functions_alive(tmp_path) -> None:
    run(
        START,
        OURS,
        "import atexit\natexit.register(lambda: ours(x))\nclass Late:\n    def __del__(self):\n  "
        "      ours(x)\nlate = Late()\n",
        path=tmp_path,
    )


def test_import_is_light() -> None:
    """Neither the compiler's start nor heavy standard modules at import; NumPy alone is needed."""
    program = (
        "import sys, numpy\nbefore = set(sys.modules)\nimport shapecast\n"
        "print(*sorted(m for m in set(sys.modules) - before if not m.startswith('shapecast')))"
    )
    out = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    heavy = {"numba", "scipy", "pytest", "multiprocessing", "asyncio", "unittest", "rich"} & set(
        out.stdout.split()
    )
    assert not heavy
