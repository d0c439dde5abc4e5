"""Runs tests/ir/**/*.mlir: each `// RUN:` line is a shell pipeline that must succeed.

In a RUN line `%opt` is shapecast-opt, `%s` the file itself, `%t` a scratch path of this test, and
`FileCheck` and `not` are LLVM's. A line that ends in a backslash goes on in the next RUN line.
"""

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from toolchain import LLVM_BIN, need, shapecast_opt

ROOT = Path(__file__).parent / "ir"
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


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_ir(path: Path, tmp_path: Path) -> None:
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
