"""Numba: the plain source and, where there is one, the port to loops; serial, with fastmath, and
with parallel=True where all cores are used.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from bench.kernel import Kernel
from bench.peers.contestant import Contestant, version_of
from bench.peers.loops import LOOPS
from bench.peers.single import enter, in_single, own_globals

NAME = "numba"
version = partial(version_of, "numba")


def compiled(f: Callable[..., Any], dtype: str, **options: Any) -> Callable[..., Any]:
    from numba import njit

    source = own_globals(in_single(f) if dtype == "float32" else f)
    made = njit(**options)(source)
    source.__globals__[f.__name__] = made  # one that calls itself calls the compiled one
    return made


def monte_carlo_pi(rng, draws):
    inside = 0
    for _ in range(draws):
        x, y = rng.random(), rng.random()
        inside += x * x + y * y < 1.0
    return 4.0 * inside / draws


def random_walk(rng, steps):
    place = 0.0
    highest = 0.0
    for _ in range(steps):
        place += rng.normal()
        highest = max(highest, place)
    return highest


def pi_by_arrays(rng, draws):
    x = rng.random(draws)
    y = rng.random(draws)
    inside = 0
    for i in range(draws):
        inside += x[i] * x[i] + y[i] * y[i] < 1.0
    return 4.0 * inside / draws


# Numba takes generators as arguments, but makes none.
WITH_GENERATOR = {
    "monte carlo pi": monte_carlo_pi,
    "random walk": random_walk,
    "pi by arrays": pi_by_arrays,
}


def with_generator(f: Callable[..., Any]) -> Callable[..., Any]:
    import numpy as np

    made = compiled(f, "float64")
    return lambda *arguments: made(np.random.default_rng(7), *arguments)


def contestants(kernel: Kernel, dtype: str, threads: int) -> list[Contestant]:
    if f := WITH_GENERATOR.get(kernel.name):
        return [Contestant("numba generator", partial(with_generator, f))]
    best = LOOPS.get(kernel.name, kernel.plain)
    own = partial(Contestant, enter=partial(enter, dtype=dtype))
    found = [own("numba", partial(compiled, kernel.plain, dtype))]
    if best is not kernel.plain:
        found.insert(0, own("numba loops", partial(compiled, best, dtype)))
    found.append(own("numba fastmath", partial(compiled, best, dtype, fastmath=True), relaxed=True))
    if threads > 1:
        build = partial(compiled, best, dtype, parallel=True)
        vain = "no transformation for parallel execution"
        found.append(own("numba parallel", build, relaxed=True, vain_if=vain))
    return found
