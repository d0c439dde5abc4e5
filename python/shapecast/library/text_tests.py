"""Methods of strings that ask each character, or give other ones."""

from __future__ import annotations

from typing import Any

from . import implements


@implements("builtins.str.expandtabs")
def expandtabs(s: Any, tabsize: int = 8) -> Any:
    result = s[:0]
    column = 0
    start = 0
    for at in range(len(s)):
        c = s[at]
        if c == "\t":
            more = tabsize - column % tabsize if tabsize > 0 else 0
            result = result + s[start:at] + " " * more
            start = at + 1
            column += more
        elif c == "\n" or c == "\r":
            column = 0
        else:
            column += 1
    return result + s[start:]


@implements("builtins.str.istitle")
def istitle(s: Any, /) -> Any:
    found = False
    inside = False  # after a letter that has a case
    for c in s:
        is_lower = c.islower()
        is_upper = not is_lower and (c.isupper() or c.lower() != c)  # or in titlecase, as U+01C5
        if (is_upper and inside) or (is_lower and not inside):
            return False
        inside = is_upper or is_lower
        found = found or inside
    return found


@implements("builtins.str.translate")
def translate(s: Any, table: Any, /) -> Any:
    result = s[:0]
    for c in s:
        if ord(c) in table:
            made = table[ord(c)]
            if made is not None:
                result = result + (chr(made) if isinstance(made, int) else made)
        else:
            result = result + c
    return result


@implements("builtins.str.__len__")
def length(s: Any, /) -> Any:
    return len(s)


@implements("builtins.str.__contains__")
def contains(s: Any, sub: Any, /) -> Any:
    return sub in s


@implements("builtins.str.__getitem__")
def getitem(s: Any, key: Any, /) -> Any:
    return s[key]


@implements("builtins.str.__add__")
def add(s: Any, other: Any, /) -> Any:
    return s + other


@implements("builtins.str.__eq__")
def eq(s: Any, other: Any, /) -> Any:
    return s == other
