"""Arrays and numbers compared with what is none: None, text, functions."""

from __future__ import annotations

import numpy as np
import pytest
from support.arrays import DTYPES, filled
from support.compare import Report, check, make


@pytest.mark.parametrize("other", ["None", "'a'", "slice(1)"])
@pytest.mark.parametrize("op", ["==", "!="])
def test_an_array_differs_from_other_objects_element_by_element(op: str, other: str) -> None:
    left = make(f"def f(x):\n    return x {op} {other}")
    right = make(f"def f(x):\n    return {other} {op} x")
    with Report(f"x {op} {other}") as report:
        for dtype in DTYPES:
            for shape in ((6,), (2, 3), (0,), ()):
                x = filled(shape, dtype, 1) if shape else np.array(filled((1,), dtype, 1)[0])
                with report.case(dtype, shape):
                    check(left, x)
                    check(right, x)
        check(left, np.asfortranarray(np.ones((2, 3))))
        if other != "slice(1)":
            check(left, np.float64(1))
        check(left, 1.5)


@pytest.mark.parametrize("op", ["<", "<=", ">", ">="])
def test_an_order_with_none_is_pythons_error(op: str) -> None:
    for source in (f"x {op} None", f"None {op} x"):
        f = make(f"def f(x):\n    return {source}")
        for x in (np.ones(3), np.float64(1), 1, 1.5, np.arange(3)):
            check(f, x)
