"""Item and slice stores and augmented assignment: values, casts, broadcasting, errors, what the
caller sees.
"""

from __future__ import annotations

import numpy as np
import pytest
from support.arrays import DTYPES, LAYOUTS, WRITEABLE_LAYOUTS, filled, lay_out
from support.compare import Report, check, copy_arguments, jitted, make
from support.ulp import exact, near

# Statements on a (12, 12) array a and a (12, 12) array b that may be the same memory.
STATEMENTS = [
    "a[1:-1] = b[2:]", "a[::-1] = b", "a[:, 0] = 1", "a[0] = b[-1]", "a[...] = 5", "a[:] = b",
    "a[:] = b.T",
    "a[1:] = b[:-1]", "a[:-1] = b[1:]", "a[:, 1:] = b[:, :-1]", "a[:, :-1] = b[:, 1:]",
    "a[1:, 1:] = b[:-1, :-1]",
    "a[:-1, 1:] = b[1:, :-1]", "a[::2] = b[1::2]", "a[:, ::2] = b[:, 1::2]", "a += b", "a += b.T",
    "a -= b[::-1]",
    "a *= b[:, ::-1]", "a[1:] += b[:-1]", "a[:-1] += b[1:]", "a[1:] -= b[:-1] * 2",
    "a[:, 1:] += b[:, :-1]",
    "a += b[0]", "a += b[:, :1]", "a[:] = b[0]", "a[:] = b[:, :1]", "a[0] = b[:, 0]",
    "a[:, 0] = b[0]",
    "a[3] += b[3, ::-1]", "a[2, 3] = b[1, 1]", "a[2, 3] += 1", "a[-1, -2] = 3",
    "a[1:-1, 1:-1] = b[:-2, 1:-1] + b[2:, 1:-1]",
    "a[1:-1, 1:-1] += b[1:-1, :-2] + b[1:-1, 2:]", "a[:6] = b[6:]", "a[3:9] = b[0:6]",
    "a[0:6] = b[3:9]",
    "a[::-1, ::-1] += b", "a.T[:] = b", "a.T[1:] += b[:-1]", "a[:, :] = b * 2 + b.T",
    "a[:6, :6] = b[6:, 6:]",
    "a[1:, :] = b[0]", "a[:, 5] += b[5]", "a[5] = b[:, 5] + b[5]", "a[::3] = b[:4]",
    "a[:4] = b[::3]",
    "a[...] = b[::-1] + b[:, ::-1]", "a[0], a[1] = b[1], b[0]", "a[0], b[0] = b[1], a[1]",
    "a[:] = a + b[::-1]",
    "a[None, :, 0] = b[0]", "a[5:5] = 1", "a[1:, 0] = b[0, 1:]", "a[:] = -a", "a[:] = a[::-1] + a",
    "a **= 2",
]  # fmt: skip
stores = {s: make(f"def f(a, b):\n    {s}") for s in STATEMENTS}


def square(dtype: str, seed: int) -> np.ndarray:
    return filled((12, 12), dtype, seed, "finite")


