"""Loops over single operations of the op table, compiled by the LLVM tools for ctypes."""

import ctypes
import subprocess
from pathlib import Path

import numpy as np
from shapecast import _core
from support.toolchain import need

SOURCES = Path(__file__).resolve().parents[2] / "src"
PASSES = [
    "convert-scf-to-cf",
    "convert-math-to-llvm",
    "convert-arith-to-llvm",
    "convert-cf-to-llvm",
    "convert-func-to-llvm",
    "reconcile-unrealized-casts",
]


def run(*command):
    subprocess.run([str(part) for part in command], check=True)


class Kernels:
    """`call(symbol, out_dtype, *arrays)` gives the result and, where the operation can raise, the
    trap of each element."""

    def __init__(self, folder, jobs):
        text, self.messages = _core._ops.kernels(jobs)
        source, lowered, llvm, library = (
            folder / name for name in ("k.mlir", "k.llvm.mlir", "k.ll", "k.so")
        )
        source.write_text(text)
        run(need("mlir-opt"), source, *(f"--{p}" for p in PASSES), "-o", lowered)
        run(need("mlir-translate"), "--mlir-to-llvmir", lowered, "-o", llvm)
        runtime = SOURCES / "runtime" / "math.cpp"
        run(
            need("clang++"),
            "-std=c++20",
            "-O2",
            "-ffp-contract=off",
            "-march=native",
            "-fPIC",
            "-shared",
            "-Wno-override-module",
            f"-I{SOURCES}",
            runtime,
            llvm,
            "-o",
            library,
        )
        self.library = ctypes.CDLL(str(library))

    def call(self, symbol, dtype, *arrays):
        n = len(arrays[0])
        out, traps = np.zeros(n, dtype), np.zeros(n, np.uint8)
        arrays = [np.ascontiguousarray(a) for a in arrays]
        pointers = [ctypes.c_void_p(a.ctypes.data) for a in (*arrays, out, traps)]
        getattr(self.library, symbol)(ctypes.c_int64(n), *pointers)
        return out, traps

    def errors(self, symbol, traps):
        messages = [None, *self.messages[symbol]]
        return [messages[t] for t in traps]


FLOATS = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    3.0,
    -3.0,
    7.25,
    -7.25,
    0.1,
    100.0,
    -100.0,
    1000.5,
    1e-3,
    65504.0,
    np.inf,
    -np.inf,
    np.nan,
    5e-324,
    1e-40,
    6e-8,
    2e-5,
    1e30,
    -1e30,
    1.7e308,
    -3.4e38,
    127.5,
    128.0,
    255.5,
    256.0,
    -129.0,
    32767.5,
    65536.0,
    2147483647.0,
    2147483648.0,
    -2147483649.0,
    4294967296.0,
    9.3e18,
    -9.3e18,
    1.8e19,
    2e19,
    4611686018427387904.0,
]


def samples(char):
    """Edge cases of a dtype."""
    dtype = np.dtype(char)
    if char == "?":
        return np.array([False, True])
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        values = {
            0,
            1,
            2,
            3,
            5,
            7,
            8,
            15,
            31,
            33,
            63,
            64,
            100,
            info.max,
            info.max - 1,
            info.max // 2,
            info.min,
        }
        if dtype.kind == "i":
            values |= {-1, -2, -3, -7, -8, -64, info.min + 1, info.min // 2}
        return np.array(sorted(v for v in values if info.min <= v <= info.max), dtype)
    with np.errstate(all="ignore"):
        if dtype.kind == "f":
            return np.unique(np.array(FLOATS, dtype).view(f"u{dtype.itemsize}")).view(dtype)
        parts = np.array(
            [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 1e-3, 100.0, -7.25, np.inf, -np.inf, np.nan],
            dtype.type(0).real.dtype,
        )
        real, imag = np.meshgrid(parts, parts)
        out = np.empty(real.size, dtype)
        out.real, out.imag = real.ravel(), imag.ravel()
        return out


def product(chars):
    """All combinations of edge cases, one array per operand."""
    values = [samples(c) for c in chars]
    if len(chars) == 3:  # a draw: the whole product has millions
        rng = np.random.default_rng(0)
        values = [rng.permutation(v)[:30] for v in values]
    grids = np.meshgrid(*values, indexing="ij")
    return [g.ravel() for g in grids]


def ulps(a, b):
    """Distance in units in the last place; NaNs are equal, zeros of either sign too."""
    bits = f"i{a.dtype.itemsize}"
    low = np.iinfo(bits).min

    def ordered(x):
        i = x.view(bits).astype(object)
        return np.where(x.view(bits) < 0, low - i, i)

    distance = np.abs(ordered(a) - ordered(b)).astype(float)
    distance[np.isnan(a) & np.isnan(b)] = 0
    distance[np.isnan(a) != np.isnan(b)] = np.inf
    distance[(a == b)] = 0
    return distance
