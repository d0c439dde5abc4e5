"""Items of structured arrays, and what is read through them, share the array's memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.compare import case_id, copy_arguments, jitted, make

SIMPLE = np.dtype([("w", float, (2,)), ("k", "i4")])
NESTED = np.dtype(
    [("w", "f4", (2, 2)), ("s", [("p", "f8", (2,)), ("q", "i8")], (2,)), ("k", "i8")], align=True
)


def records(dtype: np.dtype[Any], *shape: int) -> Any:
    a = np.zeros(shape, dtype)
    a["w"] = np.arange(a["w"].size).reshape(a["w"].shape)
    a["k"] = np.arange(a["k"].size).reshape(shape)
    return a


STORES = [
    'r = a[0]; r["w"][1] = 9',
    'r = a[0]; r["w"][:] = 0',
    'a[0]["w"][1] = 5; a[-1]["w"][-1] = 6',
    'r = a[1]; w = r["w"]; w += 3; return w',
    'r = a[1]; r["w"] *= 2; r["k"] += 7; return r["k"]',
    'b = a[1:]; b[0]["w"][1] = 7; r = b[1]; r["w"][0] = 8',
    'b = a[::-1]; b[0]["w"][0] = 7',
    'b = a[[0, 1]]; b["w"][:] = 7; return b',
    'b = a.copy(); b[0]["w"][1] = 9; return b["w"]',
    'b = np.zeros(3, D); b[0]["w"][1] = 2; r = b[1]; r["k"] = 3; return b',
    'a["w"][..., 0] += 1; return a[..., 1]["w"].sum(), a[1:]["w"].sum()',
    'a[1]["w"] = a[0]["w"]; a[0] = a[1]',
    "a[0], a[1] = a[1].copy(), a[0].copy()",
    'for i in range(len(a)):\n    r = a[i]\n    r["w"][1] = i',
    'r = a[0]\nif r["k"] == 0:\n    r["w"][1] = 9\nreturn r["w"].sum()',
    'def g(r, v):\n    r["w"][1] = v\nfor i in range(2):\n    g(a[i], i)',
    'rs = [a[0], a[1]]\nrs[1]["w"][0] = 4',
]


@pytest.mark.parametrize("dtype", [SIMPLE, NESTED], ids=["packed", "nested"])
@pytest.mark.parametrize("body", STORES, ids=case_id)
def test_stores_reach_the_array(body: str, dtype: np.dtype[Any]) -> None:
    f = make("def f(a):\n    " + body.replace("\n", "\n    "), D=dtype)
    for a in (records(dtype, 4), records(dtype, 8)[::2], records(dtype, 3)[::-1]):
        (plain,), (compiled,) = copy_arguments((a,)), copy_arguments((a,))
        want, got = f(plain), jitted(f)(compiled)
        assert repr(got) == repr(want)
        assert repr(compiled) == repr(plain)


KEYS = ["..., 1", "0, 1", "0", "1:, 0", "[0, 1]", "None", "...", "()", "[0, 1], [1, 0]", "0, 1, 0"]


@pytest.mark.parametrize("key", KEYS)
def test_keys_are_none_of_the_fields_own_axes(key: str) -> None:
    f = make(f'def f(a):\n    return a[{key}]["w"] * 2')
    a = records(SIMPLE, 3, 2)
    try:
        want = f(a)
    except IndexError:
        with pytest.raises(IndexError):
            jitted(f)(a)
    else:
        assert repr(jitted(f)(a)) == repr(want)


def test_nested_records() -> None:
    lines = """
a[0]["s"][1]["p"][1] = 9
a["s"]["p"][0, 1, 1] = 9
a["s"][0]["p"][1, 1] = 9
r = a[1]; r["s"][0]["p"][0] = 3
r = a[1]; s = r["s"]; s["q"] = 8
"""
    for line in lines.strip().splitlines():
        f = make(f"def f(a):\n    {line}")
        plain, compiled = records(NESTED, 4), records(NESTED, 4)
        f(plain)
        jitted(f)(compiled)
        assert repr(compiled) == repr(plain), line
