"""Machine code of kernels, as the driver links it, in the cache on disk."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support import cuda

PROGRAM = """
import json, numpy as np, shapecast
@shapecast.jit
def f(x):
    return np.exp(x) * 2, x.sum()
device = shapecast.devices()[-1]
for _ in range(2):
    result, total = f(shapecast.to_device(np.zeros(5), device))
assert np.asarray(result).tolist() == [2] * 5 and float(total) == 0
print(json.dumps(shapecast._core.cache_statistics()))
"""


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., dict[str, int]]:
    file = tmp_path / "program.py"
    file.write_text(textwrap.dedent(PROGRAM))

    def in_a_process(**environment: str) -> Any:
        known = {
            "SHAPECAST_CUDA_DRIVER": str(cuda.library()._name),
            "SHAPECAST_CACHE_DIR": str(tmp_path / "cache"),
        }
        done = subprocess.run(
            [sys.executable, file],
            env=os.environ | known | environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return in_a_process


def test_a_later_process_finds_the_machine_code(run, tmp_path):
    first, second = run(), run()
    assert first["compiled"] == 1 and second["direct"] == 1
    assert second["stores"] == second["misses"] == 0
    images = [f for f in (tmp_path / "cache").iterdir() if b"\x7fELF-SHAPECAST" in f.read_bytes()]
    assert len(images) == 1
    images[0].unlink()
    again = run()
    assert again["stores"] == again["misses"] == 1  # the kernels alone
    listing = subprocess.run(
        [sys.executable, "-m", "shapecast", "cache", "list"],
        env=os.environ | {"SHAPECAST_CACHE_DIR": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "f_kernel0 on " in listing


def test_another_driver_makes_its_own(run):
    run()
    newer = run(SHAPECAST_DRIVER_VERSION="13000")
    assert newer["direct"] == 1 and newer["stores"] == newer["misses"] == 1
    assert run(SHAPECAST_DRIVER_VERSION="13000")["stores"] == 0
    assert run()["stores"] == 0


def test_code_that_the_driver_refuses_is_dropped_and_made_anew(run):
    run()
    refused = run(SHAPECAST_DRIVER_REFUSES_IMAGES="1")  # the text is loaded
    assert refused["damaged"] == 1 and refused["stores"] == 0
    again = run()
    assert again["damaged"] == 0 and again["stores"] == 1
    assert run()["stores"] == 0


def test_devices_of_one_kind_share_it(run):
    of_cuda_1 = run(SHAPECAST_DRIVER_DEVICES="2")
    of_cuda_0 = run(SHAPECAST_DRIVER_DEVICES="1")
    assert of_cuda_0["compiled"] == 1  # the host's code is another, the machine code is found
    assert of_cuda_0["stores"] < of_cuda_1["stores"]


def test_nothing_is_kept_without_a_cache(run):
    assert run(SHAPECAST_CACHE_DIR="off")["stores"] == 0
