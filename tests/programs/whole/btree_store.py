"""A B-tree with splitting, bisect inside the nodes and range queries."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field


@dataclass
class BNode:
    keys: list = field(default_factory=list)
    values: list = field(default_factory=list)
    children: list = field(default_factory=list)

    @property
    def leaf(self):
        return not self.children


class BTree:
    def __init__(self, t=3):
        self.t = t
        self.root = BNode()
        self.splits = 0

    def _split_child(self, parent, i):
        t = self.t
        child = parent.children[i]
        right = BNode(child.keys[t:], child.values[t:], child.children[t:])
        parent.keys.insert(i, child.keys[t - 1])
        parent.values.insert(i, child.values[t - 1])
        parent.children.insert(i + 1, right)
        del child.keys[t - 1 :]
        del child.values[t - 1 :]
        del child.children[t:]
        self.splits += 1

    def insert(self, key, value):
        if len(self.root.keys) == 2 * self.t - 1:
            root = BNode(children=[self.root])
            self._split_child(root, 0)
            self.root = root
        node = self.root
        while True:
            i = bisect_left(node.keys, key)
            if i < len(node.keys) and node.keys[i] == key:
                node.values[i] = value
                return
            if node.leaf:
                node.keys.insert(i, key)
                node.values.insert(i, value)
                return
            if len(node.children[i].keys) == 2 * self.t - 1:
                self._split_child(node, i)
                if key > node.keys[i]:
                    i += 1
                elif key == node.keys[i]:
                    node.values[i] = value
                    return
            node = node.children[i]

    def search(self, key):
        node, depth = self.root, 0
        while True:
            i = bisect_left(node.keys, key)
            if i < len(node.keys) and node.keys[i] == key:
                return node.values[i], depth
            if node.leaf:
                raise KeyError(key)
            node = node.children[i]
            depth += 1

    def range(self, lo, hi):
        out = []
        self._range(self.root, lo, hi, out)
        return out

    def _range(self, node, lo, hi, out):
        i = bisect_left(node.keys, lo)
        j = bisect_right(node.keys, hi)
        for k in range(i, j):
            if not node.leaf:
                self._range(node.children[k], lo, hi, out)
            out.append((node.keys[k], node.values[k]))
        if not node.leaf:
            self._range(node.children[j], lo, hi, out)

    def height(self):
        h, node = 1, self.root
        while not node.leaf:
            node = node.children[0]
            h += 1
        return h


def main(words, n):
    tree = BTree(t=3)
    for i, w in enumerate(words):
        tree.insert(w, i)
    for i in range(n):
        tree.insert(f"k{(i * 7919) % 1009:04d}", i)
    try:
        tree.search("zzz")
    except KeyError as e:
        missing = f"missing {e}"
    return (
        tree.height(),
        tree.splits,
        tree.search(words[2]),
        tree.range("k0100", "k0120"),
        tree.range("a", "j"),
        missing,
    )


ARGS = [(["pear", "apple", "fig", "grape", "date", "banana", "cherry"], 300)]
