"""Replaces structured arrays that a function creates (`r = np.empty(n, D)`) by an array per field.

Compiled code has arrays of numbers only. This is structure-of-arrays conversion: where the function
only reads and stores fields of such an array, reads its size and returns it, the array is replaced
by its fields, from which the returned array is assembled. Any other use leaves the function
unchanged.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FunctionType
from typing import Any

import numpy as np

from shapecast._nodes import copied


class _Unfit(Exception):
    """The array is used as a whole."""


def split(definition: Any, function: FunctionType) -> Any:
    """The function's tree with each of its structured arrays replaced by arrays of fields."""
    outside = _values(function)
    if not any(isinstance(v, np.dtype) and v.names for v in outside.values()):
        return definition
    names = _Outside(definition, outside)
    for created in list(_creations(definition, names)):
        try:
            definition = _Split(created, names).visit(copied(definition))
        except _Unfit:
            continue
    return ast.fix_missing_locations(definition)


class RecordIndex(ast.expr):
    """The index of one record: `r[mask]['x'] = 1`, which stores into a copy, is refused."""

    _fields = ("value",)

    def __init__(self, value: ast.expr | None = None):
        super().__init__()
        self.value = value


def _values(function: FunctionType) -> dict[str, object]:
    """The values of the globals and closure variables that the function reads."""
    code = function.__code__
    values = {n: v for n, v in function.__globals__.items() if n in code.co_names}
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        try:
            values[name] = cell.cell_contents
        except ValueError:
            continue
    return values


class _Outside:
    """The values of names that are not the function's own."""

    def __init__(self, definition: Any, values: dict[str, object]) -> None:
        self.values = values
        self.stored: list[str] = [
            n.id
            for n in ast.walk(definition)
            if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)
        ]
        self.stored += [n.arg for n in ast.walk(definition) if isinstance(n, ast.arg)]
        for name in self.stored:
            self.values.pop(name, None)

    def value(self, node: ast.expr) -> object:
        match node:
            case ast.Name(id=name):
                return self.values.get(name)
            case ast.Attribute(value=ast.Name(id=name), attr=attribute):
                return getattr(self.values.get(name), attribute, None)
        return None


class _Creation:
    """`name = function(shape, dtype)`"""

    def __init__(self, name: str, call: ast.Call, shape: ast.expr, dtype: ast.expr, of: Any):
        self.name, self.call, self.shape, self.dtype, self.of = name, call, shape, dtype, of


def _creations(definition: Any, names: _Outside) -> Iterator[_Creation]:
    if not isinstance(definition, ast.FunctionDef):
        return
    for statement in definition.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call):
                created = _creation_of(name, call, names)
                if created and names.stored.count(name) == 1:
                    yield created


def _creation_of(name: str, call: ast.Call, names: _Outside) -> _Creation | None:
    if names.value(call.func) not in (np.empty, np.zeros):
        return None
    match call.args, call.keywords:
        case [shape, dtype], []:
            pass
        case [shape], [ast.keyword(arg="dtype", value=dtype)]:
            pass
        case _:
            return None
    of = names.value(dtype)
    if not isinstance(of, np.dtype) or not of.names or not all(map(_is_number, _fields(of))):
        return None
    return _Creation(name, call, shape, dtype, of)


def _fields(dtype: Any) -> list[np.dtype[Any]]:
    return [dtype[name] for name in dtype.names]


def _is_number(dtype: np.dtype[Any]) -> bool:
    return dtype.kind in "biufc" and dtype.isnative and dtype.itemsize <= 16


def _is_index(index: ast.expr) -> bool:
    """Whether it may be the index of one record."""
    if isinstance(index, ast.Tuple):
        return all(map(_is_index, index.elts))
    return isinstance(index, ast.Name | ast.Constant | ast.BinOp | ast.UnaryOp)


def _checked(index: ast.expr) -> ast.expr:
    if isinstance(index, ast.Tuple):
        parts = [_checked(part) for part in index.elts]
        return ast.copy_location(ast.Tuple(parts, ast.Load()), index)
    return ast.copy_location(RecordIndex(index), index)


