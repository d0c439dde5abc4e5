"""var std count_nonzero argmin argmax isclose allclose array_equal."""

from __future__ import annotations

import numpy as np
import pytest
from support.arrays import COMPLEX, DTYPES, FLOATS, LAYOUTS, filled, lay_out
from support.compare import Report, check, make
from support.ulp import Tolerance, exact, within_absolute

AXES = {
    1: ["None", "0", "-1", "(0,)"],
    2: ["None", "0", "1", "(0, 1)", "(-2,)"],
    3: ["None", "1", "-1", "(0, 2)", "()"],
}
SHAPES = {1: [(131,), (1,), (0,)], 2: [(7, 40), (1, 5), (3, 0), (0, 3)], 3: [(3, 5, 9), (2, 1, 4)]}
CASES = [(rank, axis, shape) for rank in AXES for axis in AXES[rank] for shape in SHAPES[rank]]


def spread(x: np.ndarray, dtype: str = "") -> Tolerance:
    """As close as a sum in another order can be."""
    work = np.dtype(dtype or (x.dtype if x.dtype.kind in "fc" else "f8"))
    if work.kind not in "fc":
        return exact
    wide = np.abs(x.astype(np.complex128)).max(initial=1)
    eps = np.finfo(work).eps
    return within_absolute(16 * float(eps) * float(wide) ** 2 * np.log2(max(2, x.size)))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["var", "std"])
def test_variance_is_numpys(name: str, dtype: str, full: bool) -> None:
    number = DTYPES.index(dtype)
    with Report(f"{name} of {dtype}") as report:
        for k in range(len(CASES) if full else 6):
            _rank, axis, shape = CASES[(number * 7 + k * 5) % len(CASES)]
            form = ["np.{}(x, axis={}{})", "x.{}({}{})"][k % 2]
            more = ["", ", ddof=1", ", keepdims=True", ", ddof=2, keepdims=True"][k % 4]
            f = make(f"def f(x):\n    return {form.format(name, axis, more)}")
            layout = LAYOUTS[(number + k * 5) % len(LAYOUTS)]
            x = lay_out((filled(shape, dtype, 2, "small")), layout)
            with report.case(dtype, axis, shape, layout, more):
                tol = spread(x)
                check(f, x, tol=tol)


@pytest.mark.parametrize("dtype", [*FLOATS, *COMPLEX, "int32", "bool"])
def test_variance_along_unit_stride_has_numpys_bits(dtype: str) -> None:
    f = make("def f(x):\n    return x.var(), x.std(axis=-1), np.var(x, 1, ddof=1, keepdims=True)")
    loose = within_absolute(1e-3 if dtype == "complex64" else 1e-12) if dtype in COMPLEX else exact
    for shape in ((3, 400), (1, 1), (5, 17)):
        x = filled(shape, dtype, 3, "small")
        check(f, x, tol=loose)


@pytest.mark.parametrize(
    ("dtype", "out"),
    [("int32", "float32"), ("float32", "float64"), ("float64", "int64"), ("float64", "float16"),
     ("complex64", "complex128"), ("float64", "complex128"), ("bool", "float32")],
)  # fmt: skip
def test_variance_in_a_dtype(dtype: str, out: str) -> None:
    f = make(f"def f(x):\n    return np.var(x, dtype=np.{out}), x.var(0, np.{out})")
    x = filled((5, 6), dtype, 0, "small")
    check(f, x, tol=spread(x, out))


def test_variance_of_scalars_and_with_more_arguments() -> None:
    f = make("def f(x):\n    return np.var(x), np.std(x)")
    for x in (np.float32(3), np.array(2.5), np.array(True), np.int8(4)):
        check(f, x)
    g = make("""
        def g(x, d):
            return np.var(x, ddof=d), np.std(x, correction=1), np.var([1, 2, 4])
    """)
    x = filled((9,), "float64", 1, "small")
    for d in (0, 1, 1.5, 20):
        check(g, x, d, tol=within_absolute(1e-14))
    h = make("def h(x, m):\n    return np.var(x, axis=1, mean=m), np.std(x, 1, mean=m)")
    y = filled((4, 6), "float64", 2, "small")
    check(h, y, y.mean(axis=1, keepdims=True), tol=within_absolute(1e-14))
    check(make("def f(x):\n    return np.var(x > 0)"), x, tol=within_absolute(1e-14))


