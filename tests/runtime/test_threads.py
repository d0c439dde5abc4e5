"""Calls from many threads, compiling and running at once, and after fork."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from shapecast import jit
from support.compare import make


def test_first_call_from_many_threads_at_once_compiles_one_variant() -> None:
    f = jit(make("def f(x, y):\n    return np.sqrt(x * x + y) * 2"))
    x = np.arange(1000.0)
    want = np.sqrt(x * x + 1.0) * 2
    start = threading.Barrier(8)

    def work(_: int) -> bool:
        start.wait()
        return all(np.array_equal(f(x, 1.0), want) for _ in range(50))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))
    assert len(f.signatures()) == 1


def test_threads_that_compile_different_variants_and_functions() -> None:
    f = jit(make("def f(x):\n    return (x * 2).sum()"))
    old = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:

        def work(k: int) -> bool:
            g = jit(make(f"def g(x):\n    return x + {k}"))
            dtype = [
                "int8",
                "int32",
                "int64",
                "float32",
                "float64",
                "uint16",
                "complex64",
                "uint8",
            ][k % 8]
            x = np.ones((5,) * (1 + k % 3), dtype)
            return f(x) == 2 * x.size and np.array_equal(g(x), x + k)

        with ThreadPoolExecutor(8) as pool:
            assert all(pool.map(work, range(48)))
    finally:
        sys.setswitchinterval(old)


def test_errors_in_one_thread_do_not_disturb_another() -> None:
    f = jit(make("def f(x, i):\n    return x[i]"))
    x = np.arange(10.0)

    def work(k: int) -> bool:
        for i in range(200):
            try:
                if f(x, (i + k) % 20) != (i + k) % 20:
                    return False
            except IndexError as error:
                if f"index {(i + k) % 20} " not in str(error):
                    return False
        return True

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(work, range(6)))


def test_compiled_code_and_compiler_work_in_a_forked_child() -> None:
    f = jit(make("def f(x):\n    return x * 2 + 1"))
    x = np.arange(5.0)
    f(x)
    pid = os.fork()
    if pid == 0:
        try:
            ok = np.array_equal(f(x), x * 2 + 1)
            ok = ok and np.array_equal(f(x.astype(np.float32)), x * 2 + 1)
            g = jit(make("def g(x):\n    return x - 1"))
            ok = ok and np.array_equal(g(x), x - 1)
            os._exit(0 if ok else 1)
        except BaseException:
            os._exit(2)
    assert os.waitpid(pid, 0)[1] == 0


@contextmanager
def switch_interval(seconds: float) -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(seconds)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


class Counting(threading.Thread):
    """Counts while it runs; it releases the interpreter's lock after each step."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.count = 0
        self.stop = False

    def run(self) -> None:
        while not self.stop:
            self.count += 1
            time.sleep(0)


LONG = {
    "a large nest": ("def f(x):\n    return np.sin(x) ** 1.5", lambda: (np.ones(1_000_000),)),
    "a loop over an int": (
        "def f(n):\n    t = 0.0\n    for i in range(n):\n        t += i * 0.5\n    return t",
        lambda: (50_000_000,),
    ),
    "a nest of a size that is computed": (
        "def f(n):\n    return np.sin(np.arange(float(n))).sum()", lambda: (2_000_000,),
    ),
    "while": (
        "def f(n):\n    k = 0\n    while k < n:\n        k += 1 + k % 2\n    return k",
        lambda: (30_000_000,),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LONG)
def test_other_threads_run_during(name: str) -> None:
    source, arguments = LONG[name]
    f = jit(make(source))
    values = arguments()
    f(*(v[:3] if isinstance(v, np.ndarray) else 3 for v in values))
    other = Counting()
    other.start()
    # Nothing preempts the holder of the lock: the other thread runs only while f lets it.
    with switch_interval(1000.0):
        time.sleep(0.01)
        before = other.count
        # More than once: a busy machine need not let the other thread run during this very call.
        for _ in range(200):
            f(*values)
            after = other.count
            if after > before:
                break
        other.stop = True
        time.sleep(0.01)
    other.join()
    assert after > before


def test_short_calls_keep_the_lock() -> None:
    f = jit(make("def f(x, n):\n    for i in range(n):\n        x[i] += 1.0\n    return x"))
    x = np.zeros(100)
    f(x, 100)
    other = Counting()
    other.start()
    with switch_interval(1000.0):
        time.sleep(0.01)
        before = other.count
        for _ in range(200):
            f(x, 100)
        after = other.count
        other.stop = True
        time.sleep(0.01)
    other.join()
    assert after == before
    assert np.all(x == 201.0)


def test_code_that_runs_is_not_freed_when_its_variant_is_dropped() -> None:
    """More signatures than a function keeps are compiled while a thread runs one of the first."""
    f = jit(
        make("""
        def f(x, gate):
            k = 0
            while gate[k % 2] < 0.5:
                k += 1
            return x.sum() * 0.0 + k
    """)
    )
    x, gate, opened = np.ones(3), np.zeros(2), np.ones(2)
    assert f(x, opened) == 0
    first = f.signatures()[0]
    results: list[float] = []
    waiting = threading.Thread(target=lambda: results.append(f(x, gate)))
    waiting.start()
    for rank in range(1, 10):
        for dtype in ("int8", "int16", "int32", "int64", "uint8", "float32", "complex64", "bool"):
            assert f(np.ones((1,) * rank, dtype), opened) == 0
    assert first not in f.signatures()
    assert waiting.is_alive()
    gate[:] = 1
    waiting.join()
    assert results[0] > 0


def test_one_function_compiled_called_and_dropped_by_eight_threads() -> None:
    f = jit(make("def f(x, y):\n    return (x[::-1] * y).sum() + np.sqrt(y[0])"))
    dtypes = ["int8", "int16", "int32", "int64", "uint8", "float32", "float64", "complex64"]

    def work(k: int) -> bool:
        for i in range(20):
            x = np.arange(1, 6 + i, dtype=dtypes[k])
            y = np.arange(1, 6 + i, dtype=dtypes[(k + i) % 8])
            if not np.isclose(f(x, y), f.__wrapped__(x, y)):
                return False
        return True

    with switch_interval(1e-5), ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))


def test_fork_while_other_threads_compile() -> None:
    """A child finds neither a lock held for ever nor a compiler in the middle of something."""
    stop = False

    def compile_all_the_time(k: int) -> int:
        count = 0
        while not stop:
            count += 1
            g = jit(make(f"def g(x):\n    return np.sqrt(x + {k}) * x.sum()"))
            g(np.arange(5.0))
        return count

    f = jit(make("def f(x):\n    return x * 2 + 1"))
    x = np.arange(5.0)
    f(x)
    with ThreadPoolExecutor(3) as pool:
        threads = [pool.submit(compile_all_the_time, k) for k in range(3)]
        try:
            statuses = [os.waitpid(forked(f, x), 0)[1] for _ in range(8)]
        finally:
            stop = True
        assert all(thread.result() > 0 for thread in threads)
    assert statuses == [0] * 8


def forked(f: Callable[..., Any], x: np.ndarray) -> int:
    pid = os.fork()
    if pid:
        return pid
    try:
        signal.alarm(30)  # a child that hangs ends
        big = np.ones(300_000)
        ok = np.array_equal(f(x), x * 2 + 1) and np.array_equal(f(big), big * 3)
        ok = ok and np.array_equal(f(x.astype(np.float32)), x * 2 + 1)
        g = jit(make("def g(x):\n    return x - 1"))
        os._exit(0 if ok and np.array_equal(g(x), x - 1) else 1)
    except BaseException:
        os._exit(2)
