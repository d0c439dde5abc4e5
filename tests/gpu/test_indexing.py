"""Masks and index arrays on a device: kernels of src/kernels, nothing by the host."""

from __future__ import annotations

import numpy as np
import pytest
from gpu.test_products import DTYPES, LAYOUTS, values
from shapecast import jit, to_device
from support.compare import make
from support.device_arrays import Transfer

from support import cuda


@pytest.fixture(autouse=True)
def device():
    cuda.start()
    yield
    cuda.call("shapecastDriverSeed", 0)


def run(f, *arguments: np.ndarray, reads: int | None = None) -> cuda.Counters:
    """The counters of a call whose results, and what it stores, are as NumPy's."""
    transfer = Transfer()
    sent = transfer.send(arguments)
    cuda.call("cuCtxSynchronize")
    cuda.start()
    got = jit(f)(*sent)
    cuda.call("cuCtxSynchronize")
    counters = cuda.counters()
    if reads is not None:
        assert counters.bytes_to_host == reads
    expected = [a.copy(order="K") for a in arguments]
    same(got, f(*expected))
    for own, want in zip(sent, expected, strict=True):
        same(shared(own), want)
    return counters


def shared(own: object) -> np.ndarray:
    """What an array on the device holds now."""
    return np.asarray(jit(make("def f(x):\n    return x.copy()"))(own))


def same(got: object, want: object) -> None:
    if isinstance(want, tuple):
        assert len(got) == len(want)
        for one, other in zip(got, want, strict=True):
            same(one, other)
    elif want is not None:
        got = np.asarray(got)
        assert (got.shape, got.dtype) == (np.shape(want), np.asarray(want).dtype)
        np.testing.assert_array_equal(got, want)


def mask_of(shape: tuple[int, ...], layout: str = "C", share: float = 0.4) -> np.ndarray:
    return np.asarray(values(shape, "d", layout, 7) > np.float64(0.5 - share))


def select(x, m):
    return x[m]


def store(x, m, v):
    x[m] = v


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_masks_of_every_dtype(dtype, layout):
    x, m = values((37, 19), dtype, layout), mask_of((37, 19), layout)
    assert run(select, x, m, reads=8).launches == 5
    v = values((int(m.sum()),), dtype, "reversed", 3)
    run(store, x, m, v, reads=8)


@pytest.mark.parametrize("n", [0, 1, 31, 33, 255, 4095, 4097, 12_289])
@pytest.mark.parametrize("share", [-9.0, 0.1, 9.0])
def test_masks_of_every_size(n, share):
    x, m = values((n,), "d"), mask_of((n,), share=share)
    run(select, x, m)
    run(store, x, m, values((int(m.sum()),), "d", "strided", 2))
    run(lambda m: (np.flatnonzero(m), np.count_nonzero(m)), m)


def test_more_chunks_than_a_block_has_threads():
    x = values((4096 * 300 + 5,), "b")
    run(lambda x: (x[x > 90], np.flatnonzero(x == 7)), x, reads=16)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_masks_of_rows(layout):
    x, m = values((40, 6, 5), "d", layout), mask_of((40,))
    run(select, x, m, reads=8)
    run(select, x, mask_of((40, 6), layout), reads=8)
    run(store, x, m, values((int(m.sum()), 6, 5), "d", "F", 4), reads=8)
    run(store, x, m, values((5,), "d", "C", 4), reads=8)
    run(lambda x, m: x[:, m], x, mask_of((6,)), reads=8)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("shape", [(50,), (7, 11), (3, 4, 5), (2, 3, 2, 3, 2, 3)])
def test_nonzero(shape, layout):
    run(lambda x: (*np.nonzero(x), np.argwhere(x)), values(shape, "?", layout))
    run(lambda x: np.where(x > 0), values(shape, "d", layout))


def test_masks_with_many_axes():
    shape = (2, 1, 3, 2, 2, 2, 1, 2, 2)
    run(
        lambda x: x[x > 0],
        np.asfortranarray(values(shape, "d")).transpose(3, 1, 0, 2, 5, 4, 8, 7, 6),
    )


def test_masks_and_values_that_overlap_what_is_stored():
    def f(x, m):
        m[m] = False
        x[m] = x[: m.sum()]
        y = x[::-1]
        n = x > 0
        y[n] = x[: n.sum()]

    run(f, values((60,), "d"), mask_of((60,)))


