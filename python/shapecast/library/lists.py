"""Python's functions of iterables whose length only the run knows, and what lists do with them."""

from __future__ import annotations

from typing import Any

from . import implements


@implements("builtins.list")
def listed(items: Any) -> Any:
    return [item for item in items]


@implements("builtins.tuple")
def tupled(items: Any) -> Any:
    return tuple([item for item in items])


@implements("builtins.sorted")
def in_order(items: Any, reverse: bool = False) -> Any:
    result = [item for item in items]
    result.sort()
    if reverse:
        result.reverse()
    return result


@implements("builtins.min")
def least(items: Any) -> Any:
    rest = [item for item in items]
    if len(rest) == 0:
        raise ValueError("min() arg is an empty sequence")
    best = rest[0]
    for i in range(1, len(rest)):
        if rest[i] < best:
            best = rest[i]
    return best


@implements("builtins.max")
def greatest(items: Any) -> Any:
    rest = [item for item in items]
    if len(rest) == 0:
        raise ValueError("max() arg is an empty sequence")
    best = rest[0]
    for i in range(1, len(rest)):
        if rest[i] > best:
            best = rest[i]
    return best


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
    items.sort()
    if reverse:
        items.reverse()
