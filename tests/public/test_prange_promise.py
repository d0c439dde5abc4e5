"""Debug mode: a loop over prange whose turns are not independent says so, and no other does."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from typing import Any

import numpy as np
import pytest
import shapecast
from helpers import check
from shapecast import jit, prange


def broken(f: Any, *arguments: Any) -> str:
    """What debug mode says of a call that breaks the promise."""
    with pytest.raises(RuntimeError, match="prange") as caught:
        jit(f, debug=True)(*arguments)
    assert not isinstance(caught.value, shapecast.InternalError)
    return str(caught.value)


def check_kept(f: Any, *arguments: Any) -> None:
    """Debug code does what the plain function does, on copies of the arguments."""
    assert "checked" in str(jit(f, debug=True).stages(*arguments)["parallel"])
    check(jit(f, debug=True), *arguments)


def scattered(a, places):
    out = np.zeros(len(a))
    for i in prange(len(a)):
        out[places[i]] = a[i] * 2
    return out


def counted(a, places):
    counts = np.zeros(len(a), np.int64)
    for i in prange(len(a)):
        counts[places[i]] += 1
    return counts


def moved_rows(a, places):
    for i in prange(len(a)):
        a[places[i]] = a[i] + 1.0
    return a


def by_temporaries(a, places):
    out = np.zeros_like(a)
    for i in prange(len(a)):
        t = np.zeros(a.shape[1])
        for k in range(a.shape[1]):
            t[k] = a[i, k] * k
        out[places[i]] = t + t.sum()
    return out


def products(a, places):
    out = np.zeros((len(a), a.shape[1], a.shape[1]))
    for i in prange(len(a)):
        block = np.outer(a[i], a[i])
        out[places[i]] = block @ block
    return out


def parts(z, places):
    for i in prange(len(z)):
        z.real[places[i]] += 1.0
        z.imag[places[i]] -= z[places[i]].real
    return z


def set_by_name(table, places):
    for i in prange(len(places)):
        table["x"][places[i]] = i
        table["n"][places[i]] += 1


def test_turns_that_write_the_same() -> None:
    text = broken(scattered, np.ones(6), np.array([3, 1, 0, 4, 1, 2]))
    assert text.startswith("prange: turn 4 of the loop writes an element that turn 1 has written")


def test_turns_that_add_to_the_same() -> None:
    text = broken(counted, np.ones(6), np.array([3, 1, 0, 3, 1, 2]))
    assert text.startswith("prange: turn 3 of the loop reads an element that turn 0 has written")


def test_a_turn_that_writes_what_one_before_has_read() -> None:
    def f(a):
        for i in prange(1, len(a)):
            a[i - 1] = a[i]
        return a

    text = broken(f, np.zeros(5))
    assert text.startswith("prange: turn 2 of the loop writes an element that turn 1 has read")


def test_one_that_two_have_read() -> None:
    def f(a, b):
        for i in prange(len(b)):
            b[i] = a[0]
            if i == 2:
                a[0] = 1.0
        return b

    text = broken(f, np.zeros(2), np.zeros(5))
    assert text.startswith("prange: turn 2 of the loop writes an element that turn 1 has read")


@pytest.mark.parametrize("f", [moved_rows, by_temporaries, products], ids=lambda f: f.__name__)
def test_rows(f: Any, rng) -> None:
    a = rng.random((7, 5))
    check_kept(f, a.copy(), np.arange(7))
    check_kept(f, np.asfortranarray(a), np.arange(7))
    check_kept(f, a[::-1], np.arange(7))
    with_same = np.array([0, 1, 2, 3, 4, 3, 6])
    assert "turn 5" in broken(f, a.copy(), with_same)


@pytest.mark.parametrize("f", [scattered, counted], ids=lambda f: f.__name__)
def test_elements(f: Any, rng) -> None:
    check_kept(f, rng.random(300), rng.permutation(300))
    check_kept(f, rng.random(600)[::2], rng.permutation(300)[::-1])
    check_kept(f, rng.random(0), rng.permutation(0))
    check_kept(f, np.broadcast_to(2.5, (30,)), rng.permutation(30))


def test_halves_of_complex_numbers(rng) -> None:
    check_kept(parts, rng.random(8) + 1j, rng.permutation(8))
    assert "turn 2" in broken(parts, rng.random(3) + 1j, np.array([2, 0, 0]))

    def crossed(z):
        for i in prange(len(z)):
            z.imag[(i + 1) % len(z)] = z[i].real
        return z

    assert "turn 1 of the loop reads" in broken(crossed, rng.random(4) + 1j)


def test_fields_of_records(rng) -> None:
    table = np.zeros(9, [("x", "f8"), ("n", "i8")])
    check_kept(set_by_name, table.copy(), rng.permutation(9))
    assert "turn 1" in broken(set_by_name, table, np.array([4, 4]))


def test_bytes_beside_each_other(rng) -> None:
    def f(flags, places):
        for i in prange(len(places)):
            flags[places[i]] = True
        return flags

    check_kept(f, np.zeros(50, bool), rng.permutation(50))
    assert "turn 3" in broken(f, np.zeros(50, bool), np.array([4, 5, 3, 4]))


def test_arguments_that_overlap() -> None:
    def f(a, b):
        for i in prange(len(a)):
            b[i] = a[i] + 1
        return b

    x = np.arange(10.0)
    check(jit(f, debug=True), x.copy(), x.copy())
    assert "turn 1 of the loop reads an element that turn 0 has written" in broken(f, x[:-1], x[1:])


def test_loops_in_each_other() -> None:
    def f(a, rows, columns):
        for i in prange(a.shape[0]):
            for j in prange(a.shape[1]):
                a[rows[i], columns[j]] += i * j
        return a

    up, same = np.arange(6), np.array([0, 1, 2, 3, 3, 5])
    check_kept(f, np.zeros((6, 6)), up, up)
    assert "turn 4" in broken(f, np.zeros((6, 6)), up, same)
    assert "turn 4" in broken(f, np.zeros((6, 6)), same, up)


def test_bounds_and_steps(rng) -> None:
    def f(a, places):
        for i in prange(len(a) - 1, 2, -3):
            a[places[i]] += i
        return a

    check_kept(f, rng.random(40), rng.permutation(40))
    assert "turn 33 of the loop reads an element that turn 39 has written" in broken(
        f, rng.random(40), np.where(np.arange(40) == 33, 39, np.arange(40))
    )


def test_called_functions() -> None:
    @jit
    def add(counts, at):
        counts[at] += 1

    def f(places):
        counts = np.zeros(10)
        for i in prange(len(places)):
            add(counts, places[i])
        return counts

    check_kept(f, np.arange(10))
    assert "turn 1" in broken(f, np.array([3, 3]))


def test_what_runs_in_one_thread_anyway(rng) -> None:
    def total(a):
        s = 0.0
        for i in prange(len(a)):
            s += a[i]
        return s

    check(jit(total, debug=True), rng.random(50))


def test_after_an_error(rng) -> None:
    f = jit(scattered, debug=True)
    for _ in range(3):
        with pytest.raises(RuntimeError, match="turn 1"):
            f(np.ones(2), np.array([1, 1]))
        with pytest.raises(IndexError, match="index 2 is out of bounds"):
            f(np.ones(2), np.array([1, 2]))
        assert f(np.ones(2), np.array([1, 0])).tolist() == [2.0, 2.0]


def test_loops_that_are_proved_need_no_check(rng) -> None:
    def f(a):
        out = np.empty_like(a)
        for i in prange(len(a)):
            out[i] = a[i] * 2 if a[i] > 0.5 else a[i - 1]
        return out

    stages = jit(f, debug=True).stages(rng.random(20))
    assert "checked" not in str(stages["parallel"])
    assert "shared" not in str(stages["parallel"])
    check(jit(f, debug=True), rng.random(20))


def test_random_places(rng) -> None:
    """The check says the same as a table of who wrote what, made by hand."""

    def f(a, reads, writes):
        for i in prange(len(reads)):
            a[writes[i]] = a[reads[i]] + i
        return a

    jitted = jit(f, debug=True)
    seen = set()
    for _ in range(300):
        size = int(rng.integers(1, 30))
        count = int(rng.integers(0, 6))
        reads, writes = rng.integers(0, size, (2, count))
        independent = all(
            writes[i] != writes[j] and writes[i] != reads[j]
            for i in range(count)
            for j in range(count)
            if i != j
        )
        seen.add(independent)
        a = rng.random(size)
        if independent:
            want = f(a.copy(), reads, writes)
            assert np.array_equal(jitted(a, reads, writes), want)
        else:
            with pytest.raises(RuntimeError, match="prange"):
                jitted(a, reads, writes)
    assert seen == {True, False}


def test_environment(tmp_path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(
            """
            import numpy as np
            from shapecast import jit, prange

            @jit
            def f(x):
                counts = np.zeros(4)
                for i in prange(len(x)):
                    counts[x[i]] += 1
                return counts

            f(np.array([1, 2, 1]))
            """
        )
    )

    def said(**environment: str) -> str:
        return subprocess.run(
            [sys.executable, script],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
        ).stderr

    cache = {"SHAPECAST_CACHE_DIR": str(tmp_path / "cache")}
    for _ in range(2):  # from disk the second time
        assert said(**cache, SHAPECAST_DEBUG="0") == ""
        assert "counts[x[i]] += 1\n    ^^^^^^^^^^^^^^^^^" in said(**cache, SHAPECAST_DEBUG="1")
        assert said(**cache) == ""
