"""np.random without Python (python/shapecast/library/random.py and its neighbours): numbers, what
state they leave, types and exceptions are NumPy's.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import Any

import numpy as np
import pytest
import shapecast
from shapecast import _callouts, jit
from support.compare import Report, assert_same_error, assert_same_value, make, run
from support.frames import python_frames
from support.ulp import exact

BITS = [np.random.PCG64, np.random.MT19937, np.random.Philox, np.random.SFC64, np.random.PCG64DXSM]
FIXED: dict[str, Any] = {
    "v": np.array([0.5, 1.5, 0.25, 3.0]), "A": np.arange(6.0).reshape(2, 3) + 0.5,
    "i": np.array([3, 9, 12]), "f4": np.array([0.5, 2.0], np.float32), "n": 5, "x": 1.25,
    "nans": np.array([1.0, np.nan]), "signs": np.array([1.0, -1.0]), "none": np.zeros(0),
    "z": np.array([1j, 2j]), "n0": np.array(1.5), "p": np.array([0.25, 0.5, 1.0]),
}  # fmt: skip

# Each is drawn twice, with a number drawn in between.
DRAWS = {
    "uniform": [
        "random()", "random(3)", "random((2, 3))", "random(())", "random(size=n)", "random(0)",
        "random(dtype=np.float32)", "random(5, np.float32)", "random((n, 2), dtype='f4')",
        "random([2, 2])", "random(-1)", "random((2, -3))", "random(dtype=np.int64)",
        "uniform()", "uniform(2.0)", "uniform(-1, 3)", "uniform(x, x + 1)", "uniform(0, 5, 4)",
        "uniform(np.float32(1), True)", "uniform(size=(2, 2))", "uniform(v)", "uniform(v, 4)",
        "uniform(A, [4, 5, 9])", "uniform(0, v, (3, 4))", "uniform(2, 1)", "uniform(0, np.inf)",
        "uniform(v, np.inf)", "uniform(v, -1)", "uniform(0, nans)", "uniform(n0, 2)",
        "uniform(0, v, 3)", "uniform(0, v[:1], 3)", "uniform(0, v, (4,))", "uniform(v, v, 1)",
        "uniform(none)", "uniform(i)", "uniform(1, f4)", "uniform(z)", "uniform(0, 1, ())",
        "uniform(0, A, A.shape)", "uniform(0, A.T)", "uniform(A[:, ::2], A[::-1, 1:] + 9)",
    ],
    "normal": [
        "standard_normal()", "standard_normal(7)", "standard_normal((2, 3))",
        "standard_normal(dtype=np.float32)", "standard_normal(5, dtype=np.float32)", "normal()",
        "normal(3)", "normal(x, 2)", "normal(0.0, x, 3)", "normal(scale=2, size=(2, n))",
        "normal(v)", "normal(v, 2)", "normal(0, A)", "normal(v[:3], A)", "normal(0, -1)",
        "normal(0, -0.0)", "normal(v, -1)", "normal(0, signs)", "normal(0, np.nan)",
        "normal(0, nans)", "normal(v, v, (3, 4))", "normal(v, size=(4, 3))", "normal(1j)",
        "standard_normal(dtype=int)", "normal(np.zeros(3), A, (2, 3))", "normal(A, v)",
    ],
    "exponential": [
        "standard_exponential()", "standard_exponential(6)", "standard_exponential(3, np.float32)",
        "standard_exponential(method='inv')", "standard_exponential((2, 2), method='inv')",
        "standard_exponential(3, dtype=np.float32, method='inv')",
        "standard_exponential(dtype=np.float32)", "exponential()", "exponential(2.5)",
        "exponential(x, 4)", "exponential(v)", "exponential(-1)", "exponential(signs)",
        "exponential(scale=2, size=(2, 1))", "exponential(v, (2, 4))",
    ],
    "integers": [
        "integers(5)", "integers(2, 9)", "integers(n)", "integers(-n, n, 4)", "integers(1)",
        "integers(0, 10, endpoint=True)", "integers(10, size=(2, 3))", "integers(2**40)",
        "integers(-2**62, 2**62)", "integers(2**32)", "integers(2**32 + 1, size=3)",
        "integers(0)", "integers(3, 3)", "integers(4, 3, endpoint=True)", "integers(-1, n - 9)",
        "integers(0, -1, endpoint=True)", "integers(5, size=-1)", "integers(0, size=0)",
        "integers(2.5)", "integers(np.int32(7))", "integers(np.array(7))", "integers(5, size=())",
        "integers(i)", "integers(i, i + 5)", "integers([2, 3], 9, size=2)",
        "integers(0, i, (2, 3))",
        "integers(1, x * 4)", "integers(9, dtype=int)", "integers(2, dtype=bool)",
        "integers(300, dtype=np.uint8)", "integers(-1, 5, dtype=np.uint8)",
        "integers(-129, 5, dtype='i1')", "integers(3, dtype=bool)", "integers(True)",
        *[f"integers(0, 2, {size}, dtype=np.{t})" for size in (None, 9) for t in
          ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")],
        *[f"integers(-100, 101, 9, dtype=np.{t})" for t in ("int8", "int16", "int32", "int64")],
        "integers(0, 255, 9, np.uint8, True)", "integers(-128, 127, 9, np.int8, endpoint=True)",
        "integers(0, 2**32 - 1, 5, dtype=np.uint32, endpoint=True)", "integers(5, dtype=float)",
        "integers(-2**62 * 2, 2**62 - 1, 5)", "integers(i, 2**40)",
        "integers(-i, i, endpoint=True)",
        "integers(i, 9)", "integers(0, [3, 0])", "integers([0, 0], [3, 0])",
        "integers(i, dtype='i4')",
        "integers(0, A[:, :1].astype('i4') + 5, (2, 2))",
    ],
    "of one parameter": [
        *[f"{name}{given}" for name in ("standard_gamma", "chisquare", "standard_t", "pareto",
                                        "power", "weibull", "rayleigh")
          for given in ("(x)", "(0.5)", "(7, 5)", "(v)", "(v, (2, 4))", "(0)", "(-1)", "(signs)")],
        "rayleigh()", "rayleigh(size=3)", "standard_gamma(2, size=3, dtype=np.float32)",
        "standard_cauchy()", "standard_cauchy((2, 2))",
    ],
    "of several parameters": [
        *[f"{name}{given}" for name in ("laplace", "gumbel", "logistic", "lognormal", "vonmises",
                                        "gamma", "beta", "f", "wald")
          for given in ("(x, 2)", "(0.5, 0.25, 4)", "(v, 2)", "(3, A, (2, 3))", "(1, -1)", "(0, 0)",
                        "(v, signs)", "(signs, 1)", "(v, signs[:1])")],
        "laplace()", "gumbel()", "logistic(size=3)", "lognormal()", "gamma(3)", "gamma(v)",
        "triangular(0, 1, 3)", "triangular(0, 1, 3, 4)", "triangular(0, v, 5)",
        "triangular(0, 2, 1)", "triangular(3, 2, 4)", "triangular(0, 0, 0)",
        "triangular(0, v, 3.5, (2, 4))",
    ],
    "counts": [
        "poisson()", "poisson(x)", "poisson(50.0)", "poisson(4, 6)", "poisson(v)", "poisson(-1)",
        "poisson(np.nan)", "poisson(1e300)", "poisson(signs)", "poisson(nans)",
        "poisson(v * 1e300)",
        "poisson(v, (2, 4))", "poisson(np.float64(2))", "poisson(0)", "binomial(n, 0.5)",
        "binomial(100, 0.5)", "binomial(100, 0.95, 5)", "binomial(1000, x / 2, size=(2, 2))",
        "binomial(i, 0.5)", "binomial(10, p)", "binomial(i, p)", "binomial(i, p[:, None])",
        "binomial(5.5, 0.5)", "binomial(v, 0.5)", "binomial(n, 2)", "binomial(-1, 0.5)",
        "binomial(n, np.nan)", "binomial(i, v[:3])", "binomial(i, nans[:1])", "binomial(-i, p)",
        "binomial(i, p, (2, 3))", "binomial(2.5, p)", "binomial(0, 0.5)", "binomial(3, 0)",
        "geometric(0.5)", "geometric(0.1, 5)", "geometric(p)", "geometric(0)", "geometric(2)",
        "geometric(nans)", "geometric(1)",
    ],
    "choices": [
        "choice(5)", "choice(n, 3)", "choice(v)", "choice(v, 3)", "choice(v, (2, 3))", "choice(A)",
        "choice(A, 4)", "choice(A, 2, axis=1)", "choice([5, 6, 7])", "choice(5, ())",
        "choice(v, ())", "choice(n, 3, False)", "choice(v, 2, replace=False)",
        "choice(A, 2, replace=False, axis=1)", "choice(v, (2, 2), replace=False)",
        "choice(100, 60, replace=False)", "choice(100, 9, replace=False, shuffle=False)",
        "choice(20000, 5, replace=False)", "choice(20000, 1000, replace=False)",
        "choice(20000, 1500, replace=False, shuffle=False)", "choice(v, replace=False)",
        "choice(n, replace=False)", "choice(3, 5, replace=False)", "choice(0)", "choice(none)",
        "choice(0, 0)", "choice(none, 0)", "choice(2.5)", "choice(3, 3, p=p / 1.75)",
        "choice(v[:3], p=p / 1.75)",
        "choice(3, p=p)", "choice(3, p=p / 1.75, size=(2, 2))", "choice(3, p=[0.5, 0.25, 0.25])",
        "choice(2, p=signs)", "choice(2, p=nans)", "choice(4, p=p)", "choice(2, p=f4 / f4.sum())",
        "choice(6, p=A)", "choice(A, p=[0, 1], size=2)",
        "choice(5, -1, replace=False)", "choice(5, 0, replace=False)", "choice(i, 2)",
        "choice(3, 3, replace=False)", "choice(20000, 20000, replace=False)[:9]",
    ],
    "permutations": [
        "permutation(n)", "permutation(v)", "permutation(A)", "permutation(A, axis=1)",
        "permutation(i)", "permutation([4, 5, 6])", "permutation(0)", "permutation(1)",
        "permutation(f4)", "permutation(z)", "permutation(none)", "permutation(2.5)",
        "permutation(v, 1)", "permutation(np.int32(4))", "permutation(v > 1)",
        "permutation(A[::-1, ::2], axis=1)", "permutation(v[::-2])",
    ],
}  # fmt: skip

STATE = [
    "rand()", "rand(3)", "rand(2, 3)", "rand(-1)", "random_sample()", "random_sample((2, 2))",
    "random()", "random(4)", "ranf()", "sample(2)", "ranf(size=2)",
    "uniform()", "uniform(2, 1)", "uniform(0, v)",
    "uniform(0, np.inf)", "uniform(0, 9, (2, 2))", "uniform(v, nans[:1])", "randint(5)",
    "randint(2, 9)", "randint(0)", "randint(3, 2)", "randint(9, size=4)", "randint(2**40)",
    "randint(0, 10, (2, 3), dtype=np.int8)", "randint(300, dtype=np.uint8)",
    "randint(0, 2, 9, bool)",
    "randint(7, dtype=np.int32)", "randint(7, dtype=np.int64)", "randint(i)", "randint(-5, 5, n)",
    "randint(2**33, size=3)", "randint(5, dtype='u2', size=9)", "randint(2**31, 2**33)",
    "normal(0, 2)", "randn()", "choice(5)", "permutation(4)",
    "permutation(v)", "permutation(A)", "permutation(np.int32(4))", "permutation(2.5)",
    "choice(v)", "choice(v, 3)", "choice(5, (2, 2))", "choice(A)", "choice(0)", "choice(none)",
    "choice(5, 3, False)", "choice(5, -1, False)",
    "choice(v, (2, 2), replace=False)", "choice(3, 5, replace=False)",
    "choice(3, p=p / 1.75)", "choice(v[:3], 4, p=p / 1.75)", "choice(3, p=p)", "choice(5, ())",
    "choice(2, p=nans)", "choice(v, replace=False)", "choice(n, replace=False)", "shuffle(v)",
    "shuffle(A)", "shuffle(A.T)", "choice([5, 6, 7])", "choice(2**33)",
]  # fmt: skip
CALLED_OUT = {
    "choice(v, ())", "standard_gamma(2, size=3, dtype=np.float32)", "integers(i, dtype='i4')",
}  # fmt: skip


def program(call: str, receiver: str, between: str) -> Any:
    names = ", ".join(FIXED)
    return make(
        f"def f(rng, {names}):\n    a = {receiver}.{call}\n    {between}\n"
        f"    b = {receiver}.{call}\n    return a, b"
    )


def compare(f: Any, ours: Any, theirs: Any, state: Any) -> None:
    """One call of each, from equal states; instead of an exception's message its pattern."""
    got = run(jit(f), (ours, *FIXED.values()), {})
    after = state()
    want = run(f, (theirs, *FIXED.values()), {})
    if want.error is not None:
        assert_same_error(got.error, want.error)
    else:
        assert got.error is None, got.error
        assert_same_value(got.value, want.value, exact)
    assert str(after) == str(state(want=True)), "another state afterwards"


