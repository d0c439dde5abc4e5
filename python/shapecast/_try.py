"""Rewrites `try` into statements `Attempt`, each of which records whether its body raised.

    try:                        attempt a = 1                (failed, handler, number)
        a = 1                   if failed == 0:
        b = f(a)                    attempt b = f(a)
    except ValueError as e:     if failed == 0: c()
        g(e)              ->    elif handler == 1:
    else:                           e = caught(number); g(e)
        c()                     else:
    finally:                        raise caught(number)
        h()                     h()   (also before each jump out of the statement)

The body of an attempt is outlined to a function: if it raises, its assignments are lost, and only
stores to arrays remain. So variables that are live after the exception are assigned in attempts of
one statement each; `if` and loops that assign such variables, or jump, are split in the same way.
"""

from __future__ import annotations

import ast
import copy
import itertools
from collections.abc import Iterator, Sequence

from ._errors import UnsupportedError
from ._nodes import constant, copied
from .library import primitives

# For variables whose names are not valid identifiers.
_numbers = itertools.count(1)


class Attempt(ast.stmt):
    """Runs its body and sets `targets`: whether it raised, which of `classes` the exception matches
    (from 1; 0: none), and its number.
    """

    _fields = ("targets", "classes", "body")

    def __init__(
        self, targets: Sequence[ast.expr], classes: Sequence[ast.expr], body: Sequence[ast.stmt]
    ):
        super().__init__()
        self.targets, self.classes, self.body = list(targets), list(classes), list(body)


class Caught(ast.expr):
    """The exception with that number, which a handler of `classes` caught."""

    _fields = ("number", "classes")

    def __init__(self, number: ast.expr, classes: ast.expr | None = None):
        super().__init__()
        self.number = number
        self.classes = ast.Constant(BaseException) if classes is None else classes  # type: ignore[arg-type]


class Forget(ast.Delete):
    """Deletes the name of a handler at its end, after an assignment of None to it."""


def rewrite_try(node: ast.Try, function: ast.AST, nested: bool) -> list[ast.stmt]:
    """`function`: the enclosing one; `nested`: in another try, whose handlers may run next.
    Statements in `finally` have been rewritten already.
    """
    if node.finalbody and (node.handlers or node.orelse):
        inner = copy.copy(node)
        inner.finalbody = []
        outer = copy.copy(node)
        outer.body, outer.handlers, outer.orelse = rewrite_try(inner, function, True), [], []
        return rewrite_try(outer, function, nested)
    return _Try(node, function, nested).statements()


