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
    __tracebackhide__ = True
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
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("always", "shapecast runs ", RuntimeWarning)
            warnings.showwarning = collect
            _execute(shell, cell, decorates)
    finally:
        shell.user_ns.pop(_NAME, None)
    for name in dict.fromkeys(decorates.names):
        _report(name, shell.user_ns.get(name), reasons.get(name))


def _execute(shell: Any, cell: str, decorates: _Decorates) -> None:
    """As IPython does, but an error is the magic's: then "run all cells" ends."""
    __tracebackhide__ = True
    text = shell.transform_cell(cell)
    filename = shell.compile.cache(text, shell.execution_count, raw_code=cell)
    tree = ast.fix_missing_locations(decorates.visit(ast.parse(text, filename)))
    shown = []
    if tree.body and isinstance(tree.body[-1], ast.Expr) and not cell.rstrip().endswith(";"):
        shown = [tree.body.pop()]
    exec(compile(tree, filename, "exec"), shell.user_ns)
    if shown:
        exec(compile(ast.Interactive(shown), filename, "single"), shell.user_ns)


def _report(name: str, function: Any, reason: str | None) -> None:
    if hasattr(function, "cache_parameters"):  # functools.lru_cache's
        function = function.__wrapped__
    if not isinstance(function, _core.Jit):
        return
    variants = function._variants()
    if reason:
        print(f"{name}: plain Python: {reason}")
    elif not variants:
        print(f"{name}: compiled at its first call")
    for signature, _, milliseconds in variants:
        print(f"{name}({signature}): compiled in {milliseconds:.0f} ms")
