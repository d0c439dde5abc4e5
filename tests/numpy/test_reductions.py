"""sum prod min max mean any all: dtypes, axes, keepdims, layouts, empties, accuracy."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from shapecast import jit
from support.arrays import COMPLEX, DTYPES, FLOATS, LAYOUTS, filled, lay_out
from support.compare import Report, check, make, pairwise
from support.ulp import Tolerance, exact, sum_bound, within, within_absolute

NAMES = ["sum", "prod", "min", "max", "mean", "any", "all"]
AXES = {
    1: ["None", "0", "-1", "(0,)", "1"],
    2: ["None", "0", "1", "-1", "(0, 1)", "(-1,)", "(1, 0)"],
    3: ["None", "0", "1", "2", "(0, 2)", "(1, 2)", "(0, 1, 2)", "-2", "()"],
}
SHAPES = {1: [(131,), (1,), (0,)], 2: [(7, 40), (1, 5), (3, 0), (0, 3)], 3: [(3, 5, 9), (2, 1, 4)]}
ROWS = [
    row
    for rank in (1, 2, 3)
    for row in pairwise(
        {
            "axis": AXES[rank], "keepdims": ["", ", keepdims=True"], "form": ["np.{}(x, {})",
            "x.{}({})"],
            "shape": SHAPES[rank], "layout": LAYOUTS,
        }
    )
]  # fmt: skip
_functions: dict[str, object] = {}


def reduction(name: str, axis: str = "None", keepdims: str = "", form: str = "np.{}(x, {})"):
    call = form.format(name, f"axis={axis}{keepdims}")
    if call not in _functions:
        _functions[call] = make(f"def f(x):\n    return {call}")
    return _functions[call]


def same_but_zero_sign(got: np.ndarray, want: np.ndarray) -> str | None:
    """Which of two zeros is the larger depends on the loop that NumPy ran."""
    return exact(got + 0, want + 0)


def tolerance(name: str, x: np.ndarray, axis: object, keepdims: bool = False) -> Tolerance:
    """Bit-equal where the sum runs along unit stride; else as near as a pairwise sum in another
    order.
    """
    if name in ("min", "max") and x.dtype.kind in "fc":
        return same_but_zero_sign
    if name not in ("sum", "mean", "prod") or x.dtype.kind not in "fc":
        return exact
    if name == "prod":
        return within(4 * np.log2(max(2, x.size)))
    try:
        unit_stride = x.flags.c_contiguous and axis in (None, -1, x.ndim - 1, (x.ndim - 1,), (-1,))
        if unit_stride or axis == ():
            return exact
        bound = sum_bound(x, x.dtype, axis=axis, keepdims=keepdims)
        if name == "mean":
            bound = bound / max(1, x.size // max(1, np.size(bound)))
        return within_absolute(bound)
    except (np.exceptions.AxisError, ValueError):
        return exact


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", NAMES)
def test_reduction_matches_numpy(name: str, dtype: str, full: bool) -> None:
    number = NAMES.index(name) * len(DTYPES) + DTYPES.index(dtype)
    rows = ROWS if full else [ROWS[(number * 5 + k) % len(ROWS)] for k in range(5)]
    with Report(f"{name} of {dtype}") as report:
        whole = filled((7, 40), dtype, 1, "finite")
        with report.case(dtype, "all of [7, 40]"):
            check(reduction(name), whole, tol=tolerance(name, whole, None))
        for row in rows:
            x = lay_out(filled(row["shape"], dtype, 2, "finite"), row["layout"])
            if name == "prod" and x.dtype.kind in "fc":
                x = lay_out(
                    (1 + filled(row["shape"], dtype, 2, "small") / 8).astype(dtype), row["layout"]
                )
            axis, keepdims = row["axis"], row["keepdims"]
            f = reduction(name, axis, keepdims, row["form"])
            with report.case(dtype, *row.values()):
                check(f, x, tol=tolerance(name, x, eval(axis), bool(keepdims)))


@pytest.mark.parametrize("dtype", FLOATS + COMPLEX)
@pytest.mark.parametrize("name", NAMES)
def test_reduction_with_nans_infinities_and_zeros(name: str, dtype: str) -> None:
    f = reduction(name, "-1")
    rows = [
        [1, np.nan, 3], [np.nan, np.inf, 0], [np.inf, -np.inf, 1], [0.0, -0.0, 0.0], [-np.inf, 2,
        5],
        [-0.0, -0.0, -0.0],
    ]  # fmt: skip
    tol = same_but_zero_sign if name in ("min", "max") else exact
    check(f, np.array(rows, dtype), tol=tol)
    long = np.ones((2, 300), dtype)
    long[0, 133] = np.nan
    check(f, long, tol=tol)


@pytest.mark.parametrize("dtype", FLOATS + COMPLEX)
def test_unit_stride_sum_has_numpys_bits_at_every_length(dtype: str) -> None:
    """NumPy's own tree of partial sums: lengths around its blocks of 8 and 128."""
    f = make("def f(x):\n    return x.sum(), x.mean(), (x * x).sum()")
    with Report(f"sum of {dtype}") as report:
        for n in (
            0,
            1,
            2,
            7,
            8,
            9,
            15,
            16,
            17,
            64,
            127,
            128,
            129,
            136,
            255,
            256,
            257,
            1000,
            1025,
            4097,
            8191,
        ):
            x = filled((n,), dtype, n, "finite")
            if dtype == "float16":
                x = (x / np.float16(64)).astype(dtype)
            with report.case(f"n = {n}"):
                check(
                    f,
                    x,
                    tol=exact
                    if dtype not in COMPLEX
                    else within_absolute(sum_bound(x * x, x.dtype)),
                )


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_long_sums_are_pairwise_accurate(dtype: str) -> None:
    x = np.random.default_rng(5).uniform(0, 1, 1_000_003).astype(dtype)
    f = make("def f(x):\n    return x.sum()")
    check(f, x)
    check(f, x[::-1], tol=within_absolute(sum_bound(x, x.dtype)))
    check(f, x[::2], tol=within_absolute(sum_bound(x, x.dtype)))


