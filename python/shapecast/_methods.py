"""Methods of builtin classes where capture knows none: as values, through their class, with `*`."""

from __future__ import annotations

import ast
import functools

import numpy as np

from shapecast._nodes import PLAIN, chosen, constant, function_of, located, name_of
from shapecast._outside import Outside
from shapecast.library import set_methods

_TYPES = (str, int, float, list, dict, set, frozenset, tuple)


def call_methods(call: ast.Call, outside: Outside) -> None:
    """A method as the key of a sort, or as the function of map(): a lambda that calls it."""
    function, given = call.func, call.args
    if any(isinstance(one, ast.Starred) for one in given):
        return
    if isinstance(function, ast.Attribute) and given and _is_unbound(function, outside):
        call.func = located(ast.Attribute(given[0], function.attr, ast.Load()), function)
        call.args = given[1:]  # str.upper(s)
        return
    for keyword in call.keywords:
        if keyword.arg == "key" and isinstance(keyword.value, ast.Attribute):
            keyword.value = _as_lambda(keyword.value, 1, outside)
        if keyword.arg == "key" and outside.means(keyword.value, *_OF_INSTANCES):
            keyword.value = _calling(keyword.value)
    is_mapping = len(given) == 2 and outside.means(function, map, filter)
    if is_mapping and outside.means(given[0], *_OF_INSTANCES):
        given[0] = _calling(given[0])
    if given and isinstance(given[0], ast.Attribute) and outside.means(function, map, filter):
        given[0] = _as_lambda(given[0], len(given) - 1, outside)
    if given and isinstance(given[0], ast.Attribute) and outside.means(function, functools.reduce):
        given[0] = _as_lambda(given[0], 2, outside)


def _is_unbound(method: ast.Attribute, outside: Outside) -> bool:
    """Whether it names a method of a builtin class, as str.upper."""
    if not isinstance(method.value, ast.Name) or method.attr.startswith("__"):
        return False
    if not outside.means(method.value, *_TYPES):
        return False
    return isinstance(vars(outside.meaning(method.value)).get(method.attr), _METHOD)


_METHOD = type(str.upper)


# As values they are not those of classes in Python, which have methods for them.
_OF_INSTANCES = (len, abs, str, repr, hash, bool, int, float)


def _calling(function: ast.expr) -> ast.expr:
    name = "its argument"  # not a valid identifier
    called = ast.Call(function, [name_of(name)], [])
    return located(function_of([name], called), function)


# Of strings, lists, dicts and sets; instances may have other things under these names.
_NAMES = {
    "get", "index", "count", "append", "add", "find", "join", "format", "startswith", "endswith",
    "split", "strip", "__getitem__", "__contains__", "pop", "discard", "remove", "setdefault",
}  # fmt: skip


_CONTAINERS = (str, list, tuple, dict, set, np.ndarray)


def _as_lambda(method: ast.Attribute, count: int, outside: Outside) -> ast.expr:
    """Of so many arguments; bound to its object, or not."""
    names = [f"argument {k}" for k in range(count)]  # not valid identifiers
    values: list[ast.expr] = [name_of(name) for name in names]
    if _is_unbound(method, outside):
        unbound = ast.Call(ast.Attribute(values[0], method.attr, ast.Load()), values[1:], [])
        return located(function_of(names, unbound), method)
    known = outside.peek(method.value)
    is_other = known is not None and not isinstance(known, _CONTAINERS)
    if method.attr not in _NAMES or is_other:
        return method
    if not all(isinstance(one, PLAIN) for one in ast.walk(method.value)):
        return method  # what is not to be computed again
    called: ast.expr = ast.Call(method, values, [])
    if method.attr == "__getitem__" and count == 1:
        called = ast.Subscript(method.value, values[0], ast.Load())
    if method.attr == "__contains__" and count == 1:
        called = ast.Compare(values[0], [ast.In()], [method.value])
    kinds = ast.Tuple([constant(kind) for kind in _CONTAINERS], ast.Load())
    test = ast.Call(constant(isinstance), [method.value, kinds], [])
    return located(ast.IfExp(test, function_of(names, called), method), method)


# ------------------------------------------------------------------------------- calls with `*`


