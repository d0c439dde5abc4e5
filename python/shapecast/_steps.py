"""`__next__` of classes of which compiled code makes instances: it gives pairs, whether there was
an item, and that.
"""

from __future__ import annotations

import ast
from typing import Any

from shapecast._generator_statements import place_for
from shapecast._nodes import constant, located
from shapecast._try import Attempt

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


class _Unsupported(Exception):
    """The text says why."""


def as_steps(function: ast.FunctionDef) -> str:
    """Rewrites it; or why that cannot be done."""
    try:
        function.body = _Steps().of_each(function.body)
    except _Unsupported as error:
        return str(error)
    return ""


def is_stop(node: ast.Raise) -> bool:
    raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    return isinstance(raised, ast.Name) and raised.id == "StopIteration"


class _Steps(ast.NodeTransformer):
    """`return v` becomes `return True, v`, and `raise StopIteration` becomes `return False, None`.
    `x = f(next(y))` becomes `there, item = y.__next__(); if not there: return False, None; x =
    f(item)`.
    """

    def __init__(self) -> None:
        self.count = 0

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, _FUNCTIONS):
            return node
        if isinstance(node, Attempt):
            _check_caught(node)
            return node  # what jumps out of it is behind it
        if isinstance(node, ast.stmt) and (item := _next_in(node)):
            return self.taken(node, item)
        return super().visit(node)

    def of_each(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        found = [self.visit(old) for old in statements]
        return [new for one in found for new in (one if isinstance(one, list) else [one])]

    def taken(self, s: ast.stmt, item: ast.Call) -> list[ast.stmt]:
        self.count += 1
        there, name = (f"{word} {self.count}" for word in ("there", "item"))  # no identifiers
        rest = place_for(s, item, name)
        if rest is None:
            raise _Unsupported(
                "next() in the middle of a statement of __next__ is not supported; assign its "
                "item to a variable before"
            )
        both = ast.Tuple([ast.Name(there, ast.Store()), ast.Name(name, ast.Store())], ast.Store())
        step = ast.Call(ast.Attribute(item.args[0], "__next__", ast.Load()), [], [])
        test = ast.UnaryOp(ast.Not(), ast.Name(there, ast.Load()))
        first = [ast.Assign([both], step), ast.If(test, [_pair(False, None)], [])]
        return [*(located(one, item) for one in first), *self.of_each([rest])]

    def visit_Return(self, node: ast.Return) -> ast.stmt:
        return located(_pair(True, node.value), node)

    def visit_Raise(self, node: ast.Raise) -> ast.stmt:
        return located(_pair(False, None), node) if is_stop(node) else node


def _pair(there: bool, value: ast.expr | None) -> ast.stmt:
    return ast.Return(ast.Tuple([constant(there), value or constant(None)], ast.Load()))


def _next_in(s: ast.stmt) -> ast.Call | None:
    """The first call of next() without a default in the statement's own expressions."""
    for field, value in ast.iter_fields(s):
        if field in ("body", "orelse", "handlers", "finalbody"):
            continue
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ast.AST) and (found := _calls_of_next(part)):
                if isinstance(s, ast.While):
                    raise _Unsupported(
                        "next() in the condition of a loop in __next__ is not supported; call it "
                        "in the loop"
                    )
                return found[0]
    return None


def _calls_of_next(node: ast.AST) -> list[ast.Call]:
    return [n for n in ast.walk(node) if _is_next(n) and isinstance(n, ast.Call)]


def _is_next(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
        return False
    return isinstance(node.func, ast.Name) and node.func.id == "next"


def _check_caught(attempt: Attempt) -> None:
    """Of a `try` the StopIteration of next() goes to the handlers."""
    caught = {getattr(one, "id", "") or _name_of(one) for one in attempt.classes}
    if caught.isdisjoint({"StopIteration", "Exception", "BaseException"}) and any(
        _calls_of_next(s) for s in attempt.body
    ):
        raise _Unsupported(
            "next() in a 'try' of __next__ that does not catch StopIteration is not supported; "
            "call it before"
        )


def _name_of(node: ast.expr) -> str:
    value = node.value if isinstance(node, ast.Constant) else None
    return value.__name__ if isinstance(value, type) else ""
