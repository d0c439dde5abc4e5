"""Runs captured IR in plain Python, straight from its text: what each captured op means."""

from __future__ import annotations

import builtins
import json
import math
import operator
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

_PYOPS = {
    name: getattr(
        operator, {"and": "and_", "or": "or_", "not": "not_", "is": "is_"}.get(name, name)
    )
    for name in (
        "add sub mul truediv floordiv mod pow lshift rshift and or xor matmul "
        "neg pos invert not lt le gt ge eq ne is is_not"
    ).split()
}
_INPLACE = {
    name: getattr(operator, "i" + name)
    for name in "add sub mul truediv floordiv mod pow lshift rshift and or xor matmul".split()
}


class Unbound:
    """The value of np.unbound."""


@dataclass
class Op:
    results: list[str]
    name: str
    text: str  # after the name
    regions: list[Region] = field(default_factory=list)


@dataclass
class Region:
    arguments: list[str]
    ops: list[Op]


@dataclass
class Function:
    parameters: list[str]
    names: list[str]
    defaults: list[Any]
    body: Region


def parse(text: str) -> dict[str, Function]:
    lines = iter([line.strip() for line in text.splitlines() if line.strip()])
    assert next(lines) == "module {"
    functions = {}
    for line in lines:
        if line == "}":
            break
        match = re.match(
            r"np\.func (?:private )?@(\"[^\"]*\"|[\w$.]+)\((.*?)\) -> .* attributes \{(.*)\} \{$",
            line,
        )
        assert match, line
        attributes = match[3]
        names = json.loads(re.search(r"arg_names = (\[.*?\])", attributes)[1])
        defaults = re.search(r"defaults = (\[.*\])", attributes)
        values = _list(defaults[1]) if defaults else []
        functions[match[1].strip('"')] = Function(
            re.findall(r"%\w+", match[2]), names, values, _region(lines)
        )
    return functions


def _region(lines: Iterator[str]) -> Region:
    region = Region([], [])
    for line in lines:
        if line.startswith("^bb0("):
            region.arguments = re.findall(r"%\w+", line)
            continue
        if line.startswith("}"):
            region.end = line  # type: ignore[attr-defined]
            return region
        match = re.match(r"(?:(%\w+)(?::(\d+))? = )?np\.(\w+)(.*)$", line)
        assert match, line
        count = int(match[2] or 1)
        results = (
            []
            if not match[1]
            else [match[1]]
            if count == 1
            else [f"{match[1]}#{i}" for i in range(count)]
        )
        op = Op(results, match[3], match[4].strip())
        if op.name in ("if", "foreach", "while"):
            op.regions.append(_region(lines))
            if op.name != "foreach":
                op.regions.append(_region(lines))
        region.ops.append(op)
    return region


def _static(text: str) -> Any:
    kind, value = re.match(r'#np\.py<"(\w+)", "(.*)">', text).groups()
    match kind:
        case "none":
            return None
        case "ellipsis":
            return ...
        case "str":
            return value
        case "dtype":
            return np.dtype(value.removeprefix("numpy."))
        case "type":
            return getattr(builtins, value)
    raise AssertionError(text)


