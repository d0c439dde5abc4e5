"""`print(...)` where it is no statement: in the body of a lambda, after `and`, as an argument, as a
value. There it is a function of ours (library/printing.py), whose result is None. Items of `*` are
joined, for their number may be known at run time only.
"""

from __future__ import annotations

import ast
import sys

from shapecast._outside import Outside
from shapecast.library import printing


class Printing(ast.NodeTransformer):
    def __init__(self, outside: Outside) -> None:
        self.outside = outside

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        """A statement, which capture knows where its separator and end are written down."""
        call = node.value
        if not isinstance(call, ast.Call) or not self.outside.means(call.func, print):
            self.generic_visit(node)
        elif _has_values(call):
            node.value = self.visit(call)
        else:
            _join(call)
            call.args = [self.visit(one) for one in call.args]
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        ours = self.outside.means(node.func, print) and self._function_for(node)
        if ours:
            node.func = _constant(ours, node.func)
            _join(node)
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        is_read = isinstance(node.ctx, ast.Load)
        return _constant(printing.printed, node) if is_read and self._is_print(node) else node

    def _is_print(self, node: ast.Name) -> bool:
        return node.id == "print" and self.outside.means(node, print)

    def _function_for(self, call: ast.Call) -> object:
        """By where it prints to, and whether at once; None where that is not written down."""
        others = [one for one in call.keywords if one.arg in ("file", "flush")]
        call.keywords = [one for one in call.keywords if one not in others]
        given = {one.arg: one.value for one in others}
        file, flush = (given.get(name, ast.Constant(None)) for name in ("file", "flush"))
        if not isinstance(flush, ast.Constant):
            call.keywords += others
            return None
        is_none = isinstance(file, ast.Constant) and file.value is None
        if is_none or self._is_of_sys(file, "stdout"):
            return printing.printed_now if flush.value else printing.printed
        if self._is_of_sys(file, "stderr"):
            return printing.complained
        call.keywords += others
        return None

    def _is_of_sys(self, node: ast.expr, name: str) -> bool:
        """Whether it is sys.stdout, say, whatever that is now."""
        if not isinstance(node, ast.Attribute) or node.attr != name:
            return False
        return self.outside.means(node.value, sys)


def _has_values(call: ast.Call) -> bool:
    """Whether its separator or end is computed."""
    texts = [one.value for one in call.keywords if one.arg in ("sep", "end")]
    return not all(isinstance(one, ast.Constant) for one in texts)


def _join(call: ast.Call) -> None:
    """`print(a, *b, sep=s)` becomes `print(s.join([str(a), *map(str, b)]))`."""
    is_open = any(one.arg is None for one in call.keywords)  # print(*a, **others)
    if is_open or not any(isinstance(one, ast.Starred) for one in call.args):
        return
    given = [one.value for one in call.keywords if one.arg == "sep"]
    is_written = given and not (isinstance(given[0], ast.Constant) and given[0].value is None)
    separator = given[0] if is_written else _constant(" ", call)
    texts: list[ast.expr] = [
        ast.Starred(_call(map, call, _constant(str, call), one.value), ast.Load())
        if isinstance(one, ast.Starred)
        else _call(str, call, one)
        for one in call.args
    ]
    join = ast.Attribute(separator, "join", ast.Load())
    call.args = [ast.Call(join, [ast.List(texts, ast.Load())], [])]
    call.keywords = [one for one in call.keywords if one.arg != "sep"]
    ast.fix_missing_locations(call)


def _call(function: object, where: ast.expr, *arguments: ast.expr) -> ast.expr:
    return ast.copy_location(ast.Call(_constant(function, where), list(arguments), []), where)


def _constant(value: object, where: ast.AST) -> ast.expr:
    return ast.copy_location(ast.Constant(value), where)  # type: ignore[arg-type]
