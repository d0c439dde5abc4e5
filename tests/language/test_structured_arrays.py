"""Structured arrays as arguments: each field is an array in compiled code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from shapecast import UnsupportedError, jit
from support.compare import case_id, jitted, make

PARTICLE = np.dtype([
    ("x", "f8"), ("v", "f8"), ("n", "i4"), ("p", "f4", (3,)), ("s", [("a", "f8"), ("b", "i2")]),
])  # fmt: skip


def particles(count: int) -> Any:
    p = np.zeros(count, PARTICLE)
    p["x"], p["v"], p["n"] = np.arange(count), 1.5, np.arange(count) % 3
    p["p"], p["s"]["a"] = np.arange(count * 3).reshape(count, 3) / 4, 2
    return p


LAYOUTS = {
    "plain": lambda: particles(6),
    "strided": lambda: particles(12)[::2],
    "reversed": lambda: particles(6)[::-1],
    "one": lambda: particles(1),
    "two axes": lambda: particles(6).reshape(2, 3),
}


def outcome(f: Callable[..., Any], p: Any) -> Any:
    try:
        result = f(p, 0.5)
    except Exception as error:
        result = (type(error).__name__, str(error).split("\n")[0])
    return repr(result), repr(p)


FIELDS = [
    "p['x'] += p['v'] * dt\nreturn p['x'].sum()",
    "for i in range(len(p)):\n    p['x'][i] += p['v'][i] * dt\n    p[i]['n'] += 1\n"
    "    p[i]['v'] = p['x'][i] * 2\nreturn p.size, p.shape, p.ndim",
    "return p['p'].sum(axis=0), p['p'][1:3, ..., 2], p[0]['p'], p[1:3]['x'], p['s']['a'] * 2",
    "p['x'] = 3\np['s']['b'] = p['n']\np['p'][..., 1] = dt\np['x'][p['n'] > 1] = 7.0",
    "p['x'], p['v'] = p['v'], p['x'] * 2",
    "p['x'][:] = p['v'][::-1]\np['v'] *= p['x']",
    "return p[1:]['x'] + p[0]['x'], p[[0]]['n'], p[p['n'] > 0]['v']",
    "s = 0.0\nfor x, row in zip(p['x'], p['p']):\n    s = s + row.sum()\nreturn s",
    "def move():\n    p['x'] += 1\n    return p['x']\nreturn move()",
    "q = p\nq['x'] -= dt\nreturn p['x'], q.size",
    "p[-1]['x'] = 9",
    "p[99]['x'] = 1",
    "return p[99]['x']",
    "return p['x'].reshape(-1) @ p['v'].reshape(-1)",
]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("body", FIELDS, ids=case_id)
def test_fields_are_read_and_stored_as_numpy_does(body: str, layout: str) -> None:
    f = make("def f(p, dt):\n    " + body.replace("\n", "\n    "))
    g = jitted(f)
    assert outcome(g, LAYOUTS[layout]()) == outcome(f, LAYOUTS[layout]())
    assert "calls Python" not in str(getattr(g, "explain", str)())


@pytest.mark.parametrize(
    "body", ["return p", "return p['zz']", "q = p.copy()\nreturn q['x'] + 1"], ids=case_id
)
def test_other_uses_pass_the_array_to_python(body: str) -> None:
    f = make("def f(p, dt):\n    " + body.replace("\n", "\n    "))
    assert outcome(jit(f), particles(3)) == outcome(f, particles(3))


def test_a_store_to_a_copy_is_refused() -> None:
    f = jit(make("def f(p, dt):\n    m = p['n'] > 1\n    p[m]['x'] = 5"))
    with pytest.raises(UnsupportedError, match=r"write p\['x'\]\[indices\] = value"):
        f(particles(6), 1.0)


class World:
    def __init__(self) -> None:
        self.parts, self.t = particles(5), 0.0

    def step(self, dt: float) -> Any:
        self.parts["x"] += self.parts["v"] * dt
        self.t += dt
        return self.parts["x"][0]


def test_a_structured_array_in_an_attribute() -> None:
    f, jitted_world, plain = jit(lambda w, dt: w.step(dt)), World(), World()
    for _ in range(3):
        assert f(jitted_world, 0.25) == plain.step(0.25)
    assert repr(jitted_world.parts) == repr(plain.parts)
    assert jitted_world.t == plain.t


def test_another_dtype_is_another_variant() -> None:
    f = jit(make("def f(p):\n    p['x'] += 1\n    return p['x'].sum()"))
    for dtype in ("f8", "f4", "i4"):
        p = np.zeros(4, [("y", "i1"), ("x", dtype)])
        assert f(p) == 4
        assert (p["x"] == 1).all()
        assert p["x"].dtype == dtype
