"""The library's functions as they were captured when the package was built.

Capture of one and of what it calls takes some milliseconds. The store is valid for this build of
the compiler, these versions of Python and NumPy, and these source texts of the library; where one
of them differs, functions are captured when they are first called.
"""

from __future__ import annotations

import importlib
import marshal
import mmap
import os
import sys
from importlib.util import source_hash
from typing import Any, NamedTuple

import numpy as np

from .. import _core

# Modules that rewrite the functions' ASTs, or that depend on the versions of Python and NumPy.
_ALSO_READ = ["../_desugar.py", "../_structured_arrays.py", "../_host_info.py", "../_source.py"]
_ALSO_READ += ["../_memoised.py", "../_replaced.py"]
_FILE = os.path.join(os.path.dirname(_core.__file__), "captured_library.bin")


class _Stored(NamedTuple):
    modules: dict[str, str]  # the module of the function of each name
    places: dict[str, tuple[int, int]]  # the range of its bytes
    contents: memoryview

    def captured(self, name: str) -> bytes | None:
        start, end = self.places.get(name, (0, 0))
        return bytes(self.contents[start:end]) or None


_NOTHING = _Stored({}, {}, memoryview(b""))
_found: list[_Stored] = []


def _key() -> list[Any]:
    folder = os.path.dirname(__file__)
    names = [name for name in os.listdir(folder) if name.endswith(".py")] + _ALSO_READ
    texts = []
    for name in sorted(names):
        with open(os.path.join(folder, name), "rb") as file:
            texts.append(file.read())
    python, numpy = list(sys.version_info[:2]), np.__version__.split(".")[:2]
    return [_core._build_id(), python, numpy, sys.flags.optimize, source_hash(b"".join(texts))]


def stored() -> _Stored:
    """The build's store, if it is valid here."""
    if not _found:
        _found.append(_read(_FILE))
    return _found[0]


def _read(path: str) -> _Stored:
    try:
        with open(path, "rb") as file:
            contents = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        start = int.from_bytes(contents[:8], "little")
        key, size, modules, places = marshal.loads(contents[8:start])
        if key == _key() and start + size == len(contents):
            return _Stored(modules, places, memoryview(contents)[start:])
    except (OSError, EOFError, ValueError, TypeError):
        pass  # no store, or one in another format
    return _NOTHING


def write(path: str) -> None:
    """Captures all functions, also those that cannot be called in this process."""
    from . import _functions, _scanned

    modules = _scanned()
    for module in set(modules.values()):
        importlib.import_module(f"{__package__}.{module}")
    places = {}
    blob = b""
    for name in modules:
        if name in _functions and (made := _core._captured_bytes(_functions[name])):
            places[name] = (len(blob), len(blob) + len(made))
            blob += made
    header = marshal.dumps((_key(), len(blob), modules, places))
    temporary = f"{path}.{os.getpid()}"
    with open(temporary, "wb") as file:
        file.write((8 + len(header)).to_bytes(8, "little") + header + blob)
    os.replace(temporary, path)
