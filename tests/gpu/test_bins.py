"""Counts in bins, histograms and ufunc.at on a device: kernels of src/kernels, nothing by the host.

What is added is added in NumPy's order: results have the same bits.
"""

from __future__ import annotations

import numpy as np
import pytest
from gpu.test_indexing import same, shared
from gpu.test_products import LAYOUTS, values
from shapecast import jit, to_device
from support.compare import make
from support.device_arrays import OnDevice, Transfer

from support import cuda


@pytest.fixture(autouse=True)
def device():
    cuda.start()
    yield
    cuda.call("shapecastDriverSeed", 0)


def run(f, *arguments: np.ndarray) -> None:
    """The results, and what is stored, are NumPy's, and the host does nothing on copies."""
    sent = Transfer().send(arguments)
    expected = [a.copy(order="K") for a in arguments]
    got = f(*sent)
    if isinstance(got, tuple):  # arguments among them
        got = tuple(shared(one) if isinstance(one, OnDevice) else one for one in got)
    same(got, f.__wrapped__(*expected))
    for own, want in zip(sent, expected, strict=True):
        same(shared(own), want)
    assert "by the host" not in str(f.explain())


counts = jit(make("def f(x):\n    return np.bincount(x), np.bincount(x, minlength=40)"))
sums = jit(make("def f(x, w):\n    return np.bincount(x, w), np.bincount(x, w, 40)"))


def bins(n: int, dtype: str = "q", most: int = 30, layout: str = "C") -> np.ndarray:
    return (abs(values((n,), "q", layout)) % most).astype(dtype)


def layout_of(dtype: str, layouts: tuple[str, ...] = ("C", "strided", "reversed")) -> str:
    """Another one for each dtype."""
    return layouts["?bhiqBHIQefdFD".index(dtype) % len(layouts)]


@pytest.mark.parametrize("dtype", "? b h i q B H I Q".split())
def test_counts_of_every_dtype(dtype):
    x = values((300,), dtype, layout_of(dtype))
    run(counts, x if dtype == "?" else abs(x) % 30)


@pytest.mark.parametrize("n", [0, 1, 31, 33, 255, 257, 5000])
def test_counts_of_every_length(n):
    run(counts, bins(n))
    if n > 0:  # else NumPy does not look at the weights, and counts
        run(sums, bins(n), values((n,), "d"))


@pytest.mark.parametrize("most", [1, 100, 4096, 4097, 50_000])
def test_few_and_many_bins(most):
    x = np.random.default_rng(0).integers(0, most, 6000)
    run(counts, x)
    run(sums, x, values((6000,), "d"))


@pytest.mark.parametrize("dtype", "? b h i q B H I Q e f d".split())
def test_weights_of_every_dtype(dtype):
    layout = layout_of(dtype)
    run(sums, bins(700, "h", layout=layout), values((700,), dtype, layout, 3))


def test_large_counts():
    x = np.arange(100_000) * 7919 % 1000
    run(counts, x)
    run(sums, x, values((100_000,), "d"))


def test_any_order_of_blocks_and_warps():
    x, w = bins(6000), values((6000,), "f")
    for seed in 1, 2, 3:
        cuda.call("shapecastDriverSeed", seed)
        run(counts, x)
        run(sums, x, w)


def test_errors_of_bincount_are_numpys():
    x = to_device(np.array([1, -2, 3]))
    with pytest.raises(ValueError, match="must have no negative elements"):
        counts(x)
    with pytest.raises(ValueError, match="weights and list don't have the same length"):
        sums(to_device(np.array([1, 2])), to_device(np.ones(3)))
    with pytest.raises(TypeError, match="Cannot cast array data"):
        counts(to_device(np.ones(3)))
    with pytest.raises(ValueError, match="too deep"):
        counts(to_device(np.ones((3, 3), int)))


uniform = jit(
    make("""
    def f(x):
        return (
            *np.histogram(x, bins=13),
            *np.histogram(x, 7, range=(-1, 2)),
            *np.histogram(x, 5, density=True),
        )
    """)
)
given = jit(make("def f(x, e):\n    return np.histogram(x, e)"))


