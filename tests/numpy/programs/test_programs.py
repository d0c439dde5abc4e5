"""Whole programs, written as people write NumPy: plain and under jit, two sizes, two dtypes."""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from support.compare import check
from support.ulp import exact

sys.path.insert(0, str(Path(__file__).parent))

import dynamics
import fractals
import graphs
import grids
import images
import learning
import linear_systems
import numerics
import sequences
import signals
from fails import FAILS
from program import Program, close, wide_results

MODULES = (
    dynamics, fractals, graphs, grids, images, learning, linear_systems, numerics, sequences,
    signals,
)  # fmt: skip


def cases() -> Iterator[object]:
    for module in MODULES:
        for program in module.PROGRAMS:
            for dtype in program.dtypes:
                name = f"{program.function.__name__}-{np.dtype(dtype).name}"
                reason = FAILS.get(name, FAILS.get(program.function.__name__))
                # A crash would take pytest along.
                run = reason is None or not reason.startswith("crash")
                marks = [pytest.mark.xfail(strict=True, reason=reason, run=run)] if reason else []
                yield pytest.param(program, dtype, id=name, marks=marks)


@pytest.mark.parametrize(("program", "dtype"), list(cases()))
def test_program_does_under_jit_what_it_does_plain(program: Program, dtype: type) -> None:
    for size in program.sizes:
        rng = np.random.default_rng(size)
        arguments = program.arguments(size, dtype, rng)
        wide = partial(wide_results, program.function, copy.deepcopy(arguments))
        tolerance = close(program.eps, dtype, wide) if program.eps else exact
        check(program.function, *arguments, tol=tolerance)
