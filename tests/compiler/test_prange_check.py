"""Debug mode: a loop over prange with a loop-carried dependence raises, and no other does."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from typing import Any

import numpy as np
import pytest
import shapecast
from shapecast import jit, prange
from support.compare import check


def dependence_message(f: Any, *arguments: Any) -> str:
    """The message of debug mode for a call with a loop-carried dependence."""
    with pytest.raises(RuntimeError, match="prange") as caught:
        jit(f, debug=True)(*arguments)
    assert not isinstance(caught.value, shapecast.InternalError)
    return str(caught.value)


def check_independent(f: Any, *arguments: Any) -> None:
    """Debug code does what the plain function does, on copies of the arguments."""
    assert "dependence_checked" in str(jit(f, debug=True).stages(*arguments)["parallel"])
    check(jit(f, debug=True), *arguments)


def scattered(a, indices):
    out = np.zeros(len(a))
    for i in prange(len(a)):
        out[indices[i]] = a[i] * 2
    return out


def counted(a, indices):
    counts = np.zeros(len(a), np.int64)
    for i in prange(len(a)):
        counts[indices[i]] += 1
    return counts


def moved_rows(a, indices):
    for i in prange(len(a)):
        a[indices[i]] = a[i] + 1.0
    return a


def by_temporaries(a, indices):
    out = np.zeros_like(a)
    for i in prange(len(a)):
        t = np.zeros(a.shape[1])
        for k in range(a.shape[1]):
            t[k] = a[i, k] * k
        out[indices[i]] = t + t.sum()
    return out


def products(a, indices):
    out = np.zeros((len(a), a.shape[1], a.shape[1]))
    for i in prange(len(a)):
        block = np.outer(a[i], a[i])
        out[indices[i]] = block @ block
    return out


def parts(z, indices):
    for i in prange(len(z)):
        z.real[indices[i]] += 1.0
        z.imag[indices[i]] -= z[indices[i]].real
    return z


def set_by_name(table, indices):
    for i in prange(len(indices)):
        table["x"][indices[i]] = i
        table["n"][indices[i]] += 1


def test_iterations_that_write_the_same_element() -> None:
    text = dependence_message(scattered, np.ones(6), np.array([3, 1, 0, 4, 1, 2]))
    assert text.startswith(
        "prange: iteration 4 of the loop writes an element that iteration 1 has written"
    )


def test_iterations_that_add_to_the_same_element() -> None:
    text = dependence_message(counted, np.ones(6), np.array([3, 1, 0, 3, 1, 2]))
    assert text.startswith(
        "prange: iteration 3 of the loop reads an element that iteration 0 has written"
    )


def test_an_iteration_that_writes_what_an_earlier_one_has_read() -> None:
    def f(a):
        for i in prange(1, len(a)):
            a[i - 1] = a[i]
        return a

    text = dependence_message(f, np.zeros(5))
    assert text.startswith(
        "prange: iteration 2 of the loop writes an element that iteration 1 has read"
    )


def test_an_element_that_two_iterations_have_read() -> None:
    def f(a, b):
        for i in prange(len(b)):
            b[i] = a[0]
            if i == 2:
                a[0] = 1.0
        return b

    text = dependence_message(f, np.zeros(2), np.zeros(5))
    assert text.startswith(
        "prange: iteration 2 of the loop writes an element that iteration 1 has read"
    )


@pytest.mark.parametrize("f", [moved_rows, by_temporaries, products], ids=lambda f: f.__name__)
def test_dependences_between_rows(f: Any, rng) -> None:
    a = rng.random((7, 5))
    check_independent(f, a.copy(), np.arange(7))
    check_independent(f, np.asfortranarray(a), np.arange(7))
    check_independent(f, a[::-1], np.arange(7))
    with_same = np.array([0, 1, 2, 3, 4, 3, 6])
    assert "iteration 5" in dependence_message(f, a.copy(), with_same)


@pytest.mark.parametrize("f", [scattered, counted], ids=lambda f: f.__name__)
def test_dependences_between_elements(f: Any, rng) -> None:
    check_independent(f, rng.random(300), rng.permutation(300))
    check_independent(f, rng.random(600)[::2], rng.permutation(300)[::-1])
    check_independent(f, rng.random(0), rng.permutation(0))
    check_independent(f, np.broadcast_to(2.5, (30,)), rng.permutation(30))


def test_real_and_imaginary_parts(rng) -> None:
    check_independent(parts, rng.random(8) + 1j, rng.permutation(8))
    assert "iteration 2" in dependence_message(parts, rng.random(3) + 1j, np.array([2, 0, 0]))

    def crossed(z):
        for i in prange(len(z)):
            z.imag[(i + 1) % len(z)] = z[i].real
        return z

    assert "iteration 1 of the loop reads" in dependence_message(crossed, rng.random(4) + 1j)


def test_fields_of_structured_arrays(rng) -> None:
    table = np.zeros(9, [("x", "f8"), ("n", "i8")])
    check_independent(set_by_name, table.copy(), rng.permutation(9))
    assert "iteration 1" in dependence_message(set_by_name, table, np.array([4, 4]))


def test_adjacent_bytes_are_independent(rng) -> None:
    def f(flags, indices):
        for i in prange(len(indices)):
            flags[indices[i]] = True
        return flags

    check_independent(f, np.zeros(50, bool), rng.permutation(50))
    assert "iteration 3" in dependence_message(f, np.zeros(50, bool), np.array([4, 5, 3, 4]))


def test_arguments_that_overlap() -> None:
    def f(a, b):
        for i in prange(len(a)):
            b[i] = a[i] + 1
        return b

    x = np.arange(10.0)
    check(jit(f, debug=True), x.copy(), x.copy())
    assert (
        "iteration 1 of the loop reads an element that iteration 0 has written"
        in dependence_message(f, x[:-1], x[1:])
    )


def test_dependences_of_nested_loops_are_found() -> None:
    def f(a, rows, columns):
        for i in prange(a.shape[0]):
            for j in prange(a.shape[1]):
                a[rows[i], columns[j]] += i * j
        return a

    up, same = np.arange(6), np.array([0, 1, 2, 3, 3, 5])
    check_independent(f, np.zeros((6, 6)), up, up)
    assert "iteration 4" in dependence_message(f, np.zeros((6, 6)), up, same)
    assert "iteration 4" in dependence_message(f, np.zeros((6, 6)), same, up)


def test_bounds_and_steps(rng) -> None:
    def f(a, indices):
        for i in prange(len(a) - 1, 2, -3):
            a[indices[i]] += i
        return a

    check_independent(f, rng.random(40), rng.permutation(40))
    assert (
        "iteration 33 of the loop reads an element that iteration 39 has written"
        in dependence_message(f, rng.random(40), np.where(np.arange(40) == 33, 39, np.arange(40)))
    )


def test_stores_in_called_functions() -> None:
    @jit
    def add(counts, at):
        counts[at] += 1

    def f(indices):
        counts = np.zeros(10)
        for i in prange(len(indices)):
            add(counts, indices[i])
        return counts

    check_independent(f, np.arange(10))
    assert "iteration 1" in dependence_message(f, np.array([3, 3]))


def test_a_scalar_recurrence_runs_in_one_thread_and_raises_nothing(rng) -> None:
    def total(a):
        s = 0.0
        for i in prange(len(a)):
            s += a[i]
        return s

    check(jit(total, debug=True), rng.random(50))


def test_the_next_call_after_an_error_is_checked(rng) -> None:
    f = jit(scattered, debug=True)
    for _ in range(3):
        with pytest.raises(RuntimeError, match="iteration 1"):
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
    assert "dependence_checked" not in str(stages["parallel"])
    assert "multithreaded" not in str(stages["parallel"])
    check(jit(f, debug=True), rng.random(20))


def test_random_dependences_are_found_exactly(rng) -> None:
    """The check agrees with a table of which iteration wrote which element, made by hand."""

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


def test_shapecast_debug_enables_the_check(tmp_path) -> None:
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

    def standard_error(**environment: str) -> str:
        return subprocess.run(
            [sys.executable, script],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
        ).stderr

    cache = {"SHAPECAST_CACHE_DIR": str(tmp_path / "cache")}
    for _ in range(2):  # from disk the second time
        assert standard_error(**cache, SHAPECAST_DEBUG="0") == ""
        assert "counts[x[i]] += 1\n    ^^^^^^^^^^^^^^^^^" in standard_error(
            **cache, SHAPECAST_DEBUG="1"
        )
        assert standard_error(**cache) == ""
