"""Instances as keys whose classes define __eq__, and tuples that hold such: tables find keys by
identity, so that a lookup goes on with the key in the table that is equal.
"""

from __future__ import annotations

from typing import Any

from . import implements, primitives


@implements("shapecast.entry of an equal key")
def entry_of(container: Any, key: Any) -> Any:
    """The entry of the dict or set whose key is equal to `key`; -1 where there is none."""
    at = primitives.next_equal(container, key, -1)
    while at >= 0:
        known = primitives.key_at(container, at)
        if known == key if isinstance(key, tuple) else known is key or known == key:
            return at
        at = primitives.next_equal(container, key, at)
    return at


@implements("shapecast.key of an entry")
def key_of_entry(container: Any, key: Any) -> Any:
    """The key of the dict or set that is equal to `key`, which must be in it."""
    at = entry_of(container, key)
    if at < 0:
        raise KeyError(key)
    return primitives.key_at(container, at)


@implements("shapecast.no such attribute")
def no_such_attribute(cls: Any, name: Any) -> Any:
    """For getattr with a name that is known at run time only."""
    raise AttributeError(f"'{cls}' object has no attribute '{name}'")


@implements("shapecast.list of an exception")
def list_of_exception(number: int, classes: Any, name: Any, length: int, form: Any) -> Any:
    """The attribute `name` of the caught exception with that number, a list."""
    made = []
    for k in range(length):
        made.append(primitives.item_of_exception(number, classes, name, k, form))
    return made
