"""Matrix products of arrays on a device: kernels of src/kernels, nothing by the host."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from shapecast import jit, to_device
from support.compare import make
from support.device_arrays import Transfer

from support import cuda

DTYPES = "? b h i q B H I Q e f d F D".split()
LAYOUTS = ["C", "F", "strided", "reversed"]


@pytest.fixture(autouse=True)
def device():
    cuda.start()
    yield
    cuda.call("shapecastDriverSeed", 0)


def values(shape: tuple[int, ...], dtype: str, layout: str = "C", seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng([seed, *shape])
    sizes = tuple(2 * n for n in shape) if layout == "strided" else shape
    if dtype == "?":
        a = rng.random(sizes) < 0.1
    elif dtype in "efdFD":
        a = rng.standard_normal(sizes)
        a = (a + 1j * rng.standard_normal(sizes) if dtype in "FD" else a).astype(dtype)
    else:
        a = rng.integers(-100, 100, sizes).astype(dtype)
    if layout == "strided":
        return a[(slice(1, None, 2),) * len(shape)]
    if layout == "reversed":
        return a[(slice(None, None, -1),) * len(shape)]
    return np.asfortranarray(a) if layout == "F" else a


def wide(a: np.ndarray) -> np.ndarray:
    return a.astype({"e": "d", "f": "d", "F": "D"}.get(a.dtype.char, a.dtype))


def check(got: object, a: np.ndarray, b: np.ndarray) -> None:
    """Integers are equal; floats are within the bound of a sum in any order."""
    with np.errstate(all="ignore"):
        want = a @ b
        got = np.asarray(got)
        assert got.shape == want.shape and got.dtype == want.dtype
        if a.dtype.kind not in "fc":
            return np.testing.assert_array_equal(got, want)
        eps = np.finfo("f" if a.dtype.char == "e" else a.dtype).eps
        size = abs(wide(a)) @ abs(wide(b))
        bound = (a.shape[-1] + 4) * 2 * eps * size
        if a.dtype.char == "e":
            bound += np.finfo("e").eps * (abs(want.astype("d")) + 1e-4)
        assert np.all(abs(wide(got) - wide(a) @ wide(b)) <= bound)


@jit
def product(a, b):
    return a @ b


def run(a: np.ndarray, b: np.ndarray) -> cuda.Counters:
    """The counters of a product, which is checked."""
    sent = Transfer().send((a, b))
    cuda.call("cuCtxSynchronize")
    cuda.start()
    result = product(*sent)
    cuda.call("cuCtxSynchronize")
    counters = cuda.counters()
    assert counters.bytes_to_host == counters.bytes_to_device == 0
    check(result, a, b)
    return counters


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_matrices(dtype, layout):
    for left, right in itertools.product(["C", layout], [layout]):
        run(values((33, 17), dtype, left, 1), values((17, 70), dtype, right, 2))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_matrix_and_a_vector(dtype, layout):
    m = values((41, 75), dtype, layout, 1)
    run(m, values((75,), dtype, layout, 2))
    run(values((41,), dtype, layout, 3), m)


@pytest.mark.parametrize("dtype", DTYPES)
def test_two_vectors_are_a_number_on_the_device(dtype):
    for n in (0, 1, 31, 5000):
        a, b = values((n,), dtype, "C", 1), values((n,), dtype, "reversed", 2)
        counters = run(a, b)
        assert counters.launches == (2 if n == 5000 else 1)


@pytest.mark.parametrize(
    ("m", "k", "n"),
    [
        *itertools.product((1, 65), (1, 16, 33), (1, 64)),
        *itertools.product((0, 3), (0, 3), (0, 3)),
        (128, 1, 129),
        (2, 700, 3),  # several parts
        (5, 2000, 1),
        (1, 2000, 5),
    ],
)
@pytest.mark.parametrize("dtype", ["f", "d", "F", "q"])
def test_sizes(m, k, n, dtype):
    run(values((m, k), dtype, "C", 1), values((k, n), dtype, "C", 2))
    run(values((m, k), dtype, "F", 1), values((k,), dtype, "C", 2))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ((3, 4, 5), (5, 6)),
        ((4, 5), (3, 5, 6)),
        ((2, 1, 4, 5), (3, 5, 6)),
        ((3, 4, 5), (5,)),
        ((5,), (2, 3, 5, 4)),
        ((0, 4, 5), (0, 5, 2)),
        ((2, 2, 1, 2, 1, 2, 1, 2, 3, 2), (2, 1, 2, 1, 2, 1, 2, 1, 2, 3)),
    ],
)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_stacks(a, b, layout):
    run(values(a, "d", layout, 1), values(b, "d", layout, 2))


def test_large_tiles():
    """float32 has tiles of 128 x 128 where there are enough of them."""
    f = jit(make("def f(a, b):\n    return np.matmul(a, b)"))
    a, b = values((130, 3), "f"), values((32, 3, 140), "f")
    sent = Transfer().send((a, b))
    cuda.start()
    result = f(*sent)
    cuda.call("cuCtxSynchronize")
    assert cuda.counters().launches == 1
    assert cuda.counters().blocks == 2 * 2 * 32
    check(result, a, b)


@pytest.mark.parametrize("dtype", ["f", "d", "F", "D", "b"])
@pytest.mark.parametrize("layouts", ["CC", "CF", "FC", "FF"])
def test_tiles_have_no_bank_conflicts(dtype, layouts):
    counters = run(values((64, 64), dtype, layouts[0]), values((64, 64), dtype, layouts[1]))
    assert counters.bank_conflicts == 0
    if dtype in "fd":  # parts of complex numbers are loaded one by one
        item = np.dtype(dtype).itemsize
        assert counters.sectors == counters.least_sectors == 3 * 64 * 64 * item // 32


@pytest.mark.parametrize("layout", "CF")
def test_a_matrix_times_a_vector_reads_the_matrix_once(layout):
    a, b = values((256, 512), "d", layout), values((512,), "d")
    counters = run(a, b)
    assert counters.bank_conflicts == 0
    # The vector is read again for each row; or its elements, one by one, for each 32 rows.
    of_vector = 256 * b.nbytes // 32 if layout == "C" else 512 * 256 // 32
    assert counters.sectors <= (a.nbytes // 32 + of_vector) * 1.02


def test_results_do_not_depend_on_the_order_of_blocks():
    a, b = values((3, 3000), "f"), values((3000, 5), "f")
    sent = Transfer().send((a, b))
    first = np.asarray(product(*sent))
    for seed in range(1, 4):
        cuda.call("shapecastDriverSeed", seed)
        np.testing.assert_array_equal(np.asarray(product(*sent)), first)


def test_functions_of_numpy_that_are_products():
    def f(a, b, v):
        out = np.empty((len(a), b.shape[1]))
        np.matmul(a, b, out=out)
        return np.dot(a, b), a.dot(v), np.inner(a, a), np.vdot(v, v), a.T @ a, out, v @ b @ v

    a, b, v = values((20, 20), "d"), values((20, 20), "d", "F"), values((20,), "d")
    sent = Transfer().send((a, b, v))
    g = jit(f)
    g(*sent)
    cuda.start()
    results = g(*sent)
    cuda.call("cuCtxSynchronize")
    assert cuda.counters().bytes_to_host == 0
    for got, want in zip(results, f(a, b, v), strict=True):
        np.testing.assert_allclose(np.asarray(got), want, rtol=1e-12, atol=1e-12)


def test_explain_does_not_name_the_host():
    a = to_device(values((50, 50), "d"))
    f = jit(make("def f(a):\n    return a @ a"))
    f(a)
    assert "host" not in str(f.explain())
    text = f.ptx(a)
    assert "// sc_product_d(parameters): threads 256 x 1" in text
    assert ".reqntid 256" in text


def test_nothing_is_linked_into_functions_without_products():
    assert "sc_product" not in jit(lambda a: a * 2).ptx(to_device(values((5,), "d")))
