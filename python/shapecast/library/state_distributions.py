"""np.random's distributions of the legacy RandomState: with its own algorithms
(src/runtime/legacy_random.h), or the generators', where they use its bits alone.

noncentral_chisquare, negative_binomial and the like are called out; so are f and standard_cauchy,
which divide two draws that C may evaluate in either order.
"""

# mypy: disable-error-code="assignment"
from __future__ import annotations

from typing import Any

from . import implements
from .distributions import (
    binomial_of,
    gumbel,
    laplace,
    logistic,
    of_not_negative,
    of_place,
    of_positive,
    of_shape_and_scale,
    of_two,
    poisson,
    triangular,
)
from .random import standard
from .random_state import NUMPYS_OWN

# ------------------------------------------------------------------------------ of a RandomState


@implements("numpy.random.mtrand.RandomState.standard_normal")
def state_standard_normal(self: Any, size: Any = None) -> Any:
    return standard(self, "legacy_standard_normal", "standard_normal", size)


@implements("numpy.random.mtrand.RandomState.normal")
def state_normal(self: Any, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    return of_place(self, "legacy_normal", loc, "scale", scale, size)


@implements("numpy.random.mtrand.RandomState.lognormal")
def state_lognormal(self: Any, mean: Any = 0.0, sigma: Any = 1.0, size: Any = None) -> Any:
    return of_place(self, "legacy_lognormal", mean, "sigma", sigma, size)


@implements("numpy.random.mtrand.RandomState.standard_exponential")
def state_standard_exponential(self: Any, size: Any = None) -> Any:
    return standard(self, "legacy_standard_exponential", "standard_exponential", size)


@implements("numpy.random.mtrand.RandomState.exponential")
def state_exponential(self: Any, scale: Any = 1.0, size: Any = None) -> Any:
    return of_not_negative(self, "legacy_exponential", "scale", scale, size)


@implements("numpy.random.mtrand.RandomState.standard_gamma")
def state_standard_gamma(self: Any, shape: Any, size: Any = None) -> Any:
    return of_not_negative(self, "legacy_standard_gamma", "shape", shape, size)


@implements("numpy.random.mtrand.RandomState.gamma")
def state_gamma(self: Any, shape: Any, scale: Any = 1.0, size: Any = None) -> Any:
    return of_shape_and_scale(self, "legacy_gamma", shape, scale, size)


@implements("numpy.random.mtrand.RandomState.beta")
def state_beta(self: Any, a: Any, b: Any, size: Any = None) -> Any:
    return of_two(self, "legacy_beta", "a", a, "b", b, size)


@implements("numpy.random.mtrand.RandomState.chisquare")
def state_chisquare(self: Any, df: Any, size: Any = None) -> Any:
    return of_positive(self, "legacy_chisquare", "df", df, size)


@implements("numpy.random.mtrand.RandomState.standard_t")
def state_standard_t(self: Any, df: Any, size: Any = None) -> Any:
    return of_positive(self, "legacy_standard_t", "df", df, size)


@implements("numpy.random.mtrand.RandomState.pareto")
def state_pareto(self: Any, a: Any, size: Any = None) -> Any:
    return of_positive(self, "legacy_pareto", "a", a, size)


@implements("numpy.random.mtrand.RandomState.weibull")
def state_weibull(self: Any, a: Any, size: Any = None) -> Any:
    return of_not_negative(self, "legacy_weibull", "a", a, size)


@implements("numpy.random.mtrand.RandomState.power")
def state_power(self: Any, a: Any, size: Any = None) -> Any:
    return of_positive(self, "legacy_power", "a", a, size)


@implements("numpy.random.mtrand.RandomState.rayleigh")
def state_rayleigh(self: Any, scale: Any = 1.0, size: Any = None) -> Any:
    return of_not_negative(self, "legacy_rayleigh", "scale", scale, size)


@implements("numpy.random.mtrand.RandomState.wald")
def state_wald(self: Any, mean: Any, scale: Any, size: Any = None) -> Any:
    return of_two(self, "legacy_wald", "mean", mean, "scale", scale, size)


@implements("numpy.random.mtrand.RandomState.laplace")
def state_laplace(self: Any, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    return laplace(self, loc, scale, size)


@implements("numpy.random.mtrand.RandomState.gumbel")
def state_gumbel(self: Any, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    return gumbel(self, loc, scale, size)


@implements("numpy.random.mtrand.RandomState.logistic")
def state_logistic(self: Any, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    return logistic(self, loc, scale, size)


@implements("numpy.random.mtrand.RandomState.triangular")
def state_triangular(self: Any, left: Any, mode: Any, right: Any, size: Any = None) -> Any:
    return triangular(self, left, mode, right, size)


@implements("numpy.random.mtrand.RandomState.poisson")
def state_poisson(self: Any, lam: Any = 1.0, size: Any = None) -> Any:
    return poisson(self, lam, size)


@implements("numpy.random.mtrand.RandomState.binomial")
def state_binomial(self: Any, n: Any, p: Any, size: Any = None) -> Any:
    return binomial_of(self, "legacy_binomial", n, p, size)


@implements("numpy.random.mtrand.RandomState.randn")
def state_randn(self: Any, *args: Any) -> Any:
    return state_standard_normal(self, args if args else None)


# ------------------------------------------------------------------------------- of np.random's own


@implements("numpy.random.standard_normal")
def numpys_standard_normal(size: Any = None) -> Any:
    return state_standard_normal(NUMPYS_OWN, size)


@implements("numpy.random.normal")
def numpys_normal(loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    return state_normal(NUMPYS_OWN, loc, scale, size)


@implements("numpy.random.lognormal")
def numpys_lognormal(mean: Any = 0.0, sigma: Any = 1.0, size: Any = None) -> Any:
    return state_lognormal(NUMPYS_OWN, mean, sigma, size)


@implements("numpy.random.standard_exponential")
def numpys_standard_exponential(size: Any = None) -> Any:
    return state_standard_exponential(NUMPYS_OWN, size)


@implements("numpy.random.exponential")
def numpys_exponential(scale: Any = 1.0, size: Any = None) -> Any:
    return state_exponential(NUMPYS_OWN, scale, size)


@implements("numpy.random.standard_gamma")
def numpys_standard_gamma(shape: Any, size: Any = None) -> Any:
    return state_standard_gamma(NUMPYS_OWN, shape, size)


@implements("numpy.random.gamma")
def numpys_gamma(shape: Any, scale: Any = 1.0, size: Any = None) -> Any:
    return state_gamma(NUMPYS_OWN, shape, scale, size)


@implements("numpy.random.beta")
def numpys_beta(a: Any, b: Any, size: Any = None) -> Any:
    return state_beta(NUMPYS_OWN, a, b, size)


@implements("numpy.random.chisquare")
def numpys_chisquare(df: Any, size: Any = None) -> Any:
    return state_chisquare(NUMPYS_OWN, df, size)


@implements("numpy.random.standard_t")
def numpys_standard_t(df: Any, size: Any = None) -> Any:
    return state_standard_t(NUMPYS_OWN, df, size)


@implements("numpy.random.pareto")
def numpys_pareto(a: Any, size: Any = None) -> Any:
    return state_pareto(NUMPYS_OWN, a, size)


@implements("numpy.random.weibull")
def numpys_weibull(a: Any, size: Any = None) -> Any:
    return state_weibull(NUMPYS_OWN, a, size)


@implements("numpy.random.power")
def numpys_power(a: Any, size: Any = None) -> Any:
    return state_power(NUMPYS_OWN, a, size)


@implements("numpy.random.rayleigh")
def numpys_rayleigh(scale: Any = 1.0, size: Any = None) -> Any:
    return state_rayleigh(NUMPYS_OWN, scale, size)


@implements("numpy.random.wald")
def numpys_wald(mean: Any, scale: Any, size: Any = None) -> Any:
    return state_wald(NUMPYS_OWN, mean, scale, size)


@implements("numpy.random.laplace")
def numpys_laplace(loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    return state_laplace(NUMPYS_OWN, loc, scale, size)


@implements("numpy.random.gumbel")
def numpys_gumbel(loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    return state_gumbel(NUMPYS_OWN, loc, scale, size)


@implements("numpy.random.logistic")
def numpys_logistic(loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    return state_logistic(NUMPYS_OWN, loc, scale, size)


@implements("numpy.random.triangular")
def numpys_triangular(left: Any, mode: Any, right: Any, size: Any = None) -> Any:
    return state_triangular(NUMPYS_OWN, left, mode, right, size)


@implements("numpy.random.poisson")
def numpys_poisson(lam: Any = 1.0, size: Any = None) -> Any:
    return state_poisson(NUMPYS_OWN, lam, size)


@implements("numpy.random.binomial")
def numpys_binomial(n: Any, p: Any, size: Any = None) -> Any:
    return state_binomial(NUMPYS_OWN, n, p, size)


@implements("numpy.random.randn")
def numpys_randn(*args: Any) -> Any:
    return state_randn(NUMPYS_OWN, *args)
