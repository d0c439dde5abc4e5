"""Basic indexing, newaxis, Ellipsis, T, transpose, reshape, ravel: values, sharing with the
argument, errors.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from shapecast import jit
from support.arrays import DTYPES, IN_PLACE, LAYOUTS, filled, lay_out
from support.compare import Report, case_id, check, make

CONSTANT = {
    1: [
        "x[1:-1]", "x[::2]", "x[::-1]", "x[-3:]", "x[:100]", "x[5:2]", "x[3]", "x[-1]", "x[None]",
        "x[:, None]",
        "x[...]", "x[:]", "x[..., None]", "x[-100:100:3]", "x[::-2]", "x[10:0:-1]",
        "x[np.newaxis, :]", "x[2:3]",
        "x[-1:0:-1]", "x[1:-1][::2]", "x[::-1][1:]", "x[2:][0]", "x[..., 2]", "x[None, ..., None]",
        "x[0:0]",
        "x.T", "x.reshape(-1)", "x.reshape(-1, 1)", "x.reshape(2, -1)", "x.reshape((3, 4))",
        "np.reshape(x, (4, 3))",
        "x.ravel()", "np.ravel(x)", "x.reshape(2, 3, 2)", "x.reshape(x.shape)", "x[()]",
        "x[1:][:-1]", "x[-5:-2]",
        "x.reshape(2, 2, 3).reshape(-1)", "x[12:]", "x[-13:2]",
    ],
    2: [
        "x[0]", "x[-1]", "x[:, 0]", "x[:, -1]", "x[1:, ::2]", "x[::-1, 1:-1]", "x[1, 2]",
        "x[-1, -1]", "x[1][2]",
        "x[..., 0]", "x[0, ...]", "x[:, None]", "x[None, :, None]", "x[1:3]", "x.T",
        "x.transpose()", "x.T.T",
        "x.transpose(1, 0)", "x.transpose((0, 1))", "np.transpose(x)", "np.transpose(x, (1, 0))",
        "x.T[1:]",
        "x.reshape(-1)", "x.reshape(4, 3)", "x.reshape(2, 3, -1)", "x.ravel()", "x.T.ravel()",
        "x.T.reshape(2, 6)",
        "x[:, 1:3].reshape(-1)", "x[1:2, 2]", "x[:, ::-1]", "x[::2, ::3]", "x[1, :2]",
        "x[:, np.newaxis, 1]",
        "x[0:1].reshape(4)", "x[5:, :]", "x.T[::-1, ::-1]", "x.transpose(-1, 0)", "x[:0]", "x[()]",
        "x[..., None, 0]",
    ],
    3: [
        "x[0, 1, 2]", "x[0]", "x[:, 1]", "x[..., 1]", "x[0, ..., 1]", "x[:, :, ::2]", "x.T",
        "x.transpose(1, 2, 0)",
        "x.transpose(0, 2, 1)", "np.transpose(x, (2, 0, 1))", "x.reshape(2, -1)",
        "x.reshape(6, 4)", "x.ravel()",
        "x[::-1].reshape(-1)", "x[:, 1, :].T", "x[1, :, 1:]", "x[:, None, 1]", "x[1:, 1:, 1:]",
        "x.reshape(1, 24)",
        "x.transpose(2, 1, 0)[0]", "x[-1, -1, -1]", "x[..., 0, :]",
        "x.transpose(1, 0, 2).reshape(3, 8)",
    ],
}  # fmt: skip
SHAPE = {1: (12,), 2: (3, 4), 3: (2, 3, 4)}
EXPRESSIONS = [(rank, e) for rank, es in CONSTANT.items() for e in es]


@pytest.mark.parametrize(
    ("rank", "expression"), EXPRESSIONS, ids=[f"{r}d-{e}" for r, e in EXPRESSIONS]
)
def test_view_expressions_are_numpys(rank: int, expression: str, full: bool) -> None:
    f = make(f"def f(x):\n    return {expression}")
    values = make(f"def values(x):\n    return ({expression}) * 1")
    number = EXPRESSIONS.index((rank, expression))
    with Report(expression) as report:
        for k in range(len(LAYOUTS) if full else 5):
            layout = "c" if k == 0 else LAYOUTS[(number + 3 * k) % len(LAYOUTS)]
            dtype = DTYPES[(number + k) % len(DTYPES)]
            x = lay_out(filled(SHAPE[rank], dtype), layout)
            with report.case(dtype, layout):
                check(f if layout in IN_PLACE else values, x)


@pytest.mark.parametrize(
    "expression",
    [
        "x[1:-1]",
        "x[::-1]",
        "x[-3:]",
        "x[::2, None]",
        "x.T[...]",
        "x[2:100]",
        "x.ravel()",
        "x.reshape(-1)",
    ],
)
def test_one_view_expression_at_many_sizes(expression: str) -> None:
    """Zero and one included: where a slice clamps nothing may be assumed."""
    f = make(f"def f(x):\n    return {expression}, {expression} * 2")
    for n in (12, 5, 3, 2, 1, 0, 40):
        check(f, filled((n,), "float64"))


@pytest.mark.parametrize(("name", "expression"), [
    ("start stop", "x[i:j]"), ("start", "x[i:]"), ("stop", "x[:j]"), ("step", "x[::k]"),
    ("all three", "x[i:j:k]"),
    ("rows", "x[i:j, 1]"), ("column", "x[:, i:j:k]"),
])  # fmt: skip
def test_slice_with_run_time_bounds(name: str, expression: str) -> None:
    f = make(f"def f(x, i, j, k):\n    return {expression}")
    x = filled((7, 9), "float64") if "," in expression else filled((7,), "float64")
    with Report(expression) as report:
        for i, j, k in itertools.product(
            (-9, -7, -2, 0, 1, 3, 6, 7, 50), (-8, -1, 0, 4, 7, 9), (-3, -1, 1, 2, 10)
        ):
            with report.case(i, j, k):
                check(f, x, i, j, k)


def test_slice_step_zero_raises_value_error() -> None:
    check(make("def f(x, k):\n    return x[::k]"), filled((5,), "float64"), 0)


@pytest.mark.parametrize("index", ["i", "i, 0", "0, i", "..., i", "i, ...", "i, 1:", "None, i"])
def test_run_time_index_in_and_out_of_range(index: str) -> None:
    f = make(f"def f(x, i):\n    return x[{index}]")
    for i in (0, 1, 2, -1, -3, 3, 5, -4, -100, 2**40):
        check(f, filled((3, 5), "int32"), i)


@pytest.mark.parametrize(
    "scalar", [np.int8(-1), np.int64(2), np.uint8(1), np.uint64(2), True], ids=case_id
)
def test_index_of_any_integer_type(scalar: object) -> None:
    if scalar is True:
        f = make("def f(x, i):\n    return x[i + 0]")
    else:
        f = make("def f(x, i):\n    return x[i], x[i:]")
    check(f, filled((4,), "float64"), scalar)


@pytest.mark.parametrize(
    "expression",
    ["x[5]", "x[-6]", "x[0, 0, 0]", "x[..., 0, 0, 0]", "x[:, 4]", "x[1][9]", "x.reshape(7)",
    "x.reshape(-1, 7)",
     "x.reshape(3, -1, -1)", "x.transpose(0, 0)", "x.transpose(0, 1, 2)", "x.transpose(0, 5)",
     "x.reshape(-2, 6)"],
)  # fmt: skip
def test_view_error_is_numpys(expression: str) -> None:
    check(make(f"def f(x):\n    return {expression}"), filled((3, 4), "float64"))


@pytest.mark.parametrize(
    "expression",
    [
        "x.reshape(n, m)",
        "x.reshape((n, m))",
        "x.reshape(-1, m)",
        "x.reshape(n, -1)",
        "np.reshape(x, (m, n))",
    ],
)
def test_reshape_to_run_time_sizes(expression: str) -> None:
    f = make(f"def f(x, n, m):\n    return {expression}")
    for n, m in ((3, 4), (12, 1), (2, 6), (5, 5), (0, 3)):
        check(f, filled((12,), "float32"), n, m)
        check(f, lay_out(filled((4, 3), "float32"), "f"), n, m)


@pytest.mark.parametrize("layout", IN_PLACE)
def test_views_keep_writeability_and_identity(layout: str) -> None:
    f = make("""
        def f(x):
            y = x
            return x, y, x[...], x[1:], x.T
    """)
    check(f, lay_out(filled((4, 4), "float64"), layout))


@pytest.mark.parametrize("dtype", DTYPES)
def test_element_of_an_array_is_a_numpy_scalar_and_0d_views_are_arrays(dtype: str) -> None:
    check(make("def f(x):\n    return x[0], x[0, ...], x[0:1]"), filled((3,), dtype))


def test_view_of_a_view_of_a_view_written_through() -> None:
    f = make("""
        def f(x):
            y = x[1:, ::2].T[::-1]
            y[0, 1:] = 7.0
            y[1] += 1.0
            return y, x
    """)
    for layout in ("c", "f", "strided", "reversed", "inner"):
        check(f, lay_out(filled((5, 6), "float64", 1, "finite"), layout))


def test_views_of_bool_arrays_load_a_byte_that_is_not_zero_as_true() -> None:
    raw = np.array([0, 1, 2, 255, 128, 0], np.uint8)
    f = make("def f(b):\n    return ~b, b + 0, b.sum(), b[1:] & b[:-1], b == True")
    flags = raw.view(bool)
    from support.compare import jitted

    got = jitted(f)(flags)
    want = f(raw != 0)
    for g, w in zip(got, want, strict=True):
        assert np.array_equal(g, w)


def test_shape_attributes_are_numpys() -> None:
    f = make("""
        def f(x):
            n, m = x.shape
            shapes = x.shape, x.T.shape, x[1:].shape
            return shapes, x.ndim, x.size, len(x), n * m, x.shape[0], x.shape[-1]
    """)
    for shape in ((3, 4), (1, 1), (0, 5), (1, 0)):
        check(f, np.ones(shape))


def test_dtype_attribute_compares_and_is_returned() -> None:
    f = make("def f(x):\n    return x.dtype == np.float64, x.dtype, x.dtype == np.int8")
    check(f, np.ones(2))
    check(f, np.ones(2, np.int8))


# A reshape of a read-only array is a copy for some strides at run time: then it is writeable.
MAYBE_COPIES = [
    """
    def f(a):
        v = np.expand_dims(a, 1).transpose().reshape(6, 1, -1)
        try:
            v[1:-1, 1:] = 3
            v[0] = 1
        except ValueError as e:
            print(e)
        return v
    """,
    """
    def f(a):
        v = a.T.reshape(6, -1)
        w = np.broadcast_to(v, (2, 6, 5))
        try:
            w[0] = 1
        except ValueError as e:
            print(e)
        return v, w
    """,
    """
    def f(a):
        v = a.T.reshape(6, -1)
        w = np.broadcast_to(v, (2, 6, 5))
        w[0] = 1
        return v, w
    """,
    """
    def f(a):
        c = np.broadcast_to(a, (2, 6, 5))
        d = a.T.reshape(-1)
        try:
            d[0] = 7
            c[0] = 1
        except ValueError as e:
            print(e)
        return c, d
    """,
]


@pytest.mark.parametrize("source", MAYBE_COPIES, ids=["stored", "caught", "broadcast", "both"])
def test_stores_to_reshapes_of_read_only_arrays(source: str) -> None:
    f = make(source)
    whole = np.arange(30.0).reshape(6, 5)
    for a in (np.broadcast_to(np.arange(5.0), (6, 5)), whole, lay_out(whole, "read_only"),
              lay_out(whole, "f")):  # fmt: skip
        check(f, a)


@pytest.mark.parametrize(
    "value",
    [
        "a[1:] - a[:-1]", "a[::-1] * 2", "a[:, ::2] + 1", "np.where(a[1:] > 0, a[1:], 0)",
        "a[1:] + b",
        "a[1:, 1:] + a[:-1, :-1].copy()", "a[::-1, ::-1] + a", "np.sqrt(abs(a[1:]))", "a[1:] * b",
        "a.T[1:] * 3", "a[1:][:, 1:] * a[0, 0]", "np.diff(a, axis=0)", "np.zeros_like(a[1:])",
        "np.ones_like(a[:, 1:])", "a[:, :, None] * 2", "a[:, None] * 2",
    ],
)  # fmt: skip
def test_windows_of_fortran_arrays_make_fortran_arrays(value: str) -> None:
    """As in NumPy, whose results have the order of their operands."""
    f = make(f"def f(a, b):\n    return {value}")
    data = np.random.default_rng(1).uniform(-1, 1, (5, 4))
    for a in (data, np.asfortranarray(data), np.asfortranarray(data[::-1])):
        want, got = f(a, data[0]), jit(f)(a, data[0])
        np.testing.assert_array_equal(got, want, strict=True)
        assert got.strides == want.strides


def test_slices_of_three_fortran_axes_make_fortran_arrays() -> None:
    f = make("def f(a):\n    return a[:, 1] + a[:, 2], a[1:] * 2, a[..., ::-1] - 1, a[0] * 2")
    a = np.asfortranarray(np.random.default_rng(1).uniform(-1, 1, (5, 4, 3)))
    for want, got in zip(f(a), jit(f)(a), strict=True):
        np.testing.assert_array_equal(got, want, strict=True)
        assert got.strides == want.strides


@pytest.mark.parametrize("order", ["A", "K", "C", "F"])
def test_orders_of_windows_of_fortran_arrays(order: str) -> None:
    """'A' checks the layout of the array itself, 'K' also the strides of a window."""
    a = np.asfortranarray(np.random.default_rng(1).uniform(-1, 1, (5, 4)))
    values = ["a[1:].ravel(order={!r})", "a[1:].flatten({!r})", "a[1:].copy({!r})"]
    values += ["np.array(a[1::2], order={!r})", "np.zeros_like(a[1:], order={!r})"]
    values += ["np.array(a, order={!r})", "a[:, 1:].astype(np.float32, order={!r})"]
    if order != "K":
        values += ["a[1:].reshape(-1, order={!r})", "np.reshape(a[:, ::2], (2, 5), order={!r})"]
    for value in values:
        f = make(f"def f(a):\n    return {value.format(order)}")
        want, got = f(a), jit(f)(a)
        np.testing.assert_array_equal(got, want, strict=True)
        assert got.strides == want.strides


def test_asarray_in_any_order_is_the_array() -> None:
    f = make("def f(a):\n    w = np.asarray(a[1:], order='A')\n    w[0] = 99\n    return a[1, 0]")
    check(f, np.asfortranarray(np.ones((3, 2))))
