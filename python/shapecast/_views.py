"""Tables outside that only give a view of a dict: `types.MappingProxyType({...})`, and
`__members__` of an Enum. Where a function looks things up there, it does so in the dict itself.
"""

from __future__ import annotations

import ast
import enum
import gc
from types import FunctionType, MappingProxyType, ModuleType

from shapecast._nodes import constant, located
from shapecast._outside import Outside, names_in

# Of a mapping; what else a dict has differs.
_METHODS = {"get", "keys", "values", "items", "copy"}
_TAKE_ITEMS = (
    len, list, tuple, set, dict, frozenset, sorted, sum, min, max, any, all, enumerate, zip, map,
    filter, iter, reversed,
)  # fmt: skip
_EQUALITY = (ast.Eq, ast.NotEq)


def are_named(function: FunctionType) -> bool:
    """Whether it names one of these."""
    names, used = function.__globals__, names_in(function.__code__)
    return "__members__" in used or any(type(names.get(one)) is MappingProxyType for one in used)


class Views(ast.NodeTransformer):
    def __init__(self, outside: Outside) -> None:
        self.outside = outside

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load):
            node.value = self._seen_through(node.value)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        function = node.func
        if isinstance(function, ast.Attribute) and function.attr in _METHODS:
            function.value = self._seen_through(function.value)
        elif self.outside.means(function, *_TAKE_ITEMS):
            node.args = [self._seen_through(one) for one in node.args]
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.ops[0], _EQUALITY):
            node.left = self._seen_through(node.left)
        for k, op in enumerate(node.ops):
            is_asked = isinstance(op, ast.In | ast.NotIn)
            if is_asked or isinstance(op, _EQUALITY):
                node.comparators[k] = self._seen_through(node.comparators[k], is_asked)
        return node

    def visit_For(self, node: ast.For | ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        node.iter = self._seen_through(node.iter)
        return node

    visit_comprehension = visit_For

    def visit_Starred(self, node: ast.Starred) -> ast.expr:
        self.generic_visit(node)
        node.value = self._seen_through(node.value)
        return node

    def _seen_through(self, node: ast.expr, is_asked: bool = False) -> ast.expr:
        """`is_asked`: only whether it has a key."""
        table = self._dict_of(node, is_asked)
        if table is None:
            return node
        holder = ModuleType("a view")
        vars(holder)["table"] = table
        return located(ast.Attribute(constant(holder), "table", ast.Load()), node)

    def _dict_of(self, node: ast.expr, is_asked: bool) -> object:
        known = self.outside.peek(node)
        if isinstance(known, MappingProxyType) and self.outside.means(node, known):
            found = gc.get_referents(known)[0]
            return found if type(found) is dict else None
        if isinstance(node, ast.Attribute) and node.attr == "__members__":
            of = self.outside.peek(node.value)
            if isinstance(of, enum.EnumMeta) and self.outside.means(node.value, of):
                members: dict[str, object] = dict(of.__members__)  # which nobody can change
                return dict.fromkeys(members, True) if is_asked else members
        return None
