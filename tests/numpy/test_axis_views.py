"""swapaxes moveaxis squeeze expand_dims atleast flip rot90 broadcast_to diagonal ...: values,
sharing with the argument, errors.
"""

from __future__ import annotations

import numpy as np
import pytest
from support.arrays import DTYPES, IN_PLACE, LAYOUTS, filled, lay_out
from support.compare import Report, check, make

ONE_ARRAY = {
    0: [
        "np.squeeze(x)", "np.expand_dims(x, 0)", "np.expand_dims(x, (0, 1))", "np.atleast_1d(x)",
        "np.atleast_2d(x)", "np.atleast_3d(x)", "np.broadcast_to(x, (3, 2))",
        "np.broadcast_to(x, 4)", "np.broadcast_to(x, ())", "np.flip(x)",
    ],
    1: [
        "np.squeeze(x)", "np.expand_dims(x, -1)", "np.expand_dims(x, (0, 2))", "np.atleast_1d(x)",
        "np.atleast_2d(x)", "np.atleast_3d(x)", "np.flip(x)", "np.flipud(x)", "np.flip(x, 0)",
        "np.swapaxes(x, 0, -1)", "np.moveaxis(x, 0, 0)", "np.rollaxis(x, 0)",
        "np.broadcast_to(x, (3, 12))", "np.broadcast_to(x, (12,))", "np.broadcast_to(x, 12)",
        "np.broadcast_to(x[:1], 7)", "np.diag(x)", "np.diag(x, 2)", "np.diag(x, -1)",
    ],
    2: [
        "np.swapaxes(x, 0, 1)", "x.swapaxes(-1, 0)", "np.moveaxis(x, 0, -1)",
        "np.moveaxis(x, (0, 1), (1, 0))", "np.moveaxis(x, [-1], [0])", "np.rollaxis(x, 1)",
        "np.squeeze(x)", "x.squeeze()", "x[:1].squeeze(0)", "np.squeeze(x[:, None], axis=1)",
        "np.squeeze(x[:1, :1])", "np.squeeze(x[None, :, None], axis=(0, 2))",
        "np.expand_dims(x, 1)", "np.expand_dims(x, (0, -1))", "np.atleast_1d(x)",
        "np.atleast_3d(x)", "np.atleast_2d(x, x[0])", "np.flip(x)", "np.flip(x, 1)",
        "np.flip(x, (0, 1))", "np.flip(x, axis=-2)", "np.fliplr(x)", "np.flipud(x)",
        "np.rot90(x)", "np.rot90(x, 2)", "np.rot90(x, -1)", "np.rot90(x, 4)",
        "np.rot90(x, 3, (1, 0))", "np.broadcast_to(x, (2, 3, 4))", "np.broadcast_to(x, x.shape)",
        "np.broadcast_to(x[:, :1], (3, 5))", "np.broadcast_arrays(x, x[0], x[:, :1])",
        "np.broadcast_arrays(x, x)", "np.diagonal(x)", "x.diagonal()", "np.diagonal(x, 1)",
        "np.diagonal(x, -2)", "np.diagonal(x, 0, 1, 0)", "np.diagonal(x, 9)", "np.diag(x)",
        "np.diag(x, k=1)", "x.diagonal(-1)[::2]",
    ],
    3: [
        "np.swapaxes(x, 0, 2)", "x.swapaxes(1, 2)", "np.moveaxis(x, 0, 2)", "np.moveaxis(x, 2, 0)",
        "np.moveaxis(x, (0, 2), (1, 0))", "np.rollaxis(x, 2)", "np.rollaxis(x, 0, 3)",
        "np.rollaxis(x, 1, -1)", "np.rollaxis(x, 2, 1)", "np.flip(x, (0, 2))", "np.flipud(x)",
        "np.rot90(x, 1, (1, 2))", "np.rot90(x, axes=(0, 2))", "np.atleast_3d(x)",
        "np.expand_dims(x, 3)", "np.squeeze(x[:, :1])", "np.diagonal(x)",
        "np.diagonal(x, 1, axis1=1, axis2=2)", "x.diagonal(0, 2, 0)", "np.fliplr(x)",
        "np.broadcast_to(x[:, :1], (2, 2, 5, 4))",
    ],
}  # fmt: skip
SHAPE = {0: (), 1: (12,), 2: (3, 4), 3: (2, 3, 4)}
EXPRESSIONS = [(rank, e) for rank, es in ONE_ARRAY.items() for e in es]


