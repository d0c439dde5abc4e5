"""concatenate and the stacks, eye tri meshgrid tile repeat roll diff trapezoid, copyto, copies."""

from __future__ import annotations

import numpy as np
import pytest
from support.arrays import DTYPES, IN_PLACE, LAYOUTS, filled, lay_out
from support.compare import Report, check, jitted, make
from support.ulp import exact, within, within_absolute

JOINS = {
    (1, 1): [
        "np.concatenate((x, y))", "np.concatenate([x, y, x], axis=0)", "np.hstack((x, y))",
        "np.concatenate((x[:0], y))", "np.concatenate((x, y), -1)", "np.append(x, y)",
        "np.concatenate((x[::-1], y[1:]), axis=None)", "np.concatenate((x,))",
        "np.stack((x[:3], y[:3]))", "np.stack([x[:3], y[:3]], axis=1)", "np.vstack((x[:3], y[:3]))",
        "np.dstack((x[:3], y[:3]))", "np.column_stack((x[:3], y[:3]))", "np.stack((x[:3],), -1)",
    ],
    (2, 2): [
        "np.concatenate((x, y), 1)", "np.concatenate((x, x), axis=0)", "np.hstack((x, y))",
        "np.vstack((x, x[0]))", "np.vstack((x[:, 0], x[:, 1]))", "np.concatenate((x, y), None)",
        "np.stack((x, x), 2)", "np.stack((x, x), axis=-2)", "np.dstack((x, x))",
        "np.column_stack((x, y, x[:, 0]))", "np.append(x, y, axis=1)", "np.append(x, y)",
        "np.concatenate((x.T, y.T))", "np.concatenate((x.T, y.T), 0, dtype=np.complex128)",
    ],
    (0, 0): [
        "np.hstack((x, y))", "np.vstack((x, y))", "np.stack((x, y))", "np.column_stack((x, y))",
        "np.append(x, y)", "np.dstack((x, y))",
    ],
}  # fmt: skip
SHAPES = {(1, 1): ((5,), (4,)), (2, 2): ((3, 4), (3, 2)), (0, 0): ((), ())}
ROWS = [(ranks, e) for ranks, es in JOINS.items() for e in es]


@pytest.mark.parametrize(("ranks", "expression"), ROWS, ids=[f"{r[0]}d-{e}" for r, e in ROWS])
def test_joins_are_numpys(ranks: tuple, expression: str, full: bool) -> None:
    f = make(f"def f(x, y):\n    return {expression}")
    number = ROWS.index((ranks, expression))
    with Report(expression) as report:
        for k in range(len(DTYPES) if full else 4):
            left, right = DTYPES[(number + k) % 14], DTYPES[(number * 3 + k * 5) % 14]
            layouts = LAYOUTS[(number + 5 * k) % len(LAYOUTS)], LAYOUTS[(2 * k) % len(LAYOUTS)]
            x, y = filled(SHAPES[ranks][0], left), filled(SHAPES[ranks][1], right, 1)
            with report.case(left, right, *layouts):
                check(f, lay_out(x, layouts[0]), lay_out(y, layouts[1]))


@pytest.mark.parametrize(
    "expression",
    [
        "np.concatenate((x + y, x * 2, np.sqrt(y)))", "np.stack((x, y, x - y)).sum(axis=0)",
        "np.concatenate((x, y))[::2] + 1", "np.vstack((x, 2 * y)) @ x", "np.hstack((x, n, 2.5))",
        "np.concatenate((x, [1, 2]))", "np.append(x, n)", "np.stack((n, 3, 4.5))",
        "np.concatenate((x, np.zeros(n)))", "np.concatenate(([n], x[1:], y[-1:]))",
        "np.column_stack((x, x ** 2)).mean()", "np.concatenate((x, y), dtype=np.float32)",
        "np.concatenate((x, y), dtype=np.int32, casting='unsafe')",
        "np.hstack((x > 0, y > 0)).sum()",
    ],
)  # fmt: skip
def test_joins_inside_expressions(expression: str) -> None:
    f = make(f"def f(x, y, n):\n    return {expression}")
    tol = within(4) if "@" in expression else exact
    x, y = filled((6,), "float64", 1, "positive"), filled((6,), "float64", 2, "positive")
    check(f, x, y, 3, tol=tol)
    x, y = filled((1,), "float32", 1, "positive"), filled((1,), "float64", 2, "positive")
    check(f, x, y, 0, tol=tol)


def test_joined_arrays_of_other_sizes() -> None:
    f = make("def f(x, y):\n    return np.concatenate((x, y), axis=1), np.stack((x, x))")
    for n, m in ((4, 2), (0, 3), (1, 1), (5, 0)):
        check(f, filled((3, n), "float64"), filled((3, m), "int16"))


