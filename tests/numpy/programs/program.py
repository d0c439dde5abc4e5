"""What the driver needs of a program: how to make its arguments, and how exactly results agree."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

FLOATS = (np.float64, np.float32)
INTEGERS = (np.int64, np.int32)
COMPLEX = (np.complex128, np.complex64)


@dataclass(frozen=True)
class Program:
    """One program: called as `function(*arguments(size, dtype, rng))`, for each size and dtype."""

    function: Callable[..., Any]
    arguments: Callable[[int, Any, np.random.Generator], tuple]
    sizes: tuple[int, int]
    dtypes: tuple[Any, ...] = FLOATS
    # 0: bit-equal, for + - * / sqrt and comparisons alone; else how many eps (of the arguments'
    # dtype) of the largest number in a result each of its elements may be off.
    eps: float = 0


def _numbers(value: Any) -> Iterator[np.ndarray]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (tuple, list)):
        for item in value:
            yield from _numbers(item)
    elif isinstance(value, (np.ndarray, np.inexact, float, complex)):
        yield np.asarray(value)


def _wide(value: Any) -> Any:
    if isinstance(value, (np.ndarray, np.inexact)) and value.dtype.kind in "fc":
        return value.astype(np.longdouble if value.dtype.kind == "f" else np.clongdouble)
    return value


def _key(value: np.ndarray) -> tuple:
    return value.dtype, value.shape, value.tobytes()


def wide_results(function: Callable[..., Any], arguments: tuple) -> dict[tuple, np.ndarray]:
    """What the function's numbers are in extended precision, by what they are in NumPy's; nothing
    where it has none (LAPACK).
    """
    wide, plain = [_wide(a) for a in arguments], copy.deepcopy(arguments)
    try:
        exact = list(_numbers((function(*wide), wide)))
    except (TypeError, ValueError):
        return {}
    return {
        _key(p): e
        for p, e in zip(_numbers((function(*plain), plain)), exact, strict=False)
        if p.shape == e.shape
    }


def close(
    eps: float, dtype: Any, exact: Callable[[], dict[tuple, np.ndarray]] = dict
) -> Callable[[np.ndarray, np.ndarray], str | None]:
    """A tolerance for `compare`: so many eps of the dtype of the largest number, or as far as
    NumPy's own numbers are from those that `exact` has.
    """

    def tolerance(got: np.ndarray, want: np.ndarray) -> str | None:
        if want.dtype.kind not in "fc":
            bad = got != want
            bound = 0.0
        else:
            # Infinities and NaNs must be at the same indices.
            finite = np.isfinite(want)
            largest = np.max(np.abs(want), where=finite, initial=0.0)
            widest = max(np.finfo(dtype).eps, np.finfo(want.dtype).eps)
            bound = float(eps * widest * largest)
            with np.errstate(all="ignore"):
                far = ~(np.abs(got - want) <= bound)
            both_nan = np.isnan(got) & np.isnan(want)
            bad = np.where(finite, far, (got != want) & ~both_nan)
        if bad.any() and want.dtype.kind in "fc" and (wide := exact().get(_key(want))) is not None:
            bad &= ~(np.abs(got - wide) <= np.abs(want - wide))
        if not bad.any():
            return None
        with np.errstate(all="ignore"):
            worst = np.max(np.abs(got.astype(complex) - want)[bad])
        first = tuple(map(int, np.argwhere(bad)[0]))
        return (
            f"{int(bad.sum())} of {bad.size} elements are off by up to {worst:.3g}, {bound:.3g} is "
            f"allowed; at {list(first)}: {got[first]!r}, expected {want[first]!r}"
        )

    return tolerance
