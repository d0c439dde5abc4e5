"""Functions of thousands of operations: splitting and outlining their code changes no value."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapecast
from support.compare import instrumented, make, optimised

LAYERS = 150
LAYER = """
    s = (v @ a) @ (v @ b).T
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    v = (e / e.sum(axis=-1, keepdims=True)) @ v"""
LOOP = """
    for i in range(len(c)):
        for j in range(5):
            v[1, j] += c[i] * a[i, j]"""


def unrolled(end: str = "") -> Callable[..., Any]:
    return make("def f(v, a, b, c):" + LAYERS * LAYER + end + "\n    return v")


def arguments() -> tuple[np.ndarray, ...]:
    random = np.random.default_rng(0)
    return random.normal(size=(12, 40)), *random.normal(size=(2, 40, 40)), random.normal(size=3)


def check_values(function: Callable[..., Any]) -> None:
    got, expected = shapecast.jit(function)(*arguments()), function(*arguments())
    np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-12)


def code_of(function: Callable[..., Any]) -> str:
    return optimised(shapecast.jit(function).stages(*arguments()))


def test_unrolled_layers_have_numpys_values_and_share_their_outlined_loops() -> None:
    function = unrolled()
    check_values(function)
    code = code_of(function)
    assert "optnone" in code  # registers of a long function that only calls others
    assert code.count("\ndefine") < 20


@pytest.mark.skipif(instrumented, reason="a sanitizer's build generates all code without effort")
def test_a_scalar_loop_in_a_long_function_keeps_its_values_in_registers() -> None:
    function = unrolled(LOOP)
    check_values(function)
    assert "optnone" not in code_of(function)


PROGRAM = """
import json, sys
import numpy as np
import shapecast
from written import f
random = np.random.default_rng(0)
given = random.normal(size=(12, 40)), *random.normal(size=(2, 40, 40)), random.normal(size=3)
result = shapecast.jit(f)(*given)
print(json.dumps([shapecast._core.cache_statistics()["direct"], result.tolist()]))
"""


def test_a_long_function_is_cached_on_disk(tmp_path: Path) -> None:
    """Its code is in two objects, one of which calls what is in the other."""
    text = "import numpy as np\ndef f(v, a, b, c):" + LAYERS * LAYER + "\n    return v\n"
    (tmp_path / "written.py").write_text(text)
    (tmp_path / "program.py").write_text(PROGRAM)
    environment = {**os.environ, "SHAPECAST_CACHE_DIR": str(tmp_path / "cache")}
    found = []
    for direct in (0, 1):
        done = subprocess.run(
            [sys.executable, "program.py"], cwd=tmp_path, env=environment, check=True,
            capture_output=True, text=True,
        )  # fmt: skip
        known, value = json.loads(done.stdout)
        assert known == direct
        found.append(value)
    assert found[0] == found[1]
    np.testing.assert_allclose(found[0], unrolled()(*arguments()), rtol=1e-9, atol=1e-12)
