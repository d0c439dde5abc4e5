"""The cache of compiled code on disk: what a later process finds, and what it must not find."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

HEAD = """
import json, warnings
import numpy as np
import shapecast
from shapecast import jit
"""
TAIL = """
print(json.dumps({"statistics": shapecast._core.cache_statistics(), "value": value}))
"""
Run = Callable[..., Any]


class Result:
    """What a process printed: `value`, and where its variants came from."""

    def __init__(self, done: subprocess.CompletedProcess[str]) -> None:
        assert done.returncode == 0, done.stderr
        self.errors = done.stderr
        found = json.loads(done.stdout.splitlines()[-1])
        self.value, self.statistics = found["value"], found["statistics"]
        self.origins = {k: v for k in ("direct", "typed", "compiled") if (v := self.statistics[k])}


def environment(folder: Path, **others: str) -> dict[str, str]:
    return {**os.environ, "SHAPECAST_CACHE_DIR": str(folder / "cache"), **others}


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs a program in a process of its own; the same file and the same cache each time."""

    def ran(program: str, name: str = "program.py", **others: str) -> Result:
        file = tmp_path / name
        file.write_text(HEAD + program + TAIL)
        return Result(
            subprocess.run(
                [sys.executable, str(file)], capture_output=True, text=True, cwd=tmp_path,
                env=environment(tmp_path, **others),
            )
        )  # fmt: skip

    return ran


def entries(folder: Path) -> list[Path]:
    return sorted((folder / "cache").glob("*.entry"))


PLAIN = """
@jit
def f(x, y):
    return np.sqrt(x * x + y) - 0.5
value = f(np.arange(5.0), np.ones(5)).tolist()
"""


def test_a_later_process_finds_the_code(run: Run) -> None:
    first, second = run(PLAIN), run(PLAIN)
    assert first.origins == {"compiled": 1} and second.origins == {"direct": 1}
    assert first.value == second.value


def test_another_file_with_the_same_function_finds_the_code_by_the_typed_module(run: Run) -> None:
    assert run(PLAIN).origins == {"compiled": 1}
    moved = run(PLAIN, "another.py")
    assert moved.origins == {"typed": 1}
    assert run(PLAIN, "another.py").origins == {"direct": 1}


def test_types_layouts_and_aliasing_have_entries_of_their_own(run: Run) -> None:
    program = """
@jit
def f(x, y):
    return x + 2 * y
a = np.arange(6.0).reshape(2, 3)
calls = [(a, a), (a, a + 1), (a.T, a.T + 1), (a[:, ::2], a[:, ::2] + 1),
         (a.astype("f4"), a), (1, 2.5), (a, True), (a, np.float32(3))]
value = [f(x, y).tolist() if hasattr(f(x, y), "tolist") else f(x, y) for x, y in calls]
"""
    first, second = run(program), run(program)
    assert first.value == second.value
    assert second.origins == {"direct": first.origins["compiled"] + first.origins.get("typed", 0)}


CALLEE = """
LIMIT = {limit}
SCALE = np.{scale}
def add(a, b={default}):
    return a {op} b
def make(k):
    def g(x):
        return add(x) * k + LIMIT
    return jit(g)
f = make({closure})
value = f(np.ones(2, SCALE)).tolist()
"""
USUAL = {"limit": "3", "scale": "float64", "default": "2.0", "op": "+", "closure": "10"}


@pytest.mark.parametrize(
    ("change", "want"),
    [
        ({}, [33.0, 33.0]),
        ({"limit": "4"}, [34.0, 34.0]),
        ({"limit": "3.5"}, [33.5, 33.5]),
        ({"limit": "np.array([1.0, 2.0])"}, [31.0, 32.0]),
        ({"default": "-2.0"}, [-7.0, -7.0]),
        ({"op": "*"}, [23.0, 23.0]),
        ({"closure": "20"}, [63.0, 63.0]),
        ({"scale": "complex128"}, None),
    ],
    ids=lambda v: ", ".join(f"{k}={text}" for k, text in v.items()) if isinstance(v, dict) else "",
)
def test_globals_defaults_and_closures_are_part_of_the_key(
    run: Run, change: dict[str, str], want: list[float] | None
) -> None:
    assert run(CALLEE.format(**USUAL)).value == [33.0, 33.0]
    program = CALLEE.format(**USUAL | change)
    if want is None:
        program = program.replace(".tolist()", ".real.tolist()")
        want = [33.0, 33.0]
    changed = run(program)
    assert changed.value == want
    assert changed.origins == ({"compiled": 1} if change else {"direct": 1})
    again = run(program)
    assert again.value == want and again.origins == {"direct": 1}
    back = run(CALLEE.format(**USUAL))
    assert back.value == [33.0, 33.0] and "compiled" not in back.origins