def aliased(dtype: str) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Pairs of (12, 12) arrays in every relation of memory."""
    whole = filled((13, 26), dtype, 7, "finite")
    flat = filled((13 * 13 + 2,), dtype, 8, "finite")
    return {
        "disjoint": (square(dtype, 1), square(dtype, 2)),
        "same object": (square(dtype, 1),) * 2,
        "same memory": (whole[:12, :12], whole[:12, :12]),
        "down one row": (whole[:12, :12], whole[1:, :12]),
        "up one row": (whole[1:, :12], whole[:12, :12]),
        "right one column": (whole[:12, :12], whole[:12, 1:13]),
        "left one column": (whole[:12, 1:13], whole[:12, :12]),
        "down and left": (whole[:12, 1:13], whole[1:, :12]),
        "transposed": (whole[:12, :12], whole[:12, :12].T),
        "reversed": (whole[:12, :12], whole[11::-1, 11::-1]),
        "interleaved": (whole[:12, ::2][:, :12], whole[:12, 1::2][:, :12]),
        "beside": (whole[:12, :12], whole[:12, 13:25]),
        "shifted flat": (flat[:144].reshape(12, 12), flat[1:145].reshape(12, 12)),
        "partly below": (flat[:144].reshape(12, 12), flat[25:169].reshape(12, 12)),
    }


RELATIONS = list(aliased("float64"))
COLUMN_FROM_ROW = ["a[:, 0] = b[0]", "a[1:, 0] = b[0, 1:]"]


@pytest.mark.parametrize("statement", STATEMENTS)
def test_store_gives_numpys_result_for_every_overlap(statement: str) -> None:
    with Report(statement) as report:
        for relation, (a, b) in aliased("float64").items():
            if statement in COLUMN_FROM_ROW and relation in ("shifted flat", "partly below"):
                continue
            with report.case(relation):
                check(stores[statement], a, b)


@pytest.mark.parametrize("statement", COLUMN_FROM_ROW)
def test_column_from_an_overlapping_row_is_stored_as_if_the_row_had_been_copied(
    statement: str,
) -> None:
    """NumPy looks for overlap only between windows of more than one dimension (or opposite steps):
    here it reads elements that it has stored already. We store what was there before the statement.
    """
    target, source = statement.split(" = ")
    copied = make(f"def f(a, b):\n    {target} = ({source}).copy()")
    for relation in ("shifted flat", "partly below"):
        a, b = aliased("float64")[relation]
        got, want = copy_arguments((a, b)), copy_arguments((a, b))
        jitted(stores[statement])(*got)
        copied(*want)
        np.testing.assert_array_equal(got[0], want[0])


@pytest.mark.parametrize("statement", STATEMENTS)
def test_store_for_other_dtypes_and_layouts(statement: str, full: bool) -> None:
    number = STATEMENTS.index(statement)
    with Report(statement) as report:
        for k in range(200 if full else 4):
            left = DTYPES[(number + 5 * k) % len(DTYPES)]
            right = left if k % 2 else DTYPES[(number + k) % len(DTYPES)]
            layouts = (
                LAYOUTS[(number + k) % len(LAYOUTS)],
                LAYOUTS[(number + 6 * k + 3) % len(LAYOUTS)],
            )
            a, b = lay_out(square(left, 1), layouts[0]), lay_out(square(right, 2), layouts[1])
            if layouts[0].startswith("zero"):
                continue  # what a store to repeated memory leaves is tested below
            with report.case(left, layouts[0], right, layouts[1]):
                # NumPy's product of complex numbers depends on their strides.
                check(stores[statement], a, b, tol=near if a.dtype.kind == "c" else exact)


@pytest.mark.parametrize("layout", WRITEABLE_LAYOUTS)
def test_store_into_every_layout(layout: str) -> None:
    f = make("""
        def f(a, v):
            a[0] = v
            a[1:, 1] += v
            a[-1, ::2] = a[0, ::2] * 2
            a *= 3
    """)
    with Report(f"stores into {layout}") as report:
        for dtype in ("int16", "float32", "float64", "complex128"):
            with report.case(dtype):
                check(f, lay_out(filled((4, 6), dtype, 0, "finite"), layout), 2)


@pytest.mark.parametrize(
    "statement", ["a[0] = 1", "a[1:] = a[:-1]", "a += 1", "a[...] = 0", "a[0:0] = 1", "a[:] = a"]
)
def test_store_into_a_read_only_array_raises_value_error(statement: str) -> None:
    f = make(f"def f(a):\n    {statement}")
    check(f, lay_out(filled((6,), "float64"), "read_only"))
    check(f, np.broadcast_to(np.ones(1), (6,)))


def test_a_store_to_a_read_only_array_raises_only_when_it_runs() -> None:
    f = make("""
        def f(a, b, flag):
            b[0] = 9.0
            if flag:
                a[0] = 1.0
            return a + b
    """)
    a = lay_out(filled((6,), "float64"), "read_only")
    check(f, a, filled((6,), "float64", 2), False)
    check(f, a, filled((6,), "float64", 2), True)


@pytest.mark.parametrize("dtype", DTYPES)
def test_scalar_store_casts_as_numpy_does(dtype: str) -> None:
    f = make("""
        def f(a, v):
            a[0] = v
            a[1:3] = v
            a[-1] = a[0]
    """)
    with Report(f"stores into {dtype}") as report:
        for v in (
            True,
            1,
            2.75,
            np.int8(5),
            np.float32(1.5),
            np.uint64(7),
            np.float64(3.9),
            np.bool_(False),
        ):
            with report.case(repr(v)):
                check(f, filled((5,), dtype), v)
        if np.dtype(dtype).kind == "c":
            check(f, filled((5,), dtype), 1 + 2j)
        else:
            with report.case("complex"):
                check(f, filled((5,), dtype), 1 + 2j)
        for v in (300, -1, 2**40):
            with report.case(v):
                check(f, filled((5,), dtype), v)


@pytest.mark.parametrize("dtype", DTYPES)
def test_array_stores_cast_unsafely_but_augmented_assignments_check_the_cast(dtype: str) -> None:
    store = make("def f(a, b):\n    a[1:] = b[1:]")
    augmented = make("def f(a, b):\n    a += b")
    with Report(f"stores into {dtype}") as report:
        for other in DTYPES:
            if np.dtype(other).kind == "c" and np.dtype(dtype).kind != "c":
                continue  # NumPy warns of the lost part: not a plain cast
            b = filled((6,), other, 3, "positive")
            with report.case("a[1:] = b", other):
                check(store, filled((6,), dtype, 1, "positive"), b)
            with report.case("a += b", other):
                check(augmented, filled((6,), dtype, 1, "positive"), b)


@pytest.mark.parametrize(
    "statement",
    ["a[1:] = b", "a[:, 1:] = b", "a += b[:, 1:]", "a[0] = b", "a[:] = b[1:]", "a += b[None]",
    "a[0, 0] = b[0]", "a[12] = 0",
     "a[0, -13] = 0", "a[0, 0, 0] = 1", "a[:, 12] = 1", "a[:3] = b[:2]"],
)  # fmt: skip
def test_an_invalid_store_raises_and_changes_nothing(statement: str) -> None:
    check(make(f"def f(a, b):\n    {statement}"), square("float64", 1), square("float64", 2))


def test_shape_error_comes_after_all_earlier_stores_and_before_any_of_its_own() -> None:
    f = make("""
        def f(a, b, c):
            a[0] = 1.0
            b[:] = 2.0
            a[1:] = b[1:] + c
            b[:] = 3.0
    """)
    check(f, np.zeros(5), np.zeros(5), np.zeros(4))
    check(f, np.zeros(5), np.zeros(5), np.zeros(3))


def test_dtype_error_comes_before_the_shape_error() -> None:
    check(make("def f(a, b):\n    a += b"), np.zeros(5, np.int64), np.zeros(3))
    check(make("def f(a, b):\n    return a & b"), np.zeros(5), np.zeros(3))


def test_the_caller_sees_every_mutation_through_every_name() -> None:
    f = make("""
        def f(a):
            b = a
            c = a[1:]
            b[0] = 10.0
            c[0] = 20.0
            a = a + 1.0
            a[2] = 99.0
            c += 1.0
            return a, b, c
    """)
    check(f, filled((5,), "float64", 0, "finite"))


def test_augmented_assignment_of_a_name_mutates_and_of_a_sum_rebinds() -> None:
    f = make("""
        def f(a, b):
            x = a
            x += b
            y = a
            y = y + b
            return x, y
    """)
    check(f, filled((5,), "float64", 0, "finite"), filled((5,), "float64", 1, "finite"))


def test_store_through_views_and_transposes() -> None:
    f = make("""
        def f(a):
            t = a.T
            t[0] = 1.0
            t[:, 1] += t[:, 0]
            r = a.reshape(-1)
            r[5] = -1.0
            d = a[::2, ::-1]
            d[0] = r[: d.shape[1]]
            return t, r, d
    """)
    check(f, filled((4, 6), "float64", 0, "finite"))


def test_stores_of_elements_in_loops() -> None:
    f = make("""
        def f(a, b):
            n, m = a.shape
            for i in range(1, n):
                for j in range(m - 1):
                    a[i, j] = a[i - 1, j] + b[i, j + 1] * a[i, j]
                    b[i, j] += a[i, j]
    """)
    for relation, (a, b) in aliased("float64").items():
        with Report(relation) as report, report.case(relation):
            check(f, a * 1e-3, b * 1e-3)
    shared = square("float64", 3) * 1e-3
    check(f, shared, shared)


NUMBERS = [np.int64(30), np.int64(300), np.int64(-300), np.int16(-129), np.uint8(200),
           np.uint64(2**63), np.uint64(3), np.int64(-(2**63)), np.True_, 300, -1]  # fmt: skip


@pytest.mark.parametrize("index", ["0, 0", "0", "...", ":, 1", "0:0"])
def test_number_beyond_the_dtype_is_stored_as_an_int_is(index: str) -> None:
    """OverflowError, but where NumPy casts its own integers: to dtypes without a sign."""
    f = make(f"def f(a, v):\n    a[{index}] = v")
    for dtype in ("int8", "uint8", "int32", "int64", "uint64", "float32"):
        for v in NUMBERS:
            check(f, np.zeros((2, 2), dtype), v)


@pytest.mark.parametrize("statement", ["a[0, 1] = v", "a[0, 1] += v", "a[0, 1, ...] = v"])
@pytest.mark.parametrize("dtype", ["int8", "float64", "complex64", "bool"])
def test_array_stored_to_an_element(statement: str, dtype: str) -> None:
    f = make(f"def f(a, v):\n    {statement}")
    for shape in ((), (1,), (2,), (0,), (1, 1), (2, 0)):
        check(f, np.zeros((2, 2), dtype), np.ones(shape, dtype))


@pytest.mark.parametrize("dtype", ["int8", "float64", "complex64", "bool"])
def test_tuple_stored_to_an_element(dtype: str) -> None:
    f = make("def f(a):\n    a[0] = (1, 2)")
    check(f, np.zeros(2, dtype))
