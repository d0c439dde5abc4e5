"""Calls with copies of the arguments on a device: --mode=device runs every comparison so.

Arrays that share memory in the host share it on the device; after the call the host's arrays have
what the device's have, and results are NumPy arrays that share memory, and are one object, where
those on the device do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np
import shapecast

is_on = False
calls_are_on_device = False  # of f.on(), which copies the arguments itself
SUPPORTED = set("?bhilqBHILQefdFD")


class OnDevice:
    """An array by its interface alone, as another library's: a window of a DeviceArray's bytes."""

    def __init__(self, memory: shapecast.DeviceArray, offset: int, like: np.ndarray) -> None:
        self.memory = memory
        address = memory.__cuda_array_interface__["data"][0] + offset
        self.interface = {
            "shape": like.shape,
            "typestr": like.dtype.str,
            "data": (address, not like.flags.writeable),
            "strides": like.strides,
            "stream": 1,
            "version": 3,
        }

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return self.interface


def root_of(array: np.ndarray) -> np.ndarray:
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def address_of(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


def arrays_in(value: Any) -> list[np.ndarray]:
    if isinstance(value, np.ndarray):
        return [value]
    if isinstance(value, (tuple, list)):
        return [a for item in value for a in arrays_in(item)]
    if isinstance(value, dict):
        return arrays_in(list(value.values()))
    if is_dataclass(value) and not isinstance(value, type):
        return arrays_in([getattr(value, field.name) for field in fields(value)])
    return []


def can_be_on_device(array: np.ndarray) -> bool:
    return (
        type(array) is np.ndarray
        and array.dtype.char in SUPPORTED
        and array.dtype.isnative
        and array.flags.aligned
        and all(stride % array.itemsize == 0 for stride in array.strides)
    )


class Transfer:
    """One call's arguments on the device, and the way back."""

    def __init__(self) -> None:
        self.memory: dict[int, tuple[np.ndarray, shapecast.DeviceArray]] = {}  # by root
        self.sent: dict[int, tuple[np.ndarray, OnDevice]] = {}  # by array
        self.returned: dict[int, tuple[Any, np.ndarray]] = {}

    def memory_of(self, array: np.ndarray) -> tuple[np.ndarray, shapecast.DeviceArray]:
        root = root_of(array)
        if id(root) not in self.memory:
            bytes_ = np.ndarray(root.nbytes, np.uint8, root) if root.flags.writeable else None
            if bytes_ is None:
                flat = np.lib.stride_tricks.as_strided(root, writeable=False)
                bytes_ = np.frombuffer(flat.tobytes(), np.uint8)
            self.memory[id(root)] = (root, shapecast.to_device(bytes_))
        return self.memory[id(root)]

    def send(self, value: Any) -> Any:
        if isinstance(value, np.ndarray):
            if id(value) not in self.sent:
                root, memory = self.memory_of(value)
                offset = address_of(value) - address_of(root)
                self.sent[id(value)] = (value, OnDevice(memory, offset, value))
            return self.sent[id(value)][1]
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return type(value)(*map(self.send, value))
        if isinstance(value, (tuple, list)):
            return type(value)(self.send(item) for item in value)
        if isinstance(value, dict):
            return {key: self.send(item) for key, item in value.items()}
        if is_dataclass(value) and not isinstance(value, type):
            names = [field.name for field in fields(value)]
            return replace(value, **{name: self.send(getattr(value, name)) for name in names})
        return value

    def receive_arguments(self) -> None:
        for root, memory in self.memory.values():
            if root.flags.writeable and root.nbytes:
                np.ndarray(root.nbytes, np.uint8, root)[:] = memory.copy_to_host()

    def receive(self, value: Any) -> Any:
        if isinstance(value, OnDevice):
            return next(host for host, sent in self.sent.values() if sent is value)
        if isinstance(value, shapecast.DeviceArray):
            if id(value) not in self.returned:
                self.returned[id(value)] = (value, self.received(value))
            return self.returned[id(value)][1]
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return type(value)(*map(self.receive, value))
        if isinstance(value, (tuple, list)):
            return type(value)(self.receive(item) for item in value)
        if isinstance(value, dict):
            return {key: self.receive(item) for key, item in value.items()}
        if is_dataclass(value) and not isinstance(value, type):
            for field in fields(value):
                if isinstance(item := getattr(value, field.name), shapecast.DeviceArray):
                    object.__setattr__(value, field.name, self.receive(item))
        return value

    def received(self, value: shapecast.DeviceArray) -> np.ndarray:
        """A view of an argument's memory in the host, of another result's, or a copy."""
        interface = value.__cuda_array_interface__
        start = interface["data"][0]
        for root, memory in self.memory.values():
            low = memory.__cuda_array_interface__["data"][0]
            if value.size and low <= start < low + memory.nbytes:
                view = np.ndarray(value.shape, value.dtype, root, start - low, value.strides)
                view.flags.writeable = not interface["data"][1]
                return view
        owner = value.base
        if owner is not value and isinstance(owner, shapecast.DeviceArray) and value.size:
            whole = self.receive(owner)
            offset = start - owner.__cuda_array_interface__["data"][0]
            view = np.ndarray(value.shape, value.dtype, whole, offset, value.strides)
        else:
            view = value.copy_to_host()
        view.flags.writeable = not interface["data"][1]
        return view


