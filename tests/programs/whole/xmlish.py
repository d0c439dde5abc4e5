"""A parser for a subset of XML into a tree, path queries and serialisation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Iterator


class XmlError(Exception):
    def __init__(self, message: str, pos: int):
        super().__init__(f"{message} at {pos}")
        self.pos = pos


@dataclass
class Element:
    tag: str
    attrs: dict[str, str] = field(default_factory=dict)
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def walk(self) -> Iterator[Element]:
        yield self
        for child in self.children:
            yield from child.walk()

    def find_all(self, path: str) -> list[Element]:
        level = [self]
        for step in path.split("/"):
            level = [c for e in level for c in e.children if step in ("*", c.tag)]
        return level

    def serialise(self, indent: int = 0) -> str:
        pad = "  " * indent
        attrs = "".join(f' {k}="{v}"' for k, v in sorted(self.attrs.items()))
        if not self.children and not self.text:
            return f"{pad}<{self.tag}{attrs}/>"
        if not self.children:
            return f"{pad}<{self.tag}{attrs}>{self.text}</{self.tag}>"
        inner = "\n".join(c.serialise(indent + 1) for c in self.children)
        return f"{pad}<{self.tag}{attrs}>\n{inner}\n{pad}</{self.tag}>"


class Parser:
    def __init__(self, src: str):
        self.src, self.pos = src, 0

    def error(self, message):
        raise XmlError(message, self.pos)

    def skip(self):
        while self.pos < len(self.src) and self.src[self.pos].isspace():
            self.pos += 1

    def expect(self, s: str):
        if not self.src.startswith(s, self.pos):
            self.error(f"expected {s!r}")
        self.pos += len(s)

    def name(self) -> str:
        start = self.pos
        while self.pos < len(self.src) and (
            self.src[self.pos].isalnum() or self.src[self.pos] in "-_"
        ):
            self.pos += 1
        if start == self.pos:
            self.error("expected a name")
        return self.src[start : self.pos]

    def attributes(self) -> dict[str, str]:
        out = {}
        while True:
            self.skip()
            if self.pos >= len(self.src) or self.src[self.pos] in "/>":
                return out
            key = self.name()
            self.expect("=")
            self.expect('"')
            end = self.src.find('"', self.pos)
            if end < 0:
                self.error("unterminated attribute")
            out[key] = self.src[self.pos : end]
            self.pos = end + 1

    def element(self) -> Element:
        self.expect("<")
        e = Element(self.name())
        e.attrs = self.attributes()
        if self.src.startswith("/>", self.pos):
            self.pos += 2
            return e
        self.expect(">")
        while True:
            start = self.pos
            self.pos = self.src.find("<", start)
            if self.pos < 0:
                self.pos = len(self.src)
                self.error(f"<{e.tag}> is not closed")
            e.text += self.src[start : self.pos].strip()
            if self.src.startswith("</", self.pos):
                self.pos += 2
                if (closing := self.name()) != e.tag:
                    self.error(f"</{closing}> closes <{e.tag}>")
                self.expect(">")
                return e
            e.children.append(self.element())


def main(good, bad):
    root = Parser(good.strip()).element()
    errors = []
    for src in bad:
        try:
            Parser(src).element()
        except XmlError as e:
            errors.append((str(e), e.pos))
    titles = [t.text for t in root.find_all("book/title")]
    ids = {e.attrs["id"]: len(e.children) for e in root.walk() if "id" in e.attrs}
    return root.serialise(), titles, ids, sum(1 for _ in root.walk()), errors


ARGS = [
    (
        """
<shelf name="main">
  <book id="b1" lang="en"><title>Dune</title><author>Herbert</author></book>
  <book id="b2"><title>Solaris</title><note/></book>
  <empty/>
</shelf>
""",
        ["<a><b></a></b>", "<a", "<a x=1/>", "<a>text", "<>"],
    )
]
