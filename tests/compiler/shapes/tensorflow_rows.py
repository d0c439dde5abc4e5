"""The rows of conformance/tf_shape_vectors.txt as calls of shapecast.shape_rules.

A row is `OP {attributes} | input shapes | expected`. One adapter per operation reads the
attributes, brings TensorFlow's layout into the rules' (NHWC and HWIO into batch, channels,
*spatial), calls them and brings the result back.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Union

from compiler.shapes.rows import fresh, is_number, of_rank, over
from shapecast import shape_rules as sr

FILE = Path(__file__).parent / "conformance" / "tf_shape_vectors.txt"

OptionalShape = Union[sr.Shape, None]
Inputs = list[OptionalShape]
Results = list[OptionalShape]
Adapter = Callable[[sr.Scope, str, Inputs], Union[OptionalShape, Results]]


@dataclass(frozen=True)
class Row:
    line: int
    operation: str  # with attributes
    inputs: str
    expected: str

    @property
    def key(self) -> str:
        return f"{self.operation} | {self.inputs}".rstrip()

    @property
    def name(self) -> str:
        return self.operation.split()[0]

    @property
    def attributes(self) -> str:
        return self.operation.partition(" ")[2]


def read_rows() -> list[Row]:
    rows = []
    for line, text in enumerate(FILE.read_text().splitlines(), 1):
        if text and not text.startswith("#"):
            operation, inputs, expected = re.split(r" \|(?= |$)", text, maxsplit=2)
            rows.append(Row(line, operation.strip(), inputs.strip(), expected.strip()))
    return _with_attributes_of_row_before(rows)


def _with_attributes_of_row_before(rows: list[Row]) -> list[Row]:
    result: list[Row] = []
    for row in rows:
        if row.attributes == "{same}":
            row = Row(row.line, result[-1].operation, row.inputs, row.expected)
        result.append(row)
    return result


def variants(row: Row) -> list[str]:
    """The attributes, once for each of the axes of `{0|-4}`."""
    choice = re.search(r"\{(-?\d+)\|(-?\d+)\}", row.attributes)
    if not choice:
        return [row.attributes]
    return [row.attributes.replace(choice[0], f"{{{axis}}}") for axis in choice.groups()]


def read_shapes(scope: sr.Scope, text: str) -> Inputs:
    """`?;[1,?]`; each `?` in brackets is a symbol of its own."""
    return [read_shape(scope, part.strip()) for part in text.split(";") if part.strip()]


def read_shape(scope: sr.Scope, text: str) -> OptionalShape:
    if text == "?":
        return None
    assert re.fullmatch(r"\[[\d?,]*\]|\{[-\d,]*\}", text), text
    sizes = [size for size in text[1:-1].split(",") if size]
    return scope.shape([None if size == "?" else int(size) for size in sizes])


def sizes_named(text: str) -> set[str]:
    """The numbers of a message, or of those quoted, but not indices, axes and intervals of axes."""
    quoted = re.findall(r'ERR|"([^"]*)"', text) if text.startswith("ERR") else [text]
    other = r"\w\[-?\d+\]|[\[(]-?\d+, ?-?\d+[\])]|[Dd]imension \d+ in|axis: -?\d+"
    return {size for message in quoted for size in re.findall(r"-?\d+", re.sub(other, "", message))}


# Comparing.


def check_results(scope: sr.Scope, expected: str, results: Results, inputs: Inputs) -> None:
    """Asserts that the results are those of the row's third column."""
    text = re.sub(r"\s+\(.*\)$", "", expected)
    if text == "first handle":
        text = "in0"
    wanted = [part.strip() for part in text.split(";")]
    assert len(wanted) == len(results)
    for one, result in zip(wanted, results):
        _check_shape(scope, one, result, inputs)


def _check_shape(scope: sr.Scope, wanted: str, result: OptionalShape, inputs: Inputs) -> None:
    if wanted == "?":
        assert result is None
    elif wanted.startswith("in"):
        others = [inputs[int(name[2:])] for name in wanted.split("|")]
        assert any(_same(scope, result, other) for other in others), (result, others)
    else:
        sizes = [size for size in wanted[1:-1].split(",") if size]
        assert result is not None and len(result) == len(sizes), result
        for size, one in zip(result, sizes):
            assert _fits(scope, one, size, inputs), (result, one, scope.facts)


