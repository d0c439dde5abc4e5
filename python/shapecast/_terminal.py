"""The views in a terminal: lines without boxes, so that they can be copied, as plain text or for
rich."""

from __future__ import annotations

from collections.abc import Iterator

from ._html import words
from ._view import Box, Part, View

STYLES = {
    "comment": "dim", "text": "green", "value": "cyan", "symbol": "yellow", "type": "magenta",
    "operation": "bold blue",
}  # fmt: skip
Piece = tuple[str, str]  # a text, and rich's style of it
_MOST_LINES = 60


def stage(part: Part) -> Iterator[Piece]:
    if not part.changed:
        yield f"// {part.name}: as before\n", "dim"
        return
    yield f"// {part.name}\n", "bold"
    yield from _code(part.text)
    yield "\n", ""


def _code(text: str) -> Iterator[Piece]:
    for kind, word in words(text):
        yield word, STYLES.get(kind, "")
    yield "\n", ""


def variant(view: View) -> Iterator[Piece]:
    for line in view.source:
        yield f"{line.number:4}  {line.text}", "bold" if line.heat == 3 else ""
        yield f"  ← {line.mark}\n" if line.mark else "\n", "dim"
    for box in view.boxes:
        yield from _box(box)
    for text in view.device:
        yield f"  {text}\n", ""
    loops = [(f"nest {box.number}", box.loop) for box in view.boxes if box.loop]
    loops += [(loop.function, loop) for loop in view.hot]
    for name, loop in loops:
        yield f"\n# hot loop of {name}: {loop.summary}\n", "bold"
        yield from _code("\n".join(loop.lines[:_MOST_LINES]).expandtabs(8))
        if len(loop.lines) > _MOST_LINES:
            yield f"# ... {len(loop.lines) - _MOST_LINES} more lines\n", "dim"
    yield '\nf.stages(...)["NAME"] has the text of each stage: ', "dim"
    yield ", ".join(part.name for part in view.parts if part.changed) + "\n", "dim"


def _box(box: Box) -> Iterator[Piece]:
    yield f"nest {box.number}", "bold"
    yield ", strip-mined with the adjacent nests\n" if box.strip_mined else "\n", ""
    depth = 1
    for loop in box.loops:
        yield f"{'  ' * depth}{loop}\n", ""
        depth += 1
    for title, names in (("reads", box.reads), ("writes", box.writes)):
        if names:
            yield f"{'  ' * depth}{title} {', '.join(names)}\n", "cyan"
    yield f"{'  ' * depth}{box.body}\n", ""
    for note in box.notes:
        yield f"  {note}\n", "yellow"
