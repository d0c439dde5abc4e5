"""np.fft without Python (python/shapecast/library/fft.py): dtypes, shapes and exceptions are
NumPy's, and so are the bits, but for powers of two of float64 points (test_own_fft.py has more).
"""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapecast
from support.arrays import filled, lay_out
from support.compare import Report, compare, jitted, make
from support.frames import python_frames
from support.transforms import check_spectra, tolerance_of

DTYPES = [
    "float64", "complex128", "float32", "complex64", "float16", "bool", "int8", "uint8", "int16",
    "uint16", "int32", "uint32", "int64", "uint64",
]  # fmt: skip
LAYOUTS = ["c", "f", "strided", "reversed", "rolled", "offset", "read_only", "inner"]
SHAPES = {"v": (12,), "p": (13,), "A": (4, 6), "B": (5, 7), "T": (3, 4, 5)}
REAL = ("rfft", "ihfft", "rfft2", "rfftn")

ONE = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
MANY = ["fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn"]

FORMS_OF_ONE = [
    "v", "p", "A", "A, axis=0", "T, axis=1", "T, axis=-3", "v, 8", "v, 5", "v, 20", "v, n=21",
    "p, norm='ortho'", "v, norm='forward'", "A, norm='backward'", "A, 3, 0, 'ortho'", "B, 10, 0",
    "T, n=7, axis=1, norm='forward'", "v, 1", "A[:, ::2]", "B.T", "A[::-1, 1:]", "T[1]", "v[:1], 2",
    "T[:0], 3", "v[2:3], n=3", "A[:, 2]", "p, len(p) // 2", "v, np.int8(7)",
]  # fmt: skip
FORMS_OF_MANY = [
    "A", "B", "T", "T, axes=(0, 1)", "T, axes=(2, 0)", "A, norm='ortho'", "B, norm='forward'",
    "T, s=(2, 9), axes=(0, 2)", "A, (3, 8), (0, 1)", "T, s=(-1, 4), axes=(1, 2)", "B.T",
    "T[:, ::2]", "A, axes=(0,)", "A, axes=[1, 0]", "T, axes=(1, 1)", "T[:0], axes=(1, 2)",
]  # fmt: skip
SHIFTS = [
    f"np.fft.{name}({form})"
    for name in ("fftshift", "ifftshift")
    for form in ("v", "p", "A", "T", "A, axes=0", "B, -1", "T, axes=(0, 2)", "T, [1]", "v[:0]")
]
FREQUENCIES = [
    f"np.fft.{name}({form})"
    for name in ("fftfreq", "rfftfreq")
    for form in (
        "n", "n + 1", "n, 0.5", "n, d=x", "len(v)", "np.int32(n)", "1", "n, 2", "n, device='cpu'",
        "n, 1 / n", "8, np.float32(0.5)", "n, d=v", "n, device='gpu'", "x", "n - 8", "0", "n, 0",
    )
]  # fmt: skip
RAISING = [
    "np.fft.fft(v, 0)", "np.fft.rfft(v, n - 9)", "np.fft.fft(v, axis=1)",
    "np.fft.ifft(A, 3, axis=2)",
    "np.fft.fft(v, norm='bad')", "np.fft.ifft(v, norm='bad')", "np.fft.hfft(v, norm='bad')",
    "np.fft.rfft(v + 1j)", "np.fft.rfft(A + 1j, 5)", "np.fft.ihfft(v * 1j)", "np.fft.fft(x)",
    "np.fft.irfft(v[:1])", "np.fft.hfft(v[:1])", "np.fft.fft(v[:0])", "np.fft.fft(x, 3)",
    "np.fft.fft2(v)", "np.fft.fftn(A, axes=(0, 5))", "np.fft.fftn(A, s=(3,), axes=(0, 1))",
    "np.fft.fftn(A, (3, 4, 5), (0, 1, 2))", "np.fft.rfftn(A, axes=())", "np.fft.irfftn(A, axes=())",
    "np.fft.rfft2(A + 1j)", "np.fft.fftn(A, axes=5)", "np.fft.fftn(A, axes=0)",
    "np.fft.fftn(A, s=5, axes=(0,))", "np.fft.fft(v, 2.5)", "np.fft.fft(v, axis=None)",
    "np.fft.fftshift(A, axes=4)", "np.fft.fftshift(A, axes=(0, 4))", "np.fft.irfft2(A[:0])",
    "np.fft.fft(v, no=3)", "np.fft.fft()", "np.fft.fftn(A[:, :0])",
]  # fmt: skip
OUTPUTS = [
    "np.fft.fft(v, out=o12), o12", "np.fft.ifft(v, out=f12), f12", "np.fft.fft(A, axis=0, out=o46)",
    "np.fft.rfft(v, out=o7), o7", "np.fft.irfft(o7, out=r12), r12", "np.fft.fft(o12, out=o12), o12",
    "np.fft.fft(v, out=None)", "np.fft.fftn(A, out=o46), o46", "np.fft.fft2(A, out=o46), o46",
    "np.fft.ihfft(v, out=o7), o7", "np.fft.hfft(o7, out=r12), r12", "np.fft.ifft2(A, out=o46), o46",
    "np.fft.fft(v, out=o7)", "np.fft.fft(v, out=o46)", "np.fft.fft(v, out=r12)",
    "np.fft.fft(v, out=[1])", "np.fft.irfftn(A, (4, 6), (0, 1), out=r46), r46",
    "np.fft.rfft(v, out=f7), f7", "np.fft.fft(o46.T, axis=0, out=o46.T), o46",
]  # fmt: skip
FIXED: dict[str, Any] = {
    "n": 9, "x": 0.75,
    "o12": np.zeros(12, complex), "f12": np.zeros(12, np.complex64), "o7": np.arange(7) + 1j,
    "f7": np.zeros(7, np.complex64), "r12": np.zeros(12), "o46": np.zeros((4, 6), complex),
    "r46": np.zeros((4, 6)),
}  # fmt: skip


