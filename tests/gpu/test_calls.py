"""Calls with arrays on a device: what a user sees of results, errors, memory, streams."""

from __future__ import annotations

import ctypes
import dataclasses
import gc
import os
import pickle
import subprocess
import sys
import textwrap

import numpy as np
import pytest
import shapecast
from shapecast import DeviceArray, DeviceError, UnsupportedError, jit, to_device
from support.compare import make
from support.device_arrays import OnDevice

from support import cuda


@pytest.fixture(autouse=True)
def device():
    cuda.start()
    yield
    cuda.call("shapecastDriverSeed", 0)


def same(actual, expected):
    assert type(actual) is DeviceArray
    if isinstance(expected, np.ndarray):
        assert actual.dtype == expected.dtype
    assert actual.shape == np.shape(expected)
    np.testing.assert_array_equal(np.asarray(actual), expected)


@jit
def smooth(x):
    y = x.copy()
    y[1:-1] = (x[:-2] + 2 * x[1:-1] + x[2:]) / 4
    return y


def test_one_function_for_arrays_of_the_host_and_of_devices():
    x = np.arange(10.0) ** 2
    expected = smooth(x)
    assert type(expected) is np.ndarray
    same(smooth(to_device(x)), expected)
    assert sum("cuda:0" in line for line in smooth.signatures()) == 1


def test_stores_are_seen_by_the_caller_and_views_share_memory():
    @jit
    def f(x):
        x[::2] = 7
        return x[::2], x

    x = to_device(np.arange(6.0))
    view, whole = f(x)
    assert whole is x
    same(x, [7, 1, 7, 3, 7, 5])
    view[1] = 0
    same(x, [7, 1, 0, 3, 7, 5])


def test_a_result_that_is_a_view_keeps_its_memory():
    @jit
    def f(x):
        y = x * 2
        return y[1:], y[::-1]

    first, second = f(to_device(np.arange(4.0)))
    gc.collect()
    same(first, [2, 4, 6])
    first[0] = -1
    del first
    gc.collect()
    same(second, [6, 4, -1, 0])


def test_memory_is_freed_with_the_last_array():
    free = cuda.made("cuMemGetInfo_v2", ctypes.byref(ctypes.c_size_t()), kind=ctypes.c_size_t)
    x = to_device(np.ones(1000))
    y = smooth(smooth(x))
    less = cuda.made("cuMemGetInfo_v2", ctypes.byref(ctypes.c_size_t()), kind=ctypes.c_size_t)
    assert less.value <= free.value - 2 * 8000
    del x, y
    gc.collect()
    cuda.call("cuCtxSynchronize")
    again = cuda.made("cuMemGetInfo_v2", ctypes.byref(ctypes.c_size_t()), kind=ctypes.c_size_t)
    assert again.value == free.value


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("return x[9]", "index 9 is out of bounds for axis 0 with size 4"),
        ("return x[i]", "index 7 is out of bounds for axis 0 with size 4"),
        ("return x + i[:2]", r"could not be broadcast together with shapes \(4,\) \(2,\)"),
        ("raise ValueError(x * 2)", r"\[0. 2. 4. 6.\]"),
        ("raise ValueError(f'{x} and {x[::-1] + 1!r}')", r"\[0. 1. 2. 3.\] and array\(\[4., 3."),
        ("return x[:0].max()", "zero-size array to reduction operation maximum"),
        ("y = np.broadcast_to(x, (2, 4))\n    y[0] = 1", "read-only"),
    ],
)
def test_errors_are_numpys_at_the_users_line(body, error):
    f = make(f"def f(x, i):\n    {body}")
    x, i = np.arange(4.0), np.array([0, 7, 1])
    with pytest.raises(Exception, match=error) as expected:
        f(x, i)
    with pytest.raises(type(expected.value), match=error) as found:
        jit(f)(to_device(x), to_device(i))


def test_errors_have_the_line_with_a_caret():
    f = jit(make("def f(x):\n    y = x + 1\n    return y[9]"))
    with pytest.raises(IndexError) as error:
        f(to_device(np.arange(4.0)))
    assert "return y[9]" in "\n".join(error.value.__notes__)


def test_a_failing_loop_has_stored_what_python_stores():
    def f(x, i, out):
        for k in range(len(i)):
            out[k] = x[i[k]]

    x, i = np.arange(10.0), np.array([3, -1, 4, 11, 2])
    expected, out = np.zeros(5), to_device(np.zeros(5))
    with pytest.raises(IndexError):
        f(x, i, expected)
    with pytest.raises(IndexError, match="index 11 is out of bounds for axis 0 with size 10"):
        jit(f)(to_device(x), to_device(i), out)
    same(out, expected)


