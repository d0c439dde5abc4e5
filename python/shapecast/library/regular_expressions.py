"""Python's `re`, in Python: compiled code makes instances of these classes, and calls these
functions, in their place. Python's own matches; it is called once for all matches in a string, and
answers with the places of their groups.

A pattern is known by its key, a string: the flags, the names of its groups with a comma after each,
and its text, with colons between. Where the key is a constant, so is all that is asked of it.
"""

from __future__ import annotations

import functools
import itertools
import operator
import re
import sys
from typing import Any

import numpy as np

from .._callouts import PyFunc
from .._errors import UnsupportedError
from .._host_info import said
from ..typing import Int64
from . import long_tuples, primitives
from .builtin_classes import Octets

_NO_PATTERN = said(lambda: re.compile(1))  # type: ignore[call-overload]
_NO_STRING = said(lambda: re.match("", 1)).removesuffix("'int'")  # type: ignore[call-overload]
_NO_FLAGS = said(lambda: re.compile(re.compile(""), re.I))
_NO_GROUP = said(lambda: re.match("", "")[1])  # type: ignore[index]
_WAYS = ("match", "search", "fullmatch")
_ITERATED = 3  # finditer
_END = sys.maxsize


class Pattern:
    _key: Any

    def __init__(self, key: Any) -> None:
        self._key = key

    def _to_python(self) -> Any:
        return pattern_of_key(self._key)

    @property
    def pattern(self) -> Any:
        return self._key.split(":", 2)[2]

    @property
    def flags(self) -> Any:
        return int(self._key.split(":", 2)[0])

    @property
    def groups(self) -> Any:
        return len(names_in(self._key))

    @property
    def groupindex(self) -> Any:
        return primitives.unsupported(
            "groupindex of a pattern is not supported; take groupdict() of a match"
        )

    def __eq__(self, other: Any) -> Any:
        return self._key == other._key if isinstance(other, Pattern) else NotImplemented

    def __hash__(self) -> Any:
        return hash(self._key)

    def __repr__(self) -> Any:
        return shown(self._key)

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self

    def match(self, string: Any, pos: Any = 0, endpos: Any = _END) -> Any:
        return found(self._key, 0, string, pos, endpos)

    def search(self, string: Any, pos: Any = 0, endpos: Any = _END) -> Any:
        return found(self._key, 1, string, pos, endpos)

    def fullmatch(self, string: Any, pos: Any = 0, endpos: Any = _END) -> Any:
        return found(self._key, 2, string, pos, endpos)

    def finditer(self, string: Any, pos: Any = 0, endpos: Any = _END) -> Any:
        return Matches(self._key, checked(string), pos, endpos)

    def findall(self, string: Any, pos: Any = 0, endpos: Any = _END) -> Any:
        places = all_spans(self._key, checked(string), pos, endpos, 0)
        names = names_in(self._key)
        if len(names) < 2:
            return [part(string, places[k], len(names), "") for k in range(len(places))]
        return [parts(string, places[k], names, "") for k in range(len(places))]

    def split(self, string: Any, maxsplit: Any = 0) -> Any:
        places = all_spans(self._key, checked(string), 0, _END, maxsplit)
        count = len(names_in(self._key))
        made: Any = []
        last = 0
        for k in range(len(places)):
            made.append(string[last : int(places[k, 0])])
            for group in range(count):
                made.append(part(string, places[k], group + 1, None))
            last = int(places[k, 1])
        made.append(string[last:])
        return made

    def sub(self, repl: Any, string: Any, count: Any = 0) -> Any:
        return self.subn(repl, string, count)[0]

    def subn(self, repl: Any, string: Any, count: Any = 0) -> Any:
        if isinstance(repl, str):
            return substituted(self._key, repl, checked(string), count)
        places = all_spans(self._key, checked(string), 0, _END, count)
        made: Any = []
        last = 0
        for k in range(len(places)):
            made.append(string[last : int(places[k, 0])])
            instead = repl(Match(self._key, string, places[k].copy(), 0, _END, _ITERATED, k))
            if instead is not None:
                made.append(instead)
            last = int(places[k, 1])
        made.append(string[last:])
        return "".join(made), len(places)

    def scanner(self, string: Any, pos: Any = 0, endpos: Any = _END) -> Any:
        return primitives.unsupported("scanner() of a pattern is not supported; use finditer()")


class Matches:
    """What finditer returns."""

    def __init__(self, key: Any, string: Any, pos: Any, endpos: Any) -> None:
        self._key = key
        self._string = string
        self._pos = pos
        self._endpos = endpos
        self._places = all_spans(key, string, operator.index(pos), operator.index(endpos), 0)
        self._next = 0

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        k = self._next
        if k == len(self._places):
            raise StopIteration
        self._next = k + 1
        places = self._places[k].copy()
        return Match(self._key, self._string, places, self._pos, self._endpos, _ITERATED, k)


