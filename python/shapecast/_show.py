"""The views of `stages`, `explain` and notebooks: text, rich's panels, HTML without scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import Any

from . import _nests
from ._core import Jit
from ._source import SourceError, find

# Kinds of tokens in IR, in the order in which they are tried, and a colour for each that is legible
# on black and on white.
_TOKENS = re.compile(
    r"(?P<comment>//.*|(?<!\S);.*)"
    r'|(?P<text>"(?:[^"\\\n]|\\.)*")'
    r"|(?P<value>%[\w.$#:-]+)"
    r"|(?P<symbol>@[\w.$]+)"
    r"|(?P<type>![\w.]+|\b(?:tensor|array|vector|ptr|double|float|index|[if]\d+)\b)"
    r"|(?P<operation>\b[a-z_]+\.[a-z_.]+\b|(?<== )[a-z]+\b|\b(?:define|ret|br|store)\b)"
)
COLOURS = {
    "comment": "#757575", "text": "#2e7d32", "value": "#1976a8", "symbol": "#b3622d",
    "type": "#8a5cc2", "operation": "#c2478a",
}  # fmt: skip
_RICH_STYLES = {
    "comment": "dim", "text": "green", "value": "cyan", "symbol": "yellow", "type": "magenta",
    "operation": "bold blue",
}  # fmt: skip
_APPENDED = re.compile(r"\n// (optimised|ptx):\n")  # LLVM's output, appended to the last stage
_MAX_LINES = 500  # of one text in a notebook
_MAX_INSPECTED = 3  # variants that a notebook shows with their stages: each is compiled once more


def _words(text: str) -> Iterator[tuple[str, str]]:
    """The tokens of the text, each with its kind ("" for the rest)."""
    end = 0
    for found in _TOKENS.finditer(text):
        yield "", text[end : found.start()]
        yield found.lastgroup or "", found[0]
        end = found.end()
    yield "", text[end:]


def _parts(stages: dict[str, str]) -> Iterator[tuple[str, str, bool]]:
    """Name, text and whether it differs from the one before; LLVM's output is a separate part."""
    before = None
    for name, text in stages.items():
        own, *appended = _APPENDED.split(text.rstrip(), maxsplit=1)
        yield name, own, own != before
        before = own
        if appended:
            lines = (line.removeprefix("//").removeprefix(" ") for line in appended[1].splitlines())
            yield appended[0], "\n".join(lines).strip(), True


class Stages(dict[str, str]):
    """The IR after each stage, a dict: one text if printed, parts in rich and notebooks."""

    def __str__(self) -> str:
        parts = (
            f"// {name}\n{text}\n" if changed else f"// {name}: as before\n"
            for name, text, changed in _parts(self)
        )
        return "\n".join(parts)

    def __repr__(self) -> str:
        sizes = (f"{name} {len(text.splitlines())}" for name, text, _ in _parts(self))
        return f"<stages and their lines: {', '.join(sizes)}; print() shows all, [name] one>"

    def __rich__(self) -> Any:
        from rich.console import Group
        from rich.panel import Panel
        from rich.text import Text

        shown: list[Any] = []
        for name, text, changed in _parts(self):
            if changed:
                words = [(word, _RICH_STYLES.get(kind, "")) for kind, word in _words(text)]
                shown.append(Panel(Text.assemble(*words), title=name, title_align="left"))
            else:
                shown.append(Text(f"  {name}: as before", "dim"))
        return Group(*shown)

    def _repr_html_(self) -> str:
        return _page("".join(_stage_html(*part) for part in _parts(self)))


_COMPILED = re.compile(
    r"(.*): (new key|guard failed: .*|an assumption about values failed.*), ([0-9.]+ ms)"
)


class Explanation(str):
    """The log of a jitted function's compilations, one per line."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self) or "nothing compiled yet"

    def _rows(self) -> list[tuple[str, str, str]]:
        """Signature, reason, time; other lines have their text in the middle."""
        found = ((line, _COMPILED.fullmatch(line)) for line in self.splitlines())
        return [(m[1], m[2], m[3]) if m else ("", line, "") for line, m in found]

    def __rich__(self) -> Any:
        from rich.table import Table
        from rich.text import Text

        table = Table("signature", "why", "time", caption=None if self else "nothing compiled yet")
        for row in self._rows():
            table.add_row(*map(Text, row))
        return table

    def _repr_html_(self) -> str:
        if not self:
            return _page("<p>Nothing compiled yet.</p>")
        return _page(_table_html(self._rows()))


# ------------------------------------------------------------------------------------------- HTML

_STYLE = """
.shapecast pre { margin: 0; padding: .4em; overflow-x: auto; max-height: 36em; line-height: 1.35;
  background: rgba(128,128,128,.09); color: inherit; font-size: 12px; white-space: pre }
