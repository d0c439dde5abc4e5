"""Statements of generator functions, as they are rewritten before the function becomes blocks
(_generator_blocks.py).
"""

from __future__ import annotations

import ast
import itertools
from typing import Any

from shapecast._iterators import taken
from shapecast._nodes import constant, name_of
from shapecast._with import entered


def received_by(s: ast.stmt) -> tuple[ast.Expr, ast.stmt, ast.Name] | None:
    """Of a statement with a `yield` whose value it uses: the `yield` alone, and the statement with
    a variable in its place. None where what it reads before might change in between.
    """
    found = [n for n in ast.walk(s) if isinstance(n, ast.Yield)]
    if len(found) != 1 or (isinstance(s, ast.Expr) and s.value in found):
        return None
    item = found[0]
    name = ast.copy_location(name_of(f"received_{item.lineno}_{item.col_offset}_"), item)
    rest = place_for(s, item, name.id)
    return (ast.copy_location(ast.Expr(item), s), rest, name) if rest else None


def place_for(s: ast.stmt, item: ast.expr, name: str) -> ast.stmt | None:
    """The statement with the variable in place of the expression, which is computed before. None
    where what it reads before that might change in between.
    """
    simple = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return, ast.If, ast.For)
    parts = [s.test] if isinstance(s, ast.If) else [s.iter] if isinstance(s, ast.For) else [s]
    nodes = [n for part in parts for n in ast.walk(part)]
    if not isinstance(s, simple) or _has_own_order(nodes):
        return None
    if isinstance(s, ast.AugAssign) and not isinstance(s.target, ast.Name):
        return None
    kinds = (ast.Call, ast.Subscript, ast.Attribute)
    called = [n.func for n in nodes if isinstance(n, ast.Call) and _is_in(item, n)]
    others = [n for n in nodes if isinstance(n, kinds) and n not in called]
    if any(_comes_before(n, item) for n in others):
        return None
    found: ast.stmt = _InPlaceOf(item, ast.copy_location(name_of(name), item)).visit(s)
    return found


def _has_own_order(nodes: list[ast.AST]) -> bool:
    """Whether some of it may not be computed, or several times."""
    kinds = (ast.BoolOp, ast.IfExp, ast.Lambda, ast.comprehension, ast.NamedExpr, ast.YieldFrom)
    return any(isinstance(node, kinds) for node in nodes)


def _comes_before(node: ast.expr, item: ast.expr) -> bool:
    is_stored = isinstance(getattr(node, "ctx", None), ast.Store)  # last, after what is stored
    place = node.lineno, node.col_offset
    return not _is_in(item, node) and not is_stored and place < (item.lineno, item.col_offset)


def _is_in(item: ast.AST, node: ast.AST) -> bool:
    return any(inner is item for inner in ast.walk(node))


class _InPlaceOf(ast.NodeTransformer):
    def __init__(self, old: ast.expr, new: ast.expr) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> Any:
        return self.new if node is self.old else super().visit(node)


def name_anew(definition: ast.FunctionDef) -> None:
    """`x = f(x)` between the function's own statements begins another variable, which may be of
    another type: attributes have one for all of their values.
    """
    known = {n.arg for n in ast.walk(definition.args) if isinstance(n, ast.arg)}
    seen_late: set[str] = set()  # by functions, as it is when they are called
    for k, s in enumerate(definition.body):
        target = s.targets[0] if isinstance(s, ast.Assign) and len(s.targets) == 1 else None
        inner = [n for n in ast.walk(s) if isinstance(n, ast.Lambda | ast.GeneratorExp)]
        seen_late |= {n.id for one in inner for n in ast.walk(one) if isinstance(n, ast.Name)}
        if isinstance(target, ast.Name) and target.id in known - seen_late:
            name = target.id
            target.id = f"{name}_{k}_"
            for later in definition.body[k + 1 :]:
                Renamed(name, target.id).visit(later)
        known |= {n.id for n in ast.walk(s) if isinstance(n, ast.Name)}


def tested(s: ast.stmt) -> set[str]:
    """Variables that `if`s in it ask for None or their class, and that it does not assign."""
    tests = [n.test for n in ast.walk(s) if isinstance(n, ast.If | ast.IfExp)]
    compared = [n for test in tests for n in ast.walk(test)]
    asked = [n.left for n in compared if isinstance(n, ast.Compare) and _is_of_none(n)]
    asked += [n.args[0] for n in compared if isinstance(n, ast.Call) and _is_isinstance(n)]
    names = [n for n in ast.walk(s) if isinstance(n, ast.Name)]
    stored = {n.id for n in names if not isinstance(n.ctx, ast.Load)}
    return {n.id for n in asked if isinstance(n, ast.Name)} - stored


def _is_of_none(node: ast.Compare) -> bool:
    other = node.comparators[0]
    is_identity = isinstance(node.ops[0], ast.Is | ast.IsNot)
    return is_identity and isinstance(other, ast.Constant) and other.value is None


def _is_isinstance(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id == "isinstance" and len(node.args) == 2


class Renamed(ast.NodeTransformer):
    def __init__(self, old: str, new: str) -> None:
        self.old, self.new = old, new

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self.new if node.id == self.old else node.id
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.ExceptHandler:
        node.name = self.new if node.name == self.old else node.name
        self.generic_visit(node)
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        if self.old not in {n.arg for n in ast.walk(node.args) if isinstance(n, ast.arg)}:
            self.generic_visit(node)
        return node


def stops_are_errors(definition: ast.FunctionDef) -> None:
    """A StopIteration of next() that would leave the generator is a RuntimeError: PEP 479."""
    stops = _Stops()
    definition.body = [stops.visit(s) for s in definition.body]


class _Stops(ast.NodeTransformer):
    def visit_Try(self, node: ast.Try) -> ast.Try:
        names = [n for h in node.handlers for n in (ast.walk(h.type) if h.type else [h])]
        stops = {"StopIteration", "Exception", "BaseException"}
        if not any(
            isinstance(n, ast.ExceptHandler) or getattr(n, "id", "") in stops for n in names
        ):
            node.body = [self.visit(s) for s in node.body]
        for part in (*node.handlers, *node.orelse, *node.finalbody):
            self.visit(part)
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        is_next = isinstance(node.func, ast.Name) and node.func.id == "next"
        if is_next and len(node.args) == 1 and not node.keywords:
            node.func = ast.copy_location(constant(taken), node.func)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        return node

    visit_Lambda = visit_FunctionDef  # type: ignore[assignment]


class WithYields(ast.NodeTransformer):
    """`with` around a `yield`, written out."""

    def __init__(self) -> None:
        self.numbers = itertools.count(1)

    def rewritten(self, s: ast.stmt) -> list[ast.stmt]:
        found = self.visit(s)
        return found if isinstance(found, list) else [found]

    def visit_With(self, node: ast.With) -> Any:
        if not yields_in(node):
            return node
        self.generic_visit(node)
        body = node.body
        for item in reversed(node.items):
            body = entered(item, item.context_expr, body, next(self.numbers))
        return body


def yields_in(node: ast.AST) -> bool:
    return any(isinstance(n, ast.Yield | ast.YieldFrom) for n in ast.walk(node))
