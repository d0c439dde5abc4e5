"""HTML of the views. Everything can be read without scripts; where they run, a script of a few
lines adds buttons that copy, and keeps the marks of a line that was clicked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape

from ._view import Box, Part, SourceLine, View

# Kinds of tokens in IR, in the order in which they are tried.
_TOKENS = re.compile(
    r"(?P<comment>//.*|(?<!\S)[;#] .*)"
    r'|(?P<text>"(?:[^"\\\n]|\\.)*")'
    r"|(?P<value>%[\w.$#:-]+)"
    r"|(?P<symbol>@[\w.$]+)"
    r"|(?P<type>![\w.]+|\b(?:tensor|array|vector|ptr|double|float|index|[if]\d+)\b)"
    r"|(?P<operation>\b[a-z_]+\.[a-z_.]+\b|(?<== )[a-z]+\b|\b(?:define|ret|br|store)\b"
    r"|^\t[a-z]\w*)",
    re.MULTILINE,
)
_CLASSES = {
    "comment": "c", "text": "t", "value": "a", "symbol": "y", "type": "p", "operation": "o",
}  # fmt: skip

# What is written on what, in light and dark: every pair has a contrast of 4.5 at least
# (tests/compiler/test_show.py). Themes are not asked for their colours: both are ours.
THEMES = {
    "light": {
        "ground": "#ffffff", "panel": "#f6f8fa", "mark": "#ffe9a8",
        "heat1": "#fdf3e4", "heat2": "#fbe6cc", "heat3": "#f8d8b0",
        "plain": "#1f2328", "weak": "#4f5660", "comment": "#4f5660", "text": "#0c5a24",
        "value": "#0a4a94", "symbol": "#853100", "type": "#5b32a8", "operation": "#93205f",
        "line": "#b6bec8",
    },
    "dark": {
        "ground": "#16191d", "panel": "#1e2227", "mark": "#4d4214",
        "heat1": "#2a2520", "heat2": "#3a2e22", "heat3": "#4b3722",
        "plain": "#e8ecf1", "weak": "#b9c1cb", "comment": "#b9c1cb", "text": "#96dd9a",
        "value": "#96ccff", "symbol": "#f7be86", "type": "#d9bfff", "operation": "#ffaad4",
        "line": "#59616b",
    },
}  # fmt: skip
GROUNDS = ("ground", "panel", "mark", "heat1", "heat2", "heat3")
INKS = ("plain", "weak", "comment", "text", "value", "symbol", "type", "operation")

# How JupyterLab, nbconvert, VS Code and Colab say that their theme is dark.
_DARK = (
    "[data-jp-theme-light=false]", ".vscode-dark", ".vscode-high-contrast", "html[theme=dark]",
)  # fmt: skip


def _variables(theme: dict[str, str]) -> str:
    return "".join(f"--{name}:{colour};" for name, colour in theme.items())


# !important: what the notebooks' own rules for pre, code and table (.jp-RenderedHTMLCommon) say
# would win otherwise.
_STYLE = (
    f".shapecast{{color-scheme:light;{_variables(THEMES['light'])}}}\n"
    + f":is({','.join(_DARK)}) .shapecast{{color-scheme:dark;{_variables(THEMES['dark'])}}}\n"
    + """