@pytest.mark.parametrize("dtype", "b h i q B H I Q f d".split())
def test_histograms_of_every_dtype(dtype):
    layout = layout_of(dtype, tuple(LAYOUTS))
    run(uniform, values((31, 17), dtype, layout))
    run(given, values((31, 17), dtype, layout), np.array([-60.0, -1, 0, 0.3, 0.3, 1, 40]))


@pytest.mark.parametrize("n", [0, 1, 2, 257, 5000])
def test_histograms_of_every_length(n):
    x = values((n,), "d")
    run(jit(make("def f(x):\n    return np.histogram(x, 10)")), x)
    run(given, x, np.linspace(-1, 1, 6))


def test_numbers_on_the_edges_and_nans():
    edges = np.linspace(-1, 2, 8)
    x = np.concatenate([edges, np.nextafter(edges, 9), np.nextafter(edges, -9)])
    x = np.concatenate([x, np.array([np.nan, np.inf, -np.inf])])
    run(jit(make("def f(x):\n    return np.histogram(x, 7, range=(-1, 2))")), x)
    run(given, x, edges)
    run(given, x, edges[:2])


def test_edges_in_a_list_and_bins_in_two_dimensions():
    x, y, w = values((900,), "d"), values((900,), "d", "C", 1), values((900,), "f", "C", 2)
    run(jit(make("def f(x):\n    return np.histogram(x, [-1, 0, 0.25, 3])")), x)
    f = jit(
        make("""
        def f(x, y, w):
            return (
                *np.histogram2d(x, y, 6),
                *np.histogram2d(x, y, (4, [-1, 0, 0.5, 1]), range=((-1, 1), (-1, 1)), weights=w),
                *np.histogram2d(x, y, 5, density=True),
                np.histogram_bin_edges(x, 9),
            )
        """)
    )
    run(f, x, y, w)


def test_histograms_with_many_bins():
    run(jit(make("def f(x):\n    return np.histogram(x, 5000)[0]")), values((3000,), "d"))


@pytest.mark.parametrize("dtype", "b i q f d F D".split())
def test_weights_of_a_histogram(dtype):
    """More than a block of NumPy's, of 65,536, for one dtype."""
    n = 70_000 if dtype == "d" else 2000
    x, w = values((n,), "f"), values((n,), dtype, "C", 1)
    run(jit(make("def f(x, w):\n    return np.histogram(x, 12, weights=w)")), x, w)


@pytest.mark.parametrize("dtype", "b i q f d D".split())
def test_weights_between_given_edges_are_added_as_on_the_host(dtype):
    f = jit(make("def f(x, e, w):\n    return np.histogram(x, e, weights=w)"))
    x, w, edges = values((2000,), "d"), values((2000,), dtype, "C", 1), np.array([-2, 0, 0.1, 5])
    same(f(to_device(x), to_device(edges), to_device(w)), f(x, edges, w))


def test_errors_of_histograms_are_numpys():
    x = to_device(np.array([1.0, np.nan]))
    with pytest.raises(ValueError, match=r"autodetected range of \[nan, nan\] is not finite"):
        jit(lambda x: np.histogram(x))(x)
    with pytest.raises(ValueError, match="`bins` must increase monotonically"):
        given(x, to_device(np.array([1.0, 0.0])))


#  ufunc.at


def at(name: str):
    return jit(make(f"def f(x, i, v):\n    np.{name}.at(x, i, v)"))


def places(shape: tuple[int, ...], most: int) -> np.ndarray:
    return np.random.default_rng([1, *shape]).integers(-most, most, shape)


@pytest.mark.parametrize("dtype", "b h i q B H I Q e f d F D".split())
@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "maximum", "minimum"])
def test_ufuncs_at_of_every_dtype(name, dtype):
    x, v = values((40,), dtype), values((700,), dtype, "C", 1)
    with np.errstate(all="ignore"):
        if dtype in "FD" and name == "multiply":
            v = (v / abs(v)).astype(dtype)
            f = at(name)
            sent = Transfer().send((x, places((700,), 40), v))
            f(*sent)
            f.__wrapped__(x, places((700,), 40), v)
            np.testing.assert_allclose(shared(sent[0]), x, rtol=1e-4)
        else:
            run(at(name), x, places((700,), 40), v)


