"""Defaults of parameters that are lists, dicts or sets, one object for all calls, and `print`.

Capture knows only constants there; of methods this is about all other objects, too. So a call is
given what it leaves out, which is then read as a global is: `f(n)` becomes
`f(n, bases=defaults.bases)`. Methods, and functions that are values, are replaced by functions of
their code with a text in place of these defaults, whose trees ask for it:

    def f(n, bases=[2, 3]):    ->    def f(n, bases=TEXT):
        return n in bases                if isinstance(bases, str) and bases == TEXT:
                                             bases = defaults.bases
                                         return n in bases
"""

from __future__ import annotations

import ast
import enum
import sys
from types import FunctionType, ModuleType
from typing import Any, NamedTuple
from weakref import ReferenceType, WeakKeyDictionary, ref

import numpy as np

from shapecast import _core
from shapecast._outside import Outside, names_in
from shapecast.library import printing
from shapecast.library.primitives import unsupported

_TEXT = "\0default"  # of which isinstance() can be asked, whatever else is given
_CONTAINERS = (list, dict, set)
# Whose functions are known by themselves: copy.deepcopy has such a default.
KNOWN = {*sys.stdlib_module_names, "numpy", "scipy", "shapecast"}
# Methods that change one of these.
_CHANGES = {
    "append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse", "update", "popitem",
    "setdefault", "add", "discard", "difference_update", "intersection_update",
    "symmetric_difference_update",
}  # fmt: skip


class _Given(NamedTuple):
    original: ReferenceType[FunctionType]
    values: ModuleType  # the defaults, by the names of their parameters
    is_method: bool


_Seen = WeakKeyDictionary[FunctionType, tuple[Any, ModuleType, FunctionType]]
_seen: dict[bool, _Seen] = {False: WeakKeyDictionary(), True: WeakKeyDictionary()}
_given: WeakKeyDictionary[FunctionType, _Given] = WeakKeyDictionary()


def replaced(function: Any) -> Any:
    """The function that capture takes in its place; itself, where it knows all its defaults."""
    plain = _plain(function)
    return _parts(plain)[1] if plain is not None and _special(plain) else function


def of_method(function: Any) -> Any:
    """The same of a method: calls give functions the other objects that are no constants, members
    of Enums, say, and functions.
    """
    plain = _plain(function)
    is_special = plain is not None and _special(plain, is_method=True)
    return _parts(plain, is_method=True)[1] if plain is not None and is_special else function


def _plain(function: Any) -> FunctionType | None:
    plain = function.__wrapped__ if isinstance(function, _core.Jit) else function
    return plain if isinstance(plain, FunctionType) else None


def _parts(function: FunctionType, is_method: bool = False) -> tuple[ModuleType, FunctionType]:
    """The defaults by name, and the function that has others."""
    now = function.__code__, function.__defaults__, dict(function.__kwdefaults__ or {})
    seen = _seen[is_method]
    if function not in seen or not _are_same(seen[function][0], now):
        values = ModuleType(f"defaults of {function.__qualname__}")
        vars(values).update(_special(function, is_method))
        seen[function] = now, values, _replacement(function, values, is_method)
    return seen[function][1:]


def _are_same(a: Any, b: Any) -> bool:
    """The dicts hold the same objects: equal lists may be two."""
    by_keyword = a[2].keys() == b[2].keys() and all(a[2][k] is b[2][k] for k in a[2])
    return a[0] is b[0] and a[1] is b[1] and by_keyword


def _special(function: FunctionType, is_method: bool = False) -> dict[str, Any]:
    """The parameters with such defaults."""
    defaults, keywords = function.__defaults__ or (), function.__kwdefaults__ or {}
    if not (defaults or keywords) or function.__name__ == "<lambda>" or function in _given:
        return {}
    if str(function.__module__).partition(".")[0] in KNOWN:
        return {}
    code = function.__code__
    first = code.co_argcount - len(defaults)
    all_of_them = dict(zip(code.co_varnames[first:], defaults, strict=False)) | keywords
    found = {name: one for name, one in all_of_them.items() if _is_special(one, is_method)}
    return {name: printing.printed if one is print else one for name, one in found.items()}


def _is_special(value: Any, is_method: bool) -> bool:
    return type(value) in _CONTAINERS or value is print or (is_method and not _is_constant(value))


def _is_constant(value: Any) -> bool:
    """Whether capture knows it as the default of a parameter: defaultAttr() in constants.cpp."""
    if isinstance(value, type):
        is_type = value in (int, float, bool, complex, str, tuple, list)
        return is_type or issubclass(value, (BaseException, np.generic))
    if type(value) is tuple:
        return all(map(_is_constant, value))
    is_plain = type(value) in (bool, int, float, complex, str, ModuleType)
    return (
        is_plain
        or any(value is one for one in (None, ..., NotImplemented))
        or isinstance(value, np.dtype)
    )


def _replacement(function: FunctionType, values: ModuleType, is_method: bool) -> FunctionType:
    def default(one: Any) -> Any:
        return _TEXT if _is_special(one, is_method) else one

    made = FunctionType(
        function.__code__,
        function.__globals__,
        function.__name__,
        tuple(map(default, function.__defaults__ or ())),
        function.__closure__,
    )
    made.__kwdefaults__ = {k: default(one) for k, one in (function.__kwdefaults__ or {}).items()}
    made.__qualname__, made.__module__ = function.__qualname__, function.__module__
    _given[made] = _Given(ref(function), values, is_method)
    return made


