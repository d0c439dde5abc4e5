"""Views of an array's bytes: as another dtype, with explicit strides, in another shape in place;
strides, flags and other attributes of its memory.
"""

from __future__ import annotations

import numpy as np
import pytest
import shapecast
from support.arrays import filled
from support.compare import check, jitted, make

SIZES = {"bool": 1, "int8": 1, "uint16": 2, "float16": 2, "int32": 4, "float32": 4, "int64": 8}
SIZES |= {"float64": 8, "complex64": 8, "complex128": 16}


def layouts(dtype: str) -> dict[str, np.ndarray]:
    base = filled((8, 8), dtype, 3, "any")
    return {
        "C": base,
        "line": base[2],
        "F": base.T,
        "rows": base[::2],
        "reversed rows": base[::-1],
        "part of rows": base[:, :4],
        "columns": base[:, ::2],
        "reversed": base[3, ::-1],
        "one column": base[:, :1],
        "empty": base[:0],
        "no columns": base[:, :0],
        "0-d": base[1, 1, ...],
    }


# ------------------------------------------------------------------------------------ other dtypes


@pytest.mark.parametrize("dtype", SIZES)
def test_view_with_another_dtype_is_numpys_whatever_the_layout(dtype: str) -> None:
    for to in (
        "np.int8",
        "bool",
        "np.float16",
        "'uint32'",
        "np.float32",
        "'i8'",
        "float",
        "complex",
    ):
        look = make(f"def look(x):\n    return x.view({to})")
        for x in layouts(dtype).values():
            check(look, x)


both = make("""
    def both(x):
        bits = x.view(np.int32)
        total = 0
        for i in range(len(x)):
            x[i] = x[i] * 2 + 1
            total += int(bits[i])
            bits[i] += 3
            total += int(x[i] * 8)
        bits[:] = bits + (x > 3)
        x[1:] = bits[:-1].view(np.float32) + x[:-1]
        return total, bits, x.view(np.uint8)[1::4], bits[::-1].view(np.float32)
""")


def test_stores_through_either_view_reach_the_other() -> None:
    check(both, np.arange(20, dtype=np.float32))
    check(both, np.arange(40, dtype=np.float32)[::2].copy())


of_strided = make("""
    def of_strided(x):
        bits = x.view(np.int64)
        bits[...] = bits ^ -9223372036854775807
        x += 1
        return bits
""")


@pytest.mark.parametrize("name", layouts("float64"))
def test_a_view_of_a_strided_array_is_stored_to(name: str) -> None:
    check(of_strided, np.nan_to_num(layouts("float64")[name]))


bytes_of = make("""
    def bytes_of(x):
        b = x.view(np.uint8)
        s = 0
        for i in range(b.shape[-1]):
            s = (s * 31 + int(b[..., i].sum())) % 65521
            b[..., i] ^= 5
        return s
""")


@pytest.mark.parametrize("dtype", ["int16", "float32", "float64", "complex128"])
def test_bytes_of_an_array(dtype: str) -> None:
    check(bytes_of, filled((3, 5), dtype, 1, "finite"))
    check(bytes_of, filled((6, 5), dtype, 1, "finite")[::-2])


pairs_of = make("""
    def pairs_of(z):
        p = z.view(np.float64).reshape(-1, 2)
        p[:, 1] += 1
        z *= 1j
        q = p.sum(axis=0)
        back = p.ravel().view(complex)
        back[0] = 5
        return q, back, z
""")


def test_complex_numbers_as_pairs_and_back() -> None:
    check(pairs_of, np.arange(7) * (1 - 2j))


fresh = make("""
    def fresh(x):
        i = (x * 2).view(np.int32)
        i = 0x5F3759DF - (i >> 1)
        y = i.view(np.float32)
        k = (y + 1).view(np.uint32).view(np.int32)
        k[0] = 7
        return y * (1.5 - x * y * y), k, (y + y).view(np.int8)
""")


def test_the_bits_of_a_fresh_result() -> None:
    check(fresh, np.linspace(0.1, 9, 37, dtype=np.float32))


NUMBERS = [
    "np.float32(x).view(np.int32)",
    "np.float32(x).view(np.uint32)",
    "np.float64(x).view('int64')",
    "np.float16(x).view(np.int16)",
    "np.int32(7).view(np.float32)",
    "np.int64(-3).view(np.uint64)",
    "np.uint8(2).view(np.bool_)",
    "np.complex64(x + 1j).view(np.int64)",
    "np.float64(x).view(np.complex64)",
    "np.float64(x).view(np.float64)",
    "np.float64(x).view(np.float32)",
    "np.complex128(x).view(np.float64)",
    "np.array(x).view(np.int64)",
    "np.array(x).view(np.int8)",
]


