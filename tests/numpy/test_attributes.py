"""real imag conj nbytes itemsize item fill view astype and dtypes as values."""

from __future__ import annotations

import numpy as np
import pytest
from support.arrays import COMPLEX, DTYPES, IN_PLACE, LAYOUTS, filled, lay_out
from support.compare import Report, check, jitted, make


@pytest.mark.parametrize("dtype", DTYPES)
def test_real_and_imaginary_parts(dtype: str) -> None:
    f = make("""
        def f(x):
            return x.real, x.imag, np.real(x), np.imag(x), x.conj(), x.conjugate()
    """)
    if dtype == "bool":
        f = make("def f(x):\n    return x.real, x.imag, np.real(x), x.conj()")
    for k, layout in enumerate(IN_PLACE):
        if dtype in COMPLEX or k % 4 == len(dtype) % 4:
            check(f, lay_out(filled((3, 4), dtype), layout))
    check(f, np.array(1, dtype))
    check(f, np.ones(1, dtype)[0])


def test_stores_to_parts_reach_the_array() -> None:
    f = make("""
        def f(z):
            z.real[...] = z.imag
            z.imag[1:] += 2
            z.T.real[0] = 7
            z[::-1].imag[0] = z.real[1]
            return z, z.real.max(), (z + z).real, np.abs(z.imag).max()
    """)
    for layout in ("c", "f", "strided", "reversed", "inner"):
        for dtype in COMPLEX:
            check(f, lay_out(filled((4, 5), dtype), layout))


def test_parts_of_expressions_and_scalars() -> None:
    f = make("""
        def f(z, w):
            y = z * w
            r = y.real
            y[0] = 1j
            return (z + w).real, (z - w).imag.sum(), np.real(z[0] + w[0]), r, np.imag(2j), (3).real
    """)
    z, w = filled((5,), "complex128", 1), filled((5,), "complex128", 2)
    check(f, z.round(1), w.round(1))
    check(make("def f(z):\n    return np.real([1, 2j]), np.real(z), np.imag(z)"), 2 + 3j)
    g = make("def g(x):\n    x.imag[0] = 1")
    check(g, np.ones(3))
    check(g, np.ones(3, complex))


def test_a_part_of_an_expression_makes_no_temporary() -> None:
    f = make("def f(z, w):\n    return (z + w).real.sum()")
    z = np.ones(4, complex)
    assert "np.alloc" not in jitted(f).stages(z, z)["reuse"]


@pytest.mark.parametrize("dtype", DTYPES)
def test_nbytes_and_itemsize(dtype: str) -> None:
    f = make("""
        def f(x):
            return (x.nbytes, x.itemsize, x.dtype.itemsize, x.dtype.kind, x.dtype.name,
                    x.dtype.char, x[0].nbytes, np.size(x, 0), np.size(x, (0, 1)), x.mT.shape)
    """)
    for shape in ((3, 4), (0, 2)):
        if shape[0]:
            check(f, filled(shape, dtype))
    check(make("def f(x):\n    return x.nbytes, np.ndim(3), np.shape(2.5), np.size([1, 2])"),
          np.ones((0, 3), dtype))  # fmt: skip


@pytest.mark.parametrize("name", ["ndim", "shape", "size"])
def test_sizes_of_what_is_no_array(name: str) -> None:
    """Ranges have items; texts, None and dicts are one element of an array of objects."""
    for value in (
        "range(3)",
        "range(0)",
        "'abc'",
        "str(x[0])",
        "None",
        "{1: 2, 3: 4}",
        "[[1], [2]]",
    ):
        check(make(f"def f(x):\n    return np.{name}({value})"), np.ones(2))


@pytest.mark.parametrize(
    "call",
    ["x.item(k)", "x.item(k, 1)", "x.item((1, k))", "x[0].item(k)", "x.item()", "x.item(0, 0, k)",
     "x[1:, 2:].item()", "x[0, 0].item()", "x.item(2.5)"],
)  # fmt: skip
def test_item_is_numpys(call: str) -> None:
    f = make(f"def f(x, k):\n    return {call}")
    for j, dtype in enumerate(("float32", "int8", "complex64", "bool", "uint64", "float64")):
        x = lay_out(filled((2, 3), dtype, 0, "finite"), LAYOUTS[(j * 5) % 14])
        for k in (0, 1, 5, -1, -6, 6, -7):
            check(f, x, k)
    check(f, np.ones((0, 3)), 0)


