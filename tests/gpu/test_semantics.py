"""What docs/user/gpu.md says in its table "CuPy does, shapecast does", row by row."""

from __future__ import annotations

import ctypes
import gc
import os
import re
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from shapecast import DeviceArray, jit, to_device
from support.compare import make
from support.device_arrays import OnDevice

from support import cuda

ROWS: dict[str, Callable[[], None]] = {}


def row(name: str) -> Callable:
    def keep(check: Callable[[], None]) -> Callable[[], None]:
        ROWS[name] = check
        return check

    return keep


def both(source, *arguments):
    """The results for NumPy arrays, plain, and for arrays on a device as NumPy arrays."""
    f = make(source)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        want = f(*(a.copy() if isinstance(a, np.ndarray) else a for a in arguments))
    got = jit(f)(*(to_device(a) if isinstance(a, np.ndarray) else a for a in arguments))
    return want, got


def same(source, *arguments):
    """All bits of all results are NumPy's, and their dtypes."""
    want, got = both(source, *arguments)
    for w, g in zip(want, got, strict=True) if isinstance(want, tuple) else [(want, got)]:
        g = np.asarray(g)
        assert g.dtype == np.asarray(w).dtype
        np.testing.assert_array_equal(g, w)


def launches(f, *arguments):
    f(*arguments)
    cuda.call("cuCtxSynchronize")
    cuda.start()
    f(*arguments)
    cuda.call("cuCtxSynchronize")
    return cuda.counters().launches


def free_memory():
    cuda.call("cuCtxSynchronize")
    total = ctypes.byref(ctypes.c_size_t())
    return cuda.made("cuMemGetInfo_v2", total, kind=ctypes.c_size_t).value


@row("NumPy functions in one expression")
def fused():
    x = to_device(np.ones((8, 9)))
    f = jit(make("def f(x):\n    return (np.exp(x) * 2 + np.sqrt(x)).sum(axis=1)"))
    assert launches(f, x) == 1


@row("loops over elements, `y[i] = f(x[i])`")
def loops():
    f = make(
        """
        def f(x, y):
            for i in range(len(x)):
                k = 0
                while x[i] * k < 10:
                    k += 1
                y[i] = k
        """
    )
    x, y, expected = np.arange(1.0, 50), to_device(np.zeros(49)), np.zeros(49)
    f(x, expected)
    assert launches(jit(f), to_device(x), y) == 1
    np.testing.assert_array_equal(np.asarray(y), expected)


@row("names in the source")
def names():
    same("def f(x):\n    return np.negative(x), np.where(x > 1, x, 0)", np.arange(5.0))


@row("`x.sum()`, `x[0]`")
def scalars():
    f = jit(make("def f(x):\n    return x.sum(), x[0], x.mean(), x.argmax()"))
    x = to_device(np.ones(3))
    results = f(x)
    assert [type(value) for value in results] == [DeviceArray] * 4
    assert [value.shape for value in results] == [()] * 4
    assert [str(value.dtype) for value in results] == ["float64"] * 3 + ["int64"]
    assert "the host waits" not in str(f.explain())
    x[0] = 5.0
    assert [value.item() for value in results] == [3.0, 1.0, 1.0, 0]


@row("asynchrony")
def asynchrony():
    x = to_device(np.arange(100.0))
    f = jit(make("def f(x):\n    return x * 2 + 1"))
    g = jit(make("def f(x):\n    return x[::-1], np.linalg.svd(np.outer(x, x))[1]"))
    for function, is_done in ((f, False), (g, True)):
        function(x)
        cuda.call("cuCtxSynchronize")
        cuda.start()
        result = function(x)
        assert (cuda.counters().warp_instructions > 0) == is_done
        assert result is not None


