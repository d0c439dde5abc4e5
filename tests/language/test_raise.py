"""raise and assert: Python's exceptions with Python's arguments, after the same effects."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import traceback

import numpy as np
import pytest
import shapecast
from support.compare import check, jitted, make


def outcome(f, *args) -> tuple:
    """All that can be observed of an exception."""
    try:
        return "value", f(*args)
    except Exception as error:
        cause = error.__cause__
        return (
            type(error),
            [repr(a) for a in error.args],
            str(error),
            type(cause),
            str(cause),
            error.__suppress_context__,
        )


def check_error(source: str, *cases: tuple, **names) -> None:
    """Each case: one call's arguments."""
    f = make(source, **names)
    for args in cases:
        check(f, *args)
        copies = [[a.copy() if isinstance(a, np.ndarray) else a for a in args] for _ in range(2)]
        want, got = outcome(f, *copies[0]), outcome(jitted(f), *copies[1])
        if want[0] != "value":
            assert got == want


def test_a_class_an_instance_and_arguments_of_every_kind() -> None:
    check_error(
        """
        def f(n, x, a):
            if n == 0:
                raise KeyError
            if n == 1:
                raise ValueError()
            if n == 2:
                raise ValueError("one", n, x, a, (a[0], None), [1.5], True, 2j)
            if n == 3:
                raise ZeroDivisionError("it is %d" % n)
            if n == 4:
                raise np.linalg.LinAlgError("singular")
            if n == 5:
                raise np.exceptions.AxisError(7, 2)
            if n == 6:
                raise StopIteration(n)
            return x
        """,
        *((n, np.float32(2.5), np.arange(3, dtype=np.int16)) for n in range(8)),
    )


def test_messages_are_formatted_by_python() -> None:
    check_error(
        """
        def f(n, x, a):
            if n == 0:
                raise ValueError(f"{n} {x:.3f} {a} {a!r:>40} {a.shape} {a.dtype} {n=} {x + 1!s}")
            if n == 1:
                raise ValueError("n is %d, x is %6.2f, a is %s" % (n, x, a))
            if n == 2:
                raise ValueError("{} {1}".format(n, x))
            if n == 3:
                raise ValueError("{0} {1:08.3f} {name}".format(n, x, name=a[0]))
            if n == 4:
                raise ValueError("n: " + str(n) + ", x: " + repr(x) + "!" * 3 + "-" * n)
            if n == 5:
                raise ValueError(f"{a:.2f}")
            if n == 6:
                raise ValueError("%d" % a)
            return a
        """,
        *((n, 0.1, np.array([1.5, 2.5])) for n in range(8)),
        *((n, np.float32(0.1), np.array([[1, 2]])) for n in range(8)),
    )


def test_cause_and_none() -> None:
    check_error(
        """
        def f(n):
            if n == 0:
                raise ValueError("a") from None
            if n == 1:
                raise ValueError("a") from TypeError("b", n)
            if n == 2:
                raise ValueError from KeyError
            if n == 3:
                raise 3
            if n == 4:
                raise ValueError("a") from 3
            error = OverflowError(n)
            raise error
        """,
        *((n,) for n in range(6)),
    )


def test_stores_before_an_exception_stay() -> None:
    check_error(
        """
        def f(a, b, limit):
            b[:] = a * 2
            for i in range(a.shape[0]):
                for j in range(a.shape[1]):
                    if a[i, j] > limit:
                        raise ValueError(f"a[{i}, {j}] = {a[i, j]}")
                    a[i, j] += 1
                b[i] += a[i]
            return a + b
        """,
        *((np.arange(12.0).reshape(3, 4), np.zeros((3, 4)), limit) for limit in (-1, 5, 11, 99)),
    )


def test_in_callees_and_expressions() -> None:
    check_error(
        """
        def fail(n):
            raise OverflowError(f"fail {n}")

        def checked(x, n):
            if n < 0:
                raise ValueError("negative")
            return x * n

        def f(x, n):
            a = checked(x, n)
            b = fail(n) if n == 3 else a + 1
            c = 2 if n < 4 else fail(n) + 1
            if n == 2:
                fail(n)
                c = "never"
            return a, b, c, n > 1 and fail(n) or 5
        """,
        *((x, n) for n in (-1, 0, 1, 2, 3, 4) for x in (np.arange(3.0), 2.5, 7)),
    )


