"""Distributions of np.random's generators beyond those in random.py."""

# mypy: disable-error-code="assignment"
from __future__ import annotations

from typing import Any

import numpy as np

from . import implements
from .primitives import unsupported
from .random import (
    check_not_negative,
    check_positive,
    integral,
    is_number,
    parameter,
    real,
)

MOST_EXPECTED = 9223372006484771000.0  # of a Poisson distribution: 2**63 - 1 - 10 * sqrt(that)


# ------------------------------------------------------------------------------- of one parameter


def of_positive(generator: Any, kernel: str, name: str, x: Any, size: Any) -> Any:
    x = parameter(x)
    check_positive(x, name)
    return real(generator, kernel, (x,), size)


def of_not_negative(generator: Any, kernel: str, name: str, x: Any, size: Any) -> Any:
    x = parameter(x)
    check_not_negative(x, name)
    return real(generator, kernel, (x,), size)


@implements("numpy.random._generator.Generator.standard_gamma")
def standard_gamma(
    self: Any, shape: Any, size: Any = None, dtype: Any = np.float64, out: Any = None
) -> Any:
    if np.dtype(dtype) != np.float64 or out is not None:
        unsupported("standard_gamma with a dtype or out=")
    return of_not_negative(self, "standard_gamma", "shape", shape, size)


@implements("numpy.random._generator.Generator.chisquare")
def chisquare(self: Any, df: Any, size: Any = None) -> Any:
    return of_positive(self, "chisquare", "df", df, size)


@implements("numpy.random._generator.Generator.standard_t")
def standard_t(self: Any, df: Any, size: Any = None) -> Any:
    return of_positive(self, "standard_t", "df", df, size)


@implements("numpy.random._generator.Generator.pareto")
def pareto(self: Any, a: Any, size: Any = None) -> Any:
    return of_positive(self, "pareto", "a", a, size)


@implements("numpy.random._generator.Generator.power")
def power(self: Any, a: Any, size: Any = None) -> Any:
    return of_positive(self, "power", "a", a, size)


@implements("numpy.random._generator.Generator.weibull")
def weibull(self: Any, a: Any, size: Any = None) -> Any:
    return of_not_negative(self, "weibull", "a", a, size)


@implements("numpy.random._generator.Generator.rayleigh")
def rayleigh(self: Any, scale: Any = 1.0, size: Any = None) -> Any:
    return of_not_negative(self, "rayleigh", "scale", scale, size)


# ------------------------------------------------------------------------------------ of several


def of_place(generator: Any, kernel: str, loc: Any, name: str, scale: Any, size: Any) -> Any:
    loc = parameter(loc)
    scale = parameter(scale)
    check_not_negative(scale, name)
    return real(generator, kernel, (loc, scale), size)


def of_two(generator: Any, kernel: str, a_name: str, a: Any, b_name: str, b: Any, size: Any) -> Any:
    a = parameter(a)
    b = parameter(b)
    check_positive(a, a_name)
    check_positive(b, b_name)
    return real(generator, kernel, (a, b), size)


