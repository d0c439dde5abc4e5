"""Which lines compiled code executes: `count` adds statements to a function's tree that note each
step from one line to the next, as Python's tracing reports them to coverage.py.

    def f(x):                     line = 0                             the function's entry
        if x > 1:           ->    line = line_step(table, line, 1); if x > 1:
            x = 0                     line = line_step(table, line, 2); x = 0
        return x                  line = line_step(table, line, 3); return x

In a function with `try` the last line is kept in memory instead of in a variable, since there each
statement that assigns what is read after an exception would be an attempt of its own (_try.py).
"""

from __future__ import annotations

import ast
import functools
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from ._source import Definition
from .library import primitives

_NAME = "line executed last"  # not a valid identifier
_JUMPS = (ast.Return, ast.Raise, ast.Break, ast.Continue)


class Table(NamedTuple):
    """The steps of one function.

    Attributes:
        filename, names, first: Its file, globals and first line.
        lines: Numbers of its lines; line k of the table is lines[k - 1], 0 is the entry, and the
            last the exit.
        steps: int32 with the line of the last call, then size x size bytes: the steps.
    """

    filename: str
    names: dict[str, Any]
    first: int
    lines: list[int]
    memory: np.ndarray[Any, Any]

    @property
    def size(self) -> int:
        return len(self.lines) + 2

    def take(self) -> set[tuple[int, int]]:
        """Pairs of lines as coverage.py has them: the entry and exit are minus the first line. The
        table is empty after it."""
        numbers = [-self.first, *self.lines, -self.first]
        steps = self.memory[4:]
        found = np.flatnonzero(steps)
        steps[found] = 0
        return {(numbers[k // self.size], numbers[k % self.size]) for k in found.tolist()}


_tables: list[Table] = []  # of the process; compiled code has their addresses


def count(definition: Definition, function: FunctionType) -> None:
    """Adds the statements to a definition, and its functions."""
    if isinstance(definition, ast.FunctionDef):
        _Counter(definition, function.__code__.co_filename, function.__globals__).run()


def take() -> list[tuple[Table, set[tuple[int, int]]]]:
    """What was executed since the last time."""
    return [(table, found) for table in list(_tables) if (found := table.take())]


def _first_line(node: ast.FunctionDef) -> int:
    return min([node.lineno, *(d.lineno for d in node.decorator_list)])


class _Counter:
    def __init__(self, definition: ast.FunctionDef, filename: str, names: dict[str, Any]) -> None:
        self.definition = definition
        self.numbers: dict[int, int] = {}
        for node in _own(definition):
            if isinstance(node, ast.stmt | ast.ExceptHandler):
                self.numbers.setdefault(node.lineno, 0)
            if isinstance(node, ast.match_case):
                self.numbers.setdefault(node.pattern.lineno, 0)
            if isinstance(node, ast.FunctionDef):
                self.numbers.update((d.lineno, 0) for d in node.decorator_list)
        lines = sorted(self.numbers)
        self.numbers = {line: k for k, line in enumerate(lines, 1)}
        size = len(lines) + 2
        memory = np.zeros(size * size + 4, np.uint8)
        self.table = Table(filename, names, _first_line(definition), lines, memory)
        self.leaving: tuple[type[ast.stmt], ...] = (ast.Return, ast.Raise)
        self.keeps = any(isinstance(node, ast.Try | ast.With) for node in _own(definition))

    def run(self) -> None:
        body = self.definition.body
        first = int(_is_docstring(body[0]))
        counted = self.block(body[first:], None)
        if not isinstance(body[-1], _JUMPS):
            counted.append(self.step(self.table.size - 1, body[-1]))
        entry = self.enter(body[0])
        self.definition.body = [*body[:first], entry, *counted]
        ast.fix_missing_locations(self.definition)
        _tables.append(self.table)

    def enter(self, at: ast.stmt) -> ast.stmt:
        if not self.keeps:
            return ast.copy_location(_assign(ast.Constant(0)), at)
        return ast.copy_location(ast.Pass(), at)

    def step(self, number: int, at: ast.AST) -> ast.stmt:
        before: ast.expr = ast.Constant(-1)
        if not self.keeps:
            before = ast.Name(_NAME, ast.Load())
        address = self.table.memory.ctypes.data + 4
        arguments = [ast.Constant(address), ast.Constant(self.table.size), before]
        function = ast.Constant(primitives.line_step)  # type: ignore[arg-type]
        call = ast.Call(function, [*arguments, ast.Constant(number)], [])
        statement = ast.Expr(call) if self.keeps else _assign(call)
        for node in ast.walk(statement):
            if isinstance(node, ast.expr | ast.stmt):
                node.lineno = node.end_lineno = at.lineno  # type: ignore[attr-defined]
                node.col_offset = node.end_col_offset = at.col_offset  # type: ignore[attr-defined]
        return statement

    def at(self, *lines: int, of: ast.AST) -> list[ast.stmt]:
        return [self.step(self.numbers[line], of) for line in lines]

    def block(self, statements: list[ast.stmt], loop: ast.stmt | None) -> list[ast.stmt]:
        """`loop`: the one around, whose line comes next after `continue`."""
        counted: list[ast.stmt] = []
        for statement in statements:
            if _has_no_code(statement):
                counted.append(statement)
                continue
            lines = [statement.lineno]
            if isinstance(statement, ast.FunctionDef):
                lines = [*(d.lineno for d in statement.decorator_list), *lines]
            counted += self.at(*dict.fromkeys(lines), of=statement)
            if isinstance(statement, ast.Continue) and loop:
                counted += self.at(loop.lineno, of=statement)
            if isinstance(statement, self.leaving):
                counted.append(self.step(self.table.size - 1, statement))
            self.inside(statement, loop)
            counted.append(statement)
            if isinstance(statement, ast.With) and not isinstance(statement.body[-1], _JUMPS):
                counted += self.at(statement.lineno, of=statement)
        return counted

    @functools.singledispatchmethod
    def inside(self, statement: ast.stmt, loop: ast.stmt | None) -> None:
        """Counts in the blocks of a statement."""

    @inside.register
    def _(self, statement: ast.For | ast.While, loop: ast.stmt | None) -> None:
        body = [*self.again(statement), *self.block(statement.body, statement)]
        if not isinstance(statement.body[-1], _JUMPS):
            body += self.at(statement.lineno, of=statement)
        statement.body = body
        statement.orelse = [*self.again(statement), *self.block(statement.orelse, loop)]

    @inside.register
    def _(self, statement: ast.If, loop: ast.stmt | None) -> None:
        statement.body = [*self.again(statement), *self.block(statement.body, loop)]
        statement.orelse = [*self.again(statement), *self.block(statement.orelse, loop)]

    def again(self, statement: ast.For | ast.While | ast.If) -> list[ast.stmt]:
        """Its line once more, where its test may have called the function itself, which has left
        another line in memory."""
        test = statement.iter if isinstance(statement, ast.For) else statement.test
        calls = any(isinstance(node, ast.Call) for node in ast.walk(test))
        return self.at(statement.lineno, of=statement) if self.keeps and calls else []

    @inside.register
    def _(self, statement: ast.With, loop: ast.stmt | None) -> None:
        statement.body = self.block(statement.body, loop)

    @inside.register
    def _(self, statement: ast.Try, loop: ast.stmt | None) -> None:
        around = self.leaving
        if statement.finalbody:  # by way of the final block
            self.leaving = ()
        outside = self.leaving
        if statement.handlers:  # what the body raises may be caught
            self.leaving = tuple(kind for kind in outside if kind is not ast.Raise)
        statement.body = self.block(statement.body, loop)
        self.leaving = outside
        tested: list[int] = []
        for handler in statement.handlers:
            tested.append(handler.lineno)
            handler.body = [*self.at(*tested, of=handler), *self.block(handler.body, loop)]
        if statement.handlers and statement.handlers[-1].type:
            no_match = [*self.at(*tested, of=handler), ast.copy_location(ast.Raise(), handler)]
            last = ast.ExceptHandler(None, None, no_match)
            statement.handlers.append(ast.copy_location(last, handler))
        statement.orelse = self.block(statement.orelse, loop)
        self.leaving = around
        statement.finalbody = self.block(statement.finalbody, loop)

    @inside.register
    def _(self, statement: ast.Match, loop: ast.stmt | None) -> None:
        tested: list[int] = []
        for case in statement.cases:
            tested.append(case.pattern.lineno)
            case.body = [*self.at(*tested, of=case.pattern), *self.block(case.body, loop)]
        last = statement.cases[-1]
        if last.guard or not _matches_all(last.pattern):
            none = ast.copy_location(ast.MatchAs(), last.pattern)
            statement.cases.append(ast.match_case(none, None, self.at(*tested, of=none)))

    @inside.register
    def _(self, statement: ast.FunctionDef, loop: ast.stmt | None) -> None:
        _Counter(statement, self.table.filename, self.table.names).run()


def _assign(value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(_NAME, ast.Store())], value)


def _own(definition: ast.AST) -> list[ast.AST]:
    """Its nodes, without those inside of other definitions."""
    found: list[ast.AST] = []
    for node in ast.iter_child_nodes(definition):
        found.append(node)
        if not isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef | ast.expr):
            found += _own(node)
    return found


def _is_docstring(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _has_no_code(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.AnnAssign):
        return statement.value is None
    return isinstance(statement, ast.Global | ast.Nonlocal)


def _matches_all(pattern: ast.pattern) -> bool:
    return isinstance(pattern, ast.MatchAs) and (
        pattern.pattern is None or _matches_all(pattern.pattern)
    )
