"""Definitions inside a function, rewritten before capture: classes, which are made once, functions
that call one another, of which each gets copies of the others, and names declared `global`.
"""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

from shapecast._nodes import copied
from shapecast._outside import Outside, names_in

# By what they are made of: as another variant is compiled, it finds the same class.
_classes: dict[tuple[int, str, str], type] = {}


def rewrite_definitions(definition: ast.AST, outside: Outside, filename: str) -> None:
    """Classes in it become constants; then its inner functions are nested."""
    _cache_recursions(definition, outside)
    functions = [n for n in ast.walk(definition) if isinstance(n, ast.FunctionDef)]
    for function in functions:
        if any(isinstance(statement, ast.ClassDef) for statement in function.body):
            _Classes(function, definition, outside, filename).rewrite()
    for function in functions:
        function.body = _nested(function.body)
        _Globals(function, outside).rewrite()


class _Classes(ast.NodeTransformer):
    """Replaces the names of classes that read no variable of the functions around them."""

    def __init__(
        self, function: ast.FunctionDef, definition: ast.AST, outside: Outside, filename: str
    ) -> None:
        self.function, self.definition = function, definition
        self.outside, self.filename = outside, filename
        self.made: dict[str, type] = {}

    def rewrite(self) -> None:
        body: list[ast.stmt] = []
        for statement in self.function.body:
            made = self.class_of(statement) if isinstance(statement, ast.ClassDef) else None
            if made is None:
                body.append(statement)
            else:
                self.made[made.__name__] = made
        if self.made:
            self.function.body = body or [ast.copy_location(ast.Pass(), self.function)]
            self.generic_visit(self.function)

    def class_of(self, node: ast.ClassDef) -> type | None:
        stores = (n for n in ast.walk(self.function) if isinstance(n, ast.Name))
        if any(n.id == node.name and not isinstance(n.ctx, ast.Load) for n in stores):
            return None  # the name means something else, too
        inner = self.visit(copied(node)) if self.made else node
        key = (id(self.outside.names), self.filename, ast.dump(inner, include_attributes=True))
        for name in self.names_read(inner):
            if name in self.outside.names:
                self.outside.dependencies.append(
                    (self.outside.names, name, self.outside.names[name])
                )
        if key not in _classes:
            code = self.code_of(inner)
            if code is None:
                return None
            made: dict[str, Any] = {}
            exec(code, self.outside.names, made)
            _classes[key] = made["made"]()
        return _classes[key]

    def code_of(self, node: ast.ClassDef) -> CodeType | None:
        """Of a function `made` that makes the class; None where it reads variables from around."""
        if self.names_read(node) & (_names_of(self.definition) - {node.name}):
            return None
        returned = ast.Return(ast.Name(node.name, ast.Load()))
        arguments = ast.arguments([], [], None, [], [], None, [])
        around = ast.FunctionDef("made", arguments, [node, returned], [])
        around.type_params = []  # type: ignore[attr-defined]  # from Python 3.12 on
        module = ast.Module([ast.copy_location(around, node)], [])
        return compile(ast.fix_missing_locations(module), self.filename, "exec", dont_inherit=True)

    def names_read(self, node: ast.ClassDef) -> set[str]:
        """From around it, as Python's compiler finds them."""
        module = ast.Module([ast.fix_missing_locations(copied(node))], [])
        constants = [n for n in ast.walk(module) if isinstance(n, ast.Constant)]
        for one in constants:  # what the visitors below put there
            if isinstance(one.value, type):
                one.value = None
        return set(names_in(compile(module, self.filename, "exec"))) - {node.name}

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.made:
            return node
        value: Any = self.made[node.id]
        return ast.copy_location(ast.Constant(value), node)


def _names_of(definition: ast.AST) -> set[str]:
    """What the functions in it, which are no methods, bind."""
    names: set[str] = set()
    for node in _outside_classes(definition):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.FunctionDef) and node is not definition:
            names.add(node.name)
    return names


def _outside_classes(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.ClassDef):
            yield from _outside_classes(child)