.shapecast summary { cursor: pointer; padding: .15em 0 }
.shapecast code { background: none; color: inherit; font-size: 12px }
.shapecast td, .shapecast th { text-align: left; padding: .1em 1em .1em 0; vertical-align: top }
.shapecast .sides { display: flex; flex-wrap: wrap; gap: 1em; align-items: flex-start }
.shapecast .sides > div { flex: 1 1 24em; min-width: 0 }
.shapecast .nest { background: rgba(230,160,30,.25) }
.shapecast .weak { opacity: .75 }
""" + "\n".join(f".shapecast .{kind} {{ color: {colour} }}" for kind, colour in COLOURS.items())


def _page(body: str) -> str:
    return f'<div class="shapecast"><style>{_STYLE}</style>{body}</div>'


def _table_html(rows: list[tuple[str, str, str]]) -> str:
    head = "<tr><th>signature</th><th>why</th><th>time</th></tr>"
    cells = ("".join(f"<td><code>{escape(cell)}</code></td>" for cell in row) for row in rows)
    return f"<table>{head}{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def _ir_html(text: str) -> str:
    lines = text.splitlines()
    cut = len(lines) - _MAX_LINES
    words = (
        f'<span class="{kind}">{escape(word)}</span>' if kind else escape(word)
        for kind, word in _words("\n".join(lines[:_MAX_LINES]))
    )
    return "".join(words) + (f"\n... {cut} more lines, see stages(...)" if cut > 0 else "")


def _stage_html(name: str, text: str, changed: bool) -> str:
    if not changed:
        return f'<div class="weak">{escape(name)}: as before</div>'
    count = len(text.splitlines())
    return (
        f"<details><summary>{escape(name)} <span class='weak'>({count} lines)</span></summary>"
        f"<pre>{_ir_html(text)}</pre></details>"
    )


def _source_lines(function: Any) -> tuple[int, list[str]]:
    """Number of the first line, and the lines of the definition; none where there is no source."""
    import linecache

    try:
        node, filename, _ = find(function)
    except SourceError:
        return 0, []
    first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
    lines = linecache.getlines(filename, function.__globals__)
    return first, [line.rstrip("\r\n") for line in lines[first - 1 : node.end_lineno]]


# What a call does for arrays on a device: a text, its lines, and whether it is a kernel.
DeviceNotes = list[tuple[str, list[int], bool]]


def source_rows(
    function: Any, nests: list[_nests.Nest], notes: DeviceNotes | None = None
) -> list[tuple[int, str, str]]:
    """Number and text of each line, and a mark: its loop nests by their numbers, and the host where
    it does something for arrays on a device.
    """
    first, lines = _source_lines(function)
    by_host = {line for _, lines, is_kernel in notes or [] if not is_kernel for line in lines}
    rows = []
    for number, line in enumerate(lines, first):
        inside = ", ".join(str(k) for k, nest in enumerate(nests, 1) if number in nest.lines)
        marks = [f"nest {inside}"] * bool(inside) + ["the host"] * (number in by_host)
        rows.append((number, line, f"  ← {', '.join(marks)}" if marks else ""))
    return rows


def _source_html(function: Any, nests: list[_nests.Nest], notes: DeviceNotes | None = None) -> str:
    rows = source_rows(function, nests, notes)
    if not rows:
        return "<p>The source is not available.</p>"
    shown = (
        f'<span class="{"nest" if mark else ""}">{number:4}  {escape(line)}{mark}</span>'
        for number, line, mark in rows
    )
    return "<pre>" + "\n".join(shown) + "</pre>"


def _variant_html(jitted: Jit[..., Any], index: int, head: str, is_open: bool) -> str:
    try:
        variant = jitted._inspect_variant(index)
    except Exception as error:  # a view must not raise
        return f"<details>{head}<p>{escape(f'{type(error).__name__}: {error}')}</p></details>"
    nests = _nests.describe(variant)
    items = "".join(f"<li>{escape(nest.text)}</li>" for nest in nests)
    words = f"<ol>{items}</ol>" if items else "<p>No loop nests.</p>"
    notes: DeviceNotes = variant["device"]
    if notes:
        done = "".join(f"<li>{escape(text)}</li>" for text, _, _ in notes)
        words += f"<p>Arrays on a device; a call does:</p><ul>{done}</ul>"
    stages = "".join(_stage_html(*part) for part in _parts(variant["stages"]))
    remarks = escape("\n".join(variant["remarks"]))
    if remarks:
        stages += f"<details><summary>remarks</summary><pre>{remarks}</pre></details>"
    return (
        f"<details{' open' * is_open}>{head}<div class='sides'>"
        f"<div>{_source_html(jitted.__wrapped__, nests, notes)}{words}</div><div>{stages}</div>"
        "</div></details>"
    )


def function_html(jitted: Jit[..., Any]) -> str:
    """A jitted function in a notebook: the newest variants, with source beside IR."""
    variants = jitted._variants()
    title = f"<b>{escape(repr(jitted))}</b>"
    count = f"{len(variants)} variant{'s' * (len(variants) != 1)}"
    body = f"<div>{title} <span class='weak'>{count} compiled</span></div>"
    if not variants:
        log = jitted.explain()
        body += _table_html(log._rows()) if isinstance(log, Explanation) and log else ""
        return _page(body + _source_html(jitted.__wrapped__, []))
    for index, (signature, why, milliseconds) in reversed([*enumerate(variants)]):
        behind = f"<span class='weak'>({escape(why)}, {milliseconds:.1f} ms)</span>"
        head = f"<summary><code>{escape(signature)}</code> {behind}</summary>"
        if index < len(variants) - _MAX_INSPECTED:
            body += f"<details>{head}<p>stages(...) with such arguments shows its IR.</p></details>"
        else:
            body += _variant_html(jitted, index, head, index == len(variants) - 1)
    return _page(body)
