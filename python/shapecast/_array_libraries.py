"""Libraries of arrays. Results on a device become arrays of the library that the arguments came
from; for chunked and labelled arrays there is advice how compiled code gets their blocks.

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


_BLOCKS = (
    "x.map_blocks(f), dask.array.map_overlap(f, x, depth=1) and dask.array.blockwise run it "
    "compiled on each block"
)
_PARTITIONS = "x.map_partitions(f) runs it compiled on each partition"
_LABELLED = (
    'xarray.apply_ufunc(f, x) runs it compiled on the array (dask="parallelized": on each chunk)'
)
_ADVICE = {
    "dask.array.core.Array": _BLOCKS,
    "dask.dataframe.dask_expr._collection.Series": _PARTITIONS,
    "dask.dataframe.dask_expr._collection.DataFrame": _PARTITIONS,
    "xarray.core.dataarray.DataArray": _LABELLED,
    "xarray.core.dataset.Dataset": _LABELLED,
    "xarray.core.variable.Variable": _LABELLED,
}


def advice(text: str) -> str:
    """How compiled code gets an array of a class that the text names; empty for all others."""
    for name, how in _ADVICE.items():
        if name in text:
            return how
    return ""
