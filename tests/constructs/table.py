"""All rows, by chapter of docs/user/python.md and section, and what becomes of each."""

from __future__ import annotations

import functools
import importlib

from constructs.rows import Row
from constructs.running import State, state_of

CHAPTERS: dict[str, dict[str, list[Row]]] = {
    name: importlib.import_module(f"constructs.{name}").SECTIONS
    for name in (
        "statements",
        "exceptions",
        "functions",
        "classes",
        "special",
        "sequences",
        "mappings",
        "containers",
        "strings",
        "numbers",
        "builtin",
        "library",
        "dates",
    )
}


@functools.cache
def state(chapter: str, section: str, number: int) -> State:
    """Of a row of a section; AssertionError where the jitted program does other than the plain."""
    return state_of(CHAPTERS[chapter][section][number])