@pytest.mark.parametrize("name", ["independent", "recurrence"])
def test_an_error_that_the_function_catches_leaves_what_was_stored_before(name):
    def independent(x, i, out):
        try:
            for k in range(len(i)):
                out[k] = x[i[k]]
        except IndexError:
            out[0] = -1
        out *= 2

    def recurrence(x, i, out):
        try:
            for k in range(1, len(i)):
                out[k] = out[k - 1] + x[i[k]]
        except IndexError:
            out[0] = -1
        out *= 2

    f = {"independent": independent, "recurrence": recurrence}[name]
    x, i = np.arange(1.0, 7), np.array([1, 2, 3, 40, 1])
    expected, out = np.zeros(5), to_device(np.zeros(5))
    f(x, i, expected)
    jit(f)(to_device(x), to_device(i), out)
    same(out, expected)
    assert expected[2] != 0


def mandelbrot(c, out, limit):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            z = 0j
            k = 0
            while k < limit and abs(z) < 2:
                z = z * z + c[i, j]
                k += 1
            out[i, j] = k


def test_a_loop_of_independent_iterations_is_one_kernel():
    c = np.linspace(-2, 1, 40) + 1j * np.linspace(-1.2, 1.2, 30)[:, None]
    expected, out = np.zeros(c.shape, int), to_device(np.zeros(c.shape, int))
    mandelbrot(c, expected, 50)
    on_device = to_device(c)
    f = jit(mandelbrot)
    f(on_device, out, 50)
    same(out, expected)
    cuda.start()
    f(on_device, out, 50)
    cuda.call("cuCtxSynchronize")
    assert cuda.counters().launches == 1
    assert cuda.counters().blocks == 2 * 4  # of 32 x 8 threads, for 40 x 30 points


def test_integers_are_divided_as_pythons_in_a_kernel():
    """Also those that are no float64: the quotient is rounded once."""

    @jit
    def quotients(a, b, out):
        for i in range(len(a)):
            out[i] = int(a[i]) / int(b[i])

    generator = np.random.default_rng(1)
    edges = np.array([1, -1, 3, 2**53 + 1, -(2**62), 2**63 - 1, -(2**63), 7, 0])
    wide = generator.integers(-(2**63), 2**63 - 1, 300) >> generator.integers(0, 63, 300)
    a = np.concatenate([np.repeat(edges, len(edges)), wide])
    b = np.concatenate([np.tile(edges, len(edges)), wide[::-1]])
    b[b == 0] = 5
    out = to_device(np.zeros(len(a)))
    quotients(to_device(a), to_device(b), out)
    expected = [x / y for x, y in zip(a.tolist(), b.tolist())]
    assert np.asarray(out).tolist() == expected
    assert "by the host, on copies" not in str(quotients.explain())


def test_a_recurrence_is_right():
    def f(x):
        for k in range(1, len(x)):
            x[k] += 0.5 * x[k - 1]

    x = np.arange(50.0)
    y = to_device(x)
    f(x)
    jit(f)(y)
    same(y, x)


def test_lists_and_objects_with_device_arrays():
    @dataclasses.dataclass
    class Particles:
        position: object
        mass: float

    @jit
    def step(p, n):
        p.position[:] = p.position * p.mass
        frames = []
        for _ in range(n):
            frames.append(p.position + 1)
        return frames, {"last": frames[-1]}

    p = Particles(to_device(np.arange(3.0)), 2.0)
    frames, named = step(p, 3)
    same(p.position, [0, 2, 4])
    assert len(frames) == 3
    same(frames[1], [1, 3, 5])
    same(named["last"], [1, 3, 5])


TAPS = np.array([0.25, 0.5, 0.25])


def test_small_arrays_of_the_host_meet_arrays_on_a_device():
    @jit
    def f(x):
        return x[:3] * TAPS + np.array([1, 2, 3]), TAPS.sum()

    result, total = f(to_device(np.ones(5)))
    same(result, [1.25, 2.5, 3.25])
    assert total == 1
    add = jit(lambda x, y: x + y)
    same(add(to_device(np.ones(3)), np.arange(3.0)), [1, 2, 3])
    with pytest.raises(TypeError, match="only arrays of at most 65536 bytes are copied to cuda:0"):
        add(to_device(np.ones(10_000)), np.ones(10_000))
    with pytest.raises(TypeError, match="different devices"):
        jit(make("def f(x, y):\n    x[:] = y"))(np.ones(3), to_device(np.ones(3)))


def test_printing_waits_for_the_values(capfd):
    jit(make("def f(x):\n    print('x:', x * 2, x.sum())"))(to_device(np.arange(3.0)))
    assert capfd.readouterr().out == "x: [0. 2. 4.] 3.0\n"


