"""x[mask] = number: one element-wise store, with the casts and errors of any store."""

from __future__ import annotations

import numpy as np
import pytest
from support.compare import Report, compare, make

NUMBERS = [0, 2.5, True, np.float64(2.5), np.int64(7), np.array(3.0), 1j, np.nan, 300, -1]
SHAPES = [((5,), (5,)), ((4, 3), (4, 3)), ((4, 3), (4,)), ((0,), (0,)), ((2, 3, 2), (2, 3))]


@pytest.mark.parametrize("dtype", "?bBhlqefdFD")
def test_numbers_of_all_kinds(dtype: str) -> None:
    f = make("def f(x, mask, v):\n    x[mask] = v\n    return x")
    with Report(dtype) as report:
        for shape, lead in SHAPES:
            for number in NUMBERS if shape == (5,) else NUMBERS[:5]:
                x = (np.arange(np.prod(shape)).reshape(shape) % 5).astype(dtype)
                mask = np.arange(np.prod(lead)).reshape(lead) % 2 == 0
                with report.case(str(shape), repr(number)):
                    compare(f, x, mask, number)


@pytest.mark.parametrize("size", [3, 5, 6])
def test_masks_of_other_sizes(size: int) -> None:
    f = make("def f(x, mask):\n    x[mask] = 1\n    return x")
    compare(f, np.zeros((5, 5)), np.ones(size, bool))
    compare(f, np.zeros((5, 5)), np.ones((5, size), bool))
    compare(f, np.zeros(5), np.zeros(0, bool))


def test_the_mask_is_the_array() -> None:
    f = make("def f(x):\n    x[x] = False\n    return x")
    compare(f, np.array([True, False, True]))


def test_a_mask_that_is_computed_from_the_array() -> None:
    f = make("def f(x, y):\n    x[x > y] = y[0]\n    x[::2][y[::2] > 0] = 9\n    return x")
    x = np.arange(6.0)
    compare(f, x, x[::-1].copy())
    base = np.arange(9.0)
    compare(f, base[:6], base[3:])
