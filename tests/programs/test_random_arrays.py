"""Random programs that keep arrays and views of them in lists and dicts, and change them there."""

from __future__ import annotations

import gc
import random

import numpy as np
import pytest
import shapecast
from shapecast import _core
from support.compare import make
from support.pictures import outcome

HEAD = """def f(x, n):
    l = [x[0]]
    d = {0: x[1]}
    y = x[2]
    s = 0.0
    k = 1
    for i in range(n):
"""
VALUES = [
    "x[i % 4]", "x[i % 4] * 2", "x[i % 4, :2]", "l[0] + 1", "l[-1]", "l[i % len(l)][::-1]",
    "x[:, i % 3]", "np.zeros(3)", "x[i % 4].copy()", "d[0] - l[-1][0]", "y", "y[1:]", "x[::2, 1]",
    "l[0][:len(l[-1])]",
]  # fmt: skip
STATEMENTS = [
    "l.append({value})",
    "l.append({value})",
    "l[i % len(l)][-1] = i * 1.5",
    "l[-1][0] = l[0][0] + 1",
    "l[0][-1] = x[0, 1]",
    "l[-1] += 0.5 * l[0][0]",
    "d[i % 3] = {value}",
    "d[k] = {value}",
    "d[0][:2] *= 2",
    "x[i % 4, 0] = l[-1][0]",
    "x[i % 4, 0] = d[0].sum()",
    "y = {value}",
    "if len(l) > 2: y = l.pop()",
    "if len(l) > 2: l.pop(0)",
    "if len(l) > 2: l[0], l[1] = l[1], l[0]",
    "s += l[-1].sum() + d[0][0]",
    "s += sum(v[0] for v in l)",
    "s += np.max(l[0]) + y[0]",
    "x[1] = x[2] * 2",
    "x[1] = l[0][0]",
]
RESULTS = ["l, d, y, s", "l, s, x", "s, d", "[v.copy() for v in l], s"]


def program(choose: random.Random, indent: str = "        ", depth: int = 0) -> str:
    lines = ""
    for _ in range(choose.randrange(1, 5 - depth)):
        nested = choose.randrange(8) if depth < 2 else 9
        if nested == 0:
            lines += f"{indent}for k in range(3):\n" + program(choose, indent + "    ", depth + 1)
        elif nested == 1:
            lines += f"{indent}if i % 2 == 0:\n" + program(choose, indent + "    ", depth + 1)
            lines += f"{indent}else:\n" + program(choose, indent + "    ", depth + 1)
        else:
            one = choose.choice(STATEMENTS).format(value=choose.choice(VALUES))
            lines += f"{indent}{one}\n"
    return lines


@pytest.mark.parametrize("first", range(0, 160, 20))
def test_random_arrays(first: int) -> None:
    for seed in range(first, first + 20):
        choose = random.Random(seed)
        text = HEAD + program(choose) + f"    return {choose.choice(RESULTS)}\n"
        f = make(text, "f")
        arguments = (np.arange(12.0).reshape(4, 3), choose.choice([3, 5, 7]))
        expected = outcome(f, arguments)
        gc.collect()
        before = _core.live_allocations()
        assert outcome(shapecast.jit(f), arguments) == expected, text
        gc.collect()
        assert _core.live_allocations() == before, text
