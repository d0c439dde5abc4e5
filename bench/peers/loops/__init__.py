"""Kernels as explicit loops, the way Numba is meant to be used; by name of the kernel."""

from __future__ import annotations

from bench.peers.loops import elementwise, grids, images, reductions, scalars  # noqa: F401
from bench.peers.loops.registry import LOOPS

__all__ = ["LOOPS"]
