"""x.flat of arrays of any layout: reads, stores and their errors; x.real and x.imag stored to."""

from __future__ import annotations

import numpy as np
import pytest
from support.arrays import filled
from support.compare import case_id, check, jitted, make


def layouts(dtype: str = "float64") -> dict[str, np.ndarray]:
    base = filled((6, 8), dtype, 5, "finite")
    return {
        "C": base[:3, :4].copy(),
        "F": base[:4, :3].copy().T,
        "strided": base[::2, ::2],
        "reversed": base[2::-1, 3::-1],
        "line": base[::2, 1:5].reshape(-1)[::-1],
        "3-D": base.reshape(2, 3, 8).transpose(2, 0, 1)[::4],
    }


KEYS = ["0", "-1", "k", "11", "12", "-13", "slice(2, 9, 3)", "slice(None, None, -1)", "slice(k, k)",
        "[0, 3, 3]", "[0, 20]", "np.array([[1, 2], [k, -1]])", "np.arange(12) % 3 == 1",
        "np.array([True])", "np.zeros((3, 4), bool)", "...", "()", "(3,)", "(1, 2)", "None",
        "np.array(3)", "[]"]  # fmt: skip
VALUES = ["7", "2.5", "[5]", "[5, 6]", "np.arange(30)", "np.zeros(0)", "[[1, 2], [3, 4]]",
          "x.T + 1", "np.float64(9)"]  # fmt: skip


@pytest.mark.parametrize("key", KEYS)
def test_reads_through_flat(key: str) -> None:
    f = make(f"def f(x, k):\n    return x.flat[{key}]")
    for x in layouts().values():
        check(f, x, 2)


# Of indices out of bounds NumPy finds the first one behind the stores before it.
@pytest.mark.parametrize("key", [key for key in KEYS if key != "[0, 20]"])
def test_stores_through_flat(key: str) -> None:
    for value in VALUES:
        f = make(f"def f(x, k):\n    x.flat[{key}] = {value}\n    return x.flat[1]")
        for x in list(layouts().values())[::2]:
            check(f, x, 2)


@pytest.mark.parametrize("value", VALUES)
def test_stores_to_the_whole_array(value: str) -> None:
    f = make(f"def f(x):\n    x.flat = {value}")
    for dtype in ("float64", "int32"):
        for x in layouts(dtype).values():
            check(f, x)


@pytest.mark.parametrize("statement", ["x.flat[1] = 1j", "x.flat[:2] = 1j", "x.flat = 1j"])
def test_complex_numbers_do_not_become_real(statement: str) -> None:
    f = make(f"def f(x):\n    {statement}")
    for x in layouts().values():
        check(f, x)


def test_an_index_out_of_bounds_of_several() -> None:
    f = jitted(make("def f(x):\n    x.flat[[0, 20]] = 1"))
    for x in layouts().values():
        with pytest.raises(IndexError, match=r"^index 20 is out of bounds for size 12"):
            f(x)


def test_a_store_of_itself_the_other_way_round() -> None:
    f = make("def f(x):\n    x.flat = x.flat[::-1]\n    x.flat[2:] = x.flat[1:5]")
    for x in layouts().values():
        check(f, x)


@pytest.mark.parametrize("value", ["300", "-1", "np.int64(300)", "2.7", "[300]", "np.array([300])"])
def test_numbers_out_of_bounds_of_the_dtype(value: str) -> None:
    for key in ("1", "0:2", "[1]"):
        f = make(f"def f(x):\n    x.flat[{key}] = {value}\n    return x")
        check(f, np.zeros((2, 3), np.uint8))
        check(f, np.zeros((2, 3), np.uint8).T)


def test_stores_to_read_only_arrays_raise() -> None:
    for statement in ("x.flat[1] = 2", "x.flat[:2] = 2", "x.flat = 2"):
        f = make(f"def f(x):\n    {statement}")
        for x in layouts().values():
            x = x.copy()
            x.flags.writeable = False
            check(f, x)


loop = make("""
    def loop(x):
        total = 0.0
        for i in range(x.size):
            total += x.flat[i] * i
            x.flat[-1 - i] += 1
        return total
""")


def test_loops_over_flat_indices() -> None:
    for x in layouts().values():
        check(loop, x)


PARTS = [
    "z.real = 2",
    "z.imag = np.arange(z.shape[-1])",
    "z.real[...] = z.imag",
    "z.imag[0] = 3",
    "z[::2].imag = z[::2].real + 1",
    "z.T.real[1] = 5",
    "z.real += 1\n    z.imag -= z.real",
    "z.real = z.imag + z.T[::-1, ::-1].T.real",
    "np.real(z)[:] = 1",
    "z.real.flat[::3] = 9",
]


@pytest.mark.parametrize("statement", PARTS, ids=case_id)
@pytest.mark.parametrize("dtype", ["complex128", "complex64", "float32", "int16"])
def test_stores_to_real_and_imaginary_parts(statement: str, dtype: str) -> None:
    f = make(f"def f(z):\n    {statement}\n    return z")
    base = filled((6, 8), dtype, 2, "finite")
    for z in (base, base.T, base[::-1, ::2], base[1:3]):
        check(f, z)