class Match:
    """The places of the groups, of all the string first, and the number of the last group; and how
    Python finds the match again.
    """

    def __init__(
        self, key: Any, string: Any, places: Any, pos: Any, endpos: Any, way: Any, index: Any
    ) -> None:
        self.string = string
        self.pos = min(max(operator.index(pos), 0), len(string))
        self.endpos = min(max(operator.index(endpos), 0), len(string))
        self._key = key
        self._places = places
        self._way = way
        self._index = index

    def _to_python(self) -> Any:
        return again(self._key, self._way, self.string, self.pos, self.endpos, self._index)

    @property
    def re(self) -> Any:
        return Pattern(self._key)

    @property
    def regs(self) -> Any:
        names = names_in(self._key)
        if primitives.is_length_known(names):
            return tuple([self.span(group) for group in range(len(names) + 1)])
        return long_tuples.tuple([self.span(group) for group in range(len(names) + 1)])

    @property
    def lastindex(self) -> Any:
        last = int(self._places[len(self._places) - 1])
        return None if last == 0 else last

    @property
    def lastgroup(self) -> Any:
        last = int(self._places[len(self._places) - 1])
        if last == 0:
            return None
        name = names_in(self._key)[last - 1]
        return None if name == "" else name

    def _number(self, group: Any) -> Any:
        if isinstance(group, str):
            names = names_in(self._key)
            if group == "" or group not in names:
                raise IndexError(_NO_GROUP)
            return names.index(group) + 1
        if not isinstance(group, (int, np.integer)):
            raise IndexError(_NO_GROUP)
        number = operator.index(group)
        if number < 0 or 2 * number + 1 >= len(self._places):
            raise IndexError(_NO_GROUP)
        return number

    def group(self, *groups: Any) -> Any:
        if len(groups) == 0:
            return part(self.string, self._places, 0, None)
        if len(groups) == 1:
            return self[groups[0]]
        return tuple([self[group] for group in groups])

    def __getitem__(self, group: Any) -> Any:
        return part(self.string, self._places, self._number(group), None)

    def groups(self, default: Any = None) -> Any:
        return parts(self.string, self._places, names_in(self._key), default)

    def groupdict(self, default: Any = None) -> Any:
        names = names_in(self._key)
        return {
            names[k]: part(self.string, self._places, k + 1, default)
            for k in range(len(names))
            if names[k] != ""
        }

    def start(self, group: Any = 0) -> Any:
        return int(self._places[2 * self._number(group)])

    def end(self, group: Any = 0) -> Any:
        return int(self._places[2 * self._number(group) + 1])

    def span(self, group: Any = 0) -> Any:
        number = self._number(group)
        return int(self._places[2 * number]), int(self._places[2 * number + 1])

    def expand(self, template: Any) -> Any:
        return expanded(
            self._key, self._way, self.string, self.pos, self.endpos, self._index, template
        )

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> Any:
        return f"<re.Match object; span={self.span()!r}, match={self.group()!r}>"

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self


def names_in(key: Any) -> Any:
    """The names of the groups of a pattern, "" of those without one."""
    return key.split(":", 2)[1].split(",")[:-1]


def part(string: Any, places: Any, group: int, default: Any) -> Any:
    """What a group has matched."""
    start = int(places[2 * group])
    return default if start < 0 else string[start : int(places[2 * group + 1])]


def parts(string: Any, places: Any, names: Any, default: Any) -> Any:
    """What the groups have matched, whose number may be known at run time only."""
    if primitives.is_length_known(names):
        return tuple([part(string, places, k + 1, default) for k in range(len(names))])
    return long_tuples.tuple([part(string, places, k + 1, default) for k in range(len(names))])


def checked(string: Any) -> Any:
    if isinstance(string, Octets):
        primitives.unsupported(
            "regular expressions in bytes are not supported; decode them: b.decode('latin-1')"
        )
    if not isinstance(string, str):
        raise TypeError(f"{_NO_STRING}'{type(string).__name__}'")
    return string


def found(key: Any, way: int, string: Any, pos: Any, endpos: Any) -> Any:
    places = spans(key, way, checked(string), operator.index(pos), operator.index(endpos))
    return None if len(places) == 0 else Match(key, string, places, pos, endpos, way, 0)


#  The functions of the module


