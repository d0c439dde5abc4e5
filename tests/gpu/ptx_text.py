"""Modules of one kernel, from its body: what most tests of the driver run."""

from __future__ import annotations

DECLARED = """
  .reg .pred %p<32>;
  .reg .b16 %h<32>;
  .reg .b32 %r<64>;
  .reg .b64 %d<64>;
"""


def module(
    body: str, parameters: int = 1, before: str = "", bounds: str = "", target: str = "sm_90"
) -> str:
    """A kernel `k` with parameters of 64 bits; %d0, %d1, ... hold them, %r0 is %tid.x."""
    declared = ",\n".join(f"  .param .u64 p{k}" for k in range(parameters))
    loads = "\n".join(f"  ld.param.u64 %d{k}, [p{k}];" for k in range(parameters))
    return f"""
.version 7.8
.target {target}
.address_size 64
{before}
.visible .entry k(
{declared}
)
{bounds}
{{{DECLARED}{loads}
  mov.u32 %r0, %tid.x;
{body}
  ret;
}}
"""


def each(operation: str, size: int = 4) -> str:
    """A body that runs `operation` on the thread's own element of p0 in %r1, and stores %r2."""
    return f"""
  mad.wide.u32 %d10, %r0, {size}, %d0;
  ld.global.u32 %r1, [%d10];
{operation}
  st.global.u32 [%d10], %r2;
"""
