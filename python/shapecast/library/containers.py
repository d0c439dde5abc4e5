"""Methods and operators of lists, dicts and sets whose length is known only at run time, where they
are loops. What they share with CPython is the order of the items.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._host_info import said
from . import implements, primitives
from ._shared import axis_of

_NOT_IN_LIST = said(lambda: list[int]().index(0))


def pairs_of(items: Any) -> Any:
    if items is None:
        raise TypeError("'NoneType' object is not iterable")
    return items.items() if isinstance(items, dict) else items


@implements("builtins.dict.update", "builtins.dict.__ior__")
def dict_update(d: Any, other: Any = (), /, **named: Any) -> None:
    for key, value in pairs_of(other):
        d[key] = value
    for name, value in named.items():
        d[name] = value


@implements("builtins.dict.fromkeys")
def dict_fromkeys(iterable: Any, value: Any = None, /) -> Any:
    result: Any = {}
    for key in iterable:
        result[key] = value
    return result


@implements("builtins.dict.copy")
def dict_copy(d: Any) -> Any:
    result: Any = {}
    for key, value in d.items():
        result[key] = value
    return result


@implements("builtins.dict.__or__")
def dict_or(d: Any, other: Any) -> Any:
    if isinstance(other, (list, tuple, set, str, int, float, complex, range)):
        raise TypeError(f"unsupported operand type(s) for |: 'dict' and '{type(other).__name__}'")
    if hasattr(other, "default_factory") or hasattr(other, "move_to_end"):
        return other.__ror__(d)
    result = d.copy()
    result.update(other)
    return result


@implements("builtins.dict.__eq__")
def dict_eq(d: Any, other: Any) -> bool:
    if not isinstance(other, dict) or len(d) != len(other):
        return False
    for key, value in d.items():
        if key not in other or other[key] != value:
            return False
    return True


@implements("builtins.dict.__ne__")
def dict_ne(d: Any, other: Any) -> bool:
    return not (d == other)


@implements("builtins.set.update", "builtins.set.__ior__")
def set_update(s: Any, *others: Any) -> None:
    for other in others:
        if isinstance(other, set) and not primitives.has_instances(other):
            s.update(other)
        else:
            if isinstance(other, dict):
                primitives.make_room(s, len(other))
            for item in other:
                s.add(item)


def check_set(other: Any, symbol: str) -> None:
    """What the operator takes, which methods of sets do not ask for."""
    if isinstance(other, (list, tuple, dict, str, int, float, complex, range)):
        raise TypeError(
            f"unsupported operand type(s) for {symbol}: 'set' and '{type(other).__name__}'"
        )


@implements("builtins.set.__or__")
def set_or(s: Any, other: Any) -> Any:
    check_set(other, "|")
    return s.union(other)


@implements("builtins.set.__and__")
def set_and(s: Any, other: Any) -> Any:
    check_set(other, "&")
    return s.intersection(other)


@implements("builtins.set.__sub__")
def set_sub(s: Any, other: Any) -> Any:
    check_set(other, "-")
    return s.difference(other)


@implements("builtins.set.__xor__")
def set_xor(s: Any, other: Any) -> Any:
    check_set(other, "^")
    return s.symmetric_difference(other)


@implements("builtins.set.union")
def set_union(s: Any, *others: Any) -> Any:
    result = s.copy()
    for other in others:
        result.update(other)
    return result


@implements("builtins.set.intersection")
def set_intersection(s: Any, other: Any) -> Any:
    result: Any = set()
    if isinstance(other, set) and len(other) > len(s):
        for item in s:
            if item in other:
                result.add(item)
    else:
        for item in other:
            if item in s:
                result.add(item)
    return result


@implements("builtins.set.difference")
def set_difference(s: Any, other: Any) -> Any:
    without: Any = other if isinstance(other, (set, dict)) else set(other)
    if len(s) // 4 > len(without):
        rest = s.copy()
        for item in other:
            rest.discard(item)
        return rest
    result: Any = set()
    for item in s:
        if item not in without:
            result.add(item)
    return result


@implements("builtins.set.symmetric_difference")
def set_symmetric_difference(s: Any, other: Any) -> Any:
    result: Any = set(other)
    for item in s:
        if item in result:
            result.remove(item)
        else:
            result.add(item)
    return result


@implements("builtins.set.intersection_update", "builtins.set.__iand__")
def set_intersection_update(s: Any, other: Any) -> None:
    common = s.intersection(other)
    s.clear()
    s.update(common)


@implements("builtins.set.difference_update", "builtins.set.__isub__")
def set_difference_update(s: Any, other: Any) -> None:
    for item in list(other):  # it may be the set itself
        s.discard(item)


@implements("builtins.set.symmetric_difference_update", "builtins.set.__ixor__")
def set_symmetric_difference_update(s: Any, other: Any) -> None:
    others = list(other) if isinstance(other, set) else list(set(other))  # it may be the set itself
    for item in others:
        if item in s:
            s.remove(item)
        else:
            s.add(item)


def check_ordered(other: Any, symbol: str) -> None:
    if isinstance(other, (list, tuple, dict, str, int, float, complex, range)):
        raise TypeError(
            f"'{symbol}' not supported between instances of 'set' and '{type(other).__name__}'"
        )


@implements("builtins.set.__le__")
def set_le(s: Any, other: Any) -> bool:
    check_ordered(other, "<=")
    return bool(s.issubset(other))


@implements("builtins.set.__ge__")
def set_ge(s: Any, other: Any) -> bool:
    check_ordered(other, ">=")
    return bool(s.issuperset(other))


@implements("builtins.set.issubset")
def set_issubset(s: Any, other: Any) -> bool:
    within: Any = other if isinstance(other, (set, dict)) else set(other)
    if len(s) > len(within):
        return False
    for item in s:
        if item not in within:
            return False
    return True


@implements("builtins.set.issuperset")
def set_issuperset(s: Any, other: Any) -> bool:
    for item in other:
        if item not in s:
            return False
    return True


@implements("builtins.set.__lt__")
def set_lt(s: Any, other: Any) -> bool:
    check_ordered(other, "<")
    return len(s) < len(other) and s <= other


@implements("builtins.set.__gt__")
def set_gt(s: Any, other: Any) -> bool:
    check_ordered(other, ">")
    return len(s) > len(other) and s >= other


@implements("builtins.set.__eq__")
def set_eq(s: Any, other: Any) -> bool:
    return isinstance(other, set) and len(s) == len(other) and s <= other


@implements("builtins.set.__ne__")
def set_ne(s: Any, other: Any) -> bool:
    return not (s == other)


@implements("builtins.set.isdisjoint")
def set_isdisjoint(s: Any, other: Any) -> bool:
    for item in other:
        if item in s:
            return False
    return True


@implements("builtins.list.__contains__")
def list_contains(items: Any, wanted: Any) -> bool:
    for i in range(len(items)):
        if items[i] == wanted:
            return True
    return False


@implements("builtins.dict.has_value")
def dict_has_value(d: Any, wanted: Any) -> bool:
    for value in d.values():
        if value == wanted:
            return True
    return False


@implements("builtins.dict.has_item")
def dict_has_item(d: Any, wanted: Any) -> bool:
    if not isinstance(wanted, tuple) or len(wanted) != 2:
        return False
    return bool(wanted[0] in d and d[wanted[0]] == wanted[1])


def check_list(others: Any, symbol: str) -> None:
    if not isinstance(others, list):
        name = type(others).__name__
        raise TypeError(f"'{symbol}' not supported between instances of 'list' and '{name}'")


def precedes(items: Any, others: Any, shorter: bool) -> bool:
    for i in range(min(len(items), len(others))):
        if items[i] != others[i]:
            return bool(items[i] < others[i])
    return shorter


@implements("builtins.list.__lt__")
def list_lt(items: Any, others: Any) -> bool:
    check_list(others, "<")
    return precedes(items, others, len(items) < len(others))


@implements("builtins.list.__gt__")
def list_gt(items: Any, others: Any) -> bool:
    check_list(others, ">")
    return precedes(others, items, len(others) < len(items))


@implements("builtins.list.__le__")
def list_le(items: Any, others: Any) -> bool:
    check_list(others, "<=")
    return precedes(items, others, len(items) <= len(others))


@implements("builtins.list.__ge__")
def list_ge(items: Any, others: Any) -> bool:
    check_list(others, ">=")
    return precedes(others, items, len(others) <= len(items))


@implements("builtins.list.__eq__")
def list_eq(items: Any, others: Any) -> bool:
    if not isinstance(others, list) or len(items) != len(others):
        return False
    for i in range(len(items)):
        if items[i] != others[i]:
            return False
    return True


@implements("builtins.list.__ne__")
def list_ne(items: Any, others: Any) -> bool:
    return not (items == others)


@implements("builtins.list.__repr__")
def list_repr(items: Any) -> str:
    texts = []
    for i in range(len(items)):
        texts.append(repr(items[i]))
    return "[" + ", ".join(texts) + "]"


@implements("builtins.set.__repr__")
def set_repr(s: Any) -> str:
    texts = []
    for item in s:
        texts.append(repr(item))
    return "{" + ", ".join(texts) + "}" if texts else "set()"


@implements("builtins.dict.__repr__")
def dict_repr(d: Any) -> str:
    texts = []
    for key, value in d.items():
        texts.append(repr(key) + ": " + repr(value))
    return "{" + ", ".join(texts) + "}"


@implements("shapecast.text of a view")
def view_text(name: Any, view: Any) -> str:
    return str(name) + "(" + repr(list(view)) + ")"


@implements("builtins.list.stacked")
def list_stacked(items: Any) -> Any:
    """The array of its arrays."""
    if len(items) == 0:
        raise ValueError("need at least one array to stack")
    result = np.empty((len(items), *items[0].shape), items[0].dtype)
    for i in range(len(items)):
        if items[i].shape != items[0].shape:
            raise ValueError("all input arrays must have the same shape")
        result[i] = items[i]
    return result


@implements("builtins.list.as_array")
def list_as_array(items: Any) -> Any:
    """np.array of its lists, of which there is one."""
    first = np.array(items[0])
    result = np.empty((len(items), *first.shape), first.dtype)
    for i in range(len(items)):
        row = np.array(items[i])
        if row.shape != first.shape:
            raise ValueError(
                "setting an array element with a sequence. The requested array has an "
                "inhomogeneous shape after 1 dimensions."
            )
        result[i] = row
    return result


@implements("builtins.list.joined")
def list_joined(items: Any, axis: Any) -> Any:
    """np.concatenate of its arrays."""
    if len(items) == 0:
        raise ValueError("need at least one array to concatenate")
    first = items[0]
    axis = axis_of(axis, first.ndim)
    length = 0
    for i in range(len(items)):
        one = items[i]
        for d in tuple(range(first.ndim)):
            if d != axis and one.shape[d] != first.shape[d]:
                raise ValueError(
                    "all the input array dimensions except for the concatenation axis must match "
                    f"exactly, but along dimension {d}, the array at index 0 has size "
                    f"{first.shape[d]} and the array at index {i} has size {one.shape[d]}"
                )
        length += one.shape[axis]
    before, after = first.shape[:axis], first.shape[axis + 1 :]
    result = np.empty((*before, length, *after), first.dtype)
    start = 0
    for i in range(len(items)):
        stop = start + items[i].shape[axis]
        result[(slice(None),) * axis + (slice(start, stop),)] = items[i]
        start = stop
    return result


@implements("builtins.list.copy")
def list_copy(items: Any) -> Any:
    return [items[i] for i in range(len(items))]


@implements("builtins.list.__add__")
def list_add(items: Any, others: Any) -> Any:
    if not isinstance(others, list):
        name = type(others).__name__
        raise TypeError(f'can only concatenate list (not "{name}") to list')
    result = items.copy()
    result.extend(others)
    return result


def check_times(times: Any) -> None:
    if isinstance(times, (float, complex, str, list, tuple, dict, set)):
        name = type(times).__name__
        raise TypeError(f"can't multiply sequence by non-int of type '{name}'")


@implements("builtins.list.__mul__")
def list_mul(items: Any, times: Any) -> Any:
    check_times(times)
    result: Any = []
    for _ in range(times):
        for i in range(len(items)):
            result.append(items[i])
    return result


@implements("builtins.list.__imul__")
def list_imul(items: Any, times: Any) -> None:
    check_times(times)
    length = len(items)
    if times < 1:
        items.clear()
    for _ in range(1, times):
        for i in range(length):
            items.append(items[i])


def bounded(index: Any, length: int, low: int, high: int) -> int:
    return int(min(max(index + length if index < 0 else index, low), high))


def slice_indices(length: int, start: Any, stop: Any, step: Any) -> Any:
    """slice(start, stop, step).indices(length)"""
    by = 1 if step is None else step
    if by == 0:
        raise ValueError("slice step cannot be zero")
    low, high = (0, length) if by > 0 else (-1, length - 1)
    first = (low if by > 0 else high) if start is None else bounded(start, length, low, high)
    last = (high if by > 0 else low) if stop is None else bounded(stop, length, low, high)
    return first, last, by


@implements("builtins.list.slice")
def list_slice(items: Any, start: Any, stop: Any, step: Any) -> Any:
    first, last, by = slice_indices(len(items), start, stop, step)
    return [items[i] for i in range(first, last, by)]


@implements("builtins.list.__delitem__ in memory")
def list_delete(items: Any, start: Any, stop: Any, step: Any) -> None:
    """del items[start:stop:step]"""
    length = len(items)
    first, last, by = slice_indices(length, start, stop, step)
    count = len(range(first, last, by))
    lowest = first if by > 0 else first + (count - 1) * by
    stride = abs(by)
    kept = lowest
    for index in range(lowest, length if count > 0 else lowest):
        if (index - lowest) % stride != 0 or index >= lowest + count * stride:
            items[kept] = items[index]
            kept += 1
    for _ in range(count):
        items.pop()


@implements("builtins.list.__setitem__ in memory")
def list_set_slice(items: Any, start: Any, stop: Any, step: Any, values: Any) -> None:
    """items[start:stop:step] = values"""
    given = [value for value in values]  # a copy: it may be the list itself
    length = len(items)
    first, last, by = slice_indices(length, start, stop, step)
    count = len(range(first, last, by))
    more = len(given) - count
    if by != 1 and more != 0:
        raise ValueError(
            f"attempt to assign sequence of size {len(given)} to extended slice of size {count}"
        )
    if more > 0:
        for _ in range(more):
            items.append(given[0])
        for index in range(length - 1, first + count - 1, -1):
            items[index + more] = items[index]
    elif more < 0:
        for index in range(first + count, length):
            items[index + more] = items[index]
        for _ in range(-more):
            items.pop()
    for index in range(len(given)):
        items[first + index * by] = given[index]


@implements("builtins.list.reverse")
def list_reverse(items: Any) -> None:
    for i in range(len(items) // 2):
        items[i], items[len(items) - 1 - i] = items[len(items) - 1 - i], items[i]


def name_of(item: Any) -> Any:
    return "NoneType" if item is None else type(item).__name__


def check_present(items: Any, reverse: bool) -> None:
    """Python's TypeError where the first two are compared of which one is None."""
    count = len(items)
    for k in range(count):
        at = count - 1 - k if reverse else k
        if items[at] is None and count > 1:
            step = -1 if reverse else 1
            pair = (items[at], items[at - step]) if k > 0 else (items[at + step], items[at])
            raise TypeError(
                f"'<' not supported between instances of '{name_of(pair[0])}' and "
                f"'{name_of(pair[1])}'"
            )


