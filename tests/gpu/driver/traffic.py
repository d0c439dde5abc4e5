"""`.venv/bin/python tests/gpu/driver/traffic.py`: what kernels ask of memory."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import numpy as np
from shapecast import jit
from support.device_arrays import Transfer

from support import cuda

N = int(sys.argv[1]) if len(sys.argv) > 1 else 512


def chain(x, out):
    out[:] = np.sqrt(np.abs(x * 2.0 + 1.0)) * 0.5 - np.maximum(x, 0.1) / 3.0 + x * x


def stencil(x, out):
    out[1:-1, 1:-1] = 0.25 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])


def softmax(x, out):
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    out[:] = powers / powers.sum(axis=1, keepdims=True)


def transpose(x, out):
    out[:] = x.T


def total(x):
    return x.sum()


def of_rows(x, out):
    out[:] = x.sum(axis=1)


def of_columns(x, out):
    out[:] = x.sum(axis=0)


def random(*shape: int) -> np.ndarray:
    return np.random.default_rng(1).random(shape)


CASES = [
    (chain, random(N, N), np.zeros((N, N))),
    (stencil, random(N, N), np.zeros((N, N))),
    (softmax, random(N, N), np.zeros((N, N))),
    (transpose, random(N, N), np.zeros((N, N))),
    (total, random(N, N)),
    (of_rows, random(N, N), np.zeros(N)),
    (of_columns, random(N, N), np.zeros(N)),
    (of_rows, random(N * N // 2, 2), np.zeros(N * N // 2)),
    (of_rows, random(4, N * N // 4), np.zeros(4)),
]


def main() -> None:
    for function, *arguments in CASES:
        cuda.start()
        jit(function)(*Transfer().send(tuple(arguments)))
        cuda.call("cuCtxSynchronize")
        counted, sectors = cuda.counters(), sum(a.nbytes for a in arguments) / 32
        print(
            f"{function.__name__:10} {arguments[0].shape!s:12} {counted.launches} launches,"
            f" {counted.blocks:5} blocks, sectors {counted.sectors / sectors:.2f}, moved"
            f" {counted.moved_sectors / sectors:.2f},"
            f" least {counted.least_sectors / sectors:.2f},"
            f" bank conflicts {counted.bank_conflicts}, divergent {counted.divergent_branches}"
        )


if __name__ == "__main__":
    main()