class _Try:
    def __init__(self, node: ast.Try, function: ast.AST, nested: bool) -> None:
        self.node = node
        number = next(_numbers)
        self.names = [f"{word} {number}" for word in ("failed", "handler", "number")]
        self.classes = [h.type or ast.Constant(BaseException) for h in node.handlers]  # type: ignore[arg-type]
        self.swallows = any(map(_leaves, node.finalbody))
        if self.swallows:  # except UnsupportedError
            self.classes = [ast.Constant(UnsupportedError)]  # type: ignore[arg-type]
        inside = {id(n) for statement in node.body for n in ast.walk(statement)}
        self.loops = 0  # of the body that enclose the current statement
        ends = all(isinstance(h.body[-1], ast.Return | ast.Raise) for h in node.handlers)
        ends = ends and not nested
        # Those of a `with` that is written out are not in the function yet.
        seen: list[ast.AST] = [*node.handlers, *node.finalbody, *([] if ends else [function])]
        self.observed = {
            n.id
            for root in seen
            for n in ast.walk(root)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and id(n) not in inside
        }

    def statements(self) -> list[ast.stmt]:
        failed, handler, number = self.names
        zero: list[ast.stmt] = [_assign(name, ast.Constant(0)) for name in self.names]
        body = [*zero, *self.guarded(self.node.body)]
        if self.node.finalbody:
            again = [_if(_is(failed, 1), [_raise(number)])]
            if self.swallows:
                body.append(_if(_is(handler, 1), [_raise(number)]))
            return _located([*body, *self.node.finalbody, *again], self.node)
        tests: list[ast.stmt] = [_raise(number)]
        for k in range(len(self.node.handlers), 0, -1):
            tests = [_if(_is(handler, k), self.handler(self.node.handlers[k - 1]), tests)]
        return _located(
            [*body, _if(_is(failed, 0), self.node.orelse or [ast.Pass()], tests)], self.node
        )

    def handler(self, handler: ast.ExceptHandler) -> list[ast.stmt]:
        caught = Caught(_load(self.names[2]), copied(handler.type))
        body = [_Reraise(caught).visit(statement) for statement in handler.body]
        if not handler.name:
            return body
        forget: list[ast.stmt] = [
            _assign(handler.name, ast.Constant(None)),
            Forget([ast.Name(handler.name, ast.Del())]),
        ]
        return [_assign(handler.name, caught), *body, *([] if _jumps(body) else forget)]

    def guarded(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        """The statements, guarded so that none runs after one that raised."""
        if not statements:
            return []
        sizes = range(len(statements), 0, -1)
        count = next((n for n in sizes if self.is_whole(statements[:n])), 0)
        first = [self.attempt(list(statements[:count]))] if count else self.statement(statements[0])
        rest = self.guarded(statements[count or 1 :])
        if rest and any(isinstance(n, Attempt) for s in first for n in ast.walk(s)):
            rest = [_if(_is(self.names[0], 0), rest)]
        return first + rest

    def is_whole(self, statements: Sequence[ast.stmt]) -> bool:
        """Whether one attempt can run them all: they do not jump, and what they assign is not live
        after an exception."""
        if any(_leaves(s) or _has_attempt(s) for s in statements):
            return False
        if len(statements) == 1 and _assigns_last(statements[0]):
            return not isinstance(statements[0], Forget)
        return not _assigned(statements) & self.observed

    def assigns_observed(self, test: ast.expr) -> bool:
        """Whether a `:=` in it, after which it may raise, assigns what is live after that."""
        return any(
            isinstance(n, ast.NamedExpr) and isinstance(n.target, ast.Name)
            and n.target.id in self.observed
            for n in ast.walk(test)
        )  # fmt: skip

    def statement(self, s: ast.stmt) -> list[ast.stmt]:
        failed = self.names[0]
        final = copied(self.node.finalbody)
        if isinstance(s, ast.Return):
            if s.value is None or isinstance(s.value, ast.Constant):
                return [*final, s]
            name = f"returned {next(_numbers)}"
            back = ast.copy_location(ast.Return(_load(name)), s)
            value = ast.copy_location(_assign(name, s.value), s)
            return [self.attempt([value]), _if(_is(failed, 0), [*final, back])]
        if isinstance(s, ast.Break | ast.Continue):
            return [s] if self.loops else [*final, s]
        if isinstance(s, ast.If | ast.While) and self.assigns_observed(s.test):
            return [ast.copy_location(ast.Try([s], [], [], []), s)]  # capture reports it
        if isinstance(s, ast.If):
            name = f"test {next(_numbers)}"
            test = _is_known(s.test)
            before = [] if test else [self.attempt_test(name, s.test)]
            branch = copy.copy(s)
            branch.test = s.test if test else ast.copy_location(_load(name), s.test)
            branch.body = self.guarded(s.body)
            branch.orelse = self.guarded(s.orelse)
            return [*before, _if(_is(failed, 0), [branch])] if before else [branch]
        if isinstance(s, ast.For):
            return self.for_loop(s)
        if isinstance(s, ast.While) and _is_known(s.test):
            return [self.loop(s, [])]
        if isinstance(s, ast.While) and not s.orelse:
            name = f"test {next(_numbers)}"
            tested = self.attempt_test(name, s.test)
            ended = ast.BoolOp(ast.Or(), [_is(failed, 1), ast.UnaryOp(ast.Not(), _load(name))])
            endless = copy.copy(s)
            endless.test = ast.Constant(True)
            return [self.loop(endless, [tested, _if(ended, [ast.Break()])])]
        if isinstance(s, Forget):
            return []
        if isinstance(s, ast.FunctionDef | ast.Pass | Attempt) or type(s).__name__ == "Enter":
            return [s]
        return [ast.copy_location(ast.Try([s], [], [], []), s)]  # capture reports it

    def for_loop(self, s: ast.For) -> list[ast.stmt]:
        """The loop, after an attempt to evaluate its iterable where that may raise."""
        before: list[ast.stmt] = []
        parts: list[str] = []

        def named(value: ast.expr) -> ast.expr:
            if _is_safe(value):
                return value
            name = f"iterable {next(_numbers)}"
            parts.append(name)
            before.append(ast.copy_location(_assign(name, value), value))
            return ast.copy_location(_load(name), value)

        loop = copy.copy(s)
        if isinstance(s.iter, ast.Call) and _is_plain(s.iter):
            loop.iter = ast.copy_location(
                ast.Call(s.iter.func, [named(a) for a in s.iter.args], []), s.iter
            )
        else:
            loop.iter = named(s.iter)
        # Raises here where it is not iterable.
        target = ast.Name(f"item {next(_numbers)}", ast.Store())
        probe: ast.stmt = ast.For(target, copied(loop.iter), [ast.Break()], [])
        made: list[ast.stmt] = [self.loop(loop, [])]
        if not _is_counted(loop.iter):
            name = f"items {next(_numbers)}"
            given = ast.copy_location(_assign(name, loop.iter), s.iter)
            loop.iter = ast.copy_location(_load(name), s.iter)
            made = [given, _if(_call(primitives.is_stepped, name), self.stepping(s, name), made)]
        if not before:
            return made
        probe = ast.copy_location(probe, s)
        for part in parts:  # of what has been stepped an item would be missing
            probe = _if(_call(primitives.is_stepped, part), [ast.Pass()], [probe])
        before.append(ast.copy_location(probe, s))
        return [self.attempt(before), _if(_is(self.names[0], 0), made)]

    def stepping(self, s: ast.For, items: str) -> list[ast.stmt]:
        """The loop over what runs code for each item: that may raise, too."""
        number = next(_numbers)
        steps, there, item = (f"{word} {number}" for word in ("steps", "there", "item"))
        failed = _if(_is(self.names[0], 1), [ast.Break()])
        both = ast.Tuple([ast.Name(n, ast.Store()) for n in (there, item)], ast.Store())
        # A pair: see _steps.py.
        step = ast.Call(ast.Attribute(_load(steps), "__next__", ast.Load()), [], [])
        self.loops += 1
        taken = [
            ast.Assign([copied(s.target)], _load(item)),
            *self.guarded(copied(s.body)),
            copied(failed),
        ]
        self.loops -= 1
        body = [
            self.attempt([ast.copy_location(ast.Assign([both], step), s.iter)]),
            failed,
            _if(_load(there), taken),
        ]
        begin = ast.copy_location(_assign(steps, _call(iter, items)), s.iter)
        loop = ast.While(_load(there), body, self.guarded(copied(s.orelse)))
        first = _assign(there, ast.Constant(True))
        return [begin, first, ast.copy_location(loop, s)]

    def loop(self, s: ast.For | ast.While, first: list[ast.stmt]) -> ast.stmt:
        """The loop, left after the iteration that raised."""
        loop = copy.copy(s)
        self.loops += 1
        loop.body = [*first, *self.guarded(s.body), _if(_is(self.names[0], 1), [ast.Break()])]
        self.loops -= 1
        loop.orelse = self.guarded(s.orelse)
        return loop

    def attempt_test(self, name: str, test: ast.expr) -> ast.stmt:
        """An attempt to evaluate the truth of a test, which may raise too."""
        no = ast.copy_location(ast.UnaryOp(ast.Not(), test), test)
        truth = ast.copy_location(ast.UnaryOp(ast.Not(), no), test)
        return self.attempt([ast.copy_location(_assign(name, truth), test)])

    def attempt(self, body: list[ast.stmt]) -> ast.stmt:
        targets: list[ast.expr] = [ast.Name(name, ast.Store()) for name in self.names]
        made = Attempt(targets, [copied(c) for c in self.classes], body)
        return ast.copy_location(made, body[0])


class _Reraise(ast.NodeTransformer):
    """`raise` alone, in a handler."""

    def __init__(self, caught: ast.expr) -> None:
        self.caught = caught

    def visit_Raise(self, node: ast.Raise) -> ast.stmt:
        if node.exc is None:
            return ast.copy_location(ast.Raise(self.caught), node)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        return node


def _assigns_last(s: ast.stmt) -> bool:
    """Whether the statement's assignments are the last that it does, so that it has not raised."""
    if not isinstance(
        s,
        ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Expr | ast.Assert | ast.Raise | ast.Delete,
    ) or any(isinstance(n, ast.NamedExpr) for n in ast.walk(s)):
        return False
    targets = [t for n in getattr(s, "targets", []) for t in ast.walk(n)]
    names = any(isinstance(t, ast.Name) and not isinstance(t.ctx, ast.Load) for t in targets)
    return not (names and any(isinstance(t, ast.Subscript | ast.Attribute) for t in targets))


def _is_safe(iterable: ast.expr) -> bool:
    """Whether evaluating it cannot raise: names, sizes, ranges, zip() and enumerate() of these."""
    plain = ast.Name | ast.Constant | ast.BinOp | ast.UnaryOp | ast.Attribute | ast.Call
    signs = ast.operator | ast.unaryop | ast.expr_context
    divides = ast.Div | ast.FloorDiv | ast.Mod | ast.Pow
    known = {"range", "enumerate", "zip", "reversed", "len"}
    for n in ast.walk(iterable):
        if isinstance(n, ast.Call) and not (isinstance(n.func, ast.Name) and n.func.id in known):
            return False
        shape = (
            isinstance(n, ast.Subscript)
            and isinstance(n.value, ast.Attribute)
            and n.value.attr == "shape"
            and isinstance(n.slice, ast.Constant)
        )
        if not (shape or isinstance(n, plain | signs)) or isinstance(n, divides):
            return False
    return True


def _is_counted(iterable: ast.expr) -> bool:
    """A range, or items that are written out."""
    if isinstance(iterable, ast.Call):
        return isinstance(iterable.func, ast.Name) and iterable.func.id == "range"
    return isinstance(iterable, ast.Constant | ast.Tuple | ast.List)


def _is_plain(call: ast.Call) -> bool:
    """A call of range, zip, ... with positional arguments only."""
    known = {"range", "enumerate", "zip", "reversed"}
    starred = any(isinstance(a, ast.Starred) for a in call.args)
    named = isinstance(call.func, ast.Name) and call.func.id in known
    return named and not starred and not call.keywords


def _has_attempt(s: ast.stmt) -> bool:
    return any(isinstance(n, Attempt) for n in ast.walk(s))


def _is_known(test: ast.expr) -> bool:
    """A synthesised test, or a constant: it does not raise."""
    names = [n.id for n in ast.walk(test) if isinstance(n, ast.Name)]
    return isinstance(test, ast.Constant) or (
        isinstance(test, ast.Compare) and bool(names) and all(" " in name for name in names)
    )


def _leaves(s: ast.stmt, loops: bool = False) -> bool:
    """Whether it may jump out of itself, or contains a statement that an attempt cannot have."""
    if isinstance(s, ast.Return) or (isinstance(s, ast.Break | ast.Continue) and not loops):
        return True
    if isinstance(s, ast.FunctionDef | ast.Import | ast.ImportFrom | ast.Try):
        return True
    if type(s) is ast.Delete and any(isinstance(t, ast.Name) for t in s.targets):
        return True
    if type(s).__name__ == "Enter":
        return True
    inside = loops or isinstance(s, ast.For | ast.While)
    return any(_leaves(child, inside) for child in _statements_of(s))


def _statements_of(s: ast.stmt) -> Iterator[ast.stmt]:
    for name in ("body", "orelse"):
        yield from getattr(s, name, [])


def _assigned(statements: Sequence[ast.stmt]) -> set[str]:
    return {
        n.id
        for s in statements
        for n in ast.walk(s)
        if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)
    }


