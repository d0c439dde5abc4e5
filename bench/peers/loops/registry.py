"""Where the ports to explicit loops are listed, and the two names they use beside `math` and `np`.

A port is written once for Numba and Pythran. `prange` marks loops whose iterations are independent;
without threads it is `range`. For float32 the peers write every float literal and every `real` as
float32, for which NumPy's weak numbers need no help: `2.0 * x` would be float64 in Numba.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

try:
    from numba import prange
except ImportError:
    prange = range

real = float  # a number of the arrays' dtype

LOOPS: dict[str, Callable[..., Any]] = {}


def port(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def register(f: Callable[..., Any]) -> Callable[..., Any]:
        assert name not in LOOPS, name
        LOOPS[name] = f
        return f

    return register
