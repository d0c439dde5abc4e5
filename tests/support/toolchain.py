"""The tools that tests start: a missing one is a failure where all must be, else a skip."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import NoReturn

import pytest

LLVM_BIN = Path(os.environ.get("SHAPECAST_LLVM_ROOT", "/usr/lib/llvm-22")) / "bin"


def missing(reason: str) -> NoReturn:
    """`./dev test` (which installs all tools) and CI fail; a bare pytest skips."""
    if os.environ.get("SHAPECAST_ALL_TOOLS") or os.environ.get("CI"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


def need(tool: str) -> str:
    """The path of a program, LLVM's first."""
    return shutil.which(tool, path=f"{LLVM_BIN}:{os.environ.get('PATH', '')}") or missing(
        f"no {tool} in {LLVM_BIN} or PATH: ./dev test installs it"
    )


def shapecast_opt() -> str:
    opt = os.environ.get("SHAPECAST_OPT")
    if not opt or not Path(opt).exists():
        missing("SHAPECAST_OPT does not name the tool: run ./dev test")
    return opt


def pipeline_stages(first: str, last: str) -> list[tuple[str, str]]:
    """The host's stages from one to another, as src/pipeline.def has them, each with the level of
    the IR after it.
    """
    table = (Path(__file__).parents[2] / "src" / "pipeline.def").read_text()
    rows = re.findall(r'^STAGE\("([\w-]+)", \w+, \w+, (\w+), (\w+),', table, re.MULTILINE)
    names = [name for name, _, _ in rows]
    chosen = rows[names.index(first) : names.index(last) + 1]
    return [(name, level.lower()) for name, level, side in chosen if side != "Device"]
