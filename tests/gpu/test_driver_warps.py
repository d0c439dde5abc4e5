"""The driver's instructions of several lanes, of memory and of control: values of PTX's manual."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from gpu.ptx_text import each, module
from gpu.test_ptx import assemble

from support import cuda

DRIVER = Path(__file__).with_name("driver")
LANES = np.arange(32)


@pytest.fixture(autouse=True)
def device() -> None:
    cuda.start()


def run(text: str, tmp_path: Path, *values: np.ndarray, threads: int = 32, **how: int) -> None:
    assemble(text, tmp_path)
    cuda.run(text, "k", values, threads=threads, **how)


def mapped(operation: str, values: np.ndarray, tmp_path: Path, **how: int) -> np.ndarray:
    out = np.array(values, "u4")
    run(module(each(operation)), tmp_path, out, threads=len(out), **how)
    return out


# ===-- Shuffles, votes, matches, reductions


@pytest.mark.parametrize("delta", [0, 1, 5, 16, 31])
@pytest.mark.parametrize("width", [32, 8])
def test_shuffles(width, delta, tmp_path):
    values = LANES * 7 + 3
    segment = (32 - width) << 8
    start = LANES // width * width
    sources = {
        "up": (LANES - delta, LANES - delta >= start, segment),
        "down": (LANES + delta, LANES + delta < start + width, segment | 31),
        "bfly": (LANES ^ delta, (LANES ^ delta) < start + width, segment | 31),
        "idx": (start + delta % width, np.ones(32, bool), segment | 31),
    }
    for mode, (source, valid, clamp) in sources.items():
        valid = valid & (source >= 0) & (source < 32)
        expected = np.where(valid, values[np.clip(source, 0, 31)], values)
        shuffle = f"  shfl.sync.{mode}.b32 %r2|%p1, %r1, {delta}, {clamp}, -1;"
        np.testing.assert_array_equal(mapped(shuffle, values, tmp_path), expected, mode)
        flag = shuffle + "\n  selp.u32 %r2, 1, 0, %p1;"
        np.testing.assert_array_equal(mapped(flag, values, tmp_path), valid, mode)
        plain = shuffle.replace("|%p1", "")
        np.testing.assert_array_equal(mapped(plain, values, tmp_path), expected, mode)


def test_votes(tmp_path):
    for values in (LANES % 2, LANES * 0, LANES * 0 + 1):
        mask = sum(int(v) << k for k, v in enumerate(values))
        expected = {"all": values.all(), "any": values.any(), "uni": values.min() == values.max()}
        for name, wanted in expected.items():
            text = (
                f"  setp.ne.u32 %p1, %r1, 0;\n"
                f"  vote.sync.{name}.pred %p2, %p1, -1;\n"
                f"  selp.u32 %r2, 1, 0, %p2;"
            )
            assert (mapped(text, values, tmp_path) == wanted).all()
            inverse = text.replace(", %p1, -1", ", !%p1, -1")
            flipped = {"all": not values.any(), "any": not values.all(), "uni": wanted}[name]
            assert (mapped(inverse, values, tmp_path) == flipped).all()
        text = "  setp.ne.u32 %p1, %r1, 0;\n  vote.sync.ballot.b32 %r2, %p1, -1;"
        assert (mapped(text, values, tmp_path) == mask).all()


def test_matches(tmp_path):
    values = LANES % 3
    equal = [sum(1 << k for k in range(32) if values[k] == v) for v in values]
    got = mapped("  match.any.sync.b32 %r2, %r1, -1;", values, tmp_path)
    np.testing.assert_array_equal(got, equal)
    wide = "  cvt.u64.u32 %d20, %r1;\n  match.any.sync.b64 %r2, %d20, -1;"
    np.testing.assert_array_equal(mapped(wide, values, tmp_path), equal)
    every = "  match.all.sync.b32 %r2|%p1, %r1, -1;"
    assert (mapped(every, values, tmp_path) == 0).all()
    assert (mapped(every, values * 0 + 9, tmp_path) == 2**32 - 1).all()
    flag = every + "\n  selp.u32 %r2, 1, 0, %p1;"
    assert (mapped(flag, values * 0 + 9, tmp_path) == 1).all()


def test_reductions_of_a_warp(tmp_path):
    values = (LANES * 2654435761) % 2**32
    expected = {
        "add.u32": values.sum() % 2**32,
        "min.u32": values.min(),
        "max.u32": values.max(),
        "min.s32": int(values.astype("u4").view("i4").min()) % 2**32,
        "and.b32": np.bitwise_and.reduce(values),
        "or.b32": np.bitwise_or.reduce(values),
        "xor.b32": np.bitwise_xor.reduce(values),
    }
    for name, wanted in expected.items():
        operation, kind = name.split(".")
        text = f"  redux.sync.{operation}.{kind} %r2, %r1, -1;"
        assert (mapped(text, values, tmp_path) == wanted).all(), name


def test_lanes_that_run(tmp_path):
    text = """
  mov.u32 %r2, 0;
  setp.lt.u32 %p1, %r0, 5;
  @!%p1 bra $after;
  activemask.b32 %r2;
