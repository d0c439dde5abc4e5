"""Hypothesis: shapes, dtypes, layouts, slices, overlaps and reshapes, against NumPy bit for bit."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from support.arrays import FLOATS, IN_PLACE, INTEGERS, LAYOUTS, WRITEABLE_LAYOUTS, filled, lay_out
from support.compare import check, make

# Operations that every machine rounds alike; math functions have their tests in tests/numpy.
BINARY = ["{} + {}", "{} - {}", "{} * {}", "np.minimum({}, {})", "np.where({} > {}, 1, 0)",
    "{} * 2 + {}",
          "np.maximum({}, {})", "({} < {}) * 3", "np.subtract({}, {})",
          "np.where({} == {}, 2, 5)"]  # fmt: skip
UNARY = ["-{}", "abs({})", "({} + 1)", "{}.T", "np.square({})", "{}[::-1]", "{}.copy()",
    "({} * 3)", "np.add({}, 1)",
         "{}[...]", "np.sign({})", "np.positive({})"]  # fmt: skip
NUMBERS = [d for d in INTEGERS + FLOATS if d not in ("uint64", "float16")]

layouts = st.sampled_from(LAYOUTS)
dtypes = st.sampled_from(NUMBERS)
seeds = st.integers(0, 10_000)


@st.composite
def expressions(draw: st.DrawFn, names: list[str], depth: int = 3) -> str:
    """An expression over arrays of one square shape, so that every operation keeps the shape."""
    if depth == 0 or draw(st.integers(0, 5)) == 0:
        return draw(st.sampled_from(names))
    if draw(st.booleans()):
        form = draw(st.sampled_from(UNARY))
        inner = draw(expressions(names, depth - 1))
        return form.format(inner if inner.isidentifier() else f"({inner})")
    form = draw(st.sampled_from(BINARY))
    operands = [draw(expressions(names, depth - 1)) for _ in range(2)]
    return form.format(*(o if o.isidentifier() else f"({o})" for o in operands))


@given(
    expression=expressions(["x", "y", "z"]),
    kinds=st.tuples(dtypes, dtypes, dtypes),
    laid=st.tuples(layouts, layouts, layouts),
    seed=seeds,
)
def test_expression_of_random_operations(
    expression: str, kinds: tuple, laid: tuple, seed: int
) -> None:
    f = make(f"def f(x, y, z):\n    return {expression}")
    for n in (5, 1, 0):
        check(
            f,
            *(
                lay_out(filled((n, n), d, seed + k, "finite"), a)
                for k, (d, a) in enumerate(zip(kinds, laid, strict=True))
            ),
        )


@st.composite
def slices(draw: st.DrawFn) -> str:
    part = st.one_of(st.just(""), st.integers(-6, 6).map(str))
    step = draw(st.one_of(st.just(""), st.sampled_from([":-1", ":2", ":-2", ":3"])))
    return f"{draw(part)}:{draw(part)}{step}"


@given(
    rows=slices(),
    columns=slices(),
    more=slices(),
    shape=hnp.array_shapes(min_dims=2, max_dims=2, min_side=0, max_side=7),
    layout=st.sampled_from(IN_PLACE),
)
def test_random_slices_of_slices(
    rows: str, columns: str, more: str, shape: tuple, layout: str
) -> None:
    f = make(f"def f(x):\n    y = x[{rows}, {columns}]\n    return y, y[{more}] * 2, y.T[{more}]")
    check(f, lay_out(filled(shape, "float64"), layout))


@given(
    target=slices(), source=slices(), shift=st.integers(-3, 3), operator=st.sampled_from(["=",
    "+=", "-=", "*="]),
    layout=st.sampled_from(["c", "strided", "reversed"]), same=st.booleans(), count=st.integers(0,
    12),
)  # fmt: skip
def test_random_overlapping_stores(target, source, shift, operator, layout, same, count) -> None:
    f = make(f"def f(a, b):\n    a[{target}] {operator} b[{source}] * 2\n    return a.sum()")
    base = lay_out(filled((count + 8,), "int64", 0, "finite"), layout)
    a = base[4 : 4 + count]
    check(f, a, a if same else base[4 + shift : 4 + shift + count])


@given(
    shapes=hnp.mutually_broadcastable_shapes(num_shapes=3, max_dims=3, max_side=4, min_side=0),
    kinds=st.tuples(dtypes, dtypes, dtypes),
    seed=seeds,
)
def test_random_broadcasting_shapes(shapes, kinds, seed) -> None:
    f = make("def f(x, y, z):\n    return x * y + z, np.where(x < y, y, z)")
    check(
        f,
        *(
            filled(s, d, seed + k, "finite")
            for k, (s, d) in enumerate(zip(shapes.input_shapes, kinds, strict=True))
        ),
    )


@given(shapes=st.tuples(*[hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3)] * 2))
def test_random_shapes_that_may_not_broadcast(shapes: tuple) -> None:
    check(
        make("def f(x, y):\n    return x + y"),
        filled(shapes[0], "float64"),
        filled(shapes[1], "float64", 1),
    )


@given(
    shape=hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=5),
    name=st.sampled_from(["sum", "min", "max", "any", "all", "prod"]),
    axis=st.one_of(st.none(), st.integers(-3, 2), st.lists(st.integers(-3, 2),
    max_size=3).map(tuple)),
    keepdims=st.booleans(), dtype=st.sampled_from(INTEGERS + ["bool"]), layout=layouts,
)  # fmt: skip
def test_random_integer_reductions(shape, name, axis, keepdims, dtype, layout) -> None:
    f = make(f"def f(x):\n    return x.{name}(axis={axis}, keepdims={keepdims})")
    check(f, lay_out(filled(shape, dtype), layout))


RESHAPES = [
    "a = a.T.reshape(4, 3)", "b = a.reshape(3, 4).T", "a = a[::-1].reshape(4, 3)",
    "b = b.ravel()[::-1].reshape(4, 3)", "a = b[:, ::-1].reshape(2, 6).reshape(4, 3)",
    "b.ravel()[1:] = a.ravel()[:-1]", "a.T.reshape(-1)[i] = s", "b.reshape(2, -1)[0] = s",
    "a.reshape(12)[2:] = b.T.reshape(12)[:-2]", "a[...] = b.T.reshape(4, 3)", "b = a",
    "a, b = b, a", "s += a.sum() + b[0, 1]", "a = b.copy()", "b += a.reshape(3, 4).T",
    "a[i] = b[i - 1] + s", "b = a.copy().T.reshape(4, 3)", "b[:, 0] = a.T.ravel()[::3]",
    "c = a.reshape(2, 6)", "c[0] += s", "c = b.T.reshape(2, 6)[:, ::-1]",
    "a[0] = c.reshape(4, 3)[1]",
    "c = c.reshape(6, 2).T", "s += c[0, i]", "b = c.reshape(4, 3)",
]  # fmt: skip


@given(
    body=st.lists(st.sampled_from(RESHAPES), min_size=1, max_size=6),
    after=st.lists(st.sampled_from(RESHAPES), max_size=4),
    laid=st.tuples(st.sampled_from(WRITEABLE_LAYOUTS), st.sampled_from(WRITEABLE_LAYOUTS)),
    alias=st.sampled_from(["apart", "same", "shifted", "reshaped"]),
    when=st.integers(0, 3),
)
def test_random_program_with_views_and_copies_of_reshapes(body, after, laid, alias, when) -> None:
    laid = tuple("c" if name in ("unaligned", "swapped") else name for name in laid)
    indent = "\n                ".join(body)
    rest = "\n            ".join(after)
    f = make(f"""
        def f(a, b):
            s = 1
            i = 2
            c = a.reshape(-1).reshape(2, 6)
            for i in range(3):
                if i == {when}:
                    b = a.T.reshape(4, 3)
                {indent}
            {rest}
            return a[...], b[...], c[...], s
    """)
    a = lay_out(filled((4, 3), "int64", 0, "small"), laid[0])
    base = np.arange(20)
    if alias == "shifted":
        a, b = base[:12].reshape(4, 3), base[1:13].reshape(4, 3)
    elif alias == "reshaped":
        a = base[:12].reshape(4, 3)
        b = a.reshape(3, 4).T
    else:
        b = a if alias == "same" else lay_out(filled((4, 3), "int64", 1, "small"), laid[1])
    check(f, a, b)


@given(
    data=hnp.arrays(
        np.float64, hnp.array_shapes(max_dims=2, max_side=6), elements=st.floats(width=64)
    )
)
def test_any_float_values_in_arithmetic_and_comparison(data: np.ndarray) -> None:
    f = make(
        "def f(x):\n    return x + x * 0.5, x / 3, x - x, x > 1, x == x, np.sqrt(x), "
        "np.floor(x), x // 2, x % 3, abs(x)"
    )
    check(f, data)


@given(a=st.integers(-(2**62), 2**62), b=st.integers(-(2**62), 2**62), x=st.floats(allow_nan=True))
def test_any_python_scalars(a: int, b: int, x: float) -> None:
    f = _scalars
    if abs(a + b) < 2**63 and abs(a - b) < 2**63:
        check(f, a, b, x)


def _scalars(a, b, x):
    c = 0 if b == 0 else a // b
    d = 0 if b == 0 else a % b
    return (
        a + b,
        a - b,
        c,
        d,
        a < b,
        a & b,
        a | b,
        a ^ b,
        ~a,
        x + 1,
        x * 2,
        x > a,
        min(a, b),
        max(a, b),
        x == b,
        a == b,
    )
