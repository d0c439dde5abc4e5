"""Jitted functions are pickled as plain ones are: by name, by content where cloudpickle asks."""

from __future__ import annotations

import copy
import importlib
import linecache
import pickle
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cloudpickle
import pytest
from shapecast import jit

MODULE = """
import numpy as np
from shapecast import jit

@jit
def double(x):
    return x * 2

def plain(x):
    return x + 1

other = jit(plain)

@jit(static_argnames="n")
def power(x, n):
    return x**n

class Model:
    def __init__(self, k):
        self.k = k

    @jit
    def step(self, x):
        return x * self.k

def closure(k):
    @jit
    def inner(x):
        return x + k
    return inner
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "pickled_by_a_test.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.delitem(sys.modules, "pickled_by_a_test", raising=False)
    return importlib.import_module("pickled_by_a_test")


def again(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


def test_a_function_of_a_module_is_found_by_its_name(module: Any) -> None:
    assert again(module.double) is module.double
    assert again(module.Model.step) is module.Model.step
    assert again(module.Model(3).step)(2.0) == 6.0


def test_a_jitted_function_beside_its_plain_one_is_jitted_again(module: Any) -> None:
    loaded = again(module.other)
    assert loaded.__wrapped__ is module.plain
    assert loaded(2.0) == 3.0


def test_copies_are_the_function_itself(module: Any) -> None:
    inner = module.closure(3)
    for function in (module.double, inner):
        assert copy.copy(function) is function
        assert copy.deepcopy([function])[0] is function


def test_what_has_no_name_is_refused_as_plain_functions_are(module: Any) -> None:
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(module.closure(3))
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(jit(lambda x: x))


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_pools_of_processes_take_jitted_functions(module: Any, method: str) -> None:
    with ProcessPoolExecutor(1, mp_context=get_context(method)) as pool:
        assert list(pool.map(module.double, [1, 2.5])) == [2, 5.0]
        assert pool.submit(module.power, 3.0, n=2).result() == 9.0


# Another process has no source of it.
CELL = """
import numpy as np
from shapecast import jit
K = np.arange(3.0)

class Scale:
    def __init__(self, v):
        self.v = v

    @jit
    def of(self, x):
        return self.plus(x) * self.v

    def plus(self, x):
        return x + K

def helper(x):
    return x * 2

@jit
def use(scale, x):
    return scale.of(x) + helper(x)

@jit
def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)

@jit(static_argnames="n")
def power(x, n):
    return x**n

def adder(k):
    @jit
    def add(x):
        return x + k + helper(k)
    return add
"""


LOADED = """
import pickle, sys
use, scale, factorial, power, add = pickle.load(sys.stdin.buffer)
print(use(scale, 1.5), scale.of(2), factorial(5), power(3.0, n=2), power.signatures(), add(1))
"""


def test_cloudpickle_takes_a_cells_functions_and_their_source_along() -> None:
    file, space = "<cell of a test>", {"__name__": "__main__"}
    linecache.cache[file] = (len(CELL), None, CELL.splitlines(True), file)
    exec(compile(CELL, file, "exec"), space)
    names: Any = space
    several = (names["use"], names["Scale"](2), names["factorial"], names["power"])
    data = cloudpickle.dumps((*several, names["adder"](4)))
    run = [sys.executable, "-c", LOADED]
    done = subprocess.run(run, input=data, capture_output=True, check=True)
    shown = "[ 6.  8. 10.] [4. 6. 8.] 120 9.0 ['x: float, n: 2'] 13\n"
    assert done.stdout.decode() == shown
