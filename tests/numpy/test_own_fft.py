"""The compiler's own transforms (src/runtime/fft.h): powers of two of float64 points, of all
kinds of arrays; and that the others are NumPy's.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

import numpy as np
import pytest
from support.compare import jitted, make
from support.transforms import check_spectra

POWERS = [8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]
LARGE = [1 << k for k in range(13, 19)]


def fft(x):
    return np.fft.fft(x)


def ifft(x):
    return np.fft.ifft(x)


def rfft(x):
    return np.fft.rfft(x)


def irfft(x):
    return np.fft.irfft(x)


def four(x, spectrum):
    return np.fft.fft(x), np.fft.ifft(x), np.fft.rfft(x.real), np.fft.irfft(spectrum)


def along(x, axis):
    return (
        np.fft.fft(x, axis=axis),
        np.fft.ifft(x, axis=axis),
        np.fft.rfft(x.real, axis=axis),
        np.fft.irfft(x, axis=axis),
    )


def resized(x, n):
    return np.fft.fft(x, n), np.fft.ifft(x, n), np.fft.rfft(x.real, n), np.fft.irfft(x, n)


def signal(rng: np.random.Generator, *shape: int) -> np.ndarray:
    return rng.standard_normal(shape) + 1j * rng.standard_normal(shape)


@pytest.mark.parametrize("first", range(1, 301, 50))
def test_transforms_of_every_power_of_two(first: int, rng) -> None:
    for n in range(first, first + 50):
        x = signal(rng, n)
        check_spectra(four, x, np.fft.rfft(x.real) if n > 1 else x.repeat(2))


@pytest.mark.parametrize("n", [*POWERS[6:], *LARGE])
def test_larger_powers_of_two(n: int, rng) -> None:
    x = signal(rng, n)
    check_spectra(four, x, np.fft.rfft(x.real))


def test_the_largest_own_transform_and_the_next_size(full: bool, rng) -> None:
    for n in (1 << 22, 1 << 23) if full else (1 << 20,):
        check_spectra(fft, signal(rng, n))
        check_spectra(rfft, rng.standard_normal(n))


LAYOUTS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "contiguous": lambda x: x,
    "every second": lambda x: np.repeat(x, 2, -1)[..., ::2],
    "backwards": lambda x: x[..., ::-1],
    "all backwards": lambda x: x[::-1, ::-1],
    "transposed": lambda x: x.T.copy().T,
    "wide rows": lambda x: np.concatenate((x, x), -1)[:, : x.shape[1]],
    "one row for all": lambda x: np.broadcast_to(x[0], x.shape),
    "one number for all": lambda x: np.broadcast_to(x[:, :1], x.shape),
    "field of records": lambda x: np.rec.fromarrays([x.real > 0, x], names="a,x")["x"].view(),
}


def unaligned(x: np.ndarray) -> np.ndarray:
    target = np.empty(x.nbytes + 8, np.uint8)[8:].view(x.dtype).reshape(x.shape)
    target[...] = x
    return target


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("n", [8, 16, 64, 128, 512])
def test_transforms_of_any_layout(layout: str, n: int, rng) -> None:
    for rows in (1, 3, 8, 19):
        x = LAYOUTS[layout](signal(rng, rows, n))
        check_spectra(along, x, -1)
        check_spectra(along, x.T, 0)
        check_spectra(along, unaligned(x), 1)


@pytest.mark.parametrize("axis", [0, 1, 2, -2])
def test_transforms_along_any_axis(axis: int, rng) -> None:
    for shape in ((16, 32, 8), (8, 8, 64), (32, 9, 3)):
        check_spectra(along, signal(rng, *shape), axis)
        check_spectra(along, np.asfortranarray(signal(rng, *shape)), axis)


@pytest.mark.parametrize("n", [8, 16, 64, 256, 512, 2048])
def test_fewer_and_more_points_than_given(n: int, rng) -> None:
    for given in (1, 2, n // 2, n // 2 + 1, n - 1, n, n + 1, 3 * n):
        check_spectra(resized, signal(rng, given), n)
        check_spectra(resized, signal(rng, 10, given)[::-1, ::-1], n)
        check_spectra(resized, signal(rng, given, 10).T, n)


@pytest.mark.parametrize("norm", ["ortho", "forward", "backward"])
def test_norms_of_own_transforms(norm: str, rng) -> None:
    f = make(
        f"def f(x):\n    return np.fft.fft(x, norm='{norm}'), np.fft.ifft(x, norm='{norm}'), "
        f"np.fft.rfft(x.real, norm='{norm}'), np.fft.irfft(x, 64, norm='{norm}')"
    )
    for n in (8, 64, 1024):
        check_spectra(f, signal(rng, n))
        check_spectra(f, signal(rng, n, 9).T)


def test_out_arrays_of_own_transforms(rng) -> None:
    f = make(
        "def f(x, out, half, real):\n    np.fft.fft(x, out=out)\n"
        "    np.fft.rfft(x.real, out=half)\n    np.fft.irfft(x, x.shape[-1], out=real)"
    )
    for n in (8, 64, 1024):
        x = signal(rng, 3, n)
        outs = np.zeros_like(x), np.zeros((3, n // 2 + 1), complex), np.zeros((3, n))
        check_spectra(f, x, *outs)
        check_spectra(f, x, *(np.repeat(a, 2, -1)[:, ::2] for a in outs))
        check_spectra(f, x, *(a[::-1, ::-1] for a in outs))
    in_place = make("def f(x):\n    np.fft.fft(x, out=x)\n    np.fft.ifft(x[::-1], out=x)")
    check_spectra(in_place, signal(rng, 256))


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "complex64", "int32", "bool"])
def test_dtypes_of_own_transforms(dtype: str, rng) -> None:
    for n in (16, 64, 1000, 1024):
        x = (rng.standard_normal(n) * 9).astype(dtype)
        check_spectra(fft, x)
        check_spectra(ifft, x)
        check_spectra(irfft, x[: n // 2 + 1])
        if x.dtype.kind != "c":
            check_spectra(rfft, x)


def test_transforms_of_empty_batches() -> None:
    for shape in ((0, 64), (0, 3, 8), (3, 0, 16)):
        check_spectra(along, np.ones(shape, complex), -1)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_nan_and_infinity_stay_in_their_row(bad: float, rng) -> None:
    for n in (8, 16, 64, 512):
        for k in (0, 1, n // 2, n - 1):
            x = signal(rng, 12, n)
            x[5, k] = bad
            for f in (fft, ifft):
                for got in (jitted(f)(x), np.ascontiguousarray(jitted(f)(x.T.copy().T))):
                    finite = np.isfinite(got).all(axis=1)
                    assert not finite[5]
                    assert finite.sum() == 11
            spectrum = jitted(rfft)(x.real)
            assert not np.isfinite(spectrum[5]).all()
            assert np.isfinite(np.delete(spectrum, 5, 0)).all()
        check_spectra(fft, np.full((2, n), np.nan + 1j * np.nan))
        check_spectra(rfft, np.full(n, np.nan))


@pytest.mark.parametrize("n", [*POWERS, *LARGE])
def test_the_inverse_of_a_transform_is_the_signal(n: int, rng) -> None:
    f = jitted(
        make(
            "def f(x):\n    return np.fft.ifft(np.fft.fft(x)), "
            "np.fft.irfft(np.fft.rfft(x.real)), np.fft.fft(np.fft.ifft(x))"
        )
    )
    x = signal(rng, n)
    room = 4 * np.finfo(float).eps * np.log2(n) * abs(x).max()
    for got, want in zip(f(x), (x, x.real, x), strict=True):
        assert abs(got - want).max() <= room


def test_bits_do_not_depend_on_the_position_of_a_row(rng) -> None:
    for n in (8, 16, 32, 64, 128, 256, 512, 1024, 8192):
        row = signal(rng, n)
        rows = np.repeat(row[None], 19, 0)
        for f in (fft, ifft, rfft, irfft):
            x, many = (row.real, rows.real) if f is rfft else (row, rows)
            want = jitted(f)(x.copy())
            for layout in ("contiguous", "every second", "transposed", "wide rows"):
                got = jitted(f)(LAYOUTS[layout](many))
                assert all(g.tobytes() == want.tobytes() for g in got), (n, f, layout)
            assert jitted(f)(x[::-1].copy()[::-1]).tobytes() == want.tobytes()


def test_no_less_accurate_than_numpy(rng) -> None:
    """Root mean square errors against extended precision, with room for chance."""
    for n in (8, 32, 64, 256, 1024, 4096, 1 << 15):
        rows = signal(rng, max(4, 8192 // n), n)
        for f, x in ((fft, rows), (ifft, rows), (rfft, rows.real.copy()), (irfft, rfft(rows.real))):
            wide = np.clongdouble if x.dtype.kind == "c" else np.longdouble
            want = f(x.astype(wide))
            ours, numpys = (np.sqrt(np.mean(abs(y - want) ** 2)) for y in (jitted(f)(x), f(x)))
            assert ours <= 1.1 * numpys, (n, f.__name__)


def test_an_impulse_gives_exact_ones() -> None:
    for n in POWERS:
        x = np.zeros(n, complex)
        x[0] = 1
        assert (jitted(fft)(x) == 1).all()
        assert (jitted(rfft)(x.real.copy()) == 1).all()
        assert (jitted(irfft)(np.ones(n // 2 + 1, complex)) == x.real).all()


def test_threads_that_need_the_same_tables_at_once(rng) -> None:
    rows = {n: signal(rng, n) for n in (*POWERS, 1 << 14, 1 << 16)}
    wants = {n: (fft(x), rfft(x.real)) for n, x in rows.items()}
    f = jitted(make("def f(x):\n    return np.fft.fft(x), np.fft.rfft(x.real)"))
    f(rows[8])
    wrong: list[int] = []
    start = threading.Barrier(8)

    def work(number: int) -> None:
        start.wait()
        for n in list(rows)[:: 1 if number % 2 else -1]:
            for _ in range(5):
                for got, want in zip(f(rows[n]), wants[n], strict=True):
                    if abs(got - want).max() > 1e-14 * abs(want).max():
                        wrong.append(n)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_transforms_in_a_forked_child(rng) -> None:
    x, unseen = signal(rng, 64), signal(rng, 128)
    want = jitted(fft)(x)
    pid = os.fork()
    if pid == 0:
        right = np.array_equal(jitted(fft)(x), want) and np.isfinite(jitted(fft)(unseen)).all()
        os._exit(0 if right else 1)
    assert os.waitpid(pid, 0)[1] == 0
