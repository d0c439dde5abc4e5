"""Functions of the standard library that a function's tree names, replaced by functions of ours.

They are captured with the user's function, unlike those of the library: for what depends on the
place where it stands, makes instances, or names attributes.

- itertools.count and itertools.cycle where a loop, zip() or map() takes them at once: a map() over
  numbers, which has its items at indices. Elsewhere they are generators (library/generators.py).
- zip(*rows) of lists whose length is known only at run time.
- Methods of builtin classes (_methods.py).
- bytearray, random.Random and fractions.Fraction, which become classes of ours; in a module that
  uses the latter, functions that take instances of it.
- Static methods of builtin classes (`int.from_bytes`), and methods of values that make instances
  (`n.to_bytes(4)`).
"""

from __future__ import annotations

import ast
import copy
import fractions
import functools
import inspect
import itertools
import math
import operator
import random
import statistics
from types import ModuleType
from typing import Any

import numpy as np

from shapecast._defaults import Defaults
from shapecast._function_attributes import FunctionAttributes
from shapecast._iterators import Count, Cycle
from shapecast._methods import Methods, call_methods
from shapecast._nodes import chosen, constant, function_of, located, name_of
from shapecast._outside import Outside
from shapecast._printing import Printing
from shapecast._views import Views
from shapecast.library import (
    byte_arrays,
    exact_fractions,
    exact_statistics,
    random_objects,
    static_methods,
)
from shapecast.library.long_tuples import transposed, transposed_lists
from shapecast.library.primitives import unsupported

_ENDLESS = 2**62
_IMMUTABLE = (bool, int, float, complex, str, np.generic)


def counted(start: Any = 0, step: Any = 1) -> Any:
    """itertools.count."""
    if isinstance(start, int) and isinstance(step, int):
        return map(lambda k: start + k * step, range(_ENDLESS))  # noqa: C417  # has a length
    return itertools.count(start, step)  # floats are added, one after another


def cycled(iterable: Any, /) -> Any:
    """itertools.cycle."""
    items = iterable if isinstance(iterable, (tuple, range)) else list(iterable)
    length = len(items)
    return map(lambda k: items[k % length], range(_ENDLESS if length > 0 else 0))  # noqa: C417


class Compared:
    """What functools.cmp_to_key makes of an item."""

    def __init__(self, compare: Any, obj: Any) -> None:
        self.compare = compare
        self.obj = obj

    def __lt__(self, other: Any) -> bool:
        return bool(self.compare(self.obj, other.obj) < 0)

    def __gt__(self, other: Any) -> bool:
        return bool(self.compare(self.obj, other.obj) > 0)


def cmp_to_key(mycmp: Any) -> Any:
    """functools.cmp_to_key."""
    return lambda obj: Compared(mycmp, obj)


def until(function: Any, sentinel: Any) -> Any:
    """iter(function, sentinel)."""
    item = function()
    while item != sentinel:
        yield item
        item = function()


def copied(x: Any) -> Any:
    """copy.copy."""
    if isinstance(x, (list, dict, set, np.ndarray)):
        return x.copy()
    if x is None or isinstance(x, (tuple, *_IMMUTABLE)):
        return x
    if hasattr(x, "__copy__"):
        return x.__copy__()
    return unsupported("copy.copy of an instance is not supported; make another one")


def copied_deeply(x: Any) -> Any:
    """copy.deepcopy, of what holds nothing that could be shared."""
    if isinstance(x, np.ndarray):
        return x.copy()
    if isinstance(x, list):
        return [immutable(item) for item in x]
    if isinstance(x, dict):
        return {key: immutable(value) for key, value in x.items()}
    if isinstance(x, tuple):
        return tuple([immutable(item) for item in x])
    if hasattr(x, "__deepcopy__"):
        return x.__deepcopy__({})
    return immutable(x)


