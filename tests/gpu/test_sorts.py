"""Sorts on a device: kernels of src/kernels, nothing by the host."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from gpu.test_indexing import same, shared
from gpu.test_products import DTYPES, LAYOUTS, values
from shapecast import jit, to_device
from support.compare import make
from support.device_arrays import Transfer

from support import cuda

FLOATS = "efdFD"


@pytest.fixture(autouse=True)
def device():
    cuda.start()
    yield
    cuda.call("shapecastDriverSeed", 0)


def run(f, x: np.ndarray) -> cuda.Counters:
    """The counters of a call that copies nothing, and whose result and stores are NumPy's."""
    (sent,) = Transfer().send((x,))
    cuda.call("cuCtxSynchronize")
    cuda.start()
    got = f(sent)
    cuda.call("cuCtxSynchronize")
    counters = cuda.counters()
    assert (counters.bytes_to_host, counters.bytes_to_device) == (0, 0)
    expected = x.copy(order="K")
    same(got, f.__wrapped__(expected))
    same(shared(sent), expected)
    return counters


@jit
def sort(x):
    return np.sort(x)


@jit
def stable(x):
    return np.argsort(x, kind="stable")


@jit
def both(x):
    return np.sort(x), np.argsort(x, kind="stable")


@jit
def along_columns(x):
    return np.sort(x, 0), np.argsort(x, 0, kind="stable")


@jit
def in_place(x):
    x.sort()


@jit
def columns_in_place(x):
    x[1:].sort(axis=0)


def with_nans(x: np.ndarray) -> np.ndarray:
    """Every seventh a NaN, some zeros of both signs."""
    flat = x.reshape(-1) if x.flags.c_contiguous else x
    if x.dtype.kind in "fc" and flat.ndim == 1:
        flat[::7] = np.nan
        flat[1::5] = 0.0
        flat[2::5] = -0.0
    return x


def test_nothing_is_copied_and_explain_says_so():
    for f, launches in (sort, 3), (stable, 2):
        assert run(f, values((4000,), "d")).launches == launches
        assert not {"host"} & set(str(f.explain()).split())


@pytest.mark.parametrize("dtype", DTYPES)
def test_lengths(dtype):
    for n in (0, 1, 2, 31, 1000, 2047, 2049, 5000):
        run(both, with_nans(values((n,), dtype)))


def test_many_merges():
    run(both, with_nans(values((70_000,), "f")))
    run(sort, values((20_000,), "D"))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_rows_of_every_layout(dtype, layout):
    x = values((70, 33), dtype, layout)
    run(both, x)
    run(along_columns, x)


@pytest.mark.parametrize("shape", [(300, 3), (1000, 1), (3, 2500), (2500, 3), (1, 4097)])
def test_few_and_many_rows(shape):
    for dtype in "bfd":
        run(both, values(shape, dtype))
        run(along_columns, values(shape, dtype))


@pytest.mark.parametrize("axis", [0, 1, 2, -1, None])
def test_every_axis(axis):
    f = jit(make(f"def f(x):\n    return np.sort(x, {axis}), np.argsort(x, {axis}, kind='stable')"))
    run(f, values((5, 7, 11), "i"))
    if axis is not None:  # a copy to ravel it
        run(f, values((5, 7, 11), "f", "F")[::-1, :, ::2])


def test_more_axes_than_kernels_have():
    shape = (2, 1, 3, 2, 2, 2, 1, 2, 2)
    x = np.asfortranarray(values(shape, "d")).transpose(3, 1, 0, 2, 5, 4, 8, 7, 6)
    run(jit(make("def f(x):\n    return np.sort(x, 3), np.argsort(x, 3, kind='stable')")), x)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("n", [40, 5000])
def test_in_place(layout, n):
    for dtype in "hF":
        run(in_place, values((n,), dtype, layout))
        run(in_place, values((3, n), dtype, layout))
        run(columns_in_place, values((n, 3), dtype, layout))


@pytest.mark.parametrize("dtype", DTYPES)
def test_ties_keep_their_order(dtype):
    for n in 100, 3000, 9000:
        x = (np.arange(n) * 7919 % 5).astype(dtype)
        if dtype in FLOATS:
            x[x == 1] = -0.0
            x[x == 4] = np.nan
        run(stable, x)


def test_every_kind_sorts():
    x = values((3000,), "h")
    for kind in "None", "'quicksort'", "'heapsort'", "'stable'":
        f = make(f"def f(x):\n    i = np.argsort(x, kind={kind})\n    return np.sort(i), x[i]")
        order, ordered = jit(f)(to_device(x))
        same(order, np.arange(3000))
        same(ordered, np.sort(x))


@pytest.mark.parametrize("n", [60, 5000])
def test_zeros_of_both_signs_keep_their_order_in_a_stable_sort(n):
    x = np.where(np.arange(n) * 7919 % 3 == 0, -0.0, 0.0)
    got = np.asarray(sort(to_device(x)))
    np.testing.assert_array_equal(np.signbit(got), np.signbit(x))


@pytest.mark.parametrize("dtype", "efd")
def test_infinities_and_nans_are_last(dtype):
    special = [np.inf, -np.inf, np.nan, -np.nan, 0.0, -0.0, 1.0, np.finfo(dtype).max]
    run(both, np.array(special * 300, dtype)[::-1])
    run(both, np.full(3000, np.nan, dtype))


@pytest.mark.parametrize("dtype", "FD")
def test_complex_numbers_with_nans(dtype):
    parts = [np.nan, 1.0, -2.0, 0.0, -0.0, np.inf]
    x = np.array([complex(re, im) for re in parts for im in parts] * 60, dtype)
    run(both, np.random.default_rng(0).permutation(x))


