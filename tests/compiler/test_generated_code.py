"""Generated code: vector stores, polls for signals, argmin and argmax of several rows at once."""

from __future__ import annotations

import numpy as np
import pytest
from shapecast import jit
from support.compare import check, instrumented, make, optimised


def first_largest(x):
    return x.argmax(axis=0)


def last_dimension_first(x):
    return x.argmin(axis=1), x.max(axis=1)


def filtered(x, weights):
    out = np.empty(len(x) - 8)
    for i in range(len(out)):
        total = 0.0
        for k in range(9):
            total += weights[k] * x[i + k]
        out[i] = total
    return out


def nine_neighbours(x, w):
    return (
        w[0] * x[:-8] + w[1] * x[1:-7] + w[2] * x[2:-6] + w[3] * x[3:-5] + w[4] * x[4:-4]
        + w[5] * x[5:-3] + w[6] * x[6:-2] + w[7] * x[7:-1] + w[8] * x[8:]
    )  # fmt: skip


@pytest.mark.parametrize("dtype", "?bHiLfde")
@pytest.mark.parametrize("rows", [*range(1, 10), 37])
def test_argmax_of_several_rows_at_once(dtype: str, rows: int, rng) -> None:
    for columns in (1, 3, 16, 17, 70):
        x = ((rng.normal(size=(rows, columns)) * 3).round() + 0.0).astype(dtype)  # some are equal
        check(first_largest, x)
        check(first_largest, x[::-1])
        check(first_largest, np.asfortranarray(x))
        three = np.stack([x, x[::-1], x], axis=2)
        check(last_dimension_first, three)
        if dtype in "fde":
            x[rng.random(x.shape) < 0.1] = np.nan
            check(first_largest, x)


def test_reductions_store_whole_vectors() -> None:
    f = jit(first_largest)
    x = np.random.default_rng(0).random((40, 300))
    f(x)
    optimised = f.stages(x)["llvm"]
    assert "llvm.arithmetic.fence" in optimised
    assert "masked.store" not in optimised


@pytest.mark.parametrize("f", [filtered, nine_neighbours], ids=lambda f: f.__name__)
def test_polls_preserve_values_in_registers(f, rng) -> None:
    """One poll in 32,768 elements: values in registers survive it."""
    x = rng.random(200_000)
    check(f, x, rng.random(9))
    g = jit(f)
    g(x, rng.random(9))
    assert "preserve_allcc void @sc_poll" in g.stages(x, rng.random(9))["llvm"]


@pytest.mark.skipif(instrumented, reason="a sanitizer's build generates other code")
def test_loops_of_small_constant_trip_count_do_not_poll(rng) -> None:
    """Products of 3 x 3 matrices poll for signals in the loop over the matrices only."""
    f = make("def f(a, b):\n    return a @ b")
    a, b = rng.random((2, 50, 3, 3))
    check(f, a, b)
    text = optimised(jit(f).stages(a, b))
    assert text.count("call preserve_allcc void @sc_poll") == 1
