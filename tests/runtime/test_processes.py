"""Processes of pools: `vectorize` objects travel, and workers share the processors."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import cloudpickle
import numpy as np
import pytest
import shapecast
from shapecast import _source, _vectorize, jit

MODULE = """
import numpy as np
import shapecast
from shapecast import jit

K = 3.0

@shapecast.vectorize
def relu(x, slope):
    return x if x > 0 else slope * x

@shapecast.vectorize(signature="(n)->()", combine=lambda a, b: a + b)
def total(x):
    return x.sum() * K

def plain(x):
    return x + K

beside = shapecast.vectorize(plain)

class Owner:
    bound = relu

    def __init__(self, k):
        self.k = k
        self.total = total

    @jit
    def step(self, x):
        return x * self.k
"""


def saved(folder: Path, name: str, text: str) -> Path:
    (folder / f"{name}.py").write_text(text)
    return folder / f"{name}.py"


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    saved(tmp_path, "vectorized_by_a_test", MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "vectorized_by_a_test", raising=False)
    import importlib

    return importlib.import_module("vectorized_by_a_test")


def run(program: Path | str, *arguments: str, data: bytes = b"", **named: str) -> str:
    """What a new Python prints that runs the file, or the text."""
    how = [str(program)] if isinstance(program, Path) else ["-c", program]
    package = str(Path(shapecast.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": package, **named}
    done = subprocess.run(
        [sys.executable, *how, *arguments], input=data, capture_output=True, env=environment
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


# ------------------------------------------------------------------------------- vectorize objects


def test_a_vectorize_object_of_a_module_is_found_by_its_name(module: ModuleType) -> None:
    for one in (module.relu, module.total, module.Owner.bound):
        assert pickle.loads(pickle.dumps(one)) is one
        assert copy.copy(one) is one and copy.deepcopy([one])[0] is one
    owner = pickle.loads(pickle.dumps(module.Owner(2)))
    assert owner.total is module.total and owner.step(3.0) == 6.0
    assert copy.deepcopy(owner).bound is module.relu


def test_a_vectorize_object_beside_its_function_is_made_again(module: ModuleType) -> None:
    again = pickle.loads(pickle.dumps(module.beside))
    assert again.__wrapped__ is module.plain and again(1.0) == 4.0


def test_a_vectorize_object_without_a_name_is_refused_as_plain_functions_are() -> None:
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(shapecast.vectorize(lambda x: x))


POOLS = """
import sys
import numpy as np
import shapecast
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

@shapecast.vectorize
def relu(x, slope):
    return x if x > 0 else slope * x

def itself():
    return relu

if __name__ == "__main__":
    context = get_context(sys.argv[1])
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        print(pool.submit(relu, np.array([-2.0, 1.0]), 0.5).result(), end=" ")
        print(pool.submit(itself).result() is relu, end=" ")
    with context.Pool(2) as pool:
        print(pool.starmap(relu, [(-4.0, 0.5), (3.0, 0.5)]) == [-2.0, 3.0])