$after:"""
    got = mapped(text, LANES, tmp_path)
    np.testing.assert_array_equal(got, np.where(LANES < 5, 31, 0))


def test_lanes_meet_at_an_instruction_of_both_paths(tmp_path):
    """Half of the warp takes a longer way to the shuffle; the mask makes both wait there."""
    text = """
  mov.u32 %r3, %r1;
  setp.lt.u32 %p1, %r0, 16;
  @%p1 bra $short;
  add.u32 %r3, %r3, 100;
  add.u32 %r3, %r3, 1;
$short:
  bar.warp.sync -1;
  shfl.sync.bfly.b32 %r2, %r3, 16, 31, -1;"""
    got = mapped(text, LANES, tmp_path)
    np.testing.assert_array_equal(got, np.where(LANES < 16, (LANES ^ 16) + 101, LANES ^ 16))


# ===-- Special registers


def test_special_registers(tmp_path):
    names = [
        "%tid.x",
        "%tid.y",
        "%tid.z",
        "%ntid.x",
        "%ntid.y",
        "%ntid.z",
        "%ctaid.x",
        "%ctaid.y",
        "%ctaid.z",
        "%nctaid.x",
        "%nctaid.y",
        "%nctaid.z",
        "%laneid",
        "%lanemask_eq",
        "%lanemask_lt",
        "%lanemask_le",
        "%lanemask_gt",
        "%lanemask_ge",
    ]
    threads, blocks = (8, 3, 2), (2, 3, 2)
    count = 48 * 12
    linear = """
  mov.u32 %r1, %tid.y;  mov.u32 %r2, %tid.z;  mad.lo.u32 %r1, %r2, 3, %r1;
  mad.lo.u32 %r1, %r1, 8, %r0;
  mov.u32 %r3, %ctaid.x;  mov.u32 %r4, %ctaid.y;  mov.u32 %r5, %ctaid.z;
  mad.lo.u32 %r4, %r5, 3, %r4;  mad.lo.u32 %r3, %r4, 2, %r3;  mad.lo.u32 %r1, %r3, 48, %r1;"""
    stores = "\n".join(
        (
            f"  mov.u32 %r6, {name};\n"
            f"  mad.lo.u32 %r7, %r1, {len(names)}, {k};\n"
            f"  mad.wide.u32 %d10, %r7, 4, %d0;\n"
            f"  st.global.u32 [%d10], %r6;"
        )
        for k, name in enumerate(names)
    )
    out = np.zeros((count, len(names)), "u4")
    text = module(linear + stores)
    assemble(text, tmp_path)
    cuda.run(text, "k", [out], blocks=blocks, threads=threads)
    thread, block = np.arange(count) % 48, np.arange(count) // 48
    lane = thread % 32
    one = np.uint64(1) << lane.astype("u8")
    expected = [
        thread % 8,
        thread // 8 % 3,
        thread // 24,
        *threads,
        block % 2,
        block // 2 % 3,
        block // 6,
        *blocks,
        lane,
        one,
        one - 1,
        2 * one - 1,
        2**32 - 2 * one,
        2**32 - one,
    ]
    for k, name in enumerate(names):
        wanted = np.broadcast_to(np.asarray(expected[k]), count)
        np.testing.assert_array_equal(out[:, k], wanted.astype("u8"), name)


# ===-- Memory


def test_loads_extend_to_the_register(tmp_path):
    source = np.array([-1, 127, -128, 5], "i1")
    for kind, wanted in (("s8", source.astype("i8")), ("u8", source.view("u1").astype("i8"))):
        out = np.zeros(4, "i8")
        text = module(
            f"""
  cvt.u64.u32 %d10, %r0;
  add.u64 %d11, %d0, %d10;
  ld.global.{kind} %d12, [%d11];
  mad.lo.u64 %d13, %d10, 8, %d1;
  st.global.u64 [%d13], %d12;""",
            2,
        )
        run(text, tmp_path, source, out, threads=4)
        np.testing.assert_array_equal(out, wanted)


@pytest.mark.parametrize("kind", ["v2.b32", "v4.b32", "v2.b64", "v4.b16"])
@pytest.mark.parametrize("hints", ["", ".nc", ".L1::no_allocate", ".volatile", ".relaxed.gpu"])
def test_vectors(kind, hints, tmp_path):
    count, size = int(kind[1]), int(kind[4:]) // 8
    prefix = {2: "%h", 4: "%r", 8: "%d"}[size]
    names = ", ".join(f"{prefix}{20 + k}" for k in range(count))
    swapped = ", ".join(f"{prefix}{20 + k}" for k in reversed(range(count)))
    ordered = hints in (".volatile", ".relaxed.gpu")
    load = f"ld{hints}.global" if ordered else f"ld.global{hints}"
    store = f"st{hints}.global" if ordered else "st.global"
    source = np.arange(32 * count, dtype=f"u{size}") + 1
    out = np.zeros_like(source)
    text = module(
        f"""
  mad.wide.u32 %d10, %r0, {count * size}, %d0;
  mad.wide.u32 %d11, %r0, {count * size}, %d1;
  {load}.{kind} {{{names}}}, [%d10];
  {store}.{kind} [%d11], {{{swapped}}};""",
        2,
    )
    run(text, tmp_path, source, out)
    np.testing.assert_array_equal(out.reshape(32, count), source.reshape(32, count)[:, ::-1])


def test_shared_memory_between_warps(tmp_path):
    """A block reverses its elements through static and dynamic shared memory."""
    for dynamic in (False, True):
        before = ".extern .shared .align 8 .b8 tile[];" if dynamic else ""
        declared = "" if dynamic else "  .shared .align 8 .b8 tile[512];"
        text = module(
            f"""{declared}
  mad.wide.u32 %d10, %r0, 4, %d0;
  ld.global.u32 %r1, [%d10];
  mov.u32 %r2, tile;
  mad.lo.u32 %r3, %r0, 4, %r2;
  st.shared.u32 [%r3], %r1;
  bar.sync 0;
  sub.u32 %r4, 127, %r0;
  mad.lo.u32 %r5, %r4, 4, %r2;
  ld.shared.u32 %r6, [%r5];
  st.global.u32 [%d10], %r6;""",
            before=before,
        )
        for seed in (0, 1, 2):
            cuda.call("shapecastDriverSeed", seed)
            values = np.arange(128, dtype="u4")
            run(text, tmp_path, values, threads=128, shared=512 if dynamic else 0)
            np.testing.assert_array_equal(values, np.arange(128)[::-1])
    cuda.call("shapecastDriverSeed", 0)


def test_generic_addresses(tmp_path):
    """cvta both ways; a generic load finds shared, local and global memory; isspacep tells them."""
    text = module("""
  .shared .align 4 .b8 tile[128];
  .local .align 4 .b8 own[8];
  mov.u64 %d10, tile;
  mad.wide.u32 %d10, %r0, 4, %d10;
  cvta.shared.u64 %d11, %d10;
  st.u32 [%d11], %r0;
  cvta.to.shared.u64 %d12, %d11;
  ld.shared.u32 %r1, [%d12];
  mov.u64 %d13, own;
  cvta.local.u64 %d14, %d13;
  add.u32 %r2, %r1, 1000;
  st.u32 [%d14+4], %r2;
  ld.local.u32 %r3, [own+4];
  cvta.to.local.u64 %d20, %d14;
  ld.local.u32 %r4, [%d20+4];
  add.u32 %r3, %r3, %r4;
  isspacep.shared %p1, %d11;
  isspacep.local %p2, %d14;
  isspacep.shared %p3, %d14;
  selp.u32 %r5, 1, 0, %p1;
  selp.u32 %r6, 2, 0, %p2;
  selp.u32 %r7, 4, 0, %p3;
  add.u32 %r3, %r3, %r5;
  add.u32 %r3, %r3, %r6;
  add.u32 %r3, %r3, %r7;
  cvta.to.global.u64 %d15, %d0;
  cvta.global.u64 %d16, %d15;
  mad.wide.u32 %d17, %r0, 4, %d16;
  st.u32 [%d17], %r3;""")
    out = np.zeros(32, "u4")
    run(text, tmp_path, out)
    np.testing.assert_array_equal(out, 2 * (LANES + 1000) + 3)


def test_variables_of_a_module(tmp_path):
    before = """
