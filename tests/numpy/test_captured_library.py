"""The library as captured by the build equals what would be captured now."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import shapecast
from shapecast import _core, library
from shapecast.library import _store
from support.compare import instrumented

PROGRAM = """
import numpy as np
from shapecast import jit, library
assert (library.stored("numpy.percentile") is not None) == {stored}
assert jit(lambda a: np.percentile(a, 30))(np.arange(11.0)) == 3.0
"""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("library") / "captured_library.bin"
    _store.write(str(path))
    return path


def test_the_stored_capture_equals_a_new_one(written: Path) -> None:
    stored = _store._read(str(written))
    functions = library.functions()
    assert len(functions) > 400
    assert len(stored.places) > len(functions) - 20  # records of NumPy's have numbers here
    for name, function in functions.items():
        assert stored.captured(name) == _core._captured_bytes(function), name
    assert stored.captured("numpy.no_such_function") is None


def test_the_build_has_stored_it() -> None:
    if instrumented:
        assert library.stored("numpy.percentile") is None  # see src/CMakeLists.txt
    else:
        assert library.stored("numpy.percentile") == _core._captured_bytes(
            library.find("numpy.percentile")
        )


@pytest.mark.parametrize("length", [0, 1, 7, 8, 9, 100, 20_000, -1])
def test_damaged_files_are_not_read(written: Path, tmp_path: Path, length: int) -> None:
    part = tmp_path / "part"
    part.write_bytes(written.read_bytes()[:length])
    assert _store._read(str(part)) is _store._NOTHING


@pytest.mark.parametrize(
    "text", [b"\xff" * 5000, b"\x08" + b"\x00" * 5000, b"x" * 3], ids=["ones", "zeros", "short"]
)
def test_other_files_are_not_read(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "other").write_bytes(text)
    assert _store._read(str(tmp_path / "other")) is _store._NOTHING
    assert _store._read(str(tmp_path)) is _store._NOTHING
    assert _store._read(str(tmp_path / "missing")) is _store._NOTHING


def test_files_of_other_versions_are_not_read(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _store._read(str(written)) is not _store._NOTHING
    with monkeypatch.context() as changed:
        changed.setattr(np, "__version__", "2.99.0")
        assert _store._read(str(written)) is _store._NOTHING
    with monkeypatch.context() as changed:
        changed.setattr(sys, "version_info", (3, 99, 0))
        assert _store._read(str(written)) is _store._NOTHING
    with monkeypatch.context() as changed:
        changed.setattr(_core, "_build_id", lambda: b"another")
        assert _store._read(str(written)) is _store._NOTHING


def test_files_of_other_sources_are_not_read(written: Path, tmp_path: Path) -> None:
    """In a copy of the package: as it is, with an edited module, and without the file."""
    package = tmp_path / "shapecast"
    shutil.copytree(Path(shapecast.__file__).parent, package)
    shutil.copy(written, package / "captured_library.bin")

    def run(stored: bool) -> None:
        environment = {**os.environ, "PYTHONPATH": str(tmp_path), "SHAPECAST_CACHE_DIR": "off"}
        command = [sys.executable, "-c", PROGRAM.format(stored=stored)]
        subprocess.run(command, env=environment, check=True, cwd=tmp_path)

    run(stored=True)
    edited = package / "library" / "quantiles.py"
    text = edited.read_text()
    edited.write_text(text + "\n# more\n")
    run(stored=False)
    edited.write_text(text)
    run(stored=True)
    (package / "captured_library.bin").unlink()
    run(stored=False)
