"""The code of every ufunc, loop and cast computes what NumPy computes, edge cases included."""

import ctypes
import itertools
import re

import numpy as np
import pytest
import scipy.special as special
from shapecast import _core
from support.op_kernels import Kernels, product, samples, ulps

ops = _core._ops
CHARS = "?bhilBHILefdFD"
TABLE = {row[0]: row for row in ops.ufunc_table()}
LIBM = ctypes.CDLL("libm.so.6")
CASES = [(name, loop) for name, row in TABLE.items() for loop in row[4]]
EXACT = """add subtract multiply multiply_add square negative positive absolute fabs sign maximum
    minimum fmax
    fmin where less less_equal
    greater greater_equal equal not_equal floor ceil trunc rint copysign heaviside nextafter
    spacing signbit isnan isinf isfinite
    divide floor_divide remainder fmod divmod.0 divmod.1 sqrt reciprocal clip modf.0 modf.1
    frexp.0 frexp.1 ldexp conjugate real imag bits
    deg2rad rad2deg degrees radians""".split()


def symbol(*parts):
    return "k_" + "_".join(re.sub(r"\W", lambda m: f"{ord(m[0]):x}", p) for p in parts)


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    jobs = [(symbol(n, loop), "ufunc", n, [loop]) for n, loop in CASES]
    jobs += [(symbol("cast", a, b), "cast", "", [f"{a}->{b}"]) for a in CHARS for b in CHARS]
    for base in "bilLfd":
        jobs += [
            (
                symbol("power", base, str(e)),
                "ufunc_constant",
                "power",
                [f"{base}{base}->{base}", str(e)],
            )
            for e in range(8)
        ]
    jobs += [
        (symbol("power", b, e), "ufunc_constant", "power", [f"{b}{b}->{b}", e])
        for b in "fd"
        for e in ("-1", "0.5")
    ]
    for combine in ("add", "multiply", "minimum", "maximum", "logical_and", "logical_or"):
        for c in CHARS:
            jobs.append((symbol(combine, "combine", c), "combine", combine, [f"{c}{c}->{c}"]))
            jobs.append((symbol(combine, "identity", c), "identity", combine, [f"{c}->{c}"]))
    return Kernels(tmp_path_factory.mktemp("kernels"), jobs)


def multiply_add(a, b, c):
    """a * b + c of floats with one rounding, which NumPy has not: the C library's."""
    if a.dtype.kind == "c":
        first = multiply_add(a.real, b.real, c.real), multiply_add(a.real, b.imag, c.imag)
        out = np.empty(len(a), a.dtype)
        out.real = multiply_add(-a.imag, b.imag, first[0])
        out.imag = multiply_add(a.imag, b.real, first[1])
        return out
    if a.dtype.kind != "f":
        return a * b + c
    single = a.dtype == np.float32
    fma, kind = (LIBM.fmaf, ctypes.c_float) if single else (LIBM.fma, ctypes.c_double)
    fma.restype, fma.argtypes = kind, [kind] * 3
    return np.array([fma(*row) for row in zip(a, b, c, strict=True)], a.dtype)


def _log_gamma(x):
    LIBM.lgamma.restype, LIBM.lgamma.argtypes = ctypes.c_double, [ctypes.c_double]
    return LIBM.lgamma(x)


def reference(name, arrays, loop):
    base, _, output = name.partition(".")
    with np.errstate(all="ignore"):
        if name == "multiply_add":
            return multiply_add(*arrays)
        if name == "bits":
            return arrays[0].view(loop[-1])
        if name == "clip":
            return np._core.umath.clip(*arrays)
        if name == "gammaln":  # nearer to the truth than SciPy's
            logs = [v if v == -np.inf else _log_gamma(v) for v in arrays[0].tolist()]
            return np.array(logs, arrays[0].dtype)
        result = getattr(np, base, None) or getattr(special, base)
        result = result(*arrays)
    return result[int(output)] if output else result


def allowed(name, loop):
    if np.dtype(loop[0]).kind == "c" and name in (
        "multiply",
        "square",
        "divide",
        "absolute",
        "sqrt",
    ):
        return 4  # NumPy contracts multiplications and additions where the processor can
    return 0 if name in EXACT or np.dtype(loop[-1]).kind in "?biu" else 4


