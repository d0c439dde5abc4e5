"""Random graphs of operations that can be inferred over symbols and run by NumPy.

A graph is built along arrays of its first sizes, so that most of its operations fit them; with
other sizes some do not, and then inference has to say so as well.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from compiler.shapes.cases import array
from shapecast import shape_rules as sr

Array = np.ndarray[Any, Any]
LARGEST = 4000  # elements of an operand


@dataclass(frozen=True)
class Step:
    text: str
    operands: tuple[int, ...]
    rule: Callable[..., Any]  # (scope, *shapes)
    numpy: Callable[..., Any]  # (*arrays)

    def run(self, arrays: Sequence[Array]) -> Array:
        return np.asarray(self.numpy(*(arrays[k] for k in self.operands)))


@dataclass
class Graph:
    inputs: list[tuple[int | str, ...]]  # numbers, and expressions of names
    values: dict[str, int]
    steps: list[Step] = field(default_factory=list)

    def __str__(self) -> str:
        count = len(self.inputs)
        steps = (f"v{count + k} = {s.text} of {s.operands}" for k, s in enumerate(self.steps))
        return "\n".join([f"inputs {self.inputs} where {self.values}", *steps])

    def infer(self, scope: sr.Scope) -> list[sr.Shape]:
        shapes = [sr.full(shape, scope=scope) for shape in self.inputs]
        for step in self.steps:
            shapes.append(step.rule(scope, *(shapes[k] for k in step.operands)))
        return shapes

    def arrays(self, values: dict[str, int]) -> list[Array]:
        return [array([number(size, values) for size in shape]) for shape in self.inputs]

    def run(self, values: dict[str, int]) -> list[tuple[int, ...]]:
        arrays = self.arrays(values)
        for step in self.steps:
            arrays.append(step.run(arrays))
        return [one.shape for one in arrays]


def number(size: int | str, values: dict[str, int]) -> int:
    """The value of the expression, as Python evaluates it."""
    return eval(size, {}, values) if isinstance(size, str) else size


Maker = Callable[[random.Random, Sequence[Array], int], "Step | None"]
MAKERS: list[Maker] = []


def maker(function: Maker) -> Maker:
    MAKERS.append(function)
    return function


def random_graph(rng: random.Random, names: Callable[[int], int | str]) -> Graph:
    """`names` gives a number a name, or keeps it."""
    pool = [rng.choice((1, 2, 2, 3, 4, 6, 8, 0)) for _ in range(3)]
    shapes = [
        [rng.choice(pool) for _ in range(rng.randint(0, 4))] for _ in range(rng.randint(1, 3))
    ]
    graph = Graph([tuple(map(names, shape)) for shape in shapes], {})
    arrays = [array(shape) for shape in shapes]
    wanted = rng.randint(2, 6)
    while len(graph.steps) < wanted:
        at = len(arrays) - 1 if rng.random() < 0.6 else rng.randrange(len(arrays))
        step = rng.choice(MAKERS)(rng, arrays, at) if arrays[at].size <= LARGEST else None
        if step is None:
            at = rng.randrange(len(shapes))
            step = expand_dims(rng, arrays, at)
        graph.steps.append(step)
        try:
            arrays.append(step.run(arrays))
        except (ValueError, IndexError):
            break  # the graph ends where its own sizes do not fit
    return graph


def partner(rng: random.Random, arrays: Sequence[Array], fits: Callable[[Array], bool]) -> int:
    """A value that fits; now and then any."""
    chosen = [k for k, one in enumerate(arrays) if fits(one) and one.size <= LARGEST]
    return rng.choice(chosen) if chosen and rng.random() < 0.95 else rng.randrange(len(arrays))


def can(call: Callable[[], Any]) -> bool:
    try:
        call()
    except (ValueError, IndexError):
        return False
    return True


# Two operands.


@maker
def add(rng: random.Random, arrays: Sequence[Array], at: int) -> Step:
    x = arrays[at]
    other = partner(rng, arrays, lambda y: can(lambda: np.broadcast_shapes(x.shape, y.shape)))
    both = (at, other) if rng.random() < 0.5 else (other, at)
    return Step("add", both, lambda s, x, y: sr.broadcast(x, y, scope=s), lambda x, y: x + y)


@maker
def add_three(rng: random.Random, arrays: Sequence[Array], at: int) -> Step:
    x = arrays[at]
    pair = [
        partner(rng, arrays, lambda y: can(lambda: np.broadcast_shapes(x.shape, y.shape)))
        for _ in range(2)
    ]
    return Step(
        "where",
        (at, *pair),
        lambda s, *shapes: sr.broadcast(*shapes, scope=s),
        lambda x, y, z: np.where(x, y, z),
    )


@maker
def matmul(rng: random.Random, arrays: Sequence[Array], at: int) -> Step:
    x = arrays[at]
    other = partner(rng, arrays, lambda y: can(lambda: x @ y))
    return Step("matmul", (at, other), lambda s, x, y: sr.matmul(x, y, scope=s), lambda x, y: x @ y)


@maker
def product_with_own_transpose(rng: random.Random, arrays: Sequence[Array], at: int) -> Step:
    return Step(
        "x @ x.T",
        (at,),
        lambda s, x: sr.matmul(x, sr.transpose(x, scope=s), scope=s),
        lambda x: x @ x.T,
    )


@maker
def einsum(rng: random.Random, arrays: Sequence[Array], at: int) -> Step:
    x = arrays[at]
    equation = rng.choice(("...i,...i->...", "i...,i...->i", "...i,j...->ij", "...,...->..."))
    other = partner(rng, arrays, lambda y: can(lambda: np.einsum(equation, x, y)))
    return Step(
        f"einsum {equation}",
        (at, other),
        lambda s, x, y: sr.einsum(equation, x, y, scope=s),
        lambda x, y: np.einsum(equation, x, y),
    )


@maker
def concat(rng: random.Random, arrays: Sequence[Array], at: int) -> Step | None:
    x = arrays[at]
    if x.ndim == 0:
        return None
    axis = rng.randrange(-x.ndim, x.ndim)
    other = partner(rng, arrays, lambda y: can(lambda: np.concatenate([x, y], axis)))
    return Step(
        f"concat {axis}",
        (at, other),
        lambda s, x, y: sr.concat([x, y], axis, scope=s),
        lambda x, y: np.concatenate([x, y], axis),
    )


@maker
def stack(rng: random.Random, arrays: Sequence[Array], at: int) -> Step:
    x = arrays[at]
    axis = rng.randint(-x.ndim - 1, x.ndim)
    other = partner(rng, arrays, lambda y: x.shape == y.shape)
    return Step(
        f"stack {axis}",
        (at, other),
        lambda s, x, y: sr.stack([x, y], axis, scope=s),
        lambda x, y: np.stack([x, y], axis),
    )


@maker
def broadcast_to_other(rng: random.Random, arrays: Sequence[Array], at: int) -> Step:
    x = arrays[at]
    other = partner(rng, arrays, lambda y: can(lambda: np.broadcast_to(x, y.shape)))
    return Step(
        "broadcast_to",
        (at, other),
        lambda s, x, y: sr.broadcast_to(x, y, scope=s),
        lambda x, y: np.broadcast_to(x, y.shape),
    )


@maker
def reshape_like(rng: random.Random, arrays: Sequence[Array], at: int) -> Step:
    x = arrays[at]
    other = partner(rng, arrays, lambda y: x.size == y.size)
    return Step(
        "reshape to the other's shape",
        (at, other),
        lambda s, x, y: sr.reshape(x, y, scope=s),
        lambda x, y: x.reshape(y.shape),
    )


@maker
def merge(rng: random.Random, arrays: Sequence[Array], at: int) -> Step:
    def assert_same(x: Array, y: Array) -> Array:
        if x.shape != y.shape:
            raise ValueError
        return x

    other = partner(rng, arrays, lambda y: arrays[at].shape == y.shape)
    return Step("merge", (at, other), lambda s, x, y: sr.merge(x, y, scope=s), assert_same)


# One operand.


@maker
def reduce(rng: random.Random, arrays: Sequence[Array], at: int) -> Step:
    rank, keepdims = arrays[at].ndim, rng.random() < 0.5
    axes = tuple(rng.sample(range(rank), rng.randint(0, rank)))
    return Step(
        f"reduce {axes} {keepdims}",
        (at,),
        lambda s, x: sr.reduce(x, axes, keepdims=keepdims, scope=s),
        lambda x: x.sum(axes, keepdims=keepdims),
    )


@maker
def transpose(rng: random.Random, arrays: Sequence[Array], at: int) -> Step:
    order = rng.sample(range(arrays[at].ndim), arrays[at].ndim)
    return Step(
        f"transpose {order}",
        (at,),
        lambda s, x: sr.transpose(x, order, scope=s),
        lambda x: x.transpose(order),
    )


@maker
def expand_dims(rng: random.Random, arrays: Sequence[Array], at: int) -> Step:
    axis = rng.randint(-arrays[at].ndim - 1, arrays[at].ndim)
    return Step(
        f"expand_dims {axis}",
        (at,),
        lambda s, x: sr.expand_dims(x, axis, scope=s),
        lambda x: np.expand_dims(x, axis),
    )


@maker
def squeeze(rng: random.Random, arrays: Sequence[Array], at: int) -> Step | None:
    ones = [axis for axis, size in enumerate(arrays[at].shape) if size == 1]
    if not ones:
        return None
    axes = tuple(rng.sample(ones, rng.randint(1, len(ones))))
    return Step(
        f"squeeze {axes}",
        (at,),
        lambda s, x: sr.squeeze(x, axes, scope=s),
        lambda x: np.squeeze(x, axes),
    )


@maker
def join_axes(rng: random.Random, arrays: Sequence[Array], at: int) -> Step | None:
    """Two axes into one, whose size is their product or -1."""
    if arrays[at].ndim < 2:
        return None
    axis, found = rng.randrange(arrays[at].ndim - 1), rng.random() < 0.5

    def to(shape: Sequence[Any]) -> list[Any]:
        size = -1 if found else shape[axis] * shape[axis + 1]
        return [*shape[:axis], size, *shape[axis + 2 :]]

    return Step(
        f"join axes {axis} {found}",
        (at,),
        lambda s, x: sr.reshape(x, to(x), scope=s),
        lambda x: x.reshape(to(x.shape)),
    )


@maker
def cut_axis(rng: random.Random, arrays: Sequence[Array], at: int) -> Step | None:
    """One axis into two: one a number, the other -1 or the quotient."""
    shape = arrays[at].shape
    if not shape:
        return None
    axis = rng.randrange(len(shape))
    factors = [f for f in (1, 2, 3, 4) if shape[axis] % f == 0]
    factor, found = rng.choice(factors), rng.random() < 0.5
    before = rng.random() < 0.5

    def to(shape: Sequence[Any]) -> list[Any]:
        rest = -1 if found else shape[axis] // factor
        return [*shape[:axis], *((rest, factor) if before else (factor, rest)), *shape[axis + 1 :]]

    return Step(
        f"cut axis {axis} {factor} {found} {before}",
        (at,),
        lambda s, x: sr.reshape(x, to(x), scope=s),
        lambda x: x.reshape(to(x.shape)),
    )


@maker
def flat(rng: random.Random, arrays: Sequence[Array], at: int) -> Step:
    return Step(
        "reshape -1", (at,), lambda s, x: sr.reshape(x, (-1,), scope=s), lambda x: x.reshape(-1)
    )


@maker
def split(rng: random.Random, arrays: Sequence[Array], at: int) -> Step | None:
    shape = arrays[at].shape
    if not shape:
        return None
    axis, uneven = rng.randrange(len(shape)), rng.random() < 0.5
    parts = rng.choice([p for p in (1, 2, 3) if uneven or shape[axis] % p == 0])
    part = rng.randrange(parts)
    cut = np.array_split if uneven else np.split
    return Step(
        f"part {part} of split {parts} {axis} {uneven}",
        (at,),
        lambda s, x: sr.split(x, parts, axis, uneven=uneven, scope=s)[part],
        lambda x: cut(x, parts, axis)[part],
    )


@maker
def tile(rng: random.Random, arrays: Sequence[Array], at: int) -> Step:
    counts = [rng.choice((0, 1, 1, 2, 2)) for _ in range(rng.randint(0, arrays[at].ndim + 1))]
    return Step(
        f"tile {counts}",
        (at,),
        lambda s, x: sr.tile(x, counts, scope=s),
        lambda x: np.tile(x, counts),
    )


@maker
def pad(rng: random.Random, arrays: Sequence[Array], at: int) -> Step:
    before, after = ([rng.randint(0, 2) for _ in arrays[at].shape] for _ in range(2))
    return Step(
        f"pad {before} {after}",
        (at,),
        lambda s, x: sr.pad(x, before, after, scope=s),
        lambda x: np.pad(x, list(zip(before, after))) if x.ndim else x,
    )


@maker
def index(rng: random.Random, arrays: Sequence[Array], at: int) -> Step:
    key: list[Any] = []
    for size in arrays[at].shape[: rng.randint(0, arrays[at].ndim)]:
        ends = [rng.choice((None, rng.randint(-5, 5))) for _ in range(2)]
        cut = slice(*ends, rng.choice((None, 1, 2, -1, -2)))
        key.append(rng.randrange(-size, size) if size and rng.random() < 0.3 else cut)
    key += rng.choice(([], [], [None], [..., None]))
    return Step(
        f"index {key}",
        (at,),
        lambda s, x: sr.index(x, tuple(key), scope=s),
        lambda x: x[tuple(key)],
    )


@maker
def without_first_and_last(rng: random.Random, arrays: Sequence[Array], at: int) -> Step | None:
    """x[1:] + x[:-1] and the like: slices that have one size whatever it is."""
    if arrays[at].ndim == 0:
        return None
    n = rng.randint(1, 2)
    return Step(
        f"x[{n}:] + x[:-{n}]",
        (at,),
        lambda s, x: sr.broadcast(
            sr.index(x, np.s_[n:], scope=s), sr.index(x, np.s_[:-n], scope=s), scope=s
        ),
        lambda x: x[n:] + x[:-n],
    )


@maker
def slide(rng: random.Random, arrays: Sequence[Array], at: int) -> Step | None:
    """A window over the last axis, with a stride."""
    shape = arrays[at].shape
    if not shape or shape[-1] == 0:
        return None
    window, stride = rng.randint(1, min(3, shape[-1])), rng.randint(1, 2)

    def rule(s: sr.Scope, x: sr.Shape) -> sr.Shape:
        pooled = sr.pool((1, 1, x[-1]), (window,), strides=stride, padding="valid", scope=s)
        return s.shape((*x[:-1], pooled[2]))

    def numpy(x: Array) -> Array:
        return np.lib.stride_tricks.sliding_window_view(x, window, -1)[..., ::stride, 0]

    return Step(f"windows {window} {stride}", (at,), rule, numpy)


@maker
def count_to_size(rng: random.Random, arrays: Sequence[Array], at: int) -> Step | None:
    """numpy.arange up to a size of the operand, down from it, or to the number of its elements."""
    if arrays[at].ndim == 0:
        return None
    axis, step = rng.randrange(arrays[at].ndim), rng.choice((1, 2, 3, -1, -2))
    first, last = rng.randint(-2, 3), rng.choice((1, 1, 2))

    def bounds(size: Any) -> tuple[Any, Any]:
        return (first, size * last) if step > 0 else (size * last, first)

    return Step(
        f"arange {axis} {first} {last} {step}",
        (at,),
        lambda s, x: sr.arange(*bounds(x[axis]), step, scope=s),
        lambda x: np.arange(*bounds(x.shape[axis]), step).astype(np.int8),
    )


@maker
def same_pool(rng: random.Random, arrays: Sequence[Array], at: int) -> Step | None:
    """Every second element, by a window with the padding "same"."""
    if arrays[at].ndim == 0:
        return None
    stride = rng.randint(1, 3)

    def rule(s: sr.Scope, x: sr.Shape) -> sr.Shape:
        pooled = sr.pool((1, 1, x[-1]), (3,), strides=stride, padding="same_upper", scope=s)
        return s.shape((*x[:-1], pooled[2]))

    return Step(f"same windows {stride}", (at,), rule, lambda x: x[..., ::stride])


@maker
def zero_between(rng: random.Random, arrays: Sequence[Array], at: int) -> Step | None:
    """A transposed convolution: the elements two apart, and room for the window after the last."""
    if arrays[at].ndim == 0 or arrays[at].shape[-1] == 0:
        return None
    window = rng.randint(1, 3)

    def rule(s: sr.Scope, x: sr.Shape) -> sr.Shape:
        wide = sr.conv_transpose((1, 1, x[-1]), (1, 1, window), strides=2, scope=s)
        s.require(x[-1], ">=", 1)
        return s.shape((*x[:-1], wide[2]))

    def numpy(x: Array) -> Array:
        if x.shape[-1] == 0:
            raise ValueError
        return array((*x.shape[:-1], 2 * (x.shape[-1] - 1) + window))

    return Step(f"zeros between {window}", (at,), rule, numpy)
