"""Libraries of device arrays: results become arrays of the library that the arguments came from.

The libraries are imported: there are arrays of theirs.
"""

from __future__ import annotations

import functools
import sys
from typing import Any

from ._core import DeviceArray


def library_of(array: Any) -> str:
    """The top-level package of the array's class: "cupy", "torch"."""
    return type(array).__module__.partition(".")[0]


def current_stream(array: Any) -> int:
    """The stream on which the library computes, for arrays whose interface does not name one; 0:
    none is known.
    """
    if library_of(array) == "torch":
        torch = sys.modules["torch"]
        return int(torch.cuda.current_stream(array.device).cuda_stream) or 1  # 1: legacy default
    return 0


@functools.cache
def _copier() -> Any:
    from ._jit import jit

    @jit
    def copied(x: Any) -> Any:
        return x.copy()

    return copied


def contiguous(result: DeviceArray) -> DeviceArray:
    """A copy in C order, for libraries whose arrays have no negative strides."""
    copy: DeviceArray = _copier()(result)
    return copy


def adopt(result: DeviceArray, like: Any) -> Any:
    """The same memory as an array of the library of `like`; the result itself where that library is
    not known.
    """
    library = library_of(like)
    if library == "cupy":
        return sys.modules["cupy"].asarray(result)
    if library == "torch":
        if any(stride < 0 for stride in result.strides):  # no tensor has such strides
            result = contiguous(result)
        return sys.modules["torch"].as_tensor(result, device=result.device)
    if library == "numba":
        return sys.modules["numba.cuda"].as_cuda_array(result)
    return result
