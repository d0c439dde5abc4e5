"""Iterators of which next() takes one item after another: classes with __iter__ and __next__, which
compiled code makes instances of instead. `iter(x)` gives a Sequence, which counts; for generator
functions see _generators.py.
"""

from __future__ import annotations

import itertools
from typing import Any


class Sequence:
    """iter() of what has items at indices."""

    def __init__(self, items: Any) -> None:
        self.items = items
        self.at = 0

    def __iter__(self) -> Sequence:
        return self

    def __next__(self) -> Any:
        if self.at >= len(self.items):
            raise StopIteration
        self.at += 1
        return self.items[self.at - 1]


class Count:
    """itertools.count."""

    def __init__(self, start: Any = 0, step: Any = 1) -> None:
        self.at = start
        self.step = step

    def __iter__(self) -> Count:
        return self

    def __next__(self) -> Any:
        now = self.at
        self.at = now + self.step
        return now

    def _to_python(self) -> Any:
        return itertools.count(self.at, self.step)


class Cycle:
    """itertools.cycle."""

    def __init__(self, iterable: Any) -> None:
        self.items = indexed(iterable)
        self.at = -1

    def __iter__(self) -> Cycle:
        return self

    def __next__(self) -> Any:
        if len(self.items) == 0:
            raise StopIteration
        self.at = (self.at + 1) % len(self.items)
        return self.items[self.at]

    def _to_python(self) -> Any:
        made = itertools.cycle(self.items)
        for _ in range(self.at + 1):
            next(made)
        return made


class Repeat:
    """itertools.repeat(item)."""

    def __init__(self, item: Any) -> None:
        self.item = item

    def __iter__(self) -> Repeat:
        return self

    def __next__(self) -> Any:
        return self.item

    def _to_python(self) -> Any:
        return itertools.repeat(self.item)


def iterator(items: Any) -> Any:
    """iter(items)."""
    if hasattr(items, "__next__"):
        return items
    return Sequence(indexed(items))


def collected(items: Any) -> Any:
    """An iterator over what zip(), map() and so on give."""
    return Sequence(list(items))


def indexed(items: Any) -> Any:
    """Itself, or a list of the items where they have no indices."""
    return items if hasattr(items, "__getitem__") and not isinstance(items, dict) else list(items)


def closed(items: Any) -> None:
    """Closes a generator."""
    if hasattr(items, "throw_"):
        items.close()


def taken(iterator: Any) -> Any:
    """next(iterator) in a generator, which it does not end (PEP 479)."""
    if not hasattr(iterator, "__next__"):
        return next(iterator)  # a TypeError
    for item in iterator:
        return item
    raise RuntimeError("generator raised StopIteration")


def iterated(items: Any) -> Any:
    """What a loop takes its items of, one after another: a generator, an iterator of a class in
    Python, or what has indices.
    """
    return in_turn(items) if items is not None else none_in_turn()  # each of one type


def in_turn(items: Any) -> Any:
    if hasattr(items, "send"):
        return items
    if hasattr(items, "__getitem__") and not isinstance(items, dict):
        return items
    return iter(items) if hasattr(items, "__module__") else list(items)


def none_in_turn() -> Any:
    raise TypeError("'NoneType' object is not iterable")
