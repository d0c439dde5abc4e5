"""Symbolic shapes through f.infer: sizes are expressions of the arguments' sizes, and errors come
before compiling.
"""

from __future__ import annotations

import re

import numpy as np
import pytest
import shapecast
from support.compare import case_id, check, jitted, make


def infer(source: str, *specs):
    return jitted(make(source)).infer(*specs)


def symbols(shape: tuple) -> tuple[str, ...]:
    return tuple(re.sub(r"\s", "", str(dim)) for dim in shape)


def s(dtype: str, ndim: int):
    return shapecast.spec(dtype, ndim)


@pytest.mark.parametrize(
    ("body", "shape"),
    [
        ("x * 2", ("s0", "s1")), ("x[1:-1]", ("s0-2", "s1")), ("x[1:-1, 2:]", ("s0-2", "s1-2")),
        ("x.T", ("s1", "s0")),
        ("x[0]", ("s1",)), ("x[:, None]", ("s0", "1", "s1")), ("x.sum(axis=0)", ("s1",)),
        ("x.sum()", ()),
        ("x.sum(axis=1, keepdims=True)", ("s0", "1")), ("x[:, 3]", ("s0",)), ("x[None]", ("1",
        "s0", "s1")),
        ("np.zeros((x.shape[0] + 1, 3))", ("s0+1", "3")), ("x + 1 > x", ("s0", "s1")), ("x @ x.T",
        ("s0", "s0")),
        ("np.arange(5)", ("5",)), ("x[1:] - x[:-1]", ("s0-1", "s1")), ("np.ones_like(x[2:])",
        ("s0-2", "s1")),
    ],
    ids=case_id,
)  # fmt: skip
def test_size_is_an_expression_of_the_arguments_sizes(body: str, shape: tuple[str, ...]) -> None:
    result = infer(f"def f(x):\n    return {body}", s("float64", 2))
    assert symbols(result.shape) == shape
    assert result.ndim == len(shape)


def test_dtypes_of_specs() -> None:
    f = "def f(x, y):\n    return x + y, x > y, (x * y).sum(axis=0)"
    a, b, c = infer(f, s("float32", 2), s("int16", 1))
    assert (a.dtype, b.dtype, c.dtype) == (np.float32, np.bool_, np.float32)
    a, b, c = infer(f, s("int8", 1), np.dtype("uint8"))
    assert (a.dtype, a.ndim, c.dtype, c.ndim) == (np.int16, 1, np.int64, 0)


def test_python_scalars_stay_python_types() -> None:
    a, b, c = infer("def f(n, x):\n    return n + 1, n * x, n > 2", 3, 2.5)
    assert (a.dtype, b.dtype, c.dtype) == (int, float, bool)


def test_real_arrays_as_specs_give_symbols_not_sizes() -> None:
    result = infer("def f(x):\n    return x[1:]", np.ones(7))
    assert result.ndim == 1 and result.dtype == np.float64


def test_equal_sizes_by_use_are_one_symbol() -> None:
    """x and y meet in an addition, so that afterwards their sizes are one unless one of them is
    1.
    """
    a, b = infer(
        "def f(x, y):\n    z = x @ y\n    return z, x.sum(axis=0) * y.sum(axis=1)",
        s("float64", 2),
        s("float64", 2),
    )
    assert len(symbols(a.shape)) == 2 and len(symbols(b.shape)) == 1


def test_loop_keeps_sizes_that_do_not_change() -> None:
    source = """
        def f(a, b, n):
            for k in range(n):
                b[1:-1] = a[:-2] + a[2:]
                a, b = b, a
            return a
    """
    assert infer(source, s("float64", 1), s("float64", 1), 3).ndim == 1


def test_call_chain_is_inferred_through() -> None:
    source = """
        def half(x):
            return x[::2]

        def f(x):
            return half(x + 1)
    """
    result = infer(source, s("int32", 1))
    assert result.dtype == np.int32 and result.ndim == 1


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("x @ x[1:]", shapecast.ShapeError), ("x + x[1:]", shapecast.ShapeError), ("x & 1",
        TypeError),
        ("x[0, 0, 0]", IndexError), ("x.sum(axis=2)", ValueError), ("x.transpose(0, 1, 2)",
        ValueError),
    ],
)  # fmt: skip
def test_an_expression_that_fits_no_sizes_is_an_error_of_inference(body: str, error: type) -> None:
    """Only what no sizes could satisfy: x + x[1:] fits for sizes 1 and 2, so it may also infer."""
    f = jitted(make(f"def f(x):\n    return {body}"))
    if error is shapecast.ShapeError:
        try:
            f.infer(s("float64", 2))
        except shapecast.ShapeError:
            pass
    else:
        with pytest.raises(error):
            f.infer(s("float64", 2))


def test_shape_error_is_a_value_error() -> None:
    assert issubclass(shapecast.ShapeError, ValueError)
    with pytest.raises(ValueError, match="could not be broadcast"):
        jitted(make("def f(x, y):\n    return x + y"))(np.ones(3), np.ones(4))


