"""np-counters: Python integers that only count have no overflow checks; all others keep theirs."""

import numpy as np
import pytest
from shapecast import jit


def conditional(n):
    c = 0
    for i in range(n):
        for j in range(i):
            if j % 2:
                c += 1
            else:
                c -= 2
    return c


def with_break(n):
    c = 0
    while c < n:
        c += 7
        if c > 50:
            break
    return c


@pytest.mark.parametrize(("f", "n"), [(conditional, 30), (with_break, 1000)])
def test_counters_have_no_overflow_checks(f, n):
    compiled = jit(f)
    assert compiled(n) == f(n)
    assert "nowrap" in compiled.stages(n)["counters"]


def doubled(n):
    c = 1
    for _ in range(n):
        c = c + c
    return c


def crossed(n):
    c, d = 0, 1
    for _ in range(n):
        c, d = d + 3, c * 2 + 1
    return c


def from_parameter(n):
    c = n
    for _ in range(3):
        c += 1
    return c


@pytest.mark.parametrize(("f", "n"), [(doubled, 63), (crossed, 200), (from_parameter, 2**63 - 2)])
def test_additions_that_may_overflow_are_checked(f, n):
    with pytest.raises(OverflowError):
        jit(f)(n)


def set_on_one_path(n):
    c = 0
    for i in range(n):
        if i == 5:
            c = n * 2**60
        c += 1
    return c


def test_a_counter_set_to_something_large_is_checked():
    with pytest.raises(OverflowError):
        jit(set_on_one_path)(9)


def count_below(x, limit):
    count = 0
    for i in range(len(x)):
        if x[i] < limit:
            count += 1
    return count


def test_conditional_count_vectorises():
    x = np.random.default_rng(0).uniform(0, 1, 1000)
    compiled = jit(count_below)
    assert compiled(x, 0.5) == count_below(x, 0.5)
    optimised = compiled.stages(x, 0.5)["llvm"].split("// optimised:")[1]
    assert "sadd.with.overflow" not in optimised
    assert "x double>" in optimised
