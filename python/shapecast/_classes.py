"""Methods that `dataclasses` generates, as source: the generated ones have none."""

from __future__ import annotations

import dataclasses
import inspect
from types import FunctionType
from typing import Any
from weakref import WeakKeyDictionary

from . import _source

_written: WeakKeyDictionary[FunctionType, FunctionType] = WeakKeyDictionary()
_COMPARISONS = {"__eq__": "==", "__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}


def is_generated(method: Any) -> bool:
    code = getattr(method, "__code__", None)
    return code is not None and code.co_qualname.startswith("__create_fn__.")


def written(cls: type, method: Any) -> Any:
    """The method, or a function that does the same and has source."""
    if not is_generated(method):
        return method
    if method not in _written:
        name = method.__name__
        owner = next((c for c in cls.__mro__ if c.__dict__.get(name) is method), cls)
        if name == "__init__":
            _written[method] = _initialiser(owner, method)
        elif name in _COMPARISONS:
            _written[method] = _comparison(owner, name)
        else:
            return method
    return _written[method]


def replacement(cls: Any) -> Any:
    """The class in our library of which compiled code makes instances instead; else itself."""
    if cls.__module__ != "collections":
        return cls
    from .library import collections

    return collections.REPLACED.get(cls, cls)


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
                lines.append(f"    {this}.{field.name} = {factory}()")
                continue
            lines += [
                f"    if {field.name} is ...:",
                f"        {this}.{field.name} = {factory}()",
                "    else:",
                f"        {this}.{field.name} = {field.name}",
            ]
        elif field.name in given:
            lines.append(f"    {this}.{field.name} = {field.name}")
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
