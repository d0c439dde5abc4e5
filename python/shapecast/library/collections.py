"""Python's `collections`, in Python: compiled code makes instances of these classes in their place,
and returns the real ones (`_to_python`).

Where a class has a name of Python's, its methods have that one's parameters.
"""

from __future__ import annotations

import collections
import operator
from typing import Any

from .._host_info import said
from .containers import absent, bounded

_NOT_IN_DEQUE = said(lambda: collections.deque[int]().index(0))
_NOT_TO_REMOVE = said(lambda: collections.deque[int]().remove(0))


class deque:
    """A list and where its first item is; what is before is free."""

    def __init__(self, iterable: Any = (), maxlen: Any = None) -> None:
        self.maxlen = maxlen
        self._items: Any = []
        self._head = 0
        for item in iterable:
            self.append(item)

    def _to_python(self) -> Any:
        return collections.deque(self._items[self._head :], self.maxlen)

    def __len__(self) -> int:
        return len(self._items) - self._head

    def __bool__(self) -> bool:
        return len(self._items) > self._head

    def __iter__(self) -> Any:
        size = len(self)
        for index in range(size):
            if len(self) != size:
                raise RuntimeError("deque mutated during iteration")
            yield self._items[self._head + index]

    def __reversed__(self) -> Any:
        size = len(self)
        for index in range(size - 1, -1, -1):
            if len(self) != size:
                raise RuntimeError("deque mutated during iteration")
            yield self._items[self._head + index]

    def _place(self, index: Any) -> int:
        size = len(self)
        if isinstance(index, slice):
            raise TypeError("sequence index must be integer, not 'slice'")
        place = operator.index(index)
        if place < 0:
            place += size
        if place < 0 or place >= size:
            raise IndexError("deque index out of range")
        return self._head + place

    def __getitem__(self, index: Any) -> Any:
        return self._items[self._place(index)]

    def __setitem__(self, index: Any, value: Any) -> None:
        self._items[self._place(index)] = value

    def __delitem__(self, index: Any) -> None:
        self._items.pop(self._place(index))

    def __contains__(self, value: Any) -> bool:
        for item in self:
            if item == value:
                return True
        return False

    def __eq__(self, other: Any) -> bool:
        if len(self) != len(other):
            return False
        for index in range(len(self)):
            if self[index] != other[index]:
                return False
        return True

    def __lt__(self, other: Any) -> bool:
        return bool(self._precedes(other, len(self) < len(other)))

    def __le__(self, other: Any) -> bool:
        return bool(self._precedes(other, len(self) <= len(other)))

    def __gt__(self, other: Any) -> bool:
        return bool(other._precedes(self, len(other) < len(self)))

    def __ge__(self, other: Any) -> bool:
        return bool(other._precedes(self, len(other) <= len(self)))

    def _precedes(self, other: Any, shorter: bool) -> bool:
        for index in range(min(len(self), len(other))):
            if self[index] != other[index]:
                return bool(self[index] < other[index])
        return shorter

    def _listed(self) -> Any:
        return self._items[self._head :]

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, deque):
            name = type(other).__name__
            raise TypeError(f'can only concatenate deque (not "{name}") to deque')
        result = self.copy()
        result.extend(other)
        return result

    def __mul__(self, times: int) -> Any:
        result = deque((), self.maxlen)
        for _ in range(times):
            result.extend(self)
        return result

    def __rmul__(self, times: int) -> Any:
        return self * times

    def __imul__(self, times: int) -> Any:
        given = self._listed()
        if times < 1:
            self.clear()
        for _ in range(1, times):
            self.extend(given)
        return self

    def append(self, item: Any) -> None:
        self._items.append(item)
        if self.maxlen is not None and len(self) > self.maxlen:
            self._drop()

    def appendleft(self, item: Any) -> None:
        items = self._items
        if self._head == 0:
            size = len(items)
            room = size + 8
            for _ in range(room):
                items.append(item)
            for index in range(size - 1, -1, -1):
                items[index + room] = items[index]
            self._head = room
        self._head -= 1
        items[self._head] = item
        if self.maxlen is not None and len(self) > self.maxlen:
            items.pop()

    def _drop(self) -> None:
        """Forgets the first item."""
        self._head += 1
        items = self._items
        size = len(items) - self._head
        if self._head > 32 and self._head > size:
            for index in range(size):
                items[index] = items[self._head + index]
            for _ in range(self._head):
                items.pop()
            self._head = 0

    def pop(self) -> Any:
        if len(self._items) == self._head:
            raise IndexError("pop from an empty deque")
        return self._items.pop()

    def popleft(self) -> Any:
        if len(self._items) == self._head:
            raise IndexError("pop from an empty deque")
        item = self._items[self._head]
        self._drop()
        return item

    def extend(self, iterable: Any) -> None:
        for item in iterable._listed() if isinstance(iterable, deque) else iterable:
            self.append(item)

    def __iadd__(self, iterable: Any) -> Any:
        self.extend(iterable)
        return self

    def extendleft(self, iterable: Any) -> None:
        for item in iterable._listed() if isinstance(iterable, deque) else iterable:
            self.appendleft(item)

    def clear(self) -> None:
        self._items.clear()
        self._head = 0

    def count(self, value: Any) -> int:
        found = 0
        for item in self:
            if item == value:
                found += 1
        return found

    def index(self, value: Any, start: int = 0, stop: int = 2**63 - 1, /) -> int:
        size = len(self)
        for place in range(bounded(start, size, 0, size), bounded(stop, size, 0, size)):
            if self[place] == value:
                return place
        raise ValueError(absent(value, _NOT_IN_DEQUE))

    def insert(self, index: int, item: Any) -> None:
        if self.maxlen is not None and len(self) >= self.maxlen:
            raise IndexError("deque already at its maximum size")
        size = len(self)
        place = max(index + size, 0) if index < 0 else min(index, size)
        self._items.insert(self._head + place, item)

    def remove(self, value: Any) -> None:
        for place in range(len(self)):
            if self[place] == value:
                self._items.pop(self._head + place)
                return
        raise ValueError(absent(value, _NOT_TO_REMOVE))

    def rotate(self, n: int = 1) -> None:
        size = len(self)
        if size < 2:
            return
        for _ in range(n % size):
            self.appendleft(self.pop())

    def reverse(self) -> None:
        first = self._head
        last = len(self._items) - 1
        while first < last:
            item = self._items[first]
            self._items[first] = self._items[last]
            self._items[last] = item
            first += 1
            last -= 1

    def copy(self) -> Any:
        return deque(self, self.maxlen)

    __copy__ = copy


