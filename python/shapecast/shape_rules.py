"""Shape rules of array operations, over sizes that are numbers or symbols.

These are the rules of shapecast's own shape inference, for tests and for authors of compilers:

>>> from shapecast import shape_rules as sr
>>> scope = sr.Scope()
>>> sr.matmul(("n", "k"), (512, 10), scope=scope)
(n, 10)
>>> scope.size("k")
512

A size is an int, the text of an expression (`"2 * n + 1"`, with `+ - * // % **`, `min` and `max`; a
name is a symbol, which is >= 0), a `Dim` that a rule returned, or None where it is unknown: each
None is a fresh symbol. A shape is a sequence of sizes, or None where even the rank is unknown. The
constraints of a rule on symbols become facts of the scope, which refine later results; a
contradiction raises `shapecast.ShapeError` and names both origins. Without `scope` a call has one
of its own.
"""

from __future__ import annotations

import ast
import operator
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import numpy as np

from . import _core

Dim = _core.Dim
Size = int | str | Dim | None
Shape = tuple[int | Dim, ...]
ShapeLike = Sequence[Size] | None

_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], int | Dim]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Mod: lambda a, b: a % b,
    ast.Pow: lambda a, b: a**b,
}


class Scope:
    """Symbols, and the facts about them."""

    def __init__(self) -> None:
        self._core = _core.ShapeScope()
        self._origin: str | None = None

    def size(self, size: Size) -> int | Dim:
        """The size, simplified by the facts: a number, if it is known."""
        return self._core.size(self._dim(size))

    def shape(self, shape: Sequence[Size]) -> Shape:
        """The shape, simplified by the facts."""
        return tuple(self.size(size) for size in shape)

    def bounds(self, size: Size) -> tuple[int, int]:
        """The lower and the upper bound that the facts imply (at most 64 bits)."""
        return self._core.bounds(self._dim(size))

    def equal(self, a: Size, b: Size) -> bool | None:
        """Whether both are always equal, never (False), or it is not known (None)."""
        return self._core.equal(self._dim(a), self._dim(b))

    def greater_equal(self, a: Size, b: Size) -> bool | None:
        """Whether a >= b always, never (False), or it is not known (None)."""
        return self._core.greater_equal(self._dim(a), self._dim(b))

    def require(self, a: Size, relation: str, b: Size) -> None:
        """Adds the fact `a == b`, `a >= b` or `a != b`; ShapeError where it contradicts others."""
        self._at("require").require(relation, self._dim(a), self._dim(b))

    @property
    def facts(self) -> list[str]:
        """The facts, in order: "k == 512 because of matmul (model.py:9)"."""
        return [f"{text} because of {origin}" for text, origin in self._core.facts]

    @contextmanager
    def origin(self, text: str) -> Iterator[None]:
        """The origin of facts and errors in the block, instead of file and line."""
        before, self._origin = self._origin, text
        try:
            yield
        finally:
            self._origin = before

    def _at(self, rule: str) -> _core.ShapeScope:
        """The core's scope, with the line that called this module as the origin."""
        if self._origin is None:
            frame = sys._getframe(1)
            while frame.f_back and frame.f_globals.get("__name__") == __name__:
                frame = frame.f_back
            file = frame.f_code.co_filename.rpartition("/")[2]
            self._core.origin = f"{rule} ({file}:{frame.f_lineno})"
        else:
            self._core.origin = self._origin
        return self._core

    def _dim(self, size: Size) -> int | Dim:
        if size is None:
            return self._core.fresh()
        if isinstance(size, str):
            try:
                return self._expression(ast.parse(size.strip(), mode="eval").body)
            except (SyntaxError, KeyError, AttributeError, TypeError, ZeroDivisionError):
                raise ValueError(f"not a size: {size!r}") from None
        if not isinstance(size, Dim):
            return operator.index(size)
        for name in size.symbols:  # they may be of another scope
            self._core.symbol(name)
        return size

    def _expression(self, node: ast.expr) -> int | Dim:
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return node.value
        if isinstance(node, ast.Name):
            return self._core.symbol(node.id)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -self._expression(node.operand)
        if isinstance(node, ast.BinOp):
            operands = self._expression(node.left), self._expression(node.right)
            return _OPERATORS[type(node.op)](*operands)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
            combine = _FUNCTIONS[node.func.id]
            result, *others = (self._expression(a) for a in node.args)
            for other in others:
                result = combine(result, other)
            return result
        raise KeyError(type(node))

    def _sizes(self, sizes: Sequence[Size]) -> tuple[int | Dim, ...]:
        return tuple(self._dim(size) for size in sizes)

    def _shape(self, shape: Sequence[Size]) -> tuple[int | Dim, ...]:
        """The shape of an existing array: no size is negative."""
        sizes = self._sizes(shape)
        for size in sizes:
            if isinstance(size, int) and size < 0:
                raise ValueError(f"an array has no negative size, as in {tuple(shape)}")
            if not isinstance(size, int) and self._core.greater_equal(size, 0) is not True:
                self._at("a shape").require(">=", size, 0)
        return sizes

    def _shapes(self, shapes: Sequence[Sequence[Size]]) -> list[tuple[int | Dim, ...]]:
        return [self._shape(shape) for shape in shapes]