def check(got, want, tolerance, arrays, magnitude=None):
    """Bit-equal up to the sign of zero, or within `tolerance` ULP (complex: of the number's
    magnitude, where finite)."""
    assert got.dtype == want.dtype
    if want.dtype.kind in "biu":
        bad = got != want
    elif want.dtype.kind == "f":
        bad = ulps(got, want) > tolerance
    else:
        bad = (ulps(got.real.copy(), want.real.copy()) > tolerance) | (
            ulps(got.imag.copy(), want.imag.copy()) > tolerance
        )
        if tolerance:
            with np.errstate(all="ignore"):
                finite = np.isfinite(got) & np.isfinite(want)
                near = np.abs(got - want) <= tolerance * np.finfo(want.dtype).eps * np.abs(want)
                # C leaves the sign of an infinity or zero open here and there, as NumPy does
                bad &= ~(finite & near)
    assert not bad.any(), [
        (tuple(a[i] for a in arrays), got[i], want[i]) for i in np.flatnonzero(bad)[:8]
    ]


@pytest.mark.parametrize(("name", "loop"), CASES)
def test_loop_of_a_ufunc_computes_numpys_values(kernels, name, loop):
    ins, out = loop.split("->")
    arrays = product(ins)
    if name == "power" and np.dtype(ins[0]).kind == "i":
        defined = arrays[1] >= 0  # the others raise: test_refusals.py
        arrays = [a[defined] for a in arrays]
    want = reference(name, arrays, loop)
    if want.dtype.char in "qQ":
        want = want.astype(want.dtype.char.replace("q", "l").replace("Q", "L"))
    got, _ = kernels.call(symbol(name, loop), out, *arrays)
    check(got, want, allowed(name, loop), arrays)


@pytest.mark.parametrize(("source", "target"), list(itertools.product(CHARS, repeat=2)))
def test_cast_is_numpys(kernels, source, target):
    values = samples(source)
    with np.errstate(all="ignore"):
        import warnings

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            want = np.array([v.astype(target) for v in values])
    got, _ = kernels.call(symbol("cast", source, target), target, values)
    check(got, want, 0, [values])


def test_float64_to_float16_rounds_once(kernels):
    rng = np.random.default_rng(1)
    halves = rng.integers(0, 0x7C00, 20000).astype(np.uint16).view(np.float16).astype(float)
    ties = halves + np.spacing(halves.astype(np.float16)).astype(float) / 2
    values = np.concatenate(
        [ties, np.nextafter(ties, np.inf), np.nextafter(ties, -np.inf), -ties, ties * 1.0001]
    )
    with np.errstate(all="ignore"):
        want = values.astype(np.float16)
    got, _ = kernels.call(symbol("cast", "d", "e"), np.float16, values)
    assert (got.view(np.uint16) == want.view(np.uint16)).all()


@pytest.mark.parametrize("base", "bilLfd")
def test_power_with_a_constant_exponent(kernels, base):
    x = samples(base)
    for exponent in range(8):
        with np.errstate(all="ignore"):
            want = np.power(x, np.array(exponent, base))
        got, _ = kernels.call(symbol("power", base, str(exponent)), base, x, x)
        check(got, want, 0 if base not in "fd" or exponent < 3 else 4, [x])


@pytest.mark.parametrize("base", "fd")
def test_power_shortcuts_are_numpys(kernels, base):
    x = samples(base)
    for exponent in ("-1", "0.5", "3"):
        with np.errstate(all="ignore"):
            want = np.power(x, np.array(float(exponent), base))
        got, _ = kernels.call(symbol("power", base, exponent), base, x, x)
        check(got, want, 4 if exponent == "3" else 0, [x])


@pytest.mark.parametrize(
    "combine", ["add", "multiply", "minimum", "maximum", "logical_and", "logical_or"]
)
@pytest.mark.parametrize("char", CHARS)
def test_combine_with_identity_changes_nothing(kernels, combine, char):
    x = samples(char)
    identity, _ = kernels.call(symbol(combine, "identity", char), char, x)
    got, _ = kernels.call(symbol(combine, "combine", char), char, x, identity)
    want = x.astype(bool).astype(char) if combine.startswith("logical") else x
    if char in "FD" and combine == "multiply":
        keep = np.isfinite(x)
        x, got, want = x[keep], got[keep], want[keep]
    check(got, want, 0, [x])
