"""Runs the programs of these tests as a user's: each a main program of its own, in a file."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest
import shapecast


def need(*packages: str) -> pytest.MarkDecorator:
    """Skips where a package is not installed; `./dev clusters` installs all: there it fails."""
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    reason = f"{', '.join(missing)} not installed (./dev clusters)"
    if missing and os.environ.get("SHAPECAST_CLUSTERS"):
        raise RuntimeError(reason)
    return pytest.mark.skipif(bool(missing), reason=reason)


def run(folder: Path, text: str) -> str:
    """What the program prints; it must end without an error. How many threads is not chosen."""
    (folder / "main.py").write_text(text)
    package = str(Path(shapecast.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": package, "PYSPARK_PYTHON": sys.executable}
    for variable in ("OMP_NUM_THREADS", "SHAPECAST_NUM_THREADS"):
        environment.pop(variable, None)
    done = subprocess.run(
        [sys.executable, "main.py"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
