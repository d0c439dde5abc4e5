"""A sweep over parameters on a pool of processes: an epidemic for each pair of rates.

The workers are started afresh (`spawn`); they find the function by its name, and its code in the
cache on disk.
"""

import itertools
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
from _cluster import WORKERS, compare
from _common import size
from shapecast import jit

DAYS, STEPS = 200, 20


def epidemic(infection, recovery):
    """Susceptible, infected and recovered parts of a population: the peak, its day, and the end."""
    s, i, r = 0.999, 0.001, 0.0
    peak, when = i, 0.0
    for step in range(DAYS * STEPS):
        new, gone = infection * s * i / STEPS, recovery * i / STEPS
        s, i, r = s - new, i + new - gone, r + gone
        if i > peak:
            peak, when = i, step / STEPS
    return peak, when, r


fast_epidemic = jit(epidemic)


def rows(f, grid):
    return np.array([f(infection, recovery) for infection, recovery in grid])


def plain_rows(grid):
    return rows(epidemic, grid)


def fast_rows(grid):
    return rows(fast_epidemic, grid)


def main():
    n = size(24)
    grid = list(itertools.product(np.linspace(0.1, 0.8, n), np.linspace(0.05, 0.3, n)))
    chunks = [grid[k::WORKERS] for k in range(WORKERS)]
    with ProcessPoolExecutor(WORKERS, mp_context=get_context("spawn")) as pool:
        tasks = {epidemic: plain_rows}
        table = compare(
            "sweep",
            epidemic,
            lambda f: np.concatenate(list(pool.map(tasks.get(f, fast_rows), chunks))),
        )
    worst = table[table[:, 0].argmax()]
    print(f"{len(table)} epidemics; the worst has {worst[0]:.0%} infected on day {worst[1]:.0f}")


if __name__ == "__main__":
    main()
