"""`ship`: a jitted function that takes its compiled code along when it is pickled."""

from __future__ import annotations

import hashlib
import os
import pickle
import subprocess
import sys
import tempfile
from pathlib import Path
from types import MethodType
from typing import Any

from . import _cache, _core

# Compiles in a process of its own, whose cache then has the entries of this function only.
_CHILD = """
import pickle, sys
sys.path[:] = pickle.load(sys.stdin.buffer)
function, calls = pickle.load(sys.stdin.buffer)
answer, sys.stdout = sys.stdout.buffer, sys.stderr
try:
    for given in calls:
        getattr(function, "compile", function)(*given)
except Exception as error:
    pickle.dump(error, answer)
"""

_Entries = dict[str, tuple[str, bytes]]  # content and its hash by the name of the file
_stored: set[str] = set()  # names, by this process


class Shipped:
    """What `ship` makes: called as the function; pickled with its compiled code."""

    def __init__(self, function: Any, entries: _Entries) -> None:
        self._function = function
        self._entries = entries
        self.__wrapped__ = function.__wrapped__
        for name in ("__name__", "__qualname__", "__module__", "__doc__"):
            setattr(self, name, getattr(function, name, None))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._function(*args, **kwargs)

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # none of a half-made copy's
            raise AttributeError(name)
        return getattr(self._function, name)

    def __reduce__(self) -> Any:
        return _arrived, (self._function, self._entries)

    def __repr__(self) -> str:
        return f"<{self._function!r} with {self.nbytes} bytes of code>"

    @property
    def nbytes(self) -> int:
        """Of the code that travels."""
        return sum(len(content) for _, content in self._entries.values())


def ship(function: Any, /, *calls: Any) -> Shipped:
    """Compiles a function for calls, and takes the code along to other processes.

    A worker that has no cache in common with this process stores the code in its own and need not
    compile: one of the same installation of shapecast, NumPy and Python (a container's image, a
    shared disk) on the same kind of processor. Elsewhere, and with the cache off, it compiles.

    Args:
        function: A jitted function, or an object of `vectorize`.
        *calls: For each call a tuple of example arguments, or for a jitted function of `spec(...)`.

    Returns:
        A callable as the function, for pickle and cloudpickle; `nbytes` is the size of the code.

    Raises:
        TypeError: `function` is something else, or cannot be pickled.
        Exception: What the function raises when it is compiled.

    Examples:
        >>> @jit
        ... def half(x):
        ...     return x / 2
        >>> shipped = shapecast.ship(half, np.ones(3))
        >>> shipped(4.0), 0 < shipped.nbytes < 100_000
        (2.0, True)
    """
    from ._vectorize import Vectorized

    if not isinstance(function, _core.Jit | Vectorized):
        raise TypeError(f"ship takes a jitted function, not {function!r}")
    tuples = [given if isinstance(given, tuple) else (given,) for given in calls]
    return Shipped(function, _compiled(_pickled((function, tuples))))


def _pickled(value: Any) -> bytes:
    try:
        import cloudpickle  # type: ignore[import-untyped, import-not-found, unused-ignore]
    except ImportError:
        return pickle.dumps(value)
    data: bytes = cloudpickle.dumps(value)
    return data


def _compiled(data: bytes) -> _Entries:
    """The entries that the cache gets from compiling what the pickle has."""
    with tempfile.TemporaryDirectory() as folder:
        package = str(Path(__file__).parents[1])
        environment = {**os.environ, "SHAPECAST_CACHE_DIR": folder}
        path = [package, *sys.path]
        environment["PYTHONPATH"] = package
        for variable in ("SHAPECAST_DUMP", "SHAPECAST_LLVM_PASSES"):
            environment.pop(variable, None)
        done = subprocess.run(
            [sys.executable, "-c", _CHILD],
            input=pickle.dumps(path) + data,
            env=environment,
            capture_output=True,
        )
        if done.returncode:
            raise RuntimeError(f"ship cannot start a process:\n{done.stderr.decode()}")
        if done.stdout:
            raise pickle.loads(done.stdout)
        contents = {file.name: file.read_bytes() for file in Path(folder).glob("*.entry")}
    return {
        name: (hashlib.sha256(content).hexdigest(), content) for name, content in contents.items()
    }


def _arrived(function: Any, entries: _Entries) -> Shipped:
    directory = _cache.directory()
    for name, (digest, content) in entries.items():
        if directory is None or name in _stored:
            continue
        if hashlib.sha256(content).hexdigest() != digest or os.path.basename(name) != name:
            raise pickle.UnpicklingError(f"the code of {function!r} is damaged ({name})")
        _store(directory / name, content)
        _stored.add(name)
    return Shipped(function, entries)


def _store(file: Path, content: bytes) -> None:
    """Whole, or not at all; where the cache cannot be written to, the function is compiled."""
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not file.exists():
            descriptor, name = tempfile.mkstemp(suffix=".tmp", dir=file.parent)
            with os.fdopen(descriptor, "wb") as out:
                out.write(content)
            os.replace(name, file)
    except OSError:
        pass
