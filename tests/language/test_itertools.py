"""Python's itertools: over what is known, over arrays and ranges of any length."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import shapecast
from support.compare import Report, check, jitted, make

X = np.arange(5.0)
MIXED = (1, 2.5, 3)


def checked(source: str, *args: Any) -> None:
    check(make(source, itertools=itertools), *args)


LISTED = """
product(range(2), range(3))
product((n, 2.5), 'ab')
product(range(n), repeat=3)
product(x, (1, n))
product()
product((), x)
product(range(n), (), range(n))
product(zip(x, x), range(2))
combinations(t, 2)
combinations(t, 4)
combinations(x, 2)
combinations(range(n), 0)
combinations('abc', 2)
combinations_with_replacement(t, 2)
permutations(t)
permutations(range(n), 2)
permutations('ab')
accumulate(t)
accumulate(t, max)
accumulate(t, lambda a, b: a * b, initial=n)
accumulate(x)
accumulate(range(n))
accumulate(())
accumulate((), initial=n)
chain((1, 2), [n], range(2))
chain(x, x)
chain.from_iterable(((1, 2), (n,)))
islice(range(100), 3, 10, 2)
islice(t, 2)
islice(t, 1, None)
islice(x, 9)
islice(zip(x, x), 1, n)
repeat(n, 3)
pairwise(t)
pairwise(x)
pairwise(())
starmap(pow, ((1, 2), (n, 2)))
compress(t, (1, 0, True))
takewhile(lambda v: v < 3, x)
dropwhile(lambda v: v < 3, x)
filterfalse(lambda v: v < 3, x)
filterfalse(None, (0, n, 0.0))
"""


def test_lists_of_their_items() -> None:
    with Report("itertools") as report:
        for line in LISTED.strip().splitlines():
            with report.case(line):
                checked(f"def f(x, n, t):\n    return list(itertools.{line})", X, 3, MIXED)
                body = f"[v for v in itertools.{line}]"
                checked(f"def f(x, n, t):\n    return {body}", X, 3, MIXED)


SUMMED = """
for i, j in product(range(n), range(n + 1)): s = (s * 3 + i * n + j) % 1001
for i, j, k in product(range(n), repeat=3): s = (s * 3 + i + j * 5 + k) % 1001
for a, b in product(x, x): s = s * 0.5 + a * b
for pair in product(x, range(n)): s = s * 0.5 + pair[0] * pair[1]
for t in combinations(range(n), 2): s = (s * 7 + t[0] * 3 + t[1]) % 10007
for i, j, k in combinations(range(n), 3): s = (s * 7 + i * 3 + j * 2 + k) % 10007
for a, b in combinations(x, 2): s = s * 0.5 + a * b
for i, j in permutations(range(n), 2): s = (s * 7 + i * 3 + j) % 10007
for v in accumulate(x): s = s * 0.5 + v
for v in accumulate(range(n), lambda a, b: a * 2 + b): s = s + v
for v in chain(x, x * 2, (n, 2)): s = s * 0.5 + v
for v in islice(x, 1, n): s = s * 0.5 + v
for v in islice(range(n), 2): s = s + v
for v in repeat(x, n): s = s * 0.5 + v.sum()
for a, b in pairwise(x): s = s * 0.5 + b - a
for k, (a, b) in enumerate(pairwise(x)): s = s + k * (b - a)
for a, (i, j) in zip(x, product(range(n), range(n))): s = s + a * i - j
"""


@pytest.mark.parametrize("n", [0, 1, 2, 7, 12])
def test_loops_over_them(n: int) -> None:
    with Report("itertools") as report:
        for line in SUMMED.strip().splitlines():
            with report.case(line):
                loop = line.replace(" in ", " in itertools.", 1)
                loop = loop.replace("(product", "(itertools.product").replace(
                    "enumerate(p", "enumerate(itertools.p"
                )
                loop = loop.replace("itertools.enumerate", "enumerate").replace(
                    "itertools.zip", "zip"
                )
                checked(
                    f"def f(x, n):\n    s = 0\n    {loop}\n    return s", np.arange(float(n)), n
                )


def test_a_product_of_ranges_is_a_loop_in_a_loop() -> None:
    """The inner one vectorises: no index is computed by division."""
    f = make(
        """
        def f(x, y):
            out = np.zeros((len(x), len(y)))
            for i, j in itertools.product(range(len(x)), range(len(y))):
                out[i, j] = x[i] - y[j]
            return out
        """,
        itertools=itertools,
    )
    check(f, X, X[:3])
    stages = shapecast.jit(f).stages(X, X[:3])
    assert "vector.body" in stages["llvm"]
    assert "div" not in str(stages["loops"])


def test_break_and_return_in_a_loop_over_a_product() -> None:
    checked(
        """
        def f(n):
            for i, j in itertools.product(range(n), range(n + 1)):
                if i * j > 12:
                    break
            else:
                return -1, n
            return i, j
        """,
        7,
    )
    checked(
        """
        def f(n):
            for i, j in itertools.product(range(n), repeat=2):
                if i * j > 12:
                    return i, j
            return None
        """,
        7,
    )


def test_they_are_exhausted_after_one_loop() -> None:
    f = make(
        "def f(n):\n    c = itertools.combinations(range(4), 2)\n    return list(c), list(c)",
        itertools=itertools,
    )
    with pytest.raises(shapecast.UnsupportedError, match="more than once"):
        jitted(f)(2)
    checked("def f(n):\n    a, b, c = itertools.combinations((1, n, 3), 2)\n    return a, b, c", 2)


def test_errors_are_pythons() -> None:
    checked("def f(n):\n    return list(itertools.combinations(n, 2))", 3)
    checked("def f(n):\n    return [v for v in itertools.chain((1, 2), n)]", 3)
