"""Order statistics of one line: selection in linear time."""

from __future__ import annotations

from typing import Any

import numpy as np


def split_below(line: Any, first: Any, end: Any, pivot: Any) -> Any:
    """Moves what is less than the pivot to the front; without branches on the data."""
    place = first
    for i in range(first, end):
        one = line[i]
        line[i] = line[place]
        line[place] = one
        place += int(one < pivot)
    return place


def split_upto(line: Any, first: Any, end: Any, pivot: Any) -> Any:
    """Moves what is not greater than the pivot to the front."""
    place = first
    for i in range(first, end):
        one = line[i]
        line[i] = line[place]
        line[place] = one
        place += int(one <= pivot)
    return place


def nth(line: Any, k: Any) -> Any:
    """The k-th smallest, which then stands at k: nothing before it is greater, nothing after it
    less. The line holds no NaN.
    """
    first = 0
    end = len(line)
    seed = 12345
    while end - first > 1:
        seed = (seed * 69069 + 1) % 4294967296
        a = line[first + seed % (end - first)]
        b = line[(first + end) // 2]
        c = line[end - 1]
        # The middle one of three: a sorted line, and one of few values, are no worst cases.
        pivot = np.maximum(np.minimum(a, b), np.minimum(np.maximum(a, b), c))
        place = split_below(line, first, end, pivot)
        if k < place:
            end = place
        elif place > first:
            first = place
        else:
            place = split_upto(line, first, end, pivot)
            if k < place:
                break  # all equal to the pivot
            first = place
    return line[k]


def without_nans(line: Any) -> Any:
    """How many are no NaNs; they move to the front, in their order."""
    place = 0
    for i in range(len(line)):
        one = line[i]
        line[place] = one
        place += int(one == one)
    return place