"""


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_pools_take_vectorize_objects_of_the_main_program(tmp_path: Path, method: str) -> None:
    assert run(saved(tmp_path, "main", POOLS), method) == "[-1.  1.] True True\n"


BY_VALUE = """
import pickle, sys
values = pickle.load(sys.stdin.buffer)
print(*(value(2.0) for value in values))
"""


def test_cloudpickle_takes_the_source_of_all_that_is_reached_along(tmp_path: Path) -> None:
    """Each definition is in a cell of its own; another process has none of them."""
    import linecache

    cells = [
        "import functools, numpy as np, shapecast\nfrom shapecast import jit",
        "def doubled(x):\n    return x * 2",
        "class Helper:\n    @staticmethod\n    def fixed(x):\n        return x + 10\n"
        "    def plus(self, x):\n        return self.fixed(x) + 1",
        "helper, table = Helper(), {'a': doubled}",
        "@jit\ndef through_object(x):\n    return helper.plus(x)",
        "@jit\ndef through_table(x):\n    return table['a'](x)",
        "beside = jit(doubled)",
        "ufunc = shapecast.vectorize(doubled)",
        "@shapecast.vectorize\ndef decorated(x):\n    return doubled(x) + 1",
    ]
    space: dict[str, Any] = {"__name__": "__main__"}
    for k, cell in enumerate(cells):
        file = f"<cell {k} of a test>"
        linecache.cache[file] = (len(cell), None, cell.splitlines(True), file)
        exec(compile(cell, file, "exec"), space)
    names = ("through_object", "through_table", "beside", "ufunc", "decorated")
    data = cloudpickle.dumps([space[name] for name in names])
    assert run(BY_VALUE, data=data) == "13.0 4.0 4.0 4.0 5.0\n"


def test_a_module_registered_with_cloudpickle_travels_by_value(module: ModuleType) -> None:
    cloudpickle.register_pickle_by_value(module)
    try:
        data = cloudpickle.dumps([module.Owner(4).step, module.total, module.beside])
    finally:
        cloudpickle.unregister_pickle_by_value(module)
    text = BY_VALUE.replace("value(2.0)", "value(np.ones(2))").replace(
        "import", "import numpy as np,", 1
    )
    assert run(text, data=data) == "[4. 4.] 6.0 [4. 4.]\n"
    # Without the registration it is found by its name, which that process does not have.
    assert b"vectorized_by_a_test" in cloudpickle.dumps(module.total)


def test_a_worker_finds_the_code_of_a_function_that_came_by_value_on_disk(tmp_path: Path) -> None:
    def made(k: float) -> Any:
        @jit
        def inner(x: Any) -> Any:
            return np.sqrt(x) * k

        return inner

    data = cloudpickle.dumps([made(3.0), shapecast.vectorize(lambda x: x + 1)])
    text = (
        "import pickle, sys; import numpy as np\n"
        "f, v = pickle.load(sys.stdin.buffer); f(np.ones(3)); v(np.ones(3))\n"
        "kernel = v._kernel('call', (True,), False)\n"
        "print(*(str(one.explain()).count('found on disk') for one in (f, kernel)))"
    )
    cache = str(tmp_path / "cache")
    shown = [run(text, data=data, SHAPECAST_CACHE_DIR=cache) for _ in range(2)]
    assert shown == ["0 0\n", "1 1\n"]


def test_a_worker_keeps_nothing_of_functions_that_came_with_past_tasks() -> None:
    import linecache

    data = cloudpickle.dumps([jit(lambda x: x + 1), shapecast.vectorize(lambda x: x * 2)])
    sizes = []
    for _ in range(3):
        for one in pickle.loads(data):
            one(np.ones(3))
        sizes.append((len(linecache.cache), len(_source.carried), len(_vectorize._shared)))
    assert sizes[0] == sizes[1] == sizes[2]


def test_tasks_of_a_worker_share_what_comes_again() -> None:
    def made(k: Any) -> Any:
        return jit(lambda x: x + k), shapecast.vectorize(lambda x: x * k)

    data = cloudpickle.dumps(made(2))
    first, again = pickle.loads(data), pickle.loads(data)
    assert first[0] is again[0] and first[1] is again[1]
    for k in (2.0, True, -0.0, 0.0, np.float32(2)):
        other = pickle.loads(cloudpickle.dumps(made(k)))
        assert other[0] is not first[0] and other[1] is not first[1]
        for one, plain in zip(other, (lambda x: x + k, lambda x: x * k), strict=True):
            got, want = one(np.array([-1, 3])), plain(np.array([-1, 3]))
            assert got.dtype == want.dtype and np.array_equal(got, want)
            assert np.array_equal(np.signbit(got), np.signbit(want))
    combined = [
        shapecast.vectorize(lambda x: x.sum(), signature="(n)->()", combine=combine)
        for combine in (lambda a, b: a + b, lambda a, b: a - b)
    ]
    loaded = [pickle.loads(cloudpickle.dumps(one)) for one in combined]
    assert [one.combine(3.0, 2.0) for one in loaded] == [5.0, 1.0]
    array = np.ones(3)  # compared with no other: its elements may change
    data = cloudpickle.dumps(jit(lambda x: x + array))
    assert pickle.loads(data) is not pickle.loads(data)
    one = pickle.loads(cloudpickle.dumps(factored()))
    one.__wrapped__.__globals__["FACTOR"] = 5.5
    assert one(2) == 11 and pickle.loads(cloudpickle.dumps(factored()))(2) == 4


FACTOR = 2


def factored() -> Any:
    return shapecast.vectorize(lambda x: x * FACTOR)


# ------------------------------------------------------------------------------ threads of workers

THREADS = """
import os, sys, time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
import shapecast

def threads(_):
    time.sleep(0.3)  # each worker gets one
    return shapecast.get_num_threads()

if __name__ == "__main__":
    before = shapecast.get_num_threads()  # what a child of a fork would take over
    if sys.argv[3:]:
        shapecast.set_num_threads(int(sys.argv[3]))
    context, count = get_context(sys.argv[1]), int(sys.argv[2])
    with ProcessPoolExecutor(count, mp_context=context) as pool:
        print(before, set(pool.map(threads, range(count))), end=" ")
    with context.Pool(count) as pool:
        print(set(pool.map(threads, range(count), 1)))
