class Node:
    __slots__ = ("height", "key", "left", "right")

    def __init__(self, key):
        self.key = key
        self.left = None
        self.right = None
        self.height = 1


def height(n):
    return n.height if n else 0


def update(n):
    n.height = 1 + max(height(n.left), height(n.right))


def balance(n):
    return height(n.left) - height(n.right)


def rotate_right(y):
    x = y.left
    y.left = x.right
    x.right = y
    update(y)
    update(x)
    return x


def rotate_left(x):
    y = x.right
    x.right = y.left
    y.left = x
    update(x)
    update(y)
    return y


def insert(node, key):
    if not node:
        return Node(key)
    if key < node.key:
        node.left = insert(node.left, key)
    else:
        node.right = insert(node.right, key)
    update(node)
    b = balance(node)
    if b > 1:
        if key >= node.left.key:
            node.left = rotate_left(node.left)
        return rotate_right(node)
    if b < -1:
        if key < node.right.key:
            node.right = rotate_right(node.right)
        return rotate_left(node)
    return node


def inorder(node, out):
    if node:
        inorder(node.left, out)
        out.append(node.key)
        inorder(node.right, out)
    return out


def show(node, indent=0):
    if node:
        show(node.right, indent + 4)
        print(" " * indent + str(node.key))
        show(node.left, indent + 4)


def main(keys):
    root = None
    for k in keys:
        root = insert(root, k)
    show(root)
    return inorder(root, []), root.height, root.key


ARGS = [([10, 20, 30, 40, 50, 25, 5, 4, 3, 2, 1, 60, 70, 80, 90],), ([3],)]
