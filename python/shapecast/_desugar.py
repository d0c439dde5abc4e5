"""Rewrites statements of a function's syntax tree into simpler ones, before they are captured.

`match` becomes `if` and `else`, `try` becomes statements `Attempt` (see _try.py), the body of
`with` follows a statement `Enter`, which capture checks, decorators of inner functions become
calls, and names that are imported inside become constants. Nodes keep their locations. Statements
that cannot be rewritten are left, and capture raises UnsupportedError for them.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import importlib
import itertools
import sys
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any, TypeVar

import numpy as np

from shapecast._closing import close_generators
from shapecast._definitions import rewrite_definitions
from shapecast._generator_statements import received_by, stops_are_errors
from shapecast._generators import is_context_manager
from shapecast._memoised import Memoised, asked, question
from shapecast._nexts import rewrite_next
from shapecast._nodes import copied
from shapecast._outside import Found, Outside
from shapecast._replaced import replace
from shapecast._steps import is_stop
from shapecast._try import rewrite_try
from shapecast._with import entered

Bindings = dict[str, ast.expr]  # names that a pattern binds, with their values
_Node = TypeVar("_Node", bound=ast.AST)

# Patterns like `int(x)`: one positional pattern matches the subject itself.
_SELF_MATCHING = {
    "bool",
    "bytes",
    "dict",
    "float",
    "frozenset",
    "int",
    "list",
    "set",
    "str",
    "tuple",
}


class Enter(ast.Expr):
    """`with value:`; the statements of the body follow."""


class _UnsupportedPattern(Exception):
    """A pattern that is not supported: it is left in the tree, where capture reports it."""


def desugar(definition: _Node, outside: Outside, filename: str) -> _Node:
    """Appends to what `outside` says that the code depends on."""
    rewrite_definitions(definition, outside, filename)
    rewrite_next(definition, outside)
    close_generators(definition, outside)
    _name_items(definition)
    inside = {type(node) for node in ast.walk(definition) if node is not definition}
    if not inside.isdisjoint(_REWRITTEN):
        _Imports(definition, outside.dependencies).visit(definition)
        _Statements(definition, outside).visit(definition)
        ast.fix_missing_locations(definition)
    replace(definition, outside)
    return definition


def _name_items(definition: ast.AST) -> None:
    """`for self.x in items` gives each item a name, and assigns it in the body."""
    for number, loop in enumerate(ast.walk(definition)):
        if not isinstance(loop, ast.For):
            continue
        target = loop.target
        if any(isinstance(part, ast.Attribute | ast.Subscript) for part in ast.walk(target)):
            name = f"item {number}"  # not a valid identifier
            loop.body.insert(0, _located(ast.Assign([target], _name(name)), target))
            loop.target = _located(ast.Name(name, ast.Store()), target)


# The statements that the two classes below rewrite; most functions have none.
_REWRITTEN = {
    ast.Import, ast.ImportFrom, ast.FunctionDef, ast.Try, ast.With, ast.Match, ast.While,
    ast.Yield, ast.YieldFrom, ast.Nonlocal,
}  # fmt: skip


class _Imports(ast.NodeTransformer):
    """Replaces a name that only `import` statements bind by the object."""

    def __init__(self, definition: ast.AST, imports: list[Found]) -> None:
        self.objects: dict[str, object] = {}
        stored = {n.id for n in ast.walk(definition) if isinstance(n, ast.Name) and _is_stored(n)}
        stored |= {n.arg for n in ast.walk(definition) if isinstance(n, ast.arg)}
        found: list[tuple[ast.stmt, dict[str, object]]] = []
        for node in ast.walk(definition):
            if isinstance(node, ast.Import | ast.ImportFrom):
                try:
                    found.append(
                        (
                            node,
                            {a.asname or a.name: _imported(node, a, imports) for a in node.names},
                        )
                    )
                except (ImportError, AttributeError):
                    continue
        for _, objects in found:
            for name, value in objects.items():
                if "." in name or self.objects.setdefault(name, value) is not value:
                    stored.add(name)
        self.statements = [node for node, objects in found if not objects.keys() & stored]
        for name in stored:
            self.objects.pop(name, None)

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> ast.stmt:
        return ast.copy_location(ast.Pass(), node) if node in self.statements else node

    visit_ImportFrom = visit_Import

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.objects:
            return node
        return ast.copy_location(_constant(self.objects[node.id]), node)


def _imported(node: ast.Import | ast.ImportFrom, alias: ast.alias, imports: list[Found]) -> object:
    """The imported object; ImportError or AttributeError where the statement is to be left."""
    if isinstance(node, ast.Import):
        importlib.import_module(alias.name)
        first, *inner = alias.name.split(".")
        found: object = sys.modules[first]
        imports.append((sys.modules, first, found))
        for name in inner:  # `import a.b as c`
            found = _attribute(found, name, imports)
        return found
    if node.level or not node.module:
        raise ImportError
    module: object = importlib.import_module(node.module)
    imports.append((sys.modules, node.module, module))
    if not hasattr(module, alias.name):
        importlib.import_module(f"{node.module}.{alias.name}")
    return _attribute(module, alias.name, imports)


def _attribute(module: object, name: str, imports: list[Found]) -> object:
    """An attribute in the module's dict; ImportError where the module's __getattr__ makes it."""
    found = getattr(module, name)
    if type(module) is not ModuleType or module.__dict__.get(name, imports) is not found:
        raise ImportError
    imports += [(module, "", ModuleType), (module.__dict__, name, found)]
    return found


def _is_stored(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store | ast.Del)


def _constant(value: object) -> ast.expr:
    return ast.Constant(value)  # type: ignore[arg-type]  # capture takes any object there


class _Statements(ast.NodeTransformer):
    def __init__(self, definition: ast.AST, outside: Outside) -> None:
        self.definition, self.outside = definition, outside
        self.numbers = itertools.count(1)
        self.tries = 0  # that enclose the current statement
        self.asked = asked(definition)
        self.counted: dict[str, Memoised] = {}

    def visit_FunctionDef(self, node: ast.FunctionDef) -> list[ast.stmt] | ast.stmt:
        """An inner `@d def f`: the function gets another name, and `f = d(name)` follows."""
        if yields(node):
            if node is not self.definition:
                node.written = copied(node)  # type: ignore[attr-defined]  # for capture
            if not str(self.outside.names.get("__name__")).startswith("shapecast."):
                stops_are_errors(node)
            _Yields(node).rewrite()
        _Nonlocals(node).rewrite()
        self.generic_visit(node)
        if node is self.definition or not node.decorator_list:
            return node
        if self.is_cache(node):
            return self.memoised(node)
        undecorated = _name(f"{node.name} undecorated")  # not a valid identifier
        value: ast.expr = undecorated
        for decorator in reversed(node.decorator_list):
            value = _located(ast.Call(decorator, [value], []), decorator)
        assigned = _assign(node.name, value, node.decorator_list[0])
        node.name, node.decorator_list = undecorated.id, []
        return [node, assigned]

    def memoised(self, node: ast.FunctionDef) -> list[ast.stmt]:
        is_asked = node.name in self.asked and not hasattr(node, "of_globals")
        try:
            made = Memoised(node, next(self.numbers), is_asked)
        except ValueError:
            is_asked = False
            made = Memoised(node, next(self.numbers), is_asked)
        if is_asked:
            self.counted[node.name] = made
        return made.statements()

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        of, what = question(node, self.counted)
        return of.info() if of and what == "cache_info" else node

    def is_cache(self, node: ast.FunctionDef) -> bool:
        """Whether its only decorator is functools.cache, or functools.lru_cache."""
        arguments = node.args
        others = (arguments.vararg, arguments.kwarg, *arguments.kwonlyargs, *arguments.defaults)
        if len(node.decorator_list) != 1 or any(others) or yields(node):
            return False
        decorator = node.decorator_list[0]
        callee = decorator
        if isinstance(decorator, ast.Call):
            if any(k.arg != "maxsize" for k in decorator.keywords) or len(decorator.args) > 1:
                return False  # typed=True
            callee = decorator.func
        return self.outside.means(callee, functools.cache, functools.lru_cache)

    def visit_Try(self, node: ast.Try) -> list[ast.stmt]:
        self.tries += 1
        self.generic_visit(node)
        self.tries -= 1
        return rewrite_try(node, self.definition, self.tries > 0)

    def visit_Expr(self, node: ast.Expr) -> ast.stmt | list[ast.stmt]:
        self.generic_visit(node)
        of, what = question(node.value, self.counted)
        return of.cleared() if of and what == "cache_clear" else node

    def visit_While(self, node: ast.While) -> ast.stmt:
        """`while queue and queue.pop(): ...` becomes `while True: if not (...): break; ...`."""
        self.generic_visit(node)
        if node.orelse or not self._may_change_a_container(node.test):
            return node
        ends = ast.If(ast.UnaryOp(ast.Not(), node.test), [ast.Break()], [])
        return _located(ast.While(_constant(True), [ends, *node.body], []), node)

    def _may_change_a_container(self, test: ast.expr) -> bool:
        """A function of the user's, or a method that arrays have not."""
        for node in ast.walk(test):
            if not isinstance(node, ast.Call):
                continue
            called = self.outside.peek(node.func)
            if called is None and isinstance(node.func, ast.Attribute):
                return not hasattr(np.ndarray, node.func.attr)
            if called is None:
                return True
            if isinstance(called, FunctionType) and not _is_of_a_library(called):
                return True
        return False

    def visit_With(self, node: ast.With) -> list[ast.stmt] | ast.stmt:
        if not node.items:
            return [new for old in node.body for new in _as_list(self.visit(old))]
        item = node.items[0]
        rest: list[ast.stmt] = node.body
        if len(node.items) > 1:
            rest = [ast.copy_location(ast.With(node.items[1:], node.body), node)]
        if not _is_errstate(item.context_expr):
            made = self.entered(item, rest)
            if made is None:
                return node
            return [new for old in made for new in _as_list(self.visit(old))]
        entered = ast.copy_location(Enter(item.context_expr), item.context_expr)
        return [entered, *(new for old in rest for new in _as_list(self.visit(old)))]

    def entered(self, item: ast.withitem, body: list[ast.stmt]) -> list[ast.stmt] | None:
        """`with` written out; None where its object is not of a class in Python."""
        value = item.context_expr
        found = self.outside.meaning(value.func if isinstance(value, ast.Call) else value)
        number = next(self.numbers)
        if not isinstance(value, ast.Call):
            enter = getattr(type(found), "__enter__", None)
            known = found is None or isinstance(enter, FunctionType)
            return entered(item, value, body, number) if known else None
        if found is contextlib.suppress and not value.keywords:
            classes = ast.Tuple(value.args, ast.Load())
            handler = ast.ExceptHandler(classes, None, [ast.Pass()])
            attempt = ast.Try(body, [handler], [], [])
            return [_located(attempt, value)] if item.optional_vars is None else None
        if is_context_manager(found):
            generator = getattr(found, "__wrapped__", found)
            return None if _is_of_a_library(generator) else entered(item, value, body, number)
        enter = getattr(found, "__enter__", None) if isinstance(found, type) else found
        if found is not None and (not isinstance(enter, FunctionType) or _is_of_a_library(found)):
            return None
        return entered(item, value, body, number)

    def visit_Match(self, node: ast.Match) -> list[ast.stmt] | ast.stmt:
        self.generic_visit(node)
        stored = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and _is_stored(n)}
        stored |= {getattr(n, "name", "") for n in ast.walk(node) if isinstance(n, ast.pattern)}
        if isinstance(node.subject, ast.Name) and node.subject.id not in stored:
            return self.cases(node.cases, node.subject.id)
        subject = f"match {next(self.numbers)}"  # not a valid identifier
        first = _assign(subject, node.subject, node.subject)
        return [first, *self.cases(node.cases, subject)]

    def cases(self, cases: list[ast.match_case], subject: str) -> list[ast.stmt]:
        """The statements for these cases, tested in order."""
        if not cases:
            return []
        case, rest = cases[0], cases[1:]
        bindings: Bindings = {}
        try:
            pattern = _ByName(self.outside).visit(case.pattern)
            test = _test(pattern, _name(subject), bindings)
        except _UnsupportedPattern:
            test = [case.pattern]  # type: ignore[list-item]  # capture reports it
        bound = [_assign(n, value, case.pattern) for n, value in bindings.items()]
        if not case.guard or not bound:
            tests = [*test, *([case.guard] if case.guard else [])]
            body = [*bound, *case.body]
            if not tests:
                return body
            return [_if(case.pattern, _all(tests), body, self.cases(rest, subject))]
        # The guard reads the bound names, which stay bound if it fails: so a flag has its result.
        matched = f"matched {next(self.numbers)}"
        body = [
            _if(
                case.guard,
                case.guard,
                [_assign(matched, _constant(True), case.guard), *case.body],
                [],
            )
        ]
        guarded = [*bound, *body]
        others = self.cases(rest, subject)
        tried = [_if(case.pattern, _all(test), guarded, [])] if test else guarded
        if not others:
            return tried
        if not _ends(case.body):
            no = ast.UnaryOp(ast.Not(), _name(matched))
            others = [_if(rest[0].pattern, no, others, [])]
        return [_assign(matched, _constant(False), case.pattern), *tried, *others]