def merged_order(keys: Any, reverse: bool) -> Any:
    """The indices of the keys in order: a stable merge sort, as Python's."""
    count = len(keys)
    order = np.arange(count)
    other = np.empty(count, np.int64)
    width = 1
    while width < count:
        start = 0
        while start < count:
            middle = min(start + width, count)
            end = min(start + 2 * width, count)
            left = start
            right = middle
            for place in range(start, end):
                takes_left = right >= end
                if left < middle and right < end:
                    a = keys[order[left]]
                    b = keys[order[right]]
                    takes_left = not a < b if reverse else not b < a
                if takes_left:
                    other[place] = order[left]
                    left += 1
                else:
                    other[place] = order[right]
                    right += 1
            start = end
        order[:] = other
        width *= 2
    return order


@implements("builtins.max in memory")
def list_max(items: Any) -> Any:
    if len(items) == 0:
        raise ValueError("max() iterable argument is empty")
    best = items[0]
    for item in items:
        if item > best:
            best = item
    return best


@implements("builtins.min in memory")
def list_min(items: Any) -> Any:
    if len(items) == 0:
        raise ValueError("min() iterable argument is empty")
    best = items[0]
    for item in items:
        if item < best:
            best = item
    return best


@implements("builtins.list.sort in memory")
def list_sort(items: Any, *, key: Any = None, reverse: bool = False) -> None:
    before = items.copy()
    if key is None:
        if primitives.may_hold_none(before):
            check_present(before, reverse)
        order = merged_order(before, reverse)
    else:
        order = merged_order([key(item) for item in before], reverse)
    items.clear()
    for place in order:
        items.append(before[place])