def compile(pattern: Any, flags: Any = 0) -> Any:
    if isinstance(pattern, Pattern):
        if flags != 0:
            raise ValueError(_NO_FLAGS)
        return pattern
    if isinstance(pattern, (int, float, list, dict, set)) or pattern is None:
        raise TypeError(_NO_PATTERN)
    if not isinstance(pattern, str):
        primitives.unsupported("patterns of bytes are not supported; decode both pattern and text")
    if flags & int(re.DEBUG):
        raise UnsupportedError("re.DEBUG is not supported; compile the pattern outside")
    number = int(flags) if isinstance(flags, re.RegexFlag) else operator.index(flags)
    return Pattern(key_of(pattern, number))


def match(pattern: Any, string: Any, flags: Any = 0) -> Any:
    return compile(pattern, flags).match(string)


def search(pattern: Any, string: Any, flags: Any = 0) -> Any:
    return compile(pattern, flags).search(string)


def fullmatch(pattern: Any, string: Any, flags: Any = 0) -> Any:
    return compile(pattern, flags).fullmatch(string)


def finditer(pattern: Any, string: Any, flags: Any = 0) -> Any:
    return compile(pattern, flags).finditer(string)


def findall(pattern: Any, string: Any, flags: Any = 0) -> Any:
    return compile(pattern, flags).findall(string)


def split(pattern: Any, string: Any, maxsplit: Any = 0, flags: Any = 0) -> Any:
    return compile(pattern, flags).split(string, maxsplit)


def sub(pattern: Any, repl: Any, string: Any, count: Any = 0, flags: Any = 0) -> Any:
    return compile(pattern, flags).sub(repl, string, count)


def subn(pattern: Any, repl: Any, string: Any, count: Any = 0, flags: Any = 0) -> Any:
    return compile(pattern, flags).subn(repl, string, count)


def escape(pattern: Any) -> Any:
    return escaped(checked(pattern))


#  What Python does


@functools.lru_cache(maxsize=1024)
def pattern_of_key(key: str) -> Any:
    flags, _, text = key.split(":", 2)
    return re.compile(text, int(flags))


@functools.lru_cache(maxsize=1024)
def key_of_pattern(pattern: Any) -> str:
    names = [""] * pattern.groups
    for name, number in pattern.groupindex.items():
        names[number - 1] = name
    return f"{pattern.flags}:{''.join(name + ',' for name in names)}:{pattern.pattern}"


def key_in_python(text: str, flags: int) -> str:
    return key_of_pattern(re.compile(text, flags))


def row_of(one: Any) -> list[int]:
    return [*itertools.chain.from_iterable(one.regs), one.lastindex or 0]


def spans_in_python(key: str, way: int, string: str, pos: int, endpos: int) -> Any:
    one = getattr(pattern_of_key(key), _WAYS[way])(string, pos, endpos)
    return np.array([] if one is None else row_of(one), np.int64)


def all_in_python(key: str, string: str, pos: int, endpos: int, most: int) -> Any:
    """Of at most so many matches, of all if that is 0."""
    pattern = pattern_of_key(key)
    every = pattern.finditer(string, pos, endpos)
    rows = [row_of(one) for one in itertools.islice(every, max(most, 0) if most else None)]
    return np.array(rows, np.int64).reshape(len(rows), 2 * pattern.groups + 3)


def substituted_in_python(key: str, repl: str, string: str, count: int) -> Any:
    return pattern_of_key(key).subn(repl, string, count)


def again(key: str, way: int, string: str, pos: int, endpos: int, index: int) -> Any:
    pattern = pattern_of_key(key)
    if way == _ITERATED:
        return next(itertools.islice(pattern.finditer(string, pos, endpos), index, None))
    return getattr(pattern, _WAYS[way])(string, pos, endpos)


def expanded_in_python(
    key: str, way: int, string: str, pos: int, endpos: int, index: int, template: str
) -> Any:
    return again(key, way, string, pos, endpos, index).expand(template)


def _called(function: Any, result: Any, name: str) -> Any:
    return PyFunc(function, result, f"{__name__}.{name}")


key_of = _called(key_in_python, str, "key_of")
shown = _called(lambda key: repr(pattern_of_key(key)), str, "shown")
escaped = _called(re.escape, str, "escaped")
spans = _called(spans_in_python, Int64["places"], "spans")
all_spans = _called(all_in_python, Int64["matches places"], "all_spans")
substituted = _called(substituted_in_python, (str, int), "substituted")
expanded = _called(expanded_in_python, str, "expanded")

REPLACED: dict[Any, Any] = {re.Pattern: Pattern, re.Match: Match}
REPLACED |= {
    getattr(re, ours.__name__): ours
    for ours in (compile, match, search, fullmatch, finditer, findall, split, sub, subn, escape)
}
