"""Calls of Python functions from compiled code: results, checks of them, effects on arrays."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
import scipy.fft
import scipy.linalg
import scipy.special
import scipy.stats
import shapecast
from shapecast import jit
from shapecast.typing import Float64
from support.compare import check, jitted, make

X = np.array([0.5, 2.0, -1.5, 0.25])
A = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 5.0]])

CALLS = {
    "eigenvalues": "np.linalg.eigvals(a) + 1",
    "eigenvectors, used": "np.linalg.eig(a).eigenvectors * a.T",
    "a scalar": "scipy.linalg.det(a) * 2",
    "stacked": "np.linalg.eigvals(np.stack([a, a + np.eye(3)]))[1]",
    "fft": "scipy.fft.fft(x) * x",
    "fft with keywords": "scipy.fft.rfft(a, n=8, axis=0, norm='ortho').real",
    "fft of a view": "scipy.fft.fft(a[:, 1]) + a[1]",
    "several arrays": "scipy.fft.dct(x), scipy.fft.fftshift(x)",
    "polynomial": "np.polyfit(x, x * 2, 1)",
    "None": "np.random.seed(3), np.random.rand()",
    "an int": "scipy.linalg.null_space(a).shape[1] + 1",
    "scipy": "scipy.special.softmax(x) + scipy.special.logsumexp(abs(x))",
    "scipy, python": "scipy.stats.zscore(x)",
    "in a loop": "sum(scipy.linalg.det(a * k) for k in range(1, 4))",
}


def function(body: str, parameters: str = "x, a") -> Any:
    text = body if "return" in body else f"return {body}"
    f = make(f"def f({parameters}):\n    {text}")
    f.__globals__["scipy"] = scipy
    return f


@pytest.mark.parametrize("name", CALLS)
def test_results_of_calls_are_pythons(name: str) -> None:
    f = function(CALLS[name])
    for x, a in ((X, A), (X[::-1], A.T), (np.repeat(X, 3)[::3], np.asfortranarray(A))):
        check(f, x, a)


def test_sizes_of_results_are_inferred_from_sample_calls() -> None:
    text = str(jitted(function("scipy.fft.fft(x), scipy.fft.rfft(x)")).infer(X, A))
    assert re.search(r"complex128\[s0\].*complex128\[p\d+\]", text), text


def test_one_variant_serves_all_sizes() -> None:
    f = function("scipy.fft.fft(x) + scipy.fft.rfft(x)[0]")
    for n in (4, 1, 7, 2):
        check(f, np.arange(n) % 3 + 0.5, A)
    assert len(jitted(f).signatures()) == 1


def test_exceptions_of_calls_propagate_with_the_line() -> None:
    f = jitted(function("np.linalg.eigvals(a / 0)"))
    with pytest.raises(np.linalg.LinAlgError, match="infs or NaNs") as raised:
        f(X, A)
    assert any(entry.name == "f" for entry in raised.traceback)
    check(function("np.linalg.eigvals(a / 0)"), X, A)


def test_functions_may_write_into_arrays() -> None:
    check(
        function("y = x * 2\n    np.random.seed(1)\n    np.random.shuffle(y)\n    return y"), X, A
    )
    check(function("np.random.seed(1); np.random.shuffle(x); return x[0] + x[1]"), X, A)


def test_an_array_may_be_passed_twice() -> None:
    """What is written through one of its names is not undone by the other."""

    def store(first, second, other):
        second[0] = 7
        return first is second, float(first[0]), other.size

    for view in ("y", "y[::2]", "y[::-1]"):
        body = f"def f(x):\n    y = x * 2\n    v = {view}\n    return store(v, v, y), v, y"
        compiled = jit(make(body, store=shapecast.pyfunc(store)))
        for got, want in zip(compiled(X), make(body, store=store)(X), strict=True):
            np.testing.assert_array_equal(got, want)
    masked = make("def f(x):\n    y = x * 2\n    np.multiply.at(y, y > -9, y)\n    return y")
    check(masked, X)


def test_numpys_random_state_is_shared() -> None:
    f = function("return np.random.rand(), np.random.normal(0.0, 2.0, 3), np.random.randint(9)")
    np.random.seed(11)
    want = f(X, A)
    np.random.seed(11)
    got = jit(f)(X, A)
    assert str(want) == str(got)


def test_generators_draw_their_own_numbers() -> None:
    f = function(
        "t = 0.0\n    for k in range(n):\n        t += rng.random()\n"
        "    return t, rng.normal(size=n), rng.integers(0, 9), rng.permutation(n)",
        "rng, n",
    )
    ours, plain = np.random.default_rng(5), np.random.default_rng(5)
    g = jit(f)
    for n in (3, 5):
        assert str(g(ours, n)) == str(f(plain, n))
    creates = function("r = np.random.default_rng(x.size)\n    return r.random(), r.random(3)")
    check(creates, X, A)


RNG = np.random.default_rng(3)


def test_a_global_generator_is_read_at_each_call() -> None:
    def f() -> Any:
        return RNG.random()

    state = RNG.bit_generator.state
    want = [f(), f()]
    RNG.bit_generator.state = state
    assert [jit(f)(), f()] == want


OPAQUE = {
    "strings": ("np.char.upper(s), s == 'b', s[0]", np.array(["a", "b"])),
    "dates": ("s[1:] - s[:-1], s.max()", np.array(["2020-01-01", "2020-03-01"], "M8[D]")),
    "records": ("s['x'] * 2, s['k'].sum()", np.array([(1.5, 2)], [("x", "f8"), ("k", "i4")])),
    "a masked array": ("s.sum(), s + 1", np.ma.masked_greater(np.arange(4.0), 2)),
    "a matrix": ("s * s, s.T, s[0, 1]", np.matrix([[1.0, 2.0], [3.0, 4.0]])),  # type: ignore[no-untyped-call]
    "bytes": ("len(s), s[0]", b"abc"),
    "a set": ("3 in s, len(s), 4 not in s", frozenset({1, 3})),
}


@pytest.mark.parametrize("name", OPAQUE)
def test_opaque_objects_are_passed_on(name: str) -> None:
    body, value = OPAQUE[name]
    f = function(f"return {body}", "s")
    assert str(jit(f)(value)) == str(f(value))


def test_a_field_of_records_is_a_view() -> None:
    f = function("x = s['x']\n    x[0] = 5.0\n    s['k'][:] += 1\n    return s['x'], x.sum()", "s")
    ours, theirs = (np.array([(1.5, 2), (3.5, 4)], [("x", "f8"), ("k", "i4")]) for _ in range(2))
    got, want = jit(f)(ours), f(theirs)
    assert str(got) == str(want) and str(ours) == str(theirs)
    assert np.shares_memory(got[0], ours)


class Settings:
    def __init__(self) -> None:
        self.cfg = {"dt": 0.5}

    @jit
    def doubled(self) -> Any:
        return self.cfg["dt"] * 2


def test_a_dict_of_an_object() -> None:
    assert Settings().doubled() == 1.0


def test_an_array_that_an_object_references_stays_alive() -> None:
    f = function("return np.ma.masked_greater(x * 2, 1.0)")
    kept = [jit(f)(X, A) for _ in range(50)]
    assert all(str(k) == str(f(X, A)) for k in kept)


def test_a_result_of_another_type_than_the_sample_is_an_error() -> None:
    def changes(x: Any) -> Any:
        return 1 if len(x) == 7 else 1.5

    wrapped = shapecast.pyfunc(changes)

    def f(x: Any) -> Any:
        return wrapped(x) + 1

    g = jit(f)
    assert g(np.ones(4)) == 2.5
    with pytest.raises(shapecast.UnsupportedError, match=r"changes returned int here"):
        g(np.ones(7))


def test_a_pyfunc_is_called_as_plain_python() -> None:
    seen = []

    @shapecast.pyfunc(result=Float64["n"])
    def note(x: Any, scale: float = 2.0) -> Any:
        seen.append(x.copy())
        return x * scale

    @shapecast.pyfunc(result=(float, None, np.float64))
    def three(x: Any) -> Any:
        return 0.5, None, x[0]

    def f(x: Any) -> Any:
        a, b, c = three(x)
        return note(x) + note(x, scale=3.0), a, b, c

    value, a, b, c = jit(f)(X)
    assert np.array_equal(value, X * 5) and len(seen) == 2  # no sample call was made
    assert (a, b, c) == (0.5, None, 0.5) and type(c) is np.float64
    assert note(X).sum() == (X * 2).sum()
    with pytest.raises(shapecast.UnsupportedError, match="leaves the dtype"):
        jit(lambda x: wide(x))(X)


@shapecast.pyfunc(result=(str, int))
def shown(k: int) -> tuple[str, int]:
    return f"<{k}>", k * k


@shapecast.pyfunc
def spelled(k: int) -> str:
    return "e\u0301" * k


def test_strings_of_a_pyfunc_are_compiled() -> None:
    def f(n: int) -> Any:
        counts: dict[str, int] = {}
        for i in range(n):
            text, square = shown(i % 3)
            counts[text.upper() + "!"] = counts.get(text, 0) + square
        return counts, spelled(n)[1:], len(spelled(3))

    check(f, 5)


class Cycle(Exception):
    def __init__(self, nodes: list[str]) -> None:
        super().__init__(" -> ".join(nodes))
        self.nodes = nodes


def test_a_list_of_a_caught_exception_is_read() -> None:
    def f(n: int) -> Any:
        try:
            raise Cycle(["n" + str(k) for k in range(n)])
        except Cycle as e:
            return e.nodes

    assert jit(f)(3) == ["n0", "n1", "n2"]


@shapecast.pyfunc(result=None)
def nothing(x: Any) -> None:
    raise KeyError(int(x[0]))


wide = shapecast.pyfunc(lambda x: x, result=shapecast.typing.Array["..."])


def test_an_exception_of_a_pyfunc_propagates() -> None:
    with pytest.raises(KeyError, match="0"):
        jit(lambda x: nothing(x))(X)


def test_explain_lists_what_is_called() -> None:
    f = jitted(function("y = scipy.fft.fft(x)\n    return scipy.linalg.eigvals(a), y"))
    f(X, A)
    text = f.explain()
    assert "calls Python: scipy.fft._basic.fft (line 2)" in text
    assert "calls Python: scipy.linalg._decomp.eigvals (line 3)" in text


def test_a_result_type_that_depends_on_values_is_an_error_when_it_differs() -> None:
    f = jitted(function("scipy.linalg.sqrtm(a)"))
    with pytest.raises(shapecast.UnsupportedError, match="sqrtm returned ndarray of complex128"):
        f(X, -np.eye(3))


def test_arrays_in_a_traceback_stay_alive() -> None:
    f = jitted(function("scipy.linalg.cholesky(-np.abs(a) * 2)"))
    with pytest.raises(np.linalg.LinAlgError) as raised:
        f(X, A)
    arrays = [
        v for t in raised.traceback for v in t.frame.f_locals.values() if type(v) is np.ndarray
    ]
    assert any(np.array_equal(v, -np.abs(A) * 2) for v in arrays)


RAISING = [
    "np.linalg.eigvals(x)",
    "scipy.linalg.solve(a, x)",
    "scipy.fft.fft(a, axis=7)",
    "scipy.fft.fft(x, no=3)",
    "np.linalg.inv(a, 2)",  # the library has no such parameter
    "np.random.choice(a)",
    "x[0] if x[0] > 100 else np.linalg.eigvals(x)[0]",
]


@pytest.mark.parametrize("body", RAISING)
def test_exceptions_of_numpy_are_raised_when_the_call_is_reached(body: str) -> None:
    check(function(f"x[0] = 7.0\n    return {body}"), X, A)


def test_a_call_on_a_path_not_taken_does_not_raise() -> None:
    check(function("return scipy.linalg.det(x) if x[0] > 100 else x * 2"), X, A)


def test_arguments_that_cannot_be_copied_are_refused(tmp_path: Any) -> None:
    with (
        open(tmp_path / "a", "w") as file,
        pytest.raises(shapecast.UnsupportedError, match="copied"),
    ):
        jit(function("return o", "o"))(file)


def test_sample_calls_leave_numpys_random_state_alone() -> None:
    f = jitted(function("np.random.standard_normal(3), np.random.sample(2)"))
    np.random.seed(5)
    state = np.random.get_state()[1].tolist()  # type: ignore[index,union-attr]
    f.infer(X, A)
    assert np.random.get_state()[1].tolist() == state  # type: ignore[index,union-attr]


def test_a_read_only_array_is_passed_read_only() -> None:
    writes = shapecast.pyfunc(lambda x: x.fill(1.0), result=None)
    f = make("def f(x):\n    return writes(np.broadcast_to(x * 2, (2, 4)))")
    f.__globals__["writes"] = writes
    check(f, X)


def test_a_missing_method_of_an_object_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such"):
        jit(function("rng.no_such(3)", "rng"))(np.random.default_rng(0))


REFUSED = {
    "np.seterr(all='ignore')": "changes NumPy's settings",
    "np.loadtxt('file')": "the type of its result depends on the file",
}


@pytest.mark.parametrize("body", REFUSED)
def test_unsupported_calls_are_refused_with_the_reason(body: str) -> None:
    with pytest.raises(shapecast.UnsupportedError, match=REFUSED[body]):
        jitted(function(body))(X, A)


def test_arrays_stay_valid_after_a_caught_exception() -> None:
    f = function(
        "y = x * 2\n    t = 0.0\n    for k in range(3):\n        try:\n"
        "            z = scipy.linalg.cholesky(-np.abs(a) * y[1])\n"
        "        except np.linalg.LinAlgError:\n            z = a + y[0]\n"
        "        t += z.sum()\n    return y + 1, z, t"
    )
    for _ in range(20):
        check(f, X, A)


def test_stores_before_an_exception_stay() -> None:
    def fills(x: Any) -> None:
        x.fill(7.0)
        raise ValueError("no")

    f = make(
        "def f(x):\n    y = x[::2] * 2\n    z = y[::-1]\n    try:\n        fails(z)\n"
        "    except ValueError:\n        return y, z\n    return z, y"
    )
    f.__globals__["fails"] = shapecast.pyfunc(fills, result=None)
    check(f, X)


def test_buffers_are_freed_after_the_call() -> None:
    f = jitted(function("scipy.linalg.inv(a @ a).sum() + scipy.fft.fft(x * 2).real.sum()"))
    f(X, A)
    before = shapecast._core.live_allocations()
    for _ in range(10):
        f(X, A)
    assert shapecast._core.live_allocations() == before


def test_a_call_of_python_may_reenter_compiled_code() -> None:
    @jit
    def inner(x: Any) -> Any:
        return x * 2

    outer_calls = shapecast.pyfunc(lambda x: float(inner(x).sum()), result=float)

    def f(x: Any) -> Any:
        return outer_calls(x) + outer_calls(x[1:])

    assert jit(f)(X) == f(X)


def test_a_method_that_changes_the_shape_of_the_array_itself_is_refused() -> None:
    """Once it changed a copy, and the result was the old array."""
    f = make("def f(a):\n    a.resize((2, 2), refcheck=False)\n    return a\n", "f")
    with pytest.raises(shapecast.UnsupportedError, match="changes the shape"):
        shapecast.jit(f)(np.zeros(3))


def test_the_dtype_of_strings_of_any_length() -> None:
    """The sample of an array of strings may have longer strings than the array at hand."""

    def f(a: Any) -> Any:
        return a.dtype, a.dtype.itemsize, np.zeros(2, a.dtype)

    compiled = jit(f)
    for strings in (["ab", "cde"], ["a", "b", "c"], ["abcdefgh"]):
        for a in (np.array(strings), np.array(strings, "S")):
            assert str(compiled(a)) == str(f(a))


def test_a_set_of_numbers_after_one_of_other_items() -> None:
    """Sets of other kinds of items are no samples of it."""
    length = jit(lambda given: (str(given), len(given)))
    for other in ({"a"}, {("x", 1), 2.5}, frozenset({None})):
        assert length(other) == (str(other), len(other))
    assert jit(lambda given: sum(given))({1, 2, 3}) == 6
