"""Ufuncs that the compiler has no rows for, called by their C loops: NumPy's values, types, errors.

NumPy has a few that no namespace shows, SciPy many.
"""

from __future__ import annotations

import re
import threading
from typing import Any

import numpy as np
import pytest
import scipy.special as special
import shapecast
from numpy._core._multiarray_umath import _ones_like  # type: ignore[attr-defined]
from numpy._core._umath_tests import always_error, always_error_unary, inner1d
from support.arrays import filled, lay_out
from support.compare import Report, check, compare, jitted, make
from support.frames import python_frames
from support.ulp import Tolerance, exact, within

DTYPES = ["float64", "float32", "int32", "bool", "float16", "int64", "uint8", "complex128"]
LAYOUTS = ["c", "f", "strided", "reversed", "rolled", "offset", "read_only", "inner"]
SHAPES = {
    "v": (7,), "A": (4, 5), "B": (4, 5), "row": (5,), "col": (4, 1), "T": (2, 3, 4), "e": (0,),
    "n0": (),
}  # fmt: skip
FIXED: dict[str, Any] = {
    "x": 0.75, "k": 2, "z": 0.5 + 0.25j, "f4": np.float32(0.5), "i2": np.int16(3), "b": True,
    "out": np.zeros((4, 5)), "out4": np.zeros((4, 5), np.float32), "r7": np.zeros(7),
}  # fmt: skip


def function(call: str) -> tuple[Any, list[str]]:
    words = set(re.findall(r"(?<![.\w])\w+", re.sub(r"\w+=", "", call)))
    names = [n for n in (*SHAPES, *FIXED) if n in words]
    space = {"special": special, "ones": _ones_like, "fails": always_error}
    space |= {"fails1": always_error_unary, "inner1d": inner1d}
    return make(f"def f({', '.join(names)}):\n    return {call}", **space), names


def operand(name: str, dtype: str, layout: str, seed: int) -> Any:
    if name in FIXED:
        return FIXED[name]
    return lay_out(filled(SHAPES[name], dtype, seed, "small"), layout)


def tolerance(call: str) -> Tolerance:
    """erf, erfc and gammaln are the compiler's own, and more accurate than SciPy's."""
    return within(8) if re.search(r"\b(erfc?|gammaln)\(", call) else exact


def check_call(call: str, dtypes: list[str], number: int = 0) -> Any:
    f, names = function(call)
    varies = any(name in SHAPES for name in names)
    with Report(call) as report:
        for k, dtype in enumerate(dtypes if varies else dtypes[:1]):
            layout = LAYOUTS[(number + 3 * k) % len(LAYOUTS)]
            with report.case(dtype, layout):
                operands = [operand(n, dtype, layout, j) for j, n in enumerate(names)]
                compare(f, *operands, tol=tolerance(call))
    return jitted(f)


OF_NUMPY = [
    "ones(v)", "ones(A)", "ones(T[:, ::2])", "ones(A.T)", "ones(e)", "ones(n0)", "ones(x)",
    "ones(k)", "ones(z)", "ones(f4)", "ones(i2)", "ones(b)", "ones(A[1, 2])", "ones(v) + v[0]",
    "ones([1, 2])",
    "ones(A, out=out), out", "ones(A, out)", "ones(A, out=out4)", "ones(v, out=out)",
    "ones(A, out=None)",
]  # fmt: skip

OF_SCIPY = [
    "special.erf(v)", "special.erf(A)", "special.erf(A.T)", "special.erf(T[:, ::2, 1])",
    "special.erf(n0)", "special.erf(e)", "special.erf(x)", "special.erf(f4)", "special.erf(k)",
    "special.erf(z)", "special.erf(v + 0.5j)", "special.erf(i2)", "special.erf(b)",
    "special.jv(2, v)", "special.jv(2, x)", "special.jv(k, A)", "special.jv(row, col)",
    "special.jv(row, A)", "special.jv(f4, row)", "special.jv(v, f4)", "special.jv(2.0, v)",
    "special.jv(v[1], v)", "special.jv(n0, v)", "special.gammaln(A + 1)", "special.gamma(v + 1)",
    "special.expit(A) * 2", "special.beta(row + 1, col + 1)", "special.betainc(1.5, 2, v / 9)",
    "special.xlogy(A, B)", "special.sici(v)", "special.sici(x)", "special.airy(A)[2]",
    "special.fresnel(n0)", "special.ellipj(v, 0.5)", "special.eval_legendre(k, v)",
    "special.eval_legendre(1.5, v)", "special.hyp2f1(1, 2, 3.5, v / 9)", "special.comb(5, k)",
    "special.erf([0.5, 1])", "special.erf((k, 2))", "special.erf(A, out=out), out",
    "special.erf(A, out)", "special.erf(v, r7), r7", "special.erf(A, out=out4)",
    "special.erf(v, out=out)", "special.jv(row, col, out=out)", "special.kv(0, v)",
    "special.ndtr(v).sum() + special.ndtri(0.3)", "special.zeta(v + 2, 1)",
]  # fmt: skip
RAISING_SCIPY = [
    "special.erf(v, where=True)", "special.erf('a')", "special.erf(None)", "special.erf()",
    "special.erf(v, v, v)", "special.jv(v)", "special.jv(v[:3], v[:2])", "special.expit(z)",
    "special.sici(v, no=3)", "special.erf(v, dtype=np.int8)",
]  # fmt: skip


def some(full: bool, number: int) -> list[str]:
    return DTYPES if full else [DTYPES[0], *(DTYPES[1 + (number + 2 * j) % 7] for j in range(2))]


