"""Python integers of 65 to 128 bits: each operation between pairs near all ends, as Python's."""

from __future__ import annotations

import itertools
import math
import random
import statistics
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from shapecast import UnsupportedError, jit

ENDS = [0, 1, -1, 2, 3, -7, 63, 64, 127, 1000003, 2**31, 2**53 + 1, 2**63 - 1, -(2**63)]
WIDE = [2**63, 2**63 + 1, 2**64 - 1, 2**64, -(2**63) - 1, 2**100 + 12345, -(2**100) - 7]
WIDE += [2**127 - 1, -(2**127), 0xCBF29CE484222325, 0x9E3779B97F4A7C15]
FLOATS = [
    0.0,
    1.5,
    2.0**63,
    2.0**64,
    -(2.0**63),
    2.0**127,
    1e300,
    -1e300,
    float("inf"),
    float("nan"),
]
FLOATS += [2.0**100, 1.7e38, 9.3e18]

BINARY: dict[str, Callable] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "divmod": lambda a, b: divmod(a, b),
    "<": lambda a, b: (a < b, a <= b, a > b, a >= b, a == b, a != b),
    "min": lambda a, b: (min(a, b), max(a, b)),
    "low bits": lambda a, b: (a * b + 3) & 0xFFFFFFFFFFFFFFFF,
    "modulo": lambda a, b: (a * 5 - b) % 2**64,
    "few low bits": lambda a, b: ((a - b) * 3) & 0xFFFF,
}
SHIFTS: dict[str, Callable] = {
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
    "low << b": lambda a, b: (a << b) & 0xFFFFFFFFFFFFFFFF,
}
UNARY: dict[str, Callable] = {
    "signs": lambda a: (-a, +a, ~a, abs(a)),
    "truth": lambda a: (bool(a), not a, 1 if a else 2),
    "conversions": lambda a: (int(a), float(a), complex(a), round(a), hash(a)),
    "bits": lambda a: (a.bit_length(), a.bit_count()),
    "texts": lambda a: (
        str(a),
        repr(a),
        hex(a),
        oct(a),
        f"{a:x}",
        f"{a:#034b}",
        f"{a:,}",
        f"{a:e}",
    ),
    "powers": lambda a: (a**0, a**1, a**2 if -(2**63) <= a <= 2**63 else 0),
    "powers modulo": lambda a: (pow(a, 3, 1000003), pow(a, 0, 7)),
    "bytes": lambda a: abs(a >> 1).to_bytes(16, "little"),
    "in arrays": lambda a: np.array([0.5, 2.0]) * a,
    "containers": lambda a: ([a, 1], (a, "x"), {"a": a}, {a: 1}),
}


def check(f: Callable, compiled: Callable, *arguments: int) -> None:
    """Python's result, and OverflowError only where it has more than 128 bits."""
    expected: Any
    raised: Exception | None = None
    try:
        expected = f(*arguments)
    except Exception as error:
        raised = error
    if raised:
        with pytest.raises(type(raised)) as caught:
            compiled(*arguments)
        assert str(caught.value) == str(raised)
        return
    try:
        found = compiled(*arguments)
    except OverflowError:
        flat = expected if isinstance(expected, tuple) else (expected,)
        assert any(type(one) is int and not -(2**127) <= one < 2**127 for one in flat), arguments
        return
    assert repr(found) == repr(expected), arguments


def pairs() -> list[tuple[int, int]]:
    draw = random.Random(5)
    some = [draw.getrandbits(draw.randrange(64, 128)) * draw.choice([1, -1]) for _ in range(6)]
    return [
        (a, b)
        for a, b in itertools.product(ENDS + WIDE + some, repeat=2)
        if {a, b} & {*WIDE, *some}
    ]


@pytest.mark.parametrize("name", BINARY)
def test_of_two(name: str) -> None:
    compiled = jit(BINARY[name])
    for a, b in pairs():
        if name == "low bits" and abs(a * b) >= 2**300:
            continue
        check(BINARY[name], compiled, a, b)


@pytest.mark.parametrize("name", ["/", "*", "+", "<", "min"])
def test_with_floats(name: str) -> None:
    compiled = jit(BINARY[name])
    for a, b in itertools.product(WIDE, FLOATS):
        check(BINARY[name], compiled, a, b)
        check(BINARY[name], compiled, b, a)


@pytest.mark.parametrize("name", SHIFTS)
def test_shifts(name: str) -> None:
    compiled = jit(SHIFTS[name])
    for a, b in itertools.product(WIDE, [0, 1, 13, 63, 64, 65, 126, 127, 128, 500, -1]):
        check(SHIFTS[name], compiled, a, b)


@pytest.mark.parametrize("name", UNARY)
def test_of_one(name: str) -> None:
    compiled = jit(UNARY[name])
    for a in WIDE:
        check(UNARY[name], compiled, a)


