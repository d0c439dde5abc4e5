"""Wrong kernels and programs, which the driver must catch, with the instruction and thread."""

from __future__ import annotations

import ctypes
import re

import numpy as np
import pytest
from gpu.ptx_text import module
from gpu.test_driver_streams import in_a_process

from support import cuda


@pytest.fixture(autouse=True)
def device() -> None:
    cuda.start()
    yield
    cuda.call("shapecastDriverReset")
    cuda.call("shapecastDriverSeed", 0)


def fault(text: str, *values: np.ndarray, **how: int) -> cuda.DriverError:
    with pytest.raises(cuda.DriverError) as caught:
        cuda.run(text, "k", values, **how)
    # It stays: every later call has the same error, as on a device.
    with pytest.raises(cuda.DriverError) as again:
        cuda.call("cuCtxSynchronize")
    assert again.value.code == caught.value.code
    return caught.value


LOAD = "  mad.wide.u32 %d10, %r0, 4, %d0;\n  ld.global.u32 %r1, [%d10+{0}];"


def test_reads_out_of_bounds():
    error = fault(module(LOAD.format(4)), np.zeros(32, "u4"))
    assert error.name == "CUDA_ERROR_ILLEGAL_ADDRESS"
    assert re.search(
        r"kernel k reads the 4 bytes at 0x\w+, 0 bytes after the end of an allocation of 128 bytes",
        error.report,
    )
    assert "PTX line" in error.report
    assert "ld.global.u32 %r1, [%d10+4]" in error.report
    error = fault_after_reset(module(LOAD.format(-4)), np.zeros(32, "u4"))
    assert "4 bytes before the start of an allocation of 128 bytes" in error.report


def fault_after_reset(text: str, *values: np.ndarray, **how: int) -> cuda.DriverError:
    cuda.start()
    return fault(text, *values, **how)


def test_writes_out_of_bounds_name_the_users_line():
    before = '.file 1 "/home/user/heat.py"'
    body = "  .loc 1 12 5\n  mad.wide.u32 %d10, %r0, 4, %d0;\n  st.global.u32 [%d10], %r0;"
    error = fault(module(body, before=before), np.zeros(40, "u4"), threads=64)
    assert "writes the 4 bytes" in error.report
    assert "(/home/user/heat.py:12)" in error.report
    assert "in block (0, 0, 0), warp 1 with thread (32, 0, 0)" in error.report


def test_misaligned_accesses():
    error = fault(module("  ld.global.u32 %r1, [%d0+2];"), np.zeros(32, "u4"))
    assert error.name == "CUDA_ERROR_MISALIGNED_ADDRESS"
    assert "no multiple of 4" in error.report
    error = fault_after_reset(
        module("  ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%d0+8];"), np.zeros(32, "u4")
    )
    assert "no multiple of 16" in error.report


def test_uses_after_free():
    memory = cuda.DeviceMemory.of(np.zeros(32, "u4"))
    loaded = cuda.load(module(LOAD.format(0)))
    memory.free()
    cuda.launch(cuda.function(loaded, "k"), [memory])
    with pytest.raises(
        cuda.DriverError, match="reads memory that is freed: byte 0 of an allocation"
    ):
        cuda.call("cuCtxSynchronize")


def test_memory_of_the_host():
    host = np.zeros(32, "u4")
    loaded = cuda.load(module(LOAD.format(0)))
    cuda.launch(cuda.function(loaded, "k"), [ctypes.c_uint64(host.ctypes.data)])
    with pytest.raises(cuda.DriverError, match="ILLEGAL_ADDRESS"):
        cuda.call("cuCtxSynchronize")


TILE = "  .shared .align 4 .b8 tile[256];\n  mov.u32 %r1, tile;\n  mad.lo.u32 %r2, %r0, 4, %r1;\n"