def _same(scope: sr.Scope, a: OptionalShape, b: OptionalShape) -> bool:
    if a is None or b is None:
        return a is b
    return len(a) == len(b) and all(scope.equal(x, y) is True for x, y in zip(a, b))


def _fits(scope: sr.Scope, wanted: str, size: sr.Size, inputs: Inputs) -> bool:
    if wanted == "?":
        return not is_number(scope, size)
    if re.fullmatch(r"\d+", wanted):
        return scope.size(size) == int(wanted)
    if wanted.startswith("d_"):  # of every input
        axis = int(wanted[2:])
        return all(scope.equal(shape[axis], size) is True for shape in inputs if shape is not None)
    dims = [re.fullmatch(r"d(\d+)_(\d+)", name) for name in wanted.split("|")]
    return any(scope.equal(inputs[int(p[1])][int(p[2])], size) is True for p in dims)


# Attributes.


def braces(attributes: str) -> list[int] | None:
    """The numbers of `{1,2}`, or None where there are none."""
    found = re.search(r"\{\[?((?:-?\d+(?:,-?\d+)*)?)\]?\}", attributes)
    return None if found is None else [int(number) for number in found[1].split(",") if number]


def numbers(attributes: str, name: str) -> list[int] | None:
    """The numbers of `name=1,2`, `name=[1,2]`, `name(1,2)` or `name2`."""
    values = r"-?\d+(?:,-?\d+)*"
    found = re.search(rf"(?<!\w){name}=?(?:[\[(]?({values})\b|\[\])", attributes)
    return None if found is None else [int(value) for value in (found[1] or "").split(",") if value]


def number(attributes: str, name: str) -> int:
    found = numbers(attributes, name)
    assert found is not None and len(found) == 1, attributes
    return found[0]


def swapped(shape: sr.Shape) -> list[int]:
    """The axes, the last two of them exchanged."""
    return [*range(len(shape) - 2), len(shape) - 1, len(shape) - 2]


# Adapters.

ADAPTERS: dict[str, Adapter] = {}


def adapter(*names: str) -> Callable[[Adapter], Adapter]:
    def register(function: Adapter) -> Adapter:
        ADAPTERS.update(dict.fromkeys(names, function))
        return function

    return register


