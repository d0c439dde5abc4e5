"""Finds the syntax tree that a function was compiled from, verified by its bytecode."""

from __future__ import annotations

import ast
import functools
import linecache
import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from shapecast import _closing, _defaults, _function_attributes, _generators, _texts, _typed, _views
from shapecast._definitions import calls_cached
from shapecast._desugar import desugar
from shapecast._nodes import copied
from shapecast._outside import Found, Outside
from shapecast._parse import parse
from shapecast._replaced import uses_fractions
from shapecast._structured_arrays import split as split_record_arrays

# Flags that `from __future__ import ...` sets on code objects and that compile() takes back.
_FUTURE_FLAGS = 0x1FF0000

# Words in what desugar() rewrites; a function without them needs no walk.
_SUGAR = re.compile(
    r"\b(import|match|try|with|yield|nonlocal|global|next|send|count|cycle|map|filter|reduce|str|int|float|dict|"
    r"list|set|frozenset|iter|cmp_to_key|attrgetter|methodcaller|copy|deepcopy|bytearray|bytes|to_bytes|"
    r"translate|as_integer_ratio|hex|indices|from_iterable|randbytes|Random|cache_info|cache_clear|print)\b|"
    r"\bkey *=|^\s+(@|(def|class)\b)|\b(for \w+[.\[]|while\b.*\()|[(,]\s*\*",
    re.MULTILINE,
)

# Functions that may create structured arrays.
_MAKES_ARRAYS = re.compile(r"\b(empty|zeros)\b")

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef)
_PARTS = ("body", "orelse", "handlers", "finalbody", "cases")


class Source(NamedTuple):
    """A function's syntax tree (line numbers are those of the file) and where it was found."""

    node: Definition
    filename: str
    imports: Sequence[Found] = ()  # what its rewritten statements depend on
    functions: Sequence[FunctionType] = ()  # whose trees these have


# Sources by file name of functions unpickled from another process (_pickling.py), whose file names
# cloudpickle drops, and of functions that are in no file (_typed.py).
carried: dict[str, list[str]] = {}
_names_of_texts: dict[str, str] = {}
_remembered: WeakKeyDictionary[CodeType, str] = WeakKeyDictionary()


# Adds what notes the lines that are executed to a definition's tree (_lines.py); None: nothing.
count_lines: Callable[[Definition, FunctionType], None] | None = None


class SourceError(Exception):
    """There is no syntax tree; the text says why and what to do."""


def find(function: FunctionType) -> Source:
    """The tree whose bytecode equals the function's, so stale source is never compiled."""
    try:
        return _find(function)
    except RecursionError:  # a thousand terms in one expression, a thousand `elif`
        return _on_large_stack(lambda: _checked(_find(function)))


@functools.cache
def _single_dispatch() -> set[CodeType]:
    return {functools.singledispatch(lambda x: x).__code__}  # type: ignore[attr-defined]


_MAX_DEPTH = 2_000  # nested nodes; the compiler's own walks recurse too
_LARGE_STACK = 256 << 20  # bytes; only touched pages use memory


def _on_large_stack(run: Callable[[], Source]) -> Source:
    """Runs it where ast and Python's compiler may recurse beyond the default limit."""
    found: list[Source] = []
    failed: list[BaseException] = []

    def work() -> None:
        try:
            found.append(run())
        except BaseException as error:
            failed.append(error)

    limit, size = sys.getrecursionlimit(), threading.stack_size(_LARGE_STACK)
    sys.setrecursionlimit(max(limit, 100_000))
    try:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(limit)
    if failed:
        raise failed[0]
    return found[0]


def _checked(source: Source) -> Source:
    """The source, if its tree is not too deep to be walked."""
    nodes: list[tuple[ast.AST, int]] = [(source.node, 1)]
    while nodes:
        node, depth = nodes.pop()
        if depth > _MAX_DEPTH:
            line = getattr(node, "lineno", source.node.lineno)
            raise SourceError(
                f"expressions or blocks that are nested more than {_MAX_DEPTH} deep are not "
                f"supported ({source.filename}, line {line}); split them"
            )
        nodes += [(child, depth + 1) for child in ast.iter_child_nodes(node)]
    return source


def filename_of(function: FunctionType) -> str:
    """The file name by which linecache has its source, if it has."""
    filename = function.__code__.co_filename
    if linecache.getlines(filename, function.__globals__):
        return filename
    try:
        return find(function).filename
    except SourceError:
        return filename


def carry(filename: str, text: str) -> None:
    """Registers a source by this name, for tracebacks too."""
    carried[filename] = lines = text.splitlines(True)
    if not linecache.getlines(filename):
        linecache.cache[filename] = (len(text), None, lines, filename)


