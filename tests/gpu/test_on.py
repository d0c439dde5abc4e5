"""f.on("cuda:0"): NumPy arrays in and out, computed on a device."""

from __future__ import annotations

import collections
import ctypes
import dataclasses
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
import shapecast
from shapecast import DeviceArray, DeviceError, jit, to_device
from support.compare import make

from support import cuda


@pytest.fixture(autouse=True)
def device():
    cuda.start()
    yield
    cuda.call("shapecastDriverSeed", 0)


def deep_copy(value):
    """Arguments with the same aliasing among them: views stay views of one copy."""
    seen = {}

    def base_of(array):
        while isinstance(array.base, np.ndarray):
            array = array.base
        return array

    def copied(item):
        if isinstance(item, np.ndarray):
            base = base_of(item)
            if id(base) not in seen:
                seen[id(base)] = base.copy("K")
            new = seen[id(base)]
            if item is base:
                new.flags.writeable = item.flags.writeable
                return new
            offset = item.ctypes.data - base.ctypes.data
            view = np.ndarray(item.shape, item.dtype, new.data, offset, item.strides)
            view.flags.writeable = item.flags.writeable
            return view
        if isinstance(item, (tuple, list)):
            return type(item)(map(copied, item))
        return item

    return copied(value)


def check(body, *args):
    """The plain function and the one on the device: results, and what they leave in arguments."""
    f = make(body)
    plain, moved = deep_copy(args), deep_copy(args)
    expected = f(*plain)
    before = cuda.counters().launches
    actual = jit(f).on("cuda:0")(*moved)
    assert cuda.counters().launches > before
    same(actual, expected)
    for left, right in zip(moved, plain, strict=True):
        same(left, right)
    return actual


def same(actual, expected):
    assert type(actual) is type(expected)
    if isinstance(expected, (tuple, list)):
        assert len(actual) == len(expected)
        for a, e in zip(actual, expected, strict=True):
            same(a, e)
    elif isinstance(expected, dict):
        assert list(actual) == list(expected)
        for key in expected:
            same(actual[key], expected[key])
    elif isinstance(expected, np.ndarray):
        assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape)
        np.testing.assert_array_equal(actual, expected)
    else:
        assert actual == expected


X = np.arange(24.0)
MATRIX = X.reshape(4, 6)


@pytest.mark.parametrize(
    "x",
    [
        X,
        X[::2],
        X[::-1],
        X[1:],
        MATRIX,
        MATRIX.T,
        MATRIX[:, 1:3],
        MATRIX[::-1, ::-2],
        MATRIX[:, 0],
        np.asfortranarray(MATRIX),
        np.broadcast_to(X[:3], (2, 3)),
        X.astype("f4"),
        X.astype("i2"),
        X > 3,
        X + 1j,
        X.astype(">f8"),
        np.frombuffer(b"\0" + X.tobytes(), "f8", offset=1),
    ],
    ids=lambda x: f"{x.dtype.str}{x.strides}",
)
def test_results_are_numpys_for_any_layout(x):
    result = check("def f(x):\n    return x + x, x[..., :2] * 2, (x == 3).any()", x)
    assert type(result[0]) is np.ndarray and result[0].flags.owndata


@pytest.mark.parametrize("x", [X, X[::2], X[::-1], X[:1], MATRIX[:, 1:3], MATRIX.T, MATRIX[::-1]])
def test_stores_are_seen_by_the_caller(x):
    check("def f(x):\n    x[...] = 3 * x + 1", x)


def test_a_view_writes_its_own_elements_only():
    base = np.zeros(10)
    f = jit(make("def f(x):\n    x += 1")).on(0)
    f(base[::2])
    np.testing.assert_array_equal(base, [1, 0] * 5)
    # What another thread stores between them meanwhile stays.
    view = base[1::2]
    stores = threading.Thread(target=lambda: base.__setitem__(slice(None, None, 2), 5))
    stores.start()
    f(view)
    stores.join()
    np.testing.assert_array_equal(base, [5, 1] * 5)


