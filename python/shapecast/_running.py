"""What the Python and the NumPy beside us say where their versions differ: each is asked, once.

Their numbers are not: what a release says is known only to it. What they do differently stands in
the modules of `library`, beside the functions that it concerns.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from . import _core


def said(failing: Callable[[], object]) -> str:
    """The message of the exception that it raises."""
    try:
        failing()
    except Exception as error:
        return str(error)
    raise AssertionError("nothing was raised")


def raised(failing: Callable[[], object]) -> str:
    """The name of the class of the exception that it raises."""
    try:
        failing()
    except Exception as error:
        return type(error).__name__
    raise AssertionError("nothing was raised")


def _set_imaginary_part() -> None:
    np.zeros(1).imag = 0


def does(possible: Callable[[], object]) -> bool:
    """Whether nothing is raised."""
    try:
        possible()
    except Exception:
        return False
    return True


def tell_compiler() -> None:
    """What compiled code says and does itself (src/facts/running.h)."""
    _core._set_running(
        said(lambda: 1.0 % 0.0),
        said(lambda: np.finfo(np.int8)).replace("int8", "{}"),  # type: ignore[type-var]
        said(_set_imaginary_part),
        said(lambda: min(())).removeprefix("min"),
        raised(lambda: np.unique_counts(1)._replace(_=1)),  # type: ignore[call-arg]
        not does(lambda: np.where(True, 300, np.int8(0))),
        isinstance(np.meshgrid(1, sparse=True, copy=False), tuple),
    )
