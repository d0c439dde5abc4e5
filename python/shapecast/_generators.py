"""Generator functions as classes, of which compiled code makes instances.

The variables are attributes, and `__next__` goes on where the last call ended:

    def count(k):              class count:
        while True:                def __init__(self, k):
            yield k                    self.k, self.resume = k, 0
            k += 1
                                   def __next__(self):
                                       at, self.resume = self.resume, -1
                                       while True:
                                           if at == 0:
                                               self.resume = 1
                                               return self.k
                                           elif at == 1:
                                               self.k, at = self.k + 1, 0

`x = yield k` reads the attribute that send() has assigned.

What contextlib.contextmanager makes of a generator function is a function that makes an instance of
such a class, which then has `__enter__` and `__exit__`.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import itertools
from types import CodeType, EllipsisType, FunctionType
from typing import Any, NamedTuple, TypeGuard
from weakref import ReferenceType, WeakKeyDictionary

from shapecast._errors import UnsupportedError
from shapecast._generator_blocks import Machine, Unsupported, function_of_tree
from shapecast._nodes import constant, copied, located


class Made(NamedTuple):
    """A function made here: its tree, and where that came from."""

    tree: ast.FunctionDef
    filename: str
    generator: ReferenceType[FunctionType]  # whose code may be replaced


made: WeakKeyDictionary[CodeType, Made] = WeakKeyDictionary()
_numbers = itertools.count()
_classes: WeakKeyDictionary[FunctionType, tuple[Any, type | None]] = WeakKeyDictionary()
_inside: WeakKeyDictionary[FunctionType, dict[str, type | None]] = WeakKeyDictionary()
_managers: WeakKeyDictionary[FunctionType, tuple[Any, FunctionType | None]] = WeakKeyDictionary()


def class_for(
    function: FunctionType, definition: ast.AST | None, is_manager: bool = False
) -> type | None:
    """The class for a generator function; None where it cannot be written as one."""
    if not isinstance(definition, ast.FunctionDef) or function.__closure__:
        return None
    seen = function.__code__, function.__defaults__, is_manager  # which may be replaced
    if function not in _classes or _classes[function][0] != seen:
        try:
            found = _class_of(function, definition, is_manager)
        except Unsupported:
            found = None
        _classes[function] = seen, found
    return _classes[function][1]


def is_generator_function(function: object) -> TypeGuard[FunctionType]:
    return (
        isinstance(function, FunctionType)
        and inspect.isgeneratorfunction(function)
        and not function.__closure__
    )


def iterator_class(function: FunctionType) -> type | None:
    """The class for a generator function; None where there is none."""
    from shapecast import _source  # which uses this module

    return class_for(function, _source.written_tree(function))


def class_inside(function: FunctionType, definition: ast.FunctionDef, free: list[str]) -> Any:
    """The class for a generator function inside another, whose variables `free` are its first
    arguments; None where there is none.
    """
    known = _inside.setdefault(function, {})
    key = " ".join(free) + ast.dump(definition, include_attributes=True)
    if key not in known:
        try:
            known[key] = _class_of(function, definition, free=free)
        except Unsupported:
            known[key] = None
    return known[key]


# All functions that contextlib.contextmanager makes have this code.
CODE_OF_MANAGERS = contextlib.contextmanager(lambda: iter(())).__code__


def is_context_manager(function: object) -> bool:
    """Whether contextlib.contextmanager has made it."""
    return getattr(function, "__code__", None) is CODE_OF_MANAGERS


def manager_function(function: FunctionType) -> FunctionType | None:
    """A function that makes the context manager as a function of contextlib.contextmanager does;
    None where compiled code cannot.
    """
    from shapecast import _source  # which uses this module

    generator = getattr(function, "__wrapped__", None)
    if not is_generator_function(generator):
        return None
    seen = generator, generator.__code__, generator.__defaults__
    if function in _managers and _managers[function][0] == seen:
        return _managers[function][1]
    found: FunctionType | None = None
    definition = _source.written_tree(generator)
    manager = class_for(generator, definition, is_manager=True)
    if manager is not None and isinstance(definition, ast.FunctionDef):
        found = _calls(generator, definition, manager)
    _managers[function] = seen, found
    return found


def _calls(generator: FunctionType, definition: ast.FunctionDef, manager: type) -> FunctionType:
    """A function with the generator function's parameters, for which it calls the class."""
    parameters = definition.args
    given: list[ast.expr] = [
        ast.Name(a.arg, ast.Load()) for a in (*parameters.posonlyargs, *parameters.args)
    ]
    if parameters.vararg:
        given.append(ast.Starred(ast.Name(parameters.vararg.arg, ast.Load()), ast.Load()))
    named = [ast.keyword(a.arg, ast.Name(a.arg, ast.Load())) for a in parameters.kwonlyargs]
    if parameters.kwarg:
        named.append(ast.keyword(None, ast.Name(parameters.kwarg.arg, ast.Load())))
    call = ast.Return(ast.Call(constant(manager), given, named))
    tree = function_of_tree(definition.name, parameters, [located(call, definition)], definition)
    return _compiled(tree, generator)


def _compiled(tree: ast.FunctionDef, of: FunctionType) -> FunctionType:
    """The function of this tree, with the globals, defaults and name of the other."""
    names = _run(tree, of)
    function: FunctionType = names[tree.name]
    _note(function, tree, of)
    function.__defaults__, function.__kwdefaults__ = of.__defaults__, of.__kwdefaults__
    function.__qualname__ = of.__qualname__
    return function


def _note(function: FunctionType, tree: ast.FunctionDef, of: FunctionType) -> None:
    """Its code gets a constant that no other has: equal codes would be one key."""
    code = function.__code__
    function.__code__ = code.replace(co_consts=(*code.co_consts, next(_numbers)))
    made[function.__code__] = Made(tree, of.__code__.co_filename, ReferenceType(of))


def _run(tree: ast.stmt, of: FunctionType) -> dict[str, Any]:
    ast.fix_missing_locations(tree)
    runs = _Named().visit(copied(tree))
    names: dict[str, Any] = {}
    exec(compile(ast.Module([runs], []), of.__code__.co_filename, "exec"), of.__globals__, names)
    return names


def _class_of(
    function: FunctionType,
    definition: ast.FunctionDef,
    is_manager: bool = False,
    free: list[str] | None = None,
) -> type:
    """`free`: of a generator function inside this one."""
    machine = Machine(copied(definition), function, free)
    tree = machine.class_definition(is_manager)
    made_class: type = _run(tree, function)[definition.name]
    made_class.__name__ = "_GeneratorContextManager" if is_manager else "generator"
    made_class._to_python = _not_returned  # type: ignore[attr-defined]
    made_class._is_generator = True  # type: ignore[attr-defined]
    for node in tree.body:
        assert isinstance(node, ast.FunctionDef)
        method = made_class.__dict__[node.name]
        _note(method, node, function)
        if node.name == "__next__":
            method.__qualname__ = function.__qualname__ if free is None else definition.name
        if node.name == "__init__" and free is None:
            method.__defaults__ = function.__defaults__
            method.__kwdefaults__ = function.__kwdefaults__
    return made_class


def _not_returned(generator: Any) -> None:
    raise UnsupportedError(
        "a generator that a jitted function has made cannot leave it; return a list of its items"
    )


class _Named(ast.NodeTransformer):
    """Objects in a tree as names, which Python's compiler takes; nothing runs that code."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if isinstance(node.value, int | float | complex | str | bytes | None | EllipsisType):
            return node
        return ast.copy_location(ast.Name("object", ast.Load()), node)
