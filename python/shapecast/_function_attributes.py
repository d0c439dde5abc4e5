"""Attributes of functions (`f.calls = 0`), as those of an object that has the function's dict: for
capture functions are no objects. Lists, dicts and sets are read there as globals are.
"""

from __future__ import annotations

import ast
from types import FunctionType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary

from shapecast import _core
from shapecast._defaults import KNOWN
from shapecast._nodes import constant, located
from shapecast._outside import Outside, names_in
from shapecast.library.primitives import unsupported


class _Attributes:
    """Capture takes a callable for the object itself."""

    def __call__(self) -> None:
        pass


_Attributes.__name__ = "function"  # in messages of AttributeError
_of_functions: WeakKeyDictionary[Any, _Attributes] = WeakKeyDictionary()
_QUERIES = (getattr, hasattr)


def are_named(function: FunctionType) -> bool:
    """Whether it may read or assign one."""
    names = names_in(function.__code__)
    found = [function.__globals__.get(name) for name in names]
    asks = not names.isdisjoint(one.__name__ for one in _QUERIES)
    return any(_is_function(one) and (asks or not names.isdisjoint(one.__dict__)) for one in found)


def _is_function(known: object) -> bool:
    module = str(getattr(known, "__module__", ""))
    is_known = module.partition(".")[0] in KNOWN
    return isinstance(known, FunctionType | _core.Jit) and not is_known


def _attributes(function: Any) -> _Attributes:
    if function not in _of_functions:
        _of_functions[function] = _Attributes()
    _of_functions[function].__dict__ = function.__dict__
    return _of_functions[function]


class FunctionAttributes(ast.NodeTransformer):
    def __init__(self, outside: Outside) -> None:
        self.outside = outside

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        known = self.outside.peek(node.value)
        is_own = _is_function(known) and not node.attr.startswith("__")
        if not is_own or not self.outside.means(node.value, known):
            return node
        owner: object = _attributes(known)
        if self._is_container(node):
            if not isinstance(node.ctx, ast.Load):
                return node  # refused
            owner = ModuleType(f"attributes of {known.__qualname__}")
            vars(owner)[node.attr] = known.__dict__[node.attr]
            self.outside.dependencies.append((known.__dict__, node.attr, vars(owner)[node.attr]))
        node.value = ast.copy_location(constant(owner), node.value)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if len(node.args) < 2 or not self.outside.means(node.func, *_QUERIES):
            return node
        function, name = node.args[0], getattr(node.args[1], "value", None)
        known = self.outside.peek(function)
        is_own = isinstance(name, str) and not name.startswith("__") and _is_function(known)
        if is_own and self.outside.means(function, known):
            node.args[0] = ast.copy_location(constant(_attributes(known)), function)
        return node

    def visit_Assign(self, node: ast.Assign | ast.AugAssign) -> ast.stmt:
        self.generic_visit(node)
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for one in targets:
            if isinstance(one, ast.Attribute) and self._is_container(one):
                return _refusal(one, node)
        return node

    visit_AugAssign = visit_Assign

    def _is_container(self, node: ast.Attribute) -> bool:
        known = self.outside.peek(node.value)
        value = known.__dict__.get(node.attr) if _is_function(known) else None
        return isinstance(value, list | dict | set)


def _refusal(attribute: ast.Attribute, where: ast.stmt) -> ast.stmt:
    text = (
        f"assigning to {ast.unparse(attribute)}, a list, dict or set of a function, is not "
        "supported; give it a name in the function that calls, and pass it"
    )
    call = located(ast.Call(constant(unsupported), [constant(text)], []), where)
    return ast.copy_location(ast.Expr(call), where)
