"""Integers divided by constants: vectors of 64 bits have products of 32 bits only."""

from __future__ import annotations

import numpy as np
import pytest
from shapecast import jit
from support.compare import make

EDGES = [0, 1, 2, 3, 5, 6, 7, 10, 2**31, 2**32 - 1, 2**32, 2**62, 2**63 - 1]
DIVISORS = [
    3, 5, 6, 7, 10, 11, 641, 1000, 1_000_000_007, 2**32 - 1, 2**32 + 1, 6_700_417, 2**62 + 1,
    9_223_372_036_854_775_806, 9_223_372_036_854_775_807,
]  # fmt: skip


def numbers(rng: np.random.Generator, dtype: str, divisor: int) -> np.ndarray:
    """Edges, any numbers, and those around multiples of the divisor, where quotients change."""
    info = np.iinfo(dtype)
    most = info.max // abs(divisor)
    multiples = [
        int(k) * divisor + more for k in rng.integers(0, most + 1, 60) for more in (-1, 0, 1)
    ]
    signed = [*EDGES, *multiples, *(-k for k in EDGES), *(-k for k in multiples), info.min]
    inside = [k for k in signed if info.min <= k <= info.max]
    return np.concatenate(
        [np.array(inside, dtype), rng.integers(info.min, info.max, 300, dtype, endpoint=True)]
    )


@pytest.mark.parametrize("operator", ["//", "%"])
@pytest.mark.parametrize("divisor", DIVISORS)
def test_divisions_by_constants_are_exact(
    rng: np.random.Generator, operator: str, divisor: int
) -> None:
    for dtype, sign in (("int64", 1), ("uint64", 1), ("int64", -1)):
        f = make(f"def f(a):\n    return a {operator} {sign * divisor}")
        a = numbers(rng, dtype, divisor)
        np.testing.assert_array_equal(jit(f)(a), f(a), strict=True)
        for few in range(5):  # fewer than a vector has
            np.testing.assert_array_equal(jit(f)(a[:few]), f(a[:few]), strict=True)


def test_a_division_by_a_constant_is_a_multiplication() -> None:
    f = make("def f(a):\n    return a // 1000")
    text = jit(f).stages(np.arange(9))["llvm"].split("optimised:")[1]
    assert "div i64" not in text and "x i64> %" in text
