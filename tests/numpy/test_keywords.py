"""Keywords of NumPy's functions: where=, initial=, out=, order=, casting=, copy= and the like."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.arrays import LAYOUTS, lay_out
from support.compare import Report, check, jitted, make
from support.ulp import within_absolute

near = within_absolute(1e-12)
IN_PLACE = [layout for layout in LAYOUTS if layout not in ("swapped", "unaligned")]  # no copies

V = np.arange(6.0) + 0.5
A = np.arange(20.0).reshape(4, 5) + 0.5
B = np.arange(6, dtype=np.int8)
I4 = np.arange(6, dtype=np.int32)
F4 = V.astype(np.float32)
C = V + 1j
M = A > 3
EMPTY = np.zeros((0, 3))


def run(calls: list[tuple[str, tuple[Any, ...]]]) -> None:
    """Each call and its stores, with arrays in every layout."""
    with Report("keywords") as report:
        for number, (call, args) in enumerate(calls):
            names = ", ".join("abcd"[: len(args)])
            f = make(f"def f({names}):\n    return {call}")
            with report.case(call):
                check(f, *args, tol=near)
            layout = IN_PLACE[number % len(IN_PLACE)]
            if "out=" in call or "copy=" in call or "'K'" in call:
                continue  # a new layout may be unsupported, or known too late
            with report.case(call, layout):
                check(
                    f,
                    *(lay_out(x, layout) if isinstance(x, np.ndarray) else x for x in args),
                    tol=near,
                )


def test_where_of_reductions() -> None:
    calls = []
    for name in ("sum", "prod", "mean", "var", "std", "any", "all"):
        calls += [
            (f"np.{name}(a, where=b)", (A[:2], M[:2])),
            (f"np.{name}(a, axis=1, where=b)", (A[:, :3], M[:, :1])),
            (f"a[:3, :2].{name}(axis=0, where=b, keepdims=True)", (A, M[:3, :2])),
            (f"np.{name}(a, where=[True, False, True, True, True], axis=0)", (A,)),
            (f"np.{name}(a, where=True)", (V,)),
            (f"np.{name}(a, where=a > 100)", (V,)),
            (f"np.{name}(a, where=b)", (V, M)),
            (f"np.{name}(a, where=a)", (V,)),
        ]
        if name in ("sum", "prod", "any", "all"):  # the others have other messages
            calls.append((f"np.{name}(a, where=b)", (A, M[:, 0])))
    run(calls)
    run([("np.mean(a, where=a > 2)", (I4,)), ("np.std(a, where=a > 2, ddof=1)", (V,))])


def test_initial_of_reductions() -> None:
    calls: list[tuple[str, tuple[Any, ...]]] = []
    for name in ("sum", "prod", "min", "max"):
        calls += [
            (f"np.{name}(a, initial=3)", (V,)),
            (f"np.{name}(a, axis=0, initial=3)", (EMPTY,)),
            (f"np.{name}(a, initial=2.5)", (I4,)),
            (f"np.{name}(a, initial=b)", (I4, 3)),
            (f"np.{name}(a, initial=np.float32(2))", (V,)),
            (f"np.{name}(a, initial=1j)", (V,)),
            (f"np.{name}(a, axis=1, initial=b, where=c, keepdims=True)", (A[:, :2], 4.0, M[:, :2])),
            (f"np.{name}(a, initial=None)", (V,)),
            (f"np.{name}(a, where=b)", (A[:1], M[:1])),
        ]
    calls += [
        ("np.max(a, initial=300)", (B,)),
        ("np.max(a, initial=np.int64(300))", (B,)),
        ("np.sum(a, 0, 'f4', None, True, 3.0, b)", (A, M)),
    ]
    run(calls)


def test_out_of_reductions() -> None:
    calls: list[tuple[str, tuple[Any, ...]]] = []
    for name in ("sum", "prod", "mean", "min", "max", "any", "all"):
        for out in (
            np.zeros(5),
            np.zeros(5, np.int32),
            np.zeros(4),
            np.zeros((1, 5)),
            np.zeros(5, complex),
        ):
            calls.append((f"np.{name}(a / 8, axis=0, out=b)", (A, out)))
        calls += [
            (f"np.{name}(a, axis=0, keepdims=True, out=b)", (A[:2], np.zeros((1, 5)))),
            (f"np.{name}(a, out=b)", (V, np.zeros(()))),
            (f"np.{name}(a, axis=0, out=(b,))", (A, np.zeros(5))),
            (f"np.{name}(a, axis=0, out=a[0])", (A,)),
            (f"np.{name}(a, axis=1, out=b)", (A, np.zeros(5))),
            (f"np.{name}(a[None], axis=(0, -1), out=b)", (A, np.zeros(5))),
            (f"np.{name}(a[:, None], axis=1, out=b)", (A, np.zeros((5, 5)))),
            (f"np.{name}(a, axis=1, keepdims=True, out=b)", (A, np.zeros(4))),
        ]
    for name in ("std", "var", "ptp"):
        calls.append((f"np.{name}(a, axis=1, out=b)", (A, np.zeros(5))))
        calls.append((f"np.{name}(a, axis=0, out=b)", (A, np.zeros(5))))
    for name in ("argmax", "argmin"):
        for out in (
            np.zeros(5, np.int64),
            np.zeros(5),
            np.zeros(4, np.int64),
            np.zeros(5, np.int32),
        ):
            calls.append((f"np.{name}(a, axis=0, out=b)", (A, out)))
    calls.append(("np.sum(a, axis=0, out=b)", (I4.reshape(2, 3), np.zeros(3))))
    run(calls)


def test_out_of_other_functions() -> None:
    run(
        [
            ("np.dot(a, a.T, out=b)", (A, np.zeros((4, 4)))),
            ("np.dot(a, a.T, out=b)", (A, np.zeros((4, 5)))),
            ("np.dot(a, a.T, out=b)", (A, np.zeros((4, 4), np.float32))),
            ("np.dot(a, a, out=a)", (A[:, :4].copy(),)),
            ("np.outer(a, a, out=b)", (V, np.zeros((6, 6)))),
            ("np.outer(a, a, b)", (V, np.zeros((6, 6), np.float32))),
            ("np.outer(a, a, out=b)", (V, np.zeros((6, 6), np.int32))),
            ("np.concatenate((a, a), out=b)", (V, np.zeros(12, np.float32))),
            ("np.concatenate((a, a), out=b)", (V, np.zeros(12, np.int32))),
            ("np.concatenate((a, a), out=b)", (V, np.zeros(11))),
            ("np.concatenate((a[3:], a[:3]), out=a)", (V,)),
            ("np.stack((a, a), out=b)", (V, np.zeros((2, 6)))),
            ("np.stack((a, a), out=b)", (V, np.zeros((3, 6)))),
            ("np.round(a, 1, out=b)", (V, np.zeros(6))),
            ("np.round(a, 0, b)", (V, np.zeros(6, np.int32))),
            ("np.round(a, out=b)", (V, np.zeros((2, 6)))),
            ("np.divmod(a, b, out=(a, b))", (V, V + 1)),
            ("np.divmod(a, b, b, a)", (V, V + 1)),
            ("np.modf(a, b, c)", (V, V * 0, V * 0)),
            ("np.frexp(a, out=(b, None))", (V, V * 0)),
        ]
    )


def test_keywords_of_ufuncs() -> None:
    run(
        [
            ("np.add(a, 1, where=b, out=c)", (V, V > 2, V * 0)),
            ("np.add(a, 1, out=a, where=b)", (A, M[:, :1])),
            ("np.sqrt(a, where=a > 2, out=b)", (V, V * 0)),
            ("np.divide(a, b, out=np.zeros_like(a), where=b != 0)", (V, V - 0.5)),
            ("np.add(a, 1, where=a, out=a)", (V,)),
            ("np.add(a, 1, where=b)", (V, M)),
            ("np.multiply(a, 2, out=a, where=True)", (A,)),
            ("np.add(a, 1, where=[1, 0, 1, 1, 1, 1], out=b)", (V, V * 0)),
            ("np.add(a, a, casting='no')", (V,)),
            ("np.add(a, 1, dtype='i4', casting='unsafe')", (V,)),
            ("np.add(a, a, out=b, casting='safe')", (V, F4)),
            ("np.add(a, a, out=b, casting='unsafe')", (V, I4)),
            ("np.add(a, a, dtype='f4', casting='safe')", (V,)),
            ("np.add(a, a, casting='foo')", (V,)),
            ("np.sqrt(a, casting='no')", (I4,)),
            ("np.add(a, 1, order='F')", (A,)),
            ("np.add(a.T, 1, order='C')", (A,)),
            ("np.add(a, 1, order='X')", (A,)),
            ("np.add(a, 1, subok=True)", (A,)),
            ("np.add(a, 1, b, out=b)", (V, V * 0)),
            ("np.add(a, 1, out=None)", (V,)),
            ("np.add(a, 1, dtype=None)", (V,)),
            ("np.add(a, 1, out=b)", (V[:1], V)),
            ("np.add(a, 1, out=b)", (V, V[:1])),
            ("np.angle(a, deg=True)", (C,)),
            ("np.angle(a[0], True)", (C,)),
        ]
    )


def test_shapes_that_do_not_fit_are_named_with_the_target() -> None:
    run([("np.add(a, 1, out=b)", (V, A)), ("np.clip(a, b, 1)", (V, V[:3]))])
    for source in ("a += b", "a[:1] += b", "a /= b"):
        f = make(f"def f(a, b):\n    {source}\n    return a")
        for other in (A, V[:3], V, V[:1], A[:, :1]):
            check(f, V, other)


def test_order_of_functions() -> None:
    run(
        [
            ("a.reshape(5, 4, order='F')", (A,)),
            ("np.reshape(a.T, (2, 10), 'F')", (A,)),
            ("np.reshape(a, (-1,), order='A')", (A,)),
            ("np.reshape(a, (5, 4), order='K')", (A,)),
            ("a[:, ::2].reshape(-1, order='F')", (A,)),
            ("np.ravel(a, 'F'), a.ravel(order='C'), a.flatten('F'), a.flatten()", (A,)),
            ("a.ravel('K'), a.T.ravel('K'), a.T.flatten('K'), a.T.ravel('A')", (A,)),
            (
                "np.zeros((2, 3), order='F'), np.ones((2, 3), float, 'F'), "
                "np.full((2, 3), 1, order='F')",
                (),
            ),
            ("np.empty((2, 3), order='K')", ()),
            ("np.array(a, order='F'), np.array(a.T, order='C'), np.asarray(a, order='C')", (A,)),
            ("np.array([[1, 2], [3, 4]], order='F')", ()),
            ("np.zeros_like(a, order='F'), np.zeros_like(a, 'i4', 'F')", (A,)),
        ]
    )
    f = make(
        "def f(a):\n    return np.zeros((3, 4), order='F'), np.array(a, order='F'), "
        "np.add(a, 1, order='F')"
    )
    for result in jitted(f)(A):
        assert result.flags.f_contiguous
        assert not result.flags.c_contiguous


def test_keywords_of_creation_functions() -> None:
    run(
        [
            ("np.array(a, copy=False), np.array(a, copy=None)", (A,)),
            ("np.array(a, copy=True), np.asarray(a, copy=True)", (A,)),
            ("np.array([1, 2], copy=False)", ()),
            ("np.array(a, 'f4', copy=False)", (A,)),
            ("np.asarray(a, 'f8', copy=False)", (A,)),
            ("np.array(a, ndmin=2), np.array(a, ndmin=0), np.array(3, ndmin=2)", (V,)),
            ("np.array(a, ndmin=2, copy=False)", (V,)),
            ("np.zeros_like(a, shape=(2, 2)), np.ones_like(a.T, shape=(2, 2, 2))", (A,)),
            ("np.full_like(a, 1, shape=3), np.empty_like(a, shape=(0, 3))", (A,)),
            ("np.clip(a, min=0, max=2), np.clip(a, min=None), np.clip(a), a.clip(min=1)", (V,)),
            ("np.clip(a, 0, max=2)", (V,)),
            ("np.clip(a, 0, 2, min=1)", (V,)),
            ("np.clip(a, 1)", (V,)),
            ("np.meshgrid(a, a, copy=False, sparse=True)", (V,)),
        ]
    )


def test_keywords_of_linspace() -> None:
    run(
        [
            ("np.linspace(0, 1, 5, retstep=True)", ()),
            ("np.linspace(0, 1, 1, retstep=True)", ()),
            ("np.linspace(0, 1, b, retstep=True), a", (V, 3)),
            ("np.linspace(a, a + 1, 3, axis=1)", (V,)),
            ("np.linspace(a[:2], a[1:3], 3, axis=-1, retstep=True)", (V,)),
            ("np.linspace(a - 0.5, 2 * a, 4)", (V,)),
            ("np.linspace(a, a, 3)", (V,)),
            ("np.linspace(0, 1, 3, axis=1)", ()),
            ("np.linspace(0, [1, 2], 3, dtype='f4')", ()),
            ("np.linspace(a, 1, 3)", (F4,)),
            ("np.linspace(a, 1, 3)", (np.array(0.0),)),
            ("np.linspace(0j, 1j, 3), np.linspace(0, 1 + 1j, 4, retstep=True)", ()),
            ("np.linspace(0, 1, 5, True, False, 'f4')", ()),
            ("np.linspace(-1, 1, 4, dtype=int), np.linspace(-5, 5, 7, dtype='i2')", ()),
            ("np.linspace(a, b, 7, endpoint=False)", (0.1, 2)),
            ("np.linspace(np.float32(0), np.float32(1), 4, retstep=True)", ()),
        ]
    )


def test_where_of_copyto() -> None:
    f = make("def f(a, b, c):\n    np.copyto(a, b, where=c)\n    return a")
    with Report("np.copyto(where=)") as report:
        for args in (
            (V, V * 2, V > 2), (A, A * 2, V[:5] > 2), (V, 3, M), (V, V, V), (B, 300, B > 2),
            (V, V[:2], V > 2), (V, 7, True), (V, 7, False), (B, 3, B > 2), (V, V[::-1], V > 2),
        ):  # fmt: skip
            with report.case(*args):
                check(f, *args)
    check(make("def f(a, b):\n    np.copyto(a, b, casting='unsafe', where=b > 2)"), I4, V)
    g = make("def g(a):\n    np.copyto(a[1:], a[:-1], where=a[:-1] > 2)\n    return a")
    check(g, V)


@pytest.mark.parametrize(
    "axis", ["np.int64(1)", "np.int8(-1)", "np.uint8(0)", "1.0", "[0]", "(np.int64(0), 1)"]
)
def test_axes_of_other_types(axis: str) -> None:
    check(make(f"def f(a):\n    return np.sum(a, axis={axis}), a.max(axis={axis})"), A, tol=near)


def test_keepdims_of_other_types() -> None:
    for keepdims in ("1", "np.True_", "0", "np.int64(1)"):
        check(make(f"def f(a):\n    return np.sum(a, keepdims={keepdims})"), A, tol=near)


def test_assignments_to_real_and_imaginary_parts() -> None:
    with Report("x.real = y") as report:
        for source in (
            "a.real = 3", "a.imag = b", "a.real += 1", "a.imag *= b", "a[1:].imag = 5",
            "a.real = a.imag", "a.real, a.imag = a.imag, a.real", "a.T.real = 2",
            "a.imag = [1, 2, 3, 4, 5, 6]", "a.real -= a.imag",
        ):  # fmt: skip
            f = make(f"def f(a, b):\n    {source}\n    return a")
            with report.case(source):
                check(f, C, V)
            with report.case(source, "real array"):
                if "imag" not in source:
                    check(f, V, V * 2)
