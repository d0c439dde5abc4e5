"""Random calls of the rules that NumPy has no function for: windows counted one by one."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from compiler.shapes.cases import Case, Numbers, a_shape, an_axis, disturbed, generator
from shapecast import shape_rules as sr

Pairs = list[tuple[int, int]]


def fits(condition: bool) -> None:
    if not condition:
        raise ValueError


def begins(n: int, window: int, stride: int, dilation: int, padding: Any, ceil: bool) -> list[int]:
    """Where windows begin, along an axis of n elements after the padding at its begin."""
    fits(window >= 1 and stride >= 1 and dilation >= 1)
    if isinstance(padding, str) and padding != "valid":
        return list(range(0, n, stride))
    before, after = (0, 0) if padding == "valid" else padding
    fits(before >= 0 and after >= 0)
    end, last = before + n + after, (window - 1) * dilation
    fits(last < end)
    inside = [p for p in range(0, end, stride) if p + last < end]
    if not ceil:
        return inside
    left_over = inside[-1] + last + 1 < end
    inside += [inside[-1] + stride] * left_over
    return [p for p in inside if p < before + n]


def a_window(rng: random.Random, axes: int) -> dict[str, Any]:
    """Strides, dilations and padding, as numbers for all axes or for each."""
    many = rng.random() < 0.6
    options: dict[str, Any] = {}
    for name, values in (("strides", (1, 1, 2, 3)), ("dilations", (1, 1, 1, 2))):
        value = rng.choice(values) if rng.random() < 0.98 else 0
        options[name] = [rng.choice(values) for _ in range(axes)] if many else value
    pairs = [(rng.randint(0, 3), rng.randint(0, 3)) for _ in range(axes)]
    kinds = ("valid", "same_upper", "same_lower", pairs, pairs, rng.randint(0, 2))
    options["padding"] = rng.choice(kinds) if rng.random() < 0.98 else -1
    return options


def per_axis(options: dict[str, Any], axes: int) -> list[tuple[int, int, Any]]:
    """(stride, dilation, padding) of each axis."""

    def spread(value: Any) -> list[Any]:
        return value if isinstance(value, list) else [value] * axes

    padding = options["padding"]
    if isinstance(padding, int):
        padding = (padding, padding)
    return list(zip(spread(options["strides"]), spread(options["dilations"]), spread(padding)))


def some_groups(rng: random.Random) -> tuple[int, int, int]:
    """Groups, and sizes that they make: of each group, and of all."""
    groups, each = rng.choice((1, 1, 1, 2, 3)), rng.randint(1, 3)
    return groups, each, groups * each


@generator
def conv(rng: random.Random) -> Case:
    axes = rng.randint(1, 3)
    groups, each, channels = some_groups(rng)
    x = (rng.randint(0, 2), channels, *(rng.choice((0, 1, 3, 4, 5, 8)) for _ in range(axes)))
    window = [rng.choice((1, 1, 2, 2, 3, 0)) for _ in range(axes)]
    w = (groups * rng.randint(1, 3), each, *window)
    options = a_window(rng, axes)

    def count(x: Numbers, w: Numbers) -> Numbers:
        fits(len(x) == len(w) == axes + 2)
        fits(x[1] == groups * w[1] and w[0] % groups == 0)
        spatial = (
            len(begins(n, k, *given, ceil=False))
            for n, k, given in zip(x[2:], w[2:], per_axis(options, axes))
        )
        return (x[0], w[0], *spatial)

    return Case(
        f"conv {options} {groups}",
        lambda s, x, w: sr.conv(x, w, groups=groups, scope=s, **options),
        count,
        (disturbed(rng, x, 0.1), disturbed(rng, w, 0.1)),
    )


@generator
def pool(rng: random.Random) -> Case:
    axes, ceil = rng.randint(1, 3), rng.random() < 0.5
    x = (rng.randint(0, 2), rng.randint(0, 3), *(rng.randint(0, 9) for _ in range(axes)))
    window = tuple(rng.choice((1, 2, 2, 3, 3)) for _ in range(axes))
    options = a_window(rng, axes)

    def count(x: Numbers, window: Numbers) -> Numbers:
        spatial = (
            len(begins(n, k, *given, ceil=ceil))
            for n, k, given in zip(x[2:], window, per_axis(options, axes))
        )
        return (*x[:2], *spatial)

    return Case(
        f"pool {options} {ceil}",
        lambda s, x, window: sr.pool(x, window, ceil=ceil, scope=s, **options),
        count,
        (x, window),
    )


@generator
def conv_transpose(rng: random.Random) -> Case:
    """Each element is scattered through the window: the indices from the first to the last."""
    axes = rng.randint(1, 3)
    groups, each, channels = some_groups(rng)
    x = (rng.randint(0, 2), channels, *(rng.randint(1, 5) for _ in range(axes)))
    w = (channels, each, *(rng.randint(1, 3) for _ in range(axes)))
    options, more = a_window(rng, axes), rng.choice((0, 0, 1))
    if isinstance(options["padding"], str):
        options["padding"] = rng.choice(("valid", "same_upper", "same_lower"))

    def written(n: int, k: int, stride: int, dilation: int, padding: Any) -> int:
        fits(stride >= 1 and dilation >= 1)
        if isinstance(padding, str) and padding != "valid":
            return n * stride
        before, after = (0, 0) if padding == "valid" else padding
        fits(before >= 0 and after >= 0)
        targets = [i * stride + j * dilation for i in range(n) for j in range(k)]
        left = max(targets) + 1 + more - before - after
        fits(left >= 0)
        return left

    def count(x: Numbers, w: Numbers) -> Numbers:
        fits(x[1] == w[0] and x[1] % groups == 0)
        given = per_axis(options, axes)
        spatial = (written(n, k, *one) for n, k, one in zip(x[2:], w[2:], given))
        return (x[0], w[1] * groups, *spatial)

    return Case(
        f"conv_transpose {options} {groups}",
        lambda s, x, w: sr.conv_transpose(
            x, w, groups=groups, output_padding=more, scope=s, **options
        ),
        count,
        (x, w),
    )


@generator
def resize(rng: random.Random) -> Case:
    shape = a_shape(rng, 1, 4)
    scales = [rng.choice((1, 2, 0.5, 1.51, 2.25, Fraction(2, 3))) for _ in shape]
    return Case(
        f"resize {scales}",
        lambda s, x: sr.resize(x, scales, scope=s),
        lambda x: tuple(int(n * Fraction(scale)) for n, scale in zip(x, scales)),
        (shape,),
    )


@generator
def scatter(rng: random.Random) -> Case:
    shape = a_shape(rng, 1, 3)
    axis = an_axis(rng, len(shape))
    indices = tuple(rng.randint(0, size) for size in shape)
    if rng.random() < 0.3:
        indices = disturbed(rng, indices, 0.5)

    def numpy(x: Numbers, indices: Numbers, updates: Numbers) -> Numbers:
        fits(-len(x) <= axis < len(x) and len(indices) == len(x) and indices == updates)
        fits(all(i <= n for k, (i, n) in enumerate(zip(indices, x)) if k != axis % len(x)))
        return x

    return Case(
        f"scatter {axis}",
        lambda s, x, indices, updates: sr.scatter(x, indices, updates, axis, scope=s),
        numpy,
        (shape, indices, disturbed(rng, indices, 0.1)),
    )


@generator
def recurrent(rng: random.Random) -> Case:
    cell, gates = rng.choice((("rnn", 1), ("gru", 3), ("lstm", 4)))
    directions, batch_first = rng.randint(1, 2), rng.random() < 0.5
    first, second, features, hidden = (rng.randint(0, 4) for _ in range(4))
    w, r = (directions, gates * hidden, features), (directions, gates * hidden, hidden)

    def states(x: Numbers, w: Numbers, r: Numbers) -> list[Numbers]:
        fits(len(x) == len(w) == len(r) == 3)
        size = r[2]
        fits(w == (directions, gates * size, x[2]) and r[:2] == (directions, gates * size))
        if batch_first:
            return [(*x[:2], directions, size), (x[0], directions, size)]
        return [(x[0], directions, x[1], size), (directions, x[1], size)]

    def rule(s: sr.Scope, x: Any, w: Any, r: Any) -> list[Any]:
        given = {"directions": directions, "batch_first": batch_first}
        return list(sr.recurrent(cell, x, w, r, scope=s, **given))

    return Case(
        f"{cell} {directions} {batch_first}",
        rule,
        states,
        ((first, second, features), disturbed(rng, w, 0.1), disturbed(rng, r, 0.1)),
    )
