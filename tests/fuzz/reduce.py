"""Makes a failing program smaller as long as it fails in the same way."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator
from dataclasses import replace

from fuzz.execute import outcomes
from fuzz.people.program import raises
from fuzz.programs import Program

SIMPLER_NUMBERS = [0, 1, 2]


def _entry(source: str) -> str:
    """`def` and the name of the last function, which is the program."""
    return re.findall(r"^def \w+\(", source, re.MULTILINE)[-1]


def failure(program: Program) -> str | None:
    outcome = next(iter(outcomes([lambda: program])))
    return outcome.signature if outcome.bad else None


def _blocks(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(tree):
        for field in ("body", "orelse"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                yield block


def _fewer_statements(tree: ast.Module) -> Iterator[ast.Module]:
    """Without a run of statements, or with the body of a compound statement instead of it."""
    count = len(list(_blocks(tree)))
    for size in (8, 4, 2, 1):
        for number in range(count):
            block = list(_blocks(tree))[number]
            for start in range(0, len(block), size):
                changed = copy.deepcopy(tree)
                target = list(_blocks(changed))[number]
                del target[start : start + size]
                yield changed
    for number in range(count):
        for index, statement in enumerate(list(_blocks(tree))[number]):
            for field in ("body", "orelse"):
                if getattr(statement, field, None) and not isinstance(statement, ast.FunctionDef):
                    changed = copy.deepcopy(tree)
                    target = list(_blocks(changed))[number]
                    target[index : index + 1] = getattr(target[index], field)
                    yield changed


def _parts(node: ast.expr) -> list[ast.expr]:
    """Expressions that may replace one: its operands, and small numbers."""
    inside = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
    parts = [child for child in inside if not isinstance(child, (ast.Slice, ast.Starred))]
    if isinstance(node, ast.Call):
        parts = [*node.args, *parts]
        if isinstance(node.func, ast.Attribute):
            parts.append(node.func.value)
    if not isinstance(node, (ast.Constant, ast.Name, ast.Tuple)):
        parts += [ast.Constant(1)]
    if isinstance(node, ast.Tuple) and len(node.elts) > 1:
        parts += [
            ast.Tuple(node.elts[:k] + node.elts[k + 1 :], ast.Load()) for k in range(len(node.elts))
        ]
    if (
        isinstance(node, ast.Constant)
        and type(node.value) is int
        and node.value not in SIMPLER_NUMBERS
    ):
        parts += [ast.Constant(number) for number in SIMPLER_NUMBERS]
    return parts


def _locations(tree: ast.AST) -> list[tuple[ast.AST, str, int | None]]:
    """Locations of the expressions that are read."""
    found: list[tuple[ast.AST, str, int | None]] = []
    for node in ast.walk(tree):
        for field, value in ast.iter_fields(node):
            if field in ("targets", "target", "func", "ctx", "decorator_list"):
                continue
            if isinstance(value, ast.expr):
                found.append((node, field, None))
            elif isinstance(value, list):
                found += [(node, field, k) for k, v in enumerate(value) if isinstance(v, ast.expr)]
    return found


def _smaller_expressions(tree: ast.Module) -> Iterator[ast.Module]:
    for number, (node, field, k) in enumerate(_locations(tree)):
        value = getattr(node, field) if k is None else getattr(node, field)[k]
        for part in _parts(value):
            changed = copy.deepcopy(tree)
            target, _, _ = _locations(changed)[number]
            if k is None:
                setattr(target, field, part)
            else:
                getattr(target, field)[k] = part
            yield changed


def _sources(program: Program) -> Iterator[Program]:
    tree = ast.parse(program.source)
    for make in (_fewer_statements, _smaller_expressions):
        for changed in make(tree):
            for block in _blocks(changed):
                # Only emptied blocks of statements that need one.
                if not block and any(getattr(n, "body", None) is block for n in ast.walk(changed)):
                    block.append(ast.Pass())
            try:
                text = ast.unparse(ast.fix_missing_locations(changed)) + "\n"
                compile(text, "reduced", "exec")
            except (SyntaxError, ValueError, RecursionError, TypeError):
                continue
            entry = _entry(program.source)
            if text != program.source and f"\n{text}".rfind("\ndef ") == f"\n{text}".find(
                f"\n{entry}"
            ):
                yield replace(program, source=text)


def _calls(program: Program) -> Iterator[Program]:
    if len(program.calls) > 1:
        for k in range(len(program.calls)):
            yield replace(program, calls=program.calls[:k] + program.calls[k + 1 :])
    for k, call in enumerate(program.calls):
        simpler = [re.sub(r"lay_out\((.*), '\w+'\)$", r"\1", call, count=1, flags=re.M)]
        simpler.append(re.sub(r"'(finite|any)'", "'small'", call, count=1))
        for old, new in (("int32", "int64"), ("float32", "float64"), ("complex64", "complex128")):
            simpler.append(call.replace(old, new))
        names = re.findall(r"(\w+)(?=[,)])", call.rsplit("args = ", 1)[1])
        for name in names:
            body = program.source.split(_entry(program.source))[1].split("\n", 1)[1]
            if not re.search(rf"\b{name}\b", body):
                yield _without(program, name)
        for text in simpler:
            if text != call:
                yield replace(program, calls=(*program.calls[:k], text, *program.calls[k + 1 :]))


def _without(program: Program, name: str) -> Program:
    """Without a parameter that is not used."""
    calls = tuple(re.sub(rf"(args = .*?)\b{name}, ?", r"\1", c) for c in program.calls)
    entry = _entry(program.source)
    head, rest = program.source.rsplit(entry, 1)
    parameters, body = rest.split(")", 1)
    kept = ", ".join(p for p in parameters.split(", ") if p != name)
    lines = tuple(
        "\n".join(
            line
            for line in call.splitlines()
            if not line.startswith(f"{name} =") or f"= {name}" in call or f"{name})" in call
        )
        for call in calls
    )
    return replace(program, source=f"{head}{entry}{kept}){body}", calls=lines)


def reduced(program: Program, signature: str | None = None) -> Program:
    wanted = signature or failure(program)
    if wanted is None:
        return program
    smaller = True
    while smaller:
        smaller = False
        for make in (_calls, _sources):
            # Start again from each success: what is left is smaller.
            found = True
            while found:
                found = False
                for candidate in make(program):
                    if candidate.pictured and raises(candidate.source, candidate.calls) is None:
                        continue  # no longer a program of Python
                    if failure(candidate) == wanted:
                        program, found, smaller = candidate, True, True
                        break
    return program


def as_test(program: Program, name: str, comment: str) -> str:
    """A row for found.py."""
    quotes = '"""'
    calls = "".join(f"        {quotes}\\\n{call}\n{quotes},\n" for call in program.calls)
    return (
        f'    # {comment}\n    "{name}": Program(\n        {quotes}\\\n{program.source}{quotes},\n'
        f"        (\n{calls}        ),\n    ),\n"
    )