def immutable(item: Any) -> Any:
    is_fraction = isinstance(item, exact_fractions.Fraction)
    if item is not None and not is_fraction and not isinstance(item, _IMMUTABLE):
        unsupported(
            "copy.deepcopy is supported for arrays, and for containers of numbers and strings; "
            "copy what is in them one by one"
        )
    return item


def replace(definition: ast.AST, outside: Outside) -> None:
    if outside.names is globals():
        return  # the functions above call Python's
    _standard(definition, outside)
    if uses_fractions(outside.names):
        _OnFractions(outside).visit(definition)
    _Builtins(outside).visit(definition)
    Printing(outside).visit(definition)
    Defaults(outside).visit(definition)
    Views(outside).visit(definition)
    FunctionAttributes(outside).visit(definition)
    nodes = list(ast.walk(definition))
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
            _endless(node.value, outside, Count, Cycle)  # next() takes one item after another
    iterated = [node.iter for node in nodes if isinstance(node, ast.For)]
    for node in nodes:
        if not isinstance(node, ast.Call):
            continue
        is_iterated = any(node is one for one in iterated)
        if is_iterated:
            _endless(node, outside, counted, cycled)
        if any(isinstance(argument, ast.Call) for argument in node.args):
            _in_step(node, is_iterated, outside)
        call_methods(node, outside)
        _keys(node, outside)
        _in_chain(node, outside)
    Methods(outside).visit(definition)


def _in_chain(call: ast.Call, outside: Outside) -> None:
    """chain.from_iterable((f(y) for y in x) for x in xs) takes one after another: as lists."""
    callee = call.func
    if not isinstance(callee, ast.Attribute) or callee.attr != "from_iterable" or not call.args:
        return
    given = call.args[0]
    if isinstance(given, ast.GeneratorExp | ast.ListComp) and outside.means(
        callee.value, itertools.chain
    ):
        inner = given.elt
        if isinstance(inner, ast.GeneratorExp):
            given.elt = ast.copy_location(ast.ListComp(inner.elt, inner.generators), inner)


_OF_MODULES: tuple[tuple[ModuleType, dict[str, Any]], ...] = (
    (statistics, exact_statistics.REPLACED),  # with fractions, which compiled code has not
    (random, {"sample": random_objects.Random.sample}),  # which calls itself
)


def _standard(definition: ast.AST, outside: Outside) -> None:
    """A function of the standard library for which there is one of ours: it calls that one."""
    known = next((ours for of, ours in _OF_MODULES if outside.names is of.__dict__), {})
    if not isinstance(definition, ast.FunctionDef) or definition.name not in known:
        return
    ours = known[definition.name]
    names = [one.arg for one in definition.args.args]
    words = [one.arg for one in definition.args.kwonlyargs]
    if [*names, *words] != list(inspect.signature(ours).parameters):
        return
    values: list[ast.expr] = [name_of(name) for name in names]
    call = ast.Call(constant(ours), values, [ast.keyword(word, name_of(word)) for word in words])
    definition.body = [ast.copy_location(ast.Return(located(call, definition)), definition)]


def uses_fractions(names: dict[str, Any]) -> bool:
    """Whether a module with these globals may mean `fractions.Fraction` by one of them."""
    if names is vars(exact_fractions):
        return False
    return any(one is fractions.Fraction or one is fractions for one in list(names.values()))


_OF_FRACTIONS = (
    (math.floor, exact_fractions.floor),
    (math.ceil, exact_fractions.ceil),
    (math.trunc, exact_fractions.trunc),
    (divmod, exact_fractions.divmod),
)
_OF_FLOATS = [getattr(math, name) for name in ("sqrt", "exp", "log", "log2", "log10", "sin", "cos")]
_OF_FLOATS += [getattr(math, name) for name in ("tan", "atan", "atan2", "hypot", "pow", "fabs")]
_OF_FLOATS += [getattr(math, name) for name in ("isclose", "isnan", "isinf", "isfinite")]


