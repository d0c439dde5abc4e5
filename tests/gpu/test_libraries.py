"""Arrays of other libraries, by their interfaces: results are theirs, on their stream."""

from __future__ import annotations

import gc
import sys
from types import ModuleType

import numpy as np
import pytest
import shapecast
from shapecast import DeviceArray, jit, to_device
from support.device_arrays import OnDevice

from support import cuda


@pytest.fixture(autouse=True)
def device():
    cuda.start()


def library(name: str, monkeypatch: pytest.MonkeyPatch) -> type:
    """A library of that name whose arrays are made by its usual function, from an interface."""
    module = ModuleType(name)

    class Array(OnDevice):
        def __init__(self, made: DeviceArray) -> None:
            self.memory = made
            self.interface = made.__cuda_array_interface__
            self.device = "cuda:0"

        def get(self) -> np.ndarray:
            return self.memory.copy_to_host()

    Array.__module__ = name
    module.asarray = module.as_tensor = lambda made, **_: Array(made)
    monkeypatch.setitem(sys.modules, name, module)
    return Array


@pytest.mark.parametrize("name", ["cupy", "torch"])
def test_results_are_arrays_of_the_arguments_library(name, monkeypatch):
    array = library(name, monkeypatch)
    if name == "torch":
        sys.modules[name].cuda = type(
            "cuda", (), {"current_stream": lambda _: type("Stream", (), {"cuda_stream": 0})}
        )

    @jit
    def f(x, y):
        x += 1
        return x + y, x, x[::-1], {"sum": (x * y).sum(axis=0)}

    x, y = array(to_device(np.arange(4.0))), array(to_device(np.ones(4)))
    total, same, view, named = f(x, y)
    assert same is x
    assert {type(a) for a in (total, view, named["sum"])} <= {array, np.float64}
    np.testing.assert_array_equal(total.get(), [2, 3, 4, 5])
    np.testing.assert_array_equal(view.get(), [4, 3, 2, 1])
    np.testing.assert_array_equal(x.get(), [1, 2, 3, 4])
    assert named["sum"] == 10


def test_tensors_have_no_negative_strides(monkeypatch):
    array = library("torch", monkeypatch)
    (result,) = jit(lambda x: (x[::-1],))(array(to_device(np.arange(3.0))))
    assert result.memory.strides == (8,)
    np.testing.assert_array_equal(result.get(), [2, 1, 0])


def test_read_only_arrays_are_not_stored_into():
    x = OnDevice(to_device(np.arange(3.0)), 0, np.broadcast_to(1.0, 3))
    x.interface["strides"] = None
    with pytest.raises(ValueError, match="read-only"):
        jit(lambda x: x.sort())(x)


def test_an_interface_without_a_stream_owes_no_waiting():
    x = OnDevice(to_device(np.arange(3.0)), 0, np.ones(3))
    x.interface["stream"] = None
    assert np.asarray(jit(lambda x: x * 2)(x)).tolist() == [0, 2, 4]
    del x.interface["stream"]
    assert np.asarray(jit(lambda x: x * 2)(x)).tolist() == [0, 2, 4]


def test_dlpack_capsules_own_the_memory():
    before = shapecast._core.live_allocations()
    x = to_device(np.arange(6.0).reshape(2, 3)[:, ::-1])
    assert x.__dlpack_device__() == (2, 0)
    capsules = [x.__dlpack__(), x.__dlpack__(stream=-1, max_version=(1, 0))]
    assert '"dltensor"' in repr(capsules[0]) and '"dltensor_versioned"' in repr(capsules[1])
    del x
    gc.collect()
    assert shapecast._core.live_allocations() == before + 1
    del capsules
    gc.collect()
    assert shapecast._core.live_allocations() == before
    with pytest.raises(BufferError, match="copy it first"):
        to_device(np.ones(2)).__dlpack__(copy=True)