@pytest.mark.parametrize("expression", NUMBERS)
def test_the_bits_of_numbers(expression: str) -> None:
    check(make(f"def f(x):\n    return {expression}"), 1.625)


def test_unaligned_items_raise_at_run_time() -> None:
    f = jitted(make("def f(x):\n    return x.view(np.float64)"))
    x = np.zeros(72, np.uint8)
    offset = -x.ctypes.data % 8
    assert f(x[offset : offset + 64]).shape == (8,)
    with pytest.raises(
        shapecast.UnsupportedError, match="not aligned for it is not supported; copy the array"
    ):
        f(x[offset + 1 : offset + 65])
    wide = np.zeros((4, 3))
    pairs = jitted(make("def f(x):\n    return x[:, :2].view(complex)"))
    with pytest.raises(shapecast.UnsupportedError, match="not aligned"):
        pairs(wide)


masked = make("""
    def masked(x, b):
        m = b.view(np.bool_)
        n = m[::2].copy()
        n.view(np.uint8)[1::3] = 200
        t = x[m].sum()
        y = x.copy()
        y[m] = 0
        x[: len(n)][n] += 1
        return len(x[m]), t, y, np.nonzero(m)[0], len(x[: len(n)][n]), m[3], m.any()
""")


def test_bools_whose_bytes_are_other_than_0_and_1_are_true() -> None:
    for n in (9, 2041, 5000):
        x, b = np.arange(float(n)), (np.arange(n) * 7 % 256 * (np.arange(n) % 3 > 0)).astype("u1")
        got = jitted(masked)(x.copy(), b)
        set_ = b != 0
        assert (
            got[0] == set_.sum() and got[1] == x[set_].sum() and (got[3] == set_.nonzero()[0]).all()
        )
        assert (got[2] == np.where(set_, 0, x)).all() and got[5] == set_[3] and got[6]
        copied = set_[::2].copy()
        copied[1::3] = True
        assert got[4] == copied.sum()


def test_unsupported_dtypes_raise() -> None:
    for dtype in ("'S8'", "'>f8'", "'M8[s]'"):
        f = jitted(make(f"def f(x):\n    return x.view({dtype})"))
        with pytest.raises(shapecast.UnsupportedError, match=r"dtype .* is not supported"):
            f(np.zeros(3))


# -------------------------------------------------------------------------------------- as_strided

STRIDED = {
    "windows": "as_strided(x, (len(x) - 2, 3), (x.strides[0], x.strides[0]))",
    "bands": "as_strided(x, shape=(3, 2, 2), strides=(2 * x.itemsize, 8, 8))",
    "repeated": "as_strided(x, (4, len(x)), (0, x.strides[0]))",
    "reversed": "as_strided(x[-1:], (1,), (-8,))",
    "backwards": "as_strided(x[::-1], (len(x),), x[::-1].strides)",
    "diagonal": "as_strided(m, (3,), (m.strides[0] + m.strides[1],))",
    "blocks": "as_strided(m, (2, 2, 2, 2), (2 * m.strides[0], 2 * m.strides[1], *m.strides))",
    "transposed": "as_strided(m, m.shape[::-1], m.strides[::-1])",
    "shape only": "as_strided(m, (2, 2))",
    "strides only": "as_strided(m, strides=m.strides)",
    "nothing": "as_strided(m)",
    "read-only": "as_strided(x, (2, 2), (8, 16), writeable=False)",
    "empty": "as_strided(x, (0, 1000000), (8, 8))",
    "0-d": "as_strided(x, (), ())",
    "far": "as_strided(x, (1, 2), (1 << 60, 8))",
    "of a list": "as_strided([1, 2, 3], (2, 2), (8, 8)).sum()",
    "lengths": "as_strided(x, (3,), (8, 8))",
    "negative": "as_strided(x, (3, -1), (8, 8))",
    "no tuple": "as_strided(x, 3, (8,))",
    "float": "as_strided(x, (2.5,), (8,))",
}


@pytest.mark.parametrize("name", STRIDED)
def test_as_strided_is_numpys(name: str) -> None:
    f = make(
        f"def f(x, m):\n    return {STRIDED[name]}", as_strided=np.lib.stride_tricks.as_strided
    )
    m = np.arange(16.0).reshape(4, 4)
    check(f, np.arange(9.0), m)
    if "8" not in STRIDED[name] and name != "shape only":
        check(f, np.arange(18.0)[::2], m.T)
        check(f, np.arange(9, dtype=np.int16)[::-1], m.astype(np.float32).T)


