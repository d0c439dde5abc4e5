"""Bounds are always checked: NumPy's IndexError, at the same iteration, after the same earlier
stores.
"""

from __future__ import annotations

import re

import numpy as np
import pytest
from support.arrays import filled
from support.compare import Report, check, instrumented, jitted, make, optimised

SUM = """
    def total(a, n):
        s = 0.0
        for i in range(n):
            s += a[i]
        return s
"""
STORE = """
    def double(a, b, n):
        for i in range(n):
            b[i] = a[i] * 2.0
        return b
"""


def test_loop_over_elements_within_and_beyond_the_end() -> None:
    f = make(SUM)
    a = filled((100,), "float64", 0, "finite")
    for n in (0, 1, 99, 100, 101, 1000, -5):
        check(f, a, n)
    check(f, a[:0], 0)
    check(f, a[:0], 1)


def test_loop_that_runs_over_the_end_raises_after_the_same_stores() -> None:
    f = make(STORE)
    for size_a, size_b, n in (
        (10, 10, 10),
        (10, 10, 11),
        (10, 7, 10),
        (7, 10, 10),
        (10, 10, 50),
        (0, 5, 1),
    ):
        check(f, filled((size_a,), "float64"), filled((size_b,), "float64", 1), n)


@pytest.mark.parametrize(
    "index",
    [
        "i + 1",
        "i - 1",
        "2 * i",
        "n - i",
        "-i",
        "i - n",
        "i // 2",
        "i * i",
        "(i * 7) % 13",
        "i + k",
        "k - i",
        "k * i",
        "i ^ 1",
        "-1 - i",
    ],
)
def test_index_expression_in_a_loop(index: str) -> None:
    f = make(f"""
        def f(a, b, n, k):
            for i in range(n):
                b[i] = a[{index}]
                a[{index}] += 1.0
            return b
    """)
    with Report(index) as report:
        for n in (0, 1, 5, 10, 11, 13, 20):
            for k in (0, 1, -1, 3, -20):
                with report.case(f"n = {n}, k = {k}"):
                    check(f, filled((12,), "float64", 0, "finite"), np.zeros(12), n, k)


@pytest.mark.parametrize(
    "bounds",
    ["1, n", "n - 1, -1, -1", "0, n, 3", "-n, n", "n, 0, -1", "k, n", "k, n, 2", "0, n, k + 7"],
)
def test_loop_bounds_of_every_kind(bounds: str) -> None:
    f = make(f"""
        def f(a, n, k):
            for i in range({bounds}):
                a[i] = a[i] * 2 + i
    """)
    with Report(bounds) as report:
        for n in (0, 1, 9, 10, 11):
            for k in (0, 2, -3, -10, -11):
                with report.case(f"n = {n}, k = {k}"):
                    check(f, filled((10,), "float64", 0, "finite"), n, k)


def test_two_dimensional_loop() -> None:
    f = make("""
        def f(a, b, n, m):
            for i in range(n):
                for j in range(m):
                    a[i, j] += b[j, i]
    """)
    for n, m in ((4, 5), (5, 5), (4, 6), (0, 9), (9, 0), (3, 3)):
        check(
            f, filled((4, 5), "float64", 0, "finite"), filled((5, 4), "float64", 1, "finite"), n, m
        )


def test_rows_and_slices_in_loops() -> None:
    f = make("""
        def f(a, n, k):
            for i in range(n):
                a[i] = a[i + k] + 1
                a[i, 1:k] = 7.0
    """)
    for n, k in ((3, 1), (4, 1), (5, 0), (3, 2), (2, -1), (6, 0)):
        check(f, filled((5, 4), "float64", 0, "finite"), n, k)


def test_loop_that_breaks_before_the_end_does_not_raise() -> None:
    f = make("""
        def f(a, n):
            for i in range(n):
                if a[i] > 5:
                    break
                a[i] = 9.0
            return i
    """)
    a = np.arange(10.0)
    check(f, a, 10)
    check(f, a, 100)
    check(f, np.zeros(4), 10)


def test_while_loop_with_an_index() -> None:
    f = make("""
        def f(a, v):
            i = 0
            while a[i] != v:
                a[i] = -1.0
                i += 1
            return i
    """)
    check(f, np.arange(6.0), 4.0)
    check(f, np.arange(6.0), 40.0)


