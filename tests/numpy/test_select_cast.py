"""where, clip, astype: over dtypes, layouts, and the edge cases of casts."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from shapecast._host_info import _casts_saturate
from support.arrays import DTYPES, FLOATS, INTEGERS, LAYOUTS, filled, lay_out
from support.compare import Report, check, make

where = make("def where(c, x, y):\n    return np.where(c, x, y)")
clip = make("def clip(x, low, high):\n    return np.clip(x, low, high)")
clip_method = make("def clip_method(x, low, high):\n    return x.clip(low, high)")


@pytest.mark.parametrize("dtype", DTYPES)
def test_where_of_two_arrays(dtype: str) -> None:
    with Report(f"np.where on {dtype}") as report:
        for k, other in enumerate(DTYPES):
            c = lay_out(filled((5, 9), "bool", k), LAYOUTS[k % len(LAYOUTS)])
            x = lay_out(filled((5, 9), dtype, k), LAYOUTS[(k + 5) % len(LAYOUTS)])
            with report.case(dtype, other):
                check(where, c, x, filled((9,), other, k))


def test_where_with_scalars_and_other_conditions() -> None:
    with Report("np.where") as report:
        c, x = filled((7,), "bool"), filled((7,), "float32")
        for a, b in (
            (x, 0.0),
            (1, x),
            (2, 3),
            (1.5, 2),
            (True, x),
            (np.float64(1), x),
            (x, np.int8(2)),
        ):
            with report.case(repr(a), repr(b)):
                check(where, c, a, b)
        with report.case("number as condition"):
            check(where, filled((7,), "float64"), x, 0.0)
            check(where, filled((7,), "int32"), x, 0.0)
        with report.case("0-d"):
            check(where, np.array(True), np.array(1.0), np.array(2.0))
            check(where, c, np.ones((3, 1)), np.array(2))
        with report.case("scalar condition"):
            check(where, True, x, 0.0)
            check(where, np.bool_(False), x, np.ones((2, 7)))


@pytest.mark.parametrize(
    "dtype", [d for d in DTYPES if d not in ("bool", "complex64", "complex128")]
)
def test_clip_with_scalars_and_arrays(dtype: str) -> None:
    with Report(f"np.clip on {dtype}") as report:
        for k, layout in enumerate(LAYOUTS):
            x = lay_out(filled((4, 6), dtype, k), layout)
            one, five = x.dtype.type(1), x.dtype.type(5)
            low, high = [(1, 5), (one, five), (np.full(6, one), five), (0.5, 2.5), (five, one)][
                k % 5
            ]
            with report.case(dtype, layout, repr(low), repr(high)):
                check(clip if k % 2 else clip_method, x, low, high)


def test_clip_with_one_bound_and_bounds_beyond_the_dtype() -> None:
    x = filled((20,), "uint8")
    check(make("def f(x):\n    return np.clip(x, None, 100)"), x)
    check(make("def f(x):\n    return np.clip(x, 10, None)"), x)
    check(make("def f(x):\n    return np.clip(x, 10, 300)"), x)
    check(make("def f(x):\n    return x.clip(-5, 20)"), x)
    x = filled((40,), "float64")
    check(
        make("def f(x):\n    return x.clip(0.0, 1.0)"), x[x != 0]
    )  # of two zeros NumPy takes either


CASTS = list(itertools.product(DTYPES, DTYPES))


@pytest.mark.parametrize("source", DTYPES)
def test_astype_to_every_dtype(source: str) -> None:
    with Report(f"astype from {source}") as report:
        for k, target in enumerate(DTYPES):
            f = make(f"def f(x):\n    return x.astype(np.{target})")
            # Fractions, signs and wrap-around; what does not fit has its own test below.
            x = filled((43,), source, k, "any" if source in ("bool", *INTEGERS) else "finite")
            if x.dtype.kind in "fc" and np.dtype(target).kind in "iu":
                x = np.clip(x.real, 0 if target[0] == "u" else -100, 100).astype(source)
            with report.case(source, "to", target, "[43]"):
                check(f, x)
            layout = LAYOUTS[(k + DTYPES.index(source)) % len(LAYOUTS)]
            with report.case(source, "to", target, layout):
                check(f, lay_out(x[:40].reshape(5, 8), layout))
            with report.case(source, "to", target, "0-d"):
                check(f, x[3:4].reshape(()))


@pytest.mark.parametrize(
    "target", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool"]
)
@pytest.mark.parametrize("source", FLOATS)
def test_astype_of_floats_out_of_range_gives_what_numpy_gives_here(
    source: str, target: str
) -> None:
    f = make(f"def f(x):\n    return x.astype(np.{target})")
    border = [2.0**k for k in (7, 8, 15, 16, 31, 32, 63, 64)]
    values = [
        *border,
        *[-b for b in border],
        np.nan,
        np.inf,
        -np.inf,
        300.7,
        -1.5,
        -0.5,
        1e30,
        -1e30,
        255.9,
        256.0,
    ]
    # Repeated, so that vector lanes and the remainder both see every value.
    with np.errstate(all="ignore"):
        x = np.repeat(np.array(values, source), 5)
    if (
        target == "uint32"
    ):  # beyond it NumPy's own answer depends on the SIMD instructions of the machine
        x = x[np.abs(x) < 2.0**31]
    if _casts_saturate():  # on ARM NumPy's vector loops have other results than for one number
        for one in np.unique(x):
            check(f, np.array([one]))
    else:
        check(f, x)


@pytest.mark.parametrize(
    "target",
    [
        "float",
        "int",
        "bool",
        "complex",
        "'float32'",
        "'i2'",
        "x.dtype",
        "y.dtype",
        "np.dtype('u1')",
    ],
)
def test_astype_with_other_spellings_of_dtypes(target: str) -> None:
    f = make(f"def f(x, y):\n    return x.astype({target})")
    check(f, filled((6,), "int16"), filled((6,), "float32"))


def test_astype_to_the_same_dtype_is_a_copy() -> None:
    check(make("def f(x):\n    return x.astype(np.float64)"), filled((6,), "float64"))
