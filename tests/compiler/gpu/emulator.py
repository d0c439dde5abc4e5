"""Runs the kernels of a jitted function on the host, in the LLVM dialect that becomes PTX.

Threads, blocks, barriers and shuffles are emulator.c's; the host's part of a function is not run,
so functions under test are straight lines of kernels, and store into arguments.
"""

from __future__ import annotations

import ctypes
import inspect
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from shapecast._jit import OnDevice
from support.toolchain import need

C_TYPES = {
    "!llvm.ptr": "void *",
    "i64": "int64_t",
    "i32": "int32_t",
    "i16": "int16_t",
    "i8": "int8_t",
    "i1": "_Bool",
    "f64": "double",
    "f32": "float",
    "f16": "_Float16",
}
NUMPY_TYPES = {"i64": "i8", "i32": "i4", "i16": "i2", "i8": "i1", "i1": "?"} | {
    "f64": "f8",
    "f32": "f4",
    "f16": "f2",
}
SCRATCH_BYTES = 1 << 20
HOST = [
    (r"nvvm\.read\.ptx\.sreg\.(n?(?:tid|ctaid))\.([xy])", r"llvm.call @gpu_\1_\2() : ()"),
    (r"(llvm\.call @gpu_\w+\(\) : \(\)) : i32", r"\1 -> i32"),
    (r"nvvm\.read\.ptx\.sreg\.nctaid\.([xy]) : i32", r"llvm.call @gpu_nctaid_\1() : () -> i32"),
    (
        r"nvvm\.shfl\.sync +down %\w+, (%\w+), (%\w+), %\w+ : i32 -> i32",
        r"llvm.call @gpu_shuffle_down(\1, \2) : (i32, i32) -> i32",
    ),
    (r"nvvm\.barrier0", "llvm.call @gpu_barrier() : () -> ()"),
    (r"addr_space = 3 : i32, ", ""),
    (r"!llvm\.ptr<3>", "!llvm.ptr"),
    (r" attributes \{np\.launch.*\} \{$", " {"),
]
DECLARED = [
    *(f"gpu_{r}_{a}() -> i32" for r in ("tid", "ctaid", "ntid", "nctaid") for a in "xy"),
    "gpu_shuffle_down(i32, i32) -> i32",
    "gpu_barrier()",
]


@dataclass
class Kernel:
    name: str
    types: list[str]
    parameters: list[str]  # names, or expressions over sizes
    threads: list[int]
    blocks: list[str]


def kernels_of(text: str) -> list[Kernel]:
    kernels = []
    for line in re.findall(r"^  llvm\.func @.*np\.launch.*$", text, re.M):
        name, arguments = re.match(r"  llvm\.func @(\w+)\((.*?)\) attributes", line).groups()
        types = re.findall(r"%\w+: (!?[\w.]+)", arguments)
        launch = re.search(r"#np\.launch<threads = \[(\d+), (\d+)\], blocks = \[(.*?)\]>", line)
        *threads, blocks = launch.groups()
        names = re.search(r"np\.parameters = \[(.*?)\](?:, nvvm|\})", line).group(1)
        parameters = re.findall(r'#np\.dim<(.*?)>(?=, |$)|"(.*?)"', names)
        kernels.append(
            Kernel(
                name,
                types,
                [a or b for a, b in parameters],
                [int(n) for n in threads],
                re.findall(r"#np\.dim<(.*?)>(?=, |$)", blocks),
            )
        )
    return kernels


def build(text: str, kernels: list[Kernel], folder: Path) -> ctypes.CDLL:
    """The kernels as host code in a shared library, each with an entry `run_<kernel>(void **)`."""
    body = text.split("\n// ptx:")[0]
    for pattern, replacement in HOST:
        body = re.sub(pattern, replacement, body, flags=re.M)
    declared = "\n".join(f"  llvm.func @{function}" for function in DECLARED)
    (folder / "kernels.mlir").write_text(body.replace("module {", "module {\n" + declared, 1))
    entries = "#include <stdint.h>\n"
    for kernel in kernels:
        types = [C_TYPES[t] for t in kernel.types]
        values = ", ".join(f"*({t} *)a[{k}]" for k, t in enumerate(types))
        entries += f"void {kernel.name}({', '.join(types)});\n"
        entries += f"void run_{kernel.name}(void **a) {{ {kernel.name}({values}); }}\n"
    (folder / "entries.c").write_text(entries)
    translate = [need("mlir-translate"), "--mlir-to-llvmir", "kernels.mlir", "-o", "kernels.ll"]
    compiler = [need("clang"), "-O1", "-ffp-contract=off", "-shared", "-fPIC", "-w"]
    sources = [str(Path(__file__).with_name("emulator.c")), "entries.c", "kernels.ll"]
    for command in (translate, [*compiler, *sources, "-o", "kernels.so"]):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    return ctypes.CDLL(str(folder / "kernels.so"))


def evaluate(expression: str, sizes: dict[str, int]) -> int:
    functions = {
        "floordiv": lambda a, b: a // b,
        "mod": lambda a, b: a % b,
        "min": min,
        "max": max,
        "bcast": lambda size: int(size != 1),
        "wrap": lambda index, size: index + size if index < 0 else index,
    }
    return int(eval(expression, functions, sizes))


def bindings(function: Any, arguments: tuple[Any, ...]) -> tuple[dict[str, int], dict[str, Any]]:
    """Sizes and strides by symbol, arguments by name."""
    sizes: dict[str, int] = {}
    count = 0
    named = dict(zip(inspect.signature(function).parameters, arguments))
    for k, (name, value) in enumerate(named.items()):
        if isinstance(value, int):
            sizes[f"n{k}"] = value
        if not isinstance(value, np.ndarray):
            continue
        for d, (size, stride) in enumerate(zip(value.shape, value.strides)):
            sizes[f"s{count}"] = size
            sizes[f"{name}_stride{d}"] = stride // value.itemsize
            count += 1
    return sizes, named


def run(function: Any, arguments: tuple[Any, ...], folder: Path, seed: int = 1) -> np.ndarray:
    """Runs all kernels on the arguments' own memory; gives the last ones' `results`, as bytes."""
    described = [OnDevice(a, 0) if isinstance(a, np.ndarray) else a for a in arguments]
    text = function.stages(*described)["llvm"]
    kernels = kernels_of(text)
    assert kernels, text
    library = build(text, kernels, folder)
    sizes, memory = bindings(function, arguments)
    results = np.full(16, 0xA5, "u8")
    for kernel in kernels:
        slots = []
        for parameter, kind in zip(kernel.parameters, kernel.types, strict=True):
            if kind != "!llvm.ptr":
                known = memory.get(parameter)
                value = evaluate(parameter, sizes) if known is None else known
                slots.append(np.array(value, NUMPY_TYPES[kind]))
                continue
            if parameter == "results":
                memory["results"] = results
            array = memory.setdefault(parameter, np.full(SCRATCH_BYTES, 0xA5, "u1"))
            slots.append(np.array(array.__array_interface__["data"][0], "u8"))
        blocks = [evaluate(expression, sizes) for expression in kernel.blocks]
        launch = np.array([*kernel.threads, *blocks], "u4")
        pointers = (ctypes.c_void_p * len(slots))(*(s.ctypes.data for s in slots))
        entry = ctypes.cast(getattr(library, f"run_{kernel.name}"), ctypes.c_void_p)
        library.gpu_run(entry, pointers, ctypes.c_void_p(launch.ctypes.data), seed)
    return results
