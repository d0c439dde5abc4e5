"""Strings in compiled code: f-strings, %, .format and str() are Python's own, and in order."""

from __future__ import annotations

import numpy as np
import pytest
import shapecast
from support.compare import check, jitted, make


def check_printed(capsys: pytest.CaptureFixture, source: str, *args: object) -> None:
    f = make(source)
    outputs = []
    for call in (f, jitted(f)):
        copies = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
        result = call(*copies)
        outputs.append((capsys.readouterr().out, repr(result), repr(copies)))
    assert outputs[1] == outputs[0]


VALUES = [3, -2.5, True, 2j, np.float32(0.1), np.int8(-5), np.bool_(True), np.complex64(1 + 2j)]


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_f_strings_of_every_kind_of_number(value: object, capsys) -> None:
    check_printed(
        capsys,
        """
        def f(x, a):
            print(f"{x}|{x!r}|{x!s:>20}|{x!a}|{x=}|{a[0]:>10}", f"{x}" f"{a.shape}{a.dtype}", f"")
            print("%s and %r" % (x, a), "{} {!r:>30} {0}".format(x, a) if False else "no")
            print("{} {!r}".format(x, a), "{1}-{0}-{k}".format(x, a[1], k=(x, "t")), str(x) + "!")
            return f"{x} {a}", str(x), "static", f"{1}{None}{True}{'s'}"
        """,
        value,
        np.arange(3),
    )


def test_format_specifications(capsys) -> None:
    check_printed(
        capsys,
        """
        def f(x, n, w):
            print(f"{x:.3f}|{x:>12.2e}|{x:{w}.{n}f}|{x:%}|{x:+g}|{n:05d}|{n:x}|{n:,}|{n:^{w}}")
            print("%5.2f|%-8d|%+e|%%|%x" % (x, n, x, n), format(x, ".2f"), format(n), repr(x))
            print("a" * n, n * "b", "-" * 10, "tuple %s %d" % ("a", n), ascii("é"), "é".upper())
        """,
        2.345678,
        3,
        12,
    )


def test_arrays_are_formatted_as_they_are_at_the_call(capsys) -> None:
    check_printed(
        capsys,
        """
        def f(a):
            before = f"{a} {a[0]}"
            both = "now: " + str(a)
            a[0] = 100
            print(before, both, a)
            t = (f"{a[::2]}", a)
            a += 1
            print(t, [before])
            return before
        """,
        np.arange(4.0),
    )


def test_errors_of_formatting(capsys) -> None:
    for source in (
        "def f(a):\n    return f'{a:.2f}'",
        "def f(a):\n    print('%d' % a)",
        "def f(a):\n    print('{} {}'.format(a))",
        "def f(a):\n    print(f'{a.size:z}')",
        "def f(a):\n    return 'a' + a.size",
        "def f(a):\n    return '%d %d' % (1,)",
    ):
        check(make(source), np.arange(3))


def test_expressions_of_static_strings() -> None:
    f = make("""
        def f(x, kind="abs"):
            name = "a" + "bc" * 2
            if kind == "abs" and name == "abcbc" and name < "b" and "bc" in name:
                y = abs(x)
            elif kind in ("neg", "minus"):
                y = -x
            elif kind != "same":
                raise ValueError(f"no kind {kind!r}")
            else:
                y = x
            n = 0
            for c in name:
                n += 1 if c == "b" else 0
            return y, name, len(name), name[1], name[-2:], name[::-1], n, "z" not in name, kind
    """)
    g = shapecast.jit(f, static_argnames="kind") if False else jitted(f)
    assert g is jitted(f)
    check(f, -2.5)
    h = make(
        """
        def inner(x, kind):
            if kind == "neg":
                return -x
            elif kind == "text":
                return f"{x}"
            raise ValueError(f"no kind {kind!r}")

        def f(x):
            return inner(x, "neg"), inner(x, "text")

        def g(x):
            return inner(x, "other")
    """,
        "f",
    )
    check(h, 3)
    check(h, np.arange(3))


def test_the_same_string_on_both_paths(capsys) -> None:
    f = make("""
        def f(n, x):
            if n > 2:
                s = f"n is {n}"
            else:
                s = f"n is {x}"
            return s
    """)
    check(f, 1, 2)
    check(f, 3, 2)


def test_strings_in_loops(capsys) -> None:
    check_printed(
        capsys,
        """
        def f(a):
            for i in range(a.size):
                line = f"{i}: {a[i]:.2f}"
                print(line, end=";")
                a[i] = 0
            return line
        """,
        np.array([1.5, 2.25]),
    )


METHODS = """
s.split(), s.split("o"), s.split("o", 1), s.rsplit(maxsplit=1), "a,b".split(",")
s.startswith("He"), s.endswith(("ld", "x")), s.startswith("e", 1), "a" in s
s.upper(), s.lower().title(), s.strip("H"), s.replace("l", "L", 2), s.center(20, "*")
s.find("o"), s.rfind("o"), s.index("w"), s.count("l"), s.isalpha(), "12".isdigit()
", ".join(s.split()), "-".join(("a", s)), "-".join(["a", "b"])
s.partition(" "), s.splitlines(), s.zfill(20), s.swapcase(), s.removeprefix("He")
"{} {:>5}".format(s, 3), "{k}".format(k=1.5), len(s.split()), s.upper() == "HELLO WORLD"
[w.upper() for w in s.split()], max(len(w) for w in s.split())
s.index("z")
s.nothing()
s.split(3)
"""


@pytest.mark.parametrize("line", METHODS.strip().splitlines())
def test_methods_of_static_strings(line: str) -> None:
    check(make(f"def f(s):\n    return {line}"), "Hello world")


def test_a_branch_on_a_method_of_a_static_string() -> None:
    f = make(
        """
        def f(x, mode):
            name, _, axis = mode.lower().partition(":")
            if name.startswith("s"):
                return x.sum(axis=int(axis))
            return getattr(np, "max")(x) if False else x.max(axis=0)
        """
    )
    for mode in ("Sum:0", "sum:1", "max:0"):
        check(f, np.arange(6.0).reshape(2, 3), mode)


def test_methods_with_run_time_values() -> None:
    check(make("def f(x):\n    return '{}!'.format(x), ', '.join((str(x), 'b'))"), 2.5)
    check(make("def f(x):\n    return str(x).split('.')"), 2.5)


def encoded_wide(s):
    return s.encode("utf-16")


def encoded_leniently(s):
    return s.encode("ascii", "ignore")


def decoded_wide(b):
    return b.decode("utf-16")


@pytest.mark.parametrize(
    ("f", "given"), [(encoded_wide, "ab"), (encoded_leniently, "aé"), (decoded_wide, b"ab")]
)
def test_other_encodings_are_refused(f, given) -> None:
    with pytest.raises(shapecast.UnsupportedError, match="utf-8, latin-1 and ascii only"):
        shapecast.jit(f)(given)