class _Mapping:
    """A dict in an attribute, with what all of the dicts below take from it."""

    _is_dict = True  # for isinstance
    _data: Any

    def __len__(self) -> int:
        return len(self._data)

    def __bool__(self) -> bool:
        return len(self._data) > 0

    def __iter__(self) -> Any:
        return iter(self._data)

    def __contains__(self, key: Any) -> bool:
        return key in self._data

    def __setitem__(self, key: Any, value: Any) -> None:
        self._data[key] = value

    def __delitem__(self, key: Any) -> None:
        del self._data[key]

    def __eq__(self, other: Any) -> bool:
        return bool(self._data == dict(other))

    def keys(self) -> Any:
        return self._data.keys()

    def values(self) -> Any:
        return self._data.values()

    def items(self) -> Any:
        return self._data.items()

    def get(self, key: Any, default: Any = None) -> Any:
        return self._data.get(key, default)

    def pop(self, key: Any, /, *default: Any) -> Any:
        if key in self._data:
            return self._data.pop(key)
        if not default:
            raise KeyError(key)
        return default[0]

    def popitem(self) -> Any:
        return self._data.popitem()

    def setdefault(self, key: Any, default: Any = None) -> Any:
        return self._data.setdefault(key, default)

    def clear(self) -> None:
        self._data.clear()

    def __reversed__(self) -> Any:
        return reversed(list(self._data))


