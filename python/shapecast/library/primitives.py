"""What the library asks of the compiler, by name: questions (src/ops/functions_kinds.cpp), and
calls into the run time without Python (src/ops/functions_indexing.cpp).
"""

from __future__ import annotations

from typing import Any

import numpy as np


def same_size(a: Any, b: Any) -> Any:
    """Whether two sizes are equal, decided while compiling: it is part of what is assumed of the
    call, where the sizes come from its arguments.
    """
    return a == b


def items_of(sequence: Any, what: Any) -> Any:
    """The items of a tuple, list, range or array of one axis as a tuple. Its length is taken to be
    what it is in the call; where only the run knows it, UnsupportedError says so of `what`.
    """
    return tuple(sequence)


def at_least(size: Any, bound: Any) -> Any:
    """True if `size >= bound` shall be part of what is assumed of the call: it holds for the
    arguments at hand, and is a question to their sizes alone.
    """
    return size >= bound


def refused(message: Any) -> Any:
    """UnsupportedError, where a call is compiled that comes here."""
    raise NotImplementedError(message)


def assumed(condition: Any, name: str) -> Any:
    """A condition on values that is known while compiling: taken to be true. Where a call finds it
    false, it begins again with code for that. No other one in a call has this name.
    """
    return condition


def within(index: Any, size: Any) -> Any:
    """The index, which is known to be one of range(size): nothing checks it again."""
    return index


def diagonal(a: Any, axis1: Any, axis2: Any) -> Any:
    """np.diagonal of two axes of one size, but written through where the array may be."""
    return np.einsum("...ii->...i", np.moveaxis(a, (axis1, axis2), (-2, -1)))


def windows(a: Any, axis: Any, size: Any) -> Any:
    """A read-only view with one more axis, the last: `size` elements from each on, along `axis`,
    which gets shorter by size - 1.
    """
    return np.lib.stride_tricks.sliding_window_view(a, size, axis)


def along(axis: int, key: Any) -> Any:
    """A key: `[:, :, key]` for axis 2."""
    raise NotImplementedError


def is_contiguous(a: Any) -> bool:
    """Whether it is known to stand in C order."""
    raise NotImplementedError


def are_numbers(items: Any) -> bool:
    """Whether it is a list of unknown length, of numbers of one type that have an order."""
    raise NotImplementedError


def are_few(items: Any) -> bool:
    """Whether it is a list of known length that is sorted by comparing all of its items."""
    raise NotImplementedError


def writeable(a: Any, message: str) -> Any:
    """The array, to be written; ValueError(message) where it is read-only."""
    raise NotImplementedError


def product(*pools: Any) -> Any:
    """The iterator of itertools.product, of things that are asked for any item."""
    raise NotImplementedError


def sort(a: Any, stable: bool) -> None:
    """Along the last axis, in place."""
    raise NotImplementedError


def argsort(a: Any, stable: bool) -> Any:
    """Along the last axis; equal elements stay in order where it is to be stable."""
    raise NotImplementedError


def places_in(line: Any, wanted: Any, right: bool) -> Any:
    """np.searchsorted of lines of one dtype, not float16 nor complex; `line` is in one piece."""
    raise NotImplementedError


def uniform_bins(numbers: Any, edges: Any) -> Any:
    """The bin of each number, between edges at equal distances: np.histogram's, or as many as there
    are bins where it is in none. Lines of one dtype, float32 or float64; `edges` is in one piece.
    """
    raise NotImplementedError


def count_uniform(counts: Any, numbers: Any, edges: Any) -> None:
    """How many of the numbers are in each bin, as above, into a line of np.int64."""
    raise NotImplementedError


def scan_extremes(line: Any, target: Any, largest: bool) -> None:
    """np.maximum.accumulate or np.minimum.accumulate of a line of integers, float32 or float64 into
    one of the same dtype, which may be the same line.
    """
    raise NotImplementedError


def partition(a: Any, kth: Any) -> None:
    """Along the last axis, in place; `kth` is a sorted array of places."""
    raise NotImplementedError


def nth(line: Any, k: int) -> None:
    """The k-th smallest of a line without NaNs to its place, in place; nothing before it is
    greater, nothing after it less.
    """
    raise NotImplementedError


def extremes(ends: Any, line: Any) -> None:
    """The smallest and the greatest number of a line of float32 or float64 into `ends`; NaN where
    it holds one. The line is not empty.
    """
    raise NotImplementedError


def centre_rows(target: Any, rows: Any) -> None:
    """`target[:] = rows - np.mean(rows, axis=1)[:, None]`, of float64 in C order."""
    raise NotImplementedError


def holds_nan(line: Any) -> int:
    """1 if a number of the line is NaN, else 0."""
    raise NotImplementedError


def correlate_part(target: Any, a: Any, v: Any, before: int, first: int, last: int) -> None:
    """target[i] for first <= i < last: the sum of a[i - before + j] * v[j] over all j for which
    both are there. All are of one dtype, which is neither bool nor float16.
    """
    raise NotImplementedError


def draw(kernel: str, generator: Any, parameters: Any) -> float:
    """A number of the run time's distribution of that name (src/runtime/random.cpp)."""
    raise NotImplementedError


def draw_integer(kernel: str, generator: Any, parameters: Any) -> np.int64:
    raise NotImplementedError


def fill(kernel: str, written: Any, read: Any, message: str = "") -> None:
    """The run time's kernel of that name, of the same file: `read` are the generator, numbers and
    arrays. ValueError(message) where it does not take what is to be written.
    """
    raise NotImplementedError


def lapack(kernel: str, written: Any, read: Any, message: str) -> int:
    """The run time's kernel of that name (src/runtime/lapack.cpp), on stacks of matrices of float64
    or complex128 whose leading axes are of one shape; LinAlgError(message) where it fails.
    """
    raise NotImplementedError


def loop_dtypes(ufunc: str, *operands: Any) -> Any:
    """Those of a generalised ufunc's loop for operands of these kinds, inputs first; None where it
    has none. Numbers, or dtypes that stand for arrays.
    """
    raise NotImplementedError


def loop_transform(ufunc: str, out: Any, a: Any, number: Any) -> None:
    """The loop of a ufunc "(n),()->(m)" along the last axes of `a` and `out`, which are in its
    dtypes (src/runtime/ufunc_loops.cpp).
    """
    raise NotImplementedError
