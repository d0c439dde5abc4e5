"""Where memory runs out there is a MemoryError or the right result; afterwards all is well."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from support.compare import instrumented
from support.toolchain import need

pytestmark = pytest.mark.skipif(
    instrumented,
    reason="a sanitizer's own memory is beyond any limit, and its allocator is its own",
)

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
    "a dynamic list": """
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

# Calls of malloc and the like fail from the `n`-th on, for `count` of them, in compiled code only.
FAILING = """
lib = ctypes.CDLL(None)
expected = f.__wrapped__(*large)
f(*large)
failures = 0
for count in (1, 1 << 30):
    for n in range(25):
        shapecast._core._drop_kept_blocks()
        lib.fail_from(ctypes.c_long(n), ctypes.c_long(count))
        result = outcome()
        lib.fail_from(ctypes.c_long(0), ctypes.c_long(0))
        check(result)
        failures += isinstance(result, str)
check(f(*large))
print(failures)
"""

ALLOCATOR = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

// Large blocks only: small ones are Python's own, which has no way on without them.
enum { LARGE = 4096 };
static __thread long after, fails;

void fail_from(long first, long count) {
    after = first;
    fails = count;
}

static int fail(size_t bytes) {
    if (fails == 0 || bytes < LARGE)
        return 0;
    if (after > 0) {
        --after;
        return 0;
    }
    --fails;
    errno = ENOMEM;
    return 1;
}

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t n) { return fail(n) ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t m) { return fail(n * m) ? NULL : __libc_calloc(n, m); }
void *realloc(void *p, size_t n) { return fail(n) ? NULL : __libc_realloc(p, n); }
void *aligned_alloc(size_t a, size_t n) { return fail(n) ? NULL : __libc_memalign(a, n); }
void *memalign(size_t a, size_t n) { return fail(n) ? NULL : __libc_memalign(a, n); }
int posix_memalign(void **p, size_t a, size_t n) {
    if (fail(n))
        return ENOMEM;
    *p = __libc_memalign(a, n);
    return *p ? 0 : ENOMEM;
}
void *mmap(void *at, size_t n, int protection, int flags, int file, off_t offset) {
    static void *(*real)(void *, size_t, int, int, int, off_t);
    if (!real)
        real = dlsym(RTLD_NEXT, "mmap");
    return fail(n) ? MAP_FAILED : real(at, n, protection, flags, file, offset);
}
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


@pytest.fixture(scope="module")
def allocator(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("allocator")
    (folder / "failing.c").write_text(ALLOCATOR)
    library = folder / "failing.so"
    command = [need("clang"), "-shared", "-fPIC", "-O1", folder / "failing.c", "-o", library]
    subprocess.run(command, check=True)
    return library


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_limit_on_memory_is_a_memory_error(tmp_path, name):
    run(tmp_path, PROGRAMS[name], LIMITED, name)


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name != "compiling"])
def test_a_failed_allocation_is_a_memory_error(tmp_path, allocator, name):
    failures = run(tmp_path, PROGRAMS[name], FAILING, LD_PRELOAD=str(allocator))
    assert int(failures) > 0
