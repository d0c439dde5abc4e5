"""Globals and closures are seen at call time: whatever is supported of them is never stale."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from shapecast import UnsupportedError, jit
from support.compare import check, check_or_refused, jitted, make

X = np.array([1.0, 2.0, 3.0])


def test_global_number_is_seen_at_call_time() -> None:
    f = make("K = 2\ndef f(x):\n    return x * K", name="f")
    for k in (2, 3, 3.5, 2, -7, 0.0):
        f.__globals__["K"] = k
        check(f, X)
        check(f, X.astype(np.float32))
    for k in (np.float32(1.5), True, 1 + 2j, (1, 2), None, "text"):
        f.__globals__["K"] = k
        check_or_refused(f, X.astype(np.float32), refused=k == "text")


def test_global_number_that_changes_often_stops_compiling() -> None:
    f = make("K = 0\ndef f(x):\n    return x + K", name="f")
    for k in range(40):
        f.__globals__["K"] = k
        check(f, X)
    assert len(jitted(f).signatures()) <= 3, jitted(f).explain()


def test_global_array_rebound_and_changed() -> None:
    f = make("A = None\ndef f(x):\n    return x + A", name="f")
    for a in (np.zeros(3), np.ones(3), np.ones(3, np.float32), np.ones((2, 3))):
        f.__globals__["A"] = a
        check(f, X)
        a += 1
        check(f, X)


def test_global_array_that_is_also_an_argument() -> None:
    f = make("A = None\ndef f(x):\n    A[1:] = x[:-1]\n    return x", name="f")
    for overlapping in (False, True, False):
        a = np.arange(5.0)
        f.__globals__["A"] = a
        x = a if overlapping else np.arange(5.0)
        assert jitted(f)(x) is x
        assert np.array_equal(a, [0, 0, 1, 2, 3])


def test_global_function_replaced() -> None:
    f = make("def g(x):\n    return x + 1\ndef f(x):\n    return g(x)", name="f")
    check(f, X)
    f.__globals__["g"] = make("def g(x):\n    return x * 5")
    check(f, X)


def test_global_of_a_called_function_in_another_module() -> None:
    g = make("K = 1\ndef g(x):\n    return x * K", name="g")
    f = make("def f(x):\n    return g(x)", g=g)
    check(f, X)
    g.__globals__["K"] = 4
    check(f, X)


def test_closure_variable_rebound() -> None:
    k: Any = 2

    def f(x: Any) -> Any:
        return x * k

    def rebind(value: Any) -> None:
        nonlocal k
        k = value

    for value in (2, 3, 0.5, 2, np.float32(3)):
        rebind(value)
        check(f, X)
    rebind(np.arange(3))
    check(f, X)


def test_global_that_does_not_exist_is_a_name_error() -> None:
    f = make("def f(x, flag):\n    if flag:\n        return missing_name + x\n    return x")
    with pytest.raises(NameError, match="missing_name"):
        jitted(f)(X, True)


def test_global_that_comes_into_being_later() -> None:
    f = make("def f(x):\n    return x + late")
    with pytest.raises(NameError, match="late"):
        jitted(f)(X)
    f.__globals__["late"] = 3
    check(f, X)


def test_builtin_name_shadowed_by_a_global() -> None:
    f = make("def f(x):\n    return abs(x)")
    check(f, -X)
    f.__globals__["abs"] = make("def times(x):\n    return x * 100")
    check(f, -X)


def test_module_attribute_is_seen_at_call_time() -> None:
    module = types.ModuleType("settings")
    f = make("def f(x):\n    return x * settings.K", settings=module)
    for value in (2.0, 3.0, 2):
        module.K = value  # type: ignore[attr-defined]
        check(f, X)


def test_numpy_under_a_global_that_is_rebound() -> None:
    """A name bound to NumPy's function, later to a user's."""
    f = make("from numpy import sqrt\ndef f(x):\n    return sqrt(x)", name="f")
    check(f, X)
    f.__globals__["sqrt"] = make("def double(x):\n    return x * 2")
    check(f, X)


def test_two_functions_from_one_source_with_different_globals() -> None:
    source = "def f(x):\n    return x * K"
    functions: list[Callable[..., Any]] = [make(source, K=k) for k in (1, 2, 3)]
    for f in functions:
        check(f, X)


def test_jitted_callee_sees_its_own_globals() -> None:
    g = make("K = 7\ndef g(x):\n    return x + K", name="g")
    f = make("K = 1\ndef f(x):\n    return g(x) * K", name="f", g=jit(g))
    check(f, X)
    g.__globals__["K"] = 8
    f.__globals__["K"] = 2
    check(f, X)


def test_global_dicts_and_lists_are_read_at_each_call() -> None:
    kernels: dict[str, Any] = {"a": np.eye(3), "b": np.ones((3, 3)), "gain": 2.0, "inner": {"k": 5}}
    weights: list[Any] = [1.0, 2.0, 3, (4, "x")]
    functions: dict[str, Any] = {"twice": lambda x: x * 2, "sine": np.sin}

    def f(x: Any, name: str) -> Any:
        total = 0.0
        for w in weights[:3]:
            total += w
        y = functions["twice"](x @ kernels[name]) + functions["sine"](x) * kernels["inner"]["k"]
        return y * kernels["gain"] + total, list(kernels), "new" in kernels, len(weights)

    jitted_f = jit(f)
    x = np.arange(3.0)
    changes: list[Callable[[], Any]] = [
        lambda: kernels.update(a=kernels["a"] * 2),
        lambda: kernels.update(gain=3.0),
        lambda: kernels.update(new=7),
        lambda: kernels["inner"].update(k=6.5),
        lambda: kernels.pop("new"),
        lambda: weights.append(5.0),
        lambda: weights.__setitem__(1, 7),
        lambda: functions.update(sine=np.cos),
    ]
    for change in changes:
        for name in ("a", "b"):
            assert repr(jitted_f(x, name)) == repr(f(x, name))
        change()
    assert repr(jitted_f(x, "b")) == repr(f(x, "b"))
    with pytest.raises(UnsupportedError, match="from outside"):
        jit(lambda: weights.append(1))()


def test_a_dict_that_holds_itself_is_refused() -> None:
    cycle: dict[str, Any] = {"a": 1}
    cycle["self"] = cycle
    with pytest.raises(UnsupportedError, match="holds itself"):
        jit(lambda: cycle["a"])()


COUNT = 0
SEED = 12345


def counted(n):
    global COUNT
    for k in range(n):
        COUNT += k
    return COUNT


def drawn():
    global SEED
    SEED = (1103515245 * SEED + 12345) % 2147483648
    return SEED


def several(n):
    before = SEED
    return [drawn() for _ in range(n)], before, SEED


@pytest.mark.parametrize("f", [counted, several])
def test_globals_that_are_assigned(f) -> None:
    found = []
    for function in (f, jit(f)):
        globals().update(COUNT=0, SEED=12345)
        found.append(([function(k) for k in (3, 4, 0)], COUNT, SEED))
    assert found[0] == found[1]