.global .align 4 .u32 counter = 5;
.const .align 4 .u32 table[4] = {10, 20, 30, 40};
.global .align 8 .u64 place = counter;"""
    text = module(
        """
  and.b32 %r1, %r0, 3;
  mov.u64 %d10, table;
  mad.wide.u32 %d11, %r1, 4, %d10;
  ld.const.u32 %r2, [%d11];
  ld.global.u32 %r3, [counter];
  add.u32 %r2, %r2, %r3;
  mad.wide.u32 %d12, %r0, 4, %d0;
  st.global.u32 [%d12], %r2;""",
        before=before,
    )
    out = np.zeros(32, "u4")
    run(text, tmp_path, out)
    np.testing.assert_array_equal(out, (LANES % 4 + 1) * 10 + 5)
    loaded = cuda.load(text)
    size = cuda.made("cuModuleGetGlobal_v2", None, loaded, b"counter", kind=cuda.ctypes.c_uint64)
    assert size.value


def atomic(
    operation: str, kind: str, start: int, tmp_path: Path, operands: str = "%r0"
) -> tuple[np.ndarray, int]:
    size = int(kind[1:]) // 8
    prefix = {4: "%r", 8: "%d"}[size]
    source = "cvt.u64.u32 %d30, %r0;" if size == 8 else ""
    operands = operands.replace("%r0", "%d30") if size == 8 else operands
    memory = np.array([start], f"u{size}")
    old = np.zeros(32, f"u{size}")
    text = module(
        f"""{source}
  atom.global.{operation}.{kind} {prefix}20, [%d0], {operands};
  mad.wide.u32 %d10, %r0, {size}, %d1;
  st.global.b{8 * size} [%d10], {prefix}20;""",
        2,
    )
    run(text, tmp_path, memory, old)
    return old, int(memory[0])


@pytest.mark.parametrize("size", [32, 64])
def test_atomics(size, tmp_path):
    old, last = atomic("add", f"u{size}", 100, tmp_path)
    assert last == 100 + LANES.sum()
    np.testing.assert_array_equal(np.sort(old), np.sort(100 + np.cumsum(LANES) - LANES))
    assert atomic("min", f"u{size}", 7, tmp_path)[1] == 0
    assert atomic("max", f"u{size}", 7, tmp_path)[1] == 31
    assert atomic("and", f"b{size}", 255, tmp_path, "7")[1] == 7
    assert atomic("or", f"b{size}", 64, tmp_path)[1] == 95
    assert atomic("xor", f"b{size}", 1, tmp_path)[1] == 1 ^ np.bitwise_xor.reduce(LANES)
    old, last = atomic("exch", f"b{size}", 99, tmp_path)
    assert sorted([*old.tolist(), last]) == sorted([99, *range(32)])
    old, last = atomic("cas", f"b{size}", 4, tmp_path, "4, 50")
    assert last == 50
    assert (old == 4).sum() == 1


def test_counting_atomics(tmp_path):
    old, last = atomic("inc", "u32", 0, tmp_path, "9")  # 0, 1, ..., 9, 0, 1, ...
    assert last == 32 % 10
    np.testing.assert_array_equal(np.bincount(old), [4, 4, 3, 3, 3, 3, 3, 3, 3, 3])
    old, last = atomic("dec", "u32", 0, tmp_path, "9")
    assert last == (0 - 32) % 10


def test_atomics_of_floats_and_without_results(tmp_path):
    total = np.zeros(1, "f4")
    body = "  cvt.rn.f32.u32 %r1, %r0;\n  red.global.add.f32 [%d0], %r1;"
    run(module(body), tmp_path, total)
    assert total[0] == LANES.sum()
    total = np.zeros(1, "f8")
    body = "  cvt.rn.f64.u32 %d1, %r0;\n  atom.global.add.f64 %d2, [%d0], %d1;"
    run(module(body), tmp_path, total, threads=64)
    assert total[0] == np.arange(64).sum()
    count = np.zeros(1, "u4")
    run(module("  red.relaxed.gpu.global.add.u32 [%d0], 1;"), tmp_path, count, threads=96, blocks=5)
    assert count[0] == 480


# ===-- Control


def test_branches_and_loops(tmp_path):
    """Collatz: lanes leave the loop one after another."""
    text = each("""
  mov.u32 %r2, 0;