def test_index_from_data() -> None:
    f = make("""
        def f(a, where, out):
            for i in range(len(where)):
                out[where[i]] += a[i]
    """)
    a = np.arange(6.0)
    for where in (
        [0, 1, 2, 2, 1, 0],
        [0, -1, -5, 1, 1, 1],
        [0, 1, 5, 1, 1, 1],
        [0, 1, -6, 1, 1, 1],
    ):
        check(f, a, np.array(where), np.zeros(5))
        check(f, a, np.array(where, np.int8), np.zeros(5))


def test_zero_trip_loops_never_raise() -> None:
    f = make("""
        def f(a, n):
            for i in range(n):
                a[100] = a[200]
            return a
    """)
    check(f, np.ones(3), 0)
    check(f, np.ones(3), -1)
    check(f, np.ones(3), 1)


def vector_blocks(ir: str) -> list[str]:
    """Bodies of vectorised loops in LLVM IR."""
    blocks = re.split(r"(?m)^(?=[\w.$-]+:)", ir)
    return [b for b in blocks if re.match(r"vector\.body", b) or re.search(r"load <\d+ x", b)]


@pytest.mark.parametrize("dtype", ["int64", "float64"])
def test_vector_body_has_no_bounds_check(dtype: str) -> None:
    """One compare closes the loop; none guards an element."""
    f = jitted(make(STORE.replace("2.0", "2")))
    a = np.ones(1000, dtype)
    ir = optimised(f.stages(a, a.copy(), 1000))
    blocks = vector_blocks(ir)
    assert blocks, f"no vectorised loop in\n{ir[-4000:]}"
    for block in blocks:
        assert block.count("icmp") <= 1, block


def test_integer_sum_over_elements_is_vectorised_without_a_compare() -> None:
    f = jitted(
        make("""
        def f(a, n):
            s = np.int64(0)
            for i in range(n):
                s += a[i]
            return s
    """)
    )
    ir = optimised(f.stages(np.ones(1000, np.int64), 1000))
    blocks = vector_blocks(ir)
    assert blocks, f"no vectorised loop in\n{ir[-4000:]}"
    for block in blocks:
        assert block.count("icmp") <= 1, block


@pytest.mark.skipif(instrumented, reason="AddressSanitizer splits the loop's block")
def test_float_sum_over_elements_has_no_bounds_check_in_its_loop() -> None:
    f = jitted(make(SUM))
    ir = optimised(f.stages(np.ones(1000), 1000))
    loops = [
        b for b in re.split(r"(?m)^(?=[\w.$-]+:)", ir)
        if "fadd" in b and (label := re.match(r"([\w.$-]+):", b)) and f"%{label[1]}" in b
    ]  # fmt: skip
    assert loops, f"no loop that adds in one block in\n{ir[-4000:]}"
    # Of the two loop versions the checked one keeps its compares; the other has only its own.
    assert any(b.count("icmp") <= 1 for b in loops), "\n".join(loops)


@pytest.mark.parametrize(
    ("index", "divides"),
    [
        ("(i + 1) % n", False),
        ("(i - 1) % n", False),
        ("(i + n) % n", False),
        ("(i - n) % n", False),
        ("(i + n - 1) % n", False),
        ("(i + n + 1) % n", True),  # can exceed n twice
        ("(i + k) % n", True),
        ("(2 * i) % n", False),
        ("(2 * i + 1) % n", False),
        ("(3 * i) % n", True),
    ],
    ids=lambda v: v if isinstance(v, str) else "divides" if v else "no division",
)
def test_wrapped_neighbour_indices_need_no_division(index: str, divides: bool) -> None:
    f = make(f"""
        def f(x, k):
            n = len(x)
            total = 0.0
            for i in range(n):
                total += x[{index}] * (i + 1) + ({index})
                x[{index}] += 0.5
            return total
    """)
    for n in (0, 1, 2, 3, 8, 33):
        for k in (-9, 0, 4):
            check(f, filled((n,), "float64"), k)
    text = str(jitted(f).stages(filled((9,), "float64"), 1)["checks"])
    assert ("mod(" in text) == divides
