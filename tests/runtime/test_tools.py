"""Compiled code as perf and gdb see it: SHAPECAST_PERF=1."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from support.toolchain import missing

PROGRAM = """
import numpy as np
from shapecast import jit

def helper(a):
    return np.sqrt(a) + 1

@jit
def model(x, n):
    y = x * 2
    for i in range(n):
        for k in range(1, len(y)):
            y[k] = helper(y[k - 1]) + i
    return y.sum()

@jit
def café(x):
    return x - 1

print(repr(float(model(np.arange(100.0), 3))), café(np.ones(1)))
"""


class Dump(NamedTuple):
    """A file of perf's: tools/perf/Documentation/jitdump-specification.txt in Linux' source."""

    sizes: dict[str, int]  # bytes of code by symbol
    lines: list[tuple[str, int]]  # file and line


def dump_of(path: Path) -> Dump:
    data = path.read_bytes()
    magic, version, header = struct.unpack_from("<III", data)
    assert (magic, version) == (0x4A695444, 1)
    dump, at = Dump({}, []), header
    while at < len(data):
        kind, size = struct.unpack_from("<II", data, at)
        assert size >= 16
        if kind == 0:
            *_, code_size, _ = struct.unpack_from("<IIQQQQ", data, at + 16)
            end = data.index(b"\0", at + 56)
            dump.sizes[data[at + 56 : end].decode()] = code_size
        elif kind == 2:
            _, count = struct.unpack_from("<QQ", data, at + 16)
            entry = at + 32
            for _ in range(count):
                _, line, _ = struct.unpack_from("<QII", data, entry)
                end = data.index(b"\0", entry + 16)
                dump.lines.append((data[entry + 16 : end].decode(), line))
                entry = end + 1
        at += size
    return dump


def run(folder: Path, program: str = PROGRAM, **environment: str) -> tuple[str, list[Path]]:
    """What the program prints, and the files that it leaves for perf."""
    (folder / "model.py").write_text(textwrap.dedent(program))
    (folder / "dumps").mkdir(exist_ok=True)
    done = subprocess.run(
        [sys.executable, folder / "model.py"],
        env={**os.environ, "JITDUMPDIR": str(folder / "dumps"), **environment},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout, sorted((folder / "dumps").rglob("*.dump"), key=os.path.getmtime)


def lines_of(dump: Dump, folder: Path) -> set[int]:
    assert {file for file, _ in dump.lines} == {str(folder / "model.py")}
    return {line for _, line in dump.lines}


def test_a_dump_has_symbols_and_pythons_lines(tmp_path: Path) -> None:
    plain, files = run(tmp_path)
    assert files == []
    printed, files = run(tmp_path, SHAPECAST_PERF="1")
    assert printed == plain
    (file,) = files
    dump = dump_of(file)
    assert {"py.model", "py.café"} <= set(dump.sizes) and min(dump.sizes.values()) > 0
    assert {6, 10, 13, 14, 18} <= lines_of(dump, tmp_path)


@pytest.mark.parametrize("value", ["", "0"])
def test_it_is_off_where_the_variable_says_so(tmp_path: Path, value: str) -> None:
    assert run(tmp_path, SHAPECAST_PERF=value)[1] == []


def test_code_from_the_cache_on_disk_has_lines_and_others_has_none(tmp_path: Path) -> None:
    cache = {"SHAPECAST_CACHE_DIR": str(tmp_path / "cache")}
    printed = {run(tmp_path, **cache)[0]}
    found = []
    for _ in range(2):
        text, files = run(tmp_path, SHAPECAST_PERF="1", **cache)
        printed.add(text)
        found.append(dump_of(files[-1]))
    assert len(printed) == 1 and found[0] == found[1]
    assert 13 in lines_of(found[0], tmp_path)


def test_forked_children_and_threads_go_on(tmp_path: Path) -> None:
    program = """
    import os, threading
    import numpy as np
    from shapecast import jit

    @jit
    def f(x):
        return x + 1

    @jit
    def g(x):
        return x * 2

    f(np.ones(2))
    threads = [threading.Thread(target=lambda: g(np.ones(2, "f4"))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    child = os.fork()
    if child == 0:
        os._exit(int(g(np.ones(2)).sum()))
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """
    printed, (file, *_) = run(tmp_path, program, SHAPECAST_PERF="1")
    assert printed == "4\n"
    assert {"py.f", "py.g"} <= set(dump_of(file).sizes)


def tool(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        missing(f"{name} is not installed")
    return str(path)


def test_gdb_stops_at_a_line_of_python(tmp_path: Path) -> None:
    gdb = tool("gdb")
    (tmp_path / "model.py").write_text(textwrap.dedent(PROGRAM))
    commands: list[Any] = ["set breakpoint pending on", "break model.py:14", "run model.py", "bt"]
    given = [part for command in commands for part in ("-ex", command)]
    done = subprocess.run(
        [gdb, "-batch", "-nx", *given, sys.executable],
        cwd=tmp_path,
        env={**os.environ, "SHAPECAST_PERF": "1", "JITDUMPDIR": str(tmp_path), "SHELL": "/bin/sh"},
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert "return y.sum()" in done.stdout, done.stdout + done.stderr
    frames = [line for line in done.stdout.splitlines() if line.startswith("#")]
    assert "py.model () at model.py:14" in frames[0], done.stdout


def test_perf_names_functions_and_lines(tmp_path: Path) -> None:
    perf = tool("perf")
    program = PROGRAM.replace("model(np.arange(100.0), 3)", "model(np.arange(2000.0), 20000)")
    (tmp_path / "model.py").write_text(textwrap.dedent(program))

    def call(*command: Any) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "SHAPECAST_PERF": "1", "JITDUMPDIR": str(tmp_path)}
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True
        )

    data, jitted = tmp_path / "perf.data", tmp_path / "jitted.data"
    recorded = call(
        perf, "record", "-e", "cpu-clock", "-k", "1", "-o", data, sys.executable, "model.py"
    )
    if "Captured and wrote" not in recorded.stderr:
        pytest.skip(f"perf may not record here: {recorded.stderr.splitlines()[:1]}")
    call(perf, "inject", "--jit", "-i", data, "-o", jitted)
    report = call(perf, "report", "-i", jitted, "--stdio", "--no-children").stdout
    assert "py.model" in report, report
    annotated = call(perf, "annotate", "-i", jitted, "--stdio", "-l", "py.model").stdout
    assert "model.py:" in annotated
