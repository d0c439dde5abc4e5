"""The ufuncs under test, generated from NumPy itself, with their domains, tolerances and
references.
"""

from __future__ import annotations

import functools

import numpy as np
from support.arrays import DTYPES
from support.ulp import Tolerance, equal_bits, exact, within, within_absolute

SERVED = "?bBhHiIlLefdFD"  # type characters of the dtypes served ('q' is 'l' here)


def _ufuncs() -> dict[str, np.ufunc]:
    found = {}
    for name in dir(np):
        u = getattr(np, name)
        # isnat has no loop for the dtypes served; generalised ufuncs (matmul...) have tests of
        # their own.
        if isinstance(u, np.ufunc) and u.signature is None and u.__name__ != "isnat":
            found[u.__name__] = u
    return dict(sorted(found.items()))


UFUNCS = _ufuncs()
UNARY = {k: u for k, u in UFUNCS.items() if u.nin == 1}
BINARY = {k: u for k, u in UFUNCS.items() if u.nin == 2}


def aliases() -> dict[str, str]:
    """Aliases in NumPy's namespace: np.abs is np.absolute."""
    return {
        name: getattr(np, name).__name__
        for name in dir(np)
        if isinstance(getattr(np, name), np.ufunc)
        and getattr(np, name).__name__ != name
        and getattr(np, name).__name__ in UFUNCS
    }


# Real functions that are not correctly rounded by everyone.
_MATH = set(
    "exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh "
    "arccosh arctanh cbrt power float_power hypot arctan2 logaddexp logaddexp2".split()
)
# Complex functions whose parts are sums of products: within 4 ULP of the magnitude.
_COMPLEX_MATH = _MATH | set("multiply divide absolute reciprocal square sqrt sign".split())
# NumPy's answer for two zeros of different sign depends on the loop that ran.
_ZERO_SIGN_OPEN = {"maximum", "minimum", "fmax", "fmin"}

# What second operands (and for gcd and lcm first ones too) must stay within for NumPy's result
# to be defined.
SECOND_DOMAIN = {
    "left_shift": "shift", "right_shift": "shift", "power": "small", "gcd": "not_min",
    "lcm": "not_min",
}  # fmt: skip
FIRST_DOMAIN = {"gcd": "not_min", "lcm": "not_min"}


def second_domain(name: str, dtype: str) -> str:
    if name == "power" and np.dtype(dtype).kind in "fc":
        return "any"
    return SECOND_DOMAIN.get(name, "any")


@functools.cache
def loop(name: str, *dtypes: str) -> tuple[np.dtype, ...] | None:
    """Input and output dtypes of NumPy's loop for such operands; None where NumPy raises
    TypeError.
    """
    u = UFUNCS[name]
    try:
        return u.resolve_dtypes(tuple(np.dtype(d) for d in dtypes) + (None,) * u.nout)
    except TypeError:
        return None


def cases(ufuncs: dict[str, np.ufunc]) -> list[tuple[str, str]]:
    """(ufunc, dtype) for all operands of one dtype that NumPy has a loop for."""
    return [(n, d) for n, u in ufuncs.items() for d in DTYPES if loop(n, *[d] * u.nin)]


def _wider(dtype: np.dtype) -> np.dtype:
    if dtype.kind == "c":
        return np.dtype(np.clongdouble)
    return np.dtype(np.longdouble if dtype == np.float64 else np.float64)


def _equal_but_zero_sign(got: np.ndarray, want: np.ndarray) -> str | None:
    if got.dtype.kind in "fc":
        zeros = (got == 0) & (want == 0)
        got, want = np.where(zeros, 0, got), np.where(zeros, 0, want)
    return exact(got, want)


def tolerance(name: str, *operands: np.ndarray) -> Tolerance:
    """How near to NumPy a ufunc's result must be, for these operands.

    Math functions are measured from the same function computed in a wider type on the operands as
    the loop sees them, so that NumPy's own error does not count against us. Of real arrays they are
    our own (src/mathlib) and within 1 ULP, of scalars the C library's.
    """
    types = loop(name, *[str(np.asarray(a).dtype.newbyteorder("=")) for a in operands])
    if types is None:
        return exact
    inputs = types[: len(operands)]
    if name in ("logaddexp", "logaddexp2") and inputs[0].kind == "f":
        # log(exp(x) + exp(y)) near 0 is what two larger numbers leave: in ULP of the operands.
        with np.errstate(all="ignore"):
            largest = np.maximum(*(np.abs(np.asarray(a, types[-1])) for a in operands))
            return within_absolute(4 * np.spacing(np.nan_to_num(np.maximum(largest, 1), posinf=1)))
    is_complex = any(t.kind == "c" for t in inputs)
    in_loops = any(np.ndim(a) > 0 for a in operands) and name != "float_power"
    ulps = 1.001 if in_loops and not is_complex else 4  # the wider type has an error too
    if name in (_COMPLEX_MATH if is_complex else _MATH) and inputs[0].kind in "fc":
        with np.errstate(all="ignore"):
            wide = [
                np.asarray(a).astype(t).astype(_wider(t))
                for a, t in zip(operands, inputs, strict=True)
            ]
            reference = UFUNCS[name](*wide)
        return within(ulps, np.asarray(reference))
    if name in _ZERO_SIGN_OPEN:
        return _equal_but_zero_sign
    return exact


def is_math(name: str) -> bool:
    return name in _COMPLEX_MATH


__all__ = [
    "BINARY", "SERVED", "UFUNCS", "UNARY", "aliases", "cases", "equal_bits", "is_math", "loop",
    "second_domain", "tolerance",
]  # fmt: skip
