"""np.random's functions of the legacy RandomState that use its bits alone; state_distributions.py
has those that may also use the normal number that the state caches.
"""

# mypy: disable-error-code="assignment"
from __future__ import annotations

from typing import Any

import numpy as np

from . import implements
from .primitives import unsupported
from .random import (
    bounded,
    is_number,
    parameter,
    permutation,
    picked,
    population,
    real,
    shuffle,
    standard,
    weighted,
)

NUMPYS_OWN = 0  # the state behind np.random.rand and the like


def uniform_of(state: Any, low: Any, high: Any, size: Any) -> Any:
    low = parameter(low)
    span = np.subtract(parameter(high), low)
    if is_number((low, span)):
        span = float(span)
    if not np.all(np.isfinite(span)):
        raise OverflowError("Range exceeds valid bounds")
    return real(state, "uniform", (low, span), size)


CHOICE_ERRORS = (
    "a must be greater than 0 unless no samples are taken",
    "'a' cannot be empty unless no samples are taken",
    "'p' must be 1-dimensional",
    "'a' and 'p' must have same size",
    "probabilities contain NaN",
    "probabilities are not non-negative",
    "probabilities do not sum to 1",
)


def choice_of(state: Any, a: Any, size: Any, replace: Any, p: Any) -> Any:
    if np.ndim(a) > 1:
        raise ValueError("a must be 1-dimensional")
    count = population(a, 0, size, CHOICE_ERRORS)
    if not replace:
        if p is not None:
            unsupported("choice with probabilities and without replacement")
        return picked(a, different_of(state, count, size), 0)
    if p is not None:
        return picked(a, weighted(state, count, size, p, CHOICE_ERRORS), 0)
    return picked(a, bounded(state, 0, count, size, np.int64, False, 1), 0)


def permutation_of(state: Any, x: Any) -> Any:
    if np.ndim(x) == 0 and not np.issubdtype(np.asarray(x).dtype, np.integer):
        raise IndexError("x must be an integer or at least 1-dimensional")
    return permutation(state, int(x) if np.ndim(x) == 0 else x)


def different_of(state: Any, count: Any, size: Any) -> Any:
    number = 1 if size is None else int(np.prod(size))
    if number > count:
        raise ValueError("Cannot take a larger sample than population when 'replace=False'")
    if number < 0:
        raise ValueError("Negative dimensions are not allowed")
    indices = np.empty(number, np.int64)
    order = permutation(state, count)
    for i in range(number):
        indices[i] = order[i]
    return indices[0] if size is None else np.reshape(indices, size)


@implements(
    "numpy.random.mtrand.RandomState.random_sample", "numpy.random.mtrand.RandomState.random"
)
def state_random(self: Any, size: Any = None) -> Any:
    return standard(self, "standard_uniform", "random_sample", size)


@implements("numpy.random.mtrand.RandomState.rand")
def state_rand(self: Any, *args: Any) -> Any:
    return standard(self, "standard_uniform", "rand", args if args else None)


@implements("numpy.random.mtrand.RandomState.uniform")
def state_uniform(self: Any, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
    return uniform_of(self, low, high, size)


@implements("numpy.random.mtrand.RandomState.randint")
def state_randint(self: Any, low: Any, high: Any = None, size: Any = None, dtype: Any = int) -> Any:
    return bounded(self, low, high, size, dtype, False, 1)


@implements("numpy.random.mtrand.RandomState.shuffle")
def state_shuffle(self: Any, x: Any) -> Any:
    shuffle(self, x)


@implements("numpy.random.mtrand.RandomState.permutation")
def state_permutation(self: Any, x: Any) -> Any:
    return permutation_of(self, x)


@implements("numpy.random.mtrand.RandomState.choice")
def state_choice(self: Any, a: Any, size: Any = None, replace: Any = True, p: Any = None) -> Any:
    return choice_of(self, a, size, replace, p)


@implements("numpy.random.random_sample", "numpy.random.random")
def numpys_random(size: Any = None) -> Any:
    return standard(NUMPYS_OWN, "standard_uniform", "random_sample", size)


@implements("numpy.random.ranf", "numpy.random.sample")
def numpys_sample(*args: Any, **kwargs: Any) -> Any:
    return numpys_random(*args, **kwargs)


@implements("numpy.random.rand")
def numpys_rand(*args: Any) -> Any:
    return standard(NUMPYS_OWN, "standard_uniform", "rand", args if args else None)


@implements("numpy.random.uniform")
def numpys_uniform(low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
    return uniform_of(NUMPYS_OWN, low, high, size)


@implements("numpy.random.randint")
def numpys_randint(low: Any, high: Any = None, size: Any = None, dtype: Any = int) -> Any:
    return bounded(NUMPYS_OWN, low, high, size, dtype, False, 1)


@implements("numpy.random.shuffle")
def numpys_shuffle(x: Any) -> Any:
    shuffle(NUMPYS_OWN, x)


@implements("numpy.random.permutation")
def numpys_permutation(x: Any) -> Any:
    return permutation_of(NUMPYS_OWN, x)


@implements("numpy.random.choice")
def numpys_choice(a: Any, size: Any = None, replace: Any = True, p: Any = None) -> Any:
    return choice_of(NUMPYS_OWN, a, size, replace, p)