class _Updated(_Mapping):
    """Whose update() is a dict's."""

    copy: Any

    def update(self, given: Any = (), /, **named: Any) -> None:
        for key, value in dict(given).items():
            self._data[key] = value
        for name, value in named.items():
            self._data[name] = value

    def __or__(self, other: Any) -> Any:
        result = self.copy()
        result.update(other)
        return result

    def __ior__(self, other: Any) -> Any:
        self.update(other)
        return self


class defaultdict(_Updated):
    def __init__(self, default_factory: Any = None, given: Any = None, /, **named: Any) -> None:
        self.default_factory = default_factory
        if given is None:
            self._data = {}
        else:
            self._data = dict(given)
        for name, value in named.items():
            self._data[name] = value

    def _to_python(self) -> Any:
        return collections.defaultdict(self.default_factory, self._data)

    def __getitem__(self, key: Any) -> Any:
        if key not in self._data:
            if self.default_factory is None:
                raise KeyError(key)
            if self.default_factory == dict:  # noqa: E721  # functions have no `is`
                self._data[key] = {}
            else:
                self._data[key] = self.default_factory()
        return self._data[key]

    def copy(self) -> Any:
        return defaultdict(self.default_factory, self._data)

    def __ror__(self, other: Any) -> Any:
        result = defaultdict(self.default_factory, other)
        result.update(self._data)
        return result


class Counter(_Mapping):
    def __init__(self, iterable: Any = None, /, **named: Any) -> None:
        self._data = {}
        if iterable is not None:
            self.update(iterable)
        for name, count in named.items():
            self._data[name] = count + self._data.get(name, 0)

    def _to_python(self) -> Any:
        return collections.Counter(self._data)

    def __getitem__(self, key: Any) -> Any:
        return self._data.get(key, 0)

    def __delitem__(self, key: Any) -> None:
        if key in self._data:
            del self._data[key]

    def update(self, iterable: Any = None, /, **named: Any) -> None:
        if isinstance(iterable, dict | Counter):
            for key, count in iterable.items():
                self._data[key] = count + self._data.get(key, 0)
        elif iterable is not None:
            for item in iterable:
                self._data[item] = self._data.get(item, 0) + 1
        for name, count in named.items():
            self._data[name] = count + self._data.get(name, 0)

    def subtract(self, iterable: Any = None, /, **named: Any) -> None:
        if isinstance(iterable, dict | Counter):
            for key, count in iterable.items():
                self._data[key] = self._data.get(key, 0) - count
        elif iterable is not None:
            for item in iterable:
                self._data[item] = self._data.get(item, 0) - 1
        for name, count in named.items():
            self._data[name] = self._data.get(name, 0) - count

    def most_common(self, n: Any = None) -> Any:
        ordered = sorted(self._data.items(), key=lambda pair: -pair[1])
        if n is None or len(ordered) == 0:
            return ordered
        return ordered[: max(n, 0)]

    def total(self) -> Any:
        return sum(self._data.values())

    def elements(self) -> Any:
        return iter([key for key, count in self._data.items() for _ in range(count)])

    def copy(self) -> Any:
        return Counter(self)

    def __eq__(self, other: Any) -> bool:
        if isinstance(other, Counter):
            return self <= other and other <= self
        return bool(self._data == dict(other))

    def __le__(self, other: Any) -> bool:
        for key, count in self._data.items():
            if count > other[key]:
                return False
        for key, count in other._data.items():
            if self[key] > count:
                return False
        return True

    def __lt__(self, other: Any) -> bool:
        return self <= other and not other <= self

    def __ge__(self, other: Any) -> bool:
        return bool(other <= self)

    def __gt__(self, other: Any) -> bool:
        return other <= self and not self <= other

    def __pos__(self) -> Any:
        result = Counter()
        for key, count in self._data.items():
            if count > 0:
                result[key] = count
        return result

    def __neg__(self) -> Any:
        result = Counter()
        for key, count in self._data.items():
            if count < 0:
                result[key] = -count
        return result

    def __add__(self, other: Any) -> Any:
        result = Counter()
        for key, count in self._data.items():
            if count + other[key] > 0:
                result[key] = count + other[key]
        for key, count in other.items():
            if key not in self._data and count > 0:
                result[key] = count
        return result

    def __and__(self, other: Any) -> Any:
        result = Counter()
        for key, count in self._data.items():
            least = min(count, other[key])
            if least > 0:
                result[key] = least
        return result

    def __or__(self, other: Any) -> Any:
        result = Counter()
        for key, count in self._data.items():
            most = max(count, other[key])
            if most > 0:
                result[key] = most
        for key, count in other.items():
            if key not in self._data and count > 0:
                result[key] = count
        return result

    def __sub__(self, other: Any) -> Any:
        result = Counter()
        for key, count in self._data.items():
            if count - other[key] > 0:
                result[key] = count - other[key]
        for key, count in other.items():
            if key not in self._data and count < 0:
                result[key] = -count
        return result

    def __iadd__(self, other: Any) -> Any:
        self._data = (self + other)._data
        return self

    def __iand__(self, other: Any) -> Any:
        self._data = (self & other)._data
        return self

    def __ior__(self, other: Any) -> Any:
        self._data = (self | other)._data
        return self

    def __isub__(self, other: Any) -> Any:
        self._data = (self - other)._data
        return self


