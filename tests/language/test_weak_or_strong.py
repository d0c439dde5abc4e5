"""Scalars that are weak (Python's) on one path and strong (NumPy's) on another: NEP 50 holds on
each path, or the code is refused; never a dtype that only one of the paths has.
"""

from __future__ import annotations

import numpy as np
import pytest
from support.compare import case_id, check, make

I8 = np.array([3, 5, -2], np.int8)
I32 = np.array([3, 5, 2], np.int32)
I64 = np.array([1, 7, 2])
F32 = np.array([0.1, 2.5, -1], np.float32)
F64 = np.array([0.1, 2.5, -1])
INTEGERS = [I8, I32, I64]
ALL = [*INTEGERS, F32, F64]


def choose(number: str, use: str) -> object:
    """`use` of v, which is the number or an item of x, as c decides at run time."""
    return make(f"def f(x, c):\n    v = {number} if c else x[0]\n    {use}")


@pytest.mark.parametrize("x", ALL, ids=lambda x: str(x.dtype))
@pytest.mark.parametrize(
    "use",
    ["return v", "return v * v", "return v + x", "return x * v - 1", "return -v, abs(v), v ** 2",
     "return v < 2, v == 3, not v", "return v // 2, v % 2, v / 2", "return round(v), divmod(v, 2)",
     "return max(v, 1), min(v, 1), max(v, x[1])", "return f'{v} {v!r}', isinstance(v, int)",
     "return np.full(2, v), np.array([v, v])", "y = np.zeros(3, np.int8); y[1] = v; return y",
     "y = np.zeros(3, np.int64); y[1:] = v; return y", "x += v; return x", "x[1:] = v; return x",
     "v += x[1]; return v", "v = v * 2 + 1; return v", "return int(v), float(v), bool(v)",
     "return np.where(x > 0, x, v), np.maximum(x, v)", "return (v, (v, 1))",
     "return v if v > 2 else v + 1"],
)  # fmt: skip
@pytest.mark.parametrize("number", ["3", "0", "300", "2 ** 20"])
def test_each_path_computes_as_its_own_type(number: str, use: str, x: np.ndarray) -> None:
    f = choose(number, use)
    for c in (0, 1):
        check(f, x.copy(), c)


@pytest.mark.parametrize("x", [F32, F64, F32.astype(np.float16)], ids=lambda x: str(x.dtype))
@pytest.mark.parametrize("number", ["0.1", "1e30", "0.5", "1"])
def test_a_weak_float_keeps_its_digits_beside_a_narrow_dtype(number: str, x: np.ndarray) -> None:
    least = make(f"""
def f(x, first):
    m = {number}
    for i in range(len(x)):
        if i >= first and x[i] < m:
            m = x[i]
    return m
""")
    for first in (0, 1, 3):
        check(least, x, first)


def test_a_product_has_the_dtype_of_the_path_taken() -> None:
    f = make("""
def f(x, s, use):
    left = s[0] if use else -1
    return x[0] * left
""")
    for use in (True, False):  # a bool argument: each of its values is a variant
        check(f, I32, I64, use)
    g = make("""
def f(x, s):
    left = s[0] if s[1] > 5 else -1
    return x[0] * left
""")
    for x in (I32, I64):
        for s in (I64, -I64):
            check(g, x, s)


def test_int_makes_it_weak_on_both_paths() -> None:
    f = make("""
def f(x, s):
    left = int(s[0]) if s[1] > 5 else -1
    return x[0] * left
""")
    check(f, I32, I64)


@pytest.mark.parametrize("x", INTEGERS, ids=lambda x: str(x.dtype))
def test_a_variable_that_a_loop_may_not_set_promotes_as_pythons_does(x: np.ndarray) -> None:
    f = make("""
def f(x, n):
    v = 0
    for i in range(n):
        v = x[i]
    return v * np.int8(1), v
""")
    for n in (0, 2, 0):
        check(f, x, n)


def test_the_first_iteration_is_peeled_where_it_differs() -> None:
    f = make("""
def f(x, s, n):
    before = 0
    out = np.zeros(n, np.int16)
    for i in range(n):
        out[i] = x[i] - before
        before = s[i]
    return out
""")
    for n in (3, 0):
        check(f, I32, I64, n)


def test_sizes_that_overflow_as_one_and_not_as_the_other() -> None:
    f = make("""
def f(x, c):
    v = 2 ** 62 if c > 0 else x[1]
    if c < 2:
        return v * 2
    return v + x[0]
""")
    check(f, I64, 0)
    check(f, I64 * 2**60, 0)  # wraps, as int64 does
    with pytest.raises(AssertionError, match="OverflowError"):  # Python's int has no bound
        check(f, I64, 1)
    check(f, I64, 2)


def test_an_array_times_it_has_the_dtype_of_the_path_taken() -> None:
    f = make("""
def f(x, s):
    left = s[0] if s[1] > 5 else -1
    return x * left
""")
    for s in (I64, -I64):
        check(f, I8, s)


@pytest.mark.parametrize(
    "use",
    ["return 0.5 + v", "return v + 0.5, v - 0.5, 0.5 * v", "return v + v, v * v, v * 2, -v",
     "return v / 2, v // 2, v % 2, v ** 2", "return v * x[0], v + x", "return 2j * v, 1 - v",
     "w = 3 if not c else 2.5; return v + w, w * v, w - v"],
)  # fmt: skip
@pytest.mark.parametrize(
    "numbers", [("1", "0.5"), ("n", "0.5"), ("n", "n * 0.5"), ("True", "2")], ids=case_id
)
def test_an_int_or_a_float_stays_what_it_is(numbers: tuple[str, str], use: str) -> None:
    first, second = numbers
    f = make(f"def f(x, c, n):\n    v = {first} if c else {second}\n    {use}")
    for c in (0, 1):
        check(f, F64.copy(), c, 3)


@pytest.mark.parametrize(
    "z", [np.complex64(1 + 2j), np.complex128(1 - 0j), np.float32(1.5)], ids=case_id
)
@pytest.mark.parametrize("number", ["1j", "2.5", "complex(c, 1)"])
@pytest.mark.parametrize("use", ["v", "v.imag", "abs(v)", "v.conjugate()", "v == 1j", "[v, z]"])
def test_complex_numbers_on_one_path(number: str, use: str, z: np.generic) -> None:
    f = make(f"def f(z, c):\n    v = z if c else {number}\n    return {use}")
    for c in (0, 1):
        check(f, z, c)


def test_max_of_weak_and_strong_numbers_by_a_key() -> None:
    f = make("def f(z):\n    return max([z, 1j], key=lambda v: v.imag), sorted([z, 1j], key=abs)")
    check(f, np.complex64(1 + 2j))
    check(f, 1 + 2j)
