"""What may be in the cache's directory, and what may happen to it while processes use it: the
results are right, nothing is raised, and code that another user could have written is not run.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PROGRAM = """
import json, sys
import numpy as np
import shapecast
from shapecast import jit
@jit
def f(x, y):
    return np.sqrt(x * x + y) - 0.5
@jit
def g(x):
    return x * 3 + 1
{0}
value = [f(np.arange(5.0), np.ones(5)).tolist(), g(2.0)]
print(json.dumps([value, shapecast._core.cache_statistics()]))
"""
VALUE = [[(k * k + 1) ** 0.5 - 0.5 for k in range(5)], 7.0]
BOTH = {"direct": 2}, {"compiled": 2}


def run(folder: Path, middle: str = "", *flags: str, **others: Any) -> tuple[dict[str, int], str]:
    """Where the two variants came from, and what was written to stderr."""
    program = folder / "program.py"
    program.write_text(PROGRAM.format(middle))
    environment = os.environ | {"SHAPECAST_CACHE_DIR": str(folder / "cache")} | others
    done = subprocess.run(
        [sys.executable, *flags, str(program)], capture_output=True, text=True, cwd=folder,
        env={k: v for k, v in environment.items() if v is not None}, timeout=100,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    value, statistics = json.loads(done.stdout)
    assert value == VALUE
    return {k: v for k in ("direct", "typed", "compiled") if (v := statistics[k])}, done.stderr


def entries(folder: Path) -> list[Path]:
    return sorted((folder / "cache").glob("*.entry"))


def each(change: Callable[[Path, bytes], None]) -> Callable[[list[Path]], None]:
    def changed(paths: list[Path]) -> None:
        for path in paths:
            content = path.read_bytes()
            path.unlink()
            change(path, content)

    return changed


def sock(path: Path, content: bytes) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # names of sockets are short
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(path.name)
    os.chdir(here)


def full_directory(path: Path, content: bytes) -> None:
    path.mkdir()
    (path / "file").write_bytes(content)


def linked(path: Path, content: bytes) -> None:
    kept = path.with_suffix(".kept")
    kept.write_bytes(content)
    path.symlink_to(kept)


def with_mode(mode: int) -> Callable[[Path, bytes], None]:
    def write(path: Path, content: bytes) -> None:
        path.write_bytes(content)
        path.chmod(mode)

    return write


def sparse(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    os.truncate(path, 1 << 40)


def foreign(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    os.chown(path, 65534, 65534)


def swapped(paths: list[Path]) -> None:
    contents = [path.read_bytes() for path in paths]
    for path, content in zip(paths, contents[1:] + contents[:1], strict=True):
        path.write_bytes(content)


def flipped(paths: list[Path]) -> None:
    for path in paths:
        content = bytearray(path.read_bytes())
        for at in range(0, len(content), max(len(content) // 5, 1)):
            content[at] ^= 1 << at % 8
        path.write_bytes(content)


DAMAGE: dict[str, Callable[[list[Path]], None]] = {
    "fifo": each(lambda path, content: os.mkfifo(path)),
    "socket": each(sock),
    "directory": each(lambda path, content: path.mkdir()),
    "full directory": each(full_directory),
    "link": each(linked),
    "link to nothing": each(lambda path, content: path.symlink_to(path.parent / "nothing")),
    "link to itself": each(lambda path, content: path.symlink_to(path)),
    "writable by the group": each(with_mode(0o620)),
    "writable by all": each(with_mode(0o606)),
    "sparse": each(sparse),
    "short": each(lambda path, content: path.write_bytes(content[:63])),
    "truncated": each(lambda path, content: path.write_bytes(content[: len(content) // 2])),
    "longer": each(lambda path, content: path.write_bytes(content + b"x")),
    "swapped": swapped,
    "flipped": flipped,
}
if os.geteuid() == 0:
    DAMAGE["of another user"] = each(foreign)


@pytest.mark.parametrize("kind", DAMAGE)
def test_entries_that_are_damaged_or_foreign_are_compiled_again(tmp_path: Path, kind: str) -> None:
    assert run(tmp_path)[0] == {"compiled": 2}
    assert run(tmp_path)[0] == {"direct": 2}
    DAMAGE[kind](entries(tmp_path))
    origins, errors = run(tmp_path, "", "-W", "error")
    assert origins == {"compiled": 2} and errors.count("shapecast compiles again") == 1
    again, errors = run(tmp_path)
    assert again == ({"compiled": 2} if kind == "full directory" else {"direct": 2}) or errors


def test_hard_links_to_own_entries_are_accepted(tmp_path: Path) -> None:
    run(tmp_path)
    for path in entries(tmp_path):
        os.link(path, path.with_suffix(".kept"))
    assert run(tmp_path) == ({"direct": 2}, "")


@pytest.mark.parametrize("mode", [0o777, 0o775, 0o770], ids=oct)
def test_a_directory_above_that_others_can_write_to(tmp_path: Path, mode: int) -> None:
    above = tmp_path / "above"
    above.mkdir()
    above.chmod(mode)
    for _ in range(2):
        origins, errors = run(tmp_path, SHAPECAST_CACHE_DIR=str(above / "cache"))
        assert origins == {"compiled": 2} and f"others can write to {above}" in errors
    above.chmod(mode | 0o1000)  # then only its owner can move what is in it
    assert run(tmp_path, SHAPECAST_CACHE_DIR=str(above / "cache")) == ({"compiled": 2}, "")
    assert run(tmp_path, SHAPECAST_CACHE_DIR=str(above / "cache")) == ({"direct": 2}, "")


def test_a_link_to_the_directory_is_followed_once(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir(0o700)
    (tmp_path / "cache").symlink_to(tmp_path / "real")
    assert run(tmp_path)[0] == {"compiled": 2}
    exchanged = f"""
