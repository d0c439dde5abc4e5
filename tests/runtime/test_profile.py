"""shapecast.profile(): what is measured, for whom, and what is made of it."""

from __future__ import annotations

import json
import linecache
import re
import threading
from collections import Counter
from dataclasses import dataclass

import numpy as np
import pytest
import shapecast
from shapecast import Profile, jit, prange, vectorize
from shapecast._profile_rows import Frame, LineTimes, Row
from shapecast._profile_views import text as table_of

from support import cuda


@jit
def nests(x, y):
    a = np.exp(x) * y
    b = np.sort(a)
    return b.sum(), x @ y


def inner(v):
    return v * v + 1


@jit
def outer(x):
    for _ in range(3):
        x = inner(x)
    total = 0.0
    for i in range(len(x)):
        total += x[i]
    return x, total


@jit
def softmax(x):
    e = np.exp(x - x.max(axis=1)[:, None])
    return e / e.sum(axis=1)[:, None]


@jit
def rows(a, out):
    for i in prange(a.shape[0]):
        out[i] = np.sort(a[i])[:3].sum()
    return out


@jit
def fails(x, k):
    y = np.sqrt(x)
    return y[k]


def kinds(p: Profile) -> Counter[str]:
    return Counter(row.kind for row in p.rows())


def line_of(function, text: str) -> int:
    import inspect

    lines, first = inspect.getsourcelines(function.__wrapped__)
    return first + next(k for k, line in enumerate(lines) if text in line)


def test_rows_are_nests_products_and_library_calls_with_their_lines_and_bytes():
    x = np.ones(1000)
    with shapecast.profile() as p:
        for _ in range(4):
            nests(x, x)
    (function,) = p.functions()
    assert (function.name, function.calls, function.compiled) == ("nests", 4, 1)
    assert function.seconds > 0
    assert function.compile_seconds > 0
    found = {(row.kind, row.stack[-1].line): row for row in p.rows() if row.kind != "line"}
    exp = found["nest", line_of(nests, "np.exp")]
    assert (exp.what, exp.count, exp.bytes) == (
        f"s0, with line {line_of(nests, 'np.sort')}",
        4,
        4 * 3 * 8 * 1000,
    )
    assert found["library", line_of(nests, "np.sort")].what == "sort"
    total = found["nest", line_of(nests, "b.sum()")]
    assert (total.what, total.bytes) == ("s0, sums along s0", 4 * 8 * 1000)
    assert found["product", line_of(nests, "b.sum()")].bytes == 4 * 2 * 8 * 1000
    assert found["start", function.line + 1].seconds > 0
    assert sum(row.seconds for row in p.rows()) == pytest.approx(function.seconds)
    assert function.seconds <= p.seconds


def test_lines_hold_what_is_inlined_in_them():
    with shapecast.profile() as p:
        outer(np.ones(50))
    lines = {(line.frame.function, line.frame.line): line for line in p.lines()}
    call = lines["outer", line_of(outer, "inner(x)")]
    own = lines["inner", inner.__code__.co_firstlineno + 1]
    assert call.count == own.count == 3
    assert call.bytes == own.bytes > 0
    assert call.seconds >= own.seconds > 0
    (nest,) = (row for row in own.rows if row.kind != "line")
    assert nest.kind == "nest"
    assert [frame.function for frame in nest.stack] == ["outer", "inner"]
    loop = lines["outer", line_of(outer, "for i in")]
    assert [row.kind for row in loop.rows] == ["loop"]


def sorts(x):
    return np.sort(x)


def test_lines_count_for_all_that_call_them():
    @jit
    def calls(x):
        for _ in range(3):
            x = sorts(x)
        for _ in range(5):
            x = sorts(x)
        return x

    @jit
    def factorial(n):
        if n < 2:
            return 1
        return n * factorial(n - 1)

    def adder(k):
        return jit(lambda x: sorts(x) + k)

    with shapecast.profile() as p:
        calls(np.ones(4))
        for k in range(4):
            adder(k)(np.ones(4))
        factorial(10)
    counts = {(line.frame.function, line.frame.line): line.count for line in p.lines()}
    assert counts["sorts", sorts.__code__.co_firstlineno + 1] == 3 + 5 + 4
    assert counts["factorial", line_of(factorial, "return n *")] == 9
    text = str(p)
    assert re.search(r"^<lambda> .*: 4 calls, ", text, re.MULTILINE)
    assert len(re.findall(r"^<lambda> ", text, re.MULTILINE)) == 1


