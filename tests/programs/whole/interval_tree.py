class Interval:
    def __init__(self, low, high):
        if low > high:
            raise ValueError(f"low {low} > high {high}")
        self.low, self.high = low, high

    def overlaps(self, other):
        return self.low <= other.high and other.low <= self.high

    def __repr__(self):
        return f"[{self.low}, {self.high}]"


class Node:
    def __init__(self, interval):
        self.interval = interval
        self.max = interval.high
        self.left = None
        self.right = None


class IntervalTree:
    def __init__(self):
        self.root = None

    def insert(self, interval):
        node = Node(interval)
        if self.root is None:
            self.root = node
            return
        cur = self.root
        while True:
            cur.max = max(cur.max, interval.high)
            if interval.low < cur.interval.low:
                if cur.left is None:
                    cur.left = node
                    return
                cur = cur.left
            else:
                if cur.right is None:
                    cur.right = node
                    return
                cur = cur.right

    def search_all(self, query):
        result = []

        def visit(node):
            if node is None:
                return
            if node.left is not None and node.left.max >= query.low:
                visit(node.left)
            if node.interval.overlaps(query):
                result.append(node.interval)
            if node.interval.low <= query.high:
                visit(node.right)

        visit(self.root)
        return result


def main(spans, query):
    t = IntervalTree()
    for lo, hi in spans:
        t.insert(Interval(lo, hi))
    hits = t.search_all(Interval(*query))
    print(f"{len(hits)} overlaps:", hits)
    return [(i.low, i.high) for i in hits], t.root.max


ARGS = [
    ([(15, 20), (10, 30), (17, 19), (5, 20), (12, 15), (30, 40)], (14, 16)),
    ([(1, 2), (4, 3)], (0, 9)),
]
