"""Devices in array types: where results live, what cannot be mixed, errors of calls."""

from __future__ import annotations

import numpy as np
import pytest
from shapecast import DeviceError, UnsupportedError, jit, spec, to_device
from support.compare import make


def device(dtype, ndim=1, name="cuda:0"):
    return spec(dtype, ndim, device=name)


class OnCuda:
    """An array with CuPy's interface; its address is no valid one."""

    def __init__(self, shape, typestr="<f8", strides=None, number=0, readonly=False):
        self.number = number
        self.__cuda_array_interface__ = {
            "shape": shape,
            "typestr": typestr,
            "strides": strides,
            "data": (0x7F0000000000, readonly),
            "version": 3,
        }

    def __dlpack_device__(self):
        return 2, self.number


@jit
def total_and_double(x):
    return x.sum(), x * 2, x.sum(axis=0), x[::2].T, np.zeros_like(x)


def test_results_live_where_their_operands_live():
    total, *arrays = total_and_double.infer(device("f8", 2))
    assert (total.device, total.shape) == ("cuda:0", ())  # a scalar of the host's
    assert [a.device for a in arrays] == ["cuda:0"] * 4
    assert [a.device for a in total_and_double.infer(spec("f8", 2))] == ["cpu"] * 5
    assert repr(arrays[0]) == "float64[s0, s1] on cuda:0"


def test_new_arrays_live_with_the_arguments():
    @jit
    def f(x):
        return np.arange(7), np.zeros(x.shape) + x

    assert [a.device for a in f.infer(device("f8"))] == ["cuda:0", "cuda:0"]
    assert [a.device for a in f.infer(spec("f8", 1))] == ["cpu", "cpu"]


def test_functions_of_both_host_and_device_arrays_keep_them_apart():
    @jit
    def f(x, y):
        return x + 1, np.ones_like(y) * y, np.zeros(3), y.argmax(), np.concatenate([y, y])

    results = f.infer(spec("f8", 1), device("f8"))
    assert [r.device for r in results] == ["cpu", "cuda:0", "cuda:0", "cuda:0", "cuda:0"]


@pytest.mark.parametrize(
    "body",
    ["return x + y", "return np.where(x > 0, x, y)", "x[:] = y", "x += y", "return x @ y",
     "return np.concatenate([x, y])"],
)  # fmt: skip
def test_arrays_on_two_devices_in_one_operation_are_a_type_error(body, tmp_path):
    f = jit(make(f"def f(x, y):\n    {body}\n"))
    with pytest.raises(TypeError, match=r"different devices: .* on cuda:0.* on cuda:1"):
        f.infer(device("f8"), device("f8", name="cuda:1"))


def test_a_variable_may_be_on_one_device_or_another():
    @jit
    def f(x, y):
        if x[0] > 0:
            x = y
        return x

    y = to_device(np.ones(3))
    assert f(np.ones(3), y) is y
    assert type(f(np.zeros(3), y)) is np.ndarray


@pytest.mark.parametrize("body", ["x[:] = y", "x += y"])
def test_stores_into_the_host_take_arrays_of_the_host(body):
    f = jit(make(f"def f(x, y):\n    {body}\n"))
    with pytest.raises(TypeError, match=r"different devices: float64.* on cpu.* on cuda:0"):
        f.infer(spec("f8", 1), device("f8"))


@jit
def doubled(x):
    return x * 2


def test_a_device_that_is_not_there_is_an_error_with_its_name():
    with pytest.raises(DeviceError, match="there is no cuda:7: the machine has"):
        doubled(OnCuda((5,), number=7))
    np.testing.assert_array_equal(doubled(np.ones(2)), [2, 2])  # the host is not disturbed


def test_dtype_layout_and_device_come_from_the_interface():
    @jit
    def f(x):
        return x

    described = f.infer(OnCuda((4, 6), "<f4", number=2))
    assert (described.dtype, described.ndim, described.device) == (np.float32, 2, "cuda:2")
    stages = doubled.stages(OnCuda((4, 6), strides=(96, 16), readonly=True))
    assert '!np.array<s0 x s1 x f64, strided, readonly, "cuda:0">' in stages["infer"]
    assert '!np.array<s0 x s1 x f64, F, "cuda:0">' in doubled.stages(
        OnCuda((4, 6), strides=(8, 32))
    )["infer"]  # fmt: skip


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (OnCuda((4,), "<M8[s]"), "dtype datetime64"),
        (OnCuda((4,), ">f8"), "dtype >f8"),
        (OnCuda((4,), strides=(12,)), "unaligned array on a device"),
        (OnCuda("four"), "no valid __cuda_array_interface__"),
    ],
    ids=["dtype", "byte order", "unaligned", "interface"],
)
def test_device_arrays_that_cannot_be_compiled_are_refused(array, message):
    with pytest.raises(UnsupportedError, match=message):
        doubled.infer(array)


def test_devices_that_are_not_cuda_are_named():
    class OnRocm:
        def __dlpack_device__(self):
            return 10, 3

    with pytest.raises(UnsupportedError, match=r"is on the DLPack device \(10, 3\)"):
        doubled(OnRocm())


def test_fallback_runs_device_arrays_as_plain_python():
    class Doubles(OnCuda):
        def __mul__(self, other):
            return "plain"

    f = jit(lambda x: x * 2, fallback=True)
    with pytest.warns(RuntimeWarning, match="unaligned array on a device"):
        assert f(Doubles((3,), strides=(12,))) == "plain"


def test_specs_name_devices():
    assert repr(spec("f8", 2, device="cuda")) == "spec(float64, 2, device='cuda:0')"
    assert repr(spec("f8", 2)) == "spec(float64, 2)"
    for wrong in ("gpu", "cuda:x", "cpu:0", ""):
        with pytest.raises(ValueError, match="are devices"):
            spec("f8", 1, device=wrong)