def test_lines_that_are_fused_are_named():
    @jit
    def fused(x):
        y = x + 1
        z = y * 2
        return z.sum()

    with shapecast.profile() as p:
        fused(np.ones(10))
    (nest,) = (row for row in p.rows() if row.kind == "nest")
    others = {line_of(fused, text) for text in ("x + 1", "y * 2", "z.sum")} - {nest.stack[-1].line}
    assert set(map(int, re.findall(r"\d+", nest.what.rpartition("with lines")[2]))) == others


def test_strip_mined_nests_count_what_leaves_the_cache():
    with shapecast.profile() as p:
        softmax(np.ones((300, 400)))
    (row,) = (row for row in p.rows() if row.kind == "strips")
    assert row.what == "of 3 nests"
    assert row.bytes == 8 * 300 * 400 * 3  # x, and e written and read
    assert "# strips of 3 nests" in str(p)


def test_python_functions_and_recursion_are_calls():
    @jit
    def fits(x):
        return np.polyfit(x, x, 1)[0]

    @jit
    def fib(n):
        if n < 2:
            return n
        return fib(n - 1) + fib(n - 2)

    with shapecast.profile() as p:
        fits(np.arange(5.0))
        assert fib(10) == 55
    calls = {row.what for row in p.rows() if row.kind == "call"}
    assert "numpy.polyfit" in calls
    assert "fib" in calls


def test_loops_that_threads_share_are_measured_in_one(monkeypatch):
    a = np.random.default_rng(1).random((64, 500))
    with shapecast.profile() as p, shapecast.num_threads(2):
        got = rows(a, np.zeros(64))
    np.testing.assert_allclose(got, np.sort(a)[:, :3].sum(axis=1))
    assert kinds(p)["library"] == 1


def test_results_and_variants_are_those_without_it():
    x = np.linspace(0, 1, 30)
    want = nests(x, x)
    before = nests.signatures()
    with shapecast.profile():
        assert nests(x, x) == want
        assert nests.signatures() == before
    assert nests.signatures() == before
    assert nests(x, x) == want


factor = 1.0


def test_calls_count_whose_code_was_dropped_meanwhile(monkeypatch):
    @jit
    def scaled(x):
        return x * factor

    @jit
    def summed(parts):
        return sum(part.sum() for part in parts)

    @jit
    def changed(x):
        return x + 1

    with shapecast.profile() as p:
        for value in (1.0, 2.0, 3.0):
            monkeypatch.setitem(globals(), "factor", value)
            scaled(np.ones(3))
        for k in range(1, 70):
            summed((np.ones(2),) * k)
        changed(np.ones(3))
        with shapecast.profile() as q:
            changed.__wrapped__.__code__ = (lambda x: x + 5).__code__
            changed(np.ones(3))
    calls = {f.name.rpartition(".")[2]: f.calls for f in p.functions()}
    assert calls == {"scaled": 3, "summed": 69, "changed": 2}
    assert [f.calls for f in q.functions()] == [1]
    assert all(min(row.seconds, row.count, row.bytes) >= 0 for row in q.rows())
    assert {row.count for row in p.rows() if row.kind == "start"} == {1, 3, 69}


def test_calls_that_raise_count():
    with shapecast.profile() as p:
        fails(np.ones(3), 0)
        with pytest.raises(IndexError, match="index 9 is out of bounds"):
            fails(np.ones(3), 9)
    assert p.functions()[0].calls == 2