def test_ufuncs_of_numpy(full: bool) -> None:
    for number, call in enumerate(OF_NUMPY):
        check_call(call, some(full, number), number)


@pytest.mark.parametrize("part", range(4))
def test_ufuncs_of_scipy(part: int, full: bool) -> None:
    for number, call in enumerate(OF_SCIPY[part::4]):
        check_call(call, some(full, number), number)


@pytest.mark.parametrize("call", RAISING_SCIPY)
def test_dtypes_without_a_loop_do_what_numpy_does(call: str) -> None:
    check_call(call, ["float64"])


def test_every_function_of_scipy_special(full: bool) -> None:
    """One call of each, with arrays and with numbers."""
    native = taken = 0
    names = sorted(n for n in dir(special) if type(getattr(special, n)) is np.ufunc)
    for name in names if full else names[::9]:
        ufunc = getattr(special, name)
        parameters = ", ".join("abcdefg"[: ufunc.nin])
        f = make(f"def f({parameters}):\n    return special.{name}({parameters})", special=special)
        given = [np.array([0.5, 0.25, 1.5]) / (k + 1) for k in range(ufunc.nin)]
        with np.errstate(all="ignore"):
            taken += (
                compare(f, *given, tol=tolerance(name + "(")).error is None
            )  # some want integers
            compare(f, *(float(x[0]) for x in given), tol=tolerance(name + "("))
        native += "calls Python" not in jitted(f).explain()
    assert native == taken > 20


def test_no_frame_of_python_runs() -> None:
    f = make(
        "def f(v, n):\n    t = 0.0\n    for i in range(n):\n"
        "        t += ones(v[i]) + ones(v)[i] + ones(3)\n    return t",
        ones=_ones_like,
    )
    g = jitted(f)
    v = np.arange(5.0)
    assert g(v, 5) == f(v, 5)
    assert "calls Python" not in g.explain()
    assert python_frames(lambda: g(v, 5)) == []


@pytest.mark.parametrize(
    "call",
    ["fails(v, 2.0)", "fails(x, x)", "fails1(A)", "fails1(x) + 1", "fails1(e)", "fails(v, e)"],
)
def test_exceptions_of_a_loop_are_raised(call: str) -> None:
    check_call(call, ["float64"])


def test_exceptions_of_a_loop_can_be_caught() -> None:
    f = make(
        "def f(v):\n    y = v * 2\n    for k in range(3):\n        try:\n"
        "            y += fails(y, v)\n"
        "        except RuntimeError:\n            y += 1\n    return y",
        fails=always_error,
    )
    check(f, np.arange(4.0))
    check(f, np.arange(100_000.0))  # without Python's lock


def test_exceptions_of_a_loop_name_the_users_line() -> None:
    f = jitted(make("def f(v):\n    y = v + 1\n    return fails(y)", fails=always_error_unary))
    with pytest.raises(RuntimeError, match="How unexpected") as raised:
        f(np.ones(3))
    assert any(entry.name == "f" and entry.lineno + 1 == 3 for entry in raised.traceback)


def test_generalised_ufuncs_are_callouts() -> None:
    f = jitted(make("def f(A):\n    return inner1d(A, A)", inner1d=inner1d))
    a = np.arange(6.0).reshape(2, 3)
    assert f(a).tolist() == inner1d(a, a).tolist()
    assert "calls Python: inner1d (line 2)" in f.explain()


def test_ufuncs_of_python_functions_are_not_called_at_compile_time() -> None:
    called = []
    ufunc = np.frompyfunc(lambda x: called.append(x), 1, 1)
    with pytest.raises(shapecast.UnsupportedError):
        jitted(make("def f(x):\n    return u(x)", u=ufunc))(np.ones(3))
    assert not called


def test_another_ufunc_of_that_name_is_another_function() -> None:
    f = make("def f(x):\n    return u(x)", u=_ones_like)
    g = jitted(f)
    assert g(3.0) == 1.0
    f.__globals__["u"] = np.negative
    assert g(3.0) == -3.0


def test_a_union_of_int_and_float_uses_the_loop_of_each() -> None:
    f = make("def f(x, flag):\n    y = x if flag else 2\n    return ones(y)", ones=_ones_like)
    for x, flag in ((np.float32(0.5), True), (np.float32(0.5), False), (1.5, True), (1.5, False)):
        check(f, x, flag)


def test_loops_in_threads() -> None:
    f = shapecast.jit(make("def f(x):\n    return special.gammaln(x).sum()", special=special))
    arrays = [np.linspace(1, 9, 1000 + 9000 * k) for k in range(6)]
    wants = [special.gammaln(x).sum() for x in arrays]
    wrong: list[int] = []

    def work(k: int) -> None:
        wrong.extend(k for _ in range(20) if not np.isclose(f(arrays[k]), wants[k], 1e-14))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_scipys_seterr_is_respected() -> None:
    f = make("def f(x):\n    return special.gammaln(x)", special=special)
    with special.errstate(all="raise"):
        check(f, 0.0)
        check(f, np.array([1.0, 0.0]))
    check(f, 0.0)


def test_a_loop_over_numbers_and_what_follows_an_array() -> None:
    f = make(
        "def f(x):\n    s = 0.0\n    for i in range(len(x)):\n        s += special.gammaln(x[i])\n"
        "    y = special.erf(x * 2)\n    y[0] = s\n    x[1] = 7.0\n    return y[::-1] + 1, s",
        special=special,
    )
    compare(f, np.linspace(0.5, 4, 9), tol=within(8))
