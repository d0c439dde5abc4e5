"""Functions inside with functools.cache or lru_cache, written with a dict of the enclosing one."""

from __future__ import annotations

import ast
import functools
from typing import Any

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_INFO = type(functools.cache(len).cache_info())
_QUESTIONS = ("cache_info", "cache_clear")


def limit_of(decorator: ast.expr) -> int | None:
    """How many results it keeps, None: all of them; ValueError where that is not written down."""
    if not isinstance(decorator, ast.Call):
        name = decorator.attr if isinstance(decorator, ast.Attribute) else ""
        name = decorator.id if isinstance(decorator, ast.Name) else name
        if name not in ("cache", "lru_cache"):
            raise ValueError
        return None if name == "cache" else 128
    given = [*decorator.args, *(k.value for k in decorator.keywords)]
    if not given:
        return 128
    if not isinstance(given[0], ast.Constant) or not isinstance(given[0].value, int | None):
        raise ValueError
    return given[0].value if given[0].value is None else max(given[0].value, 0)


def asked(definition: ast.AST) -> set[str]:
    """The names of the functions inside whose cache is asked for its numbers, or cleared."""
    nodes = list(ast.walk(definition))
    names = [n.value for n in nodes if isinstance(n, ast.Attribute) and n.attr in _QUESTIONS]
    found = {n.id for n in names if isinstance(n, ast.Name)}
    defined = [n.name for n in nodes if isinstance(n, ast.FunctionDef)]
    return {name for name in found if defined.count(name) == 1}


class Memoised(ast.NodeTransformer):
    """A function that keeps its results; counted: with what `cache_info` says, and with the limit
    that decides it.
    """

    def __init__(self, node: ast.FunctionDef, number: int, counted: bool) -> None:
        self.node, self.where, self.counted = node, node.decorator_list[0], counted
        self.limit = limit_of(self.where) if counted else None
        words = ("MEMO", "KEY", "RESULT", "COUNTS")
        self.names = {word: f"{word.lower()} {number}" for word in words}  # not valid identifiers

    def written(self, text: str, value: ast.expr | None = None) -> list[ast.stmt]:
        """Statements with the names above, and with the expression for VALUE."""
        module = ast.parse(text)
        for node in ast.walk(module):
            if hasattr(node, "lineno"):
                ast.copy_location(node, self.where)
        return _Names(self.names, value).visit(module).body  # type: ignore[no-any-return]

    def statements(self) -> list[ast.stmt]:
        node = self.node
        parameters = [*node.args.posonlyargs, *node.args.args]
        values: list[ast.expr] = [
            ast.copy_location(ast.Name(p.arg, ast.Load()), self.where) for p in parameters
        ]
        key = values[0]
        if len(values) != 1:
            key = ast.copy_location(ast.Tuple(values, ast.Load()), self.where)
        body: list[ast.stmt] = []
        for old in node.body:
            new: Any = self.visit(old)
            body += new if isinstance(new, list) else [new]
        body += self.returned(ast.copy_location(ast.Constant(None), self.where))
        hit = "return MEMO[KEY]"
        if self.counted and self.limit is not None:  # the one that was used last is at the end
            hit = "RESULT = MEMO.pop(KEY)\n    MEMO[KEY] = RESULT\n    return RESULT"
        if self.counted:
            hit = f"COUNTS[0] += 1\n    {hit}"
        node.body = [
            *self.written("KEY = VALUE", key),
            *self.written(f"if KEY in MEMO:\n    {hit}"),
            *(self.written("COUNTS[1] += 1") if self.counted else []),
            *body,
        ]
        node.decorator_list = []
        counts = self.written("COUNTS = [0, 0]") if self.counted else []
        return [*self.written("MEMO = {}"), *counts, node]

    def returned(self, value: ast.expr) -> list[ast.stmt]:
        text = "RESULT = VALUE\nMEMO[KEY] = RESULT\nreturn RESULT"
        if self.limit is not None:
            drop = f"if len(MEMO) >= {self.limit}:\n    MEMO.pop(next(iter(MEMO)))\n"
            text = text.replace("MEMO[KEY]", f"{drop}MEMO[KEY]")
        if self.limit == 0:
            text = "return VALUE"
        return self.written(text, value)

    def visit(self, node: ast.AST) -> ast.AST:
        return node if isinstance(node, _FUNCTIONS) else super().visit(node)

    def visit_Return(self, node: ast.Return) -> list[ast.stmt]:
        return self.returned(node.value or ast.copy_location(ast.Constant(None), node))

    #  What is asked

    def info(self) -> ast.expr:
        """`f.cache_info()`."""
        kind: object = _INFO
        text = f"COUNTS[0], COUNTS[1], {self.limit}, len(MEMO)"
        made = self.written(f"INFO({text})")[0]
        assert isinstance(made, ast.Expr) and isinstance(made.value, ast.Call)
        made.value.func = ast.copy_location(ast.Constant(kind), self.where)  # type: ignore[arg-type]
        return made.value

    def cleared(self) -> list[ast.stmt]:
        """`f.cache_clear()`."""
        return self.written("MEMO.clear()\nCOUNTS[0] = 0\nCOUNTS[1] = 0")


class _Names(ast.NodeTransformer):
    def __init__(self, names: dict[str, str], value: ast.expr | None) -> None:
        self.names, self.value = names, value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id == "VALUE" and self.value is not None:
            return self.value
        function: object = {"len": len, "next": next, "iter": iter}.get(node.id)
        if function is not None:
            return ast.copy_location(ast.Constant(function), node)  # type: ignore[arg-type]
        node.id = self.names.get(node.id, node.id)
        return node


def question(node: ast.expr, known: dict[str, Memoised]) -> tuple[Memoised | None, str]:
    """Of which of them it asks what; or None."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        of = node.func.value
        if isinstance(of, ast.Name) and of.id in known and not node.args and not node.keywords:
            return known[of.id], node.func.attr
    return None, ""
