"""Idioms of ordinary NumPy code: `and` of numbers as a condition, out=, map, slices with steps
known only at run time.
"""

from __future__ import annotations

import numpy as np
import pytest
from support.arrays import filled
from support.compare import case_id, check, make

X = np.array([1.0, 4.0, 9.0])


@pytest.mark.parametrize(
    "x", [X, np.array([0, 1, 2]), np.array([0, 3, 0], np.int8), X > 2], ids=case_id
)
def test_and_or_not_of_mixed_kinds_as_conditions(x: np.ndarray) -> None:
    f = make("""
        def f(x, n):
            s = 0.0
            k = 0
            while k < len(x) and (x[k] or n > 0) and s < 100:
                if x[k] and n < 10:
                    s += 1
                if not (x[k] and n) or k == 2:
                    s += 10
                s += 1000 if x[k] or k > 1 else 2000
                k += 1
            return s, k
    """)
    for n in (0, 1, 20):
        check(f, x, n)


def test_and_or_give_the_operand_outside_conditions() -> None:
    check(make("def f(a, b):\n    return a and b, a or b, not a"), 0, 3)
    check(make("def f(a, b):\n    return a and b, a or b, not a"), 2.5, 0.0)


OUT = """
def f(x, out):
    r = np.add(x, 1, out=out)
    np.multiply(out, 2, out)
    np.clip(out, 0, 5, out=out)
    np.sqrt(out, out=(out,))
    return r, np.subtract(x, 1, out=None)
"""


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_out_of_ufuncs(dtype: str) -> None:
    f = make(OUT)
    check(f, X, np.empty(3, dtype))
    check(f, X, np.empty((2, 3), dtype))
    check(f, X, np.empty((3, 2), dtype).T[:, ::-1][:, :3][:2, :1].repeat(3, axis=1))
    x = X.copy()
    check(f, x, x)
    check(f, x[1:], x[:-1])


def test_an_out_that_does_not_fit_is_numpys_error() -> None:
    f = make("def f(x, out):\n    return np.add(x, 1.5, out=out)")
    check(f, X, np.zeros(3, np.int32))  # same_kind
    check(f, X, np.zeros(1))
    readonly = np.zeros(3)
    readonly.flags.writeable = False
    check(f, X, readonly)


def test_out_of_matmul() -> None:
    f = make("def f(a, b, c):\n    return np.matmul(a, b, out=c)")
    check(f, filled((3, 4), "int64"), filled((4, 2), "int64", 1), np.zeros((3, 2), np.int64))


def test_map() -> None:
    check(make("""
        def f(a, b):
            p, q = map(np.sqrt, (a, b))
            products = list(map(lambda u, v: u * v, (1, 2.5, 3), (b, 4, 5.0)))
            return p + q, products, sum(map(abs, a)), tuple(map(float, (1, 2)))
    """), X, X + 1)  # fmt: skip
    check(make("""
        def f(x):
            total = 0.0
            for i, y in enumerate(map(lambda v: v * v, x)):
                total += i * y
            return total
    """), X)  # fmt: skip
    check(make("def f(x):\n    return max(map(abs, (x[0], x[1]))), all(map(bool, (1, 0)))"), X)
    check(make("def f(x):\n    return list(map(3, (x, x)))"), X)
    check(make("def f(x):\n    return list(map(abs))"), X)


@pytest.mark.parametrize("n", [2, 3, 10, 50])
def test_sieve_of_eratosthenes(n: int) -> None:
    check(make("""
        def f(n):
            prime = np.ones(n + 1, dtype=np.bool_)
            prime[:2] = False
            i = 2
            while i * i <= n:
                if prime[i]:
                    prime[i * i :: i] = False
                i += 1
            return prime
    """), n)  # fmt: skip


@pytest.mark.parametrize("start", [-3, -1, 1, 2, 4])
def test_steps_that_change_their_sign(start: int) -> None:
    f = make("""
        def f(x, step):
            total = x[::step].sum()
            while step < 4:
                if step != 0:
                    y = x[1:6:step]
                    total += len(y)
                    y[...] += step
                    x[::step] *= 2.0
                    x[5:0:step] = step
                step += 1
            return total, x[:: step - 5]
    """)
    check(f, np.arange(8.0), start)


def test_a_step_of_zero() -> None:
    f = make("""
        def f(x, n):
            while n >= 0:
                x[::n] += 1
                n -= 1
            return x
    """)
    check(f, np.arange(8.0), 2)
