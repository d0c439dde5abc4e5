"""Subarrays along a short last axis: colours of pixels, coordinates of points. The size of the axis
is assumed, and another size gets a variant of its own.
"""

from __future__ import annotations

import numpy as np
import pytest
from shapecast import jit
from support.compare import check
from support.fences import both_fenced

from bench.kernels.images import grey

SHAPES = [(0, 5), (1, 1), (3, 7), (2, 64), (5, 131)]


def swapped(image):
    out = np.empty_like(image)
    out[:, :, 0] = image[..., 2]
    out[:, :, 1] = image[:, :, 1] // 2
    out[..., 2] = image[:, :, 0]
    return out


def brighten_first(image, by):
    image[:, :, 0] += by


def lengths(points):
    return np.sqrt(points[:, 0] ** 2 + points[:, 1] ** 2), points[:, -1]


def size_of_last_axis(image):
    return image[:, :, 0].sum(), image.shape


@pytest.mark.parametrize("dtype", ["u1", "f4", "f8"])
@pytest.mark.parametrize("parts", [3, 4, 5, 2])
def test_reads_and_stores_of_items_of_the_last_axis(parts: int, dtype: str) -> None:
    for shape in SHAPES:
        image = np.random.default_rng(3).integers(0, 256, (*shape, parts)).astype(dtype)
        if parts > 2:
            check(grey, image)
            check(grey, image[::-1, ::2])
        if parts == 3:
            check(swapped, image)
        check(brighten_first, image, 3)
        check(size_of_last_axis, image)
        check(lengths, image.reshape(-1, parts).astype("f8"))


def test_nothing_beyond_the_array_is_accessed() -> None:
    f = jit(grey)
    for shape in SHAPES:
        image = np.random.default_rng(3).integers(0, 256, (*shape, 3)).astype("u1")
        for (fenced,) in both_fenced(image):
            np.testing.assert_array_equal(f(fenced), grey(image))


def test_a_last_axis_of_one_item_makes_no_assumption() -> None:
    def first(table):
        table[0, 0] = 1
        return table[1, 1]

    assert "s1" in str(jit(first).stages(np.zeros((3, 3)))["infer"])
