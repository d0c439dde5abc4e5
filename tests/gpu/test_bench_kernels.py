"""The benchmark's kernels that compile for a device: the driver knows all of their instructions,
and their registers are enough.
"""

from __future__ import annotations

import functools
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from gpu.test_ptx import assemble
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


@functools.cache
def compiled() -> dict[str, str]:
    return {name: text for name in KERNELS if (text := text_of(name)) and ".entry" in text}


def test_the_driver_knows_all_instructions() -> None:
    cuda.start()
    texts = compiled()
    for text in texts.values():
        cuda.call("cuModuleUnload", cuda.load(text))
    assert len(texts) >= COMPILED, sorted(texts)


# On sm_80 the assembler keeps a register of some kernels on the stack around its own function for
# divisions.
SPILLED_AROUND_DIVISIONS = 8


@pytest.mark.parametrize(("target", "most"), [("sm_80", SPILLED_AROUND_DIVISIONS), ("sm_90", 0)])
def test_no_kernel_spills_registers(target: str, most: int, tmp_path: Path) -> None:
    """By NVIDIA's assembler."""
    spilled = {}
    for name, text in compiled().items():
        report = assemble(text, tmp_path, target)
        spills = re.findall(r"(\d+) bytes spill (?:stores|loads)", report)
        assert spills
        if max(map(int, spills)) > most:
            spilled[name] = max(map(int, spills))
    assert spilled == {}
