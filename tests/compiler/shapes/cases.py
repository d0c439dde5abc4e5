"""Random calls of one rule each, with the results of NumPy (or of plain Python).

A case has shapes of numbers. `rule` takes them, or the same with symbols for some of the numbers,
`numpy` takes the numbers and gives the shape (or list of shapes) of the result, or raises.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from shapecast import shape_rules as sr

Numbers = tuple[int, ...]
SIZES = (0, 1, 1, 2, 2, 3, 3, 4, 5, 7)


@dataclass(frozen=True)
class Case:
    text: str
    rule: Callable[..., Any]  # (scope, *shapes)
    numpy: Callable[..., Any]  # (*shapes)
    shapes: tuple[Numbers, ...]
    signed: bool = False  # negative numbers may be expressions too, not only numbers
    plain: bool = False  # names only: an expression's sign is not known


Generator = Callable[[random.Random], Case]
GENERATORS: list[Generator] = []


def generator(function: Generator) -> Generator:
    GENERATORS.append(function)
    return function


def array(shape: Sequence[int]) -> np.ndarray[Any, Any]:
    return np.zeros(shape, np.int8)


def a_shape(rng: random.Random, low: int = 0, high: int = 4) -> Numbers:
    return tuple(rng.choice(SIZES) for _ in range(rng.randint(low, high)))


def disturbed(rng: random.Random, shape: Numbers, chance: float = 0.2) -> Numbers:
    """The shape, sometimes with another size, or with one axis more or less."""
    sizes = list(shape)
    if rng.random() < chance and sizes:
        sizes[rng.randrange(len(sizes))] = rng.choice(SIZES)
    if rng.random() < chance / 4:
        sizes = sizes[1:] if rng.random() < 0.5 else [rng.choice(SIZES), *sizes]
    return tuple(sizes)


def stretchable(rng: random.Random, shape: Numbers) -> Numbers:
    """A shape that broadcasts to this one: some sizes are 1, some leading axes missing."""
    sizes = [1 if rng.random() < 0.3 else size for size in shape]
    return tuple(sizes[rng.choice((0, 0, rng.randint(0, len(sizes)))) :])


def an_axis(rng: random.Random, rank: int) -> int:
    """Mostly one that exists."""
    if rank and rng.random() < 0.95:
        return rng.randint(-rank, rank - 1)
    return rng.choice((rank, -rank - 1, rank + 2))


def some_axes(rng: random.Random, rank: int) -> tuple[int, ...]:
    """Mostly different ones that exist, some of them counted from the end."""
    if rng.random() < 0.1:
        return tuple(an_axis(rng, rank) for _ in range(rng.randint(0, 3)))
    axes = rng.sample(range(rank), rng.randint(0, rank))
    return tuple(axis - rank * (rng.random() < 0.3) for axis in axes)


# Element-wise, products.


@generator
def broadcast(rng: random.Random) -> Case:
    result = a_shape(rng)
    shapes = tuple(disturbed(rng, stretchable(rng, result), 0.1) for _ in range(rng.randint(1, 4)))
    return Case(
        "broadcast",
        lambda s, *shapes: sr.broadcast(*shapes, scope=s),
        lambda *shapes: np.broadcast_shapes(*shapes),
        shapes,
    )


@generator
def broadcast_to(rng: random.Random) -> Case:
    to = a_shape(rng)
    return Case(
        "broadcast_to",
        lambda s, x, to: sr.broadcast_to(x, to, scope=s),
        lambda x, to: np.broadcast_to(array(x), to).shape,
        (disturbed(rng, stretchable(rng, to)), to),
    )


@generator
def matmul(rng: random.Random) -> Case:
    batch = a_shape(rng, 0, 2)
    n, k, m = (rng.choice(SIZES) for _ in range(3))
    a = (k,) if rng.random() < 0.2 else (*stretchable(rng, batch), n, k)
    b = (k,) if rng.random() < 0.2 else (*stretchable(rng, batch), k, m)
    return Case(
        "matmul",
        lambda s, a, b: sr.matmul(a, b, scope=s),
        lambda a, b: np.matmul(array(a), array(b)).shape,
        (disturbed(rng, a, 0.15), disturbed(rng, b, 0.15)),
    )


@generator
def gemm(rng: random.Random) -> Case:
    n, k, m = (rng.choice(SIZES) for _ in range(3))
    left, right = rng.random() < 0.5, rng.random() < 0.5
    a, b = (k, n) if left else (n, k), (m, k) if right else (k, m)
    c = disturbed(rng, stretchable(rng, (n, m)), 0.1)

    def numpy(a: Numbers, b: Numbers, c: Numbers) -> Numbers:
        product = (array(a).T if left else array(a)) @ (array(b).T if right else array(b))
        product += array(c)
        return product.shape

    return Case(
        f"gemm {left} {right}",
        lambda s, a, b, c: sr.gemm(a, b, c, transpose_a=left, transpose_b=right, scope=s),
        numpy,
        (
            tuple(rng.choice((*SIZES, size, size)) if rng.random() < 0.1 else size for size in a),
            b,
            c,
        ),
    )


EQUATIONS = (
    "ij,jk->ik",
    "ij,jk",
    "ij,kj->ik",
    "ij->ji",
    "ji",
    "ii->i",
    "ii",
    "iij->j",
    "i,j->ij",
    "i,i->",
    "i,i",
    "ijk,ikl->ijl",
    "bij,bjk->bik",
    "...ij,...jk->...ik",
    "...ij,...jk",
    "...i->i...",
    "...,...->...",
    "...,...,...",
    "i...j->...",
    "i...->...",
    "...ii->...i",
    "a...,...a->...",
    "ab,bc,cd->ad",
    "abc,abd->cd",
    "ij,ij,ij->i",
    "ij,j,i->",
    "->",
    ",ij->ij",
    " i j , j k -> i k ",
    "iJ,Jk->ki",
    "ij->k",
    "ij->ii",
    "i.j->ij",
    "i1->i",
    "......->...",
    "i,->",
    "i,j,k->kji",
    "i...,j->j",
)


@generator
def einsum(rng: random.Random) -> Case:
    equation = rng.choice(EQUATIONS) if rng.random() < 0.6 else _random_equation(rng)
    size = {label: rng.choice(SIZES) for label in "abcdijklJ"}
    batch = a_shape(rng, 0, 2)
    shapes = []
    for term in equation.replace(" ", "").partition("->")[0].split(","):
        labels = term.replace("...", ".")
        shape: list[int] = []
        for label in labels:
            shape += stretchable(rng, batch) if label == "." else [size.get(label, 2)]
        shapes.append(disturbed(rng, tuple(shape), 0.06))
    if rng.random() < 0.04:
        shapes.append(())
    return Case(
        f"einsum {equation!r}",
        lambda s, *shapes: sr.einsum(equation, *shapes, scope=s),
        lambda *shapes: np.einsum(equation, *map(array, shapes)).shape,
        tuple(shapes),
    )


def _random_equation(rng: random.Random) -> str:
    def term() -> str:
        labels = [rng.choice("abcd") for _ in range(rng.randint(0, 3))]
        if rng.random() < 0.3:
            labels.insert(rng.randint(0, len(labels)), "...")
        return "".join(labels)

    terms = ",".join(term() for _ in range(rng.randint(1, 3)))
    if rng.random() < 0.3:
        return terms
    labels = sorted(set(terms) - set(",."))
    output = rng.sample(labels, rng.randint(0, len(labels)))
    if "..." in terms and rng.random() < 0.9:
        output.insert(rng.randint(0, len(output)), "...")
    return terms + "->" + "".join(output)


# Axes.


@generator
def reduce(rng: random.Random) -> Case:
    shape = a_shape(rng, 1)
    axis = rng.choice((None, an_axis(rng, len(shape)), some_axes(rng, len(shape))))
    keepdims = rng.random() < 0.5
    return Case(
        f"reduce {axis} {keepdims}",
        lambda s, x: sr.reduce(x, axis, keepdims=keepdims, scope=s),
        lambda x: np.sum(array(x), axis=axis, keepdims=keepdims).shape,
        (shape,),
    )


@generator
def scan(rng: random.Random) -> Case:
    shape = a_shape(rng, 1)
    axis = an_axis(rng, len(shape))
    return Case(
        f"scan {axis}",
        lambda s, x: sr.scan(x, axis, scope=s),
        lambda x: np.cumsum(array(x), axis).shape,
        (shape,),
    )


@generator
def transpose(rng: random.Random) -> Case:
    shape = a_shape(rng)
    rank = len(shape)
    order = rng.sample(range(rank), rank)
    axes = rng.choice((None, [axis - rank * (rng.random() < 0.3) for axis in order]))
    if axes and rng.random() < 0.1:
        axes[0] = rng.choice((axes[-1], rank, -rank - 1))
    if axes and rng.random() < 0.05:
        axes = axes[1:]
    return Case(
        f"transpose {axes}",
        lambda s, x: sr.transpose(x, axes, scope=s),
        lambda x: np.transpose(array(x), axes).shape,
        (shape,),
    )


@generator
def squeeze(rng: random.Random) -> Case:
    shape = tuple(1 if rng.random() < 0.4 else size for size in a_shape(rng, 1))
    ones = tuple(i for i, size in enumerate(shape) if size == 1)
    few = tuple(rng.sample(ones, rng.randint(0, len(ones))))
    axis = rng.choice((None, few, few, an_axis(rng, len(shape)), some_axes(rng, len(shape))))
    return Case(
        f"squeeze {axis}",
        lambda s, x: sr.squeeze(x, axis, scope=s),
        lambda x: np.squeeze(array(x), axis).shape,
        (shape,),
    )


@generator
def expand_dims(rng: random.Random) -> Case:
    shape = a_shape(rng, 0, 3)
    count = rng.randint(0, 3)
    rank = len(shape) + count
    axes = tuple(a - rank * (rng.random() < 0.4) for a in rng.sample(range(rank), count))
    axis = rng.choice((axes, an_axis(rng, len(shape) + 1), (*axes, an_axis(rng, rank + 1))))
    return Case(
        f"expand_dims {axis}",
        lambda s, x: sr.expand_dims(x, axis, scope=s),
        lambda x: np.expand_dims(array(x), axis).shape,
        (shape,),
    )


@generator
def flatten(rng: random.Random) -> Case:
    shape = a_shape(rng, 1)
    axis = rng.randint(-len(shape), len(shape))
    at = axis if axis >= 0 else axis + len(shape)
    return Case(
        f"flatten {axis}",
        lambda s, x: sr.flatten(x, axis, scope=s),
        lambda x: (math.prod(x[:at]), math.prod(x[at:])),
        (shape,),
    )


# Reshapes, joining, cutting.


@generator
def reshape(rng: random.Random) -> Case:
    shape = a_shape(rng)
    to = list(_regrouped(rng, shape))
    if to and rng.random() < 0.5:
        to[rng.randrange(len(to))] = -1
    if to and rng.random() < 0.15:
        to[rng.randrange(len(to))] = rng.choice((-1, *SIZES))
    return Case(
        "reshape",
        lambda s, x, to: sr.reshape(x, to, scope=s),
        lambda x, to: np.reshape(array(x), to).shape,
        (shape, tuple(to)),
    )


def _regrouped(rng: random.Random, shape: Numbers) -> Numbers:
    """Another shape of as many elements: factors moved, ones put in."""
    sizes = list(shape)
    for _ in range(rng.randint(0, 3)):
        if len(sizes) > 1 and rng.random() < 0.5:
            at = rng.randrange(len(sizes) - 1)
            sizes[at : at + 2] = [sizes[at] * sizes[at + 1]]
        elif sizes:
            at = rng.randrange(len(sizes))
            factors = [f for f in range(1, sizes[at] + 1) if sizes[at] % f == 0] or [1]
            factor = rng.choice(factors)
            sizes[at : at + 1] = [factor, sizes[at] // factor]
        else:
            sizes = [1]
    rng.shuffle(sizes)
    return tuple(sizes)


@generator
def concat(rng: random.Random) -> Case:
    shape = a_shape(rng, rng.choice((0, 1, 1, 1)), 3)
    axis = an_axis(rng, len(shape))
    shapes = []
    for _ in range(rng.randint(1, 4)):
        sizes = list(shape)
        if -len(shape) <= axis < len(shape):
            sizes[axis] = rng.choice(SIZES)
        shapes.append(disturbed(rng, tuple(sizes), 0.06))
    return Case(
        f"concat {axis}",
        lambda s, *shapes: sr.concat(shapes, axis, scope=s),
        lambda *shapes: np.concatenate([array(shape) for shape in shapes], axis).shape,
        tuple(shapes),
    )


@generator
def stack(rng: random.Random) -> Case:
    shape = a_shape(rng, 0, 3)
    axis = an_axis(rng, len(shape) + 1)
    shapes = tuple(disturbed(rng, shape, 0.08) for _ in range(rng.randint(1, 3)))
    return Case(
        f"stack {axis}",
        lambda s, *shapes: sr.stack(shapes, axis, scope=s),
        lambda *shapes: np.stack([array(shape) for shape in shapes], axis).shape,
        shapes,
    )


@generator
def split_equally(rng: random.Random) -> Case:
    shape = a_shape(rng, 1, 3)
    axis, parts, uneven = (
        an_axis(rng, len(shape)),
        rng.choice((0, 1, 2, 2, 3, 4)),
        rng.random() < 0.5,
    )
    # numpy.array_split says IndexError of an axis that numpy.split says AxisError of.
    cut = np.array_split if uneven else np.split
    return Case(
        f"split {parts} {axis} {uneven}",
        lambda s, x: sr.split(x, parts, axis, uneven=uneven, scope=s),
        lambda x: [part.shape for part in cut(array(x), parts, axis)],
        (shape,),
    )


@generator
def split_sizes(rng: random.Random) -> Case:
    sizes = tuple(rng.choice(SIZES) for _ in range(rng.randint(1, 3)))
    shape = list(a_shape(rng, 1, 3))
    axis = rng.randrange(len(shape))
    shape[axis] = sum(sizes) + (rng.random() < 0.1)

    def numpy(x: Numbers, sizes: Numbers) -> list[Numbers]:
        if sum(sizes) != x[axis]:
            raise ValueError
        return [p.shape for p in np.split(array(x), np.cumsum(sizes)[:-1], axis)]

    return Case(
        f"split into sizes {axis}",
        lambda s, x, sizes: sr.split(x, sizes, axis, scope=s),
        numpy,
        (tuple(shape), sizes),
    )


@generator
def tile(rng: random.Random) -> Case:
    shape, counts = a_shape(rng, 0, 3), a_shape(rng, 0, 3)
    if rng.random() < 0.1 and 0 not in shape:
        counts = (*counts, -1)
    return Case(
        "tile",
        lambda s, x, counts: sr.tile(x, counts, scope=s),
        lambda x, counts: np.tile(array(x), counts).shape,
        (shape, counts),
        signed=True,
    )


@generator
def pad(rng: random.Random) -> Case:
    shape = a_shape(rng, 1, 3)
    before, after = ([rng.choice(SIZES) for _ in shape] for _ in range(2))
    if rng.random() < 0.1:
        before[0] = -1
    return Case(
        "pad",
        lambda s, x, before, after: sr.pad(x, before, after, scope=s),
        lambda x, before, after: np.pad(array(x), list(zip(before, after))).shape,
        (shape, tuple(before), tuple(after)),
        signed=True,
    )


# Indexing.


@generator
def index(rng: random.Random) -> Case:
    """Keys of numbers, and of symbols, whose values are in a second shape."""
    shape = a_shape(rng, 0, 4)
    values: list[int] = []

    def bound(low: int, high: int, is_slice: bool = False) -> Callable[[Any], Any]:
        value = rng.randint(low, high)
        if rng.random() < 0.5 or (value < 0 and not is_slice):
            return lambda given: value
        place = len(values)
        values.append(value)
        return lambda given: given[place]

    def a_slice() -> Callable[[Any], Any]:
        start, stop = (rng.choice((lambda given: None, bound(-8, 8, True))) for _ in range(2))
        step = rng.choice((None, 1, 2, 3, -1, -2, -3))
        return lambda given: slice(start(given), stop(given), step)

    keys: list[Callable[[Any], Any]] = []
    for size in shape[: rng.randint(0, len(shape))]:
        near = rng.random() < 0.9 and size > 0
        an_int = bound(-size, size - 1) if near else bound(-8, 8)
        keys.append(rng.choice((an_int, a_slice(), a_slice())))
    for extra in rng.choices((None, ..., 0), (4, 3, 0.3), k=rng.randint(0, 2)):
        keys.insert(rng.randint(0, len(keys)), lambda given, extra=extra: extra)

    def key(given: Any) -> tuple[Any, ...]:
        return tuple(one(given) for one in keys)

    return Case(
        f"index {key(values)}",
        lambda s, x, given: sr.index(x, key(given), scope=s),
        lambda x, given: array(x)[key(given)].shape,
        (shape, tuple(values)),
        signed=True,
    )


@generator
def arange(rng: random.Random) -> Case:
    start, stop = rng.randint(-9, 9), rng.randint(-9, 9)
    step = rng.choice((-3, -2, -1, 1, 1, 2, 3, 0))
    return Case(
        f"arange {step}",
        lambda s, bounds: sr.arange(*bounds, step, scope=s),
        lambda bounds: np.arange(*bounds, step).shape,
        ((start, stop),),
        signed=True,
    )


@generator
def arange_of_symbolic_step(rng: random.Random) -> Case:
    sign = rng.choice((1, -1))
    return Case(
        f"arange {sign} * step",
        lambda s, given: sr.arange(given[0], given[1], s.size(given[2]) * sign, scope=s),
        lambda given: np.arange(given[0], given[1], given[2] * sign).shape,
        ((rng.randint(0, 9), rng.randint(0, 9), rng.choice((1, 1, 2, 3, 0))),),
        plain=True,
    )


@generator
def take(rng: random.Random) -> Case:
    shape, axis = a_shape(rng, 1, 3), an_axis(rng, 2)
    if 0 in shape:  # every index is out of bounds
        shape = tuple(max(1, size) for size in shape)
    return Case(
        f"take {axis}",
        lambda s, x, indices: sr.take(x, indices, axis, scope=s),
        lambda x, indices: np.take(array(x), np.zeros(indices, int), axis).shape,
        (shape, a_shape(rng, 0, 2)),
    )


@generator
def gather_nd(rng: random.Random) -> Case:
    shape = tuple(max(1, size) for size in a_shape(rng, 1, 3))
    picked = rng.randint(1, len(shape) + (rng.random() < 0.1))
    return Case(
        f"gather_nd {picked}",
        lambda s, x, rows: sr.gather_nd(x, (*rows, picked), scope=s),
        lambda x, rows: array(x)[tuple(np.zeros((picked, *rows), int))].shape,
        (shape, a_shape(rng, 0, 2)),
    )


@generator
def compress(rng: random.Random) -> Case:
    shape, axis = a_shape(rng, 1, 3), rng.choice((None, an_axis(rng, 2)))
    along = math.prod(shape) if axis is None else shape[axis % len(shape)]
    count = rng.randint(0, along)

    def numpy(x: Numbers, count: Numbers) -> Numbers:
        return np.compress(np.arange(along) < count[0], array(x), axis).shape

    return Case(
        f"compress {axis}",
        lambda s, x, count: sr.compress(x, axis, *count, scope=s),
        numpy,
        (shape, (count,)),
    )


@generator
def top_k(rng: random.Random) -> Case:
    shape = a_shape(rng, 1, 3)
    axis = an_axis(rng, len(shape))

    def numpy(x: Numbers, count: Numbers) -> Numbers:
        (k,) = count
        if not 0 <= k <= array(x).shape[axis]:
            raise ValueError
        return np.take(array(x), range(k), axis).shape

    return Case(
        f"top_k {axis}",
        lambda s, x, count: sr.top_k(x, *count, axis, scope=s),
        numpy,
        (shape, (rng.choice((0, 1, 1, 2, 2, 3, 9, -1)),)),
        signed=True,
    )


@generator
def one_hot(rng: random.Random) -> Case:
    shape = a_shape(rng, 0, 3)
    axis = an_axis(rng, len(shape) + 1)
    return Case(
        f"one_hot {axis}",
        lambda s, x, depth: sr.one_hot(x, *depth, axis, scope=s),
        lambda x, depth: np.repeat(np.expand_dims(array(x), axis), *depth, axis).shape,
        (shape, (rng.choice((0, 1, 2, 5)),)),
        signed=True,
    )


@generator
def full(rng: random.Random) -> Case:
    sizes = a_shape(rng, 0, 3) + (-1,) * (rng.random() < 0.1)
    return Case(
        "full",
        lambda s, sizes: sr.full(sizes, scope=s),
        lambda sizes: np.zeros(sizes).shape,
        (sizes,),
        signed=True,
    )


@generator
def scatter_nd(rng: random.Random) -> Case:
    shape = tuple(max(1, size) for size in a_shape(rng, 1, 3))
    picked, rows = rng.randint(1, len(shape)), a_shape(rng, 0, 2)
    updates = disturbed(rng, rows + shape[picked:], 0.1)

    def numpy(x: Numbers, rows: Numbers, updates: Numbers) -> Numbers:
        if array(x)[tuple(np.zeros((picked, *rows), int))].shape != updates:
            raise ValueError
        return x

    return Case(
        f"scatter_nd {picked}",
        lambda s, x, rows, updates: sr.scatter_nd(x, (*rows, picked), updates, scope=s),
        numpy,
        (shape, rows, updates),
    )
