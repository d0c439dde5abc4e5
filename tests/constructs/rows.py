"""Rows of docs/user/python.md: a construct of Python, a program with it, and its arguments.

A module of this folder has sections; a section is text. Lines of `expressions` are results;
`programs` begin with a line "## ", which holds what the page shows.
"""

from __future__ import annotations

import ast
import re
import sys
import textwrap
from typing import Any, NamedTuple

_SHORT = {"Counter", "OrderedDict", "defaultdict", "deque"}


class Row(NamedTuple):
    """What the page shows; a module whose last function is f; the arguments of f."""

    shown: str
    source: str
    arguments: dict[str, Any]


def row(shown: str, text: str, known: dict[str, Any]) -> Row:
    """text: a module with f, or the body of f; f's parameters are among the names in known.

    Modules of the standard library that it names are imported.
    """
    if "def f(" not in text:
        body = textwrap.indent(text, "    ")
        loaded = [n.id for n in ast.walk(ast.parse(f"def f():\n{body}")) if isinstance(n, ast.Name)]
        text = f"def f({', '.join(name for name in known if name in loaded)}):\n{body}"
    tree = ast.parse(text)
    owners = [n.value for n in ast.walk(tree) if isinstance(n, ast.Attribute)]
    roots = {n.id for n in owners if isinstance(n, ast.Name)} - set(known)
    loaded = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    imports = "".join(f"import {name}\n" for name in sorted(roots & sys.stdlib_module_names))
    imports += "".join(f"from collections import {name}\n" for name in sorted(loaded & _SHORT))
    parameters = re.findall(r"^def f\((.*)\):$", text, re.M)[0]
    names = [name for name in parameters.split(", ") if name]
    return Row(shown, f"{imports}{text.strip()}\n", {name: known[name] for name in names})


def expressions(text: str, known: dict[str, Any]) -> list[Row]:
    """A row for each line, which is f's result."""
    lines = [line.strip() for line in text.strip().splitlines()]
    return [row(f"`{line}`", f"return {line}", known) for line in lines if line]


def after(made: dict[str, str], text: str, known: dict[str, Any]) -> list[Row]:
    """A row for each line, whose names are first given the values that `made` has for them.

    f's result is that of the line, and the first of these values, which it may have changed.
    """
    rows = []
    for line in filter(None, map(str.strip, text.strip().splitlines())):
        loaded = {n.id for n in ast.walk(ast.parse(line)) if isinstance(n, ast.Name)}
        used = [name for name in made if name in loaded]
        before = "\n".join(made[name] for name in used)
        rows.append(row(f"`{line}`", f"{before}\nreturn {', '.join([line, *used[:1]])}", known))
    return rows


def programs(text: str, known: dict[str, Any]) -> list[Row]:
    """A row for each line that begins with "## "; what follows is f's body, or a module with f."""
    parts = re.split(r"^## (.*)\n", text, flags=re.M)[1:]
    pairs = zip(parts[::2], parts[1::2], strict=True)
    return [row(shown, body.strip("\n"), known) for shown, body in pairs]
