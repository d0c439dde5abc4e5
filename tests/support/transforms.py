"""Which calls of np.fft are served by transforms of our own, and how near NumPy's results are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest import mock

import numpy as np
from numpy.fft import _pocketfft, _pocketfft_umath
from support.compare import compare, copy_arguments
from support.ulp import Tolerance, exact

LEAST, MOST = 8, 1 << 22  # points


class _Recorder:
    """Replaces NumPy's module of ufuncs and notes the number of points of those that we have."""

    def __init__(self) -> None:
        self.own: list[int] = []

    def __getattr__(self, name: str) -> Any:
        ufunc = getattr(_pocketfft_umath, name)

        def call(a: Any, factor: Any, axes: Any, out: Any) -> Any:
            if isinstance(out, np.ndarray):
                kind = int if type(factor) is int else factor.dtype
                taken = ufunc.resolve_dtypes((a.dtype, kind, None))[0]
                size = out.shape[axes[2][0]]
                points = {"rfft_n_even": 2 * (size - 1), "rfft_n_odd": 2 * size - 1}.get(name, size)
                if taken in (np.float64, np.complex128) and is_own(points):
                    self.own.append(points)
            return ufunc(a, factor, axes=axes, out=out)

        return call


def is_own(points: int) -> bool:
    return LEAST <= points <= MOST and points & (points - 1) == 0


def near_spectrum(points: int) -> Tolerance:
    """4 eps log2(points) of the largest number; not a number either way where both are all that."""

    def tolerance(got: np.ndarray, want: np.ndarray) -> str | None:
        if want.dtype.kind not in "fc" or exact(got, want) is None:
            return exact(got, want)
        if not np.isfinite(want).all():
            return None if not np.isfinite(got).all() else f"{got!r}\nexpected {want!r}"
        room = 4 * float(np.finfo(want.dtype).eps) * np.log2(points) * float(np.abs(want).max())
        worst = float(np.abs(got.astype(np.clongdouble) - want).max())
        return None if worst <= room else f"{worst:.3g} from NumPy's, {room:.3g} is allowed"

    return tolerance


def tolerance_of(f: Callable[..., Any], *args: Any) -> Tolerance:
    """Equal bits, unless a transform of our own serves part of the call."""
    recorder = _Recorder()
    with mock.patch.object(_pocketfft, "pfu", recorder), np.errstate(all="ignore"):
        try:
            f(*copy_arguments(args))
        except Exception:
            return exact
    return near_spectrum(max(recorder.own)) if recorder.own else exact


def check_spectra(f: Callable[..., Any], *args: Any) -> Any:
    """As helpers.check, with NumPy's bits wherever NumPy's loops run."""
    return compare(f, *args, tol=tolerance_of(f, *args)).value
