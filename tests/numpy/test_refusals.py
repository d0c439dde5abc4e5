"""Exceptions that depend on values: Python ints out of bounds of a dtype, negative integer powers.

Each is run under jit, and compared with NumPy's exception, or its result where it has one.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from shapecast import _core
from support.arrays import INTEGERS, SIGNED
from support.compare import Report, check, make
from support.op_kernels import product

EDGES = [
    -1, 0, 127, 128, 255, 256, -128, -129, 32767, 32768, -32768, -32769, 65535, 65536, 2**31 - 1,
    2**31, -(2**31), -(2**31) - 1, 2**32 - 1, 2**32, 2**63 - 1, -(2**63),
]  # fmt: skip
BOUNDED = "add minimum left_shift power remainder ldexp bitwise_and gcd equal less".split()


def resolves(name: str, *operands: str) -> bool:
    return isinstance(_core._ops.resolve_ufunc(name, list(operands)), str)


@pytest.mark.parametrize("name", BOUNDED)
def test_python_int_operand_out_of_bounds(name: str) -> None:
    right = make(f"def right(x, n):\n    return np.{name}(x, n)")
    left = make(f"def left(x, n):\n    return np.{name}(n, x)")
    with Report(f"np.{name} of an array and a Python int") as report:
        for dtype, n in itertools.product(INTEGERS, EDGES):
            x, char = np.ones(1, dtype), np.dtype(dtype).char
            if resolves(name, char, "int"):
                with report.case(dtype, n):
                    check(right, x, n)
                with report.case("scalar", dtype, n):
                    check(right, x[0], n)
            if resolves(name, "int", char):
                with report.case(n, dtype):
                    check(left, x, n)
        assert report.cases or name == "ldexp"


@pytest.mark.parametrize("dtype", INTEGERS)
def test_python_int_constant_out_of_bounds(dtype: str) -> None:
    """Known at compile time: raised all the same, and only when the line runs."""
    x = np.ones(3, dtype)
    with Report(f"{dtype} and constants") as report:
        for n in EDGES:
            f = make(f"def f(x, run):\n    if run:\n        return x + ({n})\n    return x")
            with report.case(n):
                check(f, x, True)
                check(f, x, False)


STORES = {
    "element": "def f(x, n):\n    x[1] = n",
    "slice": "def f(x, n):\n    x[1:] = n",
    "in store": "def f(x, n):\n    x += n",
    "full": "def f(x, n):\n    return np.full(3, n, x.dtype)",
    "full_like": "def f(x, n):\n    return np.full_like(x, n)",
    "where": "def f(x, n):\n    return np.where(x > 0, x, n)",
    "clip": "def f(x, n):\n    return np.clip(x, 0, n), np.clip(x, None, n), x.clip(n // 2, n)",
    "clip below": "def f(x, n):\n    return np.clip(x, n, 5), np.clip(x, n, None)",
}


@pytest.mark.parametrize("store", STORES)
def test_python_int_stored_out_of_bounds(store: str) -> None:
    f = make(STORES[store])
    with Report(f"{store} of a Python int") as report:
        for dtype, n in itertools.product(INTEGERS, EDGES):
            with report.case(dtype, n):
                check(f, np.zeros(3, dtype), n)


power = make("def power(x, y):\n    return np.power(x, y)")


# uint64 and a signed integer make float64, which never raises.
INTEGER_POWERS = [
    pair for pair in itertools.product(INTEGERS, SIGNED) if np.result_type(*pair).kind == "i"
]


@pytest.mark.parametrize(("base", "exponent"), INTEGER_POWERS)
def test_negative_powers_of_integers(base: str, exponent: str) -> None:
    x, y = product([np.dtype(base).char, np.dtype(exponent).char])
    with Report(f"{base} ** {exponent}") as report:
        for k in range(x.size):
            with report.case(x[k], y[k]):
                check(power, x[k : k + 1], y[k : k + 1])
        # One negative exponent among many is enough, none and no elements are not.
        for many in (y, np.abs(y) % 8, y[:0]):
            with report.case("many", many.size):
                check(power, x[: many.size], many)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_negative_scalar_powers_of_integers(dtype: str) -> None:
    x = np.arange(1, 4, dtype=dtype)
    with Report(f"{dtype} ** scalar") as report:
        for n in (-3, -1, 0, 1, 2, 5):
            operators = make(f"def operators(x):\n    return x ** ({n})")
            for base in (x, x[:0], x[0]):
                with report.case(base.size, n):
                    check(power, base, n)
                with report.case("constant", base.size, n):
                    check(operators, base)
            for strong in SIGNED if dtype != "uint64" else ():
                with report.case(strong, n):
                    check(power, x, np.dtype(strong).type(n))
                if np.dtype(dtype).kind == "i":
                    with report.case("Python base", strong, n):
                        check(power, 2, np.full(3, n, dtype))
