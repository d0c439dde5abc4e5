"""A few random programs on every run; `./dev fuzz` runs as many as there is time for."""

from __future__ import annotations

from fuzz.execute import execute
from fuzz.programs import Program, programs, seeded
from hypothesis import given, settings


@settings(max_examples=25)
@given(program=programs())
def test_random_program_does_what_plain_execution_does(program: Program) -> None:
    outcome = execute(program)
    assert not outcome.bad, f"{outcome.detail}\n{program.source}\n" + "\n".join(program.calls)


def test_a_seed_gives_one_program() -> None:
    assert [seeded(seed) for seed in range(5)] == [seeded(seed) for seed in range(5)]


def test_most_programs_compile_and_some_raise() -> None:
    outcomes = [execute(seeded(seed)) for seed in range(20)]
    assert sum(outcome.kind == "equal" for outcome in outcomes) >= 16
    assert any(outcome.raised for outcome in outcomes)