def _number(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    if text.startswith("0x"):
        return float(np.array(int(text, 16), np.uint64).view(np.float64))
    return float(text) if re.search(r"[.e]", text) else int(text)


def _list(text: str) -> list[Any]:
    """An array attribute: numbers, static values, nested arrays."""
    items, depth, start = [], 0, 1
    for i, c in enumerate(text):
        depth += c in "[<"
        depth -= c in "]>"
        if (c == "," and depth == 1) or (depth == 0 and i > start):
            items.append(text[start:i].strip())
            start = i + 1
            if depth == 0:
                break
    return [_attribute(item) for item in items if item]


def _attribute(text: str) -> Any:
    if text.startswith("["):
        return tuple(_list(text))
    if text.startswith("#"):
        return _static(text)
    return Unbound if text == "unit" else _number(text.split(" : ")[0])


class Return(Exception):
    """Ends np.func."""


class Program:
    def __init__(self, text: str) -> None:
        self.functions = parse(text)
        self.entry = next(iter(self.functions))
        self.printed: list[tuple[Any, ...]] = []

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self.call(self.entry, arguments, named)

    def call(self, name: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        if name not in self.functions:
            target: Any = {"numpy": np, "math": math, "builtins": builtins}[name.split(".")[0]]
            for part in name.split(".")[1:]:
                target = getattr(target, part)
            return target(*arguments, **named)
        function = self.functions[name]
        bound = dict(
            zip(function.names[len(function.names) - len(function.defaults) :], function.defaults)
        )
        bound.update(zip(function.names, arguments))
        bound.update(named)
        values = {p: bound[n] for p, n in zip(function.parameters, function.names)}
        last = self.run(function.body, values)
        assert last.name == "return"
        (value,) = self.operands(last.text, values)
        assert value is not Unbound
        return value

    def operands(self, text: str, values: dict[str, Any]) -> list[Any]:
        text = re.sub(r'"(?:[^"\\]|\\.)*"', "", text).split(" : ")[0]
        return [values[name] for name in re.findall(r"%\w+(?:#\d+)?", text)]

    def run(self, region: Region, values: dict[str, Any]) -> Op:
        """Runs a block; gives its terminator."""
        for op in region.ops:
            if op.name in ("yield", "next", "test", "return"):
                return op
            got = self.step(op, values)
            results = got if isinstance(got, list) else [got] if op.results else []
            assert len(results) == len(op.results), op
            values.update(zip(op.results, results))
        raise AssertionError("no terminator")

    def step(self, op: Op, values: dict[str, Any]) -> Any:
        given = self.operands(op.text, values)
        quoted = re.findall(r'"((?:[^"\\]|\\.)*)"', op.text.split(" : ")[0])
        match op.name:
            case "const":
                text, kind = op.text.rsplit(" : ", 1)
                if kind == "!np.pycomplex":
                    return complex(*_list(text))
                return _static(text) if kind == "!np.static" else _number(text)
            case "call":
                callee = re.match(r'@("[^"]*"|[\w$.]+)', op.text)[1].strip('"')
                if callee == "shapecast.rest":
                    return None
                return self.call(callee, *self.keywords(op.text, given))
            case "method":
                base, *rest = given
                positional, named = self.keywords(op.text, rest)
                return getattr(base, quoted[0])(*positional, **named)
            case "pyop":
                return _PYOPS[quoted[0]](*given)
            case "inplace":
                return _INPLACE[quoted[0]](*given)
            case "truth":
                return bool(given[0])
            case "slice":
                return slice(*given)
            case "getitem":
                return given[0][given[1] if len(given) == 2 else tuple(given[1:])]
            case "setitem":
                *_, value = given
                given[0][given[1] if len(given) == 3 else tuple(given[1:-1])] = value
                return None
            case "attr":
                return getattr(given[0], quoted[0])
            case "tuple":
                return list_result(
                    list(given) if re.search(r"\) list\b", op.text) else tuple(given)
                )
            case "unpack":
                return list(unpack(given[0], len(op.results)))
            case "unbound":
                return Unbound
            case "check_bound":
                if given[0] is Unbound:
                    free = re.search(r"\{free\}", op.text)
                    raise (NameError if free else UnboundLocalError)(
                        f"cannot access {'free' if free else 'local'} variable '{quoted[0]}' "
                        "where it is not associated with a value"
                        + (" in enclosing scope" if free else "")
                    )
                return given[0]
            case "print":
                self.printed.append(tuple(given))
                print(*given)
                return None
            case "cast":
                return list_result(given[0])
            case "if":
                assert isinstance(given[0], bool)
                end = self.run(op.regions[0 if given[0] else 1], values)
                return self.operands(end.text, values)
            case "foreach":
                return self.foreach(op, given, values)
            case "while":
                return self.loop(op, given, values)
        raise AssertionError(op)

    def keywords(self, text: str, given: list[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        match = re.search(r"\) kw (\[.*?\])", text)
        names = json.loads(match[1]) if match else []
        split = len(given) - len(names)
        return tuple(given[:split]), dict(zip(names, given[split:]))

    def next(self, region: Region, values: dict[str, Any]) -> tuple[list[Any], bool]:
        end = self.run(region, values)
        assert end.name == "next"
        carried, _, go = end.text.split(" : ")[0].partition(") while ")
        going = self.operands(go, values)[0] if go else True
        assert isinstance(going, bool)
        return self.operands(carried, values), going

    def foreach(self, op: Op, given: list[Any], values: dict[str, Any]) -> list[Any]:
        iterable, *carried = given
        for item in iterable:
            values.update(zip(op.regions[0].arguments, [item, *carried]))
            carried, go = self.next(op.regions[0], values)
            if not go:
                break
        return carried

    def loop(self, op: Op, carried: list[Any], values: dict[str, Any]) -> list[Any]:
        before, body = op.regions
        for _ in range(100_000):
            values.update(zip(before.arguments, carried))
            end = self.run(before, values)
            assert end.name == "test"
            if not self.operands(end.text, values)[0]:
                return carried
            values.update(zip(body.arguments, carried))
            carried, go = self.next(body, values)
            if not go:
                return carried
        raise AssertionError("endless loop")


def list_result(value: Any) -> list[Any]:
    """One result that may itself be a list."""
    return [value]


def unpack(value: Any, count: int) -> Iterator[Any]:
    items = list(value)
    if len(items) > count:
        raise ValueError(f"too many values to unpack (expected {count})")
    if len(items) < count:
        raise ValueError(f"not enough values to unpack (expected {count}, got {len(items)})")
    return iter(items)