def place_of(items: Any, wanted: Any, start: int, stop: int) -> int:
    """The index of the first item that is equal to it; -1 where none is."""
    length = len(items)
    for i in range(bounded(start, length, 0, length), bounded(stop, length, 0, length)):
        if items[i] == wanted:
            return i
    return -1


@implements("builtins.list.index")
def list_index(items: Any, wanted: Any, start: int = 0, stop: int = 2**63 - 1, /) -> int:
    place = place_of(items, wanted, start, stop)
    if place < 0:
        raise ValueError(absent(wanted, _NOT_IN_LIST))
    return place


def absent(wanted: Any, message: Any) -> Any:
    """The message, which begins with the item that is missing in some versions of Python."""
    if message[:2] == "0 " and isinstance(wanted, (int, float, complex, str)):
        return f"{wanted!r}{message[1:]}"
    return message


@implements("builtins.tuple.index")
def tuple_index(items: Any, wanted: Any, start: int = 0, stop: int = 2**63 - 1, /) -> int:
    place = place_of(items, wanted, start, stop)
    if place < 0:
        raise ValueError("tuple.index(x): x not in tuple")
    return place


@implements("builtins.list.count", "builtins.tuple.count")
def list_count(items: Any, wanted: Any) -> int:
    found = 0
    for i in range(len(items)):
        if items[i] == wanted:
            found += 1
    return found


@implements("builtins.list.remove")
def list_remove(items: Any, wanted: Any) -> None:
    for i in range(len(items)):
        if items[i] == wanted:
            del items[i]
            return
    raise ValueError("list.remove(x): x not in list")