STORES = {
    "in order": "s[:] = np.arange(s.size).reshape(s.shape)",
    "from itself": "s[1:] = s[:-1] * 2",
    "transposed": "s[:, 0] = x[: len(s)] + 1\n    x[1:] += s[0, 0]\n    s[-1] = x[:3]",
    "loop": "for i in range(len(s)):\n        s[i, i % 3] += s[i, 0] + i",
    "carried": "t = s\n    for i in range(3):\n        t[:] = x[: len(s), None] + i\n"
    "        t = t[::-1] if i % 2 else t[1:]",
    "in a try": "try:\n        s[1:] = s[:-1] * 2\n        s[1, 2] = x[100]\n"
    "    except IndexError:\n        s[:, 1] = np.arange(len(s))",
    "in a recursion": "def fill(t, n):\n        if n == 0:\n            return 0\n"
    "        t[1:] = t[:-1] + n\n        return fill(t, n - 1) + 1\n    fill(s, 3)",
    "seen": "before = s.sum()\n    x[3] = 100\n    x[0] = before + s.sum()",
}


@pytest.mark.parametrize("name", STORES)
def test_stores_through_views_that_overlap_themselves(name: str) -> None:
    f = make(f"""
def f(x):
    s = np.lib.stride_tricks.as_strided(x, (len(x) - 2, 3), (x.strides[0], x.strides[0]))
    {STORES[name]}
    return s, s.sum(axis=1)
""")
    check(f, np.arange(10.0))
    check(f, np.arange(30, dtype=np.int32)[::3])


windows = make("""
    def windows(x, k):
        s = np.lib.stride_tricks.sliding_window_view(x, k, axis=0, writeable=True)
        s[1:] += s[:-1]
        s[0, ..., -1] = 7
        return s
""")


def test_windows_that_are_stored_to() -> None:
    check(windows, np.arange(9.0), 3)
    check(windows, np.arange(24.0).reshape(6, 4)[:, ::2], 2)
    check(windows, np.arange(9.0), 10)


OUTSIDE = ["(10,), (8,)", "(2,), (72,)", "(2,), (-8,)", "(3, 3), (24, 16)", "(1 << 40,), (8,)",
           "(1 << 62, 1 << 62), (1 << 62, 1 << 62)", "(n, n), (n, n)"]  # fmt: skip


@pytest.mark.parametrize("arguments", OUTSIDE)
def test_as_strided_stays_within_the_memory_of_its_array(arguments: str) -> None:
    f = make(f"def f(x, n):\n    return np.lib.stride_tricks.as_strided(x, {arguments}).sum()")
    for n in (3, 1 << 59):
        with pytest.raises(ValueError, match="would exceed the memory of the array"):
            jitted(f)(np.arange(9.0), n << 3)


def test_as_strided_reaches_back_as_far_as_a_reversed_array_does() -> None:
    f = make("""
def f(x):
    return np.lib.stride_tricks.as_strided(x[::-1], (4, 2), (-16, -8))
""")
    check(f, np.arange(8.0))


def test_as_strided_with_a_part_of_an_item_is_refused() -> None:
    f = jitted(make("def f(x, n):\n    return np.lib.stride_tricks.as_strided(x, (2,), (n,))"))
    assert f(np.arange(4.0), 16).tolist() == [0, 2]
    with pytest.raises(shapecast.UnsupportedError, match="no multiple of the item size"):
        f(np.arange(4.0), 12)


# ------------------------------------------------------------------------------- strides and flags

TOLD = [
    "x.strides",
    "x.T.strides, x[1:].strides, x[::2, ::-1].strides",
    "x.flags.c_contiguous, x.flags.f_contiguous, x.flags.writeable, x.flags.aligned",
    "x.T.flags.c_contiguous, x.T.flags['F_CONTIGUOUS'], x.flags['C'], x.flags['W']",
    "x.flags.fnc, x.flags.forc, x.flags.contiguous, x.flags.behaved, x.flags.carray",
    "x.flags.farray, x.T.flags['FA'], x[0].flags.farray, x.flags['CA'], x.flags.fortran",
    "x[:, ::2].flags.c_contiguous, x[:, 1].flags.f_contiguous, x[:1].flags.c_contiguous",
    "np.isfortran(x), np.isfortran(x.T), np.isfortran(x + 1)",
    "np.broadcast_to(x, (2,) + x.shape).flags.writeable",
    "x.flags.nothing",
    "x.flags['NOTHING']",
    "np.require(x), np.require(x, x.dtype, 'W'), np.require(x, requirements=['A', 'w'])",
    "np.require(x, np.float32), np.require(x, None, ['W', 'E'])",
    "np.require(x[::2], None, 'C'), np.require(x + 1, None, 'O')",
    "np.require(x, None, ['C', 'F'])",
    "np.require(x, None, ['X'])",
]


