"""What a kernel of the bench is, and how the arguments of most are made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Generator = np.random.Generator
Arguments = Callable[[int, Generator, np.dtype], tuple]
Count = Callable[[int], float]

FLOATS = ("float64", "float32")


@dataclass(frozen=True)
class Kernel:
    """Plain NumPy, written once: NumPy and shapecast run it as it stands, peers it or a port."""

    name: str
    kind: str
    plain: Callable[..., Any]
    arguments: Arguments
    sizes: tuple[int, int, int]  # for the caches L1 or L2, L3, and for memory (or simply larger)
    # The roofline minimum of work at size n: items read and written once where they come
    # from memory, and arithmetic operations (exp and the like count as one). 0: no roofline.
    items: Count
    flops: Count
    # Largest difference in float64 relative to the largest number; 0: the bits must be NumPy's.
    tolerance: float = 1e-12
    dtypes: tuple[str, ...] = FLOATS
    changes: tuple[int, ...] = ()  # arguments whose final values are a result
    slow_numpy: bool = False  # loops over scalars: NumPy runs once, as Python
    streaming: bool = False  # memory-bound: at the size for memory it should run like a copy
    tiny: int = 16  # the size of tests

    def make(self, n: int, dtype: str) -> tuple:
        return self.arguments(n, np.random.default_rng(1), np.dtype(dtype))

    def tolerance_for(self, dtype: str) -> float:
        """In float32 the same number of last places, but at most 1e-2 of what is largest."""
        if dtype != "float32":
            return self.tolerance
        return min(self.tolerance * np.finfo(np.float32).eps / np.finfo(np.float64).eps, 1e-2)


def uniform(rng: Generator, shape: Any, dtype: np.dtype, low: float = 0.1, high: float = 2.0):
    return rng.uniform(low, high, shape).astype(dtype, copy=False)


def normal(rng: Generator, shape: Any, dtype: np.dtype):
    return rng.standard_normal(shape).astype(dtype, copy=False)


def vectors(count: int, low: float = 0.1, high: float = 2.0) -> Arguments:
    return lambda n, rng, dtype: tuple(uniform(rng, n, dtype, low, high) for _ in range(count))


def square(rng: Generator, n: int, dtype: np.dtype):
    return uniform(rng, (n, n), dtype, 0.0, 1.0)


def steps_for(points: float) -> int:
    """Even, and so many that small grids take a while and large ones do not take minutes."""
    return int(min(20, max(2, 2_000_000 // max(points, 1)))) // 2 * 2


def grids(rank: int, count: int = 2) -> Arguments:
    """Equal grids and a number of steps, which depends on the points of a grid."""

    def make(n: int, rng: Generator, dtype: np.dtype) -> tuple:
        a = uniform(rng, (n,) * rank, dtype, 0.0, 1.0)
        return a, *(a.copy() for _ in range(count - 1)), steps_for(n**rank)

    return make


def none(n: int) -> float:
    """For kernels without a useful roofline: their work depends on the data, or is a library's."""
    return 0.0
