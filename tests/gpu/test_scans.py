"""Scans on a device: kernels of src/kernels, nothing by the host."""

from __future__ import annotations

import numpy as np
import pytest
from gpu.test_indexing import shared
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


def close(got: object, want: object, n: int) -> None:
    """Equal, or floats within the bound of `n` operations in any order."""
    if isinstance(want, tuple):
        assert len(got) == len(want)
        for one, other in zip(got, want, strict=True):
            close(one, other, n)
        return
    got, want = np.asarray(got), np.asarray(want)
    assert (got.shape, got.dtype) == (want.shape, want.dtype)
    if want.dtype.char not in FLOATS:
        np.testing.assert_array_equal(got, want)
        return
    bound = 4 * n * float(np.finfo(want.dtype).eps)
    scale = float(abs(want.astype("D"))[np.isfinite(want)].max(initial=0.0)) + n
    np.testing.assert_allclose(got.astype("D"), want.astype("D"), rtol=bound, atol=bound * scale)


def run(f, x: np.ndarray) -> cuda.Counters:
    """The counters of a call that copies nothing, and whose result is NumPy's."""
    (sent,) = Transfer().send((x,))
    cuda.call("cuCtxSynchronize")
    cuda.start()
    got = f(sent)
    cuda.call("cuCtxSynchronize")
    counters = cuda.counters()
    assert (counters.bytes_to_host, counters.bytes_to_device) == (0, 0)
    with np.errstate(all="ignore"):
        close(got, f.__wrapped__(x), x.size)
    return counters


@jit
def sums(x):
    return np.cumsum(x)


@jit
def four(x):
    return (
        np.cumsum(x),
        np.cumprod(x),
        np.maximum.accumulate(x),
        np.minimum.accumulate(x),
    )


@jit
def along_rows(x):
    return np.cumsum(x, 1), np.cumprod(x, 1), np.maximum.accumulate(x, 1), x.cumsum()


@jit
def along_columns(x):
    return np.cumsum(x, 0), np.cumprod(x, 0), np.minimum.accumulate(x, 0)


def near_one(x: np.ndarray) -> np.ndarray:
    """Floats whose products stay in range."""
    return (1 + x / 50).astype(x.dtype) if x.dtype.char in FLOATS else x


def test_nothing_is_copied_and_explain_says_so():
    assert run(sums, values((2000,), "q")).launches == 1
    assert run(sums, values((4000,), "q")).launches == 3
    assert "by the host" not in str(sums.explain())


@pytest.mark.parametrize("dtype", DTYPES)
def test_lengths(dtype):
    for n in (0, 1, 2, 7, 9, 31, 255, 257, 1025, 2047, 2049, 5000):
        run(four, near_one(values((n,), dtype)))


@pytest.mark.parametrize("dtype", "? b i q f d D".split())
def test_totals_of_totals(dtype):
    run(sums, values((100_000,), dtype))


def test_more_tiles_than_a_tile_has_slots():
    x = values((2048 * 2049 + 3,), "b")
    got = np.asarray(jit(lambda x: np.maximum.accumulate(x[::-1]))(to_device(x)))
    np.testing.assert_array_equal(got, np.maximum.accumulate(x[::-1]))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_lines_of_every_layout(dtype, layout):
    x = near_one(values((70, 33), dtype, layout))
    run(along_columns, x)
    if layout == "C":  # else raveling is a copy of its own
        run(along_rows, x)
    else:
        run(jit(make("def f(x):\n    return np.cumsum(x, 1), np.cumprod(x, 1)")), x)


@pytest.mark.parametrize(
    "shape", [(300, 3), (1000, 1), (3, 2500), (2500, 3), (900, 40), (1, 4097), (5000, 17), (9, 8)]
)
def test_few_and_many_lines(shape):
    for dtype in "bfdD":
        run(along_rows, near_one(values(shape, dtype)))
        run(along_columns, near_one(values(shape, dtype)))


@pytest.mark.parametrize("axis", [0, 1, 2, -1, None])
def test_every_axis(axis):
    f = jit(make(f"def f(x):\n    return np.cumsum(x, {axis})"))
    run(f, values((5, 7, 33), "i"))
    if axis is not None:
        run(f, values((5, 7, 33), "f", "F")[::-1, :, ::2])


def test_empty_lines():
    for shape in (0, 5), (5, 0), (0, 0):
        run(along_columns, np.zeros(shape))
        run(along_rows, np.zeros(shape))


def test_more_axes_than_kernels_have():
    shape = (2, 1, 3, 2, 2, 2, 1, 2, 2)
    x = np.asfortranarray(values(shape, "d")).transpose(3, 1, 0, 2, 5, 4, 8, 7, 6)
    run(jit(make("def f(x):\n    return np.cumsum(x, 3), np.maximum.accumulate(x, 5)")), x)