"""

processors = len(os.sched_getaffinity(0))
several = pytest.mark.skipif(processors < 2, reason="one processor")


@several
@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_workers_of_a_pool_share_the_processors(tmp_path: Path, method: str) -> None:
    free = {name: "" for name in ("OMP_NUM_THREADS", "SHAPECAST_NUM_THREADS")}
    program = saved(tmp_path, "main", THREADS)
    all_of_them = int(run("import shapecast; print(shapecast.get_num_threads())", **free))
    shown = run(program, method, str(all_of_them), **free)
    assert shown == f"{all_of_them} {{1}} {{1}}\n"
    # A worker that is alone has all of them, as its parent waits.
    assert (
        run(program, method, "1", **free) == f"{all_of_them} {{{all_of_them}}} {{{all_of_them}}}\n"
    )


def test_workers_keep_a_number_that_was_chosen(tmp_path: Path) -> None:
    program = saved(tmp_path, "main", THREADS)
    assert run(program, "spawn", "2", SHAPECAST_NUM_THREADS="3") == "3 {3} {3}\n"
    assert run(program, "fork", "2", "5").split(" ", 1)[1] == "{5} {5}\n"


def test_programs_that_run_side_by_side_are_no_pool(tmp_path: Path) -> None:
    free = {name: "" for name in ("OMP_NUM_THREADS", "SHAPECAST_NUM_THREADS")}
    alone = run("import shapecast; print(shapecast.get_num_threads())", **free)
    text = (
        "import subprocess, sys\n"
        "own = [sys.executable, '-c', 'import time, shapecast; time.sleep(0.3); "
        "print(shapecast.get_num_threads())']\n"
        "both = [subprocess.Popen(own, stdout=subprocess.PIPE) for _ in range(2)]\n"
        "print(*(one.communicate()[0].decode().strip() for one in both))"
    )
    assert run(text, **free).split() == [alone.strip()] * 2


# ------------------------------------------------------------------------------- code that travels

ARRIVES = """
import pickle, sys
import numpy as np
from shapecast import _core
f = pickle.load(sys.stdin.buffer)
f(np.ones(3))
print(_core.cache_statistics()["compiled"])
"""


def test_a_worker_with_an_empty_cache_does_not_compile_what_was_shipped(
    tmp_path: Path, module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made(k: float) -> Any:
        @jit
        def inner(x: Any) -> Any:
            return np.sqrt(x) * k

        return inner

    shipped = shapecast.ship(made(3.0), np.ones(3), (np.ones((2, 2), np.float32),))
    assert np.array_equal(shipped(np.ones(3)), np.full(3, 3.0))
    assert 0 < shipped.nbytes < 200_000 and shipped.infer(np.ones(3)).dtype == np.float64
    both = [shipped, shapecast.ship(module.total, np.ones(3))]
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    for k, one in enumerate(both):
        data = cloudpickle.dumps(one)
        cache = str(tmp_path / f"cache{k}")
        text = f"import sys; sys.path.append({str(tmp_path)!r})\n{ARRIVES}"
        assert run(text, data=data, SHAPECAST_CACHE_DIR=cache) == "0\n"
        assert run(text, data=data, SHAPECAST_CACHE_DIR="off") != "0\n"
        plain = cloudpickle.dumps(one._function)
        assert run(text, data=plain, SHAPECAST_CACHE_DIR=cache + " empty") != "0\n"


def test_shipped_code_is_checked_by_its_hash(tmp_path: Path) -> None:
    @jit
    def f(x: Any) -> Any:
        return x + 1

    shipped = shapecast.ship(f, np.ones(3))
    name, (digest, content) = next(iter(shipped._entries.items()))
    shipped._entries[name] = (digest, content[:-1] + bytes([content[-1] ^ 1]))
    data = cloudpickle.dumps(shipped)
    text = (
        "import pickle, sys\ntry: pickle.load(sys.stdin.buffer)\n"
        "except pickle.UnpicklingError as error: print(error)"
    )
    assert "is damaged" in run(text, data=data, SHAPECAST_CACHE_DIR=str(tmp_path / "cache"))
    shipped._entries = {f"../{name}": (digest, content)}
    data = cloudpickle.dumps(shipped)
    assert "is damaged" in run(text, data=data, SHAPECAST_CACHE_DIR=str(tmp_path / "cache"))
    assert not list(tmp_path.rglob("*.entry"))


def test_ship_says_what_it_does_not_take() -> None:
    with pytest.raises(TypeError, match="ship takes a jitted function"):
        shapecast.ship(len)
    with pytest.raises(shapecast.UnsupportedError) as caught:
        shapecast.ship(jit(lambda x: {x, 1}), 1.0)
    assert "lambda x: {x, 1}" in caught.value.__notes__[0]
