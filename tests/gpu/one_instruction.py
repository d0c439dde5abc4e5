"""Kernels of one instruction: each thread applies it to one element of every operand."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from support import cuda

DTYPES = {
    "u8": "u1", "u16": "u2", "u32": "u4", "u64": "u8", "s8": "i1", "s16": "i2", "s32": "i4",
    "b8": "u1", "b16": "u2", "b32": "u4", "b64": "u8", "f16": "f2", "f16x2": "u4", "f32": "f4",
    "s64": "i8", "f64": "f8", "pred": "u1",
}  # fmt: skip
THREADS = 128


def register(kind: str) -> str:
    """The prefix of the registers that hold a type."""
    return {0: "%p", 1: "%h", 2: "%h", 4: "%r", 8: "%d"}[
        0 if kind == "pred" else np.dtype(DTYPES[kind]).itemsize
    ]


def kernel(instruction: str, result: str, operands: Sequence[str]) -> str:
    """A module with the kernel `apply`: in the instruction `$0` is the result, `$1` an operand."""
    parameters = ",\n".join(f"  .param .u64 p{k}" for k in range(len(operands) + 2))
    body = [
        "mov.u32 %r100, %ctaid.x;",
        "mov.u32 %r101, %ntid.x;",
        "mov.u32 %r102, %tid.x;",
        "mad.lo.u32 %r103, %r100, %r101, %r102;",
        "cvt.u64.u32 %d100, %r103;",
        "ld.param.u64 %d101, [p0];",
        "setp.ge.u64 %p100, %d100, %d101;",
        "@%p100 bra $end;",
    ]
    for k, kind in enumerate(["", *operands]):
        if not k:
            continue
        size = np.dtype(DTYPES[kind]).itemsize
        body += [
            f"ld.param.u64 %d102, [p{k + 1}];",
            f"mad.lo.u64 %d102, %d100, {size}, %d102;",
        ]
        if kind == "pred":
            body += ["ld.global.u8 %h100, [%d102];", f"setp.ne.u16 %p{k}, %h100, 0;"]
        else:
            load = {"f16": "b16", "f16x2": "b32"}.get(kind, kind)
            body.append(f"ld.global.{load} {register(kind)}{k}, [%d102];")
    text = instruction
    for k, kind in reversed(list(enumerate([result, *operands]))):
        text = text.replace(f"${k}", f"{register(kind)}{k}")
    body += [text if text.startswith("{ ") else text + ";"]
    size = np.dtype(DTYPES[result]).itemsize
    body += ["ld.param.u64 %d102, [p1];", f"mad.lo.u64 %d102, %d100, {size}, %d102;"]
    if result == "pred":
        body += ["selp.u16 %h0, 1, 0, %p0;", "st.global.u8 [%d102], %h0;"]
    else:
        body.append(f"st.global.b{8 * size} [%d102], {register(result)}0;")
    lines = "\n".join(f"  {line}" for line in body)
    return f"""
.version 7.8
.target sm_90
.address_size 64
.visible .entry apply(
{parameters}
)
{{
  .reg .pred %p<104>;
  .reg .b16 %h<104>;
  .reg .b32 %r<104>;
  .reg .b64 %d<104>;
{lines}
$end:
  ret;
}}
"""


def apply(instruction: str, result: str, *operands: tuple[str, np.ndarray]) -> np.ndarray:
    """The instruction's result for each element of the operands, (type of PTX, values)."""
    values = [np.ascontiguousarray(v, DTYPES[kind]) for kind, v in operands]
    count = len(values[0])
    out = np.full(count, 0x5A, "u1").astype(DTYPES[result])
    text = kernel(instruction, result, [kind for kind, _ in operands])
    slots: list[Any] = [np.uint64(count), out, *values]
    cuda.run(text, "apply", slots, blocks=-(-count // THREADS), threads=THREADS)
    return out


def crossed(*columns: Sequence[Any]) -> list[list[Any]]:
    """All combinations of the columns' values, as columns."""
    return [list(column) for column in zip(*itertools.product(*columns))]