def test_sum_of_columns_adds_the_rows_in_order() -> None:
    f = make("def f(x):\n    return x.sum(axis=0), x.mean(axis=0)")
    check(f, filled((333, 21), "float64", 0, "finite"))
    check(f, filled((333, 21), "float32", 0, "finite"))


VALUES = [
    "a", "a * x", "a * x * x", "a * y", "a * x * y", "x * y", "x * y * y", "x * x * y",
    "abs(x - y)", "a + b", "a * b * x", "a.T * 2",
]  # fmt: skip


@pytest.mark.parametrize("value", [*VALUES, "a[:, ::2] * x * x", "a.T * y[:, None]", "a.T * x.T"])
def test_sums_along_an_axis_of_values_are_as_exact_as_numpys(value: str) -> None:
    """Row to row where NumPy adds so, and nowhere else, whichever operands make the value."""
    rng = np.random.default_rng(6)
    a, b = rng.uniform(0, 1, (2, 10, 30_000)).astype("float32")
    x, y = (rng.uniform(0, 1, shape).astype("float32") for shape in ((10, 1), 30_000))
    f = {
        axis: make(f"def f(a, b, x, y):\n    return ({value}).sum(axis={axis})") for axis in (0, 1)
    }
    with Report(value) as report:
        for turned, axis, layout in itertools.product((False, True), (0, 1), "cfs"):
            if turned and value not in VALUES:
                continue
            arguments = [a.T, b.T, x.ravel(), y[:, None]] if turned else [a, b, x, y]
            arguments[1:] = [v.copy() for v in arguments[1:]]
            arguments[0] = (
                arguments[0].repeat(2, 1)[:, ::2]
                if layout == "s"
                else arguments[0].copy(layout.upper())
            )
            wide = f[axis](*(v.astype("float64", order="K") for v in arguments))
            with report.case("turned" if turned else "", axis, layout):
                ours = np.abs(jit(f[axis])(*arguments) - wide)
                numpys = np.abs(f[axis](*arguments) - wide)
                assert ours.max() <= 1.5 * numpys.max() + 4e-7 * np.abs(wide).max()


def test_sums_of_outer_values_are_numpys() -> None:
    x, y = filled((333, 1), "float32", 0, "finite"), filled((77,), "float32", 1, "finite")
    a = filled((333, 77), "float32", 2, "finite")
    for value in ("x * y", "x * y * y", "x * x * y", "a * x * x", "a * x * x * x"):
        check(make(f"def f(a, x, y):\n    return ({value}).sum(axis=0)"), a, x, y)


@pytest.mark.parametrize("dtype", FLOATS + COMPLEX)
def test_short_sums_of_known_length_have_numpys_bits(dtype: str) -> None:
    x = filled((9, 20), dtype, 3, "finite")
    for count in range(1, 20):
        f = make(
            "def f(x):\n    out = np.zeros(len(x), x.dtype)\n    for k in range(len(x)):\n"
            f"        out[k] = x[k, :{count}].sum()\n    return out"
        )
        check(f, x)


