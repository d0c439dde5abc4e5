"""CUDA's driver interface through ctypes, for the driver of tests/gpu/driver: texts of PTX are run
on NumPy arrays, and what went wrong is an exception with the driver's report.
"""

from __future__ import annotations

import ctypes
import functools
import os
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from support.toolchain import missing

Handle = ctypes.c_void_p
COUNTERS = 16


class DriverError(Exception):
    """A function of the driver returned an error: its name, and the report of the driver."""

    def __init__(self, function: str, code: int, name: str, report: str) -> None:
        super().__init__(f"{function}: {name}: {report}")
        self.code, self.name, self.report = code, name, report


@dataclass
class Counters:
    """Of everything since the last reset, in the order of `Counters` in driver/block.h."""

    launches: int
    blocks: int
    warp_instructions: int
    lane_instructions: int
    sectors: int
    least_sectors: int
    moved_sectors: int
    distinct_read: int
    distinct_written: int
    bank_conflicts: int
    divergent_branches: int
    bytes_to_device: int
    bytes_to_host: int
    bytes_on_device: int
    allocations: int
    allocated_bytes: int


@functools.cache
def library() -> ctypes.CDLL:
    built = Path(__file__).parents[2] / "build" / "dev" / "driver" / "libcuda.so.1"
    path = Path(os.environ.get("SHAPECAST_CUDA_DRIVER") or built)
    if not path.exists():
        missing(f"the driver of the tests is not there ({path}): run ./dev test")
    return ctypes.CDLL(str(path))


def call(function: str, *arguments: Any) -> None:
    code = getattr(library(), function)(*arguments)
    if code:
        name, report = ctypes.c_char_p(), ctypes.c_char_p()
        library().cuGetErrorName(code, ctypes.byref(name))
        library().shapecastDriverReport(ctypes.byref(report))
        text = (report.value or b"").decode()
        raise DriverError(function, code, (name.value or b"?").decode(), text)


def made(function: str, *arguments: Any, kind: Any = Handle) -> Any:
    """What a function writes where its first argument points."""
    value = kind()
    call(function, ctypes.byref(value), *arguments)
    return value


def start(device: int = 0) -> None:
    """Makes the device's context current, with no error and all counters at zero."""
    call("cuInit", 0)
    call("shapecastDriverReset")
    call("cuCtxSetCurrent", made("cuDevicePrimaryCtxRetain", device))


def counters() -> Counters:
    values = (ctypes.c_uint64 * COUNTERS)()
    call("shapecastDriverCounters", values, ctypes.c_size_t(COUNTERS))
    assert len(fields(Counters)) == COUNTERS
    return Counters(*values)


def load(text: str) -> Handle:
    return made("cuModuleLoadData", text.encode())


def function(module: Handle, name: str) -> Handle:
    return made("cuModuleGetFunction", module, name.encode())


class DeviceMemory:
    """The bytes of an array on the device, from a view's first address to its last."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.address = made("cuMemAlloc_v2", ctypes.c_size_t(max(size, 1)), kind=ctypes.c_uint64)

    @classmethod
    def of(cls, array: np.ndarray) -> DeviceMemory:
        memory = cls(array.nbytes)
        memory.write(array)
        return memory

    def write(self, array: np.ndarray) -> None:
        assert array.flags.c_contiguous
        call(
            "cuMemcpyHtoD_v2",
            self.address,
            Handle(array.ctypes.data),
            ctypes.c_size_t(array.nbytes),
        )

    def read(self, array: np.ndarray) -> np.ndarray:
        assert array.flags.c_contiguous
        call(
            "cuMemcpyDtoH_v2",
            Handle(array.ctypes.data),
            self.address,
            ctypes.c_size_t(array.nbytes),
        )
        return array

    def free(self) -> None:
        call("cuMemFree_v2", self.address)


def parameters(values: Sequence[Any]) -> Any:
    """Pointers to the values of a kernel's parameters: device memory, ctypes or NumPy scalars."""
    slots = [value.address if isinstance(value, DeviceMemory) else value for value in values]
    addresses = [
        slot.ctypes.data if isinstance(slot, np.ndarray | np.generic) else ctypes.addressof(slot)
        for slot in (np.array(s) if isinstance(s, np.generic) else s for s in slots)
    ]
    array = (Handle * max(len(addresses), 1))(*addresses)
    array.kept = slots
    return array


def triple(count: int | Sequence[int]) -> tuple[int, int, int]:
    counts = (count,) if isinstance(count, int) else tuple(count)
    return (*counts, *(1,) * (3 - len(counts)))


def launch(
    kernel: Handle,
    values: Sequence[Any],
    blocks: int | Sequence[int] = 1,
    threads: int | Sequence[int] = 32,
    shared: int = 0,
    stream: Handle | None = None,
) -> None:
    pointers = parameters(values)
    call(
        "cuLaunchKernel", kernel, *triple(blocks), *triple(threads), shared, stream, pointers, None
    )


def run(text: str, name: str, values: Sequence[Any], **how: Any) -> None:
    """Runs one kernel of a text; arrays among the values are copied there and back."""
    arrays = {k: DeviceMemory.of(v) for k, v in enumerate(values) if isinstance(v, np.ndarray)}
    module = load(text)
    launch(function(module, name), [arrays.get(k, v) for k, v in enumerate(values)], **how)
    call("cuCtxSynchronize")
    for k, memory in arrays.items():
        memory.read(values[k])
        memory.free()
    call("cuModuleUnload", module)
