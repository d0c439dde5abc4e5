"""The sources form layers: no two files or folders include each other, and an edit of a header
rebuilds few files."""

import ast
import re
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

SOURCES = Path(__file__).parents[2] / "src"
PACKAGE = Path(__file__).parents[2] / "python" / "shapecast"
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)

MOST_DEPENDANTS = 42
# What nearly every file speaks of, by stage. Another joins only if it is as small and as stable.
VOCABULARY = {
    "ir/np.h": "the dialect",
    "ir/dim.h": "sizes",
    "ir/dim_facts.h": "what is known of them",
    "facts/dtype.h": "dtypes",
    "user_error.h": "errors of the user's program",
    "ir/frames.h": "locations as tracebacks show them",
    "ops/ufunc/types.h": "dtypes of values",
    "ops/ufunc/ufunc.h": "ufuncs and their loops",
    "shapes/scope.h": "what a shape rule asks",
    "shapes/conflict.h": "facts of sizes with their lines",
    "capture/capture.h": "what capture gives",
    "capture/python.h": "Python's and NumPy's C interfaces",
    "capture/object_kind.h": "objects of the user's",
    "runtime/memory.h": "buffers",
    "ops/builder/val.h": "what np-infer computes with",
    "ops/builder/size_facts.h": "sizes in np-infer",
    "ops/builder/typed_builder.h": "where np-infer emits",
    "ops/builder/slot.h": "how values are carried",
    "ops/builder/heap_sites.h": "where containers are made",
    "lower/kit/dim_values.h": "sizes in compiled code",
    "lower/kit/scalars.h": "numbers in compiled code",
    "lower/kit/handles.h": "arrays in compiled code",
    "runtime/abi.h": "what compiled code gets",
    "runtime/symbols.h": "what it calls",
}
MOST_LINES = 800
GENERATED = {"mathlib/tables.h"}
MOST_METHODS = 60


def sources() -> dict[str, str]:
    """The text of each source, by its path in src/."""
    return {
        str(file.relative_to(SOURCES)): file.read_text()
        for file in sorted(SOURCES.rglob("*"))
        if file.suffix in {".cpp", ".h"}
    }


def includes() -> dict[str, list[str]]:
    texts = sources()
    return {
        file: [name for name in INCLUDE.findall(text) if name in texts]
        for file, text in texts.items()
    }


