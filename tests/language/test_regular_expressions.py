"""The module re: what is refused, and how often Python is called. What it does is in
tests/programs/regular_expressions.py.
"""

from __future__ import annotations

import re
import warnings
from typing import Any

import pytest
import shapecast
from shapecast import jit
from shapecast.library import regular_expressions

PATTERN = re.compile("a+")


def test_python_is_called_once_for_all_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    called = []

    def counted(*given: Any) -> Any:
        called.append(given[1])
        return regular_expressions.all_in_python(*given)

    monkeypatch.setattr(regular_expressions.all_spans, "function", counted)

    def f(s: str) -> Any:
        words = [m.group() for m in re.finditer(r"\w", s)]
        return words, PATTERN.findall(s), PATTERN.sub(lambda m: "<" + m[0] + ">", s)

    text = "ab " * 100
    assert jit(f)(text) == f(text)
    assert called == [text] * 3


def test_a_constant_is_asked_for_when_its_function_is_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def f(s: str) -> Any:
        m = re.match("(?P<word>[a-z]+)(=)", s, re.I | re.M)
        return m and (m["word"], m.groups(), re.escape("a.b"))

    compiled = jit(f)
    assert compiled("ab=") == f("ab=")
    for name in ("key_of", "escaped"):
        monkeypatch.setattr(getattr(regular_expressions, name), "function", None)
    assert compiled("ab=") == f("ab=")


def test_a_global_pattern_may_be_another_one_later(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(s: str) -> Any:
        return PATTERN.findall(s)

    compiled = jit(f)
    assert compiled("aab") == ["aa"]
    monkeypatch.setitem(f.__globals__, "PATTERN", re.compile("(a)(b)"))
    assert compiled("aab") == [("a", "b")]


def test_many_patterns_of_one_function_are_no_constants_of_it() -> None:
    def f(p: Any, s: str) -> Any:
        return p.sub("-", s), [m.group(0) for m in p.finditer(s)]

    compiled = jit(f)
    for k in range(12):
        pattern = re.compile("b" * (k % 4 + 1) + "|" * (k // 4) + "c")
        assert compiled(pattern, "abbbbcbb") == f(pattern, "abbbbcbb")


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        (lambda s: re.findall(rb"\d", s.encode()), "patterns of bytes are not supported"),
        (lambda s: re.findall(r"\d", s.encode()), "in bytes are not supported; decode them"),
        (lambda s: re.compile("(?P<k>a)").groupindex, "take groupdict"),
        (lambda s: re.match("a", s, re.DEBUG), "DEBUG is not supported"),
        (lambda s: PATTERN.scanner(s), "use finditer"),  # type: ignore[attr-defined]
    ],
)
def test_refusals_name_a_way_out(refused: Any, message: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(shapecast.UnsupportedError, match=message):
            jit(refused)("a")


def length(text: str) -> int:
    return len(text)


def test_a_string_made_at_run_time_is_no_sample() -> None:
    probed, declared = shapecast.pyfunc(length), shapecast.pyfunc(length, result=int)

    def f(s: str, n: int) -> Any:
        return probed("-".join([s] * n))

    def g(s: str, n: int) -> Any:
        return declared("-".join([s] * n)), declared(s * n)

    with pytest.raises(shapecast.UnsupportedError, match=r"run time"):
        jit(f)("ab", 3)
    assert jit(g)("ab", 3) == (8, 6)
