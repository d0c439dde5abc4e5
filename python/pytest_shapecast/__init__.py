"""A plugin of pytest: tests plain and jitted, comparison with NumPy, unexpected compilation.

pytest finds it by itself (pyproject.toml: pytest11). Without its options and fixtures it does
nothing, and imports neither NumPy nor shapecast; so it is not in the package.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import fields, is_dataclass
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("shapecast").addoption(
        "--shapecast",
        choices=("on", "off", "both"),
        default="on",
        help="run jitted functions compiled (on), as plain Python (off), or each test both ways",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.config.getoption("--shapecast") == "both":
        metafunc.fixturenames.insert(0, "_shapecast_mode")
        metafunc.parametrize("_shapecast_mode", ["jitted", "plain"], indirect=True)


@pytest.fixture
def _shapecast_mode(request: pytest.FixtureRequest) -> str:
    return getattr(request, "param", "")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """The whole test, with its fixtures, runs in its mode."""
    call = getattr(item, "callspec", None)
    mode = call.params.get("_shapecast_mode", "") if call else ""
    plain = mode == "plain" or item.config.getoption("--shapecast") == "off"
    if plain:
        from shapecast import disabled
    with disabled() if plain else nullcontext():
        return (yield)


@pytest.fixture
def same_as_numpy() -> Callable[..., Any]:
    """same_as_numpy(f, *args, rtol=1e-7, atol=0, **kwargs): calls the jitted function and the
    plain one, with copies of the arguments. Fails where results, changed arguments or exceptions
    differ; returns the result.
    """
    return _same_as_numpy


@pytest.fixture
def no_compilation() -> Callable[[], Any]:
    """`with no_compilation(): ...` fails if a jitted function is compiled in it."""
    return _no_compilation


@contextmanager
def _no_compilation() -> Iterator[None]:
    from shapecast._core import cache_statistics

    def variants() -> int:
        counted = cache_statistics()
        return counted["compiled"] + counted["direct"] + counted["typed"]

    before = variants()
    yield
    if new := variants() - before:
        pytest.fail(
            f"{new} variant{'s' * (new > 1)} of jitted functions compiled or loaded from disk; "
            "f.explain() says why",
            pytrace=False,
        )


def _same_as_numpy(
    function: Any, *args: Any, rtol: float = 1e-7, atol: float = 0.0, **kwargs: Any
) -> Any:
    from shapecast import disabled, jit

    jitted = function if hasattr(function, "__wrapped__") else jit(function)
    given, want_given = copy.deepcopy((args, kwargs)), copy.deepcopy((args, kwargs))
    with disabled():
        want, expected = _outcome(jitted, *want_given)
    got, raised = _outcome(jitted, *given)
    name = getattr(function, "__name__", "the function")
    if raised is not None and expected is not None and isinstance(raised, type(expected)):
        raise raised
    if raised is not None or expected is not None:
        raise AssertionError(
            f"{name} raises {_shown(raised)}; as plain Python {_shown(expected)}"
        ) from raised or expected
    for place, a, b in (("result", got, want), ("arguments after the call", given, want_given)):
        _compare(f"{name}: {place}", a, b, rtol, atol)
    return got


_MISSING = object()


def _attributes(value: Any) -> dict[str, None]:
    """Names of what an instance has, in its __dict__ and slots."""
    slots = [getattr(kind, "__slots__", ()) for kind in type(value).__mro__]
    names = [name for some in slots for name in ([some] if isinstance(some, str) else some)]
    own = [name for name in names if hasattr(value, name)]
    return dict.fromkeys([*own, *getattr(value, "__dict__", ())])


def _outcome(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, Exception | None]:
    try:
        return function(*args, **kwargs), None
    except Exception as error:
        return None, error


def _shown(error: Exception | None) -> str:
    return f"{type(error).__name__} ({error})" if error else "nothing"


def _compare(where: str, got: Any, want: Any, rtol: float, atol: float) -> None:
    import numpy as np

    if type(got) is not type(want):
        kinds = type(got).__name__, type(want).__name__
        raise AssertionError(f"{where}: {kinds[0]}, and as plain Python {kinds[1]}")
    if isinstance(want, (np.ndarray, np.generic)):
        if (got.dtype, got.shape) != (want.dtype, want.shape):
            raise AssertionError(
                f"{where}: {got.dtype}{list(got.shape)}, "
                f"and as plain Python {want.dtype}{list(want.shape)}"
            )
        a: Any = got
        b: Any = want
        if b.dtype.kind in "fc":
            np.testing.assert_allclose(a, b, rtol=rtol, atol=atol, err_msg=where)
        else:
            np.testing.assert_array_equal(a, b, err_msg=where)
    elif isinstance(want, (float, complex)):
        np.testing.assert_allclose(got, want, rtol, atol, err_msg=where)
    elif isinstance(want, dict):
        assert list(got) == list(want), f"{where}: keys"
        for key in want:
            _compare(f"{where}[{key!r}]", got[key], want[key], rtol, atol)
    elif isinstance(want, (tuple, list)):
        assert len(got) == len(want), f"{where}: {len(got)} items, and as plain Python {len(want)}"
        for k, pair in enumerate(zip(got, want, strict=True)):
            _compare(f"{where}[{k}]", *pair, rtol, atol)
    elif is_dataclass(want) and not isinstance(want, type):
        for field in fields(want):
            pair = getattr(got, field.name), getattr(want, field.name)
            _compare(f"{where}.{field.name}", *pair, rtol, atol)
    elif not callable(want) and (attributes := _attributes(want)):
        for name in attributes | _attributes(got):
            pair = getattr(got, name, _MISSING), getattr(want, name, _MISSING)
            _compare(f"{where}.{name}", *pair, rtol, atol)
    else:
        assert got == want, f"{where}: {got!r}, and as plain Python {want!r}"
