"""Python's functions of whole numbers that give texts."""

from __future__ import annotations

import operator
from typing import Any

from . import implements


@implements("builtins.bin")
def binary(number: Any, /) -> Any:
    return f"{operator.index(number):#b}"


@implements("builtins.oct")
def octal(number: Any, /) -> Any:
    return f"{operator.index(number):#o}"


@implements("builtins.hex")
def hexadecimal(number: Any, /) -> Any:
    return f"{operator.index(number):#x}"
