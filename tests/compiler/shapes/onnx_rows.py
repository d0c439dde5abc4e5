"""The rows of conformance/onnx_mlir_shape_cases.txt as calls of shapecast.shape_rules.

A row is `test | args | {attributes} | (operand types) -> result types`, below a header with its
operation. One adapter per family reads what it needs; `none` operands and results are left out.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Union

from compiler.shapes.rows import fresh, is_number, over, relax_all
from shapecast import shape_rules as sr

FILE = Path(__file__).parent / "conformance" / "onnx_mlir_shape_cases.txt"

Sizes = tuple[Union[int, None], ...]  # None: not known
Type = Union[Sizes, str]  # a shape, "*" of unknown rank, "none", or what is no array


@dataclass(frozen=True)
class Row:
    line: int
    key: str  # Operation/test, with #2 ... where there is more than one
    operation: str
    args: list[str]
    attributes: str
    operands: list[Type]
    results: list[Type]


def read_rows() -> list[Row]:
    rows: list[Row] = []
    seen: Counter[str] = Counter()
    operation = ""
    for line, text in enumerate(FILE.read_text().splitlines(), 1):
        if text.startswith("## "):
            operation = text[3:]
        elif text and not text.startswith("#"):
            test, args, attributes, types = (part.strip() for part in text.split(" | ", 3))
            name = f"{operation}/{test}"
            seen[name] += 1
            key = name if seen[name] == 1 else f"{name}#{seen[name]}"
            operands, results = (_types(side) for side in types.split(" -> "))
            names = re.findall(r"'([^']*)'", args)
            rows.append(Row(line, key, operation, names, attributes, operands, results))
    return rows


def _types(text: str) -> list[Type]:
    """The types of `(tensor<2xf32>, none)`; separated by commas."""
    inner = text[1:-1] if text.startswith("(") else text
    return [_type(one) for one in inner.split(", ") if one]


def _type(text: str) -> Type:
    found = re.fullmatch(r"(?:!onnx\.Seq<)?tensor<(\*x|(?:(?:\d+|\?)x)*)[^<>]*>+", text)
    if not found:
        assert text == "none" or text.startswith("!onnx"), text
        return text
    if found[1] == "*x":
        return "*"
    return tuple(None if size == "?" else int(size) for size in found[1].split("x")[:-1])


def read_sizes(text: str) -> list[Type]:
    """The shapes of `[1,?];[?]`."""
    lists = (re.findall(r"\d+|\?", part) for part in text.split(";"))
    return [tuple(None if size == "?" else int(size) for size in sizes) for sizes in lists]


class Call:
    """A row with its operands as shapes of a scope."""

    def __init__(self, row: Row) -> None:
        self.row = row
        self.scope = sr.Scope()
        self.shapes = [
            None if isinstance(one, str) else self.scope.shape(one) for one in row.operands
        ]

    def number(self, name: str, default: int | None = None) -> int | None:
        found = re.search(rf"\b{name} = (-?\d+)", self.row.attributes)
        return int(found[1]) if found else default

    def numbers(self, name: str) -> list[int] | None:
        found = re.search(rf"\b{name} = \[([^\]]*)\]", self.row.attributes)
        return [int(value) for value in found[1].split(",")] if found else None

    def text(self, name: str) -> str | None:
        found = re.search(rf'\b{name} = "([^"]*)"', self.row.attributes)
        return found[1] if found else None

    def texts(self, name: str) -> list[str]:
        found = re.search(rf"\b{name} = \[([^\]]*)\]", self.row.attributes)
        return re.findall(r'"([^"]*)"', found[1])

    def constant(self, operand: int) -> list[Fraction] | None:
        """The numbers of a `dense<[1, 2]>` operand; None where it is not constant, or none."""
        if operand >= len(self.row.args):
            return None
        found = re.fullmatch(r"dense<(.*)>", self.row.args[operand])
        return [Fraction(value) for value in re.findall(r"[-+.\de]+", found[1])] if found else None

    def integers(self, operand: int) -> list[int] | None:
        values = self.constant(operand)
        return None if values is None else [int(value) for value in values]

    def given(self, operand: int) -> bool:
        return operand < len(self.shapes) and self.row.operands[operand] != "none"

    def present(self) -> list[sr.Shape | None]:
        """The operands that are not none."""
        return [shape for k, shape in enumerate(self.shapes) if self.given(k)]

    def sizes(self, operand: int) -> sr.ShapeLike:
        """The sizes in an operand that holds a shape."""
        constant = self.integers(operand)
        if constant is not None:
            return constant
        vector = self.shapes[operand]
        known = vector is not None and is_number(self.scope, vector[0])
        return fresh(self.scope, vector[0]) if known else None


Results = list[Union[sr.Shape, None]]
Adapter = Callable[[Call], Union[sr.Shape, Results, None]]
ADAPTERS: dict[str, Adapter] = {}


def adapter(*names: str) -> Callable[[Adapter], Adapter]:
    def register(function: Adapter) -> Adapter:
        ADAPTERS.update(dict.fromkeys(names, function))
        return function

    return register


def results_of(row: Row) -> tuple[sr.Scope, Results]:
    call = Call(row)
    results = ADAPTERS[row.operation](call)
    return call.scope, results if isinstance(results, list) else [results]


def check_results(scope: sr.Scope, results: Results, wanted: Sequence[Type]) -> None:
    """Asserts that results have the types; those that are not requested (`none`) may be any."""
    assert len(results) == len(wanted), results
    for one, result in zip(wanted, results):
        if one == "*":
            assert result is None
        elif one != "none":
            assert result is not None and len(result) == len(one), result
            for size, number in zip(result, one):
                fits = not is_number(scope, size) if number is None else scope.size(size) == number
                assert fits, (result, one)


# Element-wise and others of one shape.


@adapter("Add", "Less", "Pow", "Clip", "ClipV6", "CategoryMapper", "Bernoulli", "Binarizer", "Cast")
@adapter("Celu", "Erf", "Gelu", "Hardmax", "Identity", "IsInf", "IsNaN", "Sigmoid", "Scaler")
@adapter("RandomNormalLike", "RandomUniformLike", "EyeLike", "LayoutTransform")
def broadcast(call: Call) -> sr.Shape | None:
    return sr.broadcast(*call.present(), scope=call.scope)


@adapter("PRelu")
def prelu(call: Call) -> sr.Shape | None:
    x, slope = call.shapes
    return sr.broadcast_to(slope, x, scope=call.scope)


@adapter("Custom")
def custom(call: Call) -> sr.Shape | None:
    which = call.numbers("inputs_for_infer") or range(len(call.shapes))
    return sr.broadcast(*(call.shapes[k] for k in which), scope=call.scope)


@adapter("QuantizeLinear", "DequantizeLinear")
def quantize(call: Call) -> sr.Shape | None:
    """A vector of zero points has one for each element along the axis."""
    x, axis = call.shapes[0], call.number("axis", 1)
    zero_point = call.shapes[2] or ()
    if zero_point:
        others = [None] * len(x)
        others[axis] = zero_point[0]
        sr.merge(x, others, scope=call.scope)
    return sr.merge(x, None, scope=call.scope)


@adapter("DynamicQuantizeLinear")
def dynamic_quantize(call: Call) -> Results:
    (x,) = call.shapes
    scale = sr.reduce(x, scope=call.scope)
    return [sr.broadcast(x, scale, scope=call.scope), scale, scale]


@adapter("Dropout")
def dropout(call: Call) -> Results:
    x = sr.broadcast(call.shapes[0], scope=call.scope)
    return [x, x]


@adapter("RandomNormal", "RandomUniform")
def create(call: Call) -> sr.Shape:
    return sr.full(call.numbers("shape"), scope=call.scope)


@adapter("Shape")
def shape_of(call: Call) -> sr.Shape:
    return sr.full((len(call.shapes[0]),), scope=call.scope)


# Reductions and scans.


@adapter("ArgMax", "ArgMin")
def argmax(call: Call) -> sr.Shape:
    keepdims = call.number("keepdims", 1) == 1
    axis = call.number("axis", 0)
    return sr.reduce(call.shapes[0], axis, keepdims=keepdims, scope=call.scope)


@adapter("ReduceSum", "ReduceMeanV13")
def reduce(call: Call) -> sr.Shape | None:
    shape, keepdims = call.shapes[0], call.number("keepdims", 1) == 1
    axes = call.numbers("axes") or call.integers(1)
    if axes is not None or not call.given(1):
        return sr.reduce(shape, axes, keepdims=keepdims, scope=call.scope)
    (count,) = call.shapes[1]
    all_axes = range(len(shape))
    counts = [count] if is_number(call.scope, count) else range(len(shape) + 1)
    choices = [some for size in counts for some in itertools.combinations(all_axes, size)]
    return over(
        call.scope,
        choices,
        lambda some: sr.reduce(shape, some, keepdims=keepdims, scope=call.scope),
    )


@adapter("GlobalAveragePool", "GlobalLpPool", "GlobalMaxPool")
def global_pool(call: Call) -> sr.Shape | None:
    (x,) = call.shapes
    spatial = None if x is None else range(2, len(x))
    return sr.reduce(x, spatial, keepdims=True, scope=call.scope)


@adapter("LayerNormalization", "RMSLayerNormalization")
def layer_norm(call: Call) -> Results:
    x = call.shapes[0]
    axis = call.number("axis", -1) % len(x)
    mean = sr.reduce(x, range(axis, len(x)), keepdims=True, scope=call.scope)
    y = sr.broadcast(*call.present(), mean, scope=call.scope)
    return [y] + [mean] * (len(call.row.results) - 1)


@adapter("CumSum")
def cumsum(call: Call) -> sr.Shape | None:
    shape = call.shapes[0]
    return over(call.scope, range(len(shape)), lambda axis: sr.scan(shape, axis, scope=call.scope))


@adapter("ReverseSequence")
def reverse_sequence(call: Call) -> sr.Shape:
    shape, lengths = call.shapes
    batch = sr.take(shape, lengths, call.number("batch_axis"), scope=call.scope)
    merged = sr.merge(shape, batch, scope=call.scope)
    return sr.scan(merged, call.number("time_axis"), scope=call.scope)


# Products.


@adapter("MatMul", "MatMulInteger")
def matmul(call: Call) -> sr.Shape | None:
    return sr.matmul(*call.shapes[:2], scope=call.scope)


@adapter("QLinearMatMul")
def quantized_matmul(call: Call) -> sr.Shape | None:
    return sr.matmul(call.shapes[0], call.shapes[3], scope=call.scope)


@adapter("Einsum")
def einsum(call: Call) -> sr.Shape:
    return sr.einsum(call.text("equation"), *call.shapes, scope=call.scope)


# Axes and reshapes.


@adapter("Transpose")
def transpose(call: Call) -> sr.Shape:
    return sr.transpose(call.shapes[0], call.numbers("perm"), scope=call.scope)


@adapter("Squeeze", "SqueezeV11")
def squeeze(call: Call) -> sr.Shape | None:
    axes = call.numbers("axes") or call.integers(1)
    return sr.squeeze(call.shapes[0], axes, scope=call.scope)


@adapter("Unsqueeze", "UnsqueezeV11")
def unsqueeze(call: Call) -> sr.Shape:
    axes = call.numbers("axes") or call.integers(1)
    return sr.expand_dims(call.shapes[0], axes, scope=call.scope)


@adapter("Flatten")
def flatten(call: Call) -> sr.Shape:
    return sr.flatten(call.shapes[0], call.number("axis", 1), scope=call.scope)


@adapter("Reshape")
def reshape(call: Call) -> sr.Shape | None:
    """A constant 0 copies the size of the same axis."""
    shape, to = call.shapes[0], call.sizes(1)
    if to is not None:
        to = [(shape[k] if shape else None) if size == 0 else size for k, size in enumerate(to)]
    return sr.reshape(shape, to, scope=call.scope)


@adapter("Expand")
def expand(call: Call) -> sr.Shape | None:
    return sr.broadcast(call.shapes[0], call.sizes(1), scope=call.scope)


@adapter("DepthToSpace")
def depth_to_space(call: Call) -> sr.Shape:
    n, _, h, w = call.shapes[0]
    block = call.number("blocksize")
    to = (n, block, block, -1, h, w)
    tiles = sr.reshape(call.shapes[0], to, scope=call.scope)
    tiles = sr.transpose(tiles, (0, 3, 4, 1, 5, 2), scope=call.scope)
    return sr.reshape(tiles, (n, tiles[1], h * block, w * block), scope=call.scope)


@adapter("SpaceToDepth")
def space_to_depth(call: Call) -> sr.Shape:
    n, c, h, w = call.shapes[0]
    block = call.number("blocksize")
    rows = sr.split((h,), block, scope=call.scope)[0][0]
    columns = sr.split((w,), block, scope=call.scope)[0][0]
    to = (n, c, rows, block, columns, block)
    tiles = sr.reshape(call.shapes[0], to, scope=call.scope)
    tiles = sr.transpose(tiles, (0, 3, 5, 1, 2, 4), scope=call.scope)
    return sr.reshape(tiles, (n, -1, rows, columns), scope=call.scope)


# Joining and cutting.


@adapter("Concat")
def concat(call: Call) -> sr.Shape:
    return sr.concat(call.shapes, call.number("axis"), scope=call.scope)


@adapter("ConcatShapeTranspose")
def concat_shape_transpose(call: Call) -> Results:
    joined = concat(call)
    turned = sr.transpose(joined, call.numbers("perm"), scope=call.scope)
    return [sr.full((len(joined),), scope=call.scope), turned]


@adapter("Split", "SplitV11")
def split(call: Call) -> Results:
    axis, count = call.number("axis", 0), call.number("num_outputs")
    parts = call.numbers("split") or call.integers(1) or count or len(call.row.results)
    uneven = count is not None
    return list(sr.split(call.shapes[0], parts, axis, uneven=uneven, scope=call.scope))


@adapter("SplitToSequence")
def split_to_sequence(call: Call) -> sr.Shape | None:
    """The shape that all elements of the sequence have."""
    shape, axis = call.shapes[0], call.number("axis", 0)
    if not call.given(1):
        one = sr.index(shape, (slice(None),) * axis + (0,), scope=call.scope)
        keepdims = call.number("keepdims", 1) == 1
        return sr.expand_dims(one, axis, scope=call.scope) if keepdims else one
    sizes = call.integers(1)
    if sizes and call.row.operands[1] == ():  # one size for all parts; the last may be smaller
        whole, rest = divmod(shape[axis], sizes[0])
        sizes = sizes * whole + [rest] * (rest > 0)
    sizes = sizes or fresh(call.scope, *call.shapes[1])
    return relax_all(call.scope, sr.split(shape, sizes, axis, scope=call.scope))


@adapter("SequenceConstruct")
def sequence(call: Call) -> sr.Shape | None:
    return relax_all(call.scope, call.shapes)


@adapter("Tile")
def tile(call: Call) -> sr.Shape:
    return sr.tile(call.shapes[0], call.sizes(1), scope=call.scope)


@adapter("Pad")
def pad(call: Call) -> sr.Shape:
    rank, widths = len(call.shapes[0]), call.sizes(1)
    return sr.pad(call.shapes[0], widths[:rank], widths[rank:], scope=call.scope)


# Indexing.


@adapter("Gather")
def take(call: Call) -> sr.Shape:
    return sr.take(*call.shapes, call.number("axis", 0), scope=call.scope)


@adapter("GatherND")
def gather_nd(call: Call) -> sr.Shape:
    return sr.gather_nd(*call.shapes, batch_axes=call.number("batch_dims", 0), scope=call.scope)


@adapter("ScatterElements")
def scatter(call: Call) -> sr.Shape:
    return sr.scatter(*call.shapes, call.number("axis", 0), scope=call.scope)


@adapter("ScatterND")
def scatter_nd(call: Call) -> sr.Shape:
    return sr.scatter_nd(*call.shapes, scope=call.scope)


@adapter("Compress")
def compress(call: Call) -> sr.Shape:
    return sr.compress(call.shapes[0], call.number("axis"), scope=call.scope)


@adapter("Unique")
def unique(call: Call) -> Results:
    """The unique elements, their first indices, the inverse indices, and the counts."""
    shape, axis, count = call.shapes[0], call.number("axis"), call.scope.size(None)
    found = sr.full((count,), scope=call.scope)
    all_elements = sr.full((shape[axis],), scope=call.scope)
    return [sr.compress(shape, axis, count, scope=call.scope), found, all_elements, found]


@adapter("OneHot")
def one_hot(call: Call) -> sr.Shape:
    depth = (call.integers(1) or [None])[0]
    return sr.one_hot(call.shapes[0], depth, call.number("axis", -1), scope=call.scope)


@adapter("OneHotEncoder")
def one_hot_encoder(call: Call) -> sr.Shape:
    """Strings are looked up in the strings, numbers in the numbers if there are some."""
    depth = len(call.numbers("cats_int64s") or call.texts("cats_strings"))
    return sr.one_hot(call.shapes[0], depth, scope=call.scope)


@adapter("TopK")
def top_k(call: Call) -> Results:
    count = (call.integers(1) or [None])[0]
    shape = sr.top_k(call.shapes[0], count, call.number("axis", -1), scope=call.scope)
    return [shape, shape]


@adapter("Range")
def arange(call: Call) -> sr.Shape:
    bounds = [value[0] for k in range(3) if (value := call.integers(k)) is not None]
    if len(bounds) == 3:
        return sr.arange(*bounds, scope=call.scope)
    return over(
        call.scope,
        (1, -1),
        lambda sign: sr.arange("a - b", "c - d", call.scope.size("e") * sign, scope=call.scope),
    )


# Windows.


def window_options(call: Call, window: Sequence[sr.Size]) -> dict[str, object]:
    """Strides, dilations and the padding; ONNX names all begins, then all ends."""
    axes = len(window)
    pads = call.numbers("pads") or [0] * 2 * axes
    padding = {"VALID": "valid", "SAME_UPPER": "same_upper", "SAME_LOWER": "same_lower"}.get(
        call.text("auto_pad"), list(zip(pads[:axes], pads[axes:]))
    )
    strides, dilations = call.numbers("strides") or 1, call.numbers("dilations") or 1
    return {"strides": strides, "dilations": dilations, "padding": padding}


@adapter("Conv", "ConvInteger")
def conv(call: Call) -> sr.Shape:
    """onnx-mlir believes kernel_shape, even where w is another one (test_convinteger_2)."""
    x, w = call.shapes[:2]
    window, groups = call.numbers("kernel_shape") or w[2:], call.number("group", 1)
    options = window_options(call, window)
    return sr.conv(x, (*w[:2], *window), groups=groups, scope=call.scope, **options)


@adapter("AveragePool", "MaxPoolSingleOut")
def pool(call: Call) -> sr.Shape:
    window, ceil = call.numbers("kernel_shape"), call.number("ceil_mode", 0) == 1
    options = window_options(call, window)
    return sr.pool(call.shapes[0], window, ceil=ceil, scope=call.scope, **options)


@adapter("ConvTranspose")
def conv_transpose(call: Call) -> sr.Shape:
    x, w = call.shapes[:2]
    return sr.conv_transpose(
        x,
        w,
        output_padding=call.numbers("output_padding") or 0,
        output_shape=call.numbers("output_shape"),
        groups=call.number("group", 1),
        scope=call.scope,
        **window_options(call, w[2:]),
    )


@adapter("UpsampleAndPad")
def upsample_and_pad(call: Call) -> sr.Shape:
    """strides - 1 zeros between elements: a transposed convolution with a window of one element."""
    (x,), strides = call.shapes, call.numbers("strides") or [1]
    axes = len(strides)
    spatial, pads = x[len(x) - axes :], call.numbers("pads") or [0] * 2 * axes
    one = (1,) * (axes + 2)
    wide = sr.conv_transpose((1, 1, *spatial), one, strides=strides, scope=call.scope)
    padded = sr.pad(wide[2:], pads[:axes], pads[axes:], scope=call.scope)
    return call.scope.shape(x[: len(x) - axes] + padded)


@adapter("Resize")
def resize(call: Call) -> sr.Shape:
    return sr.resize(call.shapes[0], call.constant(2), scope=call.scope)


@adapter("Upsample")
def upsample(call: Call) -> sr.Shape:
    return sr.resize(call.shapes[0], call.constant(1), scope=call.scope)


# Recurrent cells.


@adapter("RNN", "GRU", "LSTM")
def recurrent(call: Call) -> Results:
    directions = 2 if call.text("direction") == "bidirectional" else 1
    states, last = sr.recurrent(
        call.row.operation.lower(),
        *call.shapes[:3],
        directions=directions,
        batch_first=call.number("layout", 0) == 1,
        scope=call.scope,
    )
    hidden = call.number("hidden_size")
    if hidden is not None:
        call.scope.require(last[-1], "==", hidden)
    return [states, last, last][: len(call.row.results)]
