"""f.ptx: text that NVIDIA's assembler accepts, for every kernel of these tests."""

from __future__ import annotations

import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from gpu.cases import CASES
from shapecast import jit, spec
from shapecast._jit import OnDevice
from support.compare import jitted
from support.toolchain import missing


def ptxas() -> str:
    """The assembler on PATH, or the one of the package nvidia-cuda-nvcc-cu12."""
    found = shutil.which("ptxas")
    package = find_spec("nvidia.cuda_nvcc") if find_spec("nvidia") else None
    if not found and package:
        found = shutil.which(
            "ptxas", path=str(Path(next(iter(package.submodule_search_locations))) / "bin")
        )
    return found or missing("no ptxas: pip install nvidia-cuda-nvcc-cu12")


def assemble(text: str, folder: Path, target: str | None = None) -> str:
    """What the assembler says of each kernel: registers, memory, spills."""
    target = target or re.search(r"^\.target (\w+)", text, re.M).group(1)
    (folder / "kernels.ptx").write_text(text)
    done = subprocess.run(
        [ptxas(), "-v", f"-arch={target}", "kernels.ptx", "-o", "kernels.cubin"],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.mark.parametrize("name", CASES)
def test_assembler_accepts_kernels(name, tmp_path):
    function, arguments = CASES[name]
    described = [OnDevice(a, 0) if isinstance(a, np.ndarray) else a for a in arguments]
    for target in ("sm_80", "sm_90"):
        text = jitted(function).ptx(*described, target=target)
        assert ".visible .entry" in text
        assemble(text, tmp_path)


def device(dtype, ndim=1):
    return spec(dtype, ndim, device="cuda:0")


# dtypes of NumPy, with an operation each that all of them have
@pytest.mark.parametrize("dtype", "? b h i q B H I Q e f d F D".split())
def test_assembler_accepts_every_dtype(dtype, tmp_path):
    def largest_and_equal(x, y):
        return (x == y), np.where(x != y, x, y), x.any(axis=1), x.any()

    assemble(jitted(largest_and_equal).ptx(device(dtype, 2), device(dtype, 2)), tmp_path)


LIBRARY = {
    "products": lambda a, m, x, i: a @ a,
    "products with vectors": lambda a, m, x, i: (a @ x, x @ a, x @ x),
    "masks": lambda a, m, x, i: (x[m], np.flatnonzero(m)),
    "masks of rows": lambda a, m, x, i: a[m],
    "searches": lambda a, m, x, i: (np.searchsorted(x, x), np.searchsorted(i, i)),
    "sorts": lambda a, m, x, i: np.sort(a),
    "argsorts": lambda a, m, x, i: np.argsort(a),
    "scans": lambda a, m, x, i: (np.cumsum(a), np.cumprod(x), np.maximum.accumulate(a)),
    "counts": lambda a, m, x, i: (np.bincount(i), np.bincount(i, i), np.histogram(i)),
    "ufuncs at indices": lambda a, m, x, i: (np.add.at(x, i, x[i]), np.maximum.at(x, i, x[i])),
    "index arrays": lambda a, m, x, i: (x[i], a[i, i]),
}


# kernels in C++ (src/kernels)
@pytest.mark.parametrize("dtype", "? b h i q e f d F D".split())
@pytest.mark.parametrize("name", LIBRARY)
def test_kernels_of_the_library_are_assembled_without_spills(name, dtype, tmp_path):
    f = jitted(LIBRARY[name])
    text = f.ptx(device(dtype, 2), device("?"), device(dtype), device("q"))
    assert re.search(r"^// sc_", text, re.M)
    report = assemble(text, tmp_path)
    assert report.count(" 0 bytes spill stores, 0 bytes spill loads") == text.count(".entry")


@jit
def scaled(x, a):
    return x * a + 1


def test_text_names_target_and_launch():
    text = scaled.ptx(device("f4"), 2.0)
    assert ".version 7.0\n.target sm_80\n" in text
    assert re.match(
        r"// scaled_kernel0\(x, array0, s0, .*, a\): threads 256 x 1, blocks .* x 1\n", text
    )
    assert text.count(".entry") == 1
    assert ".target sm_90\n" in scaled.ptx(device("f4"), 2.0, target="sm_90")
    assert scaled.ptx(x=device("f4"), a=2.0) == text


def test_products_and_sums_are_rounded_each():
    text = scaled.ptx(device("f8"), 2.0)
    assert "mul.rn.f64" in text and "add.rn.f64" in text and "fma" not in text


def test_unknown_targets_are_refused():
    with pytest.raises(ValueError, match="no architecture is named sm_1;"):
        scaled.ptx(device("f4"), 2.0, target="sm_1")
    with pytest.raises(TypeError, match="target= takes a string"):
        scaled.ptx(device("f4"), 2.0, target=80)


def test_ptx_of_host_arrays_is_an_error():
    with pytest.raises(TypeError, match="needs an array on a device"):
        scaled.ptx(spec("f4", 1), 2.0)


def test_host_loops_are_outside_of_kernels():
    @jit
    def jacobi(a, b, steps):
        for _ in range(steps):
            b[1:-1] = 0.25 * (a[:-2] + 2 * a[1:-1] + a[2:])
            a, b = b, a
        return a

    assert jacobi.ptx(device("f8"), device("f8"), 10).count(".entry") == 1


def test_stages_show_kernels():
    stages = scaled.stages(device("f4"), 2.0)
    assert "module @kernels" in stages["loops"]
    assert "func.func @scaled_kernel0(" in stages["loops"]
    assert "nvvm.kernel" in stages["llvm"] and "// .visible .entry" in stages["llvm"]
