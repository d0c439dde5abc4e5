"""The comparison itself: each kind of wrong result is detected."""

from __future__ import annotations

import numpy as np
import pytest
from support.arrays import LAYOUTS, filled, lay_out
from support.compare import Report, check, copy_arguments, make, message_pattern, pairwise
from support.toolchain import missing, need, shapecast_opt
from support.ulp import exact, ulp_error, within


def wrong(behaviour):
    """A compiler that answers with `behaviour(f, *args)`."""
    return lambda f: lambda *args: behaviour(f, *args)


def add(x, y):
    return x + y


def store(x):
    x[0] = 5
    return x


def fails(x):
    x[0] = 1
    return x[100]


X, Y = np.arange(4.0), np.ones(4)

WRONG = {
    "value": (add, (X, Y), lambda f, x, y: f(x, y) + np.array([0, 0, 0, 1e-15 * 16])),
    "dtype": (add, (X, Y), lambda f, x, y: f(x, y).astype(np.float32)),
    "shape": (add, (X, Y), lambda f, x, y: f(x, y)[None]),
    "type": (add, (X, Y), lambda f, x, y: f(x, y).tolist()),
    "numpy scalar for a Python one": (add, (1.5, 2.0), lambda f, x, y: np.float64(x + y)),
    "Python scalar for a NumPy one": (add, (np.float64(1), 2.0), lambda f, x, y: float(x + y)),
    "sign of zero": (add, (np.zeros(1), np.zeros(1)), lambda f, x, y: -f(x, y)),
    "copy for the argument itself": (store, (X,), lambda f, x: f(x).copy()),
    "mutation lost": (store, (X,), lambda f, x: f(x.copy())),
    "view for the argument": (store, (X,), lambda f, x: f(x)[:]),
    "argument for a fresh array": (add, (X, 0.0), lambda f, x, y: x),
    "no exception": (fails, (X,), lambda f, x: store(x)),
    "other exception": (fails, (X,), lambda f, x: {}[1]),
    "exception before the store": (fails, (X,), lambda f, x: f(x.copy())),
    "other wording": (
        fails,
        (X,),
        lambda f, x: (_ for _ in ()).throw(IndexError("index 7 is out of bounds")),
    ),
    "exception where none is due": (add, (X, Y), lambda f, x, y: x[9]),
    "read-only result": (add, (X, Y), lambda f, x, y: np.broadcast_to(f(x, y), 4)),
}


@pytest.mark.parametrize("kind", WRONG)
def test_a_wrong_result_is_detected(kind: str) -> None:
    f, args, behaviour = WRONG[kind]
    with pytest.raises(AssertionError):
        check(f, *args, jit=wrong(behaviour))


def test_right_answers_pass() -> None:
    for f, args, _ in WRONG.values():
        check(f, *args, jit=lambda f: f)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_copies_keep_values_strides_flags_and_alignment(layout: str) -> None:
    for shape in ((3, 4), (5,), (2, 3, 2), (0, 3), ()):
        for dtype in ("float64", "int16", "complex64", "bool"):
            a = lay_out(filled(shape, dtype), layout)
            b = copy_arguments(a)
            assert b.dtype == a.dtype and b.strides == a.strides and b.tobytes() == a.tobytes()
            assert b.flags.writeable == a.flags.writeable and b.flags.aligned == a.flags.aligned
            assert not np.may_share_memory(a, b)


def test_copies_keep_sharing() -> None:
    base = np.arange(20.0)
    a, b, c, d = copy_arguments((base[2:8], base[3:9], base[2:8], base))
    a[1] = 99
    assert b[0] == 99 and c[1] == 99 and d[3] == 99 and c is not a
    e, f = copy_arguments((base, base))
    assert e is f
    g, h = copy_arguments((np.arange(3), np.arange(3)))
    assert not np.may_share_memory(g, h)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_hold_the_data(layout: str) -> None:
    data = filled((3, 4), "float64")
    laid = lay_out(data, layout)
    assert laid.shape == data.shape
    if not layout.startswith("zero"):
        assert exact(laid.astype("float64"), data) is None


