"""The tables of expressions and statements, read from text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from fuzz.people.types import match, split

HOLE = re.compile(r"`([^`]*)`")


@dataclass(frozen=True)
class Hole:
    """One of a template: `!name:pattern|@:T`."""

    text: str
    pattern: str
    name: str = ""
    changed: bool = False
    mark: str = ""  # ~ a name or a constant, = a constant
    variables: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Template:
    group: str
    result: str  # a pattern, "" of a statement
    text: str
    holes: tuple[Hole, ...]
    risky: bool = False
    after: tuple[tuple[str, str], ...] = ()  # variables known afterwards, of a statement

    @property
    def block(self) -> bool:
        return any(hole.pattern == "block" for hole in self.holes)


def _hole(text: str) -> Hole:
    head, _, inside = text.partition("|")
    changed = head.startswith("!")
    head = head.removeprefix("!")
    mark = head[0] if head[0] in "~=" else ""
    head = head[len(mark) :]
    name, _, pattern = head.rpartition(":")
    pairs = [pair.partition(":") for pair in _separate(inside)]
    return Hole(text, pattern, name, changed, mark, tuple((one, kind) for one, _, kind in pairs))


def _separate(text: str) -> list[str]:
    return list(split(f"x[{text}]")[1]) if text else []


def template(group: str, result: str, text: str) -> Template:
    risky = "?" in (result[:1], text[:1])
    result, text = result.removeprefix("?"), text.removeprefix("?")
    lines = text.split("\n")
    after: list[tuple[str, str]] = []
    if lines[-1].startswith("=> "):
        for one in re.split(r" (?=@)", lines.pop().removeprefix("=> ")):
            name, _, kind = one.partition(":")
            after.append((name, kind))
    holes = tuple(map(_hole, HOLE.findall("\n".join(lines))))
    known = {hole.name for hole in holes if hole.name}
    holes = tuple(hole for hole in holes if hole.name or hole.text not in known)
    return Template(group, result, "\n".join(lines), holes, risky, tuple(after))


def _groups(name: str) -> dict[str, str]:
    text = Path(__file__).with_name(name).read_text()
    text = "".join(line for line in text.splitlines(True) if not line.startswith("#"))
    parts = re.split(r"^(\w+):\n", text, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def _expressions() -> list[Template]:
    made = []
    for group, lines in _groups("expressions.txt").items():
        for line in filter(None, lines.splitlines()):
            result, text = line.split(" <- ", 1)
            made.append(template(group, result, text))
    return made


def _statements() -> list[Template]:
    return [
        template(group, "", text.strip("\n"))
        for group, lines in _groups("statements.txt").items()
        for text in re.split(r"\n\n+", lines)
        if text.strip()
    ]


EXPRESSIONS = _expressions()
STATEMENTS = _statements()
GROUPS = sorted({one.group for one in EXPRESSIONS})
BY_HEAD: dict[str, list[Template]] = {}
for _one in EXPRESSIONS:
    BY_HEAD.setdefault(split(_one.result)[0], []).append(_one)


def giving(kind: str) -> list[tuple[Template, dict[str, str]]]:
    """The templates that give a type, with what their letters stand for."""
    heads = [split(kind)[0], *(h for h in BY_HEAD if len(h) == 1)]
    found = []
    for head in heads:
        for one in BY_HEAD.get(head, []):
            known = match(one.result, kind, {})
            if known is not None:
                found.append((one, known))
    return found
