"""Functions of Python's `statistics`, whose results are those of fractions, rounded once.

Sums are exact: partial sums that do not overlap, as in sums.py. A quotient or a root is computed
with floats, and then compared exactly with the middle between it and its neighbours.
_replaced.py puts calls of these functions in the place of the bodies of Python's.
"""

from __future__ import annotations

import math
import statistics
from statistics import StatisticsError
from typing import Any

import numpy as np

from .._host_info import said
from . import primitives
from .sums import ROOM, rounded, spread

_TOO_LARGE = said(lambda: 2**2000 / 3)
_NO_ROOT = said(lambda: statistics.stdev([math.inf, 1.0]))


#  Exact sums: arrays of partial sums, the largest last


def exact(terms: Any) -> Any:
    """The sum of floats."""
    partials = np.empty(ROOM)
    count = 0
    for x in terms:
        last, count = spread(float(x), partials, count)
        if last != 0.0:
            partials[count] = last
            count += 1
    return partials[:count].copy()


def nearest(partials: Any) -> Any:
    return rounded(partials, len(partials))


def products(a: Any, b: Any) -> Any:
    """a * b, arrays or a number, as a sum of floats without an error."""
    p = a * b
    c = 134217729.0 * a
    high = c - (c - a)
    low = a - high
    d = 134217729.0 * b
    upper = d - (d - b)
    lower = b - upper
    rest = ((high * upper - p) + high * lower + low * upper) + low * lower
    return np.concatenate((p.ravel(), rest.ravel()))


def halves(number: Any) -> Any:
    """Ints, each as the sum of two floats."""
    high = (number >> 32) << 32
    return np.concatenate((np.atleast_1d(high), np.atleast_1d(number - high))).astype(np.float64)


def settled(found: float, scale: int, is_root: bool, top: Any, bottom: Any) -> float:
    """The float that is nearest to the quotient times 2 ** scale, or to its root times that."""
    best = found
    towards = math.inf
    for _ in range(6):
        other = float(np.nextafter(best, towards))
        if math.isinf(other):
            towards = -math.inf
            continue
        a = math.ldexp(best, -scale)
        b = math.ldexp(other, -scale)
        #  The quotient is compared with the middle of the two, of which these are terms of the
        #  double, or of four squares.
        if is_root:
            terms = products(np.array([2.0 * a, a, b]), np.array([b, a, b]))
        else:
            terms = np.array([a, b])
        factor = 4.0 if is_root else 2.0
        rest = exact(np.concatenate((factor * top, -products(bottom[:, None], terms))))
        if len(rest) == 0:
            return (best + other) * 0.5  # the even one
        if (rest[-1] > 0.0) == (towards > 0.0):
            best = other
        elif towards < 0.0:
            break
        else:
            towards = -math.inf
    return best


def quotient(top: Any, bottom: Any, scale: int) -> float:
    if len(top) == 0:
        return 0.0
    ratio = nearest(top) / nearest(bottom)
    if math.frexp(ratio)[1] + scale > 1024:
        raise OverflowError(_TOO_LARGE)
    found = math.ldexp(ratio, scale)
    return settled(found, scale, False, top, bottom)


def root(top: Any, bottom: Any, scale: int) -> float:
    if len(top) == 0:
        return 0.0
    found = math.ldexp(math.sqrt(nearest(top) / nearest(bottom)), scale)
    return settled(found, scale, True, top, bottom)


#  Data


def values_of(data: Any) -> Any:
    """An array of int64 or float64."""
    return np.array([checked(x) for x in data])


def checked(item: Any) -> Any:
    if item is None:
        raise TypeError("can't convert type 'NoneType' to numerator/denominator")
    if isinstance(item, (np.generic, np.ndarray)):
        primitives.unsupported(
            "functions of `statistics` are not supported for NumPy's numbers; use np.mean, np.var"
        )
    if isinstance(item, int) and (item >= 2**63 or item <= -(2**63) - 1):
        primitives.beyond_64_bits()
    return item


