"""Programs in C, by clang for the host and for a device: the driver gives the host's results."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import numpy as np
import pytest
from support.toolchain import need

from support import cuda

SOURCE = Path(__file__).with_name("driver_program.c")
COMMON = ["-ffp-contract=off", str(SOURCE)]
COUNT = 1500


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> np.ndarray:
    library = tmp_path_factory.mktemp("host") / "program.so"
    subprocess.run([need("clang"), "-O1", "-shared", "-fPIC", *COMMON, "-o", library], check=True)
    values = np.zeros(COUNT, "u8")
    ctypes.CDLL(str(library)).scramble(ctypes.c_void_p(values.ctypes.data), ctypes.c_uint64(COUNT))
    return values


@pytest.mark.parametrize("level", ["-O0", "-O1", "-O3"])
def test_programs_of_another_compiler(level: str, expected: np.ndarray, tmp_path: Path) -> None:
    # Not every clang takes a version of PTX for itself that has the barrier.
    version = ["-Xclang", "-target-feature", "-Xclang", "+ptx70"]
    device = ["--target=nvptx64-nvidia-cuda", "-march=sm_80", *version, "-S"]
    text = tmp_path / "program.ptx"
    subprocess.run([need("clang"), level, *device, *COMMON, "-o", text], check=True)
    cuda.start()
    for seed in (0, 5):
        cuda.call("shapecastDriverSeed", seed)
        got = np.zeros(COUNT, "u8")
        values = [got, np.uint64(COUNT)]
        cuda.run(text.read_text(), "scramble", values, blocks=-(-COUNT // 96), threads=96)
        np.testing.assert_array_equal(got, expected)
    cuda.call("shapecastDriverSeed", 0)
    assert cuda.counters().divergent_branches > 1000
    n = 37
    a, b = np.random.default_rng(1).standard_normal((2, n, n)).astype("f4")
    product = np.zeros((n, n), "f4")
    values = [a, b, product, np.int32(n)]
    cuda.run(text.read_text(), "product", values, blocks=(3, 3), threads=(16, 16))
    np.testing.assert_allclose(product, a @ b, rtol=1e-4, atol=1e-5)