@pytest.mark.parametrize("dtype", DTYPES)
def test_count_nonzero_is_numpys(dtype: str) -> None:
    f = make("""
        def f(x):
            return (np.count_nonzero(x), np.count_nonzero(x, axis=0),
                    np.count_nonzero(x, axis=(0, 1)), np.count_nonzero(x, -1, keepdims=True),
                    np.count_nonzero(x, keepdims=True))
    """)
    for k, shape in enumerate([(4, 5), (0, 3), (2, 3, 70), (1, 1)]):
        check(f, lay_out(filled(shape, dtype, k, "small"), LAYOUTS[(k * 5 + len(dtype)) % 14]))
    check(make("def f(x):\n    return np.count_nonzero(x > 0), np.count_nonzero(3)"), np.ones(7))


# ------------------------------------------------------------------------------- positions


def positions(call: str) -> object:
    return make(f"def f(x):\n    return {call}")


ARG = [
    "np.{}(x)", "x.{}()", "np.{}(x, axis=0)", "x.{}(-1)", "np.{}(x, 1, keepdims=True)",
    "np.{}(x, keepdims=True)", "np.{}(x + x, axis=0)", "x.{}(axis=0, keepdims=True)",
    "np.{}(x + x)",
]  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["argmax", "argmin"])
def test_indices_of_extremes(name: str, dtype: str, full: bool) -> None:
    number = DTYPES.index(dtype)
    shapes = [(7, 40), (1, 5), (3, 300), (40, 3), (131,), (2, 3, 5), (1,)]
    with Report(f"{name} of {dtype}") as report:
        for k in range(len(ARG)):
            if not full and (k + number) % 2:
                continue
            f = positions(ARG[k].format(name))
            for j in range(len(shapes) if full else 2):
                shape = shapes[(number + k * 3 + j * 2) % len(shapes)]
                layout = LAYOUTS[(number + k * 5 + j) % len(LAYOUTS)]
                domain = ("small", "any")[(k + j) % 2]  # many equal ones; NaN and infinities
                x = lay_out(filled(shape, dtype, k, domain), layout)
                with report.case(ARG[k].format(name), dtype, shape, layout):
                    check(f, x)


@pytest.mark.parametrize("dtype", FLOATS + COMPLEX)
@pytest.mark.parametrize("name", ["argmax", "argmin"])
def test_first_nan_is_the_extreme(name: str, dtype: str) -> None:
    f = make(f"def f(x):\n    return np.{name}(x), np.{name}(x, axis=0), np.{name}(x, axis=1)")
    rng = np.random.default_rng(1)
    for n in (3, 64, 257, 3000):
        x = rng.standard_normal((3, n)).astype(dtype)
        check(f, x)
        x[1, n // 2] = np.nan
        x[1, n - 1] = np.nan
        check(f, x)
        x[0, 1:3] = np.inf
        x[2, 0:2] = -np.inf
        check(f, x)
    check(f, np.array([[0.0, -0.0], [-0.0, 0.0]], dtype))
    if dtype in COMPLEX:
        check(f, np.array([[1 + 2j, 1 + 3j, 1 + 3j], [complex(1, np.nan), 5, np.nan]], dtype))


@pytest.mark.parametrize("name", ["argmax", "argmin"])
def test_indices_of_extremes_at_many_sizes(name: str) -> None:
    f = make(f"def f(x):\n    return x.{name}()")
    for dtype in ("float64", "float32", "int8", "uint16", "bool", "int64"):
        for n in (1, 2, 31, 32, 33, 255, 256, 257, 511, 2047, 2048, 2049, 5000, 10007):
            x = filled((n,), dtype, n, "finite")
            check(f, x)
            check(f, x * 0)
            x[-1] = 1 if dtype == "bool" else 100
            check(f, x)


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "int64", "int8", "bool"])
def test_an_extreme_at_every_index_of_a_row(dtype: str) -> None:
    """Vectors, the last of which overlaps the one before, blocks of 256 to 1024, short rows."""
    f = make("def f(x):\n    return np.argmax(x, axis=1), np.argmin(x, axis=1), x.max(axis=1)")
    for n in (7, 31, 32, 63, 64, 65, 100, 255, 257):
        x = np.eye(n, dtype=dtype)
        check(f, x)
        check(f, 1 - x if dtype != "bool" else ~x)
        check(f, np.tri(n, dtype=dtype))  # the first of many
    for n in (1023, 1024, 1025, 1060, 2200):
        x = np.zeros((9, n), dtype)
        for row, at in enumerate((0, 1, 500, 991, 1000, 1022, -40, -2, -1)):
            x[row, at:] = 1
        check(f, x)
        check(f, 1 - x if dtype != "bool" else ~x)


