"""The peers: who else runs the kernels, each by the fastest honest port.

A peer is a module with `NAME`, `version()` (None where it is not installed) and
`contestants(kernel, dtype, threads)`, the one that is expected to be fastest first.
"""

from __future__ import annotations

from bench.peers import jax, numba, numexpr, pythran, torch
from bench.peers.contestant import Contestant

PEERS = {peer.NAME: peer for peer in (numba, jax, pythran, numexpr, torch)}

__all__ = ["PEERS", "Contestant"]