def test_an_edited_module_is_seen(run: Run, tmp_path: Path) -> None:
    program = """
import other
@jit
def f(x):
    return other.g(x) + other.SHIFT
value = f(np.ones(2)).tolist()
"""
    other = tmp_path / "other.py"
    values = []
    for text in ("2 * x", "3 * x", "2 * x"):
        # Of another size each time: Python takes its own .pyc for an edit within the second.
        other.write_text(f"SHIFT = 1\n{'#' * len(values)}\ndef g(x):\n    return {text}\n")
        values.append(run(program).value)
    assert values == [[3.0, 3.0], [4.0, 4.0], [3.0, 3.0]]
    assert run(program).origins == {"direct": 1}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("LIST = [1, 2]", "LIST = [1, 2, 3]"),
        ("LIST = [1, 2]", "LIST = [1, 5]"),
        ("LIST = (1, 2)", "LIST = (1, 2.0)"),
        ("LIST = (1, 2)", "LIST = (1, True)"),
    ],
)
def test_global_containers_are_part_of_the_key(run: Run, first: str, second: str) -> None:
    program = """
{0}
@jit
def f(x):
    for k in LIST:
        x = x + k
    return x
value = f(np.zeros(2))
"""
    tail = "value = value.tolist()"
    run(program.format(first) + tail)
    assert run(program.format(first) + tail).origins == {"direct": 1}
    space = {"np": np}
    exec(program.format(second).replace("@jit", ""), space)
    assert run(program.format(second) + tail).value == space["value"].tolist()


def test_a_global_dict_of_arrays_is_read_at_each_call(run: Run) -> None:
    program = """
P = {"w": np.array([1.0, 2.0]), "b": %s}
@jit
def f(x):
    return x * P["w"] + P["b"]
value = [f(np.ones(2)).tolist()]
P["w"] = P["w"] * 2
value.append(f(np.ones(2)).tolist())
"""
    assert run(program % 1).value == run(program % 1).value == [[2.0, 3.0], [3.0, 5.0]]
    assert run(program % 2).value == [[3.0, 4.0], [4.0, 6.0]]


def test_a_global_of_another_type_is_seen(run: Run) -> None:
    program = """
def make(k):
    return jit(lambda x: x * k[0])
value = [float(make(k)(1.0)) for k in {0}]
"""
    arrays, tuples = "(np.ones(2), np.ones(2, 'f4'))", "((2.0, 3.0), (3.0, 2.0))"
    for _ in range(2):
        assert run(program.format(arrays)).value == [1.0, 1.0]
        assert run(program.format(tuples)).value == [2.0, 3.0]
        both = run(program.format(f"(*{tuples}, *{arrays}, *{tuples})"))
        assert both.value == [2.0, 3.0, 1.0, 1.0, 2.0, 3.0]


def test_a_global_that_is_gone_is_seen(run: Run) -> None:
    program = """
{0}
@jit
def f(x):
    try:
        return abs(x)
    except NameError:
        return x
def g(x):
    return float(np.sum(x * size))
size = {1}
value = [float(f(-1.0))]
if {2}:
    del size
try:
    value.append(jit(g)(2.0))
except NameError:
    value.append("gone")
"""
    own = "def abs(x): return x * 3"
    for head, size, gone in [
        ("", 2, 0),
        (own, "np.ones(2)", 0),
        ("", "np.ones(2)", 1),
        (own, 2, 0),
    ]:
        for _ in range(2):
            want = [-3.0 if head else 1.0, "gone" if gone else 4.0]
            assert run(program.format(head, size, gone)).value == want


def test_random_numbers_and_transforms(run: Run) -> None:
    program = """
@jit
def f(x):
    np.random.seed(3)
    y = np.random.normal(size=4) + np.random.rand(4)
    np.random.shuffle(y)
    return y, np.fft.rfft(x + y).real
value = [part.tolist() for part in f(np.arange(4.0))]
"""
    first, second = run(program), run(program)
    assert first.value == second.value and second.origins == {"direct": 1}


