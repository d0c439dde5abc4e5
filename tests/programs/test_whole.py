"""Whole programs as strangers wrote them, in `whole/`: each has a `main` and arguments for it. They
are run plain and jitted, with what they print and what becomes of the arguments.
"""

from __future__ import annotations

import contextlib
import importlib
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.compare import jitted
from support.pictures import outcome

NAMES = sorted(path.stem for path in (Path(__file__).parent / "whole").glob("*.py"))


def seen(main: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Any, str]:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        found = outcome(main, arguments)
    return found, printed.getvalue()


@pytest.mark.parametrize("name", NAMES)
def test_whole_program(name: str) -> None:
    program = importlib.import_module(f"programs.whole.{name}")
    compiled = jitted(program.main)
    for arguments in [*program.ARGS, *program.ARGS]:
        assert seen(compiled, arguments) == seen(program.main, arguments)
