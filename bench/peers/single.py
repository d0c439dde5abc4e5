"""Sources with their own numbers in float32, for peers without weak numbers."""

from __future__ import annotations

import ast
import inspect
import textwrap
import types
from collections.abc import Callable
from typing import Any


class _Single(ast.NodeTransformer):
    """Float literals and `real(...)` as float32."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if type(node.value) is not float:
            return node
        return ast.parse(f"np.float32({node.value!r})", mode="eval").body

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.parse("np.float32", mode="eval").body if node.id == "real" else node


def source_in_single(f: Callable[..., Any]) -> str:
    tree = ast.parse(textwrap.dedent(inspect.getsource(f)))
    tree.body[0].decorator_list = []  # type: ignore[attr-defined]
    return ast.unparse(ast.fix_missing_locations(_Single().visit(tree)))


def in_single(f: Callable[..., Any]) -> Callable[..., Any]:
    space = dict(f.__globals__)
    exec(compile(source_in_single(f), f"<float32 of {f.__name__}>", "exec"), space)
    return space[f.__name__]


def own_globals(f: Callable[..., Any], **names: Any) -> types.FunctionType:
    """A copy of the function that sees other things under these names."""
    return types.FunctionType(
        f.__code__, {**f.__globals__, **names}, f.__name__, f.__defaults__, f.__closure__
    )


def enter(arguments: tuple, dtype: str) -> tuple:
    """Floats as float32 beside float32 arrays."""
    import numpy as np

    if dtype != "float32":
        return arguments
    return tuple(np.float32(a) if type(a) is float else a for a in arguments)
