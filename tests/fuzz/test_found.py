"""The programs of found.py and found_families.py."""

from __future__ import annotations

import pytest
from fuzz import found_families
from fuzz.execute import execute
from fuzz.found import FIXED, OPEN, REFUSED
from fuzz.programs import Program


@pytest.mark.parametrize(
    "program",
    [pytest.param(program, id=name) for name, program in (FIXED | found_families.FIXED).items()]
    + [
        pytest.param(program, id=name, marks=pytest.mark.xfail(strict=True, reason=reason))
        for name, (reason, program) in OPEN.items()
    ],
)
def test_program_does_what_plain_execution_does(program: Program) -> None:
    outcome = execute(program, objects=True)
    assert outcome.kind == "equal", outcome.detail


@pytest.mark.parametrize("name", REFUSED)
def test_refused_program_is_refused(name: str) -> None:
    assert execute(REFUSED[name]).kind == "refused"