import os
g(2.0)
os.unlink({str(tmp_path / "cache")!r})
os.symlink("/nowhere", {str(tmp_path / "cache")!r})
"""
    assert run(tmp_path, exchanged) == ({"direct": 2}, "")


VANISHING = """
import os, shutil
g(2.0)
g(np.ones(2))
shutil.rmtree({0!r})
"""


def test_a_directory_that_vanishes_is_created_again(tmp_path: Path) -> None:
    assert run(tmp_path, VANISHING.format(str(tmp_path / "cache"))) == ({"compiled": 3}, "")
    assert entries(tmp_path) and run(tmp_path)[1] == ""


def test_a_file_with_the_name_of_the_directory(tmp_path: Path) -> None:
    program = VANISHING + "open({0!r}, 'w').close()\n"
    assert run(tmp_path, program.format(str(tmp_path / "cache"))) == ({"compiled": 3}, "")


def test_a_program_that_closes_all_files(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir(0o700)
    program = f"""
import os
g(2.0)
os.closerange(3, 256)
for _ in range(64):
    os.open({str(tmp_path / "other")!r}, os.O_RDONLY)
"""
    assert run(tmp_path, program) == ({"compiled": 2}, "")
    assert run(tmp_path, program) == ({"direct": 2}, "")
    assert not list((tmp_path / "other").iterdir())


def test_a_directory_that_becomes_writable_for_others_is_not_used(tmp_path: Path) -> None:
    origins, errors = run(
        tmp_path, f"g(2.0)\nimport os\nos.chmod({str(tmp_path / 'cache')!r}, 0o777)"
    )
    assert origins == {"compiled": 2} and errors.count("others can write to") == 1
    assert len(entries(tmp_path)) == 3  # those of g


def test_without_a_home_there_is_no_cache(tmp_path: Path) -> None:
    nowhere = {"SHAPECAST_CACHE_DIR": None, "XDG_CACHE_HOME": None, "HOME": None}
    for _ in range(2):
        assert run(tmp_path, **nowhere) == ({"compiled": 2}, "")
        assert run(tmp_path, **nowhere | {"HOME": "relative"}) == ({"compiled": 2}, "")
        assert run(tmp_path, **nowhere | {"HOME": "/proc/self"}) == ({"compiled": 2}, "")


def mounted(folder: Path) -> bool:
    """A file system of 32 kB, where mounting is allowed."""
    folder.mkdir(mode=0o700)
    command = ["mount", "-t", "tmpfs", "-o", "size=32k,mode=700", "tmpfs", str(folder)]
    return not subprocess.run(command, capture_output=True).returncode


def test_a_full_file_system(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    if not mounted(cache):  # a limit for each file gives the same errors
        limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))\n"
        limit += "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        assert run(tmp_path, limit) == ({"compiled": 2}, "")
        return
    try:
        more = "for k in range(8): g(np.ones((1,) * k))\n"
        for _ in range(2):
            assert run(tmp_path, more)[1] == ""
            assert not list(cache.glob("*.tmp"))
    finally:
        subprocess.run(["umount", str(cache)], check=True)


def test_a_read_only_file_system(tmp_path: Path) -> None:
    run(tmp_path)
    command = ["mount", "--bind", "-o", "ro", str(tmp_path / "cache"), str(tmp_path / "cache")]
    isolated = (
        shutil.which("unshare")
        and not subprocess.run(["unshare", "-m", *command], capture_output=True).returncode
    )
    if not isolated:
        (tmp_path / "cache").chmod(0o500)
        assert run(tmp_path) == ({"direct": 2}, "")
        return
    subprocess.run(command, check=True)
    try:
        assert run(tmp_path) == ({"direct": 2}, "")
        assert run(tmp_path, "g(np.ones(3))") == ({"direct": 2, "compiled": 1}, "")
    finally:
        subprocess.run(["umount", str(tmp_path / "cache")], check=True)


def test_the_cache_command_skips_what_is_no_entry(tmp_path: Path) -> None:
    run(tmp_path)
    DAMAGE["fifo"](entries(tmp_path)[:1])
    DAMAGE["directory"](entries(tmp_path)[1:2])
    environment = os.environ | {"SHAPECAST_CACHE_DIR": str(tmp_path / "cache")}
    for word in ("list", "size", "clear"):
        subprocess.run(
            [sys.executable, "-m", "shapecast", "cache", word], env=environment, check=True,
            timeout=60, capture_output=True,
        )  # fmt: skip
    assert not entries(tmp_path)


@pytest.mark.parametrize("word", ["list", "size"])
def test_the_cache_command_ends_quietly_where_its_reader_has_gone(
    tmp_path: Path, word: str
) -> None:
    run(tmp_path)
    reader, writer = os.pipe()
    os.close(reader)  # as head does once it has its lines
    done = subprocess.run(
        [sys.executable, "-m", "shapecast", "cache", word], stdout=writer, stderr=subprocess.PIPE,
        timeout=60, env=os.environ | {"SHAPECAST_CACHE_DIR": str(tmp_path / "cache")},
    )  # fmt: skip
    os.close(writer)
    assert done.stderr == b"" and done.returncode == 1


def test_processes_are_killed_while_they_write(tmp_path: Path) -> None:
    kills = Path(__file__).parents[1] / "fuzz" / "edits" / "kills.py"
    done = subprocess.run(
        [sys.executable, str(kills), "--count", "40"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    counts = [int(number) for number in re.findall(r"\d+", done.stdout)]
    assert counts[0] == 40 and counts[1] >= 5 and counts[3] >= 2 and counts[4] == 0
