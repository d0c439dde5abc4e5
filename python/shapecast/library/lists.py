"""Python's functions of iterables whose length only the run knows, and what lists do with them."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._running import said
from . import implements
from ._shared import pool

EMPTY = said(lambda: max(())).removeprefix("max")  # "() arg is an empty sequence"


@implements("builtins.list")
def listed(items: Any) -> Any:
    return [item for item in items]


@implements("builtins.tuple")
def tupled(items: Any) -> Any:
    return tuple([item for item in items])


@implements("builtins.sorted")
def in_order(items: Any, reverse: bool = False) -> Any:
    result = [item for item in items]
    sort(result, reverse)
    return result


@implements("builtins.sorted few")
def few_in_order(items: Any, key: Any = None, reverse: bool = False) -> Any:
    """As many as are known here: they may differ in kind, where their order is known too."""
    result = [item for item in items]
    keys = result.copy() if key is None else [key(item) for item in result]
    for i in range(1, len(result)):
        for k in range(i, 0, -1):
            if (keys[k - 1] < keys[k]) if reverse else (keys[k] < keys[k - 1]):
                keys[k], keys[k - 1] = keys[k - 1], keys[k]
                result[k], result[k - 1] = result[k - 1], result[k]
    return result


@implements("builtins.sorted many")
def many_in_order(items: Any, key: Any = None, reverse: bool = False) -> Any:
    result = [item for item in items]
    keys = np.array([key(item) for item in result])
    if not reverse:
        return [result[i] for i in np.argsort(keys, kind="stable")]
    last = len(result) - 1  # equal ones keep their order
    return [result[last - i] for i in np.argsort(keys[::-1], kind="stable")[::-1]]


@implements("builtins.filter")
def filtered(function: Any, items: Any) -> Any:
    if function is None:
        return [item for item in items if item]
    return [item for item in items if function(item)]


def first_of(items: Any, name: str, precedes: Any) -> Any:
    rest = [item for item in items]
    if len(rest) == 0:
        raise ValueError(name + EMPTY)
    best = rest[0]
    for i in range(1, len(rest)):
        if precedes(rest[i], best):
            best = rest[i]
    return best


@implements("builtins.min")
def least(items: Any) -> Any:
    return first_of(items, "min", lambda a, b: a < b)


@implements("builtins.max")
def greatest(items: Any) -> Any:
    return first_of(items, "max", lambda a, b: a > b)


def first_by(given: Any, name: str, precedes: Any, key: Any, default: Any) -> Any:
    if len(given) > 1 and default is not ...:
        raise TypeError(f"Cannot specify a default for {name}() with multiple positional arguments")
    items = pool(given[0]) if len(given) == 1 else given
    if default is not ...:  # no value of the other path
        if len(items) == 0:
            return default
    if len(items) == 0:
        raise ValueError(name + EMPTY)
    best = items[0]
    least_key = best if key is None else key(best)
    for i in range(1, len(items)):
        its_key = items[i] if key is None else key(items[i])
        if precedes(its_key, least_key):
            best, least_key = items[i], its_key
    return best


@implements("builtins.min by")
def least_by(*items: Any, key: Any = None, default: Any = ...) -> Any:
    return first_by(items, "min", lambda a, b: a < b, key, default)


@implements("builtins.max by")
def greatest_by(*items: Any, key: Any = None, default: Any = ...) -> Any:
    return first_by(items, "max", lambda a, b: a > b, key, default)


@implements("builtins.any")
def some(items: Any) -> Any:
    for item in items:
        if item:
            return True
    return False


@implements("builtins.all")
def every(items: Any) -> Any:
    for item in items:
        if not item:
            return False
    return True


@implements("builtins.list.extend")
def extend(items: Any, more: Any) -> None:
    for item in more:
        items.append(item)


@implements("builtins.list.sort")
def sort(items: Any, reverse: bool = False) -> None:
    if reverse:  # equal ones keep their order
        items.reverse()
        items.sort()
        items.reverse()
    else:
        items.sort()