def _called_name(callee: ast.expr) -> str:
    return getattr(callee, "id", "") or getattr(callee, "attr", "")


def _is_errstate(value: ast.expr) -> bool:
    """Whether it is np.errstate(...), which capture checks."""
    return isinstance(value, ast.Call) and _called_name(value.func) == "errstate"


def _is_of_a_library(function: Any) -> bool:
    """Whether it is part of what compiled code only calls in Python."""
    return str(function.__module__).partition(".")[0] in ("numpy", "warnings", "threading")


class _Nonlocals(ast.NodeTransformer):
    """Variables that an inner function assigns (`nonlocal c`) become the item of a list, "c cell",
    which both functions hold: `c` becomes `"c cell"[0]`.
    """

    def __init__(self, function: ast.FunctionDef) -> None:
        self.function = function
        inner = list(_own_functions(function))
        declared = {name for one in inner for name in _declared(one)}
        own = _bound_names(function) - _declared(function)
        self.names = declared & own

    def rewrite(self) -> None:
        if not self.names:
            return
        parameters = {a.arg for a in ast.walk(self.function.args) if isinstance(a, ast.arg)}
        self.function.body = [
            new for old in self.function.body for new in _as_list(self.visit(old))
        ]
        for name in sorted(self.names):
            first = _name(name) if name in parameters else _constant(None)
            cell = ast.List([first], ast.Load())
            self.function.body.insert(0, _assign(f"{name} cell", cell, self.function.body[0]))

    def visit_Nonlocal(self, node: ast.Nonlocal) -> ast.stmt:
        node.names = [name for name in node.names if name not in self.names]
        return node if node.names else ast.copy_location(ast.Pass(), node)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.names:
            return node
        item = ast.Subscript(_name(f"{node.id} cell"), _constant(0), node.ctx)
        return _located(item, node)

    def _visit_scope(self, node: Any) -> ast.AST:
        """An inner function with a variable of its own of that name does not mean this one."""
        hidden = _bound_names(node) - _declared(node)
        outer, self.names = self.names, self.names - hidden
        self.generic_visit(node)
        self.names = outer
        kept: ast.AST = node
        return kept

    visit_FunctionDef = visit_Lambda = _visit_scope