def circles(edges: dict[str, set[str]]) -> list[list[str]]:
    """The strongly connected components of more than one node (Tarjan 1972)."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found = []

    def visit(node: str) -> None:
        number[node] = lowest[node] = len(number)
        stack.append(node)
        for other in sorted(edges.get(node, ())):
            if other not in number:
                visit(other)
                lowest[node] = min(lowest[node], lowest[other])
            elif other in stack:
                lowest[node] = min(lowest[node], number[other])
        if lowest[node] == number[node]:
            component = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(component) > 1:
                found.append(sorted(component))

    for node in list(edges):
        if node not in number:
            visit(node)
    return found


def edges_between(group: Callable[[str], str]) -> dict[str, set[str]]:
    edges: dict[str, set[str]] = defaultdict(set)
    for file, names in includes().items():
        edges[group(file)] |= {group(name) for name in names} - {group(file)}
    return edges


def test_circles_are_found():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == [["b", "c"]]
    assert circles({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_no_two_files_include_each_other():
    """A header and the source of its name are one file here."""
    assert circles(edges_between(lambda file: file.rsplit(".", 1)[0])) == []


def test_no_two_folders_include_each_other():
    assert circles(edges_between(lambda file: str(Path(file).parent))) == []


def imports() -> dict[str, set[str]]:
    """What each module of the package imports of it, in functions as well."""
    names = {
        ".".join(file.relative_to(PACKAGE).with_suffix("").parts): file
        for file in PACKAGE.rglob("*.py")
    }
    edges: dict[str, set[str]] = {}
    for name, file in names.items():
        home = list(file.relative_to(PACKAGE).parent.parts)
        found = edges[name] = set()
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom) and node.level:
                base = home[: len(home) + 1 - node.level]
                base += node.module.split(".") if node.module else []
                found |= {".".join([*base, alias.name]) for alias in node.names} | {".".join(base)}
        found &= set(names) - {name}
    return edges


def test_imports_are_read():
    found = imports()
    assert "_objects" in found["_ufuncs"]  # from ._objects import named
    assert "_core" not in found  # no module of Python
    assert "_errors" in found["_callouts"]  # from . import _errors


def test_no_two_modules_import_each_other():
    assert circles(imports()) == []


def test_an_edit_of_a_header_rebuilds_few_files():
    direct = includes()
    dependants: dict[str, int] = defaultdict(int)
    for file in direct:
        if file.endswith(".cpp"):
            reached: set[str] = set()
            left = [file]
            while left:
                new = set(direct[left.pop()]) - reached
                reached |= new
                left += new
            for header in reached:
                dependants[header] += 1
    many = {
        header: count
        for header, count in dependants.items()
        if count > MOST_DEPENDANTS
        and header not in VOCABULARY
        and not header.startswith("support/")
    }
    assert not many, "include less in headers, or split these by what is used together"
    assert set(VOCABULARY) <= set(dependants)


def methods(body: str) -> int:
    """How many functions a class declares: `body` is between its braces."""
    flat = re.sub(r"//.*", "", body)
    while (inner := re.sub(r"\{[^{}]*\}", ";", flat)) != flat:
        flat = inner
    declarations = (part.strip() for part in flat.split(";"))
    return sum(
        bool(re.search(r"\w\s*\(", part)) and "std::function" not in part for part in declarations
    )


def test_methods_are_counted():
    assert methods(" int a; void f(); int g() { return h(1); } std::function<void()> hook; ") == 2


def test_no_class_has_many_methods():
    large = {
        f"{file}: {name}": count
        for file, text in sources().items()
        for name, body in re.findall(r"^(?:class|struct) (\w+)[^;{]*\{(.*?)^\};", text, re.M | re.S)
        if (count := methods(body)) > MOST_METHODS
    }
    assert not large, "keep the state, and make the rest functions that take it"


def test_no_file_is_long():
    long = {
        file: lines
        for file, text in sources().items()
        if (lines := text.count("\n")) > MOST_LINES and file not in GENERATED
    }
    assert not long


PYTHON = "capture/python.h"


def without_comments(text: str) -> str:
    return re.sub(r'//[^\n]*|"(?:\\.|[^"\\\n])*"', "", text)


def test_one_header_knows_pythons_interface():
    """Its headers, the fields of its structures (the header lists them), what differs between
    versions, and functions that are private or about to go."""
    fields = set()
    for file, text in sources().items():
        if not file.startswith(("capture/", "bindings/")):
            continue
        code = without_comments(text)
        fields |= set(re.findall(r"->((?:tp|tb|func|co|ob|ma)_\w+|cval|c_profilefunc)\b", code))
        if file == PYTHON:
            continue
        own = r"#include <(?:Python|frameobject|structmember|descrobject|numpy/array\w+)\.h>"
        assert not re.search(own, text), file
        assert not re.search(r"\b_Py[A-Z]\w*", code), f"{file}: private"
        assert not re.search(r"\bPyErr_(Fetch|Restore|NormalizeException)\b", code), file
        # Borrowed from what other threads may change.
        borrowing = r"\bPyDict_GetItem(String|WithError)?\b|\bPyCell_GET\b|\bPySys_GetObject\b"
        assert not re.search(borrowing, code), file
    listed = sources()[PYTHON].split("#pragma once")[0]
    assert fields == set(
        re.findall(r"\b(?:(?:tp|tb|func|co|ob|ma)_\w+|cval|c_profilefunc)\b", listed)
    )