@pytest.mark.parametrize(
    "arguments",
    [
        lambda x: (x, x),
        lambda x: (x[1:], x[:-1]),
        lambda x: (x[:-1], x[1:]),
        lambda x: (x[::2], x[1::2]),
        lambda x: (x[::-1], x),
        lambda x: (x[:12], x[12:]),
    ],
)
def test_arrays_that_overlap_do_so_on_the_device(arguments):
    body = "def f(x, y):\n    x[:] = 2 * y\n    y[:3] = 7\n    return x[1:] + y[1:]"
    check(body, *arguments(X.copy()))


def test_only_what_is_written_comes_back():
    f = jit(make("def f(x, y, out):\n    out[:] = x + y")).on("cuda:0")
    x, y, out = np.ones(100_000), np.ones(100_000), np.zeros(100_000)
    f(x, y, out)
    before = cuda.counters()
    f(x, y, out)
    after = cuda.counters()
    assert (out == 2).all()
    assert after.bytes_to_device - before.bytes_to_device == 3 * x.nbytes
    assert after.bytes_to_host - before.bytes_to_host == out.nbytes
    x.flags.writeable = False
    f(x, x, out)


def test_readonly_arrays_are_read_and_refused_as_numpy_does():
    x = X.copy()
    x.flags.writeable = False
    check("def f(x):\n    return x * 2, x[1:]", x)
    with pytest.raises(ValueError, match="read-only"):
        jit(make("def f(x):\n    x[0] = 1")).on(0)(x)
    view = jit(make("def f(x):\n    return x[1:]")).on(0)(x)
    assert not view.flags.writeable


def test_results_that_are_arguments_and_views_of_them():
    f = jit(make("def f(x, y):\n    x[0] = 5\n    return x, x[1:], x[::-1], y[..., None], x + y"))
    x, y = np.arange(4.0), np.ones(4)
    whole, tail, reverse, column, fresh = f.on("cuda:0")(x, y)
    assert whole is x and x[0] == 5
    for view, base in ((tail, x), (reverse, x), (column, y)):
        assert np.shares_memory(view, base) and view.flags.writeable
    tail[0] = 9
    assert x[1] == 9 and reverse[-2] == 9
    np.testing.assert_array_equal(fresh, [6, 2, 3, 4])


def test_views_of_a_new_array_share_memory():
    f = jit(make("def f(x):\n    y = x * 2\n    return y[1:], y[::-1], y")).on("cuda:0")
    a, b, whole = f(np.arange(4.0))
    a[0] = 7
    np.testing.assert_array_equal(b, [6, 4, 7, 0])
    np.testing.assert_array_equal(whole, [0, 7, 4, 6])
    a, b = jit(make("def f(x):\n    y = x * 2\n    return y[1:], y[::-1]")).on(0)(np.arange(4.0))
    a[0] = 7
    np.testing.assert_array_equal(b, [6, 4, 7, 0])
    assert type(a) is type(b) is np.ndarray


Pair = collections.namedtuple("Pair", "low high")


@dataclasses.dataclass
class Split:
    low: np.ndarray
    high: np.ndarray
    count: int


def test_results_in_containers():
    def f(x):
        low, high = x[:2] + 0, x[2:] * 2
        return Pair(low, high), {"a": low, "n": x.size}, [high, x.sum(), (low,)], Split(low, x, 3)

    x = np.arange(5.0)
    pair, named, items, split = jit(f).on("cuda:0")(x)
    expected = f(x)
    assert type(pair) is Pair and type(split) is Split
    assert pair.low is named["a"] is items[2][0] is split.low and split.high is x
    same(tuple(pair), tuple(expected[0]))
    same(named, expected[1])
    same(items, expected[2])
    assert type(items[1]) is np.float64 and split.count == 3


