"""Functions that call themselves: each combination of argument types is compiled once."""

from __future__ import annotations

import numpy as np
import pytest
import shapecast
from helpers import check, jitted, make

PROGRAMS = {
    "fibonacci": ("def f(n):\n    if n < 2:\n        return n\n    return f(n - 1) + f(n - 2)", 15),
    "factorial in float": ("def f(n):\n    return 1.0 if n < 2 else n * f(n - 1)", 10),
    "gcd": ("def f(a, b):\n    return a if b == 0 else f(b, a % b)", 36, 84),
    "ackermann": (
        """
        def f(m, n):
            if m == 0:
                return n + 1
            if n == 0:
                return f(m - 1, 1)
            return f(m - 1, f(m, n - 1))
        """,
        2,
        3,
    ),
    "two that call each other": (
        """
        def even(n):
            return True if n == 0 else odd(n - 1)
        def odd(n):
            return False if n == 0 else even(n - 1)
        def f(n):
            return even(n), odd(n)
        """,
        7,
    ),
    "quicksort in place": (
        """
        def f(a, lo, hi):
            if lo < hi:
                pivot = a[hi]
                i = lo - 1
                for j in range(lo, hi):
                    if a[j] <= pivot:
                        i += 1
                        kept = a[i]
                        a[i] = a[j]
                        a[j] = kept
                kept = a[i + 1]
                a[i + 1] = a[hi]
                a[hi] = kept
                f(a, lo, i)
                f(a, i + 2, hi)
        """,
        np.array([3.0, 1, 2, 9, 4, 7, 0]),
        0,
        6,
    ),
    "slices": (
        """
        def f(a):
            if a.shape[0] == 1:
                return a[0]
            m = a.shape[0] // 2
            return f(a[:m]) * 0.5 + f(a[m:])
        """,
        np.arange(9.0),
    ),
    "an inner function": (
        """
        def f(n, x):
            def power(k):
                return x if k < 2 else x * power(k - 1)
            return power(n)
        """,
        5,
        2.5,
    ),
    "for ever": ("def f(n):\n    return f(n + 1) + 1", 1),
    "an exception at the bottom": (
        """
        def f(n):
            if n == 0:
                raise ValueError("bottom")
            return f(n - 1) + 1
        """,
        4,
    ),
    "index error deep down": ("def f(a, n):\n    a[n] = n\n    return f(a, n + 1)", np.zeros(4), 0),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_recursion_matches_python(name: str) -> None:
    source, *args = PROGRAMS[name]
    check(make(source, "f"), *args)


def test_recursion_is_deeper_than_pythons_and_ends_in_recursion_error() -> None:
    g = jitted(make("def f(n):\n    return 0 if n == 0 else 1 + f(n - 1)"))
    assert g(5000) == 5000
    with pytest.raises(RecursionError, match="maximum recursion depth exceeded"):
        g(10**9)
    assert g(10) == 10


def test_recursion_ends_before_the_stack_does() -> None:
    """Frames of a few KB, and a thread with a quarter of a MiB of stack."""
    import threading

    names = [f"v{k}" for k in range(150)]
    body = "".join(f"    {name} = x * {k}.5 + n\n" for k, name in enumerate(names))
    total = " + ".join(f"{name} * r" for name in names)
    wide = jitted(
        make(
            f"def f(n, x):\n{body}    if n == 0:\n        return x\n"
            f"    r = f(n - 1, x + 1.0)\n    return r + {total}\n",
            "f",
        )
    )
    narrow = jitted(make("def f(n):\n    return 0 if n == 0 else 1 + f(n - 1)"))
    assert np.isfinite(wide(3, 1.0)) and narrow(100) == 100
    raised = []

    def deep() -> None:
        for f, arguments in ((wide, (10**6, 1.0)), (narrow, (10**6,))):
            with pytest.raises(RecursionError):
                f(*arguments)
            raised.append(narrow(100))

    before = threading.stack_size(256 * 1024)
    try:
        thread = threading.Thread(target=deep)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    deep()
    assert raised == [100] * 4


def test_a_recursive_function_that_returns_an_array_is_refused() -> None:
    f = make("def f(a):\n    return a if a.shape[0] < 2 else f(a[1:])")
    with pytest.raises(shapecast.UnsupportedError, match="recursive function"):
        jitted(f)(np.arange(4.0))


def test_tuples_go_in_and_come_out() -> None:
    check(
        make("""
            def pair(n):
                if n < 2:
                    return n, 1
                a, b = pair(n - 1)
                return a + b, a

            def f(n):
                return pair(n)
        """),
        20,
    )
    check(
        make("""
            def extended_gcd(a, b):
                if b == 0:
                    return a, (1, 0)
                g, (x, y) = extended_gcd(b, a % b)
                return g, (y, x - a // b * y)

            def f(a, b):
                return extended_gcd(a, b)
        """),
        240,
        46,
    )
    check(
        make("""
            def total(state, n):
                a, b = state
                if n == 0:
                    return a[0] + b, 2j
                return total((a[1:], a[0] * 0.5), n - 1)

            def f(x, n):
                return total((x, 1.0), n), total((x, 3.0), n)[1]
        """),
        np.arange(9.0),
        5,
    )


def test_lists_of_arguments_stay_lists() -> None:
    check(
        make("""
            def length(items, n):
                if n == 0:
                    return len(items), items[0] * 2
                return length([items[1], items[0]], n - 1)

            def f(a, b):
                return length([a, b], 3)
        """),
        2,
        3,
    )
