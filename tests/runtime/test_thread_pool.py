"""Loops that several threads share: the same bits for any number of them, and the pool's life:
forks, signals, many callers.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapecast
from shapecast import jit


@pytest.fixture(autouse=True)
def share_all_loops() -> Iterator[None]:
    before = shapecast._core._set_min_parallel_work(0)
    yield
    shapecast._core._set_min_parallel_work(before)


def elementwise(a, b):
    return np.sqrt(np.abs(a)) * np.sin(b) - a


def in_place(a, b):
    a[1:] += b[:-1]
    return a


def rows(a, b):
    return a.sum(axis=0), b.max(axis=1), (a * b).sum(axis=-1), b.argmax(axis=0)


def reduce_all(a, b):
    return a.sum(), (a * b).sum(), np.count_nonzero(a > b), np.all(a == a)


def extremes(a, b):
    return a.max(), b.min(), np.abs(a - b).max()


def squares(a, b):
    return np.mean(a), np.var(b), np.prod(a[:50])


def softmax(a, b):
    e = np.exp(a - a.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) + b


def scan(a, b):
    return np.cumsum(a, axis=-1), np.cumsum(b, axis=0)


def gather(a, b):
    order = np.argsort(b[:, 0])
    return a[order], a.T[:, order].copy()


FUNCTIONS = [
    elementwise,
    in_place,
    rows,
    reduce_all,
    extremes,
    squares,
    softmax,
    scan,
    gather,
]
LAYOUTS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "C": lambda a: a,
    "F": np.asfortranarray,
    "every other": lambda a: np.repeat(np.repeat(a, 2, 0), 2, 1)[::2, ::2],
    "reversed": lambda a: a[::-1, ::-1].copy()[::-1, ::-1],
}


def bits(value: Any) -> Any:
    if isinstance(value, tuple):
        return [bits(v) for v in value]
    array = np.asarray(value)
    return array.dtype, array.shape, array.tobytes()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.complex128, np.int32])
@pytest.mark.parametrize("f", FUNCTIONS)
def test_the_same_bits_for_any_number_of_threads(f, dtype, layout, rng) -> None:
    if f is extremes and np.dtype(dtype).kind == "c":
        dtype = np.float16
    compiled = jit(f)
    for shape in [(257, 131), (3, 5000), (5000, 3), (1, 7), (40, 40)]:
        a, b = (100 * rng.random((2, *shape)) - 50).astype(dtype)
        if np.dtype(dtype).kind == "c":
            a = a + 1j * b
        results = []
        for count in (1, 2, 3, 8):
            with shapecast.num_threads(count):
                results.append(bits(compiled(LAYOUTS[layout](a.copy()), LAYOUTS[layout](b))))
        assert all(result == results[0] for result in results[1:])


def test_sums_are_numpys(rng) -> None:
    @jit
    def f(a):
        return a.sum(), (a * 2).sum()

    for n in [1, 127, 128, 129, 511, 1000, 4097, 70_001, 300_000]:
        for dtype in (np.float32, np.float64, np.complex64, np.complex128):
            a = rng.standard_normal(n).astype(dtype)
            for count in (2, 5):
                with shapecast.num_threads(count):
                    assert f(a) == (a.sum(), (a * 2).sum())


def test_numbers_of_threads() -> None:
    before = shapecast.get_num_threads()
    assert before >= 1
    with shapecast.num_threads(3) as same, same:
        assert shapecast.get_num_threads() == 3
        with pytest.raises(TypeError), shapecast.num_threads(np.int64(5)):
            shapecast.set_num_threads(shapecast)
        assert shapecast.get_num_threads() == 3
        shapecast.set_num_threads(7)
    assert shapecast.get_num_threads() == before
    for wrong in (0, -1, 1025, 10**30):
        with pytest.raises(ValueError, match="number of threads must be in"):
            shapecast.set_num_threads(wrong)
    for wrong in (1.5, "2", None):
        with pytest.raises(TypeError):
            shapecast.set_num_threads(wrong)
    assert shapecast.get_num_threads() == before


def run(program: str, folder: Path | None = None, **environment: str) -> str:
    where = ["-c", textwrap.dedent(program)]
    if folder:  # what is jitted is in a file
        (folder / "program.py").write_text(where[1])
        where = [str(folder / "program.py")]
    done = subprocess.run(
        [sys.executable, "-W", "always", *where],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_environment_variables_set_the_number() -> None:
    show = "import shapecast; print(shapecast.get_num_threads())"
    assert run(show, SHAPECAST_NUM_THREADS="5", OMP_NUM_THREADS="3") == "5\n"
    assert run(show, SHAPECAST_NUM_THREADS="", OMP_NUM_THREADS="3,2") == "3\n"
    usable = len(os.sched_getaffinity(0))
    assert 1 <= int(run(show, SHAPECAST_NUM_THREADS="", OMP_NUM_THREADS="")) <= usable
    said = run(show, SHAPECAST_NUM_THREADS="many", OMP_NUM_THREADS="4")
    assert said.startswith("4\n")
    assert "SHAPECAST_NUM_THREADS='many' is not a number in 1 .. 1024" in said


def test_one_processor_means_one_thread() -> None:
    text = run(
        """
        import os
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        import shapecast
        print(shapecast.get_num_threads())
        """,
        SHAPECAST_NUM_THREADS="",
        OMP_NUM_THREADS="",
    )
    assert text == "1\n"


@jit
def chain(a):
    return np.sin(a) * np.exp(-a)


def test_many_callers_share_the_pool(rng) -> None:
    arrays = [rng.random(3000 + 17 * k) for k in range(40)]
    with shapecast.num_threads(1):
        wanted = [chain(a) for a in arrays]
    with shapecast.num_threads(3), ThreadPoolExecutor(6) as pool:
        for _ in range(20):
            for found, want in zip(pool.map(chain, arrays), wanted, strict=True):
                assert found.tobytes() == want.tobytes()


def test_the_number_of_threads_changes_while_loops_run(rng) -> None:
    a = rng.random(20_000)
    want = chain(a).tobytes()
    done = threading.Event()

    def change() -> None:
        while not done.is_set():
            for count in (1, 4, 2, 9):
                shapecast.set_num_threads(count)

    before = shapecast.get_num_threads()
    other = threading.Thread(target=change)
    other.start()
    try:
        for _ in range(300):
            assert chain(a).tobytes() == want
    finally:
        done.set()
        other.join()
        shapecast.set_num_threads(before)


def test_forked_children_share_loops(rng) -> None:
    a = rng.random(50_000)
    with shapecast.num_threads(3):
        want = chain(a)
        child = os.fork()
        if child == 0:
            same = all(chain(a).tobytes() == want.tobytes() for _ in range(50))
            os._exit(0 if same else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert chain(a).tobytes() == want.tobytes()


def test_forks_during_a_shared_loop(tmp_path: Path) -> None:
    text = run(
        """
        import os, signal, sys, warnings
        import numpy as np, shapecast
        from shapecast import jit

        # From 3.12 on Python warns of each fork beside threads.
        warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)

        @jit
        def slow(a, n):
            for _ in range(n):
                a += np.sin(a)
            return a

        def fork(*_):
            child = os.fork()
            if child == 0:
                os._exit(0 if np.isfinite(slow(np.ones(5000), 3)).all() else 1)
            codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))

        codes = []
        shapecast._core._set_min_parallel_work(0)
        shapecast.set_num_threads(3)
        want = slow(np.ones(1_000_000), 60)
        signal.signal(signal.SIGALRM, fork)
        signal.setitimer(signal.ITIMER_REAL, 0.02, 0.05)
        found = slow(np.ones(1_000_000), 60)
        signal.setitimer(signal.ITIMER_REAL, 0)
        assert codes and not any(codes), codes
        assert found.tobytes() == want.tobytes()
        print("good")
        """,
        tmp_path,
    )
    assert text == "good\n"


def test_a_keyboard_interrupt_ends_a_shared_loop() -> None:
    @jit
    def long(a):
        return (np.sin(a[:, None, None] + a[:, None]) * np.cos(a)).sum(axis=-1)

    a = np.linspace(0.0, 1.0, 3000)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with shapecast.num_threads(3):
            long(a[:10])
            signal.setitimer(signal.ITIMER_REAL, 0.1)
            with pytest.raises(KeyboardInterrupt):
                long(a)
            assert np.array_equal(long(a[:10]), long(a[:10]))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_what_runs_before_a_fork_may_call_and_compile() -> None:
    """It runs while the compiler waits for the fork: as plain Python where it is not compiled."""
    script = (
        "import os\nimport numpy as np\n"
        "os.register_at_fork(before=lambda: print('before', g(np.ones(3)), flush=True))\n"
        "from shapecast import jit\n"
        "@jit\ndef g(x):\n    return (x * 3).sum()\n"
        "for k in range(2):\n    child = os.fork()\n    if not child:\n"
        "        print('child', g(np.ones((2, 2))), flush=True)\n        os._exit(0)\n"
        "    print(os.waitpid(child, 0)[1], g(np.ones(4)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120
    )
    assert done.stdout.split() == ["before", "9.0", "child", "12.0", "0", "12.0"] * 2, done
