"""Kernels do what NumPy does: their PTX runs on the driver of the tests (driver/README.md)."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from gpu.cases import CASES, copies
from support.compare import jitted, make
from support.device_arrays import call_of, with_scalars

from support import cuda


@pytest.fixture(autouse=True)
def device():
    cuda.start()
    yield
    cuda.call("shapecastDriverSeed", 0)


def same(actual, expected, source):
    """Equal in integers and to float64's or float32's last places in sums."""
    actual, expected = np.asarray(actual), np.asarray(expected)
    if actual.dtype.kind in "fc":
        eps = np.finfo(actual.dtype).eps
        np.testing.assert_allclose(
            actual, expected, rtol=16 * eps, atol=64 * eps * (1 + np.nansum(np.abs(source)))
        )
    else:
        np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("name", CASES)
def test_kernels_do_what_numpy_does(name):
    function, arguments = CASES[name]
    expected, actual = copies(arguments), copies(arguments)
    with np.errstate(all="ignore"):
        returned = function(*expected)
    result = call_of(jitted(function), *actual)
    source = np.asarray(arguments[0]).astype("c16")
    if returned is not None:
        result = with_scalars(result, returned)
        assert type(result) is type(returned)
        same(result, returned, source)
    reduces = any(word in function.__code__.co_names for word in ("sum", "mean"))
    for a, b in zip(actual, expected):
        if isinstance(a, np.ndarray) and (reduces or a.dtype.kind == "c"):
            same(a, b, source)
        elif isinstance(a, np.ndarray):
            np.testing.assert_array_equal(a, b)


SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 5e-324, 1e-310, 1e-45, 1e-40]
RANGES = {"exp": [(-0.4, 0.4), (-20, 20), (-750, 720), (-105, 90)], "log": [(0.5, 2), (0, 1e5)]}


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("name", ["exp", "log"])
def test_math_of_devices_is_accurate(name, dtype):
    generator = np.random.default_rng(1)
    spread = [generator.uniform(low, high, 400) for low, high in RANGES[name]]
    powers = 2.0 ** generator.uniform(-1070, 1000, 400) if dtype == "f8" else []
    with np.errstate(all="ignore"):
        x = np.concatenate([SPECIAL, *spread, powers if name == "log" else []]).astype(dtype)
        expected = getattr(np, name)(x)
    out = np.empty_like(x)
    call_of(jitted(make(f"def f(x, out):\n    out[:] = np.{name}(x)\n")), x, out)
    ordinary = np.isfinite(expected) & (np.abs(expected) >= np.finfo(dtype).tiny)
    np.testing.assert_array_equal(out[~np.isfinite(expected)], expected[~np.isfinite(expected)])
    mpmath.mp.prec = 200
    worst = 0.0
    for a, b in zip(x[ordinary], out[ordinary]):
        exact = getattr(mpmath, name)(mpmath.mpf(float(a)))
        unit = float(np.spacing(np.abs(np.asarray(float(exact), dtype))))
        worst = max(worst, float(abs(mpmath.mpf(float(b)) - exact)) / unit)
    assert worst <= 1.0
    rest = np.isfinite(expected) & ~ordinary  # zeros and subnormal numbers
    np.testing.assert_allclose(
        out[rest], expected[rest], rtol=0, atol=np.finfo(dtype).smallest_subnormal
    )


@pytest.mark.parametrize("name", ["total", "row_sums", "column_sums", "normalised"])
def test_results_do_not_depend_on_the_order_of_threads_and_blocks(name):
    function, arguments = CASES[name]
    kernel = jitted(function)
    runs = []
    for seed in (0, 1, 2, 3):
        actual = copies(arguments)
        cuda.call("shapecastDriverSeed", seed)
        result = call_of(kernel, *actual)
        runs.append([np.asarray(result).tobytes(), *(a.tobytes() for a in actual)])
    assert all(one == runs[0] for one in runs)
