"""Python's `frozenset` and `bytes`, in Python: compiled code makes instances of these classes in
their place, and returns the real ones (`_to_python`).
"""

from __future__ import annotations

import builtins
from typing import Any

from . import primitives


class frozenset:
    """A set in memory that nobody changes."""

    def __init__(self, iterable: Any = (), /) -> None:
        self._items: Any = set(iterable)

    def _to_python(self) -> Any:
        return builtins.frozenset(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __bool__(self) -> bool:
        return len(self._items) > 0

    def __iter__(self) -> Any:
        return iter(self._items)

    def __contains__(self, item: Any) -> bool:
        return item in self._items

    def __hash__(self) -> int:
        made = 0
        for item in self._items:
            made = primitives.hash_of_set(made, hash(item), -1)
        return primitives.hash_of_set(made, 0, len(self._items))

    def __eq__(self, other: Any) -> Any:
        if not isinstance(other, (set, frozenset)):
            return NotImplemented
        return self._items == set_of(other)

    def __le__(self, other: Any) -> bool:
        return self._items <= set_of(other)

    def __lt__(self, other: Any) -> bool:
        return self._items < set_of(other)

    def __ge__(self, other: Any) -> bool:
        return self._items >= set_of(other)

    def __gt__(self, other: Any) -> bool:
        return self._items > set_of(other)

    def __or__(self, other: Any) -> Any:
        return frozenset(self._items | set_of(other))

    def __and__(self, other: Any) -> Any:
        return frozenset(self._items & set_of(other))

    def __sub__(self, other: Any) -> Any:
        return frozenset(self._items - set_of(other))

    def __xor__(self, other: Any) -> Any:
        return frozenset(self._items ^ set_of(other))

    def __ror__(self, other: Any) -> Any:
        return other | self._items

    def __rand__(self, other: Any) -> Any:
        return other & self._items

    def __rsub__(self, other: Any) -> Any:
        return other - self._items

    def __rxor__(self, other: Any) -> Any:
        return other ^ self._items

    def union(self, *others: Any) -> Any:
        made = self._items.copy()
        for other in others:
            made.update(other)
        return frozenset(made)

    def intersection(self, *others: Any) -> Any:
        made = self._items.copy()
        for other in others:
            made = made.intersection(set(other))
        return frozenset(made)

    def difference(self, *others: Any) -> Any:
        made = self._items.copy()
        for other in others:
            for item in other:
                made.discard(item)
        return frozenset(made)

    def symmetric_difference(self, other: Any, /) -> Any:
        return frozenset(self._items ^ set(other))

    def issubset(self, other: Any, /) -> bool:
        return self._items <= set(other)

    def issuperset(self, other: Any, /) -> bool:
        return self._items >= set(other)

    def isdisjoint(self, other: Any, /) -> bool:
        for item in other:
            if item in self._items:
                return False
        return True

    def copy(self) -> Any:
        return self


def set_of(items: Any) -> Any:
    """The items of a set or frozenset as a set."""
    return items._items if isinstance(items, frozenset) else items


REPLACED: dict[Any, type] = {builtins.frozenset: frozenset}
