"""Programs as people write them: classes, generators, containers. Plain and jitted, on equal
arguments: results, their types and identities, exceptions and what is left of the arguments.
"""

from __future__ import annotations

import copy
import importlib
from collections.abc import Callable
from typing import Any

import pytest
from support.compare import jitted
from support.pictures import picture

MODULES = [
    "attributes",
    "classes",
    "collected",
    "found",
    "generators",
    "given",
    "identities",
    "linked",
    "memoised",
    "methods",
    "recursive",
    "strings",
]
CASES = [
    pytest.param(program, arguments, id=f"{name}.{program.__name__}")
    for name in MODULES
    for program, arguments in importlib.import_module(f"programs.{name}").CASES
]


def outcome(f: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    given = copy.deepcopy(arguments)
    try:
        result = f(*given)
    except Exception as error:
        return type(error).__name__, str(error).split("\n")[0]
    return picture((result, given))


@pytest.mark.parametrize(("program", "arguments"), CASES)
def test_program_does_what_pythons_does(
    program: Callable[..., Any], arguments: tuple[Any, ...]
) -> None:
    expected = outcome(program, arguments)
    for _ in range(2):  # the second call is of the compiled code
        assert outcome(jitted(program), arguments) == expected
