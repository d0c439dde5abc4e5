"""Methods that `dataclasses` generates, as source: the generated ones have none."""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import enum
import functools
import inspect
from types import FunctionType
from typing import Any
from weakref import WeakKeyDictionary

from . import _defaults, _source

_written: WeakKeyDictionary[FunctionType, FunctionType] = WeakKeyDictionary()
_set_first: WeakKeyDictionary[type, tuple[list[Any], list[str]]] = WeakKeyDictionary()
_COMPARISONS = {"__eq__": "==", "__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}


def is_generated(method: Any) -> bool:
    code = getattr(getattr(method, "__wrapped__", method), "__code__", None)  # recursive_repr
    return code is not None and code.co_qualname.startswith("__create_fn__.")


def written(cls: type, method: Any) -> Any:
    """The method, or a function that does the same and has source, and defaults that are known."""
    if not is_generated(method):
        return _defaults.of_method(method)
    if method not in _written:
        name = method.__name__
        owner = next((c for c in cls.__mro__ if c.__dict__.get(name) is method), cls)
        if name == "__init__":
            _written[method] = _initialiser(owner, method)
        elif name in _COMPARISONS:
            _written[method] = _comparison(owner, name)
        elif name == "__hash__":
            _written[method] = _hash(owner)
        elif name == "__repr__":
            _written[method] = _repr(owner)
        else:
            return method
    return _written[method]


def set_first(cls: type) -> list[str]:
    """The attributes that __init__ sets on each instance before anybody can see it: by statements
    that every call reaches, and before `self` goes anywhere or is asked for others.
    """
    methods = [one.__dict__.get("__init__") for one in cls.__mro__]
    codes = [getattr(method, "__code__", method) for method in methods]
    known, names = _set_first.get(cls, (None, []))
    if known != codes:
        found: list[str] = []
        with contextlib.suppress(_source.SourceError, AttributeError, TypeError):
            _add_set_first(cls, cls, found)
            names = found
        _set_first[cls] = codes, names
    return names


def _add_set_first(cls: type, start: type, names: list[str]) -> bool:
    """Of the first __init__ from the class `start` on; false: what follows it may see less."""
    following = cls.__mro__[cls.__mro__.index(start) :]
    owner = next(c for c in following if "__init__" in c.__dict__)
    if owner is object:
        return True
    node: Any = _source.find(written(cls, owner.__dict__["__init__"])).node
    this = (node.args.posonlyargs + node.args.args)[0].arg
    for statement in node.body:
        if _is_inherited_init(statement, this):
            if not _add_set_first(cls, cls.__mro__[cls.__mro__.index(owner) + 1], names):
                return False
            continue
        if not _keeps_to_itself(statement, this, names):
            return False
        targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            names += [
                one.attr
                for target in targets
                for one in getattr(target, "elts", [target])
                if isinstance(one, ast.Attribute) and getattr(one.value, "id", "") == this
            ]
    return True


def _is_inherited_init(statement: ast.stmt, this: str) -> bool:
    """`super().__init__(...)`, of which no argument has to do with the instance."""
    call = getattr(statement, "value", None)
    if not isinstance(statement, ast.Expr) or not isinstance(call, ast.Call):
        return False
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    uses = any(getattr(n, "id", "") == this for one in given for n in ast.walk(one))
    return ast.unparse(call.func) == "super().__init__" and not uses


def _keeps_to_itself(statement: ast.stmt, this: str, names: list[str]) -> bool:
    """Whether all that it does with the instance is to store attributes, and to read some of these
    names; and the next statement follows.
    """
    allowed: set[int] = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Return | ast.Yield | ast.Lambda | ast.FunctionDef | ast.ClassDef):
            return False
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == this:
            if isinstance(node.ctx, ast.Load) and node.attr not in names:
                return False
            allowed.add(id(node.value))
    return all(
        id(node) in allowed
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and node.id == this
    )


def replacement(cls: Any) -> Any:
    """The class in our library of which compiled code makes instances instead, or the function
    that it calls instead; else itself.
    """
    from .library import builtin_classes, collections, flags

    if isinstance(cls, enum.EnumMeta) and issubclass(cls, enum.Flag):  # RegexFlag, too
        return flags.made(cls)
    if cls.__module__ == "re":
        from .library import regular_expressions

        return regular_expressions.REPLACED.get(cls, cls)
    found = collections.REPLACED if cls.__module__ == "collections" else builtin_classes.REPLACED
    return found.get(cls, cls)


_FUNCTION_LIKE = {"functools", "enum", "types", "abc", "weakref"}
_properties: WeakKeyDictionary[type, dict[str, tuple[Any, property]]] = WeakKeyDictionary()


def as_property(cls: type, name: str, found: Any) -> Any:
    """A property that does what the descriptor `found` does, where its class is written in Python;
    what is found else.
    """
    kind = type(found)
    is_descriptor = hasattr(kind, "__get__") or hasattr(kind, "__set__")
    is_ours = kind.__module__.partition(".")[0] == "shapecast"
    if not is_descriptor or is_ours or kind.__module__ in _FUNCTION_LIKE or not _is_python(kind):
        return found
    known, made = _properties.setdefault(cls, {}).get(name, (None, None))
    if known is not found or made is None:

        def calling(method: str, parameters: str, body: str) -> Any:
            if not hasattr(kind, method):
                return None
            made_name = f"{name}_{method}"
            lines = [f"def {made_name}({parameters}):", f"    {body}"]
            return _function(cls, made_name, lines, {"descriptor": found})

        made = property(
            calling("__get__", "self", "return descriptor.__get__(self, type(self))"),
            calling("__set__", "self, value", "descriptor.__set__(self, value)"),
        )
        _properties[cls][name] = found, made
    return made