$loop:
  setp.le.u32 %p1, %r1, 1;
  @%p1 bra $end;
  add.u32 %r2, %r2, 1;
  and.b32 %r3, %r1, 1;
  setp.eq.u32 %p2, %r3, 0;
  @%p2 bra $even;
  mad.lo.u32 %r1, %r1, 3, 1;
  bra.uni $loop;
$even:
  shr.u32 %r1, %r1, 1;
  bra.uni $loop;
$end:""")
    values = np.arange(1, 97, dtype="u4")
    expected = []
    for n in values.tolist():
        steps = 0
        while n > 1:
            n, steps = n // 2 if n % 2 == 0 else 3 * n + 1, steps + 1
        expected.append(steps)
    run(module(text), tmp_path, values, threads=96)
    np.testing.assert_array_equal(values, expected)
    assert cuda.counters().divergent_branches > 0


def test_branch_by_index(tmp_path):
    text = each("""
  and.b32 %r3, %r1, 3;
$targets: .branchtargets $a, $b, $c, $a;
  brx.idx %r3, $targets;
$a:
  mov.u32 %r2, 100;
  bra $end;
$b:
  mov.u32 %r2, 200;
  bra $end;
$c:
  mov.u32 %r2, 300;
$end:""")
    values = LANES.astype("u4")
    run(module(text), tmp_path, values)
    np.testing.assert_array_equal(values, np.array([100, 200, 300, 100])[LANES % 4])


def test_parameters_by_their_address(tmp_path):
    """A struct as a parameter: LLVM takes its address, and loads its members from there."""
    text = module("""
  mov.b64 %d1, k_given;
  add.s64 %d2, %d1, 8;
  ld.param.u32 %r1, [%d1+4];
  ld.param.u64 %d3, [%d2+-8];
  ld.param.u32 %r2, [%d2+8];
  st.global.v2.u32 [%d0], {%r1, %r2};
  st.global.u64 [%d0+8], %d3;
