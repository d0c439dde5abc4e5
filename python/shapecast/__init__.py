"""shapecast: NumPy functions as machine code."""

import typing as _typing

from ._core import __version__
from ._devices import Device, DeviceArray, devices, to_device
from ._disabling import disabled
from ._errors import (
    DeviceError,
    InternalError,
    PerformanceWarning,
    ShapeError,
    UnsupportedError,
)
from ._host_info import set_host_info as _set_up_compiler
from ._jit import jit, spec
from ._threads import _read_environment, get_num_threads, num_threads, prange, set_num_threads

if _typing.TYPE_CHECKING:
    from ._callouts import pyfunc
    from ._compile import compile_many
    from ._profile import Profile, profile
    from ._ship import ship
    from ._vectorize import vectorize

_read_environment()
_set_up_compiler()


# Imported at first use: these modules take a while, and most programs do without.
_MODULES = {
    "vectorize": "_vectorize",
    "compile_many": "_compile",
    "pyfunc": "_callouts",
    "ship": "_ship",
    "Profile": "_profile",
    "profile": "_profile",
    "load_ipython_extension": "_notebook",  # of `%load_ext shapecast`
    "unload_ipython_extension": "_notebook",
}


def __getattr__(name: str) -> object:
    if module := _MODULES.get(name):
        from importlib import import_module

        return getattr(import_module(f".{module}", __name__), name)
    raise AttributeError(f"module 'shapecast' has no attribute {name!r}")


__all__ = [
    "Device",
    "DeviceArray",
    "DeviceError",
    "InternalError",
    "PerformanceWarning",
    "Profile",
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
    "profile",
    "pyfunc",
    "set_num_threads",
    "ship",
    "spec",
    "to_device",
    "vectorize",
]


def __dir__() -> list[str]:  # also the names that are imported at first use
    return sorted({*globals(), *__all__})
