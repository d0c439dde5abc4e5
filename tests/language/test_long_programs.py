"""Programs whose compilation must not grow beyond all bounds: they compile, or are refused with the
construct, the location and a way out.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import shapecast
from support.compare import case_id, check, full_text, jitted, make


def long_sum(count: int) -> str:
    lines = [f"    v{k} = x + {k}" for k in range(count)]
    return "\n".join(
        ["def f(x):", *lines, "    return " + " + ".join(f"v{k}" for k in range(count))]
    )


def long_choice(count: int) -> str:
    tests = [f"    elif x == {k}:\n        y = {k * k}" for k in range(1, count)]
    return "\n".join(
        [
            "def f(x):",
            "    if x == 0:",
            "        y = 1",
            *tests,
            "    else:",
            "        y = -1",
            "    return y",
        ]
    )


def early_returns(count: int) -> str:
    tests = [f"    if x < {k}:\n        return x * {k}" for k in range(count)]
    return "\n".join(["def f(x):", *tests, "    return -x"])


def call_tree(depth: int) -> str:
    levels = [
        f"def f{k}(x):\n    return f{k + 1}(x) + f{k + 1}(x * 0.5)"
        for k in range(depth - 1, -1, -1)
    ]
    return "\n".join([f"def f{depth}(x):\n    return x * 2.0 + 1", *levels])


@pytest.mark.parametrize("count", [100, 1000])
def test_a_sum_of_many_names(count: int) -> None:
    f = make(long_sum(count))
    check(f, 1.0)
    check(f, 3)


@pytest.mark.parametrize("count", [100, 1000])
def test_many_elifs(count: int) -> None:
    f = make(long_choice(count))
    for x in (0, 7, count - 1, count):
        check(f, x)


def test_many_early_returns() -> None:
    f = make(early_returns(500))
    for x in (-3.5, 0.5, 77.25, 498.5, 1000.0):
        check(f, x)


def test_thousands_of_nested_branches_are_refused() -> None:
    with pytest.raises(shapecast.UnsupportedError, match=r"more than 2000 deep.*use a loop"):
        jitted(make(early_returns(5000)))(1.0)


@pytest.mark.parametrize(("x", "depth"), [(1.0, 25), (np.arange(3.0), 15)], ids=["number", "array"])
def test_call_trees_share_bodies(x: object, depth: int) -> None:
    check(make(call_tree(9)), x)
    f = shapecast.jit(make(call_tree(depth), "f0"))
    want = 2.0**depth + 2 * 1.5**depth * x  # type: ignore[operator]
    np.testing.assert_allclose(f(x), want, rtol=1e-12)


def test_short_loops_around_a_call_tree() -> None:
    loop = "def g(x):\n    s = 0\n    for k in range(3):\n        s += f0(x + k)\n    return s\n"
    f = make(call_tree(25) + "\n" + loop, "g")
    want = sum(2.0**25 + 2 * 1.5**25 * (1.0 + k) for k in range(3))
    np.testing.assert_allclose(shapecast.jit(f)(1.0), want, rtol=1e-12)


def test_shared_bodies_write_to_their_arguments() -> None:
    levels = [
        f"def f{k}(a, i):\n    f{k + 1}(a, i)\n    f{k + 1}(a, i + 1)\n" for k in range(12, -1, -1)
    ]
    text = "\n".join(["def f13(a, i):\n    a[i] += i * 0.5\n    a *= 1.0\n", *levels])
    check(make(text, "f0"), np.zeros(14), 0)


def test_shared_bodies_raise_as_python_does() -> None:
    levels = [
        f"def f{k}(a, i):\n    return f{k + 1}(a, i) + f{k + 1}(a, i + 1)\n"
        for k in range(12, -1, -1)
    ]
    text = "\n".join(["def f13(a, i):\n    return a[i]\n", *levels])
    f = make(text, "f0")
    check(f, np.arange(14.0), 0)
    with pytest.raises(IndexError):
        jitted(f)(np.arange(10.0), 0)


@pytest.mark.parametrize(
    "text",
    [
        "def f(n):\n    return None if n <= 0 else (n, f(n - 1))",
        "def f(n, t=()):\n    return t if n <= 0 else f(n - 1, (t, n))",
    ],
    ids=case_id,
)
def test_recursion_with_tuples_that_are_nested_ever_deeper(text: str) -> None:
    check(make(text), 3)
    check(make(text), 40)


@pytest.mark.parametrize(
    "text",
    [
        "def f(n):\n    return {'k': None} if n <= 0 else {'k': f(n - 1)}",
        "def f(n, x):\n    return x if n <= 0 else f(n - 1, x[None])",
    ],
    ids=case_id,
)
def test_recursion_whose_types_have_no_fixed_point_is_refused(text: str) -> None:
    arguments = {1: (3,), 2: (3, np.ones(2))}[text.split(":")[0].count(",") + 1]
    # In a branch: the warning says what is refused.
    refusals = r"UnsupportedError when it is reached|more than 64 combinations"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises((shapecast.UnsupportedError, RuntimeWarning), match=refusals):
            jitted(make(text))(*arguments)


def test_nested_comprehensions_over_tuples() -> None:
    table = tuple(
        tuple(tuple(float(i + j + k) for k in range(3)) for j in range(40)) for i in range(40)
    )
    check(make("def f(t):\n    return [[[x * 2 for x in r] for r in p] for p in t]"), table)
    row, column = tuple(map(float, range(40))), tuple(map(float, range(80)))
    check(make("def f(a, b):\n    return sum([x * y for x in a for y in b])"), row, column)
    check(
        make("def f(a, b):\n    return [x for x in a for y in b if y > x]"), row[:20], column[:20]
    )
    check(
        make("def f(a, b):\n    return {x + 100 * y: x * y for x in a for y in b}"),
        (1, 2, 3),
        (4, 5),
    )


def test_a_loop_unrolled_too_often_is_refused() -> None:
    f = make("def f(t):\n    return [[[[x * y for x in t] for y in t] for z in t] for w in t]")
    with pytest.raises(shapecast.UnsupportedError, match=r"fully unrolled.*range\(n\)") as caught:
        jitted(f)(tuple(map(float, range(60))))
    assert "for w in t" in full_text(caught.value)


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("n", [8, 9, 40, 421])
def test_differences_of_a_high_order(n: int, axis: int) -> None:
    f = make(f"def f(a):\n    return np.diff(a, {n}, axis={axis})")
    a = np.random.default_rng(3).random((3, 44, 5))
    check(f, a)
    check(f, np.moveaxis(a, 1, -1))
    check(f, (a * 100).astype(np.uint8))
    check(f, a > 0.5)


def test_counts_that_unroll_nothing() -> None:
    check(make("def f(a):\n    return np.linalg.matrix_power(a, 1000)"), np.eye(3) * 0.99)
    check(make("def f(a):\n    return np.tile(a, 1000)"), np.ones(3))
    check(make("def f(a):\n    return np.repeat(a, 1000)"), np.ones(3))
    check(make("def f(a):\n    return np.pad(a, [(1000, 1000)])"), np.ones(3))
    check(make("def f(a):\n    return np.roll(a, 1000)"), np.ones(3))
    check(make("def f(a):\n    return np.polyval(a, 1.25)"), np.ones(300))


@pytest.mark.parametrize("part", ["np.unique(x)[:{}]", "x[x > {}]", "np.convolve(x, y)[:{}]"])
@pytest.mark.parametrize("count", [40])
def test_a_sum_of_arrays_of_run_time_sizes(part: str, count: int) -> None:
    text = ["def f(x, y):"]
    text += [f"    v{k} = {part.format(3)} * {k}" for k in range(count)]
    text += ["    r = " + " + ".join(f"v{k}" for k in range(count))]
    text += ["    s = r - v0 * y[0]", "    s[1:] += r[:-1]", "    return r, s, r.shape, s[-1]"]
    f = make("\n".join(text))
    x = np.array([4.0, 4.0, 5.0, 6.0, 7.0])
    check(f, x, np.array([1.0, 2.0]))
    check(f, x[:2], np.array([1.0, 2.0]))  # of length 1
    check(f, x[::2], np.array([1.0]))


def test_the_ir_of_many_run_time_sizes_grows_linearly() -> None:
    lengths = []
    for count in (40, 80):
        text = ["def f(x):", *[f"    v{k} = np.unique(x)[:3] * {k}" for k in range(count)]]
        text += ["    return " + " + ".join(f"v{k}" for k in range(count))]
        stages = jitted(make("\n".join(text))).stages(np.arange(9.0))
        lengths.append([len(stages[stage]) for stage in ("infer", "nests", "loops")])
    for shorter, longer in zip(*lengths, strict=True):
        assert longer < 2.5 * shorter, lengths


def test_one_of_many_run_time_sizes_may_differ() -> None:
    text = ["def f(x, n):"]
    text += [f"    v{k} = x[x > 3][:{'n' if k == 38 else 3}]" for k in range(40)]
    text += ["    return " + " + ".join(f"v{k}" for k in range(40))]
    f = make("\n".join(text))
    x = np.arange(10.0)
    for n in (3, 1, 2, 0, 4):
        check(f, x, n)


class Grid:
    def __init__(self, walls: set[tuple[int, int]]) -> None:
        self.walls = walls

    def around(self, cell: tuple[int, int]) -> list[tuple[int, int]]:
        x, y = cell
        near = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        return [c for c in near if c not in self.walls and abs(c[0]) < 9 and abs(c[1]) < 9]

    def distance(self, start: tuple[int, int], goal: tuple[int, int]) -> int:
        queue = [start]
        seen = {start: 0}
        for cell in queue:
            if cell == goal:
                return seen[cell]
            for c in self.around(cell):
                if c not in seen:
                    seen[c] = seen[cell] + 1
                    queue.append(c)
        return -1


def trips(pairs: list[tuple[tuple[int, int], tuple[int, int]]]) -> list[tuple[str, int]]:
    grid = Grid({(1, k) for k in range(-3, 4)})
    found = []
    for start, goal in pairs:
        found.append((f"{start} {goal}", grid.distance(start, goal)))
    return found


def test_long_loops_over_the_callers_items_are_loops() -> None:
    """Not code for each item: that would take as many times as long to compile."""
    f = jitted(trips)
    for count in (12, 20, 31):
        pairs = [((0, 0), (k % 7 - 3, k % 5)) for k in range(count)]
        assert f(pairs) == trips(pairs)
    assert len(f.signatures()) == 1
