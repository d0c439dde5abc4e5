"""What the bench measures is right: every kernel under shapecast, and its port to loops under
Numba, gives NumPy's results at a tiny size. No times.

Compiling all of Numba's forms takes many minutes; here it is one port a kind of kernel, `--full`
takes every port. The bench itself checks each contestant at the size that it measures.
"""

from __future__ import annotations

import copy
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench import measure, operations, report
from bench.kernels import KERNELS
from bench.peers import PEERS
from bench.peers.loops import LOOPS
from bench.picture import picture

# The first of each kind.
SAMPLE = {KERNELS[name].kind: name for name in reversed(KERNELS) if name in LOOPS}


def numpys(name: str, dtype: str) -> tuple[tuple, list[Any]]:
    kernel = KERNELS[name]
    given = kernel.make(kernel.tiny, dtype)
    own = copy.deepcopy(given)
    with np.errstate(all="ignore"):
        want = measure.outcome(kernel, kernel.plain(*own), own)
    for k, (before, after) in enumerate(zip(given, own, strict=True)):
        if isinstance(before, np.ndarray) and k not in kernel.changes:
            np.testing.assert_array_equal(before, after, err_msg="changes it without saying so")
    return given, want


@pytest.mark.parametrize("name", KERNELS)
def test_every_kernel_gives_numpys_results(name: str) -> None:
    kernel = KERNELS[name]
    contestant = measure.shapecast_contestant(kernel)
    for dtype in kernel.dtypes:
        given, want = numpys(name, dtype)
        assert want, "nothing to compare"
        f, about = measure.first_call(contestant, kernel, dtype, given, want)
        assert f is not None, f"{dtype}: {about['status']}"


@pytest.mark.parametrize("name", LOOPS)
def test_ports_to_loops_give_numpys_results_under_numba(name: str, full: bool) -> None:
    kernel = KERNELS[name]
    dtype = kernel.dtypes[0]
    given, want = numpys(name, dtype)
    port = PEERS["numba"].contestants(kernel, dtype, 1)[0]
    assert port.name == "numba loops"
    if not (full or name in SAMPLE.values()):
        # As plain Python: slow, but there is nothing to compile.
        port = measure.Contestant("port", lambda: LOOPS[name])
    with np.errstate(all="ignore"):
        f, about = measure.first_call(port, kernel, dtype, given, want)
    assert f is not None, about["status"]


@pytest.mark.parametrize("peer", PEERS)
def test_a_peer_names_only_existing_kernels(peer: str) -> None:
    module = PEERS[peer]
    named = {k.name for k in KERNELS.values() if module.contestants(k, k.dtypes[0], 1)}
    tables = ("PORTS", "SIGNATURES", "EXPRESSIONS")
    listed = {name for table in tables for name in getattr(module, table, {})}
    assert named, "runs nothing"
    assert listed <= named
    if hasattr(module, "UNCHANGED"):
        unchanged = set(module.UNCHANGED.strip().replace("\n", "|").split("|"))
        assert unchanged <= named
        assert not unchanged & listed


def test_a_wrong_result_is_a_status_not_a_time() -> None:
    kernel = KERNELS["triad"]
    given, want = numpys("triad", "float64")
    wrong = measure.Contestant("numba", lambda: lambda a, b: a + 3.0001 * b)
    assert measure.first_call(wrong, kernel, "float64", given, want)[0] is None
    failing = measure.Contestant("numba", lambda: lambda a, b: a.nothing)
    f, about = measure.first_call(failing, kernel, "float64", given, want)
    assert f is None and about["status"].startswith("failed: AttributeError")
    other_dtype = measure.Contestant("shapecast", lambda: lambda a, b: (a + 3.0 * b) + 0j)
    f, about = measure.first_call(other_dtype, kernel, "float64", given, want)
    assert f is None and about["status"] == "wrong: another dtype"


def test_differences_compare_shapes_nans_and_tuples() -> None:
    x = np.arange(4.0)
    assert measure.difference([x], [x]) == 0
    assert measure.difference([x + 0.3], [x]) == pytest.approx(0.1)
    assert measure.difference([x[:3]], [x]) == np.inf
    assert measure.difference([x], [x, x]) == np.inf
    assert measure.difference([np.where(x > 2, np.nan, x)], [x]) == np.inf


def row(kernel: str, **seconds: float) -> report.Row:
    contestants = {who: {"status": "ok", "seconds": s} for who, s in seconds.items()}
    contestants["jax"] = {"status": "failed: TypeError: no"}
    return {
        "kernel": kernel, "kind": "element-wise", "size": 2, "n": 10, "dtype": "float64",
        "threads": 1, "level": "DRAM", "streaming": True, "roof": 0.5, "working set": 160,
        "contestants": contestants,
    }  # fmt: skip


