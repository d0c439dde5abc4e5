"""An ordered multiset on a treap, with iterators, slicing and order statistics."""

import random


class _Node:
    __slots__ = ("count", "key", "left", "prio", "right", "size")

    def __init__(self, key, prio):
        self.key = key
        self.count = 1
        self.prio = prio
        self.left = self.right = None
        self.size = 1

    def refresh(self):
        self.size = self.count + _size(self.left) + _size(self.right)
        return self


def _size(node):
    return node.size if node else 0


def _merge(a, b):
    if not a or not b:
        return a or b
    if a.prio > b.prio:
        a.right = _merge(a.right, b)
        return a.refresh()
    b.left = _merge(a, b.left)
    return b.refresh()


def _split(node, key):
    """Keys below `key`, and the others."""
    if node is None:
        return None, None
    if node.key < key:
        node.right, rest = _split(node.right, key)
        return node.refresh(), rest
    rest, node.left = _split(node.left, key)
    return rest, node.refresh()


class SortedBag:
    def __init__(self, items=(), seed=0):
        self._root = None
        self._rng = random.Random(seed)
        for item in items:
            self.add(item)

    def _find(self, key):
        node = self._root
        while node is not None and node.key != key:
            node = node.left if key < node.key else node.right
        return node

    def _bump(self, key, by):
        node = self._root
        while True:
            node.size += by
            if node.key == key:
                node.count += by
                return
            node = node.left if key < node.key else node.right

    def add(self, key):
        if self._find(key):
            self._bump(key, 1)
            return
        left, right = _split(self._root, key)
        self._root = _merge(_merge(left, _Node(key, self._rng.random())), right)

    def discard(self, key):
        node = self._find(key)
        if node is None:
            return False
        if node.count > 1:
            self._bump(key, -1)
            return True
        left, rest = _split(self._root, key)
        self._root = _merge(left, self._drop_first(rest))
        return True

    def _drop_first(self, node):
        if node.left is None:
            return node.right
        node.left = self._drop_first(node.left)
        return node.refresh()

    def remove(self, key):
        if not self.discard(key):
            raise KeyError(key)

    def __len__(self):
        return _size(self._root)

    def __iter__(self):
        stack, node = [], self._root
        while stack or node:
            while node:
                stack.append(node)
                node = node.left
            node = stack.pop()
            for _ in range(node.count):
                yield node.key
            node = node.right

    def __contains__(self, key):
        return self._find(key) is not None

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError("bag index out of range")
        node = self._root
        while True:
            before = _size(node.left)
            if index < before:
                node = node.left
            elif index < before + node.count:
                return node.key
            else:
                index -= before + node.count
                node = node.right

    def __repr__(self):
        return f"SortedBag({list(self)})"

    def __eq__(self, other):
        return list(self) == list(other)


def sliding_medians(values, width):
    window = SortedBag()
    for i, v in enumerate(values):
        window.add(v)
        if i >= width:
            window.remove(values[i - width])
        if i >= width - 1:
            middle = window[(width - 1) // 2 : width // 2 + 1]
            yield sum(middle) / len(middle)


def main(values, width, unwanted):
    bag = SortedBag(values, seed=9)
    medians = list(sliding_medians(values, width))
    print(bag, "medians", medians)
    missing = []
    for u in unwanted:
        try:
            bag.remove(u)
        except KeyError as e:
            missing.append(e.args[0])
    try:
        bag[1000]
    except IndexError as e:
        print("caught:", e)
    same = bag == SortedBag(reversed(list(bag)), seed=1)
    return list(bag), bag[0], bag[-1], bag[1::3], medians, missing, len(bag), same, values[0] in bag


ARGS = [
    ([5, 3, 8, 3, 1, 9, 3, 7, 5], 3, [3, 4, 5, 9]),
    ([12, -4, 7, 0, 7, 7, 30, 2, -4, 11], 4, [-4, -4, -4, 100]),
]
