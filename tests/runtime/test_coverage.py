"""coverage.py counts compiled code as it counts Python: shapecast.coverage, _lines.py."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.programs import COUNTED, FORKS, MEASUREMENTS, PACKAGE, STATEMENTS

pytest.importorskip("coverage")


def run(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "coverage", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def measure(folder: Path, plugin: str, *options: str) -> tuple[str, dict[str, Any]]:
    """What the program prints, and its lines and branches as coverage reports them."""
    (folder / "settings").write_text(f"[run]\nsource = .\n{plugin}\n")
    printed = run(folder, "run", "--rcfile=settings", *options, "program.py")
    run(folder, "json", "--rcfile=settings", "-o", "counts.json")
    return printed, json.loads((folder / "counts.json").read_text())["files"]["program.py"]


PLUGIN = "plugins = shapecast.coverage"
PLAIN = f"{PLUGIN}\n[shapecast.coverage]\nplain = true"


@pytest.mark.parametrize(
    ("plugin", "missing_lines", "variants"),
    [("", [8, 9, 10], 1), (PLUGIN, [10], 1), (PLAIN, [10], 0)],
)
def test_lines_of_jitted_functions_count_with_the_plugin(
    tmp_path: Path, plugin: str, missing_lines: list[int], variants: int
) -> None:
    (tmp_path / "program.py").write_text(COUNTED)
    printed, counts = measure(tmp_path, plugin, "--branch")
    assert printed == f"5.0 {variants}\n"
    assert counts["missing_lines"] == missing_lines
    if plugin:
        assert counts["missing_branches"] == [[8, 10]]


@pytest.mark.parametrize("options", [(), ("--branch",)])
def test_compiled_code_counts_what_python_counts(tmp_path: Path, options: tuple[str, ...]) -> None:
    """if, loops with else, break and continue, try, with, match, inner functions, lambdas,
    comprehensions, statements of several lines, recursion, helpers, errors."""
    (tmp_path / "program.py").write_text(STATEMENTS)
    compiled = measure(tmp_path, PLUGIN, *options)
    assert compiled == measure(tmp_path, PLAIN, *options)
    assert compiled[1]["missing_lines"], "the program leaves lines out on purpose"


def test_random_programs_count_what_python_counts(tmp_path: Path) -> None:
    program = Path(__file__).parents[1] / "support" / "random_coverage.py"
    command = [sys.executable, str(program), "0", "40"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    equal, refused = map(int, done.stdout.split())
    assert equal + refused == 40
    assert equal > 20


def test_files_that_are_not_measured_are_not_reported(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("import other\nprint(other.f(2.0))\n")
    (tmp_path / "other.py").write_text("from shapecast import jit\n@jit\ndef f(x): return x\n")
    (tmp_path / "settings").write_text(f"[run]\ninclude = program.py\n{PLUGIN}\n")
    run(tmp_path, "run", "--rcfile=settings", "program.py")
    run(tmp_path, "json", "--rcfile=settings", "-o", "counts.json")
    counts = json.loads((tmp_path / "counts.json").read_text())
    assert list(counts["files"]) == ["program.py"]


def test_contexts_and_combined_data(tmp_path: Path) -> None:
    """Two runs with one data file each, which `coverage combine` joins."""
    (tmp_path / "program.py").write_text(
        "import sys\nfrom shapecast import jit\n@jit\ndef f(x):\n    if x > 1:\n        return 1\n"
        "    return 2\nf(float(sys.argv[1]))\n"
    )
    (tmp_path / "settings").write_text(f"[run]\nparallel = true\nbranch = true\n{PLUGIN}\n")
    run(tmp_path, "run", "--rcfile=settings", "program.py", "0")
    run(tmp_path, "run", "--rcfile=settings", "program.py", "5")
    run(tmp_path, "combine", "--rcfile=settings")
    run(tmp_path, "json", "--rcfile=settings", "-o", "counts.json")
    counts = json.loads((tmp_path / "counts.json").read_text())["files"]["program.py"]
    assert counts["missing_lines"] == []
    assert counts["missing_branches"] == []


def test_packages_contexts_relative_files_and_forked_processes(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").touch()
    (tmp_path / "package" / "code.py").write_text(PACKAGE)
    (tmp_path / "program.py").write_text(FORKS)
    found = []
    for plugin in (PLUGIN, PLAIN):
        (tmp_path / "settings").write_text(
            "[json]\nshow_contexts = true\n"
            "[run]\nsource_pkgs = package\nbranch = true\nparallel = true\nrelative_files = true\n"
            f"concurrency = multiprocessing\ndynamic_context = test_function\n{plugin}\n"
        )
        run(tmp_path, "run", "--rcfile=settings", "program.py")
        run(tmp_path, "combine", "--rcfile=settings")
        run(tmp_path, "json", "--rcfile=settings", "-o", "counts.json")
        files = json.loads((tmp_path / "counts.json").read_text())["files"]
        counts = files.pop(str(Path("package", "code.py")))
        contexts = {line: sorted(names) for line, names in counts["contexts"].items()}
        found.append((list(files), contexts, counts["missing_lines"], counts["missing_branches"]))
    assert found[0] == found[1]
    assert found[0][1]["7"] == ["__main__.test_large"]
    assert found[0][2:] == ([], [])


def test_each_measurement_has_what_was_executed_in_it(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(MEASUREMENTS)
    (tmp_path / "settings").write_text(f"[run]\ninclude = module.py\n{PLUGIN}\n")
    (tmp_path / "module.py").write_text(PACKAGE)
    command = [sys.executable, "program.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["6,8,10", "6,7", "6,8,9", "none"], done.stderr


def test_the_cache_on_disk_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(COUNTED)
    environment = {"SHAPECAST_CACHE_DIR": str(tmp_path / "cache")}
    (tmp_path / "settings").write_text(f"[run]\n{PLUGIN}\n")
    command = [sys.executable, "-m", "coverage", "run", "--rcfile=settings", "program.py"]
    import os

    for _ in range(2):
        subprocess.run(command, cwd=tmp_path, env={**os.environ, **environment}, check=True)
    assert not [*(tmp_path / "cache").glob("**/*.entry")]
