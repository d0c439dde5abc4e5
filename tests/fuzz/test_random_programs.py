"""A few random programs on every run; `./dev fuzz` runs as many as there is time for."""

from __future__ import annotations

import pytest
from fuzz.execute import execute
from fuzz.modes import MODES, mode_of, switched
from fuzz.programs import FAMILIES, Program, programs, seeded
from hypothesis import given, settings
from hypothesis import strategies as st


@settings(max_examples=25)
@given(mode=st.sampled_from(list(MODES)), program=programs())
def test_random_program_does_what_plain_execution_does(mode: str, program: Program) -> None:
    with switched(mode):
        outcome = execute(program)
    assert not outcome.bad, f"{outcome.detail}\n{program.source}\n" + "\n".join(program.calls)


@pytest.mark.parametrize("family", ["mixed", *FAMILIES])
def test_a_seed_gives_one_program(family: str) -> None:
    first, second = ([seeded(seed, family) for seed in range(3)] for _ in range(2))
    assert first == second


# More programs with escaping closures and run-time axes are refused, on purpose.
MIN_EQUAL = {"closures": 6, "axes": 6}


@pytest.mark.parametrize("family", FAMILIES)
def test_most_programs_of_a_family_compile(family: str) -> None:
    outcomes = [execute(seeded(seed, family)) for seed in range(12)]
    assert all(outcome.kind in ("equal", "refused") for outcome in outcomes)
    assert sum(outcome.kind == "equal" for outcome in outcomes) >= MIN_EQUAL.get(family, 8)


def test_most_programs_compile_and_some_raise() -> None:
    outcomes = []
    for seed in range(20):
        with switched(mode_of(seed)):
            outcomes.append(execute(seeded(seed, "mixed")))
    assert sum(outcome.kind == "equal" for outcome in outcomes) >= 16
    assert any(outcome.raised for outcome in outcomes)