@row("streams")
def streams():
    first, second = cuda.made("cuStreamCreate", 1), cuda.made("cuStreamCreate", 1)
    arrays = []
    for stream in (first, second):
        memory = to_device(np.zeros(64))
        array = OnDevice(memory, 0, np.zeros(64))
        array.interface["stream"] = stream.value
        arrays.append(array)
        address = ctypes.c_uint64(memory.__cuda_array_interface__["data"][0])
        cuda.call("cuMemsetD32Async", address, 0x3F800000, ctypes.c_size_t(128), stream)
    one = np.full(2, 0x3F800000, np.uint32).view(np.float64)[0]
    result = jit(make("def f(x, y):\n    return x + y"))(*arrays)
    cuda.call("cuStreamSynchronize", first)
    assert np.all(np.asarray(result) == one + one)


@row("memory")
def memory():
    f = jit(make("def f(x):\n    return x * 2"))
    x = to_device(np.ones(1000))
    f(x)
    gc.collect()
    before = free_memory()
    y = f(x)
    part = y[10:]
    del y
    gc.collect()
    assert free_memory() <= before - 8000
    del part
    gc.collect()
    assert free_memory() == before


@row("views")
def views():
    x = to_device(np.arange(6.0))
    turned, strided = jit(make("def f(x):\n    return x.reshape(2, 3).T, x[::2]"))(x)
    strided[0] = 9
    assert np.asarray(turned)[0, 0] == np.asarray(x)[0] == 9
    x[4] = 7
    assert np.asarray(strided)[2] == np.asarray(turned)[1, 1] == 7


@row("stores that overlap what they read, `x[1:] += x[:-1]`")
def overlaps():
    same("def f(x):\n    x[1:] += x[:-1]\n    x[:-1] = x[1:]\n    return x", np.arange(3000.0))


@row("dtype promotion")
def promotion():
    results = "x + i, x + 1, x * 2.0, i + 1.5, b + b, b + 1, i / 2, x + 1j, b * x"
    f = f"def f(x, i, b):\n    return {results}"
    same(f, np.ones(2, "f4"), np.ones(2, "i2"), np.ones(2, bool))
    with pytest.raises(OverflowError, match="Python integer 300 out of bounds for uint8"):
        jit(make("def f(u):\n    return u + 300"))(to_device(np.ones(2, "u1")))


@row("floats that no integer holds, in casts")
def casts():
    f = "def f(x):\n    return x.astype('i4'), x.astype('i8'), x.astype('u1')"
    _, got = both(f, np.array([np.inf, -np.inf, np.nan, 3e20]))
    for result, smallest in zip(got, (-(2**31), -(2**63), 0), strict=True):
        assert np.asarray(result).tolist() == [smallest] * 4


@row("order of the axes of `x + x`")
def order():
    x = np.asfortranarray(np.ones((3, 4)))
    double = make("def f(x):\n    return x + x")
    assert jit(double)(to_device(x)).strides == double(x).strides == (8, 24)


@row("strings")
def strings():
    want, got = both("def f(x):\n    return x.astype('U4')", np.array([1, 22]))
    assert type(got) is np.ndarray and got.tolist() == want.tolist()


@row("index arrays out of bounds")
def bounds():
    f = jit(make("def f(x, i):\n    y = x * 2\n    return y[i]"))
    with pytest.raises(
        IndexError, match="index 7 is out of bounds for axis 0 with size 4"
    ) as found:
        f(to_device(np.ones(4)), to_device(np.array([0, 7])))
    assert "return y[i]" in "\n".join(found.value.__notes__)


@row("errors that depend on values")
def errors():
    f = make(
        """
        def f(x, i, y):
            for k in range(len(i)):
                y[k] = x[i[k]]
        """
    )
    x, i, expected = np.arange(4.0) + 1, np.array([1, 2, 9, 3]), np.zeros(4)
    y = to_device(expected)
    for function, given in ((f, (x, i, expected)), (jit(f), (to_device(x), to_device(i), y))):
        with pytest.raises(IndexError, match="index 9 is out of bounds"):
            function(*given)
    assert np.asarray(y).tolist() == expected.tolist() == [2, 3, 0, 0]


@row("repeated indices in `x[i] = v`")
def last_one():
    f = "def f(x, i, v):\n    x[i] = v\n    return x"
    same(f, np.zeros(2), np.arange(10_000) % 2, np.arange(10_000.0))


