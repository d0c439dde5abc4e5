"""Methods of strings whose characters are known only at run time. What reads characters is in the
run time (src/runtime/text.cpp), called by `primitives.text`.
"""

from __future__ import annotations

from typing import Any

from . import implements, primitives

_END = 2**63 - 1


@implements("builtins.int of text")
def int_of(text: Any, base: int) -> Any:
    if base < 0 or base == 1 or base > 36:
        raise ValueError("int() base must be >= 2 and <= 36, or 0")
    status = primitives.text("int_status", text, base)
    if status == 1:
        raise ValueError(f"invalid literal for int() with base {base}: {text!r}")
    if status == 2:
        raise OverflowError("Python int too large to convert to C long")
    return primitives.text("int", text, base)


@implements("builtins.float of text")
def float_of(text: Any) -> Any:
    if primitives.text("float_status", text) != 0:
        raise ValueError(f"could not convert string to float: {text!r}")
    return primitives.text("float", text)


#  Places


def end_of(end: Any) -> int:
    return _END if end is None else end


def start_of(start: Any) -> int:
    return 0 if start is None else start


@implements("builtins.str.find")
def find(s: Any, sub: Any, start: Any = None, end: Any = None, /) -> Any:
    return primitives.text("find", s, sub, start_of(start), end_of(end), 0)


@implements("builtins.str.rfind")
def rfind(s: Any, sub: Any, start: Any = None, end: Any = None, /) -> Any:
    return primitives.text("find", s, sub, start_of(start), end_of(end), 1)


@implements("builtins.str.index")
def index(s: Any, sub: Any, start: Any = None, end: Any = None, /) -> Any:
    at = primitives.text("find", s, sub, start_of(start), end_of(end), 0)
    if at < 0:
        raise ValueError("substring not found")
    return at


@implements("builtins.str.rindex")
def rindex(s: Any, sub: Any, start: Any = None, end: Any = None, /) -> Any:
    at = primitives.text("find", s, sub, start_of(start), end_of(end), 1)
    if at < 0:
        raise ValueError("substring not found")
    return at


@implements("builtins.str.count")
def count(s: Any, sub: Any, start: Any = None, end: Any = None, /) -> Any:
    return primitives.text("count", s, sub, start_of(start), end_of(end))


def is_at(s: Any, wanted: Any, start: Any, end: Any, at_end: int) -> Any:
    if not isinstance(wanted, tuple):
        return primitives.text("starts", s, wanted, start_of(start), end_of(end), at_end) != 0
    found = False
    for one in wanted:
        if primitives.text("starts", s, one, start_of(start), end_of(end), at_end) != 0:
            found = True
    return found


@implements("builtins.str.startswith")
def startswith(s: Any, prefix: Any, start: Any = None, end: Any = None, /) -> Any:
    return is_at(s, prefix, start, end, 0)


@implements("builtins.str.endswith")
def endswith(s: Any, suffix: Any, start: Any = None, end: Any = None, /) -> Any:
    return is_at(s, suffix, start, end, 1)


#  Parts


def stripped(s: Any, chars: Any, sides: int) -> Any:
    if chars is None:
        return primitives.text("strip", s, "", sides + 4)
    return primitives.text("strip", s, chars, sides)


@implements("builtins.str.strip")
def strip(s: Any, chars: Any = None, /) -> Any:
    return stripped(s, chars, 3)


@implements("builtins.str.lstrip")
def lstrip(s: Any, chars: Any = None, /) -> Any:
    return stripped(s, chars, 1)


@implements("builtins.str.rstrip")
def rstrip(s: Any, chars: Any = None, /) -> Any:
    return stripped(s, chars, 2)


@implements("builtins.str.removeprefix")
def removeprefix(s: Any, prefix: Any, /) -> Any:
    return s[len(prefix) :] if s.startswith(prefix) else s[:]


@implements("builtins.str.removesuffix")
def removesuffix(s: Any, suffix: Any, /) -> Any:
    return s[: len(s) - len(suffix)] if s.endswith(suffix) else s[:]


@implements("builtins.str.split")
def split(s: Any, sep: Any = None, maxsplit: int = -1) -> Any:
    if sep is not None and len(sep) == 0:
        raise ValueError("empty separator")
    result = primitives.list_of_texts()
    # Of blanks as often as said the run time's strips the rest, too.
    if (sep is not None or maxsplit == -1) and primitives.split_into(result, s, sep, maxsplit):
        return result
    if sep is None:
        at = primitives.text("next", s, 0, 0)
        while at < len(s):
            if len(result) == maxsplit:
                result.append(s[at:])
                break
            end = primitives.text("next", s, at, 1)
            result.append(s[at:end])
            at = primitives.text("next", s, end, 0)
        return result
    start = 0
    while len(result) != maxsplit:
        found = primitives.text("find", s, sep, start, _END, 0)
        if found < 0:
            break
        result.append(s[start:found])
        start = found + len(sep)
    result.append(s[start:])
    return result


@implements("builtins.str.rsplit")
def rsplit(s: Any, sep: Any = None, maxsplit: int = -1) -> Any:
    if maxsplit < 0:
        return s.split(sep)
    result: Any = []
    end = len(s)
    if sep is None:
        end = len(s.rstrip())
        while end > 0 and len(result) != maxsplit:
            start = end
            while start > 0 and not s[start - 1].isspace():
                start -= 1
            result.append(s[start:end])
            end = start
            while end > 0 and s[end - 1].isspace():
                end -= 1
        if end > 0:
            result.append(s[:end])
        result.reverse()
        return result
    if len(sep) == 0:
        raise ValueError("empty separator")
    while len(result) != maxsplit:
        found = primitives.text("find", s, sep, 0, end, 1)
        if found < 0:
            break
        result.append(s[found + len(sep) : end])
        end = found
    result.append(s[:end])
    result.reverse()
    return result