@pytest.mark.parametrize(
    "expression",
    [
        "np.concatenate(())", "np.concatenate((x, y), 2)", "np.concatenate((x, y), -3)",
        "np.concatenate((x, y), 0)", "np.concatenate((x, y[0]))", "np.concatenate((x[0, 0], 1))",
        "np.stack((x, y))", "np.stack(())", "np.stack((x, x), 4)", "np.stack((x, x[0]))",
        "np.vstack((x, y))", "np.hstack((x, y.T))", "np.column_stack((x, y[1:]))",
        "np.concatenate((x, y), 1, dtype=np.int8)", "np.append(x, y, axis=0)",
    ],
)  # fmt: skip
def test_join_error_is_numpys(expression: str) -> None:
    f = make(f"def f(x, y):\n    return {expression}")
    check(f, filled((3, 4), "float64"), filled((3, 2), "float64"))


def test_operands_are_stored_directly_into_the_result() -> None:
    f = make("def f(a, b, c):\n    return np.concatenate((a + b, c * 2))")
    a = np.arange(5.0)
    text = jitted(f).stages(a, a, a)["reuse"]
    assert text.count("np.alloc") == 1


# ------------------------------------------------------------------------------- by rule


@pytest.mark.parametrize(
    "call",
    [
        "np.eye(n)", "np.eye(n, m)", "np.eye(n, m, 1)", "np.eye(n, k=-1)", "np.eye(n, m, k)",
        "np.eye(n, dtype=np.int8)", "np.eye(n, None, 0, bool)", "np.eye(n, m, 100)",
        "np.identity(n)", "np.identity(n, np.complex64)", "np.tri(n)", "np.tri(n, m)",
        "np.tri(n, m, k)", "np.tri(n, k=-1, dtype=int)", "np.eye(n, m) @ np.tri(m, n)",
    ],
)  # fmt: skip
def test_matrix_by_rule(call: str) -> None:
    f = make(f"def f(n, m, k):\n    return {call}")
    for n, m, k in ((3, 4, 1), (4, 2, -1), (1, 1, 0), (0, 3, 2), (5, 5, -7)):
        check(f, n, m, k)


@pytest.mark.parametrize("call", ["np.tril(x)", "np.triu(x)", "np.tril(x, 1)", "np.triu(x, k=-1)"])
def test_triangles_are_numpys(call: str) -> None:
    f = make(f"def f(x):\n    return {call}")
    for k, shape in enumerate([(4, 5), (3,), (2, 3, 3), (0, 2), (5, 2)]):
        check(f, lay_out(filled(shape, DTYPES[3 * k]), IN_PLACE[k]))
    check(f, np.float64(3))


@pytest.mark.parametrize(
    "call",
    [
        "np.meshgrid(x, y)", "np.meshgrid(x, y, indexing='ij')", "np.meshgrid(x, y, sparse=True)",
        "np.meshgrid(x, y, x, indexing='xy')", "np.meshgrid(x)", "np.meshgrid(x, 2.5)",
        "np.meshgrid(x, y, indexing='ij', sparse=True)", "np.meshgrid(x, y[::-1])[1] + x",
        "np.meshgrid(x, y, indexing='no')", "np.meshgrid(x, [1, 2])",
    ],
)  # fmt: skip
def test_meshgrid_is_numpys(call: str) -> None:
    f = make(f"def f(x, y):\n    return {call}")
    check(f, filled((3,), "float64"), filled((4,), "int16"))
    check(f, lay_out(filled((5,), "float32"), "reversed"), np.ones(0))


@pytest.mark.parametrize(
    "call",
    [
        "np.tile(x, 2)", "np.tile(x, (2, 3))", "np.tile(x, n)", "np.tile(x, (1, n, 2))",
        "np.tile(x, ())", "np.tile(x, 1)", "np.repeat(x, 3)", "np.repeat(x, n, axis=0)",
        "np.repeat(x, 2, -1)", "x.repeat(2)", "np.repeat(x, 0)", "np.roll(x, 1)", "np.roll(x, -n)",
        "np.roll(x, n, axis=0)", "np.roll(x, (1, n), (0, -1))", "np.roll(x, 2, (0, -1))",
        "np.roll(x, 100, -1)", "np.roll(x, 0)", "np.diff(x)", "np.diff(x, 2)", "np.diff(x, axis=0)",
        "np.diff(x, 0)", "np.diff(x, 1, -1, 0)", "np.diff(x, append=x)",
        "np.diff(x, n=1, prepend=x[:1], axis=0)", "np.diff(x * 2) + 1", "np.roll(x + 1, 1) - x",
    ],
)  # fmt: skip
def test_rearrangements_are_numpys(call: str, full: bool) -> None:
    f = make(f"def f(x, n):\n    return {call}")
    with Report(call) as report:
        for k, shape in enumerate([(5,), (3, 4), (0,), (1, 3), (2, 0), (2, 3, 2)]):
            for j in range(len(DTYPES) if full else 2):
                dtype = DTYPES[(k * 5 + j + len(call)) % 14]
                layout = LAYOUTS[(k * 3 + j) % len(LAYOUTS)]
                # A copy keeps the byte order; np.tile with no repetitions returns the argument.
                layout = "step3" if layout == "swapped" else layout
                layout = "c" if layout == "read_only" and 0 in shape else layout
                if "- x" in call and dtype == "bool":
                    dtype = "int8"
                with report.case(dtype, shape, layout):
                    check(f, lay_out(filled(shape, dtype), layout), (2, 0, 3)[j % 3])