def test_profiles_nest_add_up_and_can_be_read_while_they_run():
    p = shapecast.profile()
    with p:
        outer(np.ones(3))
        assert p.functions()[0].calls == 1
        with shapecast.profile() as q:
            fails(np.ones(3), 0)
        fails(np.ones(3), 1)
        with pytest.raises(RuntimeError, match="is running"), p:
            pass
    outer(np.ones(3))
    assert {f.name: f.calls for f in q.functions()} == {"fails": 1}
    assert {f.name: f.calls for f in p.functions()} == {"outer": 1, "fails": 2}
    with p:
        outer(np.ones(3))
    assert {f.name: f.calls for f in p.functions()} == {"outer": 2, "fails": 2}
    with shapecast.profile() as again:
        outer(np.ones(3))
    assert [(f.calls, f.compiled) for f in again.functions()] == [(1, 0)]


def test_a_profile_that_does_not_run_cannot_end():
    with pytest.raises(RuntimeError, match="is not running"):
        shapecast.profile().__exit__(None, None, None)
    with shapecast.profile() as p:
        outer(np.ones(3))
    assert p.functions()[0].calls == 1


def test_a_profile_can_decorate():
    p = shapecast.profile()

    @p
    def program(n):
        for _ in range(n):
            outer(np.ones(3))

    program(2)
    program(3)
    assert p.functions()[0].calls == 5


