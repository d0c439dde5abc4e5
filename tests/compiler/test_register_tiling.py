"""np-register-tiling: loops around element-wise nests that update the same elements keep them in
registers, tile by tile, with the same bits; and which loops those are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from shapecast import jit
from support.compare import case_id, check, compare, make
from support.fences import both_fenced
from support.ulp import within

from bench.kernels.images import bilateral
from bench.kernels.stencils import moving_average

SIZES = [0, 1, 5, 31, 32, 33, 64, 100, 1023, 1024, 1060]


def is_register_tiled(f: Callable[..., Any], *arguments: Any) -> bool:
    return "{register_tiled}" in str(jit(f).stages(*arguments)["register-tiling"])


def check_tiled(f: Callable[..., Any], *arguments: Any) -> None:
    assert is_register_tiled(f, *arguments)
    check(f, *arguments)


def weighted(weights, x):
    n = len(x) - len(weights) + 1
    out = np.ones(n, x.dtype)
    for k in range(len(weights)):
        out += weights[k] * x[k : k + n]
    return out


def add_windows(out, weights, x):
    for k in range(len(weights)):
        out += weights[k] * x[k : k + len(out)]


def horner(coefficients, x):
    y = np.zeros_like(x)
    for k in range(len(coefficients)):
        y = y * x + coefficients[k]
    return y


def horner_in_place(y, coefficients, x):
    for k in range(len(coefficients)):
        y *= x
        y += coefficients[k]


def convolve(kernel, image):
    n, m = image.shape[0] - kernel.shape[0] + 1, image.shape[1] - kernel.shape[1] + 1
    out = np.zeros((n, m))
    for i in range(kernel.shape[0]):
        for j in range(kernel.shape[1]):
            out += kernel[i, j] * image[i : i + n, j : j + m]
    return out


def extremes(x, rounds):
    n = len(x) - rounds + 1
    low, high = np.full(n, 9, x.dtype), np.zeros(n, x.dtype)
    for k in range(rounds):
        low[:] = np.minimum(low, x[k : k + n])
        high[:] = np.maximum(high, x[k : k + n])
    return low, high


def constant_used_after(a, c):
    zero = 0
    for _ in c:
        np.multiply(a + zero, 2, a)
    return zero


def rows(out, table, picks):
    for k in range(len(picks)):
        out += table[picks[k]]


def close(f: Callable[..., Any], *arguments: Any) -> None:
    """As check, but for the last bits of functions like exp."""
    compare(f, *arguments, tol=within(64))


@pytest.mark.parametrize("n", SIZES)
def test_windows_of_any_size(n: int, rng) -> None:
    x = rng.normal(size=n + 7)
    for width in (1, 2, 5, 8):
        check_tiled(moving_average, x, width)
    check_tiled(weighted, rng.normal(size=4), rng.normal(size=n + 3))
    check(weighted, rng.normal(size=0), rng.normal(size=n + 3))
    check(add_windows, rng.normal(size=n), rng.normal(size=4), rng.normal(size=n + 3))
    check(moving_average, x, 0)  # 0 / 0


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int32, np.uint8, np.int16])
def test_register_tiling_of_any_dtype(dtype: Any, rng) -> None:
    x = (rng.random(140) * 20).astype(dtype)
    check_tiled(extremes, x, 7)
    check_tiled(weighted, x[:7], x)
    check(moving_average, x, 5)


def test_mixed_dtypes_have_the_same_bits(rng) -> None:
    x = rng.normal(size=80)
    check_tiled(weighted, rng.normal(size=5).astype(np.float32), x)
    check_tiled(weighted, x[:5].astype(np.float32), x.astype(np.float32))
    check(weighted, x[:5], x.astype(np.float32))
    check(weighted, x[:5] > 0, x > 0.3)
    check(weighted, x[:5], x + 1j)
    check(weighted, x[:5].astype(np.float16), x.astype(np.float16))


@pytest.mark.parametrize("n", [0, 1, 31, 33, 70])
def test_polynomials_by_horners_rule_are_tiled(n: int, rng) -> None:
    x = rng.normal(size=n)
    check(horner, rng.normal(size=6), x)
    check_tiled(horner_in_place, np.zeros(n), rng.normal(size=6), x)
    check(horner_in_place, np.ones(n), rng.normal(size=0), x)


@pytest.mark.parametrize(
    "shape", [(4, 4), (5, 9), (7, 36), (12, 37), (9, 80), (40, 5)], ids=case_id
)
def test_tiles_over_two_axes(shape: tuple[int, int], rng) -> None:
    image = rng.random(shape)
    assert is_register_tiled(bilateral, image, 3.0)
    for layout in (image, image.astype(np.float32), np.asfortranarray(image), image[::-1, ::-1]):
        close(bilateral, layout, 3.0)
        check(convolve, rng.random((2, 3)), layout)
    check_tiled(convolve, rng.random((3, 3)), image)
    check(convolve, rng.random((0, 3)), image)


def test_tiles_of_any_layout(rng) -> None:
    n = 70
    x, weights = rng.normal(size=2 * n + 20), rng.normal(size=5)
    for out in (np.zeros(2 * n)[::2], np.zeros(n)[::-1], np.zeros((n, 2))[:, 1]):
        check(add_windows, out, weights, x)
    check(weighted, weights, x[::2])
    check(weighted, weights[::-1], x[::-1])


def test_operands_that_overlap_the_result(rng) -> None:
    x = rng.normal(size=120)

    def ahead(x, n, rounds):
        for k in range(rounds):
            x[:n] += x[k + 1 : k + 1 + n]

    def behind(x, n, rounds):
        for k in range(rounds):
            x[rounds : rounds + n] += x[k : k + n]

    def own_weights(x, n, rounds):
        for k in range(rounds):
            x[:n] *= x[k]

    def far(x, n, rounds):
        for k in range(rounds):
            x[:n] += x[n + k : 2 * n + k]

    def moving(x, n, rounds):
        for k in range(rounds):
            x[k : k + n] += x[n + rounds]

    for f in (ahead, behind, own_weights, far, moving):
        for n in (1, 5, 33, 50):
            assert not is_register_tiled(f, x.copy(), n, 9)
            check(f, x.copy(), n, 9)
    check(add_windows, x[10:80], x[:4], x)
    check(add_windows, x[:70], rng.normal(size=4), x[3:])
    check(horner_in_place, x[:50], rng.normal(size=4), x[:50])
    check(horner_in_place, x[:50], rng.normal(size=4), x[10:60])
    check(horner_in_place, x[:50], x[:4], rng.normal(size=50))


def test_rows_of_a_table(rng) -> None:
    table = rng.normal(size=(20, 45))
    picks = rng.integers(-20, 20, 9)
    check(rows, np.zeros(45), table, picks)
    check(rows, np.zeros(45), table, np.array([3, 99]))  # an IndexError


def test_loops_that_are_not_tiled(rng) -> None:
    def neighbours(x, rounds):
        for _ in range(rounds):
            x[1:-1] = 0.5 * (x[2:] + x[:-2])

    def only_written(out, x):
        for k in range(5):
            out[:] = x[k : k + len(out)]

    def may_raise(out, x, numbers):
        for k in range(len(numbers)):
            out += x * (1 / numbers[k])

    x = rng.normal(size=50)
    assert not is_register_tiled(neighbours, x.copy(), 5)
    check(neighbours, x.copy(), 5)
    check(only_written, np.zeros(40), x)
    check(may_raise, np.zeros(50), x, [2, 4])
    with pytest.raises(ZeroDivisionError):
        jit(may_raise)(np.zeros(50), x, [2, 0])


def test_nests_after_the_loop_are_fused_into_it(rng) -> None:
    """Functions of a fresh result are computed tile by tile with it."""

    def scaled(x, scale):
        y = np.zeros(len(x) - 4)
        for k in range(5):
            y += x[k : k + len(x) - 4]
        return np.sqrt(np.abs(y * scale)) + 1.0

    def narrow(x):
        y = np.zeros(len(x))
        for k in range(3):
            y = y + x * k
        return (y > 1.0).astype(np.int8)

    def used_twice(x):
        y = np.zeros(len(x))
        for k in range(3):
            y = y + x * k
        z = y * 2.0
        return z, y

    def later_scalar(x):
        y = np.zeros(len(x))
        for k in range(3):
            y = y + x * k
        s = x.sum()
        return y * s

    def in_a_branch(x, flag):
        y = np.zeros(len(x))
        for k in range(3):
            y = y + x * k
        return y * 2.0 if flag else y

    for n in (4, 5, 40, 2100):
        x = rng.normal(size=n)
        check(scaled, x, 3.0)
        for f in (narrow, used_twice, later_scalar):
            check(f, x)
        check(in_a_branch, x, True)
        check(in_a_branch, x, False)


def fused_nests(f: Callable[..., Any], *arguments: Any) -> tuple[int, int]:
    """How many nests before and after its loops are fused into them."""
    text = str(jit(f).stages(*arguments)["register-tiling"])
    return text.count('register_tiled = "before"'), text.count('register_tiled = "after"')


def blend(kernel, image):
    n, m = image.shape[0] - kernel.shape[0] + 1, image.shape[1] - kernel.shape[1] + 1
    out = image[:n, :m] * 2
    for i in range(kernel.shape[0]):
        for j in range(kernel.shape[1]):
            out += kernel[i, j] * image[i : i + n, j : j + m]
    out *= 0.5
    return out


def blend_into_another(kernel, image):
    n, m = image.shape[0] - kernel.shape[0] + 1, image.shape[1] - kernel.shape[1] + 1
    out = np.ones((n, m))
    for i in range(kernel.shape[0]):
        for j in range(kernel.shape[1]):
            out += kernel[i, j] * image[i : i + n, j : j + m]
    more = out + image[-n:, -m:]
    return out, more


def blend_twice(kernel, image):
    n, m = image.shape[0] - kernel.shape[0] + 1, image.shape[1] - kernel.shape[1] + 1
    out = np.zeros((n, m))
    for i in range(kernel.shape[0]):
        for j in range(kernel.shape[1]):
            out += kernel[i, j] * image[i : i + n, j : j + m]
    other = out * 3
    for i in range(kernel.shape[0]):
        for j in range(kernel.shape[1]):
            other *= image[i : i + n, j : j + m]
    return other / (1 + other * other)


def blend_into_itself(kernel, image):
    n, m = image.shape[0] - kernel.shape[0] + 1, image.shape[1] - kernel.shape[1] + 1
    out = np.zeros((n, m))
    for i in range(kernel.shape[0]):
        for j in range(kernel.shape[1]):
            out += kernel[i, j] * image[i : i + n, j : j + m]
    image[:n, :m] = out


def blend_into_one_of_two(kernel, image, other):
    n, m = image.shape[0] - kernel.shape[0] + 1, image.shape[1] - kernel.shape[1] + 1
    out = other[:n, :m] * 2
    for i in range(kernel.shape[0]):
        for j in range(kernel.shape[1]):
            out += kernel[i, j] * image[i : i + n, j : j + m]
    other[-n:, -m:] = out


@pytest.mark.parametrize("shape", [(3, 2), (3, 3), (4, 34), (5, 36), (9, 80), (40, 5)], ids=case_id)
def test_nests_before_and_after_the_loop_are_fused_into_it(shape: tuple[int, int], rng) -> None:
    image, kernel = rng.random(shape), rng.random((3, 2))
    taken = {blend: (1, 1), blend_into_another: (1, 1), blend_twice: (1, 2)}
    for f, nests in taken.items():
        assert fused_nests(f, kernel, image) == nests
        for layout in (
            image,
            np.asfortranarray(image),
            image[::-1, ::-1],
            np.repeat(image, 2)[::2],
        ):
            check_tiled(f, kernel, layout.reshape(shape))
        check(f, kernel[:0], image)


def last_of_rounds(kernel, image, rounds):
    n, m = image.shape[0] - kernel.shape[0] + 1, image.shape[1] - kernel.shape[1] + 1
    last = np.zeros((n, m))
    for _ in range(rounds):
        out = np.zeros((n, m))
        for i in range(kernel.shape[0]):
            for j in range(kernel.shape[1]):
                out += kernel[i, j] * image[i : i + n, j : j + m]
        last = out
    return last


def sums_of_rounds(kernel, image, rounds):
    n, m = image.shape[0] - kernel.shape[0] + 1, image.shape[1] - kernel.shape[1] + 1
    total, before = np.zeros((n, m)), np.zeros((n, m))
    largest = total
    k = 0
    while k < rounds:
        k += 1
        out = np.zeros((n, m))
        for i in range(kernel.shape[0]):
            for j in range(kernel.shape[1]):
                out += kernel[i, j] * image[i : i + n, j : j + m]
        total += before
        before = out
        largest = np.maximum(out, 0.5)
    return total, before, largest


def changed_behind(y, weights, p):
    for i in range(weights.shape[0]):
        for j in range(weights.shape[1]):
            y += p * weights[i, j]
    p += y


def in_its_memory(y, weights, x):
    b = x * 1
    for i in range(weights.shape[0]):
        for j in range(weights.shape[1]):
            y += b * weights[i, j]
    return b * y - (y + x)


@pytest.mark.parametrize("shape", [(3, 2), (5, 36), (20, 100)], ids=case_id)
def test_arrays_carried_by_outer_loops(shape: tuple[int, int], rng) -> None:
    image, kernel = rng.random(shape), rng.random((3, 2))
    for rounds in (0, 1, 2, 5):
        check(last_of_rounds, kernel, image, rounds)
        check(sums_of_rounds, kernel, image, rounds)
    check(changed_behind, rng.random(shape), kernel, image)
    check(changed_behind, image, kernel, image)
    check(changed_behind, image[:-1], kernel, image[1:])
    check(in_its_memory, rng.random(shape), kernel, image)
    assert fused_nests(changed_behind, rng.random(shape), kernel, image) == (0, 1)


@pytest.mark.parametrize("shape", [(3, 2), (5, 36), (9, 80)], ids=case_id)
def test_adjacent_nests_whose_operands_overlap(shape: tuple[int, int], rng) -> None:
    image, kernel = rng.random(shape), rng.random((3, 2))
    assert fused_nests(blend_into_itself, kernel, image.copy()) == (1, 0)
    check(blend_into_itself, kernel, image)
    check(blend_into_one_of_two, kernel, image, rng.random(shape))
    check(blend_into_one_of_two, kernel, image, image)
    both = rng.random((shape[0] + 1, shape[1] + 1))
    check(blend_into_one_of_two, kernel, both[1:, 1:], both[:-1, :-1])
    check(blend_into_one_of_two, kernel, both[:-1, :-1], both[1:, 1:])


def test_threads_give_the_same_bits(rng, monkeypatch) -> None:
    import shapecast

    image = rng.random((60, 90))
    results = []
    for count in (1, 2):
        with shapecast.num_threads(count):
            results.append(jit(bilateral)(image, 2.0))
    np.testing.assert_array_equal(*results)


@pytest.mark.parametrize("n", [1, 3, 8, 15, 31, 32, 33, 64, 100])
def test_nothing_beyond_the_arrays_is_accessed(n: int, rng) -> None:
    image = rng.random((n + 4, n + 5))
    programs: list[tuple[Any, ...]] = [
        (moving_average, rng.random(n + 7), 8),
        (weighted, rng.random(5), rng.random(n + 4)),
        (weighted, rng.random(5).astype("f4"), rng.random(n + 4).astype("f4")),
        (extremes, (rng.random(n + 4) * 99).astype(np.uint8), 5),
        (horner_in_place, rng.random(n), rng.random(5), rng.random(n)),
        (bilateral, image, 3.0),
        (convolve, rng.random((3, 2)), image),
    ]
    for f, *given in programs:
        for arguments in both_fenced(*given):
            jit(f)(*arguments)


# -------------------------------------------------------------------------------- random programs


def random_program(rng: np.random.Generator) -> str:
    def pick(*items: str) -> str:
        return items[int(rng.integers(len(items)))]

    def operand(depth: int) -> str:
        if depth == 0 or rng.random() < 0.3:
            return pick(
                "a[k : k + n]", "a[j : j + n]", "b[:n]", "w[k]", "x", "y", "0.5", "float(k)",
                "a[k + j : k + j + n]", "(k - 1) ** 2", "b[m - n :]", "c[k, :n]", "t",
            )  # fmt: skip
        left, right = operand(depth - 1), operand(depth - 1)
        return pick(
            f"({left} + {right})",
            f"({left} * {right})",
            f"({left} - {right})",
            f"np.maximum({left}, {right})",
            f"np.where({left} > {right}, {left}, {right})",
            f"np.sqrt(np.abs({left}))",
        )

    lines = ["def f(x, y, a, b, c, w, t):", "    n, m = len(x), len(b)"]
    if rng.random() < 0.7:  # of which more is known
        lines = ["def f(x, y, a, b, c, w, t):", "    n = len(a) - len(w) - 5"]
        lines += ["    m, b, c = n, a[:n] * 2.0, np.ones((len(w), n))"]
        lines += ["    x, y = np.ones(n), a[2 : n + 2].copy()"]
    inner = 2
    lines.append("    for k in range(len(w)):")
    if rng.random() < 0.4:
        lines.append("        for j in range(3):")
        inner = 3
    else:
        lines.append("        j = 2")
    for _ in range(int(rng.integers(1, 4))):
        target = pick("x", "y")
        change = pick("+= ", "-= ", "[:] = 0.5 * " + target + " + ")
        lines.append("    " * inner + f"{target}{change}{operand(2)}")
    return "\n".join([*lines, "    return x, y"])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("seed", range(60))
def test_random_programs_have_the_same_bits(seed: int) -> None:
    rng = np.random.default_rng(8100 + seed)
    f = make(random_program(rng))
    n = int(rng.integers(1, 80))
    a, b, c = rng.normal(size=n + 9), rng.normal(size=n + 3), rng.normal(size=(4, n + 2))
    x, y, w = rng.normal(size=n), rng.normal(size=n), rng.normal(size=4)
    check(f, x, y, a, b, c, w, 0.75)
    check(f, b[:n], y, a, b, c, w, 0.75)  # x overlaps b
    check(f, x, x, a[::-1], b, c, w, 0.75)


def random_program_of_two_axes(rng: np.random.Generator) -> str:
    """Nests before and after the loops, perhaps in an outer loop that carries arrays."""

    def pick(*items: str) -> str:
        return items[int(rng.integers(len(items)))]

    def operand(leaves: tuple[str, ...], depth: int = 2) -> str:
        if depth == 0 or rng.random() < 0.3:
            return pick(*leaves)
        left, right = operand(leaves, depth - 1), operand(leaves, depth - 1)
        return pick(
            f"({left} + {right})", f"({left} * {right})", f"np.maximum({left}, {right})",
            f"np.where({left} > 0.3, {right}, 0.25)",
        )  # fmt: skip

    outside = (
        "a[:n, :m]",
        "a[-n:, -m:]",
        "p",
        "q",
        "b",
        "b[::-1]",
        "0.5",
        "x",
        "y",
        "q[0]",
        "x[0]",
    )
    inside = (*outside, "a[i : i + n, j : j + m]", "w[i, j]", "float(i)")
    lines = ["def f(a, w, b, p, q):"]
    lines += ["    n, m = a.shape[0] - w.shape[0] + 1, a.shape[1] - w.shape[1] + 1"]
    lines += [f"    {pick('b = b * 1', 'p = p + 0', 'q = q * 1', 'n = n + 0')}"]
    lines += [f"    x, y, r = np.zeros((n, m)), np.{pick('ones', 'zeros')}((n, m)), 0"]
    for _ in range(int(rng.integers(0, 3))):
        lines += [f"    {pick('x', 'y', 'p')}{pick('[:] =', ' +=', ' *=')} {operand(outside)}"]
    around = pick("", "", "    for t in range(2):", "    if w[0, 0] > 0.5:")
    lines += [around] if around else []
    tab = "        " if around else "    "
    if around and rng.random() < 0.7:
        lines += [tab + pick("x = np.zeros((n, m))", "y = x", "x[:] = y", "x, y = y, x", "r = x")]
    lines += [f"{tab}for i in range(w.shape[0]):", f"{tab}    for j in range(w.shape[1]):"]
    for _ in range(int(rng.integers(1, 3))):
        lines += [f"{tab}        {pick('x', 'y', 'x')} {pick('+=', '-=', '*=')} {operand(inside)}"]
    for _ in range(int(rng.integers(0, 4))):
        change = f"{pick('x', 'y', 'p')}{pick('[:] =', ' +=', ' *=')} {operand(outside)}"
        lines += [tab + pick(change, f"z = {operand(outside)} * 1", f"r = {operand(outside)} * 1")]
    if around:
        lines += [tab + pick("y = x", "x, y = y, x", "r = x", "y = x * 2", "r = y")]
    return "\n".join([*lines, "    return x, y, r, p"])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("seed", range(60))
def test_random_programs_of_two_axes_have_the_same_bits(seed: int) -> None:
    rng = np.random.default_rng(5200 + seed)
    f = make(random_program_of_two_axes(rng))
    rows, columns = (9, 40) if seed % 2 else (3, 36)
    a, w = rng.normal(size=(rows, columns)), rng.random((2, 3))
    b, p, q = (rng.normal(size=(rows - 1, columns - 2)) for _ in range(3))
    check(f, a, w, b, p, q)
    check(f, a, w, p[::-1], p, q)
    check(f, a, w, b, a[1:, : columns - 2], np.asfortranarray(q))


def test_constants_of_iterations_are_used_after_the_loop() -> None:
    check_tiled(constant_used_after, np.arange(5.0), np.ones(3))
