"""The driver's streams do their work late: a program that does not wait gets no result."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys

import numpy as np
import pytest
from gpu.ptx_text import module
from support.cuda import Handle

from support import cuda

NON_BLOCKING = 1
ADD = module(
    (
        "  mad.wide.u32 %d10, %r0, 4, %d0;\n"
        "  ld.global.u32 %r1, [%d10];\n"
        "  add.u32 %r1, %r1, 1;\n"
        "  st.global.u32 [%d10], %r1;"
    )
)
COUNT = 32
BYTES = ctypes.c_size_t(4 * COUNT)


@pytest.fixture(autouse=True)
def device() -> None:
    cuda.start()


@pytest.fixture
def kernel() -> Handle:
    return cuda.function(cuda.load(ADD), "k")


def zeros() -> cuda.DeviceMemory:
    return cuda.DeviceMemory.of(np.zeros(COUNT, "u4"))


def stream(flags: int = NON_BLOCKING) -> Handle:
    return cuda.made("cuStreamCreate", flags)


def event() -> Handle:
    return cuda.made("cuEventCreate", 0)


def pinned() -> np.ndarray:
    address = cuda.made("cuMemAllocHost_v2", BYTES)
    return np.ctypeslib.as_array(ctypes.cast(address, ctypes.POINTER(ctypes.c_uint32)), (COUNT,))


def read_later(memory: cuda.DeviceMemory, into: np.ndarray, on: Handle) -> None:
    cuda.call("cuMemcpyDtoHAsync_v2", Handle(into.ctypes.data), memory.address, BYTES, on)


def test_work_is_done_when_somebody_waits(kernel):
    on, memory, host = stream(), zeros(), pinned()
    host[:] = 77
    cuda.launch(kernel, [memory], stream=on)
    read_later(memory, host, on)
    assert (host == 77).all()
    cuda.call("cuStreamSynchronize", on)
    assert (host == 1).all()


def test_a_missing_synchronisation_shows(kernel):
    """A stream that waits for nobody: its work is not done when the default stream copies."""
    on, memory = stream(), zeros()
    cuda.launch(kernel, [memory], stream=on)
    got = memory.read(np.empty(COUNT, "u4"))
    assert (got == 0).all()
    cuda.call("cuStreamSynchronize", on)
    assert (memory.read(got) == 1).all()


def test_blocking_streams_and_the_default_one_wait_for_each_other(kernel):
    on, memory = stream(0), zeros()
    cuda.launch(kernel, [memory], stream=on)
    assert (memory.read(np.empty(COUNT, "u4")) == 1).all()
    cuda.launch(kernel, [memory])
    host = pinned()
    read_later(memory, host, on)
    cuda.call("cuStreamSynchronize", on)
    assert (host == 2).all()
    per_thread = Handle(2)
    cuda.launch(kernel, [memory], stream=per_thread)
    cuda.call("cuStreamSynchronize", per_thread)
    assert (memory.read(np.empty(COUNT, "u4")) == 3).all()


def test_events_order_streams(kernel):
    for waits in (False, True):
        first, second, memory, host, done = stream(), stream(), zeros(), pinned(), event()
        cuda.launch(kernel, [memory], stream=first)
        cuda.call("cuEventRecord", done, first)
        if waits:
            cuda.call("cuStreamWaitEvent", second, done, 0)
        read_later(memory, host, second)
        cuda.call("cuStreamSynchronize", second)
        assert (host == int(waits)).all()
        cuda.call("cuEventSynchronize", done)
        assert (memory.read(np.empty(COUNT, "u4")) == 1).all()


def test_questions_get_on(kernel):
    on, memory, done = stream(), zeros(), event()
    for _ in range(3):
        cuda.launch(kernel, [memory], stream=on)
    cuda.call("cuEventRecord", done, on)
    with pytest.raises(cuda.DriverError, match="NOT_READY"):
        cuda.call("cuEventQuery", done)
    for _ in range(10):
        if cuda.library().cuEventQuery(done) == 0:
            break
    cuda.call("cuEventQuery", done)
    cuda.call("cuStreamQuery", on)
    assert (memory.read(np.empty(COUNT, "u4")) == 3).all()
    cuda.made("cuEventElapsedTime", done, done, kind=ctypes.c_float)


def test_random_progress_changes_no_right_program(kernel):
    for seed in range(1, 6):
        cuda.call("shapecastDriverSeed", seed)
        on, memory = stream(), zeros()
        for _ in range(20):
            cuda.launch(kernel, [memory], stream=on)
        cuda.call("cuStreamSynchronize", on)
        assert (memory.read(np.empty(COUNT, "u4")) == 20).all()
    cuda.call("shapecastDriverSeed", 0)


def test_pageable_memory_is_read_at_once_and_pinned_late():
    on, memory = stream(), zeros()
    for host, expected in ((np.full(COUNT, 5, "u4"), 5), (pinned(), 9)):
        host[:] = 5
        cuda.call("cuMemcpyHtoDAsync_v2", memory.address, Handle(host.ctypes.data), BYTES, on)
        host[:] = 9
        cuda.call("cuStreamSynchronize", on)
        assert (memory.read(np.empty(COUNT, "u4")) == expected).all()


def test_memory_in_the_order_of_a_stream(kernel):
    on = stream()
    address = cuda.made("cuMemAllocAsync", BYTES, on, kind=ctypes.c_uint64)
    cuda.call("cuMemsetD32Async", address, 4, ctypes.c_size_t(COUNT), on)
    cuda.launch(kernel, [address], stream=on)
    host = pinned()
    cuda.call("cuMemcpyDtoHAsync_v2", Handle(host.ctypes.data), address, BYTES, on)
    cuda.call("cuMemFreeAsync", address, on)
    cuda.call("cuStreamSynchronize", on)
    assert (host == 5).all()
    with pytest.raises(cuda.DriverError, match="INVALID_VALUE"):
        cuda.call("cuMemFree_v2", address)


def test_freed_before_the_work_is_done(kernel):
    on, memory = stream(), zeros()
    cuda.launch(kernel, [memory], stream=on)
    memory.free()
    with pytest.raises(cuda.DriverError, match="memory that is freed"):
        cuda.call("cuStreamSynchronize", on)
    cuda.call("shapecastDriverReset")


def test_graphs(kernel):
    on, other, memory, fork, join = stream(), stream(), zeros(), event(), event()
    cuda.call("cuStreamBeginCapture_v2", on, 0)
    cuda.launch(kernel, [memory], stream=on)
    cuda.call("cuEventRecord", fork, on)
    cuda.call("cuStreamWaitEvent", other, fork, 0)
    cuda.launch(kernel, [memory], stream=other)
    cuda.call("cuEventRecord", join, other)
    cuda.call("cuStreamWaitEvent", on, join, 0)
    status, graph = ctypes.c_int(), Handle()
    cuda.call("cuStreamIsCapturing", on, ctypes.byref(status))
    assert status.value == 1
    cuda.call("cuStreamEndCapture", on, ctypes.byref(graph))
    cuda.call("cuCtxSynchronize")
    assert (memory.read(np.empty(COUNT, "u4")) == 0).all()  # nothing was done
    run = cuda.made("cuGraphInstantiateWithFlags", graph, ctypes.c_uint64(0))
    for _ in range(3):
        cuda.call("cuGraphLaunch", run, on)
    cuda.call("cuStreamSynchronize", on)
    assert (memory.read(np.empty(COUNT, "u4")) == 6).all()
    assert cuda.counters().launches == 6
    # Waiting is no part of a graph.
    cuda.call("cuStreamBeginCapture_v2", on, 0)
    with pytest.raises(cuda.DriverError, match="STREAM_CAPTURE_UNSUPPORTED"):
        cuda.call("cuStreamSynchronize", on)
    with pytest.raises(cuda.DriverError, match="STREAM_CAPTURE_INVALIDATED"):
        cuda.call("cuStreamEndCapture", on, ctypes.byref(graph))
    cuda.call("cuGraphExecDestroy", run)


def test_functions_of_the_host(kernel):
    on, memory, calls = stream(), zeros(), []
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda data: calls.append(data))
    cuda.launch(kernel, [memory], stream=on)
    cuda.call("cuLaunchHostFunc", on, function, Handle(7))
    assert calls == []
    cuda.call("cuStreamSynchronize", on)
    assert calls == [7]


def test_copies_are_checked_and_counted():
    memory, host = zeros(), np.zeros(COUNT + 1, "u4")
    with pytest.raises(cuda.DriverError, match="INVALID_VALUE"):
        cuda.call(
            "cuMemcpyDtoH_v2",
            Handle(host.ctypes.data),
            memory.address,
            ctypes.c_size_t(host.nbytes),
        )
    other = zeros()
    cuda.start()
    cuda.call("cuMemsetD8_v2", memory.address, 1, BYTES)
    cuda.call("cuMemcpyDtoD_v2", other.address, memory.address, BYTES)
    cuda.call("cuMemcpy", ctypes.c_uint64(host.ctypes.data), other.address, BYTES)
    assert (host[:COUNT] == 0x01010101).all()
    counted = cuda.counters()
    assert (counted.bytes_on_device, counted.bytes_to_host) == (2 * BYTES.value, BYTES.value)


def test_linked_images_and_attributes():
    state = ctypes.c_void_p()
    cuda.call("cuLinkCreate_v2", 0, None, None, ctypes.byref(state))
    text = ADD.encode()
    cuda.call("cuLinkAddData_v2", state, 1, text, ctypes.c_size_t(len(text)), b"a", 0, None, None)
    image, size = ctypes.c_void_p(), ctypes.c_size_t()
    cuda.call("cuLinkComplete", state, ctypes.byref(image), ctypes.byref(size))
    kept = ctypes.string_at(image, size.value)
    cuda.call("cuLinkDestroy", state)
    assert kept.startswith(b"\x7fELF")
    kernel = cuda.function(cuda.made("cuModuleLoadData", kept), "k")
    memory = zeros()
    cuda.launch(kernel, [memory])
    assert (memory.read(np.empty(COUNT, "u4")) == 1).all()
    with pytest.raises(cuda.DriverError, match="NO_BINARY_FOR_GPU"):
        cuda.made("cuModuleLoadData", b"\x7fELF of another compiler")
    assert cuda.made("cuFuncGetAttribute", 0, kernel, kind=ctypes.c_int).value == 1024
    assert cuda.made("cuPointerGetAttribute", 9, memory.address, kind=ctypes.c_int).value == 0
    start = cuda.made(
        "cuPointerGetAttribute", 11, ctypes.c_uint64(memory.address.value + 8), kind=ctypes.c_uint64
    )
    assert start.value == memory.address.value


def test_functions_are_found_by_name():
    for name in (b"cuMemAlloc", b"cuInit", b"cuLaunchKernel"):
        found, status = ctypes.c_void_p(), ctypes.c_int()
        cuda.call(
            "cuGetProcAddress_v2",
            name,
            ctypes.byref(found),
            12000,
            ctypes.c_uint64(0),
            ctypes.byref(status),
        )
        assert found.value
        assert status.value == 0
    with pytest.raises(cuda.DriverError, match="NOT_FOUND"):
        cuda.call(
            "cuGetProcAddress_v2",
            b"cuNothing",
            ctypes.byref(found),
            12000,
            ctypes.c_uint64(0),
            None,
        )


PROGRAM = """
import ctypes, os, sys
sys.path.insert(0, {tests!r})
from support import cuda
import numpy as np
from gpu.ptx_text import module
{body}
"""


def in_a_process(body: str, **environment: str) -> str:
    tests = os.path.dirname(os.path.dirname(__file__))
    program = PROGRAM.format(tests=tests, body=body)
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env=os.environ | environment,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_fork_may_not_go_on():
    body = """
