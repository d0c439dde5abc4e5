"""Python's `bytearray`, in Python: compiled code makes instances of this class in its place, and
returns a real one (`_to_python`).
"""

from __future__ import annotations

import builtins
import operator
from typing import Any

import numpy as np

from . import primitives
from .builtin_classes import Octets, encoded, part_of, shown

# Some Pythons escape it between double quotes, too.
_ALWAYS_ESCAPED = "'" if "\\" in repr(builtins.bytearray(b"'")) else ""


class bytearray(Octets):
    """An array with room for more, of which the first are used. What is not done with these is done
    with a string of characters below 256, as bytes do it.
    """

    def __init__(self, source: Any = 0, encoding: Any = None, errors: Any = None) -> None:
        values = values_of(source, encoding, errors)
        self._data = values
        self._size = len(values)

    def _to_python(self) -> Any:
        return builtins.bytearray(self._data[: self._size].tobytes())

    @property
    def _text(self) -> Any:
        return "".join([chr(int(code)) for code in self._used()])

    @_text.setter
    def _text(self, text: Any) -> None:
        raise NotImplementedError  # bytes alone have one that is stored

    def _of(self, text: Any) -> Any:
        return of_values(codes_of(text))

    def _used(self) -> Any:
        return self._data[: self._size]

    def __len__(self) -> int:
        return self._size

    def __bool__(self) -> bool:
        return self._size > 0

    def __iter__(self) -> Any:
        at = 0
        while at < self._size:
            yield int(self._data[at])
            at += 1

    def __reversed__(self) -> Any:
        at = self._size - 1
        while at >= 0:
            yield int(self._data[at])
            at -= 1

    def __contains__(self, part: Any) -> Any:
        if not isinstance(part, (Octets, int, np.integer)):
            name = type(part).__name__
            raise TypeError(f"a bytes-like object is required, not '{name}'")
        return self.find(part) >= 0

    #  Places: of values, since a string of all of them takes longer to make than to search

    def find(self, sub: Any, start: Any = None, end: Any = None, /) -> int:
        part = looked_for(sub)
        low, stop = between(start, end, self._size)
        for at in range(low, stop - len(part) + 1):
            if is_at(self._data, at, part):
                return at
        return -1

    def rfind(self, sub: Any, start: Any = None, end: Any = None, /) -> int:
        part = looked_for(sub)
        low, stop = between(start, end, self._size)
        for at in range(stop - len(part), low - 1, -1):
            if is_at(self._data, at, part):
                return at
        return -1

    def index(self, sub: Any, start: Any = None, end: Any = None, /) -> int:
        at = self.find(sub, start, end)
        if at < 0:
            raise ValueError("subsection not found")
        return at

    def rindex(self, sub: Any, start: Any = None, end: Any = None, /) -> int:
        at = self.rfind(sub, start, end)
        if at < 0:
            raise ValueError("subsection not found")
        return at

    def count(self, sub: Any, start: Any = None, end: Any = None, /) -> Any:
        part = looked_for(sub)
        at, stop = between(start, end, self._size)
        if len(part) == 0:
            return max(stop - at + 1, 0)
        found = 0
        while at <= stop - len(part):
            if is_at(self._data, at, part):
                found += 1
                at += len(part)
            else:
                at += 1
        return found

    def _place(self, index: Any, message: str) -> Any:
        at = operator.index(index)
        if at < 0:
            at += self._size
        if at < 0 or at >= self._size:
            raise IndexError(message)
        return at

    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, slice):
            return int(self._data[self._place(index, "bytearray index out of range")])
        start, step, count = places(index, self._size)
        if index.step is None:
            return of_values(self._data[start : start + count].copy())
        made = np.empty(count, np.uint8)
        for k in range(count):
            made[k] = self._data[start + k * step]
        return of_values(made)

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, slice):
            self._put(index, value)
        else:
            at = self._place(index, "bytearray index out of range")
            self._data[at] = value_of(value)

    def _put(self, index: slice, value: Any) -> None:
        if isinstance(value, (str, int, float)) or value is None:
            raise TypeError("can assign only bytes, buffers, or iterables of ints in range(0, 256)")
        given = octets(value)
        start, step, count = places(index, self._size)
        if step == 1:
            self._splice(start, count, given)
            return
        if count != len(given):
            raise ValueError(
                f"attempt to assign bytes of size {len(given)} to extended slice of size {count}"
            )
        for k in range(count):
            self._data[start + k * step] = given[k]

    def _splice(self, start: int, count: int, values: Any) -> None:
        """Puts the values in the place of so many from there on."""
        end = start + len(values)
        size = self._size + len(values) - count
        if len(values) != count:
            after = self._data[start + count : self._size].copy()
            self._reserve(size)
            self._data[end:size] = after
            self._size = size
        self._data[start:end] = values

    def _reserve(self, size: int) -> None:
        if size > len(self._data):
            more = np.empty(size + size // 4 + 16, np.uint8)
            more[: self._size] = self._used()
            self._data = more

    def __delitem__(self, index: Any) -> None:
        if not isinstance(index, slice):
            self._splice(self._place(index, "bytearray index out of range"), 1, nothing())
            return
        start, step, count = places(index, self._size)
        if count == 0:
            return
        if step < 0:
            start, step = start + (count - 1) * step, -step
        kept = start
        for at in range(start, self._size):
            if (at - start) % step != 0 or (at - start) // step >= count:
                self._data[kept] = self._data[at]
                kept += 1
        self._size = kept

    def __eq__(self, other: Any) -> Any:
        if isinstance(other, bytearray):
            return self._size == other._size and bool((self._used() == other._used()).all())
        if not isinstance(other, Octets):
            return NotImplemented
        codes = primitives.text_codes(other._text)
        return self._size == len(codes) and bool((self._used() == codes).all())

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, Octets):
            raise TypeError(f"can't concat {type(other).__name__} to bytearray")
        made = self.copy()
        made.extend(other)
        return made

    def __iadd__(self, other: Any) -> Any:
        if not isinstance(other, (Octets, np.ndarray)):
            raise TypeError(f"can't concat {type(other).__name__} to bytearray")
        if other is self and self._size > 0:
            raise BufferError("Existing exports of data: object cannot be re-sized")
        self._splice(self._size, 0, octets(other))
        return self

    def __mul__(self, times: int) -> Any:
        made = self.copy()
        made *= times
        return made

    def __rmul__(self, times: int) -> Any:
        return self * times

    def __imul__(self, times: int) -> Any:
        size = self._size
        count = max(operator.index(times), 0)
        self._reserve(size * count)
        for k in range(1, count):
            self._data[k * size : (k + 1) * size] = self._data[:size]
        self._size = size * count
        return self

    def __repr__(self) -> str:
        return f"bytearray({shown(self._text, _ALWAYS_ESCAPED)})"

    def __hash__(self) -> int:
        raise TypeError("unhashable type: 'bytearray'")

    #  Changes

    def append(self, item: Any, /) -> None:
        code = value_of(item)
        size = self._size
        self._reserve(size + 1)
        self._data[size] = code
        self._size = size + 1

    def extend(self, iterable: Any, /) -> None:
        if isinstance(iterable, (int, float)) or iterable is None:
            raise TypeError(f"can't extend bytearray with {type(iterable).__name__}")
        self._splice(self._size, 0, octets(iterable))

    def insert(self, index: int, item: Any, /) -> None:
        at = operator.index(index)
        at = max(at + self._size, 0) if at < 0 else min(at, self._size)
        one = np.empty(1, np.uint8)
        one[0] = value_of(item)
        self._splice(at, 0, one)

    def pop(self, index: int = -1, /) -> int:
        if self._size == 0:
            raise IndexError("pop from empty bytearray")
        at = self._place(index, "pop index out of range")
        code = int(self._data[at])
        self._splice(at, 1, nothing())
        return code

    def remove(self, value: Any, /) -> None:
        at = self.find(value_of(value))
        if at < 0:
            raise ValueError("value not found in bytearray")
        self._splice(at, 1, nothing())

    def reverse(self) -> None:
        used = self._used().copy()
        self._data[: self._size] = used[::-1]

    def clear(self) -> None:
        self._size = 0

    def copy(self) -> Any:
        return of_values(self._used().copy())

    __copy__ = copy