def _jumps(body: Sequence[ast.stmt]) -> bool:
    return isinstance(body[-1], ast.Return | ast.Raise | ast.Break | ast.Continue)


def _load(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _call(function: object, name: str) -> ast.expr:
    return ast.Call(constant(function), [_load(name)], [])


def _assign(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _raise(number: str) -> ast.stmt:
    return ast.Raise(Caught(_load(number)))


def _is(name: str, value: int) -> ast.expr:
    return ast.Compare(_load(name), [ast.Eq()], [ast.Constant(value)])


def _if(test: ast.expr, body: list[ast.stmt], orelse: Sequence[ast.stmt] = ()) -> ast.stmt:
    return ast.If(test, body, list(orelse))


def _located(statements: list[ast.stmt], location: ast.AST) -> list[ast.stmt]:
    """Gives synthesised nodes the location of the `try`."""
    mark = ast.Pass(
        lineno=location.lineno,  # type: ignore[attr-defined]
        col_offset=location.col_offset,  # type: ignore[attr-defined]
        end_lineno=location.lineno,  # type: ignore[attr-defined]
        end_col_offset=location.col_offset + len("try:"),  # type: ignore[attr-defined]
    )
    for s in statements:
        for n in ast.walk(s):
            if isinstance(n, ast.stmt | ast.expr) and not hasattr(n, "lineno"):
                ast.copy_location(n, mark)
    return statements