def remember(function: Any) -> None:
    """Keeps the text of a function that is in no file, while those who made it still have it."""
    code, names = function.__code__, function.__globals__
    with suppress(Exception):  # a call says what is wrong
        lines = linecache.getlines(code.co_filename, names)
        if not (lines and _search(lines, code, names)):
            texts = (text.splitlines(True) for text in _texts.candidates(code.co_name))
            _search_texts(function, texts)


def written_tree(function: FunctionType) -> Definition | None:
    """Its tree as it was written; None where there is none."""
    code, names = function.__code__, function.__globals__
    if found := _search(linecache.getlines(code.co_filename, names), code, names):
        return found
    typed = _search_carried(code, names) or _search_typed(function)
    return typed[2] if typed else None


def _find(function: FunctionType) -> Source:
    code = function.__code__
    if made := _generators.made.get(code):
        tree = copied(made.tree)
        outside = Outside(tree, function.__globals__, written_tree)
        if generator := made.generator():
            outside.functions.append(generator)
        _defaults.complete(tree, function, outside)
        name = made.filename
        return Source(desugar(tree, outside, name), name, outside.dependencies, outside.functions)
    if hasattr(function, "registry") and code in _single_dispatch():
        raise SourceError(
            "functools.singledispatch is not supported; ask isinstance(), and call the function "
            "for the class"
        )
    filename, name = code.co_filename, function.__qualname__
    if filename.startswith("<frozen "):  # of which linecache has the text from Python 3.14 on
        raise SourceError(
            f"{name!r} is a function of Python's own library ({filename}) that is not compiled; "
            "call it outside the jitted function, or in a function with shapecast.pyfunc"
        )
    lines = linecache.getlines(filename, function.__globals__)
    if (function.__module__ or "").startswith("shapecast.library."):  # not edited while it runs
        found = _defined_at(lines, code) or _method_at(filename, "".join(lines), code)
    else:
        found = _search(lines, code, function.__globals__)
    if found is None:
        # The cache may hold an older text than the file does now (or the other way round).
        linecache.checkcache(filename)
        fresh = linecache.getlines(filename, function.__globals__)
        if fresh != lines:
            found = _search(fresh, code, function.__globals__)
        lines = fresh
    if found is None and (not lines or filename.startswith("<")):  # "<string>" is not unique
        elsewhere = _search_carried(code, function.__globals__) or _search_typed(function)
        filename, lines, found = elsewhere or (filename, lines, None)
    if found is not None:
        text = "".join(lines[_first_line(found) - 1 : found.end_lineno])
        outside = Outside(found, function.__globals__, written_tree)
        outside.locals.update(code.co_freevars)
        if count_lines and not (function.__module__ or "").startswith("shapecast."):
            count_lines(found, function)
        _defaults.complete(found, function, outside)
        node = desugar(found, outside, filename) if _is_sugared(function, text) else found
        if _MAKES_ARRAYS.search(text):
            node = split_record_arrays(node, function)
        return Source(node, filename, outside.dependencies, outside.functions)
    if not lines:
        why = "of a program in a pipe the last 4 KiB are left (nothing with PYTHONUNBUFFERED); "
        raise SourceError(
            f"the source of {name!r} is not available ({code.co_filename}); "
            + (why if code.co_filename == "<stdin>" else "")
            + "define it in a file or a notebook, or register its text in linecache"
        )
    raise SourceError(
        f"the source of {name!r} in {filename} has changed since it was compiled; "
        "reload the module or restart Python"
    )


def _is_sugared(function: FunctionType, text: str) -> bool:
    return bool(
        _SUGAR.search(text)
        or calls_cached(function)
        or _defaults.are_called(function)
        or _views.are_named(function)
        or _function_attributes.are_named(function)
        or _closing.calls_generators(function)
        or uses_fractions(function.__globals__)
        or function.__module__ == "statistics"  # see _replaced.py
    )


_Found = tuple[str, list[str], Definition]


def _search_carried(code: CodeType, names: dict[str, Any]) -> _Found | None:
    kept = _remembered.get(code)
    for filename in [kept] if kept else reversed(carried):
        lines = carried[filename]
        if found := _search(lines, code, names):
            return filename, lines, found
    return None


def _search_typed(function: FunctionType) -> _Found | None:
    on_stack = _texts.candidates(function.__code__.co_name)
    texts = chain(_typed.texts(function), (text.splitlines(True) for text in on_stack))
    return _search_texts(function, texts)