def value_of(item: Any) -> int:
    """A number that is to be one of the values."""
    code = operator.index(item)
    if code < 0 or code > 255:
        raise ValueError("byte must be in range(0, 256)")
    return code


def of_values(values: Any) -> Any:
    """The bytearray whose array this becomes."""
    made = bytearray()
    made._data = values
    made._size = len(values)
    return made


def nothing() -> Any:
    return np.empty(0, np.uint8)


def codes_of(text: Any) -> Any:
    return primitives.text_codes(text).copy()


def looked_for(part: Any) -> Any:
    """The values that are looked for: those of bytes, or one."""
    if isinstance(part, bytearray):
        return part._used().copy()
    return codes_of(part_of(part))


def is_at(data: Any, at: int, part: Any) -> bool:
    for k in range(len(part)):
        if data[at + k] != part[k]:
            return False
    return True


def between(start: Any, end: Any, size: int) -> Any:
    """Where a search begins and ends."""
    low = 0 if start is None else operator.index(start)
    stop = size if end is None else operator.index(end)
    low = max(low + size, 0) if low < 0 else low
    stop = max(stop + size, 0) if stop < 0 else min(stop, size)
    return low, stop


def places(index: slice, size: int) -> Any:
    """Where the slice begins, its step, and how many there are."""
    start, stop, step = bounds(index, size)
    return start, step, len(range(start, stop, step))