def _is_python(kind: type) -> bool:
    return any(
        isinstance(kind.__dict__.get(method), FunctionType) for method in ("__get__", "__set__")
    ) or any(_is_python(base) for base in kind.__bases__)


def _function(owner: type, name: str, lines: list[str], names: dict[str, Any]) -> FunctionType:
    file = f"<dataclass {owner.__module__}.{owner.__qualname__}.{name} {id(owner):x}>"
    text = "\n".join(lines) + "\n"
    _source.carry(file, text)
    exec(compile(text, file, "exec"), names)
    made: FunctionType = names[name]
    made.__qualname__ = f"{owner.__qualname__}.{name}"
    return made


def _initialiser(owner: type, method: FunctionType) -> FunctionType:
    fields: dict[str, Any] = owner.__dict__["__dataclass_fields__"]
    names: dict[str, Any] = {}
    parameters = list(inspect.signature(method).parameters.values())
    given = [one.name for one in parameters[1:]]
    heads: list[str] = [parameters[0].name]
    has_star = False
    for one in parameters[1:]:
        if one.kind is one.KEYWORD_ONLY and not has_star:
            heads.append("*")
            has_star = True
        heads.append(one.name if one.default is one.empty else f"{one.name}=None")
    this = parameters[0].name
    is_frozen = owner.__dict__["__dataclass_params__"].frozen

    def stored(field: str, value: str) -> str:
        if is_frozen:
            return f"object.__setattr__({this}, {field!r}, {value})"
        return f"{this}.{field} = {value}"

    lines = [f"def __init__({', '.join(heads)}):", "    pass"]
    variables: list[str] = []
    for field in fields.values():
        kind = field._field_type.name
        if kind == "_FIELD_CLASSVAR":
            continue
        if kind == "_FIELD_INITVAR":
            variables.append(field.name)
            continue
        if field.default_factory is not dataclasses.MISSING:
            factory = f"_make_{field.name}"
            names[factory] = field.default_factory
            if field.name not in given:
                lines.append("    " + stored(field.name, f"{factory}()"))
                continue
            lines += [
                f"    if {field.name} is ...:",
                "        " + stored(field.name, f"{factory}()"),
                "    else:",
                "        " + stored(field.name, field.name),
            ]
        elif field.name in given:
            lines.append("    " + stored(field.name, field.name))
    if hasattr(owner, "__post_init__"):
        lines.append(f"    {this}.__post_init__({', '.join(variables)})")
    made = _function(owner, "__init__", lines, names)
    factory_default = dataclasses._HAS_DEFAULT_FACTORY  # type: ignore[attr-defined]

    def default(value: Any) -> Any:
        return ... if value is factory_default else value

    if method.__defaults__ is not None:
        made.__defaults__ = tuple(map(default, method.__defaults__))
    if method.__kwdefaults__ is not None:
        made.__kwdefaults__ = {k: default(v) for k, v in method.__kwdefaults__.items()}
    return made


@functools.cache
def by_value(cls: Any) -> Any:
    """A function that gives the member of an Enum with a value, as a call of the class does; the
    class, if that is another look-up.
    """
    plain = all(type(one.value) in (int, float, str, tuple, bool) for one in cls)
    inherited: Any = enum.Enum._missing_
    own = cls._missing_.__func__ is not inherited.__func__
    if not plain or own or issubclass(cls, enum.Flag):
        return cls
    lines = [f"def {cls.__name__}(value):"]
    for member in cls:
        lines += [f"    if value == {member.value!r}:", f"        return of.{member.name}"]
    lines.append(f'    raise ValueError(f"{{value!r}} is not a valid {cls.__qualname__}")')
    return _function(cls, cls.__name__, lines, {"of": cls})


@functools.cache
def by_name(cls: Any) -> Any:
    """A function that gives the member of an Enum with a name, as cls[name] does."""
    lines = [f"def {cls.__name__}(name):"]
    for name in cls.__members__:
        lines += [f"    if name == {name!r}:", f"        return of.{name}"]
    lines.append("    raise KeyError(name)")
    return _function(cls, cls.__name__, lines, {"of": cls})


def _repr(owner: type) -> FunctionType:
    fields = [one.name for one in dataclasses.fields(owner) if one.repr]
    items = ", ".join(f"{name}={{self.{name}!r}}" for name in fields)
    return _function(
        owner,
        "__repr__",
        ["def __repr__(self):", f'    return f"{owner.__qualname__}({items})"'],
        {},
    )


def _hash(owner: type) -> FunctionType:
    """As `dataclasses` makes it: of the fields that are compared, or have hash=True."""
    used = [
        one.name
        for one in dataclasses.fields(owner)
        if (one.compare if one.hash is None else one.hash)
    ]
    items = "".join(f"self.{name}, " for name in used)
    return _function(
        owner, "__hash__", ["def __hash__(self):", f"    return hash(({items}))"], {"hash": hash}
    )


def _comparison(owner: type, name: str) -> FunctionType:
    fields = [one.name for one in dataclasses.fields(owner) if one.compare]
    mine, theirs = (
        "(" + "".join(f"{this}.{field}, " for field in fields) + ")" for this in ("self", "other")
    )
    return _function(
        owner,
        name,
        [
            f"def {name}(self, other):",
            "    if other.__class__ is self.__class__:",
            f"        return {mine} {_COMPARISONS[name]} {theirs}",
            "    return NotImplemented",
        ],
        {},
    )
