"""Variables that next() takes items of more than once, or send() is called on: they hold instances
of the classes of _iterators.py and _generators.py.
"""

from __future__ import annotations

import ast
import itertools

from shapecast._generators import class_for, is_generator_function
from shapecast._iterators import Count, Cycle, Repeat, collected, iterator
from shapecast._nodes import constant, located
from shapecast._outside import Outside


def rewrite_next(definition: ast.AST, outside: Outside) -> None:
    takes = any(_next_of(n) for n in ast.walk(definition))
    if takes and outside.means(ast.Name("next", ast.Load()), next):
        _Nexts(definition, outside).visit(definition)


class _Nexts(ast.NodeTransformer):
    def __init__(self, definition: ast.AST, outside: Outside) -> None:
        self.outside = outside
        nodes = list(ast.walk(definition))
        stored = [n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        loads = [n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
        loops = [n for n in nodes if isinstance(n, _REPEATED) and n is not definition]
        repeated = {id(n) for loop in loops for n in ast.walk(loop)}
        calls = [n for n in nodes if isinstance(n, ast.Call) and _next_of(n)]
        names_read = [_next_of(call) for call in calls]
        # What takes all items, as zip() does, may never end: only next() and loops are known.
        iterated = [
            n.iter.id
            for n in nodes
            if isinstance(n, ast.For | ast.comprehension) and isinstance(n.iter, ast.Name)
        ]
        self.iterators = {
            name
            for name in names_read
            if stored.count(name) == 1
            and loads.count(name) == names_read.count(name) + iterated.count(name)
        }
        # Of the others only the first item is taken.
        self.several = {
            name
            for name, call in zip(names_read, calls, strict=True)
            if loads.count(name) > 1 or id(call) in repeated or isinstance(call.func, ast.Attribute)
        }

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        target, value = node.targets[0], node.value
        if isinstance(target, ast.Name) and target.id in self.iterators:
            node.value = self.iterator(value, target.id in self.several)
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for k, (one, given) in enumerate(zip(target.elts, value.elts, strict=False)):
                if isinstance(one, ast.Name) and one.id in self.iterators:
                    value.elts[k] = self.iterator(given, one.id in self.several)
        return node

    def iterator(self, value: ast.expr, several: bool) -> ast.expr:
        if isinstance(value, ast.IfExp):
            value.body = self.iterator(value.body, several)
            value.orelse = self.iterator(value.orelse, several)
        if not isinstance(value, ast.Call):
            return value
        function = self.outside.meaning(value.func)
        made_class = {id(itertools.count): Count, id(itertools.cycle): Cycle}.get(id(function))
        if function is itertools.repeat and len(value.args) == 1 and not value.keywords:
            made_class = Repeat
        if function is iter and len(value.args) == 1 and several:
            return located(ast.Call(constant(iterator), value.args, []), value)
        if function in _EAGER and several:
            return located(ast.Call(constant(collected), [value], []), value)
        if is_generator_function(function) and several:
            made_class = class_for(function, self.outside.tree(function))
        if made_class is not None:
            value.func = ast.copy_location(constant(made_class), value.func)
        return value


_EAGER = (zip, enumerate, reversed, map, filter)
_REPEATED = (
    ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
    ast.FunctionDef, ast.Lambda,
)  # fmt: skip


def _next_of(node: ast.AST) -> str:
    """The variable that a call of next(), send() or close() is about; "" for other nodes."""
    if not isinstance(node, ast.Call):
        return ""
    if isinstance(node.func, ast.Attribute):
        value = node.func.value
        return value.id if node.func.attr in _OF_GENERATORS and isinstance(value, ast.Name) else ""
    if _called(node) != "next" or not node.args:
        return ""
    return node.args[0].id if isinstance(node.args[0], ast.Name) else ""


_OF_GENERATORS = ("send", "close", "throw")


def _called(node: ast.AST) -> str:
    """The name that it calls; "" for other expressions."""
    called = node.func if isinstance(node, ast.Call) else None
    return called.id if isinstance(called, ast.Name) else ""