cuda.start()
child = os.fork()
if child == 0:
    os._exit(cuda.library().cuCtxSynchronize())
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert in_a_process(body) == "3\n"  # CUDA_ERROR_NOT_INITIALIZED


def test_two_devices():
    body = """
cuda.start(1)
there = cuda.DeviceMemory.of(np.ones(32, "u4"))
assert cuda.made("cuPointerGetAttribute", 9, there.address, kind=ctypes.c_int).value == 1
cuda.start(0)
text = module("  mad.wide.u32 %d10, %r0, 4, %d0;\\n  ld.global.u32 %r1, [%d10];")
try:
    cuda.launch(cuda.function(cuda.load(text), "k"), [there])
    cuda.call("cuCtxSynchronize")
except cuda.DriverError as error:
    print(error.report.splitlines()[0])
"""
    assert "reads memory of device 1 in a kernel on device 0" in in_a_process(
        body, SHAPECAST_DRIVER_DEVICES="2"
    )


def test_no_device_and_too_little_memory():
    assert in_a_process("print(cuda.library().cuInit(0))", SHAPECAST_DRIVER_DEVICES="0") == "100\n"
    body = (
        "cuda.start()\n"
        "address = ctypes.byref(ctypes.c_uint64())\n"
        "print(cuda.library().cuMemAlloc_v2(address, ctypes.c_size_t(1 << 20)))"
    )
    assert in_a_process(body, SHAPECAST_DRIVER_MEMORY="100000") == "2\n"
