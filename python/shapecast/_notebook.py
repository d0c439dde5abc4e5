"""`%load_ext shapecast`: the cell magic `%%shapecast`, which jits the functions of a cell."""

from __future__ import annotations

import ast
import re
import warnings
from typing import Any

from . import _core
from ._jit import jit

_NAME = "_shapecast_jit"  # in the notebook's names


class _Decorates(ast.NodeTransformer):
    """Adds @jit below the decorators of a cell's functions, not of those in functions."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        if not any(_is_jit(decorator) for decorator in node.decorator_list):
            name = ast.copy_location(ast.Name(_NAME, ast.Load()), node)
            node.decorator_list.append(name)
        self.names.append(node.name)
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AsyncFunctionDef:
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        return node


def _is_jit(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    return name in ("jit", "vectorize")


def load_ipython_extension(shell: Any) -> None:
    shell.register_magic_function(
        lambda line, cell: run_cell(shell, line, cell), "cell", "shapecast"
    )


def unload_ipython_extension(shell: Any) -> None:
    shell.magics_manager.magics["cell"].pop("shapecast", None)


def run_cell(shell: Any, line: str, cell: str) -> None:
    """Runs a cell whose functions are jitted, and says which were compiled, and why others run as
    plain Python. `%%shapecast strict` raises UnsupportedError instead.
    """
    options = line.split()
    if options not in ([], ["strict"]):
        raise ValueError(f"%%shapecast takes nothing, or the word strict, not {line!r}")
    decorates, reasons = _Decorates(), {}
    show = warnings.showwarning

    def collect(message: Any, category: Any, *where: Any, **more: Any) -> None:
        found = re.match(r"shapecast runs (\w+)\(\) as plain Python: (.*)", str(message), re.DOTALL)
        if found:
            reasons[found[1]] = found[2]
        else:
            show(message, category, *where, **more)

    shell.user_ns[_NAME] = jit(fallback=not options)
    shell.ast_transformers.append(decorates)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("always", "shapecast runs ", RuntimeWarning)
            warnings.showwarning = collect
            result = shell.run_cell(cell, store_history=False)
    finally:
        shell.ast_transformers.remove(decorates)
        shell.user_ns.pop(_NAME, None)
    if result.success:
        for name in dict.fromkeys(decorates.names):
            _report(name, shell.user_ns.get(name), reasons.get(name))


def _report(name: str, function: Any, reason: str | None) -> None:
    if not isinstance(function, _core.Jit):
        return
    variants = function._variants()
    if reason:
        print(f"{name}: plain Python: {reason}")
    elif not variants:
        print(f"{name}: compiled at its first call")
    for signature, _, milliseconds in variants:
        print(f"{name}({signature}): compiled in {milliseconds:.0f} ms")
