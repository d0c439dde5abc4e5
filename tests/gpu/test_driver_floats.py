"""The driver's floating-point instructions: results in rationals, rounded as modifiers say."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from gpu.one_instruction import DTYPES, apply, crossed, kernel
from gpu.test_ptx import assemble

from support import cuda

FLOATS = ["f32", "f64"]
ROUNDINGS = ["rn", "rz", "rm", "rp"]
NAN32 = 0x7FFFFFFF  # the canonical one


@pytest.fixture(autouse=True)
def device() -> None:
    cuda.start()
    with np.errstate(all="ignore"):
        yield


def edges(kind: str) -> np.ndarray:
    info = np.finfo(DTYPES[kind])
    some = [
        0.0,
        -0.0,
        1.0,
        -1.5,
        1 / 3,
        -7.25,
        1e4,
        info.max,
        -info.max,
        info.tiny,
        info.smallest_subnormal,
        np.inf,
        -np.inf,
        np.nan,
        1 + info.eps,
        -2.5,
    ]
    return np.array(some, DTYPES[kind])


def rounded(exact: Fraction, kind: str, mode: str) -> float:
    """The float nearest to a rational, towards zero, down or up."""
    dtype = np.dtype(DTYPES[kind]).type
    limit = Fraction(float(np.finfo(dtype).max))
    if abs(exact) > limit:
        return beyond(exact, dtype, mode)
    near = dtype(float(exact))
    if kind != "f64":  # rounded twice: look at the neighbours
        candidates = [near, np.nextafter(near, dtype(-np.inf)), np.nextafter(near, dtype(np.inf))]
        finite = [c for c in candidates if np.isfinite(c)]
        near = min(
            finite,
            key=lambda c: (
                abs(Fraction(float(c)) - exact),
                int(c.view(DTYPES["b" + kind[1:]])) & 1,
            ),
        )
    if mode == "rn":
        return near
    down = near if Fraction(float(near)) <= exact else np.nextafter(near, dtype(-np.inf))
    up = near if Fraction(float(near)) >= exact else np.nextafter(near, dtype(np.inf))
    return {"rm": down, "rp": up, "rz": down if exact > 0 else up}[mode]


def beyond(exact: Fraction, dtype: type, mode: str) -> float:
    """A rational beyond the largest float: that, or infinity."""
    info = np.finfo(dtype)
    half = Fraction(2) ** (info.maxexp - info.nmant - 2)  # of the spacing there
    to_infinity = {
        "rn": abs(exact) >= Fraction(float(info.max)) + half,
        "rz": False,
        "rm": exact < 0,
        "rp": exact > 0,
    }
    size = dtype(np.inf) if to_infinity[mode] else info.max
    return size if exact > 0 else -size


EXACT = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "fma": lambda a, b, c: a * b + c,
}
HOST = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide}


@pytest.mark.parametrize("mode", ROUNDINGS)
@pytest.mark.parametrize("kind", FLOATS)
@pytest.mark.parametrize("name", EXACT)
def test_arithmetic(name, kind, mode, tmp_path):
    count = 3 if name == "fma" else 2
    values = edges(kind)[:: 1 if count == 2 else 2]
    columns = [np.array(c, DTYPES[kind]) for c in crossed(*[values] * count)]
    operands = ", ".join(f"${k}" for k in range(count + 1))
    text = f"{name}.{mode}.{kind} {operands}"
    got = apply(text, kind, *((kind, c) for c in columns))
    assemble(kernel(text, kind, [kind] * count), tmp_path)
    for result, *arguments in zip(got, *columns):
        finite = all(np.isfinite(a) for a in arguments)
        if finite and not (name == "div" and arguments[1] == 0):
            exact = EXACT[name](*(Fraction(float(a)) for a in arguments))
            if exact != 0:
                assert result == rounded(exact, kind, mode), (text, arguments)
            else:
                assert result == 0, (text, arguments)
        elif name in HOST:
            with np.errstate(all="ignore"):
                np.testing.assert_equal(result, HOST[name](*arguments))
        if np.isnan(result) and kind == "f32":
            assert result.view("u4") == NAN32


def test_exact_sums_of_zero_have_the_sign_of_the_rounding():
    one = ("f64", np.array([1.0]))
    for mode in ROUNDINGS:
        zero = apply(f"sub.{mode}.f64 $0, $1, $1", "f64", one)
        assert np.signbit(zero[0]) == (mode == "rm")


@pytest.mark.parametrize("mode", ROUNDINGS)
@pytest.mark.parametrize("kind", FLOATS)
def test_roots_and_reciprocals(kind, mode, tmp_path):
    a = np.abs(edges(kind))
    text = f"sqrt.{mode}.{kind} $0, $1"
    assemble(kernel(text, kind, [kind]), tmp_path)
    for x, root in zip(a, apply(text, kind, (kind, a))):
        if not np.isfinite(x) or x == 0:
            np.testing.assert_equal(root, np.sqrt(x))
            continue
        exact = Fraction(float(x))
        below, above = (
            Fraction(float(np.nextafter(root, root.dtype.type(d)))) for d in (0, np.inf)
        )
        here = Fraction(float(root))
        if mode == "rn":
            assert ((below + here) / 2) ** 2 <= exact <= ((here + above) / 2) ** 2
        elif mode == "rp":
            assert below**2 < exact <= here**2
        else:
            assert here**2 <= exact < above**2
    text = f"rcp.{mode}.{kind} $0, $1"
    assemble(kernel(text, kind, [kind]), tmp_path)
    a = a[np.isfinite(a) & (a > 0)]
    for x, result in zip(a, apply(text, kind, (kind, a))):
        assert result == rounded(1 / Fraction(float(x)), kind, mode)


@pytest.mark.parametrize("name", ["add", "sub", "mul", "fma"])
def test_halves(name, tmp_path):
    """Each result is rounded once, also of fma."""
    values = np.array([0.0, 1.0, -1.5, 0.333, 65504.0, 6e-8, 2049.0, -0.0001, 3.14, 1023.5], "f2")
    count = 3 if name == "fma" else 2
    columns = [np.array(c, "f2") for c in crossed(*[values] * count)]
    mode = ".rn" if name == "fma" else ""
    text = f"{name}{mode}.f16 " + ", ".join(f"${k}" for k in range(count + 1))
    assemble(kernel(text, "f16", ["f16"] * count), tmp_path)
    got = apply(text, "f16", *(("f16", c) for c in columns))
    expected = [
        rounded(EXACT[name](*(Fraction(float(a)) for a in one)), "f16", "rn")
        for one in zip(*columns)
    ]
    np.testing.assert_array_equal(got, np.array(expected, "f2"))
    # Two at once: the second of each pair is the next element's.
    paired = [np.roll(c, -1).view("u2").astype("u4") << 16 | c.view("u2") for c in columns]
    got = apply(text.replace(".f16", ".f16x2"), "f16x2", *(("f16x2", p) for p in paired))
    np.testing.assert_array_equal((got & 0xFFFF).astype("u2").view("f2"), np.array(expected, "f2"))
    np.testing.assert_array_equal(
        (got >> 16).astype("u2").view("f2"), np.roll(np.array(expected, "f2"), -1)
    )


@pytest.mark.parametrize("kind", ["f16", *FLOATS])
def test_extremes_and_signs(kind, tmp_path):
    a, b = (np.array(c, DTYPES[kind]) for c in crossed(edges(kind), edges(kind)))
    for name, of in (("min", np.fmin), ("max", np.fmax)):
        text = f"{name}.{kind} $0, $1, $2"
        assemble(kernel(text, kind, [kind] * 2), tmp_path)
        got = apply(text, kind, (kind, a), (kind, b))
        np.testing.assert_array_equal(got, of(a, b))
        zeros = (a == 0) & (b == 0)  # -0 is less than 0
        negative = np.signbit(a) | np.signbit(b) if name == "min" else np.signbit(a) & np.signbit(b)
        np.testing.assert_array_equal(np.signbit(got)[zeros], negative[zeros])
        if kind != "f64":
            text = f"{name}.NaN.{kind} $0, $1, $2"
            assemble(kernel(text, kind, [kind] * 2), tmp_path)
            got = apply(text, kind, (kind, a), (kind, b))
            np.testing.assert_array_equal(
                got, np.minimum(a, b) if name == "min" else np.maximum(a, b)
            )
    for name, of in (("abs", np.abs), ("neg", np.negative)):
        text = f"{name}.{kind} $0, $1"
        assemble(kernel(text, kind, [kind]), tmp_path)
        got = apply(text, kind, (kind, a))
        np.testing.assert_array_equal(np.signbit(got), np.signbit(of(a)))
        np.testing.assert_array_equal(got, of(a))
    if kind != "f16":
        text = f"copysign.{kind} $0, $1, $2"
        assemble(kernel(text, kind, [kind] * 2), tmp_path)
        got = apply(text, kind, (kind, a), (kind, b))
        np.testing.assert_array_equal(got, np.copysign(b, a))
        np.testing.assert_array_equal(np.signbit(got), np.signbit(a))


def test_flushing_and_saturation(tmp_path):
    tiny = np.array([1e-40, -1e-40, 1e-30, np.nan, 2.0, 0.5, -3.0], "f4")
    one = np.ones_like(tiny)
    got = apply("mul.rn.ftz.f32 $0, $1, $2", "f32", ("f32", tiny), ("f32", one))
    np.testing.assert_array_equal(got, np.where(np.abs(tiny) < 1e-38, 0, tiny))
    np.testing.assert_array_equal(np.signbit(got)[:2], [False, True])
    got = apply("mul.rn.ftz.f32 $0, $1, $1", "f32", ("f32", np.array([1e-20], "f4")))
    assert got[0] == 0  # a subnormal result
    got = apply("add.rn.sat.f32 $0, $1, $2", "f32", ("f32", tiny), ("f32", one * 0))
    np.testing.assert_array_equal(got, [np.float32(1e-40), 0, np.float32(1e-30), 0, 1, 0.5, 0])
    assemble(kernel("mul.rn.ftz.sat.f32 $0, $1, $2", "f32", ["f32"] * 2), tmp_path)


@pytest.mark.parametrize("kind", FLOATS)
def test_classes(kind, tmp_path):
    a = edges(kind)
    tiny = np.finfo(DTYPES[kind]).tiny
    normal = np.isfinite(a) & (np.abs(a) >= tiny)
    expected = {
        "finite": np.isfinite(a),
        "infinite": np.isinf(a),
        "number": ~np.isnan(a),
        "notanumber": np.isnan(a),
        "normal": normal,
        "subnormal": np.isfinite(a) & (a != 0) & ~normal,
    }
    for name, wanted in expected.items():
        text = f"testp.{name}.{kind} $0, $1"
        assemble(kernel(text, "pred", [kind]), tmp_path)
        np.testing.assert_array_equal(apply(text, "pred", (kind, a)), wanted)


@pytest.mark.parametrize("kind", ["f16", *FLOATS])
def test_comparisons(kind, tmp_path):
    a, b = (np.array(c, DTYPES[kind]) for c in crossed(edges(kind), edges(kind)))
    unordered = np.isnan(a) | np.isnan(b)
    plain = {
        "eq": a == b,
        "ne": (a != b) & ~unordered,
        "lt": a < b,
        "le": a <= b,
        "gt": a > b,
        "ge": a >= b,
    }
    cases = plain | {f"{name}u": value | unordered for name, value in plain.items()}
    cases |= {"num": ~unordered, "nan": unordered}
    for name, wanted in cases.items():
        text = f"setp.{name}.{kind} $0, $1, $2"
        assemble(kernel(text, "pred", [kind] * 2), tmp_path)
        np.testing.assert_array_equal(apply(text, "pred", (kind, a), (kind, b)), wanted, text)


INTEGERS = ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"]


@pytest.mark.parametrize("source", ["f16", *FLOATS])
@pytest.mark.parametrize("target", INTEGERS)
def test_floats_to_integers(source, target, tmp_path):
    """Clamped; a NaN is 0, or the highest bit alone where a side has 64 bits."""
    a = np.concatenate(
        [edges(source), np.array([0.5, 1.5, 2.5, -0.5, 99.99, 300.7, -129.5], DTYPES[source])]
    )
    limits = np.iinfo(DTYPES[target])
    functions = {"rni": round, "rzi": math.trunc, "rmi": math.floor, "rpi": math.ceil}
    wide = limits.bits == 64 or source == "f64"
    nan = (1 << (limits.bits - 1)) * (-1 if limits.min else 1) if wide else 0
    for mode, of in functions.items():
        text = f"cvt.{mode}.{target}.{source} $0, $1"
        assemble(kernel(text, target, [source]), tmp_path)
        expected = []
        for x in a:
            if np.isnan(x):
                expected.append(nan)
            elif np.isinf(x):
                expected.append(limits.max if x > 0 else limits.min)
            else:
                expected.append(max(limits.min, min(limits.max, of(Fraction(float(x))))))
        np.testing.assert_array_equal(
            apply(text, target, (source, a)), np.array(expected, DTYPES[target]), text
        )


@pytest.mark.parametrize("source", INTEGERS)
@pytest.mark.parametrize("target", FLOATS)
def test_integers_to_floats(source, target, tmp_path):
    limits = np.iinfo(DTYPES[source])
    a = [0, 1, 77, limits.max, limits.max - 1, limits.min, limits.max // 3]
    for mode in ROUNDINGS:
        text = f"cvt.{mode}.{target}.{source} $0, $1"
        assemble(kernel(text, target, [source]), tmp_path)
        expected = [rounded(Fraction(x), target, mode) for x in a]
        np.testing.assert_array_equal(
            apply(text, target, (source, np.array(a, DTYPES[source]))), np.array(expected)
        )


def test_floats_to_floats(tmp_path):
    a = edges("f64")
    for mode in ROUNDINGS:
        text = f"cvt.{mode}.f32.f64 $0, $1"
        assemble(kernel(text, "f32", ["f64"]), tmp_path)
        got = apply(text, "f32", ("f64", a))
        for x, y in zip(a, got):
            if np.isfinite(x) and x:
                assert y == rounded(Fraction(float(x)), "f32", mode)
            else:
                np.testing.assert_equal(y, np.float32(x))
    wide = apply("cvt.f64.f32 $0, $1", "f64", ("f32", edges("f32")))
    np.testing.assert_array_equal(wide, edges("f32").astype("f8"))
    for source in FLOATS:
        half = apply(f"cvt.rn.f16.{source} $0, $1", "f16", (source, edges(source)))
        with np.errstate(over="ignore"):
            np.testing.assert_array_equal(half, edges(source).astype("f2"))
        wide = apply(f"cvt.{source}.f16 $0, $1", source, ("f16", edges("f16")))
        np.testing.assert_array_equal(wide, edges("f16").astype(DTYPES[source]))
    functions = {"rni": np.rint, "rzi": np.trunc, "rmi": np.floor, "rpi": np.ceil}
    for mode, of in functions.items():
        for kind in FLOATS:
            text = f"cvt.{mode}.{kind}.{kind} $0, $1"
            assemble(kernel(text, kind, [kind]), tmp_path)
            got = apply(text, kind, (kind, edges(kind)))
            np.testing.assert_array_equal(got, of(edges(kind)))
    low, high = edges("f32")[:14], edges("f32")[2:16]
    packed = apply("cvt.rn.f16x2.f32 $0, $1, $2", "f16x2", ("f32", high), ("f32", low))
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal((packed & 0xFFFF).astype("u2").view("f2"), low.astype("f2"))
        np.testing.assert_array_equal((packed >> 16).astype("u2").view("f2"), high.astype("f2"))
    sat = apply("cvt.sat.f32.f32 $0, $1", "f32", ("f32", edges("f32")))
    np.testing.assert_array_equal(sat, np.clip(np.nan_to_num(edges("f32"), nan=0.0), 0, 1))


@pytest.mark.parametrize("name", ["rsqrt", "sin", "cos", "lg2", "ex2", "tanh"])
def test_approximations(name, tmp_path):
    functions = {"rsqrt": lambda x: 1 / np.sqrt(x), "lg2": np.log2, "ex2": np.exp2}
    a = np.array([0.25, 0.5, 1.0, 1.7, 3.0, 100.0], "f4")
    text = f"{name}.approx.f32 $0, $1"
    assemble(kernel(text, "f32", ["f32"]), tmp_path)
    got = apply(text, "f32", ("f32", a))
    of = functions.get(name) or getattr(np, name)
    np.testing.assert_allclose(got, of(a.astype("f8")), rtol=1e-6)


def test_literals():
    got = apply("add.rn.f32 $0, $1, 0f3F800000", "f32", ("f32", np.array([1.5], "f4")))
    assert got[0] == 2.5
    got = apply("add.rn.f32 $0, $1, 0d3FF0000000000000", "f32", ("f32", np.array([1.5], "f4")))
    assert got[0] == 2.5
    got = apply("add.rn.f64 $0, $1, 0dC000000000000000", "f64", ("f64", np.array([1.5])))
    assert got[0] == -0.5
