"""Random programs of objects that hold one another, in lists and dicts: results and identities."""

from __future__ import annotations

import random

import numpy as np
import pytest
from support.compare import jitted, make
from support.pictures import picture

HEAD = """
class N:
    def __init__(self, v):
        self.v = v
        self.next = None
        self.items = []
    def step(self, by):
        self.v = (self.v * 3 + by) % 101
        return self.v
def f(ks, vs):
    nodes = [N(1), N(2)]
    nodes.append(N(3))
    d = {}
    q = []
    x, y = nodes[0], N(9)
    n = 0
    for i in range(len(ks)):
        k, v = ks[i], vs[i]
"""
OPERATIONS = [
    "nodes.append(N(v))",
    "nodes[k % len(nodes)].v += v",
    "nodes[k % len(nodes)].next = nodes[v % len(nodes)]",
    "if len(nodes) > 2: nodes.pop(k % len(nodes))",
    "d[k] = nodes[v % len(nodes)]",
    "if k in d: d[k].v += 1",
    "if k in d and v % 3 == 0: del d[k]",
    "nodes[0].items.append(v)",
    "if k in d: n += len(d[k].items)",
    "x = nodes[k % len(nodes)]",
    "x.v -= 1",
    "if v % 4 == 0: x.next = None",
    "c = x\n        for _ in range(5):\n            if c.next is not None:\n"
    "                c = c.next\n                n += c.v",
    "nodes[k % len(nodes)] = x",
    "if x.next is x or y is nodes[0]: n += 1",
    "nodes.sort(key=lambda o: o.v)",
    "nodes.reverse()",
    "q.append(x)\n        if len(q) > 3: n += q.pop(0).step(k)",
    "x, y = y, x",
    "if k > v: y = N(k)",
    "n += nodes[v % len(nodes)].step(x.v)",
    "for o in nodes: n += o.v",
    "if x in nodes: n += nodes.index(x)",
    "y.next = N(n % 7)",
    "nodes = [o for o in nodes if o.v % 5 or o is x] + [y]",
    "best = max(nodes, key=lambda o: o.v)\n        best.v //= 2",
]


@pytest.mark.parametrize("seed", range(24))
def test_random_objects(seed: int) -> None:
    choose = random.Random(seed)
    body = "".join(f"        {one}\n" for one in choose.sample(OPERATIONS, 8))
    f = make(HEAD + body + "    return n, nodes, d, x, y, q\n", "f")
    rng = np.random.default_rng(seed)
    given = rng.integers(0, 12, 40), rng.integers(0, 12, 40)
    assert picture(jitted(f)(*given)) == picture(f(*given)), body