@pytest.mark.parametrize("dtype", ["u8", "i8", "u1", "f8", "f4", "c16", "?"])
def test_stores_and_comparisons_of_arrays(dtype: str) -> None:
    def store(x: np.ndarray, a: int) -> np.ndarray:
        x[1] = a
        return x

    def compared(x: np.ndarray, a: int) -> tuple:
        return x < a, x == a

    for a in [2**63, 2**64 - 1, 2**64, -(2**63) - 1]:
        given = np.arange(3).astype(dtype)
        try:
            expected = store(given.copy(), a)
        except OverflowError:
            with pytest.raises(OverflowError):
                jit(store)(given.copy(), a)
        else:
            assert repr(jit(store)(given.copy(), a)) == repr(expected)
        if 0 <= a < 2**64 and dtype not in ("c16", "?"):
            assert repr(jit(compared)(given, a)) == repr(compared(given, a))


def test_uint64_as_python_integers() -> None:
    def f(x: np.ndarray) -> tuple:
        return int(x[0]), x[1].item(), x.tolist(), [int(v) + 1 for v in x], int(x[0]) // 3

    x = np.array([2**64 - 1, 2**63, 5], dtype="u8")
    assert jit(f)(x) == f(x)


def test_products_with_uint64() -> None:
    def f(x: np.ndarray) -> tuple:
        return x * 0xCBF29CE484222325, x ^ 2**63, np.uint64(2**64 - 1) - x, x > 2**64, x == -(2**70)

    x = np.arange(5, dtype="u8")
    for found, expected in zip(jit(f)(x), f(x), strict=True):
        np.testing.assert_array_equal(found, expected)
        assert found.dtype == expected.dtype


def test_a_variable_that_grows() -> None:
    def f(n: int) -> tuple:
        h = n
        best = 0
        for k in range(20):
            h = (h * 31 + k) & 0xFFFFFFFFFFFFFFFF
            if h > best:
                best = h
        seen = {}
        for k in range(5):
            seen[h >> k] = k
        return h, best, seen, h in seen, seen.get(3), list(seen)[0] == h

    for n in (1, 2**40, 2**63, 2**64 - 1):
        assert jit(f)(n) == f(n)


@pytest.mark.parametrize("constant", [2**64, -(2**70)])
def test_comparisons_with_constants(constant: int) -> None:
    def f(x: float) -> tuple:
        c = constant
        left = x < c, x <= c, x > c, x >= c, x == c, x != c
        return left, (c < x, c <= x, c > x, c >= x, c == x, c != x)

    for x in (3, -3, True, 2.0, 1e30, -1e30, 2**64, 2**65, -(2**70), -(2**80)):
        assert jit(f)(x) == f(x)


def test_seeds_of_generators() -> None:
    def f(seed: int) -> tuple:
        rng = random.Random(seed)
        return rng.random(), rng.getrandbits(40)

    for seed in (0, -1, 2**32, -(2**63), 2**63, 2**64 - 1, -(2**64), 2**96 + 5, -(2**127) + 1):
        assert jit(f)(seed) == f(seed)


def test_where_64_bits_are_needed() -> None:
    with pytest.raises(OverflowError, match="does not fit in 64 bits"):
        jit(lambda n: statistics.mean([n, 1]))(2**64)
    with pytest.raises(OverflowError, match="does not fit in 64 bits"):
        jit(lambda n: math.gcd(n, 6))(2**64)
    with pytest.raises(OverflowError, match="Python integer 18446744073709551616 out of bounds"):
        jit(lambda: np.uint64(2**64))()
    with pytest.raises(OverflowError, match="out of bounds for uint64"):
        jit(lambda n: np.uint64(n))(2**64)
    with pytest.raises(OverflowError, match="Python integer 9223372036854775808 out of bounds"):
        jit(lambda x: x + 2**63)(np.arange(3))


def test_what_is_beyond_is_said() -> None:
    with pytest.raises(OverflowError, match="does not fit in 128 bits"):
        jit(lambda a: a * a)(2**64)
    with pytest.raises(OverflowError, match="argument 'a' does not fit into 128 bits"):
        jit(lambda a: a)(2**127)
    with pytest.raises(UnsupportedError, match="an integer beyond 128 bits is not supported"):
        jit(lambda a: a + 2**0 + 340282366920938463463374607431768211456)(1)
    with pytest.raises(UnsupportedError, match="integers beyond 64 bits in a set"):
        jit(lambda n: {2**64 + k for k in range(n)})(3)
    assert jit(bigint=True)(lambda a: a * a)(2**64) == 2**128
    assert jit(bigint=True)(lambda a: a + 1)(2**200) == 2**200 + 1
