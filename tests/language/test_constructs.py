"""Every construct of Python in a jitted function: Python's result, or UnsupportedError.

docs/user/python.md lists the outcome of each; this test keeps it true.
"""

from __future__ import annotations

import ast
import bisect
import builtins
import cmath
import difflib
import functools
import heapq
import itertools
import math
import operator
import random
import re
import string
import sys
from collections import Counter, OrderedDict, defaultdict, deque
from pathlib import Path
from types import ModuleType

import pytest
from constructs.rows import row
from constructs.running import State, state_of
from constructs.table import CHAPTERS, state
from support.compare import Report

DOCS = Path(__file__).parents[2] / "docs"
sys.path.insert(0, str(DOCS))

import python_table  # noqa: E402

PAGE = DOCS / "user" / "python.md"
SOURCES = [
    one.source for sections in CHAPTERS.values() for rows in sections.values() for one in rows
]


@pytest.mark.default_mode
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_row_does_what_the_page_says(chapter: str) -> None:
    for section, rows in CHAPTERS[chapter].items():
        with Report(section) as report:
            for number, one in enumerate(rows):
                with report.case(one.shown):
                    state(chapter, section, number)
    begin = f"<!-- BEGIN PYTHON {chapter} -->\n"
    written = PAGE.read_text().split(begin)[1].split("\n<!-- END -->")[0]
    found = python_table.chapter(chapter)
    changes = difflib.unified_diff(written.split("\n"), found.split("\n"), lineterm="", n=0)
    assert written == found, "\n".join(["./dev docs writes it anew", *changes])


def test_the_page_has_every_chapter_and_counts_its_rows() -> None:
    assert [*python_table.titles()] == [*CHAPTERS]
    counts = re.search(r"^\| \*\*all\*\* \| (.*) \|$", PAGE.read_text(), re.M)
    assert counts is not None and sum(map(int, counts[1].split(" | "))) == len(SOURCES)


# ---------------------------------------------------------------------------- what a row is called


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("return s.upper()", "compiled"),
        ("print(s)", "called"),
        ("return x is x", "constant"),
        ("return lambda p: p", "refused"),
    ],
)
def test_the_kind_of_a_row(body: str, kind: str) -> None:
    found = state_of(row(body, body, {"s": "ab", "x": [1, 2]}))
    assert found.kind == kind and bool(found.why) == (kind in ("constant", "refused"))


def test_a_row_with_another_result_than_pythons_fails() -> None:
    assert state_of(row("", "return n", {"n": 1})) == State("compiled")
    with pytest.raises(AssertionError, match="expected"):
        state_of(row("", "return n * 2 ** 62 * 4", {"n": 1}))  # OverflowError


# ------------------------------------------------------------------------- nothing is forgotten

# What Pythons after 3.11 have more.
LATER = {
    *("PythonFinalizationError", "_IncompleteInputError", "TypeAlias", "TemplateStr"),
    *("Interpolation", "batched", "sumprod", "fma", "is_none", "is_not_none", "binomialvariate"),
    *("heapify_max", "heappop_max", "heappush_max", "heappushpop_max", "heapreplace_max"),
    *("Placeholder", "from_number", "prefixmatch"),
}
SITE = {"copyright", "credits", "exit", "quit", "license", "help"}  # the module site adds them
TYPES = (
    *(str, bytes, list, tuple, dict, set, frozenset, int, float, complex, range, slice),
    *(deque, Counter, defaultdict, OrderedDict),
)


def public(of: object) -> set[str]:
    return {name for name in dir(of) if not name.startswith("_")} - LATER


def named() -> set[str]:
    """Every name that a program has, as a name or as an attribute."""
    nodes = [node for source in SOURCES for node in ast.walk(ast.parse(source))]
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    return names | {node.attr for node in nodes if isinstance(node, ast.Attribute)}


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.__name__)
def test_every_method_has_a_row(kind: type) -> None:
    assert public(kind) - named() == set()


MODULES = (math, cmath, itertools, functools, operator, heapq, bisect, random, string)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_every_function_of_the_modules_has_a_row(module: ModuleType) -> None:
    known = public(module) & set(getattr(module, "__all__", public(module)))
    assert known - named() - {"WRAPPER_ASSIGNMENTS", "WRAPPER_UPDATES", "update_wrapper"} == set()


def test_every_builtin_has_a_row() -> None:
    others = {"None", "True", "False"}  # no names in the syntax tree
    others |= {"IOError", "EnvironmentError"}  # OSError by other names
    assert public(builtins) - SITE - named() - others == set()


def test_every_kind_of_syntax_has_a_row() -> None:
    tree = [node for source in SOURCES for node in ast.walk(ast.parse(source))]
    bases = (ast.stmt, ast.expr, ast.pattern, ast.operator, ast.unaryop, ast.cmpop, ast.boolop)
    classes = [kind for base in bases for kind in base.__subclasses__()]
    kinds = {kind.__name__ for kind in classes if kind.__module__ == "ast"}  # shapecast has more
    old = {"Num", "Str", "Bytes", "NameConstant", "Ellipsis", "AugLoad", "AugStore", "Param"}
    assert kinds - old - LATER - {type(node).__name__ for node in tree} == set()
