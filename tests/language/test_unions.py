"""Unions: variables of different types on two paths: numbers, arrays of different dtypes and ranks,
strings, tuples. Operations dispatch on the type that they have.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from shapecast import UnsupportedError
from support.compare import check, jitted

INTS = np.arange(6, dtype=np.int32)
FLOATS = np.linspace(0.5, 3, 6, dtype=np.float32)


def numbers(a, i):
    x = a[0] if i > 2 else np.int64(5)
    y = x
    y += 1
    return x, x + 1, x * 2.5, x + a[1], -x, y, x == 5, x > a[2], bool(x), float(x), abs(x)


def python_int_too(a, i):
    x = 7
    if i > 2:
        x = a[1]
    elif i == 2:
        x = np.int64(9)
    return x, x + 1, x * a[2], max(x, a[3]), np.sqrt(x), [x, x], (x, 1) == (7, 1)


def python_numbers(i):
    x = 1.5 if i > 2 else True if i == 2 else 3
    return x, x + 1, x // 2, -x, isinstance(x, int), isinstance(x, float)


def dtypes_of_arrays(a, i):
    x = a if i > 2 else a.astype(np.float64)
    y = x * 2
    y += 1
    return y, y.sum(), x[0], x[1:3], x.mean(axis=0), len(x), x.shape, x.dtype == np.float64


def array_or_number(a, i):
    x = a if i > 2 else 3
    return x + a, np.sum(x), x * x, np.ndim(x)


def ranks(a, i):
    x = a if i > 2 else a.reshape(2, -1)
    x[0] = 9  # a view either way
    return x.sum(axis=0), x.shape, x[-1]


def argument_or_copy(a, i):
    x = a if i > 2 else a.astype(np.float64)
    x[1] = 5
    x *= 2
    return x


def strings(a, i):
    mode = "sum" if i > 2 else "max"
    return a.sum() if mode == "sum" else a.max(), mode


def string_or_number(a, i):
    axis = "all" if i > 2 else 0
    if axis == "all":
        return a.sum()
    return a.sum(axis=axis)


def dtype_of_result(a, i):
    dtype = np.float32 if i > 2 else np.int16
    z = np.zeros(3, dtype)
    z[:2] = 7
    return z, a.astype(dtype)


def tuples(a, i):
    t = (1, 2) if i > 2 else (a[0], 2, 3)
    total = 0
    for v in t:
        total = total + v
    return total, len(t), t


def as_key(a, i):
    k = 1 if i > 2 else slice(1, 3)
    return a[k]


def index_or_mask(a, i):
    k = a > 1 if i > 2 else np.array([0, 2])
    b = a.copy()
    b[k] = 7
    return a[k], b


def in_a_loop(a, n):
    best = 0
    for i in range(n):
        best = max(best, a[i] * (np.int64(3) if i % 2 else 2))
    return best


def in_a_while(a, n):
    x = a
    while n > 0:
        x = x.astype(np.float32) if n % 2 else x.astype(np.float64)
        n -= 1
    return x, x[0]


def grows_in_rank(a, n):
    x = a[0]
    for i in range(n):
        x = x + a if i == 1 else x * 2
    return x


def through_a_function(a, i):
    def pick(k):
        if k > 2:
            return a[0]
        return a

    y = pick(i) + 1
    return y, pick(i - 1)


def in_a_try(a, i):
    x = a if i > 2 else a.reshape(2, -1)
    y = x
    try:
        y = x[1] + 1
        y = x[3]
    except IndexError:
        y = y * x
    return y, x


def raises_for_one(a, i):
    x = a if i > 2 else 3
    a[0] = 8
    return x[1], x


def items_of_a_tuple(a, i):
    return (a, 2.5, a[0], 4)[i % 4] + 1


def in_a_comprehension(a, i):
    x = a[0] if i > 2 else 2.5
    return [x + k for k in range(3)], sum(x * k for k in range(4))


def in_a_dict(a, i):
    d = {"x": a if i > 2 else 1.5}
    d["y"] = d["x"] * 2
    return d


def unpacked(a, i):
    p, q = (a, 1) if i > 2 else (2.5, a[:2])
    return p + q


def factorial_or_text(n):
    return 1.0 if n < 2 else n * factorial_or_text(n - 1)


def conditional_store(a, i):
    v = a[::-1] if i > 2 else 4.5
    out = np.zeros(6)
    out[:] = v
    out[1:] += v if np.ndim(v) == 0 else v[1:]
    return out


def none_or_nothing(a, i):
    v = None
    if i > 3:
        v = a[0]
        w = 5
    elif i > 2:
        w = None
    elif i > 1:
        w = 7
    if a[1] > 1:
        return w is None
    return v, w


def formatted(a, i):
    x = a[0] if i > 2 else 2.5
    print(x, f"{x}")
    return str(x)


def chained(a, i, j):
    x = a[0] if i > 2 else 2.5
    y = a if j > 2 else np.int64(3)
    return x + y, np.where(x > y, x, y), y - x * y


PROGRAMS = (
    numbers, python_int_too, dtypes_of_arrays, array_or_number, ranks, argument_or_copy, strings,
    string_or_number, dtype_of_result, tuples, as_key, index_or_mask, in_a_loop, in_a_while,
    grows_in_rank, through_a_function, in_a_try, raises_for_one, items_of_a_tuple,
    in_a_comprehension, in_a_dict, unpacked, conditional_store, formatted, none_or_nothing,
)  # fmt: skip


@pytest.mark.parametrize("i", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("a", [INTS, FLOATS], ids=["int32", "float32"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_operations_dispatch_on_the_type_at_run_time(program: Any, a: Any, i: int) -> None:
    check(program, a, np.int64(i))  # a Python int would be a variant for each value
    check(program, a, i)


@pytest.mark.parametrize("i", [1, 2, 3])
def test_unions_of_python_numbers(i: int) -> None:
    check(python_numbers, np.int64(i))


@pytest.mark.parametrize("i", [1, 3])
@pytest.mark.parametrize("j", [1, 3])
def test_two_unions_in_one_function(i: int, j: int) -> None:
    check(chained, INTS, np.int64(i), np.int64(j))


def test_one_variant_serves_all_paths() -> None:
    def f(a, i):
        x = a if i > 2 else a.astype(np.float64)
        return x * 2

    g = jitted(f)
    for i in range(5):
        assert g(INTS, np.int64(i)).dtype == f(INTS, i).dtype
    assert len(g.signatures()) == 1


def test_a_bool_argument_has_a_variant_for_each_value() -> None:
    def f(a, flag):
        x = a[0] if flag else 2.5
        return x * a

    g = jitted(f)
    for flag in (True, False):
        assert g(INTS, flag).dtype == f(INTS, flag).dtype
    assert len(g.signatures()) == 2


def test_more_than_six_types_are_refused() -> None:
    def f(a, i):
        x = a[0]
        if i == 1:
            x = np.int8(1)
        if i == 2:
            x = np.int16(1)
        if i == 3:
            x = np.uint8(1)
        if i == 4:
            x = np.float32(1)
        if i == 5:
            x = np.float64(1)
        if i == 6:
            x = np.complex64(1)
        return x

    with pytest.raises(UnsupportedError, match="same kind of value on both"):
        jitted(f)(INTS, np.int64(3))


def test_a_list_or_an_array() -> None:
    def f(a, i):
        x = [a] if i > 2 else a
        return len(x)

    check(f, INTS, np.int64(3))
    check(f, INTS, np.int64(1))