def test_shared_memory_out_of_bounds_and_not_written():
    error = fault(module(TILE + "  st.shared.u32 [%r2+252], %r0;"), np.zeros(1, "u4"))
    assert "writes 4 bytes at offset 256 of shared memory, which has 256 bytes" in error.report
    error = fault_after_reset(module(TILE + "  ld.shared.u32 %r3, [%r2];"), np.zeros(1, "u4"))
    assert (
        "reads 4 bytes at offset 0 of shared memory that this block has not written" in error.report
    )
    # What another block wrote there is not this block's.
    other = (
        TILE
        + """  mov.u32 %r4, %ctaid.x;
  setp.ne.u32 %p1, %r4, 0;
  @!%p1 st.shared.u32 [%r2], %r0;
  @%p1 ld.shared.u32 %r3, [%r2];"""
    )
    assert "has not written" in fault_after_reset(module(other), np.zeros(1, "u4"), blocks=2).report


def test_a_missing_barrier():
    body = (
        TILE
        + """  st.shared.u32 [%r2], %r0;
{0}
  xor.b32 %r4, %r0, 32;
  mad.lo.u32 %r5, %r4, 4, %r1;
  ld.shared.u32 %r6, [%r5];"""
    )
    cuda.run(module(body.replace("{0}", "  bar.sync 0;")), "k", [np.zeros(1, "u4")], threads=64)
    # Whichever warp is first: unwritten, or a race.
    reports = set()
    for seed in range(4):
        cuda.start()
        cuda.call("shapecastDriverSeed", seed)
        error = fault(module(body.replace("{0}", "")), np.zeros(1, "u4"), threads=64)
        reports.add("has not written" in error.report or "races" in error.report)
    assert reports == {True}


def test_races_in_shared_memory():
    body = TILE + (
        "  st.shared.u32 [%r2], %r0;\n"
        "  bar.sync 0;\n"
        "  ld.shared.u32 %r3, [%r1];\n"
        "{0}\n"
        "  setp.eq.u32 %p1, %r0, 40;\n"
        "  @%p1 st.shared.u32 [%r1], 7;"
    )
    cuda.run(module(body.replace("{0}", "  bar.sync 0;")), "k", [np.zeros(1, "u4")], threads=64)
    error = fault(module(body.replace("{0}", "")), np.zeros(1, "u4"), threads=64)
    assert "writes 4 bytes of shared memory that several threads have read" in error.report


def test_races_in_global_memory():
    # Within a block, between blocks, and between an atomic and a plain access.
    inside = "  st.global.u32 [%d0], %r0;"
    assert (
        "races: writes 4 bytes of global memory" in fault(module(inside), np.zeros(1, "u4")).report
    )
    between = (
        "  mov.u32 %r1, %ctaid.x;\n"
        "  add.u32 %r1, %r1, 5;\n"
        "  setp.eq.u32 %p1, %r0, 0;\n"
        "  @%p1 st.global.u32 [%d0], %r1;"
    )
    error = fault_after_reset(module(between), np.zeros(1, "u4"), blocks=3)
    assert "that block 0 has written" in error.report
    reads = (
        "  mov.u32 %r1, %ctaid.x;\n"
        "  setp.eq.u32 %p1, %r1, 1;\n"
        "  @!%p1 ld.global.u32 %r2, [%d0];\n"
        "  setp.eq.and.u32 %p1, %r0, 0, %p1;\n"
        "  @%p1 st.global.u32 [%d0], 3;"
    )
    assert "races" in fault_after_reset(module(reads), np.zeros(1, "u4"), blocks=2).report
    mixed = "  red.global.add.u32 [%d0], 1;\n  ld.global.u32 %r1, [%d0];"
    error = fault_after_reset(module(mixed), np.zeros(1, "u4"), threads=64)
    assert "changed atomically" in error.report


def test_no_races():
    """A barrier orders a block's accesses; equal values, atomics and later launches do no harm."""
    body = (
        "  st.global.u32 [%d0], 0;\n"
        "  bar.sync 0;\n"
        "  setp.eq.u32 %p1, %r0, 63;\n"
        "  @%p1 st.global.u32 [%d0], 9;"
    )
    cuda.run(module(body), "k", [np.zeros(1, "u4")], threads=64)
    cuda.run(
        module("  atom.global.add.u32 %r1, [%d0], 1;\n  ld.relaxed.gpu.global.u32 %r2, [%d0];"),
        "k",
        [np.zeros(1, "u4")],
        threads=64,
        blocks=4,
    )
    memory = cuda.DeviceMemory.of(np.zeros(32, "u4"))
    one = cuda.load(module("  mad.wide.u32 %d10, %r0, 4, %d0;\n  st.global.u32 [%d10], %r0;"))
    other = cuda.load(
        module(
            (
                "  sub.u32 %r0, 31, %r0;\n"
                "  mad.wide.u32 %d10, %r0, 4, %d0;\n"
                "  st.global.u32 [%d10], %r0;"
            )
        )
    )
    cuda.launch(cuda.function(one, "k"), [memory])
    cuda.launch(cuda.function(other, "k"), [memory])
    np.testing.assert_array_equal(memory.read(np.zeros(32, "u4")), np.arange(32))


