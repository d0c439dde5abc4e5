"""Python's `frozenset` and `bytes`, in Python: compiled code makes instances of these classes in
their place, and returns the real ones (`_to_python`). `bytearray` is in byte_arrays.py.
"""

from __future__ import annotations

import builtins
import operator
from typing import Any

import numpy as np

from . import primitives


class frozenset:
    """A set in memory that nobody changes."""

    def __init__(self, iterable: Any = (), /) -> None:
        self._items: Any = set(iterable)

    def _to_python(self) -> Any:
        return builtins.frozenset(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __bool__(self) -> bool:
        return len(self._items) > 0

    def __iter__(self) -> Any:
        return iter(self._items)

    def __contains__(self, item: Any) -> Any:
        return item in self._items

    def __hash__(self) -> int:
        made = 0
        for item in self._items:
            made = primitives.hash_of_set(made, hash(item), -1)
        return primitives.hash_of_set(made, 0, len(self._items))

    def __eq__(self, other: Any) -> Any:
        if not isinstance(other, (set, frozenset)):
            return NotImplemented
        return self._items == set_of(other)

    def __le__(self, other: Any) -> Any:
        return self._items <= set_of(other)

    def __lt__(self, other: Any) -> Any:
        return self._items < set_of(other)

    def __ge__(self, other: Any) -> Any:
        return self._items >= set_of(other)

    def __gt__(self, other: Any) -> Any:
        return self._items > set_of(other)

    def __or__(self, other: Any) -> Any:
        return frozenset(self._items | set_of(other))

    def __and__(self, other: Any) -> Any:
        return frozenset(self._items & set_of(other))

    def __sub__(self, other: Any) -> Any:
        return frozenset(self._items - set_of(other))

    def __xor__(self, other: Any) -> Any:
        return frozenset(self._items ^ set_of(other))

    def __ror__(self, other: Any) -> Any:
        return other | self._items

    def __rand__(self, other: Any) -> Any:
        return other & self._items

    def __rsub__(self, other: Any) -> Any:
        return other - self._items

    def __rxor__(self, other: Any) -> Any:
        return other ^ self._items

    def union(self, *others: Any) -> Any:
        made = self._items.copy()
        for other in others:
            made.update(other)
        return frozenset(made)

    def intersection(self, *others: Any) -> Any:
        made = self._items.copy()
        for other in others:
            made = made.intersection(set(other))
        return frozenset(made)

    def difference(self, *others: Any) -> Any:
        made = self._items.copy()
        for other in others:
            for item in other:
                made.discard(item)
        return frozenset(made)

    def symmetric_difference(self, other: Any, /) -> Any:
        return frozenset(self._items ^ set(other))

    def issubset(self, other: Any, /) -> Any:
        return self._items <= set(other)

    def issuperset(self, other: Any, /) -> Any:
        return self._items >= set(other)

    def isdisjoint(self, other: Any, /) -> Any:
        for item in other:
            if item in self._items:
                return False
        return True

    def copy(self) -> Any:
        return self


def set_of(items: Any) -> Any:
    """The items of a set or frozenset as a set."""
    return items._items if isinstance(items, frozenset) else items


_SPACES = " \t\n\r\x0b\x0c"


class Octets:
    """What bytes and bytearray have in common: `_text` is a string of characters below 256, and
    `_of` makes another one of such a string.
    """

    _text: Any

    def _of(self, text: Any) -> Any:
        raise NotImplementedError

    def __bytes__(self) -> Any:
        return of_text(self._text)

    def __contains__(self, part: Any) -> Any:
        if not isinstance(part, (Octets, int, np.integer)):
            name = type(part).__name__
            raise TypeError(f"a bytes-like object is required, not '{name}'")
        return part_of(part) in self._text

    def __eq__(self, other: Any) -> Any:
        return self._text == other._text if isinstance(other, Octets) else NotImplemented

    def __lt__(self, other: Any) -> Any:
        return self._text < other._text if isinstance(other, Octets) else NotImplemented

    def __le__(self, other: Any) -> Any:
        return self._text <= other._text if isinstance(other, Octets) else NotImplemented

    def __gt__(self, other: Any) -> Any:
        return self._text > other._text if isinstance(other, Octets) else NotImplemented

    def __ge__(self, other: Any) -> Any:
        return self._text >= other._text if isinstance(other, Octets) else NotImplemented

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, Octets):
            raise TypeError(f"can't concat {type(other).__name__} to {type(self).__name__}")
        return self._of(self._text + other._text)

    def __mul__(self, times: int) -> Any:
        return self._of(self._text * times)

    def __rmul__(self, times: int) -> Any:
        return self._of(self._text * times)

    def __int__(self) -> Any:
        return int(self._text)

    def __float__(self) -> Any:
        return float(self._text)

    #  Places

    def find(self, sub: Any, start: Any = None, end: Any = None, /) -> Any:
        return self._text.find(part_of(sub), start, end)

    def rfind(self, sub: Any, start: Any = None, end: Any = None, /) -> Any:
        return self._text.rfind(part_of(sub), start, end)

    def index(self, sub: Any, start: Any = None, end: Any = None, /) -> Any:
        at = self._text.find(part_of(sub), start, end)
        if at < 0:
            raise ValueError("subsection not found")
        return at

    def rindex(self, sub: Any, start: Any = None, end: Any = None, /) -> Any:
        at = self._text.rfind(part_of(sub), start, end)
        if at < 0:
            raise ValueError("subsection not found")
        return at

    def count(self, sub: Any, start: Any = None, end: Any = None, /) -> Any:
        return self._text.count(part_of(sub), start, end)

    def startswith(self, prefix: Any, start: Any = None, end: Any = None, /) -> Any:
        if not isinstance(prefix, tuple):
            return self._text.startswith(prefix._text, start, end)
        return any(self._text.startswith(one._text, start, end) for one in prefix)

    def endswith(self, suffix: Any, start: Any = None, end: Any = None, /) -> Any:
        if not isinstance(suffix, tuple):
            return self._text.endswith(suffix._text, start, end)
        return any(self._text.endswith(one._text, start, end) for one in suffix)

    #  Parts

    def strip(self, chars: Any = None, /) -> Any:
        return self._of(self._text.strip(_SPACES if chars is None else chars._text))

    def lstrip(self, chars: Any = None, /) -> Any:
        return self._of(self._text.lstrip(_SPACES if chars is None else chars._text))

    def rstrip(self, chars: Any = None, /) -> Any:
        return self._of(self._text.rstrip(_SPACES if chars is None else chars._text))

    def removeprefix(self, prefix: Any, /) -> Any:
        return self._of(self._text.removeprefix(prefix._text))

    def removesuffix(self, suffix: Any, /) -> Any:
        return self._of(self._text.removesuffix(suffix._text))

    def split(self, sep: Any = None, maxsplit: int = -1) -> Any:
        if sep is not None:
            return [self._of(part) for part in self._text.split(sep._text, maxsplit)]
        made: Any = []
        text = self._text
        at = 0
        while True:
            while at < len(text) and text[at] in _SPACES:
                at += 1
            if at == len(text):
                return made
            if len(made) == maxsplit:
                made.append(self._of(text[at:]))
                return made
            start = at
            while at < len(text) and text[at] not in _SPACES:
                at += 1
            made.append(self._of(text[start:at]))

    def rsplit(self, sep: Any = None, maxsplit: int = -1) -> Any:
        if sep is None:
            made: Any = []
            text = self._text.rstrip(_SPACES)
            while len(text) > 0 and len(made) != maxsplit:
                at = len(text)
                while at > 0 and text[at - 1] not in _SPACES:
                    at -= 1
                made.append(self._of(text[at:]))
                text = text[:at].rstrip(_SPACES)
            if len(text) > 0:
                made.append(self._of(text))
            made.reverse()
            return made
        return [self._of(part) for part in self._text.rsplit(sep._text, maxsplit)]

    def splitlines(self, keepends: bool = False) -> Any:
        made: Any = []
        text = self._text
        start = 0
        while start < len(text):
            end = start
            while end < len(text) and text[end] != "\n" and text[end] != "\r":
                end += 1
            after = min(end + 1, len(text))
            if text[end:after] == "\r" and text[after : after + 1] == "\n":
                after += 1
            made.append(self._of(text[start : after if keepends else end]))
            start = after
        return made

    def partition(self, sep: Any, /) -> Any:
        before, found, after = self._text.partition(sep._text)
        return self._of(before), self._of(found), self._of(after)

    def rpartition(self, sep: Any, /) -> Any:
        before, found, after = self._text.rpartition(sep._text)
        return self._of(before), self._of(found), self._of(after)

    #  New ones

    def join(self, items: Any, /) -> Any:
        return self._of(self._text.join([item._text for item in items]))

    def replace(self, old: Any, new: Any, count: int = -1, /) -> Any:
        return self._of(self._text.replace(old._text, new._text, count))

    def ljust(self, width: int, fill: Any = None, /) -> Any:
        return self._of(self._text.ljust(width, " " if fill is None else fill._text))

    def rjust(self, width: int, fill: Any = None, /) -> Any:
        return self._of(self._text.rjust(width, " " if fill is None else fill._text))

    def center(self, width: int, fill: Any = None, /) -> Any:
        return self._of(self._text.center(width, " " if fill is None else fill._text))

    def zfill(self, width: int, /) -> Any:
        return self._of(self._text.zfill(width))

    def upper(self) -> Any:
        return self._of("".join([c.upper() if c.isascii() else c for c in self._text]))

    def lower(self) -> Any:
        return self._of("".join([c.lower() if c.isascii() else c for c in self._text]))

    def capitalize(self) -> Any:
        return self._of(self._text[:1]).upper() + self._of(self._text[1:]).lower()

    def title(self) -> Any:
        text = self._text
        made: Any = []
        for k in range(len(text)):
            if not is_letter(text[k]):
                made.append(text[k])
            elif k > 0 and is_letter(text[k - 1]):
                made.append(text[k].lower())
            else:
                made.append(text[k].upper())
        return self._of("".join(made))

    def swapcase(self) -> Any:
        return self._of("".join([c.swapcase() if c.isascii() else c for c in self._text]))

    def expandtabs(self, tabsize: int = 8) -> Any:
        column = 0
        made: Any = []
        for c in self._text:
            if c == "\t":
                more = tabsize - column % tabsize if tabsize > 0 else 0
                made.append(" " * more)
                column += more
            else:
                made.append(c)
                column = 0 if c == "\n" or c == "\r" else column + 1
        return self._of("".join(made))

    def translate(self, table: Any, /, delete: Any = None) -> Any:
        if table is not None and len(table) != 256:
            raise ValueError("translation table must be 256 characters long")
        dropped = "" if delete is None else delete._text
        kept = [c for c in self._text if c not in dropped]
        if table is None:
            return self._of("".join(kept))
        return self._of("".join([table._text[ord(c)] for c in kept]))

    def hex(self, sep: Any = "") -> Any:
        between = sep if isinstance(sep, str) else sep._text
        return between.join([_DIGITS[ord(c) // 16] + _DIGITS[ord(c) % 16] for c in self._text])

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> Any:
        check_encoding(encoding, errors)
        if self._text.isascii() or encoding in _LATIN:
            return self._text[:]
        if encoding == "ascii":
            raise ValueError("'ascii' codec can't decode: ordinal not in range(128)")
        return "".join(decoded(self._text))

    #  Classes of characters

    def isascii(self) -> Any:
        return self._text.isascii()

    def isalpha(self) -> Any:
        return self._text.isascii() and self._text.isalpha()

    def isdigit(self) -> Any:
        return self._text.isascii() and self._text.isdigit()

    def isalnum(self) -> Any:
        return self._text.isascii() and self._text.isalnum()

    def isspace(self) -> Any:
        return len(self._text) > 0 and all(c in _SPACES for c in self._text)

    def istitle(self) -> Any:
        return any(is_letter(c) for c in self._text) and self.title() == self

    def isupper(self) -> Any:
        return any("A" <= c <= "Z" for c in self._text) and all(
            c < "a" or c > "z" for c in self._text
        )

    def islower(self) -> Any:
        return any("a" <= c <= "z" for c in self._text) and all(
            c < "A" or c > "Z" for c in self._text
        )


def is_letter(c: Any) -> Any:
    return "a" <= c <= "z" or "A" <= c <= "Z"


class bytes(Octets):
    """A string in memory of characters below 256."""

    def __init__(self, source: Any = 0, encoding: Any = None, errors: Any = None) -> None:
        self._text = text_of(source, encoding, errors)

    def _to_python(self) -> Any:
        return self._text.encode("latin-1")

    def _of(self, text: Any) -> Any:
        return of_text(text)

    def __bytes__(self) -> Any:
        return self

    def __len__(self) -> int:
        return len(self._text)

    def __bool__(self) -> bool:
        return len(self._text) > 0

    def __iter__(self) -> Any:
        for code in primitives.text_codes(self._text):
            yield int(code)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return of_text(self._text[index])
        at = operator.index(index)
        if at < -len(self._text) or at >= len(self._text):
            raise IndexError("index out of range")
        return ord(self._text[at])

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        return shown(self._text)


def shown(text: Any, escaped: str = "") -> str:
    """The repr() of bytes with these characters; what else is escaped than backslashes and the
    quotes around.
    """
    quote = '"' if "'" in text and '"' not in text else "'"
    made = ["b", quote]
    for c in text:
        code = ord(c)
        if c == quote or c == "\\" or c == escaped:
            made.append("\\")
            made.append(c)
        elif c == "\n":
            made.append("\\n")
        elif c == "\r":
            made.append("\\r")
        elif c == "\t":
            made.append("\\t")
        elif code < 32 or code > 126:
            made.append("\\x")
            made.append(_DIGITS[code // 16])
            made.append(_DIGITS[code % 16])
        else:
            made.append(c)
    made.append(quote)
    return "".join(made)


_DIGITS = "0123456789abcdef"


def of_text(text: Any) -> Any:
    """The bytes whose values are the codes of these characters, which are below 256."""
    made = bytes()
    made._text = text
    return made


def part_of(part: Any) -> Any:
    """What is looked for in bytes: bytes, or the value of one."""
    if isinstance(part, Octets):
        return part._text
    if not isinstance(part, (int, np.integer)):
        name = type(part).__name__
        raise TypeError(f"argument should be integer or bytes-like object, not '{name}'")
    code = operator.index(part)
    if code < 0 or code > 255:
        raise ValueError("byte must be in range(0, 256)")
    return chr(code)


def text_of(source: Any, encoding: Any, errors: Any) -> Any:
    """The characters of bytes(source, encoding, errors)."""
    if isinstance(source, str):
        if encoding is None:
            raise TypeError("string argument without an encoding")
        return encoded(source, encoding, "strict" if errors is None else errors)
    if isinstance(source, Octets):
        return source._text
    if isinstance(source, int):
        if source < 0:
            raise ValueError("negative count")
        return "\0" * source
    if hasattr(source, "__bytes__"):
        return source.__bytes__()._text
    codes = [operator.index(value) for value in source]
    for code in codes:
        if code < 0 or code > 255:
            raise ValueError("bytes must be in range(0, 256)")
    return "".join([chr(code) for code in codes])


_LATIN = ("latin-1", "latin1", "iso-8859-1")


def check_encoding(encoding: str, errors: str) -> None:
    if encoding not in ("utf-8", "utf8", "UTF-8", "ascii", *_LATIN) or errors != "strict":
        primitives.unsupported(
            "strings are encoded and decoded as utf-8, latin-1 and ascii only, with the errors "
            "'strict'; do others outside"
        )


def encoded(text: Any, encoding: str = "utf-8", errors: str = "strict") -> Any:
    check_encoding(encoding, errors)
    if text.isascii():
        return text[:]
    if encoding == "ascii":
        raise ValueError("'ascii' codec can't encode: ordinal not in range(128)")
    if encoding in _LATIN:
        for c in text:
            if ord(c) > 255:
                raise ValueError(
                    "'latin-1' codec can't encode characters: ordinal not in range(256)"
                )
        return text[:]
    made: Any = []
    for c in text:
        code = ord(c)
        if code < 0x80:
            made.append(c)
        elif code < 0x800:
            made.append(chr(0xC0 | code >> 6))
            made.append(chr(0x80 | code & 0x3F))
        elif code < 0x10000:
            made.append(chr(0xE0 | code >> 12))
            made.append(chr(0x80 | code >> 6 & 0x3F))
            made.append(chr(0x80 | code & 0x3F))
        else:
            made.append(chr(0xF0 | code >> 18))
            made.append(chr(0x80 | code >> 12 & 0x3F))
            made.append(chr(0x80 | code >> 6 & 0x3F))
            made.append(chr(0x80 | code & 0x3F))
    return "".join(made)


def decoded(text: Any) -> Any:
    """The characters of UTF-8, whose bytes are the codes of the text's."""
    made: Any = []
    at = 0
    while at < len(text):
        first = ord(text[at])
        more = 0 if first < 0x80 else 1 if first < 0xE0 else 2 if first < 0xF0 else 3
        code = first if more == 0 else first & (0x3F >> more)
        is_valid = first < 0x80 or 0xC2 <= first < 0xF5
        is_valid = is_valid and at + more < len(text)
        for k in range(more if is_valid else 0):
            next_one = ord(text[at + 1 + k])
            is_valid = is_valid and 0x80 <= next_one < 0xC0
            code = code << 6 | next_one & 0x3F
        if not is_valid or (more == 2 and code < 0x800) or (more == 3 and code < 0x10000):
            raise ValueError(f"'utf-8' codec can't decode byte at position {at}")
        made.append(chr(code))
        at += more + 1
    return made


def encode(value: Any, *given: Any, **named: Any) -> Any:
    """value.encode(...), which capture calls."""
    if isinstance(value, str):
        return of_text(encoded(value, *given, **named))
    return getattr(value, "encode")(*given, **named)


REPLACED: dict[Any, type] = {builtins.frozenset: frozenset, builtins.bytes: bytes}
