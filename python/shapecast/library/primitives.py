"""Compiler intrinsics for the library: compile-time queries (functions_kinds.cpp), and calls into
the run time without Python (functions_indexing.cpp).
"""

from __future__ import annotations

from typing import Any

import numpy as np


def same_size(a: Any, b: Any) -> Any:
    """Whether two sizes are equal, a constant: where the sizes come from the call's arguments, the
    variant is specialised for the answer.
    """
    return a == b


def items_of(sequence: Any, what: Any) -> Any:
    """The items of a tuple, list, range or 1-d array as a tuple. The variant is specialised for its
    length; where that is known only at run time, UnsupportedError names `what`.
    """
    return tuple(sequence)


def assume_at_least(size: Any, bound: Any) -> Any:
    """True if the variant is specialised for `size >= bound`: it is true for the call's arguments,
    and depends on their sizes alone.
    """
    return size >= bound


def line_step(table: int, size: int, before: int, line: int) -> int:
    """`line`; notes in the table of size x size bytes at the address `table` that it was executed
    after the line `before` (negative: that of the last call), both by their numbers in the table.
    """
    raise NotImplementedError


def is_stepped(iterable: Any) -> bool:
    """Whether a loop runs code of the program for each item: of a generator, or a class in Python;
    a constant.
    """
    raise NotImplementedError


def unsupported(message: Any) -> Any:
    """UnsupportedError, where a call that reaches this is compiled."""
    raise NotImplementedError(message)


def beyond_64_bits() -> Any:
    """The OverflowError of a Python integer, which jit(bigint=True) knows."""
    raise OverflowError("Python int result does not fit in 64 bits")


def speculate(condition: Any, name: str) -> Any:
    """A condition on values, speculated to be true when compiling. A call that finds it false
    deoptimises: it restarts with code respecialised for that. The name is unique in a call.
    """
    return condition


def assume_in_range(index: Any, size: Any) -> Any:
    """The index, asserted to be in range(size): no bounds checks."""
    return index


def diagonal(a: Any, axis1: Any, axis2: Any) -> Any:
    """np.diagonal of two axes of equal size, but writeable where the array is."""
    return np.einsum("...ii->...i", np.moveaxis(a, (axis1, axis2), (-2, -1)))


def windows(a: Any, axis: Any, size: Any) -> Any:
    """A read-only sliding-window view with one more axis, the last: `size` elements from each one
    on along `axis`, which gets shorter by size - 1.
    """
    return np.lib.stride_tricks.sliding_window_view(a, size, axis)


def axis_key(axis: int, key: Any) -> Any:
    """A key: `[:, :, key]` for axis 2."""
    raise NotImplementedError


def is_contiguous(a: Any) -> bool:
    """Whether it is known to be C-contiguous."""
    raise NotImplementedError


def are_numbers(items: Any) -> bool:
    """Whether it is a list of dynamic length, of numbers of one ordered type."""
    raise NotImplementedError


def make_room(items: Any, more: int) -> None:
    """For so many keys of a dict that are added next to the set `items`."""
    raise NotImplementedError


def text(function: str, *operands: Any) -> Any:
    """The run time's function sc_text_<function> (src/runtime/text.cpp)."""
    raise NotImplementedError


def text_codes(text: Any) -> Any:
    """The codes of a string's characters, which are below 256: an array of np.uint8."""
    raise NotImplementedError


def are_texts(items: Any) -> bool:
    """Whether it is a list in memory of strings alone, a constant."""
    raise NotImplementedError


def list_of_texts() -> Any:
    """An empty list in memory, for strings."""
    raise NotImplementedError


def split_into(items: Any, text: Any, separator: Any, maximum: int) -> bool:
    """Appends the parts of text.split(separator, maximum) to a list in memory. False, a constant,
    where the list holds not only strings.
    """
    raise NotImplementedError


def set_hash(key: Any, hash: int) -> None:
    """Says the hash() of an instance in memory, which becomes a key."""
    raise NotImplementedError


def next_equal(container: Any, key: Any, after: int) -> int:
    """The number of the next entry after that one whose key has the hash of the instance; -1: there
    is none.
    """
    raise NotImplementedError


def hash_of_set(made: int, item: int, size: int) -> int:
    """The hash of a frozenset so far, and that of one more item; or, if `size` is not negative, of
    a frozenset of that size: as CPython's frozenset_hash.
    """
    raise NotImplementedError


def hash_of_tuple(made: int, item: int, size: int) -> int:
    """The same for a tuple, which begins with 2870177450012600261: as CPython's tuplehash."""
    raise NotImplementedError


def item_of_exception(number: int, classes: str, name: str, index: int, form: str) -> Any:
    """An item of a list that is an attribute of the caught exception with that number."""
    raise NotImplementedError


