"""Probes, once, where messages and behaviour differ between versions of Python and of NumPy.

The behaviour itself is probed, not the version numbers. Differences of single functions are in the
modules of `library`, beside these functions.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from . import _core


def said(failing: Callable[[], object]) -> str:
    """The message of the exception that the call raises."""
    try:
        failing()
    except Exception as error:
        return str(error)
    raise AssertionError("nothing was raised")


def raised(failing: Callable[[], object]) -> str:
    """The name of the class of the exception that the call raises."""
    try:
        failing()
    except Exception as error:
        return type(error).__name__
    raise AssertionError("nothing was raised")


def _set_imaginary_part() -> None:
    np.zeros(1).imag = 0


def _unpack_too_many() -> None:
    three: tuple[int, ...] = (1, 2, 3)
    _, _ = three


def does(possible: Callable[[], object]) -> bool:
    """Whether the call raises nothing."""
    try:
        possible()
    except Exception:
        return False
    return True


_NUMBER: Any = 1
_KEY: Any = ([],)

# Messages of Python 3.11 and NumPy 2.4 that differ in other versions.
_SAID: dict[str, Callable[[], object]] = {
    "integer division or modulo by zero": lambda: 1 // 0,
    "integer modulo by zero": lambda: 1 % 0,
    "float division by zero": lambda: 1.0 / 0.0,
    "float floor division by zero": lambda: 1.0 // 0.0,
    "float modulo": lambda: 1.0 % 0.0,
    "float divmod()": lambda: divmod(1.0, 0.0),
    "complex division by zero": lambda: 1j / 0j,
    "0.0 cannot be raised to a negative power": lambda: 0.0**-1.0,
    "0.0 to a negative or complex power": lambda: 0j**-1j,
    "math.log of an int": lambda: math.log(0),
    "array does not have imaginary part to set": _set_imaginary_part,
}

# Floats outside the domain of functions of math.
_OUTSIDE = {"acos": 2.0, "acosh": 0.0, "asin": 2.0, "atanh": 1.0, "cos": math.inf, "sin": math.inf,
    "tan": math.inf, "log": 0.0, "log2": 0.0, "log10": 0.0, "log1p": -1.0, "sqrt": -1.0,
    "gamma": 0.0, "lgamma": 0.0}  # fmt: skip


def _said_of(name: str, number: float) -> str:
    message = said(functools.partial(getattr(math, name), number))
    return message.replace(f"got {number!r}", "got {0:f}")


def messages() -> dict[str, str]:
    """The messages here, by those of Python 3.11 and NumPy 2.4 (src/facts/host_info.h)."""
    key = said(lambda: {_KEY: 1})
    return {
        **{reference: said(failing) for reference, failing in _SAID.items()},
        **{f"math.{name}": _said_of(name, number) for name, number in _OUTSIDE.items()},
        "{0} is not in list": said(lambda: list[int]().index(1)).replace("1", "{0}"),
        "unhashable type: '{0}'": key.replace("'list'", "'{0}'").replace("'tuple'", "'{1}'"),
        "argument of type '{0}' is not iterable": said(lambda: 1 in _NUMBER).replace("int", "{0}"),
        "cannot convert dictionary update sequence element #{0} to a sequence": said(
            lambda: dict([_NUMBER])
        )
        .replace("#0", "#{0}")
        .replace("'int'", "'{1}'"),
        "string indices must be integers, not '{0}'": said(lambda: "a"[_NUMBER / 2]).replace(
            "float", "{0}"
        ),
        "{0}() arg is an empty sequence": said(lambda: min(())).replace("min", "{0}"),
        "data type <class 'numpy.{0}'> not inexact": said(
            lambda: np.finfo(np.int8)  # type: ignore[type-var]
        ).replace("int8", "{0}"),
    }


def _casts_saturate() -> bool:
    with np.errstate(invalid="ignore"):
        return bool(np.float64(1e300).astype(np.int64) > 0)


def set_host_info() -> None:
    """For messages and behaviour of compiled code (src/facts/host_info.h)."""
    _core._set_host_info(
        messages(),
        raised(lambda: np.unique_counts(1)._replace(_=1)),  # type: ignore[call-arg]
        where_checks_integers=not does(lambda: np.where(True, 300, np.int8(0))),
        complex_by_annex_g=math.copysign(1, (1.0 + complex(0, -0.0)).imag) < 0,
        sum_is_compensated=sum([1e16, 1.0, -1e16]) == 1.0,
        unpack_error_has_count="got 3" in said(_unpack_too_many),
        meshgrid_views_are_tuples=isinstance(np.meshgrid(1, sparse=True, copy=False), tuple),
        casts_saturate=_casts_saturate(),
    )
