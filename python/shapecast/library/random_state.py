"""np.random's functions of the legacy state, as far as they draw from its bits alone.

What also draws from the normal number that the state keeps (randn, normal ...) is called out.
"""

# mypy: disable-error-code="assignment"
from __future__ import annotations

from typing import Any

import numpy as np

from . import implements
from .random import bounded, is_number, parameter, real, standard

NUMPYS_OWN = 0  # the state behind np.random.rand and the like
STATE = "numpy.random.mtrand.RandomState."


def uniform_of(state: Any, low: Any, high: Any, size: Any) -> Any:
    low = parameter(low)
    span = np.subtract(parameter(high), low)
    if is_number((low, span)):
        span = float(span)
    if not np.all(np.isfinite(span)):
        raise OverflowError("Range exceeds valid bounds")
    return real(state, "uniform", (low, span), size)


@implements(STATE + "random_sample", STATE + "random")
def state_random(self: Any, size: Any = None) -> Any:
    return standard(self, "standard_uniform", "random_sample", size)


@implements(STATE + "rand")
def state_rand(self: Any, *sizes: Any) -> Any:
    return standard(self, "standard_uniform", "rand", sizes if sizes else None)


@implements(STATE + "uniform")
def state_uniform(self: Any, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
    return uniform_of(self, low, high, size)


@implements(STATE + "randint")
def state_randint(
    self: Any, low: Any, high: Any = None, size: Any = None, dtype: Any = int
) -> Any:
    return bounded(self, low, high, size, dtype, False, 1)


@implements(
    "numpy.random.random_sample",
    "numpy.random.random",
    "numpy.random.ranf",
    "numpy.random.sample",
)
def numpys_random(size: Any = None) -> Any:
    return standard(NUMPYS_OWN, "standard_uniform", "random_sample", size)


@implements("numpy.random.rand")
def numpys_rand(*sizes: Any) -> Any:
    return standard(NUMPYS_OWN, "standard_uniform", "rand", sizes if sizes else None)


@implements("numpy.random.uniform")
def numpys_uniform(low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
    return uniform_of(NUMPYS_OWN, low, high, size)


@implements("numpy.random.randint")
def numpys_randint(low: Any, high: Any = None, size: Any = None, dtype: Any = int) -> Any:
    return bounded(NUMPYS_OWN, low, high, size, dtype, False, 1)
