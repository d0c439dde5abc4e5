"""Runs the C++ test programs: each file of tests/cpp is one, and exit code 0 is a pass."""

import os
import subprocess
from pathlib import Path

import pytest

SOURCES = sorted((Path(__file__).parent / "cpp").glob("*.cpp"))


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_cpp(source: Path) -> None:
    opt = os.environ.get("SHAPECAST_OPT")
    if not opt:
        pytest.skip("SHAPECAST_OPT is not set: run ./dev test")
    program = Path(opt).parent / "tests" / source.stem
    done = subprocess.run([program], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{program} exited {done.returncode}\n{done.stdout}{done.stderr}"
