"""The driver's integer instructions, beside the formulas of PTX's manual in Python's integers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from gpu.one_instruction import DTYPES, apply, crossed, kernel
from gpu.test_ptx import assemble

from support import cuda

INTEGERS = ["u16", "u32", "u64", "s16", "s32", "s64"]
BITS = ["b16", "b32", "b64"]


@pytest.fixture(autouse=True)
def device() -> None:
    cuda.start()


def bits(kind: str) -> int:
    return 8 * np.dtype(DTYPES[kind]).itemsize


def wrapped(value: int, kind: str) -> int:
    value &= (1 << bits(kind)) - 1
    return value - (1 << bits(kind)) if kind[0] == "s" and value >> (bits(kind) - 1) else value


def edges(kind: str) -> list[int]:
    some = [0, 1, 2, 3, 7, -1, -2, -7, 1 << (bits(kind) - 1), (1 << (bits(kind) - 1)) - 1, 12345]
    return sorted({wrapped(v, kind) for v in some})


def double(kind: str) -> str:
    return f"{kind[0]}{2 * bits(kind)}"


def quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1) if b else -1


def remainder(a: int, b: int) -> int:
    return a - quotient(a, b) * b if b else a


BINARY: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul.lo": lambda a, b: a * b,
    "div": quotient,
    "rem": remainder,
    "min": min,
    "max": max,
}


def check(
    instruction: str,
    result: str,
    kinds: list[str],
    columns: list[list[int]],
    expected: list[int],
    tmp_path,
) -> None:
    got = apply(
        instruction, result, *zip(kinds, (np.array(c, DTYPES[k]) for c, k in zip(columns, kinds)))
    )
    wanted = np.array([wrapped(v, result) for v in expected], DTYPES[result])
    np.testing.assert_array_equal(got, wanted, instruction)
    assemble(kernel(instruction, result, kinds), tmp_path)


@pytest.mark.parametrize("kind", INTEGERS)
@pytest.mark.parametrize("name", BINARY)
def test_binary(name, kind, tmp_path):
    a, b = crossed(edges(kind), edges(kind))
    expected = [BINARY[name](x, y) for x, y in zip(a, b)]
    check(f"{name}.{kind} $0, $1, $2", kind, [kind] * 2, [a, b], expected, tmp_path)


@pytest.mark.parametrize("kind", INTEGERS)
def test_high_and_wide_products(kind, tmp_path):
    a, b = crossed(edges(kind), edges(kind))
    products = [x * y for x, y in zip(a, b)]
    check(
        f"mul.hi.{kind} $0, $1, $2",
        kind,
        [kind] * 2,
        [a, b],
        [p >> bits(kind) for p in products],
        tmp_path,
    )
    a, b, c = crossed(edges(kind), edges(kind)[::2], edges(kind)[1::3])
    low = [x * y + z for x, y, z in zip(a, b, c)]
    check(f"mad.lo.{kind} $0, $1, $2, $3", kind, [kind] * 3, [a, b, c], low, tmp_path)
    high = [(x * y >> bits(kind)) + z for x, y, z in zip(a, b, c)]
    check(f"mad.hi.{kind} $0, $1, $2, $3", kind, [kind] * 3, [a, b, c], high, tmp_path)
    if bits(kind) < 64:
        wide = double(kind)
        a, b = crossed(edges(kind), edges(kind))
        check(f"mul.wide.{kind} $0, $1, $2", wide, [kind] * 2, [a, b], products, tmp_path)
        c = [products[-k] for k in range(len(products))]
        sums = [p + z for p, z in zip(products, c)]
        c = [wrapped(v, wide) for v in c]
        check(
            f"mad.wide.{kind} $0, $1, $2, $3", wide, [kind, kind, wide], [a, b, c], sums, tmp_path
        )


@pytest.mark.parametrize("kind", ["s16", "s32", "s64"])
def test_signs(kind, tmp_path):
    a = edges(kind)
    check(f"abs.{kind} $0, $1", kind, [kind], [a], [abs(x) for x in a], tmp_path)
    check(f"neg.{kind} $0, $1", kind, [kind], [a], [-x for x in a], tmp_path)


def test_saturated_sums(tmp_path):
    a, b = crossed(edges("s32"), edges("s32"))
    clamp = lambda v: max(min(v, 2**31 - 1), -(2**31))
    check(
        "add.sat.s32 $0, $1, $2",
        "s32",
        ["s32"] * 2,
        [a, b],
        [clamp(x + y) for x, y in zip(a, b)],
        tmp_path,
    )
    check(
        "sub.sat.s32 $0, $1, $2",
        "s32",
        ["s32"] * 2,
        [a, b],
        [clamp(x - y) for x, y in zip(a, b)],
        tmp_path,
    )


def test_carries(tmp_path):
    """Sums and differences of 128 bits from two of 64, and their high half."""
    a, b = crossed(edges("u64"), edges("u64"))
    other = [wrapped(x * 3 + 1, "u64") for x in b]
    added = "{ add.cc.u64 %d50, $1, $2; addc.u64 $0, $1, $3; }"
    expected = [x + z + (x + y >> 64) for x, y, z in zip(a, b, other)]
    check(added, "u64", ["u64"] * 3, [a, b, other], expected, tmp_path)
    subtracted = "{ sub.cc.u64 %d50, $1, $2; subc.u64 $0, $1, $3; }"
    expected = [x - z - (x < y) for x, y, z in zip(a, b, other)]
    check(subtracted, "u64", ["u64"] * 3, [a, b, other], expected, tmp_path)
    chained = "{ add.cc.u32 %r50, $1, $2; addc.cc.u32 %r51, $1, $1; addc.u32 $0, $2, $2; }"
    a, b = crossed(edges("u32"), edges("u32"))
    expected = [2 * y + (2 * x + (x + y >> 32) >> 32) for x, y in zip(a, b)]
    check(chained, "u32", ["u32"] * 2, [a, b], expected, tmp_path)


@pytest.mark.parametrize("kind", BITS)
def test_logic(kind, tmp_path):
    a, b = crossed(edges(kind), edges(kind))
    for name, of in (("and", int.__and__), ("or", int.__or__), ("xor", int.__xor__)):
        check(
            f"{name}.{kind} $0, $1, $2",
            kind,
            [kind] * 2,
            [a, b],
            [of(x, y) for x, y in zip(a, b)],
            tmp_path,
        )
    check(f"not.{kind} $0, $1", kind, [kind], [a], [~x for x in a], tmp_path)


def test_logic_of_predicates(tmp_path):
    a, b = crossed([0, 1], [0, 1])
    for name, of in (("and", int.__and__), ("or", int.__or__), ("xor", int.__xor__)):
        check(
            f"{name}.pred $0, $1, $2",
            "pred",
            ["pred"] * 2,
            [a, b],
            [of(x, y) for x, y in zip(a, b)],
            tmp_path,
        )
    check("not.pred $0, $1", "pred", ["pred"], [a], [1 - x for x in a], tmp_path)


@pytest.mark.parametrize("size", [16, 32, 64])
def test_shifts(size, tmp_path):
    """Counts are clamped to the width."""
    for name, kind in (("shl", f"b{size}"), ("shr", f"u{size}"), ("shr", f"s{size}")):
        a, b = crossed(edges(kind), [0, 1, 5, size - 1, size, size + 1, 255, 2**32 - 1])
        shifted = [x << min(n, size) if name == "shl" else x >> min(n, size) for x, n in zip(a, b)]
        check(f"{name}.{kind} $0, $1, $2", kind, [kind, "u32"], [a, b], shifted, tmp_path)


@pytest.mark.parametrize("mode", ["wrap", "clamp"])
def test_funnel_shifts(mode, tmp_path):
    a, b, c = crossed(edges("b32"), edges("b32")[::2], [0, 1, 13, 31, 32, 33, 70])
    count = [n & 31 if mode == "wrap" else min(n, 32) for n in c]
    left = [((y << 32 | x) << n) >> 32 for x, y, n in zip(a, b, count)]
    right = [(y << 32 | x) >> n for x, y, n in zip(a, b, count)]
    for side, expected in (("l", left), ("r", right)):
        check(
            f"shf.{side}.{mode}.b32 $0, $1, $2, $3",
            "b32",
            ["b32", "b32", "u32"],
            [a, b, c],
            expected,
            tmp_path,
        )


@pytest.mark.parametrize("kind", ["b32", "b64"])
def test_counts_of_bits(kind, tmp_path):
    a = edges(kind)
    check(
        f"clz.{kind} $0, $1", "u32", [kind], [a], [bits(kind) - x.bit_length() for x in a], tmp_path
    )
    check(f"popc.{kind} $0, $1", "u32", [kind], [a], [x.bit_count() for x in a], tmp_path)
    reverse = [int(f"{x:0{bits(kind)}b}"[::-1], 2) for x in a]
    check(f"brev.{kind} $0, $1", kind, [kind], [a], reverse, tmp_path)


@pytest.mark.parametrize("kind", ["u32", "s32", "u64", "s64"])
def test_highest_bits(kind, tmp_path):
    a = edges(kind)
    tops = [(~x if x < 0 else x).bit_length() - 1 for x in a]
    check(f"bfind.{kind} $0, $1", "u32", [kind], [a], tops, tmp_path)
    shifts = [bits(kind) - 1 - t if t >= 0 else -1 for t in tops]
    check(f"bfind.shiftamt.{kind} $0, $1", "u32", [kind], [a], shifts, tmp_path)


@pytest.mark.parametrize("kind", ["u32", "s32", "u64", "s64"])
def test_fields_of_bits(kind, tmp_path):
    """bfe and bfi, bit by bit as the manual has them."""
    width = bits(kind)
    a, start, length = crossed(edges(kind), [0, 1, 9, width - 1, width, 200], [0, 1, 8, width, 255])

    def extracted(x: int, at: int, n: int) -> int:
        sign = 0
        if kind[0] == "s" and n:
            sign = x >> min(at + n - 1, width - 1) & 1
        inside = lambda k: k < n and at + k < width
        return sum((x >> (at + k) & 1 if inside(k) else sign) << k for k in range(width))

    expected = [extracted(*one) for one in zip(a, start, length)]
    check(
        f"bfe.{kind} $0, $1, $2, $3",
        kind,
        [kind, "u32", "u32"],
        [a, start, length],
        expected,
        tmp_path,
    )
    if kind[0] == "s":
        return
    b = [wrapped(~x * 5, kind) for x in a]

    def inserted(x: int, y: int, at: int, n: int) -> int:
        taken = sum(1 << (at + k) for k in range(n) if at + k < width)
        return y & ~taken | (x << at) & taken

    expected = [inserted(*one) for one in zip(a, b, start, length)]
    check(
        f"bfi.b{width} $0, $1, $2, $3, $4",
        kind,
        [kind, kind, "u32", "u32"],
        [a, b, start, length],
        expected,
        tmp_path,
    )


def test_any_function_of_three_bits(tmp_path):
    a, b, c = crossed([0xF0F0A5A5], [0xCCCC1234], [0xAAAA00FF])
    for table in (0, 0x80, 0xFE, 0x96, 0xE8, 0x1B):
        expected = sum(
            (table >> ((x >> k & 1) * 4 + (y >> k & 1) * 2 + (z >> k & 1)) & 1) << k
            for x, y, z in zip(a, b, c)
            for k in range(32)
        )
        check(
            f"lop3.b32 $0, $1, $2, $3, {table}", "b32", ["b32"] * 3, [a, b, c], [expected], tmp_path
        )


def test_permuted_bytes(tmp_path):
    a, b, c = crossed([0x83020100], [0x07060584], [0x3210, 0x7654, 0x0123, 0x8C4F, 0xFFFF])

    def permuted(x: int, y: int, selector: int) -> int:
        source, result = (y << 32 | x).to_bytes(8, "little"), 0
        for k in range(4):
            choice = selector >> (4 * k) & 15
            byte = source[choice & 7]
            result |= (255 * (byte >> 7) if choice & 8 else byte) << (8 * k)
        return result

    expected = [permuted(*one) for one in zip(a, b, c)]
    check("prmt.b32 $0, $1, $2, $3", "b32", ["b32"] * 3, [a, b, c], expected, tmp_path)


@pytest.mark.parametrize("kind", [*INTEGERS, "f32", "f64"])
def test_selection(kind, tmp_path):
    values = np.arange(4) if kind[0] == "f" else edges(kind)
    a, b, p = crossed(values, values, [0, 1])
    expected = [x if q else y for x, y, q in zip(a, b, p)]
    got = apply(f"selp.{kind} $0, $1, $2, $3", kind, (kind, a), (kind, b), ("pred", p))
    np.testing.assert_array_equal(got, np.array(expected, DTYPES[kind]))


@pytest.mark.parametrize("kind", [*INTEGERS, *BITS])
def test_comparisons(kind, tmp_path):
    a, b = crossed(edges(kind), edges(kind))
    operators = {"eq": int.__eq__, "ne": int.__ne__, "lt": int.__lt__, "le": int.__le__}
    operators |= {"gt": int.__gt__, "ge": int.__ge__}
    if kind[0] == "b":
        operators = {name: operators[name] for name in ("eq", "ne")}
    if kind[0] == "u":
        names = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}
        operators |= {name: operators[same] for name, same in names.items()}
    for name, of in operators.items():
        expected = [of(x, y) for x, y in zip(a, b)]
        check(f"setp.{name}.{kind} $0, $1, $2", "pred", [kind] * 2, [a, b], expected, tmp_path)


def test_combined_comparisons(tmp_path):
    a, b, p = crossed([1, 2], [1, 2], [0, 1])
    for name, of in (("and", int.__and__), ("or", int.__or__), ("xor", int.__xor__)):
        kinds, columns = ["s32", "s32", "pred"], [a, b, p]
        less = [of(int(x < y), q) for x, y, q in zip(a, b, p)]
        check(f"setp.lt.{name}.s32 $0, $1, $2, $3", "pred", kinds, columns, less, tmp_path)
        not_less = [of(int(not x < y), 1 - q) for x, y, q in zip(a, b, p)]
        second = f"setp.lt.{name}.s32 %p50|$0, $1, $2, !$3"
        check(second, "pred", kinds, columns, not_less, tmp_path)


@pytest.mark.parametrize("source", ["u8", "s8", *INTEGERS])
@pytest.mark.parametrize("target", ["u8", "s8", *INTEGERS])
def test_conversions(source, target, tmp_path):
    a = edges(source)
    check(f"cvt.{target}.{source} $0, $1", target, [source], [a], a, tmp_path)
    low, high = (
        (-(1 << (bits(target) - 1)), (1 << (bits(target) - 1)) - 1)
        if target[0] == "s"
        else (0, (1 << bits(target)) - 1)
    )
    clamped = [max(low, min(high, x)) for x in a]
    if clamped != a:  # the assembler takes .sat only where it can matter
        check(f"cvt.sat.{target}.{source} $0, $1", target, [source], [a], clamped, tmp_path)


def test_moves(tmp_path):
    a, b = crossed(edges("b32"), edges("b32"))
    both = [y << 32 | x for x, y in zip(a, b)]
    check("mov.b64 $0, {$1, $2}", "b64", ["b32"] * 2, [a, b], both, tmp_path)
    check("{ .reg .b32 low; mov.b64 {low, $0}, $1; }", "b32", ["b64"], [both], b, tmp_path)
    check("mov.b64 {$0, _}, $1", "b32", ["b64"], [both], a, tmp_path)
    check(
        "{ .reg .b16 q<4>; mov.b64 {q0, q1, q2, q3}, $1; mov.b32 $0, {q3, q0}; }",
        "b32",
        ["b64"],
        [both],
        [(v & 0xFFFF) << 16 | v >> 48 for v in both],
        tmp_path,
    )
    check("mov.b64 $0, $1", "b64", ["b64"], [both], both, tmp_path)
    check("mov.u16 $0, 65535", "u16", ["u16"], [[1]], [65535], tmp_path)
    check("mov.pred $0, $1", "pred", ["pred"], [[0, 1]], [0, 1], tmp_path)
