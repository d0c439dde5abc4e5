"""Loops and branches: break, continue and return anywhere, values that change type, unbound
names.
"""

from __future__ import annotations

import numpy as np
import pytest
from support.compare import Report, check, jitted, make

X = np.array([3.0, -1.0, 4.0, 1.0, -5.0, 9.0, 2.0, 6.0])


@pytest.mark.parametrize(
    "bounds",
    [
        "n",
        "2, n",
        "0, n, 2",
        "n, 0, -1",
        "n, -n, -3",
        "-n, n",
        "5",
        "1, 10, 3",
        "n, n",
        "0, n, k",
        "n, 0, k",
    ],
)
def test_range_of_any_step(bounds: str) -> None:
    f = make(f"""
        def f(n, k):
            total = 0
            last = -99
            for i in range({bounds}):
                total = total * 3 + i
                last = i
            return total, last
    """)
    for n in (0, 1, 7):
        for k in (1, 2, -1, -3):
            check(f, n, k)


def test_range_step_zero_raises_value_error() -> None:
    check(make("def f(k):\n    for i in range(0, 5, k):\n        pass"), 0)


def test_loop_over_arrays_gives_scalars_and_rows() -> None:
    f = make("""
        def f(x, y):
            total = 0.0
            for v in x:
                total += v * 2
            for row in y:
                row[0] = total
                total += row.sum()
            return total, v, row
    """)
    check(f, X, np.arange(6.0).reshape(2, 3))
    check(f, X[::-2], np.arange(6.0).reshape(3, 2).T)


def test_loop_over_an_empty_array_leaves_the_variable_unbound() -> None:
    f = make("def f(x):\n    for v in x:\n        pass\n    return v")
    check(f, X)
    check(f, np.ones(0))


def test_loop_over_tuples_enumerate_zip_and_reversed() -> None:
    for loop in (
        "k in (1, 2.5, 4)",
        "i, k in enumerate(x)",
        "k, i in zip(x, y)",
        "k in reversed(x)",
        "k in [2, x[0]]",
    ):
        f = make(f"""
            def f(x, y):
                total = 0.0
                i = 1
                for {loop}:
                    total = total * 2 + k - i
                return total
        """)
        check(f, X, X[::-1])


JUMPS = {
    "break": """
        def f(x, limit):
            total = 0.0
            for i in range(len(x)):
                if x[i] > limit:
                    break
                total += x[i]
            return total, i
    """,
    "continue": """
        def f(x, limit):
            total = 0.0
            for i in range(len(x)):
                if x[i] > limit:
                    continue
                total += x[i]
            return total, i
    """,
    "return": """
        def f(x, limit):
            for i in range(len(x)):
                if x[i] > limit:
                    return i
            return -1
    """,
    "return in nested loops": """
        def f(x, limit):
            for i in range(len(x)):
                for j in range(i):
                    if x[i] + x[j] > limit:
                        return i * 100 + j
                    x[j] += 0.5
                x[i] += 1.0
            return -1
    """,
    "break of the inner loop only": """
        def f(x, limit):
            count = 0
            for i in range(len(x)):
                for j in range(len(x)):
                    if x[j] > limit + i:
                        break
                    count += 1
                count += 100
            return count
    """,
    "break and continue mixed": """
        def f(x, limit):
            total = 0.0
            i = 0
            while True:
                i += 1
                if i >= len(x):
                    break
                if x[i] < 0:
                    continue
                if x[i] > limit:
                    total += 1000
                    break
                total += x[i]
            return total, i
    """,
    "return in while": """
        def f(x, limit):
            i = 0
            while i < len(x):
                if x[i] > limit:
                    return x[i]
                elif x[i] < -limit:
                    return -x[i]
                i += 1
    """,
    "several returns after a loop": """
        def f(x, limit):
            total = 0.0
            for v in x:
                if v > limit:
                    return total
                total += v
            if total > 10:
                return 10.0
            total *= 2
            return total
    """,
    "code after break in both arms and else of the loop": """
        def f(x, limit):
            total = 0.0
            for v in x:
                if v > limit:
                    total += 1
                    if v > 2 * limit:
                        break
                    else:
                        total += 2
                        continue
                total += v
            else:
                total += 1000
            return total
    """,
    "else of a while": """
        def f(x, limit):
            i = 0
            while i < len(x):
                if x[i] > limit:
                    break
                i += 1
            else:
                return -1
            return i
    """,
    "three deep": """
        def f(x, limit):
            total = 0.0
            for i in range(3):
                for j in range(4):
                    if j == i:
                        continue
                    for k in range(5):
                        total += i + j * k
                        if total > limit * 20:
                            return total, i, j, k
                        if k > j:
                            break
            return total, -1, -1, -1
    """,
    "return of a tuple or nothing": """
        def f(x, limit):
            for v in x:
                if v > limit:
                    return
            x[0] = limit
    """,
    "stores before and after": """
        def f(x, limit):
            for i in range(len(x)):
                x[i] += 1
                if x[i] > limit:
                    x[i] = -1
                    break
                x[i] *= 2
            x[0] += 100
    """,
}  # fmt: skip