def test_calls_of_all_threads_count():
    def work():
        for _ in range(50):
            fails(np.ones(20), 3)

    with shapecast.profile() as p:
        threads = [threading.Thread(target=work) for _ in range(4)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
    assert p.functions()[0].calls == 200
    (nest,) = (row for row in p.rows() if row.kind == "nest")
    assert nest.count == 200


@dataclass
class Particle:
    x: np.ndarray
    v: np.ndarray


def test_objects_methods_closures_and_ufuncs():
    @jit
    def move(particles, dt):
        for particle in particles:
            particle.x += particle.v * dt

    class Model:
        k = 3.0

        @jit
        def scale(self, x):
            return x * self.k

    def adder(q):
        @jit
        def add(x):
            return x + q

        return add(np.ones(3))

    @vectorize
    def larger(a, b):
        return a if a > b else b

    particles = [Particle(np.zeros(3), np.ones(3)) for _ in range(2)]
    with shapecast.profile() as p:
        move(particles, 0.5)
        Model().scale(np.ones(2))
        adder(2)
        larger(np.arange(3.0), 1.0)
    assert particles[1].x.tolist() == [0.5] * 3
    names = {f.name.rpartition(".")[2] for f in p.functions()}
    assert names == {"move", "scale", "add", "larger"}


def test_an_edited_function_is_measured_as_it_is_now():
    def f(x):
        return x + 1

    g = jit(f)
    with shapecast.profile() as p:
        assert g(1) == 2
        f.__code__ = (lambda x: x + 5).__code__
        assert g(1) == 6
    assert p.functions()[0].calls >= 1


def test_plain_functions_do_not_count():
    refused = jit(lambda x: {v for v in x} | {id(x) < 0}, fallback=True)
    with shapecast.profile() as p, shapecast.disabled():
        outer(np.ones(3))
    assert p.functions() == ()
    assert "no jitted function was called" in str(p)
    with shapecast.profile() as p, pytest.warns(RuntimeWarning):
        refused([1])
    assert p.functions() == ()


def test_arrays_on_a_device():
    cuda.start()
    x = shapecast.to_device(np.ones((8, 8)), "cuda:0")

    @jit
    def f(x):
        return np.exp(x) + 1

    with shapecast.profile() as p:
        y = f(x)
    np.testing.assert_allclose(y.copy_to_host(), np.exp(np.ones((8, 8))) + 1)
    (nest,) = (row for row in p.rows() if row.kind == "nest")
    assert nest.bytes == 2 * 8 * 64


def test_text_has_the_source_beside_the_times():
    with shapecast.profile() as p:
        outer(np.ones(50))
    text = str(p)
    assert re.search(r"in 1 jitted function, .* compiling 1 variant|in 1 jitted function; ", text)
    assert re.search(rf"^ +{line_of(outer, 'inner(x)')} .*% +x = inner\(x\)$", text, re.MULTILINE)
    assert re.search(r"# nest \w+$", text, re.MULTILINE)
    assert re.search(r"^inner .*: inlined in those that call it$", text, re.MULTILINE)
    assert max(map(len, text.splitlines())) < 160
    assert re.fullmatch(r"<profile: \S+ s, 1 jitted function>", repr(p))


def test_lines_without_source_have_times_all_the_same(tmp_path):
    (tmp_path / "gone.py").write_text("def f(x):\n    return x + 1\n")
    space = {}
    exec(compile((tmp_path / "gone.py").read_text(), str(tmp_path / "gone.py"), "exec"), space)
    f = jit(space["f"])
    with shapecast.profile() as p:
        f(np.ones(3))
    (tmp_path / "gone.py").unlink()
    linecache.checkcache()
    assert re.search(r"^ +2 .*%", str(p), re.MULTILINE)


def test_functions_of_one_name_and_without_a_file_have_tables_of_their_own(tmp_path):
    lines = ["import numpy as np", "def make():", "    def f(x):", "        return np.sort(x)"]
    lines += ["    return f", *["# between"] * 9, "def f(x):", "    y = np.sort(x)", "    return y"]
    (tmp_path / "two.py").write_text("\n".join(lines))
    space = {}
    exec(compile((tmp_path / "two.py").read_text(), str(tmp_path / "two.py"), "exec"), space)
    exec("def g(x):\n    return x + 1", space)
    with shapecast.profile() as p:
        jit(space["make"]())(np.ones(3))
        for _ in range(2):
            jit(space["f"])(np.ones(3))
        jit(space["g"])(np.ones(3))
    text = str(p)
    assert sorted(re.findall(r"^(\w) .*: (\d call)", text, re.MULTILINE)) == [
        ("f", "1 call"),
        ("f", "2 call"),
        ("g", "1 call"),
    ]
    assert "between" not in text
    assert "inlined" not in text


def test_long_notes_and_many_functions_are_cut(tmp_path):
    row = Row("f", "nest", " x ".join(["s0"] * 90), (Frame("f.py", "f", 1),), 1.0, 1, 0)
    table = table_of(1.0, (), (LineTimes(row.stack[0], 1.0, 1, 0, 0.0, (row,)),))
    assert "# nest s0 x" in table
    assert max(map(len, table.splitlines())) < 160
    (tmp_path / "many.py").write_text("\n".join(f"def f{k}(x): return x + 1" for k in range(14)))
    space = {}
    exec(compile((tmp_path / "many.py").read_text(), str(tmp_path / "many.py"), "exec"), space)
    with shapecast.profile() as p:
        for k in range(14):
            jit(space[f"f{k}"])(1)
    assert str(p).endswith("\n\nand 2 functions more, see lines()")
    assert "and 2 functions more" in p._repr_html_()


def test_the_notebook_view_is_html_with_heat():
    with shapecast.profile() as p:
        outer(np.ones(50_000))
    page = p._repr_html_()
    assert page.startswith('<div class="shapecast">')
    assert re.search(r"<td class=h[123]><code>[^<]*</code>", page)
    assert len(page) < 60_000
    assert "&lt;locals&gt;" not in page or "<locals>" not in page


def test_flame_graphs_are_written_in_speedscopes_format(tmp_path):
    with shapecast.profile() as p:
        outer(np.ones(50))
        nests(np.ones(50), np.ones(50))
    p.save(tmp_path / "profile.speedscope.json")
    saved = json.loads((tmp_path / "profile.speedscope.json").read_text())
    assert saved["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    frames = saved["shared"]["frames"]
    assert {profile["name"] for profile in saved["profiles"]} == {"outer", "nests"}
    for profile in saved["profiles"]:
        assert profile["type"] == "sampled"
        assert len(profile["samples"]) == len(profile["weights"])
        assert profile["endValue"] == pytest.approx(sum(profile["weights"]))
        assert all(0 <= k < len(frames) for sample in profile["samples"] for k in sample)
    names = {frames[k]["name"] for k in saved["profiles"][0]["samples"][0]}
    assert any(re.fullmatch(r"(outer|nests|inner):\d+", name) for name in names)
