"""Whole programs as strangers wrote them, in `whole/`: each has a `main` and arguments for it. They
are run plain and jitted, with what they print and what becomes of the arguments.
"""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest
from shapecast import jit
from support.compare import jitted
from support.pictures import seen

NAMES = sorted(path.stem for path in (Path(__file__).parent / "whole").glob("*.py"))
# Their integers go beyond 64 bits, and so does a user's call: jit(bigint=True).
BEYOND_64_BITS = {
    "big_fibonacci",
    "calculator",
    "continued_fractions",
    "fraction_class",
    "lsystem",
    "number_theory",
    "rsa_toy",
    "stack_vm",
}


@pytest.mark.parametrize("name", NAMES)
def test_whole_program(name: str) -> None:
    program = importlib.import_module(f"programs.whole.{name}")
    is_big = name in BEYOND_64_BITS
    compiled = jit(bigint=True)(program.main) if is_big else jitted(program.main)
    for arguments in [*program.ARGS, *program.ARGS]:
        assert seen(compiled, arguments) == seen(program.main, arguments)
