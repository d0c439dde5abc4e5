"""Report formatting: column alignment, full justification, histogram bars, roman outlines."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import zip_longest
from typing import Any, Callable, Sequence


class Align(Enum):
    LEFT = "<"
    RIGHT = ">"
    CENTER = "^"


@dataclass
class Column:
    title: str
    align: Align = Align.LEFT
    fmt: Callable[[Any], str] = str
    width: int = 0

    def cell(self, value: Any) -> str:
        return f"{value:{self.align.value}{self.width}}"


class TextTable:
    def __init__(self, *columns: Column):
        self.columns = columns
        self.rows: list[list[str]] = []

    def add(self, *values: Any) -> TextTable:
        if len(values) != len(self.columns):
            raise TypeError(f"expected {len(self.columns)} values, got {len(values)}")
        self.rows.append([c.fmt(v) for c, v in zip(self.columns, values)])
        return self

    def render(self) -> str:
        for i, c in enumerate(self.columns):
            c.width = max([len(c.title)] + [len(r[i]) for r in self.rows])
        rule = "+".join("-" * (c.width + 2) for c in self.columns)
        head = " | ".join(c.cell(c.title) for c in self.columns)
        body = [" | ".join(c.cell(v) for c, v in zip(self.columns, row)) for row in self.rows]
        return "\n".join(line.rstrip() for line in [head, rule, *body])


def justify(text: str, width: int) -> list[str]:
    lines, line, length = [], [], 0
    for word in text.split():
        if length + len(word) + len(line) > width:
            gaps = max(1, len(line) - 1)
            spaces, extra = divmod(width - length, gaps)
            out = ""
            for i, w in enumerate(line):
                out += w
                if i < len(line) - 1 or len(line) == 1:
                    out += " " * (spaces + (i < extra))
            lines.append(out)
            line, length = [], 0
        line.append(word)
        length += len(word)
    lines.append(" ".join(line).ljust(width))
    return lines


def bars(data: dict[str, float], width: int = 20) -> list[str]:
    top = max(data.values())
    pad = max(map(len, data))
    return [
        f"{k.rjust(pad)} {'█' * int(v / top * width)}{'▌' if v / top * width % 1 >= 0.5 else ''} {v:g}"
        for k, v in data.items()
    ]


def side_by_side(left: Sequence[str], right: Sequence[str], gap: int = 3) -> list[str]:
    w = max(map(len, left), default=0)
    return [f"{a:<{w}}{' ' * gap}{b}".rstrip() for a, b in zip_longest(left, right, fillvalue="")]


def outline(tree: dict, level: int = 0, prefix: str = "") -> list[str]:
    out = []
    for i, (title, children) in enumerate(tree.items(), 1):
        number = f"{prefix}{i}."
        out.append("  " * level + f"{number} {title}")
        out.extend(outline(children, level + 1, number))
    return out


def main(rows, text, data):
    t = TextTable(
        Column("item"),
        Column("price", Align.RIGHT, lambda v: f"{v:,.2f}"),
        Column("ok", Align.CENTER, lambda b: "yes" if b else "no"),
    )
    for r in rows:
        t.add(*r)
    try:
        t.add("x")
    except TypeError as e:
        error = str(e)
    doc = {"Intro": {"Why": {}, "How": {"Fast": {}}}, "End": {}}
    return (
        t.render(),
        justify(text, 18),
        bars(data),
        side_by_side(justify(text, 12)[:3], bars(data)),
        outline(doc),
        error,
    )


ARGS = [
    (
        [("anvil", 1234.5, True), ("rope (long)", 7.25, False), ("hat", 19.999, True)],
        "the quick brown fox jumps over the lazy dog and runs away",
        {"tea": 3.5, "coffee": 12, "milk": 7.25},
    )
]
