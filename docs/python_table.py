"""The excerpts of docs/user/python.md: what becomes of each construct of Python.

The rows are those of tests/constructs, which tests/language/test_constructs.py runs.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path

_ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(_ROOT / "tests"))

from constructs.table import CHAPTERS, state  # noqa: E402

KINDS = ("compiled", "called", "constant", "refused")


def titles() -> dict[str, str]:
    """The headings of the page's chapters, by their names."""
    text = (_ROOT / "docs" / "user" / "python.md").read_text()
    found = re.findall(r"^## (.*)\n\n<!-- BEGIN PYTHON (\w+) -->$", text, re.M)
    return {name: title for title, name in found}


def summary() -> str:
    """How many rows of each chapter are of each kind."""
    lines = ["| | " + " | ".join(KINDS) + " |", "|---|---|---|---|---|"]
    sums = [0] * len(KINDS)
    for name, title in titles().items():
        found = [
            state(name, section, number).kind
            for section, rows in CHAPTERS[name].items()
            for number in range(len(rows))
        ]
        counts = [found.count(kind) for kind in KINDS]
        sums = [a + b for a, b in zip(sums, counts, strict=True)]
        lines.append(f"| {title} | {' | '.join(map(str, counts))} |")
    return "\n".join([*lines, f"| **all** | {' | '.join(map(str, sums))} |"])


def chapter(name: str) -> str:
    """The sections of a chapter, each with its constructs by kind."""
    return "\n\n".join(_section(name, section) for section in CHAPTERS[name])


def _section(name: str, section: str) -> str:
    found: dict[str, dict[str, list[str]]] = {kind: {} for kind in KINDS}
    for number, row in enumerate(CHAPTERS[name][section]):
        kind, why = state(name, section, number)
        found[kind].setdefault(why, []).append(row.shown)
    lines = [f"### {section[0].upper()}{section[1:]}"]
    for kind in ("compiled", "called"):
        for shown in found[kind].values():
            lines += ["", f"**{kind}**: {_joined(shown)}"]
    if found["constant"] or found["refused"]:
        lines += ["", "| | | why, and the way out |", "|---|---|---|"]
    for kind in ("constant", "refused"):
        for why, shown in found[kind].items():
            lines.append(f"| {_cell(_joined(shown))} | {kind} | {_cell(why)} |")
    return "\n".join(lines)


def _joined(shown: Iterable[str]) -> str:
    return " · ".join(shown)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