@pytest.mark.parametrize(
    ("rank", "expression"), EXPRESSIONS, ids=[f"{r}d-{e}" for r, e in EXPRESSIONS]
)
def test_functions_that_return_views_are_numpys(rank: int, expression: str, full: bool) -> None:
    f = make(f"def f(x):\n    return {expression}")
    number = EXPRESSIONS.index((rank, expression))
    with Report(expression) as report:
        for k in range(len(IN_PLACE) if full else 3):
            layout = "c" if k == 0 else IN_PLACE[(number + 3 * k) % len(IN_PLACE)]
            dtype = DTYPES[(number + k) % len(DTYPES)]
            with report.case(dtype, layout):
                check(f, lay_out(filled(SHAPE[rank], dtype), layout))


@pytest.mark.parametrize(
    "expression",
    [
        "np.swapaxes(x, 0, 1) + y", "np.flip(x, 0) * y.T", "np.trace(x)", "x.trace(1)",
        "np.trace(x, -1, dtype=np.float32)", "np.broadcast_to(y[0], (4, 3)).sum(axis=0)",
        "np.diagonal(x) + 1", "np.diagonal(x @ y).sum()", "np.expand_dims(x, 0) + y.T",
        "np.moveaxis(x, 0, 1) @ x", "np.rot90(x) - y",
    ],
)  # fmt: skip
def test_views_inside_expressions(expression: str) -> None:
    f = make(f"def f(x, y):\n    return {expression}")
    x, y = np.arange(12.0).reshape(3, 4), np.arange(12.0)[::-1].reshape(4, 3) - 3
    check(f, x, y)
    check(f, np.asfortranarray(x), y)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_trace_of_any_layout(layout: str) -> None:
    f = make("def f(x):\n    return np.trace(x), x.trace(-1), x.diagonal() * 2")
    for dtype in ("bool", "int8", "uint16", "float32", "complex64"):
        check(f, lay_out(filled((5, 4), dtype, 0, "small"), layout))
    g = make("def g(x):\n    return x.trace(0, 1, 2)")
    check(g, lay_out(filled((2, 3, 3), "int16"), layout))


def test_views_at_many_sizes() -> None:
    """Code that depends on sizes of 1 (squeeze, broadcasting) is respecialised for other sizes."""
    f = make("""
        def f(x):
            return (np.squeeze(x), np.flip(x), x.diagonal(), x.diagonal(1), x.diagonal(-1),
                    np.rot90(x), np.diag(x, 1) + 0)
    """)
    for shape in ((3, 4), (1, 4), (4, 1), (1, 1), (0, 3), (3, 0), (5, 5)):
        check(f, filled(shape, "float64"))


def test_run_time_shape_and_offset() -> None:
    f = make("def f(x, n, m):\n    return np.broadcast_to(x, (n, m))")
    for shape, n, m in (((4,), 3, 4), ((1,), 3, 4), ((3, 1), 3, 5), ((3,), 2, 4), ((1, 1), 0, 2),
                        ((2,), 3, -1)):  # fmt: skip
        check(f, filled(shape, "int32"), n, m)
    g = make("def g(x, k):\n    return np.diagonal(x, k), np.trace(x, k)")
    for k in (0, 1, 2, 4, 7, -1, -3, -9):
        check(g, filled((3, 4), "int32"), k)


def test_axis_that_is_an_argument() -> None:
    f = make("""
        def f(x, i, j):
            return np.swapaxes(x, i, j), np.flip(x, i), np.moveaxis(x, i, j)
    """)
    for i, j in ((0, 1), (1, 2), (-1, 0), (2, 2)):
        check(f, filled((2, 3, 4), "int32"), i, j)


