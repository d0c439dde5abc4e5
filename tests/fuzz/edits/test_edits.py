"""A few hundred edits on every run; `./dev edits` makes as many as there is time for."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from fuzz.edits import programs
from fuzz.edits.run import history

RUN = Path(__file__).with_name("run.py")


@pytest.mark.parametrize("part", range(4))
def test_edited_programs_do_what_plain_python_does(part: int) -> None:
    first = part * 1000
    done = subprocess.run(
        [sys.executable, str(RUN), "--seeds", f"{first}:{first + 1000}", "--count", "75"],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    counted = {name: int(n) for n, name in re.findall(r"(\d+) ([a-z ]+)[,;]", done.stdout)}
    assert counted["processes"] >= 75 and counted["compared"] > 5 * counted["processes"]
    assert counted["direct"] > 10 and counted["compiled"] > 10


def test_a_seed_gives_one_history() -> None:
    assert list(history(7, 10)) == list(history(7, 10))


def test_every_version_of_a_program_can_be_compiled() -> None:
    for seed in range(30):
        for step in history(seed, 20):
            for name, text in step.files.items():
                compile(text, name, "exec")
            compile("\n".join(step.actions), "actions", "exec")
    assert len(programs.MODULES) == 4
