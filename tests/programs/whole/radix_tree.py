"""A compressed trie (radix tree) with longest prefix match, deletion and iteration in order."""

from __future__ import annotations

from typing import Dict, Generator, Optional


class Node:
    def __init__(self, value: Optional[int] = None):
        self.value = value
        self.edges: Dict[str, Node] = {}


class RadixTree:
    def __init__(self):
        self.root = Node()
        self.count = 0

    def insert(self, word: str, value: int) -> None:
        node = self.root
        while True:
            for label, child in node.edges.items():
                common = shared(label, word)
                if not common:
                    continue
                if common == label:
                    node, word = child, word[len(common) :]
                    break
                middle = Node()
                middle.edges[label[len(common) :]] = child
                del node.edges[label]
                node.edges[common] = middle
                node, word = middle, word[len(common) :]
                break
            else:
                if word:
                    node.edges[word] = Node(value)
                    self.count += 1
                    return
            if not word:
                self.count += node.value is None
                node.value = value
                return

    def find(self, word: str) -> Optional[Node]:
        node = self.root
        while word:
            for label, child in node.edges.items():
                if word.startswith(label):
                    node, word = child, word[len(label) :]
                    break
            else:
                return None
        return node

    def __contains__(self, word: str) -> bool:
        node = self.find(word)
        return node is not None and node.value is not None

    def longest_prefix(self, word: str) -> tuple[str, Optional[int]]:
        node, best, taken = self.root, ("", None), 0
        while True:
            if node.value is not None:
                best = (word[:taken], node.value)
            for label, child in node.edges.items():
                if word.startswith(label, taken):
                    node, taken = child, taken + len(label)
                    break
            else:
                return best

    def items(self, node: Optional[Node] = None, prefix: str = "") -> Generator:
        node = node or self.root
        if node.value is not None:
            yield prefix, node.value
        for label in sorted(node.edges):
            yield from self.items(node.edges[label], prefix + label)

    def remove(self, word: str) -> bool:
        def walk(node: Node, rest: str) -> bool:
            if not rest:
                if node.value is None:
                    return False
                node.value = None
                return True
            for label, child in node.edges.items():
                if rest.startswith(label):
                    if not walk(child, rest[len(label) :]):
                        return False
                    if child.value is None and len(child.edges) == 0:
                        del node.edges[label]
                    elif child.value is None and len(child.edges) == 1:
                        ((only, grand),) = child.edges.items()
                        del node.edges[label]
                        node.edges[label + only] = grand
                    return True
            return False

        gone = walk(self.root, word)
        self.count -= gone
        return gone


def shared(a: str, b: str) -> str:
    n = 0
    while n < len(a) and n < len(b) and a[n] == b[n]:
        n += 1
    return a[:n]


def main(routes, queries, removed):
    tree = RadixTree()
    for i, r in enumerate(routes):
        tree.insert(r, i)
    found = [tree.longest_prefix(q) for q in queries]
    before = list(tree.items())
    gone = [tree.remove(r) for r in removed]
    return found, before, gone, list(tree.items()), tree.count, [r in tree for r in routes]


ARGS = [
    (
        ["romane", "romanus", "romulus", "rubens", "ruber", "rubicon", "rubicundus", "rub"],
        ["romanesque", "rubi", "rubiconx", "zebra", "rom"],
        ["romanus", "rub", "nothing", "ruber"],
    )
]