def test_an_int_argument_that_equals_a_size() -> None:
    f = make("def f(x, n):\n    return np.arange(n), np.zeros(n) + x, n")
    for size, n in [(5, 5), (1, 5), (4, 4), (0, 0), (1, 1)]:
        check(f, np.ones(size), n)


def test_specs_have_sizes() -> None:
    f = jitted(make("def f(x, y):\n    return x * y"))
    spec = shapecast.spec
    assert f.infer(("n", "m"), ("m",)).shape == ("n", "m")
    assert f.infer(spec("float32", (3, "n")), spec("float32", 1)).shape[0] == 3
    assert f.infer(spec("f8", ("2*k+1",)), 1.0).shape == ("2 * k + 1",)
    either = f.infer(("n",), ("m",)).shape
    assert either == ("broadcast(n, m)",) and f.infer(spec("f8", either), 1.0).shape == either
    for wrong in ((-3, "n"), ("n", -1)):
        with pytest.raises(ValueError, match="no negative size"):
            f.infer(wrong, 1.0)
    with pytest.raises(TypeError, match="a shape is a tuple"):
        spec("f8", "nk")
    with pytest.raises(shapecast.ShapeError, match=r"shapes \(n1,3\) \(k2,4\)"):
        f.infer(("n1", 3), ("k2", 4))


def test_signature_of_names_what_tuples_hold() -> None:
    f = jitted(make("def f(t, x):\n    return t[0] + x"))
    signature = f.signature_of((np.ones(3), 3.0), ("n", 3))
    assert list(signature.parameters) == ["t[0]", "t[1]", "x"]
    assert signature.parameters["x"].shape == ("n", 3)
    assert signature.result.shape == ("n", 3)
    assert "float64[n, 3]" in repr(signature)


def test_signature_of_lists_guards_and_requirements() -> None:
    f = jitted(make("def f(x, w):\n    return x @ w"))
    symbolic = f.signature_of(("n", "k"), ("512", 10))
    assert symbolic.requirements == ["k == 512 (line 2)"] and symbolic.guards == []
    assert repr(symbolic.parameters["x"]) == "float64[n, 512]"
    called = f.signature_of(np.ones((30, 40)), np.ones((40, 50)))
    assert called.guards == ["s1 == s2 (line 2)"] and called.requirements == []


def test_reshape_to_a_size_that_is_negative_at_run_time() -> None:
    """NumPy finds it; compiled code does for what is negative when it is compiled, else raises."""
    f = jitted(
        make("""
        def f(x, a, b):
            t = 0.0
            for k in range(a, b):
                y = x.reshape(k, -1)
                t += (y + 1).sum() + y.shape[0]
            return t
    """)
    )
    assert f(np.ones(6), 2, 4) == 29.0
    with pytest.raises(ValueError, match="can only specify one unknown dimension"):
        f(np.ones(6), -3, -2)
    g = jitted(
        make(
            "def g(x, a, b):\n    for k in range(a, b):\n        x = x.reshape(k, 3)\n    return x"
        )
    )
    with pytest.raises(shapecast.UnsupportedError, match="must be a negative constant"):
        g(np.ones(6), -2, 0)


def test_ranges_that_begin_at_a_size() -> None:
    for body in ("range(x.shape[0] - 2, x.shape[0])", "range(k, k + 3)"):
        source = (
            f"def f(x, k):\n    t = 0.0\n    for q in {body}:\n        t += x[q] * q\n    return t"
        )
        check(make(source), np.arange(6.0), 1)


def test_an_error_names_the_line_that_made_a_size_known() -> None:
    f = jitted(
        make("""
        def f(x, a, b):
            y = x @ a
            z = y + 1
            return x @ b, z
    """)
    )
    with pytest.raises(shapecast.ShapeError, match="size 256 is different from k") as raised:
        f.infer(("n", "k"), shapecast.spec("f8", (512, 10)), shapecast.spec("f8", (256, 10)))
    notes = "\n".join(raised.value.__notes__)
    assert "return x @ b, z" in notes and "k == 512 because of line 2" in notes


def test_sizes_that_are_computed_values_stay_symbols() -> None:
    f = jitted(
        make("""
        def f(x, y):
            n, m = x.shape
            return (
                np.zeros((n + 1, len(x) * 2)), np.broadcast_to(y, (n, m)), np.tile(x, (2, 3)),
                x.reshape((m, n)), x.reshape(x.shape[0], -1, 1), np.ones(x.shape + y.shape),
                np.arange(n - 1), np.full((m // 2, n % 3), 1.0), x[: m // 2, 1:],
                np.concatenate([x, x], axis=1), np.repeat(y, 2), np.zeros(x.T.shape[::-1]),
            )
    """)
    )
    shapes = [result.shape for result in f.infer(("n", "m"), ("m",))]
    assert shapes == [
        ("n + 1", "2 * n"), ("n", "m"), ("2 * n", "3 * m"),
        ("m", "n"), ("n", "m", 1), ("n", "m", "m"),
        ("n - 1",), ("floordiv(m, 2)", "mod(n, 3)"), ("min(n, floordiv(m, 2))", "m - min(m, 1)"),
        ("n", "2 * m"), ("2 * m",), ("n", "m"),
    ]  # fmt: skip