def _own_functions(function: ast.AST) -> Iterator[ast.AST]:
    """The functions in it, and those in them."""
    for node in ast.walk(function):
        if node is not function and isinstance(node, ast.FunctionDef):
            yield node


def _declared(function: ast.AST) -> set[str]:
    """The names that it declares nonlocal."""
    return {name for n in _own_nodes(function) if isinstance(n, ast.Nonlocal) for name in n.names}


def _bound_names(function: Any) -> set[str]:
    """The parameters of a function, and the names that it assigns."""
    names = {a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg)}
    for node in _own_nodes(function):
        if isinstance(node, ast.Name) and _is_stored(node):
            names.add(node.id)
    return names | {
        n.name for n in ast.iter_child_nodes(function) if isinstance(n, ast.FunctionDef)
    }


CONSUME = "consume "  # the hidden parameter of generator functions; not a valid identifier


def yields(function: ast.AST) -> bool:
    """Whether it is a generator function."""
    own = _own_nodes(function)
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in own)


def _own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """The nodes in it that are in no function inside it."""
    for child in ast.iter_child_nodes(function):
        if not isinstance(child, _FUNCTIONS):
            yield child
            yield from _own_nodes(child)


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def _is_endless(node: ast.AST) -> bool:
    """Whether it is a `while True` with a `yield` that nothing in it leaves."""
    if not isinstance(node, ast.While) or not isinstance(node.test, ast.Constant):
        return False
    inner = list(_own_nodes(node))
    leaves = (ast.Break, ast.Return, ast.Raise)  # a break of a loop in it is taken for one, too
    yields_here = any(isinstance(one, ast.Yield | ast.YieldFrom) for one in inner)
    return bool(node.test.value) and yields_here and not any(isinstance(n, leaves) for n in inner)


