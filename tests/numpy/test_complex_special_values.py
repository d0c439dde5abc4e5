"""Arithmetic and powers of complex numbers give NumPy's infinities, NaNs and signs of zeros."""

from __future__ import annotations

import numpy as np
import pytest
from shapecast import jit
from support.compare import make

PARTS = [0.0, -0.0, 1.0, -1.0, 2.5, -3.0, np.inf, -np.inf, np.nan, 1e200, -1e200, 1e-200, 0.5]
OF_TWO = ["x + y", "x - y", "x * y", "x / y", "x**y"]
OF_ONE = """
    x**2; x**3; x**-1; x**-2; x**0; x**1; x**0.5; x**-0.5; x**1.5; x**2.0; x**100; x**101
    x**(1 + 2j); x**(2 + 0j); 2**x; 0**x; 1j**x
    np.power(x, 2); np.power(x, -1); np.power(x, 0.5); np.square(x); np.float_power(x, 2)
    np.reciprocal(x); 1 / x; x / 2; x * 2; x * 1j; x * 2j + 1; x * x; x * x * x; np.conj(x) * x
    x.prod(); np.cumprod(x); np.abs(x); np.sqrt(x); np.sign(x); np.angle(x)
    np.exp(x); np.log(x); np.sin(x); np.tanh(x); np.arctan(x); np.arccosh(x)
"""
ONES = [text.strip() for line in OF_ONE.strip().splitlines() for text in line.split(";")]


def check_parts(got, want):
    """Finite parts within four ULP; the same infinities and NaNs."""
    part = np.float64 if want.dtype.char in "Dd" else np.float32
    got, want = np.atleast_1d(got).view(part), np.atleast_1d(want).view(part)
    finite = np.isfinite(want)
    np.testing.assert_array_equal(got[~finite], want[~finite])
    near = np.abs(got[finite] - want[finite]) <= 4 * np.spacing(np.abs(want[finite]))
    assert near.all(), (got[finite][~near], want[finite][~near])
    zero = want == 0
    np.testing.assert_array_equal(np.signbit(got[zero]), np.signbit(want[zero]))


@pytest.mark.parametrize("dtype", ["D", "F"])
@pytest.mark.parametrize("expression", OF_TWO + ONES)
def test_special_values_are_numpys(expression: str, dtype: str) -> None:
    with np.errstate(all="ignore"):
        values = np.array([complex(a, b) for a in PARTS for b in PARTS]).astype(dtype)
        two = expression in OF_TWO
        arguments = (
            (np.repeat(values, len(values)), np.tile(values, len(values))) if two else (values,)
        )
        f = make(f"def f({'x, y' if two else 'x'}):\n    return {expression}")
        check_parts(np.asarray(jit(f)(*arguments)), np.asarray(f(*arguments)))