def _search_texts(function: FunctionType, texts: Iterable[list[str]]) -> _Found | None:
    """The first of the texts that defines it, which is kept."""
    code = function.__code__
    for lines in texts:
        if found := _search(lines, code, function.__globals__):
            text = "".join(lines)
            if (filename := _names_of_texts.get(text)) is None:
                filename = f"{code.co_filename.rstrip('>')} {len(carried) + 1}>"
                _names_of_texts[text] = filename = (
                    filename if filename[0] == "<" else f"<{filename}"
                )
                carry(filename, text)
            _remembered[code] = filename
            return filename, lines, found
    return None


def _defined_at(lines: list[str], code: CodeType) -> Definition | None:
    block = _parse_block(lines, code)
    if isinstance(block, ast.FunctionDef) and block.name == code.co_name:
        return block
    return None


def _method_at(filename: str, text: str, code: CodeType) -> Definition | None:
    """Of a class of our library: its file is parsed once."""
    found = _methods(filename, text).get((code.co_firstlineno, code.co_name))
    return copied(found)  # desugar() changes it


@functools.lru_cache(maxsize=4)
def _methods(filename: str, text: str) -> dict[tuple[int, str], ast.FunctionDef]:
    classes = (node for node in parse(text).body if isinstance(node, ast.ClassDef))
    methods = (node for one in classes for node in one.body if isinstance(node, ast.FunctionDef))
    return {(_first_line(one), one.name): one for one in methods}


def _search(lines: list[str], code: CodeType, names: dict[str, Any]) -> Definition | None:
    if not lines:
        return None
    block = _parse_block(lines, code) or _parse_method(lines, code)
    if block is not None:
        # Bytecode depends on which names the module imports; guess that from their values now.
        for imports in (_guess_imports(code, names), []):
            matches = _match([*imports, block], code)
            if matches:
                return _nearest(matches, code)
    try:
        tree = parse("".join(lines))
    except (SyntaxError, ValueError):
        return None
    found = _search_tree(tree, code)
    if found is None and (pytests := names.get("@pytest_ar")):
        found = _search_rewritten("".join(lines), tree, code, pytests)
    return found


def _search_tree(tree: ast.Module, code: CodeType) -> Definition | None:
    imports = [n for n in _module_scope(tree) if isinstance(n, ast.Import | ast.ImportFrom)]
    imports = [n for n in imports if getattr(n, "module", "") != "__future__"]
    matches = []
    for statement in tree.body:
        if _definitions(statement, code.co_name):
            matches += _match([*imports, statement], code)
    matches = matches or _match(tree.body, code)
    return _nearest(matches, code) if matches else None


def _search_rewritten(
    text: str, tree: ast.Module, code: CodeType, pytests: ModuleType
) -> Definition | None:
    """In a test module whose assert statements pytest rewrites before it compiles them: it has put
    its rewriter into the module's globals.
    """
    if found := _search_tree(_rewritten_by_pytest(text, pytests), code):
        for node in ast.walk(tree):
            if type(node) is type(found) and _start(node) == _start(found):
                return node
    return None


@functools.lru_cache(maxsize=4)
def _rewritten_by_pytest(text: str, pytests: ModuleType) -> ast.Module:
    tree = parse(text)
    pytests.rewrite_asserts(tree, text.encode())
    return tree


def _guess_imports(code: CodeType, names: dict[str, Any]) -> list[ast.stmt]:
    used = set(code.co_names)
    for inner in _codes(code):
        used.update(inner.co_names)
    here = names.get("__name__")
    imported: list[ast.stmt] = []
    for name in sorted(used & names.keys()):
        value = names[name]
        if isinstance(value, ModuleType) or getattr(value, "__module__", here) != here:
            imported.append(ast.fix_missing_locations(ast.Import([ast.alias(name)])))
    return imported


