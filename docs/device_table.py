"""docs/user/gpu-table.md: what runs where for arrays on a device, of programs that exist anyway.

Each program is called once with its arguments on a device (of the driver of the tests, where there
is no GPU), and f.explain() says what the host had to do.
"""

from __future__ import annotations

import functools
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import shapecast

_ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(_ROOT), str(_ROOT / "tests" / "numpy"), str(_ROOT / "tests")]

from names import NAMESPACES, REASONS, arguments_of, call_of, public_functions  # noqa: E402
from support.compare import copy_arguments, make  # noqa: E402
from support.device_arrays import arrays_in, can_be_on_device  # noqa: E402
from support.device_arrays import call_of as call_on_device  # noqa: E402

from bench.compile_time import tested_programs  # noqa: E402
from bench.kernels import KERNELS  # noqa: E402

_HEAD = """# What runs where

Programs that shapecast has for its tests and benchmarks, each called once with its arrays on a
device, as `./dev docs` finds it: {programs} programs of `tests/numpy/programs`, {kernels} kernels
of `./dev bench`, and {functions} of NumPy's public functions, with the calls of
`tests/numpy/names.py`. Left out is what takes no array, or one that no device holds (strings,
dates), and what is [refused on the host](numpy.md) as well.

- **native**: kernels, views and numbers; the host launches, and reads single numbers where the
  program needs them.
- **partly by the host**: for some operations arrays are copied to the host and back, which waits.
  The result is the same. "Called" are functions of NumPy's own.
- **refused**: an error says why.
"""
_KINDS = ("native", "partly by the host", "refused")
_BY_HOST = re.compile(r"(.*): by the host, on copies\b.*")
_CALLED = re.compile(r"calls Python: (.*?)(?: \(line .*\))?")


class Row(NamedTuple):
    """Of one program: what becomes of it on a device, and why it is not native."""

    kind: str
    reasons: tuple[str, ...] = ()
    waits: bool = False  # the host reads numbers


def _result(f: Callable[..., Any], arguments: tuple) -> Exception | None:
    """The error that the call ends in."""
    random = np.random.get_state()  # noqa: NPY002
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            f(*arguments)
    except Exception as error:
        return error
    finally:
        np.random.set_state(random)  # noqa: NPY002
    return None


def row_of(plain: Callable[..., Any], arguments: tuple) -> Row | None:
    """None: the question does not arise."""
    arrays = arrays_in(arguments)
    if not arrays or not all(map(can_be_on_device, arrays)):
        return None
    on_host = _result(shapecast.jit(plain), copy_arguments((arguments, {}))[0])
    if isinstance(on_host, shapecast.UnsupportedError):
        return None
    jitted = shapecast.jit(plain)
    given = copy_arguments((arguments, {}))[0]
    error = _result(functools.partial(call_on_device, jitted), given)
    if error is not None and type(error) is not type(on_host):
        return Row("refused", (f"{type(error).__name__}: {error}".split("\n")[0],))
    notes = str(jitted.explain()).splitlines()
    reasons = [m[1] for line in notes if (m := _BY_HOST.fullmatch(line))]
    reasons += [f"{m[1]}, called" for line in notes if (m := _CALLED.fullmatch(line))]
    waits = any(line.startswith("the host waits") for line in notes)
    return Row(_KINDS[bool(reasons)], tuple(dict.fromkeys(reasons)), waits)


def _programs() -> Iterator[tuple[str, Callable[..., Any], tuple]]:
    for program in tested_programs():
        dtype = np.float64 if np.float64 in program.dtypes else program.dtypes[0]
        arguments = program.arguments(program.sizes[0], dtype, np.random.default_rng(0))
        yield program.function.__name__, program.function, arguments


def _kernels() -> Iterator[tuple[str, Callable[..., Any], tuple]]:
    for name, kernel in KERNELS.items():
        yield name, kernel.plain, kernel.make(kernel.tiny, kernel.dtypes[0])


def _functions() -> Iterator[tuple[str, Callable[..., Any], tuple]]:
    for prefix in NAMESPACES:
        for full in public_functions():
            if full.rpartition(".")[0] == prefix and not REASONS.get(full.removeprefix("numpy.")):
                given = arguments_of(full)
                source = f"def f({', '.join(given)}):\n    return {call_of(full)}"
                yield full.removeprefix("numpy."), make(source), tuple(given.values())


GROUPS = {"programs": _programs, "kernels": _kernels, "functions": _functions}


@functools.cache
def rows(group: str) -> dict[str, Row]:
    found = ((name, row_of(plain, arguments)) for name, plain, arguments in GROUPS[group]())
    return {name: row for name, row in found if row}


def summary() -> str:
    """How many of each group are of each kind."""
    lines = ["| | " + " | ".join(_KINDS) + " | the host reads numbers |", "|---|---|---|---|---|"]
    for group in GROUPS:
        kinds = [row.kind for row in rows(group).values()]
        counts = [f"{kinds.count(k)} ({kinds.count(k) / len(kinds):.0%})" for k in _KINDS]
        waits = sum(row.waits for row in rows(group).values())
        lines.append(f"| {len(kinds)} {group} | {' | '.join(counts)} | {waits} |")
    return "\n".join(lines)


def _reasons() -> str:
    """What the host does most, over all groups."""
    counts: dict[str, int] = {}
    for group in GROUPS:
        for row in rows(group).values():
            for reason in row.reasons if row.kind != "refused" else ():
                counts[reason] = counts.get(reason, 0) + 1
    most = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{reason} {count}" for reason, count in most if count > 1)


def page() -> str:
    """The text of docs/user/gpu-table.md."""
    counts = {group: len(rows(group)) for group in GROUPS}
    lines = [_HEAD.format(**counts), summary(), ""]
    lines += ["In how many of them the host does what, by the words of `f.explain()`:", ""]
    lines += [_reasons() + ".", ""]
    for group in GROUPS:
        lines += [f"## {group.capitalize()} that are not native", ""]
        lines += ["| | kind | what the host does, or the error |", "|---|---|---|"]
        for name, row in sorted(rows(group).items()):
            if row.kind != "native":
                why = ", ".join(row.reasons).replace("|", "\\|")
                lines.append(f"| `{name}` | {row.kind} | {why} |")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    (_ROOT / "docs" / "user" / "gpu-table.md").write_text(page())