def test_ulp_error_counts_units() -> None:
    one = np.array([1.0])
    assert ulp_error(np.nextafter(one, 2), one)[0] == 1
    assert ulp_error(one, np.array([1.0], np.longdouble) + np.longdouble(2) ** -54)[
        0
    ] == pytest.approx(0.25)
    f = np.array([1], np.float32)
    assert ulp_error(np.nextafter(f, np.float32(2)), f.astype(np.float64))[0] == 1
    assert ulp_error(np.array([np.inf]), np.array([1.0]))[0] == np.inf
    assert ulp_error(np.array([np.nan]), np.array([1.0]))[0] == np.inf
    assert ulp_error(np.array([np.nan]), np.array([np.nan]))[0] == 0
    assert ulp_error(np.array([np.inf]), np.array([np.inf]))[0] == 0
    largest = np.array([np.finfo(float).max])
    assert ulp_error(np.array([np.inf]), largest)[0] == 1
    assert ulp_error(-np.array([np.inf]), largest)[0] == np.inf
    assert ulp_error(np.array([1 + 1j]) * (1 + 4e-16), np.array([1 + 1j]))[0] == pytest.approx(
        2, abs=1
    )


def test_within_names_the_worst() -> None:
    got = np.array([1.0, 2.0])
    want = np.array([1.0, np.nextafter(2.0, 3)])
    assert within(4)(got, want) is None
    problem = within(4)(got + np.array([0, 1e-14]), want)
    assert problem and "1 of 2" in problem and "ULP" in problem
    assert within(4)(np.array([0.0]), np.array([-0.0]))


def test_pairwise_covers_every_pair() -> None:
    factors = {"a": list(range(5)), "b": list("xyz"), "c": [True, False], "d": list(range(4))}
    rows = pairwise(factors)
    names = list(factors)
    for i, p in enumerate(names):
        for q in names[i + 1 :]:
            assert {(r[p], r[q]) for r in rows} == {(v, w) for v in factors[p] for w in factors[q]}
    assert len(rows) < 40 < len(pairwise(factors, full=True)) == 120


def test_message_pattern_allows_other_spellings_of_shapes() -> None:
    import re

    numpys = "operands could not be broadcast together with shapes (3,) (4,) "
    ours = "operands could not be broadcast together with shapes (3, n) and (4, m)\n  File ..."
    assert re.search(message_pattern(numpys), ours, re.DOTALL)
    assert not re.search(message_pattern(numpys), "could not broadcast input array", re.DOTALL)


def test_report_names_each_failure() -> None:
    report = Report("np.sin")
    with report.case("float32", "c"):
        pass
    with report.case("float32", "strided"):
        raise AssertionError("max 3 ULP")
    with pytest.raises(AssertionError, match=r"(?s)sin: 1 of 2 checks.*float32 strided.*3 ULP"):
        report.__exit__(None, None, None)


def test_made_function_has_its_source() -> None:
    import inspect

    f = make("def f(x):\n    return x + 1")
    assert "return x + 1" in inspect.getsource(f)


@pytest.mark.parametrize("where", ["SHAPECAST_ALL_TOOLS", "CI"])
def test_missing_tool_fails_where_all_must_be_and_is_skipped_elsewhere(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tests = [lambda: need("no-such-tool"), shapecast_opt, lambda: missing("a package")]
    for name in ("SHAPECAST_ALL_TOOLS", "CI", "SHAPECAST_OPT"):
        monkeypatch.delenv(name, raising=False)
    for test in tests:
        with pytest.raises(pytest.skip.Exception):
            test()
    monkeypatch.setenv(where, "1")
    for test in tests:
        with pytest.raises(pytest.fail.Exception):
            test()