@pytest.fixture
def probed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the callouts."""
    calls: list[str] = []
    probe = _callouts.probe

    def noted(text: str) -> str:
        calls.append(text)
        return probe(text)

    monkeypatch.setattr("shapecast._callouts.probe", noted)
    return calls


@pytest.mark.parametrize("title", DRAWS)
def test_a_generators_numbers(title: str, probed: list[str]) -> None:
    with Report(title) as report:
        for number, call in enumerate(DRAWS[title]):
            bits = BITS[number % len(BITS)]
            probed.clear()
            with report.case(call, bits.__name__):
                ours, theirs = (np.random.Generator(bits(number)) for _ in range(2))
                for rng in (ours, theirs):
                    rng.integers(3, dtype=np.int32)  # half of 64 bits are left
                compare(
                    program(call, "rng", "c = rng.random()"), ours, theirs,
                    lambda want=False: (theirs if want else ours).bit_generator.state,
                )  # fmt: skip
                assert bool(probed) == (call in CALLED_OUT), probed


def test_numpys_own_numbers(probed: list[str]) -> None:
    state = np.random.RandomState()
    with Report("np.random") as report:
        for number, call in enumerate(STATE):
            for receiver in ("np.random", "rng"):
                if receiver == "rng" and call.startswith(("ranf", "sample")):
                    continue
                probed.clear()
                with report.case(call, receiver):
                    f = program(call, receiver, f"c = {receiver}.rand()")
                    own = receiver == "rng"
                    source = state if own else np.random
                    results = []
                    for g in (jit(f), f):
                        source.seed(number)  # type: ignore[attr-defined]
                        results.append(run(g, (state if own else None, *FIXED.values()), {}))
                        results.append(source.get_state(legacy=False))  # type: ignore[attr-defined]
                    got, after, want, after_want = results
                    if want.error is not None:
                        assert_same_error(got.error, want.error)
                    else:
                        assert got.error is None, got.error
                        assert_same_value(got.value, want.value, exact)
                    assert str(after) == str(after_want)
                    assert bool(probed) == (call in CALLED_OUT), probed


def both(f: Any, *arguments: Any, bits: Any = np.random.PCG64) -> Any:
    """Results and states of a jitted call and a plain one."""
    seen = []
    for g in (jit(f), f):
        rng = np.random.Generator(bits(7))
        outcome = run(g, (rng, *arguments), {})
        seen.append((outcome, rng.bit_generator.state))
    (got, after), (want, after_want) = seen
    if want.error is not None:
        assert_same_error(got.error, want.error)
    else:
        assert got.error is None, got.error
        assert_same_value(got.value, want.value, exact)
    assert str(after) == str(after_want)
    return want.value


PROGRAMS = {
    "nobody uses it": "for k in range(n):\n    rng.random()\nrng.normal(0.0, 1.0, 3)",
    "a condition": "k = 0\nwhile rng.random() < 0.9:\n    k += 1\nreturn k",
    "one of two": "return [rng.random() if k % 2 else rng.normal() for k in range(4)]",
    "and, or": "return rng.random() < 0.5 and rng.random() < 0.5 or rng.random() < 0.1",
    "order of operands": "return rng.random() - rng.random() * rng.normal(rng.random(), 2)",
    "values": "x = rng.random(n)\ny = x + rng.normal(size=n)\nx += rng.random()\nreturn x * y",
    "rejected": "while True:\n    x, y = rng.uniform(-1, 1, 2)\n    if x * x + y * y < 1:\n"
    "        return x, y",
    "a helper": "def step(rng, x):\n    return x + rng.choice(np.array([-1.0, 1.0]))\n"
    "x = 0.0\nfor _ in range(n):\n    x = step(rng, x)\nreturn x",
    "markov": "a = np.array([[0.9, 0.1], [0.5, 0.5]])\ns = 0\nt = 0\nfor _ in range(9):\n"
    "    s = rng.choice(2, p=a[s])\n    t += s\nreturn t",
    "try": "t = 0.0\nfor k in range(n):\n    try:\n        t += rng.normal(0, 2.0 - k)\n"
    "    except ValueError:\n        t += rng.random()\nreturn t",
    "a long call": "t = 0.0\nfor k in range(40000 * n):\n    t += rng.random()\n"
    "return t, rng.dirichlet(np.ones(2)), rng.random()",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_draw_in_their_order(name: str) -> None:
    both(make("def f(rng, n):\n    " + PROGRAMS[name].replace("\n", "\n    ")), 5)


WRITES = {
    "shuffle": "x = v.copy()\nrng.shuffle(x)\nreturn x",
    "shuffle a view": "x = np.arange(12)\nrng.shuffle(x[::-2])\nreturn x",
    "shuffle rows": "x = np.arange(12.0).reshape(4, 3)\nrng.shuffle(x)\nreturn x",
    "shuffle columns": "x = np.arange(12).reshape(3, 4)\nrng.shuffle(x, axis=1)\nreturn x",
    "shuffle small things": "x = np.arange(9).astype(np.int8)\nrng.shuffle(x)\n"
    "y = np.arange(9) > 4\nrng.shuffle(y)\nz = np.arange(9).astype(np.float16)\nrng.shuffle(z)\n"
    "u = np.arange(9) * 1j\nrng.shuffle(u)\nw = np.arange(9).astype('f4')\nrng.shuffle(w)\n"
    "return x, y, z, u, w",
    "shuffle nothing": "x = np.zeros((0, 3))\nrng.shuffle(x)\nrng.shuffle(x[:, 0])\nreturn x",
    "shuffle a number": "rng.shuffle(np.array(3))",
    "shuffle along no axis": "x = np.zeros(3)\nrng.shuffle(x, axis=1)",
    "out": "x = np.zeros(4)\ny = rng.random(out=x)\nreturn x, y.sum()",
    "out of floats": "x = np.zeros((2, 3), np.float32)"
    "\nrng.random(out=x, dtype=np.float32)\nreturn x",
    "out and size": "x = np.zeros((2, 3))\nrng.standard_normal((2, 3), out=x)\nreturn x",
    "out of another size": "x = np.zeros(4)\nrng.standard_exponential(3, out=x)",
    "out of another dtype": "x = np.zeros(4, np.float32)\nrng.random(out=x)",
    "out with gaps": "x = np.zeros(8)\nrng.random(out=x[2:5])\nrng.random(out=x[::2])",
    "out in Fortran order": "x = np.zeros((3, 2)).T\nrng.standard_normal(out=x)\nreturn x",
}


@pytest.mark.parametrize("name", WRITES)
def test_arrays_that_are_shuffled_in_place(name: str) -> None:
    f = make("def f(rng, v):\n    " + WRITES[name].replace("\n", "\n    "))
    both(f, FIXED["v"])


def test_read_only_arrays_are_not_shuffled() -> None:
    x = np.arange(3.0)
    x.flags.writeable = False
    for call in ("rng.shuffle(x)", "rng.random(out=x)"):
        both(make(f"def f(rng, x):\n    {call}"), x)
    assert x.tolist() == [0, 1, 2]


@pytest.mark.parametrize("bits", BITS)
def test_compiled_and_python_draws_share_the_state(bits: Any) -> None:
    f = make(
        "def f(rng, n):\n    t = 0.0\n    for k in range(n):\n        t += rng.random()\n"
        "        if k % 3 == 0:\n            t += rng.standard_normal() * rng.integers(9)\n"
        "        if k % 5 == 0:\n            t += rng.dirichlet(np.ones(2))[0]\n"
        "    return t, rng.multivariate_normal(np.zeros(2), np.eye(2)), rng.poisson(3, 4)"
    )
    ours, theirs = (np.random.Generator(bits(3)) for _ in range(2))
    g = jit(f)
    for n in (5, 1, 20):
        assert str(g(ours, n)) == str(f(theirs, n))
        assert ours.normal() == theirs.normal()
        assert str(ours.bit_generator.state) == str(theirs.bit_generator.state)


def test_a_generator_made_inside_is_drawn_from(probed: list[str]) -> None:
    def f(n: int) -> Any:
        rng = np.random.default_rng(n)
        other = np.random.Generator(np.random.SFC64(n))
        total = 0.0
        for _ in range(n):
            total += rng.random() - other.exponential()
        return total, rng.integers(9), other.normal(size=3)

    assert str(jit(f)(20)) == str(f(20))
    assert not any(":random" in call or "integers" in call for call in probed)


def test_generators_share_their_bits() -> None:
    def f(first: Any, second: Any, n: int) -> Any:
        return [first.random() + second.random() - first.normal() for _ in range(3)], n

    seen = []
    for g in (jit(f), f):
        bits = np.random.PCG64(1)
        rng = np.random.Generator(bits)
        seen.append((str(g(rng, np.random.Generator(bits), 1)), str(g(rng, rng, 1)), bits.state))
    assert seen[0] == seen[1]


class Loaded(np.random.Generator):
    def random(self, *_: Any) -> float:  # type: ignore[override]
        return 6.0


def test_a_user_defined_class_is_called() -> None:
    f = make("def f(rng):\n    return rng.random()")
    assert jit(f)(Loaded(np.random.PCG64(1))) == 6.0


def test_no_frame_of_python_runs() -> None:
    def f(rng: Any, n: int) -> Any:
        total = 0.0
        for _ in range(n):
            total += rng.random() + rng.normal(0.0, 2.0) + rng.integers(6) + rng.poisson(2.0)
        return total + rng.random(3).sum()

    g = jit(f)
    rng = np.random.default_rng(0)
    g(rng, 3)
    assert python_frames(lambda: g(rng, 100)) == []


def test_an_exception_gives_the_lock_back() -> None:
    f = jit(make("def f(rng, n):\n    rng.random()\n    return rng.integers(n)"))
    rng = np.random.default_rng(0)
    f(rng, 3)
    with pytest.raises(ValueError, match="high <= 0"):
        f(rng, 0)
    assert is_free(rng)


def is_free(rng: Any) -> bool:
    """As observed by another thread."""
    taken: list[bool] = []

    def observe() -> None:
        taken.append(rng.bit_generator.lock.acquire(blocking=False))
        if taken[0]:
            rng.bit_generator.lock.release()

    thread = threading.Thread(target=observe)
    thread.start()
    thread.join()
    return taken[0]


def test_exceptions_can_be_caught() -> None:
    f = make(
        "def f(rng, n):\n    total = 0.0\n    for k in range(n):\n        try:\n"
        "            total += rng.normal(k, 2 - k)\n        except ValueError:\n"
        "            total += 100.0\n    return total"
    )
    both(f, 5)


def test_threads_that_share_a_generator_draw_each_number_once() -> None:
    """Each call is long enough to run without Python's lock; each number is drawn once."""

    @jit
    def f(rng: Any, out: Any) -> Any:
        for k in range(len(out)):
            out[k] = rng.random()

    size, count = 200_000, 4
    rng = np.random.default_rng(5)
    f(rng, np.zeros(3))
    rng = np.random.default_rng(5)
    parts = [np.zeros(size) for _ in range(count)]
    plain: list[Any] = []
    threads = [threading.Thread(target=f, args=(rng, part)) for part in parts]
    threads.append(threading.Thread(target=lambda: plain.append(rng.random(size))))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    drawn = np.sort(np.concatenate([*parts, *plain]))
    want = np.sort(np.random.default_rng(5).random((count + 1) * size))
    np.testing.assert_array_equal(drawn, want)
    assert is_free(rng)


