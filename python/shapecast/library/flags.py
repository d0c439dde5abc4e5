"""Members of `enum.Flag` and `enum.IntFlag`: compiled code makes instances of a class of ours in
their place, whose attribute is the value, and returns the real ones (`_to_python`). Python itself
says what the names, texts and unusual values of a flag are, as that differs between versions.
"""

from __future__ import annotations

import enum
import functools
from typing import Any

import numpy as np

from .. import _source
from .._callouts import PyFunc

_HEAD = """
class {name}:
    _stands_for = _of

    def __init__(self, value):
        if isinstance(value, {name}):
            self._value = value._value
        elif value & {others} == 0:
            self._value = value
        else:
            self._value = _checked(value)

    def _to_python(self):
        return _of(self._value)

    @property
    def value(self):
        return self._value

    @property
    def name(self):
        text = _named(self._value)
        return text if text else None

    def __invert__(self):
        return {name}(_inverted(self._value))

    def __bool__(self):
        return self._value != 0

    def __len__(self):
        return _counted(self._value)

    def __iter__(self):
        for single in {singles}:
            if self._value & single:
                yield {name}(single)

    def __contains__(self, other):
        if not isinstance(other, {name}):
            raise TypeError(
                f"unsupported operand type(s) for 'in': {{type(other).__name__!r}} and {name!r}"
            )
        return other._value & self._value == other._value

    def __str__(self):
        return _shown(self._value)

    def __repr__(self):
        return _represented(self._value)

    def __format__(self, spec):
        return _formatted(self._value, spec)

    def __hash__(self):
        return hash(self._value)
"""
_COMBINES = """
    def __{name}__(self, other):
        if isinstance(other, {own}):
            return {own}(self._value {sign} other._value)
        {otherwise}
"""
_EQUAL = """
    def __eq__(self, other):
        if isinstance(other, {own}):
            return self._value == other._value
        return {otherwise}
"""
_NUMBER = """
    def __{name}__(self, other):
        if isinstance(other, (_np.ndarray, _np.generic)):  # as which NumPy takes it
            return _np.int64(self._value) {sign} other
        return self._value {sign} (other._value if isinstance(other, {own}) else other)
"""
_REFLECTED = """
    def __r{name}__(self, other):
        if isinstance(other, (_np.ndarray, _np.generic)):
            return other {sign} _np.int64(self._value)
        return other {sign} self._value
"""
_CONVERTED = """
    def __{name}__(self):
        return {expression}
"""
_BITS = {"or": "|", "and": "&", "xor": "^"}
_ARITHMETIC = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "lshift": "<<", "rshift": ">>",
}  # fmt: skip
_ORDER = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_ALONE = {
    "int": "self._value", "index": "self._value", "float": "float(self._value)",
    "neg": "-self._value", "pos": "+self._value", "abs": "abs(self._value)",
}  # fmt: skip


def _is_plain(cls: Any) -> bool:
    """Whether it has the operators of the standard library, and values that are ints."""
    for base in cls.__mro__:
        if base.__module__ == "enum":
            break
        known = {f"__{name}__" for name in (*_BITS, *_ARITHMETIC, *_ORDER, *_ALONE)}
        known |= {"__eq__", "__hash__", "__bool__", "__len__", "__iter__", "__contains__"}
        known |= {"__invert__", "_missing_"}
        standard = enum.IntFlag if issubclass(cls, int) else enum.Flag
        for name in known & base.__dict__.keys():  # the metaclass repeats some of them
            if getattr(base, name) != getattr(standard, name):
                return False
    values = [one.value for one in cls.__members__.values()]
    return all(type(one) is int and 0 <= one < 1 << 62 for one in values)


@functools.cache
def made(cls: Any) -> Any:
    """The class that compiled code has for a Flag; the Flag itself, where that is not supported."""
    if not _is_plain(cls):
        return cls
    is_int, name = issubclass(cls, int), cls.__name__
    singles = tuple(one.value for one in cls)
    known = functools.reduce(int.__or__, (one.value for one in cls.__members__.values()), 0)
    lines = _HEAD.format(name=name, others=~known, singles=singles)
    for method, sign in _BITS.items():
        otherwise = "return NotImplemented"
        if is_int:
            otherwise = (
                f"if isinstance(other, int):\n            return {name}(self._value {sign} other)\n"
                "        return NotImplemented"
            )
        for side in ("", "r"):
            lines += _COMBINES.format(name=side + method, own=name, sign=sign, otherwise=otherwise)
    lines += _EQUAL.format(own=name, otherwise="self._value == other" if is_int else "False")
    if is_int:
        for method, sign in (_ARITHMETIC | _ORDER).items():
            lines += _NUMBER.format(name=method, own=name, sign=sign)
        for method, sign in _ARITHMETIC.items():
            lines += _REFLECTED.format(name=method, sign=sign)
        for method, expression in _ALONE.items():
            lines += _CONVERTED.format(name=method, expression=expression)
    file = f"<flag {cls.__module__}.{cls.__qualname__} {id(cls):x}>"
    _source.carry(file, lines)
    names: dict[str, Any] = _answers(cls) | {"__name__": "shapecast.library.flags"}
    exec(compile(lines, file, "exec"), names)
    return names[name]


def _answers(cls: Any) -> dict[str, Any]:
    """What the class itself says of values, as functions that compiled code calls."""
    return {
        "_np": np,
        "_of": cls,
        "_checked": PyFunc(lambda value: cls(value).value, int),
        "_inverted": PyFunc(lambda value: (~cls(value)).value, int),
        "_counted": PyFunc(lambda value: len(cls(value)), int),
        "_named": PyFunc(lambda value: cls(value).name or "", str),
        "_shown": PyFunc(lambda value: str(cls(value)), str),
        "_represented": PyFunc(lambda value: repr(cls(value)), str),
        "_formatted": PyFunc(lambda value, spec: format(cls(value), spec), str),
    }