def _min(a: int | Dim, b: int | Dim) -> int | Dim:
    return a.min(b) if isinstance(a, Dim) else b.min(a) if isinstance(b, Dim) else min(a, b)


def _max(a: int | Dim, b: int | Dim) -> int | Dim:
    return a.max(b) if isinstance(a, Dim) else b.max(a) if isinstance(b, Dim) else max(a, b)


def _broadcast(a: int | Dim, b: int | Dim) -> int | Dim:
    return a.broadcast(b) if isinstance(a, Dim) else b if a == 1 else a


# The functions in printed sizes.
_FUNCTIONS: dict[str, Callable[[Any, Any], int | Dim]] = {
    "min": _min,
    "max": _max,
    "broadcast": _broadcast,
    "floordiv": _OPERATORS[ast.FloorDiv],
    "mod": _OPERATORS[ast.Mod],
}


def _ints(value: int | Sequence[int], count: int) -> list[int]:
    if isinstance(value, Sequence):
        return [operator.index(item) for item in value]
    return [operator.index(value)] * count


def _axes(axis: int | Sequence[int] | None, rank: int) -> list[int]:
    """All axes for None. A scalar has none, but axis 0 or -1 is valid for it, as in NumPy."""
    if axis is None:
        return list(range(rank))
    if rank == 0 and not isinstance(axis, Sequence) and operator.index(axis) in (0, -1):
        return []
    return _ints(axis, 1)


def merge(a: ShapeLike, b: ShapeLike, *, scope: Scope | None = None) -> Shape | None:
    """The meet: the shape that both are; facts about either hold for both and for the result."""
    s = scope or Scope()
    both = (None if x is None else s._shape(x) for x in (a, b))
    return s._at("merge").merge(*both)


def relax(a: ShapeLike, b: ShapeLike, *, scope: Scope | None = None) -> Shape | None:
    """The join: sizes that are not known to be equal become fresh symbols."""
    s = scope or Scope()
    both = (None if x is None else s._shape(x) for x in (a, b))
    return s._at("relax").relax(*both)


def unary(shape: ShapeLike, *, scope: Scope | None = None) -> Shape | None:
    """The shape of an element-wise function of one array."""
    s = scope or Scope()
    return None if shape is None else s.shape(s._shape(shape))


def broadcast(*shapes: ShapeLike, scope: Scope | None = None) -> Shape | None:
    """The shape of an element-wise function of arrays of these shapes (numpy.broadcast_shapes)."""
    s = scope or Scope()
    known = [shape for shape in shapes if shape is not None]
    result = s._at("broadcast").broadcast(s._shapes(known))
    return result if len(known) == len(shapes) else None


def broadcast_to(shape: ShapeLike, to: ShapeLike, *, scope: Scope | None = None) -> Shape | None:
    """`shape` stretched to `to` (numpy.broadcast_to)."""
    s = scope or Scope()
    if shape is None or to is None:
        return None if to is None else s.shape(to)
    return s._at("broadcast_to").broadcast_to(s._shape(shape), s._sizes(to))


def matmul(a: ShapeLike, b: ShapeLike, *, scope: Scope | None = None) -> Shape | None:
    """a @ b (numpy.matmul): vectors are padded, stacks of matrices broadcast."""
    s = scope or Scope()
    some = (None,)  # a vector where the rank is not known
    both = (s._shape(some if shape is None else shape) for shape in (a, b))
    result = s._at("matmul").matmul(*both)
    return None if a is None or b is None else result


def gemm(
    a: Sequence[Size],
    b: Sequence[Size],
    c: Sequence[Size] | None = None,
    *,
    transpose_a: bool = False,
    transpose_b: bool = False,
    scope: Scope | None = None,
) -> Shape:
    """The product of two matrices, optionally transposed, plus `c`, which broadcasts to it."""
    s = scope or Scope()
    third = None if c is None else s._shape(c)
    return s._at("gemm").gemm(s._shape(a), s._shape(b), transpose_a, transpose_b, third)