def bounds(index: slice, size: int) -> Any:
    """Where the slice begins and ends, and its step."""
    step = 1 if index.step is None else operator.index(index.step)
    if step == 0:
        raise ValueError("slice step cannot be zero")
    low, high = (0, size) if step > 0 else (-1, size - 1)
    start = (low if step > 0 else high) if index.start is None else inside(index.start, low, high)
    stop = (high if step > 0 else low) if index.stop is None else inside(index.stop, low, high)
    return start, stop, step


def inside(bound: Any, low: int, high: int) -> int:
    at = operator.index(bound)
    if at < 0:
        at += high if low == 0 else high + 1
    return min(max(at, low), high)


def octets(source: Any) -> Any:
    """A new array of the values of bytes, of an array's memory or of what an iterable gives."""
    if isinstance(source, bytearray):
        return source._used().copy()
    if isinstance(source, Octets):
        return codes_of(source._text)
    if isinstance(source, np.ndarray):
        return source.ravel().view(np.uint8).copy()
    made = np.empty(16, np.uint8)
    size = 0
    for item in source:
        if size == len(made):
            made = longer(made)
        made[size] = value_of(item)
        size += 1
    return made[:size].copy()


def longer(values: Any) -> Any:
    made = np.empty(2 * len(values), np.uint8)
    made[: len(values)] = values
    return made


def values_of(source: Any, encoding: Any, errors: Any) -> Any:
    """The values of bytearray(source, encoding, errors)."""
    if isinstance(source, str):
        if encoding is None:
            raise TypeError("string argument without an encoding")
        return codes_of(encoded(source, encoding, "strict" if errors is None else errors))
    if isinstance(source, float) or source is None:
        raise TypeError(f"cannot convert '{type(source).__name__}' object to bytearray")
    if not isinstance(source, (int, np.integer)):
        return octets(source)
    count = operator.index(source)
    if count < 0:
        raise ValueError("negative count")
    return np.zeros(count, np.uint8)


REPLACED: dict[Any, type] = {builtins.bytearray: bytearray}