def test_a_mask_of_another_size_is_numpys_error():
    with pytest.raises(IndexError, match="boolean index did not match"):
        jit(select)(to_device(values((5,), "d")), to_device(mask_of((6,))))
    x, m, v = to_device(values((5,), "d")), to_device(np.ones(5, bool)), to_device(np.ones(3))
    with pytest.raises(ValueError, match="cannot assign 3 input values to the 5 output values"):
        jit(store)(x, m, v)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_index_arrays_of_every_dtype(dtype, layout):
    x, i = values((23, 9), dtype, layout), np.array([[3, -1, 0], [22, 3, -23]])
    run(lambda x, i: x[i], x, i, reads=8)
    v = values((2, 3, 9), dtype, layout, 5)
    run(store, x, i, v, reads=8)


@pytest.mark.parametrize("dtype", "b h i q B H I Q".split())
def test_every_dtype_of_index_arrays(dtype):
    x = values((40,), "d")
    i = values((100,), "q").astype(dtype) % 40
    run(lambda x, i: x[i], x, i, reads=8)
    run(store, x, i, values((100,), "d", "C", 1), reads=8)


def test_the_last_of_equal_indices_stores():
    i = np.random.default_rng(0).integers(-50, 50, 5000)
    for seed in range(3):
        cuda.call("shapecastDriverSeed", seed)
        run(store, np.zeros(50), i, np.arange(5000.0), reads=8)
        run(store, np.zeros((50, 3)), i[:500], values((500, 3), "d"), reads=8)
    run(store, np.zeros(50), i, np.array([7.0]), reads=8)


def test_several_index_arrays():
    x = values((7, 8, 9), "i", "F")
    i, j, k = np.array([1, -2, 6]), np.array([[0], [7]]), np.array([8, 0, -9])
    run(lambda x, i, j, k: (x[i, j], x[i, :, k], x[:, j, k], x[i, j, k]), x, i, j, k)
    run(store_pairs, x, i, j, values((2, 3, 9), "i"))


def store_pairs(x, i, j, v):
    x[i, j] = v
    x[:, j, i] += 1


def test_indices_out_of_bounds_are_numpys_error():
    x, out = to_device(np.arange(5.0)), to_device(np.zeros(5))
    i = to_device(np.array([1, 2, 7, 9]))
    with pytest.raises(IndexError, match="index 7 is out of bounds for axis 0 with size 5"):
        jit(select)(x, i)
    with pytest.raises(IndexError, match="index 7 is out of bounds for axis 0 with size 5"):
        jit(store)(out, i, to_device(np.ones(4)))
    np.testing.assert_array_equal(np.asarray(out), np.zeros(5))
    f = jit(make("def f(x, i):\n    return x[:, i]"))
    with pytest.raises(IndexError, match="index -6 is out of bounds for axis 1 with size 5"):
        f(to_device(np.ones((2, 5))), to_device(np.array([-6])))


def test_take_and_put_along_axes():
    x, i = values((6, 9), "d"), np.argsort(values((6, 9), "d", "C", 3), axis=1)
    run(lambda x, i: (np.take_along_axis(x, i, 1), np.take(x, i[0] % 6, axis=0)), x, i)


@pytest.mark.parametrize("f", [select, lambda x, m: np.flatnonzero(m)])
def test_explain_names_what_is_waited_for(f):
    g = jit(f)
    g(to_device(values((50,), "d")), to_device(mask_of((50,))))
    assert "the host waits for a number" in str(g.explain())
    assert "by the host" not in str(g.explain())


@pytest.mark.parametrize("dtype", "? b h i q B H I Q e f d F D".split())
@pytest.mark.parametrize("side", ["left", "right"])
def test_searches(dtype, side):
    def f(line, x):
        return np.searchsorted(line, x, side=side)

    line, x = np.sort(values((100,), dtype)), values((700,), dtype, "C", 2)
    if dtype in "efdFD":
        line[-3:] = np.nan
        x[::7] = np.nan
        x[1::7] = line[5]
    for size in (0, 1, 100):
        run(f, line[:size], x, reads=0)
    if dtype not in "FD":
        run(lambda line, x: np.digitize(x, line), line[:90], x)


def test_searches_in_lists_and_for_numbers():
    x = values((300,), "d")
    run(lambda x: (np.digitize(x, [-1, 0, 0.5]), np.searchsorted(x[:1], 0.5)), x)