def test_arguments_in_containers_and_objects():
    @jit
    def step(p, arrays, named, numbers):
        p.low = p.low + arrays[0]
        arrays[1][:] = named["k"] * numbers[2]
        named["k"] += 1
        arrays.append(p.high * 2)
        return len(numbers)

    p = Split(np.zeros(3), np.ones(3), 0)
    arrays, named = [np.arange(3.0), np.zeros(3)], {"k": np.ones(3)}
    numbers = list(range(100))
    assert step.on("cuda:0")(p, arrays, named, numbers) == 100
    assert [type(a) for a in (p.low, *arrays)] == [np.ndarray] * 4
    np.testing.assert_array_equal(p.low, [0, 1, 2])
    np.testing.assert_array_equal(arrays[1], [2, 2, 2])
    np.testing.assert_array_equal(arrays[2], [2, 2, 2])
    np.testing.assert_array_equal(named["k"], [2, 2, 2])


TABLE = np.arange(20_000.0)


def test_global_arrays_go_to_the_device_whatever_their_size():
    def f(x):
        return x + TABLE[: len(x)]

    x = np.ones(20_000)
    same(jit(f).on("cuda:0")(x), f(x))


def test_scalars_empty_and_0d_arrays():
    check("def f(x, k):\n    return x.sum(), x.max() > k, x + k, len(x)", X, 3)
    check("def f(x, y):\n    y += x.sum()\n    return y * 2, x + y", X, np.array(2.0))
    f = jit(make("def f(x, y):\n    x *= 2\n    return x, x + 1, x[None], x.sum(), y + 1"))
    for empty in (np.zeros(0), np.zeros((3, 0, 2)), np.zeros((0, 4))[:, ::2]):
        expected = f(empty.copy(), np.ones(2))
        same(f.on("cuda:0")(empty, np.ones(2)), expected)
    assert type(f.on(0)(np.ones(2), np.ones(2))[3]) is np.float64


def test_numbers_alone_are_computed_in_the_host():
    assert jit(make("def f(n):\n    return np.arange(n).sum()")).on("cuda:0")(4) == 6


def test_keywords_defaults_and_rest():
    def f(x, /, y=2.0, *rest, scale, **more):
        return x * y * scale + sum(rest) + more["z"]

    g = jit(f).on("cuda:0")
    x, z = np.arange(3.0), np.ones(3)
    same(g(x, scale=3, z=z), f(x, scale=3, z=z))
    same(g(x, x, z, z, scale=np.float64(2), z=z), f(x, x, z, z, scale=2, z=z))
    with pytest.raises(TypeError, match=r"missing 1 required .*'scale'"):
        g(x)
    assert g.__name__ == "f" and "cuda:0" in repr(g)


class Filter:
    def __init__(self, taps):
        self.taps = taps
        self.calls = 0

    @jit
    def apply(self, x):
        self.calls += 1
        return x[1:] * self.taps[0] + x[:-1] * self.taps[1]

    on_device = apply.on("cuda:0")


def test_methods():
    one = Filter(np.array([0.25, 0.75]))
    x = np.arange(5.0)
    expected = one.apply(x)
    same(one.on_device(x), expected)
    same(Filter.apply.on("cuda:0")(one, x), expected)
    assert one.calls == 3


def test_devices_by_name_number_and_object():
    f, x = jit(make("def f(x):\n    return x + 1")), np.arange(3.0)
    for name in ("cuda:0", "cuda", 0, shapecast.devices()[0]):
        same(f.on(name)(x), x + 1)
    with pytest.raises(ValueError, match=r"f.on\('cpu'\): call f itself"):
        f.on("cpu")
    for bad in ("gpu", "cuda:", "cuda:x", "cuda:-1", -1, 10**30, True, None, 1.5):
        with pytest.raises(ValueError, match=r"no device .*: 'cuda' and 'cuda:1' are devices"):
            f.on(bad)
    with pytest.raises(DeviceError, match="there is no cuda:7: the machine has cuda:0"):
        f.on("cuda:7")(x)


