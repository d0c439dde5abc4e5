"""Classes that are written from generator functions follow these: another function under the name,
other code, other defaults; and what messages and tracebacks say of them.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import shapecast
from shapecast import jit


def numbers(n: int) -> Iterator[int]:
    yield from range(n)


def tens(n: int) -> Iterator[int]:
    for i in range(n):
        yield i * 10


@contextmanager
def noted(log: list[Any], k: int = 1) -> Iterator[None]:
    log.append(k)
    try:
        yield
    finally:
        log.append(-k)


@contextmanager
def noted_otherwise(log: list[Any]) -> Iterator[None]:
    yield
    log.append("new")


def both(n: int) -> Any:
    g = numbers(n)
    x = next(g)
    log: list[Any] = []
    with noted(log):
        log.append(x)
    return list(g), log


def test_code_follows_its_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    f = jit(both)
    assert f(4) == ([1, 2, 3], [1, 0, -1])
    monkeypatch.setitem(globals(), "numbers", tens)
    assert f(4) == ([10, 20, 30], [1, 0, -1])
    monkeypatch.setattr(noted.__wrapped__, "__defaults__", (7,))  # type: ignore[attr-defined]
    assert f(4) == ([10, 20, 30], [7, 0, -7])
    monkeypatch.setitem(globals(), "noted", noted_otherwise)
    assert f(4) == ([10, 20, 30], [0, "new"])


def fails(n: int) -> Iterator[int]:
    yield n
    yield n // (n - n)


def failing(n: int) -> int:
    g = fails(n)
    return next(g) + next(g)


def test_a_traceback_names_the_generator_function() -> None:
    with pytest.raises(ZeroDivisionError) as error:
        jit(failing)(3)
    text = "".join(traceback.format_exception(error.value))
    assert "in fails\n    yield n // (n - n)" in text


def returned(n: int) -> Any:
    g = numbers(n)
    next(g)
    next(g)
    return g


def test_a_generator_does_not_leave_a_jitted_function() -> None:
    with pytest.raises(shapecast.UnsupportedError, match="return a list of its items"):
        jit(returned)(5)


def length(n: int) -> int:
    g = numbers(n)
    next(g)
    next(g)
    return len(g)  # type: ignore[arg-type]


def test_errors_are_of_generators() -> None:
    with pytest.raises(TypeError, match=r"object of type 'generator' has no len\(\)"):
        jit(length)(5)
