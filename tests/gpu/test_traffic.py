"""What kernels ask of memory, counted by the driver: figures of speed that need no GPU."""

from __future__ import annotations

import numpy as np
import pytest
from support.compare import jitted
from support.device_arrays import Transfer

from support import cuda

N = 256


def random(*shape: int) -> np.ndarray:
    return np.random.default_rng(1).random(shape)


def counted(function, *arguments: np.ndarray) -> tuple[cuda.Counters, int]:
    """The counters of a call, and how many sectors the arguments have."""
    cuda.start()
    jitted(function)(*Transfer().send(arguments))
    cuda.call("cuCtxSynchronize")
    return cuda.counters(), sum(a.nbytes for a in arguments) // 32


def chain(x, out):
    out[:] = np.sqrt(np.abs(x * 2.0 + 1.0)) * 0.5 - np.maximum(x, 0.1) / 3.0 + x * x


def every_other(x, out):
    out[:] = x[::2] * 2.0


@pytest.mark.parametrize("shape", [(N * N,), (N, N), (8, N // 8, N)])
def test_a_fused_chain_moves_each_sector_once(shape: tuple[int, ...]) -> None:
    """Ten operations are one launch that reads its operand and writes its result."""
    counters, sectors = counted(chain, random(*shape), np.zeros(shape))
    assert counters.launches == 1
    assert counters.sectors == counters.least_sectors == sectors
    assert (counters.distinct_read, counters.distinct_written) == (sectors // 2, sectors // 2)


def test_strides_read_the_sectors_that_they_touch() -> None:
    counters, sectors = counted(every_other, random(N * N), np.zeros(N * N // 2))
    assert counters.sectors == sectors


def total(x):
    return x.sum()


def of_rows(x, out):
    out[:] = x.sum(axis=1)


def of_columns(x, out):
    out[:] = x.sum(axis=0)


@pytest.mark.parametrize("function", [total, of_rows, of_columns])
def test_reductions_read_each_element_once(function) -> None:
    x = random(N, N)
    arguments = (x,) if function is total else (x, np.zeros(N))
    counters, _ = counted(function, *arguments)
    sectors = x.nbytes // 32
    # Partial sums of blocks and the results are the rest.
    assert sectors <= counters.sectors <= 1.05 * sectors
    assert counters.bank_conflicts == 0


def test_whole_warps_take_the_same_branches() -> None:
    counters, _ = counted(chain, random(N, N), np.zeros((N, N)))
    assert counters.divergent_branches == 0
