"""Runs the program in a folder: its calls, and what is done to it between them.

The same is done twice, with `jit` and with a decorator that does nothing; the results of both must
be equal. Modules are imported anew each time.
"""

from __future__ import annotations

import builtins
import functools
import importlib
import linecache
import math
import os
import sys
import types
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from fuzz.edits.programs import MODULES

ARGUMENTS = ("2.0", "3", "np.arange(3.0)", "np.arange(3)", "np.ones(3, np.float32)")
_cells = 0


def identity(function: Any = None, **options: Any) -> Any:
    return function if function is not None else identity


@functools.cache
def reads_the_class_of_a_module() -> bool:
    """CPython 3.14's code that has run some times reads the module's dict, whatever its class."""
    module: Any = types.ModuleType("probe")
    module.x = 1

    def read() -> int:
        return module.x

    for _ in range(1000):
        read()
    module.__class__ = type("Own", (types.ModuleType,), {"x": property(lambda self: 2)})
    return read() == 2


class World:
    """The modules of one program, and what its actions can do."""

    def __init__(self, folder: Path, jit: Callable[..., Any]) -> None:
        self.folder = folder
        self.saved: list[tuple[Any, str, Any]] = []
        for name in (*MODULES, "the_jit"):
            sys.modules.pop(name, None)
        sys.modules["the_jit"] = types.ModuleType("the_jit")
        sys.modules["the_jit"].jit = jit  # type: ignore[attr-defined]
        importlib.invalidate_caches()
        self.m = {name: importlib.import_module(name) for name in MODULES}
        self.names: dict[str, Any] = {"m": self.m, "np": np, "math": math, "builtins": builtins}
        for name in dir(self):
            if not name.startswith("_"):
                self.names[name] = getattr(self, name)

    def patch(self, module: Any, name: str, value: Any) -> None:
        self.saved.append((module, name, getattr(module, name)))
        setattr(module, name, value)

    def unpatch(self) -> None:
        while self.saved:
            module, name, value = self.saved.pop()
            setattr(module, name, value)

    def put(self, owner: Any, name: str, value: Any) -> None:
        setattr(owner, name, value)

    def holder(self, a: Any) -> Any:
        return type("Holder", (), {"a": a})

    def goer(self, k: int) -> Any:
        made = type("Goer", (), {"go": self.made("lambda self, x: x - self.k")})()
        made.k = k
        return made

    def move_class(self, owner: Any, k: int) -> None:
        """Another class with the same attributes."""
        names = {"go": self.made(f"lambda self, x: x + self.k * {k}")}
        owner.__class__ = type("Moved", (type(owner),), names)

    def fill(self, array: Any, value: int) -> None:
        array[0] = value

    def store(self, items: Any, index: int, value: int) -> None:
        items[index] = value

    def append(self, items: Any, value: int) -> None:
        items.append(value)

    def with_property(self, module: Any, name: str, value: int) -> None:
        if not reads_the_class_of_a_module():
            return
        getter = property(self.made(f"lambda self: {value}"))
        module.__class__ = type("Own", (types.ModuleType,), {name: getter})

    def plain(self, function: Any) -> Any:
        found = getattr(function, "__wrapped__", function)
        if not isinstance(found, types.FunctionType):  # ufuncs accept any attribute
            raise TypeError(f"{found} is no function")
        return found

    def defaults(self, function: Any, value: int) -> None:
        function = self.plain(function)
        function.__defaults__ = (value,) * len(function.__defaults__)

    def keyword(self, function: Any, value: int) -> None:
        self.plain(function).__kwdefaults__["q"] = value

    def new_keywords(self, function: Any, value: int) -> None:
        self.plain(function).__kwdefaults__ = {"q": value}

    def cell(self, function: Any, value: int) -> None:
        cell = self.plain(function).__closure__[0]
        if isinstance(cell.cell_contents, int):
            cell.cell_contents = value

    def code(self, function: Any, text: str) -> None:
        self.plain(function).__code__ = self.made(text).__code__

    def keep_code(self, function: Any) -> None:
        function = self.plain(function)
        function.__code__ = function.__code__.replace(co_name="renamed")

    def made(self, text: str) -> Any:
        return self._run("made = " + text + "\n", {"np": np})["made"]

    def run_cell(self, module: Any, text: str) -> None:
        self._run(text, module.__dict__)

    def _run(self, text: str, names: dict[str, Any]) -> dict[str, Any]:
        """As a notebook's kernel does."""
        global _cells
        _cells += 1
        name = f"/tmp/ipykernel_{os.getpid()}/{_cells}.py"
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
        exec(compile(text, name, "exec"), names)
        return names

    def reload(self, name: str) -> None:
        importlib.reload(self.m[name])

    def edited(self, name: str) -> None:
        """The file has another number in it, and is read again."""
        path = self.folder / f"{name}.py"
        about = path.stat()
        path.write_text(path.read_text().replace("= x * 2", "= x * 9").replace("= 5", "= 6"))
        os.utime(path, (about.st_atime, about.st_mtime + 1))
        importlib.invalidate_caches()
        importlib.reload(self.m[name])

    def replace_module(self, name: str) -> None:
        """Another module under the name, for those who import it inside a function."""
        other = types.ModuleType(name)
        other.__dict__.update(self.m[name].__dict__)
        for known, value in list(vars(other).items()):
            if type(value) in (int, float):
                setattr(other, known, value + 1)
        sys.modules[name] = other

    def act(self, statement: str) -> str:
        try:
            exec(statement, self.names)
        except Exception as error:  # an action that does not fit does nothing, on both sides
            return type(error).__name__
        return ""