def test_functions_that_always_raise() -> None:
    check_error("def f(x):\n    raise ValueError(x)", (1,), (np.arange(3),))
    check_error(
        """
        def f(x):
            if x > 0:
                raise ValueError("positive")
            else:
                raise ValueError("not positive")
        """,
        (1,),
        (-1,),
    )
    check_error(
        """
        def f(x):
            for i in range(x):
                raise ValueError(i)
            while x < 0:
                raise KeyError(x)
            return x
        """,
        (0,),
        (3,),
        (-1,),
    )


@pytest.mark.parametrize("kind", ["float64", "int32"])
def test_an_arm_that_raises_leaves_the_values_of_the_other(kind: str) -> None:
    check_error(
        """
        def f(a, n):
            if n > 10:
                raise ValueError("large")
            elif n > 5:
                y = a[n - 5:]
                z = None
                w = (y + 1, n)
            elif n < 0:
                raise IndexError("small")
            else:
                y = a * 2
                z = y[0]
                w = (a - 1, 1)
            if z is None:
                return y, w, None
            return y, w, z
        """,
        *((np.arange(9).astype(kind), n) for n in (-1, 0, 3, 6, 9, 11)),
    )


def test_one_arm_returns_another_raises_in_loops() -> None:
    check_error(
        """
        def f(a, x):
            while True:
                for i in range(len(a)):
                    if a[i] < 0:
                        raise ArithmeticError(i, a) from None
                    elif a[i] == x:
                        return a[i:], i
                    elif a[i] == 100:
                        break
                    a[i] -= 1
                else:
                    a[-1] += 0.5
                    continue
                raise LookupError("a hundred")
        """,
        *((np.array([3.0, 5, 4, y]), x) for x in (1.0, 2.5, -1.0) for y in (6.0, 100.0, 0.5)),
    )


def test_variables_around_a_raise_in_a_loop() -> None:
    check_error(
        """
        def f(a, n):
            best = 0.0
            where = -1
            for i in range(n):
                if i >= a.size:
                    message = f"{i} of {a.size}"
                    raise IndexError(message)
                if a[i] > best:
                    best = a[i]
                    where = i
                t = best * 2
            else:
                if where < 0:
                    raise ValueError("none")
            return best, where, t
        """,
        *((np.array([1.0, 3.0, 2.0]), n) for n in (0, 1, 3, 4)),
        (np.zeros(3), 2),
    )


def test_conditions_of_a_raise_are_facts_afterwards() -> None:
    f = make("""
        def f(a, b, n):
            if a.shape != b.shape:
                raise ValueError(f"{a.shape} {b.shape}")
            if n < 1 or n > 100:
                raise ValueError(n)
            assert a.ndim == 1
            return a * b + a[:n].sum()
    """)
    check(f, np.arange(4.0), np.arange(4.0), 2)
    check(f, np.arange(4.0), np.arange(3.0), 2)
    check(f, np.arange(4.0), np.arange(4.0), 0)
    check(f, np.arange(1.0), np.arange(4.0), 2)
    g = jitted(f)
    compiled = len(g.signatures())
    for size in (5, 6, 9):
        check(f, np.arange(float(size)), np.arange(size + 1.0), 2)
    assert len(g.signatures()) == compiled, g.signatures()


def test_assert() -> None:
    check_error(
        """
        def f(a, n):
            assert n > 0
            assert n < 9 and a.ndim, f"n is {n}"
            assert (m := n + 1) < 9, "m"
            assert a[0] > n, (a[0], n)
            assert isinstance(a, np.ndarray), "array"
            return m
        """,
        *((np.array([5.0]), n) for n in (0, 1, 4, 6, 8, 9)),
    )


def test_assert_is_nothing_without_debug() -> None:
    script = textwrap.dedent("""
        import linecache, shapecast
        source = "def f(n):\\n    assert n > 0, n\\n    return n, __debug__\\n"
        linecache.cache["<t>"] = (len(source), None, source.splitlines(True), "<t>")
        exec(compile(source, "<t>", "exec"))
        try:
            print(shapecast.jit(f)(-1))
        except AssertionError as error:
            print(error)
    """)
    for flags, expected in (([], "-1"), (["-O"], "(-1, False)")):
        command = [sys.executable, *flags, "-c", script]
        assert subprocess.check_output(command, text=True).strip() == expected


