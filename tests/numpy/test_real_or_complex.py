"""Functions whose results are real or complex depending on values: a failed assumption
respecialises the call.
"""

from __future__ import annotations

import numpy as np
import pytest
import shapecast
from support.arrays import lay_out
from support.compare import case_id, check, jitted, make

ROTATION = np.array([[0.0, 1.0], [-1.0, 0.0]])
TRIANGLE = np.array([[2.0, 1.0], [0.0, 3.0]])
POSITIVE, NEGATIVE = np.array([16.0, 9.0]), np.array([-4.0, 9.0])
EMATH = ["sqrt", "log", "log2", "log10", "arccos", "arcsin", "arctanh"]


@pytest.mark.parametrize("name", EMATH)
@pytest.mark.parametrize(
    "dtype", ["int8", "int32", "uint8", "float16", "float32", "float64", "bool"]
)
def test_emath_is_numpys(name: str, dtype: str) -> None:
    f = jitted(make(f"def f(x):\n    return np.emath.{name}(x)"))
    inside = np.array([0, 1, 1, 0]).astype(dtype)
    outside = np.array([-0.5, 2, -3, 1]).astype("float64" if dtype in ("uint8", "bool") else dtype)
    for x in (inside, outside.astype(dtype), inside, outside[1:2].astype(dtype)):
        for given in (x, lay_out(x, "reversed"), x[0]):
            got, want = f(given), f.__wrapped__(given)
            assert np.asarray(got).dtype == np.asarray(want).dtype, (given, got, want)
            tol = 1e-3 if got.dtype in ("float16", "complex64") else 1e-6
            np.testing.assert_allclose(got, want, rtol=tol)


@pytest.mark.parametrize(
    "call", ["np.emath.power(a, b)", "np.emath.logn(b, a)", "np.emath.sqrt(a + 1j * b)",
             "np.real_if_close(a + 1e-15j * b)", "np.real_if_close(a + 1j * b)",
             "np.real_if_close(a)", "np.real_if_close((a + 1j * b).astype(np.complex64), tol=1e9)"],
)  # fmt: skip
def test_functions_of_two_arguments(call: str) -> None:
    f = jitted(make(f"def f(a, b):\n    return {call}"))
    for a, b in ((2, 3), (-2, 3), (2, -3), (-2, -3), (2, 3)):
        for dtype in ("int64", "float64"):
            x, y = np.array([a, 5], dtype), np.array([b, 1.5]).astype(dtype)
            try:
                want = f.__wrapped__(x, y)
            except ValueError as error:
                with pytest.raises(ValueError, match=str(error)):
                    f(x, y)
                continue
            got = f(x, y)
            assert got.dtype == want.dtype
            np.testing.assert_allclose(got, want, rtol=1e-12)


@pytest.mark.parametrize("dtype", ["int64", "float32", "float64"])
def test_eigenvalues_are_real_or_complex_as_numpys(dtype: str) -> None:
    f = jitted(
        make("def f(a):\n    w, v = np.linalg.eig(a)\n    return w, v, np.linalg.eigvals(a)")
    )
    matrices = [TRIANGLE, ROTATION, TRIANGLE, np.stack([TRIANGLE, ROTATION]), np.zeros((0, 0)),
                np.stack([TRIANGLE, TRIANGLE]), np.kron(TRIANGLE, ROTATION)]  # fmt: skip
    for a in matrices:
        a = a.astype(dtype)
        got, want = f(a), f.__wrapped__(a)
        for g, w in zip(got, want, strict=True):
            assert g.dtype == w.dtype
            np.testing.assert_allclose(g, w, atol=1e-6)
    rng = np.random.default_rng(1)
    for n in (1, 5, 40):
        a = rng.normal(size=(n, n)).astype(dtype)
        np.testing.assert_allclose(f(a)[2], np.linalg.eigvals(a), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    "p", [[1, -3, 2], [1, 0, 1], [0, 0, 2, -4, 0, 0], [0, 0], [], [5], [0, 5, 0], [1.0, 2.5, 7],
          [1j, 2]],
    ids=case_id,
)  # fmt: skip
def test_roots_are_numpys(p: object) -> None:
    check(make("def f(p):\n    return np.roots(p)"), np.array(p), tol=_near)


def _near(got: np.ndarray, want: np.ndarray) -> str | None:
    return None if np.allclose(got, want) else f"{got} is not {want}"


def test_one_function_serves_both_alternately() -> None:
    f = jitted(make("def f(a, p):\n    return np.linalg.eigvals(a), np.roots(p)"))
    for a in (TRIANGLE, ROTATION):
        for p in ([1, -3, 2], [1, 0, 1], [0, 0, 0]):
            values, roots = f(a, np.array(p))
            assert values.dtype == np.linalg.eigvals(a).dtype
            assert roots.dtype == np.roots(p).dtype
    compiled = len(f.signatures())
    for a in (TRIANGLE, ROTATION, TRIANGLE):
        f(a, np.array([1, 0, 1]))
    assert len(f.signatures()) == compiled


def test_stores_before_a_failed_assumption_are_not_repeated() -> None:
    f = jitted(make("def f(a, out):\n    out += 1\n    return np.emath.sqrt(a)"))
    out = np.zeros(2)
    assert f(POSITIVE, out).dtype == np.float64
    with pytest.raises(shapecast.UnsupportedError, match="depends on values"):
        f(NEGATIVE, out)
    assert f(NEGATIVE, out).dtype == np.complex128  # it is respecialised by now
    assert [", if not: no x below 0" in text for text in f.signatures()] == [False, True]
    assert out.tolist() == [3, 3]


def test_a_call_begins_again_after_stores_to_its_own_arrays() -> None:
    f = jitted(
        make("""
        def f(a):
            b = np.empty_like(a)
            for i in range(len(a)):
                b[i] = a[i] * 2
            return np.linalg.eigvals(b), b
    """)
    )
    for a in (TRIANGLE, ROTATION):
        values, doubled = f(a)
        assert values.dtype == np.linalg.eigvals(a).dtype
        np.testing.assert_array_equal(doubled, a * 2)


def test_both_in_one_call() -> None:
    f = jitted(
        make("""
        def f(stack):
            total = 0.0
            for k in range(len(stack)):
                total += abs(np.emath.sqrt(stack[k])).sum()
            return total
    """)
    )
    assert f(np.stack([NEGATIVE, NEGATIVE])) == 10
    assert f(np.stack([POSITIVE, POSITIVE])) == 14
    with pytest.raises(shapecast.UnsupportedError, match="changes within this call"):
        f(np.stack([POSITIVE, NEGATIVE]))


def test_drawn_numbers_are_not_drawn_twice() -> None:
    f = jitted(make("def f(g, a):\n    return g.random(), np.emath.sqrt(a)"))
    got, want = np.random.default_rng(5), np.random.default_rng(5)
    assert f(got, POSITIVE)[0] == want.random()
    with pytest.raises(shapecast.UnsupportedError, match="printed or drawn random numbers"):
        f(got, NEGATIVE)
    want.random()
    assert f(got, NEGATIVE)[0] == want.random()


def test_in_a_try_the_common_type_is_assumed() -> None:
    f = jitted(
        make("""
        def f(a):
            try:
                return np.emath.sqrt(a)
            except ValueError:
                return a
    """)
    )
    np.testing.assert_array_equal(f(POSITIVE), np.emath.sqrt(POSITIVE))
    with pytest.raises(shapecast.UnsupportedError, match="but another type for samples"):
        f(NEGATIVE)
