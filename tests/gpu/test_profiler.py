"""Ranges for profilers: each launch is one, named by the kernel, what it computes and its lines."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from support.toolchain import need

from support import cuda

PROGRAM = """
import numpy as np, shapecast

@shapecast.jit
def f(x, n):
    for k in range(n):
        x += 1
    return x.sum(axis=1) * 2, x.sum() > 3

x = shapecast.to_device(np.ones((4, 50)))
for _ in range(2):
    print(np.asarray(f(x, 3)[0]).tolist())
"""


@pytest.fixture(scope="module")
def profiler(tmp_path_factory):
    library = tmp_path_factory.mktemp("profiler") / "profiler.so"
    source = Path(__file__).with_name("profiler.c")
    flags = ["-shared", "-fPIC", "-Wall", "-Werror"]
    subprocess.run([need("clang"), *flags, source, "-o", library], check=True)
    return library


def run(folder, **environment):
    """What the program prints, and the lines that the profiler wrote."""
    file, ranges = folder / "program.py", folder / "ranges"
    file.write_text(textwrap.dedent(PROGRAM))
    known = {"SHAPECAST_CUDA_DRIVER": str(cuda.library()._name), "RANGES": str(ranges)}
    done = subprocess.run(
        [sys.executable, file], env=os.environ | known | environment, capture_output=True, text=True
    )
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout, ranges.read_text().splitlines() if ranges.exists() else []


def test_each_launch_is_a_range_with_its_work_and_lines(profiler, tmp_path):
    _, (domain, *ranges) = run(tmp_path, NVTX_INJECTION64_PATH=str(profiler))
    assert domain == "domain shapecast"
    pushed, popped = ranges[::2], ranges[1::2]
    assert popped == ["pop"] * len(pushed)
    half = len(pushed) // 2  # the second call is as the first
    assert pushed[:half] == pushed[half:]
    step = "push 0 f_kernel0: s0 x s1 elements, 1 operation each (line 7)"
    assert pushed[:3] == [step] * 3 and pushed.count(step) == 6
    assert any("sums along s1 of s0 x s1 elements" in name for name in pushed)


def test_kernels_from_disk_have_the_same_ranges(profiler, tmp_path):
    listens = {
        "NVTX_INJECTION64_PATH": str(profiler),
        "SHAPECAST_CACHE_DIR": str(tmp_path / "cache"),
    }
    first, second = (run(tmp_path, **listens)[1] for _ in range(2))
    assert first == second and len(first) > 10


@pytest.mark.parametrize(
    "environment",
    [{}, {"NVTX_INJECTION64_PATH": "/nowhere.so"}, {"NVTX_INJECTION64_PATH": ""}, {"REFUSE": "1"}],
)
def test_without_a_profiler_that_listens_there_are_no_ranges(profiler, tmp_path, environment):
    if "REFUSE" in environment:
        environment = environment | {"NVTX_INJECTION64_PATH": str(profiler)}
    printed, ranges = run(tmp_path, **environment)
    assert ranges == [] and printed.startswith("[400.0, 400.0, 400.0, 400.0]\n")


def test_a_profiler_changes_no_result(profiler, tmp_path):
    assert run(tmp_path)[0] == run(tmp_path, NVTX_INJECTION64_PATH=str(profiler))[0]
