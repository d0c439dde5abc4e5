"""A few random programs on every run; `./dev fuzz` runs as many as there is time for."""

from __future__ import annotations

from fuzz.execute import execute
from fuzz.modes import MODES, mode_of, switched
from fuzz.programs import Program, programs, seeded
from hypothesis import given, settings
from hypothesis import strategies as st


@settings(max_examples=25)
@given(mode=st.sampled_from(list(MODES)), program=programs())
def test_random_program_does_what_plain_execution_does(mode: str, program: Program) -> None:
    with switched(mode):
        outcome = execute(program)
    assert not outcome.bad, f"{outcome.detail}\n{program.source}\n" + "\n".join(program.calls)


def test_a_seed_gives_one_program() -> None:
    assert [seeded(seed) for seed in range(5)] == [seeded(seed) for seed in range(5)]


def test_most_programs_compile_and_some_raise() -> None:
    outcomes = []
    for seed in range(20):
        with switched(mode_of(seed)):
            outcomes.append(execute(seeded(seed)))
    assert sum(outcome.kind == "equal" for outcome in outcomes) >= 16
    assert any(outcome.raised for outcome in outcomes)
