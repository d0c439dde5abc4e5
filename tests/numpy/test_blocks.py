"""Loops around element-wise expressions are tiled (np-blocks), short loops are fully unrolled, and
reductions along short last axes too: always with NumPy's results, and only where that is legal.
"""

from __future__ import annotations

import numpy as np
import pytest
import shapecast
from support.arrays import filled
from support.compare import case_id, check, make

SIZES = (0, 1, 3, 1023, 1024, 1025, 5000)


def stage(f: object, name: str, *args: object) -> str:
    return shapecast.jit(f).stages(*args)[name]


def is_tiled(f: object, *args: object) -> bool:
    return '"b0"' in stage(f, "blocks", *args)


IN_BLOCKS = {
    "in place": """
def f(x, y, n):
    for k in range(n):
        x *= 0.5
        x += y * k
    return x
""",
    "made anew": """
def f(x, y, n):
    a = np.zeros_like(x)
    b = np.ones(x.shape)
    for _ in range(n):
        inside = a * a + b < 4.0
        a, b = np.where(inside, a * x + y, a), np.where(inside, b * x - y, b)
    return a, b
""",
    "windows of what is only read": """
def f(x, y, n):
    out = np.zeros(len(x) - n + 1)
    for k in range(n):
        out += x[k : len(x) - n + 1 + k] * (k + 0.5)
    return out / n
""",
    "swapped sides of one expression": """
def f(x, y, n):
    a = x + 1.0
    b = y + 2.0
    for _ in range(n):
        a, b = a + b, a - b
    return a, b
""",
}


@pytest.mark.parametrize("source", IN_BLOCKS.values(), ids=IN_BLOCKS.keys())
@pytest.mark.parametrize("size", SIZES)
def test_tiled_loops_have_numpys_results(source: str, size: int) -> None:
    f = make(source)
    x, y = filled((max(size, 5),), "float64", 1), filled((max(size, 5),), "float64", 2)
    for iterations in (0, 1, 5):
        check(f, x, y, iterations)
        check(f, x[::-1], y[::-1], iterations)


@pytest.mark.parametrize("source", IN_BLOCKS.values(), ids=IN_BLOCKS.keys())
def test_element_wise_loops_are_tiled(source: str) -> None:
    assert is_tiled(make(source), filled((50,), "float64"), filled((50,), "float64"), 3)


PLANES = """
def f(x, row, column, n):
    z = np.zeros_like(x)
    count = np.zeros(x.shape, np.int64)
    for k in range(n):
        z = z * z * row + column + x
        count += z < 2.0
    return count, z
"""


@pytest.mark.parametrize(
    "shape", [(0, 3), (3, 0), (1, 1), (1, 700), (700, 1), (5, 300), (300, 7)], ids=case_id
)
def test_tiled_loops_over_two_axes_with_broadcast_operands(shape: tuple[int, int]) -> None:
    f = make(PLANES)
    x = filled(shape, "float64", 1)
    row, column = filled(shape[1:], "float64", 2) * 0.1, filled((shape[0], 1), "float64", 3) * 0.1
    for iterations in (0, 1, 4):
        check(f, x * 0.1, row, column, iterations)
        check(f, (x * 0.1)[:, ::-1], row, column, iterations)


def test_loops_over_two_axes_are_tiled() -> None:
    x = filled((20, 30), "float64")
    assert is_tiled(make(PLANES), x, x[0], x[:, :1], 3)


LEFT_ALONE = {
    "neighbours are read": """
def f(x, y, n):
    for _ in range(n):
        x[1:-1] = x[1:-1] + x[2:] * 0.5
    return x
""",
    "a stencil with swap": """
def f(x, y, n):
    for _ in range(n):
        y[1:-1] = x[2:] + x[:-2]
        x, y = y, x
    return x
""",
    "an item of it is read": """
def f(x, y, n):
    for _ in range(n):
        x += x[0] * y
    return x
""",
    "a sum of it is read": """
def f(x, y, n):
    for _ in range(n):
        x = x * y / (x.sum() + 1.0)
    return x
""",
    "the argument is given back where the loop does not run": """
def f(x, y, n):
    z = x
    for _ in range(n):
        z = z * 0.5 + y
    return z
""",
}


@pytest.mark.parametrize("source", LEFT_ALONE.values(), ids=LEFT_ALONE.keys())
@pytest.mark.parametrize("iterations", [0, 1, 4])
def test_other_loops_are_not_tiled(source: str, iterations: int) -> None:
    f = make(source)
    for size in (2, 7, 2000):
        x, y = filled((size,), "float64", 1) * 0.01, filled((size,), "float64", 2) * 0.01
        check(f, x, y, iterations)
    assert not is_tiled(f, filled((50,), "float64"), filled((50,), "float64"), 0)


