"""Every example runs on a small size, and the notebook's cells run in order."""

from __future__ import annotations

import ast
import json
import linecache
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import shapecast

from support import cuda

EXAMPLES = Path(__file__).parents[2] / "examples"
SMALL = {
    "mandelbrot": 40,
    "heat": 24,
    "nbody": 12,
    "life": 20,
    "black_scholes": 500,
    "floyd_warshall": 30,
    "lu_cholesky": 20,
    "pagerank": 200,
    "bootstrap": 60,
    "neural_net": 10,
    "routes": 20,
    "ledger": 500,
    "shop": 500,
    "precompile": 40,
}
ON_CLUSTER = {"sweep": (4, ()), "images": (24, ("distributed",)), "stencil": (64, ("distributed",))}
ON_GPU = {"heat": 24, "mandelbrot": 36, "black_scholes": 500, "nbody": 12, "image": 32}


def test_every_example_is_run_here() -> None:
    scripts = {p.stem for p in EXAMPLES.glob("*.py") if not p.stem.startswith("_")}
    on_cluster = {f"cluster_{name}" for name in ON_CLUSTER}
    assert scripts == {*SMALL, *(f"gpu_{name}" for name in ON_GPU), *on_cluster}


def run(name: str, size: int, **environment: str) -> str:
    package = str(Path(shapecast.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / f"{name}.py"), str(size)],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": package, **environment},
    )
    assert done.returncode == 0 and not done.stderr, done.stdout + done.stderr
    return done.stdout


def test_quickstart_needs_no_checkout_and_writes_pictures(tmp_path: Path) -> None:
    package = str(Path(shapecast.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-m", "shapecast.examples.quickstart", "pictures"],
        capture_output=True,
        text=True,
        timeout=300,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": package},
    )
    assert done.returncode == 0 and not done.stderr, done.stdout + done.stderr
    assert re.search(r"^check against NumPy: (equal|within \S+)$", done.stdout, re.M)
    names = {file.name for file in (tmp_path / "pictures").iterdir()}
    assert names == {"before.png", "blur.png", "sobel.png", "quantise.png"}
    for file in (tmp_path / "pictures").iterdir():
        assert file.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize("name", ON_CLUSTER)
def test_example_on_a_cluster_agrees_with_plain_workers(name: str) -> None:
    small, packages = ON_CLUSTER[name]
    for package in packages:
        if not os.environ.get("SHAPECAST_CLUSTERS"):  # else they are installed
            pytest.importorskip(package)
    shown = run(f"cluster_{name}", small)
    assert " x, " in shown and "WRONG" not in shown


@pytest.mark.parametrize("name", SMALL)
def test_example_agrees_with_numpy(name: str) -> None:
    shown = run(name, SMALL[name])
    assert " x, " in shown and "WRONG" not in shown


@pytest.mark.parametrize("name", ON_GPU)
def test_gpu_example_agrees_with_numpy_arrays(name: str) -> None:
    shown = run(f"gpu_{name}", ON_GPU[name], SHAPECAST_CUDA_DRIVER=str(cuda.library()._name))
    assert "the same result" in shown
    for measured in ("NumPy arrays", "GPU, with the copies", "GPU, arrays already there"):
        assert re.search(rf"  {measured} +[\d.]+ ms", shown), shown
    assert re.search("; returns after [0-9]+% of it", shown), shown
    assert "interprets the kernels: these times say nothing of a GPU" in shown


@pytest.mark.parametrize("name", ON_GPU)
def test_gpu_example_says_what_is_missing_without_a_gpu(name: str) -> None:
    shown = run(f"gpu_{name}", ON_GPU[name], SHAPECAST_CUDA_DRIVER="/nowhere/libcuda.so.1")
    assert "the part on a GPU was left out: CUDA's driver could not be opened" in shown
    assert "need an NVIDIA GPU and its driver" in shown and " ms" in shown


# Stand-ins for libraries that see the GPU: their arrays are what the function gets and returns.
LIBRARY = """
import shapecast

class Array:
    def __init__(self, array):
        self.array = array
    @property
    def __cuda_array_interface__(self):
        return self.array.__cuda_array_interface__
    def __getattr__(self, name):
        if name in ("get", "cpu"):
            raise AttributeError(name)
        return getattr(self.array, name)
    def __getitem__(self, index):
        return self.array[index]

class cuda:
    is_available = staticmethod(lambda: True)
"""
CUPY = """
class ndarray(Array):
    def get(self):
        return self.array.copy_to_host()

asarray = lambda array: ndarray(shapecast.to_device(array))
"""
TORCH = """
class Tensor(Array):
    def cuda(self):
        return Tensor(shapecast.to_device(self.array))
    def cpu(self):
        return self.array.copy_to_host()

class Stream:
    cuda_stream = 0

cuda.current_stream = staticmethod(lambda device: Stream())
from_numpy = Tensor
as_tensor = lambda array, device: Tensor(array)
"""


@pytest.mark.parametrize(
    ("name", "own", "shown"),
    [("cupy", CUPY, "CuPy's arrays on "), ("torch", TORCH, "torch's tensors on ")],
)
def test_gpu_examples_take_the_arrays_of_the_library_that_sees_the_gpu(
    name: str, own: str, shown: str, tmp_path: Path
) -> None:
    (tmp_path / f"{name}.py").write_text(LIBRARY + own)
    package = str(Path(shapecast.__file__).parents[1])
    for example in ("heat", "image"):
        printed = run(
            f"gpu_{example}",
            24,
            PYTHONPATH=f"{package}{os.pathsep}{tmp_path}",
            SHAPECAST_CUDA_DRIVER=str(cuda.library()._name),
        )
        assert shown in printed and "the same result" in printed


def notebook() -> Any:
    return json.loads((EXAMPLES / "tour.ipynb").read_text())


def test_notebook_is_valid_and_carries_no_outputs() -> None:
    book = notebook()
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in book["cells"]}) == len(book["cells"])
    for cell in book["cells"]:
        assert isinstance(cell["source"], list) and cell["metadata"] == {}
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None


def test_notebook_cells_run_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    space: dict[str, Any] = {"__name__": "__main__"}
    views: list[str] = []
    for number, cell in enumerate(notebook()["cells"]):
        if cell["cell_type"] != "code":
            continue
        # As IPython does it: the source is known to linecache only.
        file, source = f"<tour cell {number}>", "".join(cell["source"]) + "\n"
        linecache.cache[file] = (len(source), None, source.splitlines(True), file)
        tree = ast.parse(source)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, file, "exec"), space)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), file, "eval"), space)
            views.append(getattr(value, "_repr_html_", lambda: "")())
    shown = capsys.readouterr().out
    (view,) = filter(None, views)
    assert "a (3 windows)" in view and "float32[s0]" in view
    for expected in (
        "a: float64[s0]", "new key", "float32[s0, s1]", "np.func @py.smooth", "(3,) (5,)", "^^^",
        "'with' is not supported", "vectorized loop",
    ):  # fmt: skip
        assert expected in shown, shown