def test_variants_are_the_functions_and_a_pickle_is_found_by_name():
    f = jit(make("def f(x):\n    return x + 1"))
    f(X), f.on(0)(X), f.on("cuda")(X)
    assert f.signatures() == ["x: float64[s0]", "x: float64[s0] on cuda:0"]
    again = pickle.loads(pickle.dumps(Filter.on_device))
    assert again._function is Filter.apply


def test_arrays_that_are_on_the_device_stay_there():
    f = jit(make("def f(x, y):\n    y[:] = x\n    return x + y, y[1:]")).on("cuda:0")
    y = to_device(np.zeros(3))
    total, tail = f(np.arange(3.0), y)
    same(total, np.array([0.0, 2, 4]))
    assert type(tail) is DeviceArray and tail.base is y
    np.testing.assert_array_equal(np.asarray(y), [0, 1, 2])


def test_what_is_stored_before_an_error_stays():
    def f(x, i, out):
        out[0] = -1
        for k in range(len(i)):
            out[k] = x[i[k]]

    x, i = np.arange(10.0), np.array([3, -1, 4, 11, 2])
    expected, out = np.zeros(5), np.zeros(5)
    with pytest.raises(IndexError):
        f(x, i, expected)
    with pytest.raises(IndexError, match="index 11 is out of bounds for axis 0") as error:
        jit(f).on("cuda:0")(x, i, out)
    assert "out[k] = x[i[k]]" in "\n".join(error.value.__notes__)
    np.testing.assert_array_equal(out, expected)

    def g(x, out):
        out += 1
        if x.sum() > 0:
            raise ValueError(x[:2] * 2)
        out += 1

    out = np.zeros((3, 2))[:, 0]
    with pytest.raises(ValueError, match=r"\[0. 2.\]"):
        jit(g).on("cuda:0")(x, out)
    np.testing.assert_array_equal(out, [1, 1, 1])


def test_in_a_jitted_function_it_is_the_function():
    inner = jit(make("def f(x, k):\n    x += k\n    return x * 2")).on("cuda:0")

    @jit
    def outer(x):
        return inner(x, k=1) + 1

    for f in (outer, outer.on("cuda:0")):
        x = np.zeros(3)
        same(f(x), np.full(3, 3.0))
        same(x, np.ones(3))
    assert [s.endswith("cuda:0") for s in outer.signatures()] == [False, True]


def test_many_threads_at_once():
    @jit
    def work(x, y):
        for k in range(len(x)):
            y[k] = x[k] * 2 + k
        x += 1
        return np.sort(x)[:2]

    wrong = []

    def run(seed):
        for _ in range(10):
            x, y = np.arange(50.0) + seed, np.zeros(50)
            least = work.on("cuda:0")(x, y)
            if list(least) != [seed + 1, seed + 2] or y[-1] != (seed + 49) * 2 + 49:
                wrong.append((seed, least, y))

    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_unaligned_arrays_beside_arrays_on_a_device():
    memory = np.zeros(25, "u1")[1:]
    x = memory.view("f8")
    x[:] = 1
    f = make("def f(x, y):\n    x += y")
    jit(f).on("cuda:0")(x, np.full(3, 2.0))
    np.testing.assert_array_equal(x, [3, 3, 3])
    y = to_device(np.zeros(3))
    jit(make("def f(x, y):\n    y += x"))(x, y)
    np.testing.assert_array_equal(np.asarray(y), [3, 3, 3])


def test_a_device_without_memory_leaves_the_arguments():
    code = """
    import numpy as np, shapecast
    f = shapecast.jit(lambda x: np.outer(x, x)).on("cuda:0")
    x = np.ones(1000)
    for x in (np.ones(100_000), np.ones(1000)):
        try:
            f(x)
        except MemoryError as error:
            print(error, x.sum())
    print(f(np.ones(5)).sum())
    """
    out = run(code, SHAPECAST_DRIVER_MEMORY="100000")
    assert out.count("cuda:0: CUDA_ERROR_OUT_OF_MEMORY: ") == 2
    assert out.endswith("25.0\n")


