class Node:
    def __init__(self, key, value):
        self.key = key
        self.value = value
        self.left = None
        self.right = None


class BinarySearchTree:
    def __init__(self):
        self.root = None
        self._size = 0

    def insert(self, key, value):
        self.root = self._insert(self.root, key, value)

    def _insert(self, node, key, value):
        if node is None:
            self._size += 1
            return Node(key, value)
        if key < node.key:
            node.left = self._insert(node.left, key, value)
        elif key > node.key:
            node.right = self._insert(node.right, key, value)
        else:
            node.value = value
        return node

    def delete(self, key):
        self.root = self._delete(self.root, key)

    def _delete(self, node, key):
        if node is None:
            raise KeyError(key)
        if key < node.key:
            node.left = self._delete(node.left, key)
        elif key > node.key:
            node.right = self._delete(node.right, key)
        else:
            if node.left is None:
                return node.right
            if node.right is None:
                return node.left
            succ = node.right
            while succ.left:
                succ = succ.left
            node.key, node.value = succ.key, succ.value
            node.right = self._delete(node.right, succ.key)
        return node

    def items(self):
        yield from self._walk(self.root)

    def _walk(self, node):
        if node:
            yield from self._walk(node.left)
            yield node.key, node.value
            yield from self._walk(node.right)

    def height(self):
        def h(node):
            if node is None:
                return 0
            return 1 + max(h(node.left), h(node.right))

        return h(self.root)


def main(pairs, removals):
    t = BinarySearchTree()
    for k, v in pairs:
        t.insert(k, v)
    print("height", t.height())
    for r in removals:
        t.delete(r)
    for k, v in t.items():
        print(k, v)
    return list(t.items()), t.height()


ARGS = [
    (
        [(50, "a"), (30, "b"), (70, "c"), (20, "d"), (40, "e"), (60, "f"), (80, "g"), (65, "h")],
        [20, 70, 50],
    ),
    ([(1, "x")], [2]),
]
