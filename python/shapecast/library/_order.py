"""Order statistics of one line: selection in linear time."""

from __future__ import annotations

from typing import Any

from . import primitives


def nth(line: Any, k: Any) -> Any:
    """The k-th smallest, which then stands at k: nothing before it is greater, nothing after it
    less. The line holds no NaN.
    """
    primitives.nth(line, int(k))
    return line[k]


def without_nans(line: Any) -> Any:
    """How many are no NaNs; they move to the front, in their order."""
    place = 0
    for i in range(len(line)):
        one = line[i]
        line[place] = one
        place += int(one == one)
    return place