def test_neighbouring_bytes_are_no_race():
    """Elements of one byte in one word, after accesses of whole words."""
    body = (
        "  cvt.u64.u32 %d10, %r0;\n"
        "  add.u64 %d10, %d0, %d10;\n"
        "  mov.u16 %h1, 7;\n"
        "  st.global.u8 [%d10], %h1;"
    )
    memory = cuda.DeviceMemory.of(np.zeros(64, "u1"))
    words = cuda.load(module("  mad.wide.u32 %d10, %r0, 4, %d0;\n  ld.global.u32 %r1, [%d10];"))
    cuda.launch(cuda.function(words, "k"), [memory], threads=16)
    cuda.launch(cuda.function(cuda.load(module(body)), "k"), [memory], threads=64)
    assert (memory.read(np.zeros(64, "u1")) == 7).all()


@pytest.mark.parametrize(
    "divergence",
    [
        "bar.sync 0;",
        "shfl.sync.down.b32 %r5, %r0, 1, 31, -1;",
        "vote.sync.ballot.b32 %r5, %p1, -1;",
    ],
)
def test_divergent_barriers(divergence):
    body = (
        f"  setp.lt.u32 %p1, %r0, 8;\n  @%p1 bra $some;\n  bra $end;\n$some:\n  {divergence}\n$end:"
    )
    error = fault(module(body), np.zeros(1, "u4"))
    assert error.name == "CUDA_ERROR_LAUNCH_FAILED"
    assert "wait without end:\n  0-7 at PTX line" in error.report
    assert "8-31 have ended" in error.report
    assert divergence in error.report


def test_barriers_of_two_places():
    body = (
        "  setp.lt.u32 %p1, %r0, 8;\n"
        "  @%p1 bra $some;\n"
        "  bar.sync 0;\n"
        "  bra $end;\n"
        "$some:\n"
        "  bar.sync 0;\n"
        "$end:"
    )
    error = fault(module(body), np.zeros(1, "u4"))
    assert re.search(
        r"0-7 at PTX line \d+: bar.sync 0;.*\n.*8-31 at PTX line", error.report
    ) or re.search(r"8-31 at PTX line \d+.*\n.*0-7 at", error.report)


def test_shuffles_from_lanes_that_are_not_there():
    error = fault(
        module("  shfl.sync.down.b32 %r1, %r0, 1, 31, -1;"), np.zeros(1, "u4"), threads=20
    )
    assert "takes the value of lane 20, which does not run this" in error.report
    body = "  setp.eq.u32 %p1, %r0, 3;\n  @%p1 shfl.sync.idx.b32 %r1, %r0, 0, 31, 1;"
    assert (
        "lane 3 runs this, and is not in its mask"
        in fault_after_reset(module(body), np.zeros(1, "u4")).report
    )


def test_endless_recursion_traps_and_constants():
    called = ".func f()\n{\n  call.uni f, ();\n  ret;\n}"
    assert (
        "calls 64 functions deep"
        in fault(module("  call.uni f, ();", before=called), np.zeros(1, "u4")).report
    )
    assert "kernel k traps" in fault_after_reset(module("  trap;"), np.zeros(1, "u4")).report
    body = "  mov.u64 %d5, c;\n  st.global.u32 [%d5], 1;"
    error = fault_after_reset(module(body, before=".const .u32 c = 4;"), np.zeros(1, "u4"))
    assert "writes a constant variable" in error.report


