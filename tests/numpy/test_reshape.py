"""reshape and ravel of arrays of any strides: NumPy gives a view where the strides allow it, else
a copy, and which one it is shows in what is shared and what a store changes.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.arrays import IN_PLACE, WRITEABLE_LAYOUTS, lay_out
from support.compare import Report, check, copy_arguments, jitted, make

SHAPES = {
    1: [(12,), (1,), (0,)],
    2: [(3, 4), (4, 1), (1, 4), (1, 1), (0, 3), (2, 6)],
    3: [(2, 3, 4), (2, 1, 3), (1, 4, 1), (3, 0, 2), (2, 2, 3)],
    4: [(2, 3, 2, 2), (2, 1, 3, 2), (1, 2, 1, 6)],
}
WRITTEN = [name for name in WRITEABLE_LAYOUTS if name in IN_PLACE]


def targets(size: int, rank: int) -> list[tuple[int, ...]]:
    """Shapes of this size and rank, a few where there are many."""
    if size == 0:
        return [s for s in itertools.product((0, 1, 3), repeat=rank) if math.prod(s) == 0][::3]
    divisors = [n for n in range(1, size + 1) if size % n == 0]
    found = [s for s in itertools.product(divisors, repeat=rank) if math.prod(s) == size]
    return found if len(found) < 12 else found[:: len(found) // 8]


def arrays(rank: int, layouts: list[str]) -> list[tuple[str, np.ndarray]]:
    found = []
    for shape in SHAPES[rank]:
        data = np.arange(1, math.prod(shape) + 1, dtype="int64").reshape(shape)
        for layout in layouts:
            if 0 in shape and layout.startswith("zero"):
                continue
            found.append((f"{layout} {shape}", lay_out(data, layout)))
        for axes in list(itertools.permutations(range(rank)))[:: 5 if rank == 4 else 1]:
            stored = np.ascontiguousarray(data.transpose(axes))
            found.append((f"axes {axes} {shape}", stored.transpose(np.argsort(axes))))
        if rank > 1:  # some axes can be merged, some not
            room = np.zeros((*shape[:-1], shape[-1] + 2), "int64")
            room[..., :-2] = data
            found.append((f"window {shape}", room[..., :-2]))
            room = np.zeros((shape[0], 2 * shape[1], *shape[2:]), "int64")
            room[:, ::2] = data
            found.append((f"middle step {shape}", room[:, ::2]))
            found.append((f"first reversed {shape}", data[::-1]))
    return found


def check_shares(f: Callable[..., Any], x: np.ndarray, *args: Any) -> None:
    """As `check`, and np.shares_memory agrees (solved exactly, where `check` compares bounds)."""
    check(f, x, *args)
    sharing = []
    for run in (f, jitted(f)):
        (mine,) = copy_arguments((x,))
        result = run(mine, *args)
        result = result[0] if isinstance(result, tuple) else result
        sharing.append(np.shares_memory(result, mine))
    assert sharing[0] == sharing[1], f"shares memory: {sharing[1]}, NumPy's {sharing[0]}"


@pytest.mark.parametrize("new_rank", [1, 2, 3, 4])
@pytest.mark.parametrize("rank", [1, 2, 3, 4])
def test_reshape_is_a_view_where_numpys_is(rank: int, new_rank: int) -> None:
    names = "nmkl"[:new_rank]
    sizes = ", ".join(names)
    function = make(f"def f(x, {sizes}):\n    return np.reshape(x, ({sizes},))")
    method = make(f"def f(x, {sizes}):\n    return x.reshape({sizes})")
    holes = [
        make(f"def f(x, {sizes}):\n    return x.reshape({sizes.replace(name, '-1')})")
        for name in names
    ]
    with Report(f"{rank}-d to {new_rank}-d") as report:
        for k, (label, x) in enumerate(arrays(rank, IN_PLACE)):
            for j, shape in enumerate(targets(x.size, new_rank)):
                hole = (k + j) % new_rank
                given = [-1 if d == hole else n for d, n in enumerate(shape)]
                with report.case(label, shape):
                    check_shares(method if (k + j) % 2 else function, x, *shape)
                    if math.prod(n for d, n in enumerate(shape) if d != hole):
                        check_shares(holes[hole], x, *shape)
                        if (k + j) % 5 == 0:
                            check_shares(method, x, *given)  # -1 at run time


@pytest.mark.parametrize("rank", [1, 2, 3, 4])
@pytest.mark.parametrize("expression", ["x.ravel()", "np.ravel(x)", "x.T.ravel()", "x.flatten()"])
def test_ravel_is_a_view_of_contiguous_arrays_only(expression: str, rank: int) -> None:
    f = make(f"def f(x):\n    return {expression}")
    written = make(f"def g(x):\n    y = {expression}\n    y *= 2\n    x += 1\n    return y, x")
    with Report(expression) as report:
        for label, x in arrays(rank, IN_PLACE):
            with report.case(label):
                check_shares(f, x)
                if not label.startswith(("zero", "read_only")):
                    check_shares(written, x)


def test_reshape_and_ravel_of_an_array_without_dimensions_are_views() -> None:
    check_shares(make("def f(x):\n    return x.reshape(1, 1)"), np.array(3.0))
    check_shares(make("def f(x):\n    return x.reshape(())"), np.array(3.0))
    check_shares(make("def f(x):\n    y = x.ravel()\n    y[0] = 4\n    return y, x"), np.array(3.0))
    check_shares(make("def f(x):\n    return x.flatten()"), np.array(3.0))
    check_shares(make("def f(x):\n    return x[1].reshape(1, 1)"), np.arange(3.0))


@pytest.mark.parametrize("dtype", ["bool", "int16", "float32", "complex64", "complex128"])
def test_copies_of_every_item_size(dtype: str) -> None:
    f = make("def f(x, n):\n    return x.T.reshape(n, -1), x[::-1, 1:].reshape(-1)")
    x = (np.arange(35 * 70).reshape(35, 70) % 100).astype(dtype)  # several blocks of the copy
    for n in (1, 7, 50):
        check(f, x, n)
        check(f, np.asfortranarray(x), n)
    check(make("def f(x):\n    return x.transpose(2, 0, 1, 3).reshape(-1, 6)"),
          (np.arange(5 * 4 * 3 * 2) % 90).astype(dtype).reshape(5, 4, 3, 2))  # fmt: skip


# ------------------------------------------------------------------------------------------ stores

STORES = {
    "through the result": "y[...] = 7",
    "an element of the result": "y[0, 0] = 7",
    "in place": "y += x.sum()",
    "through a view of the result": "y.T[0] = 9",
    "through the base": "x[...] = x * 2",
    "an element of the base": "x[0] = 99",
    "through both": "y[0] = 5\n    x += 1\n    y *= 3",
    "result from base": "y[...] = x.reshape(n, m) + 1",
    "base from result": "x[...] = y.reshape(x.shape)[::-1]",
    "into a reshape of the result": "z = y.reshape(m, n)\n    z[0] = 4\n    z.ravel()[1:] = 3",
    "none": "pass",
}


@pytest.mark.parametrize("store", STORES.values(), ids=list(STORES))
@pytest.mark.parametrize("rank", [2, 3])
def test_stores_after_a_reshape(rank: int, store: str) -> None:
    """What is read afterwards shows whether it was a view, and that a copy was made in time."""
    seen = make(f"def f(x, n, m):\n    y = x.reshape(n, m)\n    {store}\n    return y, x")
    kept = make(f"def f(x, n, m):\n    y = x.reshape(n, m)\n    {store}\n    return y * 2, y.sum()")
    with Report(store) as report:
        for label, x in arrays(rank, WRITTEN):
            if x.size < 4:
                continue
            for n in (1, 2, 4, x.size):
                if x.size % n == 0:
                    with report.case(label, n):
                        check_shares(seen, x, n, x.size // n)
                        check(kept, x, n, x.size // n)


LOOPS = {
    "made anew": """
        def f(x, n, m, k):
            total = 0
            for i in range(k):
                y = x.T.reshape(n, m)
                y[0] += i
                total += y.sum() + x[0].sum()
            return total, x
        """,
    "read after a store in the loop": """
        def f(x, n, m, k):
            y = x.reshape(n, m)
            total = 0
            for i in range(k):
                total += y[0, 0] + y.sum()
                x[0] += 1
            return total, x
        """,
    "carried": """
        def f(x, n, m, k):
            y = x.reshape(n, m)
            for i in range(k):
                y[0] = i
                y = y.T.reshape(n, m)
            return y, x
        """,
    "carried and swapped": """
        def f(x, n, m, k):
            y, z = x.reshape(n, m), x.T.reshape(n, m)
            for i in range(k):
                y[0] += z[-1]
                y, z = z, y
            return y, z, x
        """,
    "while": """
        def f(x, n, m, k):
            y = x.reshape(n, m)
            while y[0, 0] < 10 + k:
                y[0, 0] += 3
                y = y.reshape(m, n).T.reshape(n, m)
            return y, x
        """,
    "branch": """
        def f(x, n, m, k):
            if k > 2:
                y = x.reshape(n, m)
            else:
                y = x.T.reshape(n, m)
            y[0] = 3
            return y, x
        """,
    "one arm only": """
        def f(x, n, m, k):
            y = x
            if k > 2:
                y = x.T.reshape(-1)[::2].reshape(1, -1)
            else:
                y = x[:, ::2].reshape(1, -1)
            x[0] = 7
            return y, x
        """,
    "of a temporary": """
        def f(x, n, m, k):
            y = (x + 1).T.reshape(n, m)
            z = (x * k)[:, ::-1].reshape(-1)
            y[0] = 2
            z[0] = 1
            return y, z, x
        """,
    "temporary returned with its view": """
        def f(x, n, m, k):
            t = x + k
            y = t.reshape(t.shape[0], -1)[:, ::1].reshape(n, m)
            z = t.T.reshape(n, m)
            z[0] = 8
            return z, y, t
        """,
    "through a callee": """
        def g(a, n, m):
            return a.reshape(n, m)
        def f(x, n, m, k):
            y = g(x[::-1], n, m)
            for i in range(k):
                y[0, 0] += i
            return y, x
        """,
}


@pytest.mark.parametrize("source", LOOPS.values(), ids=list(LOOPS))
def test_reshapes_in_loops_and_branches(source: str) -> None:
    f = make(source)
    with Report(source) as report:
        for label, x in arrays(2, WRITTEN):
            if x.size < 4:
                continue
            for n, k in itertools.product((1, 2, x.size), (0, 1, 4)):
                with report.case(label, n, k):
                    check(f, x, n, x.size // n, k)


def test_a_step_of_one_dimension_splits_as_a_view() -> None:
    f = make("""
        def f(x, n):
            y = x[::3].reshape(n, -1)
            y[0] = 5
            return y, x
    """)
    for n in (1, 2, 4):
        check(f, np.arange(12 * 3), n)
        check(f, np.arange(12 * 3)[::-1], n)


def test_sizes_of_one_come_and_go_as_a_view() -> None:
    f = make("""
        def f(x):
            n, m = x.shape
            y = x.reshape(n, 1, m, 1)
            y[0, 0, :, 0] = 5
            z = y.reshape(1, n, m)
            z[0, 0] += 1
            return y, z, z.reshape(n, m), x
    """)
    for label, x in arrays(2, WRITTEN):
        if x.shape[0] > 0:
            check(f, x)


def test_stores_to_an_array_that_overlaps_itself_reach_its_reshape() -> None:
    f = make("""
        def f(x, n, m):
            y = x.reshape(n, m)
            for i in range(1, n):
                y[i] = y[i - 1] + 1
            return y.sum(), x
    """)
    base = np.arange(24)
    windows = np.lib.stride_tricks.as_strided(base, (8, 4), (16, 8))
    check(f, windows, 8, 4)
    check(f, windows, 16, 2)
    check(f, np.lib.stride_tricks.as_strided(base, (6,), (24,)), 3, 2)
    check(f, np.lib.stride_tricks.as_strided(base, (3, 2, 2), (48, 16, 8)), 3, 4)


def test_stores_reach_reshapes_of_overlapping_arguments() -> None:
    f = make("""
        def f(x, z):
            y = x.reshape(2, -1)
            y[0] = z[0, 0] + 1
            z[...] = y[1, 0]
            return y, z
    """)
    base = np.arange(60).reshape(6, 10)
    for a, b in ((base[:4, 2:5], base[1:, 1:4]), (base[:, ::5], base[:2]), (base.T, base[::2])):
        check(f, a, b)


# --------------------------------------------------------------------------------------- read-only

READ_ONLY = {
    "element": "y[0, 0] = 7",
    "row": "y[0] = 7",
    "whole": "y[...] = x.reshape(n, m) * 2",
    "in place": "y += 1",
    "fill": "y.fill(3)",
    "view": "y.T[1:] = 4",
    "reshape": "y.reshape(-1)[1:3] = 4",
    "loop": "for i in range(n):\n        y[i] = i",
    "carried": "for i in range(2):\n        y[0] = i\n        y = y[:, ::-1]",
    "nothing": "pass",
}


@pytest.mark.parametrize("store", READ_ONLY.values(), ids=list(READ_ONLY))
def test_a_copy_of_a_read_only_array_may_be_written_and_a_view_not(store: str) -> None:
    f = make(f"def f(x, n, m):\n    y = x.reshape(n, m)\n    {store}\n    return y, y.T")
    raveled = make(f"""
        def g(x, n, m):
            y = x.ravel().reshape(n, m)
            {store.replace(chr(10) + "    ", chr(10) + "            ")}
            return y, x.ravel()
    """)
    with Report(store) as report:
        for label, x in arrays(2, IN_PLACE):
            if x.size < 4:
                continue
            x.flags.writeable = False
            for n in (1, 2, x.size // 2):
                with report.case(label, n):
                    check(f, x, n, x.size // n)
                    check(raveled, x, n, x.size // n)


def test_a_reshape_of_a_broadcast_array_is_a_copy_or_a_view_as_numpys() -> None:
    f = make("def f(x, n, m):\n    y = x.reshape(n, m)\n    return y, y * 2")
    for x in (np.broadcast_to(np.arange(4), (3, 4)), np.broadcast_to(np.arange(3)[:, None], (3, 4)),
              np.broadcast_to(np.int64(5), (3, 4))):  # fmt: skip
        for n in (1, 2, 3, 4, 12):
            check_shares(f, x, n, 12 // n)


# ------------------------------------------------------------------------------------ what is kept


def test_base_of_a_returned_reshape() -> None:
    """As in NumPy the reshaped copy is a view of a whole array, and ravel's copy owns its data."""
    x = np.arange(12.0).reshape(3, 4).copy()
    copied = jitted(make("def f(x):\n    return x.T.reshape(2, 6)"))(x)
    assert copied.base is not None and copied.base.size == 12 and copied.flags.writeable
    assert not np.shares_memory(copied, x)
    raveled = jitted(make("def f(x):\n    return x.T.ravel()"))(x)
    assert raveled.base is None and raveled.flags.owndata
    seen = jitted(make("def f(x):\n    return x.reshape(4, 1)"))(np.asfortranarray(x[:1]))
    assert seen.base is not None
    view = jitted(make("def f(x):\n    return x[:, 0:2].reshape(3, 2, 1)"))(x)
    assert np.shares_memory(view, x) and view.base is x


def test_a_reshape_that_is_only_read_is_a_copy_by_a_nest() -> None:
    f = make("""
        def f(x, n, m):
            y = x.T.reshape(n, m)
            z = y.reshape(m, n)
            return y * 2 + z.T, x.T.ravel()[1:] + 1
    """)
    x = np.arange(12.0).reshape(3, 4)
    check(f, x, 2, 6)
    stages = jitted(f).stages(x, 2, 6)
    assert stages["infer"].count("np.reshape_any") == 3
    assert "np.reshape_any" not in stages["simplify"]


@pytest.mark.parametrize(
    "call",
    ["np.zeros(s)", "np.full(s, 2.5)", "x.reshape(s)", "np.reshape(x, s)", "np.empty(s * 0)",
     "np.ones(np.array(x.shape) + 1)", "np.zeros(x[:2])",
     "np.zeros(np.array(4))", "x.reshape(s.reshape(1, -1))"],
)  # fmt: skip
def test_arrays_as_shapes(call: str) -> None:
    f = make(f"def f(x, s):\n    return {call}")
    for s in ([2, 3], [6], [3, 1, 2], [1, 6]):
        check(f, np.arange(6.0), np.array(s))
        check(f, np.arange(6.0), np.array(s, np.uint8))
