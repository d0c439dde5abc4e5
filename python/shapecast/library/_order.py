"""Order statistics of one line: selection in linear time."""

from __future__ import annotations

from typing import Any

from . import primitives


def nth(line: Any, k: Any) -> Any:
    """The k-th smallest, which is then at index k: nothing before it is greater, nothing after it
    less. The line holds no NaN.
    """
    primitives.nth(line, int(k))
    return line[k]


def without_nans(line: Any) -> Any:
    """The number of elements that are not NaN; they move to the front, in order."""
    index = 0
    for i in range(len(line)):
        value = line[i]
        line[index] = value
        index += int(value == value)
    return index