# Those that can be called once for each argument: they give a new set, or change theirs.
_OF_SETS = {
    "union": set_methods.union,
    "intersection": set_methods.intersection,
    "difference": set_methods.difference,
}
_CHANGING = {
    "update": set_methods.update,
    "intersection_update": set_methods.intersection_update,
    "difference_update": set_methods.difference_update,
}
_THROUGH_CLASS = {
    "union": set_methods.union_of,
    "intersection": set_methods.intersection_of,
    "difference": set_methods.difference_of,
}
# The others by how many arguments they take at most.
_MOST = {
    "append": 1, "center": 2, "count": 3, "endswith": 3, "extend": 1, "find": 3, "format": 16,
    "get": 2, "index": 3, "insert": 2, "isdisjoint": 1, "issubset": 1, "issuperset": 1, "join": 1,
    "ljust": 2, "partition": 1, "pop": 2, "remove": 1, "replace": 3, "rjust": 2, "setdefault": 2,
    "split": 2, "startswith": 3, "strip": 1, "zfill": 1,
}  # fmt: skip
_SETS = (set, frozenset)


class Methods(ast.NodeTransformer):
    """What is left after call_methods()."""

    def __init__(self, outside: Outside) -> None:
        self.outside = outside

    def visit_Call(self, node: ast.Call) -> ast.expr:
        method, first = node.func, node.args[0] if node.args else None
        is_starred = any(isinstance(one, ast.Starred) for one in node.args)
        if not isinstance(method, ast.Attribute) or not is_starred:
            self.generic_visit(node)
            return node
        if _is_unbound(method, self.outside):
            if not isinstance(first, ast.Starred):  # set.union(a, *others)
                node.func = method = located(
                    ast.Attribute(node.args.pop(0), method.attr, ast.Load()), method
                )
            elif len(node.args) == 1 and method.attr in _THROUGH_CLASS:
                ours = constant(_THROUGH_CLASS[method.attr])
                return located(ast.Call(ours, [self.visit(first.value)], []), node)
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and not node.keywords:
            return self._starred(node, node.func)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """A method as a value, as str.upper; how many arguments it is given is not known."""
        if isinstance(node.ctx, ast.Load) and _is_unbound(node, self.outside):
            rest = "its arguments"  # not a valid identifier
            called = _by_length(name_of("its object"), node.attr, rest, 2)
            return located(function_of(["its object"], called, rest), node)
        self.generic_visit(node)
        return node

    def _starred(self, call: ast.Call, method: ast.Attribute) -> ast.expr:
        name, known = method.attr, self.outside.peek(method.value)
        if name in _OF_SETS and _may_be(known, _SETS) and not _is_super(method.value):
            return chosen(call, _SETS, lambda value: _folded(value, name, call.args))
        others = [one.value for one in call.args if isinstance(one, ast.Starred)]
        if name in _CHANGING and len(call.args) == 1 and _may_be(known, (set,)):
            ours = constant(_CHANGING[name])
            return chosen(call, (set,), lambda value: ast.Call(ours, [value, *others], []))
        if name in _MOST and _may_be(known, _WITH_METHODS) and not _is_super(method.value):
            return chosen(call, _WITH_METHODS, lambda value: _spread(value, name, call.args))
        return call


_WITH_METHODS = (str, list, dict, set)


def _may_be(known: object, kinds: tuple[type, ...]) -> bool:
    return known is None or isinstance(known, kinds)


def _is_super(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"
    )


def _folded(value: ast.expr, name: str, given: list[ast.expr]) -> ast.expr:
    """`a.union(b, *others)` becomes `union(a.union(b), others)`."""
    for one in given:
        if isinstance(one, ast.Starred):
            value = ast.Call(constant(_OF_SETS[name]), [value, one.value], [])
        else:
            value = ast.Call(ast.Attribute(value, name, ast.Load()), [one], [])
    return value


def _spread(value: ast.expr, name: str, given: list[ast.expr]) -> ast.expr:
    """`text.replace(*pair)` becomes a call of a function that looks how many there are."""
    rest = "its arguments"
    called = _by_length(name_of("the object"), name, rest, _MOST[name])
    return ast.Call(function_of(["the object"], called, rest), [value, *given], [])


def _by_length(value: ast.expr, name: str, rest: str, most: int) -> ast.expr:
    """The method's call with as many arguments as `rest` has; with one too many, if it has more."""

    def called(count: int) -> ast.expr:
        items: list[ast.expr] = [
            ast.Subscript(name_of(rest), constant(k), ast.Load()) for k in range(count)
        ]
        return ast.Call(ast.Attribute(value, name, ast.Load()), items, [])

    found = called(most + 1)
    for count in reversed(range(most + 1)):
        length = ast.Call(constant(len), [name_of(rest)], [])
        found = ast.IfExp(ast.Compare(length, [ast.Eq()], [constant(count)]), called(count), found)
    return found