@pytest.mark.parametrize("jump", JUMPS)
def test_jumps_do_what_pythons_do(jump: str) -> None:
    f = make(JUMPS[jump])
    with Report(jump) as report:
        for limit in (-10.0, 0.0, 2.0, 3.0, 3.5, 5.0, 8.0, 100.0):
            with report.case(limit):
                check(f, X, limit)
                check(f, X.astype(np.int32), limit)


def test_elif_chain() -> None:
    f = make("""
        def f(x):
            if x < 0:
                y = -x
            elif x == 0:
                y = 1.0
            elif x < 10:
                y = x * 2
            else:
                y = x
            return y
    """)
    for x in (-1.5, 0.0, 3.0, 100.0):
        check(f, x)


def test_nested_branches_and_names_bound_in_both_arms() -> None:
    f = make("""
        def f(x, n):
            if n > 0:
                a = x * 2
                if n > 5:
                    b = a + 1
                else:
                    b = a - 1
            else:
                a = x[::-1]
                b = a * a
            return a, b
    """)
    for n in (-1, 3, 9):
        check(f, X, n)


def test_name_bound_in_one_arm_only() -> None:
    f = make("""
        def f(n):
            if n > 0:
                y = 1.5
            return y
    """)
    check(f, 1)
    check(f, 0)


def test_name_bound_only_inside_a_loop() -> None:
    f = make("""
        def f(n):
            for i in range(n):
                y = i * 2
            return y, i
    """)
    check(f, 3)
    check(f, 0)


def test_integer_that_becomes_a_float_in_the_loop() -> None:
    f = make("""
        def f(n):
            total = 0
            for i in range(n):
                total += 0.5
            return total
    """)
    for n in (3, 1):
        check(f, n)
    # The type of the result depends on the trip count.
    check(f, 0)


def test_python_scalar_that_becomes_a_numpy_scalar_in_the_loop() -> None:
    f = make("""
        def f(x):
            total = 0
            for v in x:
                total = total + v
            return total
    """)
    for dtype in ("int64", "float64", "float32", "int8", "uint8"):
        check(f, np.arange(5, dtype=dtype))


def test_array_that_changes_shape_in_the_loop() -> None:
    f = make("""
        def f(x, n):
            while len(x) > n:
                x = x[1:-1] * 2
            return x
    """)
    check(f, np.arange(11.0), 4)
    check(f, np.arange(11.0), 20)


def test_array_that_changes_dtype_in_the_loop() -> None:
    f = make("""
        def f(x, n):
            for k in range(n):
                x = x / 2
            return x
    """)
    check(f, np.arange(5), 3)
    check(f, np.arange(5), 1)
    check(f, np.arange(5), 0)


def test_swap_of_names_and_three_way_rotation() -> None:
    f = make("""
        def f(a, b, c, n):
            for k in range(n):
                a, b, c = b, c, a
                a[0] += k
            return a, b, c
    """)
    for n in range(5):
        check(f, np.zeros(2), np.ones(2), np.full(2, 2.0), n)


def test_loop_variable_may_be_assigned_and_survives_the_loop() -> None:
    f = make("""
        def f(n):
            out = 0
            for i in range(n):
                i = i * 2
                out += i
            return out, i
    """)
    check(f, 5)


def test_loop_bounds_are_read_once() -> None:
    f = make("""
        def f(n):
            total = 0
            for i in range(n):
                n = 2
                total += n
            return total, n
    """)
    check(f, 5)


def test_while_with_a_call_in_its_condition() -> None:
    f = make("""
        def norm(x):
            return np.abs(x).max()

        def f(x, limit):
            count = 0
            while norm(x) > limit and count < 50:
                x = x * 0.5
                count += 1
            return x, count
    """)
    check(f, X, 1.0)
    check(f, X, 1e-30)


def test_collatz_in_python_integers() -> None:
    f = make("""
        def f(n):
            steps = 0
            while n != 1:
                n = n // 2 if n % 2 == 0 else 3 * n + 1
                steps += 1
            return steps
    """)
    for n in (1, 7, 27, 97):
        check(f, n)


def test_mandelbrot_point() -> None:
    f = make("""
        def f(c, limit):
            z = 0j
            for k in range(limit):
                z = z * z + c
                if abs(z) > 2:
                    return k
            return limit
    """)
    for c in (0.1 + 0.1j, -1 + 0.3j, 1 + 1j, -0.75 + 0.1j):
        check(f, c, 60)


def test_branch_on_run_time_values_joins_arrays() -> None:
    f = make("""
        def f(x, flag):
            if flag > 0:
                y = x
            else:
                y = x[::-1]
            y[0] = 7.0
            return y
    """)
    check(f, X, 1)
    check(f, X, 0)


def test_keyboard_interrupt_stops_a_long_loop() -> None:
    """Python's own signal handler, run while compiled code is busy."""
    import signal
    import time

    f = jitted(
        make("""
        def f(n):
            total = 0.0
            for i in range(n):
                for j in range(n):
                    total += i * 0.5 - j
            return total
    """)
    )
    f(3)
    previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    start = time.process_time()  # machines that run tests are busy with other things too
    try:
        with pytest.raises(KeyboardInterrupt):
            f(40_000)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    assert time.process_time() - start < 2
