"""Corner cases of machine arithmetic where NumPy has one answer and hardware or LLVM another
(design, 2f).
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from support.arrays import DTYPES, INTEGERS, SIGNED, filled
from support.compare import Report, check, jitted, make

divide = make("def divide(x, y):\n    return x // y, x % y, np.fmod(x, y), np.divmod(x, y)")


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integer_division_by_zero_gives_zero(dtype: str) -> None:
    x = np.array([5, 0, 1, np.iinfo(dtype).max, np.iinfo(dtype).min] * 7, dtype)
    check(divide, x, np.zeros_like(x))
    check(divide, x, x * 0 + np.arange(x.size, dtype=dtype) % 3)
    check(divide, x, x.dtype.type(0))
    check(divide, x, 0)


@pytest.mark.parametrize("dtype", SIGNED)
def test_smallest_integer_divided_by_minus_one(dtype: str) -> None:
    """A bare machine division would kill the process."""
    smallest = np.iinfo(dtype).min
    x = np.array([smallest, smallest + 1, -1, 7] * 5, dtype)
    check(divide, x, np.full_like(x, -1))
    check(divide, x, x.dtype.type(-1))
    check(divide, x, -1)
    check(make("def f(x):\n    return -x, abs(x), x * -1, np.absolute(x)"), x)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_shifts_by_the_width_and_more(dtype: str) -> None:
    f = make("def f(x, n):\n    return x << n, x >> n")
    x = filled((29,), dtype)
    width = 8 * x.dtype.itemsize
    for n in (0, 1, width - 1, width, width + 1, 100):
        check(f, x, np.full_like(x, min(n, np.iinfo(dtype).max)))
        check(f, x, n)
    if dtype in SIGNED:
        check(f, x, np.full_like(x, -1))


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integer_power_wraps_as_numpys(dtype: str) -> None:
    f = make("def f(x, n):\n    return x ** n")
    x = filled((21,), dtype)
    for n in (0, 1, 2, 3, 10, 63):
        check(f, x, np.full_like(x, n))
        check(f, x, n)
    if dtype in SIGNED:
        check(f, x, np.full_like(x, -1))
        check(f, x, -1)
        check(f, x[:0], -1)


def test_bool_bytes_other_than_one_are_true() -> None:
    raw = np.array([0, 1, 2, 128, 255, 0, 64] * 5, np.uint8)
    flags, clean = raw.view(bool), raw != 0
    f = make("""
        def f(b, x):
            return (~b, b & True, b | False, b ^ True, b == True, b.sum(), b.any(), b.all(),
                    np.where(b, 1, 2), x * b, b.astype(np.int32), b + 0, np.logical_not(b),
                    b < True, b[2], b.max())
    """)
    x = np.arange(35.0)
    got, want = jitted(f)(flags, x), f(clean, x)
    for k, (g, w) in enumerate(zip(got, want, strict=True)):
        assert np.array_equal(g, w) and g.dtype == w.dtype, k
    count = jitted(
        make(
            "def f(b):\n    n = 0\n    for v in b:\n        if v:\n            n += 1\n    return n"
        )
    )
    assert count(flags) == clean.sum()


def test_bool_arithmetic_is_numpys() -> None:
    f = make(
        "def f(a, b):\n    return a + b, a * b, a & b, a < b, a ** b, a // b, a % b, a / b, a << "
        "b, a == b, a ^ b"
    )
    a, b = np.array([[0, 0, 1, 1], [0, 1, 0, 1]] * 3, bool).reshape(2, 12)
    check(f, a, b)
    check(make("def f(a, b):\n    return a - b"), a, b)
    check(make("def f(a):\n    return -a"), a)


@pytest.mark.parametrize("operator", ["<", "<=", ">", ">=", "==", "!="])
def test_comparisons_with_python_integers_are_exact(operator: str) -> None:
    f = make(f"def f(x, n):\n    return x {operator} n, n {operator} x")
    with Report(operator) as report:
        for dtype in INTEGERS:
            info = np.iinfo(dtype)
            x = np.array([info.min, 0, 1, 100, info.max], dtype)
            for n in (
                0,
                100,
                -1,
                300,
                -300,
                2**31,
                2**32,
                -(2**31) - 1,
                2**62,
                int(info.max),
                int(info.min),
            ):
                if n <= 2**63 - 1:
                    with report.case(dtype, n):
                        check(f, x, n)


@pytest.mark.parametrize("constant", [2**63, 2**64 - 1, 2**64, -(2**63), -(2**63) - 1, 10**30])
def test_comparisons_with_constants_beyond_64_bits(constant: int) -> None:
    f = make(f"def f(x):\n    return x < {constant}, x == {constant}, x >= {constant}")
    for dtype in ("int64", "uint64", "int8", "uint8"):
        info = np.iinfo(dtype)
        x = np.array([info.min, 0, info.max], dtype)
        check(f, x)


@pytest.mark.parametrize("operator", ["<", "<=", ">", ">=", "==", "!="])
def test_int64_against_uint64_compares_exactly(operator: str) -> None:
    f = make(f"def f(x, y):\n    return x {operator} y, y {operator} x")
    x = np.array([-1, 0, 1, 2**63 - 1, -(2**63), 2**53 + 1], np.int64)
    y = np.array([2**64 - 1, 0, 1, 2**63 - 1, 2**63, 2**53], np.uint64)
    check(f, x[:, None], y)
    check(f, x[0], y)
    check(f, x, y[3])


def test_comparisons_of_integers_with_floats_follow_numpys_promotion() -> None:
    f = make("def f(x, y):\n    return x < y, x == y, x >= y")
    x = np.array([2**53, 2**53 + 1, 2**63 - 1, -1], np.int64)
    check(f, x, x.astype(np.float64))
    check(f, x, np.full(4, np.nan))
    check(f, x, 2.0**53)


def test_comparisons_with_nan_and_signed_zeros() -> None:
    f = make(
        "def f(x, y):\n    return x < y, x <= y, x == y, x != y, x > y, x >= y, np.maximum(x, y) "
        "!= x"
    )
    x = np.array([np.nan, 1.0, -0.0, 0.0, np.inf, -np.inf] * 4)
    check(f, x[:, None], x)


@pytest.mark.parametrize(
    "call", ["np.minimum(x, 300)", "x + 300", "x * -1", "np.maximum(-5, x)", "x & 1000"]
)
def test_arithmetic_with_integers_out_of_range_raises_overflow_error(call: str) -> None:
    check(make(f"def f(x):\n    return {call}"), np.arange(5, dtype=np.uint8))


def test_clip_with_integers_out_of_range_does_not_raise() -> None:
    x = np.arange(250, 256, dtype=np.uint8)
    check(make("def f(x):\n    return np.clip(x, -5, 300), x.clip(252, 1000)"), x)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_float_floor_division_and_modulo(dtype: str) -> None:
    parts = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.1,
        -0.3,
        3.5,
        -7.25,
        1e20,
        5e-324,
        np.inf,
        -np.inf,
        np.nan,
        0.5,
    ]
    x = np.array(parts, dtype)
    check(divide, x[:, None], x)
    check(divide, x, 0.0)
    check(divide, x, 0.1)


@pytest.mark.parametrize("dtype", [d for d in DTYPES if np.dtype(d).itemsize > 1])
def test_byte_swapped_arrays_are_read_and_written_back(dtype: str) -> None:
    f = make("""
        def f(x, y):
            x[1:] = x[:-1] + y[1:]
            x[0] = y[-1]
            return x + y, x
    """)
    x, y = filled((9,), dtype, 0, "finite"), filled((9,), dtype, 1, "finite")
    swapped = x.dtype.newbyteorder()
    check(f, x.astype(swapped), y)
    check(f, x, y.astype(swapped))
    check(f, x.astype(swapped), y.astype(swapped))
    both = x.astype(swapped)
    check(f, both, both)
    check(f, both[::2][:4], both[1::2][:4])


def test_unaligned_arrays_are_read_and_written_back() -> None:
    raw = np.zeros(8 * 12 + 1, np.uint8)
    x = np.ndarray((12,), np.float64, buffer=raw, offset=1)
    x[:] = np.arange(12.0)
    assert not x.flags.aligned
    f = make("def f(x, y):\n    x[1:] += y[:-1]\n    return x * 2, x")
    check(f, x, np.ones(12))
    check(f, np.ones(12), x)
    check(f, x, x)
    check(f, x[:6], x[6:])


def test_float16_is_computed_in_float32_and_rounded_each_step() -> None:
    f = make("def f(x, y):\n    return x + y - x, x * y / y, (x + 1) * (y - 1), x - y * x")
    x, y = filled((200,), "float16"), filled((200,), "float16", 1)
    check(f, x, y)


def test_no_contraction_and_no_reassociation() -> None:
    f = make("""
        def f(a, b, c):
            contraction = a * b + c, a * b - c, c - a * b
            order = (a + b) + c - (a + (b + c)), (a - b) + b - a, a / b * b, -(a - b) - (b - a)
            return contraction, order
    """)
    generator = np.random.default_rng(8)
    for dtype in ("float32", "float64"):
        a, b, c = generator.standard_normal((3, 1000)).astype(dtype)
        check(f, a, b, c)
        check(f, a, b, -(a * b))


def test_identities_that_floats_do_not_have() -> None:
    f = make(
        "def f(x):\n    return x * 0, x - x, x / x, x + 0, x - 0.0, 0.0 - x, x * 1, x * -1, x / "
        "3, x * 2 / 2, -x, x == x, 0 * x + 1"
    )
    special = [0.0, -0.0, 1.0, np.inf, -np.inf, np.nan, 5e-324, 1e308]
    check(f, np.array(special))
    with np.errstate(all="ignore"):
        check(f, np.array(special, np.float32))


def test_division_by_a_constant_is_a_division() -> None:
    f = make("def f(x):\n    return x / 3.0, x / 10, x / 0.1, x / 7, 1 / x, x / 2")
    for dtype in ("float32", "float64", "float16", "int32"):
        check(f, filled((500,), dtype))


def test_denormals_are_kept() -> None:
    f = make("def f(x):\n    return x * 0.5, x + x, x * 2, x / 4, x > 0, np.sqrt(x)")
    check(f, np.array([5e-324, 1e-310, 2.2e-308, -1e-320]))
    check(f, np.array([1e-45, 1e-40, 1.1e-38, -3e-42], np.float32))


def test_scalar_elements_behave_as_arrays_do() -> None:
    """The same corner cases one element at a time, through loops."""
    f = make("""
        def f(x, y, q, r):
            for i in range(len(x)):
                q[i] = x[i] // y[i]
                r[i] = x[i] % y[i]
    """)
    for dtype in ("int8", "int32", "int64", "uint8", "float64"):
        values = (
            [7, 0, 1, 100] if dtype.startswith(("u", "f")) else [7, -7, 0, -1, np.iinfo(dtype).min]
        )
        pairs = np.array(list(itertools.product(values, values)), dtype)
        check(
            f,
            pairs[:, 0].copy(),
            pairs[:, 1].copy(),
            np.zeros(len(pairs), dtype),
            np.zeros(len(pairs), dtype),
        )


def test_integer_sum_and_product_wrap() -> None:
    f = make("def f(x):\n    return x + x, x * x, x.sum(), x.prod(), x - x - x, (x * x).sum()")
    for dtype in INTEGERS:
        check(f, filled((33,), dtype))


def test_uint64_to_float_and_back() -> None:
    f = make(
        "def f(x):\n    return x.astype(np.float64), x.astype(np.float32), x / 2, x * 1.5, "
        "x.astype(np.float64).astype(np.uint64)"
    )
    check(f, np.array([0, 1, 2**53 + 1, 2**63 - 1, 2**63, 2**63 + 2048], np.uint64))


class Mine(np.ndarray):
    pass


def test_subclass_of_ndarray_stays_one() -> None:
    got = jitted(make("def f(x):\n    return x * 2"))(np.ones((2, 2)).view(Mine))
    assert type(got) is Mine and np.array_equal(got, np.full((2, 2), 2.0))


def test_rows_of_which_there_are_none() -> None:
    f = make("""
        def f(rows):
            m = sum(rows) / len(rows)
            return sum((x - m) ** 2 for x in rows) / (len(rows) - 1)
    """)
    check(f, np.arange(6.0).reshape(2, 3))
    for one in (f, jitted(f)):
        with pytest.raises(ZeroDivisionError, match="division by zero"):
            one(np.zeros((0, 3)))


def test_sizes_below_zero_of_triangles() -> None:
    f = make("def f(n, m):\n    return np.tri(n), np.tri(n, m), np.tri(3, m, 1)")
    check(f, -3, 2)
    check(f, 2, -1)


@pytest.mark.parametrize("items", ["[]", "()", "[0, 1, 1]", "np.zeros(0, int)", "np.zeros(0)"])
def test_counts_of_lists(items: str) -> None:
    check(make(f"def f():\n    return np.bincount({items})"))
    check(make("def f(items):\n    return np.bincount(items)"), eval(items))
