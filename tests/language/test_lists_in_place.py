"""Lists that change in place are one object under all references; sequences times a number; items
of ranges.
"""

from __future__ import annotations

import numpy as np
import pytest
import shapecast
from support.compare import case_id, check, jitted, make

V = np.array([0.5, 1.5, 2.5])

IN_PLACE = [
    "x = [1]; y = x; y += [2]; return x, y",
    "x = [1, 2]; y = x; x *= 2; return y",
    "x = [a]; y = (x, 3); x += (4,); return y",
    "x = [1, 2]; y = [x, x]; x += [3]; return y",
    "x = [1]; f = lambda: x; x += [2]; return f()",
    "x = [1]; y = x; x = x + [2]; x += [3]; return x, y",
    "x = (1,); y = x; y += (2,); return x, y",
    "x = [1]; x += range(3); x += (5, 6); return x",
    "x = [1]; x += a; return x",
    "x = [1]; x += 5; return x",
    "x = []\nfor i in range(3):\n    x += [i]\nreturn x",
    "def g(l):\n    l += [5]\nx = [1]; g(x); return x",
    "x = []\nfor i in range(len(a)):\n    x = [i]\n    y = x\n    y += [a[i]]\nreturn x",
    "x = [1.0, 2.0]\nfor i in range(len(a)):\n    x = [x[1], x[0] + i]\nreturn x",
    "x = [1]; y = x[:]; z = list(x); x += [2]; return y, z",
    "x = [1]; y = x; x *= len(a); return x, y",
    "x = [2.5]; x *= len(a) - 5; return x",
    "x = [7]; x *= int(a.sum()); x.append(8); return x, len(x), sum(x)",
    "x = [(1, 2.5)]; y = {'z': x}; y['z'] *= len(a); return x, y",
]


@pytest.mark.parametrize("body", IN_PLACE, ids=case_id)
def test_a_list_changed_in_place_changes_under_all_references(body: str) -> None:
    check(make("def f(a):\n" + "\n".join("    " + line for line in body.split("\n"))), V)


@pytest.mark.parametrize("n", [-1, 0, 1, 2, 68, np.int64(3)], ids=case_id)
def test_an_argument_times_a_number_in_place(n: int) -> None:
    check(make("def f(x, n):\n    x *= n\n    return x"), [7], n)
    check(make("def f(x, n):\n    x *= n"), [2.5], n)
    check(make("def f(t, a):\n    t['z'] *= a.sum()\n    return t"), {"z": [7]}, np.array([n]))


def test_a_list_is_changed_through_another_reference() -> None:
    body = "x = [1]\n    y = x if a[0] > 2 else [2]\n    y += [3]\n    return x, y"
    check(make(f"def f(a):\n    {body}"), np.arange(100.0))
    check(make(f"def f(a):\n    {body}"), np.arange(100.0) + 5)


def test_a_change_in_a_branch_is_seen_after_it() -> None:
    branch = "if a[0] > 2:\n        x += [2]\n    else:\n        x += [3]"
    f = make(f"def f(a):\n    x = [1]\n    {branch}\n    return x")
    check(f, V)
    check(f, V + 5)


def test_a_list_argument_that_a_recursive_function_changes() -> None:
    check(
        make(
            "def f(x, n):\n    if n == 0:\n        return 0\n    x += [n]\n    return f(x, n - 1)"
        ),
        [1],
        3,
    )


SEQUENCES = [
    "[0.0] * n", "n * (1, 2)", "[1] * 2.5", "[1] * a[0]", "(1, 2) * a", "[1, 2] + a[0]",
    "[1] + (2,)", "(1,) + [2]", "[1] + 5", "np.array([0.0] * n)", "[1] * np.int64(2)", "[] * 0",
    "(1,) * -1",
]  # fmt: skip


@pytest.mark.parametrize("expression", SEQUENCES)
def test_operators_of_sequences(expression: str) -> None:
    check(make(f"def f(a, n):\n    return {expression}"), V[:2], 3)


def test_a_list_of_several_items_times_a_run_time_number_is_refused() -> None:
    check(make("def f(a):\n    return np.array([0.0] * len(a))"), V)
    with pytest.raises(shapecast.UnsupportedError, match=r"np\.full"):
        jitted(make("def f(a):\n    return np.array([0.0, 1.0] * len(a))"))(V)


def test_items_of_a_range() -> None:
    f = make("def f(n, s, i):\n    return range(n)[i], range(1, n, s)[i], range(n, 0, -s)[i]")
    for i in (0, 1, -1, -2, 5, 9, -9):
        check(f, 10, 2, i)
    check(make("def f(n):\n    return range(n)[1.0]"), 3)
