"""Each public function of NumPy inside a jitted function: NumPy's result, or UnsupportedError.

docs/user/numpy.md lists the outcome of each; this test keeps it true.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.compare import copy_arguments, make
from support.frames import python_frames

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))

import numpy_table
from names import CALLS, REASONS, arguments_of, call_of, public_functions

FUNCTIONS = [full for full in public_functions() if full.removeprefix("numpy.") not in REASONS]


def test_the_tables_name_functions_that_exist() -> None:
    known = {full.removeprefix("numpy.") for full in public_functions()}
    assert set(CALLS) | set(REASONS) <= known


def same(got: Any, want: Any) -> bool:
    if isinstance(want, np.random.Generator):
        return type(got) is type(want) and got.random() == want.random()
    if isinstance(want, (tuple, list)):
        return (
            type(got) is type(want)
            and len(got) == len(want)
            and all(same(a, b) for a, b in zip(got, want, strict=True))
        )
    if type(got) is not type(want):
        return False
    if isinstance(want, (np.ndarray, np.generic)):
        if got.dtype != want.dtype or got.shape != want.shape:
            return False
        if want.dtype.kind in "fc":
            return np.allclose(
                got, want, rtol=1e-5 if want.dtype.itemsize < 8 else 1e-12, equal_nan=True
            )
        return bool(np.all(got == want))
    return bool(got == want)


@pytest.mark.parametrize("full", FUNCTIONS)
def test_function_does_what_numpy_does(full: str) -> None:
    state = numpy_table.state_of(full)
    if state.kind == "refused":
        assert state.text, "a refusal says why"
        return
    arguments = arguments_of(full)
    plain = make(f"def f({', '.join(arguments)}):\n    return {call_of(full)}")
    (ours, _), (theirs, _) = (copy_arguments(((arguments,), {})) for _ in range(2))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.random.seed(7)
        want = plain(**theirs[0])
        np.random.seed(7)
        got = state.function(**ours[0])
    assert same(got, want), f"{got!r}, expected {want!r}"
    for name in arguments:  # their state after the call
        assert same(ours[0][name], theirs[0][name]), name
    if state.kind == "native":
        assert python_frames(lambda: state.function(**ours[0])) == []


def test_the_page_is_up_to_date() -> None:
    page = Path(__file__).parents[2] / "docs" / "user" / "numpy.md"
    assert page.read_text() == numpy_table.page(), "./dev docs writes it anew"
