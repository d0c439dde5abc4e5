"""Runs the kernels of a jitted function's PTX on the driver of the tests, on copies of arguments.

The host's part of a function is not run: functions under test are straight lines of kernels, and
store into arguments or return one scalar.
"""

from __future__ import annotations

import ctypes
import inspect
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from shapecast._jit import OnDevice

from support import cuda

SCRATCH_BYTES = 1 << 20
INTEGERS = {8: ctypes.c_int8, 16: ctypes.c_int16, 32: ctypes.c_int32, 64: ctypes.c_int64}


@dataclass
class Kernel:
    name: str
    parameters: list[str]  # names, or expressions over sizes
    types: list[str]  # of PTX: u64, f32, ...
    pointers: list[bool]
    threads: list[int]
    blocks: list[str]


def kernels_of(text: str) -> list[Kernel]:
    """From the comment of each kernel, as src/lower/gpu/ptx.cpp writes it, and its declaration."""
    kernels = []
    comment = r"^// (\w+)\((.*)\): threads (\d+) x (\d+), blocks (.*)$"
    for name, parameters, *threads, blocks in re.findall(comment, text, re.M):
        declared = re.search(rf"\.entry {name}\((.*?)\n\)", text, re.S).group(1)
        declarations = re.findall(r"\.param \.(\w+)( \.ptr)?", declared)
        kernels.append(
            Kernel(
                name,
                split(parameters, ","),
                [kind for kind, _ in declarations],
                [bool(pointer) for _, pointer in declarations],
                [int(n) for n in threads],
                split(blocks, " x "),
            )
        )
    return kernels


def split(text: str, separator: str) -> list[str]:
    """The parts outside of parentheses."""
    parts, depth, part = [], 0, ""
    for k, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0 and text.startswith(separator, k):
            parts.append(part)
            part = ""
        part += character
    parts.append(part)
    return [p.removeprefix(separator).strip() for p in parts if p]


def evaluate(expression: str, sizes: dict[str, int]) -> int:
    functions = {
        "floordiv": lambda a, b: a // b,
        "ceildiv": lambda a, b: -(-a // b),
        "mod": lambda a, b: a % b,
        "min": min,
        "max": max,
        "bcast": lambda size: int(size != 1),
        "wrap": lambda index, size: index + size if index < 0 else index,
    }
    return int(eval(expression, functions, sizes))


def sizes_of(function: Any, arguments: tuple[Any, ...]) -> dict[str, int]:
    """Sizes and strides by symbol."""
    sizes: dict[str, int] = {}
    count = 0
    for k, (name, value) in enumerate(zip(inspect.signature(function).parameters, arguments)):
        if isinstance(value, int):
            sizes[f"n{k}"] = value
        if not isinstance(value, np.ndarray):
            continue
        for d, (size, stride) in enumerate(zip(value.shape, value.strides)):
            sizes[f"s{count}"] = size
            sizes[f"{name}_stride{d}"] = stride // value.itemsize
            count += 1
    return sizes


def span(array: np.ndarray) -> tuple[int, int]:
    """The first byte that a view may touch, relative to its data pointer, and how many."""
    extents = [(n - 1) * stride for n, stride in zip(array.shape, array.strides)]
    if array.size == 0:
        return 0, 0
    low, high = sum(min(e, 0) for e in extents), sum(max(e, 0) for e in extents)
    return low, high - low + array.itemsize


class Argument:
    """An array's bytes on the device: exactly those that the view spans, so that others fault."""

    def __init__(self, array: np.ndarray) -> None:
        self.low, self.size = span(array)
        self.host = array.__array_interface__["data"][0] + self.low
        self.memory = cuda.DeviceMemory(self.size)
        self.copy("cuMemcpyHtoD_v2", self.memory.address, ctypes.c_void_p(self.host))

    def copy(self, function: str, to: Any, source: Any) -> None:
        if self.size:
            cuda.call(function, to, source, ctypes.c_size_t(self.size))

    def address(self) -> ctypes.c_uint64:
        return ctypes.c_uint64(self.memory.address.value - self.low)

    def finish(self) -> None:
        self.copy("cuMemcpyDtoH_v2", ctypes.c_void_p(self.host), self.memory.address)
        self.memory.free()


def run(function: Any, arguments: tuple[Any, ...]) -> np.ndarray:
    """Runs all kernels; gives the last ones' `results`, as 16 words of 8 bytes."""
    text = function.ptx(*(OnDevice(a, 0) if isinstance(a, np.ndarray) else a for a in arguments))
    return run_text(text, function, arguments)


def run_text(text: str, function: Any, arguments: tuple[Any, ...]) -> np.ndarray:
    kernels = kernels_of(text)
    assert kernels, text
    sizes = sizes_of(function, arguments)
    named = dict(zip(inspect.signature(function).parameters, arguments))
    arrays = {n: Argument(a) for n, a in named.items() if isinstance(a, np.ndarray)}
    scratch: dict[str, cuda.DeviceMemory] = {}
    module = cuda.load(text)
    for kernel in kernels:
        slots: list[Any] = []
        for name, kind, pointer in zip(
            kernel.parameters, kernel.types, kernel.pointers, strict=True
        ):
            if name in arrays and pointer:
                slots.append(arrays[name].address())
            elif pointer:
                if name not in scratch:
                    scratch[name] = cuda.DeviceMemory(SCRATCH_BYTES)
                slots.append(scratch[name])
            else:
                value = named[name] if name in named else evaluate(name, sizes)
                bits = int(kind[1:])
                slots.append(
                    np.array(value, f"f{bits // 8}") if kind[0] == "f" else INTEGERS[bits](value)
                )
        blocks = [evaluate(expression, sizes) for expression in kernel.blocks]
        if all(blocks):
            cuda.launch(cuda.function(module, kernel.name), slots, blocks, kernel.threads)
    cuda.call("cuCtxSynchronize")
    results = np.full(16, 0xA5, "u8")
    if "results" in scratch:
        words = np.empty(SCRATCH_BYTES // 8, "u8")
        results = scratch["results"].read(words)[:16].copy()
    for memory in scratch.values():
        memory.free()
    for one in arrays.values():
        one.finish()
    cuda.call("cuModuleUnload", module)
    return results
