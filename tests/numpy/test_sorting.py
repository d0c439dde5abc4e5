"""Sorting, partitions and sets."""

import numpy as np
import pytest
import shapecast
from support.arrays import DTYPES, filled
from support.compare import check, check_expressions, check_statements, jitted, make

ARGUMENTS = {
    "v": np.array([3.5, -1.0, 4.25, 7.25, 2.0, -6.5]),
    "a": np.arange(20.0)[::-1].reshape(4, 5),
    "p": np.random.default_rng(0).permuted(np.arange(60.0).reshape(3, 4, 5), axis=None),
    "iv": np.array([3, 1, 2, 3, 3, -1, 2]),
    "iw": np.array([2, 3, 9, 9]),
    "w": np.array([2.0, np.nan, -0.0, 0.0, 1.5, np.inf, -np.inf, np.nan, 2.0]),
    "z": np.array([2 + 1j, 1 + 2j, 1 + 1j, complex(np.nan, 1), complex(1, np.nan), 2 - 1j]),
    "u": np.array([5, 200, 3, 5, 0], np.uint8),
}

EXPRESSIONS = """
np.sort(v)
np.sort(p)
np.sort(p, axis=0)
np.sort(p, axis=None)
np.sort(p, 1, kind='stable')
np.sort(w, kind='stable')
np.sort(z)
np.sort(u)
np.sort(iv > 2)
np.sort(v.astype(np.float32))
np.sort(v.astype(np.float16))
np.sort(z.astype(np.complex64))
np.sort([3, 1, 2])
np.sort(v, kind='quicksort')
np.sort(v, kind='heapsort')
np.sort(v, kind='foo')
np.sort(v, axis=1)
np.sort(v, stable=True)
np.sort(v)[::-1]
np.argsort(v)
np.argsort(iv, kind='stable')
np.argsort(w, kind='stable')
np.argsort(z, kind='stable')
np.argsort(u, kind='stable')
np.argsort(p)
np.argsort(p, axis=0)
np.argsort(p, axis=None)
np.argsort(-v)
v.argsort()
p.argsort(axis=1)
v[v.argsort()]
np.take_along_axis(p, np.argsort(p, axis=1), axis=1)
np.sort_complex(v)
np.sort_complex(u)
np.partition(v, 2)[2]
np.partition(v, (1, 3))[[1, 3]]
np.partition(p, 1, axis=0)[1]
np.partition(v, -1)[-1]
np.partition(v, 9)
np.argpartition(v, 2)[2]
v.argpartition(2)[2]
np.lexsort((v, -v))
np.lexsort((iv, -iv))
np.lexsort((iv > 2, iv))
np.lexsort(p[0])
np.unique(iv)
np.unique(v)
np.unique(p)
np.unique(iv, return_index=True)
np.unique(iv, return_inverse=True)
np.unique(iv, return_counts=True)
np.unique(iv, True, True, True)
np.unique(p[0] > 3, return_inverse=True)
np.unique(iv > 2, return_counts=True)
np.unique(iv[:0])
np.unique(np.array([[1,2],[1,2],[0,5]]), axis=0)
np.unique(np.array([[1,2],[1,2],[0,5]]), axis=0, return_counts=True, return_inverse=True)
np.unique([3, 1, 3])
np.isin(iv, [1, 5])
np.isin(iv, iw, invert=True)
np.isin(p, [1, 5, 7])
np.isin(2, iv)
np.isin(iv, [])
np.intersect1d(iv, iw)
np.intersect1d(iv, iw, return_indices=True)
np.setdiff1d(iv, iw)
np.union1d(iv, iw)
np.setxor1d(iv, iw)
np.union1d([1, 2], [2, 3])
np.sort(w + 1)
np.unique(w + 1)
np.unique(z[:3])
np.sort(np.unique_values(iv))
"""

STATEMENTS = """
v.sort()
a.sort(axis=0)
p.sort()
p.sort(axis=1)
p.sort(0, kind='stable')
iv.sort()
u.sort()
z.sort()
v.partition(2); v.sort()
v[::-1].sort()
p[:, 1].sort(axis=0)
w += 1; w.sort()
"""


def test_expressions_as_numpy() -> None:
    check_expressions(EXPRESSIONS, ARGUMENTS)


def test_statements_as_numpy() -> None:
    check_statements(STATEMENTS, ARGUMENTS)


stable = make("""
    def f(x):
        order = np.argsort(x, kind="stable")
        x[::-1].sort(kind="stable")
        return order, np.sort(x, kind="stable"), x
""")


@pytest.mark.parametrize("dtype", DTYPES)
def test_stable_sorts_of_every_dtype_and_size(dtype: str) -> None:
    for size in (0, 1, 2, 7, 8, 9, 16, 17, 100, 1000, 3000, 20_000):
        check(stable, filled((size,), dtype, size))


@pytest.mark.parametrize("dtype", DTYPES)
def test_rows_and_columns_of_every_dtype(dtype: str) -> None:
    f = make("""
        def f(x):
            y = x.copy()
            y[:, ::2].sort(0)
            x.sort()
            return x, y, np.sort(x, axis=0)
    """)
    for shape in ((5, 40), (400, 6), (0, 3), (3, 0)):
        check(f, filled(shape, dtype, 3, "small"))
    check(f, filled((30, 20), dtype, 3, "small").T)


