"""Python's functions of iterables whose length is known only at run time, and list methods."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._errors import UnsupportedError
from .._host_info import said
from . import implements, primitives
from ._shared import pool
from .containers import check_present, merged_order

EMPTY = said(lambda: max(())).removeprefix("max")  # "() arg is an empty sequence"


@implements("numpy.ndarray.tolist")
def tolist(a: Any) -> Any:
    if a.ndim == 0:
        return a.item()
    if a.ndim == 1:
        return [a[i].item() for i in range(len(a))]
    return [[a[i, j].item() for j in range(a.shape[1])] for i in range(a.shape[0])]


@implements("builtins.list")
def listed(items: Any) -> Any:
    return [item for item in items]


_IN_COLUMNS = (bool, int, float, complex, np.generic, np.ndarray)


def of_tuple(item: Any) -> Any:
    """The item: in a tuple in columns are no lists and strings."""
    parts = item if isinstance(item, tuple) else (item,)
    for k in range(len(parts)):
        if not isinstance(parts[k], (*_IN_COLUMNS, tuple)):
            primitives.tuples_in_memory()
    return item


@implements("builtins.tuple")
def tupled(items: Any) -> Any:
    is_long = isinstance(items, list) and not primitives.is_length_known(items)
    if is_long and len(items) > 0 and isinstance(items[0], np.ndarray):
        raise UnsupportedError(
            "tuple() of a list of arrays, of a length known only at run time, is not supported; "
            "keep the list"
        )
    return tuple([of_tuple(item) for item in items])


@implements("shapecast.rest of a call")
def rest_of_call(first: Any, items: Any, start: int) -> Any:
    """What `*args` is of `f(*first, *items[start:])`: of a length known only at run time."""
    rest = [items[i] for i in range(start, len(items))]
    return tuple([*first, *rest])


@implements("builtins.sorted")
def in_order(items: Any, /, *, key: Any = None, reverse: bool = False) -> Any:
    result = [item for item in items]
    result.sort(key=key, reverse=reverse)
    return result


@implements("shapecast.sorted items of a dict")
def items_in_order(items: Any, /, *, reverse: bool = False) -> Any:
    """By their keys, which differ."""
    return in_order(items, key=key_of_item, reverse=reverse)


def key_of_item(item: Any) -> Any:
    return item[0]


def few_in_order(items: Any, key: Any, reverse: bool) -> Any:
    """A constant number of items: their types may differ where their order is constant, too."""
    result = [item for item in items]
    keys = result.copy() if key is None else [key(item) for item in result]
    for i in range(1, len(result)):
        for k in range(i, 0, -1):
            if (keys[k - 1] < keys[k]) if reverse else (keys[k] < keys[k - 1]):
                keys[k], keys[k - 1] = keys[k - 1], keys[k]
                result[k], result[k - 1] = result[k - 1], result[k]
    return result


def taken_apart(columns: Any) -> Any:
    """Columns of tuples become columns of their items."""
    parts: Any = ()
    for k in range(len(columns)):
        column = columns[k]
        if isinstance(column[0], (tuple, list)):
            for index in range(len(column[0])):
                parts += ([item[index] for item in column],)
        else:
            parts += (column,)
    return parts


def holds_text(key: Any) -> Any:
    """Whether it is a string, or a tuple with one."""
    parts = key if isinstance(key, tuple) else (key,)
    found = False
    for k in range(len(parts)):
        if isinstance(parts[k], str):
            found = True
    return found


def sorted_indices(keys: Any, reverse: bool) -> Any:
    """A stable sort, as Python's."""
    if len(keys) < 2:
        return np.arange(len(keys))
    if primitives.may_hold_none(keys):
        check_present(keys, reverse)
        if isinstance(keys[0], tuple):
            return merged_order(keys, reverse)
        return sorted_present([not_none(key) for key in keys], reverse)
    return sorted_present(keys, reverse)


def sorted_present(keys: Any, reverse: bool) -> Any:
    indices = np.arange(len(keys))
    if not isinstance(keys[0], (*_IN_COLUMNS, str, tuple, list)):  # instances
        return merged_order(keys, reverse)
    if primitives.has_own_order(keys[0]):
        return merged_order(keys, reverse)
    if not primitives.is_length_known(keys) and holds_text(keys[0]):
        return merged_order(keys, reverse)
    indices = indices[::-1].copy() if reverse else indices
    columns = taken_apart(taken_apart(taken_apart((keys,))))  # lexicographic order
    for k in range(len(columns)):
        column = np.array(columns[len(columns) - 1 - k])
        # NumPy's complex numbers have an order, Python's do not.
        if column.dtype.kind == "c" and not isinstance(
            columns[len(columns) - 1 - k][0], (np.generic, np.ndarray)
        ):
            raise TypeError("'<' not supported between instances of 'complex' and 'complex'")
        if column.size != len(keys):
            raise ValueError(
                "The truth value of an array with more than one element is ambiguous. "
                "Use a.any() or a.all()"
            )
        indices = indices[np.argsort(column.reshape(-1)[indices], kind="stable")]
    return indices[::-1].copy() if reverse else indices


def many_in_order(items: Any, key: Any, reverse: bool) -> Any:
    if key is None:
        return [items[i] for i in sorted_indices(items, reverse)]
    if len(items) < 2:
        for item in items:
            key(item)
        return [item for item in items]
    return [items[i] for i in sorted_indices([not_none(key(item)) for item in items], reverse)]


def not_none(value: Any) -> Any:
    """A key of several: sorted(d, key=d.get)."""
    if value is None:
        raise TypeError("'<' not supported between instances of 'NoneType' and 'NoneType'")
    return value


@implements("builtins.filter")
def filtered(function: Any, items: Any) -> Any:
    if function is None:
        return iter([item for item in items if item])
    return iter([item for item in items if function(item)])


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
    if default is not ...:  # joined with no value of the other path
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
    if isinstance(more, list) and not primitives.is_short(more):
        for k in range(len(more)):  # its length before: it may be the list itself
            items.append(more[k])
    else:
        for item in more:
            items.append(item)


@implements("builtins.list.sort")
def sort(items: Any, *, key: Any = None, reverse: bool = False) -> None:
    if key is None and primitives.are_numbers(items):
        if reverse:  # stays stable
            items.reverse()
            items.sort()
            items.reverse()
        else:
            items.sort()
    else:
        few = primitives.is_short(items)
        ordered = (few_in_order if few else many_in_order)(items, key, reverse)
        items.clear()
        items.extend(ordered)
