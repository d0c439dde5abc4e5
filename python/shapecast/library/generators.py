"""Python's functions over iterables, where one of them is a generator: generators themselves.

Compiled code looks up "builtins.enumerate of a generator" where an argument of enumerate() is one.
"""

from __future__ import annotations

from typing import Any

from . import implements


@implements("builtins.enumerate of a generator")
def enumerated(iterable: Any, start: Any = 0) -> Any:
    index = start
    for item in iterable:
        yield index, item
        index += 1


@implements("builtins.zip of a generator")
def zipped_with(generator: Any, sequence: Any) -> Any:
    index = 0
    for item in generator:
        if index >= len(sequence):
            return
        yield item, sequence[index]
        index += 1


@implements("builtins.zip with a generator")
def zipped_before(sequence: Any, generator: Any) -> Any:
    if len(sequence) == 0:
        return
    index = 0
    for item in generator:
        yield sequence[index], item
        index += 1
        if index == len(sequence):
            return


@implements("builtins.map of a generator")
def mapped(function: Any, iterable: Any, *others: Any) -> Any:
    if len(others) == 0:
        for item in iterable:
            yield function(item)
    else:
        for row in zip(iterable, *others):
            yield function(*row)


@implements("builtins.filter of a generator")
def filtered(function: Any, iterable: Any) -> Any:
    for item in iterable:
        if function is None:
            if item:
                yield item
        elif function(item):
            yield item


@implements("itertools.islice of a generator")
def sliced(iterable: Any, first: Any, *others: Any) -> Any:
    start = first if others else 0
    stop = others[0] if others else first
    step = others[1] if len(others) > 1 else 1
    wanted = 0 if start is None else start
    if stop is not None and wanted >= stop:
        return
    index = 0
    for item in iterable:
        if index == wanted:
            yield item
            wanted += 1 if step is None else step
            if stop is not None and wanted >= stop:
                return
        index += 1


@implements("itertools.takewhile of a generator")
def taken(predicate: Any, iterable: Any) -> Any:
    for item in iterable:
        if not predicate(item):
            return
        yield item


@implements("itertools.dropwhile of a generator")
def dropped(predicate: Any, iterable: Any) -> Any:
    drops = True
    for item in iterable:
        drops = drops and predicate(item)
        if not drops:
            yield item


@implements("itertools.filterfalse of a generator")
def filtered_out(predicate: Any, iterable: Any) -> Any:
    for item in iterable:
        if not predicate(item):
            yield item


@implements("itertools.starmap of a generator")
def mapped_with(function: Any, iterable: Any) -> Any:
    for item in iterable:
        yield function(*item)


@implements("itertools.chain of a generator")
def chained(*iterables: Any) -> Any:
    for iterable in iterables:
        yield from iterable


@implements("itertools.chain.from_iterable of a generator")
def chained_from(iterables: Any) -> Any:
    for iterable in iterables:
        yield from iterable


@implements("itertools.accumulate of a generator")
def accumulated(iterable: Any) -> Any:
    is_first = True
    total = 0
    for item in iterable:
        if is_first:
            total = item
            is_first = False
        else:
            total = total + item
        yield total


@implements("itertools.pairwise of a generator")
def paired(iterable: Any) -> Any:
    is_first = True
    before = 0
    for item in iterable:
        if not is_first:
            yield before, item
        before = item
        is_first = False


@implements("shapecast.steps of an iterator")
def steps(iterator: Any) -> Any:
    """Of an instance with __next__, which gives whether there is an item, and that."""
    while True:
        is_there, item = iterator.__next__()
        if not is_there:
            return
        yield item


@implements("builtins.zip of 2 iterators")
def pairs_in_turn(a: Any, b: Any) -> Any:
    """Of instances with __next__."""
    while True:
        is_there, x = a.__next__()
        if not is_there:
            return
        is_there, y = b.__next__()
        if not is_there:
            return
        yield x, y


@implements("builtins.zip of 3 iterators")
def triples_in_turn(a: Any, b: Any, c: Any) -> Any:
    for x, y in pairs_in_turn(a, b):
        is_there, z = c.__next__()
        if not is_there:
            return
        yield x, y, z


@implements("builtins.zip of 4 iterators")
def quadruples_in_turn(a: Any, b: Any, c: Any, d: Any) -> Any:
    for x, y, z in triples_in_turn(a, b, c):
        is_there, w = d.__next__()
        if not is_there:
            return
        yield x, y, z, w


# A plain function that a program calls by its name: calls in captured code make generators.


@implements("itertools.count")
def count(start: Any = 0, step: Any = 1) -> Any:
    return counted(start, step)


def counted(start: Any, step: Any) -> Any:
    number = start
    while True:
        yield number
        number += step


@implements("itertools.repeat")
def repeat(item: Any, times: Any = None) -> Any:
    if times is None:
        return repeated((item,))
    return map(lambda _: item, range(times))


@implements("itertools.cycle")
def cycle(iterable: Any, /) -> Any:
    if isinstance(iterable, (tuple, range)):
        return repeated(iterable)
    return repeated([item for item in iterable])  # a copy: it may change


def repeated(items: Any) -> Any:
    while len(items) > 0:
        yield from items


@implements("builtins.in of a generator")
def has(iterable: Any, wanted: Any) -> bool:
    for item in iterable:
        if item == wanted:
            return True
    return False


@implements("builtins.any of a generator")
def any_of(iterable: Any) -> bool:
    for item in iterable:
        if item:
            return True
    return False


@implements("builtins.all of a generator")
def all_of(iterable: Any) -> bool:
    for item in iterable:
        if not item:
            return False
    return True
