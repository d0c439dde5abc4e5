"""Methods of Python's builtin classes that make an instance of one of ours or a dict, that are
called on a class, or that capture does not know: _replaced.py puts these functions in the place of
`int.from_bytes`, `index.indices` of a slice and others.
"""

from __future__ import annotations

import builtins
import math
import operator
import random
from typing import Any

from .._host_info import said
from . import primitives
from .builtin_classes import Octets, bytes, of_text
from .byte_arrays import bounds, bytearray
from .exact_fractions import ratio_of_float
from .python_distributions import getrandbits

_NOT_IN_HEX = said(lambda: builtins.bytes.fromhex("zz")).removesuffix("0")
_ODD_HEX = said(lambda: builtins.bytes.fromhex("f"))
_NO_BITS = said(lambda: random.randbytes(-1))
_HEX = "0123456789abcdef"


def checked_order(byteorder: Any) -> Any:
    """Whether the first is the least."""
    if byteorder != "little" and byteorder != "big":
        raise ValueError("byteorder must be either 'little' or 'big'")
    return byteorder == "little"


def to_bytes(value: Any, length: Any = 1, byteorder: Any = "big", *, signed: Any = False) -> Any:
    """int.to_bytes."""
    is_little = checked_order(byteorder)
    size = operator.index(length)
    if size < 0:
        raise ValueError("length argument must be non-negative")
    number = operator.index(value)
    if number < 0 and not signed:
        raise OverflowError("can't convert negative int to unsigned")
    rest = number >> min(8 * size - 1, 127) if signed and size > 0 else number >> min(8 * size, 127)
    if size < 16 and (rest != 0 and rest != -1):
        raise OverflowError("int too big to convert")
    made = [chr(number >> min(8 * k, 127) & 255) for k in range(size)]
    if not is_little:
        made.reverse()
    return of_text("".join(made))


def from_bytes(data: Any, byteorder: Any = "big", *, signed: Any = False) -> Any:
    """int.from_bytes; OverflowError beyond 64 bits."""
    is_little = checked_order(byteorder)
    if isinstance(data, str):
        raise TypeError("cannot convert 'str' object to bytes")
    given: Any = data if isinstance(data, Octets) else bytes(data)
    size = len(given)
    is_negative = signed and size > 0 and given[size - 1 if is_little else 0] > 127
    made = -1 if is_negative else 0
    for k in range(size):
        made = made * 256 + given[size - 1 - k if is_little else k]
    return made


def random_bytes(n: Any) -> Any:
    """random.randbytes."""
    return random_bytes_of(None, n)


def random_bytes_of(source: Any, n: Any) -> Any:
    """Of words of 32 bits, of the last the highest; `source` as in python_distributions.py."""
    size = operator.index(n)
    if size < 0:
        raise ValueError(_NO_BITS)
    made = bytearray()
    for _ in range(size // 4):
        made += to_bytes(getrandbits(source, 32), 4, "little")
    if size % 4 > 0:
        made += to_bytes(getrandbits(source, 8 * (size % 4)), size % 4, "little")
    return bytes(made)


def as_integer_ratio(x: Any) -> Any:
    """That of ints and floats; OverflowError beyond 64 bits."""
    return ratio_of_float(x) if isinstance(x, float) else (operator.index(x), 1)


def indices(index: Any, length: Any, /) -> Any:
    """slice.indices."""
    size = operator.index(length)
    if size < 0:
        raise ValueError("length should not be negative")
    return bounds(index, size)


#  Texts of hexadecimal digits


def hex_of_float(x: Any) -> Any:
    """float.hex."""
    if math.isnan(x):
        return "nan"
    sign = "-" if math.copysign(1.0, x) < 0.0 else ""
    if math.isinf(x):
        return f"{sign}inf"
    if x == 0.0:
        return f"{sign}0x0.0p+0"
    exponent = max(math.frexp(x)[1] - 1, -1022)
    digits = int(math.ldexp(abs(x), 52 - exponent))  # the first is 0 of subnormal numbers
    return f"{sign}0x{digits >> 52}.{digits & (2**52 - 1):013x}p{exponent:+d}"


def octets_of_hex(text: Any) -> Any:
    """The characters that bytes.fromhex(text) has."""
    made: Any = []
    at = 0
    while at < len(text):
        if text[at] in " \t\n\r\x0b\x0c":
            at += 1
            continue
        first = _HEX.find(text[at].lower())
        if first < 0:
            raise ValueError(f"{_NOT_IN_HEX}{at}")
        if at + 1 == len(text):
            raise ValueError(odd_hex(at + 1))
        second = _HEX.find(text[at + 1].lower())
        if second < 0:
            raise ValueError(f"{_NOT_IN_HEX}{at + 1}")
        made.append(chr(first * 16 + second))
        at += 2
    return "".join(made)


def odd_hex(at: int) -> Any:
    return f"{_NOT_IN_HEX}{at}" if _ODD_HEX.startswith(_NOT_IN_HEX) else _ODD_HEX


def bytes_of_hex(text: Any, /) -> Any:
    return of_text(octets_of_hex(text))


def bytearray_of_hex(text: Any, /) -> Any:
    return bytearray(of_text(octets_of_hex(text)))


#  Tables for translate()


def table_of_bytes(before: Any, after: Any, /) -> Any:
    """bytes.maketrans."""
    if len(before) != len(after):
        raise ValueError("maketrans arguments must have same length")
    made = [chr(code) for code in range(256)]
    for k in range(len(before)):
        made[before[k]] = chr(after[k])
    return of_text("".join(made))


def table_of_texts(x: Any, /, *others: Any) -> Any:
    """str.maketrans."""
    if not others:
        if not isinstance(x, dict):
            raise TypeError("if you give only one argument to maketrans it must be a dict")
        return {key_of(key): value for key, value in x.items()}
    y = others[0]
    if len(x) != len(y):
        raise ValueError("the first two maketrans arguments must have equal length")
    if len(others) == 1:
        return {ord(x[k]): ord(y[k]) for k in range(len(x))}
    made: Any = {}
    for k in range(len(x)):
        made[ord(x[k])] = ord(y[k])
    for c in others[1]:
        made[ord(c)] = None
    return made


def key_of(key: Any) -> Any:
    if not isinstance(key, str):
        return key
    if len(key) != 1:
        raise ValueError("string keys in translate table must be of length 1")
    return ord(key)


def translate(s: Any, table: Any, /) -> Any:
    """str.translate."""
    if not isinstance(table, dict):
        primitives.unsupported(
            "translate is supported for tables that are dicts, as str.maketrans makes them"
        )
    known: Any = {}  # a dict of the caller's has no keys that are known only at run time
    for key, new in table.items():
        known[key] = new
    made: Any = []
    for c in s:
        code = ord(c)
        if code in known:
            new = known[code]
            if new is not None:
                made.append(new if isinstance(new, str) else chr(new))
        else:
            made.append(c)
    return "".join(made)