def test_calls_do_not_wait():
    """The driver of the tests does the work of a stream when somebody waits for it."""
    x = to_device(np.ones(1000))
    smooth(x)
    cuda.call("cuCtxSynchronize")
    cuda.start()
    y = smooth(x)
    queued = cuda.counters().warp_instructions
    np.asarray(y)
    assert queued == 0 < cuda.counters().warp_instructions


def test_work_waits_for_the_streams_of_the_arguments():
    """y is computed on a stream of its own, which nobody has waited for."""
    stream = cuda.made("cuStreamCreate", 1)
    x, y = to_device(np.zeros(64)), to_device(np.zeros(64))
    address = y.__cuda_array_interface__["data"][0]
    one = np.float64(1).view("u8")
    high = ctypes.c_uint64(address + 4)
    cuda.call("cuMemsetD32Async", high, int(one) >> 32, ctypes.c_size_t(1), stream)
    other = OnDevice(y, 0, np.zeros(64))
    other.interface["stream"] = stream.value
    result = jit(lambda x, y: x + y)(x, other)
    assert np.asarray(result)[0] == 1
    cuda.call("cuStreamSynchronize", stream)


def test_arrays_on_two_devices_are_an_error_that_names_them():
    code = """
    import numpy as np, shapecast
    x, y = shapecast.to_device(np.ones(3)), shapecast.to_device(np.ones(3), "cuda:1")
    assert [str(d) for d in shapecast.devices()] == ["cuda:0", "cuda:1"]
    add = shapecast.jit(lambda x, y: x + y)
    print(np.asarray(add(y, y)), add(y, y).device)
    try:
        add(x, y)
    except TypeError as error:
        print(error)
    """
    out = run(code, SHAPECAST_DRIVER_DEVICES="2")
    assert "[2. 2. 2.] cuda:1\n" in out
    assert "arrays on two devices, 'x' on cuda:0 and 'y' on cuda:1; copy one of them" in out


def run(code: str, **environment: str) -> str:
    """The output of a program in a process of its own."""
    driver = str(cuda.library()._name)
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env=os.environ | {"SHAPECAST_CUDA_DRIVER": driver} | environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_without_a_driver_there_are_no_devices():
    code = """
    import numpy as np, shapecast
    print(shapecast.devices())
    try:
        shapecast.to_device(np.ones(3))
    except shapecast.DeviceError as error:
        print(error)
    """
    out = run(code, SHAPECAST_CUDA_DRIVER="/nowhere/libcuda.so.1")
    assert out.startswith("[]\n")
    assert "arrays on a device need an NVIDIA GPU and its driver" in out


def test_a_device_without_memory_is_a_memory_error():
    code = """
    import numpy as np, shapecast
    x = shapecast.to_device(np.ones(1000))
    f = shapecast.jit(lambda x: np.outer(x, x))
    for make in (lambda: shapecast.to_device(np.ones(100_000)), lambda: f(x)):
        try:
            make()
        except MemoryError as error:
            print(error)
    print(np.asarray(x).sum())
    """
    out = run(code, SHAPECAST_DRIVER_MEMORY="100000")
    assert out.count("cuda:0: CUDA_ERROR_OUT_OF_MEMORY: ") == 2
    assert out.endswith("1000.0\n")


def test_a_forked_process_is_told_what_to_do():
    code = """
    import multiprocessing, numpy as np, shapecast
    x = shapecast.to_device(np.ones(3))
    def child():
        for use in (lambda: shapecast.to_device(np.ones(3)), lambda: np.asarray(x), lambda: f(x)):
            try:
                use()
            except shapecast.DeviceError as error:
                print(error, flush=True)
    f = shapecast.jit(lambda x: x + 1)
    f(x)
    process = multiprocessing.get_context("fork").Process(target=child)
    process.start()
    process.join()
    print(process.exitcode, np.asarray(x).sum())
    """
    out = run(code)
    assert out.count("CUDA's driver was used before this process was forked") == 3
    assert "'spawn'" in out
    assert out.endswith("0 3.0\n")


def test_kernels_are_found_on_disk(tmp_path):
    file = tmp_path / "program.py"
    file.write_text(
        textwrap.dedent("""
        import numpy as np, shapecast
        @shapecast.jit
        def f(x):
            return np.exp(x).sum(), x * 2
        total, twice = f(shapecast.to_device(np.zeros(5)))
        print(total, np.asarray(twice).sum(), "found on disk" in str(f.explain()))
        """)
    )
    environment = os.environ | {
        "SHAPECAST_CUDA_DRIVER": str(cuda.library()._name),
        "SHAPECAST_CACHE_DIR": str(tmp_path / "cache"),
    }
    for found in ("False", "True"):
        done = subprocess.run(
            [sys.executable, file], env=environment, capture_output=True, text=True, check=True
        )
        assert done.stdout == f"5.0 0.0 {found}\n"


