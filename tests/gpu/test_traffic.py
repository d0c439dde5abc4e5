"""What kernels ask of memory, counted by the driver: figures of speed that need no GPU."""

from __future__ import annotations

import numpy as np
import pytest
from support.compare import jitted
from support.device_arrays import Transfer

from support import cuda

N = 256
LARGE = 1024
MULTIPROCESSORS = 132  # of an H100


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


def stencil(x, out):
    out[1:-1, 1:-1] = 0.25 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])


def test_a_stencil_reads_its_neighbours_from_the_cache() -> None:
    counters, sectors = counted(stencil, random(LARGE, LARGE), np.zeros((LARGE, LARGE)))
    assert counters.launches == 1
    assert counters.moved_sectors <= 1.15 * sectors


def transpose(x, out):
    out[:] = x.T


def transposed_sum(x, y, out):
    out[:] = x.T + y.T * 2.0


@pytest.mark.parametrize("dtype", ["f8", "f4", "i2", "?"])
@pytest.mark.parametrize("shape", [(N, N), (N, N // 2 + 32)])
def test_a_transpose_has_full_sectors_and_no_bank_conflicts(shape, dtype: str) -> None:
    x = (random(*shape) * 9 - 4).astype(dtype)
    counters, sectors = counted(transpose, x, np.zeros(shape[::-1], dtype))
    assert counters.launches == 1
    assert counters.sectors == counters.least_sectors == sectors
    assert counters.bank_conflicts == 0


def test_every_transposed_operand_goes_through_shared_memory() -> None:
    counters, sectors = counted(transposed_sum, random(N, N), random(N, N), np.zeros((N, N)))
    assert counters.sectors == counters.least_sectors == sectors
    assert counters.bank_conflicts == 0


def softmax(x, out):
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    out[:] = powers / powers.sum(axis=1, keepdims=True)


def test_softmax_is_one_launch_that_reads_rows_from_memory_once() -> None:
    """Beside x and the result, the powers are stored and read, and each block reads exp's table."""
    x = random(2 * N, 2 * N)
    counters, sectors = counted(softmax, x, np.zeros_like(x))
    assert counters.launches == 1
    assert counters.distinct_read <= 1.1 * sectors
    assert counters.moved_sectors <= 2.1 * sectors


def total(x):
    return x.sum()


def of_rows(x, out):
    out[:] = x.sum(axis=1)


def of_columns(x, out):
    out[:] = x.sum(axis=0)


REDUCTIONS = [
    (total, (LARGE, LARGE)),
    (of_rows, (LARGE, LARGE)),
    (of_columns, (LARGE, LARGE)),
    (of_rows, (LARGE * LARGE // 2, 2)),
    (of_rows, (4, LARGE * LARGE // 4)),
    (of_columns, (LARGE * LARGE // 2, 2)),
]


@pytest.mark.parametrize(("function", "shape"), REDUCTIONS)
def test_reductions_use_the_whole_device_and_read_each_element_once(function, shape) -> None:
    x = random(*shape)
    results = shape[0] if function is of_rows else shape[1]
    arguments = (x,) if function is total else (x, np.zeros(results))
    counters, sectors = counted(function, *arguments)
    # Partial sums of blocks are the rest.
    assert sectors <= counters.moved_sectors <= 1.05 * sectors
    assert counters.bank_conflicts == 0
    assert counters.blocks >= 2 * MULTIPROCESSORS


def test_whole_warps_take_the_same_branches() -> None:
    counters, _ = counted(chain, random(N, N), np.zeros((N, N)))
    assert counters.divergent_branches == 0
