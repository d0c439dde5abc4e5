"""Loops over a generator whose `finally` may still wait when they are left: they close it."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable
from types import FunctionType
from typing import Any

from shapecast._generators import is_generator_function
from shapecast._iterators import closed
from shapecast._nodes import constant, located, name_of
from shapecast._outside import Outside, names_in


def calls_generators(function: FunctionType) -> bool:
    """Whether some name in it is that of a generator function, or of a method that is one."""
    names = names_in(function.__code__)
    return any(_named(names, function.__globals__))


def close_generators(definition: ast.AST, outside: Outside) -> None:
    """`for x in f(): ...` becomes `g = f(); try: for x in g: ...; finally: close g`."""
    if any(isinstance(n, ast.For) and _waits(n, outside) for n in ast.walk(definition)):
        _Loops(outside).visit(definition)


class _Loops(ast.NodeTransformer):
    def __init__(self, outside: Outside) -> None:
        self.outside = outside
        self.numbers = itertools.count(1)

    def visit_For(self, node: ast.For) -> Any:
        self.generic_visit(node)
        if not _waits(node, self.outside):
            return node
        name = f"generator {next(self.numbers)}"  # not a valid identifier
        first = ast.Assign([ast.Name(name, ast.Store())], node.iter)
        closes = ast.Expr(ast.Call(constant(closed), [name_of(name)], []))
        node.iter = located(name_of(name), node.iter)
        left = ast.Try([node], [], [], [closes])
        return [located(first, node.iter), located(left, node)]


def _waits(loop: ast.For, outside: Outside) -> bool:
    """Whether it is over what a generator function gives that yields in a `try` or `with`; of a
    method: one of that name in some class of the module.
    """
    callee = loop.iter.func if isinstance(loop.iter, ast.Call) else None
    found: Iterable[Any] = [outside.peek(callee)] if callee else []
    if isinstance(callee, ast.Attribute):
        found = [*found, *_named({callee.attr}, outside.names)]
    functions = [one for one in found if is_generator_function(one)]
    return any(_yields_before_finally(outside.tree(one)) for one in functions)


def _named(names: set[str], within: dict[str, Any]) -> Iterable[FunctionType]:
    """The generator functions with these names, and such methods of the classes."""
    classes = [vars(one) for one in within.values() if isinstance(one, type)]
    found = [group[name] for group in (within, *classes) for name in names if name in group]
    return filter(is_generator_function, found)


def _yields_before_finally(definition: ast.AST | None) -> bool:
    nodes = list(ast.walk(definition)) if definition else []
    bodies = [n.body for n in nodes if isinstance(n, ast.With)]
    bodies += [n.body + n.orelse for n in nodes if isinstance(n, ast.Try) and n.finalbody]
    inside = [n for body in bodies for s in body for n in ast.walk(s)]
    return any(isinstance(n, ast.Yield | ast.YieldFrom) for n in inside)