def test_exceptions_of_the_users_own(monkeypatch) -> None:
    class Own(ValueError):
        def __init__(self, text: str, n: int) -> None:
            super().__init__(text)
            self.n = n

    Own.__module__, Own.__qualname__ = __name__, "Own"
    monkeypatch.setattr(sys.modules[__name__], "Own", Own, raising=False)
    f = make("def f(n):\n    if n > 1:\n        raise Own('large', n)\n    return n", Own=Own)
    assert jitted(f)(1) == 1
    with pytest.raises(Own, match="large") as caught:
        jitted(f)(2)
    assert caught.value.n == 2
    g = make(
        "def f(n):\n    if n > 1:\n        raise shapecast.ShapeError('large', n)\n    return n",
        shapecast=shapecast,
    )
    check(g, 2)


def test_the_traceback_has_the_users_lines() -> None:
    f = make("""
        def inner(n):
            if n > 1:
                raise ValueError("large")
            return n

        def f(n):
            return inner(n) + 1
    """)
    with pytest.raises(ValueError, match="large") as caught:
        jitted(f)(2)
    lines = [(e.name, e.lineno) for e in traceback.extract_tb(caught.tb)[-2:]]
    assert lines == [("f", 7), ("inner", 3)]
    assert not getattr(caught.value, "__notes__", [])


@pytest.mark.parametrize("below", [1, 40, 5000])
def test_entries_of_a_traceback_know_where_their_function_begins(below: int) -> None:
    """Notebooks and debuggers count from there; the decorators belong to it."""
    head = "keep = lambda f: f\n\n@keep\n@keep\ndef f(x):"
    f = make(head + "\n" * below + "    return x[3]")
    for function in (f, jitted(f)):
        with pytest.raises(IndexError) as caught:
            function(np.ones(2))
        entry = list(traceback.walk_tb(caught.tb))[-1]
        assert (entry[0].f_code.co_firstlineno, entry[1]) == (3, 5 + below)
        assert entry[0].f_lineno == entry[1]
        assert traceback.extract_tb(caught.tb)[-1].lineno == entry[1]


def test_a_loop_with_a_raise_that_cannot_happen_is_still_vectorised() -> None:
    f = make("""
        def f(a, n):
            if n < 0:
                raise ValueError("negative")
            b = a * n
            if b[0] > 100:
                raise ValueError(b)
            return b + a
    """)
    a = np.arange(100.0)
    check(f, a, 2)
    assert any("vectorized loop" in remark for remark in jitted(f).remarks(a, 2))


def test_memory_is_freed_when_an_exception_leaves() -> None:
    f = make("""
        def f(a, n):
            b = a * 2
            for i in range(n):
                c = b + i
                if c[0] > 3:
                    raise ValueError(c, f"{b}")
                b = c
            return b
    """)
    from shapecast import _core

    before = _core.live_allocations()
    for _ in range(5):
        with pytest.raises(ValueError):
            jitted(f)(np.ones(100), 9)
    assert _core.live_allocations() == before
    check(f, np.ones(4), 1)


def test_raise_without_an_exception_is_refused() -> None:
    with pytest.raises(shapecast.UnsupportedError, match="raise"):
        jitted(make("def f(n):\n    if n:\n        raise\n    return n"))(1)


def test_uses_of_a_string_that_is_made() -> None:
    for source in (
        "def f(n):\n    s = str(n / 2)\n    return s == 'a', s == '0.5'",
        "def f(n):\n    s = str(n / 2)\n    return len(s)",
        "def f(n):\n    s = str(n / 2)\n    return s[0]",
        "def f(n):\n    if str(n / 2):\n        return 1",
    ):
        check(make(source), 1)


ERRORS_IN_ARMS = {
    "an unassigned variable": "return y + x",
    "a type error": "return x + None",
    "no attribute that it has": "return x @ x",
    "an index": "return (1, 2)[5]",
    "unpacking": "p, q = (1, 2, 3)\n        return p",
    "after a store": "a[0] = 9.0\n        return len(x)",
}


@pytest.mark.parametrize("name", ERRORS_IN_ARMS)
def test_an_error_in_an_arm_is_raised_only_where_it_is_reached(name: str) -> None:
    f = make(f"""
        def f(a, x, flag):
            if flag:
                {ERRORS_IN_ARMS[name].replace(chr(10) + "        ", chr(10) + "                ")}
            y = 1
            return y + x + a[0]
    """)
    for flag in (0, 1, 2):
        check(f, np.arange(3.0), 2.5, flag)