@pytest.mark.parametrize("name", ["maximum", "minimum", "fmax", "fmin"])
def test_nan_and_zeros_of_both_signs(name):
    f = jit(make(f"def f(x, axis):\n    return np.{name}.accumulate(x, axis=1)"))
    for dtype in "efdFD" if name[0] == "m" else "fd":
        for n in 40, 3000:
            x = values((2, n), dtype)
            x[1, n // 3] = np.nan
            x[0, 0] = np.nan
            got, want = np.asarray(f(to_device(x), 1)), f.__wrapped__(x, 1)
            np.testing.assert_array_equal(np.isnan(got), np.isnan(want))
            np.testing.assert_array_equal(got[~np.isnan(got)], want[~np.isnan(want)])


def test_zeros_and_infinities_are_summed_as_numpys():
    x = np.full(3000, -0.0)
    got = np.asarray(sums(to_device(x)))
    np.testing.assert_array_equal(np.signbit(got), np.signbit(np.cumsum(x)))
    for dtype in "fdFD":
        x = np.full(3000, 1 / 3, dtype)
        x[1000], x[2000] = np.inf, -np.inf
        run(sums, x)


def test_halves_are_summed_in_float32():
    x = abs(values((3000,), "e"))
    want = np.cumsum(x.astype("d"))
    got = np.asarray(sums(to_device(x))).astype("d")
    assert np.all(abs(got - want) <= np.finfo("e").eps * want)


def test_integers_wrap():
    for dtype in "bhiqBHIQ":
        run(four, np.full(3000, np.iinfo(dtype).max, dtype))
        f = jit(make(f"def f(x):\n    return np.cumsum(x, dtype='{dtype}'), np.cumprod(x)"))
        run(f, values((3000,), dtype) | 1)


@pytest.mark.parametrize("dtype", "? b h i q B H I Q".split())
def test_bits_and_truth(dtype):
    f = jit(
        make("""
        def f(x):
            return (
                np.bitwise_and.accumulate(x),
                np.bitwise_or.accumulate(x),
                np.bitwise_xor.accumulate(x),
                np.logical_and.accumulate(x),
                np.logical_or.accumulate(x),
                np.logical_xor.accumulate(x),
                np.fmax.accumulate(x),
                np.multiply.accumulate(x),
            )
        """)
    )
    for n in 60, 2500:
        run(f, values((n,), dtype))


def test_the_functions_that_are_made_of_scans():
    f = jit(
        make("""
        def f(x):
            return (
                np.nancumsum(x, axis=1),
                np.nancumprod(x, axis=0),
                np.cumulative_sum(x, axis=0, include_initial=True),
                np.cumulative_prod(x, axis=1),
                np.add.accumulate(x, axis=1, dtype=np.float64),
                np.unwrap(x[0]),
            )
        """)
    )
    x = near_one(values((40, 70), "f"))
    assert run(f, x)
    x[3, 5] = x[7, 60] = np.nan
    run(jit(make("def f(x):\n    return np.nancumsum(x), np.nancumprod(x, axis=0)")), x)


def test_where_results_are_stored():
    def f(x, out):
        np.cumsum(x, axis=0, out=out)
        x[1:, 1:] = np.maximum.accumulate(x[:-1, :-1], axis=1)
        for _ in range(3):
            x[:] = np.add.accumulate(x, axis=0)

    for layout in LAYOUTS:
        x, out = values((30, 20), "q", layout), values((30, 20), "d", layout)
        sent = Transfer().send((x, out))
        jit(f)(*sent)
        f(x, out)
        close(shared(sent[0]), x, 1)
        close(shared(sent[1]), out, 1)


def test_any_order_of_blocks_and_warps_gives_the_same_bits():
    x, y = values((9000,), "d"), values((2000, 20), "f")
    found = []
    for seed in 0, 1, 2, 3:
        cuda.call("shapecastDriverSeed", seed)
        found.append(np.asarray(sums(to_device(x))).tobytes())
        found[-1] += np.asarray(along_columns(to_device(y))[0]).tobytes()
    assert len(set(found)) == 1


def test_few_bank_conflicts():
    for dtype, words in ("f", 1), ("d", 2), ("D", 4):
        n = 1024
        counters = run(sums, values((n,), dtype))
        assert counters.bank_conflicts <= 0.5 * n * words


def test_other_ufuncs_are_the_hosts():
    f = jit(make("def f(x):\n    return np.subtract.accumulate(x)"))
    x = values((500,), "q")
    close(f(to_device(x)), f.__wrapped__(x), 1)
    assert "by the host" in str(f.explain())


def test_errors_are_numpys():
    x = to_device(np.ones((2, 3)))
    with pytest.raises(np.exceptions.AxisError, match="axis 2 is out of bounds"):
        jit(lambda x: np.cumsum(x, axis=2))(x)
    with pytest.raises(ValueError, match="wrong size for the accumulation"):
        jit(lambda x, out: np.cumsum(x, axis=1, out=out))(x, to_device(np.ones((2, 4))))
    with pytest.raises(ValueError, match="``axis`` argument is required"):
        jit(lambda x: np.cumulative_sum(x))(x)
