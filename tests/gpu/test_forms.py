"""Every form that kernels of nests take, over shapes that choose between them, dtypes, layouts."""

from __future__ import annotations

import numpy as np
import pytest
from support.compare import jitted
from support.device_arrays import call_of

from support import cuda


@pytest.fixture(autouse=True)
def device():
    cuda.start()


def softmax(x):
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def layer_norm(x):
    mean = x.mean(axis=-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-5)


def rows_and_reductions(x):
    sums, most = x.sum(axis=1), x.max(axis=1)
    return (x - sums[:, None]) * most[:, None], sums, most


def normalised_columns(x):
    return x / (abs(x).max(axis=0) + 1)


def centred_in_place(x):
    x -= x.mean(axis=0)
    x /= x.std(axis=1, keepdims=True) + 1
    return x


def transposed(x):
    return x.T * 2


def transposed_twice(x):
    return np.concatenate([x.T, x.T + 1], axis=1)


def plus_transposed(x):
    return np.ascontiguousarray(x).reshape(x.shape[1], x.shape[0]) + x.T


def sums(x):
    return x.sum(axis=0), x.sum(axis=1), x.sum()


def spread(x):
    return x.var(axis=0), x.var(axis=1), x.std()


def extremes(x):
    return x.min(axis=1), x.max(axis=0), x.min(), x.max()


def places(x):
    return x.argmax(axis=0), x.argmin(axis=1), x.argmax()


def answers(x):
    return (x > 1).any(axis=1), (x > -90).all(axis=0), (x > 3).any()


def products(x):
    return (x / 3).prod(axis=1)


def outer(x):
    return x[:, 0][:, None] * x[0][None, :]


def smoothed(x):
    y = x.copy()
    y[1:-1, 1:-1] = x[:-2, 1:-1] + x[2:, 1:-1] - x[1:-1, :-2] - x[1:-1, 2:]
    return y


FUNCTIONS = [
    softmax, layer_norm, rows_and_reductions, normalised_columns, centred_in_place, transposed,
    transposed_twice, plus_transposed, sums, spread, extremes, places, answers, products, outer,
    smoothed,
]  # fmt: skip
# Few and many, short and long, below and above each threshold.
SHAPES = [
    (1, 1), (3, 5), (2, 1000), (1000, 2), (33, 65), (300, 3), (64, 64), (257, 129), (5, 5000),
    (1500, 1), (1, 1500), (2100, 40), (40, 130),
]  # fmt: skip


def arrays(shape: tuple[int, int], dtype: str) -> dict[str, np.ndarray]:
    generator = np.random.default_rng(shape)
    values = generator.normal(size=shape) * 4
    if dtype[0] == "c":
        values = values + 1j * generator.normal(size=shape)
    x = values.astype(dtype)
    wide = np.repeat(np.repeat(x, 2, 0), 3, 1)
    return {
        "C": x,
        "Fortran": np.asfortranarray(x),
        "strided": wide[::2, ::3],
        "reversed": x.copy()[::-1, ::-1],
    }


def copied(x: np.ndarray) -> np.ndarray:
    base = x if x.base is None else x.base
    offset = x.ctypes.data - base.ctypes.data
    return np.ndarray(x.shape, x.dtype, base.copy(order="K"), offset, x.strides)


def check(function, x: np.ndarray) -> None:
    given, expected = copied(x), copied(x)
    with np.errstate(all="ignore"):
        want = function(expected)
    got = call_of(jitted(function), given)
    wants = want if isinstance(want, tuple) else (want,)
    gots = got if isinstance(got, tuple) else (got,)
    for a, b in zip(gots, wants, strict=True):
        a, b = np.asarray(a), np.asarray(b)
        assert (a.shape, a.dtype) == (b.shape, b.dtype)
        if b.dtype.kind in "fc":
            eps = np.finfo(b.dtype if x.dtype.kind not in "fc" else x.dtype).eps
            np.testing.assert_allclose(a, b, rtol=200 * eps, atol=eps * (2000 + x.size))
        else:
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_forms(function, shape: tuple[int, int]) -> None:
    check(function, arrays(shape, "f8")["C"])


@pytest.mark.parametrize("layout", ["Fortran", "strided", "reversed"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_layouts(function, layout: str) -> None:
    for shape in [(33, 65), (300, 3), (257, 129)]:
        check(function, arrays(shape, "f8")[layout])


DTYPES = ["f4", "f2", "c16", "c8", "i4", "u1", "?"]
WITH_DTYPES = [
    (function, dtype)
    for function in FUNCTIONS
    for dtype in DTYPES
    # NumPy casts no float64 to integers in place, and subtracts no bools.
    if not (function is centred_in_place and dtype[0] not in "fc")
    and not (dtype == "?" and function in (softmax, smoothed, layer_norm, rows_and_reductions))
]


@pytest.mark.parametrize(("function", "dtype"), WITH_DTYPES)
def test_dtypes(function, dtype: str) -> None:
    for shape in [(33, 65), (1000, 2), (2, 1000)]:
        check(function, arrays(shape, dtype)["C"])


def test_many_sums_of_complex_columns_fit_into_a_blocks_memory() -> None:
    def spectrum(z):
        w = np.exp(-2j * np.pi / 16)
        return [(z * w**k).sum(0) for k in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)]

    z = arrays((64, 3), "c16")["C"]
    for got, want in zip(call_of(jitted(spectrum), z), spectrum(z), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-12)
