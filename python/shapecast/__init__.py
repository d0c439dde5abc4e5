"""shapecast: NumPy functions as machine code."""

import typing as _typing

from ._core import __version__
from ._devices import Device, DeviceArray, devices, to_device
from ._disabling import disabled
from ._errors import DeviceError, InternalError, ShapeError, UnsupportedError
from ._host_info import set_host_info as _set_up_compiler
from ._jit import jit, spec
from ._threads import _read_environment, get_num_threads, num_threads, prange, set_num_threads

if _typing.TYPE_CHECKING:
    from ._callouts import pyfunc
    from ._compile import compile_many
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
    if name == "load_ipython_extension":  # of `%load_ext shapecast`
        from ._notebook import load_ipython_extension

        return load_ipython_extension
    if name == "unload_ipython_extension":
        from ._notebook import unload_ipython_extension

        return unload_ipython_extension
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
    "disabled",
    "get_num_threads",
    "jit",
    "num_threads",
    "prange",
    "pyfunc",
    "set_num_threads",
    "spec",
    "to_device",
    "vectorize",
]


def __dir__() -> list[str]:  # also the names that are imported at first use
    return sorted({*globals(), *__all__})
