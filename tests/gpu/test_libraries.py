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
from support.exchange import Library

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
    assert {type(a) for a in (total, view, named["sum"])} == {array}
    np.testing.assert_array_equal(total.get(), [2, 3, 4, 5])
    np.testing.assert_array_equal(view.get(), [4, 3, 2, 1])
    np.testing.assert_array_equal(x.get(), [1, 2, 3, 4])
    assert named["sum"].get() == 10


def relu(x, slope):
    return x if x > 0 else slope * x


def both(x, y):
    return x + y, x > y


@pytest.mark.parametrize("name", ["cupy", "shapecast"])
def test_vectorize_runs_where_the_arrays_are(name, monkeypatch):
    """CuPy's arrays refuse ufuncs that are not CuPy's own."""
    array = library(name, monkeypatch) if name == "cupy" else to_device
    if name == "cupy":
        array.__array_ufunc__ = lambda *_, **__: NotImplemented
    fast_relu, fast_both = shapecast.vectorize(relu), shapecast.vectorize(both)
    x, y = np.arange(-3.0, 3).reshape(2, 3), np.array([[0.5], [2]], np.float32)
    there, other = (
        (to_device(x), to_device(y)) if name == "shapecast" else map(array, map(to_device, (x, y)))
    )
    for got, want in (
        (fast_relu(there, 0.5), fast_relu(x, 0.5)),
        (fast_relu(there, other), fast_relu(x, y)),
        (fast_relu(1, there), fast_relu(1, x)),
        *zip(fast_both(there, other), fast_both(x, y), strict=True),
    ):
        assert type(got) is type(there)
        values = got.get() if name == "cupy" else got.copy_to_host()
        assert values.dtype == want.dtype and np.array_equal(values, want)
    for named in ({"out": there}, {"where": x > 0}):
        with pytest.raises(TypeError, match="arrays on a device with"):
            fast_relu(there, 0.5, **named)
    with pytest.raises(TypeError, match="arrays on a device with a signature"):
        shapecast.vectorize(lambda x: x.sum(), signature="(n)->()")(there)


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


@pytest.mark.parametrize("how", [{}, {"describes": False}, {"old": True}])
def test_the_exchange_api_reads_arrays_and_hands_results_over(how):
    """No Python code of the array runs: `Library.Array` raises where it is asked for more."""
    library = Library(**how)

    @jit
    def f(x, y, k):
        x += 1
        return x * k + y, x, x[1:], {"sum": (x * y).sum(axis=0), "n": len(x)}

    x, y = np.arange(6.0).reshape(2, 3), np.ones((2, 3))
    own_x, own_y = library.array(x), library.array(y)
    total, same, view, named = f(own_x, own_y, 3)
    expected = f(x, y, 3)
    assert same is own_x
    np.testing.assert_array_equal(own_x.get(), x)
    for array, value in ((total, expected[0]), (view, expected[2]), (named["sum"], [5, 7, 9])):
        assert type(array) is library.Array
        np.testing.assert_array_equal(array.get(), value)
    assert named["n"] == 2


@pytest.mark.parametrize("dtype", ["?", "i1", "i8", "u2", "u8", "f4", "f8", "c8", "c16"])
def test_dtypes_of_the_exchange_api(dtype):
    library = Library()
    x = (np.arange(4) % 3).astype(dtype)
    result = jit(lambda x: x[::-1])(library.array(x))
    assert type(result) is library.Array and result.dtype == dtype  # no negative strides
    np.testing.assert_array_equal(result.get(), x[::-1])
    empty = jit(lambda x: x + x)(library.array(x[:0]))
    assert empty.get().shape == (0,)


def test_results_are_allocated_by_the_library_and_freed_with_the_last_array():
    library = Library()
    x = library.array(np.ones(1000))
    assert library.sizes() == [8000]

    @jit
    def f(x):
        y = x * 2
        return y, y[1:], np.sort(y)

    pool = cuda.counters().allocations
    y, view, ordered = f(x)
    assert library.sizes() == [8000] * 3
    assert cuda.counters().allocations - pool == library.allocated - 1
    del y, ordered
    gc.collect()
    assert library.sizes() == [8000] * 2
    np.testing.assert_array_equal(view.get(), np.full(999, 2.0))
    del view, x
    gc.collect()
    assert not library.live and not library.kept


def test_an_allocator_that_fails_is_a_memory_error_with_its_words():
    library = Library()
    x = library.array(np.ones(10))
    library.refuses = "the pool is full"
    with pytest.raises(MemoryError, match="cuda:0: OutOfMemoryError: the pool is full"):
        jit(lambda x: x + 1)(x)
    library.refuses = ""
    np.testing.assert_array_equal(jit(lambda x: x + 1)(x).get(), np.full(10, 2.0))


def test_calls_are_on_the_librarys_current_stream():
    library = Library()
    x = library.array(np.ones(64))
    f = jit(lambda x: x * 2)
    f(x)
    cuda.call("cuCtxSynchronize")
    stream = cuda.made("cuStreamCreate", 1)  # does not wait for the legacy default one
    library.stream = stream.value
    before = cuda.counters().warp_instructions
    y = f(x)
    cuda.call("cuStreamSynchronize", 1)
    assert cuda.counters().warp_instructions == before
    cuda.call("cuStreamSynchronize", stream)
    assert cuda.counters().warp_instructions > before
    np.testing.assert_array_equal(y.get(), np.full(64, 2.0))


def test_arrays_of_two_libraries_and_our_own():
    """The first array's library allocates, on its stream; results are of the first library."""
    one, two = Library(), Library()
    f = jit(lambda x, y: x + y)
    stream = cuda.made("cuStreamCreate", 1)
    two.stream = stream.value
    x, y = one.array(np.ones(4)), two.array(np.full(4, 2.0))
    result = f(x, y)
    assert type(result) is one.Array
    assert type(f(y, x)) is two.Array
    own = f(to_device(np.ones(4)), y)  # on our stream, for which the library's waits
    assert type(own) is two.Array and len(two.live) == 1
    cuda.call("cuStreamSynchronize", stream)
    for array in (result, own):
        np.testing.assert_array_equal(array.get(), np.full(4, 3.0))


def test_dtypes_that_only_the_library_has_are_named():
    library = Library()
    f = jit(lambda x: x + 1)
    with pytest.raises(shapecast.UnsupportedError, match=r"code 4 of 16 bits in DLPack"):
        f(library.array(np.ones(3, "f2"), code=4))  # bfloat16