def function(call: str) -> tuple[Any, list[str]]:
    names = [n for n in (*SHAPES, *FIXED) if n in _words(call)]
    return make(f"def f({', '.join(names)}):\n    return {call}"), names


def _words(call: str) -> set[str]:
    return set(re.findall(r"\b\w+\b", re.sub(r"'[^']*'|\w+=|\bnp[.\w]+", " ", call)))


def operand(name: str, dtype: str, layout: str, seed: int) -> Any:
    if name in FIXED:
        return FIXED[name]
    return lay_out(filled(SHAPES[name], dtype, seed, "small"), layout)


def check_call(call: str, dtypes: list[str], number: int) -> None:
    f, names = function(call)
    varies = any(name in SHAPES for name in names)
    with Report(call) as report:
        for k, dtype in enumerate(dtypes if varies else ["float64"]):
            layout = LAYOUTS[(number + 3 * k) % len(LAYOUTS)]
            with report.case(dtype, layout):
                operands = [operand(n, dtype, layout, j) for j, n in enumerate(names)]
                compare(f, *operands, tol=tolerance_of(f, *operands))


def some(full: bool, number: int, real: bool) -> list[str]:
    dtypes = [d for d in DTYPES if not (real and "complex" in d)]
    return dtypes if full else [dtypes[(number + 3 * j) % len(dtypes)] for j in range(3)]


@pytest.mark.parametrize("name", ONE)
def test_transforms_of_one_axis(name: str, full: bool) -> None:
    for number, form in enumerate(FORMS_OF_ONE):
        check_call(f"np.fft.{name}({form})", some(full, number, name in REAL), number)


def test_no_points_count_as_zeros() -> None:
    for name in ("fft", "ifft", "rfft", "ihfft"):
        check_call(f"np.fft.{name}(A[:, :0], 4)", ["float64"], 0)
    f, _ = function("np.fft.irfft(A[:, :0], 4), np.fft.hfft(A[:, :0], 3)")
    for got in jitted(f)(np.ones((4, 6))):  # NumPy reads beyond the array
        assert not got.any()


@pytest.mark.parametrize("name", ONE)
def test_transforms_of_every_dtype(name: str) -> None:
    for norm in ("None", "'ortho'", "'forward'"):
        call = f"np.fft.{name}(v, norm={norm}), np.fft.{name}(p, 9, norm={norm})"
        check_call(call, some(True, 0, name in REAL), 0)


@pytest.mark.parametrize("name", MANY)
def test_transforms_of_several_axes(name: str, full: bool) -> None:
    for number, form in enumerate(FORMS_OF_MANY):
        check_call(f"np.fft.{name}({form})", some(full, number, name in REAL)[:2], number)


@pytest.mark.parametrize("calls", [SHIFTS, FREQUENCIES], ids=["shifts", "frequencies"])
def test_shifts_and_frequencies(calls: list[str], full: bool) -> None:
    for number, call in enumerate(calls):
        check_call(call, some(full, number, False), number)


@pytest.mark.parametrize("call", RAISING)
def test_errors_are_numpys(call: str) -> None:
    check_call(call, ["float64"], 0)


@pytest.mark.parametrize("call", OUTPUTS)
def test_transforms_into_out_arrays(call: str) -> None:
    check_call(call, ["float64", "float32"], 0)