def test_threads_that_draw_from_two_generators_do_not_wait_for_each_other() -> None:
    @jit
    def f(first: Any, second: Any, n: int) -> float:
        total = 0.0
        for _ in range(n):
            total += first.random()
        for _ in range(n):
            total += second.random() - first.random()
        return total

    a, b = np.random.default_rng(1), np.random.default_rng(2)
    f(a, b, 3)
    threads = [
        threading.Thread(target=f, args=pair, daemon=True)
        for pair in [(a, b, 300_000), (b, a, 300_000)] * 3
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
        assert not thread.is_alive()
    assert is_free(a) and is_free(b)


def test_a_call_out_waits_for_nobody_while_it_holds_a_lock() -> None:
    rng = np.random.default_rng(1)
    free: list[bool] = []

    @shapecast.pyfunc(result=float)
    def observe() -> float:
        free.append(is_free(rng))
        return 1.0

    @jit
    def f(rng: Any) -> float:
        return rng.random() + observe() + rng.random()

    want = np.random.default_rng(1).random(2)
    assert f(rng) == want[0] + 1.0 + want[1] and free == [True] and is_free(rng)


def test_a_lock_that_another_thread_holds_is_waited_for() -> None:
    rng = np.random.default_rng(1)
    f = jit(make("def f(rng):\n    return rng.random()"))
    f(np.random.default_rng(0))
    result: list[float] = []
    with rng.bit_generator.lock:
        thread = threading.Thread(target=lambda: result.append(f(rng)))
        thread.start()
        thread.join(timeout=0.2)
        assert thread.is_alive() and not result
    thread.join(timeout=60)
    assert result == [np.random.default_rng(1).random()]


def test_vectorize_draws_too() -> None:
    def f(x: float) -> float:
        return x + np.random.rand()

    np.random.seed(3)
    got = shapecast.vectorize(f)(np.zeros(50))
    np.random.seed(3)
    assert sorted(got.tolist()) == sorted(np.random.rand(50).tolist())


def test_all_draws_are_callouts_where_numpys_functions_are_not_found() -> None:
    script = (
        "import numpy as np\nimport shapecast\nfrom shapecast import _core, library\n"
        "_core._has_distributions = lambda: False\n"
        "assert library.find('numpy.random.rand') is None\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)


def test_long_sequences_reach_every_layer_of_the_ziggurat(rng: np.random.Generator) -> None:
    """Numbers of every layer of the ziggurat, and what lies outside all of them."""

    @jit
    def draw(g, n):
        out = np.empty((4, n))
        for i in range(n):
            out[0, i] = g.standard_normal()
            out[1, i] = g.normal(2.0, 0.3)
            out[2, i] = g.standard_exponential()
            out[3, i] = g.exponential(1.7)
        return out, g.standard_normal(n), g.standard_exponential(n), g.normal(1, 2, n), g.random()

    for bits in BITS:
        for wanted, found in zip(
            draw.__wrapped__(np.random.Generator(bits(11)), 30_000),
            draw(np.random.Generator(bits(11)), 30_000),
            strict=True,
        ):
            assert np.array_equal(wanted, found)


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("count", [0, 1, 3, 31, 32, 33, 36, 63, 1000, 5003])
def test_pcg64_draws_four_uniform_numbers_at_once(bits: Any, count: int) -> None:
    """PCG64's are drawn four at once: the numbers, and the state afterwards, are the same."""

    def draws(rng, count):
        half = rng.integers(0, 10, dtype=np.int32)  # leaves half of a number
        first, second = rng.random(count), rng.uniform(-2.0, 3.5, count)
        half_again = rng.integers(0, 10, dtype=np.int32)
        return half, first, second, rng.random((2, count)), half_again, rng.random()

    ours, numpys = np.random.Generator(bits(5)), np.random.Generator(bits(5))
    for _ in range(2):
        for got, want in zip(jit(draws)(ours, count), draws(numpys, count), strict=True):
            assert_same_value(got, want)
    assert ours.bit_generator.random_raw() == numpys.bit_generator.random_raw()