@pytest.mark.parametrize("value", ["2", "2.5", "y", "y[0]", "n", "True"])
def test_fill_is_numpys(value: str) -> None:
    f = make(f"def f(x, y, n):\n    x.fill({value})\n    x[1:].fill(3)\n    return x")
    for j, dtype in enumerate(("float32", "int16", "complex64", "bool")):
        if value == "y[0]" or value not in ("y", "y[0]"):
            check(f, lay_out(filled((3, 4), dtype), LAYOUTS[j * 3]), np.arange(4.0), 7)


@pytest.mark.parametrize(
    "call",
    [
        "x.astype(x.dtype)", "x.astype(float, copy=False)", "x.astype(np.float32, order='F')",
        "x.astype(np.int8, casting='safe')", "x.astype('complex64', casting='same_kind')",
        "np.astype(x, np.float64, copy=False)", "x.view()", "x.view(x.dtype)",
        "np.zeros(3, x.dtype)", "np.array(2, dtype=x.dtype)", "x.sum(dtype=x.dtype)",
        "np.ones_like(x, dtype=np.dtype('f4'))", "np.result_type(x, np.float32)",
        "np.result_type(x, 2.5)", "np.promote_types(np.int8, x.dtype)", "x.dtype == 'float64'",
        "x.dtype != np.int32", "x.dtype == np.dtype('int32')",
        "np.iscomplexobj(x)", "np.isrealobj(x)",
        "1 if x.dtype == np.float64 else 2", "np.ptp(x)", "np.ptp(x, axis=0)",
        "np.ptp(x, 1, keepdims=True)", "x.astype(np.result_type(x, np.int64))",
    ],
)  # fmt: skip
def test_dtypes_as_values(call: str) -> None:
    f = make(f"def f(x):\n    return {call}")
    with Report(call) as report:
        for k, dtype in enumerate(("float64", "int32", "complex64", "float16", "uint8")):
            layout = IN_PLACE[(k * 3 + len(call)) % len(IN_PLACE)]
            if "view" in call and dtype == "bool":
                continue
            with report.case(dtype, layout):
                check(f, lay_out(filled((3, 4), dtype, 0, "small"), layout))


@pytest.mark.parametrize("name", [*DTYPES, "bool_", "intp", "single", "double", "half"])
def test_constructors_of_numpy_scalars(name: str) -> None:
    calls = ", ".join(f"np.{name}({given})" for given in "nvsx")
    f = make(f"def f(x, n, v, s):\n    return {calls}")
    check(f, filled((3, 2), "float32", 0, "small"), 3, 2.5, np.int8(4))
    check(f, filled((3,), "int64", 0, "small"), 0, True, np.float16(1.5))
    check(f, np.array(2), 1, 0.0, np.bool_(True))


def test_text_as_a_number_is_refused() -> None:
    import shapecast

    for call in ("np.float32('1.5')", "np.int8('a')"):
        with pytest.raises(shapecast.UnsupportedError):
            shapecast.jit(make(f"def f():\n    return {call}"))()


@pytest.mark.parametrize("name", ["float16", "float32", "float64", "complex64"])
def test_limits_of_floats(name: str) -> None:
    rows = ("eps", "max", "min", "tiny", "smallest_normal", "smallest_subnormal", "bits")
    call = ", ".join(f"np.finfo(x.dtype).{row}" for row in rows)
    check(make(f"def f(x):\n    return {call}"), np.ones(2, name))
    check(make(f"def f():\n    return np.finfo(np.{name}).eps"))


@pytest.mark.parametrize("name", ["int8", "int64", "uint8", "uint32", "int16"])
def test_limits_of_integers(name: str) -> None:
    call = ", ".join(f"np.iinfo(np.{name}).{row}" for row in ("max", "min", "bits"))
    check(make(f"def f(x):\n    return {call}, x + np.iinfo(x.dtype).max"), np.ones(2, name))
    check(make("def f():\n    return np.iinfo(np.float32).max"))
    check(make("def f():\n    return np.finfo(np.int8).max"))
