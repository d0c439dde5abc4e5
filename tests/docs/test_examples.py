"""Every example runs on a small size, and the notebook's cells run in order."""

from __future__ import annotations

import ast
import json
import linecache
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import shapecast

EXAMPLES = Path(__file__).parents[2] / "examples"
SMALL = {
    "mandelbrot": 40,
    "heat": 24,
    "nbody": 12,
    "life": 20,
    "black_scholes": 500,
    "floyd_warshall": 30,
    "lu_cholesky": 20,
    "pagerank": 200,
    "bootstrap": 60,
    "neural_net": 10,
    "precompile": 40,
}


def test_every_example_is_run_here() -> None:
    scripts = {p.stem for p in EXAMPLES.glob("*.py") if not p.stem.startswith("_")}
    assert scripts == {*SMALL, "quickstart"}


@pytest.mark.parametrize("name", SMALL)
def test_example_agrees_with_numpy(name: str) -> None:
    package = str(Path(shapecast.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / f"{name}.py"), str(SMALL[name])],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": package},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " x, " in done.stdout and not done.stderr, done.stdout + done.stderr
    assert "WRONG" not in done.stdout


def notebook() -> Any:
    return json.loads((EXAMPLES / "tour.ipynb").read_text())


def test_notebook_is_valid_and_carries_no_outputs() -> None:
    book = notebook()
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in book["cells"]}) == len(book["cells"])
    for cell in book["cells"]:
        assert isinstance(cell["source"], list) and cell["metadata"] == {}
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None


def test_notebook_cells_run_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    space: dict[str, Any] = {"__name__": "__main__"}
    views: list[str] = []
    for number, cell in enumerate(notebook()["cells"]):
        if cell["cell_type"] != "code":
            continue
        # As IPython does it: the source is known to linecache only.
        file, source = f"<tour cell {number}>", "".join(cell["source"]) + "\n"
        linecache.cache[file] = (len(source), None, source.splitlines(True), file)
        tree = ast.parse(source)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, file, "exec"), space)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), file, "eval"), space)
            views.append(getattr(value, "_repr_html_", lambda: "")())
    shown = capsys.readouterr().out
    (view,) = filter(None, views)
    assert "reads a (3 windows); writes b" in view and "float32[s0]" in view
    for expected in (
        "a: float64[s0]", "new key", "float32[s0, s1]", "np.func @py.smooth", "(3,) (5,)", "^^^",
        "'with' is not supported", "vectorized loop",
    ):  # fmt: skip
        assert expected in shown, shown