def test_a_divergent_branch_that_says_it_is_uniform():
    body = "  setp.lt.u32 %p1, %r0, 8;\n  @%p1 bra.uni $end;\n  add.u32 %r1, %r0, 1;\n$end:"
    assert "branches with .uni" in fault(module(body), np.zeros(1, "u4")).report


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("  add.u7 %r1, %r1, %r1;", "does not know add.u7"),
        ("  mma.sync.aligned.m16n8k8 %r1, %r1;", "does not know mma.sync"),
        ("  bra $nowhere;", r"nothing is named \$nowhere"),
        ("  add.u32 %r1, [%d0], 4;", "does not know add.u32 with 3 operands of these kinds"),
        ("  add.u32 %r1, %r2;", "does not know add.u32 with 2 operands"),
        ("  setp.lt.u32 %p1, %r1;", "does not know setp.lt.u32"),
        ("  atom.global.add.u32 %r1, %r2, %r3;", "does not know atom"),
        ("  st.global.u32 [%d0], $nowhere;", "nothing is named|does not know"),
        ("  bar.sync;", "does not know bar.sync"),
        ("  mov.u32 %r1, nothing;", "nothing is named nothing"),
        ("  add.u32 %r1 %r2;", "';' expected"),
        ("  max.NaN.f64 %d1, %d1, %d2;", "does not know max.NaN.f64"),
        ("  cvt.f32.f64 %r1, %d1;", "does not know cvt.f32.f64"),
        ("  add.rn.bogus.f32 %r1, %r1, %r1;", "does not know add.rn.bogus.f32"),
        ("  ld.global.u32 %r1, [%d0", "expected"),
    ],
)
def test_text_that_is_no_ptx(body, message):
    log = ctypes.create_string_buffer(4096)
    options = (ctypes.c_int * 2)(5, 6)
    values = (ctypes.c_void_p * 2)(ctypes.addressof(log), 4096)
    loaded = ctypes.c_void_p()
    with pytest.raises(cuda.DriverError, match="INVALID_PTX"):
        cuda.call(
            "cuModuleLoadDataEx", ctypes.byref(loaded), module(body).encode(), 2, options, values
        )
    assert re.search(message, log.value.decode())
    assert "line 1" in log.value.decode()
    cuda.call("cuCtxSynchronize")  # the device has no error by that


def test_wrong_launches():
    kernel = cuda.function(
        cuda.load(module("  add.u32 %r1, %r0, 1;", bounds=".reqntid 64, 1, 1")), "k"
    )
    memory = cuda.DeviceMemory(16)
    for how in (
        {"threads": 32},
        {"threads": 1024},
        {"threads": 64, "blocks": 0},
        {"threads": 64, "shared": 1 << 20},
    ):
        with pytest.raises(cuda.DriverError, match="INVALID_VALUE"):
            cuda.launch(kernel, [memory], **how)
    with pytest.raises(cuda.DriverError, match="INVALID_HANDLE"):
        cuda.launch(kernel, [memory], threads=64, stream=ctypes.c_void_p(12345678))
    with pytest.raises(cuda.DriverError, match="NOT_FOUND"):
        cuda.function(cuda.load(module("")), "nothing")
    cuda.launch(kernel, [memory], threads=64)
    cuda.call("cuCtxSynchronize")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("{" * 100_000, "nested too deeply"),
        ("  mov.pred %p1, " + "!" * 100_000 + "%p2;", "nested too deeply"),
        ("  .reg .b32 %x<4000000000>;", "too many registers"),
        ("  .shared .align 0 .b8 x[4];", "power of two"),
        ("  .shared .align 4 .b8 x[99999999999999];", "too large"),
    ],
    ids=["blocks", "operands", "registers", "alignment", "size"],
)
def test_text_that_asks_for_too_much(body: str, message: str) -> None:
    with pytest.raises(cuda.DriverError, match=f"INVALID_PTX: line .*{message}"):
        cuda.load(module(body))


def test_an_endless_loop() -> None:
    loop = module("$again:\n  add.u32 %r1, %r1, 1;\n  bra $again;")
    body = f"""
cuda.start()
try:
    cuda.run({loop!r}, "k", [np.zeros(1, "u4")])
except cuda.DriverError as error:
    print(error.name)
"""
    printed = in_a_process(body, SHAPECAST_DRIVER_INSTRUCTIONS="100000")
    assert printed == "CUDA_ERROR_LAUNCH_TIMEOUT\n"