def test_extremes_between_stores() -> None:
    f = make("""
        def f(x):
            x *= 2
            y = x - 1
            y += x
            return x.max(axis=1), y.min(axis=1), y, x.argmax(axis=1), (x[0] * 3).max()
    """)
    for n in (5, 33, 100, 1030):
        check(f, np.random.default_rng(n).standard_normal((4, n)))


@pytest.mark.parametrize(
    "call",
    ["np.argmax(x)", "np.argmin(x, axis=0)", "np.argmax(x, 1)", "np.argmin(x, 2)",
     "x.argmax(axis=-3)", "np.argmax(x, axis=(0, 1))", "np.argmin(3.5)", "np.argmax([1, 5, 2])",
     "np.argmax(x[0, 0])"],
)  # fmt: skip
def test_indices_of_extremes_of_short_and_empty_arrays(call: str) -> None:
    f = positions(call)
    for shape in ((3, 2), (0, 2), (2, 0)):
        check(f, np.ones(shape))


def test_indices_of_extremes_of_scalars() -> None:
    f = make("""
        def f(x):
            return np.argmax(x), np.argmin(x, axis=0), np.argmax(x, keepdims=True)
    """)
    for x in (np.float32(3), np.array(2.5), np.array(True)):
        check(f, x)


# ------------------------------------------------------------------------------- comparisons


@pytest.mark.parametrize(
    "call",
    ["np.isclose(x, y)", "np.isclose(x, y, rtol=0.1, atol=0.01)", "np.allclose(x, y)",
     "np.isclose(x, y, equal_nan=True)", "np.allclose(x, x, equal_nan=True)", "np.isclose(x, 1.5)",
     "np.isclose(x, 2)", "np.allclose(x, y, 0, 1e3)", "np.array_equal(x, y)",
     "np.array_equal(x, x)", "np.array_equal(x, x, equal_nan=True)", "np.isclose(2, y)",
     "np.isclose(x[0, 0], y[0, 0])", "np.isclose(1.0, 1.0 + 1e-9)", "np.allclose(x, [1, 2, 3])",
     "np.array_equal(x, x[0])", "np.array_equal(x[0], y[1])", "np.isclose(x, y, y)"],
)  # fmt: skip
def test_comparisons_of_arrays_are_numpys(call: str, full: bool) -> None:
    f = make(f"def f(x, y):\n    return {call}")
    number = len(call)
    with Report(call) as report:
        for k in range(len(DTYPES) if full else 5):
            left, right = DTYPES[(number + k * 3) % 14], DTYPES[(number * 5 + k) % 14]
            layout = LAYOUTS[(number + k) % len(LAYOUTS)]
            x, y = filled((4, 3), left, 1), filled((4, 3), right, 2)
            with report.case(left, right, layout):
                check(f, lay_out(x, layout), y)
        with report.case("near"):
            x = filled((4, 3), "float64", 1, "finite")
            check(f, x, x * (1 + np.array([1e-4, 1e-6, 0])))


def test_array_equal_at_many_shapes() -> None:
    f = make("def f(x, y):\n    return np.array_equal(x, y)")
    for a in ((3,), (4,), (0,), (1,)):
        for b in ((3,), (1,), (0,)):
            check(f, np.ones(a), np.ones(b))
    g = make("def g(x, y):\n    return 1 if np.array_equal(x, y) or np.allclose(x, y) else 2")
    check(g, np.ones(3), np.ones(3))
    check(g, np.ones(3), np.zeros(3))
