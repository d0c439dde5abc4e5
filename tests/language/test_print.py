"""print(...) in compiled code: Python's own print is called, with Python's objects, in order."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable

import numpy as np
import pytest
import shapecast
from shapecast import jit
from support.compare import make


def printed(f: Callable, *args: object, capsys: pytest.CaptureFixture) -> str:
    f(*args)
    return capsys.readouterr().out


def check_printed(source: str, *args: object, capsys: pytest.CaptureFixture) -> None:
    f = make(source)
    copies = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
    want = printed(f, *copies, capsys=capsys)
    assert printed(jit(f), *args, capsys=capsys) == want


def test_arrays_views_and_scalars_of_every_kind(capsys) -> None:
    source = """
        def f(a, x, n):
            print(a, a[::2], a.T, a > 1, a.shape, sep="|")
            print(x, n, n / 2, 2j, n > 2, x > 2, a[0, 0], a.sum(), np.int8(3))
    """
    for dtype in ("float64", "float32", "int16", "complex64", "bool"):
        a = np.arange(6).reshape(2, 3).astype(dtype)
        check_printed(source, a, np.float32(2.5), 3, capsys=capsys)


def test_tuples_lists_strings_and_none(capsys) -> None:
    source = """
        def f(x, t):
            print((x, "s", None, (x, 1)), [x, "a'b"], (), t, None, "é\\n")
            print("", end="")
            print(sep="", end="!")
    """
    check_printed(source, 2.5, (1, "b", None), capsys=capsys)


def test_optionals_are_printed_as_what_they_are(capsys) -> None:
    source = """
        def f(a, n):
            if n > 2:
                b = None
            else:
                b = a
            print(b, (b, n))
    """
    for n in (1, 5):
        check_printed(source, np.arange(3.0), n, capsys=capsys)


def test_print_sees_the_stores_before_it_and_not_those_after(capsys) -> None:
    source = """
        def f(a):
            b = a * 2
            print(a, b)
            a += 1
            print(a, b)
            for i in range(3):
                a[i] = i * 10
                print(i, a)
            b[:] = a
            print(b)
            return b
    """
    check_printed(source, np.arange(3.0), capsys=capsys)


class Broken(io.StringIO):
    def write(self, text: str) -> int:
        raise KeyError("no more paper")


def test_an_exception_in_print_propagates(monkeypatch) -> None:
    f = jit(make("def f(a):\n    a[0] = 5\n    print(a)\n    a[0] = 7"))
    a = np.arange(3.0)
    monkeypatch.setattr(sys, "stdout", Broken())
    with pytest.raises(KeyError, match="no more paper"):
        f(a)
    assert a[0] == 5


def test_flush_and_file(capsys: pytest.CaptureFixture) -> None:
    f = make(
        """
        def f(x):
            print("a", x, flush=True)
            print("b", x, file=sys.stderr, flush=False, end="!")
            print("c", file=None)
            print("d", sep="", file=sys.stdout)
        """,
        sys=sys,
    )
    f(2.5)
    want = capsys.readouterr()
    jit(f)(2.5)
    assert capsys.readouterr() == want


def test_a_replaced_stderr_is_printed_to(capsys: pytest.CaptureFixture) -> None:
    f = jit(make("def f(x):\n    print(x, file=sys.stderr)", sys=sys))
    f(1)
    streams = [io.StringIO(), io.StringIO()]
    old = sys.stderr
    try:
        for k, sys.stderr in enumerate(streams):
            f(k)
    finally:
        sys.stderr = old
    assert [s.getvalue() for s in streams] == ["0\n", "1\n"]


def test_other_files_are_refused() -> None:
    f = jit(make("def f(x):\n    print(x, file=out)", out=io.StringIO()))
    with pytest.raises(shapecast.UnsupportedError, match=r"file, which is sys\.stdout"):
        f(1)