def test_arrays_of_devices_as_objects():
    x = to_device(np.arange(6.0).reshape(2, 3))
    assert (x.shape, x.strides, x.ndim, x.size, x.nbytes) == ((2, 3), (24, 8), 2, 6, 48)
    assert (x.itemsize, x.dtype, x.device, len(x)) == (8, np.float64, "cuda:0", 2)
    assert repr(x[0]) == "DeviceArray([0., 1., 2.], device='cuda:0')"
    same(x[:, ::-1], [[2, 1, 0], [5, 4, 3]])
    same(x[..., None, 1], [[1], [4]])
    same(x[1, 2], 5.0)
    assert float(x[1, 2]) == x[1, 2].item() == 5
    x[0] = 7
    x[1, 1:].copy_from_host([8, 9])
    same(x, [[7, 7, 7], [3, 8, 9]])
    assert to_device(x) is x
    same(to_device(np.asfortranarray(np.eye(2, 3))), np.eye(2, 3))
    same(to_device([[1, 2], [3, 4]]), np.array([[1, 2], [3, 4]]))
    assert np.sum(x) == 41  # NumPy copies it
    assert [int(v) for v in x[1]] == [3, 8, 9]
    with pytest.raises(IndexError, match="out of bounds"):
        x[5]
    same(x[np.int8(1), np.array(2)], 9.0)
    for index in ([0, 1], np.array([0, 1]), np.array([True, False]), True, np.True_, 1.0):
        with pytest.raises(TypeError, match="is indexed by integers and slices outside of jitted"):
            x[index]
        with pytest.raises(TypeError, match="is indexed by integers and slices outside of jitted"):
            x[index] = 5
    for swapped in (">i2", ">i8", ">f4", ">f8", ">c16"):
        same(to_device(np.array([1, 2], swapped)), np.array([1, 2], swapped[1:]))
    with pytest.raises(TypeError, match="is not pickled; take copy_to_host"):
        pickle.dumps(x)
    with pytest.raises(TypeError, match="dtype <U1 cannot be on a device"):
        to_device(np.array(["a"]))
    with pytest.raises(ValueError, match="no device 'gpu'"):
        to_device(np.ones(2), "gpu")
    with pytest.raises(DeviceError, match="there is no cuda:9"):
        to_device(np.ones(2), 9)


def test_arrays_with_a_mask_are_refused():
    x = to_device(np.arange(3.0))

    class Masked:
        __cuda_array_interface__ = {**x.__cuda_array_interface__, "mask": x}

    with pytest.raises(UnsupportedError, match=r"argument 'x' of .* has a mask"):
        jit(make("def f(x):\n    return x + x"))(Masked())


def test_devices_are_described():
    (one,) = shapecast.devices()
    assert str(one) == "cuda:0" and one.ordinal == 0
    assert one.memory_bytes > 0 and one.multiprocessors > 0
    assert one.compute_capability >= (7, 0)
    assert to_device(np.ones(1), one).device == "cuda:0"


def test_a_kernel_that_fails_raises_with_the_drivers_words():
    """A freed array of another library: the driver finds the access."""
    memory = cuda.DeviceMemory(800)
    stale = OnDevice(to_device(np.ones(1)), 0, np.ones(100))
    stale.interface["data"] = (memory.address.value, False)
    memory.free()
    result = jit(lambda x: x + 1)(stale)
    with pytest.raises(DeviceError, match="cuda:0: CUDA_ERROR_ILLEGAL_ADDRESS"):
        np.asarray(result)
    cuda.start()


def test_explain_lists_what_the_host_does():
    @jit
    def f(x):
        np.random.shuffle(x)
        if x.sum() > 3:
            x += x[0]
        for k in range(1, len(x)):
            x[k] += x[k - 1]
        return x * 2

    f(to_device(np.arange(4.0)))
    text = str(f.explain())
    first = f.__wrapped__.__code__.co_firstlineno
    for offset, done in [
        (2, "fill_shuffle: by the host, on copies"),
        (3, "the host waits for a number"),
        (5, "a loop over elements: by the host, on copies"),
    ]:
        assert f"{done} (line {first + offset})" in text
    smooth(to_device(np.ones(5)))
    assert "host" not in str(smooth.explain())


def test_kernels_are_compiled_ahead_of_the_first_call():
    f = jit(make("def f(x):\n    return x * 3"))
    assert f.compile(shapecast.spec("f8", 1, device="cuda:0")) == "x: float64[s0] on cuda:0"
    same(f(to_device(np.ones(3))), [3, 3, 3])
    assert len(f.signatures()) == 1