def call_of(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """f(*args, **kwargs) on a device; in the host where an argument cannot be on one."""
    arrays = arrays_in((args, kwargs))
    if not arrays or not all(map(can_be_on_device, arrays)):
        return f(*args, **kwargs)
    transfer = Transfer()
    sent_args, sent_kwargs = transfer.send(args), transfer.send(kwargs)
    try:
        value = f(*sent_args, **sent_kwargs)
    finally:
        transfer.receive_arguments()
        for target, sent in (
            (args, sent_args),
            (list(kwargs.values()), list(sent_kwargs.values())),
        ):
            put_back(transfer, target, sent)
    return transfer.receive(value)


def with_scalars(got: Any, want: Any) -> Any:
    """The result with NumPy scalars where NumPy has them: a call gives arrays of no dimension."""
    if isinstance(want, np.generic) and isinstance(got, np.ndarray) and got.base is None:
        return got[()] if got.ndim == 0 else got
    if type(got) is not type(want):
        return got
    if isinstance(want, tuple) and hasattr(want, "_fields") and len(got) == len(want):
        return type(got)(*map(with_scalars, got, want))
    if isinstance(want, (tuple, list)) and len(got) == len(want):
        return type(got)(map(with_scalars, got, want))
    if isinstance(want, dict) and list(got) == list(want):
        return {key: with_scalars(got[key], want[key]) for key in want}
    if is_dataclass(want) and not isinstance(want, type):
        names = [field.name for field in fields(want)]
        return replace(
            got, **{name: with_scalars(getattr(got, name), getattr(want, name)) for name in names}
        )
    return got


def put_back(transfer: Transfer, target: Any, sent: Any) -> None:
    """What the call has stored into lists and dicts of the caller's."""
    for host, other in zip(target, sent, strict=True):
        if isinstance(host, list):
            host[:] = transfer.receive(other)
        elif isinstance(host, dict):
            received = transfer.receive(other)
            host.clear()
            host.update(received)
        elif isinstance(host, tuple):
            put_back(transfer, host, other)


def reordered(tolerance: Callable[..., str | None], arguments: Any) -> Callable[..., str | None]:
    """Floats may also differ as sums in another order do: a device has one of its own."""
    floats = [a for a in arrays_in(arguments) if a.dtype.kind in "fc"]
    with np.errstate(all="ignore"):
        terms = [np.abs(a[np.isfinite(a)]).astype(float) for a in floats]
    largest = max((np.max(t, initial=0) for t in terms), default=0.0)

    def allowed(got: np.ndarray, want: np.ndarray) -> str | None:
        problem = tolerance(got, want)
        if problem and want.dtype.kind in "fc" and want.size:
            eps = np.finfo(want.dtype).eps
            with np.errstate(all="ignore"):
                size = np.nanmax(np.abs(np.where(np.isfinite(want), want, 0)), initial=largest)
                near = np.allclose(got, want, rtol=256 * eps, atol=256 * eps * size, equal_nan=True)
            return None if near else problem
        return problem

    return allowed
