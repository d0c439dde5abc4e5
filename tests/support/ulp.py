"""Tolerances: bit equality, distance in units in the last place, and bounds for reordered sums."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

# Returns what is wrong, or None. The second array is what plain NumPy computed.
Tolerance = Callable[[np.ndarray, np.ndarray], "str | None"]


def _parts(a: np.ndarray) -> list[np.ndarray]:
    return [a.real, a.imag] if a.dtype.kind == "c" else [a]


def equal_bits(got: np.ndarray, want: np.ndarray) -> np.ndarray:
    """Element by element: same value, same sign of zero; every NaN equals every NaN, every NaT
    every NaT. Records field by field.
    """
    same = np.ones(got.shape, bool)
    for name in got.dtype.names or ():
        own = equal_bits(got[name], want[name])
        same &= own.all(axis=tuple(range(got.ndim, own.ndim)))
    if got.dtype.names:
        return same
    for g, w in zip(_parts(got), _parts(want), strict=True):
        if g.dtype.kind == "f":
            same &= ((g == w) & (np.signbit(g) == np.signbit(w))) | (np.isnan(g) & np.isnan(w))
        elif g.dtype.kind in "Mm":
            same &= (g == w) | (np.isnat(g) & np.isnat(w))
        else:
            same &= g == w
    return same


def _listing(
    bad: np.ndarray, got: np.ndarray, want: np.ndarray, error: np.ndarray | None = None
) -> str:
    lines = []
    for index in np.argwhere(bad)[:4]:
        k = tuple(map(int, index))
        size = "" if error is None else f"  ({float(error[k]):.3g} ULP)"
        lines.append(f"  at {list(k)}: {got[k]!r}, expected {want[k]!r}{size}")
    return "\n".join(lines)


def exact(got: np.ndarray, want: np.ndarray) -> str | None:
    bad = ~equal_bits(got, want)
    if not bad.any():
        return None
    return (
        f"{got.dtype}{list(got.shape)}: {int(bad.sum())} of {bad.size} elements differ\n"
        + _listing(bad, got, want)
    )


def _spacing(magnitude: np.ndarray, real: np.dtype) -> np.ndarray:
    """One unit in the last place of `real` at a magnitude given in a wider type, as a wide
    number.
    """
    largest = np.finfo(real).max
    with np.errstate(all="ignore"):
        # Above the largest number np.spacing is infinite.
        rounded = np.minimum(magnitude.astype(real), np.nextafter(largest, real.type(0)))
        return np.spacing(rounded).astype(np.longdouble)


def ulp_error(got: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """Distance of each element from a reference of equal or higher precision, in ULP of got's type.

    Complex: distance in the plane in ULP of the magnitude. Infinities and NaNs count 0 where both
    have them, else infinity; a finite reference beyond the largest number may be met by infinity.
    """
    real = got.real.dtype
    with np.errstate(all="ignore"):
        if got.dtype.kind == "c":
            difference = got.astype(np.clongdouble) - reference.astype(np.clongdouble)
            distance = np.hypot(difference.real, difference.imag)
            magnitude = np.hypot(
                reference.real.astype(np.longdouble), reference.imag.astype(np.longdouble)
            )
            same = equal_bits(got, reference.astype(got.dtype))
            special = ~np.isfinite(got) | ~np.isfinite(reference.astype(got.dtype))
        else:
            wide = reference.astype(np.longdouble)
            rounded = wide.astype(real)
            distance = np.abs(got.astype(np.longdouble) - wide)
            magnitude = np.abs(wide)
            largest = np.longdouble(np.finfo(real).max)
            # Near the border of overflow either side may be infinite: measure from the largest
            # number.
            overflow = np.isinf(got) & np.isfinite(wide) & (np.signbit(got) == np.signbit(wide))
            distance = np.where(overflow, largest - magnitude + _spacing(largest, real), distance)
            early = np.isfinite(got) & np.isinf(rounded) & np.isfinite(wide)
            distance = np.where(early, magnitude - largest, distance)
            same = (rounded == got) | (np.isnan(got) & np.isnan(rounded))
            special = (~np.isfinite(got) | ~np.isfinite(rounded)) & ~overflow & ~early
        error = distance / _spacing(magnitude, real)
    error = np.where(special, np.inf, error)
    return np.where(same & (special | (distance == 0)), 0.0, error).astype(np.float64)


def within(ulps: float, reference: np.ndarray | None = None) -> Tolerance:
    """At most so many ULP from the reference (default: NumPy's result), or no worse than NumPy
    itself is.

    NumPy's own bits are always right: the reference only decides how far another answer may be.
    """

    def tolerance(got: np.ndarray, want: np.ndarray) -> str | None:
        if got.dtype.kind not in "fc" or equal_bits(got, want).all():
            return exact(got, want)
        truth = want if reference is None else np.broadcast_to(reference, want.shape)
        error = ulp_error(got, truth)
        allowed = np.maximum(ulps, ulp_error(want, truth))
        zero_sign = (
            (got.real == 0) & (want.real == 0) & (np.signbit(got.real) != np.signbit(want.real))
        )
        if got.dtype.kind == "c":
            zero_sign = np.zeros_like(zero_sign)
        bad = ((error > allowed) | zero_sign) & ~equal_bits(got, want)
        if not bad.any():
            return None
        return (
            f"{got.dtype}{list(got.shape)}: {int(bad.sum())} of {bad.size} elements beyond "
            f"{ulps:g} ULP, "
            f"max {float(np.max(error[bad])):.3g} ULP\n" + _listing(bad, got, want, error)
        )

    return tolerance


def within_absolute(bound: np.ndarray | float) -> Tolerance:
    """At most so far from NumPy's result: for sums whose order of additions may differ."""

    def tolerance(got: np.ndarray, want: np.ndarray) -> str | None:
        if got.dtype.kind not in "fc" or equal_bits(got, want).all():
            return exact(got, want)
        with np.errstate(all="ignore"):
            distance = np.abs(got.astype(np.clongdouble) - want.astype(np.clongdouble))
        bad = ~((distance <= bound) | equal_bits(got, want))
        if not bad.any():
            return None
        worst = float(np.max(np.where(bad, distance, 0)))
        return (
            f"{got.dtype}{list(got.shape)}: {int(bad.sum())} of {bad.size} elements too far, "
            f"worst {worst:.3g} where {float(np.max(bound)):.3g} is allowed\n"
            + _listing(bad, got, want)
        )

    return tolerance


def sum_bound(a: np.ndarray, result: np.dtype, **reduction: object) -> np.ndarray:
    """4 eps log2(n) sum|x|: what a pairwise sum in any order may be off."""
    if result.kind not in "fc" or not a.size:
        return np.float64(0)
    wide = np.abs(a.astype(np.clongdouble if a.dtype.kind == "c" else np.longdouble))
    total = np.sum(wide, **reduction)  # type: ignore[call-overload]
    terms = max(2, a.size // max(1, np.size(total)))
    return 4 * float(np.finfo(result).eps) * np.log2(terms) * total


def near(got: np.ndarray, want: np.ndarray) -> str | None:
    """For sums in another order and chains of roundings: of the largest number's last places."""
    if want.dtype.kind not in "fc" or equal_bits(got, want).all():
        return exact(got, want)
    wide = want.astype(np.clongdouble)
    top = np.max(np.abs(wide[np.isfinite(wide)]), initial=0)
    room = 64 * float(np.finfo(want.dtype).eps) * max(float(top), 1.0)
    with np.errstate(all="ignore"):
        far = ~(np.abs(got.astype(np.clongdouble) - wide) <= room) & ~equal_bits(got, want)
    return f"{got!r}\nexpected {want!r}" if far.any() else None