""").replace(".param .u64 p0", ".param .u64 p0,\n  .param .align 8 .b8 k_given[24]")
    out = np.zeros(4, "u4")
    assemble(text, tmp_path)
    cuda.run(text, "k", (out, np.arange(1, 7, dtype="u4").view("V24")[0]), threads=1)
    np.testing.assert_array_equal(out, [2, 5, 1, 2])


CALLED = """
.func (.param .b32 result) twice(.param .b32 value)
{
  .reg .b32 %a<3>;
  ld.param.u32 %a1, [value];
  add.u32 %a2, %a1, %a1;
  st.param.b32 [result], %a2;
  ret;
}
.func (.param .b32 result) outer(.param .b32 value)
{
  .reg .b32 %a<4>;
  .reg .pred %q;
  ld.param.u32 %a1, [value];
  setp.gt.u32 %q, %a1, 9;
  @%q bra $large;
  { .param .b32 given; st.param.b32 [given], %a1;
    .param .b32 got;
    call.uni (got), twice, (given);
    ld.param.b32 %a1, [got]; }
$large:
  add.u32 %a2, %a1, 1;
  st.param.b32 [result], %a2;
  ret;
}
"""


def test_calls_in_a_part_of_a_warp(tmp_path):
    text = each("""
  mov.u32 %r2, 7;
  and.b32 %r3, %r1, 1;
  setp.eq.u32 %p1, %r3, 1;
  @%p1 bra $end;
  { .param .b32 given; st.param.b32 [given], %r1;
    .param .b32 got;
    call.uni (got), outer, (given);
    ld.param.b32 %r2, [got]; }
