"""Exact values of NumPy's math functions, by mpmath, and the samples they are compared at."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import mpmath
import numpy as np
from mpmath import mp

mp.prec = 200


class Function(NamedTuple):
    """mpmath's function and where most arguments lie, for float64 and for float32."""

    exact: Callable[..., mpmath.mpf]
    double: tuple[float, float]
    single: tuple[float, float]
    arguments: int = 1


def _cbrt(x: mpmath.mpf) -> mpmath.mpf:
    return -mpmath.cbrt(-x) if x < 0 else mpmath.cbrt(x)


FUNCTIONS = {
    "exp": Function(mpmath.exp, (-700, 700), (-85, 85)),
    "exp2": Function(lambda x: mpmath.power(2, x), (-1000, 1000), (-120, 120)),
    "expm1": Function(mpmath.expm1, (-40, 700), (-18, 85)),
    "log": Function(mpmath.log, (0, 10), (0, 10)),
    "log2": Function(lambda x: mpmath.log(x) / mpmath.log(2), (0, 10), (0, 10)),
    "log10": Function(mpmath.log10, (0, 10), (0, 10)),
    "log1p": Function(mpmath.log1p, (-1, 3), (-1, 3)),
    "sin": Function(mpmath.sin, (-30, 30), (-30, 30)),
    "cos": Function(mpmath.cos, (-30, 30), (-30, 30)),
    "tan": Function(mpmath.tan, (-30, 30), (-30, 30)),
    "arcsin": Function(mpmath.asin, (-1, 1), (-1, 1)),
    "arccos": Function(mpmath.acos, (-1, 1), (-1, 1)),
    "arctan": Function(mpmath.atan, (-5, 5), (-5, 5)),
    "sinh": Function(mpmath.sinh, (-700, 700), (-85, 85)),
    "cosh": Function(mpmath.cosh, (-700, 700), (-85, 85)),
    "tanh": Function(mpmath.tanh, (-18, 18), (-9, 9)),
    "arcsinh": Function(mpmath.asinh, (-9, 9), (-9, 9)),
    "arccosh": Function(mpmath.acosh, (1, 9), (1, 9)),
    "arctanh": Function(mpmath.atanh, (-1, 1), (-1, 1)),
    "cbrt": Function(_cbrt, (-9, 9), (-9, 9)),
    "arctan2": Function(mpmath.atan2, (-9, 9), (-9, 9), 2),
    "hypot": Function(mpmath.hypot, (-9, 9), (-9, 9), 2),
    "power": Function(mpmath.power, (0, 9), (0, 9), 2),
}
REAL = (np.float64, np.float32)

# Where functions end, have extremes or lose their last bits.
_EDGES = """
    0 -0.0 1 -1 0.5 -0.5 2 -2 3 -3 0.75 1.5 8 -27 1000 inf -inf nan 5e-324 -5e-324 1e-310 1e-45
    -1e-45 2.2250738585072014e-308 1.17549435e-38 1e-20 -1e-20 1e22 -1e22 1.07150860718626732e301
    1.7976931348623157e308 -1.7976931348623157e308 3.4028234663852886e38 709.782712893384 709.79
    -708.4 -745.1 -745.2 -746 710.4758600739439 710.476 88.72283 88.7229 -87.34 -103.97 -104 89.415
    89.42 1024 1023.99999 -1074 -1075 -1074.99 128 -149 -150 1e5 1e15 35184372088832 70368744177664
    131072 262144 4503599627370496 9007199254740992 1e300 1e-300 0.9999999999999999
    1.0000000000000002 0.99999994 1.0000001 -0.9999999999999999 -0.99999994 5.319372648326541e255
""".split()


def edges(name: str, dtype: type) -> tuple[np.ndarray, ...]:
    with np.errstate(over="ignore", under="ignore"):
        x = np.array([float(e) for e in _EDGES]).astype(dtype)
    if FUNCTIONS[name].arguments == 1:
        return (x,)
    return tuple(a.ravel() for a in np.meshgrid(x, x))


def samples(name: str, dtype: type, count: int, seed: int) -> tuple[np.ndarray, ...]:
    """Half from the usual range, a quarter near 1 and 0, a quarter from all sizes of numbers."""
    function = FUNCTIONS[name]
    low, high = function.double if dtype == np.float64 else function.single
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(function.arguments):
        usual = rng.uniform(low, high, count // 2)
        near = np.concatenate(
            [1 + rng.uniform(-0.1, 0.1, count // 8), rng.uniform(-0.1, 0.1, count // 8)]
        )
        wide = np.exp2(rng.uniform(-100, 100, count - usual.size - near.size))
        x = np.concatenate([usual, near, wide * rng.choice([-1, 1], wide.size)])
        made.append(rng.permutation(np.abs(x) if low == 0 else x).astype(dtype))
    if name == "power":  # results up to the largest numbers
        with np.errstate(all="ignore"):
            room = (700 if dtype == np.float64 else 86) / np.abs(np.log(made[0]))
        exponents = (rng.uniform(-1, 1, count) * np.minimum(room, 1e6)).astype(dtype)
        made[1] = np.where(np.arange(count) % 2 == 0, exponents, made[1])
    return tuple(made)


def _unit(value: mpmath.mpf, dtype: np.dtype) -> mpmath.mpf:
    info = np.finfo(dtype)
    exponent = info.minexp if value == 0 else mpmath.frexp(value)[1] - 1
    return mpmath.ldexp(1, max(int(exponent), int(info.minexp)) - info.nmant)


def ulp_error(name: str, arguments: tuple[float, ...], got: np.floating) -> float:
    """How many units of the last place `got` is away; infinite where only one is finite or NaN."""
    try:
        exact = FUNCTIONS[name].exact(*(mpmath.mpf(float(a)) for a in arguments))
    except (ValueError, ZeroDivisionError):
        return 0.0 if not np.isfinite(got) else float("inf")
    if isinstance(exact, mpmath.mpc):
        return 0.0 if np.isnan(got) else float("inf")
    if not mpmath.isfinite(exact):
        return 0.0 if float(got) == float(exact) or np.isnan(got) else float("inf")
    if np.isnan(got):
        return float("inf")
    largest = mpmath.mpf(float(np.finfo(got.dtype).max))
    unit = min(_unit(exact, got.dtype), _unit(largest, got.dtype))
    beyond = largest + _unit(largest, got.dtype)  # the value of an infinity
    given = beyond * int(np.sign(got)) if np.isinf(got) else mpmath.mpf(float(got))
    meant = max(min(exact, beyond), -beyond)
    return float(abs(given - meant) / unit)


def largest_error(
    name: str, arguments: tuple[np.ndarray, ...], got: np.ndarray
) -> tuple[float, tuple[float, ...]]:
    """The largest error, and where it is."""
    rows = list(zip(*arguments, strict=True))
    errors = [ulp_error(name, row, g) for row, g in zip(rows, got, strict=True)]
    worst = int(np.argmax(errors))
    return errors[worst], tuple(float(a) for a in rows[worst])
