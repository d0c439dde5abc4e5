"""Tuples of a length known only at run time, as keys and as items of containers in memory.

Others are columns: they come here where inference finds that one is such a key or item, and the
function is captured again (`CaptureOptions::tuplesInMemory`).
"""

from __future__ import annotations

import builtins
from typing import Any

from shapecast._errors import UnsupportedError

from . import primitives


def tupled(items: Any, /) -> Any:
    """What `tuple(items)` stands for in such a function."""
    if primitives.is_length_known(items):
        return builtins.tuple(items)
    return tuple([item for item in items])


def transposed(rows: Any, /) -> Any:
    """What `zip(*rows)` stands for: of a length known only at run time a list of its tuples."""
    if primitives.is_length_known(rows):
        columns = builtins.zip  # by this name no call of this function is put in its place
        return columns(*rows)
    return columns_of(collected(rows), in_memory, as_tuple)


def transposed_lists(rows: Any, /) -> Any:
    """`map(list, zip(*rows))`"""
    if primitives.is_length_known(rows):
        columns = builtins.zip
        return [[*column] for column in columns(*rows)]
    return columns_of(collected(rows), itself, itself)


def columns_of(rows: Any, long: Any, short: Any) -> Any:
    """The columns of rows that are lists by `long`, else by `short`: then of one type each."""
    width = primitives.item_length(rows)
    if width < 0:
        shortest = min([len(row) for row in rows]) if len(rows) > 0 else 0
        return [long([row[k] for row in rows]) for k in range(shortest)]
    if len(rows) == 0:
        raise UnsupportedError(
            "zip(*rows) of no rows gives nothing, of others as many tuples as a row has items; "
            "look at len(rows) first"
        )
    columns = [short([row[k] for row in rows]) for k in range(width)]
    return (*columns,)


def collected(rows: Any) -> Any:
    return rows if isinstance(rows, (list, builtins.tuple)) else [row for row in rows]


def itself(items: Any) -> Any:
    return items


def in_memory(items: Any) -> Any:
    return tuple(items)


def as_tuple(items: Any) -> Any:
    """Of items of one type, of which there is one."""
    if isinstance(items[0], (bool, int, float, complex)):
        return builtins.tuple(items)
    return tuple(items)


class tuple:
    """A list in memory that nobody changes."""

    def __init__(self, items: Any, /) -> None:
        self._items = items

    def _to_python(self) -> Any:
        return builtins.tuple(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __bool__(self) -> bool:
        return len(self._items) > 0

    def __iter__(self) -> Any:
        for i in range(len(self._items)):
            yield self._items[i]

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return tuple(self._items[index])
        if index < -len(self._items) or index >= len(self._items):
            raise IndexError("tuple index out of range")
        return self._items[index]

    def __contains__(self, item: Any) -> Any:
        return item in self._items

    def __hash__(self) -> int:
        made = 2870177450012600261
        for i in range(len(self._items)):
            made = primitives.hash_of_tuple(made, hash(self._items[i]), -1)
        return primitives.hash_of_tuple(made, 0, len(self._items))

    def __eq__(self, other: Any) -> Any:
        if not isinstance(other, (tuple, builtins.tuple)):
            return NotImplemented
        return self._items == items_of(other)

    def __lt__(self, other: Any) -> Any:
        return self._items < items_of(other)

    def __le__(self, other: Any) -> Any:
        return self._items <= items_of(other)

    def __gt__(self, other: Any) -> Any:
        return self._items > items_of(other)

    def __ge__(self, other: Any) -> Any:
        return self._items >= items_of(other)

    def __add__(self, other: Any) -> Any:
        made = self._items.copy()
        made.extend(items_of(other))
        return tuple(made)

    def __radd__(self, other: Any) -> Any:
        made = [item for item in other]
        made.extend(self._items)
        return tuple(made)

    def __mul__(self, times: int) -> Any:
        return tuple(self._items * times)

    def __rmul__(self, times: int) -> Any:
        return tuple(self._items * times)

    def __repr__(self) -> str:
        if len(self._items) == 1:
            return "(" + repr(self._items[0]) + ",)"
        texts = []
        for i in range(len(self._items)):
            texts.append(repr(self._items[i]))
        return "(" + ", ".join(texts) + ")"

    def count(self, value: Any, /) -> int:
        return int(self._items.count(value))

    def index(self, value: Any, start: int = 0, stop: int = 2**63 - 1, /) -> int:
        for i in range(*slice(start, stop).indices(len(self._items))):
            if self._items[i] == value:
                return i
        raise ValueError("tuple.index(x): x not in tuple")


def items_of(other: Any) -> Any:
    """The items of one of either kind as a list."""
    return other._items if isinstance(other, tuple) else [item for item in other]
