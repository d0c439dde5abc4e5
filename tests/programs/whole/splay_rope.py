"""A rope for text editing: concat, split, insert, delete, with weights and rebalancing."""

from dataclasses import dataclass
from typing import List, Union


@dataclass
class Leaf:
    text: str

    def __len__(self):
        return len(self.text)


@dataclass
class Branch:
    left: "Rope"
    right: "Rope"
    weight: int
    length: int
    depth: int

    def __len__(self):
        return self.length


Rope = Union[Leaf, Branch]


def depth(r: Rope) -> int:
    return r.depth if isinstance(r, Branch) else 0


def concat(a: Rope, b: Rope) -> Rope:
    if len(a) == 0:
        return b
    if len(b) == 0:
        return a
    return Branch(a, b, len(a), len(a) + len(b), 1 + max(depth(a), depth(b)))


def split(r: Rope, i: int) -> tuple:
    if isinstance(r, Leaf):
        return Leaf(r.text[:i]), Leaf(r.text[i:])
    if i < r.weight:
        a, b = split(r.left, i)
        return a, concat(b, r.right)
    a, b = split(r.right, i - r.weight)
    return concat(r.left, a), b


def leaves(r: Rope) -> List[str]:
    if isinstance(r, Leaf):
        return [r.text] if r.text else []
    return leaves(r.left) + leaves(r.right)


def build(parts: List[str]) -> Rope:
    if len(parts) == 0:
        return Leaf("")
    if len(parts) == 1:
        return Leaf(parts[0])
    mid = len(parts) // 2
    return concat(build(parts[:mid]), build(parts[mid:]))


class Buffer:
    def __init__(self, text: str = "", chunk: int = 8):
        self.root = build([text[i : i + chunk] for i in range(0, len(text), chunk)])
        self.rebalanced = 0

    def insert(self, at: int, text: str):
        if not 0 <= at <= len(self.root):
            raise IndexError(f"{at} is outside of 0..{len(self.root)}")
        a, b = split(self.root, at)
        self.root = concat(concat(a, Leaf(text)), b)
        self._balance()

    def delete(self, start: int, stop: int) -> str:
        a, rest = split(self.root, start)
        gone, b = split(rest, stop - start)
        self.root = concat(a, b)
        self._balance()
        return "".join(leaves(gone))

    def _balance(self):
        if depth(self.root) > 6:
            self.root = build(leaves(self.root))
            self.rebalanced += 1

    def __getitem__(self, i: int) -> str:
        r = self.root
        while isinstance(r, Branch):
            if i < r.weight:
                r = r.left
            else:
                i -= r.weight
                r = r.right
        return r.text[i]

    def __str__(self):
        return "".join(leaves(self.root))


def main(text, edits):
    buf = Buffer(text)
    removed = []
    for at, what in edits:
        try:
            if isinstance(what, str):
                buf.insert(at, what)
            else:
                removed.append(buf.delete(at, at + what))
        except IndexError as e:
            removed.append(str(e))
    return str(buf), removed, buf[3], buf.rebalanced, depth(buf.root)


ARGS = [
    (
        "the quick brown fox jumps over the lazy dog",
        [
            (4, "very "),
            (0, 4),
            (10, "!!"),
            (999, "x"),
            (20, 6),
            (0, "A "),
            (5, "bb"),
            (7, "cc"),
            (9, "dd"),
        ],
    )
]