def einsum(equation: str, *shapes: Sequence[Size], scope: Scope | None = None) -> Shape:
    """numpy.einsum(equation, ...)."""
    s = scope or Scope()
    return s._at("einsum").einsum(equation, s._shapes(shapes))


def reduce(
    shape: ShapeLike,
    axis: int | Sequence[int] | None = None,
    *,
    keepdims: bool = False,
    scope: Scope | None = None,
) -> Shape | None:
    """sum, max, argmax ... along an axis, some, or all (None)."""
    s = scope or Scope()
    if shape is None:
        return None if keepdims or axis is not None else ()
    return s._at("reduce").reduce(s._shape(shape), _axes(axis, len(shape)), keepdims)


def scan(shape: Sequence[Size], axis: int = 0, *, scope: Scope | None = None) -> Shape:
    """cumsum, cumprod ... along an axis."""
    s = scope or Scope()
    return s._at("scan").scan(s._shape(shape), axis)


def transpose(
    shape: Sequence[Size], axes: Sequence[int] | None = None, *, scope: Scope | None = None
) -> Shape:
    """numpy.transpose; without `axes` their order is reversed."""
    s = scope or Scope()
    order = list(range(len(shape)))[::-1] if axes is None else list(axes)
    return s._at("transpose").transpose(s._shape(shape), order)


def squeeze(
    shape: Sequence[Size], axis: int | Sequence[int] | None = None, *, scope: Scope | None = None
) -> Shape | None:
    """Without axes of size 1: all of them, or those named, which then must be 1.

    None where it is unknown which sizes are 1.
    """
    s = scope or Scope()
    if axis is not None:
        return s._at("squeeze").squeeze(s._shape(shape), _axes(axis, len(shape)))
    sizes = s._shape(shape)
    ones = [s.equal(size, 1) for size in sizes]
    if None in ones:
        return None
    return s._at("squeeze").squeeze(sizes, [i for i, is_one in enumerate(ones) if is_one])


def expand_dims(
    shape: Sequence[Size], axis: int | Sequence[int], *, scope: Scope | None = None
) -> Shape:
    """Inserts axes of size 1, at these indices of the result (numpy.expand_dims)."""
    s = scope or Scope()
    return s._at("expand_dims").unsqueeze(s._shape(shape), _ints(axis, 1))


def flatten(shape: Sequence[Size], axis: int = 1, *, scope: Scope | None = None) -> Shape:
    """Two axes: the product of those before `axis`, and of the others."""
    s = scope or Scope()
    return s._at("flatten").flatten(s._shape(shape), axis)


def reshape(shape: ShapeLike, to: Size | ShapeLike, *, scope: Scope | None = None) -> Shape | None:
    """numpy.reshape; one size of `to` may be negative: it is inferred."""
    s = scope or Scope()
    if to is None:
        return None
    sizes = s._sizes(to if isinstance(to, Sequence) and not isinstance(to, str) else (to,))
    if shape is not None:
        return s._at("reshape").reshape(s._shape(shape), sizes)
    holes = [isinstance(size, int) and size < 0 for size in sizes]
    if sum(holes) > 1:
        raise ValueError("can only specify one unknown dimension")
    return s.shape([None if hole else size for size, hole in zip(sizes, holes, strict=True)])


def concat(shapes: Sequence[Sequence[Size]], axis: int = 0, *, scope: Scope | None = None) -> Shape:
    """numpy.concatenate along an axis."""
    s = scope or Scope()
    return s._at("concat").concat(s._shapes(shapes), axis)


def stack(shapes: Sequence[Sequence[Size]], axis: int = 0, *, scope: Scope | None = None) -> Shape:
    """numpy.stack: along a new axis."""
    s = scope or Scope()
    return s._at("stack").stack(s._shapes(shapes), axis)


def split(
    shape: Sequence[Size],
    parts: int | Sequence[Size],
    axis: int = 0,
    *,
    uneven: bool = False,
    scope: Scope | None = None,
) -> list[Shape]:
    """Cut along an axis: into so many equal parts, or into parts of these sizes.

    With `uneven` the first parts are one longer where it does not divide (numpy.array_split).
    """
    s = scope or Scope()
    if isinstance(parts, Sequence) and not isinstance(parts, str):
        return s._at("split").split_sizes(s._shape(shape), axis, s._sizes(parts))
    return s._at("split").split(s._shape(shape), axis, operator.index(parts), uneven)  # type: ignore[arg-type]


