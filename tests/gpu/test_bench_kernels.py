"""The benchmark's kernels that compile for a device: the driver knows all of their instructions."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from shapecast import UnsupportedError, jit
from shapecast._jit import OnDevice

from support import cuda

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.kernels import KERNELS

# What compiles today; a kernel that no longer does is a loss.
COMPILED = 50


def text_of(name: str) -> str | None:
    kernel = KERNELS[name]
    arguments = kernel.arguments(kernel.tiny, np.random.default_rng(1), np.dtype("float64"))
    described = [OnDevice(a, 0) if isinstance(a, np.ndarray) else a for a in arguments]
    try:
        return jit(kernel.plain).ptx(*described)
    except UnsupportedError:
        return None
    except TypeError:  # no array among the arguments
        return None


def test_the_driver_knows_all_instructions() -> None:
    cuda.start()
    texts = {name: text for name in KERNELS if (text := text_of(name)) and ".entry" in text}
    for text in texts.values():
        cuda.call("cuModuleUnload", cuda.load(text))
    assert len(texts) >= COMPILED, sorted(texts)