@row("repeated indices in `np.add.at`")
def added():
    f = "def f(x, i, v):\n    np.add.at(x, i, v)\n    return x"
    same(f, np.zeros(3, "f4"), np.arange(9999) % 3, np.random.default_rng(0).random(9999, "f4"))


@row("NaN in `max`, `argmax`, `sort`")
def nans():
    x = np.array([1, np.nan, 3, np.nan, -1])
    f = "def f(x):\n    return x.max(), x.min(), x.argmax(), x.argmin(), np.sort(x)"
    same(f, x)
    same(f, np.tile(x, 300)[1::2].astype("f4"))


@row("equal elements in `argsort`")
def ties():
    x = np.tile(np.array([2.0, -1.0, 2.0, np.nan, 0.0, -0.0]), 500)
    _, got = both("def f(x):\n    return np.argsort(x)", x)
    np.testing.assert_array_equal(np.asarray(got), np.argsort(x, kind="stable"))


@row("NaN in `max` of complex numbers")
def complex_nans():
    x = np.array([0.5 + 3.7j, complex(0.7, np.nan), complex(np.nan, -3.9), complex(np.nan, np.nan)])
    largest = both("def f(x):\n    return x.max()", x)[1]
    assert np.isnan(largest) and any(str(largest) == str(value) for value in x)


@row("float sums")
def sums():
    x = to_device(np.random.default_rng(0).random((300, 70)).astype("f4"))
    f = jit(make("def f(x):\n    return x.sum(axis=1), x.sum(axis=0), x.sum()"))
    first = [np.asarray(value).tobytes() for value in f(x)]
    cuda.call("shapecastDriverSeed", 3)  # blocks and warps in another order
    second = [np.asarray(value).tobytes() for value in f(x)]
    cuda.call("shapecastDriverSeed", 0)
    assert first == second
    exact = np.asarray(x).astype(float).sum()
    assert abs(float(f(x)[2]) - exact) <= 4 * np.finfo("f4").eps * np.log2(21_000) * exact


@row("products and sums in one expression")
def unfused():
    rng = np.random.default_rng(0)
    f = "def f(x, y, z):\n    return x * y + z"
    same(f, *(rng.standard_normal(1000) for _ in range(3)))


@row("random numbers")
def random_numbers():
    same("def f(x):\n    np.random.seed(3)\n    return x + np.random.rand(3)", np.zeros(3))


@row("NumPy arrays in an operation")
def host_arrays():
    f = jit(make("def f(x, y):\n    return x + y"))
    got = f(to_device(np.ones(3)), np.arange(3.0))
    assert type(got) is DeviceArray and np.asarray(got).tolist() == [1, 2, 3]
    with pytest.raises(TypeError, match="only arrays of at most 65536 bytes"):
        f(to_device(np.ones(9000)), np.ones(9000))


@row("lists of numbers in an operation")
def lists():
    same("def f(x):\n    return x + [1, 2, 3], np.power([x], 2)", np.arange(3.0))


@row("two devices in a call")
def two_devices():
    program = """
import numpy as np, shapecast
add = shapecast.jit(lambda x, y: x + y)
try:
    add(shapecast.to_device(np.ones(3)), shapecast.to_device(np.ones(3), "cuda:1"))
except TypeError as error:
    print(error)
"""
    environment = {"SHAPECAST_CUDA_DRIVER": cuda.library()._name, "SHAPECAST_DRIVER_DEVICES": "2"}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )
    assert "'x' on cuda:0 and 'y' on cuda:1" in done.stdout, done.stderr


@pytest.mark.parametrize("name", ROWS)
def test_shapecast_does_what_the_table_says(name):
    cuda.start()
    ROWS[name]()


def test_every_row_of_the_table_is_checked():
    page = (Path(__file__).parents[2] / "docs" / "user" / "gpu.md").read_text()
    table = page.partition("## CuPy does, shapecast does")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (\S.*?) \| .* \| .* \|$", table, re.M)
    assert rows == list(ROWS) and len(rows) > 20