def test_reports_are_built_from_rows() -> None:
    rows = [
        row("copy", shapecast=1.0, numpy=2.0, numba=4.0),
        row("triad", shapecast=2.0, numpy=1.0, numba=1.5),
        row("gelu", numpy=1.0),
    ]
    machine = {
        "cpu": "none", "vector": "", "cores": 2, "load": 0.0, "python": "3", "numpy": "2",
        "shapecast": "0", "build": "dev", "peers": {"numba": "1", "jax": "not installed"},
    }  # fmt: skip
    options = {"quick": True, "peers": ["numba", "jax"]}
    result = {"machine": machine, "options": options, "rows": rows, "calls": [],
              "latency": {}, "complete": True}  # fmt: skip
    assert report.best_peer(rows[0]) == ("numba", 4.0)
    assert report.over_numpy(rows[1]) == 0.5
    assert report.over_numpy(rows[2]) is None
    assert report.stream_shares(result["rows"]) == {"copy": 1.0, "triad": 0.5}
    assert list(report.failures(rows[2])) == ["jax: failed: TypeError: no"]
    assert "1 miss it" in str(report.aims(result)) and "triad 10" in str(report.aims(result))
    assert "| element-wise | 3 | 1.00 x | 1.73 x | triad 0.50 x | triad 0.75 x |" in report.kinds(
        json.loads(json.dumps(result))
    )
    assert picture(result).count("<circle") == 4 + 2  # and two of the legend
    assert "- gelu 10 float64 x1: jax: failed: TypeError: no" in report.all_rows(result)
    assert "`./dev bench --quick --peers numba jax`" in report.kinds(result)
    shared = [r | {"threads": 2} for r in (row("copy", numpy=1.0, shapecast=2.0), rows[1])]
    found = {name: (value, by) for name, value, by in report.aims(result | {"rows": rows + shared})}
    assert found["all cores: every row >= 0.95 x one core"][0] == "1 miss it"
    assert "copy 10 float64 x2 0.50" in found["all cores: every row >= 0.95 x one core"][1]
    assert "on all cores" not in report.kinds(result).lower()
    assert "On all cores" in report.kinds(result | {"rows": rows + shared})


def test_a_stopped_run_continues_where_it_stopped(tmp_path: Path, monkeypatch: Any) -> None:
    from bench import run

    measured = []
    monkeypatch.setattr(run, "RESULTS", tmp_path)
    monkeypatch.setattr(run, "ask", lambda *_, **__: {})
    monkeypatch.setattr(run.report, "show", lambda result: None)

    def measure_row(task: measure.Task, limit: float) -> report.Row:
        if len(measured) == 2:
            measured.append("stopped")
            raise KeyboardInterrupt
        measured.append(task.kernel)
        return {"contestants": {}, "failure": "none"}

    monkeypatch.setattr(run, "measured", measure_row)
    wanted = ["--only", "element-wise", "--threads", "1", "--sizes", "0", "--dtypes", "float64"]
    with pytest.raises(KeyboardInterrupt):
        run.run(run.options_of(wanted))
    run.run(run.options_of(["--resume"]))
    names = [k.name for k in KERNELS.values() if k.kind == "element-wise"]
    names = [name for name in names if "float64" in KERNELS[name].dtypes]
    assert measured == [*names[:2], "stopped", *names[2:]]
    (file,) = tmp_path.glob("*.json")
    assert json.loads(file.read_text())["complete"]
    with pytest.raises(SystemExit, match="nothing to resume"):
        run.run(run.options_of(["--resume"]))


def test_a_contestant_that_crashes_is_a_row_that_says_so(monkeypatch: Any) -> None:
    from bench import run

    program = (
        "import json, os, sys\nwithout = json.loads(sys.argv[1])['without']\n"
        "print('@shapecast', flush=True)\n"
        "if 'numba' not in without:\n    print('@numba', flush=True)\n    os.abort()\n"
        "print(json.dumps({'contestants': {'shapecast': {'status': 'ok'}}}))"
    )
    start = run.subprocess.Popen
    replaced = SimpleNamespace(
        Popen=lambda command, **rest: start([sys.executable, "-c", program, command[-1]], **rest),
        PIPE=run.subprocess.PIPE,
        TimeoutExpired=run.subprocess.TimeoutExpired,
    )
    monkeypatch.setattr(run, "subprocess", replaced)
    found = run.measured(measure.Task("copy", 0, "float64", 1), 60)
    assert found["contestants"]["shapecast"]["status"] == "ok"
    assert found["contestants"]["numba"]["status"].startswith("failed: exit status -6")


def test_runs_of_a_row_are_merged_by_minimum_times() -> None:
    from bench import run

    first = row("copy", shapecast=1.0, numpy=1.1, numba=9.0)
    again = row("copy", shapecast=1.2, numpy=0.9)
    again["contestants"]["numba"] = {"status": "left out"}
    assert report.is_close(first)
    assert [n for n in first["contestants"] if report.is_far_behind(first, n)] == ["numba", "jax"]
    merged = run.merged([first, again])
    times = {name: report.seconds(merged, name) for name in ("shapecast", "numpy", "numba")}
    assert times == {"shapecast": 1.0, "numpy": 0.9, "numba": 9.0}
    assert merged["contestants"]["numba"]["status"] == "ok" and merged["runs"] == 2


def test_single_operations_are_rows_and_tables(capsys: pytest.CaptureFixture[str]) -> None:
    found = list(operations.rows("np.floor"))
    assert [row["layout"] for row in found[:2]] == ["C", "Fortran"]
    assert all("failure" not in row and row["numpy"] > 0 < row["shapecast"] for row in found)
    slow = {"operation": "a + b", "dtype": "uint8", "layout": "C", "numpy": 1e-6, "shapecast": 2e-6}
    wrong = {"operation": "a + b", "dtype": "bool", "layout": "C", "failure": "wrong: off by 1"}
    machine = {"cpu": "none", "vector": "", "load": 0.0, "numpy": "2", "shapecast": "0",
               "build": "dev"}  # fmt: skip
    report.show_operations({"machine": machine, "operations": [slow, wrong]})
    said = capsys.readouterr().out
    assert "0.50  a + b" in said and "bool C: wrong: off by 1" in said and "1 failed" in said


def test_operations_that_are_wrong_have_no_times() -> None:
    given = (np.ones((2, 2)),) * 4
    row = operations.row_of(lambda *a: a[0], lambda *a: a[0] + 1, given, "float64")
    assert row == {"failure": "wrong: off by 1.0e+00"}