def is_whole(values: Any) -> bool:
    return values.dtype.kind in "ib"


def special_of(values: Any) -> float:
    """The sum of the numbers that are not finite; 0.0: there are none."""
    special = 0.0
    for x in values:
        if not math.isfinite(x):
            special += float(x)
    return special


def scale_of(values: Any) -> int:
    """So that numbers divided by 2 ** scale are at most 1, and their products are exact."""
    largest = float(np.max(np.abs(values.astype(np.float64))))
    return max(math.frexp(largest)[1], -1000)


def mean(data: Any) -> Any:
    values = values_of(data)
    n = len(values)
    if n < 1:
        raise StatisticsError("mean requires at least one data point")
    if is_whole(values):
        return share_of(total_of(values), n)
    special = special_of(values)
    if special != 0.0:
        return special / n
    scale = scale_of(values)
    return quotient(exact(values * math.ldexp(1.0, -scale)), exact(halves(n)), scale)


def total_of(values: Any) -> int:
    total = 0
    for x in values:
        total += int(x)
    return total


def share_of(total: int, n: int) -> Any:
    return total // n if total % n == 0 else total / n


def fmean(data: Any, weights: Any) -> Any:
    if weights is not None:
        primitives.unsupported("statistics.fmean with weights is not supported")
    items = [float(x) for x in data]
    total = math.fsum(items)
    if len(items) == 0:
        raise StatisticsError("fmean requires at least one data point")
    return total / len(items)


def squares_of(values: Any, scale: int) -> Any:
    """The number of values times the sum of the squares, less the square of the sum; all of the
    values divided by 2 ** scale.
    """
    n = len(values)
    factor = math.ldexp(1.0, -scale)
    if is_whole(values):
        parts = halves(values.astype(np.int64)) * factor
        squares = exact(squares_of_halves(parts, n))
    else:
        parts = values * factor
        squares = exact(products(parts, parts))
    total = exact(parts)
    of_total = products(total[:, None], total)
    return exact(np.concatenate((products(squares, float(n)), -of_total)))


def squares_of_halves(parts: Any, n: int) -> Any:
    """Terms of the sum of the squares of n ints."""
    first = np.concatenate((parts, 2.0 * parts[:n]))
    return products(first, np.concatenate((parts, parts[n:])))


def spread_of(values: Any, less: int) -> Any:
    """The variance, of a sample where one is less."""
    n = len(values)
    if not is_whole(values):
        special = special_of(values)
        if special != 0.0:
            return special
    scale = scale_of(values)
    top = squares_of(values, scale)
    bottom = exact(halves(n * (n - less)))
    found = quotient(top, bottom, 2 * scale)
    if is_whole(values):
        return whole_or(found, top * math.ldexp(1.0, 2 * scale), bottom)
    return found


def whole_or(found: float, top: Any, bottom: Any) -> Any:
    """The quotient as an int where it is one; else `found`, which is near."""
    whole = math.floor(found)
    for _ in range(6):
        rest = exact(np.concatenate((top, -products(bottom[:, None], halves(whole)))))
        if len(rest) == 0:
            return whole
        more = math.floor(nearest(rest) / nearest(bottom))
        if more == 0:
            break
        whole += more
    return found


def deviation_of(values: Any, less: int) -> float:
    n = len(values)
    if not is_whole(values) and special_of(values) != 0.0:
        raise AttributeError(_NO_ROOT)
    scale = scale_of(values)
    return root(squares_of(values, scale), exact(halves(n * (n - less))), scale)


def squares_from(values: Any, centre: Any) -> Any:
    """The squares of the differences, as Python rounds them."""
    differences = values - float(centre)
    return differences * differences


def whole_squares_from(values: Any, centre: int) -> Any:
    differences = np.array([int(x) - centre for x in values])
    return exact(squares_of_halves(halves(differences), len(values)))