class _Yields(ast.NodeTransformer):
    """`yield v` becomes `if not consume(v): return`, where `consume` is the body of the loop over
    the generator, and says whether that goes on; `yield from v` becomes a loop.
    """

    def __init__(self, function: ast.FunctionDef) -> None:
        self.function = function
        self.numbers = itertools.count(1)

    def rewrite(self) -> None:
        self.function.yields = True  # type: ignore[attr-defined]  # for capture
        endless = any(_is_endless(node) for node in _own_nodes(self.function))
        self.function.endless = endless  # type: ignore[attr-defined]
        self.function.body = [
            new for old in self.function.body for new in _as_list(self.visit(old))
        ]

    def visit(self, node: ast.AST) -> Any:
        return node if isinstance(node, _FUNCTIONS) else super().visit(node)

    def visit_Assign(self, node: ast.stmt) -> Any:
        """`x = yield v`: a loop sends nothing."""
        received = received_by(node)
        if received is None:
            return node
        item, statement, name = received
        sent = _assign(name.id, _constant(None), node)
        return [*_as_list(self.visit_Expr(item)), sent, statement]

    visit_AugAssign = visit_AnnAssign = visit_Return = visit_Assign

    def visit_Raise(self, node: ast.Raise) -> ast.stmt:
        """Python does not let it end the generator, for which `return` is."""
        if is_stop(node):
            text = _constant("generator raised StopIteration")
            node.exc = _located(ast.Call(_constant(RuntimeError), [text], []), node)
        return node

    def visit_Expr(self, node: ast.Expr) -> Any:
        value = node.value
        if isinstance(value, ast.Yield):
            item = value.value or _located(_constant(None), value)
            test = ast.UnaryOp(ast.Not(), ast.Call(_name(CONSUME), [item], []))
            return _if(value, _located(test, value), [_located(ast.Return(None), value)], [])
        if isinstance(value, ast.YieldFrom):
            item_name = f"yielded {next(self.numbers)}"
            each = ast.Expr(ast.Yield(_name(item_name)))
            loop = ast.For(
                ast.Name(item_name, ast.Store()), value.value, [_located(each, value)], []
            )
            loop = _located(loop, value)
            loop.body = [self.visit_Expr(loop.body[0])]  # type: ignore[arg-type]
            return loop
        return self.visit_Assign(node)


