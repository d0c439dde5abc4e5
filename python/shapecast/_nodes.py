"""Expressions of syntax trees, as what rewrites a function's tree makes them."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, TypeVar

_Node = TypeVar("_Node", bound=ast.AST)
_PLACED = (ast.stmt, ast.expr, ast.arg, ast.keyword, ast.excepthandler)

# Of expressions that may be computed twice.
PLAIN = (ast.Name, ast.Attribute, ast.Constant, ast.Dict, ast.List, ast.expr_context)


_Tree = TypeVar("_Tree")
_SHARED = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)


def copied(tree: _Tree) -> _Tree:
    """A tree, or a list of trees, of its own; the objects that its constants stand for are the
    same: copy.deepcopy would copy those, and fails for modules.
    """
    made: _Tree = _copied(tree, {})
    return made


def _copied(value: Any, known: dict[int, Any]) -> Any:
    if isinstance(value, list):
        return [_copied(item, known) for item in value]
    if not isinstance(value, ast.AST) or isinstance(value, _SHARED):
        return value
    if id(value) in known:
        return known[id(value)]
    made = known[id(value)] = type(value).__new__(type(value))
    parts = vars(value)
    if isinstance(value, ast.Constant):
        vars(made).update(parts)
    else:
        vars(made).update({name: _copied(part, known) for name, part in parts.items()})
    return made


def name_of(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def function_of(names: list[str], value: ast.expr, rest: str | None = None) -> ast.expr:
    others = ast.arg(rest) if rest else None
    arguments = ast.arguments([], [ast.arg(name) for name in names], others, [], [], None, [])
    return ast.Lambda(arguments, value)


def constant(value: object) -> ast.expr:
    return ast.Constant(value)  # type: ignore[arg-type]  # capture takes any object there


def located(node: _Node, where: ast.AST) -> _Node:
    """The parts of it that have no place yet get that one."""
    for inner in ast.walk(node):
        if not hasattr(inner, "lineno") and isinstance(inner, _PLACED):
            ast.copy_location(inner, where)
    return node


def definition_of(kind: type[_Node], *fields: Any) -> _Node:
    """A function or class, with the field that Python 3.12 added."""
    return kind(*fields, *([[]] if "type_params" in kind._fields else []))


def chosen(
    call: ast.Call, kinds: tuple[type, ...], ours: Callable[[ast.expr], ast.expr]
) -> ast.expr:
    """What the method is of decides whose it is: of other classes it may be the user's. `ours`
    makes what takes its place of what it is of.
    """
    method = call.func
    assert isinstance(method, ast.Attribute)
    is_plain = all(isinstance(one, PLAIN) for one in ast.walk(method.value))
    value = method.value if is_plain else name_of("its object")  # not a valid identifier
    tests: list[ast.expr] = [
        ast.Call(constant(isinstance), [value, constant(kind)], []) for kind in kinds
    ]
    test = tests[0] if len(tests) == 1 else ast.BoolOp(ast.Or(), tests)
    theirs = ast.Call(ast.Attribute(value, method.attr, ast.Load()), call.args, call.keywords)
    found = located(ast.IfExp(test, ours(value), theirs), call)
    if is_plain:
        return found
    function = located(function_of(["its object"], found), call)
    return located(ast.Call(function, [method.value], []), call)
