"""Python's `itertools`: rows of a constant length are a list, which is iterated over once."""

from __future__ import annotations

from typing import Any

from . import implements, primitives
from ._shared import pool


@implements("itertools.product")
def product(*iterables: Any, repeat: int = 1) -> Any:
    return primitives.product(*(tuple([pool(items) for items in iterables]) * repeat))


@implements("itertools.combinations")
def combinations(iterable: Any, r: int) -> Any:
    items = pool(iterable)
    rows: Any = [((), 0)]
    for _ in (0,) * r:  # r is a constant: fully unrolled
        rows = [(row + (items[k],), k + 1) for row, k0 in rows for k in range(k0, len(items))]
    return iter([row for row, _ in rows])


@implements("itertools.combinations_with_replacement")
def combinations_with_replacement(iterable: Any, r: int) -> Any:
    items = pool(iterable)
    rows: Any = [((), 0)]
    for _ in (0,) * r:  # r is a constant: fully unrolled
        rows = [(row + (items[k],), k) for row, k0 in rows for k in range(k0, len(items))]
    return iter([row for row, _ in rows])


@implements("itertools.permutations")
def permutations(iterable: Any, r: Any = None) -> Any:
    items = pool(iterable)
    indices: Any = [()]
    for _ in (0,) * (len(items) if r is None else r):
        indices = [(*row, k) for row in indices for k in range(len(items)) if k not in row]
    return iter([tuple([items[k] for k in row]) for row in indices])


@implements("itertools.accumulate")
def accumulate(iterable: Any, func: Any = None, *, initial: Any = None) -> Any:
    items = pool(iterable)
    sums = []
    if initial is not None:
        last = initial
        sums.append(last)
        for item in items:
            last = last + item if func is None else func(last, item)
            sums.append(last)
    elif len(items) > 0:
        last = items[0]
        sums.append(last)
        for k in range(1, len(items)):
            last = last + items[k] if func is None else func(last, items[k])
            sums.append(last)
    return iter(sums)


@implements("itertools.chain")
def chain(*iterables: Any) -> Any:
    return iter([item for items in iterables for item in items])


@implements("itertools.chain.from_iterable")
def chain_of(iterables: Any, /) -> Any:
    return iter([item for items in iterables for item in items])


@implements("itertools.islice")
def islice(iterable: Any, /, *bounds: Any) -> Any:
    start = 0 if len(bounds) == 1 or bounds[0] is None else bounds[0]
    stop = bounds[len(bounds) > 1]
    items = pool(iterable)
    step = 1 if len(bounds) < 3 or bounds[2] is None else bounds[2]
    end = len(items) if stop is None else min(stop, len(items))
    return map(lambda k: items[k], range(start, end, step))


@implements("itertools.zip_longest")
def zip_longest(*iterables: Any, fillvalue: Any = None) -> Any:
    pools = tuple([pool(items) for items in iterables])
    longest = 0
    for items in pools:
        longest = max(longest, len(items))
    return map(lambda k: row_at(pools, k, fillvalue), range(longest))


def row_at(pools: Any, k: int, fillvalue: Any) -> Any:
    return tuple([items[k] if k < len(items) else fillvalue for items in pools])


@implements("itertools.tee")
def tee(iterable: Any, n: int = 2, /) -> Any:
    items = [item for item in iterable]
    return tuple([iter(items) for _ in (0,) * n])


@implements("itertools.groupby")
def groupby(iterable: Any, key: Any = None) -> Any:
    items = pool(iterable)
    return groups(items, items if key is None else [key(item) for item in items])


def groups(items: Any, keys: Any) -> Any:
    start = 0
    while start < len(items):
        end = start + 1
        while end < len(items) and keys[end] == keys[start]:
            end += 1
        yield keys[start], iter([items[k] for k in range(start, end)])
        start = end


@implements("itertools.pairwise")
def pairwise(iterable: Any, /) -> Any:
    items = pool(iterable)
    return map(lambda k: (items[k], items[k + 1]), range(len(items) - 1))


@implements("itertools.starmap")
def starmap(function: Any, iterable: Any, /) -> Any:
    return map(lambda row: function(*row), iterable)


@implements("itertools.compress")
def compress(data: Any, selectors: Any) -> Any:
    return iter([item for item, taken in zip(data, selectors) if taken])


@implements("itertools.filterfalse")
def filterfalse(function: Any, iterable: Any, /) -> Any:
    if function is None:
        return iter([item for item in iterable if not item])
    return iter([item for item in iterable if not function(item)])


@implements("itertools.takewhile")
def takewhile(predicate: Any, iterable: Any, /) -> Any:
    taken = []
    for item in iterable:
        if not predicate(item):
            break
        taken.append(item)
    return iter(taken)


@implements("itertools.dropwhile")
def dropwhile(predicate: Any, iterable: Any, /) -> Any:
    taken = []
    dropping = True
    for item in iterable:
        dropping = dropping and predicate(item)
        if not dropping:
            taken.append(item)
    return iter(taken)