@pytest.mark.parametrize(
    "call",
    [
        "np.trapezoid(x)", "np.trapezoid(x, axis=0)", "np.trapezoid(x, dx=2)",
        "np.trapezoid(x, None, 0.5, 0)", "np.trapezoid(x, x)", "np.trapezoid(x, x * x, axis=0)",
        "np.trapezoid(x, np.arange(x.shape[-1]))", "np.trapezoid(x, np.arange(n), axis=-1)",
        "np.trapezoid(x, np.linspace(0, 1, x.shape[0]), axis=0)",
        "np.trapezoid(y=x, x=np.ones((2, 1, 1)) * x)",
        "np.trapezoid(x * 2 + 1, dx=x[..., 1:])", "np.trapezoid([1, n, 4])",
    ],
)  # fmt: skip
def test_trapezoid_is_numpys(call: str, full: bool) -> None:
    f = make(f"def f(x, n):\n    return {call}")
    with Report(call) as report:
        for k, shape in enumerate([(5,), (3, 4), (1,), (0,), (2, 0), (2, 3, 2)]):
            for j in range(len(DTYPES) if full else 3):
                dtype = DTYPES[(k * 5 + j + len(call)) % 14]
                layout = LAYOUTS[(k * 3 + j) % len(LAYOUTS)]
                x = lay_out(filled(shape, dtype), layout)
                # Products of complex numbers may differ in the last places, see ulp.py.
                last = 8 * np.finfo(x.dtype).eps if x.dtype.kind == "c" else 0
                tol = within_absolute(last * np.abs(x).max(initial=0) ** 3) if last else exact
                with report.case(dtype, shape, layout):
                    check(f, x, shape[-1], tol=tol)


@pytest.mark.parametrize("call", ["np.trapezoid(x, axis=2)", "np.trapezoid(x[0, 0])",
    "np.trapezoid(x, np.ones(7))", "np.trapezoid(x, x, axis=3)"],
)  # fmt: skip
def test_trapezoid_error_is_numpys(call: str) -> None:
    check(make(f"def f(x):\n    return {call}"), filled((3, 4), "float64"))


@pytest.mark.parametrize(
    "call",
    ["np.repeat(x, -1)", "np.repeat(x, 2, 2)", "np.roll(x, 1, 3)", "np.diff(x, -1)",
     "np.diff(x, 1, 4)", "np.diff(x[0, 0])"],
)  # fmt: skip
def test_rearranging_error_is_numpys(call: str) -> None:
    check(make(f"def f(x):\n    return {call}"), filled((3, 4), "float64"))


# ------------------------------------------------------------------------------- copies


@pytest.mark.parametrize("layout", IN_PLACE)
def test_copies_of_each_order_are_numpys(layout: str) -> None:
    f = make("""
        def f(x):
            return (np.ascontiguousarray(x), np.asfortranarray(x), np.asanyarray(x), np.asarray(x),
                    np.asarray(x, dtype=np.float32), np.ascontiguousarray(x, dtype=np.int8))
    """)
    check(f, lay_out(filled((3, 4), "float64", 0, "finite"), layout))
    check(f, lay_out(filled((4,), "float64", 0, "finite"), layout))
    g = make("def g(x):\n    return x.copy(order='F'), np.copy(x), x.copy('A'), np.copy(x, 'C')")
    x = lay_out(filled((3, 4), "float64"), layout)
    check(g, x)
    if "zero" in layout:
        return  # the order for a stride of 0 is unspecified
    for got, want in zip(jitted(g)(x), g(x), strict=True):
        assert got.flags.c_contiguous == want.flags.c_contiguous
        assert got.flags.f_contiguous == want.flags.f_contiguous


@pytest.mark.parametrize("source", ["y", "y[:, None]", "y[0]", "2", "2.5", "[1, 2, 3]", "x[::-1]"])
@pytest.mark.parametrize("dtype", ["float64", "int16", "uint8", "bool", "complex64"])
def test_copyto_is_numpys(source: str, dtype: str) -> None:
    f = make(f"def f(x, y):\n    np.copyto(x, {source})\n    return x")
    check(f, filled((3, 3), dtype), filled((3,), "float32", 1, "finite"))
    check(f, filled((3, 3), dtype), filled((3,), "int8"))


def test_copyto_errors_and_casting() -> None:
    f = make("def f(x, y):\n    np.copyto(x, y, casting='unsafe')")
    check(f, filled((3,), "int64"), filled((3,), "float64", 0, "finite"))
    check(make("def f(x, y):\n    np.copyto(x, y)"), np.ones(3), np.ones(4))
    check(make("def f(x):\n    np.copyto(x, 300)"), np.ones(3, np.uint8))
