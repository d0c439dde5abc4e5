"""Runs the C++ test programs: each file of tests/compiler/cpp is one, and exit code 0 is a pass."""

import subprocess
from pathlib import Path

import pytest
from support.toolchain import shapecast_opt

SOURCES = sorted((Path(__file__).parent / "cpp").glob("*.cpp"))


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_cpp_program_passes(source: Path) -> None:
    opt = shapecast_opt()
    program = Path(opt).parent / "tests" / source.stem
    done = subprocess.run([program], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{program} exited {done.returncode}\n{done.stdout}{done.stderr}"
