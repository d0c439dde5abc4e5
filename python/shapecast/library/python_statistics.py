"""Python's `statistics` of floats and whole numbers, and `math.dist` of lists in memory.

Means and variances are sums of fractions in Python, rounded once; here they are compensated sums of
floats, so that the last place may differ.
"""

from __future__ import annotations

import math
from typing import Any

from . import implements
from ._shared import pool


@implements("statistics.median")
def median(data: Any) -> Any:
    items = sorted(data)
    n = len(items)
    if n == 0:
        raise ValueError("no median for empty data")
    if n % 2 == 1:
        return items[n // 2]
    return (items[n // 2 - 1] + items[n // 2]) / 2