@adapter("AddN", "Merge")
def merge_all(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    result: OptionalShape = None
    for shape in inputs:
        result = sr.merge(result, shape, scope=scope)
    return result


@adapter("Relax")
def relax(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    return sr.relax(*inputs, scope=scope)


@adapter("Bcast", "Select")
def broadcast(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    return sr.broadcast(*inputs, scope=scope)


@adapter("BroadcastTo")
def broadcast_to(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    shape, vector = inputs
    return sr.broadcast_to(shape, sizes_in(scope, attributes, vector), scope=scope)


def sizes_in(scope: sr.Scope, attributes: str, vector: OptionalShape) -> OptionalShape:
    """The sizes in an operand that holds a shape; None where not even their number is known."""
    values = braces(attributes.replace("shape=", "").replace("dims=", ""))
    if values is not None:
        return tuple(values)
    known = vector is not None and is_number(scope, vector[0])
    return fresh(scope, vector[0]) if known else None


@adapter("Range")
def arange(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    given = braces(attributes)
    if given is not None:
        return sr.arange(*given, scope=scope)
    for shape in inputs:
        sr.merge(shape, (), scope=scope)  # scalars
    steps = (1, -1)
    return over(
        scope, steps, lambda sign: sr.arange("a - b", "c - d", scope.size("e") * sign, scope=scope)
    )


@adapter("LinSpace")
def linspace(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    return sr.linspace(number(attributes, "num"), scope=scope)


@adapter("MatMul")
def gemm(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    a, b = "transpose_a" in attributes, "transpose_b" in attributes
    return sr.gemm(*inputs, transpose_a=a, transpose_b=b, scope=scope)


@adapter("BatchMatMul", "BatchMatMulV2")
def matmul(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    a, b = inputs
    if "adj_x" in attributes:
        a = sr.transpose(a, swapped(a), scope=scope)
    if "adj_y" in attributes:
        b = sr.transpose(b, swapped(b), scope=scope)
    return sr.matmul(a, b, scope=scope)


@adapter("Einsum")
def einsum(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    equation = attributes.split(" ")[0]
    labels = equation.partition("->")[0].split(",")
    shapes = [of_rank(scope, x, len(labels[i])) if x is None else x for i, x in enumerate(inputs)]
    return sr.einsum(equation, *shapes, scope=scope)


@adapter("ArgMax")
def argmax(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    return reduced(scope, inputs[0], braces(attributes), 1, keepdims=False)


@adapter("Sum")
def reduce(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    shape, vector = inputs
    keepdims = "keep_dims" in attributes and "keep_dims=0" not in attributes
    return reduced(scope, shape, numbers(attributes, "axes"), math.prod(vector), keepdims)


def reduced(
    scope: sr.Scope, shape: OptionalShape, axes: list[int] | None, count: int, keepdims: bool
) -> OptionalShape:
    """Along these axes, or if they are not known, along some `count` of them."""
    if shape is None and axes is None:
        return None  # not even how many axes there are
    if shape is None or axes is not None:
        return sr.reduce(shape, axes, keepdims=keepdims, scope=scope)
    choices = itertools.combinations(range(len(shape)), count)
    return over(scope, choices, lambda some: sr.reduce(shape, some, keepdims=keepdims, scope=scope))


@adapter("Shape")
def shape_of(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    (shape,) = inputs
    return sr.full((None if shape is None else len(shape),), scope=scope)


@adapter("Fill")
def fill(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    return sr.full(sizes_in(scope, attributes, inputs[0]), scope=scope)


@adapter("Pack")
def stack(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    axis = number(attributes, "axis") if attributes else 0
    return sr.stack(ranked(scope, inputs), axis, scope=scope)


def ranked(scope: sr.Scope, inputs: Inputs) -> list[sr.Shape]:
    """All inputs have one rank: that of the first that is known."""
    rank = next(len(shape) for shape in inputs if shape is not None)
    return [fresh(scope, rank) if shape is None else shape for shape in inputs]


@adapter("Unpack")
def unstack(scope: sr.Scope, attributes: str, inputs: Inputs) -> Results:
    axis = number(attributes, "axis")
    parts = sr.split(inputs[0], number(attributes, "num"), axis, scope=scope)
    return [sr.squeeze(part, axis, scope=scope) for part in parts]


@adapter("Gather", "GatherV2")
def take(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    shape, indices = inputs[:2]
    if "axis?" in attributes:
        axes = range(len(shape))
        return over(scope, axes, lambda axis: sr.take(shape, indices, axis, scope=scope))
    return sr.take(shape, indices, *(braces(attributes) or [0]), scope=scope)


@adapter("GatherNd")
def gather_nd(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    return sr.gather_nd(*inputs, scope=scope)


@adapter("Diag")
def diag(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    return sr.full((*inputs[0], *inputs[0]), scope=scope)


@adapter("DiagPart")
def diag_part(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    labels = "abcdef"[: len(inputs[0]) // 2]
    return sr.einsum(f"{labels}{labels}->{labels}", *inputs, scope=scope)


@adapter("MatrixDiag")
def matrix_diag(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    return sr.full((*inputs[0], inputs[0][-1]), scope=scope)


@adapter("MatrixDiagPart")
def matrix_diag_part(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    *batch, rows, columns = inputs[0]
    return sr.full((*batch, f"min({rows}, {columns})"), scope=scope)


@adapter("Unique")
def unique(scope: sr.Scope, attributes: str, inputs: Inputs) -> Results:
    return [sr.compress(inputs[0], scope=scope), sr.scan(inputs[0], scope=scope)]


@adapter("UnravelIndex")
def unravel_index(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    indices, dims = inputs
    return sr.full((*dims, *sr.reshape(indices, (-1,), scope=scope)), scope=scope)


@adapter("Pad")
def pad(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    shape, table = inputs
    if table is not None:
        sr.merge(table, (None, 2), scope=scope)
    values = braces(attributes)
    rank = len(shape) if shape is not None else table[0]
    before, after = (values[::2], values[1::2]) if values else [(None,) * rank] * 2
    return sr.pad(shape, before, after, scope=scope)


@adapter("ExpandDims")
def expand_dims(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    return sr.expand_dims(inputs[0], braces(attributes), scope=scope)


@adapter("Squeeze")
def squeeze(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    return sr.squeeze(inputs[0], braces(attributes), scope=scope)


@adapter("Concat")
def concat(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    shapes = ranked(scope, inputs)
    axes = braces(attributes) or range(max(1, len(shapes[0])))
    return over(scope, axes, lambda axis: sr.concat(shapes, axis, scope=scope))


@adapter("Concatenate")
def concatenate(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    return scope.shape(inputs[0] + inputs[1])


@adapter("Reshape")
def reshape(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    shape, vector = inputs
    return sr.reshape(shape, sizes_in(scope, attributes, vector), scope=scope)


@adapter("Transpose")
def transpose(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    shape, (rank,) = inputs
    if shape is None:
        shape = fresh(scope, rank)
    orders = [braces(attributes)] if attributes else itertools.permutations(range(rank))
    return over(scope, orders, lambda order: sr.transpose(shape, order, scope=scope))


@adapter("Split")
def split(scope: sr.Scope, attributes: str, inputs: Inputs) -> Results:
    shape, count = inputs[1], number(attributes, "num")
    axes = braces(attributes) or range(len(shape))
    return [
        over(scope, axes, lambda axis: sr.split(shape, count, axis, scope=scope)[part])
        for part in range(count)
    ]


@adapter("Tile")
def tile(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    counts = braces(attributes) or fresh(scope, len(inputs[0]))
    return sr.tile(inputs[0], counts, scope=scope)


@adapter("OneHot")
def one_hot(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    depth = number(attributes, "depth") if "depth" in attributes else None
    indices = fresh(scope, 2) if inputs[0] is None else inputs[0]
    return sr.one_hot(indices, depth, number(attributes, "axis"), scope=scope)


@adapter("Slice")
def cut(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    """x[b : b + s], to the end where s is -1."""
    shape = inputs[0] or fresh(scope, inputs[1][0])
    rank = len(shape)
    begins = numbers(attributes, "b") or (fresh(scope, rank) if not attributes else [0] * rank)
    sizes = numbers(attributes, "s") or (fresh(scope, rank) if not attributes else [-2] * rank)
    sizes = sizes * rank if sizes == [-1] else sizes  # `s=-1..`
    key = [slice(b, None if s == -1 else b + s) for b, s in zip(begins, sizes, strict=True)]
    return sr.index(shape, tuple(key), scope=scope)


@adapter("StridedSlice")
def shrink_first(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    assert attributes == "{shrink_axis_mask=1, stride 1}"
    return sr.index(inputs[0], 0, scope=scope)


# Windows.


def to_front(scope: sr.Scope, attributes: str, x: sr.Shape) -> sr.Shape:
    """(batch, channels, *spatial) of NHWC, or of NCHW where the attributes say so."""
    order = [0, len(x) - 1, *range(1, len(x) - 1)]
    return x if "NCHW" in attributes else sr.transpose(x, order, scope=scope)


def to_back(scope: sr.Scope, attributes: str, x: sr.Shape) -> sr.Shape:
    order = [0, *range(2, len(x)), 1]
    return x if "NCHW" in attributes else sr.transpose(x, order, scope=scope)


def window_options(attributes: str, axes: int) -> dict[str, object]:
    """Strides s, dilations d and the padding, for so many spatial axes."""
    options: dict[str, object] = {}
    for letter, name in (("s", "strides"), ("d", "dilations")):
        values = numbers(attributes, letter) or [1]
        if len(values) == axes + 2:  # of batch and channels too
            values = values[1:-1]
        options[name] = values * axes if len(values) == 1 else values
    explicit = re.search(r"pad h\((\d+),(\d+)\) w\((\d+),(\d+)\)", attributes)
    if explicit:
        top, bottom, left, right = map(int, explicit.groups())
        return options | {"padding": [(top, bottom), (left, right)]}
    negative = re.search(r"pad (-\d+)", attributes)
    if negative:
        return options | {"padding": int(negative[1])}
    return options | {"padding": "same_upper" if "SAME" in attributes else "valid"}


@adapter("Conv2D", "Conv3D")
def conv(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    x, w = inputs or ((1, 4, 4, 1), (2, 2, 1, 1))
    x = to_front(scope, attributes, x)
    axes = len(x) - 2
    w = sr.transpose(w, [axes + 1, axes, *range(axes)], scope=scope)
    both = isinstance(x[1], int) and isinstance(w[1], int)
    groups = x[1] // w[1] if both and x[1] % w[1] == 0 else 1
    options = window_options(attributes, axes)
    return to_back(scope, attributes, sr.conv(x, w, groups=groups, scope=scope, **options))


@adapter("DepthwiseConv2d")
def depthwise_conv(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    """Each channel is a group of its own, with as many features as the window's last size."""
    x, (height, width, channels, each) = inputs
    x = to_front(scope, attributes, x)
    w = (each * channels, 1, height, width)
    options = window_options(attributes, 2)
    return to_back(scope, attributes, sr.conv(x, w, groups=channels, scope=scope, **options))


@adapter("AvgPool", "MaxPool", "MaxPool3D")
def pool(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    if "depth-" in attributes:
        return depth_pool(scope, attributes, inputs[0])
    x = to_front(scope, attributes, inputs[0])
    axes = len(x) - 2
    window = numbers(attributes, "k") or [1] * axes
    options = window_options(attributes, axes)
    return to_back(scope, attributes, sr.pool(x, window, scope=scope, **options))


def depth_pool(scope: sr.Scope, attributes: str, x: sr.Shape) -> OptionalShape:
    """The channels are one more spatial axis. `depth-k2` strides by 2 as well."""
    both = re.search(r"depth-k(\d)", attributes)
    stride = int(both[1]) if both else number(attributes, "depth-stride")
    window = int(both[1]) if both else 1
    x = to_front(scope, attributes, x)
    deep = sr.expand_dims(x, 1, scope=scope)
    given = {"strides": (stride, 1, 1), "padding": "valid"}
    pooled = sr.pool(deep, (window, 1, 1), scope=scope, **given)
    return to_back(scope, attributes, sr.squeeze(pooled, 1, scope=scope))


@adapter("BiasAdd")
def bias_add(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    x, bias = inputs
    if "NCHW" in attributes:
        bias = sr.expand_dims(bias, tuple(range(1, len(x) - 1)), scope=scope)
    return sr.broadcast(x, bias, scope=scope)


@adapter("SpaceToDepth")
def space_to_depth(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    n, _, w, c = inputs[0]
    block = number(attributes, "bs")
    tiles = sr.reshape(inputs[0], (n, -1, block, w, c), scope=scope)
    tiles = sr.reshape(tiles, (n, tiles[1], block, -1, block, c), scope=scope)
    tiles = sr.transpose(tiles, (0, 1, 3, 2, 4, 5), scope=scope)
    return sr.reshape(tiles, (*tiles[:3], -1), scope=scope)


@adapter("DepthToSpace")
def depth_to_space(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    n, h, w, _ = inputs[0]
    block = number(attributes, "bs")
    parts = sr.split(inputs[0], block * block, -1, scope=scope)
    tiles = sr.reshape(inputs[0], (n, h, w, block, block, parts[0][-1]), scope=scope)
    tiles = sr.transpose(tiles, (0, 1, 3, 2, 4, 5), scope=scope)
    return sr.reshape(tiles, (n, h * block, w * block, tiles[-1]), scope=scope)


@adapter("MakeShapeFromShapeTensor")
def make_shape(scope: sr.Scope, attributes: str, inputs: Inputs) -> OptionalShape:
    return sr.reshape(None, inputs[0], scope=scope)
