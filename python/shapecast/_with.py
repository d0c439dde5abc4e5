"""`with` written out, as Python's reference manual does."""

from __future__ import annotations

import ast
import builtins
from typing import Any

from shapecast._nodes import constant, name_of

_WITH = """
manager = value
entered = manager.__enter__()
ended = False
try:
    try:
        pass
    except BaseException as error:
        ended = True
        if not manager.__exit__(type(error), error, None): raise
finally:
    if not ended:
        manager.__exit__(None, None, None)
"""


def entered(
    item: ast.withitem, value: ast.expr, body: list[ast.stmt], number: int
) -> list[ast.stmt]:
    """`with value as x: body`; the names in it, no valid identifiers, have the number."""
    names = {name: f"{name} {number}" for name in ("manager", "entered", "ended", "error")}
    named = _Named(names, value)
    made: list[Any] = [named.visit(statement) for statement in ast.parse(_WITH).body]
    bound: list[ast.stmt] = []
    if item.optional_vars:
        target = ast.Assign([item.optional_vars], name_of(names["entered"]))
        bound = [ast.copy_location(target, item.context_expr)]
    made[-1].body[0].body = [*bound, *body]
    return made


class _Named(ast.NodeTransformer):
    """Puts a value, and names, into a pattern; everything has the value's location."""

    def __init__(self, names: dict[str, str], value: ast.expr) -> None:
        self.names, self.value = names, value

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.Name) and node.id == "value":
            return self.value
        if isinstance(node, ast.Name) and node.id in ("type", "BaseException"):
            return ast.copy_location(constant(getattr(builtins, node.id)), self.value)
        if isinstance(node, ast.Name):
            node.id = self.names.get(node.id, node.id)
        if isinstance(node, ast.ExceptHandler):
            node.name = self.names["error"]
        if isinstance(node, ast.stmt | ast.expr | ast.excepthandler):
            ast.copy_location(node, self.value)
        return self.generic_visit(node)