@pytest.mark.parametrize("layout", ["C", "strided", "reversed"])
@pytest.mark.parametrize("n", [0, 1, 31, 33, 257, 5000])
def test_lengths_and_layouts(n, layout):
    for most in 1, 20, 3000:
        x, v = values((most,), "d", layout), values((n,), "d", layout, 1)
        run(at("add"), x, places((n,), most), v)
        run(at("add"), x.astype("i"), places((n,), most), places((n,), 50))


@pytest.mark.parametrize("name", ["bitwise_and", "bitwise_or", "bitwise_xor"])
def test_bits(name):
    for dtype in "bHiQ":
        run(at(name), values((9,), dtype), places((60,), 9), values((60,), dtype, "C", 1))


def test_rows_and_several_index_arrays():
    x, v = values((20, 5, 3), "d", "F"), values((400, 5, 3), "d", "C", 1)
    run(at("add"), x, places((400,), 20), v)
    run(at("add"), x, places((40, 10), 20), v[0])
    run(at("subtract"), x.astype("i"), places((400,), 20), v[:, :1].astype("i"))
    f = jit(
        make("def f(x, i, j, v):\n    np.add.at(x, (i, j), v)\n    np.add.at(x, (i, 2, j % 3), 1)")
    )
    run(f, x, places((70,), 20), places((70,), 5), values((70, 3), "d", "C", 2))
    run(f, x, places((70,), 20), places((7, 1), 5), values((3,), "d", "C", 2))


def test_numbers_lists_and_other_dtypes():
    i = places((300,), 20)
    run(
        jit(make("def f(x, i):\n    np.add.at(x, i, 1)\n    np.add.at(x, [0, 0, 1], 2)")),
        np.zeros(20),
        i,
    )
    run(jit(make("def f(x, i):\n    np.add.at(x, i, 1)")), np.zeros(20, "f"), i)
    run(at("add"), np.zeros(20, "f"), i, values((300,), "d"))
    run(at("multiply"), np.ones(20, "H"), i.astype("b"), values((300,), "H"))
    run(at("add"), np.zeros(20, "i"), i.astype("h"), values((300,), "?"))


def test_nans_and_long_runs():
    x, i, v = np.zeros(3), np.arange(3000) % 3, values((3000,), "d")
    v[700] = np.nan
    run(at("add"), x, i, v)
    with np.errstate(invalid="ignore"):
        run(at("maximum"), x, np.sort(i), v)


def test_values_and_indices_that_overlap_what_is_stored():
    run(
        jit(make("def f(x, i):\n    np.add.at(x, i, x[::-1])")),
        values((50,), "d"),
        places((50,), 50),
    )
    f = jit(make("def f(x):\n    np.add.at(x, x % 50, 1)"))
    run(f, abs(values((50,), "q")))


def test_other_cases_of_ufuncs_at_are_the_hosts():
    x, i = np.ones(5), np.array([0, 0, 4])
    for call in "np.divide.at(x, i, 3.0)", "np.negative.at(x, i)":
        f = jit(make(f"def f(x, i):\n    {call}"))
        sent = Transfer().send((x, i))
        f(*sent)
        f.__wrapped__(x, i)
        same(shared(sent[0]), x)
        assert "by the host" in str(f.explain())


def test_indices_out_of_bounds_store_nothing():
    x = to_device(np.zeros(5))
    with pytest.raises(IndexError, match="index 7 is out of bounds for axis 0 with size 5"):
        at("add")(x, to_device(np.array([1, 2, 7])), to_device(np.ones(3)))
    np.testing.assert_array_equal(np.asarray(x), np.zeros(5))
    with pytest.raises(ValueError, match="array is not broadcastable to correct shape"):
        at("add")(x, to_device(np.array([1, 2])), to_device(np.ones(3)))
