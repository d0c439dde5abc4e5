import math


class KDNode:
    def __init__(self, point, axis, left=None, right=None):
        self.point = point
        self.axis = axis
        self.left = left
        self.right = right


def build(points, depth=0):
    if not points:
        return None
    axis = depth % len(points[0])
    points = sorted(points, key=lambda p: p[axis])
    mid = len(points) // 2
    return KDNode(
        points[mid], axis, build(points[:mid], depth + 1), build(points[mid + 1 :], depth + 1)
    )


def nearest(node, target, best=None):
    if node is None:
        return best
    d = math.dist(node.point, target)
    if best is None or d < best[0]:
        best = (d, node.point)
    diff = target[node.axis] - node.point[node.axis]
    near, far = (node.left, node.right) if diff < 0 else (node.right, node.left)
    best = nearest(near, target, best)
    if abs(diff) < best[0]:
        best = nearest(far, target, best)
    return best


def depth(node):
    return 0 if node is None else 1 + max(depth(node.left), depth(node.right))


def main(points, queries):
    tree = build(points)
    results = []
    for q in queries:
        d, p = nearest(tree, q)
        brute = min(points, key=lambda x: math.dist(x, q))
        assert math.dist(brute, q) == d
        print(f"{q} -> {p} ({d:.4f})")
        results.append((p, d))
    return results, depth(tree)


ARGS = [
    (
        [(2.0, 3.0), (5.0, 4.0), (9.0, 6.0), (4.0, 7.0), (8.0, 1.0), (7.0, 2.0)],
        [(9.0, 2.0), (0.0, 0.0), (5.0, 5.0)],
    ),
    ([(1.0, 1.0)], [(2.0, 2.0)]),
]
