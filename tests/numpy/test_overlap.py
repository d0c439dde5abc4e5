"""Arguments that share memory, and arrays that overlap themselves: NumPy's result, whatever the
loops do.
"""

from __future__ import annotations

import numpy as np
import pytest
from support.arrays import filled
from support.compare import Report, case_id, check, make

as_strided = np.lib.stride_tricks.as_strided

add_shifted = make("""
    def add_shifted(a, b):
        a[: len(b)] += b
        return a
""")
chain = make("""
    def chain(a, b):
        a[:] = a * 2 + b
        b[1:] = a[:-1] - b[1:]
        return a + b
""")
smooth = make("""
    def smooth(a, b):
        b[1:-1] = (a[:-2] + a[1:-1] + a[2:]) / 3
        a[1:-1] = (b[:-2] + b[1:-1] + b[2:]) / 3
""")
swap_loop = make("""
    def swap_loop(a, b):
        for step in range(5):
            b[1:-1] = 0.25 * (a[:-2] + 2 * a[1:-1] + a[2:])
            a, b = b, a
        return a
""")


def pairs(dtype: str = "float64", n: int = 40) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    base = filled((3 * n + 3,), dtype, 1, "finite")
    return {
        "disjoint": (base[:n], base[n : 2 * n]),
        "one object": (base[:n],) * 2,
        "two handles": (base[:n], base[:n]),
        "one later": (base[:n], base[1 : n + 1]),
        "one earlier": (base[1 : n + 1], base[:n]),
        "half later": (base[:n], base[n // 2 : n // 2 + n]),
        "half earlier": (base[n // 2 : n // 2 + n], base[:n]),
        "reversed": (base[:n], base[n - 1 :: -1]),
        "both reversed": (base[n - 1 :: -1], base[n:0:-1]),
        "interleaved": (base[: 2 * n : 2], base[1 : 2 * n + 1 : 2]),
        "other step": (base[:n], base[: 2 * n : 2]),
        "other step from behind": (base[: 2 * n : 2], base[:n]),
        "last element shared": (base[:n], base[n - 1 : 2 * n - 1]),
        "touching": (base[n : 2 * n], base[:n]),
    }


@pytest.mark.parametrize("f", [add_shifted, chain, smooth, swap_loop], ids=lambda f: f.__name__)
@pytest.mark.parametrize("dtype", ["float64", "int32", "complex64"])
def test_two_arguments_in_every_relation(f, dtype: str) -> None:
    if f is smooth and dtype == "int32":
        dtype = "float32"
    with Report(f"{f.__name__} {dtype}") as report:
        for relation, (a, b) in pairs(dtype).items():
            with report.case(relation):
                check(f, a, b)


def test_the_same_function_with_and_without_overlap_compiles_for_each() -> None:
    """The variant that assumes disjoint arguments must not serve overlapping ones, in either order
    of calls.
    """
    source = """
        def f(a, b):
            a[1:] = b[:-1]
    """
    base = filled((20,), "float64")
    for order in ((0, 1, 0, 1), (1, 0, 1, 0)):
        f = make(source)
        for overlapping in order:
            if overlapping:
                check(f, base[:10], base[:10])
            else:
                check(f, base[:10], base[10:])


def test_argument_and_its_tail() -> None:
    f = make("def f(a, b):\n    b[:] = a[: len(b)] + 1\n    return a")
    a = filled((50,), "float64", 0, "finite")
    check(f, a, a[1:])
    check(f, a, a[:-1])
    check(f, a, a[::-1][1:])


def test_three_arguments_in_one_buffer() -> None:
    f = make("def f(a, b, c):\n    a[:] = b + c\n    c[:] = a - b")
    base = filled((32,), "float64", 0, "finite")
    for i in range(4):
        for j in range(4):
            check(f, base[4:20], base[4 + i - 2 : 20 + i - 2], base[4 + j : 20 + j])


@pytest.mark.parametrize(
    "statement", ["a += 1", "a[:] = b", "a += b", "a[1:] = a[:-1] + 1", "a[:] = a * 2 + b"]
)
def test_written_argument_that_overlaps_itself(statement: str) -> None:
    """Strides of zero or sliding windows: the result is computed whole, then stored in order."""
    f = make(f"def f(a, b):\n    {statement}")
    base = filled((30,), "float64", 0, "finite")
    other = filled((4, 5), "float64", 1, "finite")
    with Report(statement) as report:
        for name, strides in (
            ("zero rows", (0, 8)),
            ("zero columns", (8, 0)),
            ("windows", (8, 8)),
            ("windows of two", (16, 8)),
        ):
            with report.case(name):
                check(f, as_strided(base, (4, 5), strides), other)


def test_read_argument_that_overlaps_itself() -> None:
    f = make("def f(w):\n    return w.sum(axis=1), w * 2, w[::-1, ::-1] - w")
    base = filled((30,), "float64", 0, "finite")
    check(f, as_strided(base, (26, 5), (8, 8)))
    check(f, np.broadcast_to(base[:5], (4, 5)))


def test_extents_that_overlap_without_a_common_element() -> None:
    f = make("def f(a, b):\n    a[:] = b * 2\n    b[:] = a + 1")
    base = filled((6, 10), "float64", 0, "finite")
    check(f, base[:, :5], base[:, 5:])
    check(f, base[::2], base[1::2])


@pytest.mark.parametrize("shape", [(6, 6), (1, 6), (6, 1), (1, 1), (0, 0)], ids=case_id)
def test_transpose_in_place(shape: tuple[int, int]) -> None:
    f = make("def f(a):\n    a += a.T\n    return a")
    check(f, filled(shape, "float64", 0, "finite"))
    g = make("def g(a):\n    a[:] = a.T")
    check(g, filled(shape, "int64", 0, "finite"))


@pytest.mark.parametrize("n", [0, 1, 2, 3, 7, 16, 33, 1000])
def test_reverse_in_place_at_many_sizes(n: int) -> None:
    f = make("""
        def f(a):
            a[:] = a[::-1]
            a[1:] += a[:-1]
            a[:-1] -= a[1:]
    """)
    check(f, filled((n,), "int64", 0, "finite"))


def test_swap_of_rows_through_temporaries_and_views() -> None:
    f = make("""
        def f(a):
            t = a[0].copy()
            a[0] = a[1]
            a[1] = t
            u = a[2]
            a[2] = a[3]
            a[3] = u
    """)
    check(f, filled((4, 9), "float64", 0, "finite"))


def test_swap_of_names_in_a_loop_aliased_and_not() -> None:
    base = filled((60,), "float64", 0, "finite")
    check(swap_loop, base[:30], base[30:])
    check(swap_loop, base[:30], base[:30])
    check(swap_loop, base[:30], base[1:31])


def test_value_read_before_a_store_keeps_its_old_elements() -> None:
    f = make("""
        def f(a, b):
            c = a + b
            d = a[1:] * 2
            a[:] = 0.0
            b[0] = c[0]
            return c, d, a, b
    """)
    with Report("late reads") as report:
        for relation, (a, b) in pairs().items():
            with report.case(relation):
                check(f, a, b)