def is_length_known(items: Any) -> bool:
    """Whether the number of items is a constant, and small: a constant."""
    raise NotImplementedError


def item_length(items: Any) -> int:
    """How many items each item of a list has, which is a tuple; -1 for others: a constant."""
    raise NotImplementedError


def tuples_in_memory() -> None:
    """Captures the function again, with tuples of long_tuples.py."""
    raise NotImplementedError


def has_instances(container: Any) -> bool:
    """Whether the keys of the dict or set are instances of classes, a constant."""
    raise NotImplementedError


def has_own_order(item: Any) -> bool:
    """Whether its class, of named tuples say, defines `__lt__`, a constant."""
    raise NotImplementedError


def may_hold_none(items: Any) -> bool:
    """Whether items of the list, or of tuples in it, may be None, a constant."""
    raise NotImplementedError


def check_hashable(key: Any) -> None:
    """TypeError where it is no key of a dict or item of a set."""
    hash(key)


def key_at(container: Any, index: int) -> Any:
    """The key of that entry of a dict or set in memory."""
    raise NotImplementedError


def is_short(items: Any) -> bool:
    """Whether it is a list of constant length, to be sorted by comparing all of its items."""
    raise NotImplementedError


def is_on_device(a: Any) -> bool:
    """Whether the array is on a device: loops over its elements should be the host's work only if
    nothing else is possible.
    """
    raise NotImplementedError


def writeable(a: Any, message: str) -> Any:
    """The array, checked to be writeable: else ValueError(message)."""
    raise NotImplementedError


def product(*pools: Any) -> Any:
    """The iterator of itertools.product, over sequences that can be indexed."""
    raise NotImplementedError


def sort(a: Any, stable: bool) -> None:
    """Along the last axis, in place."""
    raise NotImplementedError


def argsort(a: Any, stable: bool) -> Any:
    """Along the last axis; equal elements stay in order where it is to be stable."""
    raise NotImplementedError


def search_sorted(line: Any, wanted: Any, right: bool) -> Any:
    """np.searchsorted of lines of one dtype, not float16 nor complex; `line` is contiguous."""
    raise NotImplementedError


def uniform_bins(numbers: Any, edges: Any) -> Any:
    """The bin of each number, between equidistant edges, as np.histogram: the number of bins where
    it is in none. Lines of one dtype, float32 or float64; `edges` is contiguous.
    """
    raise NotImplementedError


def count_uniform(counts: Any, numbers: Any, edges: Any) -> None:
    """The count of numbers in each bin, as above, into a line of np.int64."""
    raise NotImplementedError


def scan_extremes(line: Any, target: Any, largest: bool) -> None:
    """np.maximum.accumulate or np.minimum.accumulate of a line of integers, float32 or float64 into
    one of the same dtype, which may be the same line.
    """
    raise NotImplementedError


def partition(a: Any, kth: Any) -> None:
    """Along the last axis, in place; `kth` is a sorted array of indices."""
    raise NotImplementedError


def nth(line: Any, k: int) -> None:
    """Partitions a line without NaNs in place: the k-th smallest is at index k, nothing before it
    is greater, nothing after it less.
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
    both indices are in bounds. All are of one dtype, which is neither bool nor float16.
    """
    raise NotImplementedError


def draw(kernel: str, generator: Any, parameters: Any) -> float:
    """A number of the run time's distribution of that name (src/runtime/random.cpp)."""
    raise NotImplementedError


def draw_integer(kernel: str, generator: Any, parameters: Any) -> np.int64:
    raise NotImplementedError


def fill(kernel: str, written: Any, read: Any, message: str = "") -> None:
    """The run time's kernel of that name, of the same file: `read` are the generator, numbers and
    arrays. ValueError(message) where it does not support the array to be written.
    """
    raise NotImplementedError


def lapack(kernel: str, written: Any, read: Any, message: str) -> int:
    """The run time's kernel of that name (src/runtime/lapack.cpp), on stacks of matrices of float64
    or complex128 whose leading axes are of one shape; LinAlgError(message) where it fails.
    """
    raise NotImplementedError


def loop_dtypes(ufunc: str, *operands: Any) -> Any:
    """The dtypes of a generalised ufunc's loop for these operands, inputs first; None where it has
    none. An operand is a number, or a dtype for an array.
    """
    raise NotImplementedError


def loop_transform(ufunc: str, out: Any, a: Any, number: Any) -> None:
    """The loop of a ufunc "(n),()->(m)" along the last axes of `a` and `out`, which are in its
    dtypes (src/runtime/ufunc_loops.cpp).
    """
    raise NotImplementedError
