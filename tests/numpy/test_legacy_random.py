"""The distributions of np.random and RandomState, which compiled code draws by itself: NumPy's
numbers to the last bit, and its state afterwards, with the normal number that it keeps.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import Any

import numpy as np
import pytest
from shapecast import _callouts, jit
from support.compare import Report, assert_same_error, assert_same_value, make, run
from support.frames import python_frames
from support.ulp import exact

FIXED: dict[str, Any] = {
    "v": np.array([0.5, 1.5, 0.25, 3.0]), "A": np.arange(6.0).reshape(2, 3) + 0.5,
    "i": np.array([3, 9, 12]), "n": 5, "x": 1.25, "nans": np.array([1.0, np.nan]),
    "signs": np.array([1.0, -1.0]), "p": np.array([0.25, 0.5, 1.0]),
}  # fmt: skip

DRAWS = {
    "normal": [
        "standard_normal()", "standard_normal(7)", "standard_normal((2, 3))", "standard_normal(-1)",
        "standard_normal(size=0)", "randn()", "randn(3)", "randn(2, n)", "randn(-1)", "normal()",
        "normal(3)", "normal(x, 2)", "normal(0.0, x, 3)", "normal(scale=2, size=(2, n))",
        "normal(v)", "normal(v, 2)", "normal(0, A)", "normal(v[:3], A)", "normal(0, -1)",
        "normal(0, -0.0)", "normal(0, signs)", "normal(0, np.nan)", "normal(v, v, (3, 4))",
        "normal(1j)", "lognormal()", "lognormal(x, 0.5, 5)", "lognormal(v, 0.1)",
        "lognormal(0, -1)",
    ],
    "exponential": [
        "standard_exponential()", "standard_exponential(6)", "exponential()", "exponential(2.5)",
        "exponential(x, 4)", "exponential(v)", "exponential(-1)", "exponential(signs)",
        "exponential(scale=2, size=(2, 1))", "exponential(v, (2, 4))",
    ],
    "of one parameter": [
        f"{name}{given}" for name in ("standard_gamma", "chisquare", "standard_t", "pareto",
                                      "power", "weibull", "rayleigh", "gamma")
        for given in ("(x)", "(0.5)", "(1)", "(2)", "(7, size=50)", "(0.3, size=50)", "(v)",
                      "(v, size=(2, 4))", "(0)", "(-1)", "(signs)")
    ],
    "of several parameters": [
        *[f"{name}{given}" for name in ("laplace", "gumbel", "logistic", "gamma", "beta", "wald")
          for given in ("(x, 2)", "(0.5, 0.25, 40)", "(3.5, 2.5, 40)", "(v, 2)", "(3, A, (2, 3))",
                        "(1, -1)", "(0, 0)", "(v, signs)", "(signs, 1)", "(v, signs[:1])",
                        "(1e-4, 1e-4, 9)")],
        "laplace()", "gumbel()", "logistic(size=3)", "triangular(0, 1, 3)",
        "triangular(0, 1, 3, 4)", "triangular(0, v, 5)", "triangular(0, 2, 1)",
        "triangular(3, 2, 4)", "triangular(0, 0, 0)", "rayleigh()", "rayleigh(size=3)",
    ],
    "counts": [
        "poisson()", "poisson(x)", "poisson(50.0, 20)", "poisson(4, 6)", "poisson(v)",
        "poisson(-1)", "poisson(np.nan)", "poisson(1e300)", "poisson(signs)", "poisson(nans)",
        "poisson(v * 1e300)", "poisson(v, (2, 4))", "poisson(0)", "binomial(n, 0.5)",
        "binomial(100, 0.5)", "binomial(100, 0.95, 5)", "binomial(1000, x / 2, size=(2, 2))",
        "binomial(i, 0.5)", "binomial(10, p)", "binomial(i, p)", "binomial(i, p[:, None])",
        "binomial(n, 2)", "binomial(-1, 0.5)", "binomial(n, np.nan)", "binomial(i, v[:3])",
        "binomial(i, nans[:1])", "binomial(-i, p)", "binomial(0, 0.5)", "binomial(0, 0.5, 3)",
        "binomial(3, 0)", "binomial(3, 0.0, 2)", "binomial(3, 1)", "binomial(0, 0)",
        "binomial(0, 1.0)", 
    ],
    "called out": [
        "standard_cauchy()", "f(2.0, 3.0)", "negative_binomial(3, 0.5)", "zipf(2.5)",
        "geometric(0.3)",
        "noncentral_chisquare(2.0, 1.0)", "vonmises(0, 1)", "multinomial(5, [0.5, 0.5])",
    ],
}  # fmt: skip


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


def same(got: Any, want: Any) -> None:
    if want.error is not None:
        assert_same_error(got.error, want.error)
    else:
        assert got.error is None, got.error
        assert_same_value(got.value, want.value, exact)


@pytest.mark.parametrize("title", DRAWS)
def test_numbers_and_states(title: str, probed: list[str]) -> None:
    """Each twice, with a normal number between them, of np.random and of a RandomState."""
    names = ", ".join(FIXED)
    state = np.random.RandomState()
    with Report(title) as report:
        for number, call in enumerate(DRAWS[title]):
            own = number % 2 == 1
            receiver, source = ("rng", state) if own else ("np.random", np.random)
            probed.clear()
            with report.case(call, receiver):
                f = make(
                    f"def f(rng, {names}):\n    a = {receiver}.{call}\n"
                    f"    c = {receiver}.randn()\n    return a, c, {receiver}.{call}"
                )
                seen = []
                for g in (jit(f), f):
                    source.seed(number)  # type: ignore[attr-defined]
                    if number % 3 == 0:
                        source.standard_normal()  # type: ignore[attr-defined]
                    seen.append(run(g, (state if own else None, *FIXED.values()), {}))
                    seen.append(source.get_state(legacy=False))  # type: ignore[attr-defined]
                same(seen[0], seen[2])
                assert str(seen[1]) == str(seen[3])
                assert bool(probed) == (title == "called out"), probed


LOOPS = {
    "each after the other": "t += np.random.normal(k, 2.0) + np.random.exponential()\n"
    "t += np.random.gamma(2.5) + np.random.beta(0.4, 0.7) + np.random.poisson(3.0)\n"
    "t += np.random.rand() - np.random.randint(0, 9) + np.random.binomial(20, 0.4)",
    "the bits' other users": "t += np.random.randn() + np.random.choice(9)\n"
    "t += np.random.permutation(5)[2] * np.random.uniform(1, 3)",
    "a call to Python between": "t += np.random.randn() + np.random.standard_cauchy()",
    "a seed inside": "if k % 7 == 3:\n    np.random.seed(k)\nt += np.random.randn()",
    "arrays": "t += np.random.randn(3).sum() + np.random.normal() + np.random.randn(2, 2)[1, 0]",
    "an exception inside": "try:\n    t += np.random.normal(0.0, 6.5 - k)\n"
    "except ValueError:\n    t += np.random.randn() * 100",
    "an exception that leaves": "t += np.random.normal(0.0, 6.5 - k)",
}


@pytest.mark.parametrize("name", LOOPS)
def test_interleaved_calls_keep_the_streams_order(name: str) -> None:
    """Calls one after the other, with plain draws, get_state and set_state between them."""
    body = LOOPS[name].replace("\n", "\n        ")
    f = make(f"def f(n):\n    t = 0.0\n    for k in range(n):\n        {body}\n    return t")
    seen = []
    for g in (jit(f), f):
        np.random.seed(11)
        outcomes = []
        for n in (1, 2, 3, 5, 40, 700):
            outcomes.append(run(g, (n,), {}))
            kept = np.random.get_state()
            numbers = np.random.standard_normal(n % 2 + 1).tolist()
            outcomes.append((str(kept), numbers))
            if n % 3 == 0:
                np.random.set_state(kept)
        outcomes.append(str(np.random.get_state(legacy=False)))
        seen.append(outcomes)
    for got, want in zip(*seen, strict=True):
        if isinstance(want, (tuple, str)):
            assert got == want
        else:
            same(got, want)


BITS = [np.random.MT19937, np.random.PCG64, np.random.Philox, np.random.SFC64]


@pytest.mark.parametrize("bits", BITS)
def test_a_state_of_any_bits(bits: Any) -> None:
    """More numbers than the 624 words of a Mersenne Twister, from an odd position on."""
    f = make(
        "def f(rng, n):\n    t = [0.0]\n    for k in range(n):\n"
        "        t[0] += rng.normal() * rng.rand() + rng.exponential() - rng.standard_gamma(0.5)\n"
        "    return t[0], rng.standard_normal(n), rng.random_sample(5), rng.gamma(3.0, 2.0, n)"
    )
    ours, theirs = (np.random.RandomState(bits(5)) for _ in range(2))
    g = jit(f)
    for n in (1, 4, 1000):
        for state in (ours, theirs):
            state.randint(0, 5, dtype=np.uint8)  # one word
        assert_same_value(g(ours, n), f(theirs, n), exact)
        assert str(ours.get_state(legacy=False)) == str(theirs.get_state(legacy=False))


def test_two_states_and_a_generator_share_their_bits() -> None:
    f = make(
        "def f(a, b, g, n):\n    t = 0.0\n    for k in range(n):\n"
        "        t += a.normal() - b.normal() * g.normal() + a.rand()\n    return t"
    )
    seen = []
    for g in (jit(f), f):
        bits = np.random.MT19937(1)
        a, b = np.random.RandomState(bits), np.random.RandomState(bits)
        seen.append((g(a, b, np.random.Generator(bits), 101), a.normal(), b.normal()))
    assert seen[0] == seen[1]


def test_threads_draw_each_number_once() -> None:
    @jit
    def f(rng: Any, out: Any) -> None:
        for k in range(len(out)):
            out[k] = rng.standard_normal()

    size, count = 100_000, 4
    f(np.random.RandomState(5), np.zeros(3))
    rng = np.random.RandomState(5)
    parts = [np.zeros(size) for _ in range(count)]
    plain: list[Any] = []
    threads = [threading.Thread(target=f, args=(rng, part)) for part in parts]
    threads.append(threading.Thread(target=lambda: plain.append(rng.standard_normal(size))))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    drawn = np.sort(np.concatenate([*parts, *plain]))
    want = np.random.RandomState(5).standard_normal((count + 1) * size)
    np.testing.assert_array_equal(drawn, np.sort(want))


def test_no_frame_of_python_runs() -> None:
    f = make(
        "def f(n):\n    t = 0.0\n    for _ in range(n):\n"
        "        t += np.random.normal() + np.random.exponential(2.0) + np.random.poisson(2.0)\n"
        "    return t + np.random.randn(3).sum()"
    )
    g = jit(f)
    g(3)
    assert python_frames(lambda: g(100)) == []


def test_all_draws_are_callouts_where_the_state_is_not_found() -> None:
    script = (
        "import numpy as np\nimport shapecast\nfrom shapecast import _core, library\n"
        "_core._has_legacy_distributions = lambda: False\n"
        "assert library.find('numpy.random.normal') is None\n"
        "assert library.find('numpy.random.rand') is not None\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)


def test_code_from_the_disk_finds_the_state(tmp_path: Any) -> None:
    """A process that compiles nothing draws the same numbers."""
    module = tmp_path / "drawn.py"
    module.write_text(
        "import numpy as np\nfrom shapecast import jit\n@jit\ndef f(n):\n    t = 0.0\n"
        "    for _ in range(n):\n        t += np.random.normal()\n    return t\n"
        "np.random.seed(3)\nprint(f(5), np.random.normal())\n"
    )
    environment = {"SHAPECAST_CACHE_DIR": str(tmp_path / "cache"), "PATH": ""}
    seen = [
        subprocess.run(
            [sys.executable, str(module)], env=environment, check=True, timeout=120,
            capture_output=True, text=True,
        ).stdout
        for _ in range(2)
    ]  # fmt: skip
    np.random.seed(3)
    total = 0.0
    for _ in range(5):
        total += np.random.normal()
    assert seen == [f"{total} {np.random.normal()}\n"] * 2


# Drawn one by one (src/lower/kit/legacy_draws.h, src/runtime/poisson.h): the expression, and
# what `a` and `b` are in it.
ONE_BY_ONE: dict[str, list[tuple[float, ...]]] = {
    "rand()": [()], "random_sample()": [()], "standard_exponential()": [()],
    "uniform(a, b)": [(1.0, 2.0), (-3.0, 7.5)], "exponential(a)": [(2.0,), (0.0,)],
    "randint(a, b)": [(0, 10), (0, 8), (5, 6), (-7, 8), (0, 2**31), (0, 2**32 - 1), (0, 2**32),
                      (0, 2**32 + 1), (0, 2**40), (-(2**63), 2**63 - 1), (3, 3 + 2**16)],
    "weibull(a)": [(2.0,), (0.5,), (1.7,), (1.0,), (0.0,), (1e-3,), (30.0,)],
    "power(a)": [(2.0,), (0.5,), (3.0,)], "beta(a, b)": [(0.5, 0.5), (0.3, 2.0), (2.0, 3.0)],
    "standard_gamma(a)": [(0.5,), (0.01,), (0.99,), (1.0,), (2.5,), (0.0,)],
    "chisquare(a)": [(1.0,), (0.4,), (5.0,)],
    "poisson(a)": [(0.5,), (9.99,), (10.0,), (12.5,), (50.0,), (333.3,), (1e6,), (1e9,)],
    "rand() + np.random.randint(10) + np.random.normal() + np.random.exponential(2.0)": [()],
}  # fmt: skip
IN_A_LOOP = (
    "def f(n, a=0, b=0):\n    numbers = np.empty(n)\n    for k in range(n):\n"
    "        numbers[k] = np.random.{}\n    return numbers"
)


@pytest.mark.parametrize("call", ONE_BY_ONE)
def test_numbers_drawn_one_by_one(call: str) -> None:
    f = make(IN_A_LOOP.format(call))
    g = jit(f)
    for given in ONE_BY_ONE[call]:
        for n in (1, 3, 623, 20_000):
            results = []
            for h in (f, g):
                np.random.seed(n)
                results.append((h(n, *given).tobytes(), str(np.random.get_state(legacy=False))))
            assert results[0] == results[1], (given, n)


@pytest.mark.parametrize("bits", [np.random.PCG64, np.random.MT19937, np.random.Philox])
def test_another_generator_under_np_random(bits: Any) -> None:
    before = np.random.get_bit_generator()
    f = make(IN_A_LOOP.format("randint(10) + np.random.rand() + np.random.weibull(2.0)"))
    g = jit(f)
    try:
        g(700)
        results = []
        for h in (f, g):
            np.random.set_bit_generator(bits(5))
            results.append((h(700), np.random.rand()))
    finally:
        np.random.set_bit_generator(before)
    np.testing.assert_array_equal(results[0][0], results[1][0])
    assert results[0][1] == results[1][1]
    np.random.seed(1)
    drawn = g(5)
    np.random.seed(1)
    np.testing.assert_array_equal(drawn, f(5))


def test_which_draws_are_inlined() -> None:
    f = make(IN_A_LOOP.format("randint(10) + np.random.rand()"))
    assert "-1658038656" in str(jit(f).stages(5)["loops"])  # a mask of the twister's
