"""What names in a function mean that are not its own: objects outside it, on which its code then
depends.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from dataclasses import dataclass, field
from types import CodeType, FunctionType, ModuleType
from typing import Any

# A dependency: a dict, a name and its value; or a module, "" and its class.
Found = tuple[dict[str, Any] | ModuleType, str, object]


_NAMING = (ast.FunctionDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)


@dataclass
class Outside:
    """Of one function. What was read is appended to `dependencies`, and functions whose trees were,
    to `functions`.
    """

    definition: ast.AST
    names: dict[str, Any]  # its globals
    tree_of: Callable[[FunctionType], ast.AST | None]  # as it was written
    dependencies: list[Found] = field(default_factory=list)
    functions: list[FunctionType] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.locals = set()
        for node in ast.walk(self.definition):
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                self.locals.add(node.id)
            elif isinstance(node, ast.arg):
                self.locals.add(node.arg)
            elif isinstance(node, _NAMING) and node is not self.definition and node.name:
                self.locals.add(node.name)
            elif isinstance(node, ast.MatchMapping) and node.rest:
                self.locals.add(node.rest)

    def meaning(self, node: ast.expr) -> Any:
        """The object; None where it is not known: of a local variable, of an expression."""
        if isinstance(node, ast.Constant):  # of an import in the function
            return node.value
        if isinstance(node, ast.Attribute):
            module = self.meaning(node.value)
            if type(module) is not ModuleType or node.attr not in module.__dict__:
                return None
            found = module.__dict__[node.attr]
            self.dependencies += [(module, "", ModuleType), (module.__dict__, node.attr, found)]
            return found
        if not isinstance(node, ast.Name) or node.id in self.locals:
            return None
        if node.id in self.names:
            self.dependencies.append((self.names, node.id, self.names[node.id]))
            return self.names[node.id]
        return builtins.__dict__.get(node.id)

    def peek(self, node: ast.expr) -> Any:
        """The object, on which the code does not depend: capture looks it up where it is used."""
        before = len(self.dependencies)
        found = self.meaning(node)
        del self.dependencies[before:]
        return found

    def means(self, node: ast.expr, *objects: object) -> bool:
        """What else it means is no dependency."""
        return any(self.peek(node) is one for one in objects) and self.meaning(node) is not None

    def tree(self, function: FunctionType) -> ast.AST | None:
        """The tree of another function, as it was written."""
        self.functions.append(function)
        return self.tree_of(function)


def names_in(code: CodeType) -> set[str]:
    """The names of globals and attributes in it, and in the functions inside."""
    inner = (one for one in code.co_consts if isinstance(one, CodeType))
    return set(code.co_names).union(*map(names_in, inner))