def _as_list(found: Any) -> list[ast.stmt]:
    return found if isinstance(found, list) else [found]


class _ByName(ast.NodeTransformer):
    """Gives the names of attributes to positional patterns of classes: their `__match_args__`."""

    def __init__(self, outside: Outside) -> None:
        self.outside = outside

    def visit_MatchClass(self, node: ast.MatchClass) -> ast.AST:
        self.generic_visit(node)
        names = getattr(self.outside.meaning(node.cls), "__match_args__", ())
        if isinstance(names, tuple) and 0 < len(node.patterns) <= len(names):
            node.kwd_attrs = [*names[: len(node.patterns)], *node.kwd_attrs]
            node.kwd_patterns = [*node.patterns, *node.kwd_patterns]
            node.patterns = []
        return node


def _test(pattern: ast.pattern, subject: ast.expr, bindings: Bindings) -> list[ast.expr]:
    """The tests for the pattern to match, in Python's order; adds the names that it binds."""
    location = pattern
    match pattern:
        case ast.MatchValue(value):
            return [_compare(location, subject, ast.Eq(), value)]
        case ast.MatchSingleton(value):
            return [_compare(location, subject, ast.Is(), _constant(value))]
        case ast.MatchAs(inner, name):
            tests = _test(inner, subject, bindings) if inner else []
            if name:
                bindings[name] = subject
            return tests
        case ast.MatchOr(patterns):
            return [_either(patterns, subject, bindings)]
        case ast.MatchSequence(patterns):
            return _sequence(patterns, subject, bindings)
        case ast.MatchMapping(keys, patterns, None):
            tests = [_isinstance(subject, _constant(dict))]
            for key, inner in zip(keys, patterns, strict=True):
                tests.append(_compare(location, key, ast.In(), subject))
                tests += _test(inner, ast.Subscript(subject, key, ast.Load()), bindings)
            return tests
        case ast.MatchClass(cls, [], names, patterns):
            tests = [_isinstance(subject, cls)]
            for attribute, inner in zip(names, patterns, strict=True):
                tests += _test(inner, ast.Attribute(subject, attribute, ast.Load()), bindings)
            return tests
        case ast.MatchClass(ast.Name(name) as cls, [inner], [], []) if name in _SELF_MATCHING:
            return [_isinstance(subject, cls), *_test(inner, subject, bindings)]
    raise _UnsupportedPattern


