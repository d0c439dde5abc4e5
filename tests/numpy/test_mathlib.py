"""The math functions in arrays: within 1 ULP of mpmath, NumPy's at the edges, the same everywhere.

tests/compiler/cpp/mathlib.cpp compares more samples, and the functions of all instruction sets.
"""

from __future__ import annotations

import functools
from typing import Any

import mpmath
import numpy as np
import pytest
from support.compare import jitted, make
from support.math_reference import FUNCTIONS, REAL, edges, largest_error, samples, ulp_error

CASES = pytest.mark.parametrize(
    ("name", "dtype"),
    [(name, dtype) for name in FUNCTIONS for dtype in REAL],
    ids=lambda p: getattr(p, "__name__", p),
)


@functools.cache
def ours(name: str) -> Any:
    parameters = "x, y" if name in FUNCTIONS and FUNCTIONS[name].arguments == 2 else "x"
    return jitted(make(f"def f({parameters}):\n    return np.{name}({parameters})"))


@CASES
def test_samples_are_within_one_ulp(name: str, dtype: type) -> None:
    arguments = samples(name, dtype, 400, seed=7)
    got = ours(name)(*arguments)
    assert got.dtype == dtype
    error, sample = largest_error(name, arguments, got)
    assert error <= 1, f"{error} ULP at {sample}"


@CASES
def test_edges_are_numpys(name: str, dtype: type) -> None:
    """The same NaNs, infinities, zeros and signs; elsewhere within 1 ULP of the exact value."""
    arguments = edges(name, dtype)
    with np.errstate(all="ignore"):
        want = getattr(np, name)(*arguments)
    got = ours(name)(*arguments)
    assert np.array_equal(np.isnan(got), np.isnan(want))
    numbers = ~np.isnan(want)
    assert np.array_equal(np.signbit(got[numbers]), np.signbit(want[numbers]))
    differ = np.flatnonzero(numbers & (got != want))
    for k in differ:
        sample = tuple(a[k] for a in arguments)
        assert ulp_error(name, sample, got[k]) <= 1, f"{got[k]!r}, NumPy {want[k]!r} at {sample}"


@CASES
def test_bits_do_not_depend_on_index_and_length(name: str, dtype: type) -> None:
    """A number's result has the same bits in every lane, in remainders, and beside any others."""
    f = ours(name)
    arguments = tuple(
        np.concatenate([s, e[:: max(1, e.size // 40)]])
        for s, e in zip(samples(name, dtype, 40, seed=3), edges(name, dtype), strict=True)
    )
    bits = np.int64 if dtype == np.float64 else np.int32
    whole = f(*arguments)
    known = np.where(np.isnan(whole), 0, whole.view(bits))
    for length in range(41):
        for start in (0, 1, 7, 40):
            part = f(*(a[start : start + length] for a in arguments))
            seen = np.where(np.isnan(part), 0, part.view(bits))
            assert np.array_equal(seen, known[start : start + length])
    backwards = f(*(a[::-1] for a in arguments))
    assert np.array_equal(np.where(np.isnan(backwards), 0, backwards.view(bits)), known[::-1])


COMPLEX = "exp log sin cos tan sinh cosh tanh arcsin arccos arctan arcsinh arccosh arctanh".split()


@pytest.mark.parametrize("dtype", [np.complex128, np.complex64], ids=lambda d: d.__name__)
@pytest.mark.parametrize("name", COMPLEX)
def test_complex_functions_are_no_worse_than_numpys(name: str, dtype: type) -> None:
    rng = np.random.default_rng(5)
    z = (rng.normal(size=200) * 2 + 1j * rng.normal(size=200) * 2).astype(dtype)
    exact = getattr(mpmath, name.replace("arc", "a"))
    unit = float(np.finfo(dtype).eps)

    def error(results: np.ndarray) -> float:
        return max(
            float(abs(mpmath.mpc(complex(r)) - w) / abs(w)) / unit
            for r, w in zip(results, [exact(mpmath.mpc(complex(v))) for v in z], strict=True)
        )

    assert error(ours(name)(z)) <= max(error(getattr(np, name)(z)), 1)
