"""The examples run as a newcomer runs them, on small sizes; the notebook's cells run in order."""

from __future__ import annotations

import json
import linecache
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
SIZES = {
    "black_scholes": 1000,
    "floyd_warshall": 20,
    "heat": 40,
    "life": 64,
    "lu_cholesky": 20,
    "mandelbrot": 40,
    "nbody": 20,
    "pagerank": 30,
}


def test_every_example_is_run() -> None:
    programs = {path.stem for path in EXAMPLES.glob("*.py") if not path.stem.startswith("_")}
    assert programs == {*SIZES, "quickstart"}  # quickstart: ./dev quickstart, with its own packages


@pytest.mark.parametrize("name", SIZES)
def test_example_agrees_with_python(name: str) -> None:
    run = subprocess.run(
        [sys.executable, str(EXAMPLES / f"{name}.py"), str(SIZES[name])],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, run.stderr + run.stdout
    assert " x, " in run.stdout
    assert "WRONG" not in run.stdout


def test_the_notebook_runs_from_top_to_bottom(capsys: pytest.CaptureFixture[str]) -> None:
    """Each cell is compiled from text that only linecache knows, as IPython does it."""
    notebook = json.loads((EXAMPLES / "tour.ipynb").read_text())
    space: dict[str, object] = {"__name__": "__main__"}
    for number, cell in enumerate(notebook["cells"]):
        assert not cell.get("outputs"), "outputs stay out of git"
        if cell["cell_type"] != "code":
            continue
        source, file = "".join(cell["source"]), f"<ipython-input-{number}>"
        linecache.cache[file] = (len(source), None, source.splitlines(True), file)
        exec(compile(source, file, "exec"), space)
    shown = capsys.readouterr().out
    assert "vectorized loop" in shown  # remarks
    assert "^^^" in shown  # an error's caret