@pytest.mark.parametrize(
    "form", ["x.any({})", "x.all({})", "(x > y).any({})", "x.min({})", "x.max({})"]
)
def test_early_exit_of_any_and_all(form: str) -> None:
    """any and all exit early at an absorbing value: one such element, anywhere in blocks."""
    functions = [make(f"def f(x, y):\n    return {form.format(axis)}") for axis in ("", "axis=1")]
    rng = np.random.default_rng(7)
    with Report(form) as report:
        for columns in (31, 32, 65, 300, 513, 2047, 4096, 5000, 70_001):
            for layout in ("c", "f", "strided", "reversed"):
                usual = bool(rng.integers(2))
                x = np.full((3, columns), usual)
                x[rng.integers(3), rng.choice([0, 1, columns // 2, columns - 1])] = not usual
                x, y = lay_out(x, layout), rng.integers(0, 2, (3, 1)) > 0
                for f in functions:
                    with report.case(columns, layout):
                        check(f, x, y)
                    # Elsewhere rows are combined.
                    if f is functions[0] or (layout != "f" and "y" not in form):
                        assert "scf.while" in str(jit(f).stages(x, y)["loops"])


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int8"])
def test_counts_of_bytes(dtype: str) -> None:
    """16-bit words count a chunk of 32,768 elements, 64-bit numbers the sum of the chunks."""
    forms = ["np.count_nonzero(x)", "(x == y).sum()", "(x != y).mean()", "x.astype(bool).sum()"]
    functions = [make(f"def f(x, y):\n    return {form}") for form in forms]
    rng = np.random.default_rng(8)
    with Report(f"counts of {dtype}") as report:
        for shape in ((0,), (1,), (33,), (1000,), (32_768,), (32_769,), (65_536,), (300, 301)):
            x, y = (rng.integers(0, 3, shape).astype(dtype) for _ in range(2))
            for f, whole in itertools.product(functions, (x, np.ones_like(x))):
                with report.case(shape):
                    check(f, whole, y)
        for form, f in zip(forms, functions, strict=True):
            if "mean" not in form:  # that adds float64
                assert "i16" in str(jit(f).stages(x, y)["loops"])
        for f, layout in itertools.product(functions, LAYOUTS):
            with report.case(layout):
                check(f, lay_out(x, layout), lay_out(y, layout))


@pytest.mark.parametrize("name", ["amin", "amax"])
def test_alias_of_a_reduction(name: str) -> None:
    check(make(f"def f(x):\n    return np.{name}(x), np.{name}(x, 0)"), filled((4, 5), "int16"))


@pytest.mark.parametrize("name", NAMES)
def test_reduction_of_a_scalar_and_of_a_0d_array(name: str) -> None:
    f = make(f"def f(x):\n    return np.{name}(x)")
    for x in (np.array(2.5), np.float32(3), np.array(4, np.int8), np.array(True), 2.5, 3, True):
        check(f, x)


@pytest.mark.parametrize("axis", ["0", "-1", "1", "(0,)", "()"])
@pytest.mark.parametrize("name", [*NAMES, "var", "ptp", "count_nonzero", "argmax", "squeeze"])
def test_axis_of_a_number(name: str, axis: str) -> None:
    """NumPy lets it have axis 0 and -1, not in a tuple, and not where it counts the elements."""
    for more in ("", ", keepdims=True")[: 1 if name == "squeeze" else 2]:
        f = make(f"def f(x):\n    return np.{name}(x, axis={axis}{more})")
        for x in (np.array(2.5), np.int8(3), 4):
            check(f, x)


@pytest.mark.parametrize("name", ["min", "max"])
def test_min_and_max_of_empty_arrays_raise_value_error(name: str) -> None:
    for call in (f"np.{name}(x)", f"x.{name}(axis=0)", f"x.{name}(axis=1)"):
        f = make(f"def f(x):\n    return {call}")
        check(f, np.ones((3, 2)))
        check(f, np.ones((0, 2)))
        check(f, np.ones((2, 0)))


@pytest.mark.parametrize(
    "body",
    [
        "(x * y).sum()", "np.sqrt((x * x).sum(axis=1))", "(x > 0).sum()", "(x > y).any()",
        "(x == x).all()",
        "np.abs(x - y).max()", "(x - x.mean()).sum()", "x.sum(axis=1, keepdims=True) * y",
        "np.sum(x) / x.size",
        "((x - x.mean(axis=0)) ** 2).mean(axis=0)", "np.where(x > 0, x, 0.0).sum()",
        "(x + 1.0).max(axis=1) + y.min()",
        "x.max(axis=0) - x.min(axis=0)", "(x * 2).sum(axis=(0, 1))", "x[:, ::2].sum()",
        "x.T.sum(axis=0)",
        "x[1:-1].sum(axis=1)", "np.exp(x - x.max(axis=1, keepdims=True)).sum(axis=1)",
    ],
)  # fmt: skip
def test_reductions_inside_expressions(body: str) -> None:
    f = make(f"def f(x, y):\n    return {body}")
    x, y = np.random.default_rng(3).standard_normal((2, 20, 33))
    loose = within_absolute(1e-12) if "exp" in body or "T" in body or "::2" in body else exact
    check(f, x, y, tol=loose if "axis=0" not in body else within_absolute(1e-12))


MATH = {
    "exp": np.exp,
    "log1p": np.log1p,
    "sin": np.sin,
    "tanh": np.tanh,
    "erf-like": lambda v: np.exp(-v * v),
    "power": lambda v: np.power(v, 1.7),
    "arctan2": lambda v: np.arctan2(v, 0.3),
}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", MATH)
def test_a_fused_reduction_has_the_bits_of_stored_elements(name: str, dtype: str) -> None:
    """Sums and extremes of math functions work on vectors; each element is what it is alone."""
    function = MATH[name]
    stored, summed = jit(lambda v: function(v)), jit(lambda v: function(v).sum(axis=-1))
    highest = jit(lambda v: function(v).max(axis=-1))
    rng = np.random.default_rng(0)
    for n in (0, 1, 3, 7, 8, 9, 15, 64, 127, 128, 129, 300, 1025):
        whole = rng.uniform(0.1, 2.0, (3, 2 * n)).astype(dtype)
        for x in (whole[:, :n], whole[:, ::2], whole[:, ::-1][:, :n], whole.T[:n].T):
            values = stored(x)
            np.testing.assert_array_equal(summed(x), np.ascontiguousarray(values).sum(axis=-1))
            if n:
                np.testing.assert_array_equal(highest(x), values.max(axis=-1))


@pytest.mark.parametrize("count", [3, 7, 9, 40])
def test_a_mean_of_complex64_divides_in_double_precision(count: int) -> None:
    x = filled((7, count), "complex64", 2, "finite")
    check(make("def f(x):\n    return np.mean(x, 1), x.mean(), np.mean(x, (1,), keepdims=True)"), x)


@pytest.mark.parametrize(
    "expression",
    [
        "np.sum(a, keepdims=True), np.min(a)",
        "a.prod(keepdims=True), a.max(), a * 2",
        "a.max(axis=(0, 1), keepdims=True), a.sum(), a.any()",
    ],
)
def test_a_number_and_an_array_of_one_element(expression: str) -> None:
    """Both come of one nest, whose parts go to threads only where all of them are numbers."""
    f = make(f"def f(a):\n    return {expression}")
    for dtype in (np.int64, np.uint8, np.int16, np.float64, np.bool_):
        check(f, np.arange(1, 9, dtype=np.int64).reshape(2, 4).astype(dtype))
        check(f, (np.arange(90_000).reshape(300, 300) % 7 < 3).astype(dtype))


@pytest.mark.parametrize("order", ["C", "F"])
def test_float16_is_rounded_row_by_row(order: str) -> None:
    """Along the axis of neighbours in memory NumPy combines in float32, along others in float16."""
    calls = ["x.sum(axis=0)", "x.sum(axis=-1)", "x.prod(axis=0)", "x.prod(axis=-1)",
             "x.T.sum(axis=0)", "np.var(x, axis=0)", "np.std(x, axis=-2, keepdims=True)",
             "np.std(x, axis=-1)", "x[:, 1:].sum(axis=0)", "x[::2].T.sum(axis=0)",
             "x[:, ::2].sum(axis=1)", "(x + x).sum(axis=0)", "np.add.reduce(x, axis=1)",
             "x[:, 0].prod(axis=0)"]  # fmt: skip
    rng = np.random.default_rng(6)
    with Report("float16") as report:
        for call in calls:
            f = make(f"def f(x):\n    return {call}")
            for shape in ((2, 3), (7, 9), (64, 5), (5, 64), (3, 4, 5), (2, 3, 4, 5)):
                x = np.array(rng.standard_normal(shape) * 2, np.float16, order=order)
                with report.case(call, shape):
                    check(f, x)
    f = make("def f(x):\n    return x.sum(axis=0), x.sum(axis=1)")
    check(f, np.array([[60000, 1], [60000, 2], [-60000, 3]], np.float16, order=order))


@pytest.mark.parametrize("other", ["x.mean(axis=0, keepdims=True)", "x[:1]", "x[:, 0][:, None]"])
def test_axes_of_one_element_have_no_order(other: str) -> None:
    f = make(f"def f(x):\n    return (x - {other}).strides, (x * 2 > {other}).strides")
    check(f, np.ones((3, 4), order="F"))
    check(f, np.ones((3, 4, 5), order="F").T)
    check(f, np.ones((3, 4)))
