"""`.venv/bin/python tests/gpu/driver/speed.py`: lane instructions that the driver runs a second."""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import numpy as np
from shapecast import jit
from support.device_arrays import Transfer

from support import cuda


@jit
def chain(x, out):
    out[:] = np.sqrt(x * x + 1.0) * 2.0 - x / 3.0 + np.abs(x)


@jit
def softmax(x, out):
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    out[:] = powers / powers.sum(axis=1, keepdims=True)


@jit
def stencil(x, out):
    out[1:-1, 1:-1] = 0.25 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])


def main() -> None:
    for function in (chain, softmax, stencil):
        x = np.random.default_rng(1).standard_normal((120, 1000))
        cuda.start()
        arguments = Transfer().send((x, np.zeros_like(x)))
        function(*arguments)  # the parser and the first touch of memory, too
        cuda.call("cuCtxSynchronize")
        cuda.call("shapecastDriverReset")
        start = time.perf_counter()
        function(*arguments)
        cuda.call("cuCtxSynchronize")
        seconds = time.perf_counter() - start
        count = cuda.counters().lane_instructions
        rate = count / seconds / 1e6
        print(f"{function.__name__:8} {rate:6.0f} million a second ({count:,} in {seconds:.2f} s)")


if __name__ == "__main__":
    main()
