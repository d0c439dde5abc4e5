"""A few random programs on every run; `./dev fuzz` runs as many as there is time for."""

from __future__ import annotations

from hypothesis import given, settings

from fuzz.execute import execute
from fuzz.programs import Program, programs, seeded


@settings(max_examples=25)
@given(program=programs())
def test_random_program_does_what_plain_execution_does(program: Program) -> None:
    outcome = execute(program)
    assert not outcome.bad, f"{outcome.detail}\n{program.source}\n" + "\n".join(program.calls)


def test_a_seed_gives_one_program() -> None:
    assert [seeded(seed) for seed in range(5)] == [seeded(seed) for seed in range(5)]


def test_most_programs_compile_and_some_raise() -> None:
    outcomes = [execute(seeded(seed)) for seed in range(1000, 1025)]
    assert sum(o.kind == "equal" for o in outcomes) > 20
    assert any(o.raised for o in outcomes)
