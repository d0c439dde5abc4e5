"""Data of Python that threads change while others call: with and without the interpreter lock.

`./dev free-threaded` runs these on a Python that has none."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from shapecast import jit, vectorize
from support.compare import make

THREADS = 6
CALLS = 400
level = 0
table = np.zeros(4)
weights = {"a": 1.0, "b": 2.0}


def together(work: Callable[[int], None], beside: Callable[[], None] | None = None) -> None:
    """`work` in all threads at once, and `beside` again and again in another until they end."""
    errors: list[BaseException] = []
    start, done = threading.Barrier(THREADS), threading.Event()

    def guarded(k: int) -> None:
        try:
            start.wait()
            work(k)
        except BaseException as error:
            errors.append(error)

    def others() -> None:
        while not done.is_set():
            beside()

    threads = [threading.Thread(target=guarded, args=(k,)) for k in range(THREADS)]
    also = [threading.Thread(target=others)] if beside else []
    for thread in threads + also:
        thread.start()
    for thread in threads:
        thread.join()
    done.set()
    for thread in also:
        thread.join()
    if errors:
        raise errors[0]


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="has the lock")
def test_the_import_leaves_the_interpreter_without_its_lock() -> None:
    code = "import sys, shapecast; print(sys._is_gil_enabled())"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True
    )
    assert (done.stdout, done.stderr) == ("False\n", "")


@jit
def above(x):
    return x + level


def test_a_global_is_never_older_than_the_call() -> None:
    global level
    level = 0

    def raise_level() -> None:
        global level
        level += 1

    x = np.zeros(3)

    def work(k: int) -> None:
        seen = 0.0
        for _ in range(CALLS):
            before = level
            now = above(x)[1]
            assert before <= now <= level and now >= seen
            seen = now

    together(work, raise_level)


@jit
def of_array(k):
    return table[k] + table.sum()


def test_a_global_array_that_is_replaced() -> None:
    global table

    def replace() -> None:
        global table
        table = np.full(4, float(np.random.randint(10)))

    def work(k: int) -> None:
        for _ in range(CALLS):
            value = of_array(k % 4)
            assert value % 5 == 0, "of two arrays at once"

    together(work, replace)


def counter() -> tuple[Any, Callable[[], None]]:
    count = 0

    @jit
    def get(x):
        return x * 0 + count

    def more() -> None:
        nonlocal count
        count += 1

    return get, more


def test_a_closure_variable_that_changes() -> None:
    get, more = counter()
    x = np.ones(2)

    def work(k: int) -> None:
        seen = 0.0
        for _ in range(CALLS):
            now = get(x)[0]
            assert now >= seen
            seen = now

    together(work, more)


@jit
def summed(items, scale):
    total = 0.0
    for item in items:
        total += item
    return total * scale


def test_a_list_that_another_thread_fills_and_empties() -> None:
    items = [1.0] * 8

    def change() -> None:
        items.pop()
        items.append(1.0)

    def work(k: int) -> None:
        for _ in range(CALLS):
            assert summed(items, 2.0) in (14.0, 16.0)

    together(work, change)


@jit
def of_dict(d):
    return d["a"] + 10 * d["b"]


def test_a_dict_whose_values_another_thread_replaces() -> None:
    given = {"a": 1.0, "b": 2.0}
    turn = Counter[str]()

    def change() -> None:
        turn["n"] += 1
        given["a"] = 1.0 + turn["n"] % 2
        given["b"] = 2.0 + turn["n"] % 2

    def work(k: int) -> None:
        for _ in range(CALLS):
            assert of_dict(given) in (21.0, 22.0, 31.0, 32.0)

    together(work, change)


@dataclass
class Particle:
    mass: float
    place: np.ndarray


@jit
def moment(p):
    return p.mass * p.place.sum()


def test_an_object_whose_attributes_another_thread_replaces() -> None:
    p = Particle(1.0, np.ones(5))

    def change() -> None:
        p.mass = 3.0 - p.mass
        p.place = np.full(5, p.mass)

    def work(k: int) -> None:
        for _ in range(CALLS):
            assert moment(p) in (5.0, 10.0, 20.0)

    together(work, change)


def test_defaults_that_another_thread_replaces() -> None:
    def plain(x, by=1.0, *, plus=0.0):
        return x * by + plus

    f = jit(plain)
    x = np.ones(3)

    def change() -> None:
        plain.__defaults__ = (float(np.random.randint(1, 4)),)
        plain.__kwdefaults__ = {"plus": 0.5}
        time.sleep(0.2)  # a change compiles again

    def work(k: int) -> None:
        for _ in range(CALLS // 4):
            assert f(x)[0] in (1.0, 1.5, 2.5, 3.5)

    together(work, change)


@jit
def element(x, i):
    try:
        return x[i]
    except IndexError:
        return -1.0


def test_exceptions_caught_and_raised_in_all_threads() -> None:
    x = np.arange(4.0)

    def work(k: int) -> None:
        for i in range(CALLS):
            assert element(x, i % 6) == (i % 6 if i % 6 < 4 else -1.0)
            with pytest.raises(IndexError, match="out of bounds"):
                plain_element(x, 4 + k)

    together(work)


@jit
def plain_element(x, i):
    return x[i]


def test_all_kinds_of_arguments_at_once() -> None:
    @jit
    def axis_sum(x, axis):
        return x.sum(axis=axis)

    @vectorize
    def hypotenuse(a, b):
        return np.sqrt(a * a + b * b)

    rng = np.random.default_rng(0)
    x = rng.random((3, 4, 5))

    def work(k: int) -> None:
        for i in range(CALLS // 4):
            part = x[: 1 + i % 3].astype(["f4", "f8", "i8"][k % 3])
            axis = (i + k) % 3
            np.testing.assert_allclose(axis_sum(part, axis), part.sum(axis=axis), rtol=1e-5)
            np.testing.assert_allclose(hypotenuse(part, 1.0), np.hypot(part, 1.0), rtol=1e-5)

    together(work)


def test_functions_that_come_and_go() -> None:
    def work(k: int) -> None:
        for i in range(8):
            scope: dict[str, Any] = {}
            exec(f"def f(x): return x * {i} + {k}", scope)
            f = jit(make(f"def f(x):\n    return x * {i} + {k}"))
            assert f(2.0) == scope["f"](2.0) and f(3) == scope["f"](3)

    together(work)