@implements("numpy.random._generator.Generator.laplace")
def laplace(self: Any, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    return of_place(self, "laplace", loc, "scale", scale, size)


@implements("numpy.random._generator.Generator.gumbel")
def gumbel(self: Any, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    return of_place(self, "gumbel", loc, "scale", scale, size)


@implements("numpy.random._generator.Generator.logistic")
def logistic(self: Any, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    return of_place(self, "logistic", loc, "scale", scale, size)


@implements("numpy.random._generator.Generator.lognormal")
def lognormal(self: Any, mean: Any = 0.0, sigma: Any = 1.0, size: Any = None) -> Any:
    return of_place(self, "lognormal", mean, "sigma", sigma, size)


@implements("numpy.random._generator.Generator.vonmises")
def vonmises(self: Any, mu: Any, kappa: Any, size: Any = None) -> Any:
    return of_place(self, "vonmises", mu, "kappa", kappa, size)


def of_shape_and_scale(generator: Any, kernel: str, shape: Any, scale: Any, size: Any) -> Any:
    shape = parameter(shape)
    scale = parameter(scale)
    check_not_negative(shape, "shape")
    check_not_negative(scale, "scale")
    return real(generator, kernel, (shape, scale), size)


@implements("numpy.random._generator.Generator.gamma")
def gamma(self: Any, shape: Any, scale: Any = 1.0, size: Any = None) -> Any:
    return of_shape_and_scale(self, "gamma", shape, scale, size)


@implements("numpy.random._generator.Generator.beta")
def beta(self: Any, a: Any, b: Any, size: Any = None) -> Any:
    return of_two(self, "beta", "a", a, "b", b, size)


@implements("numpy.random._generator.Generator.f")
def f(self: Any, dfnum: Any, dfden: Any, size: Any = None) -> Any:
    return of_two(self, "f", "dfnum", dfnum, "dfden", dfden, size)


@implements("numpy.random._generator.Generator.wald")
def wald(self: Any, mean: Any, scale: Any, size: Any = None) -> Any:
    return of_two(self, "wald", "mean", mean, "scale", scale, size)


@implements("numpy.random._generator.Generator.triangular")
def triangular(self: Any, left: Any, mode: Any, right: Any, size: Any = None) -> Any:
    left = parameter(left)
    mode = parameter(mode)
    right = parameter(right)
    if np.any(np.greater(left, mode)):
        raise ValueError("left > mode")
    if np.any(np.greater(mode, right)):
        raise ValueError("mode > right")
    if np.any(np.equal(left, right)):
        raise ValueError("left == right")
    return real(self, "triangular", (left, mode, right), size)


# -------------------------------------------------------------------------------------- of integers


@implements("numpy.random._generator.Generator.poisson")
def poisson(self: Any, lam: Any = 1.0, size: Any = None) -> Any:
    lam = parameter(lam)
    if is_number((lam,)):
        if not lam >= 0:
            raise ValueError("lam < 0 or lam is NaN")
        if not lam <= MOST_EXPECTED:
            raise ValueError("lam value too large")
    else:
        if not np.all(np.less_equal(lam, MOST_EXPECTED)):
            raise ValueError("lam value too large")
        if not np.all(np.greater_equal(lam, 0.0)):
            raise ValueError("lam < 0 or lam contains NaNs")
    return integral(self, "poisson", (lam,), size)


@implements("numpy.random._generator.Generator.geometric")
def geometric(self: Any, p: Any, size: Any = None) -> Any:
    return geometric_of(self, "geometric", p, size)


def geometric_of(generator: Any, kernel: str, p: Any, size: Any) -> Any:
    p = parameter(p)
    if not np.all(np.greater(p, 0)) or not np.all(np.less_equal(p, 1)):
        raise ValueError("p <= 0, p > 1 or p contains NaNs")
    return integral(generator, kernel, (p,), size)


@implements("numpy.random._generator.Generator.binomial")
def binomial(self: Any, n: Any, p: Any, size: Any = None) -> Any:
    return binomial_of(self, "binomial", n, p, size)


def binomial_of(generator: Any, kernel: str, n: Any, p: Any, size: Any) -> Any:
    p = parameter(p)
    if np.ndim(n) == 0:
        n = int(n)
    else:
        n = np.asarray(n)
        if not np.can_cast(n.dtype, np.int64):
            raise TypeError(
                f"Cannot cast array data from dtype('{n.dtype.name}') to dtype('int64') "
                "according to the rule 'safe'"
            )
        n = n.astype(np.int64, copy=False)
    if not np.all(np.greater_equal(p, 0)) or not np.all(np.less_equal(p, 1)):
        found = "is NaN" if is_number((n, p)) else "contains NaNs"
        raise ValueError(f"p < 0, p > 1 or p {found}")
    if np.any(np.less(n, 0)):
        raise ValueError("n < 0")
    return integral(generator, kernel, (p, n), size)