def tile(
    shape: Sequence[Size], counts: Size | Sequence[Size], *, scope: Scope | None = None
) -> Shape:
    """numpy.tile."""
    s = scope or Scope()
    many = isinstance(counts, Sequence) and not isinstance(counts, str)
    given = counts if many else (counts,)
    return s._at("tile").tile(s._shape(shape), s._sizes(given))  # type: ignore[arg-type]


def pad(
    shape: ShapeLike, before: Sequence[Size], after: Sequence[Size], *, scope: Scope | None = None
) -> Shape:
    """numpy.pad, with so many elements before and after along each axis."""
    s = scope or Scope()
    sizes = [None] * len(before) if shape is None else shape
    return s._at("pad").pad(s._shape(sizes), s._sizes(before), s._sizes(after))


def index(shape: Sequence[Size], key: Any, *, scope: Scope | None = None) -> Shape:
    """x[key] with ints, slices (of sizes), None and `...`, as numpy.s_ makes them."""
    s = scope or Scope()
    keys = list(key) if isinstance(key, tuple) else [key]
    used = sum(k is not None and k is not ... for k in keys)
    if used > len(shape) or keys.count(...) > 1:
        raise IndexError(f"too many indices for array: array is {len(shape)}-dimensional")
    if ... not in keys:
        keys.append(...)
    at = keys.index(...)
    keys[at : at + 1] = [slice(None)] * (len(shape) - used)
    sizes = iter(s._shape(shape))
    result: list[int | Dim] = []
    for k in keys:
        if k is None:
            result.append(1)
            continue
        if isinstance(k, (bool, np.bool_)):
            raise IndexError("a mask is not supported as an index: use ints, slices, None and ...")
        size = next(sizes)
        if isinstance(k, slice):
            start, stop = (None if x is None else s._dim(x) for x in (k.start, k.stop))
            step = 1 if k.step is None else s._dim(k.step)
            result.append(s._at("index").slice(size, start, stop, step)[1])
        else:
            s._at("index").require_in_bounds(s._dim(k), size)
    return s.shape(result)


def arange(start: Size, stop: Size, step: Size = 1, *, scope: Scope | None = None) -> Shape:
    """The shape of numpy.arange(start, stop, step) of ints."""
    s = scope or Scope()
    return s._at("arange").range(s._dim(start), s._dim(stop), s._dim(step))


def linspace(count: Size, *, scope: Scope | None = None) -> Shape:
    """The shape of numpy.linspace(..., count)."""
    return full((count,), scope=scope)


def full(sizes: Sequence[Size], *, scope: Scope | None = None) -> Shape:
    """An array made of these sizes, none of which is negative (numpy.zeros, full, empty)."""
    s = scope or Scope()
    return s._at("full").full(s._sizes(sizes))


def take(
    shape: Sequence[Size], indices: Sequence[Size], axis: int = 0, *, scope: Scope | None = None
) -> Shape:
    """numpy.take with indices of this shape (gather)."""
    s = scope or Scope()
    return s._at("take").gather(s._shape(shape), s._shape(indices), axis)


def gather_nd(
    shape: Sequence[Size],
    indices: Sequence[Size],
    *,
    batch_axes: int = 0,
    scope: Scope | None = None,
) -> Shape:
    """Rows of `indices`, whose length is a number, index the axes after the batch axes."""
    s = scope or Scope()
    return s._at("gather_nd").gather_nd(s._shape(shape), s._shape(indices), batch_axes)


def scatter(
    shape: Sequence[Size],
    indices: Sequence[Size],
    updates: Sequence[Size],
    axis: int = 0,
    *,
    scope: Scope | None = None,
) -> Shape:
    """numpy.put_along_axis: indices and updates of one shape, within the array's on other axes."""
    s = scope or Scope()
    return s._at("scatter").scatter(s._shape(shape), s._shape(indices), s._shape(updates), axis)


def scatter_nd(
    shape: Sequence[Size],
    indices: Sequence[Size],
    updates: Sequence[Size],
    *,
    scope: Scope | None = None,
) -> Shape:
    """The updates have the shape that gather_nd gives."""
    s = scope or Scope()
    return s._at("scatter_nd").scatter_nd(s._shape(shape), s._shape(indices), s._shape(updates))


def one_hot(
    indices: Sequence[Size], depth: Size, axis: int = -1, *, scope: Scope | None = None
) -> Shape:
    """A new axis of size `depth`, at this index of the result's shape."""
    s = scope or Scope()
    return s._at("one_hot").one_hot(s._shape(indices), s._dim(depth), axis)


def top_k(
    shape: Sequence[Size], count: Size, axis: int = -1, *, scope: Scope | None = None
) -> Shape:
    """The `count` largest along an axis: at most its size."""
    s = scope or Scope()
    return s._at("top_k").top_k(s._shape(shape), s._dim(count), axis)


