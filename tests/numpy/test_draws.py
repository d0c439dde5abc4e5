"""Numbers that a loop draws one by one, inlined for NumPy's usual generator
(src/lower/kit/draws.h): NumPy's values, and its state wherever it is observable.
"""

from __future__ import annotations

import signal
import threading
from typing import Any

import numpy as np
import pytest
import shapecast
from shapecast import jit
from support.compare import assert_same_error, assert_same_value, make, run
from support.ulp import exact

BITS = [np.random.PCG64, np.random.MT19937, np.random.Philox, np.random.SFC64, np.random.PCG64DXSM]

# name: (statements, whether all draws are inlined)
LOOPS = {
    "uniform": ("for k in range(n):\n    t += rng.random()", True),
    "between": ("for k in range(n):\n    t += rng.uniform(-1.5, t)", True),
    "a ziggurat": ("for k in range(n):\n    t += rng.standard_normal() - rng.normal(t, 0.5)", True),
    "another": (
        "for k in range(n):\n    t += rng.standard_exponential() - rng.exponential(0.1)",
        True,
    ),
    "stored": ("for k in range(n):\n    x[k % 4] += rng.normal()", True),
    "two at once": (
        "for k in range(n):\n    a, b = rng.random(), rng.random()\n    t += a * a + b < 1",
        True,
    ),
    "while": ("while rng.random() < 0.999 and t < n:\n    t += 1", True),
    "nested": (
        "for k in range(n % 100):\n    for j in range(k):\n        if rng.random() < 0.5:\n"
        "            continue\n        t += rng.normal()\n        if t > 5:\n            break",
        True,
    ),
    "returned from": ("for k in range(n):\n    if rng.random() < 0.01:\n        return k", True),
    "outside of the loop": (
        "t += rng.random()\nfor k in range(n):\n    t += rng.random()\nt += rng.normal()\n"
        "for k in range(n):\n    t += rng.random()\nt += rng.random(3).sum()",
        True,
    ),
    "an index outside": ("for k in range(n):\n    t += rng.random()\n    x[k] = t", True),
    "raised": (
        "for k in range(n):\n    t += rng.random()\n    if t > 3:\n        raise ValueError(k)",
        True,
    ),
    "caught behind": (
        "try:\n    for k in range(n):\n        t += rng.normal()\n        x[k] = t\n"
        "except IndexError:\n    t += rng.random()",
        False,
    ),
    "caught inside": (
        "for k in range(n):\n    try:\n        x[k] = rng.random()\n    except IndexError:\n"
        "        t += rng.random()",
        False,
    ),
    "a scale below 0": ("for k in range(n):\n    t += rng.normal(0.0, 3.0 - k)", True),
    "nested in one line": (
        "for k in range(n):\n    for j in range(3):\n        t += rng.random() + rng.random()",
        True,
    ),
    "two generators": ("for k in range(n):\n    t += rng.random() - other.random()", False),
    "integers as well": ("for k in range(n):\n    t += rng.random() * rng.integers(6)", False),
    "arrays as well": (
        "for k in range(n):\n    t += rng.random()\n    t += rng.random(3).sum()",
        False,
    ),
}


def both(f: Any, n: int, bits: Any) -> None:
    """Results, arguments, errors and states of a jitted call and a plain one."""
    seen = []
    for g in (jit(f), f):
        rng, other = np.random.Generator(bits(7)), np.random.Generator(bits(8))
        outcome = run(g, (rng, other, np.zeros(4), n), {})
        states = [str(one.bit_generator.state) for one in (rng, other)]
        seen.append((outcome, outcome.arguments[0][2], states, rng.random()))
    (got, x, states, after), (want, want_x, want_states, want_after) = seen
    if want.error is not None:
        assert_same_error(got.error, want.error)
    else:
        assert got.error is None, got.error
        assert_same_value(got.value, want.value, exact)
    np.testing.assert_array_equal(x, want_x)
    assert states == want_states and after == want_after


