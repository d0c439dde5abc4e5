"""np-pieces: expressions of arrays that are assembled from windows (rolls, joins, padding) have
NumPy's bits, and are computed box by box without the array where possible.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import shapecast
from shapecast import jit
from support.compare import check, make
from support.fences import both_fenced

from bench.kernels.images import unsharp
from bench.kernels.weather import advection_by_roll

SHAPES = [(0, 5), (1, 1), (1, 7), (2, 2), (2, 9), (3, 1), (5, 4), (8, 17), (33, 40)]


def allocs(f: Callable[..., Any], *arguments: Any) -> int:
    return str(jit(f).stages(*arguments)["lifetime"]).count("np.alloc")


def array(shape: tuple[int, ...], dtype: str = "f8") -> np.ndarray:
    return np.random.default_rng(sum(shape)).integers(-50, 50, shape).astype(dtype)


def laplacian(u):
    return np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - 4 * u


def laplacian_3d(u):
    total = -6 * u
    for axis in (0, 1, 2):
        total = total + np.roll(u, 1, axis) + np.roll(u, -1, axis)
    return total


def central(u, h):
    return (np.roll(u, -1) - np.roll(u, 1)) / (2 * h)


def rolled_by(u, shift):
    return np.roll(u, shift) * 2 + u


def both_axes(u):
    return np.roll(u, (2, -1), axis=(0, 1)) * u


def roll_of_roll(u):
    return np.roll(np.roll(u, 1, axis=0), -1, axis=1) - u


def in_place(u):
    w = np.roll(u, -1, axis=1)
    w += np.roll(u, 1, axis=1)
    w *= 2
    return w


def into_itself(u):
    u[:] = u - np.roll(u, 1, axis=0)


def into_another(out, u):
    out[...] = u - np.roll(u, 1, axis=0)


def reaction(u, v, steps):
    for _ in range(steps):
        uvv = u * v * v
        u = u + 2 * laplacian(u) - uvv
        v = v + laplacian(v) + uvv
        u, v = u % 64, v % 64
    return u, v


def joined(a, b):
    return np.concatenate([a, b]) * 2 + 1


def side_by_side(a, b):
    return np.hstack([a, b, a]) - 3


def stacked(a, b):
    return np.stack([a, b]) * 2, np.stack([a, b], axis=-1) + 1


def padded(x):
    p = np.pad(x, 1)
    return p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] - 4 * x


def padded_unevenly(x):
    p = np.pad(x, ((2, 0), (0, 3)), constant_values=7)
    return p[2:, :-3] + p[:-2, 3:] * 2


def padded_by_edges(x):
    p = np.pad(x, 1, mode="edge")
    return p[:-2, 1:-1] + p[2:, 1:-1] - 2 * x


def gradient(x):
    d = np.empty_like(x)
    d[1:-1] = x[2:] - x[:-2]
    d[0] = x[1] - x[0]
    d[-1] = x[-1] - x[-2]
    return d * 3


def frame(x):
    y = np.zeros_like(x)
    y[1:-1, 1:-1] = x[1:-1, 1:-1]
    return x - y


def several_readers(x):
    r = np.roll(x, 1, axis=1)
    return x + r, x - r, (x * r).sum()


def over_each_other(x):
    y = np.ones_like(x)
    y[:, : x.shape[1] // 2] = x[:, : x.shape[1] // 2] * 2
    y[: x.shape[0] // 2] = -x[: x.shape[0] // 2]
    return y + x


def only_partly_made(x):
    y = np.zeros_like(x)
    y[1:] = x[:-1]
    y[0] += x[0]
    return y * x


def read_between(x):
    y = np.zeros_like(x)
    y[1:] = x[:-1]
    first = y * 2
    y[:1] = x[-1:]
    return first + y


def changed_before_use(x):
    r = np.roll(x, 1, axis=0)
    x += 1
    return r * x


def returned_too(x):
    r = np.roll(x, 1, axis=0)
    return r, r + x


def row_of_it(x):
    return np.roll(x, 1, axis=0)[0] * 2 + x[0]


def with_row_means(x):
    return np.roll(x, 1, axis=1) - x.max(axis=1, keepdims=True) + x.max(axis=0)


def with_added_axes(x):
    tiled = np.tile(x[:2], 2)
    return np.repeat(x[None], 2, axis=0) - 1, tiled * 2, np.lexsort((np.repeat(tiled[0], 2),))


def in_while_loop(x, steps):
    k = 0
    while k < steps:
        k += 1
        x = (2 * np.roll(x, 1, axis=0)).copy()
        x[1:] = 4.5
    return x


def kept_in_loop(x, steps):
    y = np.roll(x, 1, axis=0)
    for _ in range(steps):
        x = x + y
    return x


ONE = [laplacian, both_axes, roll_of_roll, in_place, padded, padded_unevenly, padded_by_edges,
       frame, several_readers, over_each_other, only_partly_made, read_between, returned_too,
       row_of_it, with_row_means, with_added_axes]  # fmt: skip
CHANGING = [into_itself, changed_before_use]


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "u1", "c16"])
@pytest.mark.parametrize("f", ONE, ids=lambda f: f.__name__)
def test_expressions_of_one_assembled_array(f: Callable[..., Any], dtype: str) -> None:
    for shape in SHAPES:
        check(f, array(shape, dtype))


@pytest.mark.parametrize("f", ONE, ids=lambda f: f.__name__)
def test_assembled_arrays_of_any_layout(f: Callable[..., Any]) -> None:
    x = array((40, 60))
    for view in (x.T, x[::2, ::3], x[::-1, ::-1], np.asfortranarray(x),
                 np.broadcast_to(x[0], (9, 60))):  # fmt: skip
        check(f, view)


@pytest.mark.parametrize("f", CHANGING, ids=lambda f: f.__name__)
def test_stores_to_the_array_between_its_reads(f: Callable[..., Any]) -> None:
    for shape in SHAPES:
        check(f, array(shape))


def test_a_target_that_overlaps_the_operands() -> None:
    for first, second in ((0, 0), (0, 1), (1, 0)):
        x = array((9, 8))
        check(into_another, x[first : first + 8], x[second : second + 8])


@pytest.mark.parametrize("f", [joined, side_by_side, stacked], ids=lambda f: f.__name__)
def test_expressions_of_joined_arrays_have_numpys_bits(f: Callable[..., Any]) -> None:
    for shape in SHAPES:
        check(f, array(shape), -array(shape))
        check(f, array(shape), array(shape, "f4"))


def test_arrays_of_one_axis() -> None:
    for n in (0, 1, 2, 3, 4, 7, 40, 1000):
        check(central, array((n,)), 0.5)
        for shift in (-1000, -3, -1, 0, 1, 2, 5, 40, 41):
            check(rolled_by, array((n,)), shift)
    for n in (2, 3, 4, 40):
        check(gradient, array((n,)))
        check(gradient, array((n, 5)))


def test_one_function_at_many_sizes() -> None:
    for shape in ((5, 4), (1, 1), (2, 1), (1, 5), (3, 3), (0, 4), (2, 2), (7, 1)):
        check(laplacian, array(shape))


def test_arrays_of_three_axes() -> None:
    for shape in ((1, 1, 1), (2, 3, 1), (3, 4, 5), (9, 8, 17)):
        check(laplacian_3d, array(shape))


def test_assembled_arrays_in_loops() -> None:
    for shape in SHAPES[1:]:
        check(reaction, array(shape), array(shape) + 1, 4)
        check(kept_in_loop, array(shape), 3)
        check(in_while_loop, array(shape), 3)
    check(advection_by_roll, array((30, 20)), 0.25, 4)


@pytest.mark.parametrize("threads", [1, 2])
def test_large_arrays_have_numpys_bits(threads: int) -> None:
    x = array((600, 700))
    with shapecast.num_threads(threads):
        check(laplacian, x)
        check(padded, x)
        check(unsharp, x / 64, 0.5)
        check(side_by_side, x, -x)


@pytest.mark.parametrize(
    "f", [laplacian, padded, in_place, frame, over_each_other], ids=lambda f: f.__name__
)
def test_nothing_beyond_the_array_is_read(f: Callable[..., Any]) -> None:
    g = jit(f)
    for shape in ((1, 1), (2, 2), (3, 8), (9, 33)):
        for (x,) in both_fenced(array(shape)):
            np.testing.assert_array_equal(g(x), f(np.array(x)))


def test_an_array_that_is_read_in_pieces_is_not_allocated() -> None:
    x = array((40, 50))
    for f in (laplacian, both_axes, roll_of_roll, padded, padded_unevenly, frame, over_each_other,
              in_place):  # fmt: skip
        assert allocs(f, x) == 1, f.__name__
    assert allocs(laplacian_3d, array((9, 9, 9))) == 1
    assert allocs(unsharp, x, 0.5) == 1
    assert allocs(joined, x, x) == 1
    assert allocs(gradient, x) == 1
    assert allocs(into_another, x, array((40, 50))) == 0


def test_boxes_that_differ_only_in_indices_share_a_nest() -> None:
    stages = jit(laplacian_3d).stages(array((9, 9, 9)))
    assert str(stages["lifetime"]).count("np.nest [") == 1


# ------------------------------------------------------------------------ random programs


def random_program(rng: random.Random) -> str:
    """Arrays assembled in all these ways from earlier ones, and expressions of them."""
    names = ["a", "b"]
    lines = ["def program(a, b):", "    n, m = a.shape"]
    for k in range(rng.randint(2, 5)):
        x, y, z = (rng.choice(names) for _ in range(3))
        new = f"v{k}"
        form = rng.randrange(8)
        if form == 0:
            lines.append(f"    {new} = np.roll({x}, {rng.randint(-3, 3)}, {rng.randint(0, 1)})")
        elif form == 1:
            lines.append(f"    {new} = {x} - np.roll({y}, {rng.choice((1, -1))}, 0) * {z}")
        elif form == 2:
            lines.append(f"    {new} = {x}.copy()")
            lines.append(
                f"    {new}[1:-1, {rng.randint(0, 2)}:] = {y}[:-2, {rng.randint(0, 2)}:][:, :1] + 1"
            )
        elif form == 3:
            lines.append(f"    {new} = np.zeros_like({x})")
            lines.append(f"    {new}[:{rng.randint(0, 4)}] = {y}[:1] * 2")
            lines.append(f"    {new}[:, {rng.randint(1, 4)}:] = {z}[:, :-1][:, :1]")
        elif form == 4:
            lines.append(f"    {new} = np.concatenate([{x}[:2], {y}[2:]]) + {z}")
        elif form == 5:
            lines.append(f"    p = np.pad({x}, {rng.randint(1, 2)})")
            at, right = rng.randint(0, 2), rng.randint(0, 2)
            lines.append(f"    {new} = p[{at} : {at} + n, {right} : {right} + m] - {y}")
        elif form == 6:
            lines.append(f"    {new} = {x} * 3 - {y}")
            lines.append(f"    {new}[0, 0] = {z}[0, -1]")
            lines.append(f"    {new} += {rng.choice(names)}")
        else:
            lines.append(f"    {x}[...] = {y} + np.roll({z}, 1, 1)")
            lines.append(f"    {new} = {x} % 97")
        lines.append(f"    {new} = {new} % 1009")
        names.append(new)
    kept = rng.sample(names, rng.randint(1, min(3, len(names))))
    lines.append(f"    return {', '.join(kept)},")
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(60))
def test_random_programs_have_numpys_bits(seed: int) -> None:
    program = make(random_program(random.Random(seed)))
    for shape in ((5, 5), (40, 30), (3, 4)):
        check(program, array(shape), array(shape) + 1)
