"""Calls from many threads, compiling and running at once, and after fork."""

from __future__ import annotations

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from helpers import make
from shapecast import jit


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
