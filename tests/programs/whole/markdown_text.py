"""Convert a small subset of Markdown to plain text with an outline and links."""

import re
from dataclasses import dataclass, field
from typing import List, Tuple


@dataclass
class Document:
    lines: List[str] = field(default_factory=list)
    outline: List[Tuple[int, str]] = field(default_factory=list)
    links: List[str] = field(default_factory=list)

    def emit(self, text=""):
        if text or (self.lines and self.lines[-1]):
            self.lines.append(text)


def inline(text, doc):
    def link(m):
        url = m.group(2)
        if url not in doc.links:
            doc.links.append(url)
        return f"{m.group(1)} [{doc.links.index(url) + 1}]"

    text = re.sub(r"\[([^\]]+)\]\(([^)\s]+)\)", link, text)
    text = re.sub(r"\*\*(.+?)\*\*", lambda m: m.group(1).upper(), text)
    text = re.sub(r"(?<!\w)[*_](.+?)[*_](?!\w)", r"/\1/", text)
    return re.sub(r"`([^`]*)`", r"'\1'", text)


def table(rows):
    cells = [[c.strip() for c in r.strip("|").split("|")] for r in rows]
    align = []
    if len(cells) > 1 and all(set(c) <= set("-: ") for c in cells[1]):
        for c in cells.pop(1):
            align.append(
                ">"
                if c.endswith(":") and not c.startswith(":")
                else "^"
                if c.startswith(":") and c.endswith(":")
                else "<"
            )
    widths = [max(len(r[i]) for r in cells) for i in range(len(cells[0]))]
    align = align or ["<"] * len(widths)
    for n, row in enumerate(cells):
        yield "  ".join(f"{c:{a}{w}}" for c, a, w in zip(row, align, widths)).rstrip()
        if n == 0:
            yield "  ".join("-" * w for w in widths)


def convert(source):
    doc = Document()
    lines = source.split("\n")
    counters = []
    i = 0
    while i < len(lines):
        line = lines[i]
        i += 1
        heading = re.match(r"(#{1,3})\s+(.*)", line)
        bullet = re.match(r"(\s*)([-*+]|\d+\.)\s+(.*)", line)
        if line.startswith("```"):
            while i < len(lines) and not lines[i].startswith("```"):
                doc.emit("    | " + lines[i])
                i += 1
            i += 1
        elif heading:
            level = len(heading.group(1))
            title = inline(heading.group(2), doc)
            doc.outline.append((level, title))
            doc.emit()
            doc.emit(title)
            doc.emit({1: "=", 2: "-", 3: "."}[level] * len(title))
        elif bullet:
            depth = len(bullet.group(1)) // 2
            while len(counters) <= depth:
                counters.append(0)
            del counters[depth + 1 :]
            counters[depth] += 1
            ordered = bullet.group(2)[0].isdigit()
            mark = ".".join(map(str, counters)) if ordered else "•◦▪"[min(depth, 2)]
            doc.emit("  " * (depth + 1) + mark + " " + inline(bullet.group(3), doc))
            continue
        elif line.startswith("|"):
            rows = [line]
            while i < len(lines) and lines[i].startswith("|"):
                rows.append(lines[i])
                i += 1
            for out in table(rows):
                doc.emit(out)
        elif line.startswith(">"):
            doc.emit("    “" + inline(line[1:].strip(), doc) + "”")
        elif re.fullmatch(r"\s*(-{3,}|\*{3,})\s*", line):
            doc.emit("~" * 20)
        else:
            doc.emit(inline(line.strip(), doc))
        counters = []
    if doc.links:
        doc.emit()
        for n, url in enumerate(doc.links, 1):
            doc.emit(f"[{n}]: {url}")
    return doc


def main(source):
    doc = convert(source)
    for line in doc.lines:
        print(line)
    toc = ["  " * (lv - 1) + t for lv, t in doc.outline]
    return doc.lines, toc, doc.links


ARGS = [
    (
        "# Shopping\nBuy **milk** and *some* `eggs`.\n\n- fruit\n  - apples\n  - pears\n- bread\n\n1. pay\n2. leave\n",
    ),
    (
        "Intro with [a link](http://x.org) and [again](http://x.org), [b](/b).\n## Prices\n"
        "| item | cost |\n|:-----|-----:|\n| tea | 4 |\n| coffee | 12.50 |\n\n---\n> To be *or* not\n### End\n",
    ),
    (
        "```\nx = 1\n  y = 2\n```\n1. one\n   1. inner\n   2. inner two\n2. two\nsnake_case_name stays\n",
    ),
]