def complete(definition: Any, function: FunctionType, outside: Outside) -> None:
    """Adds what asks for the defaults to the tree of a function that was made here."""
    if function not in _given:
        return
    original, values, is_method = _given[function]
    known = original()
    if known is None:
        return
    outside.functions.append(known)  # whose defaults may be replaced
    first = definition.body[0]
    for name in _special(known, is_method):
        variable, text = ast.Name(name, ast.Load()), _constant(_TEXT)
        is_text = ast.Call(_constant(isinstance), [variable, _constant(str)], [])
        test = ast.BoolOp(ast.And(), [is_text, ast.Compare(variable, [ast.Eq()], [text])])
        assigned = ast.Assign([ast.Name(name, ast.Store())], _value(name, values, definition))
        asked = ast.copy_location(ast.If(test, [assigned], []), first)
        definition.body.insert(0, ast.fix_missing_locations(asked))


def _value(name: str, values: ModuleType, definition: Any) -> ast.expr:
    """What reads the default; a refusal, where the function changes it, and of an instance."""
    if _is_instance(getattr(values, name)):
        text = f"the default of parameter '{name}' is an instance, which is not supported; pass it"
        return ast.Call(_constant(unsupported), [_constant(text)], [])
    if type(getattr(values, name)) not in _CONTAINERS or not _changes(definition, name):
        return ast.Attribute(_constant(values), name, ast.Load())
    text = (
        f"the default of parameter '{name}' is one object for all calls, which {definition.name}() "
        f"changes; write {name}=None, and make a new one inside"
    )
    return ast.Call(_constant(unsupported), [_constant(text)], [])


def _is_instance(value: Any) -> bool:
    """Of a class of the user's; not what is known by its name or its parts."""
    is_known = isinstance(value, (enum.Enum, tuple, type)) or callable(value)
    return not is_known and type(value).__module__.partition(".")[0] not in KNOWN


def _changes(definition: ast.AST, name: str) -> bool:
    """Whether it changes that object by this name, which means no other one later."""
    nodes = list(ast.walk(definition))
    augmented = [node.target for node in nodes if isinstance(node, ast.AugAssign)]
    named = [node for node in nodes if isinstance(node, ast.Name) and node.id == name]
    if any(isinstance(node.ctx, ast.Store) and node not in augmented for node in named):
        return False
    for node in nodes:
        match node:
            case ast.Call(ast.Attribute(ast.Name(id), method)) if id == name:
                if method in _CHANGES:
                    return True
            case ast.Subscript(ast.Name(id), _, ast.Store() | ast.Del()) if id == name:
                return True
            case ast.AugAssign(ast.Name(id)) if id == name:
                return True
    return False


class Defaults(ast.NodeTransformer):
    """In the tree of a function that calls others with such defaults, or has them as values."""

    def __init__(self, outside: Outside) -> None:
        self.outside = outside

    def visit_Call(self, node: ast.Call) -> ast.expr:
        known = self.outside.peek(node.func)
        if self._completed(node, known) and self.outside.means(node.func, known):
            node.args = [self.visit(one) for one in node.args]
            node.keywords = [self.visit(one) for one in node.keywords]
        else:
            self.generic_visit(node)
        return node

    def _completed(self, call: ast.Call, known: Any) -> bool:
        """Adds what the call leaves out; False where that is not known."""
        function = _plain(known)
        is_open = any(isinstance(one, ast.Starred) for one in call.args)
        if function is None or is_open or any(one.arg is None for one in call.keywords):
            return False
        code, special = function.__code__, _special(function)
        given = {one.arg for one in call.keywords}
        given.update(code.co_varnames[: min(len(call.args), code.co_argcount)])
        left_out = special.keys() - given
        definition = self.outside.tree(function) if special else None
        if definition is None or not left_out.isdisjoint(
            code.co_varnames[: code.co_posonlyargcount]
        ):
            return False
        for name in [one for one in special if one in left_out]:
            added = ast.keyword(name, _value(name, _parts(function)[0], definition))
            call.keywords.append(ast.copy_location(added, call))
            ast.fix_missing_locations(call)
        return True

    def visit_Name(self, node: ast.Name | ast.Attribute) -> ast.expr:
        known = self.outside.peek(node) if isinstance(node.ctx, ast.Load) else None
        ours = replaced(known)
        if ours is known or not self.outside.means(node, known):
            self.generic_visit(node)
            return node
        return ast.copy_location(_constant(ours), node)

    visit_Attribute = visit_Name


def are_called(function: FunctionType) -> bool:
    """Whether it names a function with such defaults."""
    names = names_in(function.__code__)
    found = [function.__globals__.get(name) for name in names]
    spaces = [vars(one) for one in found if type(one) is ModuleType]
    found += [space.get(name) for space in spaces for name in names]
    return any(replaced(one) is not one for one in found)


def _constant(value: object) -> ast.expr:
    return ast.Constant(value)  # type: ignore[arg-type]  # capture takes any object there
