"""python random_coverage.py FROM TO: random programs, measured compiled and as plain Python; prints
how many are equal and how many are not supported, or not measured right by Python itself. Each runs
in a process of its own."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import os
import re
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import coverage
import shapecast
from fuzz.programs import Program, arguments_of, seeded
from shapecast import _core, _lines, _source
from shapecast import coverage as plugin


def measured(call: Callable[[], None], path: Path, count_lines: Any) -> dict[str, Any]:
    measuring = coverage.Coverage(
        data_file=None, branch=True, include=[str(path)], config_file=False
    )
    _source.count_lines = count_lines
    measuring.start()
    try:
        call()
    finally:
        measuring.stop()
        _source.count_lines = None
    report = path.with_suffix(".json")
    with contextlib.redirect_stdout(io.StringIO()):
        measuring.json_report(outfile=str(report), pretty_print=False)
    import json

    (counts,) = json.loads(report.read_text())["files"].values()
    return {key: counts[key] for key in ("executed_lines", "missing_branches")}


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def calls(function: Any, program: Program) -> Callable[[], None]:
    def run() -> None:
        for call in program.calls:
            with (
                contextlib.redirect_stdout(io.StringIO()),
                contextlib.suppress(ArithmeticError, LookupError, ValueError, TypeError),
            ):
                function(*arguments_of(call))

    return run


def compare(seed: int) -> int:
    """0: equal; 2: refused; 1: different, and printed."""
    program = seeded(seed)
    # Python 3.11.2, not 3.11.7, traces a line of an `else` that it skips at the end of a case.
    if sys.version_info < (3, 11, 7) and "match " in program.source:
        return 2
    path = Path(f"m{seed}.py").absolute()
    path.write_text(f"import numpy as np\n{program.source}")
    module = load(path)
    function = getattr(module, re.findall(r"^def (\w+)", program.source, re.MULTILINE)[-1])
    try:
        compiled = measured(calls(shapecast.jit(function), program), path, _lines.count)
    except shapecast.UnsupportedError:
        return 2
    plain = measured(calls(function, program), path, None)
    if compiled == plain:
        return 0
    print(f"seed {seed}: {compiled} compiled, {plain} plain", file=sys.stderr)
    return 1


def main(first: int, end: int) -> None:
    warnings.simplefilter("ignore")
    _core._turn_disk_cache_off()
    plugin.join()
    ends = []
    for seed in range(first, end):
        if not (child := os.fork()):
            os._exit(compare(seed))
        ends.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    print(ends.count(0), ends.count(2))
    sys.exit(len(ends) != ends.count(0) + ends.count(2))


main(int(sys.argv[1]), int(sys.argv[2]))
