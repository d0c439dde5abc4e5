"""The views of `stages`, `explain`, `show` and notebooks: text, rich, HTML."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from html import escape
from typing import Any

from . import _html, _nests, _terminal, _view
from ._core import Jit

_MAX_INSPECTED = 3  # variants that a view shows in full: each is compiled once more


class Stages(dict[str, str]):
    """The IR after each stage, a dict: one text if printed, parts in rich and notebooks.

    `["optimised"]`, `["assembly"]` and `["ptx"]` are what LLVM made of the last one, whose text
    has them as comments.
    """

    def __missing__(self, name: str) -> str:
        for part in _view.parts(self):
            if part.name == name:
                return part.text
        raise KeyError(name)

    def __str__(self) -> str:
        parts = (
            f"// {name}\n{text}\n" if changed else f"// {name}: as before\n"
            for name, text, changed in _view.parts(self)
        )
        return "\n".join(parts)

    def __repr__(self) -> str:
        sizes = (f"{name} {len(text.splitlines())}" for name, text, _ in _view.parts(self))
        return f"<stages and their lines: {', '.join(sizes)}; print() shows all, [name] one>"

    def __rich__(self) -> Any:
        return _rich(piece for part in _view.parts(self) for piece in _terminal.stage(part))

    def _repr_html_(self) -> str:
        return _html.page("".join(_html.stage(part) for part in _view.parts(self)))


_COMPILED = re.compile(
    r"(.*): (new key|guard failed: .*|an assumption about values failed.*),"
    r" ([0-9.]+ ms)(, code found on disk)?"
)


class Explanation(str):
    """The log of a jitted function's compilations, one per line."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self) or "nothing compiled yet"

    def _rows(self) -> list[tuple[str, str, str]]:
        """Signature, reason, time; other lines have their text in the middle."""
        found = ((line, _COMPILED.fullmatch(line)) for line in self.splitlines())
        return [
            (m[1], m[2], f"{m[3]}{', from disk' * bool(m[4])}") if m else ("", line, "")
            for line, m in found
        ]

    def __rich__(self) -> Any:
        from rich.table import Table
        from rich.text import Text

        table = Table("signature", "why", "time", caption=None if self else "nothing compiled yet")
        for row in self._rows():
            table.add_row(*map(Text, row))
        return table

    def _repr_html_(self) -> str:
        if not self:
            return _html.page("<p>Nothing compiled yet.</p>")
        return _html.page(_table(self))


def _table(log: Explanation) -> str:
    return _html.table(("signature", "why", "time"), log._rows())


def _rich(pieces: Iterator[_terminal.Piece]) -> Any:
    text = importlib.import_module("rich.text")  # only rich calls this
    return text.Text.assemble(*pieces)


def source_rows(
    function: Any, nests: list[_nests.Nest], notes: _view.DeviceNotes | None = None
) -> list[tuple[int, str, str]]:
    """Number and text of each line, and a mark: its loop nests by their numbers, and the host where
    it does something for arrays on a device.
    """
    lines = _view.source_lines(function, nests, notes)
    return [(line.number, line.text, f"  ← {line.mark}" * bool(line.mark)) for line in lines]


# ------------------------------------------------------------------- a jitted function as a whole


def _title(jitted: Jit[..., Any], count: int) -> tuple[str, str]:
    return repr(jitted), f"{count} variant{'s' * (count != 1)} compiled"


def _newest(jitted: Jit[..., Any]) -> Iterator[tuple[str, str, _view.View | str | None]]:
    """Signature, why and time, and the view of each variant, the newest first; a text says why
    there is none, and None is for the older ones."""
    variants = jitted._variants()
    for index, (signature, why, milliseconds) in reversed([*enumerate(variants)]):
        behind = f"{why}, {milliseconds:.1f} ms"
        shown: _view.View | str | None = None
        if index >= len(variants) - _MAX_INSPECTED:
            try:
                shown = _view.view(jitted.__wrapped__, jitted._inspect_variant(index))
            except Exception as error:  # a view must not raise
                shown = f"{type(error).__name__}: {error}"
        yield signature, behind, shown


def function_html(jitted: Jit[..., Any]) -> str:
    """A jitted function in a notebook: the newest variants, with source beside IR."""
    count = len(jitted._variants())
    title, compiled = _title(jitted, count)
    body = f"<div><b>{escape(title)}</b> <span class=w>{compiled}</span></div>"
    if not count:
        log = jitted.explain()
        body += _table(log) if isinstance(log, Explanation) and log else ""
        return _html.page(body + _html.source(_view.source_lines(jitted.__wrapped__, [])))
    is_open = " open"
    for signature, behind, shown in _newest(jitted):
        head = (
            f"<summary><code>{escape(signature)}</code> "
            f"<span class=w>({escape(behind)})</span></summary>"
        )
        if shown is None:
            inner = "<p>stages(...) with such arguments shows its IR.</p>"
        else:
            inner = f"<p>{escape(shown)}</p>" if isinstance(shown, str) else _html.variant(shown)
        body += f"<details{is_open}>{head}{inner}</details>"
        is_open = ""
    return _html.page(body)


def _pieces(jitted: Jit[..., Any]) -> Iterator[_terminal.Piece]:
    count = len(jitted._variants())
    title, compiled = _title(jitted, count)
    yield title, "bold"
    yield f"  {compiled}\n", "dim"
    if not count:
        if log := str(jitted.explain()):
            yield log + "\n", ""
        for line in _view.source_lines(jitted.__wrapped__, []):
            yield f"{line.number:4}  {line.text}\n", ""
    for signature, behind, shown in _newest(jitted):
        yield f"\n{signature}", "bold"
        yield f"  ({behind})\n", "dim"
        if isinstance(shown, str):
            yield shown + "\n", ""
        elif shown is not None:
            yield from _terminal.variant(shown)


def function_rich(jitted: Jit[..., Any]) -> Any:
    """The same for rich."""
    return _rich(_pieces(jitted))


def show(jitted: Jit[..., Any]) -> None:
    """The same as plain text."""
    print("".join(text for text, _ in _pieces(jitted)), end="")