def test_numpy_that_was_patched_is_seen(run: Run) -> None:
    program = """
def sqrt(x):
    return x + 100
{0}
@jit
def f(x):
    return np.negative(x) + np.PI
value = f(np.ones(2)).tolist()
"""
    assert run(program.format("np.PI = 3")).value == [2.0, 2.0]
    assert run(program.format("np.PI = 4")).value == [3.0, 3.0]
    assert run(program.format("np.PI = 4; np.negative = np.positive")).value == [5.0, 5.0]


def test_a_global_number_that_changes_while_the_process_runs(run: Run) -> None:
    program = """
K = 1.0
@jit
def f(x):
    return x * K
value = []
for K in (1.0, 2.0, 3.0):
    value.append(f(np.ones(1)).tolist()[0])
"""
    assert run(program).value == run(program).value == run(program).value == [1.0, 2.0, 3.0]


def test_static_values_are_part_of_the_key(run: Run) -> None:
    program = """
@jit
def f(x, axis, how):
    return x.sum(axis=axis) if how == "sum" else x.max(axis=axis)
x = np.arange(6.0).reshape(2, 3)
value = [f(x, {0}, how).tolist() for how in ("sum", "max")]
"""
    for _ in range(2):
        assert run(program.format(0)).value == [[3.0, 5.0, 7.0], [3.0, 4.0, 5.0]]
        again = run(program.format(1))
        assert again.value == [[3.0, 12.0], [2.0, 5.0]]
    assert again.origins == {"direct": 2}


def test_guards_of_sizes_are_checked(run: Run) -> None:
    program = """
@jit
def f(a, b):
    return a[1:-1] + b
value = [f(np.ones(n), np.ones(m)).tolist() for n, m in {0}]
"""
    run(program.format("[(5, 3)]"))
    other = run(program.format("[(7, 1), (6, 4)]"))
    assert other.value == [[2.0] * 5, [2.0] * 4]
    both = run(program.format("[(5, 3), (7, 1), (6, 4)]"))
    assert both.value == [[2.0] * 3, [2.0] * 5, [2.0] * 4] and "compiled" not in both.origins


def test_tuples_and_lists_as_arguments(run: Run) -> None:
    program = """
@jit
def f(pair, sizes, *rest):
    a, b = pair
    return a + b[0], len(sizes), [r * 2 for r in rest]
value = repr(f((np.ones(2), [3.0, 4.0]), {"a": 1, "b": 2}, 5, np.ones(1)))
"""
    first, second = run(program), run(program)
    assert first.value == second.value and second.origins == {"direct": 1}


def test_annotations_are_part_of_the_key(run: Run) -> None:
    program = """
from shapecast.typing import Float64
@jit
def f(x: Float64["{0}"]):
    return x * 2
try:
    value = f(np.ones((2, 3))).tolist()
except TypeError as error:
    value = "refused"
except shapecast.ShapeError as error:
    value = "refused"
"""
    for _ in range(2):
        assert run(program.format("n m")).value == [[2.0] * 3] * 2
        assert run(program.format("n n")).value == "refused"


def test_results_that_python_makes(run: Run) -> None:
    program = """
from collections import namedtuple
Pair = namedtuple("Pair", "low high")
{0}
@jit
def f(x):
    return Pair(x.min(), x.max())
@jit
def g(x):
    return np.linalg.eigh(x)
first = f(np.arange(3.0))
value = [type(first).__name__, *map(float, first), type(g(np.eye(2))).__name__,
         type(f(np.arange(2))).__name__]
"""
    other = "Other = namedtuple('Other', 'a b')\n@jit\ndef h(x):\n    return Other(x, x)\nh(1.0)\n"
    for head in ("", other, ""):
        assert run(program.format(head)).value == ["Pair", 0.0, 2.0, "EighResult", "Pair"]


def test_calls_of_python_functions(run: Run) -> None:
    program = """
calls = []
@shapecast.pyfunc(result=float)
def seen(x):
    calls.append(float(x))
    return x * {0}
@jit
def f(x):
    return seen(x) + 1
value = [f(2.0), calls]
"""
    assert run(program.format(3)).value == run(program.format(3)).value == [7.0, [2.0]]
    assert run(program.format(4)).value == [9.0, [2.0]]


