"""Arrays on devices: `devices`, `to_device`, `DeviceArray`; functions `on` a device."""

from __future__ import annotations

import functools
from types import MethodType
from typing import Any

from . import _core
from ._core import Device, DeviceArray

__all__ = ["Device", "DeviceArray", "devices", "to_device"]


def devices() -> list[Device]:
    """The devices of this machine that CUDA's driver knows; none without a GPU or its driver.

    The driver is `libcuda.so.1`, or what the environment variable SHAPECAST_CUDA_DRIVER names.

    Examples:
        >>> [device.name for device in shapecast.devices() if device.memory_bytes < 1e9]
        []
    """
    return _core.devices()


def to_device(array: Any, device: Any = "cuda:0") -> DeviceArray:
    """Copies an array to a device.

    Args:
        array: Anything that `np.asarray` takes.
        device: "cuda:1", its number, or one of `devices()`.

    Returns:
        An array of the same shape and dtype, in C order unless the array is in Fortran order. An
        array that is there already is returned as it is.

    Raises:
        DeviceError: There is no such device, or no driver: the text says why.
        TypeError: No array on a device has such a dtype.
        MemoryError: The device has not enough memory.

    Examples:
        >>> if shapecast.devices():
        ...     x = shapecast.to_device(np.linspace(0, 1, 5))
        ...     assert x.shape == (5,) and x.copy_to_host().sum() == 2.5
    """
    return _core.to_device(array, device)


class FunctionOn:
    """What `f.on` makes: a jitted function for NumPy arrays, which are copied to a device."""

    def __init__(self, function: _core.Jit[..., Any], ordinal: int) -> None:
        self._function = function
        self._ordinal = ordinal
        functools.update_wrapper(self, function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._function._call_on(self._ordinal, *args, **kwargs)

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def __reduce__(self) -> tuple[Any, ...]:
        return FunctionOn, (self._function, self._ordinal)

    def __repr__(self) -> str:
        return f"<jit {self.__qualname__} on cuda:{self._ordinal}>"  # type: ignore[attr-defined]


def on(function: _core.Jit[..., Any], device: Any) -> FunctionOn:
    """For the C type's method."""
    if device == "cpu":
        raise ValueError("f.on('cpu'): call f itself, which runs in the host for NumPy arrays")
    return FunctionOn(function, _core._device_ordinal(device))
