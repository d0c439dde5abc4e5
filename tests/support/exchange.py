"""A library of arrays with DLPack's exchange API in C (`__dlpack_c_exchange_api__`), by ctypes: its
memory is the driver's, its current stream is `Library.stream`. Nothing else of its arrays may be
asked for.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import shapecast

from support import cuda

CODES = {"b": 6, "i": 0, "u": 1, "f": 2, "c": 5}
KINDS = {code: kind for kind, code in CODES.items()}


class Device(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int32), ("number", ctypes.c_int32)]


class DataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", Device),
        ("rank", ctypes.c_int32),
        ("dtype", DataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class Managed(ctypes.Structure):
    pass


Free = ctypes.CFUNCTYPE(None, ctypes.POINTER(Managed))
Managed._fields_ = [
    ("major", ctypes.c_uint32),
    ("minor", ctypes.c_uint32),
    ("owner", ctypes.c_void_p),
    ("free", Free),
    ("flags", ctypes.c_uint64),
    ("tensor", Tensor),
]
Report = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p)
Allocate = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.POINTER(Tensor),
    ctypes.POINTER(ctypes.POINTER(Managed)),
    ctypes.c_void_p,
    Report,
)
FromObject = ctypes.PYFUNCTYPE(
    ctypes.c_int, ctypes.py_object, ctypes.POINTER(ctypes.POINTER(Managed))
)
ToObject = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.POINTER(Managed), ctypes.POINTER(ctypes.c_void_p))
Describe = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(Tensor))
CurrentStream = ctypes.PYFUNCTYPE(
    ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p)
)


class Api(ctypes.Structure):
    pass


Api._fields_ = [
    ("major", ctypes.c_uint32),
    ("minor", ctypes.c_uint32),
    ("previous", ctypes.POINTER(Api)),
    ("allocate", Allocate),
    ("from_object", FromObject),
    ("to_object", ToObject),
    ("describe", Describe),
    ("current_stream", CurrentStream),
]


class Library:
    """One library: `Array` is its class, `live` its allocations by address (size and stream),
    `refuses` an error of its allocator. Without `describes`, its arrays are read as managed
    tensors.
    """

    def __init__(self, describes: bool = True, old: bool = False) -> None:
        self.stream: int | None = None
        self.live: dict[int, tuple[int, Any]] = {}
        self.allocated = 0
        self.refuses = ""
        self.kept: list[Any] = []  # managed tensors that are in use
        library = self

        class Array:
            """An array on the device; `owner` is freed with it."""

            def __init__(self, tensor: Tensor, owner: Any) -> None:
                self.tensor = tensor
                self.owner = owner

            def __del__(self) -> None:
                if isinstance(self.owner, int):
                    library.free(self.owner)
                else:
                    self.owner.contents.free(self.owner)

            def __dlpack__(self, **_: Any) -> Any:
                raise AssertionError("the exchange API has preference")

            __cuda_array_interface__ = property(__dlpack__)

            @property
            def dtype(self) -> np.dtype:
                return np.dtype(f"{KINDS[self.tensor.dtype.code]}{self.tensor.dtype.bits // 8}")

            def get(self) -> np.ndarray:
                shape = self.tensor.shape[: self.tensor.rank]
                memory = cuda.DeviceMemory.__new__(cuda.DeviceMemory)
                memory.address = ctypes.c_uint64(self.tensor.data or 0)
                host = np.empty(shape, self.dtype)
                strides = self.tensor.strides
                if strides:
                    given = [s * host.itemsize for s in strides[: self.tensor.rank]]
                    assert host.size < 2 or tuple(given) == host.strides
                cuda.call("cuCtxSynchronize")
                return memory.read(host) if host.size else host

        self.Array = Array
        self.api = Api(
            1,
            3,
            None,
            Allocate(self.allocate),
            FromObject(self.from_object),
            ToObject(self.to_object),
            Describe(self.describe) if describes else Describe(),
            CurrentStream(self.current_stream),
        )
        if old:  # a table of a later version, which leads to the one that is known
            self.newer = Api(2, 0, ctypes.pointer(self.api))
        new = ctypes.pythonapi.PyCapsule_New
        new.restype = ctypes.py_object
        new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        table = ctypes.addressof(self.newer if old else self.api)
        Array.__dlpack_c_exchange_api__ = new(table, b"dlpack_exchange_api", None)

    def memory(self, size: int) -> int:
        stream = ctypes.c_void_p(self.stream or 1)
        address = cuda.made(
            "cuMemAllocAsync", ctypes.c_size_t(max(size, 1)), stream, kind=ctypes.c_uint64
        )
        self.live[address.value] = size, stream
        self.allocated += 1
        return address.value

    def free(self, address: int) -> None:
        """In the order of the stream that was current before, as caching allocators do."""
        _, stream = self.live.pop(address)
        cuda.call("cuMemFreeAsync", ctypes.c_uint64(address), stream)

    def sizes(self) -> list[int]:
        return sorted(size for size, _ in self.live.values())

    def array(self, host: np.ndarray, device: int = 2, code: int | None = None) -> Any:
        """A copy of a host array in C order; another device or code is only claimed."""
        address = self.memory(host.nbytes)
        memory = cuda.DeviceMemory.__new__(cuda.DeviceMemory)
        memory.address = ctypes.c_uint64(address)
        memory.write(np.ascontiguousarray(host))
        shape = (ctypes.c_int64 * max(host.ndim, 1))(*host.shape)
        number = CODES[host.dtype.kind] if code is None else code
        tensor = Tensor(
            address,
            Device(device, 0),
            host.ndim,
            DataType(number, 8 * host.itemsize, 1),
            ctypes.cast(shape, ctypes.POINTER(ctypes.c_int64)),
            None,
            0,
        )
        tensor.kept = shape
        return self.Array(tensor, address)

    def managed(self, tensor: Tensor, end: Any) -> Any:
        def free(which: Any) -> None:
            end()
            self.kept.remove(one)

        made = Managed(1, 3, None, Free(free), 0, tensor)
        one = (made, tensor)
        self.kept.append(one)
        return ctypes.pointer(made)

    def allocate(self, prototype: Any, out: Any, to: Any, report: Any) -> int:
        if self.refuses:
            report(to, b"OutOfMemoryError", self.refuses.encode())
            return -1
        like = prototype.contents
        size = like.dtype.bits // 8
        for axis in range(like.rank):
            size *= like.shape[axis]
        address = self.memory(size)
        tensor = Tensor(address, like.device, like.rank, like.dtype)
        out[0] = self.managed(tensor, lambda: self.free(address))
        return 0

    def describe(self, array: Any, out: Any) -> int:
        out[0] = array.tensor
        return 0

    def from_object(self, array: Any, out: Any) -> int:
        out[0] = self.managed(array.tensor, lambda: None)
        return 0

    def to_object(self, managed: Any, out: Any) -> int:
        array = self.Array(managed.contents.tensor, managed)
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(array))
        out[0] = id(array)
        return 0

    def current_stream(self, kind: int, number: int, out: Any) -> int:
        assert kind == 2 and number < len(shapecast.devices())
        out[0] = self.stream
        return 0
