"""Dtypes that compiled code does not access: bfloat16 and its like, times, text, records. Arrays of
them are passed on to NumPy.
"""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from support.compare import jitted, make

BFLOAT = "import ml_dtypes\nbf = ml_dtypes.bfloat16\n"
BODIES = [
    "x + x", "x + 1", "x * np.float32(2)", "np.exp(x)", "x.sum()", "x[2]", "np.sort(x)[::-1]", "x",
    "x.astype(np.float32) * 2", "x.astype(np.float32).astype(bf)", "x.astype(ml_dtypes.bfloat16)",
    "np.zeros(3, dtype=bf) + x[:3]", "np.zeros(x.shape, ml_dtypes.float8_e4m3fn)", "x @ x",
    "np.where(x > 1, x, 0)", "x.reshape(5, 1) + x", "float(x[1]) + 1", "x.dtype == bf", "len(x)",
]  # fmt: skip


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("dtype", ["bfloat16", "float8_e4m3fn", "int4"])
def test_dtypes_that_a_library_registers(body: str, dtype: str) -> None:
    f = make(f"{BFLOAT}\ndef f(x):\n    return {body}")
    x = np.arange(5).astype(getattr(ml_dtypes, dtype))
    try:
        want = f(x)
    except Exception as error:
        with pytest.raises(type(error)):
            jitted(f)(x)
        return
    got = jitted(f)(x)
    assert type(got) is type(want)
    if isinstance(want, np.ndarray):
        assert got.dtype == want.dtype
        assert got.tobytes() == want.tobytes()
    else:
        assert got == want


def test_stores_to_bfloat16() -> None:
    f = make("""
        def f(x, y):
            x[1] = 3
            x[2:] += y[2:]
            z = x.copy()
            z[0] = y.sum()
            return z
    """)
    outcomes = []
    for call in (f, jitted(f)):
        x = np.arange(5).astype(ml_dtypes.bfloat16)
        outcomes.append((call(x, np.linspace(0, 1, 5, dtype=np.float32)).tolist(), x.tolist()))
    assert outcomes[0] == outcomes[1]


DTYPES = {
    "times": "np.dtype('datetime64[D]')",
    "text": "np.dtype('U4')",
    "bytes": "np.dtype('S3')",
    "records": "np.dtype([('a', 'f8'), ('b', 'i4')])",
}


@pytest.mark.parametrize("dtype", list(DTYPES.values()), ids=list(DTYPES))
@pytest.mark.parametrize(
    "body", ["np.zeros(3, d)", "np.empty(2, dtype=d).shape", "d", "d.itemsize"]
)
def test_dtypes_as_values(dtype: str, body: str) -> None:
    inside = make(f"d = {dtype}\n\ndef f():\n    return {body}")
    given = make(f"def f(d):\n    return {body}")
    d = eval(dtype)
    for call, arguments in ((inside, ()), (given, (d,))):
        want, got = call(*arguments), jitted(call)(*arguments)
        assert type(got) is type(want)
        assert np.array_equal(got, want)
        assert getattr(got, "dtype", None) == getattr(want, "dtype", None)
