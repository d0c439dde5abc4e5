"""Products of complex arrays have NumPy's bits (but for reversed complex64 arrays)."""

import numpy as np
import pytest
from shapecast import jit


def product(a, b):
    return a * b


def chain(a, b):
    return a * b + a * a - b


def square(a, b):
    return a**2 + np.square(b)


def in_place(a, b):
    c = a.copy()
    c *= b
    return c


def by_a_number(a, b):
    return (1.3 + 0.7j) * a + b * (0.2 - 1.1j)


def outer(a, b):
    return a[:, None] * b


def numbers(a, b):
    return a[0] * b[1]


FUNCTIONS = [product, chain, square, in_place, by_a_number, outer, numbers]


@pytest.mark.parametrize("dtype", ["F", "D"])
@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_products_have_numpys_bits(f, dtype: str) -> None:
    rng = np.random.default_rng(0)
    compiled = jit(f)
    for size in (2, 3, 5, 64, 1000):
        a = (rng.normal(size=2 * size) + 1j * rng.normal(size=2 * size)).astype(dtype)
        b = (rng.normal(size=2 * size) + 1j * rng.normal(size=2 * size)).astype(dtype)
        assert np.array_equal(compiled(a, b), f(a, b)), size
        assert np.array_equal(compiled(a[::2], b[1::2]), f(a[::2], b[1::2])), size