def text_of(value: Any) -> Any:
    """What is compared: type, dtype, shape, and the numbers."""
    if isinstance(value, np.ndarray | np.generic):
        return [type(value).__name__, str(value.dtype), list(np.shape(value)), numbers(value)]
    return [type(value).__name__, "", [], numbers(value)]


def numbers(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic | int | float | complex | bool):
        return [complex(v) for v in np.ravel(value)]
    return repr(value)


def called(world: World, arguments: list[str]) -> list[Any]:
    results = []
    for name in ("g0", "g1"):
        for argument in arguments:
            function = getattr(world.m["main_"], name)
            try:
                results.append(text_of(function(eval(argument, {"np": np}))))
            except Exception as error:
                results.append([type(error).__name__, str(error)])
    return results


def scenario(
    folder: Path, jit: Callable[..., Any], arguments: list[str], actions: list[str]
) -> list[Any]:
    files = {path: (path.read_bytes(), path.stat()) for path in folder.glob("*.py")}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        world = World(folder, jit)
        try:
            seen = [("import", called(world, arguments))]
            for statement in actions:
                failed = world.act(statement)
                seen.append((f"{statement} {failed}", called(world, arguments)))
        finally:
            world.unpatch()
            for path, (content, about) in files.items():
                if path.read_bytes() != content:
                    path.write_bytes(content)
                    os.utime(path, (about.st_atime, about.st_mtime))
    return seen


def same(ours: Any, plain: Any) -> bool | None:
    """None where ours was refused, or the recursion limit was reached: no difference."""
    if ours[0] in ("UnsupportedError", "OverflowError") or plain[0] == "RecursionError":
        return None
    if len(ours) == 2 or len(plain) == 2:  # exceptions: of the same class
        return ours[0] == plain[0] and len(ours) == len(plain)
    if ours[:3] != plain[:3]:
        return False
    if isinstance(ours[3], str) or isinstance(plain[3], str):
        return bool(ours[3] == plain[3])
    # Edits are of integers; sines of large ones in float32 are not this test's subject.
    return bool(np.allclose(ours[3], plain[3], rtol=1e-4, atol=1e-3, equal_nan=True))


class Outcome:
    """What came of one run: calls compared, refused, and the differences."""

    def __init__(self) -> None:
        self.compared = self.refused = 0
        self.refusals: list[str] = []
        self.differences: list[str] = []

    def compare(self, arguments: list[str], ours: list[Any], plain: list[Any]) -> None:
        for (step, mine), (other, theirs) in zip(ours, plain, strict=True):
            if step != other:
                self.differences.append(f"action: {step!r} against {other!r}")
            for k, (a, b) in enumerate(zip(mine, theirs, strict=True)):
                equal = same(a, b)
                self.compared += equal is not None
                self.refused += equal is None
                if equal is None:
                    self.refusals.append(a[1])
                if equal is False:
                    where = f"g{k // len(arguments)}({arguments[k % len(arguments)]})"
                    self.differences.append(f"after {step!r}: {where} gives {a}, plain {b}")


def warm() -> None:
    """Loads the compiler, which children then have in memory."""
    import shapecast

    shapecast.jit(lambda x: x + 1)(1.0)


def run(folder: Path, arguments: list[str], actions: list[str]) -> dict[str, Any]:
    """In a process whose `sys.path` has the folder."""
    import shapecast

    outcome = Outcome()
    ours = scenario(folder, shapecast.jit, arguments, actions)
    plain = scenario(folder, identity, arguments, actions)
    outcome.compare(arguments, ours, plain)
    return vars(outcome) | {"made": shapecast._core.cache_statistics()}


if __name__ == "__main__":  # a process of its own: FOLDER ARGUMENTS-AND-ACTIONS
    import json

    sys.path.insert(0, sys.argv[1])
    print(json.dumps(run(Path(sys.argv[1]), *json.loads(sys.argv[2]))))