@pytest.mark.parametrize(
    "expression",
    [
        "np.swapaxes(x, 0, 2)", "np.swapaxes(x, -3, 0)", "np.moveaxis(x, 0, 5)",
        "np.moveaxis(x, 4, 0)", "np.moveaxis(x, (0, 1), 0)", "np.moveaxis(x, (0, 0), (0, 1))",
        "np.rollaxis(x, 3)", "np.rollaxis(x, 0, 5)", "np.squeeze(x, 0)", "np.squeeze(x, 2)",
        "np.squeeze(x, (0, 0))", "np.expand_dims(x, 4)", "np.expand_dims(x, (0, 0))",
        "np.flip(x, 2)", "np.flip(x, (1, 1))", "np.fliplr(x[0])", "np.flipud(x[0, 0])",
        "np.rot90(x, 1, (0, 0))", "np.rot90(x[0])", "np.rot90(x, 1, (0, 5))",
        "np.rot90(x, 1, (0, 1, 1))", "np.broadcast_to(x, (3, 5))", "np.broadcast_to(x, 4)",
        "np.broadcast_to(x, ())", "np.broadcast_to(x, (-1, 4))", "np.broadcast_arrays(x, x[:, :2])",
        "np.diagonal(x[0])", "np.diagonal(x, 0, 0, 0)", "np.diagonal(x, 0, 0, 3)",
        "np.diag(x[None])", "np.diag(x[0, 0])", "np.trace(x[0])",
    ],
)  # fmt: skip
def test_view_error_is_numpys(expression: str) -> None:
    check(make(f"def f(x):\n    return {expression}"), filled((3, 4), "float64"))


@pytest.mark.parametrize(
    "statement",
    [
        "np.broadcast_to(x, (2, 3, 4))[0, 0, 0] = 1", "np.diagonal(x)[0] = 1",
        "np.broadcast_to(x, x.shape)[...] = 2", "x.diagonal()[:] += 1",
    ],
)  # fmt: skip
def test_read_only_views_are_not_written(statement: str) -> None:
    check(make(f"def f(x):\n    {statement}"), filled((3, 4), "float64"))


def test_views_written_through() -> None:
    f = make("""
        def f(x):
            x.swapaxes(0, 1)[0] = 7
            np.flip(x)[0, :2] = 8
            np.expand_dims(x, 1)[1:, 0, 1] += 1
            np.moveaxis(x, 0, 1)[...] = np.fliplr(x).T
            x[:] = np.rot90(x, 2)
            return x
    """)
    for layout in ("c", "f", "strided", "reversed", "inner"):
        check(f, lay_out(filled((4, 5), "float64", 1, "finite"), layout))


def test_numbers_as_arrays() -> None:
    f = make("""
        def f(n, v):
            return np.atleast_1d(n), np.expand_dims(v, 0), np.broadcast_to(n, 3)
    """)
    check(f, 3, 2.5)
    check(f, np.float32(3), np.array(True))


def test_read_only_views_of_arrays_made_here() -> None:
    f = make("""
        def f(x):
            y = x * 2
            wide = np.broadcast_to(y, (3, 4))
            d = np.diagonal(y[None] + x[:, None])
            return wide, wide[1:], d, wide.reshape(12), d.reshape(2, 2), x.imag[1:], wide.T.ravel()
    """)
    check(f, np.arange(4.0))
    for target in ("wide[0, 0]", "wide.T[1:]", "np.diagonal(wide)[0]", "x.imag[...]"):
        g = make(f"def g(x):\n    wide = np.broadcast_to(x + 1, (3, 4))\n    {target} = 1")
        check(g, np.arange(4.0))


@pytest.mark.parametrize(
    "view", ["np.diagonal(y[:, None])", "np.flip(y[None, :], 1).diagonal()", "y[::-1].real",
             "y[1:].view(np.int64)", "y[None, ::2].reshape(-1)", "y[:, None][::2].T"],
)  # fmt: skip
@pytest.mark.parametrize("store", ["y *= 2", "y[:] = x", "y[...] = 7.5"])
def test_views_of_views_see_what_is_stored_to_the_whole_array(view: str, store: str) -> None:
    for between in ("", "    for i in range(2):\n        d = d[:]\n"):
        f = f"def f(x):\n    y = x + 1\n    d = {view}\n{between}    {store}\n    return d, y"
        check(make(f), np.arange(4.0))
