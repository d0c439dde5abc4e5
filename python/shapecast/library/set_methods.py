"""Methods of sets with several arguments of which the number is known only at run time: what
`a.union(*others)` and `set.union(*sets)` stand for.
"""

from __future__ import annotations

from typing import Any


def union(first: Any, others: Any) -> Any:
    if not isinstance(first, set):  # a frozenset
        return first.union({item for one in others for item in one})
    result = first.copy()
    for one in others:
        result.update(one)
    return result


def intersection(first: Any, others: Any) -> Any:
    result = first.copy()
    for one in others:
        result = result.intersection(one)
    return result


def difference(first: Any, others: Any) -> Any:
    if not isinstance(first, set):
        return first.difference({item for one in others for item in one})
    result = first.copy()
    for one in others:
        result.difference_update(one)
    return result


def update(changed: Any, others: Any) -> None:
    for one in others:
        changed.update(one)


def intersection_update(changed: Any, others: Any) -> None:
    for one in others:
        changed.intersection_update(one)


def difference_update(changed: Any, others: Any) -> None:
    for one in others:
        changed.difference_update(one)


def union_of(sets: Any) -> Any:
    """set.union(*sets)"""
    given = _given(sets, "union")
    return union(given[0], given[1:])


def intersection_of(sets: Any) -> Any:
    given = _given(sets, "intersection")
    return intersection(given[0], given[1:])


def difference_of(sets: Any) -> Any:
    given = _given(sets, "difference")
    return difference(given[0], given[1:])


def _given(sets: Any, name: str) -> Any:
    given = list(sets)
    if len(given) == 0:
        raise TypeError("unbound method set." + name + "() needs an argument")
    return given
