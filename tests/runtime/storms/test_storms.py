"""A few seconds of each storm; `python tests/runtime/storms/NAME.py --seconds N` makes longer
ones.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("name", ["threads", "signals", "processes", "forks"])
def test_storm(name: str) -> None:
    program = Path(__file__).with_name(f"{name}.py")
    done = subprocess.run(
        [sys.executable, program, "--seconds", "5"], capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, (done.returncode, done.stdout, done.stderr[-3000:])
    assert "ignored" not in done.stderr, done.stderr[-3000:]  # an exception that was lost
    assert int(re.findall(r"\d+", done.stdout)[0]) > 10, done.stdout
