"""Functions that call themselves: each combination of argument types is compiled once."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest
import shapecast
from shapecast import _core
from support.compare import case_id, check, jitted, make

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


# A result may be an argument, a view of one, or new.
ARRAYS = {
    "fft": (
        """
        def f(x):
            n = x.shape[0]
            if n <= 1:
                return x
            even, odd = f(x[::2]), f(x[1::2])
            turned = np.arange(n // 2) * odd
            return np.concatenate((even + turned, even - turned))
        """,
        np.arange(16.0) + 2j,
    ),
    "merge sort": (
        """
        def f(a):
            n = a.shape[0]
            if n < 2:
                return a
            left, right = f(a[: n // 2]), f(a[n // 2 :])
            out = np.empty(n)
            i = j = 0
            for k in range(n):
                if j == right.shape[0] or (i < left.shape[0] and left[i] <= right[j]):
                    out[k] = left[i]
                    i += 1
                else:
                    out[k] = right[j]
                    j += 1
            return out
        """,
        np.array([3.0, 1, 2, 9, 4, 7, 0]),
    ),
    "an argument itself": (
        "def f(a, n):\n    return a if n == 0 else f(a, n - 1)",
        np.arange(4.0),
        3,
    ),
    "an argument without a recursive call": (
        "def f(a, n):\n    return a if n == 0 else f(a, n - 1)",
        np.arange(4.0),
        0,
    ),
    "a slice after some calls": (
        "def f(a, n):\n    return a if n == 0 else f(a[1:], n - 1)",
        np.arange(6.0),
        3,
    ),
    "a full slice is another object": (
        "def f(a, n):\n    return a if n == 0 else f(a[:], n - 1)",
        np.arange(6.0),
        2,
    ),
    "argument written through the result": (
        """
        def g(a, n):
            return a[::2] if n == 0 else g(a, n - 1)
        def f(a):
            first = a[0]
            r = g(a, 2)
            r[0] = 7.0
            r += a[: r.shape[0]]
            return first, a[0], r, a.sum()
        """,
        np.arange(6.0),
    ),
    "result read after a write to the argument": (
        """
        def g(a, n):
            return a[1:] if n == 0 else g(a, n - 1)
        def f(a):
            r = g(a, 2)
            before = r * 1.0
            a[:] = a[::-1] * 10
            return before, r, r * 2, r[0]
        """,
        np.arange(6.0),
    ),
    "one of two arguments": (
        """
        def g(a, b, n):
            return a if n == 0 else g(b, a, n - 1)
        def f(a, b, n):
            r = g(a, b, n)
            a[0] = 1.0
            b[0] = 2.0
            r[1] = 5.0
            return r, r[0] + a[1] + b[1]
        """,
        np.zeros(3),
        np.ones(3),
        3,
    ),
    "a temporary of the caller": (
        """
        def g(a, n):
            return a[n:] if n == 0 else g(a, n - 1)
        def f(a):
            t = a * 2
            r = g(t, 3)
            t[0] = 9.0
            u = r + 1
            r[1] = 5.0
            return r, t, u
        """,
        np.arange(4.0),
    ),
    "callee writes what it was given": (
        """
        def g(a, n):
            a[n] += 1.0
            return a if n == 0 else g(a, n - 1)
        def f(a):
            t = a * 2
            old = t + 0.5
            r = g(t, 2)
            return r, old, t.sum()
        """,
        np.arange(4.0),
    ),
    "tuples": (
        """
        def f(a, n):
            if n == 0:
                return a, (a * 2, n), None
            b, (c, k), nothing = f(a[1:], n - 1)
            return c, (b, k + 1), nothing
        """,
        np.arange(6.0),
        3,
    ),
    "one array twice": (
        """
        def g(a, n):
            b = a * 2
            return (b, b) if n == 0 else g(a, n - 1)
        def f(a):
            b, c = g(a, 2)
            b[0] = 8.0
            return b, c, c[0]
        """,
        np.arange(4.0),
    ),
    "None or an array": (
        """
        def g(a):
            if a.shape[0] == 0:
                return None
            return a * 2 if a[0] > 2.0 else g(a[1:])
        def f(a):
            return g(a), g(a[:2])
        """,
        np.arange(5.0),
    ),
    "int or float": (
        """
        def g(n):
            return 1 if n == 0 else 0.5 if n == 7 else g(n - 1)
        def f(n):
            return g(n), g(n + 3), g(n) * 2
        """,
        5,
    ),
    "two that call each other": (
        """
        def halves(a):
            return a if a.shape[0] < 2 else joined(a[::2], a[1::2])
        def joined(a, b):
            return np.concatenate((halves(b), halves(a) * 2))
        def f(a):
            return halves(a), joined(a, a)
        """,
        np.arange(7.0),
    ),
    "two of which one determines the type late": (
        """
        def g(n):
            if n <= 0:
                return 1
            return g(n - 1) + 1 if n % 2 else h(n - 1) + 2
        def h(n):
            return 1.5 if n <= 0 else g(n - 1)
        def f(n):
            return h(n), g(n)
        """,
        5,
    ),
    "float32 in two dimensions": (
        """
        def f(a, n):
            if n == 0:
                return a.T
            b = f(a.T, n - 1)
            return b * np.float32(0.5) + a.sum()
        """,
        np.arange(6, dtype=np.float32).reshape(2, 3),
        2,
    ),
    "transposed": ("def f(a, n):\n    return a if n == 0 else f(a.T, n - 1)", np.ones((2, 3)), 3),
    "negative strides": (
        """
        def f(a, n):
            if n == 0:
                return a[::-1]
            b = f(a[::-1], n - 1)
            b[0] = n
            return b
        """,
        np.arange(5.0),
        4,
    ),
    "strided": (
        "def f(a, n):\n    return a[::2] if n == 0 else f(a[::-1], n - 1)[1:]",
        np.arange(40.0)[::3],
        3,
    ),
    "empty": (
        "def f(a):\n    return a if a.shape[0] == 0 else np.concatenate((f(a[1:]), a[:1] * 2))",
        np.arange(4.0),
    ),
    "sizes known": (
        """
        def f(n):
            if n == 0:
                return np.zeros((2, 3))
            a = f(n - 1)
            return a[::-1] + np.ones((2, 1)) * n
        """,
        3,
    ),
    "sizes known until they are not": (
        "def f(n):\n    return np.zeros(1) if n == 0 else np.concatenate((f(n - 1), np.ones(n)))",
        4,
    ),
    "sizes of the depth": (
        """
        def f(n):
            if n == 0:
                return np.zeros((1, 1))
            a = f(n - 1)
            b = np.zeros((n + 1, n + 1))
            b[:-1, 1:] = a + n
            return b
        """,
        4,
    ),
    "no axes": (
        "def f(a, n):\n    return a.sum() * a if n == 0 else f(a, n - 1)",
        np.array(3.0),
        2,
    ),
    "one dimension less": (
        """
        def f(a):
            return a * 2 if a.ndim == 1 else f(a[0])
        """,
        np.arange(12.0).reshape(2, 2, 3),
    ),
    "reshape": (
        """
        def f(a, n):
            return a.reshape(-1) if n == 0 else f(a.T, n - 1)
        """,
        np.arange(6.0).reshape(2, 3),
        1,
    ),
    "in a loop": (
        """
        def g(a, n):
            return a + 1 if n == 0 else g(a, n - 1)
        def f(a):
            b = a
            for k in range(4):
                b = g(b, k)
                b[0] = a[1]
            return b, a
        """,
        np.arange(4.0),
    ),
    "a loop swaps what calls give": (
        """
        def g(a, n):
            return a if n == 0 else g(a, n - 1)
        def f(a, b):
            for k in range(3):
                a, b = g(b, k), g(a, 1)
                a[k] += b[0] + 1
            return a, b
        """,
        np.arange(4.0),
        np.arange(4.0) * 10,
    ),
    "overlapping store of a result": (
        """
        def g(a, n):
            return a[:-1] if n == 0 else g(a, n - 1)
        def f(a):
            a[1:] = g(a, 2)
            a[1:] += g(a, 1) * 2
            return a
        """,
        np.arange(6.0),
    ),
    "two results that overlap": (
        """
        def g(a, n):
            return (a[:-1], a[1:]) if n == 0 else g(a, n - 1)
        def f(a):
            low, high = g(a, 2)
            high[:] = low
            return a
        """,
        np.arange(6.0),
    ),
    "read-only": (
        """
        def f(a, n):
            return np.broadcast_to(a, (2, a.shape[0])) if n == 0 else f(a, n - 1)
        """,
        np.arange(3.0),
        2,
    ),
    "read-only written": (
        """
        def g(a, n):
            return np.broadcast_to(a, (2, a.shape[0])) if n == 0 else g(a, n - 1)
        def f(a):
            g(a, 1)[0, 0] = 2.0
        """,
        np.arange(3.0),
    ),
    "shapes that do not fit, deep down": (
        "def f(a, n):\n    return a + np.ones(2) if n == 0 else f(a[1:] * 2, n - 1)",
        np.arange(7.0),
        3,
    ),
    "index error, deep down": (
        "def f(a, n):\n    t = a * 2\n    t[n] = 1\n    return f(t[:-1], n + 1) + 1",
        np.zeros(9),
        0,
    ),
    "raised at the bottom": (
        """
        def f(a, n):
            if n == 0:
                raise ValueError("bottom")
            return f(a * 2, n - 1) + a
        """,
        np.arange(3.0),
        4,
    ),
    "matrix products": (
        """
        def f(a, b):
            n = a.shape[0]
            if n == 1:
                return a * b
            h = n // 2
            top = np.concatenate((f(a[:h, :h], b[:h, :h]) + f(a[:h, h:], b[h:, :h]),
                                  f(a[:h, :h], b[:h, h:]) + f(a[:h, h:], b[h:, h:])), axis=1)
            low = np.concatenate((f(a[h:, :h], b[:h, :h]) + f(a[h:, h:], b[h:, :h]),
                                  f(a[h:, :h], b[:h, h:]) + f(a[h:, h:], b[h:, h:])), axis=1)
            return np.concatenate((top, low))
        """,
        np.arange(16.0).reshape(4, 4),
        np.arange(16.0).reshape(4, 4).T,
    ),
    "products of seven quarters": (
        """
        def f(a, b):
            n = a.shape[0]
            if n == 1:
                return a * b
            h = n // 2
            p, q, r, s = a[:h, :h], a[:h, h:], a[h:, :h], a[h:, h:]
            t, u, v, w = b[:h, :h], b[:h, h:], b[h:, :h], b[h:, h:]
            p1, p2, p3, p4 = f(p, u - w), f(p + q, w), f(r + s, t), f(s, v - t)
            p5, p6, p7 = f(p + s, t + w), f(q - s, v + w), f(p - r, t + u)
            c = np.zeros((n, n))
            c[:h, :h] = p5 + p4 - p2 + p6
            c[:h, h:] = p1 + p2
            c[h:, :h] = p3 + p4
            c[h:, h:] = p5 + p1 - p3 - p7
            return c
        """,
        np.arange(16.0).reshape(4, 4),
        np.arange(16.0).reshape(4, 4)[::-1],
    ),
    "power of a matrix": (
        """
        def f(a, n):
            if n == 0:
                return np.eye(a.shape[0])
            b = f(a @ a, n // 2)
            return b @ a if n % 2 else b
        """,
        np.array([[1.0, 1.0], [1.0, 0.0]]),
        13,
    ),
    "for ever": ("def f(a):\n    return f(a * 2) + 1", np.ones(3)),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_recursion_matches_python(name: str) -> None:
    source, *args = PROGRAMS[name]
    check(make(source, "f"), *args)


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_are_returned_as_pythons(name: str) -> None:
    source, *args = ARRAYS[name]
    before = _core.live_allocations()
    check(make(source, "f"), *args)
    gc.collect()
    assert _core.live_allocations() == before


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


def test_tuples_as_arguments_and_results() -> None:
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


def test_global_arrays_are_seen_at_every_depth() -> None:
    source = """
        def inner(a):
            return a * scale[0]

        def f(a, n):
            if n == 0:
                return table
            table[n] += 1.0
            return inner(f(a, n - 1)) + a
    """
    spaces = [{"table": np.arange(5.0), "scale": np.full(2, 0.5)} for _ in range(2)]
    plain, ours = (make(source, "f", **space) for space in spaces)
    f = jitted(ours)
    a = np.arange(5.0)
    for n in (3, 0, 2):
        spaces[0]["scale"][0] = spaces[1]["scale"][0] = n + 1.0
        want, got = plain(a, n), f(a, n)
        np.testing.assert_array_equal(got, want)
        np.testing.assert_array_equal(spaces[1]["table"], spaces[0]["table"])
    assert f(a, 0) is spaces[1]["table"]
    plain.__globals__["table"], ours.__globals__["table"] = np.ones(5), np.ones(5)
    np.testing.assert_array_equal(f(a, 2), plain(a, 2))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def f(a, n):\n    return a if n == 0 else f(a, n - 1)[None]", "1 dimensions"),
        ("def f(a, n):\n    return a if n == 0 else f(a[None], n - 1)", "64 combinations"),
        ("def f(a, n):\n    return 0.5 if n == 0 else a.sum(axis=n - 2) + f(a, n - 1)", "axis"),
    ],
    ids=case_id,
)
def test_types_that_change_with_the_depth_are_refused(source: str, message: str) -> None:
    with pytest.raises(shapecast.UnsupportedError, match=message):
        jitted(make(source))(np.ones(4), 2)


@pytest.mark.parametrize("n", range(3))
def test_a_dtype_that_changes_with_the_depth(n: int) -> None:
    check(make("def f(a, n):\n    return a if n == 0 else f(a, n - 1) > 0"), np.ones(4), n)


def test_peak_memory_is_pythons() -> None:
    """Each depth frees what is dead; an exception leaks nothing."""
    f = make("""
        def f(a, n, bad):
            t = a * 2
            if n == bad:
                t[a.shape[0]] = 1.0
            if n == 0:
                return t
            u = f(t[1:], n - 1, bad)
            return u[::-1] + 1
    """)
    g = jitted(f)
    a = np.ones(200_000)
    g(a, 2, -1)
    _core._drop_kept_blocks()
    live, used = _core.live_allocations(), _core._memory_use()[0]
    result = g(a, 6, -1)
    np.testing.assert_array_equal(result, f(a, 6, -1))
    # During the descent `t` of each depth is live; during the returns two arrays more.
    assert _core._memory_use()[1] - used <= 9.5 * a.nbytes
    assert _core.live_allocations() == live + 1
    del result
    for bad in (0, 3, 6):
        with pytest.raises(IndexError):
            g(a, 6, bad)
    assert _core.live_allocations() == live
    deep = jitted(make("def f(a):\n    return f(a * 2) + 1"))
    with pytest.raises(RecursionError):
        deep(np.ones(3))
    assert _core.live_allocations() == live


def test_sizes_of_sums_do_not_double_with_each() -> None:
    """No size is known to equal another, so each sum's is chosen at run time."""
    sums = "".join(f"    x = x + {'abcd'[k % 4]} * {k}.0\n" for k in range(12))
    f = make(
        "def f(a, b, n):\n    if n == 0:\n        return a\n"
        "    c, d = f(a, b, n - 1), f(b, a, n - 1)\n    x = c + d\n" + sums + "    return x\n",
        "f",
    )
    check(f, np.arange(4.0), np.ones(1), 2)
    check(f, np.ones(1), np.arange(4.0), 3)
    lines = jitted(f).stages(np.arange(4.0), np.ones(4), 2)["infer"].splitlines()
    assert max(map(len, lines)) < 1000


class Holder:
    memo: dict[int, int]


holder = Holder()
holder.memo = {}


def test_dict_in_an_object_outside_is_refused_in_recursion() -> None:
    def fib(n: int) -> int:
        memo = holder.memo
        if n not in memo:
            memo[n] = n if n < 2 else fib(n - 1) + fib(n - 2)
        return memo[n]

    with pytest.raises(shapecast.UnsupportedError, match="a function that calls itself"):
        shapecast.jit(fib)(5)


SHIFT = np.arange(3.0)
STEP = 5


def shifted(x: int) -> float:
    return x + SHIFT[1] + STEP


def test_a_function_that_reads_globals_as_an_argument() -> None:
    def total(g: Any, n: int) -> float:
        return g(n) + total(g, n - 1) if n > 0 else 0.0

    def first_of(functions: list[Any], n: int) -> float:
        return functions[0](n) + first_of(functions, n - 1) if n > 0 else 0.0

    def f(n: int) -> tuple[float, float]:
        return total(shifted, n), first_of([shifted for _ in range(n)], n)

    assert jitted(f)(4) == f(4)