class _Globals(ast.NodeTransformer):
    """`global c` in a function: there `c` becomes an attribute of the module, which capture takes
    for that of an object that the function changes.
    """

    def __init__(self, function: ast.FunctionDef, outside: Outside) -> None:
        self.function = function
        own = [n for n in _own_nodes(function) if isinstance(n, ast.Global)]
        self.names = {name for node in own for name in node.names}
        name = outside.names.get("__name__")
        self.module = sys.modules.get(name) if isinstance(name, str) else None
        if self.names and self.module is not None:
            outside.dependencies.append((sys.modules, str(name), self.module))
        self.can = getattr(self.module, "__dict__", None) is outside.names

    def rewrite(self) -> None:
        if self.names and self.can:
            self.function.body = [self.visit(old) for old in self.function.body]

    def visit_Global(self, node: ast.Global) -> ast.stmt:
        return ast.copy_location(ast.Pass(), node)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.names:
            return node
        module: Any = self.module
        owner = ast.copy_location(ast.Constant(module), node)
        owner.of_globals = True  # type: ignore[attr-defined]  # for capture
        return ast.copy_location(ast.Attribute(owner, node.id, node.ctx), node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node

    visit_Lambda = visit_FunctionDef  # type: ignore[assignment]


def _own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(function):
        if not isinstance(child, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            yield child
            yield from _own_nodes(child)


#  Cached functions


def _cache_recursions(definition: ast.AST, outside: Outside) -> None:
    """Functions with functools.cache that call themselves become functions inside, with a memo,
    which lasts for a call of this one.
    """
    if not isinstance(definition, ast.FunctionDef):
        return
    called = [n.func for n in ast.walk(definition) if isinstance(n, ast.Call)]
    names = {one.id: one for one in called if isinstance(one, ast.Name)}
    for name, node in sorted(names.items()):
        cached = outside.peek(node)
        if not isinstance(cached, _CACHED) or name == definition.name:
            continue
        inner = _recursion_of(cached.__wrapped__, name, definition, outside)
        if inner is not None:
            outside.meaning(node)  # on which the code depends now
            definition.body.insert(_first_statement(definition), inner)


_CACHED = type(functools.cache(len))


def calls_cached(function: FunctionType) -> bool:
    """Whether it names a function with functools.cache."""
    names = function.__globals__
    return any(isinstance(names.get(name), _CACHED) for name in names_in(function.__code__))


def _recursion_of(
    function: Any, name: str, definition: ast.FunctionDef, outside: Outside
) -> ast.FunctionDef | None:
    """Its definition, to stand in the other; None where it would mean something else there."""
    if not isinstance(function, FunctionType) or function.__closure__:
        return None
    found = outside.tree_of(function) if function.__globals__ is outside.names else None
    if not isinstance(found, ast.FunctionDef) or found.name != name:
        return None
    given = found.args
    others = (given.vararg, given.kwarg, *given.kwonlyargs, *given.defaults)
    read = _loaded(found) - _names_of(found)
    if any(others) or name not in read or read & outside.locals - {name}:
        return None
    outside.functions.append(function)
    inner = copied(found)
    cache: Any = functools.cache
    inner.decorator_list = [ast.copy_location(ast.Constant(cache), found)]
    inner.of_globals = True  # type: ignore[attr-defined]  # whose results outlast the call
    return inner


def _first_statement(definition: ast.FunctionDef) -> int:
    """Behind the docstring."""
    first = definition.body[0]
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return int(is_text)


#  Functions that call one another


def _nested(body: list[ast.stmt]) -> list[ast.stmt]:
    """The body, where each of several functions that call one another has the others in it."""
    functions = {s.name: s for s in body if isinstance(s, ast.FunctionDef)}
    uses = {name: _loaded(function) & functions.keys() for name, function in functions.items()}
    groups = [group for group in _groups(uses) if len(group) > 1]
    if not groups or not all(_may_move(functions[name]) for group in groups for name in group):
        return body
    rest = [s for s in body if not isinstance(s, ast.FunctionDef)]
    used = set().union(*(_loaded(s) for s in rest))
    result: list[ast.stmt] = []
    for statement in body:
        group = next((g for g in groups if getattr(statement, "name", None) in g), None)
        if group is None or not isinstance(statement, ast.FunctionDef):
            result.append(statement)
        elif statement.name in used or any(
            statement.name in uses[other] for other in uses.keys() - group
        ):
            result.append(_with_others(statement, group, functions, uses))
    return result


def _with_others(
    function: ast.FunctionDef,
    group: set[str],
    functions: dict[str, ast.FunctionDef],
    uses: dict[str, set[str]],
) -> ast.FunctionDef:
    """The function with the rest of its group in it; what these call outside the rest is itself."""
    rest = group - {function.name}
    inner: list[ast.stmt] = [copied(functions[name]) for name in _callees_first(rest, uses)]
    made = copied(function)
    made.body = [*_nested([*inner, _use_of(rest, function)])[:-1], *made.body]
    return made


def _use_of(names: set[str], where: ast.AST) -> ast.stmt:
    """A statement that reads these names, for _nested."""
    loads: list[ast.expr] = [ast.Name(name, ast.Load()) for name in sorted(names)]
    return ast.copy_location(ast.Expr(ast.Tuple(loads, ast.Load())), where)


def _callees_first(names: set[str], uses: dict[str, set[str]]) -> list[str]:
    order: list[str] = []

    def add(name: str, path: tuple[str, ...]) -> None:
        for other in sorted(uses[name] & names):
            if other not in path and other not in order:
                add(other, (*path, name))
        if name not in order:
            order.append(name)

    for name in sorted(names):
        add(name, (name,))
    return order


def _groups(uses: dict[str, set[str]]) -> list[set[str]]:
    """The sets of functions that reach one another."""
    reached = {name: set(others) for name, others in uses.items()}
    for _ in uses:
        for name, others in reached.items():
            reached[name] = others.union(*(reached[other] for other in others))
    groups: list[set[str]] = []
    for name in uses:
        group = {name} | {other for other in reached[name] if name in reached[other]}
        if group not in groups:
            groups.append(group)
    return groups


def _loaded(node: ast.AST) -> set[str]:
    names = (n for n in ast.walk(node) if isinstance(n, ast.Name))
    return {n.id for n in names if isinstance(n.ctx, ast.Load)}


def _may_move(function: ast.FunctionDef) -> bool:
    """Whether its definition computes nothing."""
    defaults = [*function.args.defaults, *(d for d in function.args.kw_defaults if d)]
    return not function.decorator_list and all(isinstance(d, ast.Constant) for d in defaults)
