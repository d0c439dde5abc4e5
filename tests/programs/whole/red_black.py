"""A left-leaning red-black tree with typed nodes."""

from __future__ import annotations

from typing import Generic, Iterator, Optional, TypeVar

K = TypeVar("K")
V = TypeVar("V")
RED, BLACK = True, False


class Node(Generic[K, V]):
    __slots__ = ("color", "key", "left", "right", "size", "value")

    def __init__(self, key: K, value: V, color: bool = RED) -> None:
        self.key = key
        self.value = value
        self.left: Optional[Node[K, V]] = None
        self.right: Optional[Node[K, V]] = None
        self.color = color
        self.size = 1


def is_red(node: Optional[Node]) -> bool:
    return node is not None and node.color is RED


def size(node: Optional[Node]) -> int:
    return node.size if node else 0


class RedBlackMap(Generic[K, V]):
    def __init__(self) -> None:
        self.root: Optional[Node[K, V]] = None
        self.rotations = 0

    def __len__(self) -> int:
        return size(self.root)

    def _rotate_left(self, h: Node) -> Node:
        x = h.right
        h.right = x.left
        x.left = h
        x.color, h.color = h.color, RED
        x.size = h.size
        h.size = 1 + size(h.left) + size(h.right)
        self.rotations += 1
        return x

    def _rotate_right(self, h: Node) -> Node:
        x = h.left
        h.left = x.right
        x.right = h
        x.color, h.color = h.color, RED
        x.size = h.size
        h.size = 1 + size(h.left) + size(h.right)
        self.rotations += 1
        return x

    @staticmethod
    def _flip(h: Node) -> None:
        h.color = RED
        h.left.color = BLACK
        h.right.color = BLACK

    def __setitem__(self, key: K, value: V) -> None:
        self.root = self._put(self.root, key, value)
        self.root.color = BLACK

    def _put(self, h: Optional[Node], key: K, value: V) -> Node:
        if h is None:
            return Node(key, value)
        if key < h.key:
            h.left = self._put(h.left, key, value)
        elif key > h.key:
            h.right = self._put(h.right, key, value)
        else:
            h.value = value
        if is_red(h.right) and not is_red(h.left):
            h = self._rotate_left(h)
        if is_red(h.left) and is_red(h.left.left):
            h = self._rotate_right(h)
        if is_red(h.left) and is_red(h.right):
            self._flip(h)
        h.size = 1 + size(h.left) + size(h.right)
        return h

    def get(self, key: K, default=None):
        node = self.root
        while node:
            if key < node.key:
                node = node.left
            elif node.key < key:
                node = node.right
            else:
                return node.value
        return default

    def rank(self, key: K) -> int:
        node, r = self.root, 0
        while node:
            if key < node.key:
                node = node.left
            elif key > node.key:
                r += 1 + size(node.left)
                node = node.right
            else:
                return r + size(node.left)
        return r

    def items(self) -> Iterator[tuple[K, V]]:
        stack, node = [], self.root
        while stack or node:
            while node:
                stack.append(node)
                node = node.left
            node = stack.pop()
            yield node.key, node.value
            node = node.right

    def black_height(self) -> int:
        h, node = 0, self.root
        while node:
            if not is_red(node):
                h += 1
            node = node.left
        return h


def main(n: int, seed: int):
    tree: RedBlackMap[int, str] = RedBlackMap()
    x = seed
    for i in range(n):
        x = (x * 1103515245 + 12345) % 2147483648
        tree[x % 1000] = f"v{i}"
    keys = [k for k, _ in tree.items()]
    return {
        "len": len(tree),
        "sorted": keys == sorted(keys),
        "rot": tree.rotations,
        "bh": tree.black_height(),
        "first": list(tree.items())[:3],
        "miss": tree.get(-5, "none"),
        "rank500": tree.rank(500),
    }


ARGS = [(400, 42)]