@pytest.mark.parametrize("shift", [-3, -1, 0, 1, 3])
def test_tiled_loops_of_overlapping_arguments(shift: int) -> None:
    def f(base, start, n):  # type: ignore[no-untyped-def]
        m = len(base) - 6
        x = base[3 : 3 + m]
        y = base[start : start + m]
        for _ in range(n):
            x *= 0.5
            x += y
        return base

    check(make("def g(x, y, n):\n    for _ in range(n):\n        x *= 0.5\n        x += y"),
          *overlapping(shift), 3)  # fmt: skip
    check(f, filled((2500,), "float64"), 3 + shift, 3)


def overlapping(shift: int) -> tuple[np.ndarray, np.ndarray]:
    base = filled((3000,), "float64")
    return base[3:2900], base[3 + shift : 2900 + shift]


def test_the_same_array_twice() -> None:
    f = make(IN_BLOCKS["in place"])
    x = filled((2100,), "float64")
    check(f, x, x, 3)
    check(f, x, x[::-1], 3)


# --------------------------------------------------------------------- short loops, fully unrolled

CONVOLUTION = """
def f(image, weights):
    h, w = image.shape[0] - 2, image.shape[1] - 2
    out = np.zeros((h, w))
    for i in range(3):
        for j in range(3):
            out += weights[i, j] * image[i : i + h, j : j + w]
    return out
"""


def test_an_unrolled_loop_of_sums_is_one_nest() -> None:
    f = make(CONVOLUTION)
    for shape in [(3, 3), (5, 9), (40, 31)]:
        check(f, filled(shape, "float64"), filled((3, 3), "float64"))
    text = stage(f, "nests", filled((9, 9), "float64"), filled((3, 3), "float64"))
    assert text.count("np.nest ") == 1 and "np.for" not in text


def test_errors_of_an_unrolled_loop_come_after_the_same_stores() -> None:
    f = make("""
        def f(out, x):
            for i in range(4):
                out[i] += x[i] * 2
            return out
    """)
    for n, m in [(4, 4), (4, 2), (2, 4), (0, 0)]:
        check(f, filled((n,), "float64"), filled((m,), "float64"))


@pytest.mark.parametrize("step", [1, -1, 2])
def test_short_loops_with_break_continue_and_else(step: int) -> None:
    f = make(f"""
        def f(x):
            total = 0.0
            for i in range({2 if step > 0 else 3}, {5 if step > 0 else 0}, {step}):
                if x[i] > 100:
                    break
                if x[i] < 0:
                    continue
                total += x[i] * i
            else:
                total -= 1
            return total, i
    """)
    for seed in range(6):
        check(f, filled((6,), "float64", seed))


# ------------------------------------------------------------------------ short last axes

REDUCTIONS = ["x.sum(axis=-1)", "np.prod(x, axis=-1)", "x.max(axis=-1, keepdims=True)",
              "np.min(x, axis=-1)", "x.mean(axis=-1)", "(x > 1).any(axis=-1)",
              "(x > 1).all(axis=-1, keepdims=True)", "np.sqrt((x * x).sum(axis=-1))",
              "x.var(axis=-1)", "np.argmax(x, axis=-1)",
              "((x[:, None, :] - x[None, :, :]) ** 2).sum(axis=2)",
              "(x[:, :, None] * x[:, None, :]).sum(axis=0)"]  # fmt: skip


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("dtype", ["float64", "float32", "int8", "uint16"])
def test_reductions_along_short_last_axes(reduction: str, dtype: str) -> None:
    f = make(f"def f(x):\n    return {reduction}")
    for n in (0, 1, 7):
        for few in (1, 2, 3, 4, 5):
            x = filled((n, few), dtype, 10 * n + few, "finite")
            check(f, x)
            check(f, x[::-1, ::-1])
            check(f, np.asfortranarray(x))


def test_negative_zeros_and_nans_in_short_axes() -> None:
    f = make("def f(x):\n    return x.sum(axis=1), x.max(axis=1), x.min(axis=1), x.prod(axis=1)")
    x = np.array([[-0.0, -0.0], [0.0, -0.0], [np.nan, 1], [1, np.nan], [np.inf, -np.inf]])
    check(f, x)


def test_short_axes_have_a_variant_of_their_own() -> None:
    f = shapecast.jit(make("def f(x):\n    return (x * x).sum(axis=1)"))
    for few in (3, 3, 5, 100, 7, 3, 6):
        x = filled((9, few), "float64", few, "finite")
        assert np.allclose(f(x), (x * x).sum(axis=1), rtol=1e-14)
    assert len(f.signatures()) == 2
    text = stage(f, "nests", filled((9, 3), "float64"))
    assert text.count("np.nest ") == 1 and "reduced 1" not in text