@pytest.mark.parametrize("expression", TOLD)
def test_attributes_of_an_arrays_memory(expression: str) -> None:
    f = make(f"def f(x):\n    return {expression}")
    x = np.arange(48.0).reshape(6, 8)
    readonly = x.copy()
    readonly.flags.writeable = False
    for a in (x, x.T, x[:, 2:5], x[::2], x[::-1, ::2], readonly):
        check(f, a)


# --------------------------------------------------------------------------------------- x.shape =

RESHAPED = {
    "plain": "y = x * 2\n    y.shape = (2, -1)\n    return y",
    "twice": "y = x * 2\n    y.shape = 2, 3, -1\n    y.shape = -1\n    y[3] = 8\n    return y",
    "number": "y = x + 1\n    y.shape = y.size\n    return y",
    "list": "y = x + 1\n    y.shape = [y.size, 1]\n    return y",
    "views stay": "y = x + 1\n    z = y[1:]\n    y.shape = (-1,)\n    z[0] = 9\n    return y, z",
    "of a view": "y = x[:, ::2]\n    y.shape = x.shape + (1,)\n    return y",
    "in a branch": "y = x + 1\n    if x[0, 0] >= 0:\n        y.shape = x.shape[::-1]\n    return y",
    "in a loop": "t = 0.0\n    for i in range(3):\n        y = x + i\n        y.shape = -1\n"
    "        t += y[i]\n    return t",
    "of zeros": "y = np.zeros(12)\n    y.shape = (3, 4)\n    y[1, 2] = 5\n    return y.T",
    "a copy": "y = np.ones((4, 6)).T\n    y.shape = 24\n    return y",
    "a copy at run time": "y = x[:, 1:]\n    y.shape = y.size\n    return y",
    "no copy at run time": "y = x[1:]\n    y.shape = y.size\n    y[0] = 5\n    return y",
    "does not fit": "y = x + 1\n    y.shape = (5, 7)\n    return y",
    "two unknown": "y = x + 1\n    y.shape = (-1, -1)\n    return y",
    "of a number": "y = np.float64(3)\n    y.shape = ()\n    return y",
    "of a function's": "def made(n):\n        y = np.arange(n)\n        y.shape = (2, -1)\n"
    "        return y\n    return made(8) + 1",
    "closure": "y = x + 1\n    g = lambda: y.shape\n    y.shape = -1\n    return g()",
    "in a function": "def flat(y):\n        y.shape = -1\n        return y\n    return flat(x + 1)",
}


@pytest.mark.parametrize("name", RESHAPED)
def test_assigning_a_shape(name: str) -> None:
    f = make(f"def f(x):\n    {RESHAPED[name]}")
    x = np.arange(24.0).reshape(4, 6)
    for a in (x, x.T, x[::2], x[:, ::3]):
        check(f, a)


REFUSED = {
    "argument": "x.shape = -1",
    "second name": "y = x + 1\n    z = y\n    y.shape = -1\n    return z",
    "in a list": "y = x + 1\n    z = [y]\n    y.shape = -1\n    return z",
    "in a tuple": "y = x + 1\n    z = (y, 1)\n    y.shape = -1\n    return z[0]",
    "through a branch": "y = x + 1\n    z = y if x[0, 0] > 0 else x\n    y.shape = -1\n"
    "    return z",
    "carried": "y = x + 1\n    for i in range(n):\n        z = y.sum(axis=0)\n        y.shape = -1",
    "caller's": "y = x + 1\n    def g(z):\n        z.shape = -1\n    g(y)\n    return y",
    "strides": "y = x + 1\n    y.strides = (8, 8)",
    "dtype": "y = x + 1\n    y.dtype = np.int64",
}


@pytest.mark.parametrize("name", REFUSED)
def test_assigning_a_shape_that_another_name_observes_is_not_supported(name: str) -> None:
    f = jitted(make(f"def f(x, n):\n    {REFUSED[name]}"))
    with pytest.raises(
        shapecast.UnsupportedError, match=r"rebind the name to a view|is not supported; make a view"
    ):
        f(np.arange(24.0).reshape(4, 6), 3)