def test_ufuncs_and_functions_of_scipy(run: Run) -> None:
    pytest.importorskip("scipy")
    program = """
from scipy import special, ndimage
@jit
def f(x):
    return special.j0(x) + special.jv(1.5, x), ndimage.gaussian_filter(x, 1.0)
value = [part.tolist() for part in f(np.arange(6.0))]
"""
    first, second = run(program), run(program)
    assert first.value == second.value and second.origins == {"direct": 1}


def test_objects_are_found_by_the_typed_module(run: Run) -> None:
    program = """
class Model:
    def __init__(self):
        self.w = np.ones(3)
        self.steps = 0
    @jit
    def step(self, x):
        self.steps += 1
        return x * self.w * {0}
m = Model()
value = [m.step(np.ones(3)).tolist(), m.steps]
"""
    assert run(program.format(2)).value == [[2.0] * 3, 1]
    again = run(program.format(2))
    assert again.value == [[2.0] * 3, 1] and again.origins == {"typed": 1}
    assert run(program.format(3)).value == [[3.0] * 3, 1]


FAILING = """
def inner(x, k):
    return x[k]
@jit
def f(x, k):
    y = x + 1
    return inner(y, k)
import traceback
try:
    f(np.ones(3), 1)
    f(np.ones(3), 7)
except IndexError as error:
    value = [str(error), traceback.format_exc(), f.signatures()]
"""


def test_errors_have_the_right_lines(run: Run) -> None:
    first, second = run(FAILING), run(FAILING)
    assert second.origins == {"direct": 1} and first.value == second.value
    moved = run("# one line more\n# and one\n" + FAILING)
    lines = [re.findall(r"line (\d+), in (\w+)", ran.value[1]) for ran in (first, moved)]
    assert [(int(n) + 2, name) for n, name in lines[0]] == [(int(n), name) for n, name in lines[1]]
    for text in (first.value[1], moved.value[1]):
        assert "return x[k]" in text and "^" in text
    other = run(FAILING, "another.py")
    assert other.origins == {"typed": 1}
    assert "another.py" in other.value[1] and "program.py" not in other.value[1]


def test_inspection_of_a_function_from_disk(run: Run) -> None:
    program = (
        PLAIN
        + """
x = np.arange(5.0)
value = [f.signatures(), sorted(f.stages(x, x)), f.remarks(x, x), str(f.infer(x, x)),
         len(f._inspect_variant(0)["nests"]), f(x, x).tolist()]
text = str(f.explain())
"""
    )
    first, second = run(program), run(program + "assert 'found on disk' in text, text\n")
    assert first.value == second.value


def test_a_changed_global_is_seen_after_a_hit(run: Run) -> None:
    program = """
K = 2
def g(x):
    return x * K
f = jit(lambda x: g(x) + 1)
value = [f(1.0)]
K = 5
value.append(f(1.0))
def g(x):
    return x - K
value += [f(1.0), f(np.ones(1)).tolist()]
"""
    assert run(program).value == run(program).value == [3.0, 6.0, -3.0, [-3.0]]


def test_notebooks_find_their_code(run: Run) -> None:
    program = """
import linecache
def cell(text, name):
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    exec(compile(text, name, "exec"), globals())
cell('''@jit
def f(x):
    return x[{1}] * 2
''', "/tmp/ipykernel_{0}/1234.py")
value = f(np.ones(3))
"""
    assert run(program.format(11, 1)).origins == {"compiled": 1}
    assert run(program.format(12, 1)).origins == {"typed": 1}
    assert run(program.format(13, 2)).origins == {"compiled": 1}


@pytest.mark.parametrize("damage", ["truncated", "flipped", "empty", "other"])
def test_a_damaged_entry_is_compiled_again_and_reported_once(
    run: Run, tmp_path: Path, damage: str
) -> None:
    first = run(PLAIN)
    for path in entries(tmp_path):
        content = path.read_bytes()
        at = len(content) * 3 // 4
        path.write_bytes(
            {
                "truncated": content[:-7],
                "flipped": content[:at] + bytes([content[at] ^ 4]) + content[at + 1 :],
                "empty": b"",
                "other": content[:8] + bytes(32) + content[40:],
            }[damage]
        )
    second = run(PLAIN)
    assert second.value == first.value and second.origins == {"compiled": 1}
    assert second.errors.count("RuntimeWarning: shapecast compiles again") == 1
    third = run(PLAIN)
    assert third.origins == {"direct": 1} and not third.errors