class _Split(ast.NodeTransformer):
    def __init__(self, created: _Creation, names: _Outside) -> None:
        self.created, self.names = created, names
        self.temporaries = 0

    def field(self, name: str) -> ast.Name:
        return ast.Name(f"{self.created.name}.{name}", ast.Load())

    def is_whole(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Name) and node.id == self.created.name

    def temporary(self, value: ast.expr, statements: list[ast.stmt]) -> ast.Name:
        self.temporaries += 1
        name = f"{self.created.name}.{self.temporaries}"
        statements.append(
            ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], value), value)
        )
        return ast.Name(name, ast.Load())

    def visit_Assign(self, node: ast.Assign) -> Any:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]) if name == self.created.name:
                return self.creation(node)
            case ast.Assign(
                targets=[ast.Subscript(value=whole, slice=index)], value=ast.Tuple(elts=elements)
            ) if self.is_whole(whole) and not isinstance(getattr(index, "value", None), str):
                return self.record(node, index, elements)
        return self.generic_visit(node)

    def creation(self, node: ast.Assign) -> list[ast.stmt]:
        """The dtype is looked up as well, so that the compiled code depends on it."""
        created = self.created
        statements: list[ast.stmt] = [ast.Expr(created.dtype)]
        shape = self.temporary(self.visit(created.shape), statements)
        for name, dtype in zip(created.of.names, _fields(created.of), strict=True):
            constant = ast.Constant(dtype)  # type: ignore[arg-type]  # capture takes any object there
            call = ast.Call(created.call.func, [shape, constant], [])
            target = ast.Name(self.field(name).id, ast.Store())
            statements.append(ast.Assign([target], ast.copy_location(call, created.call)))
        return [ast.copy_location(statement, node) for statement in statements]

    def record(self, node: ast.Assign, index: ast.expr, elements: list[ast.expr]) -> list[ast.stmt]:
        """r[i] = (1.0, 2)"""
        starred = any(isinstance(element, ast.Starred) for element in elements)
        if not _is_index(index) or starred or len(elements) != len(self.created.of.names):
            raise _Unfit
        statements: list[ast.stmt] = []
        values = [self.temporary(self.visit(element), statements) for element in elements]
        at = self.temporary(_checked(self.visit(index)), statements)
        for name, value in zip(self.created.of.names, values, strict=True):
            target = ast.Subscript(self.field(name), at, ast.Store())
            statements.append(ast.Assign([ast.copy_location(target, node.targets[0])], value))
        return [ast.copy_location(statement, node) for statement in statements]

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """r['x'], and r[i]['x'], which is r['x'][i]."""
        name = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if not isinstance(name, str) or name not in self.created.of.names:
            return self.generic_visit(node)  # type: ignore[return-value]
        stores = isinstance(node.ctx, ast.Store)
        if self.is_whole(node.value) and not isinstance(node.ctx, ast.Del):
            if not stores:
                return ast.copy_location(self.field(name), node)
            everything = ast.Constant(...)
            return ast.copy_location(ast.Subscript(self.field(name), everything, node.ctx), node)
        match node.value:
            case ast.Subscript(value=whole, slice=index) if self.is_whole(whole):
                if stores and not _is_index(index):
                    raise _Unfit
                index = self.visit(index)
                if stores:
                    index = _checked(index)
                return ast.copy_location(ast.Subscript(self.field(name), index, node.ctx), node)
        return self.generic_visit(node)  # type: ignore[return-value]

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if self.is_whole(node.value) and node.attr in ("size", "shape", "ndim"):
            first = self.field(self.created.of.names[0])
            return ast.copy_location(ast.Attribute(first, node.attr, node.ctx), node)
        return self.generic_visit(node)  # type: ignore[return-value]

    def visit_Call(self, node: ast.Call) -> ast.expr:
        match node:
            case ast.Call(func=ast.Name(id="len"), args=[whole]) if self.is_whole(whole):
                if "len" in self.names.stored:
                    raise _Unfit
                node.args = [self.field(self.created.of.names[0])]
                return node
        return self.generic_visit(node)  # type: ignore[return-value]

    def visit_Return(self, node: ast.Return) -> ast.Return:
        if node.value is not None and self.is_whole(node.value):
            node.value = self.together(node.value)
        elif isinstance(node.value, ast.Tuple) and sum(map(self.is_whole, node.value.elts)) == 1:
            elements = node.value.elts
            node.value.elts = [
                self.together(e) if self.is_whole(e) else self.visit(e) for e in elements
            ]
        else:
            self.generic_visit(node)
        return node

    def together(self, node: ast.expr) -> ast.expr:
        from ._callouts import PyFunc

        global _joined
        _joined = _joined or PyFunc(joined, ...)
        function = ast.Constant(_joined)  # capture takes any object there
        arguments = [self.created.dtype, *map(self.field, self.created.of.names)]
        return ast.copy_location(ast.Call(function, arguments, []), node)

    def visit_Name(self, node: ast.Name) -> ast.Name:
        if self.is_whole(node):
            raise _Unfit
        return node


_joined: Any = None  # created on first use: its module is slow to import


def joined(dtype: np.dtype[Any], *fields: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The structured array with these fields."""
    array = np.zeros(fields[0].shape, dtype)  # zeros in the padding between the fields
    for name, field in zip(dtype.names or (), fields, strict=True):
        array[name] = field
    return array
