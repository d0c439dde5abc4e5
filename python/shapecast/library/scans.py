"""Running sums and products."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import implements


@implements("numpy.cumsum", "numpy.ndarray.cumsum")
def cumsum(a: Any, axis: Any = None, dtype: Any = None) -> Any:
    if axis is None:
        a = np.ravel(a)
        axis = 0
    out = np.array(a, dtype=dtype)
    rows = np.moveaxis(out, axis, 0)
    for i in range(1, len(rows)):
        rows[i] += rows[i - 1]
    return out
