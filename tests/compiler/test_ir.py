"""Runs tests/compiler/ir/**/*.mlir: each `// RUN:` line is a shell pipeline that must succeed.

In a RUN line `%opt` is shapecast-opt, `%s` the file itself, `%t` a scratch path of this test, and
`FileCheck` and `not` are LLVM's. A line that ends in a backslash continues in the next RUN line.
"""

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from support.toolchain import LLVM_BIN, need, shapecast_opt

ROOT = Path(__file__).parent / "ir"
PIPELINE = Path(__file__).parents[2] / "src" / "pipeline.def"
FILES = sorted(ROOT.rglob("*.mlir"))
RUN = re.compile(r"//\s*RUN:\s*(.*)")


def run_lines(text: str) -> list[str]:
    lines: list[str] = []
    unfinished = ""
    for found in RUN.finditer(text):
        line = unfinished + found.group(1).rstrip()
        if line.endswith("\\"):
            unfinished = line[:-1]
        else:
            lines.append(line)
            unfinished = ""
    assert not unfinished, "the last RUN line ends in a backslash"
    return lines


def passes(line: str) -> list[str]:
    """The stages that a RUN line runs; np-verify changes nothing."""
    return [name for name in re.findall(r"--np-([\w-]+)", line) if name != "verify"]


def test_every_stage_has_a_test_that_runs_only_this_stage() -> None:
    stages = re.findall(r'^STAGE\("([\w-]+)"', PIPELINE.read_text(), re.MULTILINE)
    assert "specialise" in stages and "llvm" in stages
    tested = {
        path.name.split("_")[0]
        for path in FILES
        for line in run_lines(path.read_text())
        if passes(line) == [path.name.split("_")[0]] and "FileCheck" in line
    }
    missing = [stage for stage in stages if stage not in tested]
    assert not missing, "no tests/compiler/ir/<stage>_*.mlir with `%opt %s --np-<stage>`"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_run_lines_succeed(path: Path, tmp_path: Path) -> None:
    opt = shapecast_opt()
    need("FileCheck")
    lines = run_lines(path.read_text())
    assert lines, f"{path} has no RUN line"
    values = {"%opt": opt, "%s": str(path), "%t": str(tmp_path / "out")}
    env = os.environ | {"PATH": f"{LLVM_BIN}:{os.environ.get('PATH', '')}"}
    for line in lines:
        command = re.sub(r"%opt\b|%s\b|%t\b", lambda m: shlex.quote(values[m.group()]), line)
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command],
            capture_output=True,
            text=True,
            env=env,
            cwd=tmp_path,
            timeout=120,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