class _OnFractions(ast.NodeTransformer):
    """Functions of Python of which capture does not know that they take instances of Fraction."""

    def __init__(self, outside: Outside) -> None:
        self.outside = outside

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        for theirs, ours in _OF_FRACTIONS:
            if self.outside.means(node.func, theirs):
                node.func = ast.copy_location(constant(ours), node.func)
        is_starred = any(isinstance(one, ast.Starred) for one in node.args)
        if not is_starred and self.outside.means(node.func, *_OF_FLOATS):
            node.args = [
                located(ast.Call(constant(exact_fractions.number), [one], []), one)
                for one in node.args
            ]
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """A global Fraction, which cannot be changed, as one of ours."""
        known = self.outside.peek(node)
        if type(known) is not fractions.Fraction or not isinstance(node.ctx, ast.Load):
            return node
        parts = [constant(one) for one in self.outside.meaning(node).as_integer_ratio()]
        return located(ast.Call(constant(exact_fractions.of_parts), parts, []), node)


_STATIC: dict[tuple[type, str], object] = {
    (int, "from_bytes"): static_methods.from_bytes,
    (int, "to_bytes"): static_methods.to_bytes,
    (bytes, "fromhex"): static_methods.bytes_of_hex,
    (byte_arrays.bytearray, "fromhex"): static_methods.bytearray_of_hex,
    (bytes, "maketrans"): static_methods.table_of_bytes,
    (byte_arrays.bytearray, "maketrans"): static_methods.table_of_bytes,
    (str, "maketrans"): static_methods.table_of_texts,
    (str, "translate"): static_methods.translate,
}
_OF_VALUES: dict[str, tuple[tuple[type, ...], object]] = {
    "as_integer_ratio": ((int, float), static_methods.as_integer_ratio),
    "hex": ((float,), static_methods.hex_of_float),
    "indices": ((slice,), static_methods.indices),
    "to_bytes": ((int,), static_methods.to_bytes),
    "translate": ((str,), static_methods.translate),
}
_CALLED = _OF_VALUES.keys() | {"cache_clear"} | {name for _, name in _STATIC}
_CACHED = type(functools.cache(len))


@functools.cache
def _clearing(cached: Any) -> Any:
    """A call of Python: what plain calls have left there is forgotten. Compiled code has no use of
    it, since results do not depend on it.
    """
    from shapecast._callouts import PyFunc

    return PyFunc(cached.cache_clear, None)


_LOAD = ast.Load()