$end:""")
    values = LANES.astype("u4")
    run(module(text, before=CALLED), tmp_path, values)
    expected = np.where(LANES > 9, LANES + 1, 2 * LANES + 1)
    np.testing.assert_array_equal(values, np.where(LANES % 2, 7, expected))


def test_exits_of_some_lanes(tmp_path):
    text = each("""
  mov.u32 %r2, 1;
  setp.gt.u32 %p1, %r0, 40;
  @%p1 exit;""")
    values = np.full(64, 9, "u4")
    run(module(text), tmp_path, values, threads=64)
    np.testing.assert_array_equal(values, np.where(np.arange(64) > 40, 9, 1))


def test_barriers_that_count(tmp_path):
    """bar.red over the block, named barriers of a part, and bar.arrive."""
    for name, wanted in (("popc.u32", 40), ("and.pred", 0), ("or.pred", 1)):
        operation, kind = name.split(".")
        target = "%r2" if kind == "u32" else "%p2"
        text = each(f"""
  setp.lt.u32 %p1, %r0, 40;
  bar.red.{operation}.{kind} {target}, 0, %p1;
  {"" if kind == "u32" else "selp.u32 %r2, 1, 0, %p2;"}""")
        values = np.zeros(64, "u4")
        run(module(text), tmp_path, values, threads=64)
        assert (values == wanted).all()
    # The first warp stores; the second waits for it at barrier 3. The third takes no part.
    text = module("""
  .shared .align 4 .b8 tile[128];
  mov.u32 %r1, tile;
  and.b32 %r2, %r0, 31;
  mad.lo.u32 %r3, %r2, 4, %r1;
  shr.u32 %r4, %r0, 5;
  setp.eq.u32 %p1, %r4, 0;
  setp.eq.u32 %p2, %r4, 1;
  @%p1 st.shared.u32 [%r3], %r0;
  @%p1 bar.arrive 3, 64;
  @!%p2 bra $end;
  bar.sync 3, 64;
  mad.wide.u32 %d10, %r2, 4, %d0;
  st.global.u32 [%d10], %r4;
$end:""")
    out = np.zeros(32, "u4")
    run(text, tmp_path, out, threads=96)
    assert (out == 1).all()
    run(module("  barrier.sync 0;\n  barrier.cta.sync.aligned 0;"), tmp_path, out, threads=96)


def test_fences_and_hints_change_nothing(tmp_path):
    text = each("""
  membar.gl;
  fence.acq_rel.gpu;
  prefetch.global.L2 [%d10];
  nanosleep.u32 10;
  mov.u32 %r2, %r1;""")
    values = LANES.astype("u4")
    run(module(text), tmp_path, values)
    np.testing.assert_array_equal(values, LANES)


# ===-- What is counted


def test_sectors_and_bank_conflicts(tmp_path):
    def counted(body: str, threads: int = 32) -> cuda.Counters:
        cuda.call("shapecastDriverReset")
        run(module(body), tmp_path, np.zeros(4096, "u4"), threads=threads)
        return cuda.counters()

    adjacent = counted("  mad.wide.u32 %d10, %r0, 4, %d0;\n  ld.global.u32 %r1, [%d10];")
    assert (adjacent.sectors, adjacent.least_sectors, adjacent.distinct_read) == (4, 4, 4)
    strided = counted("  mad.wide.u32 %d10, %r0, 64, %d0;\n  ld.global.u32 %r1, [%d10];")
    assert (strided.sectors, strided.least_sectors, strided.distinct_read) == (32, 4, 32)
    one = counted("  ld.global.u32 %r1, [%d0];", threads=64)
    assert (one.sectors, one.least_sectors, one.distinct_read) == (2, 2, 1)
    stored = counted("  mad.wide.u32 %d10, %r0, 4, %d0;\n  st.global.u32 [%d10], %r0;", 64)
    assert (stored.sectors, stored.distinct_read, stored.distinct_written) == (8, 0, 8)
    for step, conflicts in ((4, 0), (8, 1), (128, 31), (132, 0), (0, 0)):
        shared = f"""
  .shared .align 8 .b8 tile[4224];
  mov.u32 %r1, tile;
  mad.lo.u32 %r2, %r0, {step}, %r1;
  st.shared.u32 [%r2], 1;"""
        assert counted(shared).bank_conflicts == conflicts, step
    wide = counted("""
  .shared .align 8 .b8 tile[4224];
  mov.u32 %r1, tile;
  mad.lo.u32 %r2, %r0, 8, %r1;
  mov.u64 %d5, 1;
  st.shared.u64 [%r2], %d5;""")
    assert wide.bank_conflicts == 0
    assert wide.launches == 1
    assert wide.bytes_to_device == wide.bytes_to_host == 4 * 4096


# ===-- The tests are all there


def test_every_opcode_of_the_driver_has_a_test():
    opcodes = set()
    for source in DRIVER.glob("ops_*.cpp"):
        table = source.read_text().split("constexpr Opcode table[]")[1]
        opcodes |= set(re.findall(r'\{"(\w+)"', table))
    assert len(opcodes) > 60
    tests = "".join(path.read_text() for path in Path(__file__).parent.glob("test_driver_*.py"))
    untested = {o for o in opcodes if not re.search(rf"\b{o}[.;]|\"{o}[.\"]", tests)}
    assert untested == set("ldu prefetchu".split())  # as ld and prefetch