_LINE_ENDS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"


@implements("builtins.str.splitlines")
def splitlines(s: Any, keepends: bool = False) -> Any:
    result: Any = []
    start = 0
    at = 0
    while at < len(s):
        c = s[at]
        if c in _LINE_ENDS:
            after = at + (2 if c == "\r" and s[at + 1 : at + 2] == "\n" else 1)
            result.append(s[start : after if keepends else at])
            start = after
            at = after
        else:
            at += 1
    if start < len(s):
        result.append(s[start:])
    return result


@implements("builtins.str.partition")
def partition(s: Any, sep: Any, /) -> Any:
    if len(sep) == 0:
        raise ValueError("empty separator")
    at = s.find(sep)
    if at < 0:
        return s[:], s[:0], s[:0]
    return s[:at], s[at : at + len(sep)], s[at + len(sep) :]


@implements("builtins.str.rpartition")
def rpartition(s: Any, sep: Any, /) -> Any:
    if len(sep) == 0:
        raise ValueError("empty separator")
    at = s.rfind(sep)
    if at < 0:
        return s[:0], s[:0], s[:]
    return s[:at], s[at : at + len(sep)], s[at + len(sep) :]


#  New strings


@implements("builtins.str.join")
def join(separator: Any, items: Any, /) -> Any:
    if items is None:
        raise TypeError("can only join an iterable")
    if primitives.are_texts(items):
        return primitives.text("join", separator, items)
    result = separator[:0]
    is_first = True
    for item in items:
        if not isinstance(item, str):
            raise TypeError("sequence item: expected str instance")
        if is_first:
            result = result + item
        else:
            result = result + separator + item
        is_first = False
    return result


@implements("builtins.str.replace")
def replace(s: Any, old: Any, new: Any, count: int = -1, /) -> Any:
    result = s[:0]
    done = 0
    start = 0
    if len(old) == 0:
        while done != count and done <= len(s):
            result = result + new + s[done : done + 1]
            done += 1
        return result + s[done:]
    while done != count:
        found = primitives.text("find", s, old, start, _END, 0)
        if found < 0:
            break
        result = result + s[start:found] + new
        start = found + len(old)
        done += 1
    return result + s[start:]


def checked_fill(fill: Any) -> Any:
    if len(fill) != 1:
        raise TypeError("The fill character must be exactly one character long")
    return fill


@implements("builtins.str.ljust")
def ljust(s: Any, width: int, fill: Any = " ", /) -> Any:
    return s + checked_fill(fill) * (width - len(s))


@implements("builtins.str.rjust")
def rjust(s: Any, width: int, fill: Any = " ", /) -> Any:
    return checked_fill(fill) * (width - len(s)) + s


@implements("builtins.str.center")
def center(s: Any, width: int, fill: Any = " ", /) -> Any:
    more = width - len(s)
    if more <= 0:
        return s[:]
    left = more // 2 + (more & width & 1)
    return checked_fill(fill) * left + s + fill * (more - left)


@implements("builtins.str.zfill")
def zfill(s: Any, width: int, /) -> Any:
    more = width - len(s)
    if more <= 0:
        return s[:]
    sign = s[:1]
    if sign == "+" or sign == "-":
        return sign + "0" * more + s[1:]
    return "0" * more + s


@implements("builtins.str.upper")
def upper(s: Any, /) -> Any:
    return primitives.text("cased", s, 0)


@implements("builtins.str.lower")
def lower(s: Any, /) -> Any:
    return primitives.text("cased", s, 1)


@implements("builtins.str.title")
def title(s: Any, /) -> Any:
    return primitives.text("cased", s, 2)


@implements("builtins.str.capitalize")
def capitalize(s: Any, /) -> Any:
    return primitives.text("cased", s, 3)


@implements("builtins.str.swapcase")
def swapcase(s: Any, /) -> Any:
    return primitives.text("cased", s, 4)


@implements("builtins.str.casefold")
def casefold(s: Any, /) -> Any:
    return primitives.text("cased", s, 5)


#  Classes of characters: TextTest of src/runtime/text.h


@implements("builtins.str.isalpha")
def isalpha(s: Any, /) -> Any:
    return primitives.text("test", s, 0) != 0


@implements("builtins.str.isdigit")
def isdigit(s: Any, /) -> Any:
    return primitives.text("test", s, 1) != 0


@implements("builtins.str.isdecimal")
def isdecimal(s: Any, /) -> Any:
    return primitives.text("test", s, 2) != 0


@implements("builtins.str.isnumeric")
def isnumeric(s: Any, /) -> Any:
    return primitives.text("test", s, 3) != 0


@implements("builtins.str.isspace")
def isspace(s: Any, /) -> Any:
    return primitives.text("test", s, 4) != 0


@implements("builtins.str.isupper")
def isupper(s: Any, /) -> Any:
    return primitives.text("test", s, 5) != 0


@implements("builtins.str.islower")
def islower(s: Any, /) -> Any:
    return primitives.text("test", s, 6) != 0


@implements("builtins.str.isalnum")
def isalnum(s: Any, /) -> Any:
    return primitives.text("test", s, 7) != 0


@implements("builtins.str.isascii")
def isascii(s: Any, /) -> Any:
    return len(s) == 0 or primitives.text("test", s, 8) != 0