class _Builtins(ast.NodeTransformer):
    """Classes and methods of which capture does not know that others of ours are meant."""

    def __init__(self, outside: Outside) -> None:
        self.outside = outside

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._class_of_ours(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        return self._class_of_ours(node)

    def visit_Constant(self, node: ast.Constant) -> ast.expr:  # of an import in the function
        return self._class_of_ours(node)

    def _class_of_ours(self, node: ast.Name | ast.Attribute | ast.Constant) -> ast.expr:
        """Not the class itself: isinstance takes a constant in a tuple for None."""
        if not isinstance(getattr(node, "ctx", _LOAD), ast.Load):
            return node
        for module in (byte_arrays, exact_fractions, random_objects):
            for theirs, ours in module.REPLACED.items():
                if self.outside.means(node, theirs):
                    return located(ast.Attribute(constant(module), ours.__name__, ast.Load()), node)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return node  # an annotation is Python's

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        method = node.func
        if not isinstance(method, ast.Attribute) or method.attr not in _CALLED:
            return node
        if method.attr == "cache_clear":
            cached = self.outside.peek(method.value)
            if isinstance(cached, _CACHED) and self.outside.means(method.value, cached):
                node.func = ast.copy_location(constant(_clearing(cached)), method)
            return node
        for (kind, name), ours in _STATIC.items():
            if method.attr == name and self.outside.means(method.value, kind):
                node.func = ast.copy_location(constant(ours), method)
                return node
        if method.attr not in _OF_VALUES or any(isinstance(a, ast.Starred) for a in node.args):
            return node
        kinds, ours = _OF_VALUES[method.attr]
        known = self.outside.peek(method.value)
        is_known_other = known is not None and not isinstance(known, kinds)
        if is_known_other:
            return node
        return chosen(
            node, kinds, lambda value: ast.Call(constant(ours), [value, *node.args], node.keywords)
        )


def _in_step(call: ast.Call, is_iterated: bool, outside: Outside) -> None:
    """zip() and map(): one of the others ends, or the loop does: what takes all does not return."""
    if not outside.means(call.func, zip, map):
        return
    given = call.args[1:] if outside.means(call.func, map) else call.args
    endless = [one for one in given if _is_endless(one, outside)]
    if len(endless) < len(given) or is_iterated:
        for one in endless:
            _endless(one, outside, counted, cycled)


def _is_endless(node: ast.expr, outside: Outside) -> bool:
    return isinstance(node, ast.Call) and outside.means(node.func, itertools.count, itertools.cycle)


def _endless(node: ast.expr, outside: Outside, count: object, cycle: object) -> None:
    if isinstance(node, ast.Call) and _is_endless(node, outside):
        made = count if outside.means(node.func, itertools.count) else cycle
        node.func = ast.copy_location(constant(made), node.func)


# --------------------------------------------------------------------- functions with one of ours


_OURS = (
    (functools.cmp_to_key, cmp_to_key),
    (copy.copy, copied),
    (copy.deepcopy, copied_deeply),
    (random.randbytes, static_methods.random_bytes),
)


def _keys(call: ast.Call, outside: Outside) -> None:
    if not call.keywords and _is_transposed(call, outside):
        call.func = ast.copy_location(constant(transposed), call.func)
        call.args = [call.args[0].value]  # type: ignore[attr-defined]
        return
    is_map = len(call.args) == 2 and outside.means(call.func, map)
    if is_map and outside.means(call.args[0], list) and _is_transposed(call.args[1], outside):
        call.func = ast.copy_location(constant(transposed_lists), call.func)
        call.args = [call.args[1].args[0].value]  # type: ignore[attr-defined]
        return
    made = next((ours for theirs, ours in _OURS if outside.means(call.func, theirs)), None)
    if made is not None or (len(call.args) == 2 and outside.means(call.func, iter)):
        call.func = ast.copy_location(constant(made or until), call.func)
    elif outside.means(call.func, operator.methodcaller) and _are_texts(call.args[:1]):
        name = call.args.pop(0).value  # type: ignore[attr-defined]
        if any(isinstance(one, ast.Starred) for one in call.args):
            return
        names = [f"argument {k}" for k in range(len(call.args))]
        words = [one.arg for one in call.keywords if one.arg]
        named = [ast.keyword(word, name_of(word)) for word in words]
        method = ast.Attribute(name_of("its object"), name, ast.Load())
        called = ast.Call(method, [name_of(one) for one in names], named)
        inner = function_of(["its object"], called)
        call.func = located(function_of([*names, *words], inner), call.func)
    elif outside.means(call.func, operator.attrgetter) and _are_texts(call.args):
        found = [_dotted(one.value) for one in call.args]  # type: ignore[attr-defined]
        value = found[0] if len(found) == 1 else ast.Tuple(found, ast.Load())
        inner = function_of(["its object"], value)
        call.func, call.args = located(function_of([], inner), call.func), []


def _is_transposed(node: ast.expr, outside: Outside) -> bool:
    """Whether it is zip(*rows)."""
    return (
        isinstance(node, ast.Call)
        and len(node.args) == 1
        and isinstance(node.args[0], ast.Starred)
        and outside.means(node.func, zip)
    )


def _are_texts(values: list[ast.expr]) -> bool:
    """Whether all of them are written down, and there is one."""
    texts = [one.value for one in values if isinstance(one, ast.Constant)]
    return bool(values) and len(texts) == len(values) and all(isinstance(t, str) for t in texts)


def _dotted(names: str) -> ast.expr:
    found: ast.expr = name_of("its object")
    for name in names.split("."):
        found = ast.Attribute(found, name, ast.Load())
    return found