def program(name: str) -> Any:
    lines = LOOPS[name][0].replace("\n", "\n    ")
    return make(f"def f(rng, other, x, n):\n    t = 0.0\n    {lines}\n    return t")


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("name", LOOPS)
def test_numbers_and_the_generators_state_are_numpys(name: str, bits: Any) -> None:
    f = program(name)
    for n in (0, 1, 2, 5, 3000):
        both(f, n, bits)


@pytest.mark.parametrize("name", LOOPS)
def test_which_draws_are_inlined(name: str) -> None:
    f = jit(program(name))
    rng = np.random.default_rng(0)
    stages = f.stages(rng, np.random.default_rng(1), np.zeros(4), 3)
    assert ("@sc_pcg64" in str(stages["loops"])) == LOOPS[name][1]


def test_every_layer_of_the_ziggurats() -> None:
    """In some 30,000 numbers each layer is met, its edge and the tail too."""

    def f(rng: Any, x: Any) -> None:
        for k in range(len(x)):
            x[k, 0] = rng.standard_normal()
            x[k, 1] = rng.standard_exponential()

    got, want = np.zeros((2, 30_000, 2))
    jit(f)(np.random.default_rng(5), got)
    f(np.random.default_rng(5), want)
    np.testing.assert_array_equal(got, want)
    assert np.abs(got[:, 0]).max() > 3.6 and got[:, 1].max() > 7.7  # beyond the last layer


def test_a_generator_in_an_attribute() -> None:
    class Walker:
        def __init__(self, seed: int) -> None:
            self.rng = np.random.default_rng(seed)

    def f(walker: Any, n: int) -> float:
        t = 0.0
        for _ in range(n):
            t += walker.rng.normal()
        return t

    ours, theirs = Walker(1), Walker(1)
    assert jit(f)(ours, 100) == f(theirs, 100)
    assert ours.rng.random() == theirs.rng.random()


def test_a_generator_that_the_function_creates() -> None:
    def f(n: int) -> Any:
        rng = np.random.default_rng(n)
        t = 0.0
        for _ in range(n):
            t += rng.uniform(1, 2)
        return t, rng.random()

    assert jit(f)(50) == f(50)


def test_threads_that_share_a_generator_draw_each_number_once() -> None:
    """One generator, several threads without Python's lock: each number is drawn once."""

    @jit
    def f(rng: Any, out: Any) -> None:
        for k in range(len(out)):
            out[k] = rng.random()

    size, count = 300_000, 4
    f(np.random.default_rng(5), np.zeros(3))
    rng = np.random.default_rng(5)
    parts = [np.zeros(size) for _ in range(count)]
    threads = [threading.Thread(target=f, args=(rng, part)) for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    want = np.sort(np.random.default_rng(5).random(count * size))
    np.testing.assert_array_equal(np.sort(np.concatenate(parts)), want)


def test_an_interrupt_leaves_the_state_of_the_numbers_drawn() -> None:
    @jit
    def f(rng: Any, drawn: Any) -> None:
        while True:
            drawn[0] += 1
            rng.random()

    f_args = np.random.default_rng(5), np.zeros(1, np.int64)
    # More than one: what a handler raises in a finaliser of something else is lost.
    handler = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3, 1.0)
        with pytest.raises(KeyboardInterrupt):
            f(*f_args)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
    rng, drawn = f_args
    want = np.random.PCG64(5)
    # An interrupt comes between two iterations, or at a poll within one.
    states = []
    for more in (-1, 0):
        want = np.random.PCG64(5)
        want.advance(int(drawn[0]) + more)
        states.append(str(want.state))
    assert drawn[0] > 1000 and str(rng.bit_generator.state) in states
    assert rng.bit_generator.lock.acquire(blocking=False)
    rng.bit_generator.lock.release()


def test_prange_draws_all_numbers_once() -> None:
    """Which iteration gets which number is unspecified; each is drawn once."""

    @jit
    def f(rng: Any, out: Any) -> None:
        for k in shapecast.prange(len(out)):
            out[k] = rng.random()

    got = np.zeros(10_000)
    f(np.random.default_rng(3), got)
    want = np.random.default_rng(3).random(10_000)
    np.testing.assert_array_equal(np.sort(got), np.sort(want))
