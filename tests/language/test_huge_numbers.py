"""Integers near the ends of 64 bits as bounds, steps and sizes: NumPy's result or error."""

import itertools
import random

import numpy as np
import pytest
from shapecast import jit
from support.compare import check, make

ENDS = [0, 1, -1, 2, 5, -3, 2**61, -(2**61), 2**62, -(2**62), 10**18]
ENDS += [2**63 - 1, 2**63 - 3, -(2**63), -(2**63) + 1, -(2**63) + 5]


def outcome(f, *arguments):
    """The result, or the class of the exception."""
    try:
        return np.asarray(f(*arguments)).tolist()
    except Exception as error:
        return ValueError if isinstance(error, ValueError) else type(error)


# ===-- Slices


def both_bounds(x, a, b):
    return x[a:b]


def bounds_and_step(x, a, b, c):
    return x[a:b:c]


def step_alone(x, c):
    return x[::c]


def stored(x, a, b, c):
    x[a:b:c] = 9
    return x


def stored_at_a_computed_bound(x, a, b):
    x[a + 1 : b] = 7
    return x


def negated_bound(x, a, b):
    return x[-a:b]


def two_slices(x, a, b):
    return x[a:b].sum() + x[b:a].sum()


def shifted(x, a, b):
    return x[a:b] + x[a + 1 : b + 1]


def out_of_an_array(x, a, b, c):
    k = np.array([a, b, c])
    return x[k[0] : k[1] : k[2]]


def two_axes(x, a, b):
    y = np.ones((4, 5))
    return y[a:b, b:a]


def element_at(x, a):
    return x[a]


def length_of_a_range(x, a, b, c):
    return len(range(a, b, c))


# fmt: off
SLICES = [both_bounds, bounds_and_step, step_alone, stored, stored_at_a_computed_bound,
          negated_bound, two_slices, shifted, out_of_an_array, two_axes, element_at,
          length_of_a_range]
# fmt: on


@pytest.mark.parametrize("f", SLICES, ids=lambda f: f.__name__)
def test_bounds_and_steps_of_any_size(f) -> None:
    count = f.__code__.co_argcount - 1
    compiled = jit(f)
    compiled(np.arange(6.0), *(1, 4, 2)[:count])  # later calls must not rely on these
    cases = list(itertools.product(ENDS, repeat=count))
    random.Random(f.__name__).shuffle(cases)
    for numbers in cases[:60]:
        for size in (0, 5):
            found = outcome(compiled, np.arange(float(size)), *numbers)
            if found is not OverflowError:  # Python's integers end at 64 bits
                assert found == outcome(f, np.arange(float(size)), *numbers), (size, numbers)


# ===-- Sizes


def zeros(n):
    return np.zeros(n)


def pairs(n):
    return np.ones((n, 2))


def bytes_of_squares(n):
    return np.empty((n, n, 3), np.int8)


def numbers(n):
    return np.full(n, 1.5)


def repeated(n):
    return np.repeat(np.ones(3), n)


def tiled(n):
    return np.tile(np.ones(3), n)


def eye(n):
    return np.eye(n)


def first_of_empty(n):
    x = np.empty(n)
    return x[0] * 0


def stored_far_out(n):
    x = np.zeros(n)
    x[10**6] = 5
    return x.sum()


def outer(n):
    return np.outer(np.ones(2), np.zeros(n))


def joined(n):
    return np.concatenate([np.zeros(n), np.ones(n)])


def in_a_loop(n):
    total = 0.0
    for i in range(2):
        x = np.zeros((n, 3))
        x[i] = i
        total += x.sum()
    return total


def caught(n):
    try:
        x = np.zeros(n)
        x[0] = 1
        return x[0]
    except ValueError:
        return -1.0


CREATORS = [zeros, pairs, bytes_of_squares, numbers, repeated, tiled, eye, first_of_empty,
            stored_far_out, outer, joined, in_a_loop, caught]  # fmt: skip


@pytest.mark.parametrize("f", CREATORS, ids=lambda f: f.__name__)
def test_sizes_beyond_memory_raise_what_numpy_raises(f) -> None:
    compiled = jit(f)
    outcome(compiled, 3)
    for n in (2**60, 2**61, 2**61 + 3, 2**62, 2**62 + 1, 2**63 - 1, -1, -(2**61), -(2**63)):
        assert outcome(compiled, n) == outcome(f, n), n


def reshaped(x, n, m):
    return x.reshape(n, m)


def reshaped_in_three(x, n, m):
    return x.reshape((n, m, 2))[0, 0, 1]


@pytest.mark.parametrize("f", [reshaped, reshaped_in_three], ids=lambda f: f.__name__)
def test_sizes_whose_product_wraps_around_to_the_right_one(f) -> None:
    compiled, x = jit(f), np.ones(4)
    for n, m in [(2, 2), (1, 2), (2**62 + 1, 4), (2**63 - 1, 2**62), (2**32, 2**32), (2**62, 8)]:
        assert outcome(compiled, x, n, m) == outcome(f, x, n, m), (n, m)


def between(t0, t1):
    return np.zeros((t1 - t0, 3)).shape[0]


def test_differences_of_large_numbers_are_sizes() -> None:
    now = 1_764_000_000_000_000_000  # nanoseconds
    assert jit(between)(now, now + 5) == 5


UNUSED = """
np.zeros(n).sum() ; np.ones((n, 4)).mean() ; np.full(n, x[0]).max() ; len(np.empty(n))
np.arange(n).sum() ; np.arange(float(n)).sum() ; np.linspace(0, 1, n).sum() ; np.eye(n).sum()
np.zeros((n, n)).sum() ; np.zeros((0, n, n)).sum() ; np.tri(n).sum() ; np.zeros(n).shape
np.zeros((len(x), n)).sum()
np.zeros_like(np.broadcast_to(1.0, (n,))).sum() ; np.zeros(n // 4).sum()
np.zeros((len(x), 4611686018427387904)).sum() + n
""".strip().replace("\n", " ; ").split(" ; ")  # fmt: skip


@pytest.mark.parametrize("expression", UNUSED)
def test_arrays_that_need_no_memory_have_possible_sizes_all_the_same(expression: str) -> None:
    f = make(f"def f(x, n):\n    return {expression}")
    if "4611686018427387904" not in expression:
        check(f, np.arange(3.0), 5)
    check(f, np.arange(3.0), 2**62)


@pytest.mark.parametrize("expression", ["np.zeros(n, bool).any()", "np.ones(n, np.int8).sum()"])
def test_more_than_a_process_can_have_is_a_memory_error(expression: str) -> None:
    f = make(f"def f(n):\n    return {expression}")
    check(f, 5)
    with pytest.raises(MemoryError):
        jit(f)(2**62)