def test_many_processes_at_once(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    program = """
@jit
def f(x, k):
    return x * k + {0}
value = [f(np.ones(2), k).tolist() for k in (1, 2.0, np.ones(2))]
"""
    file.write_text(HEAD + program.format(1) + TAIL)
    running = [
        subprocess.Popen(
            [sys.executable, str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, env=environment(tmp_path),
        )
        for _ in range(6)
    ]  # fmt: skip
    for process in running:
        out, errors = process.communicate()
        assert process.returncode == 0 and not errors, errors
        assert json.loads(out)["value"] == [[2.0, 2.0], [3.0, 3.0], [2.0, 2.0]]
    assert not list((tmp_path / "cache").glob("*.tmp"))


def test_the_cache_is_private(run: Run, tmp_path: Path) -> None:
    run(PLAIN)
    assert stat.S_IMODE((tmp_path / "cache").stat().st_mode) == 0o700
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in entries(tmp_path))
    (tmp_path / "cache").chmod(0o770)
    refused = run(PLAIN)
    assert refused.origins == {"compiled": 1} and refused.statistics["stores"] == 0
    assert refused.errors.count("others can write to") == 1


@pytest.mark.parametrize("given", ["", "0", "off", "/proc/shapecast", "/dev/null/shapecast"])
def test_no_cache_where_it_is_off_or_impossible(run: Run, tmp_path: Path, given: str) -> None:
    for _ in range(2):
        ran = run(PLAIN, SHAPECAST_CACHE_DIR=given)
        assert ran.origins == {"compiled": 1} and not ran.errors
    assert not (tmp_path / "cache").exists()


def test_a_directory_that_cannot_be_written_to_is_read(run: Run, tmp_path: Path) -> None:
    run(PLAIN)
    program = PLAIN.replace("0.5", "0.25")
    # Root can write anywhere: only for others the directory stays as it was.
    before = entries(tmp_path)
    (tmp_path / "cache").chmod(0o500)
    assert run(PLAIN).origins == {"direct": 1}
    ran = run(program)
    assert ran.origins == {"compiled": 1} and not ran.errors
    if os.geteuid():
        assert entries(tmp_path) == before
    (tmp_path / "cache").chmod(0o700)


def test_a_full_disk_is_no_error(run: Run) -> None:
    program = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
"""
    ran = run(program + PLAIN)
    assert ran.origins == {"compiled": 1} and not ran.errors and ran.statistics["stores"] == 0


def test_the_size_is_bounded_and_recent_entries_stay(run: Run, tmp_path: Path) -> None:
    program = """
@jit
def kept(x):
    return x * 2
kept(1.0)
for k in range(30):
    space = {{"np": np}}
    jit(eval(f"lambda x: np.exp(x) * {{k}} + {0}", space))
    import linecache
    text = f"def g(x):\\n    return np.exp(x) * {{k}} + {0}\\n"
    name = f"<made {{k}}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    exec(compile(text, name, "exec"), space)
    jit(space["g"])(np.ones(3))
value = 0
"""
    bound = 100_000
    for k in range(2):
        run(program.format(k), SHAPECAST_CACHE_SIZE=str(bound / 2**20))
        assert 0 < sum(path.stat().st_size for path in entries(tmp_path)) <= bound * 1.1


def test_the_cache_command(run: Run, tmp_path: Path) -> None:
    def command(*words: str, **others: str) -> str:
        return subprocess.run(
            [sys.executable, "-m", "shapecast", *words], capture_output=True, text=True,
            check=True, env=environment(tmp_path, **others),
        ).stdout  # fmt: skip

    run(PLAIN)
    listed = command("cache", "list")
    assert "f(x: float64[s0], y: float64[s1])" in listed
    total = sum(path.stat().st_size for path in entries(tmp_path))
    assert command("cache", "size").startswith(f"{len(entries(tmp_path))} entries, {total:,} of ")
    assert str(tmp_path / "cache") in command("cache", "clear")
    assert not entries(tmp_path)
    assert run(PLAIN).origins == {"compiled": 1}
    assert "off" in command("cache", "list", SHAPECAST_CACHE_DIR="off")