def test_partitions_are_partitions() -> None:
    f = make("""
        def f(x, k):
            y = x.copy()
            y.partition(k)
            return np.partition(x, k), y, x[np.argpartition(x, k)]
    """)
    x = np.random.default_rng(0).standard_normal(1000)
    for k in (0, 10, 999, -1):
        for parted in jitted(f)(x, k):
            assert parted[k] == np.sort(x)[k]
            assert parted[:k].size == 0 or parted[:k].max() <= parted[k]
            assert parted[k:].min() == parted[k]
            assert sorted(parted) == sorted(x)


def test_sets_of_large_arrays() -> None:
    f = make("""
        def f(x, y):
            values, index, inverse, counts = np.unique(
                x, return_index=True, return_inverse=True, return_counts=True
            )
            both, left, right = np.intersect1d(x, y, return_indices=True)
            return (
                values, index, inverse, counts, both, left, right,
                np.union1d(x, y), np.setdiff1d(x, y), np.setxor1d(x, y), np.isin(x, y),
            )
    """)
    rng = np.random.default_rng(0)
    for high in (5, 300, 100_000):
        check(f, rng.integers(0, high, 5000), rng.integers(0, high, 700))
        check(f, rng.integers(0, high, 5000).astype(float), rng.integers(0, high, 700))


@pytest.mark.default_mode  # on a device they keep their order
@pytest.mark.parametrize("dtype", ["?", "b", "H", "i", "q", "Q", "e", "f", "d", "F", "D"])
@pytest.mark.parametrize("size", [0, 1, 7, 100, 3000])
def test_equal_elements_are_in_numpys_order(dtype: str, size: int) -> None:
    """The permutation of the default kind is that of NumPy's code for this processor."""

    def f(x, y):
        x.sort(axis=0)
        return np.argsort(x), np.argsort(y, axis=0), np.argsort(y[::-1]), np.sort(y, axis=1), x

    rng = np.random.default_rng(size)
    x, y = rng.integers(0, 5, (2, size, 3)).astype(dtype)
    if size > 1 and x.dtype.kind in "fc":
        x[0, 1], y[1] = np.nan, -0.0
    check(f, x, y)
    check(f, np.asfortranarray(x), y[:, ::-1])


@pytest.mark.parametrize("dtype", ["?", "b", "B", "h", "H", "i", "I", "q", "Q", "e", "f", "d", "F",
                                   "D"])  # fmt: skip
@pytest.mark.parametrize("size", [0, 1, 2, 16, 17, 100])
def test_searchsorted_of_every_dtype_and_size(dtype: str, size: int) -> None:
    def f(a, v):
        return np.searchsorted(a, v), np.searchsorted(a, v, side="right"), a.searchsorted(v[0])

    rng = np.random.default_rng(size)
    a = np.sort(rng.integers(0, 60, size).astype(dtype))
    v = rng.integers(0, 62, 37).astype(dtype)
    if a.dtype.kind in "fc":
        a[-2:] = np.nan
        v[[3, 5, 6, 7]] = np.nan, np.inf, -np.inf, -0.0
    check(f, a, v)
    check(f, np.repeat(a, 2)[::2], v[::-2])


@pytest.mark.parametrize("size", [1, 2, 5, 40])
def test_interp_at_the_edges(size: int) -> None:
    def f(x, xp, fp):
        return np.interp(x, xp, fp), np.interp(x, xp, fp, -1, 99), np.interp(x, xp, fp, period=7)

    rng = np.random.default_rng(size)
    xp, fp = np.sort(rng.random(size) * 10), rng.random(size)
    x = np.concatenate([rng.random(30) * 14 - 2, xp, [np.nan, np.inf, -np.inf]])
    check(f, x, xp, fp)
    check(f, x[::-1], xp, fp + 1j)
    fp[-1] = np.inf
    check(f, x, xp, fp)


@pytest.mark.parametrize("axis", [2, -3, 5])
@pytest.mark.parametrize(
    "call",
    ["np.sort(x, axis)", "np.argsort(x, axis)", "np.partition(x, 0, axis)", "x.sort(axis)",
     "np.argpartition(x, 0, axis)", "x.partition(0, axis)", "np.unique(x, axis=axis)",
     "np.take(x, 0, axis)", "np.take(x, [0, 1], axis)", "np.compress([True], x, axis)",
     "np.unstack(x, axis=axis)", "np.moveaxis(x, axis, 0)", "np.median(x, axis)",
     "np.put_along_axis(x, np.zeros((1, 3), int), 1, axis)"],
)  # fmt: skip
def test_an_axis_out_of_bounds(call: str, axis: int) -> None:
    f = make(f"def f(x, axis):\n    return {call}", np=np)
    x = np.arange(6.0).reshape(2, 3)
    check(f, x, axis)
    with pytest.raises(np.exceptions.AxisError) as wanted:
        f(x, axis)
    with pytest.raises(np.exceptions.AxisError) as got:
        shapecast.jit(f)(x, axis)
    assert str(got.value).splitlines()[0] == str(wanted.value)
    assert (got.value.axis, got.value.ndim) == (wanted.value.axis, wanted.value.ndim)