def spread_from(values: Any, centre: Any, n: int) -> Any:
    """The variance around a mean that is given."""
    if is_whole(values) and isinstance(centre, int):
        top = whole_squares_from(values, centre)
        bottom = exact(halves(n))
        return whole_or(quotient(top, bottom, 0), top, bottom)
    squares = squares_from(values, centre)
    special = special_of(squares)
    if special != 0.0:
        return special / n
    scale = scale_of(squares)
    return quotient(exact(squares * math.ldexp(1.0, -scale)), exact(halves(n)), scale)


def deviation_from(values: Any, centre: Any, n: int) -> float:
    if is_whole(values) and isinstance(centre, int):
        return root(whole_squares_from(values, centre), exact(halves(n)), 0)
    squares = squares_from(values, centre)
    if special_of(squares) != 0.0:
        raise AttributeError(_NO_ROOT)
    half = (scale_of(squares) + 1) // 2
    return root(exact(squares * math.ldexp(1.0, -2 * half)), exact(halves(n)), half)


def variance(data: Any, xbar: Any) -> Any:
    values = values_of(data)
    n = len(values)
    if n < 2:
        raise StatisticsError("variance requires at least two data points")
    return spread_of(values, 1) if xbar is None else spread_from(values, xbar, n - 1)


def pvariance(data: Any, mu: Any) -> Any:
    values = values_of(data)
    n = len(values)
    if n < 1:
        raise StatisticsError("pvariance requires at least one data point")
    return spread_of(values, 0) if mu is None else spread_from(values, mu, n)


def stdev(data: Any, xbar: Any) -> Any:
    values = values_of(data)
    n = len(values)
    if n < 2:
        raise StatisticsError("stdev requires at least two data points")
    return deviation_of(values, 1) if xbar is None else deviation_from(values, xbar, n - 1)


def pstdev(data: Any, mu: Any) -> Any:
    values = values_of(data)
    n = len(values)
    if n < 1:
        raise StatisticsError("pstdev requires at least one data point")
    return deviation_of(values, 0) if mu is None else deviation_from(values, mu, n)


def harmonic_mean(data: Any, weights: Any) -> Any:
    if weights is not None:
        primitives.unsupported("statistics.harmonic_mean with weights is not supported")
    values = values_of(data)
    n = len(values)
    if n < 1:
        raise StatisticsError("harmonic_mean requires at least one data point")
    inverses = np.empty(n)
    for k in range(n):
        x = values[k].item()
        if x < 0:
            raise StatisticsError("harmonic mean does not support negative values")
        if n == 1:
            return x
        if x == 0:
            return 0
        inverses[k] = 1 / x
    special = special_of(inverses)
    if special != 0.0:
        return n / special
    scale = scale_of(inverses)
    bottom = exact(inverses * math.ldexp(1.0, -scale))
    if len(bottom) == 0:
        raise StatisticsError("Weighted sum must be positive")
    return quotient(exact(halves(n)), bottom, -scale)


#  Those that occur most often


def mode(data: Any) -> Any:
    items = [x for x in data]
    if len(items) == 0:
        raise StatisticsError("no mode for empty data")
    counts: Any = {}
    for x in items:
        counts[x] = counts.get(x, 0) + 1
    best = items[0]
    most = 0
    for x, count in counts.items():
        if count > most:
            best = x
            most = count
    return best


def multimode(data: Any) -> Any:
    counts: Any = {}
    for x in data:
        counts[x] = counts.get(x, 0) + 1
    most = 0
    for count in counts.values():
        most = max(most, count)
    return [x for x, count in counts.items() if count == most]


REPLACED: dict[str, Any] = {
    one.__name__: one
    for one in (
        mean, fmean, variance, pvariance, stdev, pstdev, harmonic_mean, mode, multimode,
    )
}  # fmt: skip
