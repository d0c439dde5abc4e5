"""Where memory runs out there is a MemoryError or the right result; afterwards all is well."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import pytest

PROGRAMS = {
    "compiling": """
        @jit
        def f(a):
            return np.convolve(np.sort(a), a[:5]).sum() + np.percentile(a, 30)

        small = large = (np.arange(100.0),)
    """,
    "arithmetic": """
        @jit
        def f(n):
            return (np.ones(n) * 2 + np.arange(n))[::2].copy()

        small, large = (10,), (3_000_000,)
    """,
    "a list that grows": """
        @jit
        def f(n):
            values = []
            for i in range(n):
                values.append(i * 1.5)
            return values

        small, large = (10,), (20_000,)
    """,
    "a product": """
        @jit
        def f(a):
            return a @ a.T

        small, large = (np.ones((4, 4)),), (np.ones((700, 100)),)
    """,
    "sorting": """
        @jit
        def f(a):
            return np.argsort(a)

        small, large = (np.ones(4),), (np.arange(300_000.0)[::-1].copy(),)
    """,
    "singular values": """
        @jit
        def f(a):
            return np.linalg.svd(a)

        small, large = (np.eye(3),), (np.eye(100) + 0.1,)
    """,
    "a transform": """
        @jit
        def f(a):
            return np.fft.fft(a)

        small, large = (np.ones(8),), (np.ones(50_021),)
    """,
    "random draws": """
        @jit
        def f(n):
            return np.random.default_rng(3).normal(size=n)

        small, large = (3,), (300_000,)
    """,
    "a call of Python": """
        def helper(a):
            return [a.sum(), a.copy()]

        called = shapecast.pyfunc(lambda a: np.cumsum(a) * 2)

        @jit
        def f(a):
            return called(a) + 1

        small, large = (np.ones(8),), (np.ones(300_000),)
    """,
    "an exception": """
        @jit
        def f(a):
            try:
                return np.ones(len(a))[len(a)]
            except IndexError:
                return a * 2

        small, large = (np.ones(8),), (np.ones(300_000),)
    """,
}

HEAD = """
import ctypes, os, resource, sys
import numpy as np
import shapecast
from shapecast import jit

def outcome():
    try:
        return f(*large)
    except MemoryError:
        return "MemoryError"

def check(result):
    if not (isinstance(result, str) and result == "MemoryError"):
        np.testing.assert_equal(result, expected)
"""

LIMITED = """

if sys.argv[1] != "compiling":
    f(*small)
expected = f.__wrapped__(*large)
used = int(open("/proc/self/statm").read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
for size in (0, 1, 2, 4, 8, 16, 64):
    resource.setrlimit(resource.RLIMIT_AS, (used + (size << 20), resource.RLIM_INFINITY))
    result = outcome()
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    check(result)
check(f(*large))
"""


def run(tmp_path, program, body, *arguments, **environment):
    file = tmp_path / "program.py"

    file.write_text(HEAD + textwrap.dedent(program) + body)
    done = subprocess.run(
        [sys.executable, file, *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "SHAPECAST_CACHE_DIR": "off", **environment},
    )
    assert done.returncode == 0, (done.returncode, done.stderr[-2000:])
    return done.stdout


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_limit_on_memory_is_a_memory_error(tmp_path, name):
    run(tmp_path, PROGRAMS[name], LIMITED, name)
