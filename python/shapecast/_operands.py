"""The operands of a failed expression, and where each was assigned, from the source."""

from __future__ import annotations

import ast
import functools
import linecache
import re
from collections.abc import Iterator

from shapecast._parse import parse

_OPERAND = re.compile(r"\{(\d+)\}")


def describe(
    location: tuple[str, str, int, int, int, int],
    notes: list[str] | tuple[str, ...],
    of_truth: bool = False,
) -> list[str]:
    """The notes with "{0}", "{1}" at their start replaced by the operands' source texts.

    The compiler's note is "{1}: float64[n]" for operand 1 of the expression at `location`; the user
    sees "x: float64[n]   (line 10: x = x[1:])". Notes for operands without a source text are
    omitted. `of_truth`: operand 0 is the expression itself, of which the truth value was asked for.
    """
    if not any(_OPERAND.match(note) for note in notes):
        return list(notes)
    operands = _operands(location, of_truth)
    described: list[str] = []
    for note in notes:
        found = _OPERAND.match(note)
        if not found:
            described.append(note)
        elif int(found[1]) < len(operands):
            text, origin = operands[int(found[1])]
            filled = text + note[found.end() :] + (f"   ({origin})" if origin else "")
            if filled not in described:
                described.append(filled)
    return described


def operator_columns(location: tuple[str, str, int, int, int, int]) -> tuple[int, int] | None:
    """The byte columns that Python's own tracebacks mark with ^ between ~: operator or brackets."""
    lines = linecache.getlines(location[0])
    if location[2] != location[4] or not 0 < location[2] <= len(lines):
        return None
    data = lines[location[2] - 1].encode()
    node = _find(location, lines)[-1:]
    match node:
        case [ast.BinOp(left=left, right=right)]:
            start, end = left.end_col_offset or 0, right.col_offset
            operator = re.search(rb"[^\s()]+", data[start:end])
            return (start + operator.start(), start + operator.end()) if operator else None
        case [ast.Subscript(value=value)]:
            start = data.find(b"[", value.end_col_offset or 0)
            return (start, location[5]) if start >= 0 else None
    return None


def first_line_of_function(location: tuple[str, str, int, int, int, int]) -> int:
    """The first line of the innermost function around it, with its decorators; 0: not found."""
    chain = _find(location, linecache.getlines(location[0]))
    for node in reversed(chain):
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            decorators: list[ast.expr] = getattr(node, "decorator_list", [])
            return min([node.lineno, *(d.lineno for d in decorators)])
    return 0


def _find(location: tuple[str, str, int, int, int, int], lines: list[str]) -> list[ast.AST]:
    """The nodes from the module to the one at this location; none where the source has changed."""
    tree = _parsed("".join(lines))
    chain = _path(tree, location[2:]) if tree else []
    return chain if chain and _span(chain[-1]) == location[2:] else []


@functools.lru_cache(maxsize=4)
def _parsed(source: str) -> ast.Module | None:
    try:
        return parse(source)
    except (SyntaxError, ValueError):
        return None


def _operands(
    location: tuple[str, str, int, int, int, int], of_truth: bool
) -> list[tuple[str, str]]:
    lines = linecache.getlines(location[0])
    chain = _find(location, lines)
    if not chain:
        return []
    functions = [n for n in chain if isinstance(n, ast.FunctionDef | ast.Lambda)]
    function = functions[-1] if functions else None
    node = chain[-1]
    if of_truth and isinstance(node, ast.expr):
        is_not = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
        parts = [node.operand if is_not else node]  # type: ignore[attr-defined]
    else:
        parts = _parts(node)
    return [(_text(part), _origin(part, function, lines)) for part in parts]


def _path(tree: ast.AST, span: tuple[int, ...]) -> list[ast.AST]:
    """The nodes from the root to the outermost one that spans exactly this location."""
    chain: list[ast.AST] = [tree]
    while True:
        for child in ast.iter_child_nodes(chain[-1]):
            around = _span(child)
            if around and around[:2] <= span[:2] and span[2:] <= around[2:]:
                chain.append(child)
                break
        else:
            return chain
        if _span(chain[-1]) == span and not isinstance(chain[-1], ast.Expr):
            return chain


def _span(node: ast.AST) -> tuple[int, ...] | None:
    if not isinstance(node, ast.expr | ast.stmt):
        return None
    return (node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)


def _parts(node: ast.AST) -> list[ast.expr]:
    """The operand expressions, in the order in which captured ops take them."""
    match node:
        case ast.BinOp(left=left, right=right):
            return [left, right]
        case ast.Compare(left=left, comparators=rest):
            return [left, *rest]
        case ast.UnaryOp(operand=operand):
            return [operand]
        case ast.AugAssign(target=target, value=value):
            return [target, value]
        case ast.Assign(targets=[ast.Subscript(value=base, slice=key)], value=value):
            return [base, *_keys(key), value]
        case ast.Subscript(value=base, slice=key):
            return [base, *_keys(key)]
        case ast.Call(func=function, args=args, keywords=keywords):
            is_method = isinstance(function, ast.Attribute) and not _is_module(function.value)
            base_of = [function.value] if isinstance(function, ast.Attribute) and is_method else []
            return [*base_of, *args, *(k.value for k in keywords)]
        case ast.Attribute(value=value):
            return [value]
    return []


def _keys(key: ast.expr) -> list[ast.expr]:
    return key.elts if isinstance(key, ast.Tuple) else [key]


def _is_module(node: ast.expr) -> bool:
    """Whether this reads like np, np.linalg or math: a guess, good enough for naming operands."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in ("np", "numpy", "math", "xp")


def _text(node: ast.expr) -> str:
    text = ast.unparse(node)
    return text if len(text) <= 40 else text[:37] + "..."


def _origin(node: ast.expr, function: ast.AST | None, lines: list[str]) -> str:
    """Where a name got its value: the last assignment above, or the parameter list."""
    if not isinstance(node, ast.Name) or function is None:
        return ""
    assigned = [
        statement.lineno
        for statement in ast.walk(function)
        if isinstance(statement, ast.stmt)
        and statement.lineno < node.lineno
        and node.id in _targets(statement)
    ]
    if assigned:
        line = max(assigned)
        return f"line {line}: {lines[line - 1].strip()}"
    arguments = getattr(function, "args", None)
    if isinstance(arguments, ast.arguments):
        given = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        if any(a.arg == node.id for a in given):
            return "parameter"
    return ""


def _targets(statement: ast.stmt) -> Iterator[str]:
    match statement:
        case ast.Assign(targets=targets):
            written: list[ast.expr] = targets
        case ast.AugAssign(target=target) | ast.AnnAssign(target=target) | ast.For(target=target):
            written = [target]
        case _:
            written = []
    for target in written:
        for part in ast.walk(target):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                yield part.id
