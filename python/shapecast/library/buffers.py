"""Arrays of the bytes of others."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import implements


@implements("shapecast.frombuffer of bytes")
def from_bytes(codes: Any, dtype: Any = float, count: int = -1, offset: int = 0) -> Any:
    """np.frombuffer of bytes, of which `codes` has the values: a read-only array."""
    size = len(codes)
    if offset < 0 or offset > size:
        raise ValueError(f"offset must be non-negative and no greater than buffer length ({size})")
    item = np.dtype(dtype).itemsize
    left = size - offset
    if count < 0:
        if left % item != 0:
            raise ValueError("buffer size must be a multiple of element size")
        count = left // item
    elif left < count * item:
        raise ValueError("buffer is smaller than requested size")
    made = codes[offset : offset + count * item].view(dtype)
    return np.broadcast_to(made, made.shape)