class OrderedDict(_Updated):
    def __init__(self, given: Any = None, /, **named: Any) -> None:
        if given is None:
            self._data = {}
        else:
            self._data = dict(given)
        for name, value in named.items():
            self._data[name] = value

    def _to_python(self) -> Any:
        return collections.OrderedDict(self._data)

    def __getitem__(self, key: Any) -> Any:
        return self._data[key]

    def __eq__(self, other: Any) -> bool:
        if isinstance(other, OrderedDict):
            keys = list(other._data)
            if len(self._data) != len(keys):
                return False
            at = 0
            for key, value in self._data.items():
                if key != keys[at] or value != other._data[key]:
                    return False
                at += 1
            return True
        return bool(self._data == dict(other))

    def __ror__(self, other: Any) -> Any:
        result = OrderedDict(other)
        result.update(self._data)
        return result

    def move_to_end(self, key: Any, last: bool = True) -> None:
        value = self._data.pop(key)
        if last:
            self._data[key] = value
            return
        others = list(self._data.items())
        self._data.clear()
        self._data[key] = value
        for k, v in others:
            self._data[k] = v

    def popitem(self, last: bool = True) -> Any:
        if last and len(self._data) > 0:
            return self._data.popitem()
        for key in self._data:
            return key, self._data.pop(key)
        raise KeyError("dictionary is empty")

    def copy(self) -> Any:
        return OrderedDict(self._data)


def attributes_of(original: Any) -> dict[str, Any]:
    """Of the instance here that stands for one of the caller's; the items are copied."""
    if isinstance(original, collections.deque):
        return {"maxlen": original.maxlen, "_items": list(original), "_head": 0}
    own: dict[str, Any] = {"_data": dict(original)}
    if isinstance(original, collections.defaultdict):
        own["default_factory"] = original.default_factory
    return own


def store_in(original: Any, made: Any) -> None:
    """Gives the caller's deque or dict the items of what stands for it."""
    items = made._to_python() if isinstance(original, collections.deque) else made._data
    original.clear()
    if isinstance(original, collections.deque):
        original.extend(items)
        return
    original.update(items)
    if hasattr(made, "default_factory"):  # one that has a form in memory
        original.default_factory = made.default_factory


REPLACED: dict[Any, type] = {
    collections.deque: deque,
    collections.defaultdict: defaultdict,
    collections.Counter: Counter,
    collections.OrderedDict: OrderedDict,
}
