"""f.remarks(*args): LLVM vectorises the inner loops, and says so with the line that a loop is of.

Sums along rows are emitted as vectors, so LLVM has no such remark for their loops: there the test
looks for vector instructions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from support.compare import case_id, instrumented, jitted, make, optimised

# Non-temporal stores are vectors already, for which LLVM has no remark.
pytestmark = pytest.mark.default_mode

A, B = np.linspace(0.0, 1.0, 1000), np.linspace(1.0, 2.0, 1000)
A4, B4 = A.astype(np.float32), B.astype(np.float32)
GRID = np.linspace(0.0, 1.0, 50 * 60).reshape(50, 60)
INTS = np.arange(1000)


@dataclass
class Nest:
    source: str
    arguments: tuple[Any, ...]
    line: int  # of the loop, in the source
    uses: str = ""  # what the vectorised IR must hold too


NESTS = {
    "element-wise chain": Nest(
        "def f(a, b):\n    return np.sqrt(a * a + b * b) - 0.5 * a", (A, B), 2,
        r"x double> @llvm.sqrt",
    ),
    "in place": Nest("def f(a, b):\n    a += b * 2", (A, B), 2),
    "float32 chain": Nest(
        "def f(a, b):\n    return a * b + a", (A4, B4), 2, r"fadd <\d+ x float>"
    ),
    "integers": Nest(
        "def f(a):\n    return (a * 3 + 1) ^ a", (INTS.astype(np.int32),), 2, r"mul <\d+ x i32>"
    ),
    "broadcast": Nest("def f(a, b):\n    return a[:, None] * b", (A[:50], B[:60]), 2),
    "1-D stencil": Nest(
        "def f(a, b):\n    b[1:-1] = a[:-2] + 2 * a[1:-1] + a[2:]", (A, B), 2,
        r"fadd <\d+ x double>",
    ),
    "2-D stencil": Nest(
        """
        def f(a, b):
            c = 0.25
            b[1:-1, 1:-1] = c * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])
        """,
        (GRID, GRID.copy()), 3, r"fadd <\d+ x double>",
    ),
    "sum along the first axis": Nest(
        "def f(a):\n    return a.sum(axis=0)", (GRID,), 2, r"fadd <\d+ x double>"
    ),
    "where": Nest(
        "def f(a, b):\n    return np.where(a > b, a, 2 * b)", (A, B), 2, r"select <\d+ x i1>"
    ),
    "clip": Nest("def f(a):\n    return np.clip(a, 0.25, 0.75)", (A,), 2),
    "where and clip": Nest(
        "def f(a, b):\n    return np.where(a > b, np.clip(a, 0, 1), b)", (A, B), 2,
        r"select <\d+ x i1>",
    ),
    "float64 exp": Nest("def f(a):\n    return np.exp(a) + 1", (A,), 2, r"@_ZGV\w+_exp\("),
    "float32 exp": Nest("def f(a):\n    return np.exp(a)", (A4,), 2, r"@_ZGV\w+_expf\("),
    "scalar loop over integers": Nest(
        """
        def f(a, n):
            s = 0
            for i in range(n):
                s += a[i]
            return s
        """,
        (INTS, 1000), 1, r"add <\d+ x i64>",
    ),
    "scalar loop that stores": Nest(
        """
        def f(a, b, n):
            for i in range(n):
                b[i] = a[i] * 2.0 + 1.0
        """,
        (A, B, 1000), 1, r"fmul <\d+ x double>",
    ),
}  # fmt: skip
VECTORISED = (
    r"f[\w.]* \(line (\d+)\): vectorized loop \(vectorization width: (\d+), interleaved count"
)


@pytest.mark.parametrize("name", NESTS)
def test_inner_loop_is_reported_as_vectorised(name: str) -> None:
    nest = NESTS[name]
    f = jitted(make(nest.source))
    remarks = f.remarks(*nest.arguments)
    found = [match for remark in remarks if (match := re.match(VECTORISED, remark))]
    assert found, remarks
    assert all(int(match[2]) > 1 for match in found), remarks
    assert {int(match[1]) for match in found} == {nest.line}, remarks
    if "for " not in nest.source:  # a checked clone of a scalar loop may stay as it is
        assert not any("not vectorized" in remark for remark in remarks), remarks
    ir = optimised(f.stages(*nest.arguments))
    assert re.search(nest.uses, ir), ir[-4000:]


@pytest.mark.skipif(instrumented, reason="AddressSanitizer splits the loop's block")
@pytest.mark.parametrize(
    ("source", "argument", "vector"),
    [
        ("def f(a):\n    return a.sum(axis=-1)", GRID, "double"),
        ("def f(a):\n    return a.sum()", A, "double"),
        ("def f(a):\n    return (a * a).sum(axis=1)", GRID.astype("f4"), "float"),
        ("def f(a):\n    return a.mean(axis=-1)", GRID, "double"),
    ],
    ids=case_id,
)  # fmt: skip
def test_sum_along_the_last_axis_adds_vectors(source: str, argument: Any, vector: str) -> None:
    ir = optimised(jitted(make(source)).stages(argument))
    blocks = re.split(r"(?m)^(?=[\w.$-]+:)", ir)
    # In a block that branches to itself: the loop, not its remainder.
    loops = [b for b in blocks if (label := re.match(r"[\w.$-]+", b)) and f"label %{label[0]}" in b]
    assert any(re.search(rf"fadd <\d+ x {vector}>", b) for b in loops), ir[-6000:]


def test_remark_says_why_a_loop_is_not_vectorised() -> None:
    f = jitted(make("def f(a, n):\n    for i in range(1, n):\n        a[i] += 0.5 * a[i - 1]"))
    remarks = f.remarks(A.copy(), 1000)
    assert not any("vectorized loop" in remark for remark in remarks), remarks
    assert any(re.match(r"f \(line 1\): loop not vectorized: .*depend", r) for r in remarks), (
        remarks
    )


def test_remarks_do_not_run_the_function() -> None:
    x = np.zeros(3)
    jitted(make("def f(x):\n    x[:] = 5")).remarks(x)
    assert not x.any()


def test_function_without_loops_has_no_remarks() -> None:
    assert jitted(make("def f(x):\n    return x + 1")).remarks(2.0) == []