.shapecast{background:var(--ground)!important;color:var(--plain)!important;padding:.5em;
font:13px/1.45 system-ui,sans-serif;text-align:left}
.shapecast :is(pre,code){font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",
monospace!important;font-size:12px!important;line-height:1.4!important;white-space:pre!important;
word-break:normal!important;overflow-wrap:normal!important;color:var(--plain)!important;
background:none!important;border:0!important}
.shapecast pre{background:var(--panel)!important;margin:0!important;padding:.5em!important;
overflow:auto!important;max-height:34em}
.shapecast summary{cursor:pointer;padding:.15em 0}
.shapecast summary code{white-space:pre-wrap!important}
.shapecast .w,.shapecast .g{color:var(--weak)}
.shapecast .g{user-select:none;-webkit-user-select:none}
.shapecast h4{font-size:13px!important;margin:.8em 0 .2em!important;color:var(--plain)!important}
.shapecast table{border-collapse:collapse;margin:0!important;table-layout:auto!important;
border:0!important;color:var(--plain)!important}
.shapecast tr{background:none!important}
.shapecast :is(td,th){text-align:left!important;padding:.1em 1em .1em 0!important;
vertical-align:top!important;max-width:none!important;border:0!important}
.shapecast td.r{text-align:right!important}
.shapecast :is(td.r,th){white-space:nowrap}
.shapecast .s{display:flex;flex-wrap:wrap;gap:1em;align-items:flex-start}
.shapecast .s>div{flex:1 1 30em;min-width:0}
.shapecast .x{position:relative}
.shapecast button{position:absolute;right:.4em;top:.4em;font-size:11px;cursor:pointer;
color:var(--plain);background:var(--ground);border:1px solid var(--line);border-radius:3px}
.shapecast .n{display:flex;flex-wrap:wrap;align-items:center;gap:.5em;margin:.3em 0;padding:.1em}
.shapecast .d{display:flex;flex-direction:column;gap:.2em}
.shapecast .d code{border:1px solid var(--line)!important;border-radius:8px;padding:0 .5em}
.shapecast :is(.f,.f>span){display:block}
.shapecast .f{border:1px solid var(--line);border-left:4px solid var(--value);padding:.15em .5em;
background:var(--panel)}
.shapecast .z{border:1px dashed var(--line);padding:.2em .5em;margin:.3em 0}
.shapecast [tabindex]{cursor:pointer}
.shapecast .on{background:var(--mark)!important}
"""
    + "".join(f".shapecast .h{k}{{background:var(--heat{k})}}\n" for k in (1, 2, 3))
    + "".join(f".shapecast .{c}{{color:var(--{kind})}}\n" for kind, c in _CLASSES.items())
)

_SCRIPT = """
(()=>{const c=document.currentScript,r=c&&c.closest('.shapecast');
for(const s of r?[r]:document.querySelectorAll('.shapecast')){
for(const x of s.querySelectorAll('.x'))if(!x.querySelector('button')){
const b=document.createElement('button');b.textContent='copy';x.prepend(b);b.onclick=()=>{
const p=x.querySelector('pre').cloneNode(true);
p.querySelectorAll('.g').forEach(g=>g.remove());
navigator.clipboard.writeText(p.textContent);b.textContent='copied'}}
s.onclick=e=>{const t=e.target.closest('[tabindex]');if(!t)return;
const l=[...t.classList].filter(n=>/^l\\d/.test(n));
s.querySelectorAll('.on').forEach(x=>x.classList.remove('on'));
const all=l.flatMap(n=>[...t.closest('.v').querySelectorAll('.'+n)]);
all.forEach(x=>x.classList.add('on'));
for(const p of new Set(all.map(x=>x.closest('pre'))))if(p&&!p.contains(t)){
const x=all.find(y=>p.contains(y));p.scrollTop+=x.getBoundingClientRect().top-
p.getBoundingClientRect().top-40}}}})()
"""

# Lines that a notebook stores of one text.
_MOST_IR = 120
_MOST_LOOP = 80
_MOST_REMARKS = 40
_MOST_SOURCE = 300


def page(body: str) -> str:
    script = f"<script><!--{_SCRIPT}--></script>"
    return f'<div class="shapecast">{_style(_STYLE)}{body}{script}</div>'


def _style(rules: str) -> str:
    """As a comment, which CSS and scripts ignore: a notebook that is not trusted, or nbconvert's
    --sanitize-html, takes the element out and would leave its text."""
    return f"<style><!--\n{rules}\n--></style>"


def words(text: str) -> Iterator[tuple[str, str]]:
    """The tokens of the text, each with its kind ("" for the rest)."""
    end = 0
    for found in _TOKENS.finditer(text):
        yield "", text[end : found.start()]
        yield found.lastgroup or "", found[0]
        end = found.end()
    yield "", text[end:]


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Of texts; the last column is numbers or short."""
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    cells = ("".join(f"<td><code>{escape(cell)}</code></td>" for cell in row) for row in rows)
    return f"<table><tr>{top}</tr>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def _line(text: str) -> str:
    return "".join(
        f"<span class={_CLASSES[kind]}>{escape(word, quote=False)}</span>"
        if kind
        else escape(word, quote=False)
        for kind, word in words(text)
    )


def code(lines: list[str], most: int, get: str, marks: dict[int, list[int]] | None = None) -> str:
    """Lines with a button to copy them; those beyond `most` are named with how to get them."""
    shown = []
    for number, line in enumerate(lines[:most], 1):
        of = (marks or {}).get(number)
        shown.append(_marked(_line(line), of) if of else _line(line))
    cut = len(lines) - most
    more = f"\n<span class='g w'>... {cut} more lines: {escape(get)}</span>" if cut > 0 else ""
    return copied("\n".join(shown) + more)


def copied(inner: str) -> str:
    return f"<div class=x><pre>{inner}</pre></div>"


def _marked(inner: str, lines: list[int], also: str = "") -> str:
    names = " ".join([f"l{line}" for line in lines] + [also] * bool(also))
    return f'<span class="{names}" tabindex=-1>{inner}</span>'


def stage(part: Part) -> str:
    if not part.changed:
        return f"<div class=w>{escape(part.name)}: as before</div>"
    lines = part.text.splitlines()
    return (
        f"<details><summary>{escape(part.name)} <span class=w>({len(lines)} lines)</span></summary>"
        f"{code(lines, 500, _get(part.name))}</details>"
    )


def _get(name: str) -> str:
    return f'print(f.stages(...)["{name}"])'


