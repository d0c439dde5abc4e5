"""Types of variables as text (`dict[str, list[int]]`), and patterns of them: a capital letter
stands for a type.
"""

from __future__ import annotations

from functools import lru_cache

KEYS = ["int", "str", "str", "tuple[int, int]", "tuple[str, int]"]
HASHED = ["Point", "Card", "Place", "Key"]  # classes whose objects are keys
FROZEN = ["frozenset[int]", "frozenset[str]"]
ORDERED = ["int", "float", "str", "tuple[int, int]", "tuple[str, int]", "tuple[int, str]"]


@lru_cache(maxsize=None)
def split(text: str) -> tuple[str, tuple[str, ...]]:
    """`dict[str, list[int]]` becomes `dict` and its two types."""
    if "[" not in text:
        return text, ()
    name, rest = text.split("[", 1)
    inside, depth, parts = rest[:-1], 0, [""]
    for letter in inside:
        depth += (letter == "[") - (letter == "]")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return name, tuple(part.strip() for part in parts)


def is_variable(pattern: str) -> bool:
    return len(pattern) == 1 and pattern.isupper()


def allowed(variable: str, kind: str) -> bool:
    """H is a key, K one with an order, C has an order, N is a number; the others are anything but
    a generator.
    """
    if variable == "K":
        return kind in KEYS
    if variable == "H":
        inside = split(kind)[1] if kind.startswith("tuple[") else (kind,)
        return all(one in KEYS or one in HASHED or one in FROZEN for one in inside)
    if variable == "C":
        return kind in ORDERED
    if variable == "N":
        return kind in ("int", "float")
    return not kind.startswith(("gen[", "array"))


def match(pattern: str, kind: str, known: dict[str, str]) -> dict[str, str] | None:
    """What the letters of a pattern stand for; None where it does not fit."""
    if is_variable(pattern):
        if pattern in known:
            return known if known[pattern] == kind else None
        return {**known, pattern: kind} if allowed(pattern, kind) else None
    name, parts = split(pattern)
    other, kinds = split(kind)
    if name != other or len(parts) != len(kinds):
        return None
    for part, one in zip(parts, kinds, strict=True):
        found = match(part, one, known)
        if found is None:
            return None
        known = found
    return known


def fill(pattern: str, known: dict[str, str]) -> str:
    if is_variable(pattern):
        return known[pattern]
    name, parts = split(pattern)
    return f"{name}[{', '.join(fill(part, known) for part in parts)}]" if parts else name


def letters(pattern: str) -> list[str]:
    if is_variable(pattern):
        return [pattern]
    return [letter for part in split(pattern)[1] for letter in letters(part)]
