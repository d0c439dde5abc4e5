"""Arrays beside an inaccessible page: an access one element out of bounds crashes."""

from __future__ import annotations

import ctypes
import mmap
from typing import Any

import numpy as np

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]


def fenced(a: np.ndarray, at_end: bool = True) -> np.ndarray:
    """A copy in C order whose memory ends where such a page begins, or begins after one."""
    page = mmap.PAGESIZE
    inside = -(-max(a.nbytes, 1) // page) * page
    memory = mmap.mmap(-1, inside + 2 * page)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    for fence in (start, start + page + inside):
        if _libc.mprotect(fence, page, 0):
            raise OSError(ctypes.get_errno(), "mprotect")
    offset = page + (inside - a.nbytes if at_end else 0)
    copy = np.frombuffer(memory, np.uint8)[offset : offset + a.nbytes].view(a.dtype)
    copy = copy.reshape(a.shape)
    copy[...] = a
    return copy


def both_fenced(*arguments: Any) -> list[list[Any]]:
    """The arguments twice: arrays with the page after them, and before them."""
    return [
        [fenced(a, at_end) if isinstance(a, np.ndarray) else a for a in arguments]
        for at_end in (True, False)
    ]