def test_stores_before_a_memory_error_stay():
    code = """
    import numpy as np, shapecast
    def f(x, n):
        x += 1
        total = x.sum()
        return np.zeros(n) + total
    x = np.zeros(3)
    try:
        shapecast.jit(f).on("cuda:0")(x, 10**6)
    except MemoryError:
        print(x)
    """
    assert run(code, SHAPECAST_DRIVER_MEMORY="4000000") == "[1. 1. 1.]\n"


def test_without_a_driver_the_call_says_so():
    code = """
    import numpy as np, shapecast
    f = shapecast.jit(lambda x: x + 1).on("cuda:0")  # modules that do this are imported
    try:
        f(np.ones(3))
    except shapecast.DeviceError as error:
        print(error)
    """
    out = run(code, SHAPECAST_CUDA_DRIVER="/nowhere/libcuda.so.1")
    assert "arrays on a device need an NVIDIA GPU and its driver" in out


def run(code, **environment):
    """The output of a program in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env=os.environ | {"SHAPECAST_CUDA_DRIVER": str(cuda.library()._name)} | environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_memory_of_the_copies_is_freed():
    f = jit(make("def f(x, k):\n    x += 1\n    return x[k] + x")).on("cuda:0")
    x = np.ones(1000)
    f(x, 1)
    cuda.call("cuCtxSynchronize")

    def free():
        return cuda.made(
            "cuMemGetInfo_v2", ctypes.byref(ctypes.c_size_t()), kind=ctypes.c_size_t
        ).value

    before = free(), shapecast._core.live_allocations()
    for _ in range(3):
        f(x, 1)
        with pytest.raises(IndexError):
            f(x, 1000)
    cuda.call("cuCtxSynchronize")
    assert (free(), shapecast._core.live_allocations()) == before


def test_functions_that_fall_back_to_python():
    def f(x):
        return eval("x + 1")

    with pytest.warns(RuntimeWarning, match="as plain Python"):
        result = jit(fallback=True)(f).on(0)(X)
    same(result, X + 1)


def test_structured_arrays():
    points = np.zeros(5, [("x", "f8"), ("n", "i4")])
    points["x"] = np.arange(5)

    def f(points):
        points["n"] = points["x"] * 2
        return points["x"].sum()

    assert jit(f).on("cuda:0")(points) == 10
    np.testing.assert_array_equal(points["n"], [0, 2, 4, 6, 8])


def slow_work():
    """Two seconds of work on the legacy default stream, which the device does not hurry with."""
    nap = ctypes.cast(ctypes.CDLL(None).usleep, ctypes.c_void_p)
    for _ in range(200):
        cuda.call("cuLaunchHostFunc", ctypes.c_void_p(1), nap, ctypes.c_void_p(10_000))


@pytest.mark.parametrize("waits", ["copy_to_host", "setitem", "to_device", "call"])
def test_ctrl_c_ends_waiting(waits):
    x, host = to_device(np.ones(3)), np.zeros(3)
    f = jit(make("def f(x):\n    x += 1\n    return x * 2")).on("cuda:0")
    f(host)
    slow_work()
    waiting = {
        "copy_to_host": x.copy_to_host,
        "setitem": lambda: x.__setitem__(0, 5),
        "to_device": lambda: to_device(np.ones(3)),
        "call": lambda: f(host),
    }
    interrupt = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
    started = time.perf_counter()
    interrupt.start()
    with pytest.raises(KeyboardInterrupt):
        waiting[waits]()
    assert time.perf_counter() - started < 1.5
    cuda.call("cuCtxSynchronize")
    np.testing.assert_array_equal(x.copy_to_host(), [1, 1, 1])
    np.testing.assert_array_equal(f(host), 2 * host)
