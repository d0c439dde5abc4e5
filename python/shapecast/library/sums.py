"""Python's sum() with compensated summation of floats (from 3.12 on).

By Neumaier's formula, and for those types of items for which the Python at hand does so.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import implements, primitives

WITH_FLOATS = sum([1e16, 1.0, -1e16]) == 1.0
WITH_INTS = sum([1e16, 1, -1e16]) == 1.0  # those after the first float; from 3.14 on
WITH_COMPLEX = sum([1e16 + 0j, 1 + 0j, -1e16 + 0j]) == 1.0  # from 3.14 on
WITH_REALS = sum([1e16 + 0j, 1.0, -1e16 + 0j]) == 1.0  # after the first complex one


def lost(total: Any, x: Any) -> Any:
    rounded = total + x
    if abs(total) >= abs(x):
        return (total - rounded) + x
    return (x - rounded) + total


def settled(total: Any, low: Any) -> Any:
    """The compensation is NaN for infinities only, which need none."""
    return total + low if low != 0.0 and math.isfinite(low) else total


def is_real(x: Any) -> Any:
    return type(x) is int or type(x) is bool or type(x) is float


def is_number(x: Any) -> Any:
    return is_real(x) or type(x) is complex


@implements("builtins.sum of few")
def of_few(items: Any, start: Any) -> Any:
    """A constant number of items: their types may differ."""
    total = start
    low = 0.0
    low_imaginary = 0.0
    for x in items:
        if type(total) is float and (type(x) is float or (is_real(x) and WITH_INTS)):
            low += lost(total, float(x))
            total = total + x
        elif type(total) is float and is_real(x):
            total = total + x
        elif type(total) is complex and WITH_COMPLEX and type(x) is complex:
            low += lost(total.real, x.real)
            low_imaginary += lost(total.imag, x.imag)
            total = complex(total.real + x.real, total.imag + x.imag)
        elif type(total) is complex and WITH_REALS and is_real(x):
            low += lost(total.real, float(x))
            total = complex(total.real + x, total.imag)
        else:
            total = whole(total, low, low_imaginary) + x
            low = 0.0
            low_imaginary = 0.0
    return whole(total, low, low_imaginary)


def whole(total: Any, low: Any, low_imaginary: Any) -> Any:
    if type(total) is float:
        return settled(total, low)
    if type(total) is complex:
        return complex(settled(total.real, low), settled(total.imag, low_imaginary))
    return total


@implements("builtins.sum of many")
def of_many(items: Any, start: Any) -> Any:
    """A number of items known only at run time, of one type."""
    total = start  # of items without compensation
    high = float(start.real) if is_number(start) else 0.0
    imaginary = start.imag if type(start) is complex else 0.0
    low = 0.0
    low_imaginary = 0.0
    floats = False
    complexes = False
    for x in items:
        if type(x) is float and is_real(start):
            if type(start) is float or start == 0 or floats:
                low += lost(high, x)
            high += x
            floats = True
        elif is_real(x) and type(start) is float and WITH_INTS:
            low += lost(high, float(x))
            high += x
            floats = True
        elif is_real(x) and type(start) is complex and WITH_REALS:
            low += lost(high, float(x))
            high += x
            complexes = True
        elif type(x) is complex and is_number(start) and WITH_COMPLEX:
            if type(start) is complex or complexes:
                low += lost(high, x.real)
                low_imaginary += lost(imaginary, x.imag)
                imaginary += x.imag
            else:
                imaginary = x.imag
            high += x.real
            complexes = True
        else:
            total = total + x
    if floats:
        return settled(high, low)
    if complexes:
        return complex(settled(high, low), settled(imaginary, low_imaginary))
    return total


@implements("builtins.sum of mixed")
def of_mixed(items: Any, start: Any) -> Any:
    """A number of items known only at run time, each an int or a float."""
    if not is_real(start):
        primitives.unsupported("sum() of ints and floats from another number on")
    total = int(start)
    high = float(start)
    low = 0.0
    floats = type(start) is float
    for x in items:
        if isinstance(x, np.generic):
            primitives.unsupported("sum() of numbers of which some may be NumPy's")
        if isinstance(x, float):
            low += lost(high, float(x)) if floats else 0.0
            high = high + float(x) if floats else total + float(x)
            floats = True
        elif floats:
            low += lost(high, float(x)) if WITH_INTS else 0.0
            high += float(x)
        else:
            total += int(x)
    return settled(high, low) if floats else total


ROOM = 2100  # partial sums do not overlap, and the exponents of a float are fewer


@implements("math.fsum")
def exact(items: Any) -> Any:
    """The sum rounded once, by Shewchuk's partial sums, which do not overlap: as in CPython."""
    numbers = np.array([math.ldexp(item, 0) for item in items], float)
    partials = np.empty(ROOM)
    count = 0
    special = 0.0
    infinities = 0.0
    for i in range(len(numbers)):
        given = float(numbers[i])
        x, count = spread(given, partials, count)
        if math.isfinite(x):
            if x != 0.0:
                partials[count] = x
                count += 1
        else:
            if math.isfinite(given):
                raise OverflowError("intermediate overflow in fsum")
            if math.isinf(given):
                infinities += given
            special += given
            count = 0
    if special != 0.0:
        if math.isnan(infinities):
            raise ValueError("-inf + inf in fsum")
        return special
    return rounded(partials, count)


def spread(x: Any, partials: Any, count: Any) -> Any:
    """Adds x to the partial sums; returns the largest, and how many others are left."""
    kept = 0
    for i in range(count):
        y = partials[i]
        if abs(x) < abs(y):
            x, y = y, x
        high = x + y
        low = y - (high - x)
        if low != 0.0:
            partials[kept] = low
            kept += 1
        x = high
    return float(x), kept


def rounded(partials: Any, count: Any) -> Any:
    high = 0.0
    low = 0.0
    while count > 0 and low == 0.0:
        count -= 1
        x = high
        y = float(partials[count])
        high = x + y
        low = y - (high - x)
    if count > 0 and low != 0.0 and (low < 0.0) == (partials[count - 1] < 0.0):  # a tie
        twice = low * 2.0
        if twice == (high + twice) - high:
            high = high + twice
    return high


@implements("builtins.sum of objects")
def sum_of_objects(items: Any, start: Any) -> Any:
    """The first one is added before the loop: its sum with 0 is an object. There is one."""
    total = start + items[0]
    for i in range(1, len(items)):
        total = total + items[i]
    return total