@pytest.mark.parametrize("dtype", "bBhHiIqQ")
def test_the_ends_of_integers(dtype):
    info = np.iinfo(dtype)
    x = np.array([info.max, info.min, 0, 1, info.max - 1] * 500, dtype)
    run(both, x)


@pytest.mark.parametrize("dtype", "b h f d D".split())
def test_few_bank_conflicts(dtype):
    """Lanes read from different banks, but where the data decides which."""
    n, words = 4096, max(1, np.dtype(dtype).itemsize // 4)
    for x, limit in [
        (np.arange(n), 0.4),
        (np.arange(n)[::-1], 0.4),
        (np.zeros(n), 0.4),
        (np.random.default_rng(0).permutation(n), 1.4),
    ]:
        counters = run(sort, x.astype(dtype))
        assert counters.bank_conflicts <= limit * n * words
        assert counters.divergent_branches < n / 4


def test_any_order_of_blocks_and_warps():
    x = values((3, 6000), "d")
    for seed in 1, 2, 3:
        cuda.call("shapecastDriverSeed", seed)
        run(both, x)


def test_what_is_made_of_sorts():
    f = make("""
    def f(x, y):
        return np.lexsort((x, y)), np.sort_complex(x), x[np.argsort(-x)], np.unique(y)
    """)
    x, y = values((300,), "d"), values((300,), "b", "C", 3) % 4
    same(jit(f)(to_device(x), to_device(y)), f(x, y))


def test_errors_are_numpys():
    with pytest.raises(np.exceptions.AxisError, match="axis 2 is out of bounds"):
        jit(lambda x: np.sort(x, axis=2))(to_device(np.ones((2, 2))))
    with pytest.raises(ValueError, match="sort kind must be one of"):
        jit(lambda x: np.sort(x, kind="x"))(to_device(np.ones(3)))


@pytest.mark.parametrize("dtype", "? b H i e f d".split())
@pytest.mark.parametrize("axis", [0, 1, None])
def test_medians_and_partitions(dtype, axis):
    """Of all lines at once; the only number that is read is the result."""
    for shape in (51, 70), (4, 3), (3, 2500):
        for x in values(shape, dtype), with_nans(values((shape[0] * shape[1],), dtype)):
            x = x.reshape(shape)
            f = jit(make(f"def f(x):\n    return np.median(x, {axis})"))
            got = f(to_device(x))
            same(got, f.__wrapped__(x))
            assert "by the host" not in str(f.explain())


@pytest.mark.parametrize("dtype", "? b H i e f d D".split())
def test_partitions(dtype):
    f = jit(make("def f(x):\n    y = np.partition(x, 30, axis=1)\n    return y[:, 30], np.sort(y)"))
    x = values((4, 3000), dtype)
    same(f(to_device(x)), f.__wrapped__(x))


@pytest.mark.parametrize("dtype", "b h i q B e f d".split())
def test_quantiles(dtype):
    f = jit(
        make("""
        def f(x):
            return (
                np.percentile(x, 30),
                np.quantile(x, [0.1, 0.75], axis=0),
                np.quantile(x, 0.4, axis=1, keepdims=True, method="hazen"),
                np.quantile(x, 0.5, method="nearest"),
                np.nanmedian(x, axis=1),
            )
        """)
    )
    for shape in (51, 70), (4, 3), (1, 1):
        x = values(shape, dtype)
        same(f(to_device(x)), f.__wrapped__(x))
        if dtype in FLOATS:
            x[0, 0] = x[-1, -1] = np.nan
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                want = f.__wrapped__(x)
            same(f(to_device(x)), want)


@pytest.mark.parametrize("dtype", "i e f d".split())
def test_quantiles_without_nans(dtype):
    """A thread a line, and an error in it is the host's work."""
    f = jit(
        make("""
        def f(x):
            return (
                np.nanpercentile(x, 30),
                np.nanquantile(x, [0.1, 0.75], axis=0),
                np.nanquantile(x, 0.4, axis=1, keepdims=True, method="hazen"),
                np.nanquantile(x, 0.5, axis=1, method="nearest"),
            )
        """)
    )
    for shape in (51, 70), (4, 3), (1, 1):
        x = values(shape, dtype)
        same(f(to_device(x)), f.__wrapped__(x))
        if dtype in FLOATS and shape != (1, 1):
            x[1, :] = x[0, 0] = x[2:, 1] = np.nan
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                want = f.__wrapped__(x)
            same(f(to_device(x)), want)
    assert "by the host, on copies" not in str(f.explain())


def test_a_median_of_lines_copies_nothing():
    run(jit(make("def f(x):\n    return np.median(x, axis=1)")), values((50, 300), "d"))


@pytest.mark.parametrize("dtype", "? b H q f d".split())
def test_sets(dtype):
    f = jit(
        make("""
        def f(x, y):
            return (
                np.unique(x),
                *np.unique(x, return_index=True, return_inverse=True, return_counts=True),
                np.isin(x, y),
                np.isin(x, y, invert=True),
                np.union1d(x, y),
            )
        """)
    )
    x, y = values((30, 40), dtype), values((70,), dtype, "C", 2)
    if dtype != "?":
        x, y = x.round() % 9, y.round() % 5
    if dtype in FLOATS:
        x[::3, ::7] = y[5] = np.nan
    same(f(to_device(x), to_device(y)), f.__wrapped__(x, y))
    assert "by the host" not in str(f.explain())