def source(lines: list[SourceLine]) -> str:
    if not lines:
        return "<p>The source is not available.</p>"
    shown = []
    for line in lines[:_MOST_SOURCE]:
        number = f"<span class=g>{line.number:4}  </span>"
        mark = f"<span class=g>  ← {escape(line.mark)}</span>" if line.mark else ""
        text = f"{number}{escape(line.text, quote=False)}{mark}"
        if line.mark:
            text = _marked(text, [line.number], f"h{line.heat}" if line.heat else "")
        else:
            text = f"<span class=l{line.number}>{text}</span>"
        shown.append(text)
    cut = len(lines) - _MOST_SOURCE
    more = f"\n<span class=g>... {cut} more lines</span>" if cut > 0 else ""
    return copied("\n".join(shown) + more)


def _box(box: Box) -> str:
    # Spans: where the style is taken out (notebooks that are not trusted), a nest is one line.
    inner = f"<span>{escape(box.body)}</span>"
    for loop in reversed(box.loops):
        inner = f"<span class=f><code>{escape(loop)}</code> {inner}</span>"
    reads, writes = (
        f"<span class=d>{' '.join(f'<code>{escape(name)}</code>' for name in names)}</span>"
        for names in (box.reads, box.writes)
    )
    before = f"{reads} <span>→</span> " if box.reads else ""
    behind = f" <span>→</span> {writes}" if box.writes else ""
    lines = " ".join(f"l{line}" for line in box.lines)
    notes = "".join(f"<div class=w>{escape(note)}</div>" for note in box.notes)
    return (
        f'<div class="n {lines}" tabindex=-1><b>{box.number}</b> {before}'
        f"{inner}{behind}</div>{notes}"
    )


def picture(boxes: list[Box]) -> str:
    """Loop nests in the order in which they run: what they read, their loops, what they write."""
    shown, strip = [], False
    for box in boxes:
        if box.strip_mined != strip:
            note = "<div class=w>for each strip that fits into the cache</div>"
            shown.append(f"<div class=z>{note}" if box.strip_mined else "</div>")
        strip = box.strip_mined
        shown.append(_box(box))
    return "".join(shown) + "</div>" * strip if boxes else "<p>No loop nests.</p>"


def _machine_code(view: View) -> str:
    found = [(f"nest {box.number}", box.loop, box.lines) for box in view.boxes if box.loop]
    found += [(loop.function.removeprefix("py."), loop, []) for loop in view.hot]
    texts = []
    for name, loop, lines in found[:8]:
        marked = " ".join(f"l{line}" for line in lines)
        texts.append(
            f'<details><summary><span class="{marked}">{escape(name)}</span> '
            f"<span class=w>{escape(loop.summary)}</span></summary>"
            f"{code(loop.lines, _MOST_LOOP, _get('assembly'))}</details>"
        )
    cut = len(found) - 8
    if cut > 0:
        texts.append(f"<p class=w>... {cut} more loops: {escape(_get('assembly'))}</p>")
    return "".join(texts)


def _stages(view: View) -> str:
    """Their names, lengths and times: the texts would be a third of a megabyte."""
    rows = []
    for part in view.parts:
        time = view.milliseconds.get(part.name)
        length = f"{len(part.text.splitlines())}" if part.changed else "as before"
        took = f"{time:.1f}" if time is not None else ""
        rows.append(f"<tr><td>{escape(part.name)}</td>{_number(length)}{_number(took)}</tr>")
    head = "<tr><th>stage</th><th>lines</th><th>ms</th></tr>"
    return (
        f"<details><summary>all stages <span class=w>{escape(_get('nests'))} shows one"
        f"</span></summary><table>{head}{''.join(rows)}</table></details>"
    )


def _number(text: str) -> str:
    return f"<td class=r>{text}</td>"


def variant(view: View) -> str:
    """Source and picture beside IR and machine code; a line's class is `l` and its number."""
    lines = sorted({n for of in view.ir_lines.values() for n in of} | _marked_lines(view))
    rules = "".join(
        f".v:has(.l{n}:is(:hover,:focus)) .l{n}{{background:var(--mark)}}" for n in lines[:150]
    )
    device = "".join(f"<li>{escape(text)}</li>" for text in view.device)
    device = f"<p>Arrays on a device; a call does:</p><ul>{device}</ul>" if device else ""
    ir = code(view.ir.splitlines(), _MOST_IR, _get(view.ir_name), view.ir_lines)
    machine = _machine_code(view)
    machine = f"<h4>Assembly of the hot loops</h4>{machine}" if machine else ""
    remarks = ""
    if view.remarks:
        text = code(view.remarks, _MOST_REMARKS, "f.remarks(...)")
        remarks = f"<details><summary>remarks of LLVM</summary>{text}</details>"
    return (
        f"{_style(rules)}"
        f"<div class=v><div class=s><div>{source(view.source)}{machine}{remarks}{_stages(view)}"
        f"</div><div><details open><summary>IR <span class=w>({escape(view.ir_name)})</span>"
        f"</summary>{ir}</details></div></div><h4>Loop nests</h4>{picture(view.boxes)}{device}"
        "</div>"
    )


def _marked_lines(view: View) -> set[int]:
    return {line for box in view.boxes for line in box.lines}