@pytest.mark.parametrize("call", ["np.fft.fftn(A, s=(3, 4))", "np.fft.fft2(A, (None, 4))"])
def test_warnings_are_numpys(call: str) -> None:
    f, _ = function(call)
    a = np.arange(24.0).reshape(4, 6)
    with pytest.warns(DeprecationWarning, match="axes|None"):
        want = f(a)
    with pytest.warns(DeprecationWarning, match="axes|None"):
        got = jitted(f)(a)
    assert got.tobytes() == want.tobytes()


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 7, 8, 11, 16, 30, 97, 128, 211, 1000, 1031, 4096])
def test_transforms_of_any_size(size: int) -> None:
    f = make("def f(x):\n    return np.fft.fft(x), np.fft.rfft(x), np.fft.ifft(x), np.fft.ihfft(x)")
    check_spectra(f, filled((size,), "float64", size, "small"))
    check_spectra(f, np.asfortranarray(filled((3, size), "float32", size, "small")))


def test_one_variant_serves_all_sizes() -> None:
    f = make("def f(x, n):\n    return np.fft.rfft(x, n), np.fft.irfft(x), np.fft.fft(x) * x")
    for size, n in ((4, 7), (2, 8), (9, 9), (30, 3)):
        check_spectra(f, np.linspace(0, 1, size), n)
    assert len(jitted(f).signatures()) == 1


HEAT = """
def heat(u, steps, dt):
    k = np.fft.fftfreq(len(u), 1 / len(u))
    decay = np.exp(-dt * k * k)
    for _ in range(steps):
        u = np.fft.ifft(np.fft.fft(u) * decay).real
    return u
"""


def test_transforms_in_a_loop() -> None:
    check_spectra(make(HEAT), np.linspace(0, 1, 64), 5, 0.0)
    u = np.exp(-(np.linspace(-4, 4, 128) ** 2))
    np.testing.assert_allclose(
        jitted(make(HEAT))(u, 20, 1e-4), make(HEAT)(u, 20, 1e-4), rtol=0, atol=1e-14
    )


def test_results_are_operands_of_expressions() -> None:
    f = make(
        "def f(A):\n    s = np.fft.rfft(A, axis=0)\n    s[2:] = 0\n"
        "    return np.fft.irfft(s, len(A), axis=0)[::2] + 1, abs(s).sum()"
    )
    check_spectra(f, np.arange(24.0).reshape(4, 6))


def test_no_frame_of_python_runs() -> None:
    f = jitted(
        make(
            "def f(A, v, n):\n    t = 0.0\n    for i in range(n):\n"
            "        t += np.fft.fft(v)[i].real + np.fft.irfft(np.fft.rfft(A, axis=0))[0, 0]\n"
            "        t += np.fft.fftshift(np.fft.fftn(A, norm='ortho'))[0, 1].imag\n"
            "        t += np.fft.fftfreq(len(v))[1] + np.fft.hfft(v)[0]\n    return t"
        )
    )
    arguments = np.arange(24.0).reshape(4, 6), np.linspace(0, 1, 12), 5
    f(*arguments)
    assert "calls Python" not in f.explain()
    assert python_frames(lambda: f(*arguments)) == []


def test_transforms_in_threads() -> None:
    f = shapecast.jit(make("def f(x):\n    return np.fft.irfft(np.fft.rfft(x) * 2, len(x))"))
    arrays = [np.random.default_rng(k).random(1000 + k * 4096) for k in range(8)]
    wants = [np.fft.irfft(np.fft.rfft(x) * 2, len(x)) for x in arrays]
    wrong: list[int] = []

    def work(k: int) -> None:
        wrong.extend(k for _ in range(20) if not np.array_equal(f(arrays[k]), wants[k]))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_buffers_end_with_the_call() -> None:
    f = jitted(make("def f(x):\n    return np.fft.fftn(x).real.sum()"))
    f(np.ones((4, 4)))
    before = shapecast._core.live_allocations()
    for _ in range(5):
        f(np.ones((4, 4)))
    assert shapecast._core.live_allocations() == before


def test_all_calls_are_callouts_without_numpys_internal_loops(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import numpy as np\nimport shapecast\nfrom shapecast import _core, library\n"
        "_core._add_ufunc_loop = lambda *_: False\n"
        "f = shapecast.jit(lambda x: np.fft.rfft(x))\nx = np.arange(5.0)\n"
        "assert f(x).tobytes() == np.fft.rfft(x).tobytes()\n"
        "assert library.find('numpy.fft.fft') is None\n"
        "assert 'calls Python: numpy.fft.rfft' in f.explain()\n"
    )
    subprocess.run([sys.executable, script], check=True, timeout=60)
