"""Methods of lists, dicts, sets and strings as values: `push = stack.append`.

Those of other classes are methods of captured classes.
"""

from __future__ import annotations

from typing import Any

from . import implements


def object_init(*args: Any, **keywords: Any) -> None:
    """What `super().__init__` of a class without other bases calls."""
    if args or keywords:
        raise TypeError("object.__init__() takes exactly one argument (the instance to initialize)")


#  Lists and sets


@implements("shapecast.bound append")
def append(self: Any, /, *args: Any) -> None:
    self.append(*args)


@implements("shapecast.bound extend")
def extend(self: Any, /, *args: Any) -> None:
    self.extend(*args)


@implements("shapecast.bound insert")
def insert(self: Any, /, *args: Any) -> None:
    self.insert(*args)


@implements("shapecast.bound remove")
def remove(self: Any, /, *args: Any) -> None:
    self.remove(*args)


@implements("shapecast.bound pop")
def pop(self: Any, /, *args: Any) -> Any:
    return self.pop(*args)


@implements("shapecast.bound index")
def index(self: Any, /, *args: Any) -> Any:
    return self.index(*args)


@implements("shapecast.bound count")
def count(self: Any, /, *args: Any) -> Any:
    return self.count(*args)


@implements("shapecast.bound sort")
def sort(self: Any, /, *, key: Any = None, reverse: bool = False) -> None:
    self.sort(key=key, reverse=reverse)


@implements("shapecast.bound reverse")
def reverse(self: Any, /) -> None:
    self.reverse()


@implements("shapecast.bound add")
def add(self: Any, item: Any, /) -> None:
    self.add(item)


@implements("shapecast.bound discard")
def discard(self: Any, item: Any, /) -> None:
    self.discard(item)


@implements("shapecast.bound clear")
def clear(self: Any, /) -> None:
    self.clear()


@implements("shapecast.bound copy")
def copy(self: Any, /) -> Any:
    return self.copy()


#  Dicts


@implements("shapecast.bound get")
def get(self: Any, /, *args: Any) -> Any:
    return self.get(*args)


@implements("shapecast.bound setdefault")
def setdefault(self: Any, /, *args: Any) -> Any:
    return self.setdefault(*args)


@implements("shapecast.bound update")
def update(self: Any, others: Any, /) -> None:
    self.update(others)


@implements("shapecast.bound keys")
def keys(self: Any, /) -> Any:
    return self.keys()


@implements("shapecast.bound values")
def values(self: Any, /) -> Any:
    return self.values()


@implements("shapecast.bound items")
def items(self: Any, /) -> Any:
    return self.items()


#  Strings


@implements("shapecast.bound join")
def join(self: Any, /, *args: Any) -> Any:
    return self.join(*args)


@implements("shapecast.bound split")
def split(self: Any, /, sep: Any = None, maxsplit: Any = -1) -> Any:
    return self.split(sep, maxsplit)


@implements("shapecast.bound replace")
def replace(self: Any, /, *args: Any) -> Any:
    return self.replace(*args)


@implements("shapecast.bound find")
def find(self: Any, /, *args: Any) -> Any:
    return self.find(*args)


@implements("shapecast.bound startswith")
def startswith(self: Any, /, *args: Any) -> Any:
    return self.startswith(*args)


@implements("shapecast.bound endswith")
def endswith(self: Any, /, *args: Any) -> Any:
    return self.endswith(*args)


@implements("shapecast.bound strip")
def strip(self: Any, /, *args: Any) -> Any:
    return self.strip(*args)


@implements("shapecast.bound format")
def format(self: Any, /, *args: Any) -> Any:
    return self.format(*args)


@implements("shapecast.bound upper")
def upper(self: Any, /) -> Any:
    return self.upper()


@implements("shapecast.bound lower")
def lower(self: Any, /) -> Any:
    return self.lower()
