"""Inspecting compiled code: f.stages, f.signatures, f.explain, SHAPECAST_DUMP."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from support.compare import case_id, jitted, make, optimised
from support.toolchain import pipeline_stages

STAGES = ["capture", *(name for name, _ in pipeline_stages("specialise", "llvm"))]
PROGRAMS = {
    "expression": "def f(x):\n    return np.sqrt(x * x + 1)",
    "stencil": "def f(x):\n    x[1:-1] = x[:-2] + x[2:]\n    return x",
    "loop": "def f(x):\n    s = 0.0\n    for i in range(len(x)):\n        if x[i] > 0:\n         "
            "   s += x[i]\n    return s",
    "call": "def g(x):\n    return x * 2\n\ndef f(x):\n    return g(x) + g(x[::-1])",
    "reduction": "def f(x):\n    return (x - x.mean()).sum()",
}  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_stages_come_in_order_and_none_is_empty(program: str) -> None:
    f = jitted(make(PROGRAMS[program], name="f"))
    stages = f.stages(np.ones(5))
    assert list(stages) == STAGES
    assert all(isinstance(text, str) and text.strip() for text in stages.values())


def test_each_stage_shows_its_effect() -> None:
    f = jitted(make("def foo(x):\n    return np.sqrt(x)\n\ndef f(x):\n    return foo(x)", name="f"))
    stages = f.stages(20.0)
    assert "np.call" in stages["capture"] and "!np.any" in stages["capture"]
    assert (
        "np.cast" in stages["inline"]
        and "@py.foo" not in stages["inline"].split("np.func @py.f(", 1)[1]
    )
    assert "!np.any" not in stages["infer"] and "f64" in stages["infer"]
    assert "np.cast" not in stages["simplify"]
    assert "define" in stages["llvm"] or "llvm." in stages["llvm"]


def test_stages_do_not_run_the_function_or_change_its_arguments() -> None:
    f = jitted(make("def f(x):\n    x[0] = 5\n    print(1)"))
    x = np.zeros(3)
    f.stages(x)
    assert x[0] == 0


def test_stages_are_the_same_every_time() -> None:
    f = jitted(make(PROGRAMS["stencil"], name="f"))
    assert f.stages(np.ones(5)) == f.stages(np.ones(5))


def test_element_wise_expression_is_one_loop_without_a_temporary() -> None:
    f = jitted(make("def f(x, y):\n    return np.sqrt(x * x + y * y) - 0.5 * x"))
    stages = f.stages(np.ones(5), np.ones(5))
    # One over chunks, between which it polls for signals, and one over the elements.
    assert stages["loops"].count("scf.for") == 2, stages["loops"]
    assert stages["lifetime"].count("np.alloc") + stages["lifetime"].count("np.empty") <= 1, stages[
        "lifetime"
    ]


@pytest.mark.parametrize(
    "source",
    [
        "def f(a, b):\n    return a * 2 + b",
        "def f(a, b):\n    b[1:-1] = a[:-2] + a[1:-1] + a[2:]",
        "def f(a, b):\n    return np.sqrt(a * a + b * b)", "def f(a, b):\n    return (a * b).sum()",
        "def f(a, b):\n    return np.exp(a) + b", "def f(a, b):\n    return np.where(a > b, a, b)",
        "def f(a, b):\n    a += b",
    ],
    ids=case_id,
)  # fmt: skip
def test_inner_loop_is_vectorised(source: str) -> None:
    ir = optimised(jitted(make(source)).stages(np.ones(1000), np.ones(1000)))
    assert "x double>" in ir, ir[-3000:]


def test_store_of_disjoint_slices_copies_nothing_and_of_overlapping_ones_does() -> None:
    f = jitted(make("def f(a):\n    a[1:] = a[:-1] * 2"))
    g = jitted(make("def g(a, b):\n    a[1:] = b[:-1] * 2"))
    a, b = np.arange(10.0), np.arange(10.0)
    copying = f.stages(a)["lifetime"] + f.stages(a)["schedule"]
    direct = g.stages(a, b)["lifetime"]
    assert direct.count("np.alloc") == 0 and direct.count("np.scratch") == 0, direct
    # Descending order would do without a copy too; either way the result is NumPy's.
    want = a.copy()
    want[1:] = want[:-1] * 2
    f(a)
    assert np.array_equal(a, want), copying


def test_dump_writes_numbered_files_with_times(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import numpy as np, shapecast\n@shapecast.jit\ndef f(x):\n    return x * 2 + "
        "1\nf(np.ones(3))\n"
    )
    out = tmp_path / "dump"
    subprocess.run(
        [sys.executable, str(program)],
        check=True,
        timeout=120,
        env={**os.environ, "SHAPECAST_DUMP": str(out)},
    )
    files = sorted(p.relative_to(out) for p in out.rglob("*") if p.is_file())
    numbered = [p for p in files if p.name[0].isdigit()]
    assert len(numbered) >= 8, files
    text = "".join(p.read_text() for p in out.rglob("*") if p.is_file())
    assert re.search(r"\d\s*ms", text), files
