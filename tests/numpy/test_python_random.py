"""Python's random in compiled code: its numbers, in its order, from its state."""

from __future__ import annotations

import concurrent.futures
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapecast
from support.compare import case_id, check, jitted, make

NUMBERS = [
    "random.random()",
    "random.uniform(2, 3), random.uniform(-1.5, n)",
    "random.randint(0, 9), random.randint(-n, n), random.randint(0, 2**40)",
    "random.randrange(10), random.randrange(3, 30, 4), random.randrange(30, 3, -4)",
    "[random.getrandbits(k) for k in (0, 1, 31, 32, 33, 62, 63)]",
    "[random.gauss(1.0, n) for _ in range(n)], random.gauss()",
    "[random.normalvariate(1.0, 2.0) for _ in range(n)], random.normalvariate()",
    "random.expovariate(2.0), random.expovariate(-0.5)",
    "random.triangular(), random.triangular(1, 4), random.triangular(1, 4, 2), "
    "random.triangular(2.0, 2.0, 2.0)",
    "random.lognormvariate(0, 1), random.paretovariate(2.0), random.weibullvariate(1.0, 2.0)",
    "[random.vonmisesvariate(0.5, k) for k in (0.0, 0.3, 4.0)]",
    "[random.gammavariate(a, 2.0) for a in (0.3, 1.0, 2.5, 30.0)]",
    "random.betavariate(2, 3), random.betavariate(0.5, 0.5)",
    "random.choice([1, 2, 3]), random.choice(np.arange(n)), random.choice(range(7))",
    "random.choices([1, 2, 3], k=n), random.choices(range(9), weights=range(9), k=n)",
    "random.choices([1, 2], cum_weights=[1, 4], k=n)",
    "random.sample(range(100), n), random.sample([1, 2, 3, 4], 2), random.sample(range(9), 0)",
    "random.sample(range(500), 4 * n)",
    "[random.random() for _ in range(700)]",
]
STATEMENTS = [
    "x = list(range(n)); random.shuffle(x); return x",
    "x = np.arange(n); random.shuffle(x); return x",
    "random.seed(n + 7); return random.random(), random.gauss()",
    "a = random.gauss(); random.seed(n); return a, random.gauss()",
    "np.random.seed(n); return np.random.rand(), random.random(), np.random.rand()",
]
REFUSED = [
    "random.choice([])",
    "random.randint(3, 1)",
    "random.randrange(0)",
    "random.randrange(5, None, 2)",
    "random.randrange(3, 3)",
    "random.randrange(3, 3, 2)",
    "random.randrange(3, 9, 0)",
    *(["random.randrange(1.5)"] if sys.version_info >= (3, 12) else []),  # deprecated before
    "random.getrandbits(-1)",
    "random.sample([1, 2], 3)",
    "random.gammavariate(0.0, 1.0)",
    "random.choices([1, 2], weights=[1, 2, 3])",
    "random.choices([1, 2], weights=[0, 0])",
    "random.expovariate(0.0)",
]


def same(a: Any, b: Any) -> bool:
    if type(a) is not type(b):
        return False
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    return bool(np.array_equal(a, b)) if isinstance(a, np.ndarray) else bool(a == b)


def compare(text: str) -> None:
    f = make(f"import random\ndef f(n):\n    {text}")
    compiled = jitted(f)
    for n in (5, 8, 1):
        for kept in (False, True):
            results = []
            for call in (f, compiled):
                random.seed(n)
                if kept:
                    random.gauss()
                results.append((call(n), random.getstate()))
            assert same(results[0][0], results[1][0]), results
            assert results[0][1] == results[1][1]


@pytest.mark.parametrize("call", NUMBERS, ids=case_id)
def test_numbers_are_pythons(call: str) -> None:
    compare(f"return {call}")


@pytest.mark.parametrize("text", STATEMENTS)
def test_statements_are_pythons(text: str) -> None:
    compare(text)


@pytest.mark.parametrize("call", REFUSED)
def test_invalid_arguments_raise(call: str) -> None:
    check(make(f"import random\ndef f(n):\n    return {call}"), 1)


def test_names_of_the_functions() -> None:
    f = make(
        "from random import random, randint as dice\nimport random as r\n"
        "def f(n):\n    return random(), dice(1, 6), [r.uniform(0, n) for _ in range(n)]"
    )
    random.seed(3)
    expected = f(4)
    random.seed(3)
    assert same(jitted(f)(4), expected)


def test_an_error_keeps_the_state_of_the_numbers_drawn() -> None:
    f = make("import random\ndef f(x):\n    return random.random() + random.gauss() + x[9]")
    states = []
    for call in (f, jitted(f)):
        random.seed(1)
        with pytest.raises(IndexError):
            call(np.ones(3))
        states.append(random.getstate())
    assert states[0] == states[1]


def test_threads_share_the_stream() -> None:
    f = jitted(make("import random\ndef f(n):\n    return [random.random() for _ in range(n)]"))
    f(1)
    random.seed(1)
    expected = {random.random() for _ in range(40_000)}
    random.seed(1)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        lists = list(pool.map(f, [1000] * 40))
    assert {x for numbers in lists for x in numbers} == expected


def test_too_large_a_range_raises() -> None:
    f = jitted(make("import random\ndef f(n):\n    return random.getrandbits(n)"))
    with pytest.raises(OverflowError, match="does not fit in"):
        f(64)


@shapecast.jit(bigint=True)
def bits_of_one_seeded(seed: int, n: int) -> tuple[int, float]:
    rng = random.Random(seed)
    return rng.getrandbits(n), rng.random()


def test_calls_with_many_bits_start_again_in_python() -> None:
    for seed, n in (3, 40), (3, 70), (2**70, 5):
        rng = random.Random(seed)
        assert bits_of_one_seeded(seed, n) == (rng.getrandbits(n), rng.random())


def test_cached_code_draws_the_same_numbers(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import random\nfrom shapecast import jit\n@jit\ndef f(n):\n"
        "    return sum([random.random() for _ in range(n)]) + random.gauss(0, 1)\n"
        "random.seed(2)\nprint(f(10), random.random())\n"
        "random.seed(2)\nprint(f.__wrapped__(10), random.random())\n"
    )
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, program],
            env=os.environ | {"SHAPECAST_CACHE_DIR": str(tmp_path / "cache")},
            capture_output=True,
            text=True,
            check=True,
        )
        first, second = done.stdout.splitlines()
        assert first == second
