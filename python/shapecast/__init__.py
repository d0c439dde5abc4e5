"""shapecast: NumPy functions as machine code."""

import typing as _typing

from ._core import __version__
from ._devices import Device, DeviceArray, devices, to_device
from ._errors import DeviceError, InternalError, ShapeError, UnsupportedError
from ._host_info import set_host_info as _set_up_compiler
from ._jit import jit, spec
from ._threads import _read_environment, get_num_threads, num_threads, prange, set_num_threads

if _typing.TYPE_CHECKING:
    from ._callouts import pyfunc
    from ._compile import compile_many
    from ._ship import ship
    from ._vectorize import vectorize

_read_environment()
_set_up_compiler()


def __getattr__(name: str) -> object:
    if name == "vectorize":  # these modules take a while, and most do without
        from ._vectorize import vectorize

        return vectorize
    if name == "compile_many":
        from ._compile import compile_many

        return compile_many
    if name == "pyfunc":
        from ._callouts import pyfunc

        return pyfunc
    if name == "ship":
        from ._ship import ship

        return ship
    raise AttributeError(f"module 'shapecast' has no attribute {name!r}")


__all__ = [
    "Device",
    "DeviceArray",
    "DeviceError",
    "InternalError",
    "ShapeError",
    "UnsupportedError",
    "__version__",
    "compile_many",
    "devices",
    "get_num_threads",
    "jit",
    "num_threads",
    "prange",
    "pyfunc",
    "set_num_threads",
    "ship",
    "spec",
    "to_device",
    "vectorize",
]