def _module_scope(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes under a module that run in its own scope."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield child
            if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield from _module_scope(child)


def _end_of_block(lines: list[str], first: int, indent: str) -> int:
    """The index after the last line of a function whose decorators or `def` begin at `first`."""
    seen_def = False
    for end in range(first, len(lines)):
        line = lines[end]
        goes_on = (
            not line.strip()
            or line.startswith((indent + " ", indent + "\t"))
            or line.lstrip()[0] in "#)]}"
        )
        if seen_def and not goes_on:
            return end
        seen_def = seen_def or line.startswith(indent + "def ")
    return len(lines)


def _parse_method(lines: list[str], code: CodeType) -> ast.stmt | None:
    """The method at the function's line in a class of its class's name."""
    first = code.co_firstlineno - 1
    owner = code.co_qualname.rpartition(".")[0].rpartition(".")[2]
    if not 0 < first < len(lines) or not owner.isidentifier():
        return None
    indent = lines[first][: -len(lines[first].lstrip())]
    if not indent or not lines[first].lstrip().startswith(("def ", "@")):
        return None
    end = _end_of_block(lines, first, indent)
    head = "\n" * (first - 1) + f"class {owner}:\n"
    try:
        return parse(head + "".join(lines[first:end])).body[0]
    except (SyntaxError, ValueError):
        return None


def _parse_block(lines: list[str], code: CodeType) -> ast.stmt | None:
    """The statement at the function's line, if not indented: saves parsing the file."""
    first = code.co_firstlineno - 1
    if first >= len(lines) or not lines[first].startswith(("def ", "@")):
        return None
    end = _end_of_block(lines, first, "")
    try:
        # Leading empty lines give the nodes the file's line numbers.
        tree = parse("\n" * first + "".join(lines[first:end]))
    except (SyntaxError, ValueError):
        return None
    return tree.body[0] if len(tree.body) == 1 else None


_Match = tuple[CodeType, Definition]


def _match(statements: Sequence[ast.stmt], code: CodeType) -> list[_Match]:
    """The definitions compiled to equal code."""
    flags = code.co_flags & _FUTURE_FLAGS
    module = ast.Module(list(statements), [])
    try:
        compiled = compile(module, code.co_filename, "exec", flags, dont_inherit=True)
    except (SyntaxError, ValueError):
        return []
    nodes = _definitions(module, code.co_name)
    found: list[_Match] = []
    for candidate in _codes(compiled):
        if candidate.co_name == code.co_name and same_code(candidate, code):
            node = _node_of(nodes, candidate)
            if node is not None:
                found.append((candidate, node))
    return found


def _nearest(matches: list[_Match], code: CodeType) -> Definition:
    if len(matches) == 1:
        return matches[0][1]
    return min(matches, key=lambda match: _distance(match[0], code))[1]


def _definitions(node: ast.AST, name: str) -> list[Definition]:
    if name == "<lambda>":
        return [n for n in ast.walk(node) if isinstance(n, ast.Lambda)]
    return [n for n in _statements(node) if isinstance(n, _NAMED) and n.name == name]


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """The node and its descendants, without expressions, which are most of a tree."""
    yield node
    for part in _PARTS:
        for child in getattr(node, part, ()):
            yield from _statements(child)


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


def _distance(candidate: CodeType, code: CodeType) -> tuple[bool, int, bool]:
    """From the function's location: positions, lines, qualified name."""
    same_positions = list(candidate.co_positions()) == list(code.co_positions())
    other_name = candidate.co_qualname != code.co_qualname
    return not same_positions, abs(candidate.co_firstlineno - code.co_firstlineno), other_name


def _node_of(nodes: list[Definition], code: CodeType) -> Definition | None:
    on_line = [n for n in nodes if _first_line(n) == code.co_firstlineno]
    if len(on_line) <= 1:
        return on_line[0] if on_line else None
    # Several lambdas on one line: the innermost one that spans all of the code's positions.
    spans = [(a, c, b, d) for a, b, c, d in code.co_positions() if d and None not in (a, b, c)]
    if not spans:
        return on_line[0]
    start = min((a, c) for a, c, _, _ in spans)
    end = max((b, d) for _, _, b, d in spans)
    around = [n for n in on_line if _start(n) <= start and end <= _end(n)]
    return max(around, key=_start) if around else None


def _first_line(node: Definition) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(d.lineno for d in decorators)])


def _start(node: ast.expr | ast.stmt) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _end(node: ast.expr | ast.stmt) -> tuple[int, int]:
    return node.end_lineno or node.lineno, node.end_col_offset or node.col_offset


def same_code(a: CodeType, b: CodeType) -> bool:
    """Equal bytecode, names and constants, all the way down; lines and file names may differ."""
    return (
        a.co_code == b.co_code
        and a.co_names == b.co_names
        and a.co_varnames == b.co_varnames
        and a.co_freevars == b.co_freevars
        and a.co_cellvars == b.co_cellvars
        and a.co_argcount == b.co_argcount
        and a.co_posonlyargcount == b.co_posonlyargcount
        and a.co_kwonlyargcount == b.co_kwonlyargcount
        and a.co_flags == b.co_flags
        and getattr(a, "co_exceptiontable", b"") == getattr(b, "co_exceptiontable", b"")
        and _same_constants(a.co_consts, b.co_consts)
    )


def _same_constants(a: Any, b: Any) -> bool:
    if type(a) is not type(b):
        return False
    if isinstance(a, CodeType):
        return same_code(a, b)
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(_same_constants, a, b))
    # repr distinguishes 0.0 from -0.0; equal sets of constants print in one order in one process.
    return bool(a == b and repr(a) == repr(b)) or (a != a and b != b)