def compress(
    shape: Sequence[Size],
    axis: int | None = None,
    count: Size = None,
    *,
    scope: Scope | None = None,
) -> Shape:
    """numpy.compress: `count` elements remain along the axis (of all, without one)."""
    s = scope or Scope()
    return s._at("compress").compress(s._shape(shape), s._dim(count), axis)


Padding = str | int | Sequence[tuple[int, int]]


def _window(axes: int, options: dict[str, Any], padding: Padding) -> tuple[dict[str, Any], str]:
    """The options for each spatial axis, and the name of the padding."""
    per_axis = {name: _ints(value, axes) for name, value in options.items()}
    if isinstance(padding, str):
        return per_axis, padding
    pairs = [(padding, padding)] * axes if isinstance(padding, int) else padding
    per_axis |= {"before": [low for low, _ in pairs], "after": [high for _, high in pairs]}
    return per_axis, "explicit"


def conv(
    x: Sequence[Size],
    w: Sequence[Size],
    *,
    strides: int | Sequence[int] = 1,
    padding: Padding = 0,
    dilations: int | Sequence[int] = 1,
    groups: int = 1,
    scope: Scope | None = None,
) -> Shape:
    """Convolution of x (batch, channels, *spatial) with w (features, channels / groups, *window).

    `padding` is "valid", "same_upper" or "same_lower" (an odd element goes after, or before), a
    number for both sides of every spatial axis, or a pair for each axis.
    """
    s = scope or Scope()
    given = _window(len(x) - 2, {"strides": strides, "dilations": dilations}, padding)
    return s._at("conv").conv(s._shape(x), s._shape(w), *given, groups)


def pool(
    x: Sequence[Size],
    window: Sequence[Size],
    *,
    strides: int | Sequence[int] = 1,
    padding: Padding = 0,
    dilations: int | Sequence[int] = 1,
    ceil: bool = False,
    scope: Scope | None = None,
) -> Shape:
    """Pooling of x (batch, channels, *spatial); with `ceil` the last window may be partial."""
    s = scope or Scope()
    given = _window(len(x) - 2, {"strides": strides, "dilations": dilations}, padding)
    return s._at("pool").pool(s._shape(x), s._shape(window), *given, ceil)


def conv_transpose(
    x: Sequence[Size],
    w: Sequence[Size],
    *,
    strides: int | Sequence[int] = 1,
    padding: Padding = 0,
    dilations: int | Sequence[int] = 1,
    output_padding: int | Sequence[int] = 0,
    output_shape: Sequence[Size] | None = None,
    groups: int = 1,
    scope: Scope | None = None,
) -> Shape:
    """Transposed convolution; w is (channels, features / groups, *window).

    With `output_shape` the spatial sizes are these, and the padding follows from them.
    """
    s = scope or Scope()
    options = {"strides": strides, "dilations": dilations, "output_padding": output_padding}
    given = _window(len(x) - 2, options, padding)
    sizes = None if output_shape is None else s._sizes(output_shape)
    return s._at("conv_transpose").conv_transpose(s._shape(x), s._shape(w), *given, groups, sizes)


def resize(
    shape: Sequence[Size], scales: Sequence[int | float | Fraction], *, scope: Scope | None = None
) -> Shape:
    """floor(size * scale) along each axis, computed exactly."""
    s = scope or Scope()
    ratios = [Fraction(scale).as_integer_ratio() for scale in scales]
    tops, bottoms = [top for top, _ in ratios], [bottom for _, bottom in ratios]
    return s._at("resize").resize(s._shape(shape), tops, bottoms)


_GATES = {"rnn": 1, "gru": 3, "lstm": 4}


def recurrent(
    cell: str,
    x: Sequence[Size],
    w: Sequence[Size],
    r: Sequence[Size],
    *,
    directions: int = 1,
    batch_first: bool = False,
    scope: Scope | None = None,
) -> tuple[Shape, Shape]:
    """The shapes of all states, and of the last one, of an "rnn", "gru" or "lstm" cell.

    x is (steps, batch, features), w (directions, gates * hidden, features) and r (directions,
    gates * hidden, hidden): the states are (steps, directions, batch, hidden), the last one
    (directions, batch, hidden). With `batch_first` the batch comes first in all of them.
    """
    if cell not in _GATES:
        raise ValueError(f"a cell is one of {', '.join(_GATES)}, not {cell!r}")
    s = scope or Scope()
    shapes = s._shape(x), s._shape(w), s._shape(r)
    states, last = s._at(cell).recurrent(*shapes, _GATES[cell], directions, batch_first)
    return states, last