def _either(patterns: list[ast.pattern], subject: ast.expr, bindings: Bindings) -> ast.expr:
    """`a | b`: binds what the first matching alternative binds."""
    found: list[tuple[ast.expr, Bindings]] = []
    for pattern in patterns:
        names: Bindings = {}
        found.append((_all(_test(pattern, subject, names) or [_constant(True)]), names))
    for name in found[-1][1]:
        value = found[-1][1][name]
        for test, names in reversed(found[:-1]):
            value = ast.IfExp(test, names[name], value)
        bindings[name] = value
    return ast.BoolOp(ast.Or(), [test for test, _ in found])


def _sequence(patterns: list[ast.pattern], subject: ast.expr, bindings: Bindings) -> list[ast.expr]:
    """Tuples and lists; arrays are not sequences for Python."""
    star = next((i for i, p in enumerate(patterns) if isinstance(p, ast.MatchStar)), None)
    count = len(patterns)
    length = _call(len, subject)
    min_length = _constant(count - (star is not None))
    kinds = ast.Tuple([_constant(tuple), _constant(list)], ast.Load())
    tests = [
        _isinstance(subject, kinds),
        ast.Compare(length, [ast.Eq() if star is None else ast.GtE()], [min_length]),
    ]
    for i, pattern in enumerate(patterns):
        if isinstance(pattern, ast.MatchStar):
            if pattern.name:
                end = _constant(i + 1 - count) if i + 1 < count else None
                part = ast.Subscript(subject, ast.Slice(_constant(i), end), ast.Load())
                bindings[pattern.name] = ast.List([ast.Starred(part)], ast.Load())
            continue
        at = i if star is None or i < star else i - count
        tests += _test(pattern, ast.Subscript(subject, _constant(at), ast.Load()), bindings)
    return tests


def _ends(body: list[ast.stmt]) -> bool:
    """Whether the block jumps at its end."""
    return isinstance(body[-1], ast.Return | ast.Raise | ast.Break | ast.Continue)


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _assign(name: str, value: ast.expr, location: ast.AST) -> ast.stmt:
    return _located(ast.Assign([ast.Name(name, ast.Store())], value), location)


def _if(
    location: ast.AST, test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt]
) -> ast.stmt:
    return _located(ast.If(test, body, orelse), location)


def _compare(location: ast.AST, left: ast.expr, op: ast.cmpop, right: ast.expr) -> ast.expr:
    return _located(ast.Compare(left, [op], [right]), location)


def _call(function: object, *arguments: ast.expr) -> ast.expr:
    return ast.Call(_constant(function), list(arguments), [])


def _isinstance(value: ast.expr, cls: ast.expr) -> ast.expr:
    return _call(isinstance, value, cls)


def _all(tests: list[ast.expr]) -> ast.expr:
    return tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)


def _located(node: _Node, location: ast.AST) -> _Node:
    """Gives the location to the node and to synthesised nodes in it."""
    for inner in _synthesised(node):
        ast.copy_location(inner, location)
    return node


def _synthesised(node: ast.AST) -> Iterator[ast.AST]:
    if hasattr(node, "lineno"):
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _synthesised(child)
