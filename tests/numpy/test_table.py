"""The compiler's own table of ufuncs against NumPy's: all names and loops of NumPy that are
supported, and no others.
"""

from __future__ import annotations

import numpy as np
import pytest
import shapecast
from support.optable import SERVED, UFUNCS


def table() -> dict[str, dict]:
    return {row["name"]: row for row in shapecast._core.ufunc_table()}


@pytest.mark.parametrize("name", UFUNCS)
def test_ufunc_has_numpys_loops_in_numpys_order(name: str) -> None:
    row, u = table()[name], UFUNCS[name]
    assert (row["nin"], row["nout"]) == (u.nin, u.nout)
    served = [t for t in u.types if all(c in SERVED for c in t.replace("->", ""))]
    # A loop that NumPy lists twice (float32 and float64 reached as fallback) counts once.
    assert list(row["types"]) == list(dict.fromkeys(served))


def test_every_name_in_the_table_that_numpy_has_is_the_same_function() -> None:
    for name, row in table().items():
        if isinstance(getattr(np, name, None), np.ufunc):
            assert getattr(np, name).nin == row["nin"], name
